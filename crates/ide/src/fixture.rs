//! Trees of code for tests, with marks: a text such as
//!
//! ```text
//! //- /manifests/site.pp
//! include ntp$0
//! //- /modules/ntp/manifests/init.pp
//! class ntp {}
//!       ^^^
//! ```
//!
//! `$0` is the cursor; carets mark parts of the line above, and are followed by words.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::{File, MemorySystem, source_text};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};
use marotte_text::TextSize;

use crate::{Db, FileMove, FilePosition, FileRange, TextEdit};

const ROOT: &str = "/environment";

/// A project in memory.
pub(crate) struct Fixture {
    project: Project,
    cursor: Option<(Utf8PathBuf, TextSize)>,
    marks: Vec<Mark>,
}

/// A part of a line that carets mark.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    pub(crate) path: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: String,
}

impl Fixture {
    /// Parses the text of a test tree.
    pub(crate) fn new(text: &str) -> Fixture {
        let text = unindented(text);
        let system = MemorySystem::new();
        system.write_file(Utf8PathBuf::from(ROOT).join("environment.conf"), "modulepath = modules\n");
        let (mut cursor, mut marks) = (None, Vec::new());
        let mut path = String::from("/manifests/site.pp");
        let mut content = String::new();
        let mut line_start = 0;
        let mut files: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            if let Some(header) = line.strip_prefix("//- ") {
                files.push((
                    std::mem::replace(&mut path, header.trim().to_owned()),
                    std::mem::take(&mut content),
                ));
                line_start = 0;
            } else if line.trim_start().starts_with('^') {
                let start = line_start + line.find('^').unwrap_or_default();
                let count = line.matches('^').count();
                let text = line.trim_start().trim_start_matches('^').trim().to_owned();
                marks.push(Mark { path: path.clone(), start, end: start + count, text });
            } else {
                line_start = content.len();
                let mut line = line.to_owned();
                if let Some(at) = line.find("$0") {
                    line.replace_range(at..at + 2, "");
                    let offset = u32::try_from(content.len() + at).expect("a small file");
                    cursor = Some((Utf8PathBuf::from(format!("{ROOT}{path}")), TextSize::new(offset)));
                }
                content += &line;
                content.push('\n');
            }
        }
        files.push((path, content));
        for (path, content) in files.into_iter().filter(|(_, it)| !it.is_empty()) {
            system.write_file(format!("{ROOT}{path}"), content);
        }
        marks.sort();
        let db = ProjectDatabase::new(Arc::new(system));
        let project = Project::new(db, &[ROOT.into()], ProjectOptions::default());
        Fixture { project, cursor, marks }
    }

    /// Returns the database of the tree.
    pub(crate) fn db(&self) -> &dyn Db {
        self.project.db()
    }

    /// The findings of a check of the tree.
    pub(crate) fn findings(&self) -> Vec<Arc<marotte_diagnostics::Diagnostic>> {
        self.project.check(&()).findings
    }

    /// A file by its path below the environment.
    pub(crate) fn file(&self, path: &str) -> File {
        let db = self.project.db();
        db.files().file(db, &Utf8PathBuf::from(format!("{ROOT}{path}")))
    }

    /// The position of the cursor.
    pub(crate) fn cursor(&self) -> FilePosition {
        let (path, offset) = self.cursor.clone().expect("the tree has no cursor");
        let db = self.project.db();
        FilePosition { file: db.files().file(db, &path), offset }
    }

    /// The marks, by path and place.
    pub(crate) fn marks(&self) -> Vec<Mark> {
        self.marks.clone()
    }

    /// A place in the form of a mark.
    pub(crate) fn mark(&self, at: FileRange, text: &str) -> Mark {
        let path = at.file.path(self.project.db()).as_str();
        Mark {
            path: path.strip_prefix(ROOT).unwrap_or(path).to_owned(),
            start: at.range.start().into(),
            end: at.range.end().into(),
            text: text.to_owned(),
        }
    }

    /// The files that edits and moves change, with their new contents.
    pub(crate) fn applied(&self, edits: &[TextEdit], moves: &[FileMove]) -> String {
        let db = self.project.db();
        let mut texts: BTreeMap<Utf8PathBuf, String> = BTreeMap::new();
        for edit in edits.iter().rev() {
            let path = edit.place.file.path(db).clone();
            let text =
                texts.entry(path).or_insert_with(|| source_text(db, edit.place.file).text().to_owned());
            text.replace_range(std::ops::Range::<usize>::from(edit.place.range), &edit.text);
        }
        let below = |path: &Utf8PathBuf| path.as_str().replace(ROOT, "");
        let shown = texts.iter().map(|(path, text)| {
            let moved = moves.iter().find(|it| it.from == *path);
            let moved = moved.map(|it| format!(" => {}", below(&it.to))).unwrap_or_default();
            format!("//- {}{moved}\n{text}", below(path))
        });
        shown.collect()
    }
}

/// Fails unless two texts are the same, apart from the indentation of the expected one.
#[track_caller]
pub(crate) fn assert_text(actual: &str, expected: &str) {
    let (actual, expected) = (actual.trim_end(), unindented(expected));
    assert!(actual == expected.trim_end(), "expected:\n{}\n\nactual:\n{actual}\n", expected.trim_end());
}

fn unindented(text: &str) -> String {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let lines = || text.lines();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let least = lines().filter(|it| !it.trim().is_empty()).map(indent).min().unwrap_or_default();
    lines().map(|it| it.get(least..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
}
