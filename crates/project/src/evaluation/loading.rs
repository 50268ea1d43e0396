//! Files of code as evaluation loads them, and what is said of them then.

use std::cell::RefCell;
use std::sync::Arc;

use marotte_db::{Db, File, line_index, parse, source_text};
use marotte_diagnostics::{Diagnostic, Level, syntax};
use marotte_eval::ReadError;
use marotte_hir::{Body, Lowered};

/// The files that an evaluation loaded, each once, in order.
#[derive(Debug, Default)]
pub(super) struct Loaded(RefCell<Vec<File>>);

impl Loaded {
    pub(super) fn note(&self, file: File) {
        let mut files = self.0.borrow_mut();
        if !files.contains(&file) {
            files.push(file);
        }
    }

    /// Takes the files so far.
    pub(super) fn take(&self) -> Vec<File> {
        self.0.take()
    }
}

/// What who loads a file of code sees of it: a comment changes nothing. Instead, what makes it unfit to be evaluated.
#[salsa::tracked(returns(ref))]
pub(super) fn code(db: &dyn Db, file: File) -> Result<Arc<Lowered>, ReadError> {
    let path = file.path(db);
    if let Some(error) = source_text(db, file).error() {
        return Err(ReadError(format!("'{path}' cannot be read: {error}")));
    }
    match findings(db, file).iter().find(|it| it.level == Level::Error) {
        Some(it) => {
            let at = line_index(db, file).position(it.range.start());
            let (line, column) = (at.line, at.column);
            Err(ReadError(format!("{} (file: {path}, line: {line}, column: {column})", it.message)))
        }
        None => Ok(Arc::new(marotte_hir::lowered(db, file).outline())),
    }
}

/// The body of a definition of a file, by its place among them.
#[salsa::tracked(returns(ref))]
pub(super) fn body(db: &dyn Db, file: File, definition: usize) -> Option<Arc<Body>> {
    marotte_hir::lowered(db, file).definitions.get(definition).map(|it| Arc::clone(&it.body))
}

/// What is said of a file that is loaded: what is wrong with its text, or else with its place.
pub(super) fn findings(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let source = source_text(db, file);
    if source.error().is_some() {
        return Vec::new();
    }
    let parsed = parse(db, file).load(db);
    let text = source.text();
    let mut findings: Vec<_> =
        parsed.errors.iter().map(|it| syntax::diagnostic(file.id(db), it, text)).collect();
    if parsed.errors.iter().all(|it| it.kind.is_warning()) {
        marotte_check::location::check(db, file, &parsed.program, text, &mut findings);
    }
    findings
}
