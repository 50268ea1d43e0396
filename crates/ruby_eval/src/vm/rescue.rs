//! `begin`, `rescue`, `ensure`.

use std::rc::Rc;

use super::Vm;
use super::frame::Context;
use crate::Value;
use crate::program::tree::{BeginExpr, Element, Rescue};
use crate::stop::{Result, Stop};

impl Vm<'_> {
    pub(super) fn eval_begin(&mut self, begin: &BeginExpr, context: &Rc<Context>) -> Result {
        let result = self.eval_rescued(begin, context);
        let Some(ensure) = &begin.ensure else { return result };
        // Nothing runs after the end of the evaluation itself.
        if let Err(stop) = &result
            && matches!(**stop, Stop::Unsupported(_) | Stop::Unknown(_) | Stop::Exhausted(_))
        {
            return result;
        }
        let line = self.line;
        self.eval(ensure, context)?;
        self.line = line;
        result
    }

    fn eval_rescued(&mut self, begin: &BeginExpr, context: &Rc<Context>) -> Result {
        let depth = self.stack.len();
        loop {
            let stop = match self.eval(&begin.body, context) {
                Ok(value) => match &begin.otherwise {
                    Some(otherwise) => return self.eval(otherwise, context),
                    None => return Ok(value),
                },
                Err(stop) => stop,
            };
            let exception = match *stop {
                Stop::Raise(exception) if !begin.rescues.is_empty() => exception,
                other => return Err(Box::new(other)),
            };
            debug_assert_eq!(depth, self.stack.len());
            let mut handler = None;
            for rescue in &begin.rescues {
                if self.rescues(rescue, &exception, context)? {
                    handler = Some(rescue);
                    break;
                }
            }
            let Some(rescue) = handler else { return Err(Box::new(Stop::Raise(exception))) };
            self.handled.push(exception.clone());
            let result = self.eval_handler(rescue, exception, context);
            self.handled.pop();
            match result.map_err(|it| *it) {
                Err(Stop::Retry) => self.world.spend(1)?,
                other => return other.map_err(Box::new),
            }
        }
    }

    fn eval_handler(&mut self, rescue: &Rescue, exception: Value, context: &Rc<Context>) -> Result {
        if let Some(target) = &rescue.target {
            self.assign(target, exception, context)?;
        }
        self.eval(&rescue.body, context)
    }

    fn rescues(&mut self, rescue: &Rescue, exception: &Value, context: &Rc<Context>) -> Result<bool> {
        if rescue.classes.is_empty() {
            return Ok(self.is_a(exception, "StandardError"));
        }
        for element in &rescue.classes {
            let classes = match element {
                Element::Value(expr) => vec![self.eval(expr, context)?],
                Element::Splat(expr) => {
                    let value = self.eval(expr, context)?;
                    self.splat(&value)?
                }
            };
            for class in classes {
                if !matches!(class, Value::Class(_)) && !matches!(class, Value::Object(_)) {
                    return self.type_error("class or module required for rescue clause");
                }
                if self.case_equal(&class, exception)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
