//! Who asks for what: by what a change is noticed, the files that have to be checked again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use camino::Utf8Path;
use foldhash::{HashMap, HashSet};
use marotte_check::asks::{Asks, word};
use marotte_check::change::Change;
use marotte_db::{Db, File, module_file};
use marotte_resolve::spelling::slip;
use marotte_text::{Str, is_qualified};

use crate::findings::Findings;

/// How far a change of what others see of a definition is followed from user to user: as far as inference looks from body to
/// body, and to the signatures that the last of them names.
const STEPS: usize = 4;

/// More files than these are all.
const MOST: usize = 1_000;

/// What files ask, by what they ask for.
#[derive(Debug, Default)]
pub(crate) struct Index {
    files: HashMap<File, Arc<Asks>>,
    resources: HashMap<(Str, Str), BTreeSet<File>>,
    /// The files that ask for any resource.
    relating: BTreeSet<File>,
    keys: HashMap<Str, BTreeSet<File>>,
    /// The files that may look up keys which they do not name as a whole.
    vague: BTreeSet<File>,
    /// The numbers of all names that something defines.
    defined: HashSet<u64>,
    /// The files that say such a name.
    words: HashMap<u64, BTreeSet<File>>,
    /// The files that say a name in a name space, by the outermost one.
    namespaces: BTreeMap<Str, BTreeSet<File>>,
    /// Files that define nothing and look nothing up, such as data.
    others: BTreeSet<File>,
}

impl Index {
    /// The index of all files that there are.
    pub(crate) fn new(asked: Vec<(File, Arc<Asks>)>) -> Index {
        let mut index = Index::default();
        for (_, asks) in &asked {
            index.defined.extend(asks.defines.iter().map(|it| word(it)));
        }
        for (file, asks) in asked {
            index.add(file, asks);
        }
        index
    }

    /// Says anew what some files ask.
    pub(crate) fn update(&mut self, asked: Vec<(File, Arc<Asks>)>) {
        // Names in no name space are looked for only if something defines them.
        let is_new = |name: &Str| !is_qualified(name) && !self.defined.contains(&word(name));
        if asked.iter().any(|(_, asks)| asks.defines.iter().any(is_new)) {
            let mut all: BTreeMap<File, Arc<Asks>> = BTreeMap::new();
            let mut known: Vec<_> = std::mem::take(&mut self.files).into_iter().collect();
            known.sort_by_key(|(file, _)| *file);
            all.extend(known.into_iter().chain(asked));
            *self = Index::new(all.into_iter().collect());
            return;
        }
        for (file, asks) in asked {
            self.replace(file, asks);
        }
    }

    fn replace(&mut self, file: File, asks: Arc<Asks>) {
        if self.files.get(&file).is_some_and(|it| Arc::ptr_eq(it, &asks)) {
            return;
        }
        if let Some(before) = self.files.remove(&file) {
            for key in &before.resources {
                remove(&mut self.resources, key, file);
            }
            for key in before.keys.keys() {
                remove(&mut self.keys, key, file);
            }
            for number in &before.words {
                remove(&mut self.words, number, file);
            }
            for namespace in &before.namespaces {
                self.namespaces.get_mut(namespace).map(|it| it.remove(&file));
            }
            for files in [&mut self.relating, &mut self.vague, &mut self.others] {
                files.remove(&file);
            }
        }
        self.defined.extend(asks.defines.iter().map(|it| word(it)));
        self.add(file, asks);
    }

    fn add(&mut self, file: File, asks: Arc<Asks>) {
        for key in &asks.resources {
            self.resources.entry(key.clone()).or_default().insert(file);
        }
        for key in asks.keys.keys() {
            self.keys.entry(key.clone()).or_default().insert(file);
        }
        // Definitions that come later are in name spaces, or the index is made anew.
        let defined = asks.words.iter().filter(|it| self.defined.contains(it));
        for number in defined.chain(&asks.names) {
            self.words.entry(*number).or_default().insert(file);
        }
        for namespace in &asks.namespaces {
            self.namespaces.entry(namespace.clone()).or_default().insert(file);
        }
        if !asks.resources.is_empty() {
            self.relating.insert(file);
        }
        if asks.keys.is_vague() {
            self.vague.insert(file);
        }
        if asks.defines.is_empty() {
            self.others.insert(file);
        }
        self.files.insert(file, asks);
    }

    /// Adds the files that a change of a file concerns. False if it may concern any.
    #[must_use]
    pub(crate) fn concern(
        &self,
        db: &dyn Db,
        file: File,
        change: &Change,
        findings: &Findings,
        stale: &mut BTreeSet<File>,
    ) -> bool {
        // Data may have nearly the name of a parameter, and mean it or not.
        let is_said = |key: &Str| self.others.iter().any(|it| self.says(*it, key));
        if change.parameters.iter().any(is_said) {
            return false;
        }
        let is_said_elsewhere =
            |name: &Str| self.words.get(&word(name)).is_some_and(|files| files.iter().any(|it| *it != file));
        // Who says it may declare, or use, other resources now.
        if change.moved.iter().any(is_said_elsewhere) {
            return false;
        }
        for name in &change.moved {
            stale.extend(self.meaning_nearly(db, file, name, findings));
        }
        self.concern_resources(db, file, change, stale);
        for key in &change.keys {
            stale.extend(self.keys.get(key).into_iter().flatten());
            let may_read = |it: &&File| self.files.get(it).is_some_and(|it| it.keys.may_read(key));
            stale.extend(self.vague.iter().filter(may_read));
        }
        stale.extend(self.users(&change.definitions));
        stale.len() <= MOST
    }

    /// The files that may have meant a name and do not say it: those with findings, which may suggest it, those that leave its module
    /// out, and those that misspell that.
    fn meaning_nearly(&self, db: &dyn Db, file: File, name: &str, findings: &Findings) -> Vec<File> {
        let (module, rest) = name.split_once("::").unwrap_or((name, ""));
        let folder = folder(db, file);
        let found = findings.files().filter(|it| self.says(*it, module));
        let beside = self.files_in(db, folder).into_iter().filter(|it| self.says(*it, rest));
        let namespaces = self.namespaces.iter().filter(|(it, _)| slip(it, [module]).is_some());
        let misspelled = namespaces.flat_map(|(_, files)| files.iter().copied());
        found.chain(beside).chain(misspelled).collect()
    }

    fn files_in(&self, db: &dyn Db, folder: Option<&Utf8Path>) -> Vec<File> {
        let known = folder.map(|it| db.files().known_below(it)).unwrap_or_default();
        known.into_iter().filter(|it| self.files.contains_key(it)).collect()
    }

    fn says(&self, file: File, name: &str) -> bool {
        self.files.get(&file).is_some_and(|it| it.says(name))
    }

    fn concern_resources(&self, db: &dyn Db, file: File, change: &Change, stale: &mut BTreeSet<File>) {
        let resources = &change.resources;
        if resources.any {
            stale.extend(&self.relating);
            return;
        }
        for key in &resources.titles {
            stale.extend(self.resources.get(key).into_iter().flatten());
        }
        if resources.of_module {
            let folder = folder(db, file);
            let is_beside = |it: &&File| match folder {
                Some(folder) => Utf8Path::starts_with(it.path(db), folder),
                None => module_file(db, **it).is_none(),
            };
            stale.extend(self.relating.iter().filter(is_beside));
        }
        if resources.of_programs {
            stale.extend(self.relating.iter().filter(|it| module_file(db, **it).is_none()));
        }
    }

    /// The files that say one of some names, and those that say what these define, so many steps far. Who inherits from one of
    /// them is a user of all that this one uses, however far that is.
    fn users(&self, names: &BTreeSet<Str>) -> BTreeSet<File> {
        let mut found: BTreeSet<File> = BTreeSet::new();
        let mut open: VecDeque<(Str, usize)> = names.iter().map(|it| (it.clone(), 0)).collect();
        // The nearest come first, so that each file is found by its shortest way.
        while let Some((name, steps)) = open.pop_front() {
            for file in self.words.get(&word(&name)).into_iter().flatten() {
                let Some(asks) = self.files.get(file) else { continue };
                let is_heir = asks.inherits.contains(&name);
                if (steps >= STEPS && !is_heir) || found.len() > MOST || !found.insert(*file) {
                    continue;
                }
                for name in asks.defines.iter().cloned() {
                    match is_heir {
                        true => open.push_front((name, steps)),
                        false => open.push_back((name, steps + 1)),
                    }
                }
            }
        }
        found
    }
}

/// The folder of the module of a file, if it is in one.
fn folder(db: &dyn Db, file: File) -> Option<&Utf8Path> {
    file.path(db).ancestors().nth(module_file(db, file)?.path.components().count())
}

fn remove<K: std::hash::Hash + Eq>(map: &mut HashMap<K, BTreeSet<File>>, key: &K, file: File) {
    if let Some(files) = map.get_mut(key) {
        files.remove(&file);
        if files.is_empty() {
            map.remove(key);
        }
    }
}
