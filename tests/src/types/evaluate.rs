//! Evaluates the expressions in rows with the interpreter.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use marotte_eval::{
    Code, CommandError, DataSource, Effect, Effects, Interpreter, Level, NoRequests, ReadError, Requests,
    Settings, TemplateFile, Unit, UnitSource,
};
use marotte_hir::{lower, mode_in};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::new::ConversionHost;
use marotte_pcore::ops::Strictness;
use marotte_pcore::print::literal;
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_syntax::parse;
use marotte_text::Str;

/// The reason why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Evaluates expressions with the aliases of a page.
#[derive(Clone)]
pub struct Evaluator {
    /// The dialect of the expressions.
    pub dialect: &'static Dialect,
    /// The handling of strings that are used as numbers.
    strict: Strictness,
    /// A program that defines the aliases.
    aliases: String,
}

impl Evaluator {
    /// Creates an evaluator with these aliases: lines `type Name = …`.
    ///
    /// # Errors
    /// If one of them can't be parsed.
    pub fn new<'l>(
        dialect: &'static Dialect,
        lines: impl Iterator<Item = &'l str>,
    ) -> Result<Evaluator, Failure> {
        let aliases: String = lines.map(|line| format!("{line}\n")).collect();
        let evaluator = Evaluator { dialect, strict: Strictness::default(), aliases };
        evaluator.session(|_| Ok(()))?;
        Ok(evaluator)
    }

    /// Returns the evaluator with another handling of strings that are used as numbers.
    pub(super) fn with_strictness(self, strict: Strictness) -> Evaluator {
        Evaluator { strict, ..self }
    }

    /// Evaluates several expressions: an alias is the same type in all of them.
    ///
    /// # Errors
    /// The errors of `ask`.
    pub fn session<T>(&self, ask: impl FnOnce(&Session<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let strict = self.strict;
        let settings = Settings { strict, ..Settings::of(self.dialect) };
        let mut log = Log::default();
        let warnings = log.0.clone();
        let interpreter = RefCell::new(Interpreter::new(settings, &Rows, &mut log));
        let session = Session { dialect: self.dialect, interpreter, warnings };
        session.run(&self.aliases)?;
        ask(&session)
    }

    /// Evaluates one expression.
    ///
    /// # Errors
    /// The error that the language reports.
    pub fn evaluate(&self, source: &str) -> Result<Value, Failure> {
        self.session(|it| it.evaluate(source))
    }

    /// Evaluates one expression that denotes a type.
    ///
    /// # Errors
    /// If its value isn't a type, or if it has none.
    pub fn evaluate_type(&self, source: &str) -> Result<Type, Failure> {
        self.session(|it| it.evaluate_type(source))
    }
}

/// An interpreter with the aliases.
pub struct Session<'w> {
    /// The dialect of the expressions.
    pub dialect: &'static Dialect,
    interpreter: RefCell<Interpreter<'w>>,
    warnings: Rc<RefCell<Vec<String>>>,
}

impl Session<'_> {
    /// Evaluates an expression.
    ///
    /// # Errors
    /// The error that the language reports.
    pub fn evaluate(&self, source: &str) -> Result<Value, Failure> {
        self.run(source)
    }

    /// Evaluates an expression that denotes a type.
    ///
    /// # Errors
    /// If its value isn't a type, or if it has none.
    pub fn evaluate_type(&self, source: &str) -> Result<Type, Failure> {
        match self.evaluate(source)? {
            Value::Type(it) => Ok(it),
            other => Err(Failure(format!("{} is not a type", literal(&other)))),
        }
    }

    /// Takes the warnings since the last call.
    pub(super) fn warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    fn run(&self, program: &str) -> Result<Value, Failure> {
        let parsed = parse(program, mode_in(self.dialect, false));
        if parsed.errors.iter().any(|it| !it.kind.is_warning()) {
            return Err(Failure(format!("refused when it is read: {program}")));
        }
        let source = UnitSource::Text("row".into(), program.into());
        let unit = Unit { lowered: Arc::new(lower(&parsed.program)), source };
        self.interpreter.borrow_mut().run_unit(&unit).map_err(|error| Failure(error.message))
    }
}

/// A log of warnings.
#[derive(Default)]
struct Log(Rc<RefCell<Vec<String>>>);

impl Effects for Log {
    fn emit(&mut self, effect: Effect) {
        let Effect::Log(log) = effect;
        if log.level == Level::Warning {
            self.0.borrow_mut().push(log.message);
        }
    }
}

/// An outside in UTC, at the beginning of time, for conversions.
impl ConversionHost for Evaluator {
    fn now(&self) -> Timestamp {
        NoRequests.now()
    }

    fn local_offset(&self) -> LocalOffset {
        NoRequests.local_offset()
    }

    fn parse_type(&self, text: &str) -> Result<Type, String> {
        self.evaluate_type(text).map_err(|failure| failure.to_string())
    }
}

/// The same, with the resource types of every catalog.
struct Rows;

impl DataSource for Rows {
    fn fact(&self, _: &str) -> Option<Value> {
        None
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        NoRequests.read_file(path)
    }
}

impl Requests for Rows {
    fn now(&self) -> Timestamp {
        NoRequests.now()
    }

    fn variable(&self, _: &str) -> Option<Value> {
        None
    }

    fn setting(&self, _: &str) -> Option<Value> {
        None
    }

    fn function(&self, name: &str) -> Result<Option<Code>, ReadError> {
        NoRequests.function(name)
    }

    fn type_alias(&self, name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        NoRequests.type_alias(name)
    }

    fn is_resource_type(&self, name: &str) -> bool {
        ["file", "notify", "user", "exec", "package", "service"].contains(&name)
    }

    fn template(&self, name: &str) -> Result<Option<TemplateFile>, ReadError> {
        NoRequests.template(name)
    }

    fn find_file(&self, folder: &str, name: &str) -> Result<Option<Str>, ReadError> {
        NoRequests.find_file(folder, name)
    }

    fn module_directory(&self, name: &str) -> Option<Str> {
        NoRequests.module_directory(name)
    }

    fn execute(&self, command: &[&str]) -> Result<String, CommandError> {
        NoRequests.execute(command)
    }
}
