use camino::Utf8PathBuf;
use clap::Args;

#[derive(Debug, Args)]
#[command(
    after_help = "An editor starts this; docs/editors.md says how. Settings come from the editor and from the nearest marotte.toml.

Exit status: 0 the editor asked to shut down, 1 it went away without."
)]
pub(crate) struct ServerArgs {
    /// Communicate over standard input and output, the default
    #[arg(long, conflicts_with = "tcp")]
    pub(crate) stdio: bool,

    /// Wait for one editor at this port of the loopback address, for debugging; 0 for any that is free
    #[arg(long, value_name = "PORT")]
    pub(crate) tcp: Option<u16>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "For reports of bugs: what it prints are the answers that an editor would get, as JSON, one for each line."
)]
pub(crate) struct IdeDumpArgs {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: Utf8PathBuf,

    /// The folder that an editor would have opened [default: the current one, if the file is in it, else the file's]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<Utf8PathBuf>,
}
