//! Plans of Bolt that are written in YAML: `invalid-plan`, and the rules about names, parameters and types that manifests have, too.

mod code;
mod shape;

use std::collections::BTreeSet;

use marotte_db::{Db, Environment, File, environment_of, module_file, module_folder, source_text};
use marotte_diagnostics::{Diagnostic, Level, Rule, rules};
use marotte_hiera::data::{Inner, Permitted, Places, parse_yaml};
use marotte_hir::NameKind;
use marotte_infer::declared::{LocalTypes, declared, type_of_text};
use marotte_infer::disjoint::refused;
use marotte_pcore::infer::infer_set;
use marotte_pcore::relation::instance_of;
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_resolve::names::{Lookup, look_up, module_of};
use marotte_resolve::spelling::nearest;
use marotte_resolve::suggest::nearest_definition;
use marotte_resolve::tasks::{self, TaskName, TaskParameter, nearest_task, task_parameters};
use marotte_resolve::yaml_plans::{is_for_targets, plan_parameters, yaml_plan};
use marotte_resolve::{bolt, dialect};
use marotte_syntax::{Mode, parse};
use marotte_text::{Str, TextRange, TextSize, normalized};

use self::code::Form;
use self::shape::{Entry, Step};
use super::tasks::missing_type;
use crate::analysis::resources::parameters::needs_value;
use crate::rules::data::invalid_data_file::visible;
use crate::rules::types::mismatch::explain;

/// Whether a file is a plan in YAML, judging by its path.
pub fn is_yaml_plan(db: &dyn Db, file: File) -> bool {
    matches!(file.path(db).extension(), Some("yaml" | "yml"))
        && module_file(db, file).is_some_and(|it| it.folder() == Some("plans"))
}

/// Returns the findings in a plan in YAML; none for other files.
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
    let document = match parse_yaml(source.text(), Permitted::DATA) {
        Ok(document) => document,
        Err(error) => {
            let range = visible(source.text(), error.range);
            plan.report(rules::INVALID_PLAN, range, format!("Bolt cannot read this YAML: {error}"));
            return plan.findings;
        }
    };
    let entries = plan.of_plan(&document.value, &document.places);
    let get = |wanted: &str| entries.iter().find(|it| it.key == wanted).copied();
    if let Some(it) = get("parameters") {
        plan.parameters(it);
    }
    if let Some(it) = get("steps") {
        plan.steps(it);
    }
    if let Some(it) = get("return") {
        plan.code(it.value, it.places);
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

/// A parameter of a task or a plan that a step runs.
struct Declared {
    name: Str,
    /// None if it is unknown.
    expected: Option<Type>,
    is_required: bool,
}

impl Plan<'_> {
    fn report(&mut self, rule: &'static Rule, range: TextRange, message: String) -> &mut Diagnostic {
        self.findings.push(Diagnostic::new(rule, Level::Error, self.file.id(self.db), range, message));
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// Reports a name that refers to nothing.
    fn not_found(&mut self, rule: &'static Rule, range: TextRange, message: String, meant: Option<&str>) {
        self.report(rule, range, message).label = Some(match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "not found".to_owned(),
        });
    }

    /// Returns the first line of a range.
    fn first_line(&self, range: TextRange) -> TextRange {
        let text = &source_text(self.db, self.file).text()[range];
        let line = text.lines().next().unwrap_or_default().trim_end();
        TextRange::at(range.start(), TextSize::of(line))
    }

    fn parameters(&mut self, parameters: Entry<'_>) {
        for (name, at, parameter, places) in parameters.places.entries(parameters.value).into_iter().flatten()
        {
            let Some(name) = name.as_str() else { continue };
            self.known.insert(name.to_owned());
            let entries = self.of_parameter((name, at), parameter, places);
            let get = |wanted: &str| entries.iter().find(|it| it.key == wanted);
            let Some(declared) = get("type").filter(|it| *it.value != Value::Undef) else { continue };
            let Some(text) = declared.value.as_str() else {
                self.report(
                    rules::INVALID_PLAN,
                    declared.places.range,
                    "the type of a parameter is a text".to_owned(),
                );
                continue;
            };
            let program = parse(text, Mode::default());
            let is_type =
                |it: &str| it.trim_start().starts_with(|it: char| it.is_ascii_uppercase() || it == ':');
            if !is_type(text) || program.errors.iter().any(|it| !it.kind.is_warning()) {
                self.report(rules::INVALID_PLAN, declared.places.range, format!("`{text}` is not a type"));
            } else if let Some(missing) =
                missing_type(self.db, self.file, text).filter(|it| !bolt::is_type(it))
            {
                let message = format!("there is no type `{missing}`");
                self.not_found(rules::UNRESOLVED_TYPE, declared.places.range, message, None);
            } else if let Some(default) = get("default") {
                self.default_value(name, text, *default);
            }
        }
    }

    fn default_value(&mut self, name: &str, declared: &str, default: Entry<'_>) {
        let expected = type_of_text(self.db, self.file, declared, &LocalTypes::default());
        let Some(expected) = expected.filter(|_| *default.value != Value::Undef) else { return };
        if let Some(message) = refusal(&format!("the default value of `{name}`"), &expected, default.value) {
            let range = self.first_line(default.places.range);
            self.report(rules::DEFAULT_VALUE_TYPE, range, message);
        }
    }

    fn steps(&mut self, steps: Entry<'_>) {
        let (Value::Array(all), Inner::Elements(inner)) = (steps.value, &steps.places.inner) else { return };
        for (value, places) in all.iter().zip(inner.iter()) {
            // A name is not code.
            let parts = places.entries(value).into_iter().flatten();
            for (_, _, value, places) in parts.filter(|(key, ..)| key.as_str() != Some("name")) {
                self.code(value, places);
            }
            let Some(step) = self.of_step(value, places) else { continue };
            if let Some(task) = step.get("task") {
                self.task(task, &step);
            }
            if let Some(plan) = step.get("plan") {
                self.plan(plan, &step);
            }
            if let Some(Value::String(name)) = step.get("name").map(|it| it.value) {
                self.known.insert(name.to_string());
            }
        }
    }

    fn task(&mut self, task: Entry<'_>, step: &Step<'_>) {
        let Some(name) = task.value.as_str().filter(|it| !is_computed(it)) else { return };
        let (db, environment) = (self.db, self.environment);
        // Bolt brings modules of its own.
        if module_folder(db, environment, module_of(&normalized(name)).into()).is_none() {
            return;
        }
        match tasks::task(db, self.file, environment, name) {
            TaskName::Missing => {
                let name = normalized(name);
                let meant = nearest_task(db, environment, &name);
                let message = format!("there is no task `{name}`");
                self.not_found(rules::UNRESOLVED_TASK, task.places.range, message, meant.as_deref());
            }
            TaskName::Found(Some(metadata)) => {
                if let Some(declared) = task_parameters(db, metadata) {
                    let declared = self.declared(metadata, declared);
                    self.passed(&format!("task `{name}`"), task, &declared, step, false);
                }
            }
            TaskName::Found(None) | TaskName::Unknown => {}
        }
    }

    fn plan(&mut self, plan: Entry<'_>, step: &Step<'_>) {
        let Some(name) = plan.value.as_str().filter(|it| !is_computed(it)) else { return };
        let db = self.db;
        let of = format!("plan `{name}`");
        match (look_up(db, self.file, NameKind::Plan, name), yaml_plan(db, self.environment, name)) {
            (Lookup::Found(item), _) => {
                let types = &declared(db, item).parameters;
                let parameters = item.signature(db).parameters.iter().zip(types);
                let declared: Vec<Declared> = parameters
                    .map(|(it, expected)| Declared {
                        name: it.name.clone(),
                        expected: expected.clone(),
                        is_required: !it.is_optional
                            && it.type_expr.is_some()
                            && expected.as_ref().is_some_and(needs_value),
                    })
                    .collect();
                self.passed(&of, plan, &declared, step, true);
            }
            (Lookup::Missing, Some(file)) => {
                if let Some(declared) = plan_parameters(db, file) {
                    let declared = self.declared(file, declared);
                    self.passed(&of, plan, &declared, step, true);
                }
            }
            (Lookup::Missing, None)
                if module_folder(db, self.environment, module_of(&normalized(name)).into()).is_some() =>
            {
                let name = normalized(name);
                let meant = nearest_definition(db, self.environment, NameKind::Plan, &name);
                let meant = meant.map(|it| it.name(db).to_string());
                let message = format!("there is no plan `{name}`");
                self.not_found(rules::UNRESOLVED_TASK, plan.places.range, message, meant.as_deref());
            }
            _ => {}
        }
    }

    /// The parameters that a file declares.
    fn declared(&self, file: File, parameters: &[TaskParameter]) -> Vec<Declared> {
        let declared = parameters.iter().map(|it| {
            let text = it.type_text.as_ref();
            let expected = text.and_then(|text| type_of_text(self.db, file, text, &LocalTypes::default()));
            Declared {
                name: it.name.clone(),
                is_required: !it.has_default && text.is_some() && expected.as_ref().is_some_and(needs_value),
                expected,
            }
        });
        declared.collect()
    }

    /// Checks what a step passes to a task or a plan. Parameters with an underscore are options of Bolt itself.
    fn passed(&mut self, of: &str, at: Entry<'_>, declared: &[Declared], step: &Step<'_>, is_plan: bool) {
        let parameters = step.get("parameters");
        let entries = parameters.and_then(|it| it.places.entries(it.value));
        let given: Vec<_> = entries
            .into_iter()
            .flatten()
            .filter_map(|(key, at, value, places)| Some((key.as_str()?, at, value, places)))
            .collect();
        let mut meant = Vec::new();
        for (name, at, value, places) in given.iter().filter(|it| !it.0.starts_with('_')) {
            match declared.iter().find(|it| it.name == **name) {
                Some(parameter) => self.value(of, parameter, value, places),
                None => {
                    let nearest = nearest(name, declared.iter().map(|it| it.name.as_str()));
                    meant.extend(nearest);
                    self.not_found(
                        rules::UNKNOWN_PARAMETER,
                        *at,
                        format!("{of} has no parameter `{name}`"),
                        nearest,
                    );
                }
            }
        }
        let is_given = |it: &Declared| {
            let has_targets = is_plan && is_for_targets(&it.name) && step.get("targets").is_some();
            has_targets
                || meant.contains(&it.name.as_str())
                || given.iter().any(|(name, ..)| it.name == **name)
        };
        // The hash may be under another key.
        let is_whole = !step.has_unknown && parameters.is_none_or(|it| matches!(it.value, Value::Hash(_)));
        let lacking = declared.iter().find(|it| it.is_required && !is_given(it)).filter(|_| is_whole);
        if let Some(lacking) = lacking {
            let message = format!("{of} needs a value for parameter `{}`", lacking.name);
            let finding = self.report(rules::MISSING_PARAMETER, at.places.range, message);
            finding.label = Some(format!("without `{}`", lacking.name));
        }
    }

    /// Checks the literal value of a parameter.
    fn value(&mut self, of: &str, parameter: &Declared, value: &Value, places: &Places) {
        let Some(expected) = &parameter.expected else { return };
        if !self.is_literal(value, places) {
            return;
        }
        if let Some(message) = refusal(&format!("parameter `{}` of {of}", parameter.name), expected, value) {
            let range = self.first_line(places.range);
            self.report(rules::PARAMETER_TYPE, range, message);
        }
    }

    /// Whether nothing in a value is evaluated.
    fn is_literal(&self, value: &Value, places: &Places) -> bool {
        match (value, &places.inner) {
            (Value::String(text), _) => {
                let source = &source_text(self.db, self.file).text()[places.range];
                match code::form(source, text) {
                    Form::Literal => true,
                    Form::Interpolated => !text.contains('$'),
                    Form::Expression | Form::Block => false,
                }
            }
            (Value::Array(elements), Inner::Elements(inner)) => {
                elements.iter().zip(inner.iter()).all(|(it, places)| self.is_literal(it, places))
            }
            (Value::Hash(_), _) => places
                .entries(value)
                .into_iter()
                .flatten()
                .all(|(_, _, value, places)| self.is_literal(value, places)),
            _ => true,
        }
    }
}

/// The reason why a value is refused. None if it is of the type, or may be.
fn refusal(subject: &str, expected: &Type, value: &Value) -> Option<String> {
    let given = infer_set(dialect(), value);
    let is_refused = !instance_of(dialect(), expected, value) && refused(&given, expected);
    is_refused.then(|| explain(subject, expected, &given))
}

/// Whether a name is computed.
fn is_computed(name: &str) -> bool {
    name.contains('$')
}
