//! Lists of known names.

use std::collections::BTreeSet;

use camino::Utf8Path;
use marotte_check::semantics::{definition, names_in_ruby};
use marotte_db::{Environment, File, below, environment_of, module_file};
use marotte_hiera::Layer;
use marotte_hir::{Item, NameKind, main_definitions, module_definitions};
use marotte_resolve::data_files::layer_keys;
use marotte_resolve::ruby::RubyKind;
use marotte_resolve::tasks::{TaskName, task, task_parameters};
use marotte_resolve::yaml_plans::{plan_parameters, yaml_plan};
use marotte_text::Str;

use crate::Db;

/// The definitions of a kind in an environment.
pub(crate) fn definitions<'db>(db: &'db dyn Db, environment: Environment, kind: NameKind) -> Vec<Item<'db>> {
    let mut found: Vec<Item<'db>> = Vec::new();
    let of_kind = |(it, _): &(&(NameKind, _), &Item<'db>)| it.0 == kind;
    found.extend(main_definitions(db, environment).iter().filter(of_kind).map(|(_, item)| *item));
    for (module, _) in environment.modules(db).iter() {
        let all = module_definitions(db, environment, module.clone());
        found.extend(all.iter().filter(of_kind).map(|(_, item)| *item));
    }
    found
}

/// Computes the names that completion in a file lists, so that the first request after a change of many files doesn't have to.
pub fn prepare_completion(db: &dyn Db, file: File) {
    let environment = environment_of(db, file);
    // Definitions of all kinds are computed together.
    definitions(db, environment, NameKind::Class);
    for kind in [RubyKind::Function, RubyKind::LegacyFunction, RubyKind::ResourceType] {
        // Only the computation matters.
        drop(names_in_ruby(db, environment, kind));
    }
}

/// The files in a folder of all modules, in the form in which programs refer to them: `module/path`.
#[salsa::tracked(returns(deref))]
pub(crate) fn module_paths(db: &dyn Db, environment: Environment, folder: Str) -> Box<[Str]> {
    let mut found = BTreeSet::new();
    for (module, root) in environment.modules(db).iter() {
        let root = root.join(&*folder);
        for path in below(db, &root, |_| true).files {
            if let Ok(path) = path.strip_prefix(&root) {
                found.insert(Str::from(format!("{module}/{path}")));
            }
        }
    }
    found.into_iter().collect()
}

/// The parameters of a task, if its metadata declare any, or of a plan.
pub(crate) fn run_parameters(db: &dyn Db, from: File, is_task: bool, name: &str) -> Vec<Str> {
    let environment = environment_of(db, from);
    let metadata = match is_task.then(|| task(db, from, environment, name)) {
        Some(TaskName::Found(Some(metadata))) => task_parameters(db, metadata),
        Some(_) => None,
        None => {
            if let Some(plan) = definition(db, from, NameKind::Plan, name) {
                return plan.signature(db).parameters.iter().map(|it| it.name.clone()).collect();
            }
            yaml_plan(db, environment, name).and_then(|it| plan_parameters(db, it))
        }
    };
    metadata.into_iter().flatten().map(|it| it.name.clone()).collect()
}

/// The keys of all data of an environment and its modules.
pub(crate) fn data_keys(db: &dyn Db, environment: Environment) -> BTreeSet<&Str> {
    let modules = environment.modules(db).iter().map(|(name, _)| Layer::Module(name.clone()));
    let layers = [Layer::Environment].into_iter().chain(modules);
    layers.flat_map(|it| layer_keys(db, environment, it)).filter(|it| *it != "lookup_options").collect()
}

/// The name that a definition must have according to its file's path: `a::b::c` in `a/manifests/b/c.pp`.
pub(crate) fn own_name(db: &dyn Db, file: crate::File) -> Option<String> {
    let place = module_file(db, file)?;
    let below: &Utf8Path = place.path.strip_prefix(place.folder()?).ok()?;
    let below = below.with_extension("");
    let name = below.as_str().replace('/', "::");
    Some(if name == "init" { place.module.to_string() } else { format!("{}::{name}", place.module) })
}
