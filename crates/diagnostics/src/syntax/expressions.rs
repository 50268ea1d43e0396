//! Messages of static validation: expressions.

use crate::rules;
use marotte_syntax::{Label, STATEMENT_CALLS};
use marotte_text::TextRange;
use rapidfuzz::distance::osa;

use super::labels::noun;
use super::words::{Site, Words};
use crate::printable::quoted;

pub(super) fn not_a_value(expression: Label) -> Words {
    Words::new(rules::NOT_RVALUE, format!("{} produces no value, and one is needed here", noun(expression)))
        .label("expected a value")
        .note("let it appear as a statement of its own")
}

pub(super) fn no_effect(site: Site<'_>, expression: Label) -> Words {
    let words = Words::new(
        rules::IDEM_EXPRESSION_NOT_LAST,
        format!("{} has no effect here: its value is thrown away", noun(expression)),
    );
    if let Some(function) = misspelled_call(site) {
        return words
            .label(format!("did you mean `{function}`?"))
            .guess(format!("write `{function}`"), site.replace(function));
    }
    words
        .label("computed and forgotten")
        .note("assign it, pass it on or remove it; often something just before has the wrong form, such as a call without parentheses")
}

/// The function that a word followed by something on its line is probably a misspelling of: `inclde ntp`.
fn misspelled_call(site: Site<'_>) -> Option<&'static str> {
    let word = site.text();
    let has_argument = site
        .after()
        .lines()
        .next()
        .is_some_and(|rest| rest.starts_with([' ', '\t']) && !rest.trim().is_empty());
    let is_word = word.len() > 3 && word.chars().all(|it| it.is_ascii_lowercase() || it == '_');
    let near = |it: &&str| osa::distance(word.chars(), it.chars()) == 1;
    STATEMENT_CALLS.into_iter().find(|it| has_argument && is_word && near(it))
}

pub(super) fn no_effect_last(expression: Label, container: Label) -> Words {
    Words::new(
        rules::IDEM_NOT_ALLOWED_LAST,
        format!("{} has no effect here: {} returns no value", noun(expression), noun(container)),
    )
    .label("computed and forgotten")
    .note("assign it, pass it on or remove it; only functions and lambdas return their last value")
}

pub(super) fn resource_without_title(name: &str) -> Words {
    Words::new(rules::RESOURCE_WITHOUT_TITLE, format!("the resource {} has no title", quoted(name)))
        .label("expected a title and `:` after `{`")
        .note(format!("a resource is `{name} {{ 'title': attribute => value }}`"))
}

pub(super) fn duplicate_default(container: Label, first: TextRange) -> Words {
    Words::new(rules::DUPLICATE_DEFAULT, format!("{} has two `default` entries", noun(container)))
        .label("the second one")
        .related(first, "the first one")
        .note("only one can be chosen when nothing else fits")
}

pub(super) fn duplicate_key(key: &str, first: TextRange) -> Words {
    Words::new(rules::DUPLICATE_KEY, format!("the key {} appears twice in one hash", quoted(key)))
        .label("the second one")
        .related(first, "the first one")
        .note("the second value would hide the first: remove one of them")
}

pub(super) fn wrong_kind(expression: Label, feature: &str, container: Label) -> Words {
    let feature = match feature.strip_prefix("a ").or_else(|| feature.strip_prefix("an ")) {
        Some(bare) => bare,
        None => feature,
    };
    Words::new(
        rules::ILLEGAL_EXPRESSION,
        format!("{} cannot be the {feature} of {}", noun(expression), noun(container)),
    )
    .label(format!("expected a {feature}"))
}

pub(super) fn overflow(number: &str) -> Words {
    let hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    if !hexadecimal && number.contains(['.', 'e', 'E']) {
        return Words::new(rules::NUMERIC_OVERFLOW, format!("{} is too large for a number", quoted(number)))
            .label("floating-point numbers end at about 1.8e308");
    }
    Words::new(rules::NUMERIC_OVERFLOW, format!("{} does not fit into an integer", quoted(number)))
        .label("integers have 64 bits")
        .note("the limits are -9223372036854775808 and 9223372036854775807; a longer number has to be a string in quotes")
}

pub(super) fn type_reference(name: &str) -> Words {
    Words::new(rules::ILLEGAL_CLASSREF, format!("{} is not a valid type reference", quoted(name)))
        .label("expected segments that start with a capital letter")
        .note("references look like `File`, `Stdlib::Absolutepath` or `::Foo::Bar`")
}

pub(super) fn import() -> Words {
    Words::new(rules::DISCONTINUED_IMPORT, "`import` does not exist any more")
        .label("not supported since Puppet 4")
        .note("Puppet refuses it as soon as it is evaluated")
        .note("classes and defined types of modules are found by their name; let the main manifest be a folder to have all its files read")
}

pub(super) fn not_in_plan(expression: Label) -> Words {
    Words::new(
        rules::EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING,
        format!("{} is only possible while a catalog is compiled", noun(expression)),
    )
    .label("not possible in a plan")
    .note("put it into an `apply` block")
}

pub(super) fn not_in_apply(expression: Label) -> Words {
    Words::new(
        rules::EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING,
        format!("{} is not possible while a catalog is compiled", noun(expression)),
    )
    .label("not possible in an `apply` block")
    .note("move it out of the block, into the plan")
}
