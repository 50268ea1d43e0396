//! The library `resolv`, without the network: its regular expressions for addresses.

use marotte_pcore::regexp::Options;

use crate::builtins::regexp::compile;
use crate::native::NativeClass;
use crate::stop::Result;

use crate::{Value, Vm};

/// `Resolv::IPv4::Regex`, as Ruby has it.
const IPV4: &str = r#"\A((?x-mi:0
               |1(?:[0-9][0-9]?)?
               |2(?:[0-4][0-9]?|5[0-5]?|[6-9])?
               |[3-9][0-9]?))\.((?x-mi:0
               |1(?:[0-9][0-9]?)?
               |2(?:[0-4][0-9]?|5[0-5]?|[6-9])?
               |[3-9][0-9]?))\.((?x-mi:0
               |1(?:[0-9][0-9]?)?
               |2(?:[0-4][0-9]?|5[0-5]?|[6-9])?
               |[3-9][0-9]?))\.((?x-mi:0
               |1(?:[0-9][0-9]?)?
               |2(?:[0-4][0-9]?|5[0-5]?|[6-9])?
               |[3-9][0-9]?))\z"#;

/// `Resolv::IPv6::Regex`, as Ruby has it.
const IPV6: &str = r#"
      (?:(?x-mi:\A
      (?:[0-9A-Fa-f]{1,4}:){7}
         [0-9A-Fa-f]{1,4}
      \z)) |
      (?:(?x-mi:\A
      ((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?) ::
      ((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)
      \z)) |
      (?:(?x-mi:\A
      ((?:[0-9A-Fa-f]{1,4}:){6,6})
      (\d+)\.(\d+)\.(\d+)\.(\d+)
      \z)) |
      (?:(?x-mi:\A
      ((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?) ::
      ((?:[0-9A-Fa-f]{1,4}:)*)
      (\d+)\.(\d+)\.(\d+)\.(\d+)
      \z)) |
      (?:(?x-mi:\A
      [Ff][Ee]80
      (?::[0-9A-Fa-f]{1,4}){7}
      %[0-9A-Za-z\-]+
      \z)) |
      (?:(?x-mi:\A
      [Ff][Ee]80:
      (?:
        ((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?) ::
        ((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)
        |
        :((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)
      )?
      :[0-9A-Fa-f]{1,4}%[0-9A-Za-z.\-]+
      \z))
      "#;

fn expression(vm: &mut Vm<'_>, source: &str, options: Options) -> Result {
    Ok(Value::Regexp(compile(vm, source, options)?))
}

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass { name: "Resolv", superclass: Some("Object"), ..NativeClass::EMPTY },
    NativeClass {
        name: "Resolv::IPv4",
        superclass: Some("Object"),
        constants: &[("Regex", |vm| expression(vm, IPV4, Options::default()))],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Resolv::IPv6",
        superclass: Some("Object"),
        constants: &[("Regex", |vm| expression(vm, IPV6, Options { extended: true, ..Options::default() }))],
        ..NativeClass::EMPTY
    },
];
