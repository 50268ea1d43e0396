//! The formatter: one canonical layout of manifests and templates, after the Puppet language style guide.
//!
//! [`format`] parses a text, walks its tree ([`layout`]) together with the tokens and comments ([`writer`]), builds a
//! document ([`doc`]), and prints it. The result has the same tokens in the same order, except for separators, and the
//! same comments; [`verify`] checks that each time. [`format_range`] does the same for some lines.

mod doc;
mod edit;
mod layout;
mod options;
mod verify;
mod writer;

pub use edit::{Edit, apply, edits};
pub use options::{LineEnding, Options};

use std::fmt;
use std::ops::RangeInclusive;

use marotte_syntax::ast::Program;
use marotte_syntax::{Mode, SyntaxError, SyntaxErrorKind, Written, parse, pn};

use doc::{Printed, Style};
use writer::Writer;

/// The reason why a text cannot be formatted.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The text has syntax errors.
    Syntax(Box<[SyntaxError]>),
    /// The text's layout is significant: a comment or a string extends into the lines of a heredoc.
    Entangled,
    /// The result would be many times larger than the text, which is deeply nested and has a great many short lines.
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax(errors) if errors.len() == 1 => f.write_str("it has a syntax error"),
            Error::Syntax(errors) => write!(f, "it has {} syntax errors", errors.len()),
            Error::TooLarge => f.write_str("formatted, it would be many times larger"),
            Error::Entangled => f.write_str("a string or a comment reaches into the lines of a heredoc"),
        }
    }
}

impl std::error::Error for Error {}

/// Formats a text.
///
/// The result has the same tree and the same comments, and formatting it again does not change it. Takes time and
/// memory linear in the length of the text.
///
/// ```
/// use marotte_format::{Options, format};
/// use marotte_syntax::Mode;
///
/// let text = "file{'/tmp/a': ensure=>file,mode=>'0644'}";
/// let formatted = "file { '/tmp/a':\n  ensure => file,\n  mode   => '0644',\n}\n";
/// assert_eq!(format(text, Mode::default(), &Options::default()), Ok(formatted.to_owned()));
/// ```
///
/// # Errors
///
/// Fails if the text has syntax errors, or if its layout cannot be changed without changing its meaning.
pub fn format(text: &str, mode: Mode, options: &Options) -> Result<String, Error> {
    let (parse, written) = marotte_syntax::parse_written(text, mode);
    // Text that is followed by a parenthesis is called like a function, unless the parenthesis is on a line of its own.
    let calls_text = parse.errors.iter().any(|error| error.kind == SyntaxErrorKind::EppParameters);
    if written.is_unreadable || calls_text {
        let errors = parse.errors.into_iter().filter(|error| !error.kind.is_warning());
        return Err(Error::Syntax(errors.collect()));
    }
    let style = options.style(text);
    let (mut is_done, mut printed) = laid_out(text, &parse.program, &written, &[], style)?;
    if !printed.torn.is_empty() {
        (is_done, printed) = laid_out(text, &parse.program, &written, &printed.torn, style)?;
    }
    let formatted = printed.text;
    if !is_done || !verify::is_same(text, &written, &formatted, mode) {
        return Err(Error::Entangled);
    }
    Ok(formatted)
}

/// Lays out a program; the cells that end at `torn` are not aligned. Returns whether all of it was written, too.
fn laid_out(
    text: &str,
    program: &Program,
    written: &Written,
    torn: &[u32],
    style: Style,
) -> Result<(bool, Printed), Error> {
    let mut writer = Writer::new(text, written, torn);
    writer.program(program);
    let is_done = writer.is_done();
    let Writer { doc, failure, .. } = writer;
    match failure {
        Some(failure) => Err(failure),
        None => Ok((is_done, doc::print(doc, style).ok_or(Error::TooLarge)?)),
    }
}

/// Formats some lines of a text, numbered from 1: returns those edits of [`format`] that touch one of them.
///
/// # Errors
///
/// Fails as [`format`] does, and if these lines cannot be formatted without others: code may move to the other side of the text of
/// a heredoc.
pub fn format_range(
    text: &str,
    mode: Mode,
    options: &Options,
    lines: RangeInclusive<usize>,
) -> Result<Vec<Edit>, Error> {
    let formatted = format(text, mode, options)?;
    let some = edit::touching(text, edits(text, &formatted), lines);
    let is_same = || {
        let partly = apply(text, &some);
        let tree = |text: &str| pn::to_pn(&parse(text, mode).program);
        // A comma may move to a line that is not among these.
        verify::is_same(text, &marotte_syntax::written(text, mode), &partly, mode)
            && tree(text) == tree(&partly)
    };
    if some.is_empty() || is_same() { Ok(some) } else { Err(Error::Entangled) }
}
