//! `String#crypt` by the methods of `crypt(3)` that begin with `$`: MD5, SHA-256, SHA-512 and bcrypt.

use md5::{Digest as _, Md5};
use sha_crypt::{ROUNDS_DEFAULT, Sha256Params, Sha512Params, sha256_crypt_b64, sha512_crypt_b64};

use super::this;
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[exactly("crypt", 1, crypt)];

/// The digits of `crypt(3)` for all methods but bcrypt.
const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The digits of bcrypt.
const BCRYPT_DIGITS: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The number of rounds of MD5, which is fixed.
const MD5_ROUNDS: usize = 1000;

/// The largest cost of bcrypt that is computed: it doubles the time of the cost before.
const BCRYPT_COST: u32 = 12;

/// The bytes of the password that bcrypt uses.
const BCRYPT_PASSWORD: usize = 72;

fn crypt(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let password = this(call)?.bytes().clone();
    let setting = vm.expect_string(call.required(0))?;
    let Some(setting) = setting.text().map(|it| it.to_string()) else {
        return unsupported("String#crypt with a salt of bytes");
    };
    if password.contains(&0) {
        return unsupported("String#crypt of a password with a byte 0");
    }
    let hash = match setting.strip_prefix('$').and_then(|it| it.split_once('$')) {
        Some(("1", salt)) => with_md5(vm, &password, salt)?,
        Some((method @ ("5" | "6"), salt)) => with_sha(vm, &password, method, salt)?,
        Some((method @ ("2a" | "2b" | "2x" | "2y"), rest)) => with_bcrypt(vm, &password, method, rest)?,
        _ => None,
    };
    match hash {
        Some(hash) => Ok(Value::binary(hash.into_bytes())),
        None => unsupported("String#crypt with this salt"),
    }
}

/// The salt at the start of a setting, at most `most` characters. None unless it has only digits of `crypt(3)`.
fn salt_of(setting: &str, most: usize) -> Option<&str> {
    let salt = setting.split('$').next().unwrap_or_default();
    let is_plain = salt.bytes().all(|it| DIGITS.contains(&it));
    is_plain.then(|| &salt[..salt.len().min(most)])
}

fn with_sha(vm: &Vm<'_>, password: &[u8], method: &str, setting: &str) -> Result<Option<String>> {
    vm.world.spend(ROUNDS_DEFAULT * (password.len() / 32 + 2))?;
    let Some(salt) = salt_of(setting, 16) else { return Ok(None) };
    let bytes = salt.as_bytes();
    let hash = match method {
        "5" => Sha256Params::new(ROUNDS_DEFAULT).and_then(|it| sha256_crypt_b64(password, bytes, &it)),
        _ => Sha512Params::new(ROUNDS_DEFAULT).and_then(|it| sha512_crypt_b64(password, bytes, &it)),
    };
    Ok(hash.ok().map(|hash| format!("${method}${salt}${hash}")))
}

fn with_bcrypt(vm: &Vm<'_>, password: &[u8], method: &str, setting: &str) -> Result<Option<String>> {
    // The older methods treat bytes beyond ASCII in their own ways.
    if !password.is_ascii() && !matches!(method, "2b" | "2y") {
        return Ok(None);
    }
    let (Some(cost), Some("$"), Some(salt)) = (setting.get(..2), setting.get(2..3), setting.get(3..25))
    else {
        return Ok(None);
    };
    let (Some(number), Some(bytes)) = (cost.parse().ok(), bcrypt_salt(salt)) else { return Ok(None) };
    if !(4..=BCRYPT_COST).contains(&number) {
        return Ok(None);
    }
    vm.world.spend(1 << (number + 6))?;
    let mut key = password[..password.len().min(BCRYPT_PASSWORD)].to_vec();
    if key.len() < BCRYPT_PASSWORD {
        key.push(0);
    }
    let hash = bcrypt::bcrypt(number, bytes, &key);
    let digits = bcrypt_digits(&bytes) + &bcrypt_digits(&hash[..23]);
    Ok(Some(format!("${method}${cost}${digits}")))
}

/// The 16 bytes of a salt of 22 digits; the rest of the last digit is dropped.
fn bcrypt_salt(digits: &str) -> Option<[u8; 16]> {
    let mut bits: u128 = 0;
    for (index, digit) in digits.bytes().enumerate() {
        let value = BCRYPT_DIGITS.iter().position(|it| *it == digit)? as u128;
        bits = if index < 21 { bits << 6 | value } else { bits << 2 | value >> 4 };
    }
    Some(bits.to_be_bytes())
}

fn bcrypt_digits(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        let digit = |index: usize| char::from(BCRYPT_DIGITS[(bits >> (18 - 6 * index)) as usize & 63]);
        text.extend((0..=group.len()).map(digit));
    }
    text
}

fn with_md5(vm: &Vm<'_>, password: &[u8], setting: &str) -> Result<Option<String>> {
    vm.world.spend(MD5_ROUNDS * (password.len() / 32 + 2))?;
    let Some(salt) = salt_of(setting, 8) else { return Ok(None) };
    let inner = Md5::new().chain_update(password).chain_update(salt).chain_update(password).finalize();
    let mut start = Md5::new().chain_update(password).chain_update("$1$").chain_update(salt);
    for chunk in password.chunks(16) {
        start.update(&inner[..chunk.len()]);
    }
    let mut length = password.len();
    while length > 0 {
        start.update(if length & 1 == 1 { &[0] } else { &password[..1] });
        length >>= 1;
    }
    let mut hash = start.finalize();
    for round in 0..MD5_ROUNDS {
        let (first, last) = if round % 2 == 1 { (password, &hash[..]) } else { (&hash[..], password) };
        let mut next = Md5::new().chain_update(first);
        if round % 3 != 0 {
            next.update(salt);
        }
        if round % 7 != 0 {
            next.update(password);
        }
        hash = next.chain_update(last).finalize();
    }
    let mut digits = String::new();
    let mut write = |bits: u32, count: u32| {
        digits.extend((0..count).map(|index| char::from(DIGITS[(bits >> (6 * index)) as usize & 63])));
    };
    let byte = |index: usize| u32::from(hash[index]);
    for [a, b, c] in [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]] {
        write(byte(a) << 16 | byte(b) << 8 | byte(c), 4);
    }
    write(byte(11), 2);
    Ok(Some(format!("$1${salt}${digits}")))
}
