//! Programs: the tree to evaluate, built once for each file.
//!
//! [`parse`](Program::parse) reads the text with `lib-ruby-parser` and resolves local variables to slots and names to
//! symbols. A construct that is not implemented becomes a node that stops the evaluation when it is reached.
//! [`template`](Program::template) does the same for ERB.

mod changes;
mod effects;
mod erb;
mod lower;
mod parse;
pub(crate) mod tree;
mod walk;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use marotte_text::Str;

use crate::Symbol;
pub use changes::MayChange;
pub use effects::Effects;
pub(crate) use lower::Mention;
pub use tree::{BlockCode, MethodCode};
use tree::{CallExpr, Element, Expr, Receiver};

/// A file of Ruby code, or the code of a template. Programs are equal if they differ in places only.
#[derive(Debug, PartialEq)]
pub struct Program {
    /// The path, for messages and `__FILE__`.
    pub path: Str,
    /// The statements, as a method body without parameters.
    pub body: Arc<MethodCode>,
    /// The name of the first method that it defines, and the column of the name.
    pub(crate) first_method: Option<(Symbol, tree::Line)>,
}

/// The keywords that may be names of methods.
const KEYWORDS: [&str; 39] = [
    "alias",
    "and",
    "begin",
    "break",
    "case",
    "class",
    "def",
    "defined?",
    "do",
    "else",
    "elsif",
    "end",
    "ensure",
    "false",
    "for",
    "if",
    "in",
    "module",
    "next",
    "nil",
    "not",
    "or",
    "redo",
    "rescue",
    "retry",
    "return",
    "self",
    "super",
    "then",
    "true",
    "undef",
    "unless",
    "until",
    "when",
    "while",
    "yield",
    "__FILE__",
    "__LINE__",
    "__ENCODING__",
];

/// The Ruby code that a template in ERB is compiled to.
pub fn template_source(text: &[u8]) -> Vec<u8> {
    erb::compile(text)
}

/// The error of a text that is not Ruby, or that the parser rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: u32,
    /// The place of what the parser did not expect: bytes of the code, which for a template is the one that its tags are compiled to.
    pub range: Range<usize>,
    /// The message.
    pub message: String,
    /// Whether the text may be valid Ruby that only this interpreter rejects: it is too long, or in another encoding.
    pub is_refusal: bool,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for SyntaxError {}

impl Program {
    /// Returns Puppet's message for a file of the 3.x API that defines a method, which it refuses. None if there is none.
    pub fn refused_method(&self) -> Option<String> {
        let (name, column) = self.first_method?;
        let name = name.name();
        let is_plain =
            name.starts_with(|it: char| it.is_lowercase() || it == '_') && !KEYWORDS.contains(&&*name);
        // Puppet tells the column as the line.
        let (name, line) = match is_plain {
            true => (&*name, column.number().to_string()),
            // Constants, operators and keywords.
            false => ("<unknown>", "<unknown>".to_owned()),
        };
        let path = &self.path;
        Some(format!(
            "Illegal method definition of method '{name}' in source {path} on line {line} in legacy function. See https://puppet.com/docs/puppet/latest/functions_refactor_legacy.html for more information"
        ))
    }

    /// Whether the statements only define methods and require libraries, so that they mean the same wherever they are evaluated.
    pub(crate) fn only_defines_methods(&self) -> bool {
        let requires = |call: &CallExpr| {
            let is_text = |it: &Element| matches!(it, Element::Value(Expr::String(_)));
            call.receiver == Receiver::Implicit
                && call.name.name() == "require"
                && call.arguments.positional.iter().all(is_text)
        };
        let is_definition = |it: &Expr| match it {
            Expr::Define(define) => define.object.is_none(),
            Expr::Call(call) => requires(call),
            _ => false,
        };
        match &self.body.body {
            Expr::Sequence(all) => all.iter().all(is_definition),
            one => is_definition(one),
        }
    }

    /// Parses a file.
    ///
    /// # Errors
    /// If the text has errors: the first one.
    pub fn parse(path: impl Into<Str>, text: &[u8]) -> Result<Program, SyntaxError> {
        parse::parse(path.into(), text, None)
    }

    /// Returns the names that the tags of a template mention, as [`mentions`](Program::mentions) has them, except the
    /// buffer to which text is appended.
    ///
    /// # Errors
    /// If the text has errors: the first one.
    pub(crate) fn names_in_template(path: &str, text: &[u8]) -> Result<Vec<Mention>, SyntaxError> {
        // Errors may show a part of the text.
        let of_tags = erb::compile_tags(text).filter(|_| parse::has_usual_length(text));
        let of_tags = of_tags.and_then(|it| parse::mentions(path.into(), &it, Some(erb::magic(text))).ok());
        of_tags.map_or_else(|| Program::mentions(path, text, true), Ok)
    }

    /// Returns the Ruby code of a template without the text between its tags, or with it where a literal may span several tags.
    /// None if the template is long, not in UTF-8, or may have another encoding.
    pub(crate) fn code_of_template(text: &[u8]) -> Option<String> {
        let has_magic = erb::find(text, b"coding").is_some();
        let is_usual = parse::has_usual_length(text) && !has_magic;
        let code = is_usual.then(|| erb::compile_tags(text).unwrap_or_else(|| erb::compile(text)))?;
        String::from_utf8(code).ok()
    }

    /// Returns the names and constructs that a file mentions.
    pub(crate) fn mentions(path: &str, text: &[u8], is_template: bool) -> Result<Vec<Mention>, SyntaxError> {
        match is_template {
            true => parse::mentions(path.into(), &erb::compile(text), Some(erb::magic(text))),
            false => parse::mentions(path.into(), text, None),
        }
    }

    /// Compiles an ERB template with the trim mode `-`. The program appends to the variable `_erbout`, which is its
    /// value.
    ///
    /// # Errors
    /// If the Ruby code in it has errors: the first one, with the line of the template.
    pub fn template(path: impl Into<Str>, text: &[u8]) -> Result<Program, SyntaxError> {
        parse::parse(path.into(), &erb::compile(text), Some(erb::magic(text)))
    }
}
