//! `parameter-documentation`: a parameter isn't documented, or the documentation names a parameter that doesn't exist.

use foldhash::{HashMap, HashSet};
use marotte_diagnostics::rules;
use marotte_text::{TextRange, TextSize};

use super::{Definition, Style};

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
        if let Some((before, name)) = documented_by(text) {
            let at = TextRange::at(comment.range.start() + before, TextSize::of(name));
            documented.push(Documented { name: style.source(at), at });
        }
    }
    documented.reverse();
    (documented, is_private)
}

/// Returns the parameter that a comment documents, and the length of the text before it: `# @param [Type] name`, `# [*name*]` and
/// `# $name:: text` are the forms of Puppet Strings, RDoc and Kafo.
fn documented_by(comment: &str) -> Option<(TextSize, &str)> {
    let text = comment.strip_prefix('#')?.trim_start();
    let (name, rest) = if let Some(text) = text.strip_prefix("@param ") {
        // A type may have brackets in it, and the description, too.
        let after_type = text.match_indices("] ").filter(|(at, _)| text.starts_with('[') && *at > 1);
        let mut starts = after_type.map(|(at, end)| &text[at + end.len()..]).chain([text]);
        let is_whole = |(_, rest): &(&str, &str)| rest.is_empty() || rest.starts_with(' ');
        starts.find_map(|it| split_name(it).filter(is_whole))?
    } else if let Some(text) = text.strip_prefix("[*") {
        split_name(text).filter(|(_, rest)| rest.starts_with("*]"))?
    } else {
        split_name(text.strip_prefix('$')?).filter(|(_, rest)| rest.starts_with(":: "))?
    };
    let before = comment.len() - name.len() - rest.len();
    Some((TextSize::of(&comment[..before]), name))
}

/// Splits a text after the name with which it begins.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::documented_by;

    #[test]
    fn each_form_names_a_parameter() {
        for (comment, name) in [
            ("# @param name", Some("name")),
            ("#@param name  The name.", Some("name")),
            ("# @param [Array[String], Integer] name [x] The name.", Some("name")),
            ("# @param [Enum['a] b']] name", Some("name")),
            ("# @param [String]", None),
            ("# @param [] name", None),
            ("# @param  name", None),
            ("# @param name.", None),
            ("# [*name*] The name.", Some("name")),
            ("# [*name] The name.", None),
            ("#   $name:: The name.", Some("name")),
            ("# $name: The name.", None),
            ("# name", None),
            ("/* @param name */", None),
        ] {
            assert_eq!(documented_by(comment).map(|it| it.1), name, "{comment}");
        }
    }
}
