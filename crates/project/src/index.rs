//! A reverse index of the files' dependencies: it determines the files that have to be checked again after a change.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use camino::Utf8Path;
use foldhash::{HashMap, HashSet};
use marotte_check::incremental::change::Change;
use marotte_check::incremental::dependencies::{ANY_TITLE, Dependencies, MeantElsewhere, word};
use marotte_check::incremental::interface::Outlines;
use marotte_check::incremental::near_keys;
use marotte_db::{Db, File, Topic, environment_of, module_file};
use marotte_resolve::autoload::namespace;
use marotte_resolve::data_files::hiera_file;
use marotte_resolve::names::module_of;
use marotte_resolve::spelling::slip;
use marotte_text::{Str, is_qualified};

use crate::findings::Findings;

/// The number of steps over which a change of a definition's signature is followed from user to user: more than rules take from
/// definition to definition. Changes of outlines are followed to their end.
const STEPS: usize = 4;

/// The number of keys of data beyond which all files are checked if they appear or disappear: each is compared with all others.
const MOST_KEYS: usize = 64;

/// The number of affected files beyond which all files are checked, in trees with up to eight times as many files.
const MOST: usize = 1_000;

/// In larger trees, that number is this fraction of the files.
const FRACTION: usize = 8;

/// The files' dependencies, indexed by the things that they depend on.
#[derive(Debug, Default)]
pub(crate) struct Index {
    files: HashMap<File, Arc<Dependencies>>,
    resources: HashMap<(Str, Str), BTreeSet<File>>,
    /// The files whose findings depend on the files that contain a word, by the hash of the word.
    title_words: HashMap<u64, BTreeSet<File>>,
    /// The files that depend on any resource.
    relating: BTreeSet<File>,
    /// The files of `relating` that aren't in a module.
    relating_outside: BTreeSet<File>,
    keys: HashMap<Str, BTreeSet<File>>,
    /// The files that define classes with parameters, by the module in the names of the classes.
    classes: BTreeMap<Str, BTreeSet<File>>,
    /// The files that may look up keys under computed names.
    vague: BTreeSet<File>,
    /// The hashes of all names that are defined anywhere.
    defined: HashSet<u64>,
    /// The files that contain such a name.
    words: HashMap<u64, BTreeSet<File>>,
    /// The files that contain a qualified name, by its outermost namespace.
    namespaces: BTreeMap<Str, BTreeSet<File>>,
    /// Files that define nothing and look nothing up, such as data.
    others: BTreeSet<File>,
    /// The outlines at the last check. Those of files that aren't checked are unknown.
    outlines: HashMap<File, Outlines>,
}

impl Index {
    /// Builds the index of all files.
    pub(crate) fn new(db: &dyn Db, asked: Vec<(File, Arc<Dependencies>)>) -> Index {
        let mut index = Index::default();
        for (_, dependencies) in &asked {
            index.defined.extend(dependencies.defines.iter().map(|it| word(it)));
        }
        for (file, dependencies) in asked {
            index.add(db, file, dependencies);
        }
        index
    }

    /// Updates the dependencies of some files.
    pub(crate) fn update(&mut self, db: &dyn Db, asked: Vec<(File, Arc<Dependencies>)>) {
        // Unqualified names are indexed only if they are defined somewhere.
        let is_new = |name: &Str| !is_qualified(name) && !self.defined.contains(&word(name));
        if asked.iter().any(|(_, dependencies)| dependencies.defines.iter().any(is_new)) {
            let mut all: BTreeMap<File, Arc<Dependencies>> = BTreeMap::new();
            let mut known: Vec<_> = std::mem::take(&mut self.files).into_iter().collect();
            known.sort_by_key(|(file, _)| *file);
            all.extend(known.into_iter().chain(asked));
            let outlines = std::mem::take(&mut self.outlines);
            *self = Index { outlines, ..Index::new(db, all.into_iter().collect()) };
            return;
        }
        for (file, dependencies) in asked {
            self.replace(db, file, dependencies);
        }
    }

    /// Remembers the outlines of some files.
    pub(crate) fn remember(&mut self, outlines: Vec<(File, Outlines)>) {
        self.outlines.extend(outlines);
    }

    fn replace(&mut self, db: &dyn Db, file: File, dependencies: Arc<Dependencies>) {
        if self.files.get(&file).is_some_and(|it| Arc::ptr_eq(it, &dependencies)) {
            return;
        }
        self.remove(file);
        self.defined.extend(dependencies.defines.iter().map(|it| word(it)));
        self.add(db, file, dependencies);
    }

    /// Whether the dependencies of a file are known.
    pub(crate) fn has(&self, file: File) -> bool {
        self.files.contains_key(&file)
    }

    /// Forgets the dependencies of a file.
    pub(crate) fn remove(&mut self, file: File) {
        self.outlines.remove(&file);
        if let Some(before) = self.files.remove(&file) {
            for key in &before.resources {
                remove(&mut self.resources, key, file);
            }
            for number in &before.title_words {
                remove(&mut self.title_words, number, file);
            }
            for key in before.keys.keys() {
                remove(&mut self.keys, key, file);
            }
            for key in &before.parameters {
                self.classes.get_mut(module_of(key)).map(|it| it.remove(&file));
            }
            for number in &before.words {
                remove(&mut self.words, number, file);
            }
            for namespace in &before.namespaces {
                self.namespaces.get_mut(namespace).map(|it| it.remove(&file));
            }
            let sets = [&mut self.relating, &mut self.relating_outside, &mut self.vague, &mut self.others];
            for files in sets {
                files.remove(&file);
            }
        }
    }

    fn add(&mut self, db: &dyn Db, file: File, dependencies: Arc<Dependencies>) {
        for key in &dependencies.resources {
            self.resources.entry(key.clone()).or_default().insert(file);
        }
        for number in &dependencies.title_words {
            self.title_words.entry(*number).or_default().insert(file);
        }
        for key in dependencies.keys.keys() {
            self.keys.entry(key.clone()).or_default().insert(file);
        }
        for key in &dependencies.parameters {
            self.classes.entry(module_of(key).into()).or_default().insert(file);
        }
        // Definitions that are added later are qualified, or the index is rebuilt.
        let defined = dependencies.words.iter().filter(|it| self.defined.contains(it));
        for number in defined.chain(&dependencies.names) {
            self.words.entry(*number).or_default().insert(file);
        }
        for namespace in &dependencies.namespaces {
            self.namespaces.entry(namespace.clone()).or_default().insert(file);
        }
        if !dependencies.resources.is_empty() {
            self.relating.insert(file);
            if module_file(db, file).is_none() {
                self.relating_outside.insert(file);
            }
        }
        if dependencies.keys.is_vague() {
            self.vague.insert(file);
        }
        if dependencies.defines.is_empty() {
            self.others.insert(file);
        }
        self.files.insert(file, dependencies);
    }

    /// Adds the files that a file's change affects. False if it may affect any file.
    #[must_use]
    pub(crate) fn concern(
        &self,
        db: &dyn Db,
        file: File,
        change: &Change,
        findings: &Findings,
        stale: &mut BTreeSet<File>,
    ) -> bool {
        // A data key may be similar to the name of a parameter, whether it means the parameter or not.
        let is_said = |key: &Str| self.others.iter().any(|it| self.says(*it, key));
        if change.parameters.iter().any(is_said) {
            return false;
        }
        if change.searched && !self.concern_searches(db, file, stale) {
            return false;
        }
        if !change.resolved.iter().all(|it| self.has_users_of(it)) {
            return false;
        }
        for name in change.moved.union(&change.resolved) {
            stale.extend(self.meaning_nearly(db, file, name, findings));
        }
        // A key of data may misspell the module of a parameter.
        for key in &change.parameters {
            stale.extend(self.misspelling_module(db, file, key, findings));
        }
        if change.data {
            stale.extend(self.others.iter().filter(|it| hiera_file(db, **it).is_some()));
        }
        if change.certainty {
            self.concern_certainty(db, stale);
        }
        self.concern_resources(db, file, change, stale);
        for key in &change.keys {
            stale.extend(self.keys.get(key).into_iter().flatten());
            let may_read = |it: &&File| self.files.get(it).is_some_and(|it| it.keys.may_read(key));
            stale.extend(self.vague.iter().filter(may_read));
        }
        if change.moved_keys.len() > MOST_KEYS {
            return false;
        }
        if !change.moved_keys.is_empty() {
            stale.extend(findings.of_rules(&near_keys::RULES));
        }
        for key in &change.moved_keys {
            stale.extend(self.concerned_by_key(key));
        }
        stale.extend(self.users(&change.definitions));
        let users = change.including.iter().filter_map(|name| self.words.get(&word(name)));
        stale.extend(users.flatten());
        stale.len() <= self.most()
    }

    /// Adds the files that depend on whether all keys of data, and all treatments of its values, are known: data, code that looks up keys,
    /// and code that declares classes without some required parameters.
    fn concern_certainty(&self, db: &dyn Db, stale: &mut BTreeSet<File>) {
        stale.extend(self.others.iter().filter(|it| hiera_file(db, **it).is_some()));
        stale.extend(self.keys.values().flatten().chain(&self.vague));
        let asking = db.files().asked().names(Topic::DataOfClass);
        stale.extend(asking.iter().filter_map(|it| db.files().known(Utf8Path::new(it.as_str()))));
    }

    /// The files that a data key concerns which appears or disappears, apart from those that read it: they use the class whose
    /// parameter it is, or misspells, or look up a key that it comes close to.
    fn concerned_by_key(&self, key: &Str) -> BTreeSet<File> {
        let users = |parameter: &str| {
            let class = parameter.rsplit_once("::").map(|(class, _)| word(class));
            class.and_then(|it| self.words.get(&it)).into_iter().flatten().copied()
        };
        let mut concerned: BTreeSet<File> = users(key).collect();
        let near = self.keys.iter().filter(|(it, _)| near_keys::is_misspelling(it, key));
        concerned.extend(near.flat_map(|(_, files)| files));
        let modules = self.classes.iter().filter(|(it, _)| near_keys::is_module_meant(module_of(key), it));
        for dependencies in modules.flat_map(|(_, files)| files).filter_map(|it| self.files.get(it)) {
            let meant = dependencies.parameters.iter().filter(|it| near_keys::is_meant(key, it));
            concerned.extend(meant.flat_map(|it| users(it)));
        }
        concerned
    }

    /// The number of affected files beyond which all files are checked.
    fn most(&self) -> usize {
        MOST.max(self.files.len() / FRACTION)
    }

    /// Those of some definitions of a file whose names other files contain.
    pub(crate) fn said_elsewhere(&self, file: File, names: &BTreeSet<Str>) -> BTreeSet<Str> {
        let is_said =
            |name: &&Str| self.words.get(&word(name)).is_some_and(|files| files.iter().any(|it| *it != file));
        names.iter().filter(is_said).cloned().collect()
    }

    /// Whether the index has all files that contain a name.
    fn has_users_of(&self, name: &str) -> bool {
        is_qualified(name) || self.defined.contains(&word(name))
    }

    /// Adds the files that contain a name for which the autoloader searches a file. False if these may be any files.
    fn concern_searches(&self, db: &dyn Db, file: File, stale: &mut BTreeSet<File>) -> bool {
        let Some(name) = module_file(db, file).and_then(namespace) else { return true };
        if !self.has_users_of(&name) {
            return false;
        }
        stale.extend(self.words.get(&word(&name)).into_iter().flatten());
        true
    }

    /// The files that may mean a name without containing it: those with findings, which may suggest it, those that omit its
    /// module's prefix, and those that misspell the prefix. A prefix that is the name of another module is misspelled only where
    /// the whole name is not found, so that a finding mentions it.
    fn meaning_nearly(&self, db: &dyn Db, file: File, name: &str, findings: &Findings) -> Vec<File> {
        let (module, rest) = name.split_once("::").unwrap_or((name, ""));
        let folder = folder(db, file);
        let found: Vec<File> = match self.defined.contains(&word(module)) {
            // Files that contain a defined name are indexed by it.
            true => {
                let saying = self.words.get(&word(module)).into_iter().flatten().copied();
                saying.filter(|it| findings.has(*it)).collect()
            }
            false => findings.files().filter(|it| self.says(*it, module)).collect(),
        };
        let beside = self.files_in(db, folder).into_iter().filter(|it| self.says(*it, rest));
        let misspelled = self.misspelling_module(db, file, name, findings);
        found.into_iter().chain(beside).chain(misspelled).collect()
    }

    /// The files that may misspell the module of a name.
    fn misspelling_module(&self, db: &dyn Db, file: File, name: &str, findings: &Findings) -> Vec<File> {
        let module = name.split("::").next().unwrap_or_default();
        let modules = environment_of(db, file).modules(db);
        let namespaces = self.namespaces.iter().filter(|(it, _)| slip(it, [module]).is_some());
        let mut misspelled = Vec::new();
        for (namespace, files) in namespaces {
            let is_module = modules.folder(namespace).is_some();
            let within = format!("{namespace}::");
            misspelled.extend(files.iter().filter(|it| !is_module || findings.mention(**it, &within)));
        }
        misspelled
    }

    fn files_in(&self, db: &dyn Db, folder: Option<&Utf8Path>) -> Vec<File> {
        let known = folder.map(|it| db.files().known_below(it)).unwrap_or_default();
        known.into_iter().filter(|it| self.files.contains_key(it)).collect()
    }

    /// The files that contain a name, whether it is defined anywhere in Puppet or not.
    pub(crate) fn saying(&self, name: &str) -> impl Iterator<Item = (File, &Arc<Dependencies>)> {
        self.files.iter().filter(|(_, it)| it.says(name)).map(|(file, it)| (*file, it))
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
            let any = (key.0.clone(), ANY_TITLE.into());
            stale.extend(self.resources.get(&any).into_iter().flatten());
        }
        let words = self.title_words.iter().filter(|(word, _)| resources.mentions.has_word(**word));
        stale.extend(words.flat_map(|(_, files)| files));
        let titles = self.resources.iter().filter(|((_, title), _)| resources.mentions.may_have(title));
        stale.extend(titles.flat_map(|(_, files)| files));
        let meant = MeantElsewhere::of(&resources.titles);
        let near = self.resources.iter().filter(|((kind, title), _)| meant.may_be(kind, title));
        stale.extend(near.flat_map(|(_, files)| files));
        if resources.of_module {
            match folder(db, file) {
                Some(folder) => {
                    let beside = db.files().known_below(folder);
                    stale.extend(beside.into_iter().filter(|it| self.relating.contains(it)));
                }
                None => stale.extend(&self.relating_outside),
            }
        }
        if resources.of_programs {
            stale.extend(&self.relating_outside);
        }
    }

    /// Adds the files that changes of outlines affect: those that contain one of the names, and those that contain the names that
    /// these define, as far as `other` says that their outlines changed. False if these may be any files.
    #[must_use]
    pub(crate) fn follow(
        &self,
        names: BTreeSet<Str>,
        other: &dyn Fn(File, &Dependencies) -> Vec<Str>,
        stale: &mut BTreeSet<File>,
    ) -> bool {
        let mut open: Vec<Str> = names.iter().cloned().collect();
        let mut followed = names;
        let mut compared = BTreeSet::new();
        while let Some(name) = open.pop() {
            for file in self.words.get(&word(&name)).into_iter().flatten() {
                let Some(dependencies) = self.files.get(file) else { continue };
                stale.insert(*file);
                if stale.len() > self.most() {
                    return false;
                }
                let names = match dependencies.inherits.contains(&name) {
                    // The users of a class also see what it inherits.
                    true => dependencies.defines.to_vec(),
                    false if compared.insert(*file) => other(*file, dependencies),
                    false => continue,
                };
                open.extend(names.into_iter().filter(|it| followed.insert(it.clone())));
            }
        }
        true
    }

    /// The definitions of a file whose outlines may differ from those at the last check. `now` are the present ones.
    pub(crate) fn with_other_outlines(
        &self,
        file: File,
        dependencies: &Dependencies,
        now: Option<Outlines>,
    ) -> Vec<Str> {
        match (self.outlines.get(&file), now) {
            (Some(before), Some(now)) if *before == now => Vec::new(),
            (Some(before), Some(now)) => {
                let names = before.iter().chain(&*now).map(|(name, _)| name);
                let of = |all: &Outlines, name: &Str| all.iter().find(|(it, _)| it == name).cloned();
                names.filter(|it| of(before, it) != of(&now, it)).cloned().collect()
            }
            _ => dependencies.defines.to_vec(),
        }
    }

    /// The files that contain one of some names, and those that contain the names that these files define, for a limited number
    /// of steps. A class that inherits from one of these definitions is a user of everything that the definition uses, without
    /// a limit.
    pub(crate) fn users(&self, names: &BTreeSet<Str>) -> BTreeSet<File> {
        let mut found: BTreeSet<File> = BTreeSet::new();
        let mut open: VecDeque<(Str, usize)> = names.iter().map(|it| (it.clone(), 0)).collect();
        // Breadth-first, so that each file is found on its shortest path.
        while let Some((name, steps)) = open.pop_front() {
            for file in self.words.get(&word(&name)).into_iter().flatten() {
                let Some(dependencies) = self.files.get(file) else { continue };
                let is_heir = dependencies.inherits.contains(&name);
                if (steps >= STEPS && !is_heir) || found.len() > self.most() || !found.insert(*file) {
                    continue;
                }
                for name in dependencies.defines.iter().cloned() {
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

/// The folder of a file's module, if it is in one.
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
