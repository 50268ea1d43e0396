//! Decryption of values that are encrypted in data files: `ENC[PKCS7,…]`, as hiera-eyaml writes them (G14).

use std::sync::LazyLock;

use aes::cipher::block_padding::Pkcs7;
use aes::cipher::{BlockCipher, BlockDecryptMut, BlockSizeUser, KeyInit, KeyIvInit as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cms::content_info::ContentInfo;
use cms::enveloped_data::{EnvelopedData, RecipientInfo};
use der::asn1::{ObjectIdentifier, OctetString};
use der::{Decode as _, Encode as _};
use marotte_pcore::value::{Hash, Value};
use regex::Regex;
use rsa::pkcs1::DecodeRsaPrivateKey as _;
use rsa::pkcs8::DecodePrivateKey as _;
use rsa::traits::PublicKeyParts as _;
use rsa::{Pkcs1v15Encrypt, RsaPrivateKey};
use zeroize::Zeroizing;

use crate::LookupError;

/// An encrypted block, with the method before the comma and the base64 text after it.
static BLOCK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"ENC\[(?:(\w+),)?([a-zA-Z0-9+/ =\n]+?)\]").ok());

const ENVELOPED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.3");
const AES_128_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.2");
const AES_192_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.22");
const AES_256_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.42");

/// The name of the option that holds the path of the private key.
const KEY_OPTION: &str = "pkcs7_private_key";

/// Whether a text contains an encrypted block.
pub fn is_encrypted(text: &str) -> bool {
    text.split_once("ENC[").is_some_and(|(_, rest)| rest.contains(']'))
}

/// Whether a text contains an encrypted block, or one that `eyaml edit` shows in plain text: `DEC::PKCS7[secret]!`.
pub fn has_secret_block(text: &str) -> bool {
    is_encrypted(text) || text.match_indices("DEC").any(|(at, it)| is_plain_block(&text[at + it.len()..]))
}

/// Whether the text after `DEC` continues a block in plain text: `::PKCS7[`, or `(7)::PKCS7[` with its number.
fn is_plain_block(text: &str) -> bool {
    let numbered = text.strip_prefix('(').map(|it| it.trim_start_matches(|it: char| it.is_ascii_digit()));
    let text = numbered.map_or(Some(text), |it| it.strip_prefix(')'));
    let Some(kind) = text.and_then(|it| it.strip_prefix("::")) else { return false };
    let rest = kind.trim_start_matches(|it: char| it.is_ascii_alphanumeric());
    rest.len() < kind.len() && rest.starts_with('[')
}

/// Decrypts all encrypted blocks in a text, and removes the end of its last line. `options` name the key file (`pkcs7_private_key`);
/// `read` reads it.
///
/// # Errors
/// The reason why it can't be decrypted. No message contains any of the plain text or of the key.
pub fn decrypt(
    text: &str,
    options: &Hash,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, LookupError>,
) -> Result<String, String> {
    let Some(block) = &*BLOCK else { return Ok(text.to_owned()) };
    let (mut out, mut copied, mut key) = (String::new(), 0, None);
    for found in block.captures_iter(text) {
        let (Some(whole), Some(data)) = (found.get(0), found.get(2)) else { continue };
        let method = found.get(1).map_or("PKCS7", |it| it.as_str());
        if !method.eq_ignore_ascii_case("PKCS7") {
            return Err(format!("the method '{method}' is not supported; 'PKCS7' is"));
        }
        out.push_str(&text[copied..whole.start()]);
        let key = match &key {
            Some(key) => key,
            None => key.insert(private_key(options, read)?),
        };
        out.push_str(&plain(data.as_str(), key)?);
        copied = whole.end();
    }
    out.push_str(&text[copied..]);
    // Ruby's `chomp`.
    let chomped = out.strip_suffix("\r\n").or(out.strip_suffix(['\n', '\r']));
    Ok(chomped.map(str::to_owned).unwrap_or(out))
}

fn private_key(
    options: &Hash,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, LookupError>,
) -> Result<RsaPrivateKey, String> {
    let Some(path) = options.get_str(KEY_OPTION).and_then(Value::as_str) else {
        return Err(format!("{KEY_OPTION} is not defined"));
    };
    let bytes = Zeroizing::new(read(path).map_err(|error| error.message)?);
    let no_key = || format!("'{path}' holds no private key for RSA in PEM");
    let text = std::str::from_utf8(&bytes).map_err(|_| no_key())?.trim();
    RsaPrivateKey::from_pkcs1_pem(text).or_else(|_| RsaPrivateKey::from_pkcs8_pem(text)).map_err(|_| no_key())
}

/// Decrypts the data of one block.
fn plain(data: &str, key: &RsaPrivateKey) -> Result<String, String> {
    let data: String = data.chars().filter(|it| !it.is_whitespace()).collect();
    let data = STANDARD.decode(data).map_err(|error| format!("this is not a text in base 64: {error}"))?;
    let malformed = |error: der::Error| format!("this is not a PKCS7 message: {error}");
    let info = ContentInfo::from_der(&data).map_err(malformed)?;
    if info.content_type != ENVELOPED_DATA {
        return Err("this is a message of PKCS7, but not an encrypted one".to_owned());
    }
    let content = info.content.to_der().map_err(malformed)?;
    let enveloped = EnvelopedData::from_der(&content).map_err(malformed)?;
    let secrets = enveloped.recip_infos.0.iter().filter_map(|it| match it {
        // Nothing else can be encrypted for the key, and each attempt takes a millisecond.
        RecipientInfo::Ktri(it) if it.enc_key.as_bytes().len() == key.size() => {
            key.decrypt(Pkcs1v15Encrypt, it.enc_key.as_bytes()).ok()
        }
        _ => None,
    });
    let Some(secret) = secrets.map(Zeroizing::new).next() else {
        return Err(format!("it is not encrypted for the key in {KEY_OPTION}"));
    };
    let content = enveloped.encrypted_content;
    let iv = content.content_enc_alg.parameters.and_then(|it| it.decode_as::<OctetString>().ok());
    let (Some(iv), Some(encrypted)) = (iv, content.encrypted_content) else {
        return Err("this message of PKCS7 holds nothing".to_owned());
    };
    let (iv, encrypted) = (iv.as_bytes(), encrypted.as_bytes());
    let bytes = match content.content_enc_alg.oid {
        AES_128_CBC => cbc_decrypt::<aes::Aes128>(&secret, iv, encrypted),
        AES_192_CBC => cbc_decrypt::<aes::Aes192>(&secret, iv, encrypted),
        AES_256_CBC => cbc_decrypt::<aes::Aes256>(&secret, iv, encrypted),
        other => return Err(format!("the cipher {other} is not supported; AES in the mode CBC is")),
    };
    let bytes = bytes.ok_or_else(|| format!("it is not encrypted for the key in {KEY_OPTION}"))?;
    String::from_utf8(bytes).map_err(|_| "what is encrypted is not UTF-8".to_owned())
}

fn cbc_decrypt<C>(secret: &[u8], iv: &[u8], encrypted: &[u8]) -> Option<Vec<u8>>
where
    C: BlockCipher + BlockDecryptMut + BlockSizeUser + KeyInit,
{
    let cipher = cbc::Decryptor::<C>::new_from_slices(secret, iv).ok()?;
    cipher.decrypt_padded_vec_mut::<Pkcs7>(encrypted).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generated for this test alone, in the same way as by hiera-eyaml.
    const KEY: &[u8] = include_bytes!("fixtures/private_key.pkcs7.pem");
    const ENCRYPTED: &str = include_str!("fixtures/encrypted.txt");

    fn decrypted(text: &str) -> Result<String, String> {
        let options = [(KEY_OPTION.into(), "/keys/private".into())].into_iter().collect();
        decrypt(text, &options, &mut |path| {
            assert_eq!(path, "/keys/private");
            Ok(KEY.to_vec())
        })
    }

    #[test]
    fn blocks_in_plain_text_are_secret() {
        for text in ["DEC::PKCS7[secret]!", "user: DEC(12)::GPG[secret]!"] {
            assert!(has_secret_block(text) && !is_encrypted(text), "{text}");
        }
        for text in ["DEC", "DECIMAL::X[1]", "DEC::[1]", "DEC(a)::PKCS7[1]", "DEC::PKCS7"] {
            assert!(!has_secret_block(text), "{text}");
        }
    }

    #[test]
    fn what_hiera_eyaml_encrypts_is_decrypted() {
        let block = ENCRYPTED.trim();
        assert!(is_encrypted(block) && has_secret_block(block));
        assert_eq!(decrypted(block).unwrap(), "geheim é");
        assert_eq!(decrypted(&format!("a {block} b {block}\n")).unwrap(), "a geheim é b geheim é");
        // Folded lines, and no method.
        let folded: String = block
            .replace("PKCS7,", "")
            .chars()
            .flat_map(|it| [Some(it), (it == '/').then_some('\n')])
            .flatten()
            .collect();
        assert_eq!(decrypted(&folded).unwrap(), "geheim é");
        assert_eq!(decrypted("plain").unwrap(), "plain");
    }

    #[test]
    fn what_is_wrong_is_told_without_secrets() {
        for (text, part) in [
            ("ENC[GPG,aGFsbG8=]", "the method 'GPG' is not supported"),
            ("ENC[PKCS7,aGFsbG8=]", "not a PKCS7 message"),
            ("ENC[PKCS7,a]", "not a text in base 64"),
        ] {
            let error = decrypted(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        let mut cut = ENCRYPTED.trim().replace("ENC[PKCS7,MII", "ENC[PKCS7,MIA");
        assert!(decrypted(&cut).is_err());
        cut.truncate(200);
        cut.push(']');
        assert!(decrypted(&cut).is_err());
        let no_key = decrypt(ENCRYPTED, &Hash::default(), &mut |_| Ok(KEY.to_vec()));
        assert_eq!(no_key.unwrap_err(), "pkcs7_private_key is not defined");
    }
}
