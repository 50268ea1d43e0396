//! Errors of the grammar, other than the usual slips.

use crate::rules;
use marotte_text::TextRange;

use super::words::{Site, Words};
use crate::printable::quoted;

pub(super) use crate::rules::SYNTAX_ERROR;

pub(super) fn merge_conflict() -> Words {
    Words::new(rules::MERGE_CONFLICT, "a merge left a conflict here")
        .label("the first version starts after this line")
        .note("keep one version, or parts of both, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`")
}

pub(super) fn unclosed(open: &str, close: &str, expected_at: Option<TextRange>) -> Words {
    let words =
        Words::new(rules::UNCLOSED_DELIMITER, format!("`{open}` is never closed")).label("opened here");
    match expected_at {
        Some(range) => words.related(range, format!("`{close}` was expected here")),
        None => words.note(format!("add the missing `{close}`")),
    }
}

pub(super) fn unopened(close: &str) -> Words {
    Words::new(rules::UNCLOSED_DELIMITER, format!("`{close}` closes nothing"))
        .label("nothing that it could close is open here")
        .note("there is one too many, or its partner further up is missing")
}

pub(super) fn not_a_resource(site: Site) -> Words {
    let note = match site.text().ends_with(')') {
        true => "a block that a function gets has its parameters between bars: `.each |$x| { … }`",
        false => "a resource is `type { 'title': attribute => value }`",
    };
    Words::new(SYNTAX_ERROR, format!("{} is not a resource type, so `{{` cannot follow it", site.quoted()))
        .label("expected a resource type such as `file`, or a reference such as `File['/etc/motd']`")
        .note(note)
}

pub(super) fn not_virtual(exported: bool) -> Words {
    let (mark, kind) = if exported { ("@@", "exported") } else { ("@", "virtual") };
    Words::new(SYNTAX_ERROR, format!("`{mark}` is not followed by a resource"))
        .label(format!("only resources can be {kind}"))
        .note(format!("write `{mark}type {{ 'title': attribute => value }}`"))
}

pub(super) fn append_without_title() -> Words {
    Words::new(SYNTAX_ERROR, "`+>` appears in braces without a title")
        .label("neither a resource nor a hash")
        .note("`+>` adds to an attribute in an override, `File['/x'] { tag +> 'y' }`, or a collector; a hash has `=>`")
}

pub(super) fn class_keyword_as_name() -> Words {
    Words::new(SYNTAX_ERROR, "a class cannot be named `class`")
        .label("expected a name")
        .note("`class` is a keyword")
}

pub(super) fn quoted_name(site: Site) -> Words {
    let text = site.text();
    let words = Words::new(SYNTAX_ERROR, format!("{} is a string where a name is expected", quoted(text)))
        .label("the name of a definition has no quotes");
    let name = text.trim_matches(['\'', '"']);
    let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | ':');
    if name.is_empty() || !name.chars().all(plain) {
        return words;
    }
    words.guess("remove the quotes", site.replace(name))
}

pub(super) fn comma_list(function: Option<&str>) -> Words {
    let words = Words::new(SYNTAX_ERROR, "`,` appears between statements").label("expected one expression");
    match function {
        Some(name) => {
            let name = quoted(name);
            words.note(format!("a call of {name} needs parentheses around its arguments"))
        }
        None => words.note("a list is written in brackets: `[1, 2]`; arguments of a call in parentheses"),
    }
}

pub(super) fn nesting_limit(limit: u32) -> Words {
    Words::new(rules::NESTING_LIMIT, format!("this is nested more than {limit} levels deep"))
        .label("the limit is reached here")
        .note("move a part into a variable, a function or a class of its own")
}

pub(super) fn given_up() -> Words {
    Words::new(rules::SYNTAX_ERROR, "the rest of this text is not read: too much of it is wrong")
        .label("nothing is checked from here on")
        .note("fix the errors above, and check again")
}

pub(super) fn chain_limit(limit: u32) -> Words {
    Words::new(rules::NESTING_LIMIT, format!("this expression chains more than {limit} operators"))
        .label("the limit is reached here")
        .note("move a part into a variable, or use a list with `join`, `reduce` or `any`")
}
