//! The arguments of what compiles catalogs: `compile`, `verify`, `impact`.

use camino::Utf8PathBuf;
use clap::Args;

use super::{EvaluationArgs, PuppetdbArgs};

/// Which code is compiled for whom.
#[derive(Clone, Debug, Args)]
pub(crate) struct CompilationArgs {
    /// A control repository, the folder of an environment, or a folder of environments, of which `--environment` names one [default:
    /// the environment around the current folder]
    #[arg(long, value_name = "FOLDER", help_heading = "Code")]
    pub(crate) environment_dir: Option<Utf8PathBuf>,

    /// The main manifest, a file or a folder [default: that of the environment]
    #[arg(long, value_name = "PATH", help_heading = "Code")]
    pub(crate) manifest: Option<Utf8PathBuf>,

    /// A folder of facts, one file `NODE.yaml` or `NODE.json` for each node
    #[arg(long, value_name = "FOLDER", help_heading = "Node")]
    pub(crate) facts_dir: Option<Utf8PathBuf>,

    /// Set a fact: `--fact kernel=Linux`; the value is YAML
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Node")]
    pub(crate) fact: Vec<String>,

    /// What an external node classifier printed: YAML with classes, parameters, environment; a file, or a folder with a file
    /// `NODE.yaml` for each node
    #[arg(long, value_name = "PATH", help_heading = "Node", conflicts_with = "enc")]
    pub(crate) enc_output: Option<Utf8PathBuf>,

    /// Run an external node classifier for each node: a path and perhaps arguments, to which the name of the node is added
    #[arg(long, value_name = "COMMAND", help_heading = "Node")]
    pub(crate) enc: Option<String>,

    /// How many seconds the classifier may take for a node [default: 30]
    #[arg(long, value_name = "SECONDS", help_heading = "Node", requires = "enc",
        value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) enc_timeout: Option<u64>,

    /// More of `$trusted`: YAML, e.g. with `extensions`
    #[arg(long, value_name = "FILE", help_heading = "Node")]
    pub(crate) trusted: Option<Utf8PathBuf>,

    /// `$server_facts`: YAML
    #[arg(long, value_name = "FILE", help_heading = "Node")]
    pub(crate) server_facts: Option<Utf8PathBuf>,

    /// How many nodes are compiled at a time [default: one per processor]
    #[arg(long, value_name = "NUMBER", env = "MAROTTE_THREADS", hide_env = true)]
    pub(crate) threads: Option<u16>,

    /// Accept an incomplete catalog: it lists what is missing, and the exit status is not 3
    #[arg(long)]
    pub(crate) allow_incomplete: bool,

    #[command(flatten)]
    pub(crate) puppetdb: PuppetdbArgs,

    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,
}

impl CompilationArgs {
    /// The option that names the facts of several nodes, if one is given.
    pub(crate) fn facts_of_nodes(&self) -> Option<&'static str> {
        match (&self.facts_dir, &self.puppetdb.puppetdb) {
            (Some(_), _) => Some("--facts-dir"),
            (None, Some(_)) => Some("--puppetdb"),
            (None, None) => None,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Messages and errors go to standard error, catalogs to standard output.

Exit status: 0 compiled, 1 errors found, 2 wrong usage or a bug, 3 a catalog is incomplete.")]
pub(crate) struct CompileArgs {
    /// Names of nodes [default: what the facts say]
    #[arg(value_name = "NODE")]
    pub(crate) nodes: Vec<String>,

    /// All nodes that have a file in the folder of facts, or all nodes of PuppetDB
    #[arg(long, conflicts_with = "nodes")]
    pub(crate) all: bool,

    /// Compile again whenever something changes, until interrupted; write the catalogs that have changed, or without a
    /// format the differences, grouped by nodes
    #[arg(short, long)]
    pub(crate) watch: bool,

    /// Write a file for each node into this folder, such as `NODE.json`, rather than all catalogs to standard output
    #[arg(long, value_name = "FOLDER", conflicts_with = "watch")]
    pub(crate) output_dir: Option<Utf8PathBuf>,

    /// How catalogs are written
    #[arg(long, visible_alias = "output-format", value_name = "FORMAT", default_value = "summary")]
    pub(crate) format: CatalogFormat,

    #[command(flatten)]
    pub(crate) compilation: CompilationArgs,
}

/// How a catalog is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CatalogFormat {
    /// A line for each resource, for people
    Summary,
    /// As agents receive it, as an array for several nodes; sensitive values are in plain text
    Json,
    /// A graph in the language of Graphviz
    Dot,
    /// An HTML page of all nodes, with a search field
    Html,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 the same, 1 differences or errors found, 2 wrong usage or a bug, 3 the same as far as it is known."
)]
pub(crate) struct VerifyArgs {
    /// A catalog as `puppet catalog compile --render-as json` prints it
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Utf8PathBuf,

    /// The name of the node [default: that of the other catalog]
    #[arg(value_name = "NODE")]
    pub(crate) node: Option<String>,

    #[command(flatten)]
    pub(crate) compilation: CompilationArgs,
}
