//! The findings of a project, file by file, and their changes between checks.

use marotte_diagnostics::{Diagnostic, FileId, Related, Rule, rules};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use foldhash::HashMap;
use marotte_db::{Db, File, by_parts};

/// Rules whose findings concern a module as a whole: reported at the first place, with some of the other places.
const OF_MODULES: [&Rule; 1] = [rules::UNDECLARED_MODULE_DEPENDENCY];

/// The number of other places that are listed.
const OTHER_PLACES: usize = 3;

/// The changes of a check.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    /// The files whose findings changed, by path, each with all of its current findings.
    pub changed: Vec<(File, Arc<[Arc<Diagnostic>]>)>,
    /// The number of findings in all files.
    pub findings: usize,
    /// The number of files to check.
    pub files: usize,
    /// The number of files that the changes may affect: the others weren't even revalidated.
    pub asked: usize,
    /// The number of files that were checked rather than taken from the cache.
    pub checked: usize,
    /// The duration of the check.
    pub elapsed: Duration,
}

/// The findings of files, kept between checks.
#[derive(Debug, Default)]
pub struct Findings {
    files: HashMap<File, Entry>,
    /// The files whose findings point into another file.
    pointing: HashMap<FileId, BTreeSet<File>>,
    /// The files that have a finding about a module as a whole.
    of_modules: BTreeMap<OfModule, BTreeSet<File>>,
    with_findings: BTreeSet<File>,
    count: usize,
}

/// The key of a finding about a module: its rule and its message.
type OfModule = (&'static Rule, String);

#[derive(Debug, Default)]
struct Entry {
    /// The findings of the file's own check.
    own: Vec<Arc<Diagnostic>>,
    /// The findings as displayed, taking into account those of all other files.
    shown: Arc<[Arc<Diagnostic>]>,
}

impl Findings {
    /// The findings of a file.
    pub fn of(&self, file: File) -> &[Arc<Diagnostic>] {
        self.files.get(&file).map_or(&[], |it| &it.shown)
    }

    /// The files that have findings.
    pub fn files(&self) -> impl Iterator<Item = File> {
        self.with_findings.iter().copied()
    }

    /// Whether a file has findings.
    pub(crate) fn has(&self, file: File) -> bool {
        self.with_findings.contains(&file)
    }

    /// The files with findings of some rules.
    pub(crate) fn of_rules(&self, rules: &[&'static Rule]) -> impl Iterator<Item = File> {
        self.files().filter(move |file| {
            self.files.get(file).is_some_and(|it| it.own.iter().any(|it| rules.contains(&it.rule)))
        })
    }

    /// Whether a finding of a file mentions a name in lower case, in any case.
    pub(crate) fn mention(&self, file: File, name: &str) -> bool {
        let own = self.files.get(&file).map_or(&[][..], |it| &it.own);
        let mut texts = own.iter().flat_map(|it| it.notes.iter().chain([&it.message]));
        texts.any(|it| it.to_ascii_lowercase().contains(name))
    }

    /// The number of findings.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The findings of all files, by path.
    pub fn all(&self, db: &dyn Db) -> Vec<Arc<Diagnostic>> {
        let mut files: Vec<File> =
            self.files.iter().filter(|(_, it)| !it.shown.is_empty()).map(|(file, _)| *file).collect();
        files.sort_by(|one, other| by_parts(one.path(db), other.path(db)));
        files.into_iter().flat_map(|it| self.of(it).iter().cloned()).collect()
    }

    /// The files whose findings point into a changed file, so that places in them may have moved.
    pub fn pointing_at(&self, file: FileId) -> impl Iterator<Item = File> {
        self.pointing.get(&file).into_iter().flatten().copied()
    }

    /// Replaces the findings of some files. Returns the files whose displayed findings changed, by path.
    pub(crate) fn replace(
        &mut self,
        db: &dyn Db,
        of_files: impl IntoIterator<Item = (File, Vec<Arc<Diagnostic>>)>,
    ) -> Vec<(File, Arc<[Arc<Diagnostic>]>)> {
        let mut stale = BTreeSet::new();
        for (file, own) in of_files {
            let entry = self.files.entry(file).or_default();
            if entry.own == own {
                continue;
            }
            let before = std::mem::replace(&mut entry.own, own);
            self.unlink(file, &before, &mut stale);
            self.link(file, &mut stale);
            stale.insert(file);
        }
        let mut changed = Vec::new();
        for file in stale {
            let shown = self.shown(db, file);
            let Some(entry) = self.files.get_mut(&file) else { continue };
            if entry.shown != shown {
                self.count = self.count - entry.shown.len() + shown.len();
                entry.shown = Arc::clone(&shown);
                changed.push((file, shown));
            }
            if entry.own.is_empty() {
                self.files.remove(&file);
                self.with_findings.remove(&file);
            } else {
                self.with_findings.insert(file);
            }
        }
        changed.sort_by(|(one, _), (other, _)| by_parts(one.path(db), other.path(db)));
        changed
    }

    /// Like [`replace`](Findings::replace), for the complete list of files: others have no findings any more.
    pub(crate) fn replace_all(
        &mut self,
        db: &dyn Db,
        of_files: Vec<(File, Vec<Arc<Diagnostic>>)>,
    ) -> Vec<(File, Arc<[Arc<Diagnostic>]>)> {
        let kept: BTreeSet<File> = of_files.iter().map(|(file, _)| *file).collect();
        let mut known: Vec<File> = self.files.keys().copied().collect();
        known.sort();
        let gone = known.into_iter().filter(|it| !kept.contains(it)).map(|it| (it, Vec::new()));
        let all: Vec<_> = gone.chain(of_files).collect();
        self.replace(db, all)
    }

    fn link(&mut self, file: File, stale: &mut BTreeSet<File>) {
        let Some(entry) = self.files.get(&file) else { return };
        for finding in &entry.own {
            for related in &finding.related {
                self.pointing.entry(related.file).or_default().insert(file);
            }
            if let Some(key) = of_module(finding) {
                let files = self.of_modules.entry(key).or_default();
                files.insert(file);
                stale.extend(files.iter().copied());
            }
        }
    }

    fn unlink(&mut self, file: File, own: &[Arc<Diagnostic>], stale: &mut BTreeSet<File>) {
        for finding in own {
            for related in &finding.related {
                if let Some(files) = self.pointing.get_mut(&related.file) {
                    files.remove(&file);
                }
            }
            if let Some(key) = of_module(finding)
                && let Some(files) = self.of_modules.get_mut(&key)
            {
                stale.extend(files.iter().copied());
                files.remove(&file);
            }
        }
    }

    /// The findings of a file, without those about a module that are reported in another place.
    fn shown(&self, db: &dyn Db, file: File) -> Arc<[Arc<Diagnostic>]> {
        let own = self.files.get(&file).map_or(&[][..], |it| &it.own);
        own.iter().filter_map(|finding| self.told_once(db, finding)).collect()
    }

    fn told_once(&self, db: &dyn Db, finding: &Arc<Diagnostic>) -> Option<Arc<Diagnostic>> {
        let Some(key) = of_module(finding) else { return Some(Arc::clone(finding)) };
        let mut files: Vec<File> = self.of_modules.get(&key)?.iter().copied().collect();
        files.sort_by(|one, other| by_parts(one.path(db), other.path(db)));
        let own = files.iter().filter_map(|it| self.files.get(it)).flat_map(|it| &it.own);
        let mut places = own.filter(|it| it.rule == key.0 && it.message == key.1);
        let first = places.next()?;
        if !Arc::ptr_eq(first, finding) {
            return None;
        }
        let mut told = Arc::clone(first);
        let room = OTHER_PLACES.saturating_sub(first.related.len());
        for other in places.take(room) {
            let message = "and here".to_owned();
            Arc::make_mut(&mut told).related.push(Related { file: other.file, range: other.range, message });
        }
        Some(told)
    }
}

/// The key of a finding about a module as a whole, if it is one.
fn of_module(finding: &Diagnostic) -> Option<OfModule> {
    is_of_module(finding).then(|| (finding.rule, finding.message.clone()))
}

/// Whether a finding is about a module as a whole. Each file of the module may have this finding; a report of all files
/// contains it once.
pub fn is_of_module(finding: &Diagnostic) -> bool {
    OF_MODULES.contains(&finding.rule)
}
