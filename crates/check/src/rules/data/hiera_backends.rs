//! `invalid-hiera-config` for the functions that a `hiera.yaml` names, and for their options: functions that exist nowhere, and
//! misspelled options of `eyaml_lookup_key`, which ignores them.

use marotte_diagnostics::{Level, Rule, rules};
use marotte_hiera::data::{Inner, Places};
use marotte_pcore::value::Value;
use marotte_resolve::functions::{Function, function};
use marotte_resolve::spelling::slip;
use marotte_resolve::suggest::{absent_module, misspelled_function, nearest_function};
use marotte_text::is_qualified;

use crate::data::DataContext;

const RULE: &Rule = rules::INVALID_HIERA_CONFIG;
/// The keys whose values are names of functions.
const KINDS: [&str; 3] = ["data_hash", "lookup_key", "data_dig"];
/// The options of `eyaml_lookup_key` that people set. Plug-ins of it have more.
const EYAML: [&str; 7] = [
    "pkcs7_private_key",
    "pkcs7_public_key",
    "pkcs7_private_key_env_var",
    "pkcs7_public_key_env_var",
    "gpg_gnupghome",
    "gpg_always_trust",
    "gpg_recipients",
];

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let document = context.document;
    for (key, _, value, places) in document.entries().into_iter().flatten() {
        match (key.as_str(), value, &places.inner) {
            (Some("defaults"), ..) => level(context, value, places),
            (Some("hierarchy" | "default_hierarchy"), Value::Array(all), Inner::Elements(inner)) => {
                all.iter().zip(inner.iter()).for_each(|(it, places)| level(context, it, places));
            }
            _ => {}
        }
    }
}

/// Checks a level of a hierarchy, or the defaults of all levels.
fn level(context: &mut DataContext<'_, '_>, value: &Value, places: &Places) {
    let mut is_eyaml = false;
    let mut options = None;
    for (key, _, value, places) in places.entries(value).into_iter().flatten() {
        match (key.as_str(), value.as_str()) {
            (Some(kind), Some(name)) if KINDS.contains(&kind) => {
                is_eyaml |= name == "eyaml_lookup_key";
                of_function(context, kind, name, places);
            }
            (Some("options"), None) => options = Some((value, places)),
            _ => {}
        }
    }
    let Some((value, places)) = options.filter(|_| is_eyaml) else { return };
    for (key, range, ..) in places.entries(value).into_iter().flatten() {
        let Some(name) = key.as_str().filter(|it| !EYAML.contains(it)) else { continue };
        let Some(meant) = slip(name, EYAML) else { continue };
        let message = format!("`eyaml_lookup_key` has surely no option `{name}`");
        let finding = context.report(RULE, range, message);
        finding.level = Level::Warning;
        finding.label = Some(format!("did you mean `{meant}`?"));
    }
}

fn of_function(context: &mut DataContext<'_, '_>, kind: &str, name: &str, places: &Places) {
    let (db, environment) = (context.db, context.environment);
    let (meant, is_certain) = match function(db, context.file, environment, name) {
        Function::Missing => {
            // Servers have modules in addition to those of an environment.
            let is_certain = !is_qualified(name) || absent_module(db, environment, name).is_none();
            (nearest_function(db, environment, name).map(|it| it.0), is_certain)
        }
        Function::Unknown => match misspelled_function(db, environment, name) {
            Some(meant) => (Some(meant.to_owned()), false),
            None => return,
        },
        Function::Builtin(_) | Function::Puppet(_) | Function::Ruby(_) => return,
    };
    let message = format!("there is no function `{name}` for `{kind}`");
    let finding = context.report(RULE, places.range, message);
    finding.label = Some(match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "not found".to_owned(),
    });
    if is_certain {
        finding.notes.push("every lookup that gets here fails".to_owned());
    } else {
        finding.level = Level::Warning;
    }
}
