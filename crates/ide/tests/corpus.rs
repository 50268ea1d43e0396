//! Results for real modules, at a sample of their places: without the corpus, these tests print a note and pass.
#![expect(clippy::disallowed_methods, reason = "tests read the corpus")]
#![expect(clippy::unwrap_used, reason = "a test")]
#![expect(clippy::print_stderr, reason = "a test that looks at nothing says so")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_check::semantics::known_uses;
use marotte_db::{Db as _, File, FileStatus, MemorySystem, source_text};
use marotte_hir::{is_readable, items};
use marotte_ide::{FilePosition, Rename, definition, hover, references, rename};
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions};
use marotte_text::TextSize;

const ROOT: &str = "/environment";

/// The number of findings of each rule in each file, with the names that they suggest.
type Findings = BTreeMap<(Utf8PathBuf, &'static str, Option<String>), usize>;

/// The modules of the corpus as an environment in memory.
struct Corpus {
    system: Arc<MemorySystem>,
    project: Project,
}

impl Corpus {
    /// Loads the corpus. None if it doesn't exist.
    fn load() -> Option<Corpus> {
        let modules = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../corpus/tree/usr/share/puppet/modules.available");
        if !modules.is_dir() {
            eprintln!("there is no corpus: `cargo xtask corpus` fetches it");
            return None;
        }
        let system = Arc::new(MemorySystem::new());
        system.write_file(format!("{ROOT}/environment.conf"), "modulepath = modules\n");
        let mut open = vec![modules.clone()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path: PathBuf = entry.unwrap().path();
                if path.is_dir() {
                    let is_of_tests = path.file_name().is_some_and(|it| it == "spec");
                    open.extend((!is_of_tests).then_some(path));
                } else if let Ok(bytes) = std::fs::read(&path) {
                    let below = path.strip_prefix(&modules).unwrap().to_str().unwrap();
                    let (module, rest) = below.split_once('/').unwrap_or((below, ""));
                    // The names of packages include their authors.
                    let module = module.rsplit('-').next().unwrap_or_default();
                    system.write_file(format!("{ROOT}/modules/{module}/{rest}"), bytes);
                }
            }
        }
        let db = ProjectDatabase::new(Arc::clone(&system) as Arc<dyn marotte_db::System>);
        let project = Project::new(db, &[ROOT.into()], ProjectOptions::default());
        Some(Corpus { system, project })
    }

    fn db(&self) -> &ProjectDatabase {
        self.project.db()
    }

    fn code(&self) -> Vec<File> {
        let db = self.db();
        let is_code = |it: &File| matches!(it.path(db).extension(), Some("pp" | "epp"));
        self.project.files().filter(is_code).filter(|it| is_readable(db, *it)).collect()
    }

    fn place(&self, file: File, at: TextSize) -> String {
        let db = self.db();
        format!("{}:{}", file.path(db), source_text(db, file).line_index().position(at).line)
    }

    /// The findings, with the paths that files had before a rename.
    fn findings(&self, moved: &BTreeMap<Utf8PathBuf, Utf8PathBuf>) -> Findings {
        let report = self.project.check(&());
        let sources = self.project.sources();
        let mut counts = BTreeMap::new();
        for finding in &report.findings {
            let path = marotte_diagnostics::Sources::path(&sources, finding.file).to_string();
            let path = Utf8Path::new("/").join(path);
            let path = moved.get(&path).cloned().unwrap_or(path);
            // The name in backticks, without what precedes its last part.
            let quoted = finding.label.as_deref().and_then(|it| it.strip_prefix("did you mean `"));
            let name = quoted.and_then(|it| it.split('`').next());
            let suggestion = name.and_then(|it| it.rsplit([':', '$', '@']).next()).map(str::to_owned);
            *counts.entry((path, finding.rule.name, suggestion)).or_default() += 1;
        }
        counts
    }
}

/// A random number generator that produces the same sequence each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

fn wanted(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

#[test]
fn what_the_rules_know_has_a_definition_and_references() {
    let Some(corpus) = Corpus::load() else { return };
    let db = corpus.db();
    let files = corpus.code();
    assert!(files.len() > 1000, "the corpus has manifests");
    let mut numbers = Numbers(42);
    let mut wrong = Vec::new();
    let mut looked = 0;
    for _ in 0..wanted("IDE_FILES", 30) {
        let file = files[numbers.below(files.len())];
        for item in items(db, file) {
            for (range, target, _) in known_uses(db, *item) {
                looked += 1;
                let at = FilePosition { file, offset: range.start() + TextSize::new(1) };
                let place = corpus.place(file, range.start());
                if !definition(db, at).iter().any(|it| it.full.file == target) {
                    wrong.push(format!("{place}: no definition in {}", target.path(db)));
                    continue;
                }
                if hover(db, at).is_none_or(|it| it.markdown.is_empty()) {
                    wrong.push(format!("{place}: no hover"));
                }
                // Each of these searches many files.
                if numbers.below(10) == 0 {
                    let found = references(db, at).unwrap_or_default();
                    if !found
                        .iter()
                        .any(|it| it.place.file == file && it.place.range.intersect(range).is_some())
                    {
                        wrong.push(format!("{place}: not among its own references"));
                    }
                }
            }
        }
    }
    assert!(looked > 100, "{looked} uses");
    assert!(wrong.is_empty(), "{} of {looked}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn renames_leave_the_findings_as_they_are() {
    let Some(mut corpus) = Corpus::load() else { return };
    let before = corpus.findings(&BTreeMap::new());
    let mut numbers = Numbers(7);
    let (mut done, mut refused) = (0, BTreeMap::<String, usize>::new());
    let mut wrong = Vec::new();
    let count = wanted("IDE_RENAMES", 6);
    for attempt in 0..20 * count {
        if done == count {
            break;
        }
        let Some((at, old_name, new_name)) = candidate(&corpus, &mut numbers) else { continue };
        let place = corpus.place(at.file, at.offset);
        let plan = match rename(corpus.db(), at, &new_name) {
            Ok(plan) => plan,
            Err(error) => {
                let words: Vec<&str> = error.0.split('`').step_by(2).collect();
                *refused.entry(words.join("…")).or_default() += 1;
                continue;
            }
        };
        done += 1;
        let undo = apply(&mut corpus, &plan);
        let moved = plan.moves.iter().map(|it| (it.to.clone(), it.from.clone())).collect();
        // A finding that suggests the renamed symbol is about a name like the old one.
        let is_about_it = |it: &Option<String>| it.as_ref() == Some(&old_name);
        let others = |findings: &Findings| -> Findings {
            findings
                .iter()
                .filter(|it| !is_about_it(&it.0.2))
                .map(|(key, count)| (key.clone(), *count))
                .collect()
        };
        let (before, after) = (others(&before), others(&corpus.findings(&moved)));
        if after != before {
            let differ = |one: &Findings, other: &Findings| {
                one.iter()
                    .filter(|(key, count)| other.get(*key) != Some(*count))
                    .map(|it| format!("{it:?}"))
                    .collect::<Vec<_>>()
            };
            wrong.push(format!(
                "{attempt}: {place} to {new_name}: {:?} {:?}",
                differ(&after, &before),
                differ(&before, &after)
            ));
        }
        write(&mut corpus, undo);
    }
    assert!(done > count / 2, "{done} renames; refused: {refused:#?}");
    assert!(wrong.is_empty(), "{} of {done}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A place with a symbol, the last part of its name, and an unused name.
fn candidate(corpus: &Corpus, numbers: &mut Numbers) -> Option<(FilePosition, String, String)> {
    let db = corpus.db();
    let files = corpus.code();
    let file = files[numbers.below(files.len())];
    let text = source_text(db, file).text();
    let words: Vec<(usize, &str)> = words(text);
    if words.is_empty() {
        return None;
    }
    let (start, _) = words[numbers.below(words.len())];
    let at = FilePosition { file, offset: TextSize::try_from(start).ok()? + TextSize::new(1) };
    let (_, old) = marotte_ide::prepare_rename(db, at).ok()?;
    let old = old.trim_start_matches("::").to_owned();
    let suffix = if old.starts_with(|it: char| it.is_ascii_uppercase()) { "Zz9" } else { "_zz9" };
    let new = format!("{old}{suffix}");
    Some((at, old.rsplit("::").next().unwrap_or(&old).to_owned(), new))
}

fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices() {
        let is_part = letter.is_ascii_alphanumeric() || letter == '_';
        match (start, is_part) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.extend((at - from > 1).then(|| (from, &text[from..at])));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// The previous texts of files; None for files that didn't exist.
type Texts = Vec<(Utf8PathBuf, Option<String>)>;

fn apply(corpus: &mut Corpus, plan: &Rename) -> Texts {
    let db = corpus.db();
    let mut texts: BTreeMap<Utf8PathBuf, String> = BTreeMap::new();
    for edit in plan.edits.iter().rev() {
        let path = edit.place.file.path(db).clone();
        let text = texts.entry(path).or_insert_with(|| source_text(db, edit.place.file).text().to_owned());
        text.replace_range(std::ops::Range::<usize>::from(edit.place.range), &edit.text);
    }
    let mut undo: Texts = Vec::new();
    let mut new: Texts = Vec::new();
    for (path, text) in texts {
        undo.push((path.clone(), Some(text_of(corpus, &path))));
        match plan.moves.iter().find(|it| it.from == path) {
            Some(it) => {
                undo.push((it.to.clone(), None));
                new.push((path, None));
                new.push((it.to.clone(), Some(text)));
            }
            None => new.push((path, Some(text))),
        }
    }
    write(corpus, new);
    undo
}

fn text_of(corpus: &Corpus, path: &Utf8Path) -> String {
    let db = corpus.db();
    let file = db.files().file(db, path);
    assert_eq!(file.status(db), FileStatus::Exists);
    source_text(db, file).text().to_owned()
}

fn write(corpus: &mut Corpus, texts: Texts) {
    let mut paths = Vec::new();
    for (path, text) in texts {
        match text {
            Some(text) => corpus.system.write_file(&path, text),
            None => {
                corpus.system.remove(&path);
            }
        }
        paths.push(path);
    }
    let mut batch = ChangeBatch::new();
    paths.into_iter().for_each(|it| batch.touch(it));
    corpus.project.apply(&batch);
}
