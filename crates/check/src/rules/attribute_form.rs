//! What attributes of Puppet's own resource types check in code of their own, which no list of values tells.

use std::sync::LazyLock;

use marotte_pcore::types::{StringType, Type, TypeKind};
use regex::Regex;

/// How an attribute takes its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Only the values that are listed, whatever else is done with them.
    Listed,
    /// The mode of a file: octal digits, or what `chmod` takes, as a string.
    Mode,
    /// A path from the root.
    Path,
}

impl Form {
    /// The form of an attribute, if it is known.
    pub(super) fn of(resource_type: &str, attribute: &str) -> Option<Form> {
        Some(match (resource_type, attribute) {
            ("file", "recurse") | ("user", "managehome" | "expiry") => Form::Listed,
            ("file", "mode") => Form::Mode,
            ("file", "path") | ("exec", "cwd" | "creates") => Form::Path,
            _ => return None,
        })
    }

    /// Why no value of a type is taken. None if one may be.
    pub(super) fn refuses(self, it: &Type) -> Option<&'static str> {
        /// As the reference has it (`SymbolicFileMode`).
        static MODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
            let part = "[ugoa]*[-=+][-=+rstwxXugo]*";
            Regex::new(&format!("^(?:0?[0-7]{{1,4}}|{part}(?:,{part})*)$")).ok()
        });
        match (self, it.resolved().kind()) {
            (Form::Mode, TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Boolean(_)) => {
                Some("a mode is a string: octal digits or letters in quotes")
            }
            (Form::Mode, TypeKind::String(StringType::Literal(text))) => {
                let is_mode = MODE.as_ref().is_none_or(|it| it.is_match(text));
                (!is_mode).then_some("a mode is written in octal digits, or as `u=rw,g=r`")
            }
            (Form::Path, TypeKind::String(StringType::Literal(text))) => {
                (!is_absolute(text)).then_some("the path must start at the root")
            }
            _ => None,
        }
    }
}

/// Whether a path starts at a root, on one system or another.
fn is_absolute(path: &str) -> bool {
    let mut bytes = path.bytes();
    match bytes.next() {
        Some(b'/' | b'\\') => true,
        Some(letter) => letter.is_ascii_alphabetic() && bytes.next() == Some(b':'),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(form: Form, text: &str) -> bool {
        form.refuses(&Type::literal(text)).is_some()
    }

    #[test]
    fn modes_are_those_of_the_reference() {
        for mode in ["0644", "06444", "644", "u=rw,g=r", "u+rwx,o-t", "ug=rwX", "+x", "u=g"] {
            assert!(!refuses(Form::Mode, mode), "{mode}");
        }
        for mode in ["rw-r-x", "888", "66444", "166444", "", "0x1", "rw"] {
            assert!(refuses(Form::Mode, mode), "{mode}");
        }
        assert!(Form::Mode.refuses(&Type::integer()).is_some());
        assert!(Form::Mode.refuses(&Type::string()).is_none());
    }

    #[test]
    fn paths_of_all_systems_start_at_a_root() {
        for path in ["/etc", "C:/x", "c:\\x", "\\\\server\\share", "//server/share"] {
            assert!(!refuses(Form::Path, path), "{path}");
        }
        for path in ["etc/ntp.conf", "~/x", "./x"] {
            assert!(refuses(Form::Path, path), "{path}");
        }
    }
}
