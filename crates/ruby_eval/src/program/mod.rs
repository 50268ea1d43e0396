//! Programs: the tree that is evaluated, made once for each file.
//!
//! [`parse`](Program::parse) reads the text with `lib-ruby-parser` and resolves local variables to slots and names to symbols.
//! A construct that is not implemented becomes a node that stops the evaluation when it is reached.

use std::sync::Arc;

use marotte_text::Str;

use crate::Symbol;

/// A file of Ruby code, or the code of a template.
#[derive(Debug)]
pub struct Program {
    /// The path, for messages and `__FILE__`.
    pub path: Str,
    /// The statements, as a method body without parameters.
    pub body: Arc<MethodCode>,
}

/// The code of a method.
#[derive(Debug)]
pub struct MethodCode {
    /// The name.
    pub name: Symbol,
}

/// The code of a block.
#[derive(Debug)]
pub struct BlockCode {
    /// The line on which it starts.
    pub line: u32,
}
