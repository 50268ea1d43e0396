//! `case … in`.

use std::rc::Rc;

use super::Vm;
use super::frame::Context;
use crate::Value;
use crate::program::tree::{
    ArrayPattern, CaseIn, Expr, FindPattern, HashPattern, HashRest, InBranch, Pattern,
};
use crate::stop::Result;
use crate::symbol::names;
use crate::value::HashObject;

impl Vm<'_> {
    pub(super) fn eval_case_in(&mut self, it: &CaseIn, context: &Rc<Context>) -> Result {
        let subject = self.eval(&it.subject, context)?;
        for branch in &it.branches {
            self.world.spend(1)?;
            if !self.matches(&branch.pattern, &subject, context)? {
                continue;
            }
            if let Some((guard, expected)) = &branch.guard {
                let condition = self.eval(guard, context)?;
                if self.is_true(&condition)? != *expected {
                    continue;
                }
            }
            return self.eval(&branch.body, context);
        }
        self.line = it.line;
        match &it.otherwise {
            Some(otherwise) => self.eval(otherwise, context),
            None => {
                let text = self.inspect(&subject)?;
                // With a single pattern, the message explains why it does not match.
                let text = match &it.branches[..] {
                    [InBranch { pattern: Pattern::Value(expr), guard: None, .. }] => {
                        let value = self.eval(expr, context)?;
                        let shown = self.inspect(&value)?;
                        format!("{text}: {shown} === {text} does not return true")
                    }
                    [_] => return crate::stop::unsupported("the message of a pattern that does not match"),
                    _ => text,
                };
                self.raise_named("NoMatchingPatternError", text)
            }
        }
    }

    fn matches(&mut self, pattern: &Pattern, subject: &Value, context: &Rc<Context>) -> Result<bool> {
        stacker::maybe_grow(super::eval::RED_ZONE, super::eval::MORE_STACK, || match pattern {
            Pattern::Value(expr) => {
                let value = self.eval(expr, context)?;
                self.case_equal(&value, subject)
            }
            Pattern::Bind(target) => {
                self.assign(target, subject.clone(), context)?;
                Ok(true)
            }
            Pattern::Alternatives(both) => {
                Ok(self.matches(&both.0, subject, context)? || self.matches(&both.1, subject, context)?)
            }
            Pattern::Capture(it) => {
                if !self.matches(&it.0, subject, context)? {
                    return Ok(false);
                }
                self.assign(&it.1, subject.clone(), context)?;
                Ok(true)
            }
            Pattern::Array(it) => self.matches_array(it, subject, context),
            Pattern::Find(it) => self.matches_find(it, subject, context),
            Pattern::Hash(it) => self.matches_hash(it, subject, context),
            Pattern::Unsupported(it) => self.unsupported_at(&it.0, it.1),
        })
    }

    fn matches_constant(
        &mut self,
        constant: Option<&Expr>,
        subject: &Value,
        context: &Rc<Context>,
    ) -> Result<bool> {
        match constant {
            None => Ok(true),
            Some(expr) => {
                let value = self.eval(expr, context)?;
                self.case_equal(&value, subject)
            }
        }
    }

    fn deconstructed(&mut self, subject: &Value) -> Result<Option<Vec<Value>>> {
        self.check_is_known(subject)?;
        match subject {
            Value::Array(it) => Ok(Some(it.snapshot())),
            Value::Object(_) if self.responds_to_symbol(subject, names::DECONSTRUCT) => {
                match self.send(subject, names::DECONSTRUCT, &[], None, None)? {
                    Value::Array(it) => Ok(Some(it.snapshot())),
                    _ => self.type_error("deconstruct must return Array"),
                }
            }
            _ => Ok(None),
        }
    }

    fn matches_array(
        &mut self,
        pattern: &ArrayPattern,
        subject: &Value,
        context: &Rc<Context>,
    ) -> Result<bool> {
        if !self.matches_constant(pattern.constant.as_ref(), subject, context)? {
            return Ok(false);
        }
        let Some(items) = self.deconstructed(subject)? else { return Ok(false) };
        let (before, after) = (pattern.before.len(), pattern.after.len());
        let least = before + after;
        if items.len() < least || (pattern.rest.is_none() && items.len() > least) {
            return Ok(false);
        }
        for (pattern, item) in pattern.before.iter().zip(&items) {
            if !self.matches(pattern, item, context)? {
                return Ok(false);
            }
        }
        let end = items.len() - after;
        if let Some(Some(target)) = &pattern.rest {
            self.assign(target, Value::array(items[before..end].to_vec()), context)?;
        }
        for (pattern, item) in pattern.after.iter().zip(&items[end..]) {
            if !self.matches(pattern, item, context)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn matches_find(
        &mut self,
        pattern: &FindPattern,
        subject: &Value,
        context: &Rc<Context>,
    ) -> Result<bool> {
        if !self.matches_constant(pattern.constant.as_ref(), subject, context)? {
            return Ok(false);
        }
        let Some(items) = self.deconstructed(subject)? else { return Ok(false) };
        let length = pattern.middle.len();
        if items.len() < length {
            return Ok(false);
        }
        'starts: for start in 0..=items.len() - length {
            self.world.spend(1)?;
            for (pattern, item) in pattern.middle.iter().zip(&items[start..]) {
                if !self.matches(pattern, item, context)? {
                    continue 'starts;
                }
            }
            if let Some(target) = &pattern.before {
                self.assign(target, Value::array(items[..start].to_vec()), context)?;
            }
            if let Some(target) = &pattern.after {
                self.assign(target, Value::array(items[start + length..].to_vec()), context)?;
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn matches_hash(
        &mut self,
        pattern: &HashPattern,
        subject: &Value,
        context: &Rc<Context>,
    ) -> Result<bool> {
        if !self.matches_constant(pattern.constant.as_ref(), subject, context)? {
            return Ok(false);
        }
        self.check_is_known(subject)?;
        let hash = match subject {
            Value::Hash(it) => Rc::clone(it),
            Value::Object(_) if self.responds_to_symbol(subject, names::DECONSTRUCT_KEYS) => {
                let keys = match pattern.rest {
                    HashRest::Any => {
                        Value::array(pattern.pairs.iter().map(|(key, _)| Value::Symbol(*key)).collect())
                    }
                    _ => Value::Nil,
                };
                match self.send(subject, names::DECONSTRUCT_KEYS, &[keys], None, None)? {
                    Value::Hash(it) => it,
                    _ => return self.type_error("deconstruct_keys must return Hash"),
                }
            }
            _ => return Ok(false),
        };
        for (key, pattern) in &pattern.pairs {
            let Some(value) = hash.get(&Value::Symbol(*key)) else { return Ok(false) };
            if !self.matches(pattern, &value, context)? {
                return Ok(false);
            }
        }
        let is_named =
            |key: &Value| pattern.pairs.iter().any(|(it, _)| matches!(key, Value::Symbol(key) if key == it));
        match &pattern.rest {
            HashRest::Any => Ok(true),
            HashRest::None => Ok(hash.snapshot().iter().all(|(key, _)| is_named(key))),
            HashRest::Bind(target) => {
                let rest = Rc::new(HashObject::default());
                for (key, value) in hash.snapshot() {
                    if !is_named(&key) {
                        rest.insert(key, value);
                    }
                }
                self.assign(target, Value::Hash(rest), context)?;
                Ok(true)
            }
        }
    }
}
