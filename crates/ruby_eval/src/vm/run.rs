//! Running programs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::frame::{Context, Frame, Lexical, Locals};
use super::invoke::Invocation;
use super::{Override, Vm};
use crate::Value;
use crate::program::Program;
use crate::stop::{Result, Stop, Unsupported, unsupported};
use crate::value::{Class, Encoding, Object, StringObject, Visibility};

impl Vm<'_> {
    /// Runs a file at the top level.
    ///
    /// # Errors
    /// If the file raises an exception.
    pub fn run(&mut self, program: &Program) -> Result {
        let object = Rc::clone(&self.world.object);
        let main = Value::Object(Object::new(Rc::clone(&object), Main));
        self.run_in(program, main, &object)
    }

    /// Runs a file with a `self` of the host, and a class that gets the methods that the file defines.
    ///
    /// # Errors
    /// If the file raises an exception.
    pub fn run_in(&mut self, program: &Program, self_value: Value, definee: &Rc<Class>) -> Result {
        let invocation = Invocation {
            code: &program.body,
            self_value,
            method: None,
            block: None,
            lexical: self.top_level(),
            definee: Rc::clone(definee),
        };
        let result = self.invoke_code(invocation, &[], None);
        self.at_top(result)
    }

    /// Runs a file within an object: what it defines belongs to the object's own class.
    ///
    /// # Errors
    /// If the file raises an exception.
    pub(crate) fn run_within(&mut self, program: &Program, within: Override) -> Result {
        let Override { self_value, definee, .. } = within;
        let lexical = Rc::new(Lexical { module: Rc::clone(&definee), parent: Some(self.top_level()) });
        let invocation =
            Invocation { code: &program.body, self_value, method: None, block: None, lexical, definee };
        let result = self.invoke_code(invocation, &[], None);
        self.at_top(result)
    }

    /// Evaluates the statements of a file that another one, or the host, loads.
    ///
    /// A file that was not evaluated to its end is not evaluated again: some of its statements have had their effects.
    ///
    /// # Errors
    /// If they raise an exception.
    pub fn load(&mut self, program: &Program) -> Result {
        if let Some(reason) = self.world.unfinished(&program.path) {
            return Err(Box::new(Stop::Unsupported(reason)));
        }
        let result = self.run(program);
        if let Err(stop) = &result {
            let reason = match &**stop {
                Stop::Raise(_) | Stop::Throw { .. } => return result,
                Stop::Unsupported(reason) => reason.clone(),
                _ => Unsupported::new(format!("{}, which was not evaluated to its end", program.path)),
            };
            self.world.note_unfinished(&program.path, reason);
        }
        result
    }

    /// The place where an exception was raised, path and line.
    pub fn exception_place(&self, exception: &Value) -> Option<(String, u32)> {
        let Value::Object(object) = exception else { return None };
        let data = object.data_as::<super::Exception>()?;
        let (place, _) = data.backtrace.first()?.split_once(":in `")?;
        let (path, line) = place.rsplit_once(':')?;
        Some((path.to_owned(), line.parse().ok()?))
    }

    /// The kinds and names of the parameters of a method, as `Method#parameters` returns them. None if the class does
    /// not have it.
    ///
    /// # Errors
    /// If they are not known.
    pub(crate) fn method_parameters(
        &mut self,
        class: &Rc<Class>,
        name: crate::Symbol,
    ) -> Result<Option<Vec<(String, String)>>> {
        let Some(entry) = self.lookup(class, name) else { return Ok(None) };
        let Some(list) = crate::builtins::parameters_of(&entry) else {
            return unsupported(format!("the parameters of {name}"));
        };
        Ok(Some(list))
    }

    /// Renders a template: returns its text, in the encoding that Ruby would choose.
    ///
    /// # Errors
    /// If the code in the template raises an exception.
    pub fn render(&mut self, program: &Program, self_value: &Value) -> Result<Rc<StringObject>> {
        let class = self.real_class_of(self_value);
        let code = Arc::clone(&program.body);
        let top = self.top_level();
        let lexical = match Rc::ptr_eq(&class, &self.world.object) {
            true => top,
            false => Rc::new(Lexical { module: Rc::clone(&class), parent: Some(top) }),
        };
        let tag = self.world.new_tag();
        let frame = Rc::new(Frame {
            tag,
            self_value: self_value.clone(),
            code: Arc::clone(&code),
            method: None,
            block: None,
            lexical,
            definee: class,
            last_match: RefCell::new(None),
            visibility: Cell::new(Visibility::Public),
            is_module_function: Cell::new(false),
        });
        let output = Rc::new(StringObject::new(Vec::with_capacity(1024), Encoding::Utf8));
        let mut locals = Locals::new();
        // The first variable is `_erbout`.
        locals.push(Value::String(output));
        locals.resize(code.locals.len(), Value::Nil);
        let context = Rc::new(Context {
            locals: RefCell::new(locals),
            parent: None,
            frame,
            block: None,
            break_tag: 0,
            return_tag: tag,
        });
        let result = self.activate(&context, |vm| match vm.eval(&code.body, &context).map_err(|it| *it) {
            Err(Stop::Return { tag: left, .. }) if left == tag => unsupported("`return` in a template"),
            other => other.map_err(Box::new),
        });
        match self.at_top(result)? {
            Value::String(it) => Ok(it),
            other => self.to_s(&other),
        }
    }

    /// The lexical scope of code at the top level.
    pub(crate) fn top_level(&self) -> Rc<Lexical> {
        Rc::new(Lexical { module: Rc::clone(&self.world.object), parent: None })
    }

    /// Handles the result of top-level code: jumps out of calls that have ended are errors.
    fn at_top(&mut self, result: Result) -> Result {
        let stop = match result {
            Ok(value) => return Ok(value),
            Err(stop) => stop,
        };
        match *stop {
            Stop::Break { .. } => self.raise_named("LocalJumpError", "break from proc-closure"),
            Stop::Return { .. } => self.raise_named("LocalJumpError", "unexpected return"),
            Stop::Next(value) => Ok(value),
            Stop::Redo | Stop::Retry => self.raise_named("LocalJumpError", "unexpected redo"),
            Stop::Throw { tag, .. } if !self.catches(&tag) => {
                let text = self.inspect(&tag)?;
                self.raise_named("UncaughtThrowError", format!("uncaught throw {text}"))
            }
            other => Err(Box::new(other)),
        }
    }

    /// Whether a value is the object `main`.
    pub(crate) fn is_main(&self, value: &Value) -> bool {
        matches!(value, Value::Object(it) if it.data_as::<Main>().is_some())
    }
}

/// The state of the object `main`.
#[derive(Debug)]
pub(crate) struct Main;

impl crate::value::Data for Main {}
