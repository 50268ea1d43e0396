//! Types that built-in tables contain as text.

use std::sync::{Arc, OnceLock};

use marotte_eval::{NoRequests, Settings, denoted_type};
use marotte_hir::lower;
use marotte_pcore::types::Type;
use marotte_syntax::{Mode, parse};

use crate::dialect;

/// A type that a built-in table contains as text. It is parsed on the first request: the tables are long, and programs use few
/// of their types.
#[derive(Debug)]
pub struct LazyType {
    text: &'static str,
    read: OnceLock<Option<Type>>,
}

impl LazyType {
    /// Creates the type denoted by a text, which must consist of built-in types.
    pub fn new(text: &'static str) -> LazyType {
        LazyType { text, read: OnceLock::new() }
    }

    /// The type. None if the text doesn't denote one.
    pub fn get(&self) -> Option<&Type> {
        self.read.get_or_init(|| read(self.text)).as_ref()
    }
}

/// Parses a text that consists of built-in types.
fn read(text: &str) -> Option<Type> {
    let lowered = lower(&parse(text, Mode::default()).program);
    let id = *lowered.main.statements.first()?;
    denoted_type(&NoRequests, Settings::of(dialect()), &Arc::clone(&lowered.main), id)
}
