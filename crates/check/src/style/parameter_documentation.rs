//! `parameter-documentation`: a parameter isn't documented, or the documentation names a parameter that doesn't exist.

use marotte_diagnostics::rules;
use std::sync::LazyLock;

use foldhash::{HashMap, HashSet};
use marotte_text::{TextRange, TextSize};
use regex::Regex;

use super::{Definition, Style};

/// `@param [Type] name`, `[*name*]` and `$name:: text`, the forms of Puppet Strings, RDoc and Kafo.
static FORMS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms =
        r"^#\s*(?:@param (?:\[.+\] )?([A-Za-z0-9_]+)(?: +|$)|\[\*([A-Za-z0-9_]+)\*\]|\$([A-Za-z0-9_]+):: )";
    Regex::new(forms).ok()
});

/// A documented parameter.
struct Documented<'a> {
    name: &'a str,
    at: TextRange,
}

pub(super) fn check<'a>(style: &mut Style<'a>, definition: &Definition<'_>) {
    let (documented, is_private) = documentation(style, definition.keyword.start());
    let is_define = definition.kind == "defined type";
    let is_title = |name: &str| is_define && matches!(name, "name" | "title");
    // Both names mean the title.
    let meant = |it: &Documented<'a>| if is_title(it.name) { "title" } else { it.name };
    let mut times: HashMap<&str, usize> = HashMap::default();
    for it in &documented {
        *times.entry(meant(it)).or_default() += 1;
    }
    let parameters: HashSet<&str> = definition.parameters.iter().map(|it| it.name.as_str()).collect();
    for it in &documented {
        let message = if times.get(meant(it)).is_some_and(|it| *it > 1) {
            format!("`${}` is documented twice", it.name)
        } else if !is_title(it.name) && !parameters.contains(it.name) {
            format!("the {} has no parameter `${}`", definition.kind, it.name)
        } else {
            continue;
        };
        style.report(rules::PARAMETER_DOCUMENTATION, it.at, message);
    }
    if is_private {
        return;
    }
    let names: HashSet<&str> = documented.iter().map(|it| it.name).collect();
    for parameter in definition.parameters {
        if !names.contains(parameter.name.as_str()) {
            let message = format!("`${}` is not documented", parameter.name);
            let finding = style.report(rules::PARAMETER_DOCUMENTATION, parameter.name_range, message);
            finding.label = Some(format!("no `@param {}` above the {}", parameter.name, definition.kind));
        }
    }
}

/// Returns the parameters that the comments above a definition document, and whether they call the definition private.
fn documentation<'a>(style: &Style<'a>, start: TextSize) -> (Vec<Documented<'a>>, bool) {
    let (mut documented, mut is_private) = (Vec::new(), false);
    let mut below = start;
    let count = style.comments.partition_point(|it| it.range.end() <= start);
    for comment in style.comments[..count].iter().rev() {
        let between = style.source(TextRange::new(comment.range.end(), below));
        if !between.trim().is_empty() {
            break;
        }
        below = comment.range.start();
        let text = style.source(comment.range);
        is_private |= text.trim_start_matches('#').trim() == "@api private";
        let found = FORMS.as_ref().and_then(|it| it.captures(text));
        let name = found.as_ref().and_then(|it| it.get(1).or_else(|| it.get(2)).or_else(|| it.get(3)));
        if let Some(name) = name {
            let at = comment.range.start() + TextSize::of(&text[..name.start()]);
            documented.push(Documented {
                name: style.source(TextRange::at(at, TextSize::of(name.as_str()))),
                at: TextRange::at(at, TextSize::of(name.as_str())),
            });
        }
    }
    documented.reverse();
    (documented, is_private)
}
