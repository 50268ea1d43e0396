//! The call hierarchy and the class hierarchy.

use std::collections::BTreeMap;

use marotte_db::File;
use marotte_hir::{Item, ItemKind, NameKind, items};
use marotte_text::{TextRange, TextSize};

use marotte_check::semantics::definition as definition_named;

use crate::definition::{item_target, targets};
use crate::references::{references_of, symbol_at};
use crate::symbol::Symbol;
use crate::token::{Named, tokens};
use crate::{Access, Db, FilePosition, FileRange, NavigationTarget, SymbolKind};

/// A caller or a callee, with the places of the calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The calling or called definition.
    pub target: NavigationTarget,
    /// The places of the calls, in the caller's file.
    pub places: Vec<FileRange>,
}

/// The class, resource type, function or plan at a place, for which [`incoming_calls`] and [`outgoing_calls`] return results, or the
/// node, which nothing calls.
pub fn call_hierarchy(db: &dyn Db, at: FilePosition) -> Option<NavigationTarget> {
    match symbol_at(db, at) {
        Some(Symbol::Item(item)) if is_called(item.kind(db)) => item_target(db, item),
        Some(_) => None,
        None => item_target(db, node_at(db, at)?),
    }
}

/// The definition of nodes whose keyword or names are at a place.
fn node_at(db: &dyn Db, at: FilePosition) -> Option<Item<'_>> {
    let is_at = |it: &NavigationTarget| {
        TextRange::new(it.full.range.start(), it.selection.end()).contains_inclusive(at.offset)
    };
    let nodes = items(db, at.file).iter().filter(|it| matches!(it.kind(db), ItemKind::Node(_)));
    nodes.copied().find(|it| item_target(db, *it).is_some_and(|it| is_at(&it)))
}

fn is_called(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Class | ItemKind::Define | ItemKind::Function | ItemKind::Plan)
}

/// The callers of the function at a place, or the items that declare the class or resource type: by definition, then by file.
pub fn incoming_calls(db: &dyn Db, at: FilePosition) -> Vec<Call> {
    let Some(symbol @ Symbol::Item(_)) = symbol_at(db, at) else { return Vec::new() };
    let mut callers: BTreeMap<(String, usize), Call> = BTreeMap::new();
    for (place, token) in references_of(db, at.file, &symbol) {
        let is_call = token.access == Access::Declaration || matches!(token.named, Named::Function(_));
        let Some(within) = token.within.filter(|_| is_call) else { continue };
        let Some(target) = caller(db, within, place.file) else { continue };
        let key = (place.file.path(db).to_string(), usize::from(target.selection.start()));
        let call = callers.entry(key).or_insert_with(|| Call { target, places: Vec::new() });
        call.places.push(place);
    }
    callers.into_values().collect()
}

fn caller(db: &dyn Db, within: Item<'_>, file: File) -> Option<NavigationTarget> {
    match within.kind(db) {
        ItemKind::Program | ItemKind::Template | ItemKind::TypeMapping => Some(NavigationTarget {
            full: FileRange { file, range: TextRange::default() },
            selection: TextRange::default(),
            name: file.path(db).file_name()?.to_owned(),
            kind: SymbolKind::File,
        }),
        _ => item_target(db, within),
    }
}

/// The definitions that the definition at a place declares or calls, if they are written in Puppet or in Ruby, in source order. At the
/// names of a node: those that the node uses; at the beginning of a file: those that its code outside of definitions uses.
pub fn outgoing_calls(db: &dyn Db, at: FilePosition) -> Vec<Call> {
    let program = || items(db, at.file).first().copied().filter(|_| at.offset == TextSize::new(0));
    let item = match symbol_at(db, at) {
        Some(Symbol::Item(item)) => Some(item),
        _ => node_at(db, at).or_else(program),
    };
    let Some(item) = item else { return Vec::new() };
    let file = item.file(db);
    let mut calls: Vec<(Symbol<'_>, Call)> = Vec::new();
    for token in tokens(db, file).into_iter().filter(|it| it.within == Some(item)) {
        let is_call = token.access == Access::Declaration || matches!(token.named, Named::Function(_));
        if !is_call || matches!(token.named, Named::Resource { .. }) {
            continue;
        }
        let Some(symbol) = Symbol::of(db, file, &token) else { continue };
        let place = FileRange { file, range: token.range };
        if let Some((_, call)) = calls.iter_mut().find(|(it, _)| *it == symbol) {
            call.places.push(place);
        } else if let Some(target) = targets(db, file, &symbol).into_iter().next() {
            calls.push((symbol, Call { target, places: vec![place] }));
        }
    }
    calls.into_iter().map(|(_, call)| call).collect()
}

/// The class at a place, for which [`supertypes`] and [`subtypes`] return results.
pub fn type_hierarchy(db: &dyn Db, at: FilePosition) -> Option<NavigationTarget> {
    item_target(db, class_at(db, at)?)
}

fn class_at(db: &dyn Db, at: FilePosition) -> Option<Item<'_>> {
    match symbol_at(db, at)? {
        Symbol::Item(item) if item.kind(db) == ItemKind::Class => Some(item),
        _ => None,
    }
}

/// The class that the class at a place inherits from.
pub fn supertypes(db: &dyn Db, at: FilePosition) -> Vec<NavigationTarget> {
    let Some(class) = class_at(db, at) else { return Vec::new() };
    let parent = class.signature(db).parent.as_ref();
    let parent = parent.and_then(|it| definition_named(db, class.file(db), NameKind::Class, it));
    parent.and_then(|it| item_target(db, it)).into_iter().collect()
}

/// The classes that inherit from the class at a place.
pub fn subtypes(db: &dyn Db, at: FilePosition) -> Vec<NavigationTarget> {
    let Some(class) = class_at(db, at) else { return Vec::new() };
    let mut found = Vec::new();
    for (place, token) in references_of(db, at.file, &Symbol::Item(class)) {
        let Some(within) = token.within.filter(|_| token.access == Access::Declaration) else { continue };
        let is_parent = marotte_hir::places(db, within).parent == Some(place.range);
        found.extend(item_target(db, within).filter(|_| is_parent));
    }
    found
}

/// A line above a definition with the number of its uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeLens {
    /// The range of the definition's name.
    pub range: TextRange,
    /// The noun for the counted uses.
    pub noun: &'static str,
    /// The name of the class, if it is one, which catalogs of nodes may have.
    pub class: Option<String>,
}

/// The definitions of a file for which [`resolve_code_lens`] counts the uses.
pub fn code_lenses(db: &dyn Db, file: File) -> Vec<CodeLens> {
    let mut found = Vec::new();
    for item in items(db, file) {
        let noun = match item.kind(db) {
            ItemKind::Class | ItemKind::Define => "declaration",
            ItemKind::Function => "call",
            ItemKind::TypeAlias => "use",
            _ => continue,
        };
        let name = marotte_hir::places(db, *item).name;
        let is_class = item.kind(db) == ItemKind::Class;
        let class = is_class.then(|| marotte_text::unrooted(item.name(db)).to_lowercase());
        found.extend(name.map(|range| CodeLens { range, noun, class }));
    }
    found
}

/// The places where the definition at a place is declared, called or used.
pub fn resolve_code_lens(db: &dyn Db, at: FilePosition) -> Vec<FileRange> {
    let Some(symbol) = symbol_at(db, at) else { return Vec::new() };
    let is_class = matches!(symbol.kind(db), SymbolKind::Class | SymbolKind::Define);
    let all = references_of(db, at.file, &symbol).into_iter();
    let counted = all.filter(|(_, token)| match token.access {
        Access::Declaration => true,
        Access::Read => !is_class,
        Access::Definition | Access::Write => false,
    });
    counted.map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    const TREE: &str = "
//- /modules/a/manifests/init.pp
class a inherits a::params { include a::b  include a::b  a::f() }
//- /modules/a/manifests/params.pp
class a::params { }
//- /modules/a/manifests/b.pp
class a::b inherits a::params { }
//- /modules/a/functions/f.pp
function a::f() { }
//- /manifests/site.pp
include a
";

    fn names(found: Vec<NavigationTarget>) -> Vec<String> {
        found.into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn calls_in_both_directions() {
        let fixture = Fixture::new(&TREE.replace("class a inherits", "class a$0 inherits"));
        let (db, at) = (fixture.db(), fixture.cursor());
        let shown = |all: Vec<Call>| -> Vec<String> {
            all.into_iter().map(|it| format!("{} {}", it.target.name, it.places.len())).collect()
        };
        assert_eq!(call_hierarchy(db, at).map(|it| it.name).as_deref(), Some("a"));
        assert_eq!(shown(incoming_calls(db, at)), ["site.pp 1"]);
        assert_eq!(shown(outgoing_calls(db, at)), ["a::params 1", "a::b 2", "a::f 1"]);
    }

    #[test]
    fn the_caller_of_a_class_calls_it() {
        let node = "\nnode 'x', /y/ {\n  include a\n}";
        for (site, name, is_prepared) in [("\ninclude a", "site.pp", false), (node, "'x', /y/", true)] {
            let tree = TREE.replace("\ninclude a", site).replace("class a inherits", "class a$0 inherits");
            let fixture = Fixture::new(&tree);
            let db = fixture.db();
            let caller = incoming_calls(db, fixture.cursor()).remove(0).target;
            assert_eq!(caller.name, name);
            let back = FilePosition { file: caller.full.file, offset: caller.selection.start() };
            assert_eq!(outgoing_calls(db, back).remove(0).target.name, "a");
            assert_eq!(call_hierarchy(db, back), is_prepared.then_some(caller));
        }
    }

    #[test]
    fn classes_inherit() {
        let fixture = Fixture::new(&TREE.replace("class a inherits", "class a$0 inherits"));
        assert_eq!(names(supertypes(fixture.db(), fixture.cursor())), ["a::params"]);
        let fixture = Fixture::new(&TREE.replace("class a::params", "class a::pa$0rams"));
        assert_eq!(names(subtypes(fixture.db(), fixture.cursor())), ["a::b", "a"]);
    }

    #[test]
    fn declarations_are_counted() {
        let fixture = Fixture::new(&TREE.replace("class a::b", "class a::b$0"));
        let at = fixture.cursor();
        let lenses = code_lenses(fixture.db(), at.file);
        assert_eq!(lenses.iter().map(|it| it.class.as_deref()).collect::<Vec<_>>(), [Some("a::b")]);
        assert_eq!(resolve_code_lens(fixture.db(), at).len(), 2);
    }
}
