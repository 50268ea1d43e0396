//! Keeps text from outside of the tree out of reports: findings there are only counted, and other findings don't quote it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::{HashMap, HashSet};
use marotte_db::system::is_ignore_file;
use marotte_db::{Db as _, FileStatus, System, source_text};
use marotte_diagnostics::rules::Subject;
use marotte_diagnostics::{Diagnostic, FileId, Level, Rule};
use marotte_pcore::create;
use marotte_pcore::dialect::Dialect;
use marotte_ruby::core;
use marotte_text::TextRange;
use memchr::memmem::Finder;

use crate::ProjectDatabase;
use crate::quotations::{Quoted, hide};

/// Shorter words occur in every text.
const SHORT: usize = 4;

/// Removes everything from findings that occurs only in a file outside of the tree. Findings in such files are reported once
/// for each link and rule, as a number.
pub(crate) fn withhold(db: &ProjectDatabase, findings: Vec<Arc<Diagnostic>>) -> Vec<Arc<Diagnostic>> {
    let outside = Outside::new(db);
    if outside.files.is_empty() {
        return findings;
    }
    let mut counts: BTreeMap<(Utf8PathBuf, &'static Rule, Level), usize> = BTreeMap::new();
    let mut kept = Vec::with_capacity(findings.len());
    for finding in findings {
        match outside.path(finding.file) {
            Some(path) => {
                *counts.entry((way_out(db.system(), path), finding.rule, finding.level)).or_default() += 1
            }
            None if outside.texts.is_empty() || is_of_one_file(finding.rule) => kept.push(finding),
            None => kept.push(outside.without_quotations(finding)),
        }
    }
    kept.extend(counts.into_iter().map(|((path, rule, level), count)| {
        let file = db.files().file_with_status(db, &path, FileStatus::Folder);
        let message = match count {
            1 => "1 finding of this rule is outside of what is checked, where this leads".to_owned(),
            count => {
                format!("{count} findings of this rule are outside of what is checked, where this leads")
            }
        };
        let mut finding = Diagnostic::new(rule, level, file.id(db), TextRange::default(), message);
        finding
            .notes
            .push("no text from there is shown; to see more, name the folder that this leads to".to_owned());
        Arc::new(finding)
    }));
    kept
}

/// Returns the link in the tree through which a path leaves it, or the path itself.
pub fn way_out(system: &dyn System, path: &Utf8Path) -> Utf8PathBuf {
    let around: Vec<&Utf8Path> = path.ancestors().collect();
    let inside = around.iter().rev().skip_while(|it| system.is_outside(it));
    let first = inside.copied().find(|it| system.is_outside(it));
    first.unwrap_or(path).to_owned()
}

/// Whether findings may quote texts from outside of the tree, whichever file they are in.
pub(crate) fn may_quote_outside(db: &ProjectDatabase) -> bool {
    db.system().outside_files().iter().any(|it| is_quoted(it) && db.files().known(it).is_some())
}

/// Whether findings in other files may quote the text of a file. They quote no list of ignored files, of which there may be
/// some above the tree.
fn is_quoted(path: &Utf8Path) -> bool {
    !is_ignore_file(path)
}

/// Whether the findings of a rule depend on the text of one file only, so that they can't quote another.
fn is_of_one_file(rule: &Rule) -> bool {
    rule.subject == Subject::Style
}

struct Outside<'db> {
    db: &'db ProjectDatabase,
    files: BTreeMap<FileId, Utf8PathBuf>,
    /// The texts that findings may quote.
    texts: Vec<&'db str>,
    /// Whether words that were looked for occur outside only: the same words are in many findings.
    words: RefCell<HashMap<String, bool>>,
    /// Whether values that were looked for occur in the tree.
    values: RefCell<HashMap<String, bool>>,
}

impl<'db> Outside<'db> {
    fn new(db: &'db ProjectDatabase) -> Outside<'db> {
        let paths: BTreeSet<Utf8PathBuf> = db.system().outside_files().into_iter().collect();
        let known: Vec<_> = paths.into_iter().filter_map(|it| Some((db.files().known(&it)?, it))).collect();
        let quoted = known.iter().filter(|(_, path)| is_quoted(path));
        let texts = quoted.map(|(file, _)| source_text(db, *file).text()).collect();
        let files = known.into_iter().map(|(file, path)| (file.id(db), path)).collect();
        Outside { db, files, texts, words: RefCell::default(), values: RefCell::default() }
    }

    fn path(&self, file: FileId) -> Option<&Utf8Path> {
        self.files.get(&file).map(Utf8PathBuf::as_path)
    }

    fn without_quotations(&self, finding: Arc<Diagnostic>) -> Arc<Diagnostic> {
        let own = self.db.files().by_id(finding.file).map_or("", |it| source_text(self.db, it).text());
        let mut new = Diagnostic::clone(&finding);
        new.related.retain(|it| !self.files.contains_key(&it.file));
        let of_related = new.related.iter_mut().map(|it| &mut it.message);
        for text in new.notes.iter_mut().chain(&mut new.label).chain([&mut new.message]).chain(of_related) {
            self.hide_quotations(text, own);
        }
        new.fix = new.fix.filter(|fix| {
            let mut title = fix.title.clone();
            self.hide_quotations(&mut title, own);
            title == fix.title && !fix.edits.iter().any(|it| self.says_outside(&it.text, own))
        });
        if new == *finding {
            return finding;
        }
        new.notes.push("some of it is outside of what is checked, and not shown".to_owned());
        Arc::new(new)
    }

    /// Removes the quotations from a message that may be from a file outside: those with a word that occurs only there, and
    /// values that the tree does not contain, because code outside may have computed them.
    fn hide_quotations(&self, message: &mut String, own: &str) {
        hide(message, |quoted| {
            let is_unknown = |value| !self.is_of_tree(value, own) && !has_words_of(own, value);
            self.says_outside(quoted.text(), own) || matches!(quoted, Quoted::Value(it) if is_unknown(it))
        });
    }

    fn says_outside(&self, quoted: &str, own: &str) -> bool {
        quoted.split(is_no_word).any(|word| self.is_from_outside(word, own))
    }

    /// Whether a text occurs in a file of the tree.
    fn is_of_tree(&self, text: &str, own: &str) -> bool {
        if let Some(known) = self.values.borrow().get(text) {
            return *known;
        }
        let finder = Finder::new(text);
        let is_in = |text: &str| finder.find(text.as_bytes()).is_some();
        let found = is_in(own) || self.is_in_tree(&is_in);
        self.values.borrow_mut().insert(text.to_owned(), found);
        found
    }

    /// Whether a word occurs in a file outside and in no known file of the tree, and isn't a word of the language. `own` is the text
    /// of the file with the finding, which has most of the words.
    fn is_from_outside(&self, word: &str, own: &str) -> bool {
        if word.len() < SHORT {
            return false;
        }
        if let Some(known) = self.words.borrow().get(word) {
            return *known;
        }
        let finder = Finder::new(word);
        let is_in = |text: &str| finder.find(text.as_bytes()).is_some();
        let is_outside = self.texts.iter().any(|it| is_in(it));
        let found = is_outside && !is_of_language(word) && !is_in(own) && !self.is_in_tree(&is_in);
        self.words.borrow_mut().insert(word.to_owned(), found);
        found
    }

    fn is_in_tree(&self, is_in: &dyn Fn(&str) -> bool) -> bool {
        let db = self.db;
        let files = db.files().all().into_iter().filter(|it| !self.files.contains_key(&it.id(db)));
        // Code outside may refer to files that do not exist.
        let mut files = files.filter(|it| it.status(db) == FileStatus::Exists);
        files.any(|it| is_in(it.path(db).as_str()) || is_in(source_text(db, it).text()))
    }
}

/// Whether a text contains each word of another one.
fn has_words_of(text: &str, other: &str) -> bool {
    let mut words = other.split(is_no_word).filter(|it| !it.is_empty());
    words.all(|word| text.split(is_no_word).any(|it| it == word))
}

fn is_no_word(character: char) -> bool {
    !(character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '/' | '+' | '='))
}

/// Well-known names of types, values and facts.
fn is_of_language(word: &str) -> bool {
    matches!(word, "undef" | "true" | "false" | "default")
        || create::named(Dialect::puppet8(), word).is_some()
        || is_of_facter(word)
}

/// Whether a word is the path of a fact that replaces a legacy one, or a part of it.
fn is_of_facter(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
        let paths = core::facts().iter().filter_map(|it| it.replacement.as_deref());
        paths.flat_map(|it| it.split('.').chain([it])).collect()
    });
    let word = word.strip_prefix("facts.").unwrap_or(word);
    word == "facts" || WORDS.contains(word)
}
