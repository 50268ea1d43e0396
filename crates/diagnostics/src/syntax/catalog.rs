//! Static validation: resources, collectors and templates.

use crate::rules;
use marotte_syntax::Label;
use marotte_text::{TextRange, TextSize};

use super::labels::noun;
use super::words::{Site, Words};
use crate::Edit;
use crate::printable::quoted;
use crate::sources::offset_of;

pub(super) fn append(site: Site, name: &str, container: Label) -> Words {
    let words = Words::new(
        rules::ILLEGAL_ATTRIBUTE_APPEND,
        format!("`+>` cannot set the attribute {} in {}", quoted(name), noun(container)),
    )
    .label("expected `=>`")
    .note("`+>` adds to a value that is set already: in an override, `File['/x'] { tag +> 'y' }`, or in a collector's braces");
    match site.text().find("+>") {
        Some(at) => {
            let range = TextRange::at(site.range.start() + offset_of(at), TextSize::of("+>"));
            words.guess("replace `+>` with `=>`", vec![Edit { range, text: "=>".to_owned() }])
        }
        None => words,
    }
}

pub(super) fn second_unfold(first: TextRange) -> Words {
    Words::new(rules::MULTIPLE_ATTRIBUTES_UNFOLD, "`* =>` appears twice in one resource body")
        .label("the second one")
        .related(first, "the first one")
        .note("merge the hashes: `* => $a + $b`")
}

pub(super) fn unfold(context: Label) -> Words {
    Words::new(rules::UNSUPPORTED_OPERATOR_IN_CONTEXT, format!("`* =>` is not allowed in {}", noun(context)))
        .label("expected an attribute's name")
        .note("attributes can be taken from a hash in a resource's body, an override or resource defaults")
}

pub(super) fn not_virtualizable() -> Words {
    Words::new(rules::NOT_VIRTUALIZABLE, "only resources can be virtual, not defaults or overrides")
        .label("`@` and `@@` are not allowed here")
        .note("remove the `@`; defaults apply to virtual resources too")
}

pub(super) fn virtual_class() -> Words {
    Words::new(rules::CLASS_NOT_VIRTUALIZABLE, "a class cannot be virtual")
        .label("`@` and `@@` are not allowed before `class`")
        .note("remove the `@`, and declare the class only where it is wanted")
}

pub(super) fn query(expression: Label) -> Words {
    Words::new(
        rules::ILLEGAL_QUERY_EXPRESSION,
        format!("{} is not allowed in a collector's query", noun(expression)),
    )
    .label("expected `attribute == value` or `attribute != value`")
    .note("such comparisons can be joined with `and` and `or`, and grouped with parentheses")
}

pub(super) fn epp_parameters() -> Words {
    Words::new(rules::ILLEGAL_EPP_PARAMETERS, "text appears before the template's parameters")
        .label("expected at the very start of the template")
        .note("if only blanks appear there, open the tag with `<%-`, which removes them")
}
