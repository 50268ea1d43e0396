//! The arguments of `why`.

use clap::Args;

use super::CompilationArgs;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples: `marotte why web1.example.com 'File[/etc/motd]' mode`, `marotte why --facts web1.yaml 'Class[ntp][servers]'`.

Exit status: 0 found, 1 not found or errors, 2 wrong usage or a bug, 3 a value that is asked for is not known."
)]
pub(crate) struct WhyArgs {
    /// The name of a node [default: what the facts say], a resource, such as `File[/etc/motd]` or `Class[ntp]`, and an attribute of it
    /// [default: all]; `File[/etc/motd][mode]` names both
    #[arg(value_name = "[NODE] RESOURCE[ATTRIBUTE] [ATTRIBUTE]", required = true, num_args = 1..=3)]
    pub(crate) target: Vec<String>,

    /// How far values are followed through variables
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    pub(crate) depth: usize,

    /// How the explanation is written
    #[arg(long, visible_alias = "format", value_name = "FORMAT", default_value = "text")]
    pub(crate) output_format: WhyFormat,

    #[command(flatten)]
    pub(crate) compilation: CompilationArgs,
}

/// The format of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum WhyFormat {
    /// The steps with the code, for people
    Text,
    /// One object, for programs
    Json,
}
