//! Programs, run.

use std::sync::Arc;

use marotte_eval::{
    Effect, Interpreter, NoRequests, ReadError, Requests, Settings, TemplateFile, Unit, UnitSource,
};
use marotte_hir::lower;
use marotte_pcore::ops::Strictness;
use marotte_pcore::print::literal;
use marotte_pcore::time::Timestamp;
use marotte_pcore::value::{Hash, Value};
use marotte_syntax::{Mode, SyntaxErrorKind, parse};
use marotte_text::Str;

use super::Program;

/// Runs programs in one and the same node.
pub struct Runner {
    surroundings: Surroundings,
}

impl Runner {
    /// A runner for a node with these facts: a JSON object.
    ///
    /// # Errors
    /// If it is none.
    pub fn new(facts: &str) -> Result<Runner, serde_json::Error> {
        let facts = match value(&serde_json::from_str(facts)?) {
            Value::Hash(facts) => facts,
            _ => Arc::default(),
        };
        Ok(Runner { surroundings: Surroundings { facts } })
    }

    /// The logs of a program, then its value or error, as chapters write them.
    pub fn run(&self, program: &Program) -> String {
        let settings = settings(program);
        let parsed = parse(&program.source, Mode::default());
        let mut lines = Vec::new();
        for error in &parsed.errors {
            match (settings.strictness_of(&error.kind), &error.kind) {
                (Strictness::Error, _) => return "✗ refused when it is read".to_owned(),
                (Strictness::Warning, SyntaxErrorKind::DuplicateKey { key, .. }) => {
                    lines.push(format!("warning: The key '{key}' is declared more than once"));
                }
                // Other warnings are recorded where texts are read.
                _ => {}
            }
        }
        let lowered = Arc::new(lower(&parsed.program));
        let source = UnitSource::Text("program".into(), program.source.as_str().into());
        let mut effects = Vec::new();
        let mut interpreter = Interpreter::new(settings, &self.surroundings, &mut effects);
        let result = interpreter.run_unit(&Unit { lowered, source });
        drop(interpreter);
        lines.extend(effects.iter().map(|Effect::Log(log)| format!("{}: {}", log.level, log.message)));
        lines.push(match result {
            Ok(value) => literal(&value),
            Err(error) => format!("✗ {}", error.message),
        });
        lines.join(" · ").replace('\n', "⏎")
    }
}

fn settings(program: &Program) -> Settings {
    let mut settings = Settings::default();
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

/// What programs of chapters find around them.
pub struct Surroundings {
    facts: Arc<Hash>,
}

impl Requests for Surroundings {
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
        self.fact(name)
    }

    fn fact(&self, name: &str) -> Option<Value> {
        self.facts.get_str(name).cloned()
    }

    fn setting(&self, _: &str) -> Option<Value> {
        None
    }

    fn function(&self, _: &str) -> Result<Option<marotte_eval::Code>, ReadError> {
        Ok(None)
    }

    fn type_alias(&self, _: &str) -> Result<Option<(Str, marotte_eval::Code)>, ReadError> {
        Ok(None)
    }

    fn is_resource_type(&self, name: &str) -> bool {
        matches!(name, "notify" | "file" | "user" | "group" | "exec" | "package" | "service")
    }

    fn template(&self, _: &str) -> Result<Option<TemplateFile>, ReadError> {
        Ok(None)
    }

    fn find_file(&self, _: &str, _: &str) -> Result<Option<Str>, ReadError> {
        Ok(None)
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        Err(ReadError(format!("no file {path}")))
    }

    fn module_directory(&self, _: &str) -> Option<Str> {
        None
    }

    fn execute(&self, _: &[&str]) -> Result<String, ReadError> {
        Err(ReadError("commands are not run".to_owned()))
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
