//! Static validation: variables and assignment.

use crate::rules;
use marotte_syntax::Label;

use super::labels::noun;
use super::parameters::variable;
use super::words::{Site, Words};

pub(super) fn name(site: Site<'_>, name: &str) -> Words {
    const NOTE: &str = "a variable's name has letters, digits and `_`, and each segment starts with a lower-case letter; only the last one may start with `_`";
    let nameless = || Words::new(rules::ILLEGAL_VAR_NAME, "a `$` appears here without a name");
    match name {
        "" | "$" if site.after().starts_with('$') => {
            nameless().label("one too many").guess("remove it", site.remove())
        }
        "" if site.after().starts_with('(') => nameless()
            .label("expected a name after it")
            .note("shells run a command in `$(…)`; here, the function `generate` runs one on the server"),
        "" | "$" => nameless().label("expected a name after it").note(NOTE),
        _ => Words::new(
            rules::ILLEGAL_VAR_NAME,
            format!("{} cannot be the name of a variable", variable(name)),
        )
        .label("not an acceptable name")
        .note(NOTE),
    }
}

pub(super) fn numeric_name(name: &str) -> Words {
    Words::new(
        rules::ILLEGAL_NUMERIC_VAR_NAME,
        format!("{} starts with a digit, but is not a decimal number", variable(name)),
    )
    .label("expected a number such as `$0` or `$12`, or a name that starts with a letter")
    .note("variables with numbers hold what a regular expression matched")
}

pub(super) fn cross_scope(name: &str) -> Words {
    Words::new(rules::CROSS_SCOPE_ASSIGNMENT, format!("{} belongs to another namespace and cannot be assigned here", variable(name)))
        .label("expected a name without `::`")
        .note("a variable is assigned in the class that it belongs to, without the namespace; elsewhere it can only be read")
}

pub(super) fn numeric(name: &str) -> Words {
    Words::new(rules::ILLEGAL_NUMERIC_ASSIGNMENT, format!("{} cannot be assigned", variable(name)))
        .label("set by the last match of a regular expression")
        .note("choose a name that starts with a letter")
}

pub(super) fn indexed() -> Words {
    Words::new(rules::ILLEGAL_INDEXED_ASSIGNMENT, "an element of a collection cannot be assigned")
        .label("expected a variable on the left of `=`")
        .note("values never change; make a new one: `$b = $a + { 'key' => 'value' }`")
}

pub(super) fn target(target: Label) -> Words {
    Words::new(rules::ILLEGAL_ASSIGNMENT, format!("{} cannot be assigned to", noun(target)))
        .label("expected a variable on the left of `=`")
        .note("attributes and hash entries have `=>`, comparisons `==`")
}

pub(super) fn appends_deletes(operator: &str) -> Words {
    let plain = operator.trim_end_matches('=');
    Words::new(rules::APPENDS_DELETES_NO_LONGER_SUPPORTED, format!("`{operator}` is no longer supported"))
        .label("not supported since Puppet 4")
        .note(format!("a variable never changes; assign a new one: `$b = $a {plain} …`"))
}
