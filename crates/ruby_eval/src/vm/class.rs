//! Classes of values and lookup of methods.

use std::rc::Rc;

use super::Vm;
use super::call::CallerKind;
use super::define::CLASS;
use super::world::{CACHE, CachedMethod, Entry, World};
use crate::stop::Result;
use crate::value::{
    Attached, Class, ClassKind, HashObject, Method, MethodBody, Object, Proc, ProcBody, Visibility,
};
use crate::{Symbol, Value};

impl Vm<'_> {
    /// The class of a value, which is a singleton class if the object has methods of its own.
    pub fn class_of(&self, value: &Value) -> Rc<Class> {
        let core = &self.world.core;
        Rc::clone(match value {
            Value::Object(it) => return it.class(),
            Value::Class(it) => return self.world.meta(it),
            Value::Nil => &core.nil,
            Value::Bool(true) => &core.true_,
            Value::Bool(false) => &core.false_,
            Value::Integer(_) | Value::BigInteger(_) => &core.integer,
            Value::Float(_) => &core.float,
            Value::Symbol(_) => &core.symbol,
            Value::String(_) => &core.string,
            Value::Array(_) => &core.array,
            Value::Hash(it) => return it.singleton().unwrap_or_else(|| Rc::clone(&core.hash)),
            Value::Range(_) => &core.range,
            Value::Regexp(_) => &core.regexp,
            Value::Match(_) => &core.match_data,
            Value::Proc(_) => &core.proc,
        })
    }

    /// The class of a value, as `class` returns it.
    pub fn real_class_of(&self, value: &Value) -> Rc<Class> {
        match value {
            Value::Class(it) if it.kind == ClassKind::Module => Rc::clone(&self.world.core.module),
            Value::Class(_) => Rc::clone(&self.world.core.class),
            _ => self.class_of(value).without_singletons(),
        }
    }

    /// The singleton class of an object, created if it does not exist.
    ///
    /// # Errors
    /// For values that cannot have methods of their own here.
    pub(crate) fn singleton_class(&mut self, value: &Value) -> Result<Rc<Class>> {
        match value {
            Value::Class(it) => Ok(self.world.meta(it)),
            Value::Object(object) => {
                let class = object.class();
                if class.kind == ClassKind::Singleton {
                    return Ok(class);
                }
                self.world.allocate(CLASS)?;
                let singleton = self.world.new_class("", ClassKind::Singleton, Some(class), None);
                *singleton.attached.borrow_mut() = Some(Attached::Object(Rc::downgrade(object)));
                object.set_class(Rc::clone(&singleton));
                Ok(singleton)
            }
            Value::Hash(hash) => {
                if let Some(class) = hash.singleton() {
                    return Ok(class);
                }
                let class = Rc::clone(&self.world.core.hash);
                let singleton = self.world.new_class("", ClassKind::Singleton, Some(class), None);
                hash.set_singleton(Rc::clone(&singleton));
                Ok(singleton)
            }
            Value::Nil => Ok(Rc::clone(&self.world.core.nil)),
            Value::Bool(_) => Ok(self.class_of(value)),
            Value::Integer(_) | Value::BigInteger(_) | Value::Float(_) | Value::Symbol(_) => {
                self.type_error("can't define singleton")
            }
            _ => {
                let class = self.class_of(value).display_name();
                crate::stop::unsupported(format!("methods of one {class} alone"))
            }
        }
    }

    /// Whether a value is an instance of a built-in class or module, by its name (`is_a?`).
    pub fn is_a(&self, value: &Value, class: &str) -> bool {
        self.class_of(value).is_a(self.world.class(class))
    }

    /// The method that a call of a value finds, with the class or module that has it.
    pub fn find_method(&self, value: &Value, name: Symbol) -> Option<(Rc<Class>, Method)> {
        self.find_entry(value, name).map(|it| (Rc::clone(&it.owner), it.method.clone()))
    }

    /// The method that instances of a class have, with the class or module that has it.
    pub fn find_instance_method(&self, class: &Rc<Class>, name: Symbol) -> Option<(Rc<Class>, Method)> {
        self.lookup(class, name).map(|it| (Rc::clone(&it.owner), it.method.clone()))
    }

    /// The method that a call of a value finds.
    pub(crate) fn find_entry(&self, value: &Value, name: Symbol) -> Option<Rc<Entry>> {
        let core = &self.world.core;
        match value {
            Value::String(_) => self.lookup(&core.string, name),
            Value::Array(_) => self.lookup(&core.array, name),
            Value::Hash(it) => match it.singleton() {
                Some(class) => self.lookup(&class, name),
                None => self.lookup(&core.hash, name),
            },
            Value::Integer(_) => self.lookup(&core.integer, name),
            _ => self.lookup(&self.class_of(value), name),
        }
    }

    /// The method that instances of a class have.
    pub(crate) fn lookup(&self, class: &Rc<Class>, name: Symbol) -> Option<Rc<Entry>> {
        self.world.lookup(class, name)
    }

    /// The method of the classes after `owner`: for `super`.
    pub(crate) fn find_super(&self, value: &Value, owner: &Rc<Class>, name: Symbol) -> Option<Rc<Entry>> {
        let order = self.world.lookup_order(&self.class_of(value));
        let index = order.iter().position(|it| Rc::ptr_eq(it, owner))?;
        self.world.charge(order.len() / 8);
        find_in(&order[index + 1..], name)
    }

    /// Whether a value has a public method (`respond_to?`).
    pub fn responds_to(&self, value: &Value, name: &str) -> bool {
        self.responds_to_symbol(value, Symbol::new(name))
    }

    /// Whether a value has a public method.
    pub(crate) fn responds_to_symbol(&self, value: &Value, name: Symbol) -> bool {
        self.find_entry(value, name).is_some_and(|it| it.method.visibility == Visibility::Public)
    }

    /// Calls a method by name, without keywords or block, as if from outside of the receiver.
    ///
    /// # Errors
    /// If the method raises an exception; `NoMethodError` if there is no such method.
    pub fn call(&mut self, receiver: &Value, name: &str, arguments: &[Value]) -> Result {
        self.send(receiver, Symbol::new(name), arguments, None, None)
    }

    /// Calls a method regardless of its visibility.
    ///
    /// # Errors
    /// If the method raises an exception; `NoMethodError` if there is no such method.
    pub fn send(
        &mut self,
        receiver: &Value,
        name: Symbol,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
    ) -> Result {
        let result = self.send_for_any(receiver, name, arguments, keywords, block)?;
        self.check_is_known(&result)?;
        Ok(result)
    }

    /// The same for callers that do not look at the result, which may be an unknown value.
    ///
    /// # Errors
    /// If the method raises an exception.
    pub(crate) fn send_for_any(
        &mut self,
        receiver: &Value,
        name: Symbol,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
    ) -> Result {
        self.world.spend(1)?;
        self.dispatch(receiver, name, arguments, keywords, block, CallerKind::Implicit)
    }

    /// Calls a block with arguments, as `yield` does: an array that is the only argument is spread over several parameters.
    ///
    /// # Errors
    /// If the block raises an exception; `break` out of the call to which the block was given.
    pub fn yield_to(&mut self, block: &Rc<Proc>, arguments: &[Value]) -> Result {
        let result = self.call_block(block, arguments, None, None)?;
        self.check_result_of_block(&result)?;
        Ok(result)
    }

    /// The object that a singleton class belongs to.
    pub(crate) fn attached(class: &Class) -> Option<Value> {
        match &*class.attached.borrow() {
            Some(Attached::Class(it)) => it.upgrade().map(Value::Class),
            Some(Attached::Object(it)) => it.upgrade().map(|it: Rc<Object>| Value::Object(it)),
            None => None,
        }
    }

    /// Calls a block as `map` does: lambdas with several parameters, too, get the elements of an array that is the only
    /// argument.
    ///
    /// # Errors
    /// If the block raises an exception.
    pub fn yield_spread(&mut self, block: &Rc<Proc>, arguments: &[Value]) -> Result {
        if let (true, ProcBody::Code { code, .. }, [Value::Array(array)]) =
            (block.is_lambda, &block.body, arguments)
            && code.parameters.is_spread
        {
            return self.yield_to(block, &array.snapshot());
        }
        self.yield_to(block, arguments)
    }
}

impl World {
    /// The classes and modules in which methods of a class are looked up. Finding them costs steps.
    pub(super) fn lookup_order(&self, class: &Rc<Class>) -> Rc<[Rc<Class>]> {
        class.lookup_order(self.epoch.get(), |count| self.charge(count / 2))
    }

    /// The method that instances of a class have.
    pub(crate) fn lookup(&self, class: &Rc<Class>, name: Symbol) -> Option<Rc<Entry>> {
        let epoch = self.epoch.get();
        let index = (class.id.wrapping_mul(0x9E37_79B1) ^ name.number().wrapping_mul(0x85EB_CA6B)) as usize;
        let index = (index >> 12) & (CACHE - 1);
        if let Some(cached) = self.methods.borrow().get(index)
            && cached.class == class.id
            && cached.name == Some(name)
            && cached.epoch == epoch
        {
            return cached.entry.clone();
        }
        let order = self.lookup_order(class);
        let entry = find_in(&order, name);
        // Each of them is asked, by its own table.
        self.charge(order.len() / 8);
        if let Some(cached) = self.methods.borrow_mut().get_mut(index) {
            *cached = CachedMethod { class: class.id, epoch, name: Some(name), entry: entry.clone() };
        }
        entry
    }
}

/// The method that the first of some classes has.
fn find_in(order: &[Rc<Class>], name: Symbol) -> Option<Rc<Entry>> {
    let (owner, method) = order.iter().find_map(|it| Some((it, it.own_method(name)?)))?;
    if matches!(method.body, MethodBody::Undefined) {
        return None;
    }
    Some(Rc::new(Entry { owner: Rc::clone(owner), method }))
}
