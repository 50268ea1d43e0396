//! `symlink-target-in-ensure`: `ensure` is the target of a link.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind, Resource, ResourceBody, Segment};
use marotte_text::TextRange;

use super::{Style, attribute, replace, type_name};

pub(super) fn check(style: &mut Style<'_>, resource: &Resource, body: &ResourceBody) {
    if type_name(resource) != Some("file") {
        return;
    }
    let Some(ensure) = attribute(body, "ensure").filter(|it| is_path(&it.value)) else { return };
    let range = ensure.value.range;
    let separator = separator(style, body, ensure.range);
    let text = format!("link,{separator}target => {}", style.source(range));
    let has_target = attribute(body, "target").is_some();
    let finding = style.report(rules::SYMLINK_TARGET_IN_ENSURE, range, "`ensure` has the target of a link");
    finding.label = Some("write `ensure => link`, and the target as `target`".to_owned());
    finding.fix = (!has_target).then(|| replace(range, text, true));
}

fn is_path(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::String(text) => text.starts_with('/'),
        ExprKind::Interpolated(segments) => {
            matches!(segments.first(), Some(Segment::Text(text)) if text.starts_with('/'))
        }
        _ => false,
    }
}

/// The white space between two attributes: a blank if `ensure` is on the line of the title, otherwise a line break with
/// indentation.
fn separator(style: &Style<'_>, body: &ResourceBody, ensure: TextRange) -> String {
    let line = |at| style.lines.line(at);
    if line(body.title.range.start()) == line(ensure.start()) {
        return " ".to_owned();
    }
    format!("\n{}", style.indent(ensure.start()))
}
