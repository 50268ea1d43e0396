use camino::Utf8PathBuf;
use clap::ArgMatches;
use marotte_db::{DEFAULT_MAX_FILE_SIZE, System};
use marotte_diagnostics::Settings;
use marotte_diagnostics::output::{Color, Format};
use marotte_pcore::dialect::Dialect;
use marotte_project::ProjectOptions;
use marotte_project::fix::FixSafety;

use super::baseline::KnownFindings;
use super::choices;
use crate::args::CheckArgs;
use crate::bounds::{Bounds, Named};
use crate::config::Config;
use crate::evaluation::split_module_path;
use crate::failure::Failure;

/// The combined options of flags, environment and configuration.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) format: Format,
    pub(crate) color: Color,
    pub(crate) rules: Settings,
    pub(crate) statistics: bool,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    pub(crate) allow_empty: bool,
    pub(crate) exit_zero: bool,
    /// Whether findings in modules that the Puppetfile fetches are reported, too.
    pub(crate) third_party: bool,
    pub(crate) fixes: FixSafety,
    /// Whether findings are counted by the topics of an upgrade.
    pub(crate) by_topic: bool,
    /// Whether only what an upgrade breaks is reported.
    pub(crate) only_upgrades: bool,
    /// The baseline, whose findings are left out.
    pub(crate) known: Option<KnownFindings>,
    /// Whether the baseline is to be rewritten.
    pub(crate) write_baseline: bool,
    pub(crate) project: ProjectOptions,
}

impl Options {
    /// Combines the options for checking these absolute paths: a flag takes precedence over the environment, which takes precedence
    /// over the file.
    pub(crate) fn new(
        args: &CheckArgs,
        config: Config,
        matches: &ArgMatches,
        system: &dyn System,
        paths: &[Utf8PathBuf],
    ) -> Result<Self, Failure> {
        let rules = choices::settings(&config, matches)?;
        let on = |flag: Option<bool>, file: Option<bool>| flag.or(file).unwrap_or_default();
        let baseline = args.baseline.as_deref().or(config.baseline.as_deref());
        if args.write_baseline && baseline.is_none() {
            let message = "`--write-baseline` needs `--baseline FILE`, the file that it writes";
            return Err(Failure::Message(message.to_owned()));
        }
        let named = match args.baseline.is_some() || args.config.is_some() {
            true => Named::ByUser,
            false => Named::ByTree,
        };
        let baseline = baseline.map(|path| {
            let bounds = Bounds::new(system, paths, config.folder.as_deref(), named);
            KnownFindings::read(system, path, bounds, args.write_baseline)
        });
        let wanted = rules.wanted();
        let by_topic = choices::upgrades(&config, matches);
        let only_upgrades = by_topic && !choices::adds_rules(&config, matches);
        let size = args.max_file_size.or(config.max_file_size);
        Ok(Options {
            format: args.output_format.or(config.output_format).unwrap_or_default(),
            color: args.color.or(config.color).unwrap_or_default().on_stdout(),
            rules,
            statistics: on(args.statistics, config.statistics),
            quiet: on(args.quiet, config.quiet),
            verbose: on(args.verbose, config.verbose),
            allow_empty: on(args.allow_empty, config.allow_empty),
            exit_zero: on(args.exit_zero, config.exit_zero),
            third_party: on(args.third_party, config.third_party),
            fixes: if on(args.unsafe_fixes, config.unsafe_fixes) { FixSafety::All } else { FixSafety::Safe },
            by_topic,
            only_upgrades,
            known: baseline.transpose()?,
            write_baseline: args.write_baseline,
            project: ProjectOptions {
                ignore: !on(args.no_ignore, config.no_ignore),
                third_party: on(args.third_party, config.third_party),
                tasks: on(args.tasks, config.tasks),
                max_file_size: size.map_or(DEFAULT_MAX_FILE_SIZE, |size| size.0),
                dialect: args
                    .dialect
                    .or(config.dialect)
                    .and_then(Dialect::by_name)
                    .unwrap_or_else(Dialect::puppet8),
                module_path: args
                    .module_path
                    .as_deref()
                    .or(config.module_path.as_deref())
                    .map(split_module_path)
                    .unwrap_or_default(),
                rules: wanted,
                exclude: config.exclude.unwrap_or_default().and(config.extend_exclude),
                threads: usize::from(args.threads.or(config.threads).unwrap_or_default()),
            },
        })
    }
}
