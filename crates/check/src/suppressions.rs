//! Control comments that suppress nothing.

use marotte_db::{Db, File, Settings, environment_of};
use marotte_diagnostics::Diagnostic;
use marotte_diagnostics::rules::{self, Rule, Subject};
use marotte_diagnostics::suppress::Suppression;
use marotte_resolve::names::lacks_modules;

/// Returns findings for comments that suppress nothing, provided that everything was checked (`was_checked`) that they might have
/// suppressed.
pub(crate) fn unused_suppressions(
    db: &dyn Db,
    file: File,
    unused: Vec<Suppression>,
    was_checked: impl Fn(Subject) -> bool,
) -> Vec<Diagnostic> {
    let is_certain = |rule: &Rule| match rule.subject {
        Subject::Text => was_checked(rule.subject),
        Subject::Meaning => {
            was_checked(rule.subject)
                && rule != rules::DIALECT_CHANGE
                && !lacks_modules(db, file, environment_of(db, file))
        }
        Subject::Style | Subject::Tree | Subject::File | Subject::Evaluation => false,
    };
    let rules = Settings::get(db).rules(db);
    let unused = unused.iter().filter(|it| rules.contains(it.rule) && is_certain(it.rule));
    unused.map(|it| it.unused(file.id(db))).collect()
}
