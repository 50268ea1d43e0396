//! The options of puppet-lint, which may be abbreviated.

use std::cmp::Ordering;

use marotte_diagnostics::puppet_lint::{self, CHECKS, Origin};

/// The options that are not about one check, and whether they take a value.
const OPTIONS: [(&str, bool); 21] = [
    ("codeclimate-report-file", true),
    ("config", true),
    ("error-level", true),
    ("fail-on-warnings", false),
    ("fix", false),
    ("help", false),
    ("ignore-paths", true),
    ("json", false),
    ("list-checks", false),
    ("load", true),
    ("load-from-puppet", true),
    ("log-format", true),
    ("no-config", false),
    ("only-checks", true),
    ("relative", false),
    ("sarif", false),
    ("show-ignored", false),
    ("top-scope-variables", true),
    ("version", false),
    ("with-context", false),
    ("with-filename", false),
];

/// The meaning of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// `--CHECK-check`
    Enable(String),
    /// `--no-CHECK-check`
    Disable(String),
    /// Another option, by its name in full.
    Other { name: &'static str, takes_value: bool },
}

/// The error for a name that is no option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unresolved {
    Unknown,
    Ambiguous,
}

/// Resolves an option without its dashes and its value. Like Ruby's `OptionParser`, it takes `_` for `-`, and the beginnings of words,
/// if only one option is meant: `no-doc` is `no-documentation-check`. Those of puppet-lint itself come first, because plugins may
/// not be there.
pub(super) fn resolve(written: &str) -> Result<Meaning, Unresolved> {
    let written = normalized(written);
    let of_core = CHECKS.iter().filter(|it| it.origin != Origin::Plugin).map(|it| it.name);
    let found = match complete(&written, options(of_core)) {
        Err(Unresolved::Unknown) => complete(&written, options(puppet_lint::names())),
        found => found,
    };
    match (found, written.strip_suffix("-check")) {
        // Other plugins have checks, too.
        (Err(Unresolved::Unknown), Some(check)) => Ok(match check.strip_prefix("no-") {
            Some(check) => Meaning::Disable(check.replace('-', "_")),
            None => Meaning::Enable(check.replace('-', "_")),
        }),
        (found, _) => found,
    }
}

fn normalized(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// All options, with the names that they have in `OptionParser`.
fn options(checks: impl Iterator<Item = &'static str>) -> impl Iterator<Item = (String, Meaning)> {
    let others = OPTIONS.into_iter();
    let others = others.map(|(name, takes_value)| (name.to_owned(), Meaning::Other { name, takes_value }));
    others.chain(checks.flat_map(|check| {
        let name = format!("{}-check", normalized(check));
        let disable = (format!("no-{name}"), Meaning::Disable(check.to_owned()));
        let enable = (name, Meaning::Enable(check.to_owned()));
        // A check that is on has no option that enables it.
        let is_on = puppet_lint::check(check).is_some_and(|it| it.origin == Origin::Core);
        [disable].into_iter().chain((!is_on).then_some(enable))
    }))
}

/// Finds the option with this name, or the only one whose words start with those of the name. If it is the beginning of the other
/// candidates, it is meant.
fn complete(written: &str, options: impl Iterator<Item = (String, Meaning)>) -> Result<Meaning, Unresolved> {
    let mut candidates: Vec<_> = options.filter(|(name, _)| abbreviates(written, name)).collect();
    candidates.sort_by(|(one, _), (other, _)| match (one == written, other == written) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => one.len().cmp(&other.len()),
    });
    let mut candidates = candidates.into_iter();
    let (name, meaning) = candidates.next().ok_or(Unresolved::Unknown)?;
    match name == written || candidates.all(|(other, _)| other.starts_with(&name)) {
        true => Ok(meaning),
        false => Err(Unresolved::Ambiguous),
    }
}

/// Whether the words of an option start with the words of an abbreviation.
fn abbreviates(written: &str, name: &str) -> bool {
    let mut words = name.split('-');
    written.split('-').all(|part| words.next().is_some_and(|word| word.starts_with(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disabled(check: &str) -> Result<Meaning, Unresolved> {
        Ok(Meaning::Disable(check.to_owned()))
    }

    fn other(name: &'static str, takes_value: bool) -> Result<Meaning, Unresolved> {
        Ok(Meaning::Other { name, takes_value })
    }

    /// The answers are those of Ruby's `OptionParser`.
    #[test]
    fn options_are_abbreviated() {
        for written in ["no-documentation-check", "no-documentation", "no-doc", "NO-DOC", "no_documentation"]
        {
            assert_eq!(resolve(written), disabled("documentation"), "{written}");
        }
        assert_eq!(resolve("no-80chars"), disabled("80chars"));
        assert_eq!(resolve("no-star_com"), disabled("star_comments"));
        assert_eq!(resolve("no-t-s-f"), disabled("top_scope_facts"));
        assert_eq!(resolve("only"), other("only-checks", true));
        assert_eq!(resolve("loa"), other("load", true));
        assert_eq!(resolve("fi"), other("fix", false));
        assert_eq!(resolve("f"), Err(Unresolved::Ambiguous));
        assert_eq!(resolve("fix"), other("fix", false));
        assert_eq!(resolve("no-variable"), Err(Unresolved::Ambiguous));
        assert_eq!(resolve("no-documentations"), Err(Unresolved::Unknown));
        assert_eq!(resolve(""), Err(Unresolved::Ambiguous));
    }

    #[test]
    fn checks_of_plugins_are_abbreviated_too() {
        assert_eq!(resolve("no-trailing-comma"), disabled("trailing_comma"));
        assert_eq!(resolve("no-parameter-doc"), disabled("parameter_documentation"));
        // puppet-lint itself has one.
        assert_eq!(resolve("no-parameter"), disabled("parameter_order"));
        assert_eq!(resolve("quoted_bool"), Ok(Meaning::Enable("quoted_booleans".to_owned())));
        assert_eq!(resolve("no-my-own-check"), disabled("my_own"));
        assert_eq!(resolve("star_comments-check"), Ok(Meaning::Enable("star_comments".to_owned())));
        assert_eq!(resolve("my_own-check"), Ok(Meaning::Enable("my_own".to_owned())));
    }
}
