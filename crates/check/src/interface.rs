//! The externally visible part of a code file, compared as a whole: while it stays the same, an edit of the file affects no
//! other file.

use std::collections::BTreeSet;
use std::sync::Arc;

use marotte_db::{Db, File, environment_of};
use marotte_hir::{AlteredTypes, Body, Item, ItemKind, Privacy, Signature, Titles};
use marotte_hir::{altered_types, is_readable, items, open_reads, titles};
use marotte_infer::inference::{Outline, outlines};
use marotte_resolve::autoload::{is_misplaced, is_refused};
use marotte_resolve::manifests::is_manifest;
use marotte_text::Str;

use crate::branch_names::misnamed;
use crate::data::reads::{KeyReads, program_reads};
use crate::declarable::{Declarable, of_item};
use crate::exported::attributes_of;
use crate::relations::{Relations, relations};
use crate::said::{Said, said_in_code};

/// The content of a code file that checks of other files may read. It contains no ranges, so that it is independent of line
/// shifts.
///
/// Ranges of a file do appear in other files' findings, as related places: callers that keep findings have to update those.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    pub(crate) is_readable: bool,
    /// The autoloader rejects the file, or doesn't find in it the definition that it looks for.
    pub(crate) is_out_of_place: (bool, bool),
    pub(crate) altered: AlteredTypes,
    pub(crate) open_reads: Box<[Str]>,
    pub(crate) titles: Titles,
    /// What its strings say, other than to refer to resources.
    pub(crate) said: Said,
    pub(crate) key_reads: KeyReads,
    pub(crate) items: Box<[ItemInterface]>,
}

/// The content of an item that checks of other files may read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ItemInterface {
    pub(crate) kind: ItemKind,
    pub(crate) name: Str,
    pub(crate) signature: Arc<Signature>,
    pub(crate) privacy: Option<Privacy>,
    pub(crate) is_only_definitions: bool,
    /// The outlines at each depth; empty for items that cannot be referred to.
    pub(crate) outlines: Box<[Arc<Outline>]>,
    pub(crate) declarable: Declarable,
    /// Of a class: what it contains, and in which order.
    pub(crate) relations: Relations,
    /// Attributes by which collectors may search for resources.
    pub(crate) collected: BTreeSet<(Str, Str)>,
    /// The body, for items that others read as a whole: type aliases, and items of a main manifest.
    pub(crate) body: Option<Arc<Body>>,
}

impl Interface {
    /// All resources that the file can declare.
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
        is_readable: is_readable(db, file),
        is_out_of_place: (is_refused(db, file), is_misplaced(db, file)),
        altered: altered_types(db, file).clone(),
        open_reads: open_reads(db, file).into(),
        titles: titles(db, file).clone(),
        said: said_in_code(db, file).clone(),
        key_reads: program_reads(db, file).clone(),
        items: items(db, file).iter().map(|it| of(db, *it, is_main)).collect(),
    })
}

fn of<'db>(db: &'db dyn Db, item: Item<'db>, is_main: bool) -> ItemInterface {
    let kind = item.kind(db);
    let has_outline =
        is_main || matches!(kind, ItemKind::Class | ItemKind::Define | ItemKind::Function | ItemKind::Plan);
    let is_read = is_main || matches!(kind, ItemKind::TypeAlias | ItemKind::TypeMapping);
    ItemInterface {
        kind,
        name: item.name(db).clone(),
        signature: Arc::clone(item.signature(db)),
        privacy: item.privacy(db),
        is_only_definitions: item.is_only_definitions(db),
        outlines: if has_outline { outlines(db, item) } else { Box::default() },
        declarable: of_item(db, item).clone(),
        relations: if kind == ItemKind::Class { relations(db, item).clone() } else { Relations::default() },
        collected: attributes_of(item.body(db)),
        body: is_read.then(|| Arc::clone(item.body(db))),
    }
}

/// Whether the check of a file counts words in other files of its module: it has a variable whose name may be misspelled.
#[salsa::tracked(returns(copy))]
pub fn counts_words(db: &dyn Db, file: File) -> bool {
    items(db, file).iter().any(|it| !misnamed(it.body(db)).is_empty())
}
