//! `Digest`, and the digests and HMACs of `OpenSSL`.

use hmac::{Hmac, Mac};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

use super::support::{ascii, bytes_of, class_of_call, encoded, new_object, text_of};
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Data, Encoding};
use crate::{Value, Vm};

/// A hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    Md5,
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

use Algorithm::{Md5 as MD5, Sha1 as SHA1, Sha256 as SHA256, Sha384 as SHA384, Sha512 as SHA512};

/// The HMAC of data for one key.
pub(super) type Keyed = Box<dyn Fn(&[u8]) -> Vec<u8>>;

fn keyed<M: Mac + hmac::digest::KeyInit + Clone + 'static>(key: &[u8]) -> Keyed {
    match <M as hmac::digest::KeyInit>::new_from_slice(key) {
        Ok(mac) => Box::new(move |data| mac.clone().chain_update(data).finalize().into_bytes().to_vec()),
        // Keys of all lengths are allowed.
        Err(_) => Box::new(|_| Vec::new()),
    }
}

impl Algorithm {
    /// The algorithm of a class, `Digest::MD5` or `OpenSSL::Digest::MD5`, or by a name such as `sha256`.
    fn named(name: &str) -> Option<Algorithm> {
        let name = name.rsplit("::").next().unwrap_or(name).to_ascii_uppercase();
        Some(match name.strip_prefix("SHA-").map_or(name.clone(), |it| format!("SHA{it}")).as_str() {
            "MD5" => MD5,
            "SHA1" => SHA1,
            // `Digest::SHA2` has 256 bits by default.
            "SHA256" | "SHA2" => SHA256,
            "SHA384" => SHA384,
            "SHA512" => SHA512,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            MD5 => "MD5",
            SHA1 => "SHA1",
            SHA256 => "SHA256",
            SHA384 => "SHA384",
            SHA512 => "SHA512",
        }
    }

    fn digest(self, data: &[u8]) -> Vec<u8> {
        match self {
            MD5 => Md5::digest(data).to_vec(),
            SHA1 => Sha1::digest(data).to_vec(),
            SHA256 => Sha256::digest(data).to_vec(),
            SHA384 => Sha384::digest(data).to_vec(),
            SHA512 => Sha512::digest(data).to_vec(),
        }
    }

    /// The HMACs for a key, which is hashed once: that is half of the work for short data.
    pub(super) fn keyed(self, key: &[u8]) -> Keyed {
        match self {
            MD5 => keyed::<Hmac<Md5>>(key),
            SHA1 => keyed::<Hmac<Sha1>>(key),
            SHA256 => keyed::<Hmac<Sha256>>(key),
            SHA384 => keyed::<Hmac<Sha384>>(key),
            SHA512 => keyed::<Hmac<Sha512>>(key),
        }
    }

    fn block_length(self) -> i64 {
        if matches!(self, SHA384 | SHA512) { 128 } else { 64 }
    }

    fn length(self) -> i64 {
        match self {
            MD5 => 16,
            SHA1 => 20,
            SHA256 => 32,
            SHA384 => 48,
            SHA512 => 64,
        }
    }
}

/// The state of a digest or HMAC.
#[derive(Clone, Debug)]
struct Digester {
    algorithm: Algorithm,
    /// The key of an HMAC.
    key: Option<Vec<u8>>,
    data: Vec<u8>,
}

impl Data for Digester {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

impl Digester {
    fn finish(&self, vm: &Vm<'_>) -> Result<Vec<u8>> {
        vm.world.spend(self.data.len() / 8)?;
        Ok(match &self.key {
            Some(key) => self.algorithm.keyed(key)(&self.data),
            None => self.algorithm.digest(&self.data),
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

fn in_base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// A digest in the form that a method name denotes: `hexdigest`, `base64digest`, `digest`.
fn in_form(name: &str, digest: Vec<u8>) -> Value {
    match name.trim_end_matches('!') {
        "digest" => Value::binary(digest),
        "base64digest" => ascii(in_base64(&digest)),
        _ => ascii(hex(&digest)),
    }
}

fn digester(call: &Call<'_>) -> Result<Digester> {
    match call.this {
        Value::Object(object) => match object.data_as::<Digester>() {
            Some(it) => Ok(it.clone()),
            None => unsupported("a digest of another kind"),
        },
        _ => unsupported("a digest of another kind"),
    }
}

fn class_algorithm(vm: &Vm<'_>, call: &Call<'_>) -> Result<Algorithm> {
    let class = class_of_call(vm, call.this).display_name();
    match Algorithm::named(&class) {
        Some(it) => Ok(it),
        None => unsupported(class),
    }
}

/// `Digest::MD5.hexdigest(text)` and its like.
fn of_class(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let algorithm = class_algorithm(vm, call)?;
    let Some((text, rest)) = call.arguments.split_first() else {
        return vm.argument_error("no data given");
    };
    if !rest.is_empty() {
        let given = rest.len();
        return vm.argument_error(format!("wrong number of arguments (given {given}, expected 0)"));
    }
    let data = bytes_of(vm, text)?;
    vm.world.spend(data.len() / 8)?;
    Ok(in_form(&call.name.name(), algorithm.digest(&data)))
}

/// `OpenSSL::Digest::SHA256.hexdigest(text)` and its like.
fn of_openssl_class(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let algorithm = class_algorithm(vm, call)?;
    let data = bytes_of(vm, call.required(0))?;
    vm.world.spend(data.len() / 8)?;
    Ok(in_form(&call.name.name(), algorithm.digest(&data)))
}

fn of_file(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let algorithm = class_algorithm(vm, call)?;
    let path = text_of(vm, call.required(0))?;
    let data = super::file::read(vm, &path)?;
    Ok(new_object(vm, call.this, Digester { algorithm, key: None, data }))
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let algorithm = class_algorithm(vm, call)?;
    Ok(new_object(vm, call.this, Digester { algorithm, key: None, data: Vec::new() }))
}

/// `Digest::SHA2.new(bits)`
fn new_sha2(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let algorithm = match call.argument(0) {
        None | Some(Value::Integer(256)) => SHA256,
        Some(Value::Integer(384)) => SHA384,
        Some(Value::Integer(512)) => SHA512,
        Some(_) => return unsupported("Digest::SHA2.new with this length"),
    };
    Ok(new_object(vm, call.this, Digester { algorithm, key: None, data: Vec::new() }))
}

/// The algorithm that an argument names: a text, or a digest of `OpenSSL`.
pub(super) fn algorithm_of(vm: &mut Vm<'_>, value: &Value) -> Result<Algorithm> {
    match value {
        Value::String(name) => {
            match Algorithm::named(&name.lossy()).filter(|_| !name.bytes().contains(&b':')) {
                Some(it) => Ok(it),
                None => unsupported(format!("the digest {}", name.lossy())),
            }
        }
        Value::Object(object) => match object.data_as::<Digester>() {
            Some(it) => Ok(it.algorithm),
            None => unsupported("a digest of another kind"),
        },
        other => {
            let name = vm.conversion_name(other);
            vm.type_error(format!("wrong argument type {name} (expected OpenSSL/Digest)"))
        }
    }
}

/// `OpenSSL::Digest.new(name, data)` and `OpenSSL::Digest::SHA256.new(data)`
fn new_openssl(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let class = class_of_call(vm, call.this).display_name();
    let is_general = matches!(&*class, "OpenSSL::Digest" | "OpenSSL::Digest::Digest");
    let (algorithm, data) = match (is_general, call.arguments) {
        (true, [name, rest @ ..]) => (algorithm_of(vm, name)?, rest.first()),
        (true, []) => return vm.argument_error("wrong number of arguments (given 0, expected 1..2)"),
        (false, rest) => (class_algorithm(vm, call)?, rest.first()),
    };
    let data = match data {
        Some(Value::Nil) | None => Vec::new(),
        Some(it) => bytes_of(vm, it)?,
    };
    Ok(new_object(vm, call.this, Digester { algorithm, key: None, data }))
}

/// `OpenSSL::Digest.hexdigest(name, text)` and its like.
fn of_openssl_name(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let algorithm = algorithm_of(vm, call.required(0))?;
    let data = bytes_of(vm, call.required(1))?;
    vm.world.spend(data.len() / 8)?;
    Ok(in_form(&call.name.name(), algorithm.digest(&data)))
}

/// `OpenSSL::HMAC.hexdigest(digest, key, text)` and its like.
fn hmac(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let algorithm = algorithm_of(vm, call.required(0))?;
    let key = bytes_of(vm, call.required(1))?;
    let data = bytes_of(vm, call.required(2))?;
    vm.world.spend(data.len() / 8)?;
    let digest = algorithm.keyed(&key)(&data);
    Ok(match &*call.name.name() {
        "hexdigest" => encoded(hex(&digest).into_bytes(), Encoding::Binary),
        "base64digest" => encoded(in_base64(&digest).into_bytes(), Encoding::Binary),
        _ => Value::binary(digest),
    })
}

fn new_hmac(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let key = bytes_of(vm, call.required(0))?;
    let algorithm = algorithm_of(vm, call.required(1))?;
    Ok(new_object(vm, call.this, Digester { algorithm, key: Some(key), data: Vec::new() }))
}

fn update(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let more = bytes_of(vm, call.required(0))?;
    digester(call)?;
    if let Value::Object(object) = call.this
        && let Some(mut it) = object.data_as_mut::<Digester>()
    {
        it.data.extend(more);
    }
    Ok(call.this.clone())
}

fn reset(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    digester(call)?;
    if let Value::Object(object) = call.this
        && let Some(mut it) = object.data_as_mut::<Digester>()
    {
        it.data.clear();
    }
    Ok(call.this.clone())
}

fn finish(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut digester = digester(call)?;
    if let Some(text) = call.argument(0) {
        digester.data = bytes_of(vm, text)?;
    }
    let digest = digester.finish(vm)?;
    Ok(in_form(&call.name.name(), digest))
}

fn finish_and_reset(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let finished = finish(vm, call)?;
    reset(vm, call)?;
    Ok(finished)
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let digest = digester(call)?.finish(vm)?;
    let class = vm.class_of(call.this).display_name();
    Ok(Value::string(format!("#<{class}: {}>", hex(&digest))))
}

fn equal(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = digester(call)?.finish(vm)?;
    match call.required(0) {
        Value::String(text) => Ok(Value::Bool(text.bytes().as_slice() == hex(&own).as_bytes())),
        Value::Object(object) => match object.data_as::<Digester>() {
            Some(other) => Ok(Value::Bool(other.finish(vm)? == own)),
            None => unsupported("a digest compared with another object"),
        },
        _ => Ok(Value::Bool(false)),
    }
}

fn length(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let algorithm = digester(call)?.algorithm;
    Ok(Value::Integer(if &*call.name.name() == "block_length" {
        algorithm.block_length()
    } else {
        algorithm.length()
    }))
}

const INSTANCE: &[NativeMethod] = &[
    exactly("update", 1, update),
    exactly("<<", 1, update),
    exactly("reset", 0, reset),
    between("digest", 0, 1, finish),
    between("hexdigest", 0, 1, finish),
    between("base64digest", 0, 1, finish),
    exactly("digest!", 0, finish_and_reset),
    exactly("hexdigest!", 0, finish_and_reset),
    exactly("to_s", 0, finish),
    exactly("inspect", 0, inspect),
    exactly("==", 1, equal),
    exactly("length", 0, length),
    exactly("size", 0, length),
    exactly("digest_length", 0, length),
    exactly("block_length", 0, length),
];

const CLASS: &[NativeMethod] = &[
    exactly("new", 0, new),
    at_least("hexdigest", 0, of_class),
    at_least("digest", 0, of_class),
    at_least("base64digest", 0, of_class),
    exactly("file", 1, of_file),
];

const OPENSSL_CLASS: &[NativeMethod] = &[
    between("new", 0, 1, new_openssl),
    exactly("hexdigest", 1, of_openssl_class),
    exactly("digest", 1, of_openssl_class),
    exactly("base64digest", 1, of_openssl_class),
];

const fn digest(name: &'static str) -> NativeClass {
    NativeClass { name, superclass: Some("Digest::Base"), singleton_methods: &[CLASS], ..NativeClass::EMPTY }
}

const fn openssl(name: &'static str) -> NativeClass {
    NativeClass {
        name,
        superclass: Some("OpenSSL::Digest"),
        singleton_methods: &[OPENSSL_CLASS],
        ..NativeClass::EMPTY
    }
}

fn hexencode(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let bytes = bytes_of(vm, call.required(0))?;
    vm.world.allocate(bytes.len() * 2)?;
    Ok(ascii(hex(&bytes)))
}

fn openssl_name(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::from(digester(call)?.algorithm.name()))
}

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Digest",
        singleton_methods: &[&[exactly("hexencode", 1, hexencode)]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "Digest::Instance", methods: &[INSTANCE], ..NativeClass::EMPTY },
    NativeClass {
        name: "Digest::Class",
        superclass: Some("Object"),
        includes: &["Digest::Instance"],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "Digest::Base", superclass: Some("Digest::Class"), ..NativeClass::EMPTY },
    digest("Digest::MD5"),
    digest("Digest::SHA1"),
    digest("Digest::SHA256"),
    digest("Digest::SHA384"),
    digest("Digest::SHA512"),
    NativeClass {
        name: "Digest::SHA2",
        superclass: Some("Digest::Class"),
        singleton_methods: &[CLASS, &[between("new", 0, 1, new_sha2)]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "OpenSSL", ..NativeClass::EMPTY },
    NativeClass { name: "OpenSSL::OpenSSLError", superclass: Some("StandardError"), ..NativeClass::EMPTY },
    NativeClass {
        name: "OpenSSL::Digest",
        superclass: Some("Digest::Class"),
        methods: &[&[exactly("name", 0, openssl_name)]],
        singleton_methods: &[&[
            between("new", 1, 2, new_openssl),
            exactly("hexdigest", 2, of_openssl_name),
            exactly("digest", 2, of_openssl_name),
            exactly("base64digest", 2, of_openssl_name),
        ]],
        ..NativeClass::EMPTY
    },
    // The deprecated name is a class of its own.
    NativeClass {
        name: "OpenSSL::Digest::Digest",
        superclass: Some("OpenSSL::Digest"),
        ..NativeClass::EMPTY
    },
    openssl("OpenSSL::Digest::MD5"),
    openssl("OpenSSL::Digest::SHA1"),
    openssl("OpenSSL::Digest::SHA256"),
    openssl("OpenSSL::Digest::SHA384"),
    openssl("OpenSSL::Digest::SHA512"),
    NativeClass {
        name: "OpenSSL::HMAC",
        superclass: Some("Object"),
        methods: &[&[
            exactly("update", 1, update),
            exactly("<<", 1, update),
            exactly("reset", 0, reset),
            exactly("digest", 0, finish),
            exactly("hexdigest", 0, finish),
            exactly("to_s", 0, finish),
            exactly("base64digest", 0, finish),
        ]],
        singleton_methods: &[&[
            exactly("new", 2, new_hmac),
            exactly("hexdigest", 3, hmac),
            exactly("digest", 3, hmac),
            exactly("base64digest", 3, hmac),
        ]],
        ..NativeClass::EMPTY
    },
];
