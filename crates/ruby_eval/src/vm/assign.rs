//! Assignments.

use std::collections::VecDeque;
use std::rc::Rc;

use super::Vm;
use super::frame::Context;
use crate::Value;
use crate::program::tree::{
    Arguments, Assign, AssignOperator, ConstantPath, ConstantScope, Expr, MatchAssign, MultipleAssign,
    OperatorAssign, Target, Targets,
};
use crate::stop::Result;
use crate::symbol::names;
use crate::value::Class;

/// The receivers and arguments of targets that have been evaluated before their values.
type Places = VecDeque<(Value, Vec<Value>)>;

impl Vm<'_> {
    pub(super) fn eval_assign(&mut self, assign: &Assign, context: &Rc<Context>) -> Result {
        match &assign.target {
            Target::Index(target) => {
                let receiver = self.eval(&target.receiver, context)?;
                let mut arguments = self.eval_positional(&target.arguments, context)?;
                let value = self.eval(&assign.value, context)?;
                arguments.push(value.clone());
                self.line = target.line;
                self.set_index(&receiver, &arguments, is_self(&target.receiver))?;
                Ok(value)
            }
            Target::Attribute(target) => {
                let receiver = self.eval(&target.receiver, context)?;
                if target.is_safe && receiver.is_nil() {
                    return Ok(Value::Nil);
                }
                let value = self.eval(&assign.value, context)?;
                self.line = target.line;
                self.set_attribute(&receiver, target.writer, &value, is_self(&target.receiver))?;
                Ok(value)
            }
            target => {
                let value = self.eval(&assign.value, context)?;
                self.assign(target, value.clone(), context)?;
                Ok(value)
            }
        }
    }

    fn set_index(&mut self, receiver: &Value, arguments: &[Value], is_self: bool) -> Result<()> {
        self.world.spend(1)?;
        let caller = caller(is_self);
        self.dispatch(receiver, names::SET_INDEX, arguments, None, None, caller)?;
        Ok(())
    }

    fn set_attribute(
        &mut self,
        receiver: &Value,
        writer: crate::Symbol,
        value: &Value,
        is_self: bool,
    ) -> Result<()> {
        self.world.spend(1)?;
        self.dispatch(receiver, writer, std::slice::from_ref(value), None, None, caller(is_self))?;
        Ok(())
    }

    /// Assigns a value to a target.
    pub(super) fn assign(&mut self, target: &Target, value: Value, context: &Rc<Context>) -> Result<()> {
        self.assign_at(target, value, None, context)
    }

    /// Assigns a value to a target, whose receivers and arguments may have been evaluated before.
    fn assign_at(
        &mut self,
        target: &Target,
        value: Value,
        places: Option<&mut Places>,
        context: &Rc<Context>,
    ) -> Result<()> {
        match target {
            Target::Local { depth, slot } => {
                context.outer(*depth).set_local(*slot, value);
                Ok(())
            }
            Target::InstanceVariable(name) => {
                let this = context.self_value().clone();
                self.set_instance_variable(&this, *name, value)
            }
            Target::ClassVariable(name) => self.set_class_variable(*name, value, context),
            Target::GlobalVariable(name) => self.set_global_variable(*name, value),
            Target::Constant(path) => {
                let module = self.constant_owner(path, context)?;
                self.set_constant(&module, path.name, value)
            }
            Target::Index(target) => {
                let (receiver, mut arguments) = match places.and_then(VecDeque::pop_front) {
                    Some(place) => place,
                    None => self.place(&target.receiver, Some(&target.arguments), context)?,
                };
                arguments.push(value);
                self.line = target.line;
                self.set_index(&receiver, &arguments, is_self(&target.receiver))
            }
            Target::Attribute(target) => {
                let (receiver, _) = match places.and_then(VecDeque::pop_front) {
                    Some(place) => place,
                    None => self.place(&target.receiver, None, context)?,
                };
                if target.is_safe && receiver.is_nil() {
                    return Ok(());
                }
                self.line = target.line;
                self.set_attribute(&receiver, target.writer, &value, is_self(&target.receiver))
            }
            Target::Nested(targets) => self.spread_at(targets, &value, places, context),
            Target::Unsupported(it) => self.unsupported_at(&it.0, it.1),
        }
    }

    /// The class or module in which a constant is set.
    pub(super) fn constant_owner(&mut self, path: &ConstantPath, context: &Rc<Context>) -> Result<Rc<Class>> {
        match &path.scope {
            ConstantScope::Lexical => Ok(Rc::clone(&context.frame.lexical.module)),
            ConstantScope::Root => Ok(Rc::clone(&self.world.object)),
            ConstantScope::Value(expr) => match self.eval(expr, context)? {
                Value::Class(it) => Ok(it),
                other => {
                    let text = self.inspect(&other)?;
                    self.type_error(format!("{text} is not a class/module"))
                }
            },
        }
    }

    /// Since Ruby 3.1, the receivers and indices on the left side are evaluated before the right side.
    pub(super) fn eval_multiple_assign(&mut self, assign: &MultipleAssign, context: &Rc<Context>) -> Result {
        let mut places = Places::new();
        self.evaluate_places(&assign.targets, &mut places, context)?;
        let value = self.eval(&assign.value, context)?;
        self.spread_at(&assign.targets, &value, Some(&mut places), context)?;
        Ok(value)
    }

    fn place(
        &mut self,
        receiver: &Expr,
        arguments: Option<&Arguments>,
        context: &Rc<Context>,
    ) -> Result<(Value, Vec<Value>)> {
        let receiver = self.eval(receiver, context)?;
        let arguments = arguments.map(|it| self.eval_positional(it, context)).transpose()?;
        Ok((receiver, arguments.unwrap_or_default().into_vec()))
    }

    /// Evaluates the receivers and arguments in targets, in the order in which `spread_at` takes them.
    fn evaluate_places(
        &mut self,
        targets: &Targets,
        places: &mut Places,
        context: &Rc<Context>,
    ) -> Result<()> {
        for it in targets.before.iter().chain(targets.rest.iter().flatten()).chain(&targets.after) {
            match it {
                Target::Index(it) => {
                    places.push_back(self.place(&it.receiver, Some(&it.arguments), context)?);
                }
                Target::Attribute(it) => places.push_back(self.place(&it.receiver, None, context)?),
                Target::Nested(it) => {
                    stacker::maybe_grow(super::eval::RED_ZONE, super::eval::MORE_STACK, || {
                        self.evaluate_places(it, places, context)
                    })?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Assigns the parts of a value to targets.
    pub(super) fn assign_spread(
        &mut self,
        targets: &Targets,
        value: &Value,
        context: &Rc<Context>,
    ) -> Result<()> {
        self.spread_at(targets, value, None, context)
    }

    fn spread_at(
        &mut self,
        targets: &Targets,
        value: &Value,
        mut places: Option<&mut Places>,
        context: &Rc<Context>,
    ) -> Result<()> {
        let items = match self.spread(value)? {
            Some(items) => items.snapshot(),
            None => vec![value.clone()],
        };
        self.world.spend(items.len())?;
        let mut items = items.into_iter();
        for target in &targets.before {
            stacker::maybe_grow(super::eval::RED_ZONE, super::eval::MORE_STACK, || {
                let item = items.next().unwrap_or(Value::Nil);
                self.assign_at(target, item, places.as_deref_mut(), context)
            })?;
        }
        if let Some(rest) = &targets.rest {
            let count = items.len().saturating_sub(targets.after.len());
            let rest_items: Vec<Value> = items.by_ref().take(count).collect();
            if let Some(rest) = rest {
                self.assign_at(rest, Value::array(rest_items), places.as_deref_mut(), context)?;
            }
        }
        for target in &targets.after {
            let item = items.next().unwrap_or(Value::Nil);
            self.assign_at(target, item, places.as_deref_mut(), context)?;
        }
        Ok(())
    }

    pub(super) fn eval_operator_assign(&mut self, assign: &OperatorAssign, context: &Rc<Context>) -> Result {
        self.line = assign.line;
        match &assign.target {
            Target::Index(target) => {
                let receiver = self.eval(&target.receiver, context)?;
                let mut arguments = self.eval_positional(&target.arguments, context)?;
                let caller = caller(is_self(&target.receiver));
                let old = self.dispatch(&receiver, names::INDEX, &arguments, None, None, caller)?;
                let Some(value) = self.operated(assign, &old, context)? else { return Ok(old) };
                arguments.push(value.clone());
                self.set_index(&receiver, &arguments, is_self(&target.receiver))?;
                Ok(value)
            }
            Target::Attribute(target) => {
                let receiver = self.eval(&target.receiver, context)?;
                if target.is_safe && receiver.is_nil() {
                    return Ok(Value::Nil);
                }
                let caller = caller(is_self(&target.receiver));
                let old = self.dispatch(&receiver, target.reader, &[], None, None, caller)?;
                let Some(value) = self.operated(assign, &old, context)? else { return Ok(old) };
                self.set_attribute(&receiver, target.writer, &value, is_self(&target.receiver))?;
                Ok(value)
            }
            target => {
                let old = match target {
                    Target::Local { depth, slot } => context.outer(*depth).local(*slot),
                    Target::InstanceVariable(name) => self.instance_variable(context.self_value(), *name)?,
                    Target::GlobalVariable(name) => match assign.operator {
                        AssignOperator::Or => self.global_variable_if_set(*name)?.unwrap_or(Value::Nil),
                        _ => self.global_variable(*name)?,
                    },
                    Target::ClassVariable(name) => match assign.operator {
                        AssignOperator::Or => {
                            self.check_kept_state(*name)?;
                            self.find_class_variable(*name, context).unwrap_or(Value::Nil)
                        }
                        _ => self.class_variable(*name, context)?,
                    },
                    Target::Constant(path) => match assign.operator {
                        AssignOperator::Or => self.constant_if_set(path, context)?.unwrap_or(Value::Nil),
                        _ => self.eval_constant(path, context)?,
                    },
                    Target::Unsupported(it) => return self.unsupported_at(&it.0, it.1),
                    _ => return self.unsupported_at("this assignment", assign.line),
                };
                let Some(value) = self.operated(assign, &old, context)? else { return Ok(old) };
                self.assign(target, value.clone(), context)?;
                Ok(value)
            }
        }
    }

    /// The new value of an assignment with an operator; None if the old one is kept.
    fn operated(
        &mut self,
        assign: &OperatorAssign,
        old: &Value,
        context: &Rc<Context>,
    ) -> Result<Option<Value>> {
        match assign.operator {
            AssignOperator::Or if self.is_true(old)? => Ok(None),
            AssignOperator::And if !self.is_true(old)? => Ok(None),
            AssignOperator::Or | AssignOperator::And => self.eval(&assign.value, context).map(Some),
            AssignOperator::Method(name, operator) => {
                let value = self.eval(&assign.value, context)?;
                self.line = assign.line;
                self.binary(old, operator, name, &value).map(Some)
            }
        }
    }

    pub(super) fn eval_match_assign(&mut self, assign: &MatchAssign, context: &Rc<Context>) -> Result {
        let value = self.eval(&assign.call, context)?;
        let last = context.frame.last_match.borrow().clone();
        for (name, target) in &assign.names {
            let group = last.as_ref().filter(|_| value.is_truthy());
            let text = group.and_then(|it| Some(it.group(it.named(name)?)));
            self.assign(target, text.unwrap_or(Value::Nil), context)?;
        }
        Ok(value)
    }
}

fn is_self(receiver: &Expr) -> bool {
    matches!(receiver, crate::program::tree::Expr::SelfValue)
}

fn caller(is_self: bool) -> super::call::CallerKind {
    match is_self {
        true => super::call::CallerKind::SelfValue,
        false => super::call::CallerKind::Outside,
    }
}
