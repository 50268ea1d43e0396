//! The interpreter: a tree walk over bodies.

mod assign;
mod block;
mod bounds;
mod call;
mod checkpoint;
mod closure;
mod control;
mod data_trace;
mod hiera;
mod host;
mod load;
mod operator;
mod scope;
mod skipped_type;
mod spending;
mod template;
mod text;
mod tracing;
mod type_set;
mod types;
mod unknown;
mod variable;

pub(crate) use assign::refuse_reserved;
pub(crate) use call::{Block, argument_types};
pub(crate) use closure::Signature;
pub use data_trace::{DataFound, DataTrace};
pub(crate) use load::redefined;
pub use load::{Unit, UnitSource};
pub use operator::binary_operator;
pub(crate) use operator::known_instance;
pub(crate) use scope::{Env, Frame, Scope};
pub(crate) use spending::spent;
pub(crate) use template::Template;
pub(crate) use tracing::Tracing;
pub(crate) use types::denotes_type;
pub(crate) use unknown::Truth;
pub use unknown::Undecided;

use marotte_diagnostics::{Rule, issues, rules};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;
use marotte_hir::body::{Expr, FrameId};
use marotte_hir::{Body, ExprId};
use marotte_pcore::budget::Budget;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::effort;
use marotte_pcore::ops;
use marotte_pcore::regexp::{Regexp, RegexpError};
use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Integer, Value};
use marotte_ruby_eval::program::Program;
use marotte_text::Str;

use crate::ruby::{Overload, RubyApi};
use crate::{Effect, Effects, EvaluationError, Log, Place, Requests, Settings, Unwind};
use load::Loaded;

/// The result of an evaluation.
pub(crate) type Evaluated<T = Value> = Result<T, Unwind>;

/// The stack that must be left before an expression or a call is evaluated, and the amount added if it is not. The
/// remaining stack suffices for operations of pcore on values and types of maximal nesting.
const STACK_LEFT: usize = 4 << 20;
const STACK_MORE: usize = 16 << 20;

/// The maximal number of cached compiled regular expressions.
const REMEMBERED_REGEXPS: usize = 10_000;

/// Runs a recursive function with enough stack.
pub(crate) fn with_stack<T>(body: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK_LEFT, STACK_MORE, body)
}

/// The identity of a lambda: its body's address, and its frame in the body.
type LambdaKey = (*const Body, FrameId);

/// The signature of a lambda, with its body, which is kept alive so that its address stays unique.
type KnownSignature = (Arc<Body>, Rc<Signature>);

/// Evaluates programs, one after the other, in one top scope.
pub struct Interpreter<'w> {
    pub(crate) settings: Settings,
    pub(crate) requests: &'w dyn Requests,
    effects: &'w mut dyn Effects,
    /// The top scope of the evaluation.
    pub(crate) top: Rc<Scope>,
    loaded: Loaded,
    regexps: HashMap<Str, Regexp>,
    signatures: HashMap<LambdaKey, KnownSignature>,
    depth: usize,
    /// The number of types whose definitions are being evaluated.
    defining: usize,
    iterations: u64,
    /// The total number of elements of the collections created by expressions.
    copies: u64,
    budget: Budget,
    /// The number of steps until the next check for interruption.
    until_asked: u32,
    /// The number of steps of walks counted so far.
    walked: u64,
    /// The issues of the warnings that are given only once.
    said: HashSet<&'static Rule>,
    /// The catalog under construction, if there is one.
    pub(crate) catalog: Option<Box<crate::catalog::State>>,
    /// The recorder of provenance. None unless recording was requested.
    pub(crate) tracing: Option<Box<Tracing>>,
    /// The state of data lookups.
    data: hiera::Data,
    /// The classes, files and objects of Ruby code; None before the first use of Ruby.
    pub(crate) ruby: Option<Rc<marotte_ruby_eval::World>>,
    /// The number of calls of Ruby code so far.
    pub(crate) ruby_calls: usize,
    /// The programs and the calls of functions that are being evaluated, the outermost first. Those of programs have no
    /// expression.
    pub(crate) calls: Vec<crate::Place>,
    /// The number of effects so far.
    changes: u64,
    /// Whether nothing is logged: code is only searched for its possible effects.
    pub(crate) is_quiet: bool,
    /// The failures of workers that have already been reported.
    pub(crate) failures: HashSet<String>,
    /// The paths of ERB templates, by the names that code uses. Files stay the same during an evaluation.
    pub(crate) template_paths: HashMap<Str, Str>,
    /// ERB templates of files, by their paths.
    pub(crate) templates: HashMap<Str, Arc<Program>>,
    /// ERB templates that are given as text, by their text.
    pub(crate) inline_templates: HashMap<Str, Arc<Program>>,
    /// The signatures of functions of the 4.x API with parsed types, by the numbers of the functions.
    pub(crate) overloads: HashMap<u32, Rc<[Overload]>>,
    /// The functions that were found to be written in Ruby, and loaded.
    pub(crate) loaded_ruby: HashMap<Str, RubyApi>,
    /// The strings, as they were, that Ruby code has changed in place in the call that is being evaluated.
    pub(crate) changed_texts: HashSet<Str>,
    /// The arrays and hashes, as they are now, that Ruby code has changed in place in the calls that are being evaluated.
    pub(crate) changed_values: Vec<Value>,
    /// The changes in place of values by Ruby code so far.
    pub(crate) value_changes: Vec<crate::ruby::ValueChange>,
    /// Type aliases of the Ruby function whose types are being read, by name in lower case.
    pub(crate) local_types: HashMap<Str, Type>,
}

impl<'w> Interpreter<'w> {
    /// Creates an interpreter whose top scope has no variables but those that requests provide.
    pub fn new(
        settings: Settings,
        requests: &'w dyn Requests,
        effects: &'w mut dyn Effects,
    ) -> Interpreter<'w> {
        let budget = Budget::new(settings.limits.budget, requests.memory());
        Interpreter {
            settings,
            requests,
            effects,
            top: Rc::new(Scope::top()),
            loaded: Loaded::default(),
            regexps: HashMap::default(),
            signatures: HashMap::default(),
            depth: 0,
            defining: 0,
            iterations: 0,
            copies: 0,
            budget,
            until_asked: 1,
            walked: effort::taken(),
            said: HashSet::new(),
            catalog: None,
            tracing: None,
            data: hiera::Data::default(),
            ruby: None,
            ruby_calls: 0,
            calls: Vec::new(),
            changes: 0,
            is_quiet: false,
            failures: HashSet::new(),
            template_paths: HashMap::default(),
            templates: HashMap::default(),
            inline_templates: HashMap::default(),
            overloads: HashMap::default(),
            loaded_ruby: HashMap::default(),
            changed_texts: HashSet::default(),
            changed_values: Vec::new(),
            value_changes: Vec::new(),
            local_types: HashMap::default(),
        }
    }

    /// The dialect of the programs.
    pub fn dialect(&self) -> &'static Dialect {
        self.settings.dialect
    }

    /// Sets a variable of the top scope, unless it is set already.
    pub fn define(&mut self, name: &str, value: Value) {
        self.top.set(name, value);
    }

    /// The names of the variables that programs have set in the top scope.
    pub fn variables(&self) -> Vec<Str> {
        self.top.names()
    }

    /// The value of a variable that programs have set in the top scope.
    pub fn value_of(&self, name: &str) -> Option<Value> {
        self.top.get(name)
    }

    pub(crate) fn emit(&mut self, effect: Effect) {
        if self.is_quiet && matches!(effect, Effect::Log(_)) {
            return;
        }
        self.changes += 1;
        self.effects.emit(effect);
    }

    /// Counts an effect on variables or the catalog.
    pub(crate) fn note_change(&mut self) {
        self.changes += 1;
    }

    /// Returns a number that changes with each effect on logs, variables and the catalog.
    pub(crate) fn effects_so_far(&self) -> (u64, usize) {
        (self.changes, self.catalog.as_ref().map_or(0, |it| it.size()))
    }

    /// Logs a warning about the program.
    pub(crate) fn warn(&mut self, issue: &'static Rule, message: String, place: Place) {
        let log = Log {
            level: crate::Level::Warning,
            message,
            issue: Some(issue),
            place: Some(place),
            scope: None,
        };
        self.emit(Effect::Log(log));
    }

    /// Warns of a deprecated feature: once, however often the program uses it.
    pub(crate) fn warn_once(&mut self, issue: &'static Rule, message: &str, place: Place) {
        if !self.is_quiet && self.said.insert(issue) {
            self.warn(issue, message.to_owned(), place);
        }
    }

    /// Evaluates an expression of the current body.
    pub(crate) fn eval(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated {
        // Most expressions are leaves, and need no stack.
        let expr = env.code.body.expr(id);
        Ok(match expr {
            Expr::Undef | Expr::Definition => Value::Undef,
            Expr::Default => Value::Default,
            Expr::Boolean(value) => Value::Boolean(*value),
            Expr::Integer(value) => Value::from(*value),
            Expr::LargeInteger { digits, radix } => {
                Value::Integer(Integer::from_digits(digits, u32::from(*radix)).unwrap_or_else(|| 0.into()))
            }
            Expr::Float(value) => Value::Float(*value),
            Expr::String(text) => Value::String(text.clone()),
            Expr::Regexp(source) => Value::Regexp(self.regexp(env, id, source)?),
            Expr::Variable(variable) => return self.read(env, variable, id),
            _ => {
                self.step(env, id)?;
                let since = self.changes_in_place();
                let result = with_stack(|| self.eval_inner(env, id, expr));
                self.settle_locals(env, since)?;
                let value = match result {
                    Err(Unwind::Undecided(it)) => return self.skip(env, id, it),
                    result => self.settled(since, result?)?,
                };
                self.check_bounds(env, id, &value)?;
                self.count_copies(env, id, expr, &value)?;
                value
            }
        })
    }

    fn eval_inner(&mut self, env: &Env<'_>, id: ExprId, expr: &Expr) -> Evaluated {
        match expr {
            Expr::Reference(name) => self.reference(env, id, name),
            Expr::Interpolated(segments) => self.interpolate(env, id, segments),
            Expr::Heredoc { syntax, text } => self.heredoc(env, id, syntax, *text),
            Expr::Array(elements) => Ok(Value::Array(self.unfold(env, elements)?.into())),
            Expr::Hash(entries) => {
                let mut hash = Hash::default();
                let mut unknown_key = None;
                for (key, value) in entries {
                    let key = self.eval(env, *key)?;
                    let value = self.eval(env, *value)?;
                    if matches!(key, Value::Array(_) | Value::Hash(_)) {
                        self.spend_walk(&key, 1)?;
                    }
                    match key.unknown() {
                        Some(by) => unknown_key = Some(by),
                        None => {
                            hash.insert(key, value);
                        }
                    }
                }
                Ok(unknown_key.map_or_else(|| Value::Hash(Arc::new(hash)), Value::Unknown))
            }
            Expr::Not(operand) => Ok(match self.truth(env, *operand)? {
                Truth::Known(it) => Value::Boolean(!it),
                unknown @ Truth::Unknown(_) => unknown.into_value(),
            }),
            Expr::Minus(operand) => self.minus(env, id, *operand),
            Expr::Splat(operand) => Ok(Value::Array(self.splat(env, *operand)?.into())),
            Expr::And(left, right) => self.junction(env, id, false, [*left, *right]),
            Expr::Or(left, right) => self.junction(env, id, true, [*left, *right]),
            Expr::Binary(binary) => self.binary(env, id, binary),
            Expr::Assign { target, op, value } => self.assignment(env, id, target, *op, *value),
            Expr::Access { target, keys } => self.access(env, id, *target, keys),
            Expr::Selector(selector) => self.selector(env, selector),
            Expr::Call(call) => self.call(env, id, call),
            Expr::MethodCall(call) => self.method_call(env, id, call),
            Expr::If(choice) => self.choose(env, choice, true),
            Expr::Unless(choice) => self.choose(env, choice, false),
            Expr::Case(case) => self.case(env, case),
            Expr::RenderText(text) => self.render_text(env, id, text),
            Expr::Render(block) => self.render(env, block),
            Expr::Relationship { .. }
            | Expr::Resource(_)
            | Expr::ResourceDefaults(..)
            | Expr::ResourceOverride(..)
            | Expr::Collector(_)
            | Expr::Apply(..) => self.catalog_expression(env, id, expr),
            Expr::Reserved(word) => Err(self.fail(
                env,
                id,
                rules::RESERVED_WORD,
                format!("Use of reserved word: {word}, must be quoted if intended to be a String value"),
            )),
            Expr::Missing => {
                Err(self.fail(env, id, rules::SYNTAX_ERROR, "this could not be read".to_owned()))
            }
            Expr::Undef
            | Expr::Definition
            | Expr::Default
            | Expr::Boolean(_)
            | Expr::Integer(_)
            | Expr::LargeInteger { .. }
            | Expr::Float(_)
            | Expr::String(_)
            | Expr::Regexp(_)
            | Expr::Variable(_) => self.eval(env, id),
        }
    }

    /// Evaluates statements; the value is that of the last one.
    pub(crate) fn statements(&mut self, env: &Env<'_>, statements: &[ExprId]) -> Evaluated {
        let Some((last, others)) = statements.split_last() else { return Ok(Value::Undef) };
        for (index, it) in others.iter().enumerate() {
            self.eval(env, *it).map_err(|unwind| match unwind {
                Unwind::Undecided(it) => {
                    self.skip_rest(env, statements.get(index + 1..).unwrap_or_default(), it)
                }
                other => other,
            })?;
        }
        self.eval(env, *last)
    }

    /// Whether an expression is true (B44, D94), where that decides which code is evaluated.
    fn test(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<bool> {
        match self.truth(env, id)? {
            Truth::Known(it) => Ok(it),
            Truth::Unknown(by) => Err(self.undecided(env, id, by)),
        }
    }

    /// Whether an expression is true, if that is known.
    fn truth(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Truth> {
        let value = self.eval(env, id)?;
        Ok(match value {
            // Strings are true, except empty ones in some dialects.
            Value::Unknown(by)
                if by.is_truthy() && (!by.is_text() || self.dialect().evaluation.empty_string_is_true) =>
            {
                Truth::Known(true)
            }
            Value::Unknown(by) => Truth::Unknown(by),
            value => Truth::Known(self.is_true(&value)),
        })
    }

    /// Evaluates `and` or `or`: an operand whose truth is `decisive` determines the result.
    fn junction(&mut self, env: &Env<'_>, id: ExprId, decisive: bool, operands: [ExprId; 2]) -> Evaluated {
        let [left, right] = operands;
        match self.truth(env, left)? {
            Truth::Known(it) if it == decisive => Ok(Value::Boolean(it)),
            Truth::Known(_) => Ok(self.truth(env, right)?.into_value()),
            Truth::Unknown(by) => Err(self.undecided(env, id, by)),
        }
    }

    /// Whether a value is true in the dialect.
    pub(crate) fn is_true(&self, value: &Value) -> bool {
        value.is_truthy() && (self.dialect().evaluation.empty_string_is_true || value.as_str() != Some(""))
    }

    /// Evaluates expressions, with splats unfolded (B21).
    pub(crate) fn unfold(&mut self, env: &Env<'_>, ids: &[ExprId]) -> Evaluated<Vec<Value>> {
        let since = self.changes_in_place();
        let mut values = Vec::with_capacity(ids.len());
        for id in ids {
            if let Expr::Splat(operand) = env.code.body.expr(*id) {
                values.extend(self.splat(env, *operand)?);
            } else {
                values.push(self.eval(env, *id)?);
            }
        }
        self.settled_all(since, values)
    }

    /// Evaluates the elements that `*x` unfolds to (B21).
    fn splat(&mut self, env: &Env<'_>, operand: ExprId) -> Evaluated<Vec<Value>> {
        let value = self.eval(env, operand)?;
        if let Value::Unknown(by) = value {
            return Err(self.undecided(env, operand, by));
        }
        ops::splat(&value).map_err(|error| self.operation_error(env, operand, operand, error))
    }

    /// The regular expression of a pattern; compiled once.
    pub(crate) fn regexp(&mut self, env: &Env<'_>, id: ExprId, source: &Str) -> Evaluated<Regexp> {
        self.compiled(source).map_err(|error| self.fail(env, id, rules::INVALID_REGEX, error.to_string()))
    }

    /// The regular expression of a source; compiled once, as long as it stays in the cache.
    pub(crate) fn compiled(&mut self, source: &str) -> Result<Regexp, RegexpError> {
        if let Some(regexp) = self.regexps.get(source) {
            return Ok(regexp.clone());
        }
        /// The cost of compiling one, in steps of expressions.
        const REGEXP: u64 = 3_000;
        // An exhausted budget is noticed at the next step.
        let _ = self.budget.spend(REGEXP);
        let regexp = with_stack(|| Regexp::in_dialect(self.dialect(), source))?;
        if self.regexps.len() == REMEMBERED_REGEXPS {
            self.regexps.clear();
        }
        self.regexps.insert(source.into(), regexp.clone());
        Ok(regexp)
    }

    /// Creates an error at an expression.
    pub(crate) fn fail(&self, env: &Env<'_>, id: ExprId, issue: &'static Rule, message: String) -> Unwind {
        EvaluationError::new(issue, message).at(env.place(id)).into()
    }

    /// Creates an error about the operation of an expression: it names the expression.
    pub(crate) fn fail_during(
        &self,
        env: &Env<'_>,
        id: ExprId,
        during: &'static str,
        message: String,
    ) -> Unwind {
        let error = EvaluationError { during: Some(during), ..EvaluationError::runtime(message) };
        error.at(env.place(id)).into()
    }

    /// Enters a nested call, or fails if calls are nested too deeply.
    pub(crate) fn deeper<T>(
        &mut self,
        place: impl FnOnce() -> Place,
        body: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let limit = self.settings.limits.call_depth;
        if self.depth >= limit {
            let message = format!("calls are nested more than {limit} levels deep; does one lead to itself?");
            return Err(EvaluationError::new(issues::CALL_DEPTH_LIMIT, message).at(place()).into());
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    /// Counts a call of a lambda, or fails if there are too many.
    pub(crate) fn count_iteration(&mut self, place: impl FnOnce() -> Place) -> Evaluated<()> {
        self.iterations += 1;
        self.spend(2)?;
        let limit = self.settings.limits.iterations;
        if self.iterations > limit {
            let message = format!("lambdas were called more than {limit} times; does the program end?");
            return Err(EvaluationError::new(issues::ITERATION_LIMIT, message).at(place()).into());
        }
        Ok(())
    }
}
