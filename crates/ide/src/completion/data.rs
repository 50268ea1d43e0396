//! Completion in data files.

use marotte_check::semantics;
use marotte_db::{environment_of, source_text};
use marotte_hiera::{Format, Layer, METHODS};
use marotte_hir::NameKind;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::data_files::hiera_file;
use marotte_text::{Str, TextRange, TextSize, split_namespace, unrooted};

use super::code::{MERGE_STRATEGIES, facts, trusted};
use super::yaml::{Step, YamlPlace, parts, place};
use super::{Found, names};
use crate::hover::shown_type;
use crate::token::{Named, OPTIONS, tokens};
use crate::{Access, Db, FilePosition, SymbolKind, signature};

/// The options of a key in `lookup_options`, and the values of each, as far as they are words.
const OPTIONS_OF_KEYS: [(&str, &[&str]); 2] = [("merge", &MERGE_STRATEGIES), ("convert_to", &["Sensitive"])];

/// The options of a merge that is written as a hash.
const OPTIONS_OF_MERGE: [&str; 4] =
    ["strategy", "knockout_prefix", "merge_hash_arrays", "sort_merged_arrays"];

pub(super) fn complete(db: &dyn Db, at: FilePosition, format: Format, found: &mut Found<'_>) {
    let text = source_text(db, at.file).text();
    let (before, after) = text.split_at(usize::from(at.offset));
    if open_expression(before).is_some() {
        return interpolations(db, at, found);
    }
    // The others have no lines from which the place follows.
    let Some(place) = place(before, after).filter(|_| format == Format::Yaml) else { return };
    match place.path[..] {
        [] if place.may_be_key => keys(db, at, place.written, found),
        [] => {}
        [Step::Key(OPTIONS), ref path @ ..] => options(db, at, &place, path, found),
        [Step::Key(key), Step::Element] if key == "classes" || key.ends_with("::classes") => {
            for class in names::definitions(db, environment_of(db, at.file), NameKind::Class) {
                found.add(written(at, &place), SymbolKind::Class, unrooted(class.name(db)));
            }
        }
        [Step::Key(key), ref path @ ..] => {
            if let Some(whole) = parameter_type(db, at, key) {
                of_types(&parts(&whole, path), at, &place, found);
            }
        }
        [Step::Element, ..] => {}
    }
}

/// The range of the text that was written at the place of the cursor.
fn written(at: FilePosition, place: &YamlPlace<'_>) -> TextRange {
    TextRange::new(at.offset - TextSize::of(place.written), at.offset)
}

/// Adds the keys and values that are possible at a place of `lookup_options`, at a path below it.
fn options(db: &dyn Db, at: FilePosition, place: &YamlPlace<'_>, path: &[Step<'_>], found: &mut Found<'_>) {
    let range = written(at, place);
    let mut add_keys = |names: &mut dyn Iterator<Item = &str>| {
        for name in names.filter(|it| !place.siblings.contains(it)) {
            add_key(range, name, found);
        }
    };
    match *path {
        [] if place.may_be_key => {
            let environment = environment_of(db, at.file);
            keys(db, at, place.written, found);
            for key in names::data_keys(db, environment) {
                add_key(range, key, found);
            }
            found.items.retain(|it| it.label != OPTIONS && !place.siblings.contains(&&*it.label));
        }
        [Step::Key(_)] if place.may_be_key => add_keys(&mut OPTIONS_OF_KEYS.iter().map(|it| it.0)),
        [Step::Key(_), Step::Key("merge")] if place.may_be_key => {
            add_keys(&mut OPTIONS_OF_MERGE.iter().copied());
        }
        [Step::Key(_), Step::Key(option)] | [Step::Key(_), Step::Key(option), Step::Key("strategy")] => {
            for value in OPTIONS_OF_KEYS.iter().filter(|it| it.0 == option).flat_map(|it| it.1) {
                found.add(range, SymbolKind::Value, *value);
            }
        }
        _ => {}
    }
}

fn add_key(range: TextRange, name: &str, found: &mut Found<'_>) {
    if let Some(it) = found.add(range, SymbolKind::DataKey, name) {
        it.insert = format!("{name}: ");
    }
}

/// Adds the keys and the values that types list.
pub(super) fn of_types(types: &[Type], at: FilePosition, place: &YamlPlace<'_>, found: &mut Found<'_>) {
    let range = written(at, place);
    for it in types {
        match it.resolved().kind() {
            TypeKind::Struct(all) if place.may_be_key => {
                for it in all.iter().filter(|it| !place.siblings.contains(&&*it.name)) {
                    if let Some(proposal) = found.add(range, SymbolKind::DataKey, &*it.name) {
                        proposal.insert = format!("{}: ", it.name);
                        proposal.rank = if it.optional { 2 } else { 1 };
                        proposal.detail = shown_type(&it.value);
                    }
                }
            }
            _ => listed(it, &mut |value| {
                found.add(range, SymbolKind::Value, value);
            }),
        }
    }
}

/// The type of the class parameter that a key sets.
fn parameter_type(db: &dyn Db, at: FilePosition, key: &str) -> Option<Type> {
    let (class, name) = split_namespace(key)?;
    let item = semantics::definition(db, at.file, NameKind::Class, class)?;
    let index = item.signature(db).parameters.iter().position(|it| it.name == name)?;
    semantics::parameter_types(db, item).get(index).cloned().flatten()
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
    for prefix in ["trusted.", "::trusted."] {
        if call.starts_with(prefix) {
            return trusted(db, at.file, written(call), prefix, found);
        }
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
    found.add(written, SymbolKind::Keyword, OPTIONS);
    let is_only_option = found.items.len() == 1;
    if !typed.is_empty() && !is_only_option {
        found.items.retain(|it| it.label != OPTIONS || OPTIONS.starts_with(typed));
    }
}

/// Passes the values that a type enumerates to a function.
fn listed(it: &Type, add: &mut dyn FnMut(&str)) {
    match it.resolved().kind() {
        TypeKind::Enum(it) => it.values().iter().for_each(|it| add(it)),
        TypeKind::String(it) => it.texts().into_iter().flatten().for_each(|it| add(it)),
        TypeKind::Boolean(_) => ["true", "false"].iter().for_each(|it| add(it)),
        _ => {}
    }
}
