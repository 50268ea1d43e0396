//! `value-type`: a data value for a class parameter that isn't of the parameter's type.

use marotte_diagnostics::{Level, rules};
use marotte_hiera::Layer;
use marotte_hiera::merge::StrategyKind;
use marotte_infer::declared::declared;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::data_files::data_files;
use marotte_text::unrooted;

use crate::context::parameter_at;
use crate::data::class_key::{ClassKey, class_key};
use crate::data::found::values_of_key;
use crate::data::merged::lacking;
use crate::data::options::{Treatment, treatments, treatments_here};
use crate::data::values::{Given, Wrong, wrong};
use crate::data::{DataContext, Entry};

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let db = context.db;
    for entry in context.entries() {
        let ClassKey::Parameter(item, index) = class_key(context.db, context.file, entry.key) else {
            continue;
        };
        let Some(Some(expected)) = declared(db, item).parameters.get(index) else { continue };
        // `undef` isn't a value: the default applies, or the parameter is missing (C40).
        if *entry.value == Value::Undef {
            continue;
        }
        let known = treatments(db, context.environment, entry.key);
        let is_certain = known.is_some();
        let Some(treatments) = known.or_else(|| treatments_here(db, context.environment, entry.key)) else {
            continue;
        };
        let name = &item.signature(db).parameters[index].name;
        let subject = format!("parameter `{name}` of `{}`", unrooted(item.name(db)));
        let given = Given { value: entry.value, places: entry.places, encrypted: context.encrypted };
        let found = |it: &Treatment| wrong(given, it, &subject, expected);
        // It has to be wrong under every possible treatment.
        let found = treatments.iter().map(found).collect::<Option<Vec<Wrong>>>();
        let Some(Wrong { range, message }) = found.and_then(|it| it.into_iter().next()) else {
            if let Some(lacking) = lacking_after_merge(context, &entry, &treatments, &subject, expected) {
                let finding = context.report(rules::VALUE_TYPE, lacking.range, lacking.message);
                finding.level = Level::Warning;
                finding.label = Some("lacks a key after all merges".to_owned());
                finding.related.extend(parameter_at(db, item, name, "the parameter is declared here"));
                finding
                    .notes
                    .push("the values of all levels are merged, and none of them has the key".to_owned());
            }
            continue;
        };
        let converts = treatments.iter().any(|it| it.convert.is_some());
        let related = parameter_at(db, item, name, "the parameter is declared here");
        let is_sensitive = matches!(expected.resolved().kind(), TypeKind::Sensitive(_));
        let finding = context.report(rules::VALUE_TYPE, range, message);
        finding.related.extend(related);
        if !is_certain {
            finding.level = Level::Warning;
            finding.notes.push("only `lookup_options` in data that is not here could convert it".to_owned());
        }
        if is_sensitive && !converts {
            finding.notes.push(
                "`convert_to: Sensitive` in the `lookup_options` of the key makes the value sensitive"
                    .to_owned(),
            );
        }
    }
}

/// Whether no data of a key is elsewhere: that of the site of a module that is checked alone, or a folder of secrets.
fn is_all_here(context: &DataContext<'_, '_>, key: &str) -> bool {
    let (db, environment) = (context.db, context.environment);
    let module = key.split_once("::").map(|(module, _)| Layer::Module(module.into()));
    let is_here = |layer| {
        let data = data_files(db, environment, layer);
        data.is_complete && data.has_all
    };
    environment.is_complete(db) && [Some(Layer::Environment), module].into_iter().flatten().all(is_here)
}

/// The required key that no level has, of a value that is merged. It is reported once: in the last file that has the hash.
fn lacking_after_merge(
    context: &DataContext<'_, '_>,
    entry: &Entry<'_>,
    treatments: &[Treatment],
    subject: &str,
    expected: &Type,
) -> Option<Wrong> {
    let is_merged = |it: &Treatment| {
        let is_plain = !it.knocks_out && it.convert.is_none();
        is_plain
            && matches!(it.merge, StrategyKind::Hash | StrategyKind::Deep | StrategyKind::UnconstrainedDeep)
    };
    if treatments.is_empty() || !treatments.iter().all(is_merged) {
        return None;
    }
    if !is_all_here(context, entry.key) {
        return None;
    }
    let is_deep = treatments.iter().all(|it| it.merge != StrategyKind::Hash);
    let values = values_of_key(context.db, context.environment, entry.key)?;
    let givens: Vec<_> = values.iter().map(|it| (it.file, it.given())).collect();
    lacking(&givens, context.file, is_deep, subject, expected)
}
