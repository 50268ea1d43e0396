//! Code files as loaded by an evaluation, and their findings.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use camino::Utf8PathBuf;
use indexmap::IndexSet;
use marotte_db::{Db, Environment, File, SourceError, files_below, listing, source_text};
use marotte_diagnostics::{Diagnostic, FileId, Level, syntax};
use marotte_eval::{ReadError, strictness_of};
use marotte_hir::{Body, Definition, DefinitionKind, Lowered, parse};
use marotte_pcore::ops::Strictness;
use marotte_syntax::SyntaxError;

/// A file that an evaluation loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoadedFile {
    /// The file.
    pub file: File,
    /// The value of `strict` in that evaluation, which decides how doubtful code is treated.
    pub strict: Strictness,
}

/// The files that an evaluation loaded, each once, in order.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    files: RefCell<IndexSet<LoadedFile>>,
    is_quiet: Cell<bool>,
}

impl Loaded {
    pub(crate) fn note(&self, loaded: LoadedFile) {
        if !self.is_quiet.get() {
            self.files.borrow_mut().insert(loaded);
        }
    }

    /// Sets whether files are left out from now on.
    pub(crate) fn set_quiet(&self, is_quiet: bool) {
        self.is_quiet.set(is_quiet);
    }

    /// Takes the files loaded so far.
    pub(crate) fn take(&self) -> Vec<LoadedFile> {
        self.files.take().into_iter().collect()
    }
}

/// The code of a file as the interpreter sees it, independent of comments. An error if the file cannot be evaluated.
#[salsa::tracked(returns(ref))]
pub(crate) fn code(db: &dyn Db, file: File, strict: Strictness) -> Result<Arc<Lowered>, ReadError> {
    let path = file.path(db);
    let source = source_text(db, file);
    if let Some(it) = findings(db, LoadedFile { file, strict }).iter().find(|it| it.level == Level::Error) {
        return Err(ReadError(refusal(db, file, it)));
    }
    match source.error() {
        Some(error) => Err(ReadError(format!("'{path}' cannot be read: {error}"))),
        None => Ok(Arc::new(marotte_hir::lowered(db, file).outline())),
    }
}

/// Returns the message of the evaluation error that a finding of a loaded file causes.
pub(crate) fn refusal(db: &dyn Db, file: File, finding: &Diagnostic) -> String {
    let at = source_text(db, file).line_index().position(finding.range.start());
    format!("{} (file: {}, line: {}, column: {})", finding.message, file.path(db), at.line, at.column)
}

/// The body of one of a file's definitions, by index.
#[salsa::tracked(returns(ref))]
pub(crate) fn body(db: &dyn Db, file: File, definition: usize) -> Option<Arc<Body>> {
    marotte_hir::lowered(db, file).definitions.get(definition).map(|it| Arc::clone(&it.body))
}

/// The findings of a loaded file: the errors of its text; if there are none, also those of its location.
pub(crate) fn findings(db: &dyn Db, loaded: LoadedFile) -> Vec<Diagnostic> {
    let LoadedFile { file, strict } = loaded;
    let source = source_text(db, file);
    match source.error() {
        Some(SourceError::ByteOrderMark(mark)) => return vec![syntax::byte_order_mark(file.id(db), *mark)],
        Some(_) => return Vec::new(),
        None => {}
    }
    let parsed = parse(db, file);
    let text = source.text();
    let mut findings: Vec<_> =
        parsed.errors().iter().filter_map(|it| diagnostic(strict, file.id(db), it, text)).collect();
    if findings.iter().all(|it| it.level != Level::Error) {
        marotte_resolve::location::check(db, file, parsed.statements(), text, &mut findings);
    }
    findings
}

/// The finding for a syntax error under the setting `strict`, if it is reported.
pub(crate) fn diagnostic(
    strict: Strictness,
    file: FileId,
    error: &SyntaxError,
    text: &str,
) -> Option<Diagnostic> {
    let found = syntax::diagnostic(file, error, text);
    match strictness_of(strict, &error.kind) {
        Strictness::Off => None,
        Strictness::Warning => Some(Diagnostic { level: Level::Warning, ..found }),
        Strictness::Error => Some(found),
    }
}

/// The bodies of all classes and defined types of an environment, wherever they are defined.
#[salsa::tracked(returns(ref))]
pub(crate) fn definitions(db: &dyn Db, environment: Environment) -> Vec<Arc<Body>> {
    let mut paths: Vec<Utf8PathBuf> = environment.manifests(db).to_vec();
    for folder in environment.module_path(db) {
        for module in listing(db, db.files().file(db, folder)) {
            paths.extend(files_below(db, &folder.join(&*module.name).join("manifests"), "pp"));
        }
    }
    let is_wanted = |it: &&Definition| matches!(it.kind, DefinitionKind::Class(_) | DefinitionKind::Define);
    let bodies = paths.iter().flat_map(|path| {
        let lowered = marotte_hir::lowered(db, db.files().file(db, path));
        lowered.definitions.iter().filter(is_wanted).map(|it| Arc::clone(&it.body)).collect::<Vec<_>>()
    });
    bodies.collect()
}
