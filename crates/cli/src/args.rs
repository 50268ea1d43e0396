mod affected;
mod cache;
mod compilation;
mod evaluation;
mod format;
mod impact;
mod migrate;
mod puppetdb;
mod ruby;
mod server;
mod why;

pub(crate) use affected::{AffectedArgs, NameFormat};
pub(crate) use cache::CacheArgs;
pub(crate) use compilation::{CatalogFormat, CompilationArgs, CompileArgs, VerifyArgs};
pub(crate) use evaluation::{
    DumpFormat, EvalArgs, EvaluationArgs, LookupArgs, ReplArgs, Strict, ValueFormat,
};
pub(crate) use evaluation::{
    EppArgs, EppCommand, EppDumpArgs, EppValidateArgs, ErbArgs, ErbCommand, ErbDumpArgs, RenderArgs,
};
pub(crate) use puppetdb::{GivenUrl, PuppetdbArgs};
pub(crate) use ruby::{RubyArgs, RubyFormat};
pub(crate) use server::{IdeDumpArgs, ServerArgs};
pub(crate) use why::{WhyArgs, WhyFormat};

pub(crate) use format::FormatArgs;
pub(crate) use impact::{ImpactArgs, ImpactFormat};
pub(crate) use migrate::{MigrateArgs, MigrateCommand, PuppetLintArgs};

use std::str::FromStr;

use camino::Utf8PathBuf;
use clap::builder::{BoolishValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use marotte_diagnostics::SETS;
use marotte_diagnostics::output::Format;
use marotte_diagnostics::rules::RULES;

use crate::terminal::When;

/// The version, with the supported level of the language.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (Puppet language 8.11)");

/// Checks Puppet code: every file, every branch, in one run, without a server, facts or Ruby.
#[derive(Debug, Parser)]
#[command(name = "marotte", version = VERSION)]
#[command(after_help = "Exit status: 0 nothing found, 1 errors or warnings found, 2 wrong usage or a bug.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Write output as it is, even if a terminal or a log obeys something in it
    #[arg(long, global = true)]
    pub(crate) raw: bool,
}

/// Commands that have the options of evaluations, but neither record nor replay answers from outside.
const WITHOUT_RECORDS: [&str; 5] = ["verify", "impact", "affected", "why", "repl"];

impl Cli {
    /// The arguments of the program. Help does not show options that a command refuses.
    pub(crate) fn with_help() -> clap::Command {
        let without = |command: clap::Command| {
            command.mut_arg("record", |it| it.hide(true)).mut_arg("replay", |it| it.hide(true))
        };
        let whole = Cli::command();
        let whole = WITHOUT_RECORDS.iter().fold(whole, |it, name| it.mut_subcommand(name, without));
        ["epp", "erb"]
            .iter()
            .fold(whole, |it, name| it.mut_subcommand(name, |it| it.mut_subcommand("render", without)))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check manifests, templates and data
    Check(Box<CheckArgs>),
    /// Format manifests and templates
    Format(FormatArgs),
    /// Convert the configuration of another tool
    Migrate(MigrateArgs),
    /// Print syntax trees
    Parse(ParseArgs),
    /// Evaluate Puppet code, without a catalog
    Eval(Box<EvalArgs>),
    /// Render, validate and dump EPP templates
    Epp(Box<EppArgs>),
    /// Render, validate and dump ERB templates
    Erb(Box<ErbArgs>),
    /// Report where functions and templates in Ruby are evaluated
    Ruby(RubyArgs),
    /// Compile the catalogs of nodes
    Compile(Box<CompileArgs>),
    /// Compare the catalog of a node with one that Puppet made
    Verify(Box<VerifyArgs>),
    /// Report what a change of code or data does to the catalogs of nodes
    Impact(Box<ImpactArgs>),
    /// List the nodes that a change of files can affect
    Affected(Box<AffectedArgs>),
    /// Say where a value of a catalog comes from
    Why(Box<WhyArgs>),
    /// Evaluate Puppet code as it is typed
    Repl(Box<ReplArgs>),
    /// Look data up as Hiera does
    Lookup(Box<LookupArgs>),
    /// Serve an editor: the language server
    Server(ServerArgs),
    /// Print the answers of the language server for a file
    IdeDump(IdeDumpArgs),
    /// Show a rule, or all
    Rule(RuleArgs),
    /// Explain a rule or a function, or list them
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completion(CompletionArgs),
    /// Print the manual page of marotte, or of a command
    Man(ManArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Every option can also be set in marotte.toml (`output-format = \"concise\"`), which is looked \
for in the folder of the first path and the folders above it. Flags win over the environment, which wins over the file.

Exit status: 0 nothing found, 1 errors or warnings found, 2 wrong usage or a bug."
)]
pub(crate) struct CheckArgs {
    /// Control repositories, modules, folders or files; `-` for standard input [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<Utf8PathBuf>,

    /// How findings are written [default: full]
    #[arg(long, visible_alias = "format", value_name = "FORMAT", env = "MAROTTE_OUTPUT_FORMAT",
        value_parser = formats(), hide_env = true)]
    pub(crate) output_format: Option<Format>,

    /// Report only these rules (names, `all`, `style`, `puppet-lint`, `tree`, `puppet-8`, or patterns such as `heredoc-*`)
    #[arg(long, value_name = "RULE", env = "MAROTTE_SELECT", value_delimiter = ',', hide_env = true,
        value_parser = RuleNames, hide_possible_values = true)]
    pub(crate) select: Vec<String>,

    /// Report what this version of Puppet or OpenVox breaks, by topic, and nothing else unless it is selected
    #[arg(
        long,
        value_name = "VERSION",
        env = "MAROTTE_TARGET_VERSION",
        hide_env = true,
        conflicts_with = "watch"
    )]
    pub(crate) target_version: Option<TargetVersion>,

    /// Do not report these rules
    #[arg(long, value_name = "RULE", env = "MAROTTE_IGNORE", value_delimiter = ',', hide_env = true,
        value_parser = RuleNames, hide_possible_values = true)]
    pub(crate) ignore: Vec<String>,

    /// Report these rules as warnings
    #[arg(long, value_name = "RULE", env = "MAROTTE_WARN", value_delimiter = ',', hide_env = true,
        value_parser = RuleNames, hide_possible_values = true)]
    pub(crate) warn: Vec<String>,

    /// Report these rules as errors
    #[arg(long, value_name = "RULE", env = "MAROTTE_ERROR", value_delimiter = ',', hide_env = true,
        value_parser = RuleNames, hide_possible_values = true)]
    pub(crate) error: Vec<String>,

    /// Count the findings of each rule
    #[arg(long, env = "MAROTTE_STATISTICS", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) statistics: Option<bool>,

    /// Write colours: on a terminal, always or never [default: auto]
    #[arg(long, value_name = "WHEN", env = "MAROTTE_COLOR", hide_env = true)]
    pub(crate) color: Option<When>,

    /// Print findings only, no summary
    #[arg(short, long, env = "MAROTTE_QUIET", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) quiet: Option<bool>,

    /// List what is checked
    #[arg(short, long, env = "MAROTTE_VERBOSE", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) verbose: Option<bool>,

    /// Report findings in the modules that the Puppetfile fetches, too
    #[arg(long, env = "MAROTTE_THIRD_PARTY", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) third_party: Option<bool>,

    /// End with status 0 even if there was no file to check
    #[arg(long, env = "MAROTTE_ALLOW_EMPTY", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) allow_empty: Option<bool>,

    /// End with status 0 even if there are findings
    #[arg(long, env = "MAROTTE_EXIT_ZERO", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) exit_zero: Option<bool>,

    /// Keep running, and check again whatever changes
    #[arg(short, long)]
    pub(crate) watch: bool,

    /// Write the safe fixes into the files, and report what is left
    #[arg(long, conflicts_with = "watch")]
    pub(crate) fix: bool,

    /// Print what `--fix` would change, and change nothing
    #[arg(long, conflicts_with_all = ["watch", "fix"])]
    pub(crate) diff: bool,

    /// With `--fix` and `--diff`, include fixes that may change the meaning
    #[arg(long, env = "MAROTTE_UNSAFE_FIXES", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) unsafe_fixes: Option<bool>,

    /// Leave out the findings that this file lists
    #[arg(long, value_name = "FILE", env = "MAROTTE_BASELINE", hide_env = true)]
    pub(crate) baseline: Option<Utf8PathBuf>,

    /// List all findings in the file that `--baseline` names, so that only new ones are reported from now on
    #[arg(long, conflicts_with_all = ["watch", "fix", "diff"])]
    pub(crate) write_baseline: bool,

    /// The name under which standard input is checked
    #[arg(long, value_name = "PATH", env = "MAROTTE_STDIN_FILENAME", hide_env = true)]
    pub(crate) stdin_filename: Option<Utf8PathBuf>,

    /// Check hidden files and files that .gitignore and .ignore list
    #[arg(long, env = "MAROTTE_NO_IGNORE", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) no_ignore: Option<bool>,

    /// Read `plan` and `apply` as keywords everywhere, not only in `plans` folders
    #[arg(long, env = "MAROTTE_TASKS", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) tasks: Option<bool>,

    /// Larger files are reported and not read, e.g. `500KiB` [default: 16MiB]
    #[arg(long, value_name = "SIZE", env = "MAROTTE_MAX_FILE_SIZE", hide_env = true)]
    pub(crate) max_file_size: Option<Size>,

    /// The code is a stranger's: read nothing outside of it, wherever symbolic links lead, and take no configuration from it
    #[arg(long, env = "MAROTTE_UNTRUSTED", hide_env = true, num_args = 0..=1, require_equals = true,
        value_name = "BOOL", default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub(crate) untrusted: Option<bool>,

    /// The dialect that the code is written in: what Puppet 8 reads otherwise is reported [default: puppet8]
    #[arg(long, value_name = "DIALECT", env = "MAROTTE_DIALECT", hide_env = true, value_parser = evaluation::dialects())]
    pub(crate) dialect: Option<&'static str>,

    /// Folders of modules, separated by `:` [default: those that the environment names]
    #[arg(long, value_name = "FOLDERS", env = "MAROTTE_MODULE_PATH", hide_env = true)]
    pub(crate) module_path: Option<String>,

    /// How many files are checked at a time [default: one per processor]
    #[arg(long, value_name = "NUMBER", env = "MAROTTE_THREADS", hide_env = true)]
    pub(crate) threads: Option<u16>,

    /// Read this configuration rather than the nearest marotte.toml
    #[arg(long, value_name = "FILE", env = "MAROTTE_CONFIG", hide_env = true)]
    pub(crate) config: Option<Utf8PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    /// Manifests and templates (`.epp`); standard input if none is named
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<Utf8PathBuf>,

    /// Parse this text
    #[arg(
        short = 'e',
        long = "source",
        value_name = "TEXT",
        conflicts_with = "files",
        allow_hyphen_values = true
    )]
    pub(crate) source: Option<String>,

    /// How the tree is written
    #[arg(
        long,
        visible_alias = "output-format",
        value_name = "FORMAT",
        env = "MAROTTE_PARSE_FORMAT",
        default_value = "pn",
        hide_env = true
    )]
    pub(crate) format: TreeFormat,

    /// Write every element on its own line
    #[arg(long)]
    pub(crate) pretty: bool,

    /// Print the tree of a text with errors, too
    #[arg(long)]
    pub(crate) no_validate: bool,

    /// Read a text that has no file name as a template
    #[arg(long)]
    pub(crate) epp: bool,

    /// Read `plan` and `apply` as keywords
    #[arg(long, env = "MAROTTE_TASKS", hide_env = true, value_parser = BoolishValueParser::new(),
        action = clap::ArgAction::SetTrue)]
    pub(crate) tasks: bool,

    /// Write colours: on a terminal, always or never
    #[arg(long, value_name = "WHEN", env = "MAROTTE_COLOR", default_value = "auto", hide_env = true)]
    pub(crate) color: When,
}

/// How a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TreeFormat {
    /// Puppet Notation, as `puppet parser dump --format pn` prints it
    Pn,
    /// The same as JSON, as `puppet parser dump --format json` prints it
    Json,
    /// A line for each expression, with its place
    Tree,
}

#[derive(Debug, Args)]
pub(crate) struct RuleArgs {
    /// The rule
    #[arg(value_name = "RULE", required_unless_present = "all", value_parser = RuleNames, hide_possible_values = true)]
    pub(crate) rule: Option<String>,

    /// All rules
    #[arg(long, conflicts_with = "rule")]
    pub(crate) all: bool,

    /// How it is written
    #[arg(
        long,
        visible_alias = "output-format",
        value_name = "FORMAT",
        env = "MAROTTE_EXPLAIN_FORMAT",
        default_value = "text",
        hide_env = true
    )]
    pub(crate) format: ExplainFormat,

    /// Write colours: on a terminal, always or never
    #[arg(long, value_name = "WHEN", env = "MAROTTE_COLOR", default_value = "auto", hide_env = true)]
    pub(crate) color: When,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// A rule or an evaluation issue, or the word `function`; all rules are listed if none is named
    #[arg(value_name = "RULE")]
    pub(crate) rule: Option<String>,

    /// After `function`: the function; all are listed if none is named
    #[arg(value_name = "NAME", requires = "rule")]
    pub(crate) function: Option<String>,

    /// How it is written
    #[arg(
        long,
        visible_alias = "format",
        value_name = "FORMAT",
        env = "MAROTTE_EXPLAIN_FORMAT",
        default_value = "text",
        hide_env = true
    )]
    pub(crate) output_format: ExplainFormat,

    /// Write colours: on a terminal, always or never
    #[arg(long, value_name = "WHEN", env = "MAROTTE_COLOR", default_value = "auto", hide_env = true)]
    pub(crate) color: When,
}

/// The output format of a rule's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExplainFormat {
    /// For a terminal
    Text,
    /// The page as it is written
    Markdown,
    /// For programs
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command, e.g. `check`; marotte itself if none is named
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

/// Parses the name of a rule, or a pattern of names; offers all names for shell completion.
#[derive(Clone, Copy, Debug)]
struct RuleNames;

impl TypedValueParser for RuleNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = std::iter::once("all").chain(SETS).chain(RULES.iter().map(|rule| rule.name));
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

/// A number of bytes, written as `500000`, `500k`, `16MiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || format!("`{text}` is not a size such as `500000`, `500KiB` or `16MiB`");
        let digits = text.trim_end_matches(|character: char| !character.is_ascii_digit());
        let factor: u64 = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "k" | "kb" | "kib" => 1 << 10,
            "m" | "mb" | "mib" => 1 << 20,
            "g" | "gb" | "gib" => 1 << 30,
            _ => return Err(malformed()),
        };
        let number: u64 = digits.parse().map_err(|_| malformed())?;
        number.checked_mul(factor).map(Size).ok_or_else(malformed)
    }
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| name.parse::<Format>())
}

/// The major version of Puppet or OpenVox whose changes are reported, written as `8` or `8.11`. Only those of version 8 are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TargetVersion;

impl FromStr for TargetVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split('.').next() {
            Some("8") => Ok(TargetVersion),
            _ => Err("only the changes of version 8 are known".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!("500".parse(), Ok(Size(500)));
        assert_eq!("500k".parse(), Ok(Size(512_000)));
        assert_eq!("16 MiB".parse(), Ok(Size(16 << 20)));
        assert!("16XB".parse::<Size>().is_err());
        assert!("MiB".parse::<Size>().is_err());
        assert!("99999999999GiB".parse::<Size>().is_err());
    }
}
