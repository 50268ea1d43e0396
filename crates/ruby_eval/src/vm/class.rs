//! Classes of values, lookup and calls of methods, calls of blocks.

use std::rc::Rc;

use super::Vm;
use crate::native::{Call, NativeMethod};
use crate::stop::{Result, unsupported};
use crate::value::{Class, HashObject, Method, MethodBody, Proc, ProcBody, Visibility};
use crate::{Symbol, Value};

impl Vm<'_> {
    /// The class of a value, which is a singleton class if the object has methods of its own.
    pub fn class_of(&self, value: &Value) -> Rc<Class> {
        let name = match value {
            Value::Object(it) => return it.class(),
            Value::Nil => "NilClass",
            Value::Bool(true) => "TrueClass",
            Value::Bool(false) => "FalseClass",
            Value::Integer(_) | Value::BigInteger(_) => "Integer",
            Value::Float(_) => "Float",
            Value::Symbol(_) => "Symbol",
            Value::String(_) => "String",
            Value::Array(_) => "Array",
            Value::Hash(_) => "Hash",
            Value::Range(_) => "Range",
            Value::Regexp(_) => "Regexp",
            Value::Match(_) => "MatchData",
            Value::Proc(_) => "Proc",
            Value::Class(it) if it.kind == crate::value::ClassKind::Module => "Module",
            Value::Class(_) => "Class",
        };
        Rc::clone(self.world.class(name))
    }

    /// Whether a value is an instance of a built-in class or module, by its name (`is_a?`).
    pub fn is_a(&self, value: &Value, class: &str) -> bool {
        self.class_of(value).is_a(self.world.class(class))
    }

    /// The method that a call of a value finds, with the class or module that has it.
    pub fn find_method(&self, value: &Value, name: Symbol) -> Option<(Rc<Class>, Method)> {
        if let Value::Class(class) = value {
            let mut next = Some(Rc::clone(class));
            while let Some(it) = next {
                if let Some(method) = it.singleton_methods.borrow().get(&name) {
                    return Some((Rc::clone(&it), method.clone()));
                }
                for module in it.extended.borrow().iter().flat_map(Class::ancestors) {
                    if let Some(method) = module.methods.borrow().get(&name) {
                        return Some((Rc::clone(&module), method.clone()));
                    }
                }
                next = it.superclass.clone();
            }
        }
        self.find_instance_method(&self.class_of(value), name)
    }

    /// The method that instances of a class have, with the class or module that has it.
    pub fn find_instance_method(&self, class: &Rc<Class>, name: Symbol) -> Option<(Rc<Class>, Method)> {
        let found = class.ancestors().into_iter().find_map(|it| {
            let method = it.methods.borrow().get(&name).cloned();
            method.map(|method| (it, method))
        });
        found.filter(|(_, method)| !matches!(method.body, MethodBody::Undefined))
    }

    /// Whether a value has a public method (`respond_to?`).
    pub fn responds_to(&self, value: &Value, name: &str) -> bool {
        Symbol::existing(name)
            .and_then(|name| self.find_method(value, name))
            .is_some_and(|(_, method)| method.visibility == Visibility::Public)
    }

    /// Calls a method by name, without keywords or block, as if from outside of the receiver.
    ///
    /// # Errors
    /// What the method raises; `NoMethodError` if there is no such method.
    pub fn call(&mut self, receiver: &Value, name: &str, arguments: &[Value]) -> Result {
        self.send(receiver, Symbol::new(name), arguments, None, None)
    }

    /// Calls a method.
    ///
    /// # Errors
    /// What the method raises; `NoMethodError` if there is no such method.
    pub fn send(
        &mut self,
        receiver: &Value,
        name: Symbol,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
    ) -> Result {
        self.world.spend(1)?;
        let Some((_, method)) = self.find_method(receiver, name) else {
            return self.no_method(receiver, name);
        };
        match method.body {
            MethodBody::Native(native) => {
                self.call_native(native, receiver, name, arguments, keywords, block)
            }
            _ => unsupported("methods in Ruby"),
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
            let expected = match native.most {
                Some(most) if most == native.least => most.to_string(),
                Some(most) => format!("{}..{most}", native.least),
                None => format!("{}+", native.least),
            };
            return self
                .argument_error(format!("wrong number of arguments (given {count}, expected {expected})"));
        }
        (native.body)(self, &Call { this, name, arguments, keywords, block })
    }

    /// Calls a block with arguments, as `yield` does: an array that is the only argument is spread over several parameters.
    ///
    /// # Errors
    /// What the block raises; `break` out of the call to which the block was given.
    pub fn yield_to(&mut self, block: &Rc<Proc>, arguments: &[Value]) -> Result {
        self.world.spend(1)?;
        match &block.body {
            ProcBody::Native(body) => Rc::clone(body)(self, arguments),
            ProcBody::Symbol(name) => match arguments.split_first() {
                Some((receiver, rest)) => self.send(receiver, *name, rest, None, None),
                None => self.argument_error("no receiver given"),
            },
            ProcBody::Method { receiver, name } => self.send(receiver, *name, arguments, None, None),
            ProcBody::Code { .. } => unsupported("blocks in Ruby"),
        }
    }

    /// Calls a block as `map` does: lambdas with several parameters, too, get the elements of an array that is the only
    /// argument.
    ///
    /// # Errors
    /// What the block raises.
    pub fn yield_spread(&mut self, block: &Rc<Proc>, arguments: &[Value]) -> Result {
        self.yield_to(block, arguments)
    }
}
