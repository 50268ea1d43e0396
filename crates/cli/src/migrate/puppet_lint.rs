//! The conversion of the options of puppet-lint to a configuration.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use marotte_diagnostics::Paths;
use marotte_diagnostics::puppet_lint::{self, CHECKS, Counterpart, Origin};
use marotte_diagnostics::rules::{self, Subject};
use marotte_ruby::rakefile::{self, Given};

use super::options::{self, Meaning, Unresolved};
use super::{RAKEFILE, RC};

/// Settings that affect the output of puppet-lint, or the names of tasks. They need no counterpart.
const OF_OUTPUT: [&str; 13] = [
    "codeclimate-report-file",
    "github-actions",
    "help",
    "json",
    "list-checks",
    "log-format",
    "name",
    "no-config",
    "sarif",
    "show-ignored",
    "version",
    "with-context",
    "with-filename",
];

/// The settings of puppet-lint.
#[derive(Debug, Default)]
pub(super) struct Migration {
    only: Option<Vec<String>>,
    disabled: BTreeSet<String>,
    enabled: BTreeSet<String>,
    exclude: Vec<String>,
    /// Whether warnings fail a run of puppet-lint.
    fails_on_warnings: bool,
    /// The notes, in the order of the settings.
    notes: Vec<String>,
}

impl Migration {
    /// Reads a `.puppet-lint.rc`: options of the command line, separated by line ends or blanks.
    pub(super) fn read_options(&mut self, text: &str) {
        let lines = (1..).zip(text.lines().map(str::trim));
        let lines = lines.filter(|(_, it)| !it.is_empty() && !it.starts_with('#'));
        let words = lines.flat_map(|(line, text)| text.split_whitespace().map(move |it| (line, it)));
        let mut words = words.peekable();
        while let Some((line, word)) = words.next() {
            let place = format!("{RC}:{line}");
            let (option, glued) = match (word.strip_prefix("--"), word.split_at_checked(2)) {
                (Some(option), _) => match option.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (option, None),
                },
                (None, Some(("-f", ""))) => ("fix", None),
                (None, Some(("-c", value))) => ("config", Some(value).filter(|it| !it.is_empty())),
                (None, Some(("-l", value))) => ("load", Some(value).filter(|it| !it.is_empty())),
                _ => {
                    self.note(format!("{place}: `{word}` is not understood"));
                    continue;
                }
            };
            match options::resolve(option) {
                Ok(Meaning::Enable(check)) => self.enable(&check),
                Ok(Meaning::Disable(check)) => self.disable(&check),
                Ok(Meaning::Other { name, takes_value }) => {
                    let mut value = glued;
                    if takes_value && value.is_none() {
                        value = words.next_if(|(_, it)| !it.starts_with('-')).map(|(_, it)| it);
                    }
                    // A format may have blanks.
                    while name == "log-format" && words.next_if(|(other, _)| *other == line).is_some() {}
                    let values = value.iter().flat_map(|it| it.split(',')).map(str::trim).map(unquoted);
                    self.set(&place, name, values.filter(|it| !it.is_empty()).collect());
                }
                Err(Unresolved::Ambiguous) => {
                    self.note(format!("{place}: `--{option}` is short for several options"));
                }
                Err(Unresolved::Unknown) => {
                    self.note(format!("{place}: `--{option}` is not an option of puppet-lint"));
                }
            }
        }
    }

    /// Reads the settings of a Rakefile that are literal, or computed from literals.
    pub(super) fn read_rakefile(&mut self, text: &str) {
        let Some(found) = rakefile::read(text) else {
            return self.note(format!("the {RAKEFILE} is not read: it is not valid Ruby, or too long"));
        };
        // Checks of a task are disabled after the others.
        let is_last = |it: &&rakefile::Setting| it.name == "disable_checks";
        let settings = || found.settings.iter();
        for setting in settings().filter(|it| !is_last(it)).chain(settings().filter(is_last)) {
            let (name, place) = (setting.name.as_str(), format!("{RAKEFILE}:{}", setting.line));
            let words = match &setting.value {
                Given::Off => {
                    self.fails_on_warnings &= name != "fail_on_warnings";
                    continue;
                }
                Given::On => None,
                Given::Words(words) => Some(words.iter().map(|it| it.to_string()).collect::<Vec<_>>()),
            };
            let is_list = matches!(name, "disable_checks" | "only_checks" | "ignore_paths");
            let words = match words {
                None if is_list => {
                    self.note(format!("{place}: the value of `{name}` is not understood"));
                    continue;
                }
                words => words.unwrap_or_default(),
            };
            let check = |prefix: &str| name.strip_prefix(prefix).filter(|_| !is_list);
            if let Some(check) = check("disable_") {
                self.disable(check);
            } else if let Some(check) = check("enable_") {
                self.enable(check);
            } else if name == "disable_checks" {
                words.iter().for_each(|it| self.disable(it));
            } else {
                self.set(&place, &name.replace('_', "-"), words);
            }
            if setting.is_conditional {
                self.note(format!("{place}: `{name}` depends on a condition, which is assumed to be true"));
            }
        }
        for it in &found.unread {
            self.note(format!("{RAKEFILE}:{}: `{}` is not understood", it.line, it.text));
        }
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn disable(&mut self, check: &str) {
        if check == RELATIVE {
            return self.note(of_relative());
        }
        self.enabled.remove(check);
        self.disabled.insert(check.to_owned());
    }

    fn enable(&mut self, check: &str) {
        if check == RELATIVE {
            return self.note(of_relative());
        }
        self.disabled.remove(check);
        self.enabled.insert(check.to_owned());
    }

    fn set(&mut self, place: &str, name: &str, values: Vec<String>) {
        let note = match name {
            "only-checks" => {
                self.enabled.clear();
                self.disabled.retain(|it| !values.contains(it));
                self.only = Some(values);
                return;
            }
            "ignore-paths" => {
                for value in values {
                    match pattern(&value) {
                        Ok(pattern) => self.exclude.push(pattern),
                        Err(reason) => {
                            self.note(format!("`{value}` in `ignore-paths` names no file: {reason}"));
                        }
                    }
                }
                return;
            }
            "fail-on-warnings" => {
                self.fails_on_warnings = true;
                return;
            }
            _ if OF_OUTPUT.contains(&name) => return,
            RELATIVE => of_relative(),
            "fix" => format!("{place}: `fix` is not a setting of marotte: use `marotte check --fix`"),
            "load" | "load-from-puppet" => {
                let values = values.join(",");
                format!("{place}: `{name} {values}` loads checks that marotte does not have")
            }
            "config" => format!("{place}: `{}` is not read", values.join(",")),
            "pattern" => {
                format!(
                    "{place}: `pattern` has no counterpart: name the files and folders in `marotte check`"
                )
            }
            "error-level" => {
                "`error-level` has no counterpart: errors and warnings are both reported".to_owned()
            }
            "top-scope-variables" => {
                "`top-scope-variables` has no counterpart: suppress `top-scope-fact` where it is wrong"
                    .to_owned()
            }
            _ => format!("{place}: `{name}` has no counterpart"),
        };
        self.note(note);
    }

    /// Whether a check is enabled.
    fn is_on(&self, check: &puppet_lint::Check) -> bool {
        let name = check.name;
        let is_by_default = match &self.only {
            Some(only) => only.iter().any(|it| it == name),
            None => check.origin == Origin::Core,
        };
        (is_by_default || self.enabled.contains(name)) && !self.disabled.contains(name)
    }

    /// The text of a `marotte.toml`.
    pub(super) fn configuration(&self, sources: &str) -> String {
        let (mut warn, mut ignore) = (BTreeSet::new(), BTreeSet::new());
        for check in CHECKS {
            let Counterpart::Rule(rule) = check.counterpart else { continue };
            if self.is_on(check) && rule.subject == Subject::Style {
                warn.insert(rule.name);
            } else if self.disabled.contains(check.name) && rule == rules::LEGACY_FACT {
                ignore.insert(rule.name);
            }
        }
        let mut text = format!("# Made of {sources} by `marotte migrate puppet-lint`.\n");
        list(&mut text, "warn", &warn);
        list(&mut text, "ignore", &ignore);
        list(&mut text, "exclude", &self.exclude.iter().map(String::as_str).collect());
        text
    }

    /// Returns the notes about settings that were not converted.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        let named = self.only.iter().flatten().chain(&self.enabled).chain(&self.disabled);
        let of_layout = |it: &puppet_lint::Check| it.counterpart == Counterpart::Format;
        for name in named.collect::<BTreeSet<_>>() {
            let is_off = self.disabled.contains(name);
            notes.extend(match puppet_lint::check(name) {
                None => Some(format!("`{name}` is a check that marotte does not have")),
                Some(it) if of_layout(it) && !is_off => {
                    Some(format!("`{name}` is done by `marotte format --check`"))
                }
                Some(it) if it.counterpart == Counterpart::Refused && !is_off => {
                    Some(format!("`{name}` has no counterpart: docs/puppet-lint.md says why"))
                }
                Some(it) => kept(it).filter(|_| is_off),
            });
        }
        if CHECKS.iter().any(|it| of_layout(it) && self.is_on(it) && self.only.is_none()) {
            notes.push("layout is checked by `marotte format --check`".to_owned());
        }
        if !self.fails_on_warnings {
            notes.push(WARNINGS_FAIL.to_owned());
        }
        notes
    }
}

/// A setting about where modules are; plugins have a check of this name.
const RELATIVE: &str = "relative";

fn of_relative() -> String {
    "where a module is, marotte finds out: `relative` is not needed".to_owned()
}

const WARNINGS_FAIL: &str = "warnings fail a run of marotte, with status 1: `fail_on_warnings` was off";

/// Returns a note that a check was disabled, although its rule stays enabled.
fn kept(check: &puppet_lint::Check) -> Option<String> {
    let Counterpart::Rule(rule) = check.counterpart else { return None };
    let is_kept = rule.subject != Subject::Style && rule != rules::LEGACY_FACT;
    is_kept.then(|| format!("`{}` was off, and `{rule}` is on: Puppet refuses what it finds", check.name))
}

fn list(text: &mut String, key: &str, values: &BTreeSet<&str>) {
    if values.is_empty() {
        return;
    }
    let _ = writeln!(text, "{key} = [");
    for value in values {
        let _ = writeln!(text, "    {},", toml::Value::String((*value).to_owned()));
    }
    text.push_str("]\n");
}

/// Converts a pattern of Ruby's `File.fnmatch`, to which braces are nothing special.
///
/// # Errors
/// If it is not a pattern.
fn pattern(written: &str) -> Result<String, String> {
    let mut pattern = String::new();
    let (mut is_escaped, mut in_brackets) = (false, false);
    for it in written.chars() {
        match it {
            '{' | '}' if !is_escaped && !in_brackets => pattern.extend(['[', it, ']']),
            _ => pattern.push(it),
        }
        in_brackets = match it {
            '[' if !is_escaped => true,
            ']' if !is_escaped => false,
            _ => in_brackets,
        };
        is_escaped = it == '\\' && !is_escaped;
    }
    Paths::new("/", std::slice::from_ref(&pattern)).map_err(|(_, reason)| reason)?;
    Ok(pattern)
}

fn unquoted(text: &str) -> String {
    text.trim_matches(['\'', '"']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_options(text: &str) -> Migration {
        let mut migration = Migration::default();
        migration.read_options(text);
        migration
    }

    #[test]
    fn what_is_on_is_listed() {
        let migration = of_options(
            "--no-140chars-check\n--no-legacy_facts-check --quoted_booleans-check\n--ignore-paths=a/**,b.pp\n",
        );
        let text = migration.configuration(".puppet-lint.rc");
        assert!(!text.contains("long-line"), "{text}");
        assert!(text.contains("\"star-comment\""), "{text}");
        assert!(text.contains("\"quoted-boolean\""), "{text}");
        assert!(
            text.ends_with(
                "ignore = [\n    \"legacy-fact\",\n]\nexclude = [\n    \"a/**\",\n    \"b.pp\",\n]\n"
            ),
            "{text}"
        );
        assert_eq!(migration.notes(), ["layout is checked by `marotte format --check`", WARNINGS_FAIL]);
    }

    #[test]
    fn only_some_checks_may_be_on() {
        let migration =
            of_options("--only-checks star_comments,hard_tabs,wmf_styleguide\n--fail-on-warnings\n");
        let text = migration.configuration("x");
        assert_eq!(
            text,
            "# Made of x by `marotte migrate puppet-lint`.\nwarn = [\n    \"star-comment\",\n]\n"
        );
        assert_eq!(
            migration.notes(),
            [
                "`hard_tabs` is done by `marotte format --check`",
                "`wmf_styleguide` is a check that marotte does not have",
            ]
        );
    }

    #[test]
    fn what_is_plain_in_a_rakefile_is_read() {
        let mut migration = Migration::default();
        migration.read_rakefile(
            "require 'puppet-lint/tasks/puppet-lint'\n\
             PuppetLint.configuration.send('disable_140chars')\n\
             PuppetLint.configuration.send(:disable_documentation)  # why\n\
             PuppetLint.configuration.disable_star_comments\n\
             PuppetLint.configuration.ignore_paths = ['spec/**/*.pp', 'pkg/**/*.pp']\n\
             PuppetLint.configuration.fail_on_warnings = true\n\
             PuppetLint.configuration.relative = false\n\
             PuppetLint.configuration.send('disable_autoloader_layout')\n\
             PuppetLint::RakeTask.new(:lint) do |config|\n  config.disable_checks = %w[file_mode]\nend\n",
        );
        let off = ["140chars", "autoloader_layout", "documentation", "file_mode", "star_comments"];
        assert!(migration.disabled.iter().map(String::as_str).eq(off), "{:?}", migration.disabled);
        assert_eq!(migration.exclude, ["spec/**/*.pp", "pkg/**/*.pp"]);
        assert_eq!(
            migration.notes(),
            [
                "`autoloader_layout` was off, and `illegal-definition-location` is on: Puppet refuses what it finds",
                "layout is checked by `marotte format --check`",
            ]
        );
    }

    #[test]
    fn paths_mean_what_they_meant_or_are_told() {
        let migration = of_options("--ignore-paths=a{b,[c,d/*.pp,e[{]f.pp,g[^x}]{h\n");
        assert_eq!(migration.exclude, ["a[{]b", "d/*.pp", "e[{]f.pp", "g[^x}][{]h"]);
        let note = "`[c` in `ignore-paths` names no file: unclosed character class; missing ']'";
        assert!(migration.notes().iter().any(|it| it == note), "{:?}", migration.notes());
    }

    /// Pieces of options and of Rakefiles, in any order, with other bytes between them.
    #[test]
    fn any_text_makes_a_configuration_that_is_read() {
        let pieces = [
            "--no-",
            "-check",
            "--",
            "140chars",
            "only-checks=",
            "ignore-paths=",
            "star_comments",
            ",",
            "\n",
            " ",
            "#",
            "'",
            "\"",
            "[",
            "{",
            "}",
            "]",
            "\\",
            "**",
            "/",
            "é",
            "\u{1}",
            "PuppetLint.configuration.",
            "send(",
            "disable_checks",
            " = ",
            "%w[",
            ":a",
            "ignore_paths",
            "true",
            "config.",
            "=",
            "!",
            "relative",
            "\r",
        ];
        let mut state = 1_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        for _ in 0..2000 {
            let text: String = (0..next(24)).map(|_| pieces[next(pieces.len())]).collect();
            let mut migration = of_options(&text);
            migration.read_rakefile(&text);
            let made = migration.configuration("x");
            let read = crate::config::parse(&made, camino::Utf8Path::new("/a"));
            assert!(read.is_ok(), "{text:?}: {made}");
            assert!(migration.notes().iter().all(|it| !it.is_empty()), "{text:?}");
        }
    }

    fn of_rakefile(text: &str) -> Migration {
        let mut migration = Migration::default();
        migration.read_rakefile(text);
        migration
    }

    #[test]
    fn variables_and_loops_in_a_rakefile_are_followed() {
        let migration = of_rakefile(
            "exclude_paths = [\"pkg/**/*\", \"vendor/**/*\"]\n\
             PuppetLint.configuration.ignore_paths = exclude_paths\n\
             ['documentation', 'file_mode'].each { |c| PuppetLint.configuration.send(\"disable_#{c}\") }\n\
             PuppetLint.configuration.fail_on_warnings = true\n",
        );
        assert_eq!(migration.exclude, ["pkg/**/*", "vendor/**/*"]);
        assert!(migration.disabled.iter().eq(["documentation", "file_mode"]), "{:?}", migration.disabled);
        assert_eq!(migration.notes(), ["layout is checked by `marotte format --check`"]);
    }

    #[test]
    fn a_task_in_a_rakefile_may_run_some_checks_only() {
        let migration = of_rakefile(
            "PuppetLint::RakeTask.new(:lint) do |config|\n  config.disable_checks = [:star_comments]\n  \
             config.only_checks = ['double_quoted_strings', 'star_comments']\n  config.pattern = 'a/*.pp'\n  \
             config.fix = true\n  config.log_format = '%{path}'\nend\n",
        );
        let text = migration.configuration("x");
        assert!(text.ends_with("warn = [\n    \"needless-double-quotes\",\n]\n"), "{text}");
        assert_eq!(
            migration.notes(),
            [
                "Rakefile:4: `pattern` has no counterpart: name the files and folders in `marotte check`",
                "Rakefile:5: `fix` is not a setting of marotte: use `marotte check --fix`",
                WARNINGS_FAIL,
            ]
        );
    }

    #[test]
    fn what_a_rakefile_computes_is_told_with_its_line() {
        let notes = of_rakefile(
            "PuppetLint.configuration.ignore_paths = Dir['a/*']\n\
             PuppetLint.configuration.disable_documentation if ENV['X']\n\
             PuppetLint.configuration.only_checks = true\nPuppetLint.configuration.frobnicate = 1\n",
        )
        .notes();
        let expected = [
            "Rakefile:2: `disable_documentation` depends on a condition, which is assumed to be true",
            "Rakefile:3: the value of `only_checks` is not understood",
            "Rakefile:4: `frobnicate` has no counterpart",
            "Rakefile:1: `PuppetLint.configuration.ignore_paths = Dir['a/*']` is not understood",
        ];
        assert_eq!(notes[..4], expected);
        let notes = of_rakefile("PuppetLint.configuration.disable_a\nif\n").notes();
        assert_eq!(notes[0], "the Rakefile is not read: it is not valid Ruby, or too long");
    }

    #[test]
    fn options_may_be_short() {
        let migration = of_options("--no-documentation\n--no-80chars\n--only star_comments,file_mode\n");
        assert!(migration.disabled.iter().eq(["80chars", "documentation"]), "{:?}", migration.disabled);
        assert!(migration.only.as_ref().is_some_and(|it| it == &["star_comments", "file_mode"]));
        let notes = of_options("--no-variable\n").notes();
        assert_eq!(notes[0], ".puppet-lint.rc:1: `--no-variable` is short for several options");
    }

    #[test]
    fn checks_that_are_disabled_after_a_choice_of_checks_are_off() {
        let migration = of_options(
            "--no-star_comments-check\n--only-checks=star_comments,file_mode\n--no-file_mode-check\n",
        );
        let text = migration.configuration("x");
        assert!(text.ends_with("warn = [\n    \"star-comment\",\n]\n"), "{text}");
    }

    #[test]
    fn what_an_option_did_that_a_setting_cannot_is_told() {
        let notes = of_options(
            "# the usual\n--fix\n--load x.rb\n-ly.rb\n-f\n--config=z\n--log-format=%{path} %{line}\n",
        )
        .notes();
        let expected = [
            ".puppet-lint.rc:2: `fix` is not a setting of marotte: use `marotte check --fix`",
            ".puppet-lint.rc:3: `load x.rb` loads checks that marotte does not have",
            ".puppet-lint.rc:4: `load y.rb` loads checks that marotte does not have",
            ".puppet-lint.rc:5: `fix` is not a setting of marotte: use `marotte check --fix`",
            ".puppet-lint.rc:6: `z` is not read",
            "layout is checked by `marotte format --check`",
            WARNINGS_FAIL,
        ];
        assert_eq!(notes, expected);
    }

    #[test]
    fn relative_is_one_note() {
        let migration = of_rakefile(
            "PuppetLint.configuration.relative = true\nPuppetLint.configuration.send('disable_relative')\n",
        );
        assert_eq!(
            migration.notes(),
            [&of_relative(), "layout is checked by `marotte format --check`", WARNINGS_FAIL]
        );
    }

    #[test]
    fn what_has_no_counterpart_is_told() {
        let notes = of_options("--top-scope-variables=a,b\n--frobnicate\nword\n--80chars-check\n").notes();
        let expected = [
            ".puppet-lint.rc:2: `--frobnicate` is not an option of puppet-lint",
            ".puppet-lint.rc:3: `word` is not understood",
            "`top-scope-variables` has no counterpart: suppress `top-scope-fact` where it is wrong",
            "`80chars` has no counterpart: docs/puppet-lint.md says why",
        ];
        for it in expected {
            assert!(notes.iter().any(|note| note == it), "{it} in {notes:?}");
        }
    }
}
