//! `invalid-task-metadata`: task metadata that Puppet rejects (`Puppet::Module::Task`), or that refer to missing files or
//! types.

use marotte_diagnostics::{Diagnostic, Level, Rule, rules};
use std::sync::LazyLock;

use camino::Utf8Path;
use foldhash::HashMap;
use marotte_db::{Db, File, entry, environment_of, listing, module_file, module_folder, source_text};
use marotte_hiera::data::{Inner, Places, parse_json};
use marotte_infer::declared::{LocalTypes, type_of_text};
use marotte_infer::disjoint::refused;
use marotte_pcore::infer::infer_set;
use marotte_pcore::relation::instance_of;
use marotte_pcore::value::Value;
use marotte_resolve::dialect;
use marotte_resolve::spelling::near;
use marotte_resolve::suggest::misspelled_builtin;
use marotte_resolve::types::{TypeName, type_name};
use marotte_syntax::{Mode, parse};
use marotte_text::{Str, TextRange, ascii_regex};
use regex::Regex;

use crate::rules::types::mismatch::explain;

const RULE: &Rule = rules::INVALID_TASK_METADATA;

/// The keys of a task's metadata that Bolt knows; it warns of others, and ignores them.
const KEYS: [&str; 10] = [
    "description",
    "extensions",
    "files",
    "implementations",
    "input_method",
    "parameters",
    "private",
    "puppet_task_version",
    "remote",
    "supports_noop",
];

/// The keys of a parameter.
const OF_PARAMETERS: [&str; 4] = ["default", "description", "sensitive", "type"];

/// Whether a file is the metadata of a task, judging by its path.
pub fn is_task_metadata(db: &dyn Db, file: File) -> bool {
    module_file(db, file).is_some_and(|it| {
        it.path.parent() == Some(Utf8Path::new("tasks"))
            && it.path.extension() == Some("json")
            && it.path.file_stem().is_some_and(is_task_name)
    })
}

fn is_task_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase())
        && name.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
}

/// Returns the errors in the metadata of a task; none for other files.
pub fn check_task(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let mut task = Task { db, file, findings: Vec::new() };
    if !is_task_metadata(db, file) {
        return task.findings;
    }
    let source = source_text(db, file);
    if source.error().is_some() {
        return task.findings;
    }
    let text = source.text();
    // Puppet accepts an empty file as metadata without any keys.
    if text.is_empty() {
        task.implementation();
        return task.findings;
    }
    let document = match parse_json(text) {
        Ok(document) => document,
        Err(error) => {
            task.report(error.range, "the task's metadata are not valid JSON".to_owned());
            return task.findings;
        }
    };
    let Some(entries) = document.entries() else {
        task.report(TextRange::default(), "the task's metadata are not a JSON object".to_owned());
        return task.findings;
    };
    task.misspelled(&document.value, &document.places, &KEYS);
    let mut has_implementations = false;
    for (key, key_range, value, places) in entries {
        match key.as_str().unwrap_or_default() {
            "implementations" => {
                has_implementations = true;
                task.implementations(value, places);
            }
            "files" => task.files(value, places),
            "parameters" => task.parameters(value, places),
            name @ ("supports_noop" | "private" | "remote") if !matches!(value, Value::Boolean(_)) => {
                task.report(places.range, format!("`{name}` is either `true` or `false`"));
            }
            "input_method"
                if !value
                    .as_str()
                    .is_some_and(|it| matches!(it, "stdin" | "environment" | "powershell" | "both")) =>
            {
                let message = "`input_method` is `stdin`, `environment` or `powershell`".to_owned();
                task.report(places.range, message);
            }
            "description" if value.as_str().is_none() => {
                task.report(key_range, "the description of a task is a text".to_owned());
            }
            _ => {}
        }
    }
    if !has_implementations {
        task.implementation();
    }
    task.findings
}

/// The names of the files in a folder that may be programs of tasks, by the names of the tasks.
#[salsa::tracked(returns(ref))]
fn executables(db: &dyn Db, folder: File) -> HashMap<Str, Vec<Str>> {
    let mut executables: HashMap<Str, Vec<Str>> = HashMap::default();
    for name in listing(db, folder).iter().filter(|it| !it.is_directory).map(|it| it.name.as_str()) {
        let task = Utf8Path::new(name).file_stem().filter(|it| is_task_name(it));
        if let Some(task) = task.filter(|_| ![".json", ".conf", ".md"].iter().any(|it| name.ends_with(it))) {
            executables.entry(task.into()).or_default().push(name.into());
        }
    }
    executables
}

struct Task<'db> {
    db: &'db dyn Db,
    file: File,
    findings: Vec<Diagnostic>,
}

impl<'db> Task<'db> {
    fn report(&mut self, range: TextRange, message: String) {
        self.findings.push(Diagnostic::new(RULE, Level::Error, self.file.id(self.db), range, message));
    }

    /// Reports the keys of an object that are not among the known ones, but close to one that the object lacks.
    fn misspelled(&mut self, object: &Value, places: &Places, known: &[&str]) {
        let missing: Vec<&str> =
            known.iter().copied().filter(|it| places.key(object, it).is_none()).collect();
        for (key, at, ..) in places.entries(object).into_iter().flatten() {
            let Some(name) = key.as_str().filter(|it| !known.contains(it)) else { continue };
            let Some(meant) = near(name, missing.iter().copied()) else { continue };
            self.report(at, format!("the metadata of a task have no key `{name}`"));
            if let Some(finding) = self.findings.last_mut() {
                finding.level = Level::Warning;
                finding.label = Some(format!("did you mean `{meant}`?"));
            }
        }
    }

    /// Returns the names of the files next to the metadata that may be programs of the task of a name.
    fn executables(&self, task: &str) -> &'db [Str] {
        let Some(folder) = self.file.path(self.db).parent() else { return &[] };
        let all = executables(self.db, self.db.files().file(self.db, folder));
        all.get(task).map(Vec::as_slice).unwrap_or_default()
    }

    /// Checks that exactly one program has the name of the task. Called if the metadata don't list implementations.
    fn implementation(&mut self) {
        let name = self.file.path(self.db).file_stem().unwrap_or_default();
        match self.executables(name) {
            [_] => {}
            [] => self.report(TextRange::default(), format!("no file beside the metadata implements task `{name}`")),
            [one, other, ..] => self.report(
                TextRange::default(),
                format!("both `{one}` and `{other}` implement task `{name}`, and no `implementations` tell them apart"),
            ),
        }
    }

    fn implementations(&mut self, value: &Value, places: &Places) {
        let (Value::Array(all), Inner::Elements(inner)) = (value, &places.inner) else {
            return self.report(places.range, "`implementations` is an array of objects".to_owned());
        };
        for (implementation, places) in all.iter().zip(inner.iter()) {
            let Some(entries) = places.entries(implementation) else {
                self.report(places.range, "an implementation is an object with a `name`".to_owned());
                continue;
            };
            let mut has_name = false;
            for (key, _, value, places) in entries {
                match key.as_str().unwrap_or_default() {
                    "name" => {
                        has_name = true;
                        let name = value.as_str().unwrap_or_default();
                        let task = Utf8Path::new(name).file_stem().unwrap_or_default();
                        if !self.executables(task).iter().any(|it| it == name) {
                            self.report(
                                places.range,
                                format!("the implementation `{name}` is not in `tasks`"),
                            );
                        }
                    }
                    "requirements" if !matches!(value, Value::Array(_) | Value::Undef) => {
                        self.report(places.range, "`requirements` is an array of features".to_owned());
                    }
                    "files" => self.files(value, places),
                    _ => {}
                }
            }
            if !has_name {
                self.report(places.range, "an implementation has the `name` of a file in `tasks`".to_owned());
            }
        }
    }

    /// Checks the files that are sent along with the task: `module/mount/path`, with a slash at the end of folders.
    fn files(&mut self, value: &Value, places: &Places) {
        let (Value::Array(all), Inner::Elements(inner)) = (value, &places.inner) else {
            return self.report(places.range, "`files` is an array of paths".to_owned());
        };
        for (path, places) in all.iter().zip(inner.iter()) {
            let Some(path) = path.as_str() else {
                self.report(places.range, "a file is named by its path, `module/files/path`".to_owned());
                continue;
            };
            if let Some(fault) = self.fault(path) {
                self.report(places.range, fault);
            }
        }
    }

    fn fault(&self, path: &str) -> Option<String> {
        let db = self.db;
        let mut parts = path.splitn(3, '/');
        let (module, mount) = (parts.next()?, parts.next().unwrap_or_default());
        let rest = parts.next().unwrap_or_default();
        if !matches!(mount, "files" | "lib" | "scripts" | "tasks") {
            return Some(format!("`{path}` is not in `files`, `lib`, `scripts` or `tasks` of a module"));
        }
        // Modules that aren't available here may be available where the task runs.
        let folder = module_folder(db, environment_of(db, self.file), module.to_lowercase().into())?;
        if rest.split('/').any(|it| matches!(it, "." | "..")) {
            return Some(format!("`{path}` has a relative path in it"));
        }
        let full = folder.join(mount).join(rest.trim_end_matches('/'));
        match entry(db, &full) {
            None => Some(format!("there is no `{mount}/{rest}` in module `{module}`")),
            Some(it) if it.is_directory && !path.ends_with('/') => {
                Some(format!("`{path}` is a folder, whose path ends with a slash"))
            }
            Some(it) if !it.is_directory && path.ends_with('/') => {
                Some(format!("`{path}` is not a folder, and its path does not end with a slash"))
            }
            Some(_) => None,
        }
    }

    fn parameters(&mut self, value: &Value, places: &Places) {
        let Some(entries) = places.entries(value) else {
            return self.report(places.range, "`parameters` is an object".to_owned());
        };
        for (name, at, parameter, places) in entries {
            let name = name.as_str().unwrap_or_default();
            if !is_task_name(name) {
                let message =
                    format!("`{name}` is not a name for a parameter: lower-case letters, digits and `_`");
                self.report(at, message);
            }
            let Some(entries) = places.entries(parameter) else {
                self.report(places.range, format!("parameter `{name}` is described by an object"));
                continue;
            };
            self.misspelled(parameter, places, &OF_PARAMETERS);
            let mut expected = None;
            let mut default = None;
            for (key, _, value, places) in entries {
                match key.as_str().unwrap_or_default() {
                    "type" => expected = value.as_str(),
                    "default" => default = Some((value, places.range)),
                    _ => {}
                }
                match key.as_str().unwrap_or_default() {
                    "type" => self.parameter_type(value, places.range),
                    "sensitive" if !matches!(value, Value::Boolean(_)) => {
                        self.report(places.range, "`sensitive` is either `true` or `false`".to_owned());
                    }
                    "description" if value.as_str().is_none() => {
                        self.report(places.range, "the description of a parameter is a text".to_owned());
                    }
                    _ => {}
                }
            }
            if let (Some(expected), Some((default, range))) = (expected, default) {
                self.default_value(name, expected, default, range);
            }
        }
    }

    /// Bolt passes the default value, and then checks it like any other.
    fn default_value(&mut self, name: &str, expected: &str, value: &Value, range: TextRange) {
        let expected = type_of_text(self.db, self.file, expected, &LocalTypes::default());
        let Some(expected) = expected.filter(|it| !instance_of(dialect(), it, value)) else { return };
        let given = infer_set(dialect(), value);
        if *value == Value::Undef || !refused(&given, &expected) {
            return;
        }
        let message = explain(&format!("the default value of `{name}`"), &expected, &given);
        self.report(range, message);
    }

    fn parameter_type(&mut self, value: &Value, range: TextRange) {
        let Some(text) = value.as_str() else {
            return self.report(range, "the type of a parameter is a text".to_owned());
        };
        let program = parse(text, Mode::default());
        if text.trim().is_empty() || program.errors.iter().any(|it| !it.kind.is_warning()) {
            return self.report(range, format!("`{text}` is not a type"));
        }
        if let Some(missing) = missing_type(self.db, self.file, text) {
            return self.report(range, format!("there is no type `{missing}`"));
        }
        if !text.trim_start().starts_with(|it: char| it.is_ascii_uppercase() || it == ':') {
            self.report(range, format!("`{text}` is not a type"));
        }
    }
}

/// The first name of a type in a text that names no type, as seen from a file.
pub(super) fn missing_type<'t>(db: &dyn Db, file: File, text: &'t str) -> Option<&'t str> {
    /// Names of types, outside of strings and patterns.
    static PARTS: LazyLock<Regex> = LazyLock::new(|| {
        ascii_regex(r#"'[^']*'|"[^"]*"|/(?:\\.|[^/\\])*/|((?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)"#)
    });
    let environment = environment_of(db, file);
    let mut names = PARTS.captures_iter(text).filter_map(|it| it.get(1)).map(|it| it.as_str());
    names.find(|name| match type_name(db, file, environment, name) {
        TypeName::Missing => true,
        TypeName::Unknown => misspelled_builtin(name).is_some(),
        _ => false,
    })
}
