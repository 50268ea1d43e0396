//! The fix of a whole document: all safe fixes, or those of one rule.

use std::sync::Arc;

use lsp_types::WorkspaceEdit;
use marotte_db::System;
use marotte_diagnostics::{Choice, Settings};
use marotte_project::fix::{FixSafety, fixed};
use marotte_project::{Project, ProjectDatabase};
use marotte_text::{TextRange, TextSize};
use salsa::Database as _;

use super::{Deferred, TextChange, workspace_edit};
use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};

/// Computes the edit of all fixes, including those of findings that they reveal.
pub(super) fn edit(snapshot: &Snapshot, deferred: &Deferred) -> Answer<WorkspaceEdit> {
    let file = snapshot.file(&deferred.uri)?;
    let path = file.path(&snapshot.db);
    let rules = match &deferred.rule {
        None => snapshot.settings.rules.clone(),
        // A selection alone would keep errors of other rules that stop this one.
        Some(rule) => Settings::new([(Choice::Ignore, "all"), (Choice::Select, rule.as_str())])
            .map_err(|error| ResponseError::invalid_params(error.to_string()))?,
    };
    let options = &snapshot.settings.project;
    let system: Arc<dyn System> = Arc::clone(&snapshot.system);
    let project = Project::new(
        ProjectDatabase::frozen(Arc::clone(&system)),
        std::slice::from_ref(path),
        options.clone(),
    );
    let mut findings = project.check(&()).findings;
    rules.apply(&mut findings, |it| project.path(it));
    let fixed = fixed(&system, &project, &findings, &rules, FixSafety::Safe, options);
    // The document may have been edited meanwhile.
    snapshot.db.unwind_if_revision_cancelled();
    let changes = fixed.iter().find(|it| it.path == *path).map(|it| vec![difference(&it.before, &it.after)]);
    Ok(workspace_edit(snapshot, [(file, changes.unwrap_or_default())]))
}

/// The single change that turns one text into another.
fn difference(before: &str, after: &str) -> TextChange {
    let same = |(one, other): &((usize, char), (usize, char))| one.1 == other.1;
    let start = before.char_indices().zip(after.char_indices()).take_while(same).last();
    let start = start.map_or(0, |((at, character), _)| at + character.len_utf8());
    let (before_rest, after_rest) = (&before[start..], &after[start..]);
    let end: usize = before_rest
        .chars()
        .rev()
        .zip(after_rest.chars().rev())
        .take_while(|(one, other)| one == other)
        .map(|(it, _)| it.len_utf8())
        .sum();
    let size = |at: usize| TextSize::try_from(at).unwrap_or_default();
    TextChange {
        range: TextRange::new(size(start), size(before.len() - end)),
        text: after_rest[..after_rest.len() - end].to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_leaves_out_what_is_the_same() {
        for (before, after, range, text) in [
            ("a = b", "a => b", (3, 3), ">"),
            ("aa", "a", (1, 2), ""),
            ("a", "aa", (1, 1), "a"),
            ("é", "ü", (0, 2), "ü"),
            ("", "x", (0, 0), "x"),
            ("same", "same", (4, 4), ""),
        ] {
            let TextChange { range: found, text: new } = difference(before, after);
            let (start, end) = (usize::from(found.start()), usize::from(found.end()));
            assert_eq!(((start, end), new.as_str()), (range, text), "{before} {after}");
            assert_eq!(format!("{}{new}{}", &before[..start], &before[end..]), after);
        }
    }
}
