//! The assist that sorts attributes.

use marotte_syntax::ast::{Attribute, AttributeName, ExprKind};
use marotte_text::TextRange;

use super::{Assist, Spot, has_heredoc};
use crate::token::slice;

/// Sorts attributes: `ensure` first, the others by name, and `*` last. None if there are comments between them, which belong to
/// single attributes, or heredocs, whose texts are on other lines.
pub(super) fn attributes(spot: &Spot<'_>, comments: &[TextRange]) -> Option<Assist> {
    let path = spot.path();
    let attributes: &[Attribute] = path.iter().rev().find_map(|it| match &it.kind {
        ExprKind::Resource(it) => {
            let here = |range: TextRange| range.contains_range(spot.at.range);
            it.bodies.iter().find(|it| here(it.range)).map(|it| &*it.attributes)
        }
        ExprKind::ResourceDefaults(it) => Some(&*it.attributes),
        ExprKind::ResourceOverride(it) => Some(&*it.attributes),
        _ => None,
    })?;
    let whole = attributes.first()?.range.cover(attributes.last()?.range);
    // A comment after the last attribute is on its line.
    let line_end = spot.text[usize::from(whole.end())..].find('\n').unwrap_or_default();
    let end = whole.end() + marotte_text::TextSize::try_from(line_end).unwrap_or_default();
    let around = TextRange::new(whole.start(), end);
    if comments.iter().any(|it| around.intersect(*it).is_some_and(|it| !it.is_empty())) {
        return None;
    }
    let key = |it: &&Attribute| match &it.name {
        AttributeName::Name(name) => (u8::from(name != "ensure"), name.clone()),
        AttributeName::Unfold | AttributeName::Error => (2, marotte_text::Str::new()),
    };
    if attributes.iter().any(|it| it.name == AttributeName::Error || has_heredoc(&it.value)) {
        return None;
    }
    let mut sorted: Vec<&Attribute> = attributes.iter().collect();
    sorted.sort_by_key(key);
    let pairs = attributes.iter().zip(&sorted).filter(|(old, new)| old.range != new.range);
    let edits: Vec<_> = pairs.map(|(old, new)| spot.edit(old.range, slice(spot.text, new.range))).collect();
    (!edits.is_empty()).then(|| Assist {
        id: "sort-attributes",
        title: "Sort the attributes".to_owned(),
        edits,
    })
}
