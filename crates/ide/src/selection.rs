//! The enclosing ranges of a place, for extending a selection.

use marotte_db::{mode, source_text};
use marotte_hiera::Format;
use marotte_hiera::data::{Inner, Places};
use marotte_hir::parse;
use marotte_resolve::data_files::{HieraFileKind, document, hiera_file};
use marotte_syntax::ast::{Attribute, Expr, ExprKind, Parameter};
use marotte_syntax::lexemes;
use marotte_text::{TextRange, TextSize};

use crate::token::is_code;
use crate::{Db, FilePosition};

/// The parts of a file around a place, the smallest first; each contains the previous one: a word, an expression, an attribute,
/// a resource, a definition, the file.
pub fn selection_ranges(db: &dyn Db, at: FilePosition) -> Vec<TextRange> {
    let text = source_text(db, at.file).text();
    let whole = TextRange::up_to(TextSize::of(text));
    if !whole.contains_inclusive(at.offset) {
        return Vec::new();
    }
    let mut found = vec![whole];
    let mut add = |range: TextRange| {
        if range.contains_inclusive(at.offset) && whole.contains_range(range) {
            found.push(range);
        }
    };
    if let Some(hiera) = hiera_file(db, at.file) {
        let format = match hiera.kind {
            HieraFileKind::Data { format, .. } => format,
            HieraFileKind::Configuration => Format::Yaml,
        };
        if let Ok(document) = &**document(db, at.file, format) {
            parts(&document.places, &mut add);
        }
    } else if is_code(db, at.file) {
        lexemes(text, mode(db, at.file)).all.iter().for_each(|it| add(it.range));
        let parsed = parse(db, at.file);
        let tree = parsed.program();
        parsed.comments().iter().for_each(|it| add(it.range));
        let mut open: Vec<&Expr> = Vec::new();
        tree.for_each_child(&mut |it| open.push(it));
        while let Some(expr) = open.pop() {
            add(expr.range);
            own_parts(expr, &mut add);
            // Expressions around the place are found on the way; the others contain nothing relevant.
            if expr.range.contains_inclusive(at.offset) || matches!(expr.kind, ExprKind::Heredoc(_)) {
                expr.for_each_child(&mut |it| open.push(it));
            }
        }
    }
    nested(found, at.offset)
}

fn own_parts(expr: &Expr, add: &mut impl FnMut(TextRange)) {
    let attributes = |all: &[Attribute], add: &mut dyn FnMut(TextRange)| {
        for it in all {
            add(it.range);
            add(it.name_range);
        }
    };
    let parameters = |all: &[Parameter], add: &mut dyn FnMut(TextRange)| {
        for it in all {
            add(it.range);
            add(it.name_range);
        }
        if let (Some(first), Some(last)) = (all.first(), all.last()) {
            add(first.range.cover(last.range));
        }
    };
    match &expr.kind {
        ExprKind::Resource(it) => {
            for body in &it.bodies {
                add(body.range);
                attributes(&body.attributes, add);
            }
        }
        ExprKind::ResourceDefaults(it) => attributes(&it.attributes, add),
        ExprKind::ResourceOverride(it) => attributes(&it.attributes, add),
        ExprKind::Collector(it) => attributes(&it.attributes, add),
        ExprKind::Class(it) => parameters(&it.parameters, add),
        ExprKind::Define(it) => parameters(&it.parameters, add),
        ExprKind::Function(it) => parameters(&it.parameters, add),
        ExprKind::Plan(it) => parameters(&it.parameters, add),
        ExprKind::Hash(it) => it.entries.iter().for_each(|it| add(it.key.range.cover(it.value.range))),
        _ => {}
    }
}

fn parts(places: &Places, add: &mut impl FnMut(TextRange)) {
    add(places.range);
    match &places.inner {
        Inner::Scalar => {}
        Inner::Elements(all) => all.iter().for_each(|it| parts(it, add)),
        Inner::Entries(all) => {
            for (key, it) in all.iter() {
                add(*key);
                add(key.cover(it.range));
                parts(it, add);
            }
        }
    }
}

/// Keeps the ranges that are nested in one another, the smallest first; if two touch at the place, the second one is kept.
fn nested(mut all: Vec<TextRange>, at: TextSize) -> Vec<TextRange> {
    all.retain(|it| !it.is_empty());
    all.sort_by_key(|it| (it.len(), !it.contains(at), it.start()));
    all.dedup();
    let mut found: Vec<TextRange> = Vec::new();
    for range in all {
        if found.last().is_none_or(|it| range.contains_range(*it)) {
            found.push(range);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use crate::token::slice;

    #[test]
    fn from_a_word_to_the_file() {
        let fixture = Fixture::new("file { '/a': mode => \"${x$0}1\", }\n");
        let at = fixture.cursor();
        let text = source_text(fixture.db(), at.file).text();
        let found: Vec<_> =
            selection_ranges(fixture.db(), at).into_iter().map(|it| slice(text, it)).collect();
        assert_eq!(
            found,
            [
                "x",
                "\"${x}1\"",
                "mode => \"${x}1\"",
                "'/a': mode => \"${x}1\",",
                "file { '/a': mode => \"${x}1\", }",
                "file { '/a': mode => \"${x}1\", }\n",
            ]
        );
    }
}
