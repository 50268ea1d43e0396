//! `undeclared-module-dependency`: a module uses another one that its metadata doesn't list.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use foldhash::HashSet;
use marotte_db::module_file;
use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_resolve::metadata::metadata;
use marotte_resolve::suggest::absent_module;
use marotte_ruby::core::agent_modules;
use marotte_text::{Str, is_qualified, unrooted};

use crate::analysis::names::foreign_names::{first_user, is_like_dependency, misspelled_dependency};
use crate::context::{At, Context};

/// The folders of a module that are loaded when it is used.
const LOADED: [&str; 5] = ["manifests", "functions", "types", "templates", "plans"];

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let db = context.db;
    let Some(own) = module_file(db, context.file) else { return };
    if !own.folder().is_some_and(|it| LOADED.contains(&it)) {
        return;
    }
    // Metadata without any list of dependencies: `metadata-field` says so.
    let found = metadata(db, context.environment, own.module.clone());
    let Some(metadata) = found.filter(|it| it.has_dependencies) else { return };
    let mut told = HashSet::default();
    for it in context.uses().iter() {
        let Some(module) = it.of.other_module(db, Some(&own.module)) else { continue };
        let comes_with_agent =
            agent_modules().iter().any(|it| it.name.split(['-', '/']).next_back() == Some(module.as_str()));
        if comes_with_agent || metadata.dependencies.contains(&module) {
            continue;
        }
        let message = format!(
            "module `{module}` is used, but `metadata.json` of module `{}` does not name it",
            own.module
        );
        // Another item of the file may have reported it.
        if !told.insert(module.clone()) || context.has_reported(rules::UNDECLARED_MODULE_DEPENDENCY, &message)
        {
            continue;
        }
        let finding = context.report(rules::UNDECLARED_MODULE_DEPENDENCY, it.at, message);
        finding.label = Some(format!("belongs to `{module}`"));
    }
    absent(context, &metadata.dependencies);
}

/// Reports modules that are not here: those of the types of parameters, without which no value is accepted, and those that the
/// metadata misspell.
fn absent(context: &mut Context<'_, '_>, dependencies: &[Str]) {
    let (db, body) = (context.db, context.body);
    let Some(own) = module_file(db, context.file).map(|it| it.module.clone()) else { return };
    let types = LazyCell::new(|| {
        let types = body.parameters.iter().filter_map(|it| it.type_expr);
        types.map(|it| context.range(At::Expr(it))).collect::<Vec<_>>()
    });
    let is_of_parameter = |id: ExprId| {
        let range = context.range(At::Expr(id));
        let before = types.partition_point(|it| it.start() <= range.start());
        types[..before].last().is_some_and(|it| it.contains_range(range))
    };
    let mut found: BTreeMap<String, (At, Option<Str>)> = BTreeMap::new();
    for (id, expr) in body.exprs() {
        let name = match expr {
            Expr::Reference(name) => name,
            Expr::Resource(it) => match body.expr(it.type_name) {
                Expr::String(name) => name,
                _ => continue,
            },
            _ => continue,
        };
        let Some(module) =
            absent_module(db, context.environment, name).filter(|_| is_qualified(unrooted(name)))
        else {
            continue;
        };
        if found.contains_key(&module) || dependencies.iter().any(|it| **it == *module) || *own == *module {
            continue;
        }
        let meant = misspelled_dependency(context, &module);
        // A slip in the name of a module that is listed is reported where it is read.
        let is_other = || is_of_parameter(id) && !is_like_dependency(context, &module);
        if meant.is_some() || matches!(expr, Expr::Reference(_)) && is_other() {
            found.insert(module, (At::Expr(id), meant));
        }
    }
    for (module, (at, meant)) in found {
        let message =
            format!("module `{module}` is used, but `metadata.json` of module `{own}` does not name it");
        if context.has_reported(rules::UNDECLARED_MODULE_DEPENDENCY, &message)
            || is_reported_elsewhere(context, &module)
        {
            continue;
        }
        let finding = context.report(rules::UNDECLARED_MODULE_DEPENDENCY, at, message);
        finding.label = Some(match meant {
            Some(meant) => format!("did you mean `{module}` where it names `{meant}`?"),
            None => format!("belongs to `{module}`"),
        });
    }
}

/// Whether an earlier manifest of the module uses another one that is not here: one finding says that for all of them.
fn is_reported_elsewhere(context: &Context<'_, '_>, module: &str) -> bool {
    first_user(context, module).is_some_and(|it| it != context.file)
}
