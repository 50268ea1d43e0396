//! `ensure-not-first`: a resource has the attribute `ensure`, but not as the first one.

use marotte_diagnostics::{Edit, Fix, rules};
use marotte_syntax::Comment;
use marotte_syntax::ast::{Attribute, AttributeName, Expr, ExprKind, Resource, ResourceBody};

use super::{Style, contains, is_named, type_name};

pub(super) fn check(style: &mut Style<'_>, resource: &Resource, body: &ResourceBody) {
    if type_name(resource) == Some("class") {
        return;
    }
    let mut named = body.attributes.iter().filter(|it| matches!(it.name, AttributeName::Name(_)));
    let (Some(first), Some(ensure)) = (named.clone().next(), named.find(|it| is_named(it, "ensure"))) else {
        return;
    };
    if first.range == ensure.range {
        return;
    }
    let fix = exchange(style, body, first, ensure);
    let finding =
        style.report(rules::ENSURE_NOT_FIRST, ensure.name_range, "`ensure` is not the first attribute");
    finding.fix = fix;
}

/// Swaps two attributes. Attributes with heredocs are not swapped, because their texts are on other lines than their headers, and
/// those with comments are not, because a comment would be beside the wrong attribute.
fn exchange(style: &Style<'_>, body: &ResourceBody, first: &Attribute, ensure: &Attribute) -> Option<Fix> {
    let end = usize::from(ensure.range.end());
    let rest_of_line = style.text[end..].find('\n').map_or(style.text.len(), |it| end + it);
    let is_near = |it: &Comment| {
        it.range.start() >= body.title.range.end() && usize::from(it.range.start()) <= rest_of_line
    };
    if style.comments.iter().any(is_near) {
        return None;
    }
    let is_heredoc = |it: &Expr| matches!(it.kind, ExprKind::Heredoc(_));
    if [first, ensure].into_iter().any(|it| contains(&it.value, &is_heredoc)) {
        return None;
    }
    let edit = |of: &Attribute, with: &Attribute| Edit {
        range: of.range,
        text: style.source(with.range).to_owned(),
    };
    Some(Fix {
        title: "exchange it with the first attribute".to_owned(),
        safe: true,
        edits: vec![edit(first, ensure), edit(ensure, first)],
    })
}
