//! Calls of blocks and procs.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::Vm;
use super::frame::{Context, Frame, Locals};
use crate::program::tree::BlockCode;
use crate::stop::{Result, Stop};
use crate::value::{Class, HashObject, Proc, ProcBody};
use crate::{Symbol, Value};

/// The differences between the environment of a block and that of the code around it.
pub(crate) struct Override {
    pub(crate) self_value: Value,
    pub(crate) definee: Rc<Class>,
    /// The method that the block is the body of.
    pub(crate) method: Option<(Symbol, Rc<Class>)>,
}

impl Vm<'_> {
    /// Calls a block as `yield` does, or a lambda.
    pub(crate) fn call_block(
        &mut self,
        block: &Rc<Proc>,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        passed: Option<&Rc<Proc>>,
    ) -> Result {
        self.world.spend(1)?;
        match &block.body {
            ProcBody::Native(body) => {
                let body = Rc::clone(body);
                arguments.iter().try_for_each(|it| self.check_is_known_in_full(it))?;
                // It may look at the results of the block that it passes on to.
                self.nested(|vm| {
                    vm.with_results_of_blocks(false, |vm| match keywords {
                        Some(hash) => {
                            let joined = [arguments, &[Value::Hash(Rc::clone(hash))]].concat();
                            body(vm, &joined)
                        }
                        None => body(vm, arguments),
                    })
                })
            }
            ProcBody::Symbol(name) => match arguments.split_first() {
                Some((receiver, rest)) => {
                    self.dispatch(receiver, *name, rest, keywords, passed, super::call::CallerKind::Outside)
                }
                None => self.argument_error("no receiver given"),
            },
            ProcBody::Method { receiver, name } => {
                let receiver = receiver.clone();
                self.send_for_any(&receiver, *name, arguments, keywords, passed)
            }
            ProcBody::Code { code, context, tag } => {
                let frame = Rc::clone(&context.frame);
                self.call_code(code, context, frame, *tag, block.is_lambda, arguments, keywords, passed)
            }
        }
    }

    /// Calls a block with another `self`: `instance_eval`, `instance_exec`, `class_eval`.
    pub(crate) fn call_block_with(
        &mut self,
        block: &Rc<Proc>,
        changed: Override,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
    ) -> Result {
        match &block.body {
            ProcBody::Code { code, context, tag } => {
                self.world.spend(1)?;
                let frame = self.overridden(context, changed);
                self.call_code(code, context, frame, *tag, block.is_lambda, arguments, keywords, None)
            }
            ProcBody::Symbol(_) => {
                let joined = [&[changed.self_value], arguments].concat();
                self.call_block(block, &joined, keywords, None)
            }
            _ => self.call_block(block, arguments, keywords, None),
        }
    }

    /// Calls a proc that is the body of a method (`define_method`): as a lambda.
    pub(crate) fn call_proc_as_method(
        &mut self,
        body: &Rc<Proc>,
        this: &Value,
        method: (Symbol, Rc<Class>),
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        block: Option<&Rc<Proc>>,
    ) -> Result {
        match &body.body {
            ProcBody::Code { code, context, tag } => {
                let definee = Rc::clone(&method.1);
                let changed = Override { self_value: this.clone(), definee, method: Some(method) };
                let frame = self.overridden(context, changed);
                self.call_code(code, context, frame, *tag, true, arguments, keywords, block)
            }
            ProcBody::Symbol(_) => {
                let joined = [std::slice::from_ref(this), arguments].concat();
                self.call_block(body, &joined, keywords, block)
            }
            _ => self.call_block(body, arguments, keywords, block),
        }
    }

    fn overridden(&mut self, context: &Rc<Context>, changed: Override) -> Rc<Frame> {
        let mut frame = context.frame.with_self(changed.self_value, changed.definee);
        if changed.method.is_some() {
            frame.method = changed.method;
        }
        Rc::new(frame)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a block and of its call")]
    fn call_code(
        &mut self,
        code: &Arc<BlockCode>,
        parent: &Rc<Context>,
        frame: Rc<Frame>,
        tag: u64,
        is_lambda: bool,
        arguments: &[Value],
        keywords: Option<&Rc<HashObject>>,
        passed: Option<&Rc<Proc>>,
    ) -> Result {
        let (break_tag, return_tag) = match is_lambda {
            true => {
                let own = self.world.new_tag();
                (own, own)
            }
            false => (tag, parent.return_tag),
        };
        let parameters = &code.parameters;
        // An array as the only argument is spread over several parameters.
        let spread = match arguments {
            [one] if parameters.is_spread && !is_lambda && keywords.is_none() => self.spread(one)?,
            _ => None,
        };
        let is_plain = parameters.is_plain && !is_lambda && keywords.is_none();
        let mut locals = Locals::with_capacity(code.locals.len());
        if is_plain {
            let count = parameters.required.len();
            match &spread {
                Some(items) => locals.extend(items.items().iter().take(count).cloned()),
                None => locals.extend(arguments.iter().take(count).cloned()),
            }
        }
        locals.resize(code.locals.len(), Value::Nil);
        let context = Rc::new(Context {
            locals: RefCell::new(locals),
            parent: Some(Rc::clone(parent)),
            frame,
            block: Some(Arc::clone(code)),
            break_tag,
            return_tag,
        });
        self.activate(&context, |vm| {
            if !is_plain {
                match &spread {
                    Some(items) => {
                        let items = items.snapshot();
                        vm.bind(parameters, &items, keywords, passed, is_lambda, &context)?;
                    }
                    None => vm.bind(parameters, arguments, keywords, passed, is_lambda, &context)?,
                }
            }
            loop {
                let stop = match vm.eval(&code.body, &context) {
                    Ok(value) => return Ok(value),
                    Err(stop) => stop,
                };
                match *stop {
                    Stop::Next(value) => return Ok(value),
                    Stop::Redo => vm.world.spend(1)?,
                    Stop::Return { tag, value } if is_lambda && tag == return_tag => return Ok(value),
                    Stop::Break { tag, value } if is_lambda && tag == break_tag => return Ok(value),
                    other => return Err(Box::new(other)),
                }
            }
        })
    }
}
