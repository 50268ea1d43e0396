//! `missing-documentation`: a definition has no comment directly above it.

use super::{Definition, Style};
use marotte_diagnostics::rules;

pub(super) fn check(style: &mut Style<'_>, definition: &Definition<'_>) {
    let start = definition.keyword.start();
    let comment = style.comments.iter().rfind(|it| it.range.end() <= start);
    let is_documented = comment.is_some_and(|comment| {
        let between = style.before(start).get(usize::from(comment.range.end())..).unwrap_or_default();
        between.trim().is_empty() && between.matches('\n').count() <= 1
    });
    if !is_documented {
        let message = format!("the {} `{}` is not documented", definition.kind, definition.name);
        let finding = style.report(rules::MISSING_DOCUMENTATION, definition.keyword, message);
        finding.label = Some("no comment is right above".to_owned());
    }
}
