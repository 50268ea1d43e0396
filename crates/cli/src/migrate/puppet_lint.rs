//! The conversion of the options of puppet-lint to a configuration.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use marotte_diagnostics::Paths;
use marotte_diagnostics::puppet_lint::{self, CHECKS, Counterpart, Origin};
use marotte_diagnostics::rules::{self, Subject};
use regex::Regex;

/// Options that affect the output of puppet-lint, or where it looks for plugins. They need no counterpart.
const OF_OUTPUT: [&str; 14] = [
    "codeclimate-report-file",
    "config",
    "fix",
    "github-actions",
    "json",
    "list-checks",
    "load",
    "load-from-puppet",
    "log-format",
    "no-config",
    "sarif",
    "show-ignored",
    "with-context",
    "with-filename",
];

/// A setting, such as `PuppetLint.configuration.send('disable_80chars')` or `config.ignore_paths = ['a']`.
static SETTING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^\s*(?:PuppetLint\.configuration|config|lint|task|t)\.(?:send\(?\s*[:'"]*(\w+)['"]*\s*(?:,\s*(.*?))?\)?|(\w+)\s*(?:=\s*(.*))?)\s*$"#).ok()
});

/// A string of Ruby without interpolation, or a symbol.
static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r##"'([^']*)'|"([^"#]*)"|:(\w+)"##).ok());

/// The settings of puppet-lint.
#[derive(Debug, Default)]
pub(super) struct Migration {
    only: Option<Vec<String>>,
    disabled: BTreeSet<String>,
    enabled: BTreeSet<String>,
    exclude: Vec<String>,
    notes: BTreeSet<String>,
}

impl Migration {
    /// Reads a `.puppet-lint.rc`: options of the command line, separated by line ends or blanks.
    pub(super) fn read_options(&mut self, text: &str) {
        let lines = text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#'));
        let mut words = lines.flat_map(str::split_whitespace).peekable();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--") else {
                self.notes.insert(format!("`{word}` is not understood"));
                continue;
            };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (option, words.next_if(|it| !it.starts_with('-')).map(str::to_owned)),
            };
            if let Some(check) = name.strip_prefix("no-").and_then(|it| it.strip_suffix("-check")) {
                self.disable(check);
            } else if let Some(check) = name.strip_suffix("-check") {
                self.enable(check);
            } else {
                let values = value.iter().flat_map(|it| it.split(',')).map(str::trim).map(unquoted);
                let values = values.filter(|it| !it.is_empty()).collect();
                self.set(name, values);
            }
        }
    }

    /// Reads the literal settings of a Rakefile.
    pub(super) fn read_rakefile(&mut self, text: &str) {
        let Some(setting) = SETTING.as_ref() else { return };
        for line in text.lines() {
            let line = line.split(" #").next().unwrap_or_default();
            let Some(found) = setting.captures(line) else { continue };
            let is_of_lint = line.contains("PuppetLint");
            let group = |one, other| found.get(one).or_else(|| found.get(other)).map(|it| it.as_str());
            let Some(name) = group(1, 3) else { continue };
            let value = group(2, 4).unwrap_or_default();
            if let Some(check) = name.strip_prefix("disable_").filter(|it| *it != "checks") {
                self.disable(check);
            } else if let Some(check) = name.strip_prefix("enable_") {
                self.enable(check);
            } else if name == "disable_checks" {
                strings(value).iter().for_each(|it| self.disable(it));
            } else if is_of_lint || matches!(name, "ignore_paths" | "fail_on_warnings" | "relative") {
                if value == "false" {
                    continue;
                }
                self.set(&name.replace('_', "-"), strings(value));
            }
        }
    }

    fn disable(&mut self, check: &str) {
        self.enabled.remove(check);
        self.disabled.insert(check.to_owned());
    }

    fn enable(&mut self, check: &str) {
        self.disabled.remove(check);
        self.enabled.insert(check.to_owned());
    }

    fn set(&mut self, name: &str, values: Vec<String>) {
        let note = match name {
            "only-checks" => return self.only = Some(values),
            "ignore-paths" => {
                for value in values {
                    match pattern(&value) {
                        Ok(pattern) => self.exclude.push(pattern),
                        Err(reason) => {
                            self.notes.insert(format!("`{value}` in `ignore-paths` names no file: {reason}"));
                        }
                    }
                }
                return;
            }
            _ if OF_OUTPUT.contains(&name) => return,
            "fail-on-warnings" => "warnings always fail a run of marotte".to_owned(),
            "relative" => "where a module is, marotte finds out: `relative` is not needed".to_owned(),
            "error-level" => {
                "`error-level` has no counterpart: errors and warnings are both reported".to_owned()
            }
            "top-scope-variables" => {
                "`top-scope-variables` has no counterpart: suppress `top-scope-fact` where it is wrong"
                    .to_owned()
            }
            _ => format!("`{name}` has no counterpart"),
        };
        self.notes.insert(note);
    }

    /// Whether a check is enabled.
    fn is_on(&self, check: &puppet_lint::Check) -> bool {
        if let Some(only) = &self.only {
            return only.iter().any(|it| it == check.name);
        }
        let is_by_default = check.origin == Origin::Core;
        let name = check.name;
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
        let mut notes: Vec<String> = self.notes.iter().cloned().collect();
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
        notes
    }
}

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

/// Returns the literal strings and symbols in Ruby code.
fn strings(code: &str) -> Vec<String> {
    if let Some(words) = code.trim().strip_prefix("%w").and_then(|it| it.get(1..it.len().checked_sub(1)?)) {
        return words.split_whitespace().map(str::to_owned).collect();
    }
    let found = WORD.as_ref().into_iter().flat_map(|it| it.captures_iter(code));
    found.filter_map(|it| it.get(1).or(it.get(2)).or(it.get(3))).map(|it| it.as_str().to_owned()).collect()
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
        assert_eq!(migration.notes(), ["layout is checked by `marotte format --check`"]);
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
                "warnings always fail a run of marotte",
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
                "warnings always fail a run of marotte",
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

    #[test]
    fn what_has_no_counterpart_is_told() {
        let notes = of_options("--top-scope-variables=a,b\n--frobnicate\nword\n--80chars-check\n").notes();
        let expected = [
            "`frobnicate` has no counterpart",
            "`top-scope-variables` has no counterpart: suppress `top-scope-fact` where it is wrong",
            "`80chars` has no counterpart: docs/puppet-lint.md says why",
        ];
        for it in expected {
            assert!(notes.iter().any(|note| note == it), "{it} in {notes:?}");
        }
    }
}
