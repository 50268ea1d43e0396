//! The formatting options: few, so that code looks the same everywhere.

use crate::doc::Style;

/// The options of formatted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// The maximal number of columns of a line. Lines that cannot be broken may be longer.
    pub line_width: u16,
    /// The number of columns of a level of indentation.
    pub indent_width: u8,
    /// Whether levels of indentation are tabs, which count as `indent_width` columns, rather than blanks.
    pub tabs: bool,
    /// The characters that end a line.
    pub line_ending: LineEnding,
}

/// The line end that the layout uses. Line ends inside strings, comments and heredocs are kept, and so are those of a template's
/// text, whose code therefore always has that of the first line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// The end of the first line of the text.
    #[default]
    Auto,
    /// A line feed, as on Unix.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

impl Default for Options {
    /// The values of the style guide: 140 columns, two blanks.
    fn default() -> Self {
        Options { line_width: 140, indent_width: 2, tabs: false, line_ending: LineEnding::Auto }
    }
}

impl Options {
    pub(crate) fn style(&self, text: &str, is_template: bool) -> Style {
        let has_returns = match self.line_ending {
            LineEnding::Lf if !is_template => false,
            LineEnding::CrLf if !is_template => true,
            _ => text.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r')),
        };
        Style {
            line_width: self.line_width.into(),
            indent_width: self.indent_width.into(),
            tabs: self.tabs,
            line_end: if has_returns { "\r\n" } else { "\n" },
        }
    }
}
