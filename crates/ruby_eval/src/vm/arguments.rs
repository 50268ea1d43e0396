//! The arguments of calls.

use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::Vm;
use super::frame::Context;
use crate::Value;
use crate::program::tree::{Arguments, BlockArgument, Element, Parameter};
use crate::stop::{Result, Stop};
use crate::symbol::names;
use crate::value::{HashObject, Proc, ProcBody};

/// The positional arguments of a call.
pub(super) type Positional = SmallVec<[Value; 4]>;

/// The arguments of a call, evaluated.
pub(super) struct Evaluated {
    pub(super) positional: Positional,
    pub(super) keywords: Option<Rc<HashObject>>,
    pub(super) block: Option<Rc<Proc>>,
    /// The tag of a block written at the call, which `break` ends.
    pub(super) tag: Option<u64>,
}

impl Evaluated {
    /// The value of the call: that of a `break` in its block, if this ended it.
    pub(super) fn caught(&self, result: Result) -> Result {
        match result {
            Err(stop) => match (*stop, self.tag) {
                (Stop::Break { tag, value }, Some(own)) if tag == own => Ok(value),
                (stop, _) => Err(Box::new(stop)),
            },
            ok => ok,
        }
    }
}

impl Vm<'_> {
    pub(super) fn eval_positional(
        &mut self,
        arguments: &Arguments,
        context: &Rc<Context>,
    ) -> Result<Positional> {
        if arguments.has_splat {
            return Ok(self.eval_elements(&arguments.positional, context)?.into());
        }
        let mut values = Positional::with_capacity(arguments.positional.len());
        for element in &arguments.positional {
            if let Element::Value(expr) = element {
                values.push(self.eval(expr, context)?);
            }
        }
        Ok(values)
    }

    pub(super) fn eval_arguments(
        &mut self,
        arguments: &Arguments,
        context: &Rc<Context>,
    ) -> Result<Evaluated> {
        let positional = self.eval_positional(arguments, context)?;
        let keywords = match &arguments.keywords {
            Some(entries) => {
                let hash = self.eval_entries(entries, context)?;
                (!hash.is_empty()).then_some(hash)
            }
            None => None,
        };
        let (block, tag) = self.eval_block_argument(&arguments.block, context)?;
        Ok(Evaluated { positional, keywords, block, tag })
    }

    pub(super) fn eval_block_argument(
        &mut self,
        block: &BlockArgument,
        context: &Rc<Context>,
    ) -> Result<(Option<Rc<Proc>>, Option<u64>)> {
        match block {
            BlockArgument::None => Ok((None, None)),
            BlockArgument::Literal(code) => {
                let tag = self.world.new_tag();
                let body = ProcBody::Code { code: Arc::clone(code), context: Rc::clone(context), tag };
                Ok((Some(Rc::new(Proc { body, is_lambda: false })), Some(tag)))
            }
            BlockArgument::Pass(expr) => {
                let value = self.eval(expr, context)?;
                Ok((self.block_of(&value)?, None))
            }
        }
    }

    /// The block that `&value` passes.
    pub(crate) fn block_of(&mut self, value: &Value) -> Result<Option<Rc<Proc>>> {
        self.check_is_known(value)?;
        match value {
            Value::Nil => Ok(None),
            Value::Proc(it) => Ok(Some(Rc::clone(it))),
            Value::Symbol(name) => Ok(Some(Rc::new(Proc { body: ProcBody::Symbol(*name), is_lambda: true }))),
            _ => {
                if self.responds_to_symbol(value, names::TO_PROC)
                    && let Value::Proc(it) = self.send(value, names::TO_PROC, &[], None, None)?
                {
                    return Ok(Some(it));
                }
                let class = self.conversion_name(value);
                self.type_error(format!("wrong argument type {class} (expected Proc)"))
            }
        }
    }

    /// The arguments that `super` without parentheses passes on: the current values of the method's parameters.
    pub(super) fn implicit_arguments(
        &mut self,
        context: &Rc<Context>,
    ) -> Result<(Vec<Value>, Option<Rc<HashObject>>)> {
        let root = context.root();
        let parameters = &root.frame.code.parameters;
        let mut values = Vec::new();
        let slot_of = |it: &Parameter| match it {
            Parameter::Slot(slot) => Some(*slot),
            Parameter::Nested(_) => None,
        };
        for parameter in &parameters.required {
            match slot_of(parameter) {
                Some(slot) => values.push(root.local(slot)),
                None => return crate::stop::unsupported("`super` with nested parameters"),
            }
        }
        values.extend(parameters.optional.iter().map(|(slot, _)| root.local(*slot)));
        if let Some(Some(slot)) = parameters.rest {
            values.extend(self.splat(&root.local(slot))?);
        }
        for parameter in &parameters.post {
            match slot_of(parameter) {
                Some(slot) => values.push(root.local(slot)),
                None => return crate::stop::unsupported("`super` with nested parameters"),
            }
        }
        if !parameters.takes_keywords() {
            return Ok((values, None));
        }
        let hash = Rc::new(HashObject::default());
        for keyword in &parameters.keywords {
            hash.insert(Value::Symbol(keyword.name), root.local(keyword.slot));
        }
        if let crate::program::tree::KeywordRest::Rest(slot) = parameters.keyword_rest
            && let Value::Hash(rest) = root.local(slot)
        {
            for (key, value) in rest.snapshot() {
                hash.insert(key, value);
            }
        }
        Ok((values, (!hash.is_empty()).then_some(hash)))
    }
}
