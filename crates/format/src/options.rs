//! What may be chosen: little, so that code looks the same everywhere.

use crate::doc::Style;

/// How formatted text is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// The columns that a line may have. What cannot be broken may have more.
    pub line_width: u16,
    /// The columns of a level of indentation.
    pub indent_width: u8,
    /// Levels of indentation are tabs, counted with `indent_width`, rather than blanks.
    pub tabs: bool,
    /// What ends lines.
    pub line_ending: LineEnding,
}

/// What ends the lines that the layout makes. Line ends inside of strings, comments and heredocs stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// What ends the first line of the text.
    #[default]
    Auto,
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

impl Default for Options {
    /// What the style guide says: 140 columns, two blanks.
    fn default() -> Self {
        Options { line_width: 140, indent_width: 2, tabs: false, line_ending: LineEnding::Auto }
    }
}

impl Options {
    pub(crate) fn style(&self, text: &str) -> Style {
        let has_returns = match self.line_ending {
            LineEnding::Auto => text.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r')),
            LineEnding::Lf => false,
            LineEnding::CrLf => true,
        };
        Style {
            line_width: self.line_width.into(),
            indent_width: self.indent_width.into(),
            tabs: self.tabs,
            line_end: if has_returns { "\r\n" } else { "\n" },
        }
    }
}
