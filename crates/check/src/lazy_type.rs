use std::sync::OnceLock;

use marotte_pcore::types::Type;

use crate::infer::read_type;

/// A type that a table of this program gives as text. It is read when somebody asks for it: tables are long, and programs
/// ask for few of their types.
#[derive(Debug)]
pub(crate) struct LazyType {
    text: &'static str,
    read: OnceLock<Option<Type>>,
}

impl LazyType {
    /// The type that a text denotes, made of types of the language itself.
    pub(crate) fn new(text: &'static str) -> LazyType {
        LazyType { text, read: OnceLock::new() }
    }

    /// The type. None if the text denotes none.
    pub(crate) fn get(&self) -> Option<&Type> {
        self.read.get_or_init(|| read_type(self.text)).as_ref()
    }
}
