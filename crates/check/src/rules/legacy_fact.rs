//! `legacy-fact`: a fact is read that agents of Puppet 8 do not send (I9).
//!
//! Only facts whose names are fixed: families of them, such as `ipaddress_eth0`, have names that a site's own facts may have.

use marotte_db::source_text;
use marotte_diagnostics::{Edit, Fix};
use marotte_hir::ExprId;
use marotte_hir::body::{Expr, Segment, Variable};
use marotte_resolve::call::NamedCall;
use marotte_resolve::globals::{fact_by_name, is_set_by_program};

use crate::context::{At, Context};
use crate::fact_paths::fact_path;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    let mut found: Vec<(ExprId, &str)> = Vec::new();
    for (id, expr) in body.exprs() {
        match expr {
            Expr::Variable(variable) => match &**variable {
                Variable::Top(name) => found.push((id, name)),
                Variable::Local { name, .. } if context.inference.unbound().contains(&id) => {
                    found.push((id, name));
                }
                _ => {}
            },
            Expr::Access { .. } => found.extend(fact_by_name(body, expr).map(|name| (id, name.as_str()))),
            _ => {
                if let Some(call) = NamedCall::of(expr)
                    && let Some((at, name)) = fact_path(body, &call).first()
                {
                    found.push((*at, name));
                }
            }
        }
    }
    for (id, name) in found {
        let Some(fact) = marotte_ruby::core::facts()
            .iter()
            .find(|it| it.legacy && it.pattern.is_none() && it.name == *name)
        else {
            continue;
        };
        let is_variable = matches!(body.expr(id), Expr::Variable(_));
        if is_variable && is_set_by_program(context.db, context.file, context.environment, name) {
            continue;
        }
        let keys: Option<String> =
            fact.replacement.as_ref().map(|it| it.split('.').map(|key| format!("['{key}']")).collect());
        let is_named_in_text = matches!(body.expr(id), Expr::String(_));
        let fix = keys.as_ref().filter(|_| !is_named_in_text).map(|keys| replace(context, id, keys));
        let finding = context.report("legacy-fact", At::Expr(id), format!("`{name}` is a legacy fact"));
        finding.label = keys.map(|keys| format!("use `$facts{keys}`"));
        finding.notes.push("agents of Puppet 8 send legacy facts only if they are told to".to_owned());
        finding.fix = fix;
    }
}

/// Never safe: the value may be in another form.
fn replace(context: &Context<'_, '_>, id: ExprId, keys: &str) -> Fix {
    let range = context.range(At::Expr(id));
    let text = source_text(context.db, context.file).text();
    let is_segment = context.body.exprs().any(
        |(_, expr)| matches!(expr, Expr::Interpolated(segments) if segments.contains(&Segment::Expr(id))),
    );
    // `"$osfamily"`, `"${osfamily}"`, and `$osfamily`.
    let has_dollar = text[range].starts_with('$');
    let is_bare = is_segment && has_dollar && !text[..range.start().into()].ends_with("${");
    let text = match (has_dollar, is_bare) {
        (_, true) => format!("${{facts{keys}}}"),
        (true, false) => format!("$facts{keys}"),
        (false, false) => format!("facts{keys}"),
    };
    Fix { title: format!("replace with `{text}`"), safe: false, edits: vec![Edit { range, text }] }
}
