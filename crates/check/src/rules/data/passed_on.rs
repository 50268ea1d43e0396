//! `unresolved-class`, `unknown-parameter`, `unknown-attribute` and `value-type` for data that code passes on: lists of classes that it
//! declares, and hashes of resources.

use marotte_diagnostics::{Diagnostic, Level, Rule, rules};
use marotte_hiera::data::{Inner, Places};
use marotte_hiera::merge::StrategyKind;
use marotte_hir::{Item, NameKind};
use marotte_infer::declared::declared;
use marotte_pcore::value::Value;
use marotte_resolve::names::{Lookup, look_up};
use marotte_resolve::resource_types::{ResourceTypeName, described, is_universal, resource_type};
use marotte_resolve::ruby::may_extend;
use marotte_resolve::spelling::nearest;
use marotte_resolve::suggest::{in_misspelled_module, in_own_module, nearest_definition};
use marotte_text::{Str, TextRange, unrooted};

use crate::context::parameter_at;
use crate::data::class_key::{ClassKey, class_key};
use crate::data::options::{Treatment, treatments};
use crate::data::passed_on::passed_on;
use crate::data::values::{Given, wrong};
use crate::data::{DataContext, Entry};
use crate::incremental::overview::class_keys;
use crate::rules::names::not_found::ONLY_ELSEWHERE;

/// Checks the names of classes in lists that code declares.
pub(in crate::rules) fn classes(context: &mut DataContext<'_, '_>) {
    let db = context.db;
    let keys = class_keys(db, context.environment);
    if keys.is_empty() {
        return;
    }
    for entry in context.entries().filter(|it| keys.contains(it.key)) {
        let named: Vec<(&str, TextRange)> = match (entry.value, &entry.places.inner) {
            (Value::String(name), _) => vec![(name, entry.places.range)],
            (Value::Array(names), Inner::Elements(inner)) => {
                names.iter().zip(inner.iter()).filter_map(|(it, at)| Some((it.as_str()?, at.range))).collect()
            }
            _ => continue,
        };
        for (name, range) in named {
            // Interpolated names, and those that remove others from a merged list.
            let is_name = unrooted(name).split("::").all(|it| {
                it.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
                    && it.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
            });
            if !is_name {
                continue;
            }
            let found = look_up(db, context.file, NameKind::Class, name);
            let meant = match found {
                Lookup::Missing => in_own_module(db, context.file, NameKind::Class, name)
                    .or_else(|| nearest_definition(db, context.environment, NameKind::Class, name)),
                // Its module is not here, but another one that has such a class.
                Lookup::Unknown => match in_misspelled_module(db, context.file, NameKind::Class, name) {
                    None => continue,
                    found => found,
                },
                Lookup::Found(_) => continue,
            };
            let message = format!("there is no class `{}`", unrooted(name));
            let finding = context.report(rules::UNRESOLVED_CLASS, range, message);
            if found == Lookup::Unknown {
                finding.level = Level::Warning;
                finding.notes.push(ONLY_ELSEWHERE.to_owned());
            }
            finding.label = Some(match meant {
                Some(meant) => format!("did you mean `{}`?", unrooted(meant.name(db))),
                None => "not found".to_owned(),
            });
            finding.notes.push(format!("code declares the classes that `{}` lists", entry.key));
        }
    }
}

/// Checks the attributes of resources in hashes that a class declares resources from.
pub(in crate::rules) fn resources(context: &mut DataContext<'_, '_>) {
    let db = context.db;
    for entry in context.entries() {
        let ClassKey::Parameter(class, index) = class_key(context.db, context.file, entry.key) else {
            continue;
        };
        let name = &class.signature(db).parameters[index].name;
        let mut types = passed_on(db, class).resources.iter().filter(|it| it.0 == *name).map(|it| &it.1);
        let (Some(of), None) = (types.next(), types.next()) else { continue };
        let Some(treatments) = treatments(db, context.environment, entry.key) else { continue };
        if treatments.iter().any(|it| it.convert.is_some() || it.knocks_out) {
            continue;
        }
        entries_of(context, &entry, of, class);
    }
}

fn entries_of(context: &mut DataContext<'_, '_>, entry: &Entry<'_>, of: &Str, class: Item<'_>) {
    let db = context.db;
    let found = resource_type(db, class.file(db), context.environment, of);
    for (_, _, attributes, places) in entry.places.entries(entry.value).into_iter().flatten() {
        for (attribute, at, value, places) in places.entries(attributes).into_iter().flatten() {
            let Some(name) = attribute.as_str().filter(|it| !it.contains("%{")) else { continue };
            if is_universal(name) && name != "name" {
                continue;
            }
            match found {
                ResourceTypeName::Define(item) => parameter(context, item, (name, at), (value, places)),
                _ => native(context, found, of, name, at),
            }
        }
    }
}

fn parameter(
    context: &mut DataContext<'_, '_>,
    item: Item<'_>,
    (name, at): (&str, TextRange),
    (value, places): (&Value, &Places),
) {
    let db = context.db;
    let signature = item.signature(db);
    let of = format!("{} `{}`", item.kind(db).noun(), unrooted(item.name(db)));
    let Some(index) = signature.parameters.iter().position(|it| it.name == name) else {
        if name != "name" {
            let nearest = nearest(name, signature.parameters.iter().map(|it| it.name.as_str()));
            let related = nearest.and_then(|it| parameter_at(db, item, it, format!("did you mean `{it}`?")));
            let finding =
                unknown(context, rules::UNKNOWN_PARAMETER, at, format!("{of} has no parameter `{name}`"));
            finding.label = Some("not a parameter".to_owned());
            finding.related.extend(related);
        }
        return;
    };
    // Collections may be merged with those of other levels.
    if matches!(value, Value::Hash(_) | Value::Array(_) | Value::Undef) {
        return;
    }
    let Some(Some(expected)) = declared(db, item).parameters.get(index) else { return };
    let given = Given { value, places, encrypted: context.encrypted };
    let treatment = Treatment { merge: StrategyKind::First, knocks_out: false, convert: None };
    let subject = format!("parameter `{name}` of `{}`", unrooted(item.name(db)));
    let Some(wrong) = wrong(given, &treatment, &subject, expected) else { return };
    let related = parameter_at(db, item, name, "the parameter is declared here");
    context.report(rules::VALUE_TYPE, wrong.range, wrong.message).related.extend(related);
}

fn native(
    context: &mut DataContext<'_, '_>,
    found: ResourceTypeName<'_>,
    of: &Str,
    name: &str,
    at: TextRange,
) {
    let (db, environment) = (context.db, context.environment);
    let Some(described) = described(db, found, of) else { return };
    let is_provider = name == "provider" && matches!(found, ResourceTypeName::Plugin(_));
    if name == "name"
        || is_provider
        || described.attribute(name).is_some()
        || may_extend(db, environment, described.name.clone(), name.into())
    {
        return;
    }
    let nearest = nearest(name, described.attributes.iter().map(|it| it.name.as_str()));
    let message = format!("resource type `{of}` has no attribute `{name}`");
    unknown(context, rules::UNKNOWN_ATTRIBUTE, at, message).label = Some(match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "not an attribute".to_owned(),
    });
}

fn unknown<'c>(
    context: &'c mut DataContext<'_, '_>,
    rule: &'static Rule,
    at: TextRange,
    message: String,
) -> &'c mut Diagnostic {
    context.report(rule, at, message)
}
