//! `unused-parameter`: a function or a defined type doesn't use a parameter.
//!
//! Not for classes, whose parameters can be read as `$class::name`, and not for lambdas, whose parameters are positional.

use marotte_db::{module_file, source_text};
use marotte_diagnostics::rules;
use marotte_hir::ItemKind;
use marotte_hir::body::Parameter;
use marotte_text::{Str, normalized};

use crate::analysis::resources::exported::may_be_looked_for;
use crate::analysis::variables::usage::{Slips, Usage, shows_scope};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, body, item) = (context.db, context.body, context.item);
    let kind = item.kind(db);
    // A body without statements is a placeholder, or a resource type that only carries data.
    if !matches!(kind, ItemKind::Function | ItemKind::Define) || body.statements.is_empty() {
        return;
    }
    // Hiera passes a fixed list of arguments to its functions, by position.
    let last = body.parameters.last().map(|it| it.name.trim_start_matches('_'));
    if kind == ItemKind::Function && last == Some("context") {
        return;
    }
    let usage = Usage::new(body);
    let is_unused = |name: &Str| !name.starts_with('_') && !usage.may_read(name);
    let unused: Vec<_> = body.parameters.iter().filter(|it| is_unused(&it.name)).collect();
    if unused.is_empty() || shows_scope(context) {
        return;
    }
    let slips = Slips::new(context);
    for parameter in unused {
        let name = &parameter.name;
        if slips.may_mean(name) || is_looked_for(context, name) || is_kept(context, parameter) {
            continue;
        }
        let message = format!("the {} does not use its parameter `${name}`", kind.noun());
        let finding = context.report(rules::UNUSED_PARAMETER, At::Expr(parameter.at), message);
        finding.label = Some("not used".to_owned());
    }
}

/// Whether collectors may search for the resources by a parameter: that is a use.
fn is_looked_for(context: &Context<'_, '_>, name: &Str) -> bool {
    let Some(module) = module_file(context.db, context.file) else { return false };
    let type_name = normalized(context.item.name(context.db));
    let module = module.module.clone();
    may_be_looked_for(context.db, context.environment, module, type_name, name.clone())
}

/// Whether a comment states that a parameter is unused on purpose: next to it, right above it, or in its documentation.
fn is_kept(context: &Context<'_, '_>, parameter: &Parameter) -> bool {
    const WORDS: [&str; 6] = ["unused", "not used", "ignored", "compat", "deprecated", "no effect"];
    let source = source_text(context.db, context.file);
    let line = source.line_index().line(context.range(At::Expr(parameter.at)).start()) as usize;
    let lines: Vec<&str> = source.text().lines().collect();
    let is_first = lines.get(line).is_some_and(|it| it.contains('('));
    let comment = |at: usize| Some(lines.get(at)?.split_once('#')?.1.to_lowercase());
    let is_alone = |at: &usize| lines.get(*at).is_some_and(|it| it.trim_start().starts_with('#'));
    // A comment above the first line concerns the whole definition.
    let above = (0..line).rev().take_while(|at| !is_first && is_alone(at));
    let tag = format!("@param {} ", parameter.name.to_lowercase());
    let documented = (0..line).filter(|at| comment(*at).is_some_and(|it| it.contains(&tag)));
    let mut said = above.chain([line]).chain(documented).filter_map(comment);
    said.any(|it| WORDS.iter().any(|word| it.contains(word)))
}
