//! Removes secrets from findings about data.

use std::sync::Arc;

use marotte_check::secret_places;
use marotte_db::{Db as _, source_text};
use marotte_diagnostics::{Diagnostic, FileId};
use marotte_text::TextRange;

use crate::ProjectDatabase;
use crate::quotations::{Quoted, hide};

/// Removes the text of data lines with secrets from findings.
pub(crate) fn concealed(db: &ProjectDatabase, findings: Vec<Arc<Diagnostic>>) -> Vec<Arc<Diagnostic>> {
    findings.into_iter().map(|it| without_secrets(db, it)).collect()
}

/// Whether a line of a range of a data file has a secret.
pub fn has_secret(db: &ProjectDatabase, file: FileId, range: TextRange) -> bool {
    !on_lines(db, file, range).is_empty()
}

fn without_secrets(db: &ProjectDatabase, finding: Arc<Diagnostic>) -> Arc<Diagnostic> {
    let mut secrets = on_lines(db, finding.file, finding.range);
    let conceals = !secrets.is_empty();
    let related = finding.related.iter().map(|it| on_lines(db, it.file, it.range));
    let related: Vec<Vec<&str>> = related.collect();
    if !conceals && related.iter().all(Vec::is_empty) {
        return finding;
    }
    let mut new = Diagnostic::clone(&finding);
    let mut hidden = related.iter().map(|it| !it.is_empty());
    new.related.retain(|_| !hidden.next().unwrap_or_default());
    secrets.extend(related.iter().flatten());
    // A word that the key has, too, is not a secret.
    let is_secret = |quoted: Quoted<'_>| {
        let quoted = quoted.text();
        let hides = |secret: &str| {
            let (key, value) = secret.split_at(value_start(secret));
            value.contains(quoted) && !key.contains(quoted)
        };
        !quoted.is_empty() && secrets.iter().any(|it| hides(it))
    };
    for text in new.notes.iter_mut().chain(&mut new.label).chain([&mut new.message]) {
        hide(text, is_secret);
    }
    new.conceals = conceals;
    new.fix = new.fix.filter(|_| !conceals);
    Arc::new(new)
}

/// Returns the start of the value in a line of data, such as `m::password: x`, `"m::password":"x"` or `password=x`. Names may
/// contain colons.
fn value_start(line: &str) -> usize {
    let ends_key = |(at, found): &(usize, &str)| {
        let (before, after) = (&line[..*at], &line[at + found.len()..]);
        *found == "=" || after.starts_with(char::is_whitespace) || before.ends_with(['"', '\''])
    };
    line.match_indices([':', '=']).find(ends_key).map_or(0, |(at, _)| at)
}

/// The secrets on the lines of a range.
fn on_lines(db: &ProjectDatabase, file: FileId, range: TextRange) -> Vec<&str> {
    let Some(file) = db.files().by_id(file) else { return Vec::new() };
    let places = secret_places(db, file);
    if places.is_empty() {
        return Vec::new();
    }
    let source = source_text(db, file);
    let lines = |it: TextRange| {
        let line = |at| source.line_index().position(at).line;
        (line(it.start()), line(it.end()))
    };
    let own = lines(range);
    let touches = |it: &&TextRange| {
        let (first, last) = lines(**it);
        first <= own.1 && own.0 <= last
    };
    places
        .iter()
        .filter(touches)
        .filter_map(|it| source.text().get(std::ops::Range::<usize>::from(*it)))
        .collect()
}
