//! The selection of reported rules, from the file, the environment and the flags, in this order.

use clap::ArgMatches;
use clap::parser::ValueSource;
use marotte_diagnostics::{Choice, Settings};

use crate::config::Config;
use crate::failure::Failure;

const CHOICES: [(&str, Choice); 4] = [
    ("select", Choice::Select),
    ("ignore", Choice::Ignore),
    ("warn", Choice::Warn),
    ("error", Choice::Error),
];

/// Combines the selections: later ones take precedence; flags apply in the order in which they are written. A selection replaces
/// an earlier one.
pub(super) fn settings(config: &Config, matches: &ArgMatches) -> Result<Settings, Failure> {
    let in_file = [&config.select, &config.ignore, &config.warn, &config.error];
    let selected = given(matches, "select");
    let mut choices = Vec::new();
    if upgrades(config, matches) {
        choices.push((Choice::Select, "puppet-8"));
    }
    for ((_, choice), patterns) in CHOICES.into_iter().zip(in_file) {
        if choice != Choice::Select || !selected {
            choices.extend(patterns.iter().flatten().map(|pattern| (choice, pattern.as_str())));
        }
    }
    let mut flags = Vec::new();
    for (id, choice) in CHOICES {
        let patterns = matches.get_many::<String>(id).into_iter().flatten().map(String::as_str);
        let patterns = patterns.map(str::trim).filter(|pattern| !pattern.is_empty());
        if matches.value_source(id) == Some(ValueSource::CommandLine) {
            let indices = matches.indices_of(id).into_iter().flatten();
            flags.extend(indices.zip(patterns).map(|(index, pattern)| (index, choice, pattern)));
        } else {
            choices.extend(patterns.map(|pattern| (choice, pattern)));
        }
    }
    flags.sort_by_key(|(index, _, _)| *index);
    choices.extend(flags.into_iter().map(|(_, choice, pattern)| (choice, pattern)));
    let mut settings = Settings::new(choices);
    for it in &config.overrides {
        let of_paths = it.choices.iter().map(|(choice, pattern)| (*choice, pattern.as_str()));
        settings = settings.and_then(|settings| settings.for_paths(it.paths.clone(), of_paths));
    }
    settings.map_err(|error| Failure::Message(error.to_string()))
}

/// Whether the rules about an upgrade are selected. As for other settings, flags that select rules take precedence over the
/// version in the file.
pub(super) fn upgrades(config: &Config, matches: &ArgMatches) -> bool {
    given(matches, "target_version") || config.target_version.is_some() && !given(matches, "select")
}

/// Whether rules are requested beside those about an upgrade.
pub(super) fn adds_rules(config: &Config, matches: &ArgMatches) -> bool {
    let in_file = [&config.select, &config.warn, &config.error];
    ["select", "warn", "error"].iter().any(|it| given(matches, it))
        || in_file.into_iter().flatten().any(|it| !it.is_empty())
}

fn given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id).is_some_and(|source| source != ValueSource::DefaultValue)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use marotte_diagnostics::{Diagnostic, FileId, Level, rules};

    use super::*;
    use crate::args::{Cli, TargetVersion};

    /// The level of `duplicate-key`, which is an error by default.
    fn level(config: &Config, flags: &[&str]) -> Level {
        let arguments = ["marotte", "check"].iter().chain(flags);
        let matches = Cli::command().get_matches_from(arguments);
        let settings = settings(config, matches.subcommand().unwrap().1).unwrap();
        let finding =
            Diagnostic::new(rules::DUPLICATE_KEY, Level::Error, FileId(0), Default::default(), String::new());
        settings.level(&finding, None)
    }

    fn key(name: &str) -> Option<Vec<String>> {
        Some(vec![name.to_owned()])
    }

    #[test]
    fn the_last_flag_wins() {
        let none = Config::default();
        assert_eq!(level(&none, &[]), Level::Error);
        assert_eq!(level(&none, &["--ignore", "all", "--warn=duplicate-key"]), Level::Warning);
        assert_eq!(level(&none, &["--warn=duplicate-key", "--ignore", "all"]), Level::Ignore);
        assert_eq!(level(&none, &["--warn", "duplicate-default,duplicate-key"]), Level::Warning);
    }

    #[test]
    fn flags_win_over_the_file() {
        let warns = Config { warn: key("duplicate-key"), ..Config::default() };
        assert_eq!(level(&warns, &[]), Level::Warning);
        assert_eq!(level(&warns, &["--error=duplicate-key"]), Level::Error);

        let upgrades = Config { target_version: Some(TargetVersion), ..Config::default() };
        assert_eq!(level(&upgrades, &[]), Level::Error);
        assert_eq!(level(&upgrades, &["--select=legacy-fact"]), Level::Ignore);

        let selects = Config { select: key("duplicate-default"), ..Config::default() };
        assert_eq!(level(&selects, &[]), Level::Ignore);
        assert_eq!(level(&selects, &["--select=duplicate-key"]), Level::Error);
    }
}
