//! `URI.regexp`: the regular expression that matches a URI in a text.

use std::rc::Rc;

use marotte_pcore::regexp::Options;

use crate::builtins::regexp::compile;
use crate::builtins::regexp_text::embedded;
use crate::native::Call;
use crate::stop::{Result, unsupported};
use crate::{Value, Vm};

/// `URI::DEFAULT_PARSER.make_regexp.source`, as Ruby up to 3.3 has it.
const ABSOLUTE: &str = r"
        ([a-zA-Z][\-+.a-zA-Z\d]*):                           (?# 1: scheme)
        (?:
           ((?:[\-_.!~*'()a-zA-Z\d;?:@&=+$,]|%[a-fA-F\d]{2})(?:[\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]|%[a-fA-F\d]{2})*)                    (?# 2: opaque)
        |
           (?:(?:
             //(?:
                 (?:(?:((?:[\-_.!~*'()a-zA-Z\d;:&=+$,]|%[a-fA-F\d]{2})*)@)?        (?# 3: userinfo)
                   (?:((?:(?:[a-zA-Z0-9\-.]|%\h\h)+|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[(?:(?:[a-fA-F\d]{1,4}:)*(?:[a-fA-F\d]{1,4}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})|(?:(?:[a-fA-F\d]{1,4}:)*[a-fA-F\d]{1,4})?::(?:(?:[a-fA-F\d]{1,4}:)*(?:[a-fA-F\d]{1,4}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}))?)\]))(?::(\d*))?))? (?# 4: host, 5: port)
               |
                 ((?:[\-_.!~*'()a-zA-Z\d$,;:@&=+]|%[a-fA-F\d]{2})+)                 (?# 6: registry)
               )
             |
             (?!//))                           (?# XXX: '//' is the mark for hostport)
             (/(?:[\-_.!~*'()a-zA-Z\d:@&=+$,]|%[a-fA-F\d]{2})*(?:;(?:[\-_.!~*'()a-zA-Z\d:@&=+$,]|%[a-fA-F\d]{2})*)*(?:/(?:[\-_.!~*'()a-zA-Z\d:@&=+$,]|%[a-fA-F\d]{2})*(?:;(?:[\-_.!~*'()a-zA-Z\d:@&=+$,]|%[a-fA-F\d]{2})*)*)*)?                    (?# 7: path)
           )(?:\?((?:[\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]|%[a-fA-F\d]{2})*))?                 (?# 8: query)
        )
        (?:\#((?:[\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]|%[a-fA-F\d]{2})*))?                  (?# 9: fragment)
      ";

/// Returns the regular expression for URIs, or for those of some schemes: `URI.regexp(%w[http https])`.
pub(super) fn make_regexp(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let options = Options { extended: true, ..Options::default() };
    let source = match call.argument(0) {
        None | Some(Value::Nil) => ABSOLUTE.to_owned(),
        Some(Value::Array(schemes)) => {
            let schemes = schemes.snapshot();
            let union = Value::Class(Rc::clone(vm.world.class("Regexp")));
            match vm.call(&union, "union", &schemes)? {
                Value::Regexp(union) => format!("(?={}:){ABSOLUTE}", embedded(&union)),
                _ => return unsupported("URI.regexp with these schemes"),
            }
        }
        Some(_) => return unsupported("URI.regexp with a scheme that is not in an array"),
    };
    Ok(Value::Regexp(compile(vm, &source, options)?))
}
