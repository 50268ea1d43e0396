//! The values that calls give to a template in EPP without a list of parameters.

use marotte_db::{File, environment_of, source_text};
use marotte_hir::body::{Expr, Variable};
use marotte_hir::{ExprId, Item, ItemKind, items, lowered, places};
use marotte_resolve::call::NamedCall;
use marotte_text::Str;

use crate::files::code_files;
use crate::symbol::Symbol;
use crate::token::{Named, Token, tokens, unquoted};
use crate::words::has_words;
use crate::{Db, FileRange};

/// The functions that render a template with the values of a hash.
const RENDERING: [&str; 3] = ["epp", "deferrable_epp", "stdlib::deferrable_epp"];

/// Returns the keys with which calls give the variable of a token to its template. None if the token is no variable that calls
/// may give: in other files, in templates with parameters, and for variables that the template sets itself.
pub(crate) fn given(db: &dyn Db, file: File, token: &Token<'_>) -> Option<Vec<FileRange>> {
    let (Named::Variable(item, _, name) | Named::Outer(item, name)) = &token.named else { return None };
    let is_open = item.kind(db) == ItemKind::Template && !lowered(db, file).declares_parameters;
    if !is_open || !matches!(Symbol::of(db, file, token), Some(Symbol::Top(_) | Symbol::Fact(_))) {
        return None;
    }
    let mut found = Vec::new();
    for other in code_files(db, environment_of(db, file)) {
        let may_render = has_words(db, *other, "epp") || has_words(db, *other, "deferrable_epp");
        if may_render && has_words(db, *other, name) {
            items(db, *other).iter().for_each(|it| given_by(db, *it, file, name, &mut found));
        }
    }
    Some(found)
}

fn given_by(db: &dyn Db, item: Item<'_>, template: File, name: &Str, found: &mut Vec<FileRange>) {
    let (file, body) = (item.file(db), item.body(db));
    let map = places(db, item).map;
    let range = |id: ExprId| map.place(id).map(|it| it.range);
    for (_, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr).filter(|it| RENDERING.contains(&it.plain_name())) else {
            continue;
        };
        let arguments: Vec<ExprId> = call.arguments().collect();
        let [path, values, ..] = arguments[..] else { continue };
        let Some(path) = range(path) else { continue };
        let is_rendered = tokens(db, file).iter().any(|it| {
            matches!(it.named, Named::ModuleFile { .. })
                && path.contains_range(it.range)
                && Symbol::of(db, file, it) == Some(Symbol::File(template))
        });
        if !is_rendered {
            continue;
        }
        let values = match body.expr(values) {
            Expr::Variable(variable) => match &**variable {
                Variable::Local { name, .. } => body.set_once(name).unwrap_or(values),
                _ => values,
            },
            _ => values,
        };
        let Expr::Hash(entries) = body.expr(values) else { continue };
        let keys =
            entries.iter().filter(|(key, _)| matches!(body.expr(*key), Expr::String(it) if it == name));
        let text = source_text(db, file).text();
        let keys = keys.filter_map(|(key, _)| range(*key)).map(|it| unquoted(text, it));
        found.extend(keys.map(|range| FileRange { file, range }));
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;
    use crate::{definition, hover};

    const CALLS: &str = r#"
//- /modules/a/manifests/init.pp
class a {
  $port = 1
  $values = { 'port' => 3 }
  notice(epp('a/t', { 'port' => 2 }), epp("${module_name}/t.epp", $values), epp('a/other', { 'port' => 4 }))
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
    fn variables_that_no_call_gives() {
        let (lines, text) = answers("<%= $ho$0st %>");
        assert!(lines.is_empty());
        assert!(text.ends_with(
            "Nothing is known to set it: neither the top scope nor a call that renders the template."
        ));
        let (lines, text) = answers("<%- | $port = 1 | -%>\n<%= $po$0rt %>");
        assert_eq!(lines.len(), 1);
        assert!(text.contains("A parameter of the template."), "{text}");
    }
}
