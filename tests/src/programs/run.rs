//! Runs the programs of chapters.

use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::{DiskSystem, mode_in};
use marotte_eval::{
    CommandError, DataSource, Effect, Interpreter, NoRequests, ProgramError, ReadError, Requests, RubyFile,
    Settings, TemplateFile, Unit, UnitSource,
};
use marotte_hir::lower;
use marotte_host::{CodeTree, NodeInput};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::ops::Strictness;
use marotte_pcore::print::{literal_in, short_in};
use marotte_pcore::time::Timestamp;
use marotte_pcore::value::{Hash, Value};
use marotte_project::ProjectDatabase;
use marotte_ruby_eval::program::Program as RubyProgram;
use marotte_syntax::{SyntaxErrorKind, parse};
use marotte_text::Str;

use super::Program;

/// Runs programs on the same node.
pub struct Runner {
    context: EvaluationContext,
    folder: Utf8PathBuf,
    dialect: &'static Dialect,
}

impl Runner {
    /// Creates a runner for a node with these facts, a JSON object, and the modules in the folder of the chapters.
    ///
    /// # Errors
    /// If the facts aren't a JSON object, or if the disk can't be read.
    pub fn new(facts: &str, folder: Utf8PathBuf) -> Result<Runner, Box<dyn std::error::Error>> {
        let facts = match value(&serde_json::from_str(facts)?) {
            Value::Hash(facts) => facts,
            _ => Arc::default(),
        };
        let db = ProjectDatabase::frozen(Arc::new(DiskSystem::new()?));
        let tree = CodeTree { module_path: vec![folder.join("modules")], environment: None };
        let project = marotte_host::EvaluationContext::new(db, tree, NodeInput::default());
        Ok(Runner { context: EvaluationContext { facts, project }, folder, dialect: Dialect::puppet8() })
    }

    /// Returns the runner for programs of a dialect.
    pub fn in_dialect(self, dialect: &'static Dialect) -> Runner {
        Runner { dialect, ..self }
    }

    /// Returns the log of a program, then its value or error, as chapters write them.
    pub fn run(&self, program: &Program) -> String {
        let settings = settings(self.dialect, program);
        let parsed = parse(&program.source, mode_in(self.dialect, false));
        let mut lines = Vec::new();
        for error in &parsed.errors {
            match (marotte_eval::strictness_of(settings.strict, &error.kind), &error.kind) {
                (Strictness::Error, _) => return "✗ refused when it is read".to_owned(),
                (Strictness::Warning, SyntaxErrorKind::DuplicateKey { key, .. }) => {
                    lines.push(format!("warning: The key '{key}' is declared more than once"));
                }
                // Other warnings are recorded when texts are parsed.
                _ => {}
            }
        }
        let lowered = Arc::new(lower(&parsed.program));
        let source = UnitSource::Text("program".into(), program.source.as_str().into());
        let mut effects = Vec::new();
        let mut interpreter = Interpreter::new(settings, &self.context, &mut effects);
        let result = interpreter.run_unit(&Unit { lowered, source });
        drop(interpreter);
        lines.extend(effects.iter().map(|Effect::Log(log)| format!("{}: {}", log.level, log.message)));
        lines.push(match result {
            Ok(Value::Type(it)) => short_in(self.dialect, &it),
            Ok(value) => literal_in(self.dialect, &value),
            Err(error) => format!("✗ {}", error.message),
        });
        lines.join(" · ").replace('\n', "⏎").replace(self.folder.as_str(), "‹chapters›")
    }
}

/// The result of a program.
pub struct Outcome {
    /// The value of its last expression; `None` after an error.
    pub value: Option<Value>,
    /// The variables that it has set.
    pub variables: Vec<(Str, Value)>,
}

impl Runner {
    /// Evaluates a program. `None` if it can't be parsed.
    pub fn evaluate(&self, program: &Program) -> Option<Outcome> {
        let settings = settings(self.dialect, program);
        let parsed = parse(&program.source, mode_in(self.dialect, false));
        if !parsed.errors.is_empty() {
            return None;
        }
        let lowered = Arc::new(lower(&parsed.program));
        let source = UnitSource::Text("program".into(), program.source.as_str().into());
        let mut effects = Vec::new();
        let mut interpreter = Interpreter::new(settings, &self.context, &mut effects);
        let value = interpreter.run_unit(&Unit { lowered, source }).ok();
        let names = interpreter.variables().into_iter();
        let variables = names.filter_map(|it| Some((it.clone(), interpreter.value_of(&it)?))).collect();
        Some(Outcome { value, variables })
    }
}

fn settings(dialect: &'static Dialect, program: &Program) -> Settings {
    let mut settings = Settings::of(dialect);
    for (name, value) in &program.settings {
        match (&**name, &**value) {
            ("strict", "off") => settings.strict = Strictness::Off,
            ("strict", "warning") => settings.strict = Strictness::Warning,
            ("strict_variables", value) => settings.strict_variables = value == "true",
            _ => {}
        }
    }
    settings
}

/// The outside of programs in chapters.
pub struct EvaluationContext {
    facts: Arc<Hash>,
    /// The session that provides the modules.
    project: marotte_host::EvaluationContext,
}

impl DataSource for EvaluationContext {
    fn fact(&self, name: &str) -> Option<Value> {
        Some(self.facts.get_str(name).cloned().unwrap_or(Value::Undef))
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.project.host().read_file(path)
    }
}

impl Requests for EvaluationContext {
    fn now(&self) -> Timestamp {
        NoRequests.now()
    }

    fn variable(&self, name: &str) -> Option<Value> {
        if name == "facts" {
            return Some(Value::Hash(self.facts.clone()));
        }
        if name == "trusted" {
            return Some(Value::Hash(Arc::default()));
        }
        self.facts.get_str(name).cloned()
    }

    fn setting(&self, _: &str) -> Option<Value> {
        None
    }

    fn function(&self, name: &str) -> Result<Option<marotte_eval::Code>, ReadError> {
        self.project.host().function(name)
    }

    fn type_alias(&self, name: &str) -> Result<Option<(Str, marotte_eval::Code)>, ReadError> {
        self.project.host().type_alias(name)
    }

    fn is_resource_type(&self, name: &str) -> bool {
        matches!(name, "notify" | "file" | "user" | "group" | "exec" | "package" | "service" | "stage")
    }

    fn template(&self, name: &str) -> Result<Option<TemplateFile>, ReadError> {
        self.project.host().template(name)
    }

    fn find_file(&self, folder: &str, name: &str) -> Result<Option<Str>, ReadError> {
        self.project.host().find_file(folder, name)
    }

    fn module_directory(&self, name: &str) -> Option<Str> {
        self.project.host().module_directory(name)
    }

    fn ruby_program(&self, file: RubyFile<'_>) -> Result<Option<Arc<RubyProgram>>, ProgramError> {
        self.project.host().ruby_program(file)
    }

    fn execute(&self, command: &[&str]) -> Result<String, CommandError> {
        self.project.host().execute(command)
    }
}

fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Undef,
        serde_json::Value::Bool(it) => Value::Boolean(*it),
        serde_json::Value::Number(it) => match it.as_i64() {
            Some(it) => Value::from(it),
            None => Value::Float(it.as_f64().unwrap_or_default()),
        },
        serde_json::Value::String(it) => Value::from(&**it),
        serde_json::Value::Array(it) => Value::Array(it.iter().map(value).collect()),
        serde_json::Value::Object(it) => {
            let entries = it.iter().map(|(key, it)| (Value::from(&**key), value(it)));
            Value::Hash(Arc::new(entries.collect()))
        }
    }
}
