//! `unresolved-task`, `unknown-parameter`, `missing-parameter`, `unresolved-variable` and `unresolved-type` in plans of Bolt that are
//! written in YAML.

use std::collections::BTreeSet;

use camino::Utf8Path;
use marotte_db::{
    Db, Environment, File, FileStatus, environment_of, module_file, module_folder, source_text,
};
use marotte_diagnostics::{Diagnostic, Level, Rule, rules};
use marotte_hiera::data::{Inner, Permitted, Places, parse_yaml};
use marotte_hir::NameKind;
use marotte_infer::declared::{LocalTypes, type_of_text};
use marotte_infer::disjoint::refused;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::bolt;
use marotte_resolve::names::{Lookup, look_up, module_of};
use marotte_resolve::spelling::nearest;
use marotte_resolve::suggest::nearest_definition;
use marotte_resolve::tasks::{TaskName, TaskParameter, nearest_task, task, task_parameters};
use marotte_text::{TextRange, TextSize, normalized};

use super::tasks::missing_type;

/// Whether a file is a plan in YAML, judging by its path.
fn is_yaml_plan(db: &dyn Db, file: File) -> bool {
    matches!(file.path(db).extension(), Some("yaml" | "yml"))
        && module_file(db, file).is_some_and(|it| it.folder() == Some("plans"))
}

/// Returns the names in a plan in YAML that refer to nothing; none for other files.
pub fn check_yaml_plan(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let mut plan = Plan {
        db,
        file,
        environment: environment_of(db, file),
        known: BTreeSet::new(),
        findings: Vec::new(),
    };
    let source = source_text(db, file);
    if !is_yaml_plan(db, file) || source.error().is_some() {
        return plan.findings;
    }
    let Ok(document) = parse_yaml(source.text(), Permitted::DATA) else { return plan.findings };
    for (key, _, value, places) in document.entries().into_iter().flatten() {
        match key.as_str() {
            Some("parameters") => plan.parameters(value, places),
            Some("steps") => plan.steps(value, places),
            _ => {}
        }
    }
    for (key, _, value, places) in document.entries().into_iter().flatten() {
        if key.as_str() == Some("return") {
            plan.variables(value, places);
        }
    }
    plan.findings
}

struct Plan<'db> {
    db: &'db dyn Db,
    file: File,
    environment: Environment,
    /// The variables that are set so far: parameters, and the results of steps.
    known: BTreeSet<String>,
    findings: Vec<Diagnostic>,
}

impl Plan<'_> {
    fn report(&mut self, rule: &'static Rule, range: TextRange, message: String, meant: Option<&str>) {
        let mut finding = Diagnostic::new(rule, Level::Error, self.file.id(self.db), range, message);
        finding.label = Some(match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "not found".to_owned(),
        });
        self.findings.push(finding);
    }

    fn parameters(&mut self, value: &Value, places: &Places) {
        for (name, _, parameter, places) in places.entries(value).into_iter().flatten() {
            self.known.extend(name.as_str().map(str::to_owned));
            for (key, _, value, places) in places.entries(parameter).into_iter().flatten() {
                if key.as_str() == Some("type")
                    && let Some(missing) = value.as_str().and_then(|it| missing_type(self.db, self.file, it))
                    && !bolt::is_type(missing)
                {
                    let message = format!("there is no type `{missing}`");
                    self.report(rules::UNRESOLVED_TYPE, places.range, message, None);
                }
            }
        }
    }

    fn steps(&mut self, value: &Value, places: &Places) {
        let (Value::Array(steps), Inner::Elements(inner)) = (value, &places.inner) else { return };
        for (step, places) in steps.iter().zip(inner.iter()) {
            let get = |wanted: &str| {
                let mut entries = places.entries(step)?;
                entries
                    .find(|it| it.0.as_str() == Some(wanted))
                    .map(|(_, at, value, places)| (at, value, places))
            };
            self.variables(step, places);
            if let Some((_, Value::String(name), at)) = get("task") {
                self.task(name, at.range, get("parameters").map(|it| (it.1, it.2)));
            }
            if let Some((_, Value::String(name), at)) = get("plan") {
                self.plan(name, at.range, get("parameters").map(|it| (it.1, it.2)));
            }
            if let Some((_, Value::String(name), _)) = get("name") {
                self.known.insert(name.to_string());
            }
        }
    }

    fn task(&mut self, name: &str, at: TextRange, parameters: Option<(&Value, &Places)>) {
        if is_computed(name) {
            return;
        }
        let (db, environment) = (self.db, self.environment);
        // Bolt brings modules of its own.
        if module_folder(db, environment, module_of(&normalized(name)).into()).is_none() {
            return;
        }
        match task(db, self.file, environment, name) {
            TaskName::Missing => {
                let name = normalized(name);
                let meant = nearest_task(db, environment, &name);
                let message = format!("there is no task `{name}`");
                self.report(rules::UNRESOLVED_TASK, at, message, meant.as_deref());
            }
            TaskName::Found(Some(metadata)) => {
                if let Some(declared) = task_parameters(db, metadata) {
                    self.task_parameters(name, at, metadata, declared, parameters);
                }
            }
            TaskName::Found(None) | TaskName::Unknown => {}
        }
    }

    fn task_parameters(
        &mut self,
        name: &str,
        at: TextRange,
        metadata: File,
        declared: &[TaskParameter],
        parameters: Option<(&Value, &Places)>,
    ) {
        let mut given = Vec::new();
        if let Some((value, places)) = parameters {
            // The hash may be computed.
            let Some(entries) = places.entries(value) else { return };
            given.extend(entries.filter_map(|(key, at, ..)| Some((key.as_str()?, at))));
        }
        let of = format!("task `{name}`");
        self.unknown(&of, &given, &declared.iter().map(|it| it.name.as_str()).collect::<Vec<_>>());
        let takes_nothing = |it: &TaskParameter| {
            let text = it.type_text.as_ref();
            text.and_then(|text| type_of_text(self.db, metadata, text, &LocalTypes::default()))
                .is_none_or(|it| !refused(&Type::undef(), &it) || matches!(it.kind(), TypeKind::Any))
        };
        let is_given = |it: &TaskParameter| {
            given.iter().any(|(name, _)| it.name == **name || nearest(name, [it.name.as_str()]).is_some())
        };
        let lacking = declared.iter().find(|it| !it.has_default && !is_given(it) && !takes_nothing(it));
        if let Some(lacking) = lacking {
            let message = format!("{of} needs a value for parameter `{}`", lacking.name);
            let mut finding =
                Diagnostic::new(rules::MISSING_PARAMETER, Level::Error, self.file.id(self.db), at, message);
            finding.label = Some(format!("without `{}`", lacking.name));
            self.findings.push(finding);
        }
    }

    fn plan(&mut self, name: &str, at: TextRange, parameters: Option<(&Value, &Places)>) {
        let db = self.db;
        if is_computed(name) {
            return;
        }
        match look_up(db, self.file, NameKind::Plan, name) {
            Lookup::Found(item) => {
                let given: Vec<_> = parameters
                    .and_then(|(value, places)| places.entries(value))
                    .into_iter()
                    .flatten()
                    .filter_map(|(key, at, ..)| Some((key.as_str()?, at)))
                    .collect();
                let declared: Vec<&str> =
                    item.signature(db).parameters.iter().map(|it| it.name.as_str()).collect();
                self.unknown(&format!("plan `{name}`"), &given, &declared);
            }
            Lookup::Missing if !self.is_in_yaml(name) => {
                let name = normalized(name);
                let meant = nearest_definition(db, self.environment, NameKind::Plan, &name);
                let meant = meant.map(|it| it.name(db).to_string());
                self.report(
                    rules::UNRESOLVED_TASK,
                    at,
                    format!("there is no plan `{name}`"),
                    meant.as_deref(),
                );
            }
            Lookup::Missing | Lookup::Unknown => {}
        }
    }

    /// Whether a plan of this name is written in YAML.
    fn is_in_yaml(&self, name: &str) -> bool {
        let name = normalized(name);
        let Some(folder) = module_folder(self.db, self.environment, module_of(&name).into()) else {
            return true;
        };
        let plan = name.split_once("::").map_or("init".to_owned(), |(_, rest)| rest.replace("::", "/"));
        ["yaml", "yml"].iter().any(|ending| {
            let path = folder.join("plans").join(Utf8Path::new(&format!("{plan}.{ending}")));
            self.db.files().file(self.db, &path).status(self.db) != FileStatus::Missing
        })
    }

    /// Reports the parameters that a task or a plan doesn't have. Those with an underscore are options of Bolt itself.
    fn unknown(&mut self, of: &str, given: &[(&str, TextRange)], declared: &[&str]) {
        for (name, at) in given.iter().filter(|it| !it.0.starts_with('_') && !declared.contains(&it.0)) {
            let message = format!("{of} has no parameter `{name}`");
            self.report(rules::UNKNOWN_PARAMETER, *at, message, nearest(name, declared.iter().copied()));
        }
    }

    /// Checks the variables in the strings of a value: those that start with `$`, without quotes, and the interpolated ones in double
    /// quotes. Blocks of text are code, and have variables of their own.
    fn variables(&mut self, value: &Value, places: &Places) {
        match (value, &places.inner) {
            (Value::String(text), _) => self.text(text, places.range),
            (Value::Array(elements), Inner::Elements(inner)) => {
                elements.iter().zip(inner.iter()).for_each(|(it, places)| self.variables(it, places));
            }
            _ => {
                for (_, _, value, places) in places.entries(value).into_iter().flatten() {
                    self.variables(value, places);
                }
            }
        }
    }

    fn text(&mut self, text: &str, range: TextRange) {
        let source = &source_text(self.db, self.file).text()[range];
        let names: Vec<(usize, &str)> = match source.chars().next() {
            Some('"') => source.match_indices("${").map(|(at, _)| (at + 2, &source[at + 2..])).collect(),
            Some('$') if text.starts_with('$') => vec![(1, &source[1..])],
            _ => return,
        };
        for (at, rest) in names {
            let is_part = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
            let name = &rest[..rest.find(|it: char| !is_part(it)).unwrap_or(rest.len())];
            let is_qualified = rest[name.len()..].starts_with("::");
            let is_set = self.known.contains(name) || matches!(name, "facts" | "trusted" | "server_facts");
            // Other expressions, such as calls, start with a name, too.
            let is_variable = rest[name.len()..].chars().next().is_none_or(|it| "}[.\" \n".contains(it));
            if !name.starts_with(|it: char| it.is_ascii_lowercase()) || is_qualified || is_set || !is_variable
            {
                continue;
            }
            let start = range.start() + TextSize::try_from(at).unwrap_or_default();
            let meant = nearest(name, self.known.iter().map(String::as_str)).map(str::to_owned);
            let message = format!("nothing sets the variable `${name}`");
            self.report(
                rules::UNRESOLVED_VARIABLE,
                TextRange::at(start, TextSize::of(name)),
                message,
                meant.map(|it| format!("${it}")).as_deref(),
            );
        }
    }
}

/// Whether a name is computed.
fn is_computed(name: &str) -> bool {
    name.contains('$')
}
