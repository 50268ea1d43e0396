//! Branches and loops.

use std::rc::Rc;
use std::sync::Arc;

use super::Vm;
use super::frame::Context;
use crate::Value;
use crate::program::tree::{CaseExpr, Element, ForExpr, Line, WhileExpr};
use crate::stop::{Result, Stop};
use crate::symbol::names;
use crate::value::{Proc, ProcBody};

/// The tag of `break` in `while` and `until`, which no call has.
pub(super) const LOOP: u64 = u64::MAX;

impl Vm<'_> {
    pub(super) fn eval_while(&mut self, it: &WhileExpr, context: &Rc<Context>) -> Result {
        let mut is_first = it.is_body_first;
        loop {
            self.world.spend(1)?;
            let goes_on = match is_first {
                true => true,
                false => {
                    let condition = self.eval(&it.condition, context)?;
                    self.is_true(&condition)? == it.expected
                }
            };
            let turn = match goes_on {
                true => self.eval(&it.body, context),
                false => return Ok(Value::Nil),
            };
            is_first = false;
            match turn.map_err(|it| *it) {
                Ok(_) | Err(Stop::Next(_)) => {}
                Err(Stop::Break { tag: LOOP, value }) => return Ok(value),
                Err(other) => return Err(Box::new(other)),
            }
        }
    }

    pub(super) fn eval_for(&mut self, it: &ForExpr, context: &Rc<Context>) -> Result {
        let iterated = self.eval(&it.iterated, context)?;
        self.line = it.line;
        let tag = self.world.new_tag();
        let code = ProcBody::Code { code: Arc::clone(&it.block), context: Rc::clone(context), tag };
        let block = Rc::new(Proc { body: code, is_lambda: false });
        match self.send(&iterated, names::EACH, &[], None, Some(&block)).map_err(|it| *it) {
            Err(Stop::Break { tag: left, value }) if left == tag => Ok(value),
            other => other.map_err(Box::new),
        }
    }

    pub(super) fn eval_case(&mut self, it: &CaseExpr, context: &Rc<Context>) -> Result {
        let subject = match &it.subject {
            Some(subject) => Some(self.eval(subject, context)?),
            None => None,
        };
        for branch in &it.branches {
            for pattern in &branch.patterns {
                if self.when_matches(pattern, subject.as_ref(), it.line, context)? {
                    return self.eval(&branch.body, context);
                }
            }
        }
        self.eval(&it.otherwise, context)
    }

    fn when_matches(
        &mut self,
        pattern: &Element,
        subject: Option<&Value>,
        line: Line,
        context: &Rc<Context>,
    ) -> Result<bool> {
        let patterns = match pattern {
            Element::Value(expr) => vec![self.eval(expr, context)?],
            Element::Splat(expr) => {
                let value = self.eval(expr, context)?;
                self.splat(&value)?
            }
        };
        self.line = Line::new(self.line.number().max(line.number()));
        for pattern in patterns {
            let matches = match subject {
                Some(subject) => self.case_equal(&pattern, subject)?,
                None => self.is_true(&pattern)?,
            };
            if matches {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
