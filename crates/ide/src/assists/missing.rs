//! Assist: add required parameters.

use marotte_check::semantics::{self, ResourceTypeMeaning};
use marotte_db::environment_of;
use marotte_hir::{Item, ItemKind, NameKind};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::relation::instance_of;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_syntax::ast::{AttributeName, ExprKind, Resource, ResourceBody};
use marotte_text::{TextRange, normalized, unrooted};

use super::{Assist, Spot};
use crate::data_entries::entries_of_key;

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
    if body.attributes.iter().any(|it| !matches!(it.name, AttributeName::Name(_))) {
        return None;
    }
    let is_given = |name: &str| {
        body.attributes.iter().any(|it| matches!(&it.name, AttributeName::Name(given) if given == name))
    };
    let environment = environment_of(spot.db, spot.at.file);
    let has_data = |name: &str| {
        let key = format!("{}::{name}", normalized(unrooted(item.name(spot.db))));
        item.kind(spot.db) == ItemKind::Class && !entries_of_key(spot.db, environment, &key).is_empty()
    };
    let types = semantics::parameter_types(spot.db, item);
    let all = item.signature(spot.db).parameters.iter().zip(types);
    let missing: Vec<_> =
        all.filter(|(it, _)| !it.is_optional && !is_given(&it.name) && !has_data(&it.name)).collect();
    if missing.is_empty() {
        return None;
    }
    let (end, indent) = match body.attributes.last() {
        Some(it) => (it.range.end(), spot.indent(it.range).to_owned()),
        None => {
            // After the colon of the title.
            let rest = &spot.text[usize::from(body.title.range.end())..];
            let colon = rest.find(':')? + 1;
            let colon = marotte_text::TextSize::try_from(colon).ok()?;
            (body.title.range.end() + colon, format!("{}  ", spot.indent(body.title.range)))
        }
    };
    let rest = &spot.text[usize::from(end)..];
    let has_comma = rest.trim_start().starts_with(',') && !body.attributes.is_empty();
    let comma = rest.len() - rest.trim_start().len() + 1;
    let at = if has_comma { end + marotte_text::TextSize::try_from(comma).ok()? } else { end };
    let mut text = if has_comma || body.attributes.is_empty() { String::new() } else { ",".to_owned() };
    for (it, known) in &missing {
        text += &format!("\n{indent}{} => {},", it.name, known.as_ref().map_or("undef".to_owned(), value_of));
    }
    // `{ 'title': }` is one line.
    let after = &spot.text[usize::from(at)..];
    let blanks = after.len() - after.trim_start_matches(' ').len();
    let mut replaced = TextRange::empty(at);
    if body.attributes.is_empty() && after[blanks..].starts_with('}') {
        replaced = TextRange::at(at, marotte_text::TextSize::try_from(blanks).ok()?);
        text += &format!("\n{}", spot.indent(body.title.range));
    }
    let names: Vec<String> = missing.iter().map(|(it, _)| format!("`{}`", it.name)).collect();
    let edits = vec![spot.edit(replaced, text)];
    Some(Assist { id: "add-parameters", title: format!("Add what is missing: {}", names.join(", ")), edits })
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

/// A sample value of a type: the emptiest one that is useful as a start.
fn value_of(kind: &Type) -> String {
    match kind.resolved().kind() {
        TypeKind::Integer(_) | TypeKind::Numeric => "0".to_owned(),
        TypeKind::Boolean(_) => "false".to_owned(),
        TypeKind::Array(..) | TypeKind::Tuple(_) => "[]".to_owned(),
        TypeKind::Hash(..) | TypeKind::Struct(_) => "{}".to_owned(),
        TypeKind::Enum(it) => it.values().first().map_or("''".to_owned(), |it| format!("'{it}'")),
        // The empty string, unless the type doesn't allow it.
        TypeKind::String(_) if !instance_of(Dialect::puppet8(), kind, &Value::from("")) => {
            "'changeme'".to_owned()
        }
        TypeKind::String(_) | TypeKind::Pattern(_) => "''".to_owned(),
        TypeKind::Variant(all) => all.first().map_or("undef".to_owned(), value_of),
        _ => "undef".to_owned(),
    }
}
