//! Assist: add required parameters.

use std::collections::BTreeSet;

use marotte_check::semantics::{self, ResourceTypeMeaning};
use marotte_db::{File, environment_of};
use marotte_hir::body::AttributeName as BodyAttributeName;
use marotte_hir::{Item, ItemKind, NameKind, altered, items};
use marotte_syntax::ast::{Attribute, AttributeName, ExprKind, Resource, ResourceBody};
use marotte_text::{Str, TextRange, TextSize, normalized, unrooted};

use super::sample::sample;
use super::{Assist, Spot, follows_heredoc, has_heredoc};
use crate::Db;
use crate::data_entries::entries_of_key;
use crate::files::code_files;
use crate::token::slice;
use crate::words::has_words;

/// Adds the required parameters of a class or resource type that data doesn't set, with placeholder values.
pub(super) fn parameters(spot: &Spot<'_>) -> Option<Assist> {
    let path = spot.path();
    let resource: &Resource = path.iter().rev().find_map(|it| match &it.kind {
        ExprKind::Resource(it) => Some(&**it),
        _ => None,
    })?;
    let is_on_type = resource.type_name.range.contains_range(spot.at.range) && resource.bodies.len() == 1;
    let here =
        |it: &&ResourceBody| is_on_type || it.range.cover(it.title.range).contains_range(spot.at.range);
    let body = resource.bodies.iter().find(here)?;
    let item = declared(spot, resource, body)?;
    let own = || body.attributes.iter().chain(defaults_of_bodies(resource)).map(|it| &it.name);
    if own().any(|it| !matches!(it, AttributeName::Name(_))) {
        return None;
    }
    let is_given = |name: &str| own().any(|it| matches!(it, AttributeName::Name(given) if given == name));
    let has_data =
        |name: &str| item.kind(spot.db) == ItemKind::Class && has_data(spot.db, spot.at.file, item, name);
    let types = semantics::parameter_types(spot.db, item);
    let all = item.signature(spot.db).parameters.iter().zip(types);
    let mut missing: Vec<_> =
        all.filter(|(it, _)| !it.is_optional && !is_given(&it.name) && !has_data(&it.name)).collect();
    if !missing.is_empty() && item.kind(spot.db) == ItemKind::Define {
        let elsewhere = set_elsewhere(spot, item)?;
        missing.retain(|(it, _)| !elsewhere.contains(&it.name));
    }
    if missing.is_empty() {
        return None;
    }
    // The text of a heredoc is on the lines after the one with its tag.
    if has_heredoc(&body.title) {
        return None;
    }
    let last = body.attributes.last().filter(|it| !has_heredoc(&it.value));
    let (end, indent) = match (last, body.attributes.first()) {
        (Some(it), _) => (it.range.end(), spot.indent(it.range).to_owned()),
        (None, first) => {
            // After the colon of the title.
            let rest = &spot.text[usize::from(body.title.range.end())..];
            let colon = TextSize::try_from(rest.find(':')? + 1).ok()?;
            let at = body.title.range.end() + colon;
            let is_below = |it: &TextRange| slice(spot.text, TextRange::new(at, it.start())).contains('\n');
            let indent = match first.map(|it| it.range).filter(is_below) {
                Some(first) => spot.indent(first).to_owned(),
                None => format!("{}  ", spot.indent(body.title.range)),
            };
            (at, indent)
        }
    };
    if follows_heredoc(spot, end) {
        return None;
    }
    let rest = &spot.text[usize::from(end)..];
    let has_comma = rest.trim_start().starts_with(',') && last.is_some();
    let comma = rest.len() - rest.trim_start().len() + 1;
    let at = if has_comma { end + TextSize::try_from(comma).ok()? } else { end };
    let mut text = if has_comma || last.is_none() { String::new() } else { ",".to_owned() };
    for (it, known) in &missing {
        text += &format!("\n{indent}{} => {},", it.name, sample(known.as_ref()).puppet());
    }
    // `{ 'title': }` is one line.
    let after = &spot.text[usize::from(at)..];
    let blanks = after.len() - after.trim_start_matches(' ').len();
    let mut replaced = TextRange::empty(at);
    if body.attributes.is_empty() && after[blanks..].starts_with('}') {
        replaced = TextRange::at(at, TextSize::try_from(blanks).ok()?);
        text += &format!("\n{}", spot.indent(body.title.range));
    }
    let names: Vec<String> = missing.iter().map(|(it, _)| format!("`{}`", it.name)).collect();
    let edits = vec![spot.edit(replaced, text)];
    Some(Assist { id: "add-parameters", title: format!("Add what is missing: {}", names.join(", ")), edits })
}

/// Whether data has a value for a parameter of a class.
pub(super) fn has_data(db: &dyn Db, from: File, class: Item<'_>, name: &str) -> bool {
    let key = format!("{}::{name}", normalized(unrooted(class.name(db))));
    !entries_of_key(db, environment_of(db, from), &key).is_empty()
}

fn declared<'a>(spot: &Spot<'a>, resource: &Resource, body: &ResourceBody) -> Option<Item<'a>> {
    let name = match &resource.type_name.kind {
        ExprKind::Name(name) => name,
        _ => return None,
    };
    if name == "class" {
        let (ExprKind::String(class) | ExprKind::Name(class)) = &body.title.kind else { return None };
        return semantics::definition(spot.db, spot.at.file, NameKind::Class, class);
    }
    match semantics::resource_type(spot.db, spot.at.file, name)? {
        ResourceTypeMeaning::Define(item) => Some(item),
        _ => None,
    }
}

/// The attributes that `default:` sets for the other resources of an expression.
fn defaults_of_bodies(resource: &Resource) -> impl Iterator<Item = &Attribute> {
    let is_default = |it: &&ResourceBody| matches!(it.title.kind, ExprKind::Default);
    resource.bodies.iter().filter(is_default).flat_map(|it| &it.attributes)
}

/// The attributes of a defined type that defaults (`Type { … }`), overrides and collectors set. None if some are computed.
fn set_elsewhere(spot: &Spot<'_>, item: Item<'_>) -> Option<BTreeSet<Str>> {
    let (db, name) = (spot.db, unrooted(item.name(spot.db)));
    let mut found = BTreeSet::new();
    let files = code_files(db, environment_of(db, spot.at.file)).iter().chain([&spot.at.file]);
    for other in files.filter(|it| has_words(db, **it, name)).flat_map(|it| items(db, *it)) {
        let body = other.body(db);
        for (of, attributes) in body.exprs().filter_map(|(_, it)| altered(body, it)) {
            if of.is_none_or(|it| unrooted(it).eq_ignore_ascii_case(name)) {
                for attribute in attributes {
                    match &attribute.name {
                        BodyAttributeName::Name(it) => found.insert(it.clone()),
                        BodyAttributeName::Unfold => return None,
                    };
                }
            }
        }
    }
    Some(found)
}
