//! Output to terminals and logs: colours, and neutralized control sequences.

use std::io::{self, IsTerminal, Write as _};
use std::str::FromStr;
use std::sync::OnceLock;

use marotte_diagnostics::output::Color;
use marotte_diagnostics::printable;

use crate::failure::Failure;

/// The condition for writing colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always write colours.
    Always,
    /// Never write colours.
    Never,
}

impl FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        clap::ValueEnum::from_str(text, false)
            .map_err(|_| format!("`{text}` is none of `auto`, `always`, `never`"))
    }
}

impl When {
    /// Whether to write colours to standard output.
    pub(crate) fn on_stdout(self) -> Color {
        self.on(&io::stdout())
    }

    /// Whether to write colours to standard error.
    pub(crate) fn on_stderr(self) -> Color {
        self.on(&io::stderr())
    }

    fn on(self, stream: &dyn IsTerminal) -> Color {
        let colors = match self {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                !refused && !dumb && stream.is_terminal()
            }
        };
        if colors { Color::Always } else { Color::Never }
    }
}

/// Whether raw output was requested.
static RAW: OnceLock<bool> = OnceLock::new();

/// Writes the following output unchanged.
pub(crate) fn write_raw() {
    let _ = RAW.set(true);
}

/// Whether standard output is neither a terminal nor a log, or raw output was requested.
pub(crate) fn is_raw() -> bool {
    RAW.get().is_some_and(|it| *it) || is_file(&io::stdout())
}

#[cfg(unix)]
fn is_file(stream: &impl std::os::fd::AsFd) -> bool {
    let file = stream.as_fd().try_clone_to_owned().map(std::fs::File::from);
    file.and_then(|it| it.metadata()).is_ok_and(|it| it.is_file())
}

#[cfg(not(unix))]
fn is_file<T>(_: &T) -> bool {
    false
}

/// Writes a text for people to standard output, with control sequences neutralized.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match is_raw() {
        true => out.write_all(text.as_bytes())?,
        false => out.write_all(printable::text(text).as_bytes())?,
    }
    out.flush()
}

/// Writes JSON to standard output.
pub(crate) fn print_json(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(printable::json(text).as_bytes())?;
    out.flush()
}

/// Writes a text to standard output that programs may need byte by byte: unchanged, or not at all.
pub(crate) fn print_exactly(text: &str) -> Result<(), Failure> {
    if !is_raw() && !printable::is_harmless(text) {
        let message = "the output has control characters, or lines that a service for continuous integration obeys: `--raw` writes it as it is, and so does a file as standard output";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Returns the width and height, in characters, of the terminal that standard output is connected to. None if it isn't a
/// terminal.
pub(crate) fn size() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size_of(io::stdout())?;
    Some((width.0.into(), height.0.into()))
}

/// Wraps the paragraphs of a page at the width of the terminal. Examples, tables and headings are unchanged, as is
/// everything if standard output isn't a terminal.
pub(crate) fn wrapped(page: &str) -> String {
    match size() {
        Some((width, _)) => wrapped_at(page, width.clamp(20, LONGEST_LINE)),
        None => page.to_owned(),
    }
}

/// The maximum line length, in characters, that is comfortable to read.
const LONGEST_LINE: usize = 100;

fn wrapped_at(page: &str, width: usize) -> String {
    let mut text = String::with_capacity(page.len());
    let mut column = 0;
    for line in page.lines() {
        let is_prose = line.starts_with(|it: char| it.is_alphanumeric() || "`*-_(\"'".contains(it));
        let starts_item = ["* ", "- "].iter().any(|it| line.starts_with(it));
        if column > 0 && (!is_prose || starts_item) {
            text.push('\n');
            column = 0;
        }
        if !is_prose {
            text.push_str(line);
            text.push('\n');
            continue;
        }
        for word in line.split_whitespace() {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > width {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += length;
        }
    }
    if column > 0 {
        text.push('\n');
    }
    text
}

/// Wraps a text in an ANSI style such as `1` (bold), if colours are on.
pub(crate) fn styled(color: Color, style: &str, text: &str) -> String {
    match color {
        Color::Always => format!("\x1b[{style}m{text}\x1b[0m"),
        Color::Never => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_wrapped_and_examples_are_not() {
        let page =
            "one two three four\nfive\n\n* a list of\n* two items\n\n    code that is longer than that\n";
        let wrapped =
            "one two three\nfour five\n\n* a list of\n* two items\n\n    code that is longer than that\n";
        assert_eq!(wrapped_at(page, 13), wrapped);
    }
}
