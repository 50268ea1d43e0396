//! The interface of the tests to marotte itself.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::MemorySystem;
use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::{Diagnostic, FileId, Level, Sources, syntax};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};
use marotte_syntax::{Mode, parse, pn};
use marotte_text::LineIndex;

use crate::literate::{Expectation, Issue, Language, Notation};

/// The only file of a test.
const FILE: FileId = FileId(0);

impl From<Language> for Mode {
    fn from(language: Language) -> Self {
        Mode { template: language == Language::Epp, tasks: language == Language::Tasks, ..Mode::default() }
    }
}

/// Returns marotte's answer for an example of a chapter.
pub fn answer(source: &str, language: Language) -> Expectation {
    let mode = Mode::from(language);
    let lines = LineIndex::new(source);
    let issues = diagnostics(source, mode).into_iter().map(|diagnostic| {
        let position = lines.position(diagnostic.range.start());
        let code = diagnostic.rule.issue.unwrap_or(diagnostic.rule.name);
        Issue {
            position: Some((position.line, position.column)),
            code: code.to_owned(),
            warning: diagnostic.level == Level::Warning,
            own: None,
        }
    });
    let mut answer = Expectation { tree: None, issues: issues.collect() }.sorted();
    if answer.accepts() {
        let text = pn::to_pn(&parse(source, mode).program).to_string();
        // A text that can't be parsed differs from every recorded tree, and is shown as it is.
        answer.tree = Some(Notation::read(&text).unwrap_or(Notation::Atom(text)));
    }
    answer
}

/// Returns all findings in a text, in order of position.
pub fn diagnostics(source: &str, mode: Mode) -> Vec<Arc<Diagnostic>> {
    let errors = &parse(source, mode).errors;
    errors.iter().map(|error| syntax::diagnostic(FILE, error, source).into()).collect()
}

/// Returns the rules that a text breaks as a file of a module: `path` starts with `modules/NAME/`.
pub fn rules_in_module(path: &Utf8Path, source: &str) -> Vec<&'static str> {
    let file = Utf8Path::new("/site").join(path);
    let module: Utf8PathBuf = file.components().take(4).collect();
    let metadata = module.join("metadata.json");
    let files = [(file.as_str(), source), (metadata.as_str(), "{}")];
    let db = ProjectDatabase::frozen(Arc::new(MemorySystem::with_files(files)));
    let report = Project::new(db, &["/site".into()], ProjectOptions::default()).check(&());
    report.findings.iter().map(|finding| finding.rule.name).collect()
}

/// Returns the findings in a text as `marotte check` prints them.
pub fn report(path: &str, source: &str, mode: Mode) -> String {
    let sources = OneFile { path, text: source, lines: LineIndex::new(source) };
    let mut out = Vec::new();
    match output::write(Format::Full, &diagnostics(source, mode), &sources, Color::Never, &mut out) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        Err(error) => error.to_string(),
    }
}

struct OneFile<'a> {
    path: &'a str,
    text: &'a str,
    lines: LineIndex,
}

impl Sources for OneFile<'_> {
    fn path(&self, _: FileId) -> &str {
        self.path
    }

    fn text(&self, _: FileId) -> &str {
        self.text
    }

    fn line_index(&self, _: FileId) -> &LineIndex {
        &self.lines
    }
}
