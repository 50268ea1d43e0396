//! `generate`: the output of a command (E32).

use marotte_pcore::value::Value;

use super::legacy::{Arity, first_text};
use super::{Body, Builtin, Call, Effects, Overload};
use crate::interpreter::Evaluated;
use crate::{CommandError, Extension};

/// `generate`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "generate",
    doc: "The output of a command: `generate('/bin/date', '+%Y')`.\n\n\
          The first argument is the absolute path of the command, consisting of letters, digits, `_`, `-`, `.`, `+` and slashes, \
          without `..`; the others are its arguments. They are not interpreted by a shell. If the command fails, that is an \
          error. Commands run only if that is allowed.",
    effects: Effects::Runs,
    overloads: &[Overload {
        parameters: "Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let arguments = call.legacy_arguments("generate", Arity::AtLeast(1))?;
    let program = match first_text(&arguments) {
        Ok(program) => program,
        Err(found) => {
            return call.fail(format!("generate() expects the path of a command, a String, got {found}"));
        }
    };
    if !program.starts_with('/') {
        return call.fail("Generators must be fully qualified");
    }
    let is_plain = |it: char| it.is_alphanumeric() || "_-./+".contains(it);
    if !program.chars().all(is_plain) {
        return call.fail("Generators can only contain alphanumerics, file separators, and dashes");
    }
    if program.contains("..") {
        return call.fail("Can not use generators with '..' in them.");
    }
    let words = arguments.iter().map(|it| call.plain_text(it)).collect::<Evaluated<Vec<String>>>()?;
    let words: Vec<&str> = words.iter().map(|it| &**it).collect();
    match call.interpreter.requests.execute(&words) {
        Ok(text) => {
            call.interpreter.check_size(call.env, call.at, text.len())?;
            Ok(Value::String(text.into()))
        }
        // A catalog goes on without what the command would print.
        Err(CommandError::NotAllowed(reason)) if call.interpreter.catalog.is_some() => {
            let asked = Extension::Command { program };
            call.interpreter.unanswered(call.env, call.at, asked, reason)
        }
        Err(CommandError::NotAllowed(error) | CommandError::Failed(error)) => {
            call.fail(format!("Failed to execute generator {program}: {error}"))
        }
    }
}
