//! Custom facts: the declarations by `Facter.add`.

mod read;

use marotte_text::Str;

pub use read::read;

/// The facts that a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Each name once, in source order. Whether a fact has a value depends on the machine, and for some facts also
    /// whether it is declared.
    pub facts: Vec<Fact>,
    /// Whether the list is complete. If not, the file may declare others.
    pub complete: bool,
}

/// A fact that a module adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name, in lower case as in Facter.
    pub name: Str,
    /// Whether its value is a hash or an array. `None` if that is unknown.
    pub structured: Option<bool>,
}
