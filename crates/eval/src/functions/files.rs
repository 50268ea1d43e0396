//! `file`, `binary_file`, `find_file`, `find_template`, `module_directory`: files of modules (E32, E33).

use marotte_pcore::binary::Binary;
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::legacy::{Arity, kind};
use super::{Body, Builtin, Call, Effects, Names, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `file`.
pub(super) static FILE: Builtin = Builtin {
    name: "file",
    doc: "The text of a file: `file('ntp/ntp.conf')` returns the text of `files/ntp.conf` of the module `ntp`.\n\n\
          Of several names, the first whose file exists is used; if none exists, that is an error. A name is the name of the \
          module, a slash and a path below its folder `files`, or an absolute path. A byte order mark is omitted. Use \
          `binary_file` to read files that are not text.",
    effects: Effects::Reads,
    names: Some(Names::Files),
    result: ResultType::Is("String"),
    overloads: &[Overload {
        parameters: "Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(file),
    }],
    ..Builtin::base()
};

fn file(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let names = call.legacy_arguments("file", Arity::AtLeast(1))?;
    for name in &names {
        let Value::String(name) = name else {
            return call.fail(format!("file() expects Strings, got {}", kind(name)));
        };
        if let Some(path) = call.found("files", name)? {
            let bytes = call.bytes(&path)?;
            let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
            return match std::str::from_utf8(bytes) {
                Ok(text) => Ok(text.into()),
                Err(_) => call.fail(format!("file(): '{path}' is not text in UTF-8; binary_file() reads it")),
            };
        }
    }
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    call.fail(format!("Could not find any files from {}", names.join(", ")))
}

/// `binary_file`.
pub(super) static BINARY_FILE: Builtin = Builtin {
    name: "binary_file",
    doc: "The bytes of a file, as a `Binary`: `binary_file('site/logo.png')`.\n\n\
          The name is that of a module, a slash and a path below its folder `files`, or an absolute path. If the file does not \
          exist, that is an error.",
    effects: Effects::Reads,
    names: Some(Names::Files),
    result: ResultType::Is("Binary"),
    overloads: &[Overload {
        parameters: "String $path",
        block: None,
        returns: None,
        body: Body::Run(binary_file),
    }],
    ..Builtin::base()
};

fn binary_file(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let name = call.text(0).to_owned();
    match call.found("files", &name)? {
        Some(path) => Ok(Value::Binary(Binary::from(call.bytes(&path)?))),
        None => call.fail(format!("binary_file(): The given file '{name}' does not exist")),
    }
}

macro_rules! finders {
    ($($static:ident $name:literal $names:expr, $one:literal $many:literal $find:expr, $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                effects: Effects::Reads,
                names: $names,
                result: ResultType::Is("Optional[String]"),
                overloads: &[
                    Overload {
                        parameters: concat!("String *$", $one),
                        block: None,
                        returns: None,
                        body: Body::Run(|call| {
                            let names = std::mem::take(&mut call.arguments);
                            call.first_path(&names, $find)
                        }),
                    },
                    // The type of a rest parameter applies to each of its arguments.
                    Overload {
                        parameters: concat!("Array[Array[String]] *$", $many),
                        block: None,
                        returns: None,
                        body: Body::Run(|call| match call.arguments.as_slice() {
                            [Value::Array(names)] => {
                                let names = names.clone();
                                call.first_path(&names, $find)
                            }
                            arguments => {
                                let given = arguments.len();
                                call.fail(format!("{}() expects one Array of Strings, got {given}", $name))
                            }
                        }),
                    },
                ],
                ..Builtin::base()
            };
        )*
    };
}

finders! {
    FIND_FILE "find_file" Some(Names::Files), "paths" "paths_array" |call, name| call.found("files", name),
        "The absolute path of a file; `undef` if there is none: `find_file('ntp/ntp.conf')`.\n\n\
         Of several names, or an array of them, the first whose file exists counts. A name is the module's, a slash and a path below its \
         folder `files`, or an absolute path."
    FIND_TEMPLATE "find_template" Some(Names::Templates), "paths" "paths_array" |call, name| call.found("templates", name),
        "The absolute path of a template; `undef` if there is none: `find_template('ntp/ntp.conf.epp')`.\n\n\
         Of several names, or an array of them, the first whose file exists counts. A name is the module's, a slash and a path below its \
         folder `templates`, or an absolute path."
    MODULE_DIRECTORY "module_directory" None, "names" "names" |call, name| Ok(call.interpreter.requests.module_directory(name)),
        "The folder of a module; `undef` if there is none: `module_directory('ntp')`.\n\n\
         Of several names, or an array of them, the first that is a module's counts."
}

impl<'c, 'w, 'e> Call<'c, 'w, 'e> {
    /// The path of the first name that exists.
    fn first_path(
        &mut self,
        names: &[Value],
        find: fn(&mut Call<'c, 'w, 'e>, &str) -> Evaluated<Option<Str>>,
    ) -> Evaluated {
        for name in names.iter().filter_map(Value::as_str) {
            if let Some(path) = find(self, name)? {
                return Ok(Value::String(path));
            }
        }
        Ok(Value::Undef)
    }

    /// The path of a file below a folder of a module, or of an absolute path. What depends on a path that may not be
    /// looked at is unknown.
    pub(super) fn found(&mut self, folder: &str, name: &str) -> Evaluated<Option<Str>> {
        self.interpreter.requests.find_file(folder, name).map_err(|refused| {
            let reason = format!("{}(): {refused}", self.name);
            self.interpreter.refused_file(self.env, self.at, name, reason)
        })
    }

    fn bytes(&self, path: &str) -> Evaluated<Vec<u8>> {
        let answer = self.interpreter.requests.read_file(path);
        let bytes = answer.or_else(|error| self.fail(format!("{}(): {error}", self.name)))?;
        self.interpreter.check_size(self.env, self.at, bytes.len())?;
        Ok(bytes)
    }
}
