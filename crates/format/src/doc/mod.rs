//! The document algebra: a representation of alternative layouts.
//!
//! A document is a list of elements. Groups, indentation and lines are the classic ones: a group whose content fits on
//! the line is printed flat, otherwise its own lines become line ends. Everything that a decision needs (the flat width
//! of a piece, the next possible line end, whether a line end is forced) is known when a document is [built](Builder),
//! so [printing](print::print) visits each element once: both take time linear in the text.

mod build;
mod print;

pub(crate) use build::{Builder, Mark};
pub(crate) use print::{Printed, Style, print};

/// A piece of the source, as a pair of byte offsets.
pub(crate) type Span = (u32, u32);

/// An element of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Element {
    /// A piece of the source on one line.
    Text(Span),
    /// A piece of the source with line ends, which are kept.
    Raw(Span),
    /// A word that the layout adds.
    Word(&'static str),
    /// A word that the layout adds, unless the line would be too long only because of it. One more character follows.
    IfRoom(&'static str),
    /// A blank, except at the end of a line.
    Space,
    /// Additional blanks if the enclosing group is broken, to align the following text.
    Pad(Pad),
    /// A line end if the enclosing group is broken; otherwise nothing.
    SoftLine,
    /// A line end if the enclosing group is broken; otherwise a blank.
    Line,
    /// A line end. Several in a row count as one.
    HardLine,
    /// A blank line, if a line has just ended.
    BlankLine,
    /// A word if the enclosing group is broken; otherwise nothing.
    IfBroken(&'static str),
    /// The start of a group.
    Group(Group),
    /// The end of the innermost group.
    EndGroup,
    /// The start of this many levels of indentation, applied if the enclosing group is broken.
    Indent(u32),
    /// The end of the innermost indentation.
    Dedent,
    /// A comment that extends to the end of the line; further text on the line goes before it.
    Suffix(Span),
    /// A comment on a line of its own.
    OwnLine(Span),
    /// The lines of a heredoc, printed after the line with its header.
    Heredoc(Span),
    /// The text between the code of two tags of a template, with their delimiters.
    Outside(Outside),
}

/// The end of a cell of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pad {
    /// The number of blanks; `None` if the cell is not aligned.
    blanks: Option<u32>,
    /// The index of the cell's first element.
    cell: u32,
}

/// The start of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    /// The index of the element that ends it.
    end: u32,
    /// Whether it contains an unconditional line end.
    broken: bool,
    /// The start of its last part, if that may be broken alone while the rest stays on the line.
    last: Option<std::num::NonZeroU32>,
    /// For operators: the place of the last part on a line of its own. It is broken alone only if it would be broken there, too.
    own_line: Option<OwnLine>,
}

/// The place of the last operand on a line of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnLine {
    /// The levels of indentation of the line.
    pub(crate) levels: u32,
    /// The number of columns of the operator.
    pub(crate) operator: u32,
}

/// The text between the code of two tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside {
    /// The whole text with the delimiters.
    pub(crate) span: Span,
    /// The blanks that indent lines of the code that follows, in addition to the levels of indentation.
    pub(crate) indentation: Span,
}
