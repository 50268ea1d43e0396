//! Types that tables of this program give as texts.

use std::sync::{Arc, OnceLock};

use marotte_eval::{NoRequests, Settings, denoted_type};
use marotte_hir::lower;
use marotte_pcore::types::Type;
use marotte_syntax::{Mode, parse};

use crate::dialect;

/// A type that a table of this program gives as text. It is read when somebody asks for it: tables are long, and programs
/// ask for few of their types.
#[derive(Debug)]
pub struct LazyType {
    text: &'static str,
    read: OnceLock<Option<Type>>,
}

impl LazyType {
    /// The type that a text denotes, made of types of the language itself.
    pub fn new(text: &'static str) -> LazyType {
        LazyType { text, read: OnceLock::new() }
    }

    /// The type. None if the text denotes none.
    pub fn get(&self) -> Option<&Type> {
        self.read.get_or_init(|| read(self.text)).as_ref()
    }
}

/// The type that a text denotes, made of types of the language itself.
fn read(text: &str) -> Option<Type> {
    let lowered = lower(&parse(text, Mode::default()).program);
    let id = *lowered.main.statements.first()?;
    denoted_type(&NoRequests, Settings::of(dialect()), &Arc::clone(&lowered.main), id)
}
