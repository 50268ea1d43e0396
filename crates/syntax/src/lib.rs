//! The parser: lexer, pest grammar, syntax tree, and static validation.
//!
//! [`parse`] never fails: it returns a tree and the errors of the text. This crate is independent of files and of
//! salsa.

extern crate alloc;

pub mod ast;
mod build;
mod conflict;
mod error;
mod grammar;
mod independent;
mod lexemes;
mod lexer;
mod nesting;
mod parse;
pub mod pn;
mod recover;
mod regex_text;
mod tags;
mod token;
mod top_level;
mod validate;

pub use build::STATEMENT_CALLS;
pub use error::{Label, Slip, SyntaxError, SyntaxErrorKind};
pub use lexemes::{Lexeme, LexemeKind, Lexemes, lexemes};
pub use lexer::HeredocLines;
pub use parse::{Choices, Comment, Mode, Parse, Written, parse, parse_written, written};
pub use token::{Token, TokenKind, Tokens};
pub use top_level::{TopKind, TopStatement, top_statements};
pub use validate::heredoc_problem;
