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
    if plain.plain { patterns(&value) } else { None }
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

fn patterns(value: &Value) -> Option<Vec<TitlePattern>> {
    let Value::Array(patterns) = value else { return None };
    patterns.iter().map(pattern).collect()
}

/// Reads `[/regexp/, [[:attribute, munge], …]]`.
fn pattern(value: &Value) -> Option<TitlePattern> {
    let Value::Array(pair) = value else { return None };
    let [Value::Regexp(regexp), Value::Array(attributes)] = &pair[..] else { return None };
    let attribute = |value: &Value| match value {
        Value::Array(attribute) => attribute.first()?.text().cloned(),
        _ => None,
    };
    Some(TitlePattern {
        regexp: regexp.clone(),
        attributes: attributes.iter().map(attribute).collect::<Option<_>>()?,
    })
}
