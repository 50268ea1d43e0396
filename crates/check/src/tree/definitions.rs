//! `unused-class`, `unused-defined-type`, `unused-function`, `unused-type`: a definition that nothing in the tree mentions.

use marotte_db::{File, files_below};
use marotte_diagnostics::{Rule, rules};
use marotte_hir::{Item, ItemKind, is_readable, items, places};
use marotte_resolve::manifests::manifests;
use marotte_resolve::ruby::ruby_functions;
use marotte_text::TextRange;

use super::Tree;
use super::mentions::{Kind, Mentions};
use super::read::{environment_mentions, file_mentions, has_all_data, own_name};

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
    let mut own: Vec<File> = manifests(db, environment).collect();
    for (_, folder) in tree.own_modules() {
        for name in FOLDERS {
            own.extend(files_below(db, &folder.join(name), "pp").iter().map(|it| db.files().file(db, it)));
        }
    }
    let is_classified = is_classified(tree, &own);
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
            let is_used = match kind {
                // The name of a type alias is always written literally.
                Kind::Define if rule == rules::UNUSED_TYPE => mentions.names(&name),
                _ => mentions.may_name(kind, &name),
            };
            if !is_used {
                report(tree, rule, *item);
            }
        }
    }
    functions_in_ruby(tree, mentions);
}

fn report(tree: &mut Tree<'_>, rule: &'static Rule, item: Item<'_>) {
    let db = tree.db;
    let (file, noun) = (item.file(db), item.kind(db).noun());
    let range = places(db, item).name.unwrap_or_default();
    let message = format!("nothing in the tree uses {noun} `{}`", marotte_text::unrooted(item.name(db)));
    let finding = tree.report(rule, file, range, message);
    finding.label = Some("not used".to_owned());
    if rule == rules::UNUSED_CLASS {
        finding.notes.push("a node classifier outside of the tree may still declare it".to_owned());
    }
}

/// Whether the main manifests assign classes to nodes. If they name no class, a node classifier must do so.
fn is_classified(tree: &Tree<'_>, own: &[File]) -> bool {
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
