use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use super::{Value, free};
use crate::Symbol;
use crate::program::BlockCode;
use crate::stop::Result;
use crate::symbol::names;
use crate::vm::{Context, Vm};

/// A `Proc`: a block of code, a lambda, a method as a block.
#[derive(Debug)]
pub struct Proc {
    /// The code.
    pub body: ProcBody,
    /// Whether `return` leaves the block only, and arguments are checked.
    pub is_lambda: bool,
}

/// The code of a [`Proc`].
pub enum ProcBody {
    /// A block of a program with the variables, `self` and frame around it.
    Code {
        /// The block.
        code: Arc<BlockCode>,
        /// The surroundings in which it was written.
        context: Rc<Context>,
        /// The tag of the call to which it was given, which `break` ends.
        tag: u64,
    },
    /// `&:name`: calls the method of the first argument.
    Symbol(Symbol),
    /// `method(:name)`: calls the method of the receiver.
    Method {
        /// The receiver.
        receiver: Value,
        /// The method.
        name: Symbol,
    },
    /// A function of the interpreter or of the host.
    Native(NativeBlock),
}

/// A block that is written in Rust.
pub type NativeBlock = Rc<dyn Fn(&mut Vm<'_>, &[Value]) -> Result>;

impl fmt::Debug for ProcBody {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcBody::Code { .. } => out.write_str("Code"),
            ProcBody::Symbol(name) => write!(out, "Symbol({name})"),
            ProcBody::Method { name, .. } => write!(out, "Method({name})"),
            ProcBody::Native(_) => out.write_str("Native"),
        }
    }
}

/// Blocks that refer to each other are freed without recursion.
impl Drop for Proc {
    fn drop(&mut self) {
        let is_last = match &self.body {
            ProcBody::Code { context, .. } => Rc::strong_count(context) == 1,
            ProcBody::Native(block) => Rc::strong_count(block) == 1,
            ProcBody::Method { receiver, .. } => receiver.is_nested(),
            ProcBody::Symbol(_) => false,
        };
        if is_last {
            free(std::mem::replace(&mut self.body, ProcBody::Symbol(names::CALL)));
        }
    }
}

impl Proc {
    /// A lambda that is written in Rust.
    pub fn native(body: impl Fn(&mut Vm<'_>, &[Value]) -> Result + 'static) -> Rc<Proc> {
        Rc::new(Proc { body: ProcBody::Native(Rc::new(body)), is_lambda: true })
    }

    /// The least and the greatest number of arguments, as Puppet counts them for the type of a block: parameters of a block
    /// that is not a lambda are all optional. No greatest number means any; None that the numbers are not known.
    pub fn takes(&self) -> Option<(u64, Option<u64>)> {
        match &self.body {
            ProcBody::Code { code, .. } => {
                let least = if self.is_lambda { code.parameters.least() as u64 } else { 0 };
                Some((least, code.parameters.most().map(|most| most as u64)))
            }
            // The reference breaks down at the type of such a block.
            ProcBody::Symbol(_) | ProcBody::Method { .. } | ProcBody::Native(_) => None,
        }
    }

    /// Ruby's `arity`. None if it is not known.
    pub fn arity(&self) -> Option<i64> {
        match &self.body {
            ProcBody::Code { code, .. } => Some(code.parameters.arity(self.is_lambda)),
            ProcBody::Symbol(_) => Some(-2),
            ProcBody::Method { .. } | ProcBody::Native(_) => None,
        }
    }
}
