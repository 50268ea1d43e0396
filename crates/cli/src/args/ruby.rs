//! The arguments of `ruby`.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
#[command(
    after_help = "The report covers what the code shows: constructs, constants, and methods by their names. That an argument has a form
that is not implemented is seen when the code is evaluated, and code that does not run needs nothing.

Exit status: 0 all is evaluated here, 1 something is not evaluated at all, 2 something cannot be read, wrong usage or a bug, 3 something needs `--allow ruby`."
)]
pub(crate) struct RubyArgs {
    /// Control repositories, modules, folders or files [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<Utf8PathBuf>,

    /// How the answer is written
    #[arg(long, visible_alias = "output-format", value_name = "FORMAT", default_value = "full")]
    pub(crate) format: RubyFormat,
}

/// The format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RubyFormat {
    /// Functions and templates that are not evaluated here, with the constructs that they need, and totals
    Full,
    /// One line per function and template, and totals
    Concise,
    /// One object
    Json,
}
