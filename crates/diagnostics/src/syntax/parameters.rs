//! Messages of static validation: parameters.

use crate::rules;
use marotte_syntax::Label;
use marotte_text::TextRange;

use super::labels::noun;
use super::words::Words;
use crate::printable::quoted;

/// A variable with its `$`, quoted.
pub(super) fn variable(name: &str) -> String {
    quoted(&format!("${}", name.strip_prefix('$').unwrap_or(name)))
}

pub(super) fn reserved(name: &str) -> Words {
    let name = variable(name);
    Words::new(rules::RESERVED_PARAMETER, format!("{name} is built in and cannot be a parameter"))
        .label("choose another name")
        .note("every class and every resource has `$name` and `$title` already")
}

pub(super) fn duplicate(name: &str, first: TextRange) -> Words {
    Words::new(rules::DUPLICATE_PARAMETER, format!("the parameter {} is declared twice", variable(name)))
        .label("declared again here")
        .related(first, "first declared here")
}

pub(super) fn numeric(name: &str) -> Words {
    Words::new(rules::ILLEGAL_NUMERIC_PARAMETER, format!("{} cannot be a parameter", variable(name)))
        .label("expected a name that starts with a lower-case letter or `_`")
        .note("variables with numbers hold what a regular expression matched")
}

pub(super) fn name(name: &str) -> Words {
    Words::new(rules::ILLEGAL_PARAM_NAME, format!("{} cannot be the name of a parameter", variable(name)))
        .label("expected lower-case letters, digits and `_`")
        .note("a parameter's name starts with a lower-case letter or `_`, and has no `::`")
}

pub(super) fn captures_rest_not_last(name: &str) -> Words {
    let name = variable(name);
    Words::new(
        rules::CAPTURES_REST_NOT_LAST,
        format!("{name} takes all remaining arguments, but another parameter follows"),
    )
    .label("expected as the last parameter")
    .note("move it to the end, or remove its `*`")
}

pub(super) fn captures_rest(name: &str, container: Label) -> Words {
    let container = noun(container);
    Words::new(
        rules::CAPTURES_REST_NOT_SUPPORTED,
        format!(
            "{} takes all remaining arguments, but {container} has no order of arguments",
            variable(name)
        ),
    )
    .label("`*` is not allowed here")
    .note("remove the `*`; to take a list, give the parameter the type `Array`")
}

pub(super) fn assignment_in_default() -> Words {
    Words::new(rules::ILLEGAL_ASSIGNMENT_CONTEXT, "a default value cannot assign a variable")
        .label("expected a value")
        .note("to compare, write `==`; to compute a value once, make another parameter of it, or a variable in the body")
}

pub(super) fn computed_type(name: &str) -> Words {
    Words::new(rules::ILLEGAL_NONLITERAL_PARAMETER_TYPE, format!("the type of {} is computed", variable(name)))
        .label("expected a type that is written out")
        .note("types of class parameters are read without evaluating the class; name it with `type Name = …` if it is long")
}
