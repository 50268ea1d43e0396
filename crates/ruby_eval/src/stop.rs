//! The ways in which the evaluation of an expression ends without a value.

use std::any::Any;
use std::fmt;

use std::sync::Arc;

use marotte_pcore::value::Unknown;
use marotte_text::Str;

use crate::Value;

/// The result of evaluating something.
pub type Result<T = Value> = std::result::Result<T, Box<Stop>>;

/// The reason why an expression has no value.
#[derive(Debug)]
pub enum Stop {
    /// An exception that Ruby code may rescue.
    Raise(Value),
    /// `break` out of the block of the call with this tag.
    Break {
        /// The tag of the frame in which the block was written.
        tag: u64,
        /// The value of the call.
        value: Value,
    },
    /// `next` out of the innermost block.
    Next(Value),
    /// `redo` of the innermost block or loop.
    Redo,
    /// `retry` of the innermost `begin`.
    Retry,
    /// `return` from the method or lambda with this tag.
    Return {
        /// The tag of the frame of the method.
        tag: u64,
        /// The value of the method's call.
        value: Value,
    },
    /// `throw`.
    Throw {
        /// The object that `catch` waits for.
        tag: Value,
        /// The value of `catch`.
        value: Value,
    },
    /// A feature that the interpreter does not implement. Ruby code cannot rescue it.
    Unsupported(Unsupported),
    /// An unknown value that the code reads. Ruby code cannot rescue it.
    Unknown(Arc<Unknown>),
    /// The evaluation took more steps, memory or depth than its budget allows.
    Exhausted(String),
    /// Control flow of the host that passes through Ruby code: an error of Puppet code, an unknown value.
    Host(Box<dyn Any>),
}

/// A construct, method, constant or argument form that the interpreter does not implement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The construct, for example `Net::HTTP` or `String#encode with :xml`.
    pub construct: String,
    /// The path of the Ruby file or template. Empty if it is not known.
    pub path: Str,
    /// The line in it, from 1; 0 if it is not known.
    pub line: u32,
}

impl Unsupported {
    /// Describes a construct; the evaluation adds the place.
    pub fn new(construct: impl Into<String>) -> Unsupported {
        Unsupported { construct: construct.into(), path: Str::new(), line: 0 }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}`", self.construct)?;
        if !self.path.is_empty() {
            write!(out, " ({}:{})", self.path, self.line)?;
        }
        Ok(())
    }
}

/// Ends the evaluation at a construct that is not implemented.
pub fn unsupported<T>(construct: impl Into<String>) -> Result<T> {
    Err(Box::new(Stop::Unsupported(Unsupported::new(construct))))
}
