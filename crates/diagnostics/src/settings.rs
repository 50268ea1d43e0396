//! The user's selection of rules and levels.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::puppet_lint::{self, Counterpart, Origin};
use crate::rules::{self, Group, RULES, Rule};
use crate::upgrade;
use crate::{Diagnostic, FileId, Level, Paths, RuleSet};

/// The effect of a setting on the rules that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Report only selected rules, at their default level, and errors that keep these from looking at a file.
    Select,
    /// Doesn't report the rules.
    Ignore,
    /// Reports the rules as warnings.
    Warn,
    /// Reports the rules as errors.
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
    levels: HashMap<&'static Rule, Option<Level>>,
    /// The settings for some files only, which take precedence over those for all files; the last one applies.
    of_paths: Vec<(Paths, Settings)>,
}

impl Settings {
    /// Applies a list of choices, each with the pattern of the rules that it applies to; later ones take precedence.
    ///
    /// A pattern is a name, `all`, one of [`SETS`] (`style`, `puppet-lint`), or has `*` for any part of a name (`heredoc-*`).
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
                    settings.levels.insert(rule, level);
                }
            }
            if !found {
                return Err(SettingsError::UnknownRule(pattern.to_owned()));
            }
        }
        Ok(settings)
    }

    /// Applies choices for some files only, which take precedence over all others. They cannot select rules.
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
        RULES.iter().copied().filter(|it| self.wants(it) && !self.only_follows(it)).collect()
    }

    /// Whether a rule reports only files that other requested rules read.
    fn only_follows(&self, rule: &Rule) -> bool {
        let is_named = |it: &Settings| it.levels.contains_key(rule);
        let is_named = is_named(self) || self.of_paths.iter().any(|(_, it)| is_named(it));
        rule.follows_others() && !is_named && (self.selective || rule.always())
    }

    fn wants(&self, rule: &Rule) -> bool {
        let of_paths = self.of_paths.iter().filter_map(|(_, it)| it.levels.get(rule));
        of_paths.chain([&self.of_all(rule)]).any(|it| *it != Some(Level::Ignore))
    }

    /// The level of a rule, without the choices for some files only. None is the default, or a warning for a rule that is off by
    /// default.
    fn of_all(&self, rule: &Rule) -> Option<Level> {
        let is_off = if self.selective { !is_unselected_reported(rule) } else { rule.level == Level::Ignore };
        let unmentioned = if is_off { Some(Level::Ignore) } else { None };
        self.levels.get(rule).copied().unwrap_or(unmentioned)
    }

    /// Whether only selected rules are reported, and errors that keep these from looking at a file.
    pub fn is_selective(&self) -> bool {
        self.selective
    }

    /// Whether all rules that choices turn on are among these.
    pub fn names_only(&self, rules: &[&'static Rule]) -> bool {
        let mut on = self.levels.iter().filter(|(_, level)| **level != Some(Level::Ignore));
        on.all(|(rule, _)| rules.contains(rule)) && self.of_paths.is_empty()
    }

    /// Whether findings of a rule in a file with this absolute path are reported.
    pub fn reports(&self, rule: &Rule, path: Option<&str>) -> bool {
        self.level_of(rule, rule.level, path) != Level::Ignore
    }

    /// The level at which a finding in a file with this absolute path is reported.
    pub fn level(&self, diagnostic: &Diagnostic, path: Option<&str>) -> Level {
        self.level_of(diagnostic.rule, diagnostic.level, path)
    }

    /// Returns the level of a finding of a rule, given the level of the finding itself.
    fn level_of(&self, rule: &Rule, own: Level, path: Option<&str>) -> Level {
        let of_path = path.and_then(|path| {
            let mut settings = self.of_paths.iter().rev().filter(|(paths, _)| paths.contains(path));
            settings.find_map(|(_, it)| it.levels.get(rule))
        });
        match of_path.or_else(|| self.levels.get(rule)) {
            Some(Some(level)) => *level,
            // A user who selects a rule that is off by default wants to see it.
            Some(None) if own == Level::Ignore => Level::Warning,
            Some(None) => own,
            None if !self.selective || is_unselected_reported(rule) => own,
            None => Level::Ignore,
        }
    }

    /// Gives every finding its level and removes those that are not reported. `path` returns the absolute path of a file.
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

/// Whether a rule is reported even if only other rules are selected, because its findings prevent these from examining a file.
fn is_unselected_reported(rule: &Rule) -> bool {
    rule.always() || rule.stops_others()
}

/// An error in a list of choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// No rule has this name, or matches this pattern.
    UnknownRule(String),
    /// The rule reports incomplete checks, and cannot be ignored.
    AlwaysReported(String),
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::UnknownRule(pattern) => f.write_str(&rules::unknown(pattern)),
            SettingsError::AlwaysReported(name) => {
                write!(f, "`{name}` cannot be ignored: it reports that something was not checked")
            }
        }
    }
}

impl std::error::Error for SettingsError {}

/// Names that stand for several rules: the groups of rules, and further sets.
pub const SETS: [&str; 11] = [
    Group::Syntax.name(),
    Group::Names.name(),
    Group::Types.name(),
    Group::Resources.name(),
    Group::Data.name(),
    Group::Migration.name(),
    Group::Style.name(),
    Group::Tree.name(),
    Group::Files.name(),
    PUPPET_LINT,
    PUPPET_8,
];

const PUPPET_LINT: &str = "puppet-lint";
const PUPPET_8: &str = "puppet-8";

/// Several rules with a name in common.
#[derive(Debug)]
pub struct NamedSet {
    /// The name, one of [`SETS`].
    pub name: &'static str,
    /// A sentence about the rules in it.
    pub summary: &'static str,
    /// The rules, in the order of the registry.
    pub rules: Vec<&'static Rule>,
}

/// Returns the set of rules with this name.
pub fn named_set(name: &str) -> Option<NamedSet> {
    let name = SETS.into_iter().find(|it| *it == name)?;
    let summary = match name {
        PUPPET_LINT => "The rules that correspond to the checks that puppet-lint runs by default.",
        PUPPET_8 => "Code that works with earlier versions of Puppet and that Puppet 8 or OpenVox 8 breaks.",
        _ => Group::ALL.into_iter().find(|it| it.name() == name)?.summary(),
    };
    Some(NamedSet { name, summary, rules: RULES.iter().copied().filter(|it| is_meant(name, it)).collect() })
}

/// Whether a pattern, or the name of a set, is about a rule.
fn is_meant(pattern: &str, rule: &Rule) -> bool {
    match pattern {
        PUPPET_8 => upgrade::topic(rule).is_some(),
        // What puppet-lint checks unless it is told otherwise.
        PUPPET_LINT => puppet_lint::CHECKS.iter().any(|it| {
            it.origin == Origin::Core && matches!(it.counterpart, Counterpart::Rule(it) if it == rule)
        }),
        _ => {
            // Unused keys are found without the other rules about trees, because they only need data and lookups.
            pattern == rule.group.name()
                || pattern == Group::Tree.name() && rule == rules::UNUSED_KEY
                || matches(pattern, rule.name)
        }
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

    fn level(choices: &[(Choice, &str)], rule: &'static Rule) -> Level {
        let settings = Settings::new(choices.iter().copied()).unwrap();
        settings
            .level(&Diagnostic::new(rule, rule.level, FileId(0), TextRange::default(), String::new()), None)
    }

    #[test]
    fn without_choices_every_rule_has_its_own_level() {
        assert_eq!(level(&[], rules::UNRECOGNIZED_ESCAPE), Level::Warning);
        assert_eq!(level(&[], rules::DUPLICATE_KEY), Level::Error);
    }

    #[test]
    fn the_last_choice_wins() {
        let choices = [(Choice::Ignore, "all"), (Choice::Warn, "heredoc-*"), (Choice::Error, "heredoc-text")];
        assert_eq!(level(&choices, rules::DUPLICATE_KEY), Level::Ignore);
        assert_eq!(level(&choices, rules::HEREDOC_EMPTY_ENDTAG), Level::Warning);
        assert_eq!(level(&choices, rules::HEREDOC_TEXT), Level::Error);
    }

    #[test]
    fn a_selection_leaves_the_rest_out() {
        let choices = [(Choice::Select, "*-escape"), (Choice::Warn, "duplicate-key")];
        assert_eq!(level(&choices, rules::UNRECOGNIZED_ESCAPE), Level::Warning);
        assert_eq!(level(&choices, rules::ILLEGAL_UNICODE_ESCAPE), Level::Error);
        assert_eq!(level(&choices, rules::DUPLICATE_KEY), Level::Warning);
        assert_eq!(level(&choices, rules::DUPLICATE_DEFAULT), Level::Ignore);
    }

    #[test]
    fn a_selection_keeps_the_errors_that_stop_other_rules() {
        assert_eq!(level(&[(Choice::Select, "star-comment")], rules::UNCLOSED_QUOTE), Level::Error);
        let ignored = [(Choice::Select, "star-comment"), (Choice::Ignore, "unclosed-quote")];
        assert_eq!(level(&ignored, rules::UNCLOSED_QUOTE), Level::Ignore);
    }

    #[test]
    fn what_was_not_checked_is_always_reported() {
        assert_eq!(level(&[(Choice::Ignore, "all")], rules::UNREADABLE_FILE), Level::Error);
        assert_eq!(level(&[(Choice::Select, "duplicate-key")], rules::INTERNAL_ERROR), Level::Error);
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
        let level = |rule: &'static Rule, path| {
            let finding = Diagnostic::new(rule, rule.level, FileId(0), TextRange::default(), String::new());
            settings.level(&finding, Some(path))
        };
        assert_eq!(level(rules::UNRECOGNIZED_ESCAPE, "/a/b.pp"), Level::Error);
        assert_eq!(level(rules::UNRECOGNIZED_ESCAPE, "/a/spec/b.pp"), Level::Ignore);
        assert_eq!(level(rules::DUPLICATE_KEY, "/a/spec/b.pp"), Level::Ignore);
        assert_eq!(level(rules::DUPLICATE_KEY, "/a/spec/x/b.pp"), Level::Warning);
        assert_eq!(level(rules::STAR_COMMENT, "/a/spec/b.pp"), Level::Warning);
        assert_eq!(level(rules::STAR_COMMENT, "/a/b.pp"), Level::Ignore);
        assert_eq!(level(rules::INTERNAL_ERROR, "/a/spec/b.pp"), Level::Error);
        assert!(settings.wanted().contains(rules::STAR_COMMENT));
        assert!(settings.wanted().contains(rules::DUPLICATE_KEY));
    }

    #[test]
    fn sets_stand_for_several_rules() {
        for group in Group::ALL {
            let set = named_set(group.name()).unwrap();
            assert!(set.rules.iter().filter(|it| it.group == group).count() > 0, "{group}");
        }
        assert!(SETS.into_iter().all(|it| named_set(it).is_some_and(|it| !it.rules.is_empty())));
        assert_eq!(level(&[(Choice::Select, "style")], rules::STAR_COMMENT), Level::Warning);
        assert_eq!(level(&[(Choice::Select, "style")], rules::DUPLICATE_KEY), Level::Ignore);
        assert_eq!(level(&[(Choice::Warn, "style")], rules::DUPLICATE_KEY), Level::Error);
        assert_eq!(level(&[(Choice::Error, "puppet-lint")], rules::STAR_COMMENT), Level::Error);
        assert_eq!(level(&[(Choice::Select, "puppet-lint")], rules::DUPLICATE_ATTRIBUTE), Level::Error);
        // It is off in puppet-lint, too.
        assert_eq!(level(&[(Choice::Select, "puppet-lint")], rules::QUOTED_BOOLEAN), Level::Ignore);
    }

    #[test]
    fn a_rule_runs_only_if_it_is_wanted() {
        let wants = |choices: &[(Choice, &str)], rule: &Rule| {
            Settings::new(choices.iter().copied()).unwrap().wanted().contains(rule)
        };
        assert!(!wants(&[], rules::STAR_COMMENT));
        assert!(wants(&[], rules::DUPLICATE_KEY));
        assert!(!wants(&[(Choice::Select, "duplicate-key")], rules::STAR_COMMENT));
        assert!(!wants(&[(Choice::Select, "star-comment")], rules::DUPLICATE_KEY));
        assert!(wants(&[(Choice::Select, "star-comment")], rules::STAR_COMMENT));
        assert!(wants(&[(Choice::Select, "star-comment")], rules::INTERNAL_ERROR));
        assert!(!wants(&[(Choice::Warn, "style"), (Choice::Ignore, "style")], rules::STAR_COMMENT));
        assert!(wants(&[(Choice::Warn, "star-comment")], rules::STAR_COMMENT));
        assert!(wants(&[(Choice::Select, "puppet-lint")], rules::STAR_COMMENT));
        assert!(!wants(&[(Choice::Ignore, "all")], rules::DUPLICATE_KEY));
    }

    /// Findings are left out only if their level is `Ignore` everywhere.
    #[test]
    fn what_is_not_wanted_is_not_reported() {
        let names = ["all", "style", "puppet-lint", "tree", "duplicate-key", "unused-key", "star-comment"];
        let choices = [Choice::Select, Choice::Ignore, Choice::Warn, Choice::Error];
        for (first, second) in names.iter().flat_map(|one| names.map(|other| (*one, other))) {
            for (one, other) in choices.iter().flat_map(|one| choices.map(|other| (*one, other))) {
                let settings = Settings::new([(one, first), (other, second)]).unwrap();
                let wanted = settings.wanted();
                for rule in RULES {
                    let finding =
                        Diagnostic::new(rule, rule.level, FileId(0), TextRange::default(), String::new());
                    let is_reported = settings.level(&finding, None) != Level::Ignore;
                    if !rule.follows_others() {
                        assert_eq!(wanted.contains(rule), is_reported, "{}", rule.name);
                    }
                    assert!(is_reported || !wanted.contains(rule), "{}", rule.name);
                }
            }
        }
    }

    /// A selection that names such a rule makes it examine all files; another selection keeps its findings, but reads no files
    /// for them.
    #[test]
    fn rules_about_the_files_of_others_run_alone_only_if_they_are_named() {
        for rule in [rules::INVALID_RUBY, rules::INVALID_DATA_FILE, rules::INVALID_HIERA_CONFIG] {
            let named = Settings::new([(Choice::Select, rule.name)]).unwrap();
            assert!(named.wanted().contains(rule), "{rule}");
            let other = [(Choice::Select, "unused-key")];
            assert!(!Settings::new(other).unwrap().wanted().contains(rule), "{rule}");
            assert_eq!(level(&other, rule), Level::Error, "{rule}");
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
        let mut findings = vec![finding(rules::DUPLICATE_KEY).into(), finding(rules::NOT_RVALUE).into()];
        Settings::new([(Choice::Ignore, "duplicate-key"), (Choice::Warn, "not-rvalue")])
            .unwrap()
            .apply(&mut findings, |_| None);
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].rule, findings[0].level), (rules::NOT_RVALUE, Level::Warning));
    }
}
