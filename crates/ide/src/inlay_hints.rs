//! The inlay hints of a file.

use marotte_check::semantics::type_of;
use marotte_db::{File, environment_of};
use marotte_hir::body::{Body, Callee, Expr};
use marotte_hir::{ExprId, items, places};
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::data_files::{HieraFileKind, hiera_file};
use marotte_text::{TextRange, TextSize, normalized, unrooted};

use crate::data_entries::{entries_of_key, is_secret, shown_value};
use crate::hover::shown_type;
use crate::symbol::Symbol;
use crate::token::{Named, Token, is_code};
use crate::{Access, Db, signature};

/// A text to be shown between two words of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The offset of the hint.
    pub at: TextSize,
    /// The text: `: Integer`, `size:`.
    pub label: String,
    /// The kind of the hint.
    pub kind: InlayHintKind,
}

/// The kind of an [`InlayHint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InlayHintKind {
    /// The type of a variable.
    Type,
    /// The parameter to which an argument is passed.
    Parameter,
    /// The value of a class parameter in data, if it has only one.
    Data,
}

/// The hints for a part of a file: the types of variables whose values don't show them, the names of the parameters of literal
/// arguments, and the values of class parameters in data, if one level decides.
pub fn inlay_hints(db: &dyn Db, file: File, within: TextRange) -> Vec<InlayHint> {
    let mut found = Vec::new();
    if !is_code(db, file) {
        return found;
    }
    for item in items(db, file) {
        let body = item.body(db);
        let map = places(db, *item).map;
        let range = |id: ExprId| map.place(id).map(|it| it.range);
        for (id, expr) in body.exprs() {
            if range(id).is_none_or(|it| it.intersect(within).is_none()) {
                continue;
            }
            match expr {
                Expr::Assign { target, value, .. } => {
                    for (at, _) in target.variables() {
                        let known = type_of(db, *item, at).or_else(|| type_of(db, *item, *value));
                        let label = known.filter(|_| !is_obvious(body, *value)).and_then(label_of);
                        if let (Some(label), Some(range), true) =
                            (label, range(at), target.variables().len() == 1)
                        {
                            found.push(InlayHint { at: range.end(), label, kind: InlayHintKind::Type });
                        }
                    }
                }
                Expr::Call(call) => {
                    if let Callee::Function(name) = &call.callee {
                        arguments(db, file, body, name, &call.arguments, 0, &range, &mut found);
                    }
                }
                Expr::MethodCall(call) => {
                    arguments(db, file, body, &call.name, &call.arguments, 1, &range, &mut found);
                }
                _ => {}
            }
        }
        if item.kind(db) == marotte_hir::ItemKind::Class {
            for parameter in &body.parameters {
                let key = format!("{}::{}", normalized(unrooted(item.name(db))), parameter.name);
                let environment = environment_of(db, file);
                let entries = entries_of_key(db, environment, &key);
                let ([entry], Some(name)) = (&entries[..], range(parameter.at)) else { continue };
                let end = parameter.default.and_then(&range).map_or(name.end(), |it| it.end());
                if name.intersect(within).is_none() || is_secret(db, environment, &key, &entries) {
                    continue;
                }
                let value = shown_value(db, entry).filter(|it| it.len() <= LONGEST && !it.contains('\n'));
                if let Some(value) = value {
                    let kind = hiera_file(db, entry.file).map(|it| &it.kind);
                    let label = match kind {
                        Some(HieraFileKind::Data { for_all_nodes: true, .. }) => format!("data: {value}"),
                        // Other nodes get another value.
                        _ => format!(
                            "data of {}: {value}",
                            entry.file.path(db).file_stem().unwrap_or_default()
                        ),
                    };
                    found.push(InlayHint { at: end, label, kind: InlayHintKind::Data });
                }
            }
        }
    }
    found.retain(|it| within.contains_inclusive(it.at));
    found.sort_by_key(|it| it.at);
    found
}

/// The maximum length of a hint, in characters. Longer hints would hide the code.
const LONGEST: usize = 40;

/// Whether the type of a value is obvious.
fn is_obvious(body: &Body, value: ExprId) -> bool {
    matches!(
        body.expr(value),
        Expr::String(_)
            | Expr::Interpolated(_)
            | Expr::Integer(_)
            | Expr::Float(_)
            | Expr::Boolean(_)
            | Expr::Undef
            | Expr::Regexp(_)
            | Expr::Array(_)
            | Expr::Hash(_)
            | Expr::Heredoc { .. }
            | Expr::Reference(_)
            | Expr::Missing
    )
}

fn label_of(known: &Type) -> Option<String> {
    if matches!(known.kind(), TypeKind::Any | TypeKind::Undef) {
        return None;
    }
    let text = shown_type(known).filter(|it| it.len() <= LONGEST)?;
    Some(format!(": {text}"))
}

#[expect(clippy::too_many_arguments, reason = "two notations of calls have the rest in common")]
fn arguments(
    db: &dyn Db,
    file: File,
    body: &Body,
    name: &str,
    arguments: &[ExprId],
    skipped: usize,
    range: &impl Fn(ExprId) -> Option<TextRange>,
    found: &mut Vec<InlayHint>,
) {
    let is_literal = |it: &ExprId| {
        matches!(
            body.expr(*it),
            Expr::Integer(_)
                | Expr::Boolean(_)
                | Expr::Undef
                | Expr::String(_)
                | Expr::Float(_)
                | Expr::Default
        )
    };
    // The meaning of a single argument follows from the function.
    if arguments.len() + skipped < 2 || !arguments.iter().any(is_literal) {
        return;
    }
    let token = Token {
        range: TextRange::default(),
        access: Access::Read,
        named: Named::Function(name.into()),
        within: None,
    };
    let Some(symbol @ (Symbol::Item(_) | Symbol::RubyFunction(..))) = Symbol::of(db, file, &token) else {
        return;
    };
    let all = signature::of_function(db, file, name, &symbol);
    let [only] = &all[..] else { return };
    for (index, argument) in arguments.iter().enumerate() {
        let Some(parameter) = only.parameters.get(index + skipped) else { break };
        if parameter.name.is_empty() || parameter.is_rest || !is_literal(argument) {
            continue;
        }
        if let Some(range) = range(*argument) {
            let label = format!("{}:", parameter.name);
            found.push(InlayHint { at: range.start(), label, kind: InlayHintKind::Parameter });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, assert_text};
    use marotte_db::source_text;

    #[track_caller]
    fn check(tree: &str, path: &str, expected: &str) {
        let fixture = Fixture::new(tree);
        let file = fixture.file(path);
        let mut text = source_text(fixture.db(), file).text().to_owned();
        let whole = TextRange::up_to(TextSize::of(text.as_str()));
        for hint in inlay_hints(fixture.db(), file, whole).iter().rev() {
            text.insert_str(hint.at.into(), &format!("«{}»", hint.label));
        }
        assert_text(&text, expected);
    }

    #[test]
    fn types_and_parameters() {
        check(
            "
            //- /manifests/site.pp
            $a = 1
            $b = $a + 1
            $c = m::f($b, 'x')
            //- /modules/m/functions/f.pp
            function m::f($number, $word) >> String { '' }
            ",
            "/manifests/site.pp",
            "
            $a = 1
            $b«: Integer[2, 2]» = $a + 1
            $c«: String» = m::f($b, «word:»'x')
            ",
        );
    }

    #[test]
    fn values_in_data_of_some_nodes() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp($port = 1) {}
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: \"nodes/%{facts.fqdn}.yaml\"}]
            //- /data/nodes/web1.yaml
            ntp::port: 3
            ",
            "/modules/ntp/manifests/init.pp",
            "
            class ntp($port = 1«data of web1: 3») {}
            ",
        );
    }

    #[test]
    fn values_in_data() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp($port = 1, $other = 2) {}
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            ntp::port: 3
            ",
            "/modules/ntp/manifests/init.pp",
            "
            class ntp($port = 1«data: 3», $other = 2) {}
            ",
        );
    }
}
