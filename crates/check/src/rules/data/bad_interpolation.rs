//! `bad-interpolation`: an expression `%{…}` in data or in a `hiera.yaml` that fails, or has no value.

use marotte_diagnostics::{Level, Rule, rules};
use marotte_hiera::data::{Inner, Places};
use marotte_hiera::{Expression, ExpressionKind, LookupKey, METHODS, Method, expressions, unclosed};
use marotte_infer::inference::{element, misspelled_part};
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_resolve::globals::{fact_type, fact_with_part, is_global};
use marotte_resolve::spelling::{nearest, slip};
use marotte_resolve::suggest::misspelled_global;
use marotte_text::{TextRange, unrooted};

use crate::data::found::{has_key, misspelled_key};
use crate::data::{DataContext, strings};

const RULE: &Rule = rules::BAD_INTERPOLATION;

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let document = context.document;
    for (text, range) in strings(&document.value, &document.places) {
        not_closed(context, text, range);
        for expression in expressions(text) {
            in_data(context, text, range, &expression);
        }
    }
}

/// The configuration keys whose values are interpolated.
const INTERPOLATED: [&str; 9] =
    ["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths", "datadir", "options"];

pub(in crate::rules) fn check_configuration(context: &mut DataContext<'_, '_>) {
    let document = context.document;
    for (key, _, value, places) in document.entries().into_iter().flatten() {
        if !matches!(key.as_str(), Some("hierarchy" | "default_hierarchy" | "plan_hierarchy" | "defaults")) {
            continue;
        }
        for (text, range) in interpolated(value, places) {
            not_closed(context, text, range);
            for expression in expressions(text) {
                let at = context.range_of(range, text, expression.range.clone());
                match expression.kind {
                    ExpressionKind::Call(..) => {
                        let finding =
                            context.report(RULE, at, "no functions can be called in a `hiera.yaml`");
                        finding.label = Some("only variables can appear here".to_owned());
                    }
                    ExpressionKind::Variable(name) => variable(context, at, name),
                    ExpressionKind::Nothing => {}
                }
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
    finding.notes.push("for a percent sign, write `%{literal('%')}`".to_owned());
}

fn in_data(context: &mut DataContext<'_, '_>, text: &str, range: TextRange, expression: &Expression<'_>) {
    let at = context.range_of(range, text, expression.range.clone());
    match expression.kind {
        ExpressionKind::Call(Method::Unknown(name), _) => {
            let nearest = nearest(name, METHODS);
            let finding =
                context.report(RULE, at, format!("there is no function `{name}` in expressions of data"));
            finding.label = nearest.map(|it| format!("did you mean `{it}`?"));
            finding.notes.push(format!("there are {}", METHODS.map(|it| format!("`{it}`")).join(", ")));
        }
        ExpressionKind::Call(Method::Alias, _) if expression.range != (0..text.len()) => {
            let finding = context.report(RULE, at, "`alias` must be the whole text");
            finding.label = Some("something else appears beside this".to_owned());
            finding.notes.push("`lookup` puts a value into a text".to_owned());
        }
        ExpressionKind::Call(Method::Lookup | Method::Alias, key)
            if has_key(context.db, context.environment, key) == Some(false) =>
        {
            let finding = context.report(RULE, at, format!("no file of data has the key `{key}`"));
            finding.level = Level::Warning;
            finding.label = Some("this is an empty text".to_owned());
        }
        ExpressionKind::Call(Method::Lookup | Method::Alias, key)
            if let Some(meant) = LookupKey::parse(key)
                .ok()
                .filter(|_| has_key(context.db, context.environment, key).is_none())
                .and_then(|it| misspelled_key(context.db, context.environment, it.root)) =>
        {
            let message = format!("no file of data that is here has the key `{key}`");
            let finding = context.report(RULE, at, message);
            finding.level = Level::Warning;
            finding.label = Some(format!("did you mean `{meant}`?"));
        }
        ExpressionKind::Variable(name) => {
            let called = name.split_once('(').map(|(function, _)| function.trim());
            if let Some(function) = called.filter(|it| METHODS.contains(it)) {
                let finding = context.report(
                    RULE,
                    at,
                    format!("the argument of `{function}` must be one text in quotes; as written, this is a variable `{name}`"),
                );
                finding.label = Some(format!("write `%{{{function}('…')}}`"));
            } else {
                variable(context, at, name);
            }
        }
        _ => {}
    }
}

/// Facts of a site are unknown: only certain misspellings are reported, and impossible names.
fn variable(context: &mut DataContext<'_, '_>, at: TextRange, name: &str) {
    if name.contains("%{") {
        let finding = context.report(RULE, at, "`%{` opens an expression in an expression");
        finding.level = Level::Warning;
        finding.label = Some("this is an empty text".to_owned());
        finding.notes.push("a `}` is missing before the second one".to_owned());
        return;
    }
    let (what, meant) = match (misspelled(context, name), misspelled_variable(context, name)) {
        (Some(meant), _) => ("no machine has the fact", meant),
        (None, Some(meant)) => ("nothing sets the variable", meant),
        (None, None) => return,
    };
    let finding = context.report(RULE, at, format!("{what} `{name}`"));
    finding.level = Level::Warning;
    finding.label = Some(format!("did you mean `{meant}`?"));
}

/// The parts of `trusted` and of `server_facts` that every node has.
const TRUSTED: [&str; 6] = ["authenticated", "certname", "domain", "extensions", "external", "hostname"];
const SERVER: [&str; 5] = ["environment", "servername", "serverip", "serverip6", "serverversion"];

/// The variable of every node that a name such as `trusted.cername` is a misspelling of, or `enviroment`.
fn misspelled_variable(context: &DataContext<'_, '_>, name: &str) -> Option<String> {
    let name = unrooted(name);
    let (first, rest) = name.split_once('.').unwrap_or((name, ""));
    let parts: &[&str] = match first {
        "trusted" => &TRUSTED,
        "server_facts" => &SERVER,
        "facts" => return None,
        _ if first.contains("::") || is_global(context.db, context.file, context.environment, first) => {
            return None;
        }
        // `slip` takes a name with another ending for another name.
        "fact" => {
            let fact = rest.split('.').next()?;
            return is_global(context.db, context.file, context.environment, fact)
                .then(|| "facts".to_owned());
        }
        _ => {
            let meant = slip(first, ["trusted", "facts", "environment", "server_facts", "module_name"])?;
            return Some(meant.to_owned());
        }
    };
    let part = rest.split('.').next().filter(|it| !it.is_empty() && !parts.contains(it))?;
    nearest(part, parts.iter().copied()).map(str::to_owned)
}

/// The fact, or the part of one, that a name such as `facts.os.famly` is a misspelling of.
fn misspelled(context: &DataContext<'_, '_>, name: &str) -> Option<String> {
    let (db, environment) = (context.db, context.environment);
    let mut parts = unrooted(name).split('.');
    let fact = parts.next().filter(|it| *it == "facts").and_then(|_| parts.next())?;
    if !is_global(db, context.file, environment, fact) {
        let whole = |part| fact_with_part(fact, part).map(str::to_owned);
        return misspelled_global(db, context.file, environment, fact)
            .or_else(|| parts.next().and_then(whole));
    }
    let mut found = fact_type(db, environment, fact)?;
    for part in parts {
        let key = Type::literal(part);
        if let Some(meant) = misspelled_part(&found, &key) {
            return Some(meant.to_owned());
        }
        found = element(&found, &key)?;
    }
    None
}
