//! `defined?`

use std::rc::Rc;

use super::Vm;
use super::frame::Context;
use crate::Value;
use crate::program::tree::{ConstantScope, Expr, MatchVariable, Receiver};
use crate::stop::{Result, Stop};
use crate::symbol::names;
use crate::value::{MethodBody, Visibility};

impl Vm<'_> {
    pub(super) fn eval_defined(&mut self, expr: &Expr, context: &Rc<Context>) -> Result {
        Ok(self.definition(expr, context)?.map_or(Value::Nil, Value::from))
    }

    /// The kind of thing that an expression is, if it is defined.
    fn definition(&mut self, expr: &Expr, context: &Rc<Context>) -> Result<Option<&'static str>> {
        Ok(match expr {
            Expr::Nil => Some("nil"),
            Expr::True => Some("true"),
            Expr::False => Some("false"),
            Expr::SelfValue => Some("self"),
            Expr::Local(_) | Expr::Outer { .. } => Some("local-variable"),
            Expr::SetLocal { .. }
            | Expr::SetOuter { .. }
            | Expr::Assign(_)
            | Expr::MultipleAssign(_)
            | Expr::OperatorAssign(_) => Some("assignment"),
            Expr::InstanceVariable(name) => {
                let is_set = match context.self_value() {
                    Value::Object(it) if it.variable(*name).is_some() => true,
                    Value::Object(it) if it.data().reads_scope() => self.has_scope_variable(it, *name)?,
                    Value::Object(it) => {
                        self.check_is_unset(it, *name)?;
                        false
                    }
                    Value::Class(it) => it.variables.borrow().contains_key(name),
                    _ => false,
                };
                is_set.then_some("instance-variable")
            }
            Expr::ClassVariable(name) => self.find_class_variable(*name, context).map(|_| "class variable"),
            Expr::GlobalVariable(name) => self.global_variable_if_set(*name)?.map(|_| "global-variable"),
            Expr::MatchVariable(MatchVariable::Last) => Some("global-variable"),
            Expr::MatchVariable(_) => {
                let value = self.eval(expr, context)?;
                (!value.is_nil()).then_some("global-variable")
            }
            Expr::Constant(path) => {
                if let ConstantScope::Value(scope) = &path.scope
                    && self.definition(scope, context)?.is_none()
                {
                    return Ok(None);
                }
                match self.constant_if_set(path, context)? {
                    Some(_) => Some("constant"),
                    None => {
                        // If a constant is not known here, it is not known either whether it exists.
                        match self.eval(expr, context).map_err(|it| *it) {
                            Ok(_) => Some("constant"),
                            Err(Stop::Raise(_)) => None,
                            Err(other) => return Err(Box::new(other)),
                        }
                    }
                }
            }
            Expr::Call(call) => {
                let (receiver, is_outside) = match &call.receiver {
                    Receiver::Implicit | Receiver::SelfValue => (context.self_value().clone(), false),
                    Receiver::Value(expr) => {
                        if self.definition(expr, context)?.is_none() {
                            return Ok(None);
                        }
                        match self.eval(expr, context).map_err(|it| *it) {
                            Ok(value) => (value, true),
                            Err(Stop::Raise(_)) => return Ok(None),
                            Err(other) => return Err(Box::new(other)),
                        }
                    }
                };
                for argument in &call.arguments.positional {
                    if let crate::program::tree::Element::Value(expr) = argument
                        && self.definition(expr, context)?.is_none()
                    {
                        return Ok(None);
                    }
                }
                self.check_is_known(&receiver)?;
                match self.find_entry(&receiver, call.name) {
                    Some(entry) => {
                        (entry.method.visibility == Visibility::Public || !is_outside).then_some("method")
                    }
                    None => {
                        let missing = self.find_entry(&receiver, names::RESPOND_TO_MISSING);
                        if let Some(entry) =
                            missing.filter(|it| !matches!(it.method.body, MethodBody::Native(_)))
                        {
                            let arguments = [Value::Symbol(call.name), Value::Bool(!is_outside)];
                            let answer = self.invoke(
                                &entry,
                                &receiver,
                                names::RESPOND_TO_MISSING,
                                &arguments,
                                None,
                                None,
                            )?;
                            return Ok(answer.is_truthy().then_some("method"));
                        }
                        let known = self.known_method(&receiver, call.name);
                        if known.is_none() {
                            self.check_libraries(call.name)?;
                        }
                        known.map(|_| "method")
                    }
                }
            }
            Expr::Yield(_) => context.frame.block.as_ref().map(|_| "yield"),
            Expr::Super(_) => {
                let found = context
                    .frame
                    .method
                    .clone()
                    .and_then(|(name, owner)| self.find_super(context.self_value(), &owner, name));
                found.map(|_| "super")
            }
            Expr::Unsupported(it) => return self.unsupported_at(&it.0, it.1),
            _ => Some("expression"),
        })
    }
}
