//! Keys from passwords: `OpenSSL::KDF.pbkdf2_hmac` and `OpenSSL::PKCS5.pbkdf2_hmac`.

use super::digest::{Algorithm, algorithm_of};
use super::support::bytes_of;
use crate::native::{Call, NativeClass, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::{Value, Vm};

/// The parameters of PBKDF2.
struct Derivation {
    password: Vec<u8>,
    salt: Vec<u8>,
    iterations: i64,
    length: i64,
    algorithm: Algorithm,
}

impl Derivation {
    /// The key by RFC 8018.
    fn key(&self, vm: &mut Vm<'_>) -> Result {
        /// The steps of one hash.
        const ROUND: usize = 10;
        let (Ok(iterations @ 1..), Ok(length @ 1..)) =
            (usize::try_from(self.iterations), usize::try_from(self.length))
        else {
            return unsupported("PBKDF2 with these numbers");
        };
        let mut key = Vec::new();
        let hmac = self.algorithm.keyed(&self.password);
        for block in 1_u32.. {
            if key.len() >= length {
                break;
            }
            let mut salt = self.salt.clone();
            salt.extend(block.to_be_bytes());
            let mut round = hmac(&salt);
            vm.world.allocate(round.len())?;
            let mut sum = round.clone();
            for _ in 1..iterations {
                vm.world.spend(ROUND)?;
                round = hmac(&round);
                sum.iter_mut().zip(&round).for_each(|(sum, byte)| *sum ^= byte);
            }
            key.extend(sum);
        }
        key.truncate(length);
        Ok(Value::binary(key))
    }
}

/// `OpenSSL::PKCS5.pbkdf2_hmac(password, salt, iterations, length, digest)`
fn by_position(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let derivation = Derivation {
        password: bytes_of(vm, call.required(0))?,
        salt: bytes_of(vm, call.required(1))?,
        iterations: vm.expect_integer(call.required(2))?,
        length: vm.expect_integer(call.required(3))?,
        algorithm: algorithm_of(vm, call.required(4))?,
    };
    derivation.key(vm)
}

/// `OpenSSL::KDF.pbkdf2_hmac(password, salt:, iterations:, length:, hash:)`
fn by_name(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (Some(salt), Some(iterations), Some(length), Some(hash)) =
        (call.keyword("salt"), call.keyword("iterations"), call.keyword("length"), call.keyword("hash"))
    else {
        return unsupported("OpenSSL::KDF.pbkdf2_hmac without a keyword");
    };
    let derivation = Derivation {
        password: bytes_of(vm, call.required(0))?,
        salt: bytes_of(vm, &salt)?,
        iterations: vm.expect_integer(&iterations)?,
        length: vm.expect_integer(&length)?,
        algorithm: algorithm_of(vm, &hash)?,
    };
    derivation.key(vm)
}

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "OpenSSL::PKCS5",
        singleton_methods: &[&[exactly("pbkdf2_hmac", 5, by_position), refused("pbkdf2_hmac_sha1")]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "OpenSSL::KDF",
        singleton_methods: &[&[
            exactly("pbkdf2_hmac", 1, by_name).with_keywords(),
            refused("scrypt"),
            refused("hkdf"),
        ]],
        ..NativeClass::EMPTY
    },
];
