//! The document algebra: what may be laid out in more than one way.
//!
//! A document is a list of elements. Groups, indentation and lines are the classic ones: a group whose content fits on the line is
//! printed flat, otherwise its own lines become line ends. Everything that a decision needs (how wide a piece is when it is
//! flat, where the next line end can be, whether a line end must be) is known when a document is [built](Builder), so that
//! [printing](print::print) looks at each element once: both take time linear in the text.

mod build;
mod print;

pub(crate) use build::{Builder, Mark};
pub(crate) use print::{Style, print};

/// A piece of the source, by its bytes.
pub(crate) type Span = (u32, u32);

/// A part of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Element {
    /// A piece of the source on one line.
    Text(Span),
    /// A piece of the source with line ends, which stay as they are.
    Raw(Span),
    /// A word that the layout adds.
    Word(&'static str),
    /// A blank, unless a line ends here.
    Space,
    /// So many more blanks where the group around is broken, to align what follows.
    Pad(u32),
    /// A line end where the group around is broken; otherwise nothing.
    SoftLine,
    /// A line end where the group around is broken; otherwise a blank.
    Line,
    /// A line end. Several in a row are one.
    HardLine,
    /// A blank line, if a line has just ended.
    BlankLine,
    /// A word where the group around is broken; otherwise nothing.
    IfBroken(&'static str),
    /// The start of a group.
    Group(Group),
    /// The end of the innermost group.
    EndGroup,
    /// So many levels of indentation, if the group around is broken.
    Indent(u32),
    /// The end of the innermost indentation.
    Dedent,
    /// A comment that goes to the end of the line, behind whatever else comes to stand there.
    Suffix(Span),
    /// A comment on a line of its own.
    OwnLine(Span),
    /// The lines of a heredoc, which follow the line on which they are announced.
    Heredoc(Span),
    /// What stands between the code of two tags of a template, their delimiters included.
    Outside(Outside),
}

/// The start of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    /// The element that ends it.
    end: u32,
    /// It has a line end that is no choice.
    broken: bool,
    /// Where its last part starts, if that may be broken alone while the rest stays on the line.
    last: Option<std::num::NonZeroU32>,
}

/// What stands between the code of two tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside {
    /// All of it.
    pub(crate) span: Span,
    /// How far lines of the code that follows are indented.
    pub(crate) indentation: u32,
}
