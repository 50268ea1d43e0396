//! The title patterns of a resource type.

use super::super::model::{Flags, Regexp, ResourceType, TitlePattern};
use crate::evaluate::{Scope, Value, Visit};
use crate::syntax::{Expr, ExprKind, Method};

/// The patterns of a type without a declaration: the whole title is the namevar. Unknown if there are several namevars:
/// Puppet then fails.
pub(super) fn usual(found: &ResourceType) -> Option<Vec<TitlePattern>> {
    let mut namevars = found.namevars();
    match (namevars.next(), namevars.next()) {
        (None, _) => Some(Vec::new()),
        (Some(namevar), None) => Some(vec![TitlePattern {
            regexp: Regexp { source: "(.*)".into(), flags: Flags { multi_line: true, ..Flags::default() } },
            attributes: vec![namevar.name.clone()],
        }]),
        _ => None,
    }
}

/// The patterns that `def self.title_patterns` returns, if its last expression is a literal.
pub(super) fn of(scope: &mut Scope<'_>, method: &Method) -> Option<Vec<TitlePattern>> {
    let (last, before) = method.body.split_last()?;
    let mut plain = Plain { plain: true };
    scope.walk(before, &mut plain);
    let value = match &last.kind {
        ExprKind::Return(values) => match &values[..] {
            [value] => scope.value(value),
            _ => Value::Unknown,
        },
        _ => scope.value(last),
    };
    let mut parts = method.body.iter();
    let converts = !parts.all(|it| only_identities(scope.source.text_of(it)));
    let names_conversions = scope.source.mentions(last, &PROCS) || method.body.len() > 1;
    match plain.plain && !converts {
        true => patterns(&value, names_conversions),
        false => None,
    }
}

/// The words that begin a proc.
const PROCS: [&str; 4] = ["lambda", "proc", "Proc", "->"];

/// Whether all procs in a text return their argument, as in `lambda { |x| x }`.
fn only_identities(text: &str) -> bool {
    let Some((at, word)) = PROCS.iter().filter_map(|it| Some((text.find(it)?, *it))).min() else {
        return true;
    };
    let rest = text[at + word.len()..].trim_start_matches(".new").trim_start();
    let between = |text: &'_ str, open: &str, close: &str| -> Option<(String, usize)> {
        let inner = text.strip_prefix(open)?;
        let end = inner.find(close)?;
        Some((inner[..end].trim().to_owned(), open.len() + end + close.len()))
    };
    // `->(x) { x }`, or `{ |x| x }` and `do |x| x end`.
    let identity = || {
        if word == "->" {
            let (parameter, length) = between(rest, "(", ")")?;
            let rest = rest[length..].trim_start();
            let (body, end) = between(rest, "{", "}")?;
            return (body == parameter).then_some(&rest[end..]);
        }
        let (body, length) = between(rest, "{", "}").or_else(|| between(rest, "do", "end"))?;
        let (parameter, value) = body.strip_prefix('|')?.split_once('|')?;
        (parameter.trim() == value.trim()).then_some(&rest[length..])
    };
    identity().is_some_and(only_identities)
}

/// The statements before the last: only assignments are simple; others may return anything.
struct Plain {
    plain: bool,
}

impl Visit for Plain {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        scope.forget(expr);
        self.plain &= !scope.source.mentions(expr, &["return", "raise"]);
    }
}

fn patterns(value: &Value, takes_conversions: bool) -> Option<Vec<TitlePattern>> {
    let Value::Array(patterns) = value else { return None };
    patterns.iter().map(|it| pattern(it, takes_conversions)).collect()
}

/// Reads `[/regexp/, [[:attribute, conversion], …]]`, where conversions return their argument. None for others.
fn pattern(value: &Value, takes_conversions: bool) -> Option<TitlePattern> {
    let Value::Array(pair) = value else { return None };
    let [Value::Regexp(regexp), Value::Array(attributes)] = &pair[..] else { return None };
    let attribute = |value: &Value| match value {
        Value::Array(attribute) => match attribute.get(1) {
            None | Some(Value::Nil) => attribute.first()?.text().cloned(),
            Some(_) if takes_conversions => attribute.first()?.text().cloned(),
            Some(_) => None,
        },
        _ => None,
    };
    Some(TitlePattern {
        regexp: regexp.clone(),
        attributes: attributes.iter().map(attribute).collect::<Option<_>>()?,
    })
}
