//! Functions and templates written in Ruby. `ruby_eval` evaluates them; the interpreter is its host.
//!
//! An evaluation has one Ruby world, created on first use: the classes, loaded files and objects in it live as long as
//! the evaluation. Computations that the Ruby interpreter does not implement are requested from outside
//! ([`Requests::extension`](crate::Requests::extension)); without an answer, their value is unknown.

mod block;
mod changes;
mod dispatch;
mod host;
mod outcome;
mod outside;
mod template;

use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_pcore::value::Value;
use marotte_ruby_eval::program::Program;
use marotte_ruby_eval::puppet::{FunctionDefinition, LegacyDefinition};
use marotte_ruby_eval::value::Proc;
use marotte_ruby_eval::{Vm, World};

use crate::functions::{self, Arity};
use crate::interpreter::{Block, Env, Evaluated, Interpreter, with_stack};
use crate::{EvaluationError, ProgramError, ReadError, RubyFile};
pub(crate) use block::RubyBlock;
use block::{GivenBlock, lambda};
pub(crate) use changes::ValueChange;
use dispatch::Choice;
pub(crate) use dispatch::Overload;
use host::RubyHost;
pub(crate) use outcome::Outcome;

/// The result of a Ruby computation, or the reason why it was not evaluated.
pub(crate) type Answer<T = Value> = Result<T, NotEvaluated>;

/// The reason why a Ruby computation has no known result.
pub(crate) enum NotEvaluated {
    /// The outside has no program for it.
    Absent,
    /// The Ruby interpreter does not implement something: the beginning of a sentence.
    Unsupported(String),
    /// The file is not Ruby: the message of the error.
    Invalid(String),
    /// An unknown value is needed.
    Unknown(Arc<marotte_pcore::value::Unknown>),
}

/// The API of a function written in Ruby.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RubyApi {
    /// `Puppet::Functions.create_function`
    New,
    /// `Puppet::Parser::Functions.newfunction`
    Legacy,
}

/// A function that its file has declared.
enum Loaded {
    New(Rc<FunctionDefinition>),
    Legacy(Rc<LegacyDefinition>),
}

impl Interpreter<'_> {
    /// Runs Ruby code in the scope of a call, with the block that the call was given.
    fn in_ruby<T>(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        block: Option<&Block<'_>>,
        run: impl FnOnce(&mut Vm<'_>, Option<&Rc<Proc>>) -> marotte_ruby_eval::stop::Result<T>,
    ) -> Evaluated<Outcome<T>> {
        let Some(block) = block else { return self.in_ruby_within(env, id, None, |vm| run(vm, None)) };
        if let Some(ruby) = block.as_ruby() {
            return self.in_ruby_within(env, id, ruby.given, |vm| run(vm, Some(&ruby.proc)));
        }
        self.ruby_calls += 1;
        let number = self.ruby_calls;
        let given = GivenBlock { number, block, proc: lambda(number) };
        self.in_ruby_within(env, id, Some(&given), |vm| run(vm, Some(&given.proc)))
    }

    /// Runs Ruby code that may call a lambda, as a nested call: it may lead to itself through code in Puppet.
    fn in_ruby_within<T>(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        given: Option<&GivenBlock<'_>>,
        run: impl FnOnce(&mut Vm<'_>) -> marotte_ruby_eval::stop::Result<T>,
    ) -> Evaluated<Outcome<T>> {
        /// The cost of a step of Ruby code, in steps of expressions.
        const STEP: u64 = 2;
        self.deeper(
            || env.place(id),
            |me| {
                let world = Rc::clone(me.ruby.get_or_insert_with(|| Rc::new(World::new())));
                let outcome = with_stack(|| {
                    let mut host = RubyHost::new(me, env, id, given);
                    let mut vm = Vm::new(Rc::clone(&world), &mut host);
                    let result = run(&mut vm);
                    let applied = vm.apply_changes();
                    let outcome = outcome::of(&mut vm, result)?;
                    Ok(match outcome::of(&mut vm, applied)? {
                        Outcome::Value(()) => outcome,
                        Outcome::NotEvaluated(reason) => Outcome::NotEvaluated(reason),
                        Outcome::Raised(raised) => Outcome::Raised(raised),
                    })
                });
                let spent = me.spend(world.take_spent().saturating_mul(STEP));
                outcome.and_then(|outcome| spent.map(|()| outcome))
            },
        )
    }

    /// Returns the program of a Ruby file that is to be evaluated. None if the file does not exist, or no Ruby is evaluated.
    ///
    /// # Errors
    /// If it may not be read, or its text has errors.
    fn evaluated_program(&self, file: RubyFile<'_>) -> Result<Option<Arc<Program>>, ProgramError> {
        match (self.requests.evaluates_ruby(), file) {
            (true, _) => self.requests.ruby_program(file),
            // Code that needs a library can't know whether it exists.
            (false, RubyFile::Library(name)) => Err(ReadError(format!("the library {name}")).into()),
            (false, _) => Ok(None),
        }
    }

    /// The same, with errors as reasons why the code is not evaluated.
    fn ruby_program(&self, file: RubyFile<'_>) -> Answer<Option<Arc<Program>>> {
        self.evaluated_program(file).map_err(|error| match error {
            ProgramError::Invalid(message) => NotEvaluated::Invalid(message),
            ProgramError::Unread(ReadError(reason)) => NotEvaluated::Unsupported(reason),
        })
    }

    /// The program of the file of a function, to be searched. None if it cannot be read.
    fn program_of_function(&self, name: &str) -> Option<Arc<Program>> {
        match self.requests.ruby_program(RubyFile::Function(name)) {
            Ok(Some(program)) => Some(program),
            Ok(None) => self.requests.ruby_program(RubyFile::LegacyFunction(name)).ok().flatten(),
            Err(_) => None,
        }
    }

    /// The function of a name whose file has been loaded. Files stay the same during an evaluation, so only their first
    /// use requests them.
    fn loaded_ruby(&self, name: &str) -> Option<Loaded> {
        let (api, state) = (self.loaded_ruby.get(name)?, &self.ruby.as_ref()?.puppet);
        match api {
            RubyApi::New => state.function(name).map(Loaded::New),
            RubyApi::Legacy => state.legacy_function(name).map(Loaded::Legacy),
        }
    }

    /// Calls a function of a module written in Ruby.
    ///
    /// # Errors
    /// If the function raises an exception, or rejects its arguments.
    pub(crate) fn run_ruby_function(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<Answer> {
        if !self.requests.evaluates_ruby()
            && let Some(by) = arguments.iter().find_map(Value::unknown)
        {
            return Ok(Err(NotEvaluated::Unknown(by)));
        }
        if let Some(loaded) = self.loaded_ruby(name) {
            return match loaded {
                Loaded::New(definition) => {
                    self.call_new_function(env, id, name, &definition, arguments, block)
                }
                Loaded::Legacy(definition) => {
                    self.call_legacy_function(env, id, name, &definition, arguments)
                }
            };
        }
        let file = match self.ruby_program(RubyFile::Function(name)) {
            Ok(file) => file,
            Err(reason) => return Ok(Err(reason)),
        };
        if let Some(program) = file {
            return self.run_new_function(env, id, name, &program, arguments, block);
        }
        match self.ruby_program(RubyFile::LegacyFunction(name)) {
            Ok(Some(program)) => self.run_legacy_function(env, id, name, &program, arguments),
            Ok(None) => Ok(Err(NotEvaluated::Absent)),
            Err(reason) => Ok(Err(reason)),
        }
    }

    /// Calls a function of the 4.x API.
    fn run_new_function(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        program: &Program,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<Answer> {
        let known = self.ruby.as_ref().filter(|world| !world.is_unfinished(&program.path));
        let known = known.and_then(|world| world.puppet.function(name));
        let definition = match known {
            Some(it) => it,
            None => {
                let loaded = self.in_ruby(env, id, None, |vm, _| {
                    vm.load(program)?;
                    Ok(vm.world.puppet.function(name))
                })?;
                match loaded.answer()? {
                    Err(reason) => return Ok(Err(reason)),
                    Ok(Some(it)) => it,
                    Ok(None) => {
                        let path = &program.path;
                        let message = format!(
                            "The code loaded from {path} does not seem to be a Puppet 4x API function - no create_function call."
                        );
                        return Err(EvaluationError::runtime(message).into());
                    }
                }
            }
        };
        self.loaded_ruby.insert(name.into(), RubyApi::New);
        self.call_new_function(env, id, name, &definition, arguments, block)
    }

    /// Calls a function of the 4.x API whose file has been loaded.
    fn call_new_function(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        definition: &FunctionDefinition,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<Answer> {
        if self.ruby.as_ref().is_some_and(|world| definition.has_own_call(world)) {
            let called =
                self.in_ruby(env, id, block, |vm, block| definition.invoke_call(vm, arguments, block))?;
            return called.answer();
        }
        let index = match self.choose_dispatch(definition, arguments, block)? {
            Choice::Index(index) => index,
            Choice::Undecided(by) => return Ok(Err(NotEvaluated::Unknown(by))),
            Choice::Unreadable => {
                let reason = format!("the types of the parameters of {name}() cannot be read");
                return Ok(Err(NotEvaluated::Unsupported(reason)));
            }
        };
        let dispatch = &definition.dispatches[index];
        let outcome =
            self.in_ruby(env, id, block, |vm, block| definition.invoke(vm, index, arguments, block))?;
        let value = match outcome.answer()? {
            Ok(value) => value,
            Err(reason) => return Ok(Err(reason)),
        };
        if dispatch.mismatch {
            let message = format!("'{name}' {}", self.text(&value));
            return Err(EvaluationError::runtime(message).into());
        }
        self.check_ruby_result(definition, index, &value)?;
        Ok(Ok(value))
    }

    /// Calls a function of the 3.x API.
    fn run_legacy_function(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        program: &Program,
        arguments: &[Value],
    ) -> Evaluated<Answer> {
        if let Some(message) = program.refused_method() {
            self.requests.reads_ruby_places(&program.path);
            return Err(EvaluationError::runtime(message).into());
        }
        let is_loaded = self.ruby.as_ref().is_some_and(|world| {
            world.puppet.legacy_function(name).is_some() && !world.is_unfinished(&program.path)
        });
        if !is_loaded {
            let loaded = self.in_ruby(env, id, None, |vm, _| vm.load(program).map(drop))?;
            if let Err(reason) = loaded.answer()? {
                return Ok(Err(reason));
            }
        }
        let Some(definition) = self.ruby.as_ref().and_then(|world| world.puppet.legacy_function(name)) else {
            let reason = format!("{} does not define the function {name}", program.path);
            return Ok(Err(NotEvaluated::Unsupported(reason)));
        };
        self.loaded_ruby.insert(name.into(), RubyApi::Legacy);
        self.call_legacy_function(env, id, name, &definition, arguments)
    }

    /// Calls a function of the 3.x API whose file has been loaded.
    fn call_legacy_function(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        definition: &LegacyDefinition,
        arguments: &[Value],
    ) -> Evaluated<Answer> {
        if let Some(message) = functions::too_few_or_many(name, definition.arity, arguments.len()) {
            return Err(EvaluationError::runtime(message).into());
        }
        let arguments = arguments.to_vec();
        let mut call = functions::Call { name: "", interpreter: self, env, at: id, arguments, block: None };
        let converted = call.legacy_arguments(name, Arity::AtLeast(0))?;
        let outcome = self.in_ruby(env, id, None, |vm, _| definition.invoke(vm, &converted))?;
        outcome.answer()
    }
}
