//! The tasks of modules, which plans run by their names.

use std::collections::BTreeSet;

use camino::Utf8Path;
use marotte_db::{Db, Environment, File, is_left_out, listing, module_folder, source_text};
use marotte_hiera::data::{Places, parse_json};
use marotte_pcore::value::Value;
use marotte_text::{Str, TextRange, normalized};

use crate::names::{may_be_elsewhere, may_be_of_tests, module_of};
use crate::spelling::Names;

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

/// A parameter that the metadata of a task, or a plan in YAML, declare.
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

/// The tasks in a folder.
#[derive(Debug, PartialEq, Eq)]
struct Tasks {
    /// Their names, without that of the module.
    names: Names,
    /// The names of those that have metadata, in order.
    described: Box<[Str]>,
}

/// The tasks in a folder: files that describe a module or configure a tool are none.
#[salsa::tracked(returns(ref))]
fn tasks_in(db: &dyn Db, folder: File) -> Tasks {
    let (mut names, mut described) = (Vec::new(), Vec::new());
    for entry in listing(db, folder).iter().filter(|it| !it.is_directory) {
        let path = Utf8Path::new(&entry.name);
        let Some(stem) = path.file_stem().filter(|_| !matches!(path.extension(), Some("md" | "conf"))) else {
            continue;
        };
        names.push(Str::from(stem));
        if path.extension() == Some("json") {
            described.push(Str::from(stem));
        }
    }
    described.sort_unstable();
    Tasks { names: names.into_iter().collect(), described: described.into() }
}

/// Finds a task by its name: `module::task`, or the name of the module for its task `init`.
pub fn task(db: &dyn Db, from: File, environment: Environment, name: &str) -> TaskName {
    let name = normalized(name);
    let module = module_of(&name);
    let Some(folder) = module_folder(db, environment, module.into()) else {
        let is_unknown = may_be_elsewhere(db, from, environment, module);
        return if is_unknown { TaskName::Unknown } else { TaskName::Missing };
    };
    let task = task_of(&name);
    let folder = folder.join("tasks");
    let tasks = tasks_in(db, db.files().file(db, &folder));
    if !tasks.names.has(task) {
        let is_unknown = may_be_of_tests(db, from, module) || is_left_out(db, &folder);
        return if is_unknown { TaskName::Unknown } else { TaskName::Missing };
    }
    let is_described = tasks.described.binary_search_by(|it| it.as_str().cmp(task)).is_ok();
    let metadata = is_described.then(|| folder.join(format!("{task}.json")));
    TaskName::Found(metadata.map(|it| db.files().file(db, &it)))
}

/// The names of the tasks of all modules of an environment, sorted.
pub fn task_names(db: &dyn Db, environment: Environment) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (module, folder) in environment.modules(db).iter() {
        let tasks = tasks_in(db, db.files().file(db, &folder.join("tasks")));
        let name = |task: &Str| match task.as_str() {
            "init" => module.to_string(),
            task => format!("{module}::{task}"),
        };
        found.extend(tasks.names.iter().map(name));
    }
    found
}

/// The name of a task without that of its module.
fn task_of(name: &str) -> &str {
    name.split_once("::").map_or("init", |(_, task)| task)
}

/// The name of the task closest to a name that no task of its module has, with the namespace, if any is close enough.
pub fn nearest_task(db: &dyn Db, environment: Environment, name: &str) -> Option<String> {
    let name = normalized(name);
    let module = module_of(&name);
    let folder = module_folder(db, environment, module.into())?;
    let tasks = tasks_in(db, db.files().file(db, &folder.join("tasks")));
    tasks.names.nearest(task_of(&name), |_| true).map(|it| format!("{module}::{it}"))
}

/// The parameters that the metadata of a task declare. None if they declare none at all, so that the task accepts any, or if they
/// aren't understood.
#[salsa::tracked(returns(as_deref))]
pub fn task_parameters(db: &dyn Db, metadata: File) -> Option<Box<[TaskParameter]>> {
    let source = source_text(db, metadata);
    let document = parse_json(source.text()).ok().filter(|_| source.error().is_none())?;
    let (_, _, parameters, places) =
        document.entries()?.find(|(key, ..)| key.as_str() == Some("parameters"))?;
    declared_in(parameters, places)
}

/// The parameters that a hash describes, by their names. None if it isn't understood.
pub(crate) fn declared_in(parameters: &Value, places: &Places) -> Option<Box<[TaskParameter]>> {
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
