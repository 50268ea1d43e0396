//! `md5`, `sha1`, `sha256`, `digest`: digests of strings (E27).

use std::fmt::Write;

use marotte_pcore::value::Value;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use super::legacy::Arity;
use super::{Body, Builtin, Call, Effects, Overload, ResultType};
use crate::interpreter::Evaluated;

macro_rules! digests {
    ($($static:ident $name:literal $effects:ident $run:expr, $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                effects: Effects::$effects,
                result: ResultType::Is("String"),
                overloads: &[Overload {
                    parameters: "Any *$args",
                    block: Some("Optional[Callable]"),
                    returns: None,
                    body: Body::Run($run),
                }],
                ..Builtin::base()
            };
        )*
    };
}

digests! {
    MD5 "md5" Pure |call| call.digest_of_text("md5", hexadecimal::<Md5>),
        "The MD5 digest of a string, in hexadecimal: `md5('a')` is `'0cc175b9c0f1b6a831c399e269772661'`.\n\n\
         It takes one argument, a string. MD5 protects against accidental changes, not against attackers."
    SHA1 "sha1" Pure |call| call.digest_of_text("sha1", hexadecimal::<Sha1>),
        "The SHA-1 digest of a string, in hexadecimal.\n\n\
         It takes one argument, a string. SHA-1 protects against accidental changes, not against attackers."
    SHA256 "sha256" Pure |call| call.digest_of_text("sha256", hexadecimal::<Sha256>),
        "The SHA-256 digest of a string, in hexadecimal.\n\nIt takes one argument, a string."
    DIGEST "digest" Reads by_setting,
        "The digest of a string, in hexadecimal, with the algorithm of the setting `digest_algorithm`.\n\n\
         It takes one argument, a string. Algorithms are `md5`, `sha224`, `sha256`, `sha384`, `sha512`; the default is `sha256`."
}

impl Call<'_, '_, '_> {
    fn digest_of_text(&mut self, name: &str, digest: fn(&str) -> String) -> Evaluated {
        let arguments = self.legacy_arguments(name, Arity::Exactly(1))?;
        let text = self.legacy_text(arguments.first().unwrap_or(&Value::Undef))?;
        Ok(Value::String(digest(text).into()))
    }
}

fn by_setting(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let setting = call.interpreter.requests.setting("digest_algorithm");
    let digest = match setting.as_ref().and_then(Value::as_str).unwrap_or("sha256") {
        "md5" => hexadecimal::<Md5>,
        "sha224" => hexadecimal::<Sha224>,
        "sha256" => hexadecimal::<Sha256>,
        "sha384" => hexadecimal::<Sha384>,
        "sha512" => hexadecimal::<Sha512>,
        other => return call.fail(format!("the setting digest_algorithm names '{other}', which is none")),
    };
    call.digest_of_text("digest", digest)
}

/// A digest as hexadecimal digits.
pub(super) fn hexadecimal<D: Digest>(text: &str) -> String {
    D::digest(text).iter().fold(String::new(), |mut out, byte| {
        // Writing to a string does not fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}
