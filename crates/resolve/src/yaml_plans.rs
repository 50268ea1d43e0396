//! Plans of Bolt that are written in YAML: their files and their parameters.

use marotte_db::{Db, Environment, File, FileStatus, module_folder, source_text};
use marotte_hiera::data::{Permitted, Places, parse_yaml};
use marotte_pcore::value::Value;
use marotte_text::{TextRange, normalized};

use crate::names::module_of;
use crate::tasks::{TaskParameter, declared_in};

/// The keys of a plan in YAML.
pub const OF_PLANS: [&str; 6] = ["description", "parameters", "private", "return", "steps", "version"];

/// The keys of a parameter of a plan in YAML.
pub const OF_PLAN_PARAMETERS: [&str; 3] = ["default", "description", "type"];

/// The entries of a hash, with their places.
type Entries<'v> = Box<dyn Iterator<Item = (&'v Value, TextRange, &'v Value, &'v Places)> + 'v>;

/// Finds the file of a plan that is written in YAML by the plan's name: `module::plan`, or the name of the module for its plan `init`.
pub fn yaml_plan(db: &dyn Db, environment: Environment, name: &str) -> Option<File> {
    let name = normalized(name);
    let folder = module_folder(db, environment, module_of(&name).into())?;
    let plan = name.split_once("::").map_or("init".to_owned(), |(_, rest)| rest.replace("::", "/"));
    ["yaml", "yml"].into_iter().find_map(|ending| {
        let file = db.files().file(db, &folder.join("plans").join(format!("{plan}.{ending}")));
        (file.status(db) != FileStatus::Missing).then_some(file)
    })
}

/// The parameters that a plan in YAML declares. None if the plan isn't understood.
#[salsa::tracked(returns(as_deref))]
pub fn plan_parameters(db: &dyn Db, plan: File) -> Option<Box<[TaskParameter]>> {
    let source = source_text(db, plan);
    let document = parse_yaml(source.text(), Permitted::DATA).ok().filter(|_| source.error().is_none())?;
    // What another key was meant as is not known.
    let has_only = |mut entries: Entries<'_>, keys: &[&str]| {
        entries.all(|(key, ..)| key.as_str().is_some_and(|it| keys.contains(&it)))
    };
    if !has_only(Box::new(document.entries()?), &OF_PLANS) {
        return None;
    }
    let parameters = document.entries()?.find(|(key, ..)| key.as_str() == Some("parameters"));
    if let Some((_, _, parameters, places)) = parameters
        && !places.entries(parameters).into_iter().flatten().all(|(_, _, it, places)| {
            places.entries(it).is_none_or(|it| has_only(Box::new(it), &OF_PLAN_PARAMETERS))
        })
    {
        return None;
    }
    match parameters {
        None | Some((_, _, Value::Undef, _)) => Some(Box::default()),
        Some((_, _, parameters, places)) => declared_in(parameters, places),
    }
}

/// Whether the targets that come before the parameters of a plan are the value of a parameter of this name.
pub fn is_for_targets(name: &str) -> bool {
    matches!(name, "targets" | "nodes")
}
