//! `value-type`: a data value for a class parameter that isn't of the parameter's type.

use marotte_infer::declared::declared;
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::Value;
use marotte_text::unrooted;

use crate::context::parameter_at;
use crate::data::DataContext;
use crate::data::class_key::{ClassKey, class_key};
use crate::data::options::{Treatment, treatments};
use crate::data::values::{Given, Wrong, wrong};

pub(super) fn check(context: &mut DataContext<'_, '_>) {
    let db = context.db;
    for entry in context.entries() {
        let ClassKey::Parameter(item, index) = class_key(context, entry.key) else { continue };
        let Some(Some(expected)) = declared(db, item).parameters.get(index) else { continue };
        // `undef` isn't a value: the default applies, or the parameter is missing (C40).
        if *entry.value == Value::Undef {
            continue;
        }
        let Some(treatments) = treatments(db, context.environment, entry.key) else { continue };
        let name = &item.signature(db).parameters[index].name;
        let subject = format!("parameter `{name}` of `{}`", unrooted(item.name(db)));
        let given = Given { value: entry.value, places: entry.places, encrypted: context.encrypted };
        let found = |it: &Treatment| wrong(given, it, &subject, expected);
        // It has to be wrong under every possible treatment.
        let Some(found) = treatments.iter().map(found).collect::<Option<Vec<Wrong>>>() else { continue };
        let Some(Wrong { range, message }) = found.into_iter().next() else { continue };
        let converts = treatments.iter().any(|it| it.convert.is_some());
        let related = parameter_at(db, item, name, "the parameter is declared here");
        let is_sensitive = matches!(expected.resolved().kind(), TypeKind::Sensitive(_));
        let finding = context.report("value-type", range, message);
        finding.related.extend(related);
        if is_sensitive && !converts {
            finding.notes.push(
                "`convert_to: Sensitive` in the `lookup_options` of the key makes the value sensitive"
                    .to_owned(),
            );
        }
    }
}
