//! What others may notice of a change of a file.

use std::collections::{BTreeMap, BTreeSet};

use marotte_hir::{AlteredTypes, ItemKind, NameKind, Signature};
use marotte_text::{Str, is_qualified, normalized};

use crate::data::interface::DataInterface;
use crate::declarable::Declarable;
use crate::interface::{Interface, ItemInterface};

/// What others may notice of a change. What is not listed here may concern anybody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Resources that can be declared now, or can no longer.
    pub resources: Resources,
    /// Definitions of which others see another signature, another outline, or of a class another order of what it contains.
    pub definitions: BTreeSet<Str>,
    /// Definitions that came or went: names in a name space.
    pub moved: BTreeSet<Str>,
    /// Parameters of classes that came or went, as keys of data.
    pub parameters: BTreeSet<Str>,
    /// Keys of data with another value.
    pub keys: BTreeSet<Str>,
}

/// Resources that can be declared now, or can no longer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Their types, and their titles as far as they tell resources apart.
    pub titles: BTreeSet<(Str, Str)>,
    /// The files of the module may have meant others: titles that are written out are different.
    pub of_module: bool,
    /// Programs that stand by themselves may use others.
    pub of_programs: bool,
    /// Any resource may be one of them.
    pub any: bool,
}

impl Change {
    /// What is different between two interfaces of a file of code. None if anybody may notice.
    pub fn of_code(before: &Interface, after: &Interface) -> Option<Change> {
        let same_for_all = before.is_readable == after.is_readable
            && before.is_out_of_place == after.is_out_of_place
            && before.altered == after.altered
            && before.open_reads == after.open_reads
            && before.key_reads == after.key_reads;
        let mut change = Change::default();
        if !same_for_all {
            return None;
        }
        let (mut old, new) = (by_name(before)?, by_name(after)?);
        for (key, other) in new {
            let Some(one) = old.remove(&key) else {
                change.resources.of_programs |= other.declarable != Declarable::default();
                change.moved.insert(may_move(other)?);
                continue;
            };
            let is_same = one.kind == other.kind
                && one.name == other.name
                && one.privacy == other.privacy
                && one.is_only_definitions == other.is_only_definitions
                && one.collected == other.collected
                && one.body == other.body;
            if !is_same {
                return None;
            }
            change.resources.of_programs |= one.declarable != other.declarable;
            if one.relations != other.relations {
                change.definitions.insert(normalized(&one.name));
            }
            if one.signature == other.signature && one.outlines == other.outlines {
                continue;
            }
            // Who inherits from whom others ask for, and ask those for their names.
            let is_named = matches!(one.kind, ItemKind::Class | ItemKind::Define | ItemKind::Function);
            if !is_named || one.signature.parent != other.signature.parent {
                return None;
            }
            let name = normalized(&one.name);
            change.parameters.extend(moved(&name, &one.signature, &other.signature));
            change.definitions.insert(name);
        }
        for one in old.into_values() {
            change.resources.of_programs |= one.declarable != Declarable::default();
            change.moved.insert(may_move(one)?);
        }
        // What is altered counts where something is defined.
        let defines = |it: &Interface| it.items.iter().any(|it| NameKind::of(it.kind).is_some());
        if defines(before) != defines(after) && after.altered != AlteredTypes::default() {
            return None;
        }
        let resources = &mut change.resources;
        resources.of_module = before.titles != after.titles;
        let (one, other) = (before.declarable(), after.declarable());
        resources.titles = one.other_titles(&other);
        resources.any = !one.is_as_open(&other);
        Some(change)
    }

    /// What is different between two interfaces of a file of data. None if anybody may notice.
    pub fn of_data(before: &DataInterface, after: &DataInterface) -> Option<Change> {
        if before.rest != after.rest {
            return None;
        }
        Some(Change { keys: before.other_values(after), ..Change::default() })
    }
}

/// The items of a file by kind and name. None if two have the same.
fn by_name(it: &Interface) -> Option<BTreeMap<(ItemKind, &Str), &ItemInterface>> {
    let found: BTreeMap<_, _> = it.items.iter().map(|it| ((it.kind, &it.name), it)).collect();
    (found.len() == it.items.len()).then_some(found)
}

/// The name of a definition that may come and go without being noticed by anybody who does not say it. None if it may be.
fn may_move(it: &ItemInterface) -> Option<Str> {
    let is_named = matches!(it.kind, ItemKind::Class | ItemKind::Define | ItemKind::Function);
    let name = normalized(&it.name);
    (is_named && is_qualified(&name) && it.collected.is_empty() && it.body.is_none()).then_some(name)
}

/// The parameters that one of two signatures has, and the other one does not, as keys of data.
fn moved(name: &str, one: &Signature, other: &Signature) -> BTreeSet<Str> {
    let has = |it: &Signature, name: &str| it.parameter(name).is_some();
    let only = |one: &Signature, other: &Signature| -> Vec<Str> {
        let missing = one.parameters.iter().filter(|it| !has(other, &it.name));
        missing.map(|it| format!("{name}::{}", it.name).into()).collect()
    };
    only(one, other).into_iter().chain(only(other, one)).collect()
}
