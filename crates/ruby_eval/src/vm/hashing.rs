//! Objects as keys whose classes define `hash` and `eql?` in Ruby. Their methods are called when they become keys or
//! are looked up; equal objects then have the same number.

use std::hash::BuildHasher;
use std::rc::Rc;

use super::Vm;
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{Key, MethodBody, Object};
use crate::{Symbol, Value};

impl Vm<'_> {
    /// The `hash` of a value of a built-in class. It differs in each process, so that it is known only while keys are compared.
    ///
    /// # Errors
    /// Not supported at other times.
    pub(crate) fn hash_of(&mut self, value: &Value) -> Result {
        if self.world.hashing.get() == 0 {
            let class = self.real_class_of(value).display_name();
            return unsupported(format!("{class}#hash, which differs in each process"));
        }
        crate::builtins::support::ensure_key(self, value)?;
        let hash = foldhash::fast::FixedState::default().hash_one(Key::new(value));
        Ok(Value::Integer((hash >> 2) as i64))
    }

    /// Makes an object a key by the methods `hash` and `eql?` of its class, if these are written in Ruby.
    ///
    /// # Errors
    /// If they raise an exception; not supported if only one of them exists, or the object was another key before.
    pub(crate) fn prepare_key(&mut self, object: &Rc<Object>) -> Result<()> {
        if object.data_as::<crate::builtins::StructMembers>().is_some() {
            return unsupported("a struct as a key");
        }
        let class = object.class();
        if self
            .lookup(&class, names::HASH)
            .is_some_and(|it| matches!(it.method.body, MethodBody::Native(native) if native.is_refused))
        {
            return unsupported(format!("an object of {} as a key", class.display_name()));
        }
        let is_own = |name: Symbol| {
            self.lookup(&class, name).is_some_and(|it| !matches!(it.method.body, MethodBody::Native(_)))
        };
        match (is_own(names::HASH), is_own(names::EQL)) {
            (false, false) => return Ok(()),
            (true, true) => {}
            _ => return unsupported("a key of a class that has only one of `hash` and `eql?`"),
        }
        let hashing = &Rc::clone(&self.world).hashing;
        hashing.set(hashing.get() + 1);
        let number = self.key_number(object);
        hashing.set(hashing.get() - 1);
        let number = number?;
        match object.key_number() {
            Some(before) if before != number => unsupported("a key that has changed"),
            _ => {
                object.set_key_number(number);
                Ok(())
            }
        }
    }

    fn key_number(&mut self, object: &Rc<Object>) -> Result<u64> {
        let this = Value::Object(Rc::clone(object));
        let hash = self.send(&this, names::HASH, &[], None, None)?;
        let Value::Integer(hash) = hash else { return unsupported("a `hash` that is not an integer") };
        let same = self.world.own_keys.borrow().get(&hash).cloned().unwrap_or_default();
        for other in same {
            let number = other.key_number().unwrap_or_default();
            if Rc::ptr_eq(&other, object) {
                return Ok(number);
            }
            if self.send(&this, names::EQL, &[Value::Object(other)], None, None)?.is_truthy() {
                return Ok(number);
            }
        }
        let number = self.world.new_tag();
        self.world.own_keys.borrow_mut().entry(hash).or_default().push(Rc::clone(object));
        // Other objects find it by this number.
        if object.key_number().is_none() {
            object.set_key_number(number);
        }
        Ok(number)
    }
}
