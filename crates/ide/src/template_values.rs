//! The values that calls give to a template in EPP without a list of parameters.

use std::collections::BTreeSet;

use marotte_db::{File, environment_of, module_file, source_text};
use marotte_hir::body::Expr;
use marotte_hir::{ExprId, Item, ItemKind, items, lowered, places};
use marotte_resolve::call::NamedCall;
use marotte_text::Str;

use crate::epp::{EXTENSION, is_named, may_render, renders, value_of};
use crate::files::code_files;
use crate::symbol::Symbol;
use crate::token::{Named, Token, tokens, unquoted};
use crate::words::has_words;
use crate::{Db, FileRange};

/// Returns the keys with which calls give the variable of a token to its template. None if the token is no variable that calls
/// may give: in other files, in templates with parameters, and for variables that the template sets itself.
pub(crate) fn given(db: &dyn Db, file: File, token: &Token<'_>) -> Option<Vec<FileRange>> {
    let (Named::Variable(item, _, name) | Named::Outer(item, name)) = &token.named else { return None };
    if !is_open(db, *item) || !matches!(Symbol::of(db, file, token), Some(Symbol::Top(_) | Symbol::Fact(_))) {
        return None;
    }
    Some(keys(db, file, Some(name)).into_iter().map(|(_, place)| place).collect())
}

/// The names of all variables that calls give to a template. Empty for templates with parameters, and for other files.
pub(crate) fn given_names(db: &dyn Db, file: File) -> BTreeSet<Str> {
    match items(db, file).first().is_some_and(|it| is_open(db, *it)) {
        true => keys(db, file, None).into_iter().map(|(name, _)| name).collect(),
        false => BTreeSet::new(),
    }
}

/// Whether a template has no list of parameters.
fn is_open(db: &dyn Db, item: Item<'_>) -> bool {
    item.kind(db) == ItemKind::Template && !lowered(db, item.file(db)).declares_parameters
}

/// The keys with which calls give values to a template: all, or those of one name.
fn keys(db: &dyn Db, template: File, name: Option<&Str>) -> Vec<(Str, FileRange)> {
    let mut found = Vec::new();
    for file in code_files(db, environment_of(db, template)) {
        if may_render(db, *file) && name.is_none_or(|it| has_words(db, *file, it)) {
            items(db, *file).iter().for_each(|it| given_by(db, *it, template, &mut found));
        }
    }
    found.retain(|it| name.is_none_or(|name| it.0 == *name));
    found
}

fn given_by(db: &dyn Db, item: Item<'_>, template: File, found: &mut Vec<(Str, FileRange)>) {
    let (file, body) = (item.file(db), item.body(db));
    let map = places(db, item).map;
    let range = |id: ExprId| map.place(id).map(|it| it.range);
    let named = module_file(db, template).and_then(|it| {
        let below = it.path.strip_prefix("templates").ok()?;
        Some(format!("{}/{}", it.module, below.as_str().strip_suffix(EXTENSION)?))
    });
    let is_name = |text: &str| named.as_deref().is_some_and(|it| is_named(text, it));
    for (_, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr).filter(renders) else { continue };
        let arguments: Vec<ExprId> = call.arguments().collect();
        let [path, values, ..] = arguments[..] else { continue };
        // `"${module_name}/web.epp"`
        let is_meant = || {
            tokens(db, file).iter().any(|it| {
                matches!(it.named, Named::ModuleFile { .. })
                    && range(path).is_some_and(|path| path.contains_range(it.range))
                    && Symbol::of(db, file, it) == Some(Symbol::File(template))
            })
        };
        if !(matches!(body.expr(path), Expr::String(text) if is_name(text)) || is_meant()) {
            continue;
        }
        let Expr::Hash(entries) = body.expr(value_of(body, values)) else { continue };
        let text = source_text(db, file).text();
        found.extend(entries.iter().filter_map(|(key, _)| match body.expr(*key) {
            Expr::String(name) => {
                Some((name.clone(), FileRange { file, range: unquoted(text, range(*key)?) }))
            }
            _ => None,
        }));
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;
    use crate::{completions, definition, hover};

    const CALLS: &str = r#"
//- /modules/a/manifests/init.pp
class a {
  $port = 1
  $values = { 'port' => 3 }
  notice(epp('a/t', { 'port' => 2 }), epp("${module_name}/t.epp", $values), epp('a/other', { 'port' => 4 }))
  notice(stdlib::deferrable_epp('a/t.epp', { 'host' => 2 }))
}
//- /modules/a/templates/other.epp
x
"#;

    fn answers(template: &str) -> (Vec<usize>, String) {
        let fixture = Fixture::new(&format!("//- /modules/a/templates/t.epp\n{template}\n{CALLS}"));
        let db = fixture.db();
        let text = marotte_db::source_text(db, fixture.file("/modules/a/manifests/init.pp")).text();
        let line = |at: usize| text[..at].lines().count();
        let found = definition(db, fixture.cursor());
        let lines = found.iter().map(|it| line(it.selection.start().into())).collect();
        (lines, hover(db, fixture.cursor()).expect("a text").markdown)
    }

    #[test]
    fn variables_that_calls_give() {
        let (lines, text) = answers("<%= $po$0rt %>");
        assert_eq!(lines, [4, 3]);
        let file = "modules/a/manifests/init.pp";
        assert!(text.ends_with(&format!("\n\nThe template gets it at `{file}:4`, `{file}:3`.")), "{text}");
    }

    #[test]
    fn variables_that_calls_give_are_proposed() {
        let labels = |template: &str| {
            let fixture = Fixture::new(&format!("//- /modules/a/templates/t.epp\n{template}\n{CALLS}"));
            let items = completions(fixture.db(), fixture.cursor()).items;
            items.into_iter().map(|it| it.label).collect::<Vec<_>>()
        };
        assert_eq!(labels("<%= $po$0 %>").first().map(String::as_str), Some("port"));
        assert!(!labels("<%- | $x | -%>\n<%= $po$0 %>").contains(&"port".to_owned()));
    }

    #[test]
    fn variables_that_no_call_gives() {
        assert_eq!(answers("<%= $ho$0st %>").0, [5]);
        let (lines, text) = answers("<%= $us$0er %>");
        assert!(lines.is_empty());
        assert!(text.contains("Nothing is known to set it: neither the top scope nor a call"), "{text}");
        let (lines, text) = answers("<%- | $port = 1 | -%>\n<%= $po$0rt %>");
        assert_eq!(lines.len(), 1);
        assert!(text.contains("A parameter of the template."), "{text}");
    }
}
