//! The tasks of modules, which plans run by their names.

use camino::Utf8Path;
use marotte_db::{Db, Environment, File, is_left_out, listing, module_folder, source_text};
use marotte_hiera::data::parse_json;
use marotte_pcore::value::Value;
use marotte_text::{Str, TextRange, normalized};

use crate::names::{may_be_elsewhere, may_be_of_tests, module_of};

/// The result of resolving the name of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskName {
    /// A task, with the file of its metadata if it has one.
    Found(Option<File>),
    /// The task doesn't exist.
    Missing,
    /// The task may exist in a place that isn't available.
    Unknown,
}

/// A parameter that the metadata of a task declare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskParameter {
    /// The name of the parameter.
    pub name: Str,
    /// The range of the name in the metadata.
    pub at: TextRange,
    /// The type, as a text of the Puppet language. None if any value is accepted.
    pub type_text: Option<Str>,
    /// The metadata have a default value.
    pub has_default: bool,
}

/// Finds a task by its name: `module::task`, or the name of the module for its task `init`.
pub fn task(db: &dyn Db, from: File, environment: Environment, name: &str) -> TaskName {
    let name = normalized(name);
    let module = module_of(&name);
    let Some(folder) = module_folder(db, environment, module.into()) else {
        let is_unknown = may_be_elsewhere(db, from, environment, module);
        return if is_unknown { TaskName::Unknown } else { TaskName::Missing };
    };
    let task = name.split_once("::").map_or("init", |(_, task)| task);
    let folder = folder.join("tasks");
    let entries = listing(db, db.files().file(db, &folder));
    let is_of_task = |it: &str| {
        let path = Utf8Path::new(it);
        path.file_stem() == Some(task) && !matches!(path.extension(), Some("md" | "conf"))
    };
    if !entries.iter().any(|it| !it.is_directory && is_of_task(&it.name)) {
        let is_unknown = may_be_of_tests(db, from, module) || is_left_out(db, &folder);
        return if is_unknown { TaskName::Unknown } else { TaskName::Missing };
    }
    let metadata = format!("{task}.json");
    let metadata = entries.iter().any(|it| it.name == metadata).then(|| folder.join(metadata));
    TaskName::Found(metadata.map(|it| db.files().file(db, &it)))
}

/// The names of the tasks of a module, with the namespace.
pub fn tasks_of(db: &dyn Db, environment: Environment, module: &str) -> Vec<String> {
    let Some(folder) = module_folder(db, environment, module.into()) else { return Vec::new() };
    let entries = listing(db, db.files().file(db, &folder.join("tasks")));
    let stems =
        entries.iter().filter(|it| !it.is_directory).filter_map(|it| Utf8Path::new(&it.name).file_stem());
    let mut names: Vec<String> = stems.map(|it| format!("{module}::{it}")).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The parameters that the metadata of a task declare. None if they declare none at all, so that the task accepts any, or if they
/// aren't understood.
#[salsa::tracked(returns(as_deref))]
pub fn task_parameters(db: &dyn Db, metadata: File) -> Option<Box<[TaskParameter]>> {
    let source = source_text(db, metadata);
    let document = parse_json(source.text()).ok().filter(|_| source.error().is_none())?;
    let (_, _, parameters, places) =
        document.entries()?.find(|(key, ..)| key.as_str() == Some("parameters"))?;
    let mut found = Vec::new();
    for (name, at, parameter, places) in places.entries(parameters)? {
        let get = |wanted: &str| {
            let mut entries = places.entries(parameter)?;
            entries.find(|(key, ..)| key.as_str() == Some(wanted)).map(|(_, _, value, _)| value)
        };
        let type_text = get("type").and_then(Value::as_str).map(Str::from);
        found.push(TaskParameter {
            name: name.as_str()?.into(),
            at,
            type_text,
            has_default: get("default").is_some(),
        });
    }
    Some(found.into())
}
