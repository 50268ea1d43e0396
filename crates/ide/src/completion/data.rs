//! Completion in data files.

use marotte_check::semantics;
use marotte_db::{environment_of, source_text};
use marotte_hiera::{Layer, METHODS};
use marotte_hir::NameKind;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::data_files::hiera_file;
use marotte_text::{Str, TextRange, TextSize, split_namespace, unrooted};

use super::code::facts;
use super::{Found, names};
use crate::token::{Named, tokens};
use crate::{Access, Db, FilePosition, SymbolKind, signature};

pub(super) fn complete(db: &dyn Db, at: FilePosition, found: &mut Found<'_>) {
    let text = source_text(db, at.file).text();
    let before = &text[..usize::from(at.offset)];
    if open_expression(before).is_some() {
        return interpolations(db, at, found);
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_key = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':' | '-');
    let bare = line.trim_start_matches(['\'', '"']);
    if bare.chars().all(is_key) && !bare.contains(": ") && !line.starts_with(' ') {
        return keys(db, at, bare, found);
    }
    if let Some((key, value)) = line.split_once(": ") {
        values(db, at, key.trim_matches(['\'', '"']), value, found);
    }
}

/// The text after an unclosed `%{`.
fn open_expression(before: &str) -> Option<&str> {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let inside = &line[line.rfind("%{")? + 2..];
    (!inside.contains('}')).then_some(inside)
}

pub(super) fn interpolations(db: &dyn Db, at: FilePosition, found: &mut Found<'_>) {
    let text = source_text(db, at.file).text();
    let Some(inside) = open_expression(&text[..usize::from(at.offset)]) else { return };
    let environment = environment_of(db, at.file);
    let written = |part: &str| TextRange::new(at.offset - TextSize::of(part), at.offset);
    let call = inside.trim_start();
    if let Some((method, argument)) = call.split_once(['(']) {
        let argument = argument.trim_start_matches(['\'', '"']);
        if matches!(method, "lookup" | "hiera" | "alias") {
            for key in names::data_keys(db, environment) {
                found.add(written(argument), SymbolKind::DataKey, &**key);
            }
        }
        return;
    }
    if let Some(path) = call.strip_prefix("facts.").or_else(|| call.strip_prefix("::facts.")) {
        let mut segments: Vec<Str> = path.split('.').map(Str::from).collect();
        segments.pop();
        let prefix: String = ["facts."]
            .into_iter()
            .map(str::to_owned)
            .chain(segments.iter().map(|it| format!("{it}.")))
            .collect();
        let root = if call.starts_with("::") { "::" } else { "" };
        return facts(db, environment, written(call), &segments, &format!("{root}{prefix}"), found);
    }
    for name in ["facts.", "trusted.", "environment", "::facts."] {
        found.add(written(call), SymbolKind::Variable, name);
    }
    for method in METHODS {
        if let Some(it) = found.add(written(call), SymbolKind::Function, method) {
            it.insert = format!("{method}('$1')");
            it.is_snippet = true;
        }
    }
}

/// Adds the class parameters that the file doesn't set.
fn keys(db: &dyn Db, at: FilePosition, typed: &str, found: &mut Found<'_>) {
    let environment = environment_of(db, at.file);
    let Some(hiera) = hiera_file(db, at.file) else { return };
    let written = TextRange::new(at.offset - TextSize::of(typed), at.offset);
    let all = tokens(db, at.file);
    let given: Vec<&Str> = all
        .iter()
        .filter(|it| it.access == Access::Definition && !it.range.contains_inclusive(at.offset))
        .filter_map(|it| match &it.named {
            Named::DataKey(key) => Some(key),
            _ => None,
        })
        .collect();
    for class in names::definitions(db, environment, NameKind::Class) {
        let name = unrooted(class.name(db));
        if let Layer::Module(module) = &hiera.layer
            && name.split("::").next() != Some(&**module)
        {
            continue;
        }
        if class.signature(db).parameters.is_empty()
            || !super::fits(name, split_namespace(typed).map_or("", |it| it.0))
        {
            continue;
        }
        let signature = signature::of_item(db, class);
        for parameter in &signature.parameters {
            let key = format!("{name}::{}", parameter.name);
            if given.iter().any(|it| ***it == key) {
                continue;
            }
            if let Some(it) = found.add(written, SymbolKind::DataKey, key) {
                it.insert = format!("{}: ", it.label);
                it.detail = Some(parameter.text.clone());
                it.rank = if parameter.is_optional { 2 } else { 1 };
            }
        }
    }
    found.add(written, SymbolKind::Keyword, "lookup_options");
    let is_only_option = found.items.len() == 1;
    if !typed.is_empty() && !is_only_option {
        found.items.retain(|it| it.label != "lookup_options" || "lookup_options".starts_with(typed));
    }
}

/// Adds the values that the type of a parameter enumerates.
fn values(db: &dyn Db, at: FilePosition, key: &str, typed: &str, found: &mut Found<'_>) {
    let Some((class, name)) = split_namespace(key) else { return };
    let Some(item) = semantics::definition(db, at.file, NameKind::Class, class) else { return };
    let Some(index) = item.signature(db).parameters.iter().position(|it| it.name == name) else { return };
    let typed = typed.trim_start().trim_start_matches(['\'', '"']);
    let written = TextRange::new(at.offset - TextSize::of(typed), at.offset);
    if let Some(it) = semantics::parameter_types(db, item).get(index).cloned().flatten() {
        listed(&it, &mut |value| {
            found.add(written, SymbolKind::Value, value);
        });
    }
}

fn listed(it: &Type, add: &mut dyn FnMut(&str)) {
    match it.resolved().kind() {
        TypeKind::Enum(it) => it.values().iter().for_each(|it| add(it)),
        TypeKind::String(it) => it.texts().into_iter().flatten().for_each(|it| add(it)),
        TypeKind::Boolean(_) => ["true", "false"].iter().for_each(|it| add(it)),
        TypeKind::Optional(Some(it)) => listed(it, add),
        TypeKind::Variant(all) => all.iter().for_each(|it| listed(it, add)),
        _ => {}
    }
}
