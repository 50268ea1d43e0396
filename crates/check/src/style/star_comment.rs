//! `star-comment`: a comment is delimited by `/*` and `*/`.

use marotte_diagnostics::{Fix, rules};
use marotte_text::TextRange;

use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>) {
    for comment in style.comments {
        if style.source(comment.range).starts_with("/*") {
            let fix = with_hashes(style, comment.range);
            let finding = style.report(rules::STAR_COMMENT, comment.range, "a comment is written `/* */`");
            finding.label = Some("write `#` before each line".to_owned());
            finding.fix = fix;
        }
    }
}

/// Returns a fix that uses `#` instead, unless code follows on the last line of the comment.
fn with_hashes(style: &Style<'_>, range: TextRange) -> Option<Fix> {
    let rest = style.from(range.end()).lines().next().unwrap_or_default();
    let inner = style.source(range).strip_prefix("/*")?.strip_suffix("*/")?.trim();
    // What looks like a control comment would become one that is read otherwise.
    if !rest.trim().is_empty() || inner.contains("lint:") {
        return None;
    }
    let undecorated = |line: &str| line.trim().trim_start_matches('*').trim_start().to_owned();
    let hashed = |line: String| if line.is_empty() { "#".to_owned() } else { format!("# {line}") };
    let lines: Vec<String> = inner.lines().map(undecorated).map(hashed).collect();
    let joined = if lines.is_empty() {
        "#".to_owned()
    } else {
        lines.join(&format!("\n{}", style.indent(range.start())))
    };
    Some(Fix { title: "write it with `#`".to_owned(), ..replace(range, joined, true) })
}
