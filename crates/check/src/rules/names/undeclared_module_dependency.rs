//! `undeclared-module-dependency`: a module uses another one that its metadata doesn't list.

use foldhash::HashSet;
use marotte_db::module_file;
use marotte_diagnostics::rules;
use marotte_resolve::metadata::metadata;
use marotte_ruby::core::agent_modules;

use crate::context::Context;

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
}
