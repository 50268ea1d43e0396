use std::fmt;

use chacha20poly1305::aead::rand_core::RngCore as _;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, OsRng, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};

/// The length of a nonce, and of a digest at the end of an object.
const NONCE: usize = 24;
const DIGEST: usize = 32;

/// A key, from which those for encrypting and for naming objects are derived.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// The number of bytes that the secret needs at least.
    pub const LEAST: usize = 32;

    /// Derives a key from a secret of any form. None if it is too short to be one.
    pub fn of_secret(secret: &[u8]) -> Option<Key> {
        let secret = secret.trim_ascii();
        (secret.len() >= Key::LEAST).then(|| Key(Sha256::digest(secret).into()))
    }

    /// A key for one purpose.
    fn derived(&self, purpose: &str) -> [u8; 32] {
        mac(&self.0, &[purpose.as_bytes()])
    }
}

// The key is in no output.
impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key")
    }
}

fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = <Hmac<Sha256> as hmac::Mac>::new_from_slice(key).expect("a key of any length");
    parts.iter().for_each(|it| mac.update(it));
    mac.finalize().into_bytes().into()
}

/// Brings objects into the form in which they are kept: encrypted with a key, or else with a digest, by which damage is noticed.
#[derive(Debug)]
pub struct Sealer(Option<Keys>);

struct Keys {
    cipher: XChaCha20Poly1305,
    names: [u8; 32],
}

impl fmt::Debug for Keys {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Keys")
    }
}

impl Sealer {
    /// Creates a sealer. It encrypts if there is a key.
    pub fn new(key: Option<Key>) -> Sealer {
        Sealer(key.map(|key| Keys {
            cipher: XChaCha20Poly1305::new(&key.derived("marotte cache: objects").into()),
            names: key.derived("marotte cache: names"),
        }))
    }

    /// Whether objects are encrypted, rather than only protected against damage.
    pub fn is_encrypting(&self) -> bool {
        self.0.is_some()
    }

    /// The name for some bytes, which says nothing of them to those who do not have the key.
    pub fn name(&self, bytes: &[u8]) -> String {
        let digest = match &self.0 {
            Some(keys) => mac(&keys.names, &[bytes]),
            None => Sha256::digest(bytes).into(),
        };
        digest.iter().map(|it| format!("{it:02x}")).collect()
    }

    /// The form in which an object is kept under a name.
    ///
    /// # Errors
    /// If there are no random numbers.
    pub fn seal(&self, name: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let Some(keys) = &self.0 else {
            return Ok([bytes, &plain_digest(name, bytes)].concat());
        };
        let mut nonce = [0; NONCE];
        OsRng.try_fill_bytes(&mut nonce).map_err(|error| format!("there are no random numbers: {error}"))?;
        let payload = Payload { msg: bytes, aad: name.as_bytes() };
        let sealed = keys.cipher.encrypt(XNonce::from_slice(&nonce), payload);
        let sealed = sealed.map_err(|_| "an object is too large to be encrypted".to_owned())?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// The object that is kept under a name. None if it is damaged, or sealed with another key or under another name.
    pub fn open(&self, name: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let Some(keys) = &self.0 else {
            let (bytes, digest) = sealed.split_at_checked(sealed.len().checked_sub(DIGEST)?)?;
            return (digest == plain_digest(name, bytes)).then(|| bytes.to_vec());
        };
        let (nonce, sealed) = sealed.split_at_checked(NONCE)?;
        let payload = Payload { msg: sealed, aad: name.as_bytes() };
        keys.cipher.decrypt(XNonce::from_slice(nonce), payload).ok()
    }
}

fn plain_digest(name: &str, bytes: &[u8]) -> [u8; 32] {
    Sha256::new_with_prefix(name).chain_update([0]).chain_update(bytes).finalize().into()
}

/// Whether a text is a name that a sealer makes.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() == 2 * DIGEST && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealers() -> [Sealer; 3] {
        let key = |it: u8| Key::of_secret(&[it; 32]);
        [Sealer::new(None), Sealer::new(key(b'a')), Sealer::new(key(b'b'))]
    }

    #[test]
    fn an_object_opens_only_whole_under_its_name_and_with_its_key() {
        for sealer in sealers() {
            let sealed = sealer.seal("name", b"some text").unwrap();
            assert_eq!(sealer.open("name", &sealed).as_deref(), Some(&b"some text"[..]));
            assert_eq!(sealer.open("other", &sealed), None);
            for at in 0..sealed.len() {
                let mut damaged = sealed.clone();
                damaged[at] ^= 1;
                assert_eq!(sealer.open("name", &damaged), None);
                assert_eq!(sealer.open("name", &sealed[..at]), None);
            }
        }
        let [plain, one, other] = sealers();
        let sealed = one.seal("name", b"some text").unwrap();
        assert!(plain.open("name", &sealed).is_none() && other.open("name", &sealed).is_none());
        assert!(!sealed.windows(4).any(|it| it == b"text"));
    }

    #[test]
    fn names_depend_on_the_key() {
        let names = sealers().map(|it| it.name(b"some text"));
        assert!(names.iter().all(|it| is_name(it)));
        assert!(names[0] != names[1] && names[1] != names[2]);
    }

    #[test]
    fn a_short_secret_is_no_key() {
        assert!(Key::of_secret(b"hunter2\n").is_none());
        assert!(Key::of_secret(&[b' '; 64]).is_none());
    }
}
