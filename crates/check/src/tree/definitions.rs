//! `unused-class`, `unused-defined-type`, `unused-function`, `unused-type`: a definition that nothing in the tree mentions, or only
//! definitions that are themselves unused.

use std::borrow::Cow;
use std::collections::BTreeMap;

use foldhash::HashSet;
use marotte_db::{File, files_below};
use marotte_diagnostics::{Rule, rules};
use marotte_hir::{Item, ItemKind, is_readable, items, places};
use marotte_resolve::manifests::manifests;
use marotte_resolve::ruby::ruby_functions;
use marotte_text::{Str, TextRange};

use super::Tree;
use super::mentions::{Kind, Mentions};
use super::read::{
    environment_mentions, file_mentions, has_all_data, item_mentions, mentions_without, own_name,
};

/// The folders of a module with definitions in Puppet code.
const FOLDERS: [&str; 3] = ["manifests", "functions", "types"];

/// The folders of a module with functions in Ruby.
const RUBY: [&str; 2] = ["lib/puppet/functions", "lib/puppet/parser/functions"];

pub(super) fn check(tree: &mut Tree<'_>) {
    let (db, environment) = (tree.db, tree.environment);
    if tree.may_be_used_elsewhere() {
        return;
    }
    let (mentions, is_complete) = environment_mentions(db, environment);
    if !is_complete {
        return;
    }
    let from_data = mentions.is_unknown(Kind::Data) && !has_all_data(db, environment);
    let own = own_files(tree);
    let is_classified = is_classified(tree, &own);
    let (mut pending, mut unused) = (Vec::new(), Vec::new());
    for file in own.into_iter().filter(|it| is_readable(db, *it)) {
        for item in items(db, file) {
            let Some(name) = own_name(db, *item) else { continue };
            let (rule, kind) = match item.kind(db) {
                ItemKind::Class if !from_data && is_classified => (rules::UNUSED_CLASS, Kind::Class),
                ItemKind::Define if !from_data => (rules::UNUSED_DEFINED_TYPE, Kind::Define),
                ItemKind::Function => (rules::UNUSED_FUNCTION, Kind::Function),
                ItemKind::TypeAlias => (rules::UNUSED_TYPE, Kind::Define),
                _ => continue,
            };
            let definition = Definition { item: *item, name, rule, kind };
            match definition.is_used(mentions) {
                true => pending.push(definition),
                false => unused.push(definition),
            }
        }
    }
    unused.iter().for_each(|it| report(tree, it, Usage::None));
    unreachable(tree, pending, &unused).iter().for_each(|it| report(tree, it, Usage::Unused));
    functions_in_ruby(tree, mentions);
}

/// Returns the main manifests, and the files of the site's own modules that contain definitions.
pub(super) fn own_files(tree: &Tree<'_>) -> Vec<File> {
    let db = tree.db;
    let mut own: Vec<File> = manifests(db, tree.environment).collect();
    for (_, folder) in tree.own_modules() {
        for name in FOLDERS {
            own.extend(files_below(db, &folder.join(name), "pp").iter().map(|it| db.files().file(db, it)));
        }
    }
    own
}

/// A definition of the site's own code.
struct Definition<'db> {
    item: Item<'db>,
    name: Str,
    rule: &'static Rule,
    kind: Kind,
}

impl Definition<'_> {
    fn is_used(&self, mentions: &Mentions) -> bool {
        match self.rule == rules::UNUSED_TYPE {
            // The name of a type alias is always written literally.
            true => mentions.names(&self.name),
            false => mentions.may_name(self.kind, &self.name),
        }
    }
}

/// The definitions that only unused definitions mention: those that no other file reaches. A file with several definitions, or with
/// code of its own that mentions anything, counts as used.
fn unreachable<'db>(
    tree: &Tree<'db>,
    mentioned: Vec<Definition<'db>>,
    unused: &[Definition<'db>],
) -> Vec<Definition<'db>> {
    let (db, environment) = (tree.db, tree.environment);
    let is_alone = |it: &Definition<'_>| {
        let all = items(db, it.item.file(db));
        all.len() == 2 && *item_mentions(db, all[0]) == Mentions::default()
    };
    let mut pending: BTreeMap<Str, Vec<Definition<'db>>> = BTreeMap::new();
    for it in mentioned.into_iter().filter(is_alone) {
        pending.entry(it.name.clone()).or_default().push(it);
    }
    let left_out = pending.values().flatten().chain(unused.iter().filter(|it| is_alone(it)));
    let left_out: HashSet<File> = left_out.map(|it| it.item.file(db)).collect();
    let mut reached: Vec<Cow<'_, Mentions>> = vec![Cow::Owned(mentions_without(db, environment, &left_out))];
    while let Some(mentions) = reached.pop() {
        let names: Vec<Str> = match mentions.has_only_names() {
            true => mentions.all_names().filter(|it| pending.contains_key(*it)).cloned().collect(),
            false => pending.keys().cloned().collect(),
        };
        for name in names {
            let Some(all) = pending.remove(&name) else { continue };
            let (used, unused): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.is_used(&mentions));
            reached.extend(used.iter().map(|it| Cow::Borrowed(file_mentions(db, it.item.file(db)))));
            if !unused.is_empty() {
                pending.insert(name, unused);
            }
        }
    }
    pending.into_values().flatten().collect()
}

/// The definitions that mention a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Usage {
    /// None at all.
    None,
    /// Only unused ones.
    Unused,
}

fn report(tree: &mut Tree<'_>, definition: &Definition<'_>, usage: Usage) {
    let db = tree.db;
    let Definition { item, rule, .. } = definition;
    let (file, noun) = (item.file(db), item.kind(db).noun());
    let range = places(db, *item).name.unwrap_or_default();
    let name = marotte_text::unrooted(item.name(db));
    let message = match usage {
        Usage::None => format!("nothing in the tree uses {noun} `{name}`"),
        Usage::Unused => format!("only unused code uses {noun} `{name}`"),
    };
    let finding = tree.report(rule, file, range, message);
    finding.label = Some("not used".to_owned());
    if usage == Usage::Unused {
        finding.notes.push("whatever mentions it is a definition that nothing uses".to_owned());
    }
    if *rule == rules::UNUSED_CLASS {
        finding.notes.push("a node classifier outside of the tree may still declare it".to_owned());
    }
}

/// Whether the main manifests assign classes to nodes. If they name no class, a node classifier must do so.
pub(super) fn is_classified(tree: &Tree<'_>, own: &[File]) -> bool {
    let db = tree.db;
    let mut mentions = Mentions::default();
    manifests(db, tree.environment).for_each(|it| mentions.extend(file_mentions(db, it)));
    let classes = own.iter().flat_map(|file| items(db, *file)).filter(|it| it.kind(db) == ItemKind::Class);
    mentions.is_unknown(Kind::Data)
        || classes.filter_map(|it| own_name(db, *it)).any(|it| mentions.names(&it))
}

/// Reports the functions in Ruby that nothing mentions.
fn functions_in_ruby(tree: &mut Tree<'_>, mentions: &Mentions) {
    let db = tree.db;
    for (_, folder) in tree.own_modules() {
        for path in RUBY {
            for path in files_below(db, &folder.join(path), "rb") {
                let file = db.files().file(db, &path);
                let found = ruby_functions(db, file);
                let modern = found.functions.iter().map(|it| it.name.to_lowercase());
                let names: Vec<_> =
                    modern.chain(found.legacy.iter().map(|it| it.name.to_lowercase())).collect();
                if found.complete
                    && let [name] = &names[..]
                    && !mentions.may_name(Kind::Function, name)
                {
                    let message = format!("nothing in the tree uses function `{name}`");
                    tree.report(rules::UNUSED_FUNCTION, file, TextRange::default(), message);
                }
            }
        }
    }
}
