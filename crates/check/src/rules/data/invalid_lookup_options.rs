//! `invalid-lookup-options`: `lookup_options` that are invalid, or have no effect.

use marotte_diagnostics::{Diagnostic, Level, Rule, rules};
use std::sync::Arc;

use marotte_hiera::LookupKey;
use marotte_hiera::data::{Inner, Places};
use marotte_hiera::merge::{Strategy, StrategyKind};
use marotte_hir::body::Expr;
use marotte_pcore::create::named;
use marotte_pcore::print::capitalize_segments;
use marotte_pcore::regexp::Regexp;
use marotte_pcore::value::{Hash, Value};
use marotte_resolve::dialect;
use marotte_resolve::spelling::nearest;
use marotte_syntax::Mode;
use marotte_text::{TextRange, unrooted};

use crate::data::DataContext;
use crate::data::class_key::{ClassKey, class_key};
use crate::data::options::mentions_expression;
use crate::data::reads::may_be_read;

const RULE: &Rule = rules::INVALID_LOOKUP_OPTIONS;

/// The options that a key can have.
const OPTIONS: [&str; 2] = ["merge", "convert_to"];

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let key = LookupKey::lookup_options();
    let Some(all) = context.entries().find(|it| it.key == &*key.root) else { return };
    if is_open(all.value) || *all.value == Value::Undef {
        return;
    }
    let Some(entries) = all.places.entries(all.value) else {
        let message = format!("`lookup_options` are a hash of keys, but this is {}", all.value.kind_name());
        report(context, all.key_range, message, "no lookup of any key succeeds");
        return;
    };
    for (key, at, options, places) in entries {
        key_is_fit(context, key, at);
        key_is_misspelled(context, key, at);
        of_key(context, options, places);
    }
}

fn report<'c>(
    context: &'c mut DataContext<'_, '_>,
    range: TextRange,
    message: String,
    label: &str,
) -> &'c mut Diagnostic {
    let finding = context.report(RULE, range, message);
    finding.label = Some(label.to_owned());
    finding
}

/// Whether a value is a string that is complete only after a lookup.
fn is_open(value: &Value) -> bool {
    value.as_str().is_some_and(|it| it.contains("%{"))
}

/// Checks a key: a name or a pattern; in a module's data, within the module's namespace.
fn key_is_fit(context: &mut DataContext<'_, '_>, key: &Value, at: TextRange) {
    let Some(key) = key.as_str() else {
        let message = format!(
            "`lookup_options` has keys of data and patterns for them, but this is {}",
            key.kind_name()
        );
        report(context, at, message, "not a text");
        return;
    };
    let pattern = key.strip_prefix('^');
    if let Some(module) = context.module()
        && !pattern.unwrap_or(key).starts_with(&format!("{module}::"))
        && !key.starts_with("%{")
    {
        let message = format!("`lookup_options` of the module `{module}` are about keys of another module");
        let finding = report(context, at, message, "no lookup of the module's keys succeeds");
        finding
            .notes
            .push(format!("every key has to start with `{module}::`, and every pattern with `^{module}::`"));
    } else if pattern.is_some()
        && !key.contains("%{")
        && let Err(error) = Regexp::new(key)
    {
        report(context, at, format!("this is not a regular expression: {error}"), "no lookup succeeds");
    }
}

/// Reports a key that is none of a class's parameters, but almost one. Keys that are looked up by name are known as such.
fn key_is_misspelled(context: &mut DataContext<'_, '_>, key: &Value, at: TextRange) {
    let Some(key) = key.as_str() else { return };
    let (db, environment) = (context.db, context.environment);
    let ClassKey::NoParameter(item, name) = class_key(context.db, context.file, key) else { return };
    let parameters = &item.signature(db).parameters;
    let meant = nearest(name, parameters.iter().map(|it| it.name.as_str())).map(str::to_owned);
    let Some(meant) = meant.filter(|_| !may_be_read(db, environment, context.layer, key)) else { return };
    let class = unrooted(item.name(db));
    let message = format!("the class `{class}` has no parameter `{name}`, and nothing looks up `{key}`");
    let finding = report(context, at, message, "no key that is looked up");
    finding.level = Level::Warning;
    finding.notes.push(format!("did you mean `{class}::{meant}`?"));
}

fn of_key(context: &mut DataContext<'_, '_>, options: &Value, places: &Places) {
    if is_open(options) || matches!(options, Value::Undef | Value::Boolean(false)) {
        return;
    }
    let Some(entries) = places.entries(options) else {
        let message = format!(
            "the options of a key are a hash with `merge` or `convert_to`, but this is {}",
            options.kind_name()
        );
        let finding = report(context, places.range, message, "not a hash");
        if let Value::String(text) = options {
            // Ruby finds no `merge` in most strings, and continues.
            finding.level = Level::Warning;
            finding.label = Some("says nothing".to_owned());
            if StrategyKind::ALL.iter().any(|it| it.name() == text.as_str()) {
                finding.notes.push(format!("`{{merge: {text}}}` chooses the strategy"));
            }
        }
        return;
    };
    for (name, name_at, value, places) in entries {
        match name.as_str() {
            Some("merge") => merge(context, value, places),
            Some("convert_to") => convert_to(context, value, places),
            Some(name) if name.contains("%{") => {}
            _ => unknown(context, name, name_at),
        }
    }
}

/// Reports an option that nothing reads.
fn unknown(context: &mut DataContext<'_, '_>, name: &Value, at: TextRange) {
    let shown = name.as_str().map_or_else(|| name.kind_name().to_owned(), |it| format!("`{it}`"));
    let message = format!("keys have no option {shown}, only `merge` and `convert_to`");
    let finding = report(context, at, message, "says nothing");
    finding.level = Level::Warning;
    match name.as_str() {
        Some("strategy") => {
            finding.notes.push("a strategy and its options are the value of `merge`".to_owned());
        }
        Some(name) => finding.notes.extend(nearest(name, OPTIONS).map(|it| format!("did you mean `{it}`?"))),
        None => {}
    }
}

/// Checks the merge strategy of a key's values.
fn merge(context: &mut DataContext<'_, '_>, value: &Value, places: &Places) {
    if mentions_expression(value) {
        return;
    }
    let Err(error) = Strategy::of_value(dialect(), Some(value)) else { return };
    let (name, range) = match value {
        Value::Hash(options) => match (options.get_str("strategy"), places.entries(value)) {
            (Some(name), Some(mut entries)) => {
                let at = entries.find(|it| it.0.as_str() == Some("strategy"));
                (Some(name), at.map_or(places.range, |it| it.3.range))
            }
            _ => (None, places.range),
        },
        name => (Some(name), places.range),
    };
    let strategies = StrategyKind::ALL.map(StrategyKind::name);
    match name.and_then(Value::as_str) {
        Some(name) if !strategies.contains(&name) => {
            let finding = report(
                context,
                range,
                format!("there is no merge strategy `{name}`"),
                "no lookup of the key succeeds",
            );
            let near = nearest(name, strategies);
            finding.notes.push(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the strategies are `first`, `unique`, `hash` and `deep`".to_owned(),
            });
        }
        _ => {
            let message = format!("values cannot be merged so: {}", lower_first(&error.to_string()));
            let range = refused_option(value, places).unwrap_or(places.range);
            report(context, range, message, "no lookup of the key succeeds");
        }
    }
}

/// The range of the first option that a strategy doesn't have, or not with such a value.
fn refused_option(value: &Value, places: &Places) -> Option<TextRange> {
    let Value::Hash(options) = value else { return None };
    let strategy = options.get_str("strategy")?;
    let is_refused = |key: &Value, option: &Value| {
        let alone: Hash =
            [("strategy".into(), strategy.clone()), (key.clone(), option.clone())].into_iter().collect();
        Strategy::of_value(dialect(), Some(&Value::Hash(Arc::new(alone)))).is_err()
    };
    places.entries(value)?.find(|(key, _, option, _)| is_refused(key, option)).map(|(_, at, ..)| at)
}

fn lower_first(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|it| it.to_lowercase().chain(rest).collect()).unwrap_or_default()
}

/// Checks the type that a key's value is converted to, which must be a built-in one: aliases of modules aren't available there.
fn convert_to(context: &mut DataContext<'_, '_>, value: &Value, places: &Places) {
    let (first, range) = match (value, &places.inner) {
        (Value::Array(arguments), Inner::Elements(inner)) => match (arguments.first(), inner.first()) {
            (Some(first), Some(places)) => (first, places.range),
            _ => (&Value::Undef, places.range),
        },
        _ => (value, places.range),
    };
    let Value::String(text) = first else {
        if value != &Value::Undef {
            let message = format!("`convert_to` is the name of a type, but this is {}", first.kind_name());
            report(context, range, message, "not a type");
        }
        return;
    };
    if mentions_expression(first) {
        return;
    }
    match type_name(text) {
        None => {
            let message = format!("`convert_to` is the name of a type, but `{text}` is none");
            let finding = report(context, range, message, "not a type");
            let capital = capitalize_segments(text);
            if named(dialect(), &capital).is_some() {
                finding.notes.push(format!("did you mean `{capital}`?"));
            }
        }
        Some(name) if named(dialect(), &name).is_none() => {
            let message =
                format!("values cannot be converted to `{name}`, which is not a type of the language");
            let finding = report(context, range, message, "no lookup of the key succeeds");
            match nearest(&name, CONVERTIBLE) {
                Some(near) => finding.notes.push(format!("did you mean `{near}`?")),
                None => finding.notes.push("aliases and types of modules are not known here".to_owned()),
            }
        }
        Some(_) => {}
    }
}

/// Types that values can be converted to.
const CONVERTIBLE: [&str; 16] = [
    "Array",
    "Binary",
    "Boolean",
    "Float",
    "Hash",
    "Integer",
    "Numeric",
    "Regexp",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Timespan",
    "Timestamp",
    "URI",
    "Variant",
];

/// The name of the type that a text denotes. None if it doesn't denote a type.
fn type_name(text: &str) -> Option<String> {
    let parse = marotte_syntax::parse(text, Mode::default());
    let lowered = marotte_hir::lower(&parse.program);
    let [only] = *lowered.main.statements else { return None };
    if !parse.errors.is_empty() {
        return None;
    }
    let mut at = lowered.main.expr(only);
    if let Expr::Access { target, .. } = at {
        at = lowered.main.expr(*target);
    }
    match at {
        Expr::Reference(name) => Some(name.to_string()),
        _ => None,
    }
}
