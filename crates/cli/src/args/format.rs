use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;

use camino::Utf8PathBuf;
use clap::Args;
use clap::builder::BoolishValueParser;

use crate::terminal::When;

#[derive(Debug, Args)]
#[command(
    after_help = "Settings come from flags, the environment, the table [format] of marotte.toml, and .editorconfig, in this order.

Exit status: 0 all files are formatted now; with --check and --diff 1 if one would change; 2 a file cannot be formatted or read, there \
is none (unless --allow-empty is given), wrong usage or a bug."
)]
pub(crate) struct FormatArgs {
    /// Control repositories, modules, folders or files; `-` for standard input [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<Utf8PathBuf>,

    /// Write nothing, and say which files would change
    #[arg(long)]
    pub(crate) check: bool,

    /// Write nothing, print the changes
    #[arg(long)]
    pub(crate) diff: bool,

    /// The name of the file on standard input: it determines whether it is a template, and which settings apply
    #[arg(long, value_name = "PATH", env = "MAROTTE_STDIN_FILENAME", hide_env = true)]
    pub(crate) stdin_filename: Option<Utf8PathBuf>,

    /// The columns that a line may have [default: 140]
    #[arg(long, value_name = "COLUMNS", env = "MAROTTE_LINE_WIDTH", hide_env = true,
        value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) line_width: Option<u16>,

    /// Format only these lines of one file, e.g. `10-20`
    #[arg(long, value_name = "START-END")]
    pub(crate) range: Option<Lines>,

    /// Write colours: on a terminal, always or never [default: auto]
    #[arg(long, value_name = "WHEN", env = "MAROTTE_COLOR", hide_env = true)]
    pub(crate) color: Option<When>,

    /// Print no summary
    #[arg(short, long, env = "MAROTTE_QUIET", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) quiet: Option<bool>,

    /// End with status 0 even if there was no file to format
    #[arg(long, env = "MAROTTE_ALLOW_EMPTY", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) allow_empty: Option<bool>,

    /// Format hidden files and files that .gitignore and .ignore list
    #[arg(long, env = "MAROTTE_NO_IGNORE", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) no_ignore: Option<bool>,

    /// Read `plan` and `apply` as keywords everywhere, not only in `plans` folders
    #[arg(long, env = "MAROTTE_TASKS", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) tasks: Option<bool>,

    /// How many files are formatted at a time [default: one per processor]
    #[arg(long, value_name = "NUMBER", env = "MAROTTE_THREADS", hide_env = true)]
    pub(crate) threads: Option<u16>,

    /// Read this configuration rather than the nearest marotte.toml
    #[arg(long, value_name = "FILE", env = "MAROTTE_CONFIG", hide_env = true)]
    pub(crate) config: Option<Utf8PathBuf>,
}

/// A range of lines of a text, numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lines(pub(crate) RangeInclusive<usize>);

impl FromStr for Lines {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || format!("`{text}` is not a range of lines such as `10-20`");
        let (start, end) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse::<NonZeroUsize>().map_err(|_| malformed());
        let (start, end) = (number(start)?.get(), number(end)?.get());
        if start <= end { Ok(Lines(start..=end)) } else { Err(malformed()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_first_and_a_last_one() {
        assert_eq!("10-20".parse(), Ok(Lines(10..=20)));
        assert_eq!("7".parse(), Ok(Lines(7..=7)));
        for text in ["0-1", "2-1", "a-b", "-", ""] {
            assert!(text.parse::<Lines>().is_err(), "{text}");
        }
    }
}
