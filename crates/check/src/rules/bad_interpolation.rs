//! `bad-interpolation`: an expression `%{…}` in data or in a `hiera.yaml` fails, or stands for nothing.

use marotte_diagnostics::Level;
use marotte_hiera::data::{Inner, Places};
use marotte_hiera::queries::{data_files, layer_keys};
use marotte_hiera::{Asks, Expression, Layer, LookupKey, METHODS, Method, expressions, unclosed};
use marotte_pcore::value::Value;
use marotte_text::TextRange;

use crate::data::{DataContext, strings};
use crate::names::nearest;

const RULE: &str = "bad-interpolation";

pub(super) fn check(context: &mut DataContext<'_, '_>) {
    let document = context.document;
    for (text, range) in strings(&document.value, &document.places) {
        not_closed(context, text, range);
        for expression in expressions(text) {
            in_data(context, text, range, &expression);
        }
    }
}

/// The keys of a configuration whose texts are interpolated.
const INTERPOLATED: [&str; 9] =
    ["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths", "datadir", "options"];

pub(super) fn check_configuration(context: &mut DataContext<'_, '_>) {
    let document = context.document;
    for (key, _, value, places) in document.entries().into_iter().flatten() {
        if !matches!(key.as_str(), Some("hierarchy" | "default_hierarchy" | "plan_hierarchy" | "defaults")) {
            continue;
        }
        for (text, range) in interpolated(value, places) {
            not_closed(context, text, range);
            for expression in expressions(text) {
                let Asks::Call(..) = expression.asks else { continue };
                let at = context.range_of(range, text, expression.range.clone());
                let finding = context.report(RULE, at, "no functions can be called in a `hiera.yaml`");
                finding.label = Some("only variables can stand here".to_owned());
            }
        }
    }
}

fn interpolated<'v>(value: &'v Value, places: &'v Places) -> Vec<(&'v str, TextRange)> {
    match (value, &places.inner) {
        (Value::Array(elements), Inner::Elements(inner)) => {
            elements.iter().zip(inner.iter()).flat_map(|(it, places)| interpolated(it, places)).collect()
        }
        _ => {
            let entries = places.entries(value).into_iter().flatten();
            let entries =
                entries.filter(|(key, ..)| key.as_str().is_some_and(|it| INTERPOLATED.contains(&it)));
            entries.flat_map(|(_, _, value, places)| strings(value, places)).collect()
        }
    }
}

fn not_closed(context: &mut DataContext<'_, '_>, text: &str, range: TextRange) {
    let Some(at) = unclosed(text) else { return };
    let part = text[at..].lines().next().unwrap_or_default();
    let at = context.range_of(range, text, at..at + part.len());
    let finding = context.report(RULE, at, "`%{` opens an expression that no `}` closes");
    finding.level = Level::Warning;
    finding.label = Some("this stays as it is".to_owned());
    finding.notes.push("where a percent sign is meant, write `%{literal('%')}`".to_owned());
}

fn in_data(context: &mut DataContext<'_, '_>, text: &str, range: TextRange, expression: &Expression<'_>) {
    let at = context.range_of(range, text, expression.range.clone());
    match expression.asks {
        Asks::Call(Method::Unknown(name), _) => {
            let nearest = nearest(name, METHODS);
            let finding =
                context.report(RULE, at, format!("there is no function `{name}` in expressions of data"));
            finding.label = nearest.map(|it| format!("did you mean `{it}`?"));
            finding.notes.push(format!("there are {}", METHODS.map(|it| format!("`{it}`")).join(", ")));
        }
        Asks::Call(Method::Alias, _) if expression.range != (0..text.len()) => {
            let finding = context.report(RULE, at, "`alias` must be the whole text");
            finding.label = Some("something else stands beside this".to_owned());
            finding.notes.push("`lookup` puts a value into a text".to_owned());
        }
        Asks::Call(Method::Lookup | Method::Alias, key) if exists(context, key) == Some(false) => {
            let finding = context.report(RULE, at, format!("no file of data has the key `{key}`"));
            finding.level = Level::Warning;
            finding.label = Some("this is an empty text".to_owned());
        }
        Asks::Variable(name) => {
            let called = name.split_once('(').map(|(function, _)| function.trim());
            if let Some(function) = called.filter(|it| METHODS.contains(it)) {
                let finding = context.report(
                    RULE,
                    at,
                    format!("the argument of `{function}` must be one text in quotes; as it stands, this is a variable `{name}`"),
                );
                finding.label = Some(format!("write `%{{{function}('…')}}`"));
            }
        }
        _ => {}
    }
}

/// Whether some file of data has a key. None if nobody can say: some data is not here.
fn exists(context: &DataContext<'_, '_>, key: &str) -> Option<bool> {
    let (db, environment) = (context.db, context.environment);
    let key = LookupKey::parse(key).ok()?;
    let module = key.module().map(|it| Layer::Module(it.into()));
    let mut all_there = environment.is_complete(db);
    for layer in [Some(Layer::Environment), module].into_iter().flatten() {
        if layer_keys(db, environment, layer.clone()).contains(&key.root) {
            return Some(true);
        }
        let data = data_files(db, environment, layer);
        all_there &= data.is_complete && data.has_all;
    }
    all_there.then_some(false)
}
