//! `puppet-url-without-modules`: the path of a `puppet:` URL doesn't start with `modules/`.

use marotte_diagnostics::{Edit, Fix, rules};
use marotte_syntax::ast::{Expr, ExprKind, Segment};
use marotte_text::{TextRange, TextSize};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    let (text, is_whole) = match &expr.kind {
        ExprKind::String(text) => (text, true),
        ExprKind::Interpolated(segments) => match segments.first() {
            Some(Segment::Text(text)) => (text, false),
            _ => return,
        },
        _ => return,
    };
    let Some(rest) = text.strip_prefix("puppet://") else { return };
    let path = rest.split_once('/').map(|(_, path)| path);
    let is_wrong = match path {
        Some(path) => !path.starts_with("modules/"),
        // The server, or the rest, is a variable.
        None => is_whole,
    };
    if !is_wrong {
        return;
    }
    let fix = path.and_then(|_| with_modules(style, expr, text.len() - path.map_or(0, str::len)));
    let finding = style.report(
        rules::PUPPET_URL_WITHOUT_MODULES,
        expr.range,
        "a `puppet:` URL has no `modules/` in it",
    );
    finding.fix = fix;
}

/// Returns a fix that inserts `modules/`. It is unsafe, because the path may start with another mount point of the server.
fn with_modules(style: &Style<'_>, expr: &Expr, before: usize) -> Option<Fix> {
    style.quote(expr)?;
    let at = expr.range.start() + TextSize::of('\'') + TextSize::try_from(before).ok()?;
    let edits = vec![Edit { range: TextRange::empty(at), text: "modules/".to_owned() }];
    Some(Fix { title: "insert `modules/`".to_owned(), safe: false, edits })
}
