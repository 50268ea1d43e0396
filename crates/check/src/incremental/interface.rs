//! The externally visible part of a code file, compared as a whole: while it stays the same, an edit of the file affects no
//! other file.

use std::collections::BTreeSet;
use std::sync::Arc;

use marotte_db::{Db, File, environment_of};
use marotte_hir::{AlteredTypes, Body, Item, ItemKind, NameKind, Privacy, Signature, Titles};
use marotte_hir::{altered_types, is_readable, items, open_reads, titles};
use marotte_infer::inference::{Outline, outline, reads};
use marotte_resolve::autoload::{is_misplaced, is_refused};
use marotte_resolve::globals::is_always_global;
use marotte_resolve::manifests::is_manifest;
use marotte_text::{Str, normalized};

use crate::analysis::names::foreign_names::{UsedNames, used_in};
use crate::analysis::names::mentions::{Mentions, mentions_in_code};
use crate::analysis::resources::asserted_titles::{AssertedTitle, asserted_titles};
use crate::analysis::resources::declarable::{Declarable, of_item};
use crate::analysis::resources::exported::attributes_of;
use crate::analysis::resources::relations::{Relations, relations};
use crate::analysis::variables::branch_names::misnamed;
use crate::data::passed_on::{PassedOn, passed_on};
use crate::data::reads::{KeyReads, program_reads};

/// The content of a code file that checks of other files may read. It contains no ranges, so that it is independent of line
/// shifts.
///
/// Ranges of a file do appear in other files' findings, as related places: callers that keep findings have to update those.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    pub(crate) presence: Presence,
    /// Whether the file is a part of the main manifest.
    pub(crate) is_main: bool,
    /// Whether the autoloader rejects the file, and whether it doesn't find the expected definition in it.
    pub(crate) is_out_of_place: (bool, bool),
    pub(crate) altered: AlteredTypes,
    /// The variables that its definitions read and don't set, but for those that exist everywhere.
    pub(crate) open_reads: Box<[Str]>,
    pub(crate) titles: Titles,
    /// The words and titles in its strings, without references to resources.
    pub(crate) mentions: Mentions,
    pub(crate) key_reads: KeyReads,
    /// The names that it uses, and how often.
    pub(crate) uses: UsedNames,
    pub(crate) items: Box<[ItemInterface]>,
}

/// Whether there is a file, and whether it can be parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Nothing exists at the path.
    #[default]
    Missing,
    /// The file has syntax errors: nothing certain follows from the rest of it.
    Broken,
    /// The whole file was parsed.
    Whole,
}

/// The content of an item that checks of other files may read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ItemInterface {
    pub(crate) kind: ItemKind,
    pub(crate) name: Str,
    pub(crate) signature: Arc<Signature>,
    pub(crate) privacy: Option<Privacy>,
    /// The outline; None for items that cannot be referred to.
    pub(crate) outline: Option<Arc<Outline>>,
    /// The definitions on whose outlines its own depends. They decide where cycles are, and each member of a cycle has another
    /// outline than without it.
    pub(crate) reads: BTreeSet<(ItemKind, Str)>,
    pub(crate) declarable: Declarable,
    /// The contents of a class, and their order. Empty for other items.
    pub(crate) relations: Relations,
    /// The use that it makes of data.
    pub(crate) passed_on: PassedOn,
    /// The types of which a defined type requires its titles to be.
    pub(crate) asserted_titles: Arc<[AssertedTitle]>,
    /// Attributes by which collectors may search for resources.
    pub(crate) collected: BTreeSet<(Str, Str)>,
    /// The body, for items that others read as a whole: type aliases, and items of a main manifest.
    pub(crate) body: Option<Arc<Body>>,
}

impl Interface {
    /// Returns the interface of a path where nothing exists.
    pub fn missing() -> Interface {
        Interface::default()
    }

    /// Returns all resources that the file can declare.
    pub(crate) fn declarable(&self) -> Declarable {
        let mut all = Declarable::default();
        self.items.iter().for_each(|it| all.add(&it.declarable));
        all
    }
}

/// The interface of a file of code.
#[salsa::tracked(returns(ref))]
pub fn interface(db: &dyn Db, file: File) -> Arc<Interface> {
    let is_main = is_manifest(db, environment_of(db, file), file);
    Arc::new(Interface {
        presence: if is_readable(db, file) { Presence::Whole } else { Presence::Broken },
        is_main,
        is_out_of_place: (is_refused(db, file), is_misplaced(db, file)),
        altered: altered_types(db, file).clone(),
        open_reads: open_reads(db, file).iter().filter(|it| !is_always_global(it)).cloned().collect(),
        titles: titles(db, file).clone(),
        mentions: mentions_in_code(db, file).clone(),
        key_reads: program_reads(db, file).clone(),
        uses: used_in(db, file).clone(),
        items: items(db, file).iter().map(|it| of(db, *it, is_main)).collect(),
    })
}

fn of<'db>(db: &'db dyn Db, item: Item<'db>, is_main: bool) -> ItemInterface {
    let kind = item.kind(db);
    let has_outline = has_outline(is_main, kind);
    let name_of = |it: &Item<'db>| (it.kind(db), normalized(it.name(db)));
    let is_read = is_main || matches!(kind, ItemKind::TypeAlias | ItemKind::TypeMapping);
    ItemInterface {
        kind,
        name: item.name(db).clone(),
        signature: Arc::clone(item.signature(db)),
        privacy: item.privacy(db),
        outline: has_outline.then(|| Arc::clone(outline(db, item))),
        reads: if has_outline { reads(db, item).iter().map(name_of).collect() } else { BTreeSet::new() },
        declarable: of_item(db, item).clone(),
        relations: if kind == ItemKind::Class { relations(db, item).clone() } else { Relations::default() },
        passed_on: passed_on(db, item).clone(),
        asserted_titles: Arc::clone(asserted_titles(db, item)),
        collected: attributes_of(item.body(db)),
        body: is_read.then(|| Arc::clone(item.body(db))),
    }
}

/// Whether other files can refer to an item.
fn has_outline(is_main: bool, kind: ItemKind) -> bool {
    is_main || matches!(kind, ItemKind::Class | ItemKind::Define | ItemKind::Function | ItemKind::Plan)
}

/// The outlines of a file's named items, by name.
pub type Outlines = Arc<[(Str, Arc<Outline>)]>;

/// The outlines of a file's named items.
#[salsa::tracked(returns(ref))]
pub fn outlines(db: &dyn Db, file: File) -> Outlines {
    let named = items(db, file).iter().filter(|it| NameKind::of(it.kind(db)).is_some());
    let named = named.filter(|it| has_outline(false, it.kind(db)));
    named.map(|it| (normalized(it.name(db)), Arc::clone(outline(db, *it)))).collect()
}

/// Whether the check of a file counts words in other files of its module: it has a variable whose name may be misspelled.
#[salsa::tracked(returns(copy))]
pub fn counts_words(db: &dyn Db, file: File) -> bool {
    items(db, file).iter().any(|it| !misnamed(it.body(db)).is_empty())
}
