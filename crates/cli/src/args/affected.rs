//! The arguments of `affected`.

use camino::Utf8PathBuf;
use clap::Args;

use super::{CacheArgs, CompilationArgs};

#[derive(Debug, Args)]
#[command(
    after_help = "A node can be touched if its evaluation reads anything of the files, or looks whether they are there. What \
becomes of the files is not asked: `marotte impact` says what a certain change does.

A path that is not a file may be a folder, or a link to one, that changes with everything in it.

Exit status: 0 no node can be touched, 1 some can, 2 wrong usage or a bug, 3 none is known to, but a catalog is not fully known (with --allow-incomplete: 0)."
)]
pub(crate) struct AffectedArgs {
    /// Files of code or data that change, are new, or will be deleted; `-` reads their names from standard input
    #[arg(value_name = "CHANGE", required = true)]
    pub(crate) changes: Vec<Utf8PathBuf>,

    /// Only this node; may be given several times [default: all nodes with a file in the folder of facts, or all of PuppetDB]
    #[arg(long, value_name = "NAME", help_heading = "Node", required_unless_present_any = ["facts_dir", "puppetdb"])]
    pub(crate) node: Vec<String>,

    /// Report which of the changes can affect each node
    #[arg(long)]
    pub(crate) reasons: bool,

    /// How the nodes are written
    #[arg(long, visible_alias = "format", value_name = "FORMAT", default_value = "names")]
    pub(crate) output_format: NameFormat,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) compilation: CompilationArgs,
}

/// The format of the list of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum NameFormat {
    /// One name per line
    Names,
    /// One object, for programs
    Json,
}
