//! The arguments of `impact`.

use camino::Utf8PathBuf;
use clap::Args;
use marotte_impact::output::Format;

use super::{CacheArgs, CompilationArgs};
use crate::impact::ShardArg;

/// Options that have an effect only while nodes are compared. Those that variables of the environment set are not listed.
const WITHOUT_NODES: [&str; 39] = [
    "range",
    "from",
    "to",
    "from_facts_dir",
    "node",
    "compile_all",
    "nodes_at_a_time",
    "ignore",
    "ignore_tags",
    "ignore_whitespace",
    "ignore_array_order",
    "shard",
    "output",
    "environment_dir",
    "manifest",
    "facts_dir",
    "fact",
    "enc_output",
    "trusted",
    "server_facts",
    "allow_incomplete",
    "facts",
    "set",
    "environment",
    "allow",
    "record",
    "replay",
    "no_ruby",
    "now",
    "max_call_depth",
    "max_string_size",
    "max_collection_size",
    "max_iterations",
    "max_copies",
    "max_steps",
    "max_memory",
    "timeout",
    "ruby_timeout",
    "cache_size",
];

#[derive(Debug, Args)]
#[command(
    after_help = "Without BASE, the working tree is compared with the merge base of the main branch and HEAD. `A..B` compares two \
revisions, `A...B` what B has changed since the two parted. Both sides are evaluated for the same nodes, with the same facts, at the \
same moment.

Exit status: 0 no catalog changes, 1 catalogs change, 2 wrong usage or a bug, 3 no change is known, and not all is known, 4 a node \
fails that did not fail before; with --shard, 0 says that the partial result is written."
)]
pub(crate) struct ImpactArgs {
    /// The revisions to compare: one with the working tree, or two
    #[arg(value_name = "BASE[..HEAD]", conflicts_with = "from")]
    pub(crate) range: Option<String>,

    /// The folder of the environment before, rather than a revision of git
    #[arg(long, value_name = "FOLDER", requires = "to", conflicts_with_all = ["environment_dir", "manifest"], help_heading = "Code")]
    pub(crate) from: Option<Utf8PathBuf>,

    /// The folder of the environment after
    #[arg(long, value_name = "FOLDER", requires = "from", help_heading = "Code")]
    pub(crate) to: Option<Utf8PathBuf>,

    /// Compare with the catalogs that PuppetDB has, rather than with those of code before: what nodes run now
    #[arg(long, requires = "puppetdb", conflicts_with_all = ["range", "from", "from_facts_dir", "compile_all"], help_heading = "Code")]
    pub(crate) from_puppetdb: bool,

    /// The folder with the facts before the change, if nodes had other facts [default: that of --facts-dir]
    #[arg(long, value_name = "FOLDER", requires = "facts_dir", help_heading = "Node")]
    pub(crate) from_facts_dir: Option<Utf8PathBuf>,

    /// Only this node; may be given several times [default: all that have a file in the folder of facts, or all nodes of PuppetDB]
    #[arg(long, value_name = "NAME", help_heading = "Node")]
    pub(crate) node: Vec<String>,

    /// Compile all nodes from both trees, also those whose evaluation read nothing that is different
    #[arg(long)]
    pub(crate) compile_all: bool,

    /// The number of nodes to compare at a time, which determines the memory for catalogs [default: nodes with a total of
    /// 250,000 resources]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) nodes_at_a_time: Option<u32>,

    /// Count changes of these resources and attributes without showing them: `TYPE[TITLE]` or `TYPE[TITLE]::ATTRIBUTE`,
    /// with `*` for any text; may be given several times
    #[arg(long, value_name = "PATTERN", help_heading = "Changes")]
    pub(crate) ignore: Vec<String>,

    /// Count changes of resources with these tags without showing them
    #[arg(long, value_name = "TAGS", value_delimiter = ',', help_heading = "Changes")]
    pub(crate) ignore_tags: Vec<String>,

    /// Treat strings that differ only in white space as equal
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Changes")]
    pub(crate) ignore_whitespace: Option<bool>,

    /// Treat arrays with the same elements in another order as equal
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Changes")]
    pub(crate) ignore_array_order: Option<bool>,

    /// The configuration file, whose table `[impact]` has these settings, too [default: the nearest marotte.toml]
    #[arg(long, value_name = "FILE", env = "MAROTTE_CONFIG", hide_env = true, help_heading = "Changes")]
    pub(crate) config: Option<Utf8PathBuf>,

    /// Compare only the K-th of N parts of the nodes, and write a partial result; `auto` for what a job array of Slurm, an indexed
    /// Job of Kubernetes or `parallel` of GitLab says
    #[arg(long, value_name = "K/N", requires = "output", help_heading = "Parts")]
    pub(crate) shard: Option<ShardArg>,

    /// The file of the partial result
    #[arg(long, value_name = "FILE", requires = "shard", help_heading = "Parts")]
    pub(crate) output: Option<Utf8PathBuf>,

    /// Make one report of the partial results of all parts. The options are those of the parts, except for the format
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = WITHOUT_NODES, help_heading = "Parts")]
    pub(crate) merge: Vec<Utf8PathBuf>,

    /// How the report is written
    #[arg(long, visible_alias = "format", value_name = "FORMAT", default_value = "full")]
    pub(crate) output_format: ImpactFormat,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) compilation: CompilationArgs,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ImpactFormat {
    /// All changes with their values, for people
    Full,
    /// A line for each change
    Concise,
    /// One object, for programs
    Json,
    /// A comment on a merge request, of less than 60,000 characters
    Markdown,
    /// A page for browsers, with filters
    Html,
    /// JUnit XML with a test case for each node
    Junit,
    /// SARIF with a result for each change
    Sarif,
}

impl From<ImpactFormat> for Format {
    fn from(format: ImpactFormat) -> Format {
        match format {
            ImpactFormat::Full => Format::Full,
            ImpactFormat::Concise => Format::Concise,
            ImpactFormat::Json => Format::Json,
            ImpactFormat::Markdown => Format::Markdown,
            ImpactFormat::Html => Format::Html,
            ImpactFormat::Junit => Format::Junit,
            ImpactFormat::Sarif => Format::Sarif,
        }
    }
}
