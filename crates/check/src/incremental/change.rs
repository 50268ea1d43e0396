//! The parts of a file's change that the checks of other files may depend on.

use std::collections::{BTreeMap, BTreeSet};

use marotte_hir::{AlteredTypes, ItemKind, NameKind, Signature};
use marotte_text::{Str, is_qualified, normalized};

pub use crate::analysis::names::foreign_names::{UsedName, counts_names};
use crate::analysis::names::mentions::Mentions;
use crate::analysis::resources::declarable::Declarable;
use crate::data::interface::DataInterface;
use crate::data::passed_on::PassedOn;
use crate::incremental::interface::{Interface, ItemInterface, Presence};

/// The effects of a change on other files. Changes that cannot be listed here may affect every file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Resources that became declarable, or no longer are.
    pub resources: Resources,
    /// Definitions whose externally visible signature or outline changed, or, for classes, the order of their contents.
    pub definitions: BTreeSet<Str>,
    /// Those of them of which others see another outline.
    pub outlines: BTreeSet<Str>,
    /// Definitions whose outlines depend on other definitions than before.
    pub reads: BTreeSet<Str>,
    /// Classes that declare other classes than before.
    pub including: BTreeSet<Str>,
    /// Definitions that were added or removed: qualified names.
    pub moved: BTreeSet<Str>,
    /// Definitions to which names in other files may begin or cease to refer, or of which that became uncertain or certain.
    pub resolved: BTreeSet<Str>,
    /// Whether the file itself appeared, disappeared, became readable or unreadable, so that the names for which it is searched
    /// may be resolved differently.
    pub searched: bool,
    /// Parameters of classes that were added or removed, as data keys.
    pub parameters: BTreeSet<Str>,
    /// The names that the file uses more often, or less often, than before: files of its module may count them.
    pub uses: BTreeSet<UsedName>,
    /// Data keys whose values changed, and those that were added or removed.
    pub keys: BTreeSet<Str>,
    /// Data keys that were added or removed, or that became encrypted or readable: what has almost the same name may depend on them.
    pub moved_keys: BTreeSet<Str>,
    /// Whether other data is read than before, so that any data file may have other findings.
    pub data: bool,
    /// Whether a data file can be parsed that could not be parsed before, or the other way around: which keys there are, and how lookups
    /// treat their values, is certain only while all files of a layer can be parsed.
    pub certainty: bool,
}

/// Resources that became declarable, or no longer are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// The types of the resources, and their titles as far as they distinguish resources.
    pub titles: BTreeSet<(Str, Str)>,
    /// Whether literal titles changed: references in files of the same module may resolve differently.
    pub of_module: bool,
    /// Whether standalone programs may use the changed declarations.
    pub of_programs: bool,
    /// The words, titles and patterns that only one of the two files contains.
    pub mentions: Mentions,
    /// Whether any resource may be affected.
    pub any: bool,
}

impl Change {
    /// The differences between two interfaces of a code file. None if they may affect every file.
    pub fn of_code(before: &Interface, after: &Interface) -> Option<Change> {
        let same_for_all = before.altered == after.altered && before.open_reads == after.open_reads;
        let mut change = Change::default();
        if !same_for_all {
            return None;
        }
        change.data = before.key_reads != after.key_reads;
        change.uses = before.uses.other(&after.uses);
        let is_broken = |it: &Interface| it.presence == Presence::Broken;
        let is_in_place = before.is_out_of_place == after.is_out_of_place;
        change.searched = before.presence != after.presence || !is_in_place;
        // Any name may be defined in a main manifest.
        if change.searched && (before.is_main || after.is_main) {
            return None;
        }
        let (mut old, new) = (by_name(before)?, by_name(after)?);
        for (key, other) in new {
            let Some(one) = old.remove(&key) else {
                if is_idle(other) {
                    continue;
                }
                change.resources.of_programs |= other.declarable != Declarable::default();
                change.moved.insert(may_move(other)?);
                continue;
            };
            let is_same = one.kind == other.kind
                && one.name == other.name
                && one.privacy == other.privacy
                && one.collected == other.collected
                && one.passed_on == other.passed_on
                && one.body == other.body;
            if !is_same {
                return None;
            }
            change.resources.of_programs |= one.declarable != other.declarable;
            if one.reads != other.reads {
                change.reads.insert(normalized(&one.name));
            }
            if !one.relations.is_alike(&other.relations) || one.asserted_titles != other.asserted_titles {
                change.definitions.insert(normalized(&one.name));
            } else if one.relations != other.relations {
                change.including.insert(normalized(&one.name));
            }
            if one.signature == other.signature && one.outline == other.outline {
                continue;
            }
            // Other files depend on the chain of parent classes, and on the names that are found through it.
            let is_named = matches!(one.kind, ItemKind::Class | ItemKind::Define | ItemKind::Function);
            if !is_named || one.signature.parent != other.signature.parent {
                return None;
            }
            let name = normalized(&one.name);
            change.parameters.extend(moved(&name, &one.signature, &other.signature));
            if one.outline != other.outline {
                change.outlines.insert(name.clone());
            }
            change.definitions.insert(name);
        }
        for one in old.into_values().filter(|it| !is_idle(it)) {
            change.resources.of_programs |= one.declarable != Declarable::default();
            change.moved.insert(may_move(one)?);
        }
        // Alterations of resource types matter where something is defined.
        let defines = |it: &Interface| it.items.iter().any(|it| NameKind::of(it.kind).is_some());
        if defines(before) != defines(after) && after.altered != AlteredTypes::default() {
            return None;
        }
        let resources = &mut change.resources;
        resources.mentions = before.mentions.other(&after.mentions);
        resources.of_module = before.titles != after.titles;
        let (one, other) = (before.declarable(), after.declarable());
        resources.titles = one.other_titles(&other);
        resources.any = !one.is_as_open(&other);
        // An unreadable file may declare anything.
        resources.any |= is_broken(before) != is_broken(after);
        if is_broken(before) != is_broken(after) || !is_in_place {
            let items = before.items.iter().chain(&after.items).filter(|it| it.kind != ItemKind::Program);
            change.resolve_anew(items.map(sought).collect::<Option<BTreeSet<Str>>>()?);
        }
        Some(change)
    }

    /// Records that names of definitions may be resolved differently: code that contains them may use, and declare, other
    /// resources, and have other types.
    pub fn resolve_anew(&mut self, names: BTreeSet<Str>) {
        self.resources.any |= !names.is_empty();
        self.definitions.extend(names.iter().cloned());
        self.outlines.extend(names.iter().cloned());
        self.reads.extend(names.iter().cloned());
        self.resolved.extend(names);
    }

    /// The differences between two interfaces of a data file. None if they may affect every file.
    pub fn of_data(before: &DataInterface, after: &DataInterface) -> Option<Change> {
        if before.rest.format != after.rest.format {
            return None;
        }
        let resources =
            Resources { mentions: before.mentions.other(&after.mentions), ..Resources::default() };
        let moved_keys = before.other_keys(after)?;
        let keys = before.other_values(after).union(&moved_keys).cloned().collect();
        let data = before.rest.reads != after.rest.reads;
        let certainty = before.is_broken != after.is_broken;
        Some(Change { keys, moved_keys, data, certainty, resources, ..Change::default() })
    }
}

/// The items of a file by kind and name. None if two items share both.
fn by_name(it: &Interface) -> Option<BTreeMap<(ItemKind, &Str), &ItemInterface>> {
    let found: BTreeMap<_, _> = it.items.iter().map(|it| ((it.kind, &it.name), it)).collect();
    (found.len() == it.items.len()).then_some(found)
}

/// The name of a definition whose addition or removal affects only files that mention it. None if it may affect others.
fn may_move(it: &ItemInterface) -> Option<Str> {
    let is_named = matches!(it.kind, ItemKind::Class | ItemKind::Define | ItemKind::Function);
    let name = normalized(&it.name);
    (is_named
        && is_qualified(&name)
        && it.collected.is_empty()
        && it.passed_on == PassedOn::default()
        && it.body.is_none())
    .then_some(name)
}

/// The name of a definition that only files which contain the name use. None if others may use it, too.
fn sought(it: &ItemInterface) -> Option<Str> {
    matches!(it.kind, ItemKind::Class | ItemKind::Define | ItemKind::Function).then(|| normalized(&it.name))
}

/// Whether an item is the program of a file, and nothing in it concerns other files.
fn is_idle(it: &ItemInterface) -> bool {
    it.kind == ItemKind::Program
        && it.declarable == Declarable::default()
        && it.collected.is_empty()
        && it.passed_on == PassedOn::default()
        && it.body.is_none()
}

/// The parameters that only one of two signatures has, as data keys.
fn moved(name: &str, one: &Signature, other: &Signature) -> BTreeSet<Str> {
    let has = |it: &Signature, name: &str| it.parameter(name).is_some();
    let only = |one: &Signature, other: &Signature| -> Vec<Str> {
        let missing = one.parameters.iter().filter(|it| !has(other, &it.name));
        missing.map(|it| format!("{name}::{}", it.name).into()).collect()
    };
    only(one, other).into_iter().chain(only(other, one)).collect()
}
