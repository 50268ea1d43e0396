//! Invoking methods: activations, and binding arguments to parameters.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::Vm;
use super::frame::{Activation, Context, Frame, Lexical, Locals};
use super::recursion::{DEPTH, too_deep};
use super::world::Entry;
use crate::native::{Call, NativeMethod};
use crate::program::tree::{KeywordRest, MethodCode, Parameter, Parameters};
use crate::stop::{Result, Stop, unsupported};
use crate::symbol::names;
use crate::value::{Class, HashObject, MethodBody, Proc, Visibility};
use crate::{Symbol, Value};

/// The properties of a new activation of a method.
pub(crate) struct Invocation<'a> {
    pub(crate) code: &'a Arc<MethodCode>,
    pub(crate) self_value: Value,
    pub(crate) method: Option<(Symbol, Rc<Class>)>,
    pub(crate) block: Option<Rc<Proc>>,
    pub(crate) lexical: Rc<Lexical>,
    pub(crate) definee: Rc<Class>,
}

impl Vm<'_> {
    /// Calls a method that was found.
    pub(crate) fn invoke(
        &mut self,
        entry: &Entry,
        this: &Value,
        name: Symbol,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
    ) -> Result {
        match &entry.method.body {
            MethodBody::Native(native) => {
                if name == names::NEW {
                    self.check_initialize(this, native)?;
                }
                self.call_native(native, this, name, arguments, keywords, block)
            }
            MethodBody::Code { code, lexical } => self.invoke_code(
                Invocation {
                    code,
                    self_value: this.clone(),
                    method: Some((name, Rc::clone(&entry.owner))),
                    block: block.cloned(),
                    lexical: Rc::clone(lexical),
                    definee: Rc::clone(&lexical.module),
                },
                arguments,
                keywords,
            ),
            MethodBody::Reader(variable) => match arguments {
                [] => self.instance_variable(this, *variable),
                _ => self.wrong_number(arguments.len(), "0"),
            },
            MethodBody::Writer(variable) => match arguments {
                [value] => {
                    self.set_instance_variable(this, *variable, value.clone())?;
                    Ok(value.clone())
                }
                _ => self.wrong_number(arguments.len(), "1"),
            },
            MethodBody::Proc(body) => {
                let body = Rc::clone(body);
                self.call_proc_as_method(
                    &body,
                    this,
                    (name, Rc::clone(&entry.owner)),
                    arguments,
                    keywords,
                    block,
                )
            }
            MethodBody::Undefined => self.no_method(this, name),
        }
    }

    /// Rejects `new` of a class in Ruby whose `initialize` the native `new` of its superclass would not call.
    fn check_initialize(&mut self, this: &Value, native: &'static NativeMethod) -> Result<()> {
        let Value::Class(class) = this else { return Ok(()) };
        if class.is_builtin() {
            return Ok(());
        }
        let entry = self.lookup(class, names::INITIALIZE);
        if entry.is_none_or(|it| matches!(it.method.body, MethodBody::Native(_))) {
            return Ok(());
        }
        let of = |class: &Rc<Class>| match class.own_method(names::NEW).map(|it| it.body) {
            Some(MethodBody::Native(it)) => std::ptr::eq(it, native),
            _ => false,
        };
        let calls_initialize = of(&self.world.core.class)
            || of(&self.world.meta(self.world.class("Exception")))
            || of(&self.world.meta(self.world.class("Struct")));
        match calls_initialize {
            true => Ok(()),
            false => unsupported(format!(
                "`initialize` in a subclass of a built-in class, {}",
                class.display_name()
            )),
        }
    }

    /// Calls a method that is written in Rust, after the number of arguments has been checked.
    pub(crate) fn call_native(
        &mut self,
        native: &'static NativeMethod,
        this: &Value,
        name: Symbol,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
    ) -> Result {
        let joined;
        let (arguments, keywords) = match keywords {
            Some(hash) if !native.keywords => {
                joined = [arguments, &[Value::Hash(Rc::clone(hash))]].concat();
                (&joined[..], None)
            }
            other => (arguments, other),
        };
        let count = arguments.len();
        if count < native.least || native.most.is_some_and(|most| count > most) {
            return self.wrong_number(count, &expected(native.least, native.most));
        }
        let call = Call { this, name, arguments, keywords, block };
        if self.world.has_unknown.get() {
            self.check_takes_unknown(&call)?;
            let keeps = Self::keeps_results(&name.name());
            return self.nested(|vm| vm.with_results_of_blocks(keeps, |it| (native.body)(it, &call)));
        }
        self.nested(|vm| (native.body)(vm, &call))
    }

    /// Raises `ArgumentError` for a wrong number of arguments.
    pub(crate) fn wrong_number<T>(&mut self, given: usize, expected: &str) -> Result<T> {
        self.argument_error(format!("wrong number of arguments (given {given}, expected {expected})"))
    }

    /// Runs the code of a method.
    pub(crate) fn invoke_code(
        &mut self,
        invocation: Invocation<'_>,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
    ) -> Result {
        let code = Arc::clone(invocation.code);
        let tag = self.world.new_tag();
        let frame = Rc::new(Frame {
            tag,
            self_value: invocation.self_value,
            code: Arc::clone(&code),
            method: invocation.method,
            block: invocation.block,
            lexical: invocation.lexical,
            definee: invocation.definee,
            last_match: RefCell::new(None),
            visibility: Cell::new(Visibility::Public),
            is_module_function: Cell::new(false),
        });
        let mut locals = Locals::with_capacity(code.locals.len());
        let is_bound = code.parameters.is_plain
            && keywords.is_none()
            && arguments.len() == code.parameters.required.len();
        if is_bound {
            locals.extend(arguments.iter().cloned());
        }
        locals.resize(code.locals.len(), Value::Nil);
        let context = Rc::new(Context {
            locals: RefCell::new(locals),
            parent: None,
            frame,
            block: None,
            break_tag: 0,
            return_tag: tag,
        });
        self.activate(&context, |vm| {
            if !is_bound {
                let block = context.frame.block.clone();
                vm.bind(&code.parameters, arguments, keywords, block.as_ref(), true, &context)?;
            }
            match vm.eval(&code.body, &context) {
                Ok(value) => Ok(value),
                Err(stop) => match *stop {
                    Stop::Return { tag: left, value } if left == tag => Ok(value),
                    stop => Err(Box::new(stop)),
                },
            }
        })
    }

    /// Runs code as the innermost activation.
    pub(super) fn activate(
        &mut self,
        context: &Rc<Context>,
        body: impl FnOnce(&mut Self) -> Result,
    ) -> Result {
        let active = self.world.active.get();
        if active >= DEPTH {
            return too_deep();
        }
        self.world.active.set(active + 1);
        let budget = self.stack.is_empty().then(|| self.world.enter());
        let caller_line = self.line;
        self.stack.push(Activation { context: Rc::clone(context), caller_line });
        let result = stacker::maybe_grow(super::eval::RED_ZONE, super::eval::MORE_STACK, || body(self));
        let result = match result {
            Ok(value) => Ok(value),
            Err(stop) => Err(self.with_place(stop, context)),
        };
        self.stack.pop();
        self.world.active.set(active);
        self.line = caller_line;
        if let Some(budget) = budget {
            self.world.leave(budget);
        }
        // One reference is the caller's.
        if Rc::strong_count(context) > 1 {
            self.world.keep(context);
        }
        result
    }

    /// Adds the place to a construct that is not implemented.
    fn with_place(&mut self, mut stop: Box<Stop>, context: &Rc<Context>) -> Box<Stop> {
        if let Stop::Unsupported(it) = &mut *stop
            && it.line == 0
        {
            it.path = context.frame.code.source.path.clone();
            it.line = self.line.number();
            self.host.reads_places(&it.path);
        }
        stop
    }

    /// Binds arguments to the slots of parameters.
    pub(super) fn bind(
        &mut self,
        parameters: &Parameters,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
        is_strict: bool,
        context: &Rc<Context>,
    ) -> Result<()> {
        let joined;
        let (arguments, keywords) = match keywords {
            // Without keyword parameters they are one hash.
            Some(hash) if !parameters.takes_keywords() => {
                if let KeywordRest::Refused = parameters.keyword_rest {
                    return self.argument_error("no keywords accepted");
                }
                joined = [arguments, &[Value::Hash(Rc::clone(hash))]].concat();
                (&joined[..], None)
            }
            Some(_) if matches!(parameters.keyword_rest, KeywordRest::Refused) => {
                return self.argument_error("no keywords accepted");
            }
            other => (arguments, other),
        };
        let (least, most) = (parameters.least(), parameters.most());
        let count = arguments.len();
        if is_strict && (count < least || most.is_some_and(|most| count > most)) {
            let mut expected = expected(least, most);
            let missing = parameters.keywords.iter().filter(|it| it.default.is_none());
            let names: Vec<String> = missing.map(|it| it.name.to_string()).collect();
            if keywords.is_none() && !names.is_empty() {
                let word = if names.len() == 1 { "keyword" } else { "keywords" };
                expected = format!("{expected}; required {word}: {}", names.join(", "));
            }
            return self.wrong_number(count, &expected);
        }
        let mut given = arguments.iter().take(most.unwrap_or(count));
        let available = most.map_or(count, |most| count.min(most));
        let optional = available.saturating_sub(least).min(parameters.optional.len());
        let rest = available.saturating_sub(least + optional);
        for parameter in &parameters.required {
            let value = given.next().cloned().unwrap_or(Value::Nil);
            self.bind_one(parameter, value, context)?;
        }
        for (index, (slot, default)) in parameters.optional.iter().enumerate() {
            let value = match index < optional {
                true => given.next().cloned().unwrap_or(Value::Nil),
                false => self.eval(default, context)?,
            };
            context.set_local(*slot, value);
        }
        let others: Vec<Value> = given.by_ref().take(rest).cloned().collect();
        if let Some(Some(slot)) = parameters.rest {
            context.set_local(slot, Value::array(others));
        }
        for parameter in &parameters.post {
            let value = given.next().cloned().unwrap_or(Value::Nil);
            self.bind_one(parameter, value, context)?;
        }
        if parameters.takes_keywords() {
            self.bind_keywords(parameters, keywords, context)?;
        }
        if let Some(slot) = parameters.block {
            context.set_local(slot, block.map_or(Value::Nil, |it| Value::Proc(Rc::clone(it))));
        }
        Ok(())
    }

    fn bind_one(&mut self, parameter: &Parameter, value: Value, context: &Rc<Context>) -> Result<()> {
        match parameter {
            Parameter::Slot(slot) => {
                context.set_local(*slot, value);
                Ok(())
            }
            Parameter::Nested(targets) => self.assign_spread(targets, &value, context),
        }
    }

    fn bind_keywords(
        &mut self,
        parameters: &Parameters,
        keywords: Option<&Rc<HashObject>>,
        context: &Rc<Context>,
    ) -> Result<()> {
        let mut left: Vec<(Value, Value)> = keywords.map(|it| it.snapshot()).unwrap_or_default();
        let mut missing = Vec::new();
        let mut defaults = Vec::new();
        for keyword in &parameters.keywords {
            let found =
                left.iter().position(|(key, _)| matches!(key, Value::Symbol(it) if *it == keyword.name));
            match (found, &keyword.default) {
                (Some(index), _) => context.set_local(keyword.slot, left.remove(index).1),
                (None, Some(default)) => defaults.push((keyword.slot, default)),
                (None, None) => missing.push(format!(":{}", keyword.name)),
            }
        }
        if !missing.is_empty() {
            let word = if missing.len() == 1 { "keyword" } else { "keywords" };
            return self.argument_error(format!("missing {word}: {}", missing.join(", ")));
        }
        match &parameters.keyword_rest {
            KeywordRest::Rest(slot) => context.set_local(*slot, Value::hash(left)),
            _ if !left.is_empty() => {
                let mut names = Vec::new();
                for (key, _) in &left {
                    names.push(self.inspect(key)?);
                }
                let word = if names.len() == 1 { "keyword" } else { "keywords" };
                return self.argument_error(format!("unknown {word}: {}", names.join(", ")));
            }
            _ => {}
        }
        for (slot, default) in defaults {
            let value = self.eval(default, context)?;
            context.set_local(slot, value);
        }
        Ok(())
    }
}

/// The number of arguments as messages show it.
pub(crate) fn expected(least: usize, most: Option<usize>) -> String {
    match most {
        Some(most) if most == least => most.to_string(),
        Some(most) => format!("{least}..{most}"),
        None => format!("{least}+"),
    }
}
