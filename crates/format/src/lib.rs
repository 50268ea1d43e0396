//! The formatter: one canonical layout of manifests and templates, after the Puppet language style guide.
//!
//! [`format`] parses a text, walks its tree ([`layout`]) together with the tokens and comments ([`writer`]), builds a
//! document ([`doc`]), and prints it. The result has the same tokens in the same order, except for separators, and the
//! same comments; [`verify`] checks that each time. Where a comment that suppresses findings would leave its line ([`suppression`]),
//! the text is laid out again, with the code on that line as it is written ([`kept`]). Where comments are within expressions
//! ([`moving`]), all this is repeated until nothing changes. [`format_range`] does the same for some lines.

mod doc;
mod edit;
mod kept;
mod layout;
mod moving;
mod options;
mod suppression;
mod verify;
mod writer;

pub use edit::{Edit, apply, edits};
pub use options::{LineEnding, Options};

use std::fmt;
use std::ops::RangeInclusive;

use marotte_syntax::ast::Program;
use marotte_syntax::{Mode, SyntaxError, SyntaxErrorKind, Written, pn};

use doc::{Printed, Style};
use kept::Kept;
use suppression::Suppressions;
use writer::{Choices, Writer};

/// The reason why a text cannot be formatted.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The text has syntax errors.
    Syntax(Box<[SyntaxError]>),
    /// The text's layout is significant: a comment or a string extends into the lines of a heredoc.
    Entangled,
    /// The result would differ from the text in more than its layout.
    Changed,
    /// The result would be many times larger than the text, which is deeply nested and has a great many short lines.
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax(errors) if errors.len() == 1 => f.write_str("it has a syntax error"),
            Error::Syntax(errors) => write!(f, "it has {} syntax errors", errors.len()),
            Error::TooLarge => f.write_str("formatted, it would be many times larger"),
            Error::Changed => {
                f.write_str("another layout would change more than blanks, commas and semicolons")
            }
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
    let (mut formatted, moves) = format_once(text, mode, options)?;
    // A comment that has moved to the end of a line may let the lines around it be aligned, or joined.
    for _ in 0..MOST_PASSES {
        if !moves || formatted == text {
            break;
        }
        match format_once(&formatted, mode, options) {
            Ok((again, _)) if again != formatted => formatted = again,
            _ => break,
        }
    }
    Ok(formatted)
}

/// The most passes after the first until the result no longer changes. One is nearly always enough.
const MOST_PASSES: usize = 3;

/// Lays out a text. Also returns whether it has comments that may move in relation to the code.
fn format_once(text: &str, mode: Mode, options: &Options) -> Result<(String, bool), Error> {
    let (parse, written) = marotte_syntax::parse_written(text, mode);
    // Text that is followed by a parenthesis is called like a function, unless the parenthesis is on a line of its own.
    let calls_text = parse.errors.iter().any(|error| error.kind == SyntaxErrorKind::EppParameters);
    if written.is_unreadable || calls_text {
        let errors = parse.errors.into_iter().filter(|error| !error.kind.is_warning());
        return Err(Error::Syntax(errors.collect()));
    }
    let style = options.style(text, mode.template);
    let suppressions = Suppressions::of(text, &written);
    let mut regions = Vec::new();
    let mut attempts = 0;
    let formatted = loop {
        let kept = kept::pieces(&parse.program, &written.texts, &regions);
        let (formatted, other) = laid_out_same(text, &parse.program, &written, &kept, style, mode)?;
        let displaced = suppressions.as_ref().map(|it| it.displaced(&formatted, &other)).unwrap_or_default();
        attempts += 1;
        if displaced.is_empty() || attempts > MOST_ATTEMPTS {
            break formatted;
        }
        kept::add(&mut regions, displaced);
    };
    Ok((formatted, moving::any_may_move(text, &written.comments)))
}

/// The most times that a text is laid out again because suppression comments would have left their lines.
const MOST_ATTEMPTS: usize = 4;

/// Lays out a program, except for code that is kept, and makes sure that the result is the same code. Also returns its tokens.
fn laid_out_same(
    text: &str,
    program: &Program,
    written: &Written,
    kept: &[Kept],
    style: Style,
    mode: Mode,
) -> Result<(String, Written), Error> {
    let (mut is_done, mut printed) = laid_out(text, program, written, Choices { kept, torn: &[] }, style)?;
    if !printed.torn.is_empty() {
        let choices = Choices { kept, torn: &printed.torn };
        (is_done, printed) = laid_out(text, program, written, choices, style)?;
    }
    let other = verify::same(text, written, &printed.text, mode).filter(|_| is_done);
    Ok((printed.text, other.ok_or(Error::Changed)?))
}

/// Lays out a program. Returns whether all of it was written, too.
fn laid_out(
    text: &str,
    program: &Program,
    written: &Written,
    choices: Choices<'_>,
    style: Style,
) -> Result<(bool, Printed), Error> {
    let mut writer = Writer::new(text, written, choices);
    writer.program(program);
    let is_done = writer.is_done();
    let Writer { doc, failure, .. } = writer;
    match failure {
        Some(failure) => Err(failure),
        None => Ok((is_done, doc::print(doc, style).ok_or(Error::TooLarge)?)),
    }
}

/// Formats some lines of a text, numbered from 1: returns those edits of [`format`] that touch one of them, and those next to them
/// without which the text would mean something else.
///
/// # Errors
///
/// Fails as [`format`] does.
pub fn format_range(
    text: &str,
    mode: Mode,
    options: &Options,
    lines: RangeInclusive<usize>,
) -> Result<Vec<Edit>, Error> {
    let formatted = format(text, mode, options)?;
    let all = edits(text, &formatted);
    let mut some = edit::touching(text, &all, lines.clone());
    if some.is_empty() {
        return Ok(Vec::new());
    }
    let (parsed, written) = marotte_syntax::parse_written(text, mode);
    let tree = pn::to_pn(&parsed.program);
    // A comma may move to a line that is not among these, or code to the other side of the text of a heredoc.
    let is_same = |some: &[Edit]| {
        let partly = apply(text, some);
        let (parsed, now) = marotte_syntax::parse_written(&partly, mode);
        !now.is_unreadable
            && verify::same(text, &written, &partly, mode).is_some()
            && pn::to_pn(&parsed.program) == tree
    };
    let mut more = 1;
    while !is_same(&all[some.clone()]) {
        let wider = [
            some.start..(some.end + more).min(all.len()),
            some.start.saturating_sub(more)..some.end,
            some.start.saturating_sub(more)..(some.end + more).min(all.len()),
        ];
        if wider[2] == some {
            return Err(Error::Changed);
        }
        let found = wider[..2].iter().find(|it| is_same(&all[(*it).clone()]));
        some = found.unwrap_or(&wider[2]).clone();
        more *= 2;
    }
    // The last steps were long, and may have been too long.
    let asked = edit::touching(text, &all, lines);
    while more > 1 {
        more /= 2;
        let start = (some.start + more).min(asked.start);
        let end = some.end.saturating_sub(more).max(asked.end);
        for narrower in [start..some.end, some.start..end] {
            let narrower = narrower.start.max(some.start)..narrower.end.min(some.end);
            if narrower != some && is_same(&all[narrower.clone()]) {
                some = narrower;
            }
        }
    }
    Ok(all[some].to_vec())
}
