use std::sync::Arc;

use camino::Utf8Path;
use foldhash::HashMap;
use marotte_db::{Db as _, source_text};
use marotte_diagnostics::headline::head;
use marotte_diagnostics::{Diagnostic, FileId, Level, Related, Sources, issues, syntax};
use marotte_eval::{EvaluationError, Log, Origin, Place};
use marotte_hiera::Format;
use marotte_hir::{ExprId, Lowered};
use marotte_resolve::data_files::document;
use marotte_text::{ByteOrderMark, LineIndex, Str, TextRange, TextSize};

use super::loading::{self, Loaded, LoadedFile};
use crate::{Evaluation, EvaluationContext};
use crate::{ProjectDatabase, ProjectSources};

/// The findings of reading and running a program, with the texts that they point into: files of the project, and other texts
/// that were passed in or generated.
#[derive(Debug)]
pub struct Findings<'s> {
    db: &'s ProjectDatabase,
    /// The files that the program has loaded.
    loaded: Option<&'s Loaded>,
    sources: ProjectSources<'s>,
    diagnostics: Vec<Arc<Diagnostic>>,
    /// The number of the first findings that are those of files, and not of one evaluation.
    of_files: usize,
    /// The messages of the evaluation errors that the findings of loaded files cause.
    refusals: Vec<String>,
    /// Whether errors may be due to facts that nobody gave.
    lacks_facts: bool,
    /// Numbered downwards from the largest number; files are numbered upwards.
    texts: Vec<(Str, Arc<str>, LineIndex)>,
    /// The files that resources of a catalog are in, by path: thousands of resources are in some hundred files.
    placed: HashMap<Str, (&'s Lowered, &'s LineIndex)>,
}

/// A place as shown in logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPlace {
    /// The file's path, relative to the current folder, or the name of a text.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl<'s> Findings<'s> {
    /// Creates an empty list for a program.
    pub fn new(context: &'s EvaluationContext) -> Findings<'s> {
        let lacks_facts = context.node().lacks_facts();
        Findings { loaded: Some(context.loaded()), lacks_facts, ..Findings::over(context.db()) }
    }

    /// Creates an empty list for completed evaluations.
    pub fn over(db: &'s ProjectDatabase) -> Findings<'s> {
        let sources = ProjectSources::new(db);
        Findings {
            db,
            loaded: None,
            sources,
            diagnostics: Vec::new(),
            of_files: 0,
            refusals: Vec::new(),
            lacks_facts: false,
            texts: Vec::new(),
            placed: HashMap::default(),
        }
    }

    /// The findings of a node's evaluation: those of the files that it loaded, and its own errors and warnings.
    pub fn of(db: &'s ProjectDatabase, evaluation: &Evaluation) -> Findings<'s> {
        let lacks_facts = evaluation.lacks_facts;
        let mut findings = Findings { lacks_facts, ..Findings::over(db) };
        findings.files(&evaluation.loaded);
        findings.of_files = findings.diagnostics.len();
        for error in &evaluation.compiled.errors {
            findings.error(error);
        }
        findings
    }

    /// The findings so far, in order.
    pub fn diagnostics(&self) -> &[Arc<Diagnostic>] {
        &self.diagnostics
    }

    /// The findings of the files that a node's evaluation loaded, and those of the evaluation itself.
    pub fn by_origin(&self) -> (&[Arc<Diagnostic>], &[Arc<Diagnostic>]) {
        self.diagnostics.split_at(self.of_files.min(self.diagnostics.len()))
    }

    /// Leaves the messages of the findings so far one short line each, and adds the node's name to those of the evaluation
    /// itself; notes have the rest.
    pub fn head(&mut self, node: Option<&str>) {
        let suffix = node.map(|it| format!(" on node {it}")).unwrap_or_default();
        for (index, it) in self.diagnostics.iter_mut().enumerate() {
            head(Arc::make_mut(it), if index < self.of_files { "" } else { &suffix });
        }
    }

    /// Takes the findings so far.
    pub fn take(&mut self) -> Vec<Arc<Diagnostic>> {
        std::mem::take(&mut self.diagnostics)
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(Arc::new(diagnostic));
    }

    /// Adds findings; returns whether none of them is an error.
    pub(crate) fn extend(&mut self, diagnostics: impl Iterator<Item = Diagnostic>) -> bool {
        let before = self.diagnostics.len();
        self.diagnostics.extend(diagnostics.map(Arc::new));
        self.diagnostics[before..].iter().all(|it| it.level != Level::Error)
    }

    /// Adds the error that ended an evaluation, after the findings of the files that it loaded. An error that only repeats
    /// one of these findings is omitted.
    pub fn error(&mut self, error: &EvaluationError) {
        self.loaded();
        if self.refusals.iter().any(|it| error.message.ends_with(it.as_str())) {
            return;
        }
        let others = error.others();
        let (file, range) = match error.place.as_ref().or(others.hint.as_ref()) {
            Some(place) => self.locate(place),
            None => (self.text(&"<program>".into(), &"".into()), TextRange::default()),
        };
        let mut found = Diagnostic::new(error.issue, Level::Error, file, range, error.to_string());
        let related = others.related.iter().map(|it| (it, "declared here"));
        let within = others.within.iter().map(|it| (it, "within this resource"));
        for (place, note) in related.chain(within) {
            let (file, range) = self.locate(place);
            found.related.push(Related { file, range, message: note.to_owned() });
        }
        if self.lacks_facts && self.reads_facts(file, range) {
            let hint = "no facts were given: `--facts FILE` reads what `facter --yaml` prints";
            found.notes.push(hint.to_owned());
        }
        if self.lacks_facts && error.issue == issues::UNMATCHED_NODE {
            let hint = "to compile another node, name it; `--facts-dir FOLDER --all` compiles all nodes with facts in a folder";
            found.notes.push(hint.to_owned());
        }
        self.push(found);
    }

    /// Adds the error that ended the rendering of an ERB template, at its line of the template.
    pub fn template_error(&mut self, name: &str, text: &str, error: &EvaluationError) {
        let Some(line) = error.others().line.filter(|_| error.place.is_none()) else {
            return self.error(error);
        };
        self.loaded();
        let file = self.text(&name.into(), &text.into());
        let range = line_range(text, line);
        self.push(Diagnostic::new(error.issue, Level::Error, file, range, error.to_string()));
    }

    /// Whether the lines of a range read facts.
    fn reads_facts(&self, file: FileId, range: TextRange) -> bool {
        let text = self.text_of(file);
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { return false };
        let first = before.rfind('\n').map_or(0, |at| at + 1);
        let last = after.find('\n').map_or(text.len(), |at| end + at);
        text.get(first..last).is_some_and(|it| it.contains("$facts") || it.contains("fact("))
    }

    /// Adds that a text starts with the byte order mark of another encoding than UTF-8.
    pub fn byte_order_mark(&mut self, name: &str, mark: ByteOrderMark) {
        let file = self.text(&name.into(), &"".into());
        self.push(syntax::byte_order_mark(file, mark));
    }

    /// Adds the findings of the files that an evaluation loaded.
    pub fn loaded(&mut self) {
        if let Some(loaded) = self.loaded {
            self.files(&loaded.take());
        }
    }

    fn files(&mut self, files: &[LoadedFile]) {
        for it in files {
            let found = loading::findings(self.db, *it);
            let errors = found.iter().filter(|it| it.level == Level::Error);
            self.refusals.extend(errors.map(|error| loading::refusal(self.db, it.file, error)));
            self.diagnostics.extend(found.into_iter().map(Arc::new));
        }
    }

    /// Adds a warning about the program itself. Returns false for messages that the program logged.
    pub fn warning(&mut self, log: &Log) -> bool {
        let (Some(issue), Some(place)) = (log.issue, &log.place) else { return false };
        let (file, range) = self.locate(place);
        self.push(Diagnostic::new(issue, Level::Warning, file, range, log.message.clone()));
        true
    }

    /// The absolute path of a place's file, or the name of its text, and the line; None if it has none. Each resource of a catalog
    /// has one, so this takes less than [`shown`](Findings::shown).
    pub fn line(&mut self, place: &Place) -> Option<(Str, u32)> {
        match &*place.origin {
            Origin::File { path, definition } => {
                let db = self.db;
                let (lowered, lines) = *self.placed.entry(path.clone()).or_insert_with(|| {
                    let file = db.files().file(db, path.as_str().into());
                    (&**marotte_hir::lowered(db, file), source_text(db, file).line_index())
                });
                let start = place_in_file(lowered, *definition, place.expr).map(|it| it.anchor);
                Some((path.clone(), lines.line(start.unwrap_or_default()) + 1))
            }
            Origin::Text { name, .. } => {
                let (file, range) = self.locate(place);
                Some((name.clone(), self.line_index(file).line(range.start()) + 1))
            }
            Origin::Internal => None,
        }
    }

    /// The file and line of a place; None if it has none.
    pub fn shown(&mut self, place: &Place) -> Option<ShownPlace> {
        if matches!(*place.origin, Origin::Internal) {
            return None;
        }
        let (file, range) = self.locate(place);
        let at = self.line_index(file).position(range.start());
        Some(ShownPlace { file: self.path(file).to_owned(), line: at.line, column: at.column })
    }

    /// The part of a text that shows a place. None if it has none.
    pub fn mark(&mut self, place: &Place) -> Option<(FileId, TextRange)> {
        (!matches!(*place.origin, Origin::Internal)).then(|| self.locate(place))
    }

    /// The part of a data file that shows a key of its hash, or else its start. None if the file cannot be shown.
    pub fn mark_data(&self, path: &str, key: &str) -> Option<(FileId, TextRange)> {
        let db = self.db;
        let path = Utf8Path::new(path);
        if !path.is_absolute() {
            return None;
        }
        let file = db.files().file(db, path);
        let format = match path.extension() {
            Some("json") => Format::Json,
            Some("conf") => Format::Hocon,
            _ => Format::Yaml,
        };
        let document = document(db, file, format);
        let key = document.as_ref().as_ref().ok().and_then(|it| it.places.key(&it.value, key));
        Some((file.id(db), key.unwrap_or_default()))
    }

    /// The file number of a text.
    pub fn text(&mut self, name: &Str, text: &Arc<str>) -> FileId {
        let known = self.texts.iter().position(|it| it.0 == *name && it.1 == *text);
        let index = known.unwrap_or_else(|| {
            self.texts.push((name.clone(), Arc::clone(text), LineIndex::new(text)));
            self.texts.len() - 1
        });
        FileId(u32::MAX - u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn locate(&mut self, place: &Place) -> (FileId, TextRange) {
        let (file, found) = match &*place.origin {
            Origin::File { path, definition } => {
                let db = self.db;
                let file = db.files().file(db, path.as_str().into());
                let lowered = marotte_hir::lowered(db, file);
                (file.id(db), place_in_file(lowered, *definition, place.expr))
            }
            Origin::Text { name, text, map } => {
                (self.text(name, text), place.expr.and_then(|expr| map.place(expr)))
            }
            Origin::Internal => (self.text(&"<marotte>".into(), &"".into()), None),
        };
        let range = match found {
            Some(place) if place.anchor == place.range.start() => first_line(place.range, self.text_of(file)),
            Some(place) => token(place.anchor, self.text_of(file)),
            None => TextRange::default(),
        };
        (file, range)
    }

    fn text_of(&self, file: FileId) -> &str {
        Sources::text(self, file)
    }

    fn own(&self, file: FileId) -> Option<&(Str, Arc<str>, LineIndex)> {
        self.texts.get(usize::try_from(u32::MAX - file.0).ok()?)
    }
}

/// The place of an expression of a definition, or of code outside of definitions; without an expression, that of the
/// definition's name.
fn place_in_file(
    lowered: &Lowered,
    definition: Option<usize>,
    expr: Option<ExprId>,
) -> Option<marotte_hir::Place> {
    match (expr, definition) {
        (Some(expr), Some(index)) => lowered.definitions.get(index)?.map.place(expr),
        (Some(expr), None) => lowered.main_map.place(expr),
        (None, Some(index)) => {
            let range = lowered.definitions.get(index)?.name_range;
            Some(marotte_hir::Place { range, anchor: range.start() })
        }
        (None, None) => None,
    }
}

/// The first line of a range: expressions may be long, and messages should point at one place.
fn first_line(range: TextRange, text: &str) -> TextRange {
    let covered = text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
    let line = covered.lines().next().unwrap_or_default().trim_end();
    TextRange::at(range.start(), TextSize::of(line))
}

/// The operator or name at an offset, or the dot of a method call with the name that follows it.
fn token(offset: TextSize, text: &str) -> TextRange {
    let rest = text.get(usize::from(offset)..).unwrap_or_default();
    let dot = usize::from(rest.starts_with('.'));
    let after = rest.get(dot..).unwrap_or_default();
    let is_word = after.starts_with(|it: char| it.is_alphanumeric());
    let is_operator = |it: char| "+-*/%<>=!~.|@?&".contains(it);
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':');
    let in_token = |it: char| if is_word { is_name(it) } else { is_operator(it) };
    let length = dot + after.find(|it: char| !in_token(it)).unwrap_or(after.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    TextRange::at(offset, TextSize::of(&rest[..length.max(first)]))
}

impl Sources for Findings<'_> {
    fn path(&self, file: FileId) -> &str {
        self.own(file).map_or_else(|| self.sources.path(file), |it| &it.0)
    }

    fn text(&self, file: FileId) -> &str {
        self.own(file).map_or_else(|| self.sources.text(file), |it| &it.1)
    }

    fn line_index(&self, file: FileId) -> &LineIndex {
        self.own(file).map_or_else(|| self.sources.line_index(file), |it| &it.2)
    }
}

/// The range of a line of a text, from 1, without its line ending.
pub(crate) fn line_range(text: &str, line: u32) -> TextRange {
    let index = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let before: usize = text.split_inclusive('\n').take(index).map(str::len).sum();
    let line = text[before..].lines().next().unwrap_or_default();
    TextRange::at(TextSize::of(&text[..before]), TextSize::of(line.trim_end()))
}
