//! `shellquote`: quotes words for a shell (E27).

use marotte_pcore::value::Value;

use super::legacy::{Arity, kind};
use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `shellquote`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "shellquote",
    doc: "Words for a Bourne shell, separated by spaces: `shellquote('ls', 'my file')` is `'ls \"my file\"'`.\n\n\
          Each argument is quoted separately if necessary; elements of arrays, at any depth, are arguments, too. Arguments are \
          strings.",
    result: ResultType::Is("String"),
    overloads: &[Overload {
        parameters: "Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(|call| {
            let mut line = String::new();
            for word in call.legacy_arguments("shellquote", Arity::AtLeast(0))? {
                call.add_quoted(&word, &mut line, 0)?;
            }
            // Each word is preceded by a blank.
            Ok(line.strip_prefix(' ').unwrap_or(&line).into())
        }),
    }],
    ..Builtin::base()
};

impl Call<'_, '_, '_> {
    fn add_quoted(&mut self, word: &Value, line: &mut String, depth: usize) -> Evaluated<()> {
        match word {
            Value::Array(words) => self.nested(depth, |it, depth| {
                words.iter().try_for_each(|word| it.add_quoted(word, line, depth))
            }),
            Value::String(word) => {
                line.push(' ');
                quote(word, line);
                Ok(())
            }
            other => {
                self.fail(format!("shellquote() expects Strings, or Arrays of them, got {}", kind(other)))
            }
        }
    }
}

/// Quotes a word: not at all if possible, otherwise with double quotes, single quotes, or backslashes, whichever is the
/// first to be safe.
fn quote(word: &str, line: &mut String) {
    let safe = |it: u8| it.is_ascii_alphanumeric() || b"@%_+=:,./-".contains(&it);
    let live = |it: char| matches!(it, '!' | '"' | '`' | '$' | '\\');
    if !word.is_empty() && word.bytes().all(safe) {
        line.push_str(word);
    } else if !word.contains(live) {
        line.extend(["\"", word, "\""]);
    } else if !word.contains('\'') {
        line.extend(["'", word, "'"]);
    } else {
        line.push('"');
        for it in word.chars() {
            if live(it) {
                line.push('\\');
            }
            line.push(it);
        }
        line.push('"');
    }
}
