//! The arguments of the commands that evaluate code: `eval`, `epp`, `repl`.

use camino::Utf8PathBuf;
use clap::builder::{BoolishValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use marotte_host::{Permission, RenderAs};
use marotte_pcore::dialect::Dialect;

use super::Size;
use crate::terminal::When;

/// What all that evaluates has in common.
#[derive(Clone, Debug, Args)]
pub(crate) struct EvaluationArgs {
    /// Facts: YAML or JSON, as `facter`, `puppet facts` and PuppetDB print them
    #[arg(long, value_name = "FILE", help_heading = "EvaluationContext")]
    pub(crate) facts: Option<Utf8PathBuf>,

    /// Set a variable: `--set port=80`, `--set 'users=[root, bin]'`
    #[arg(long, value_name = "NAME=PUPPET-LITERAL", help_heading = "EvaluationContext")]
    pub(crate) set: Vec<String>,

    /// The name of the environment [default: production, or what a classifier says, unless a folder has several]
    #[arg(long, value_name = "NAME", help_heading = "EvaluationContext")]
    pub(crate) environment: Option<String>,

    /// Folders of modules, separated by `:` [default: those of the environment around the current folder]
    #[arg(
        long,
        value_name = "FOLDERS",
        env = "MAROTTE_MODULE_PATH",
        hide_env = true,
        help_heading = "EvaluationContext"
    )]
    pub(crate) module_path: Option<String>,

    /// The `hiera.yaml` of the global layer of data [default: none]
    #[arg(
        long,
        value_name = "FILE",
        env = "MAROTTE_HIERA_CONFIG",
        hide_env = true,
        help_heading = "EvaluationContext"
    )]
    pub(crate) hiera_config: Option<Utf8PathBuf>,

    /// Allow running commands (`exec`), reading files outside of the modules (`read=PATH`), or running Ruby code that the
    /// interpreter does not implement with the installed Ruby (`ruby`, `ruby=PATH`)
    #[arg(long, value_name = "PERMISSION", help_heading = "EvaluationContext")]
    pub(crate) allow: Vec<Permission>,

    /// Record the permitted accesses to the outside world in a file: output of commands, files outside of the tree, results
    /// of workers
    #[arg(long, value_name = "FILE", conflicts_with = "replay", help_heading = "EvaluationContext")]
    pub(crate) record: Option<Utf8PathBuf>,

    /// Answer from a file that --record has written, and access nothing else outside
    #[arg(long, value_name = "FILE", conflicts_with = "allow", help_heading = "EvaluationContext")]
    pub(crate) replay: Option<Utf8PathBuf>,

    /// Leave functions and templates in Ruby unknown
    #[arg(long, help_heading = "EvaluationContext")]
    pub(crate) no_ruby: bool,

    /// The current time, such as `2026-01-31T12:00:00`
    #[arg(long, value_name = "TIME", help_heading = "EvaluationContext")]
    pub(crate) now: Option<String>,

    /// The dialect of the language
    #[arg(long, value_name = "DIALECT", env = "MAROTTE_DIALECT", default_value = "puppet8", hide_env = true,
        value_parser = dialects(), help_heading = "Language")]
    pub(crate) dialect: &'static str,

    /// The treatment of doubtful conversions, keys and variables
    #[arg(
        long,
        value_name = "STRICTNESS",
        env = "MAROTTE_STRICT",
        default_value = "error",
        hide_env = true,
        help_heading = "Language"
    )]
    pub(crate) strict: Strict,

    /// Unknown variables are errors, whatever `--strict` says [default: true]
    #[arg(long, env = "MAROTTE_STRICT_VARIABLES", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new(),
        help_heading = "Language")]
    pub(crate) strict_variables: Option<bool>,

    /// How deeply calls may be nested
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub(crate) max_call_depth: Option<usize>,

    /// How long a string may be, e.g. `10MiB`
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub(crate) max_string_size: Option<Size>,

    /// How many elements a collection may have
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub(crate) max_collection_size: Option<usize>,

    /// How many times lambdas may be called
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub(crate) max_iterations: Option<u64>,

    /// How many elements may be copied to make collections and texts, in all
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub(crate) max_copies: Option<u64>,

    /// How many steps the program, or the catalog of a node, may take
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    pub(crate) max_steps: Option<u64>,

    /// How much memory its values may take, e.g. `512MiB`
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub(crate) max_memory: Option<Size>,

    /// How many seconds it may take; 0 is without end [default: 60]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    pub(crate) timeout: Option<u64>,

    /// With `--allow ruby`: the time limit of a call or template in seconds [default: 20]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    pub(crate) ruby_timeout: Option<u64>,

    /// Print messages of the level `info`, too
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Print messages of the levels `info` and `debug`, too
    #[arg(short, long)]
    pub(crate) debug: bool,

    /// Write colours: on a terminal, always or never
    #[arg(long, value_name = "WHEN", env = "MAROTTE_COLOR", default_value = "auto", hide_env = true)]
    pub(crate) color: When,
}

/// `strict`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Strict {
    /// Nothing is said
    Off,
    /// A warning
    Warning,
    /// An error
    Error,
}

#[derive(Debug, Args)]
#[command(after_help = "Messages go to standard error, values to standard output.

Exit status: 0 evaluated, 1 errors found, 2 wrong usage or a bug.")]
pub(crate) struct EvalArgs {
    /// A manifest; standard input if none is named, or for `-`
    #[arg(value_name = "FILE", conflicts_with = "code")]
    pub(crate) file: Option<Utf8PathBuf>,

    /// Evaluate this text; may be given several times
    #[arg(short = 'e', long = "execute", value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) code: Vec<String>,

    /// Print the value of the last expression
    #[arg(short, long)]
    pub(crate) print: bool,

    /// How value, messages and findings are written
    #[arg(long, visible_alias = "output-format", value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ValueFormat,

    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The value of the first key that has one goes to standard output. Messages go to standard error.

Exit status: 0 found or explained, 1 not found or errors, 2 wrong usage or a bug."
)]
pub(crate) struct LookupArgs {
    /// Keys: `ntp::servers`, `users.root.shell`
    #[arg(value_name = "KEY")]
    pub(crate) keys: Vec<String>,

    /// The name of the node [default: what the facts say]
    #[arg(long, value_name = "NAME", help_heading = "EvaluationContext")]
    pub(crate) node: Option<String>,

    /// A control repository, the folder of an environment, or a folder of environments, of which `--environment` names one [default:
    /// the environment around the current folder]
    #[arg(long, value_name = "FOLDER", help_heading = "EvaluationContext")]
    pub(crate) environment_dir: Option<Utf8PathBuf>,

    /// How values of several levels are merged: `first`, `unique`, `hash`, `deep` [default: what `lookup_options` say]
    #[arg(long, value_name = "STRATEGY")]
    pub(crate) merge: Option<String>,

    /// With `--merge deep`: what marks elements that remove others
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    pub(crate) knock_out_prefix: Option<String>,

    /// With `--merge deep`: sort arrays that are merged
    #[arg(long)]
    pub(crate) sort_merged_arrays: bool,

    /// With `--merge deep`: merge hashes in arrays by their places
    #[arg(long)]
    pub(crate) merge_hash_arrays: bool,

    /// The type that the value must have, such as `Array[String]`
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) value_type: Option<String>,

    /// The result if there is no value
    #[arg(long, value_name = "VALUE")]
    pub(crate) default: Option<String>,

    /// Explain where the lookup searched and what it found
    #[arg(long)]
    pub(crate) explain: bool,

    /// Explain how the lookup found `lookup_options`
    #[arg(long)]
    pub(crate) explain_options: bool,

    /// Compile the node's catalog first, so that data can interpolate the variables of its manifests and classes
    #[arg(long)]
    pub(crate) compile: bool,

    /// How the answer is written: `s`, `json`, `yaml` [default: yaml, explanations as text]
    #[arg(long, visible_aliases = ["format", "output-format"], value_name = "FORMAT")]
    pub(crate) render_as: Option<RenderAs>,

    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,
}

/// The output format of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ValueFormat {
    /// For people
    Text,
    /// One object on standard output: value, string, type, logs, diagnostics
    Json,
}

#[derive(Debug, Args)]
#[command(after_help = "Messages go to standard error, values to standard output.

Exit status: 0 at the end, 1 if standard input is not a terminal and some of it has errors, 2 wrong usage or a bug.")]
pub(crate) struct ReplArgs {
    /// The name of the node [default: what the facts say]
    #[arg(long, value_name = "NAME", help_heading = "EvaluationContext")]
    pub(crate) node: Option<String>,

    /// A control repository, the folder of an environment, or a folder of environments, of which `--environment` names one [default:
    /// the environment around the current folder]
    #[arg(long, value_name = "FOLDER", help_heading = "EvaluationContext")]
    pub(crate) environment_dir: Option<Utf8PathBuf>,

    /// Keep no history of what is typed
    #[arg(long)]
    pub(crate) no_history: bool,

    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,
}

#[derive(Debug, Args)]
pub(crate) struct EppArgs {
    #[command(subcommand)]
    pub(crate) command: EppCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EppCommand {
    /// Render templates to standard output
    Render(Box<RenderArgs>),
    /// Check the syntax of templates
    Validate(EppValidateArgs),
    /// Print the syntax trees of templates
    Dump(EppDumpArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// Templates: `module/name.epp` or `module/name.erb`, or files; standard input if none is named
    #[arg(value_name = "TEMPLATE", conflicts_with = "source")]
    pub(crate) templates: Vec<String>,

    /// Render this text
    #[arg(short = 'e', long = "e", value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) source: Option<String>,

    /// Puppet code whose value is the hash of the templates' values, or `undef`; variables that it sets can be read in templates
    #[arg(long, value_name = "CODE")]
    pub(crate) values: Option<String>,

    /// A file with such code (`.pp`), or with the hash itself (`.yaml`); `--values` wins
    #[arg(long = "values_file", visible_alias = "values-file", value_name = "FILE")]
    pub(crate) values_file: Option<Utf8PathBuf>,

    /// No line with the name before each of several results
    #[arg(long)]
    pub(crate) no_header: bool,

    /// A line with the name before each of several results: the default
    #[arg(long, conflicts_with = "no_header", hide = true)]
    pub(crate) header: bool,

    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,
}

/// Where templates are that are read only, and how findings in them are shown.
#[derive(Debug, Args)]
pub(crate) struct TemplatePathArgs {
    /// Folders of modules, separated by `:` [default: those of the environment around the current folder]
    #[arg(long, value_name = "FOLDERS", env = "MAROTTE_MODULE_PATH", hide_env = true)]
    pub(crate) module_path: Option<String>,

    /// Write colours: on a terminal, always or never
    #[arg(long, value_name = "WHEN", env = "MAROTTE_COLOR", default_value = "auto", hide_env = true)]
    pub(crate) color: When,
}

#[derive(Debug, Args)]
pub(crate) struct EppValidateArgs {
    /// Templates: `module/name.epp`, or files; standard input if none is named
    #[arg(value_name = "TEMPLATE")]
    pub(crate) templates: Vec<String>,

    /// Go on with the next template after one with errors
    #[arg(long = "continue_on_error", visible_alias = "continue-on-error")]
    pub(crate) continue_on_error: bool,

    /// Stop after the first template with errors: the default
    #[arg(
        long = "no-continue_on_error",
        alias = "no-continue-on-error",
        conflicts_with = "continue_on_error",
        hide = true
    )]
    pub(crate) no_continue_on_error: bool,

    #[command(flatten)]
    pub(crate) templates_in: TemplatePathArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ErbArgs {
    #[command(subcommand)]
    pub(crate) command: ErbCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ErbCommand {
    /// Render templates to standard output
    Render(Box<RenderArgs>),
    /// Report syntax errors of templates
    Validate(EppValidateArgs),
    /// Print the Ruby code that templates compile to
    Dump(ErbDumpArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ErbDumpArgs {
    /// Templates: `module/name.erb`, or files; standard input if none is named
    #[arg(value_name = "TEMPLATE", conflicts_with = "source")]
    pub(crate) templates: Vec<String>,

    /// Dump this text
    #[arg(short = 'e', long = "e", value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) source: Option<String>,

    /// No line with the name before each of several programs
    #[arg(long)]
    pub(crate) no_header: bool,

    #[command(flatten)]
    pub(crate) templates_in: TemplatePathArgs,
}

#[derive(Debug, Args)]
pub(crate) struct EppDumpArgs {
    /// Templates: `module/name.epp`, or files; standard input if none is named
    #[arg(value_name = "TEMPLATE", conflicts_with = "source")]
    pub(crate) templates: Vec<String>,

    /// Dump this text
    #[arg(short = 'e', long = "e", value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) source: Option<String>,

    /// How the tree is written
    #[arg(long, visible_alias = "output-format", value_name = "FORMAT", default_value = "pn")]
    pub(crate) format: DumpFormat,

    /// Write every element on its own line
    #[arg(long)]
    pub(crate) pretty: bool,

    /// Print the tree of a text with errors, too
    #[arg(long)]
    pub(crate) no_validate: bool,

    /// Print the tree only of a text without errors: the default
    #[arg(long, conflicts_with = "no_validate", hide = true)]
    pub(crate) validate: bool,

    /// No line with the name before each of several trees
    #[arg(long)]
    pub(crate) no_header: bool,

    /// A line with the name before each of several trees: the default
    #[arg(long, conflicts_with = "no_header", hide = true)]
    pub(crate) header: bool,

    #[command(flatten)]
    pub(crate) templates_in: TemplatePathArgs,
}

/// How a template's tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DumpFormat {
    /// Puppet Notation
    Pn,
    /// The same as JSON
    Json,
}

/// The names of the dialects.
pub(crate) fn dialects() -> impl TypedValueParser<Value = &'static str> {
    PossibleValuesParser::new(Dialect::all().map(|it| it.name))
        .try_map(|name| Dialect::by_name(&name).map(|it| it.name).ok_or("there is no such dialect"))
}
