//! Hints about the intended value, for values that don't fit.

use marotte_diagnostics::{Rule, rules};
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr};

use crate::at::At;

/// Words that other languages use for an unset value. In Puppet, they are strings.
const WORDS_FOR_UNDEF: [&str; 6] = ["undefined", "nil", "null", "none", "None", "NULL"];

/// The rules whose findings point at a value that doesn't fit.
const ABOUT_VALUES: [&Rule; 6] = [
    rules::ARGUMENT_TYPE,
    rules::ATTRIBUTE_VALUE,
    rules::DEFAULT_VALUE_TYPE,
    rules::OPERATOR_TYPE,
    rules::PARAMETER_TYPE,
    rules::RETURN_TYPE,
];

/// Returns the hint for a finding of a rule at a place. None unless the place is a value that doesn't fit. `length` computes the
/// number of bytes of its source.
pub(crate) fn for_finding(
    body: &Body,
    rule: &'static Rule,
    at: At,
    length: impl FnOnce() -> usize,
) -> Option<String> {
    match at {
        At::Expr(id) if ABOUT_VALUES.contains(&rule) => for_value(body, id, length),
        _ => None,
    }
}

/// Returns the hint for a value that doesn't fit: a word that was meant as `undef` or as a variable, or `default`.
/// `length` computes the number of bytes of its source.
pub(crate) fn for_value(body: &Body, id: ExprId, length: impl FnOnce() -> usize) -> Option<String> {
    let text = match body.expr(id) {
        Expr::Default => {
            return Some("`default` is a value of its own; the string is `'default'`".to_owned());
        }
        Expr::String(text) => text,
        _ => return None,
    };
    // `none` is also a common value.
    if let Some(hint) = word_for_undef(text).filter(|_| !text.eq_ignore_ascii_case("none")) {
        return Some(hint);
    }
    // A string in quotes is longer than its value.
    let is_bare = length() == text.len();
    let is_variable = || body.times_set(text) > 0;
    (is_bare && is_variable())
        .then(|| format!("without `$`, `{text}` is a string; the variable is `${text}`"))
}

/// Returns the hint for a word that other languages use for an unset value.
pub(crate) fn word_for_undef(text: &str) -> Option<String> {
    let word = WORDS_FOR_UNDEF.iter().find(|it| **it == text)?;
    Some(format!("`{word}` is a text; what is not set is `undef`"))
}
