//! Control comments that silence nothing.

use marotte_db::{Db, File, Settings, environment_of};
use marotte_diagnostics::Diagnostic;
use marotte_diagnostics::rules::{Rule, Subject};
use marotte_diagnostics::suppress::Suppression;
use marotte_resolve::names::lacks_modules;

/// Comments that silence nothing, as far as all was looked at (`was_checked`) that they might have silenced.
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
                && rule.name != "dialect-change"
                && !lacks_modules(db, file, environment_of(db, file))
        }
        Subject::Style | Subject::Tree | Subject::File | Subject::Evaluation => false,
    };
    let rules = Settings::get(db).rules(db);
    let unused = unused.iter().filter(|it| rules.contains(it.rule.name) && is_certain(it.rule));
    unused.map(|it| it.unused(file.id(db))).collect()
}
