//! Static validation: definitions and reserved names.

use crate::rules;
use marotte_syntax::Label;

use super::labels::noun;
use super::words::{Site, Words};
use crate::printable::quoted;

pub(super) fn not_top_level(definition: Label) -> Words {
    Words::new(rules::NOT_TOP_LEVEL, format!("{} appears inside something else than a class", noun(definition)))
        .label("expected at the top of the file, or directly in a class")
        .note("classes, defined types and nodes exist once, whatever is evaluated; move this out, and `include` or declare it where it is wanted")
}

pub(super) fn not_absolute_top_level(definition: Label) -> Words {
    Words::new(rules::NOT_ABSOLUTE_TOP_LEVEL, format!("{} appears inside something else", noun(definition)))
        .label("expected at the top of a file")
        .note("functions and types are found by their file's path: give this one a file of its own")
}

pub(super) fn name(name: &str, definition: Label) -> Words {
    Words::new(rules::ILLEGAL_DEFINITION_NAME, format!("{} cannot be the name of {}", quoted(name), noun(definition)))
        .label("not an acceptable name")
        .note("segments start with a lower-case letter (those of types with a capital), and have letters, digits and `_`; a definition has no leading `::`")
}

pub(super) fn reserved_type_name(name: &str, definition: Label) -> Words {
    Words::new(
        rules::RESERVED_TYPE_NAME,
        format!("{} is a type of the language and cannot name {}", quoted(name), noun(definition)),
    )
    .label("already defined by Puppet")
    .note("choose another name, or put it into your module's namespace")
}

pub(super) fn reserved_word(site: Site, word: &str) -> Words {
    let words = Words::new(rules::RESERVED_WORD, format!("{} is a reserved word", quoted(word)))
        .label("cannot be used as a value or name")
        .note("if it is meant as a string, put it in quotes");
    match site.in_quotes() {
        Some(string) if site.text() == word => {
            words.safe_fix(format!("put it in quotes: `{string}`"), site.replace(string))
        }
        _ => words,
    }
}

pub(super) fn future_reserved_word(word: &str) -> Words {
    Words::new(rules::FUTURE_RESERVED_WORD, format!("{} is going to be a reserved word", quoted(word)))
        .label("choose another name")
        .note("today this is accepted, and deprecated")
}

pub(super) fn node_inheritance() -> Words {
    Words::new(rules::ILLEGAL_NODE_INHERITANCE, "a node cannot inherit from another")
        .label("not supported since Puppet 4")
        .note("put what nodes share into a class, and `include` it in each of them")
}

pub(super) fn hostname_characters(name: &str) -> Words {
    Words::new(
        rules::ILLEGAL_HOSTNAME_CHARS,
        format!("{} has characters that no host name has", quoted(name)),
    )
    .label("expected letters, digits, `_`, `-` and `.` only")
    .note("to match several nodes, use a regular expression: `node /^web\\d+/ { … }`")
}

pub(super) fn hostname_interpolation() -> Words {
    Words::new(rules::ILLEGAL_HOSTNAME_INTERPOLATION, "a node's name is interpolated")
        .label("expected a literal name")
        .note("names of nodes are read before anything is evaluated; use a regular expression to match several nodes")
}

pub(super) fn type_mapping(pattern: bool) -> Words {
    let (left, right, example) = if pattern {
        (
            "a pattern with a replacement",
            "`[/pattern/, 'replacement']`",
            "type Runtime[ruby, [/^A::(.*)$/, 'a/\\1']] = [/^a\\/(.*)$/, 'A::\\1']",
        )
    } else {
        ("the name of a runtime's type", "a type", "type Runtime[ruby, 'A::B'] = A::B")
    };
    Words::new(
        rules::ILLEGAL_TYPE_MAPPING,
        format!("the left side of this mapping is {left}, so {right} is expected on the right"),
    )
    .label("the sides do not fit")
    .note(format!("for example `{example}`"))
}

pub(super) fn unsupported(expression: Label) -> Words {
    Words::new(rules::UNSUPPORTED_EXPRESSION, format!("{} is not supported", noun(expression)))
        .label("the grammar accepts it, but nothing implements it")
        .note("to name a type, write `type Name = …`")
}
