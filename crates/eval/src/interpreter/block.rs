//! Blocks that calls are given: lambdas of Puppet code, or blocks of Ruby code that calls a function.

use std::cell::OnceCell;
use std::rc::Rc;

use marotte_hir::ExprId;
use marotte_hir::body::Lambda;
use marotte_pcore::types::Size;
use marotte_pcore::value::Value;

use super::closure::{Closure, Signature};
use super::{Env, Evaluated, Interpreter};
use crate::Place;
use crate::ruby::RubyBlock;

/// A block that a call is given.
pub(crate) struct Block<'e> {
    code: BlockCode<'e>,
    pub(crate) env: Env<'e>,
    /// The call that it is given to.
    at: ExprId,
    /// The number of changes in place when the call started, which has values from then.
    since: usize,
    signature: OnceCell<Rc<Signature>>,
}

/// The code of a block.
enum BlockCode<'e> {
    /// A lambda written in Puppet.
    Lambda(Closure<'e>),
    /// A block of Ruby code.
    Ruby(RubyBlock<'e>),
}

impl<'e> Block<'e> {
    /// The block of a call that has a lambda.
    pub(crate) fn new(env: Env<'e>, at: ExprId, lambda: &'e Lambda, since: usize) -> Block<'e> {
        let code = BlockCode::Lambda(Closure::lambda(env.code, lambda));
        Block { code, env, at, since, signature: OnceCell::new() }
    }

    /// A block of Ruby code that is evaluated for the call at a place.
    pub(crate) fn ruby(env: Env<'e>, at: ExprId, block: RubyBlock<'e>, since: usize) -> Block<'e> {
        Block { code: BlockCode::Ruby(block), env, at, since, signature: OnceCell::new() }
    }

    /// The block of Ruby code, if it is one.
    pub(crate) fn as_ruby(&self) -> Option<&RubyBlock<'e>> {
        match &self.code {
            BlockCode::Lambda(_) => None,
            BlockCode::Ruby(it) => Some(it),
        }
    }

    /// The place of its first parameter or statement; that of the call for Ruby code.
    fn place(&self) -> Place {
        let first = match &self.code {
            BlockCode::Lambda(it) => it.parameters.first().map(|it| it.at).or(it.statements.first().copied()),
            BlockCode::Ruby(_) => None,
        };
        self.env.place(first.unwrap_or(self.at))
    }

    /// The number of arguments that it takes. None if that depends.
    pub(crate) fn fixed_arity(&self) -> Option<usize> {
        match &self.code {
            BlockCode::Lambda(it) => {
                let varies = it.parameters.iter().any(|it| it.captures_rest || it.default.is_some());
                (!varies).then_some(it.parameters.len())
            }
            BlockCode::Ruby(it) => it.fixed_arity(),
        }
    }

    /// The names of its parameters. None for Ruby code.
    pub(crate) fn parameter_names(&self) -> impl Iterator<Item = &str> {
        let parameters = match &self.code {
            BlockCode::Lambda(it) => it.parameters,
            BlockCode::Ruby(_) => &[],
        };
        parameters.iter().map(|it| &*it.name)
    }
}

impl Interpreter<'_> {
    /// The signature of a block; evaluated once.
    pub(crate) fn block_signature(&mut self, block: &Block<'_>) -> Evaluated<Rc<Signature>> {
        if let Some(signature) = block.signature.get() {
            return Ok(signature.clone());
        }
        let signature = match &block.code {
            BlockCode::Lambda(closure) => self.same_signature(&block.env, closure)?,
            BlockCode::Ruby(it) => {
                let (min, max) = it.takes();
                Rc::new(Signature::untyped(Size { min, max }))
            }
        };
        Ok(block.signature.get_or_init(|| signature).clone())
    }

    /// Calls a block with arguments.
    pub(crate) fn call_block(&mut self, block: &Block<'_>, arguments: &[Value]) -> Evaluated {
        let at = || block.place();
        self.count_iteration(at)?;
        let settled = match block.since == self.changes_in_place() {
            true => None,
            false => Some(self.settled_all(block.since, arguments.to_vec())?),
        };
        let arguments = settled.as_deref().unwrap_or(arguments);
        match &block.code {
            BlockCode::Lambda(closure) => {
                let signature = self.block_signature(block)?;
                self.deeper(at, |it| {
                    stacker::maybe_grow(super::STACK_LEFT, super::STACK_MORE, || {
                        it.guarded(&block.env, |it| {
                            it.call_closure(&block.env, closure, &signature, arguments)
                        })
                    })
                })
            }
            BlockCode::Ruby(ruby) => self.deeper(at, |it| {
                stacker::maybe_grow(super::STACK_LEFT, super::STACK_MORE, || {
                    it.call_ruby_block(&block.env, block.at, ruby, arguments)
                })
            }),
        }
    }
}
