//! Colours, and whether there is a terminal to see them.

use std::io::{self, IsTerminal};
use std::str::FromStr;

use marotte_diagnostics::output::Color;

/// When to write colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
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

/// Wraps a text in an ANSI style such as `1` (bold), if colours are on.
pub(crate) fn styled(color: Color, style: &str, text: &str) -> String {
    match color {
        Color::Always => format!("\x1b[{style}m{text}\x1b[0m"),
        Color::Never => text.to_owned(),
    }
}
