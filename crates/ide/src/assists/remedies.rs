//! Remedies: code changes that resolve a finding in another file than its own.

use marotte_db::File;
use marotte_diagnostics::{Rule, rules};
use marotte_text::TextRange;

use super::{Assist, dependency, fact, key};
use crate::{Db, FileRange};

/// The remedies for a finding of a rule at a place: the dependency that `metadata.json` doesn't list, the key that data doesn't
/// have. A key gets a placeholder, for the user to replace. Also the replacement of a legacy fact in data or in a template.
pub fn remedies(db: &dyn Db, rule: &Rule, file: File, range: TextRange) -> Vec<Assist> {
    let at = FileRange { file, range };
    if rule == rules::UNDECLARED_MODULE_DEPENDENCY {
        dependency::declare(db, at).into_iter().collect()
    } else if rule == rules::UNRESOLVED_KEY {
        key::looked_up(db, at)
    } else if rule == rules::MISSING_PARAMETER {
        key::of_parameters(db, at)
    } else if rule == rules::LEGACY_FACT {
        fact::replacement(db, at).into_iter().collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use marotte_diagnostics::{Diagnostic, Level};

    use super::*;
    use crate::fixture::Fixture;

    /// The findings of a tree of the rules that are on by default.
    pub(in super::super) fn findings(tree: &str) -> Vec<Arc<Diagnostic>> {
        let mut all = Fixture::new(tree).findings();
        all.retain(|it| it.level != Level::Ignore);
        all
    }

    /// The changed files after the first remedy for a finding of a rule.
    #[track_caller]
    pub(in super::super) fn applied(tree: &str, rule: &str) -> Option<String> {
        let fixture = Fixture::new(tree);
        let all = fixture.findings();
        let found = all.iter().find(|it| it.rule.name == rule).expect("a finding");
        let file = fixture.db().files().by_id(found.file).expect("a file");
        let first = remedies(fixture.db(), found.rule, file, found.range).into_iter().next()?;
        Some(fixture.applied(&first.edits, &[]))
    }
}
