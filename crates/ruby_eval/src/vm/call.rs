//! Calls of methods.

use std::cmp::Ordering;
use std::rc::Rc;

use super::Vm;
use super::arguments::Evaluated;
use super::compare::compare_numbers;
use super::frame::Context;
use super::world::Entry;
use crate::program::tree::{CallExpr, CallKind, Element, Operator, Receiver, SuperCall, YieldExpr};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{HashObject, MethodBody, Proc, Visibility};
use crate::{Symbol, Value};

/// The form of a call, which decides whether it may call a method of a given visibility.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallerKind {
    /// `name(…)`
    Implicit,
    /// A name alone, which could have been a variable.
    Variable,
    /// `self.name(…)`
    SelfValue,
    /// `receiver.name(…)`
    Outside,
}

impl Vm<'_> {
    pub(super) fn eval_call(&mut self, call: &CallExpr, context: &Rc<Context>) -> Result {
        if stacker::remaining_stack().is_some_and(|it| it < super::eval::RED_ZONE) {
            return stacker::grow(super::eval::MORE_STACK, || self.eval_any_call(call, context));
        }
        self.eval_any_call(call, context)
    }

    fn eval_any_call(&mut self, call: &CallExpr, context: &Rc<Context>) -> Result {
        let (receiver, caller) = match &call.receiver {
            Receiver::Implicit if call.kind == CallKind::Variable => {
                (context.self_value().clone(), CallerKind::Variable)
            }
            Receiver::Implicit => (context.self_value().clone(), CallerKind::Implicit),
            Receiver::SelfValue => (context.self_value().clone(), CallerKind::SelfValue),
            Receiver::Value(expr) => (self.eval(expr, context)?, CallerKind::Outside),
        };
        match call.kind {
            CallKind::Safe if receiver.is_nil() => return Ok(Value::Nil),
            CallKind::Binary(operator) => {
                let [Element::Value(argument)] = &call.arguments.positional[..] else {
                    return unsupported("this call");
                };
                let argument = self.eval(argument, context)?;
                self.line = call.line;
                return self.binary(&receiver, operator, call.name, &argument);
            }
            _ => {}
        }
        let arguments = self.eval_arguments(&call.arguments, context)?;
        self.line = call.line;
        self.world.spend(1)?;
        let result = self.dispatch(
            &receiver,
            call.name,
            &arguments.positional,
            arguments.keywords.as_ref(),
            arguments.block.as_ref(),
            caller,
        );
        match result {
            Ok(value) => Ok(value),
            result => arguments.caught(result),
        }
    }

    /// Calls an operator or another method with one argument, with fast paths for built-in values.
    pub(super) fn binary(&mut self, left: &Value, operator: Operator, name: Symbol, right: &Value) -> Result {
        if operator != Operator::None && !self.world.has_changed_operators.get() {
            if let Some(value) = quick(left, operator, right) {
                return Ok(value);
            }
            match operator {
                Operator::Equal
                    if !matches!(left, Value::Object(_)) && !matches!(right, Value::Object(_)) =>
                {
                    return Ok(Value::Bool(self.equal(left, right)?));
                }
                Operator::NotEqual
                    if !matches!(left, Value::Object(_)) && !matches!(right, Value::Object(_)) =>
                {
                    return Ok(Value::Bool(!self.equal(left, right)?));
                }
                _ => {}
            }
        }
        self.world.spend(1)?;
        self.dispatch(left, name, std::slice::from_ref(right), None, None, CallerKind::Outside)
    }

    /// Finds a method and calls it, if its visibility allows that.
    pub(crate) fn dispatch(
        &mut self,
        receiver: &Value,
        name: Symbol,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
        caller: CallerKind,
    ) -> Result {
        self.check_is_known(receiver)?;
        let Some(entry) = self.find_entry(receiver, name) else {
            return self.method_missing(receiver, name, arguments, keywords, block, caller);
        };
        if entry.method.visibility != Visibility::Public && caller == CallerKind::Outside {
            let is_allowed = match entry.method.visibility {
                Visibility::Protected => match self.stack.last() {
                    Some(it) => {
                        let caller = it.context.self_value().clone();
                        let owner = entry.owner.without_singletons();
                        self.class_of(&caller).is_a(&owner)
                    }
                    None => false,
                },
                _ => false,
            };
            if !is_allowed {
                return self.not_visible(receiver, name, entry.method.visibility, arguments, keywords, block);
            }
        }
        self.invoke(&entry, receiver, name, arguments, keywords, block)
    }

    fn not_visible(
        &mut self,
        receiver: &Value,
        name: Symbol,
        visibility: Visibility,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
    ) -> Result {
        if let Some(missing) = self.own_method_missing(receiver) {
            let arguments = [&[Value::Symbol(name)], arguments].concat();
            return self.invoke(&missing, receiver, names::METHOD_MISSING, &arguments, keywords, block);
        }
        let kind = match visibility {
            Visibility::Protected => "protected",
            _ => "private",
        };
        let described = self.described(receiver)?;
        self.raise_no_method(receiver, name, format!("{kind} method `{name}' called for {described}"))
    }

    /// Finds the `method_missing` of a class in Ruby.
    fn own_method_missing(&mut self, receiver: &Value) -> Option<Rc<Entry>> {
        let entry = self.find_entry(receiver, names::METHOD_MISSING)?;
        let is_basic = matches!(&entry.method.body, MethodBody::Native(_))
            && &*entry.owner.name.borrow() == "BasicObject";
        (!is_basic).then_some(entry)
    }

    /// Handles a call of a method that does not exist.
    pub(crate) fn method_missing(
        &mut self,
        receiver: &Value,
        name: Symbol,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
        caller: CallerKind,
    ) -> Result {
        self.check_known(receiver, name)?;
        if let Some(missing) = self.own_method_missing(receiver) {
            let arguments = [&[Value::Symbol(name)], arguments].concat();
            return self.invoke(&missing, receiver, names::METHOD_MISSING, &arguments, keywords, block);
        }
        self.check_libraries(name)?;
        match caller {
            CallerKind::Variable => {
                let described = self.described_for_name(receiver)?;
                let message = format!("undefined local variable or method `{name}' for {described}");
                self.raise_name("NameError", receiver, name, message)
            }
            _ => self.no_method(receiver, name),
        }
    }

    /// Evaluates `super`.
    pub(super) fn eval_super(&mut self, call: &SuperCall, context: &Rc<Context>) -> Result {
        let Some((name, owner)) = context.frame.method.clone() else {
            return self.raise_named("RuntimeError", "super called outside of method");
        };
        let mut arguments = match &call.arguments {
            Some(arguments) => self.eval_arguments(arguments, context)?,
            None => {
                let (positional, keywords) = self.implicit_arguments(context)?;
                let (block, tag) = self.eval_block_argument(&call.block, context)?;
                Evaluated { positional: positional.into(), keywords, block, tag }
            }
        };
        if arguments.block.is_none() && arguments.tag.is_none() {
            arguments.block.clone_from(&context.frame.block);
        }
        self.line = call.line;
        self.world.spend(1)?;
        let receiver = context.self_value().clone();
        let result = match self.find_super(&receiver, &owner, name) {
            Some(entry) => self.invoke(
                &entry,
                &receiver,
                name,
                &arguments.positional,
                arguments.keywords.as_ref(),
                arguments.block.as_ref(),
            ),
            None => self.no_super(&receiver, name, &arguments),
        };
        arguments.caught(result)
    }

    fn no_super(&mut self, receiver: &Value, name: Symbol, arguments: &Evaluated) -> Result {
        // Hooks that do nothing, and implicit conversions that do not exist.
        match &*name.name() {
            "initialize" => return Ok(Value::Nil),
            "respond_to_missing?" => return Ok(Value::Bool(false)),
            "inherited"
            | "included"
            | "extended"
            | "prepended"
            | "method_added"
            | "singleton_method_added" => {
                return Ok(Value::Nil);
            }
            "method_missing" => {
                if let Some(Value::Symbol(missing)) = arguments.positional.first() {
                    return self.no_method(receiver, *missing);
                }
            }
            _ => {}
        }
        self.check_known(receiver, name)?;
        self.check_libraries(name)?;
        let described = self.described(receiver)?;
        self.raise_no_method(receiver, name, format!("super: no superclass method `{name}' for {described}"))
    }

    pub(super) fn eval_yield(&mut self, call: &YieldExpr, context: &Rc<Context>) -> Result {
        let Some(block) = context.frame.block.clone() else {
            self.line = call.line;
            return self.raise_named("LocalJumpError", "no block given (yield)");
        };
        let arguments = self.eval_arguments(&call.arguments, context)?;
        self.line = call.line;
        self.call_block(&block, &arguments.positional, arguments.keywords.as_ref(), None)
    }
}

/// The fast path for operators on built-in values that are neither big nor of different kinds.
fn quick(left: &Value, operator: Operator, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => Some(match operator {
            Operator::Add => Value::Integer(a.checked_add(*b)?),
            Operator::Subtract => Value::Integer(a.checked_sub(*b)?),
            Operator::Multiply => Value::Integer(a.checked_mul(*b)?),
            Operator::Less => Value::Bool(a < b),
            Operator::LessEqual => Value::Bool(a <= b),
            Operator::Greater => Value::Bool(a > b),
            Operator::GreaterEqual => Value::Bool(a >= b),
            Operator::Equal => Value::Bool(a == b),
            Operator::NotEqual => Value::Bool(a != b),
            // A remainder has the sign of the divisor.
            Operator::Modulo => match a.checked_rem(*b)? {
                rest if rest != 0 && (rest < 0) != (*b < 0) => Value::Integer(rest + b),
                rest => Value::Integer(rest),
            },
            Operator::BitAnd => Value::Integer(a & b),
            Operator::BitOr => Value::Integer(a | b),
            Operator::BitXor => Value::Integer(a ^ b),
            Operator::ShiftLeft => {
                let places = u32::try_from(*b).ok()?;
                let shifted = a.checked_shl(places)?;
                match shifted >> places == *a {
                    true => Value::Integer(shifted),
                    false => return None,
                }
            }
            Operator::ShiftRight => Value::Integer(a.checked_shr(u32::try_from(*b).ok()?)?),
            Operator::Index | Operator::None => return None,
        }),
        (Value::Float(_) | Value::Integer(_), Value::Float(_) | Value::Integer(_)) => {
            let order = compare_numbers(left, right);
            Some(Value::Bool(match operator {
                Operator::Less => order == Some(Ordering::Less),
                Operator::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                Operator::Greater => order == Some(Ordering::Greater),
                Operator::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
                Operator::Equal => order == Some(Ordering::Equal),
                Operator::NotEqual => order != Some(Ordering::Equal),
                _ => return None,
            }))
        }
        (Value::Array(items), Value::Integer(index)) if operator == Operator::Index => {
            let items = items.items();
            let index = match usize::try_from(*index) {
                Ok(index) => Some(index),
                Err(_) => {
                    usize::try_from(index.unsigned_abs()).ok().and_then(|it| items.len().checked_sub(it))
                }
            };
            Some(index.and_then(|it| items.get(it)).cloned().unwrap_or(Value::Nil))
        }
        (Value::Hash(hash), Value::String(_) | Value::Symbol(_) | Value::Integer(_))
            if operator == Operator::Index =>
        {
            // The existence of a default decides which method is called.
            hash.get(right)
        }
        _ => None,
    }
}
