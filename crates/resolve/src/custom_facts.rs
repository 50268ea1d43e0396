//! Custom facts of modules: in Ruby, and as data files and programs that every agent runs.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use marotte_db::Db;
use marotte_db::{Environment, File, Topic, below, files_below, source_text};
use marotte_text::{Str, ascii_regex};
use regex::Regex;

/// Whether a module certainly adds a fact of this name. Callers depend on this fact alone.
#[salsa::tracked(returns(copy))]
pub fn is_custom_fact(db: &dyn Db, environment: Environment, name: Str) -> bool {
    db.files().note_asked(Topic::Fact, &name);
    custom_facts(db, environment).contains(&name)
}

/// Whether a module adds a fact of this name, or may add one. Callers depend on this name alone, as for [`is_custom_fact`].
#[salsa::tracked(returns(copy))]
pub fn may_be_custom_fact(db: &dyn Db, environment: Environment, name: Str) -> bool {
    db.files().note_asked(Topic::Fact, &name);
    is_custom_fact(db, environment, name.clone()) || mentions(db, environment).have(&name)
}

/// The names of the facts that modules certainly add.
#[salsa::tracked(returns(ref))]
pub fn custom_facts(db: &dyn Db, environment: Environment) -> BTreeSet<Str> {
    let mut names = BTreeSet::new();
    for file in ruby_files(db, environment) {
        names.extend(facts_of(db, file).0.iter().cloned());
    }
    names
}

fn ruby_files(db: &dyn Db, environment: Environment) -> impl Iterator<Item = File> {
    let folders = environment.modules(db).iter().map(|(_, folder)| folder.join("lib/facter"));
    folders.flat_map(|it| files_below(db, &it, "rb")).map(|path| db.files().file(db, &path))
}

/// The names of the facts that a Ruby file adds, and whether the list is complete.
#[salsa::tracked(returns(ref))]
fn facts_of(db: &dyn Db, file: File) -> (BTreeSet<Str>, bool) {
    let found = marotte_ruby::fact::read(source_text(db, file).text());
    (found.facts.into_iter().map(|it| it.name).collect(), found.complete)
}

/// The facts that a Ruby file adds, or may add.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AddedFacts {
    /// The names of the facts that it certainly adds.
    pub names: BTreeSet<Str>,
    /// The words from which it may compute the names of others.
    mentions: Mentions,
}

impl AddedFacts {
    /// The facts of a file.
    pub fn of(db: &dyn Db, file: File) -> AddedFacts {
        let (names, is_complete) = facts_of(db, file).clone();
        let mut mentions = Mentions::default();
        if !is_complete {
            mentions.read(source_text(db, file).text());
        }
        AddedFacts { names, mentions }
    }

    /// Whether the file adds a fact of this name, and whether it adds or may add one.
    pub fn answers(&self, name: &str) -> (bool, bool) {
        (self.names.contains(name), self.mentions.have(name))
    }
}

/// Whether a Ruby file adds facts whose names are all known.
pub fn adds_known_facts(db: &dyn Db, file: File) -> bool {
    let (facts, is_all) = facts_of(db, file);
    *is_all && !facts.is_empty()
}

/// The words from which names of facts may be computed, where the names themselves aren't known.
#[derive(Clone, Debug, Default, PartialEq)]
struct Mentions {
    words: BTreeSet<Str>,
    /// Words to which something computed is appended.
    prefixes: BTreeSet<Str>,
    /// Part of the input cannot be read: any name is possible.
    anything: bool,
}

impl Mentions {
    fn have(&self, name: &str) -> bool {
        self.anything || self.words.contains(name) || self.prefixes.iter().any(|it| name.starts_with(&**it))
    }

    fn read(&mut self, text: &str) {
        /// A word, and the syntax that may compute the rest of it: `eth_#{n}`, `eth_${n}`, `eth_$n`, `eth_%s`, `'eth_' + n`.
        static WORD: LazyLock<Regex> = LazyLock::new(|| {
            let rest = r#"[#$%]?\{|[$%]\w|["']\s*(?:\+|<<)"#;
            ascii_regex(&format!(r"([A-Za-z_][\w\x{{80}}-\x{{10FFFF}}]*)({rest})?"))
        });
        /// Shorter prefixes match too many names.
        const SHORTEST_PREFIX: usize = 3;
        for found in WORD.captures_iter(text) {
            let word: Str = found[1].to_lowercase().into();
            if found.get(2).is_some() && word.len() >= SHORTEST_PREFIX {
                self.prefixes.insert(word.clone());
            }
            self.words.insert(word);
        }
    }
}

/// Collects words from Ruby files that add facts with computed names, and from the external facts of modules: data files, and
/// programs that print names and values.
#[salsa::tracked(returns(ref))]
fn mentions(db: &dyn Db, environment: Environment) -> Mentions {
    let mut found = Mentions::default();
    for file in ruby_files(db, environment).filter(|it| !facts_of(db, *it).1) {
        found.read(source_text(db, file).text());
    }
    for (_, folder) in environment.modules(db).iter() {
        for path in below(db, &folder.join("facts.d"), |_| true).files {
            let source = source_text(db, db.files().file(db, &path));
            found.anything |= source.error().is_some();
            found.read(source.text());
        }
    }
    found
}
