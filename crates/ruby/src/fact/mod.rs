//! Custom facts: what `Facter.add` declares.

mod read;

use marotte_text::Str;

pub use read::read;

/// The facts that a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Each name once, in the order of the source. Whether a fact has a value depends on the machine, and for some
    /// also whether it is declared.
    pub facts: Vec<Fact>,
    /// Whether these are all. If not, the file may declare others.
    pub complete: bool,
}

/// A custom fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name, in lower case, as Facter has it.
    pub name: Str,
    /// Whether its value is a hash or an array. `None` if that is unknown.
    pub structured: Option<bool>,
}
