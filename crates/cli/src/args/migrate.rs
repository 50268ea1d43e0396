use camino::Utf8PathBuf;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    #[command(subcommand)]
    pub(crate) command: MigrateCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MigrateCommand {
    /// Convert the configuration of puppet-lint into a marotte.toml
    #[command(
        after_help = "The command reads .puppet-lint.rc and the settings in the Rakefile that are literal or computed from literals, and reports all others and those without a counterpart.

Exit status: 0 the configuration is written; 2 there is nothing to read, a marotte.toml is there already, or it cannot be written."
    )]
    PuppetLint(PuppetLintArgs),
}

#[derive(Debug, Args)]
pub(crate) struct PuppetLintArgs {
    /// The folder of the repository
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub(crate) folder: Utf8PathBuf,

    /// Write the configuration to standard output
    #[arg(long, conflicts_with = "overwrite")]
    pub(crate) stdout: bool,

    /// Replace a marotte.toml that is there
    #[arg(long)]
    pub(crate) overwrite: bool,
}
