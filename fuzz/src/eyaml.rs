//! Encrypted values: any bytes, messages of PKCS7 that are almost right, and damaged keys.

use aes::cipher::{BlockEncryptMut as _, KeyIvInit as _, block_padding::Pkcs7};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use marotte_hiera::{decrypt, is_encrypted};
use marotte_pcore::value::Hash;
use marotte_tests::arbitrary::Choices;

/// The key of the tests of `marotte_hiera`, made for them alone.
const KEY: &[u8] = include_bytes!("../../crates/hiera/src/backend/fixtures/private_key.pkcs7.pem");
const ENCRYPTED: &str = include_str!("../../crates/hiera/src/backend/fixtures/encrypted.txt");

/// Decrypts bytes: the first says whether they are a text, the data of a block, choose the parts of a message, or which bytes of a
/// message or of the key are changed.
///
/// # Panics
/// If a message tells something of the key.
pub fn check(bytes: &[u8]) {
    let [first, rest @ ..] = bytes else { return };
    let mut key = KEY.to_vec();
    let text = match first % 5 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        1 => block(rest),
        2 => block(&generated(rest)),
        3 => {
            let data = ENCRYPTED.trim().trim_start_matches("ENC[PKCS7,").trim_end_matches(']');
            block(&changed(STANDARD.decode(data).expect("a fixture"), rest))
        }
        _ => {
            key = changed_key(rest);
            ENCRYPTED.trim().to_owned()
        }
    };
    let options: Hash = [("pkcs7_private_key".into(), "/key".into())].into_iter().collect();
    match decrypt(&text, &options, &mut |_| Ok(key.clone())) {
        Ok(plain) if !is_encrypted(&text) => assert_eq!(plain, chomped(&text), "nothing is encrypted"),
        Ok(_) => {}
        Err(why) => assert!(!why.is_empty() && !why.contains("PRIVATE KEY"), "{why}"),
    }
}

fn chomped(text: &str) -> &str {
    text.strip_suffix("\r\n").or(text.strip_suffix(['\n', '\r'])).unwrap_or(text)
}

fn block(data: &[u8]) -> String {
    format!("a ENC[PKCS7,{}] b", STANDARD.encode(data))
}

fn changed(mut data: Vec<u8>, bytes: &[u8]) -> Vec<u8> {
    let mut choices = Choices::new(bytes);
    while !choices.is_over() && !data.is_empty() {
        let at = (choices.below(256) * 256 + choices.below(256)) % data.len();
        match choices.below(4) {
            0 => data.truncate(at),
            1 => data.splice(at..at, [choices.below(256) as u8; 3]).for_each(drop),
            _ => data[at] = choices.below(256) as u8,
        }
    }
    data
}

/// The key with some bytes changed: of its text, or of what its text encodes.
fn changed_key(bytes: &[u8]) -> Vec<u8> {
    let [first, rest @ ..] = bytes else { return KEY.to_vec() };
    if first % 2 == 0 {
        return changed(KEY.to_vec(), rest);
    }
    let text = String::from_utf8_lossy(KEY);
    let lines: Vec<&str> = text.trim().lines().collect();
    let [start, data @ .., end] = &lines[..] else { return Vec::new() };
    let data = changed(STANDARD.decode(data.concat()).expect("a fixture"), rest);
    let encoded = STANDARD.encode(data);
    let data: Vec<&str> =
        encoded.as_bytes().chunks(64).map(|it| std::str::from_utf8(it).unwrap_or("")).collect();
    format!("{start}\n{}\n{end}\n", data.join("\n")).into_bytes()
}

/// A value in DER: its tag, its length, its content.
fn der(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let mut all = vec![tag];
    match length {
        0..0x80 => all.push(length as u8),
        0x80..0x100 => all.extend([0x81, length as u8]),
        _ => all.extend([0x82, (length >> 8) as u8, length as u8]),
    }
    all.extend_from_slice(content);
    all
}

const ENVELOPED: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 3];
const DATA: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
const RSA: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];

/// A message that bytes choose: with many recipients, or none, and content that is encrypted with a secret that the first of them
/// has or has not.
fn generated(bytes: &[u8]) -> Vec<u8> {
    let mut choices = Choices::new(bytes);
    let fixture = ENCRYPTED.trim().trim_start_matches("ENC[PKCS7,").trim_end_matches(']');
    let fixture = STANDARD.decode(fixture).expect("a fixture");
    // The only secret that is encrypted for the key: 256 bytes after their tag and length.
    let at = fixture.windows(4).position(|it| it == [4, 0x82, 1, 0]).map_or(0, |it| it + 4);
    let secret = fixture.get(at..at + 256).unwrap_or_default();
    let count = choices.choose(&[1, 0, 2, 30, 255]);
    let recipients: Vec<u8> = (0..count)
        .flat_map(|_| {
            let version = der(2, &[choices.below(3) as u8]);
            let identifier = match choices.below(3) {
                0 => der(0x80, &[choices.below(256) as u8]),
                1 => der(0x30, &[der(0x30, &[]), der(2, &[1])].concat()),
                _ => der(0x04, b"x"),
            };
            let algorithm = der(0x30, &[RSA, &[5, 0]].concat());
            let encrypted = match choices.below(4) {
                0 => der(4, secret),
                1 => der(4, &[choices.below(256) as u8]),
                2 => der(4, &vec![choices.below(256) as u8; 256]),
                _ => der(4, &vec![0xff; 600]),
            };
            let parts = [version, identifier, algorithm, encrypted].concat();
            der(choices.choose(&[0x30, 0x30, 0x30, 0xa1, 0xa2]), &parts)
        })
        .collect();
    let cipher = choices.choose(&[42, 2, 22, 1, 0]);
    let cipher = [&[6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1][..], &[cipher]].concat();
    let iv = vec![choices.below(256) as u8; choices.choose(&[16, 0, 15, 17])];
    let length = choices.choose(&[16, 0, 1, 32, 160]);
    let content = match choices.below(2) {
        0 => vec![choices.below(256) as u8; length],
        _ => {
            let cipher = cbc::Encryptor::<aes::Aes256>::new(&[7; 32].into(), &[7; 16].into());
            cipher.encrypt_padded_vec_mut::<Pkcs7>(&vec![b'a'; length])
        }
    };
    let tag = choices.choose(&[0x80, 0xa0]);
    let content = [DATA, &der(0x30, &[cipher, der(4, &iv)].concat()), &der(tag, &content)].concat();
    let enveloped = [der(2, &[choices.below(3) as u8]), der(0x31, &recipients), der(0x30, &content)].concat();
    der(0x30, &[ENVELOPED, &der(0xa0, &der(0x30, &enveloped))].concat())
}
