//! The user's selection of rules and levels.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::puppet_lint::{self, Counterpart, Origin};
use crate::rules::{self, RULES, Rule, Subject};
use crate::upgrade;
use crate::{Diagnostic, FileId, Level, Paths, RuleSet};

/// The effect of a setting on the rules that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Report only selected rules, at their default level, and errors that keep these from looking at a file.
    Select,
    /// Don't report.
    Ignore,
    /// Report as warnings.
    Warn,
    /// Report as errors.
    Error,
}

/// The level of every rule, as configured by the user.
///
/// Silence must never stand for something unchecked: rules that are [always](Rule::always) reported ignore the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Rules that aren't selected are off.
    selective: bool,
    /// The last setting for each rule; `None` is the rule's default level.
    levels: HashMap<&'static str, Option<Level>>,
    /// The choices for some files only, which win over those for all; the last one wins.
    of_paths: Vec<(Paths, Settings)>,
}

impl Settings {
    /// Applies a list of choices, each with the pattern of the rules that it concerns; later ones win.
    ///
    /// A pattern is a name, `all`, a group (`style`, `puppet-lint`, `tree`, `puppet-8`), or has `*` for any part of a name (`heredoc-*`).
    ///
    /// # Errors
    /// If a pattern matches no rule, or names a rule to ignore that is always reported.
    pub fn new<'a>(choices: impl IntoIterator<Item = (Choice, &'a str)>) -> Result<Self, SettingsError> {
        let mut settings = Settings::default();
        for (choice, pattern) in choices {
            let by_name = rules::rule(pattern).is_some();
            if choice == Choice::Ignore && by_name && rules::rule(pattern).is_some_and(Rule::always) {
                return Err(SettingsError::AlwaysReported(pattern.to_owned()));
            }
            settings.selective |= choice == Choice::Select;
            let mut found = false;
            for rule in RULES.iter().filter(|rule| is_meant(pattern, rule)) {
                found = true;
                let level = match choice {
                    Choice::Select => None,
                    Choice::Ignore => Some(Level::Ignore),
                    Choice::Warn => Some(Level::Warning),
                    Choice::Error => Some(Level::Error),
                };
                if !(rule.always() && level == Some(Level::Ignore)) {
                    settings.levels.insert(rule.name, level);
                }
            }
            if !found {
                return Err(SettingsError::UnknownRule(pattern.to_owned()));
            }
        }
        Ok(settings)
    }

    /// Follows choices for some files only, which win over all others. They cannot select.
    ///
    /// # Errors
    /// As those of [`Settings::new`].
    pub fn for_paths<'a>(
        mut self,
        paths: Paths,
        choices: impl IntoIterator<Item = (Choice, &'a str)>,
    ) -> Result<Self, SettingsError> {
        self.of_paths.push((paths, Settings::new(choices)?));
        Ok(self)
    }

    /// The rules whose findings may be reported. The others needn't run. A rule that only
    /// [follows others](Rule::follows_others) is left out: it reports what these read.
    pub fn wanted(&self) -> RuleSet {
        RULES.iter().filter(|it| self.wants(it) && !self.only_follows(it)).collect()
    }

    /// Whether a rule reports only files that other requested rules read.
    fn only_follows(&self, rule: &Rule) -> bool {
        let is_named = |it: &Settings| it.levels.contains_key(rule.name);
        let is_named = is_named(self) || self.of_paths.iter().any(|(_, it)| is_named(it));
        rule.follows_others() && !is_named && (self.selective || rule.always())
    }

    fn wants(&self, rule: &Rule) -> bool {
        let of_paths = self.of_paths.iter().filter_map(|(_, it)| it.levels.get(rule.name));
        of_paths.chain([&self.of_all(rule)]).any(|it| *it != Some(Level::Ignore))
    }

    /// The level of a rule, without the choices for some files only. None is the default, or a warning for a rule that is off by
    /// default.
    fn of_all(&self, rule: &Rule) -> Option<Level> {
        let is_off = if self.selective { !is_unselected_reported(rule) } else { rule.level == Level::Ignore };
        let unmentioned = if is_off { Some(Level::Ignore) } else { None };
        self.levels.get(rule.name).copied().unwrap_or(unmentioned)
    }

    /// Whether only selected rules are reported, and errors that keep these from looking at a file.
    pub fn is_selective(&self) -> bool {
        self.selective
    }

    /// Whether all rules that choices turn on are among these.
    pub fn names_only(&self, rules: &[&str]) -> bool {
        let mut on = self.levels.iter().filter(|(_, level)| **level != Some(Level::Ignore));
        on.all(|(name, _)| rules.contains(name)) && self.of_paths.is_empty()
    }

    /// Whether findings of a rule in a file with this absolute path are reported.
    pub fn reports(&self, rule: &Rule, path: Option<&str>) -> bool {
        self.level_of(rule.name, rule.level, path) != Level::Ignore
    }

    /// The level at which a finding in a file with this absolute path is reported.
    pub fn level(&self, diagnostic: &Diagnostic, path: Option<&str>) -> Level {
        self.level_of(diagnostic.rule, diagnostic.level, path)
    }

    /// The level of a finding of a rule, which has this level by itself.
    fn level_of(&self, rule: &str, own: Level, path: Option<&str>) -> Level {
        let of_path = path.and_then(|path| {
            let mut settings = self.of_paths.iter().rev().filter(|(paths, _)| paths.contains(path));
            settings.find_map(|(_, it)| it.levels.get(rule))
        });
        match of_path.or_else(|| self.levels.get(rule)) {
            Some(Some(level)) => *level,
            // A user who selects a rule that is off by default wants to see it.
            Some(None) if own == Level::Ignore => Level::Warning,
            Some(None) => own,
            None if !self.selective || rules::rule(rule).is_none_or(is_unselected_reported) => own,
            None => Level::Ignore,
        }
    }

    /// Gives every finding its level and removes those that are not reported. `path` says the absolute path of a file.
    pub fn apply<'a>(
        &self,
        diagnostics: &mut Vec<Arc<Diagnostic>>,
        path: impl Fn(FileId) -> Option<&'a str>,
    ) {
        diagnostics.retain_mut(|diagnostic| {
            let level = self.level(diagnostic, path(diagnostic.file));
            if level != diagnostic.level {
                Arc::make_mut(diagnostic).level = level;
            }
            level != Level::Ignore
        });
    }
}

/// Whether a selection of other rules doesn't silence a rule, because what it reports keeps these from looking at a file.
fn is_unselected_reported(rule: &Rule) -> bool {
    rule.always() || rule.stops_others()
}

/// An error in a list of choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// No rule has this name, or matches this pattern.
    UnknownRule(String),
    /// This rule reports that something wasn't checked, and cannot be ignored.
    AlwaysReported(String),
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::UnknownRule(pattern) => f.write_str(&rules::unknown(pattern)),
            SettingsError::AlwaysReported(name) => {
                write!(f, "`{name}` cannot be ignored: it tells that something was not checked")
            }
        }
    }
}

impl std::error::Error for SettingsError {}

/// Names that stand for several rules.
pub const GROUPS: [&str; 4] = ["style", "puppet-lint", "tree", "puppet-8"];

/// A name for several rules.
#[derive(Debug)]
pub struct Group {
    /// The name, one of [`GROUPS`].
    pub name: &'static str,
    /// A sentence about the rules in it.
    pub summary: &'static str,
    /// The rules, in the order of the registry.
    pub rules: Vec<&'static Rule>,
}

/// Returns the group with this name.
pub fn group(name: &str) -> Option<Group> {
    let name = GROUPS.into_iter().find(|it| *it == name)?;
    let summary = match name {
        "style" => "Code that is right and written differently from what the style guide recommends.",
        "puppet-lint" => "The rules that correspond to the checks that puppet-lint runs by default.",
        "tree" => {
            "Code, files and data that nothing uses, and differences between the `Puppetfile` and the modules that the code needs."
        }
        _ => "Code that works with earlier versions of Puppet and that Puppet 8 or OpenVox 8 breaks.",
    };
    Some(Group { name, summary, rules: RULES.iter().filter(|it| is_meant(name, it)).collect() })
}

/// Whether a pattern, or a group, is about a rule.
fn is_meant(pattern: &str, rule: &Rule) -> bool {
    match pattern {
        "style" => rule.subject == Subject::Style,
        // Unused keys are found without the other rules about trees, because they only need data and lookups.
        "puppet-8" => upgrade::topic(rule.name).is_some(),
        "tree" => {
            rule.subject == Subject::Tree && upgrade::topic(rule.name).is_none() || rule.name == "unused-key"
        }
        // What puppet-lint checks unless it is told otherwise.
        "puppet-lint" => puppet_lint::CHECKS
            .iter()
            .any(|it| it.origin == Origin::Core && it.counterpart == Counterpart::Rule(rule.name)),
        _ => matches(pattern, rule.name),
    }
}

/// Whether a pattern fits a name.
fn matches(pattern: &str, name: &str) -> bool {
    if pattern == "all" {
        return true;
    }
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use marotte_text::TextRange;

    use super::*;
    use crate::FileId;

    fn level(choices: &[(Choice, &str)], rule: &'static str) -> Level {
        let settings = Settings::new(choices.iter().copied()).unwrap();
        let own = rules::rule(rule).unwrap().level;
        settings.level(&Diagnostic::new(rule, own, FileId(0), TextRange::default(), String::new()), None)
    }

    #[test]
    fn without_choices_every_rule_has_its_own_level() {
        assert_eq!(level(&[], "unrecognized-escape"), Level::Warning);
        assert_eq!(level(&[], "duplicate-key"), Level::Error);
    }

    #[test]
    fn the_last_choice_wins() {
        let choices = [(Choice::Ignore, "all"), (Choice::Warn, "heredoc-*"), (Choice::Error, "heredoc-text")];
        assert_eq!(level(&choices, "duplicate-key"), Level::Ignore);
        assert_eq!(level(&choices, "heredoc-empty-endtag"), Level::Warning);
        assert_eq!(level(&choices, "heredoc-text"), Level::Error);
    }

    #[test]
    fn a_selection_leaves_the_rest_out() {
        let choices = [(Choice::Select, "*-escape"), (Choice::Warn, "duplicate-key")];
        assert_eq!(level(&choices, "unrecognized-escape"), Level::Warning);
        assert_eq!(level(&choices, "illegal-unicode-escape"), Level::Error);
        assert_eq!(level(&choices, "duplicate-key"), Level::Warning);
        assert_eq!(level(&choices, "duplicate-default"), Level::Ignore);
    }

    #[test]
    fn a_selection_keeps_the_errors_that_stop_other_rules() {
        assert_eq!(level(&[(Choice::Select, "star-comment")], "unclosed-quote"), Level::Error);
        let ignored = [(Choice::Select, "star-comment"), (Choice::Ignore, "unclosed-quote")];
        assert_eq!(level(&ignored, "unclosed-quote"), Level::Ignore);
    }

    #[test]
    fn what_was_not_checked_is_always_reported() {
        assert_eq!(level(&[(Choice::Ignore, "all")], "unreadable-file"), Level::Error);
        assert_eq!(level(&[(Choice::Select, "duplicate-key")], "internal-error"), Level::Error);
        let refused = Settings::new([(Choice::Ignore, "internal-error")]);
        assert_eq!(refused, Err(SettingsError::AlwaysReported("internal-error".to_owned())));
    }

    #[test]
    fn an_unknown_name_comes_with_the_nearest_one() {
        let error = Settings::new([(Choice::Warn, "duplicat-key")]).unwrap_err();
        assert_eq!(error.to_string(), "there is no rule `duplicat-key`; did you mean `duplicate-key`?");
        let error = Settings::new([(Choice::Warn, "zzz-*")]).unwrap_err();
        assert_eq!(error.to_string(), "no rule fits `zzz-*`");
    }

    #[test]
    fn choices_for_some_files_win_over_those_for_all() {
        let spec = Paths::new("/a", &["spec".to_owned()]).unwrap();
        let deep = Paths::new("/a", &["spec/x".to_owned()]).unwrap();
        let settings = Settings::new([(Choice::Error, "unrecognized-escape")])
            .and_then(|it| it.for_paths(spec, [(Choice::Ignore, "all"), (Choice::Warn, "star-comment")]))
            .and_then(|it| it.for_paths(deep, [(Choice::Warn, "duplicate-key")]))
            .unwrap();
        let level = |rule: &'static str, path| {
            let own = rules::rule(rule).unwrap().level;
            let finding = Diagnostic::new(rule, own, FileId(0), TextRange::default(), String::new());
            settings.level(&finding, Some(path))
        };
        assert_eq!(level("unrecognized-escape", "/a/b.pp"), Level::Error);
        assert_eq!(level("unrecognized-escape", "/a/spec/b.pp"), Level::Ignore);
        assert_eq!(level("duplicate-key", "/a/spec/b.pp"), Level::Ignore);
        assert_eq!(level("duplicate-key", "/a/spec/x/b.pp"), Level::Warning);
        assert_eq!(level("star-comment", "/a/spec/b.pp"), Level::Warning);
        assert_eq!(level("star-comment", "/a/b.pp"), Level::Ignore);
        assert_eq!(level("internal-error", "/a/spec/b.pp"), Level::Error);
        assert!(settings.wanted().contains("star-comment"));
        assert!(settings.wanted().contains("duplicate-key"));
    }

    #[test]
    fn groups_stand_for_several_rules() {
        assert_eq!(level(&[(Choice::Select, "style")], "star-comment"), Level::Warning);
        assert_eq!(level(&[(Choice::Select, "style")], "duplicate-key"), Level::Ignore);
        assert_eq!(level(&[(Choice::Warn, "style")], "duplicate-key"), Level::Error);
        assert_eq!(level(&[(Choice::Error, "puppet-lint")], "star-comment"), Level::Error);
        assert_eq!(level(&[(Choice::Select, "puppet-lint")], "duplicate-attribute"), Level::Error);
        // It is off in puppet-lint, too.
        assert_eq!(level(&[(Choice::Select, "puppet-lint")], "quoted-boolean"), Level::Ignore);
    }

    #[test]
    fn a_rule_runs_only_if_it_is_wanted() {
        let wants = |choices: &[(Choice, &str)], rule: &str| {
            Settings::new(choices.iter().copied()).unwrap().wanted().contains(rule)
        };
        assert!(!wants(&[], "star-comment"));
        assert!(wants(&[], "duplicate-key"));
        assert!(!wants(&[(Choice::Select, "duplicate-key")], "star-comment"));
        assert!(!wants(&[(Choice::Select, "star-comment")], "duplicate-key"));
        assert!(wants(&[(Choice::Select, "star-comment")], "star-comment"));
        assert!(wants(&[(Choice::Select, "star-comment")], "internal-error"));
        assert!(!wants(&[(Choice::Warn, "style"), (Choice::Ignore, "style")], "star-comment"));
        assert!(wants(&[(Choice::Warn, "star-comment")], "star-comment"));
        assert!(wants(&[(Choice::Select, "puppet-lint")], "star-comment"));
        assert!(!wants(&[(Choice::Ignore, "all")], "duplicate-key"));
    }

    /// Nothing that would be reported is left out: what is not wanted has the level `Ignore` everywhere.
    #[test]
    fn what_is_not_wanted_is_not_reported() {
        let names = ["all", "style", "puppet-lint", "tree", "duplicate-key", "unused-key", "star-comment"];
        let choices = [Choice::Select, Choice::Ignore, Choice::Warn, Choice::Error];
        for (first, second) in names.iter().flat_map(|one| names.map(|other| (*one, other))) {
            for (one, other) in choices.iter().flat_map(|one| choices.map(|other| (*one, other))) {
                let settings = Settings::new([(one, first), (other, second)]).unwrap();
                let wanted = settings.wanted();
                for rule in RULES {
                    let finding = Diagnostic::new(
                        rule.name,
                        rule.level,
                        FileId(0),
                        TextRange::default(),
                        String::new(),
                    );
                    let is_reported = settings.level(&finding, None) != Level::Ignore;
                    if !rule.follows_others() {
                        assert_eq!(wanted.contains(rule.name), is_reported, "{}", rule.name);
                    }
                    assert!(is_reported || !wanted.contains(rule.name), "{}", rule.name);
                }
            }
        }
    }

    /// A selection that names such a rule makes it look at all files; another one keeps its findings, but reads nothing for them.
    #[test]
    fn rules_about_the_files_of_others_run_alone_only_if_they_are_named() {
        for name in ["invalid-ruby", "invalid-data-file", "invalid-hiera-config"] {
            let named = Settings::new([(Choice::Select, name)]).unwrap();
            assert!(named.wanted().contains(name), "{name}");
            let other = [(Choice::Select, "unused-key")];
            assert!(!Settings::new(other).unwrap().wanted().contains(name), "{name}");
            assert_eq!(level(&other, name), Level::Error, "{name}");
        }
    }

    #[test]
    fn stars_stand_for_any_part() {
        assert!(matches("illegal-*-name", "illegal-var-name"));
        assert!(matches("*", "x"));
        assert!(matches("heredoc-*", "heredoc-text"));
        assert!(!matches("heredoc-*", "unclosed-quote"));
        assert!(!matches("heredoc", "heredoc-text"));
        assert!(!matches("ab*ba", "aba"));
    }

    #[test]
    fn applying_removes_and_relevels() {
        let finding =
            |rule| Diagnostic::new(rule, Level::Error, FileId(0), TextRange::default(), String::new());
        let mut findings = vec![finding("duplicate-key").into(), finding("not-rvalue").into()];
        Settings::new([(Choice::Ignore, "duplicate-key"), (Choice::Warn, "not-rvalue")])
            .unwrap()
            .apply(&mut findings, |_| None);
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].rule, findings[0].level), ("not-rvalue", Level::Warning));
    }
}
