use marotte_text::Str;

/// A variable that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// `$x`: one of the slots, in this order, as far as they are set; else, what the scope around the body has.
    Local {
        /// The name.
        name: Str,
        /// Where it may be.
        candidates: Box<[Candidate]>,
    },
    /// `$::x`: the variable of the top scope.
    Top(Str),
    /// `$a::b::c`: the variable of a class.
    Qualified {
        /// The name of the class, `a::b`.
        scope: Str,
        /// The name, `c`.
        name: Str,
        /// Written with `::` at the start, which means the same.
        absolute: bool,
    },
    /// `$0`, `$1`, …: what a group of the last match captured.
    Group(u32),
}

/// A slot in which a variable may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// How many frames out from the one in which the variable is read.
    pub up: u16,
    /// Which slot.
    pub slot: u16,
}

/// Which frame of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameId(pub(crate) u32);

/// The variables that one call of a function, lambda or template sets, parameters first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Their names; the index is the slot.
    pub names: Vec<Str>,
}

impl Frame {
    /// The slot of a name.
    pub fn slot(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| it == name)
    }
}
