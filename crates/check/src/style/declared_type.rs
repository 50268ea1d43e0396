//! The values that the declared type of a parameter takes, as far as its text shows.

use marotte_syntax::ast::{Expr, ExprKind, Parameter};

use super::{Style, named_type};

/// Whether a type takes the values of some kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Yes,
    No,
    /// The type is an alias, or one whose parameters are not looked at; or it is not known whether the value gets there.
    Unknown,
}

/// The kinds of values that are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Undef,
}

/// A step from a default value to one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Element,
    Key,
    /// The value of a hash's key.
    Value,
}

/// Returns whether the type of a parameter takes the values of a kind in place of `value`, which is its default value or a part of
/// that. Without a type, it takes everything.
pub(super) fn takes_at(style: &Style<'_>, parameter: &Parameter, value: &Expr, kind: Kind) -> Takes {
    let (Some(declared), Some(default)) = (&parameter.type_expr, &parameter.value) else { return Takes::Yes };
    let mut path = Vec::new();
    for around in style.around.iter().filter(|it| default.range.contains_range(it.range)) {
        match &around.kind {
            ExprKind::Array(_) => path.push(Step::Element),
            ExprKind::Hash(hash) => {
                let is_key = hash.entries.iter().any(|it| it.key.range.contains_range(value.range));
                path.push(if is_key { Step::Key } else { Step::Value });
            }
            ExprKind::Parenthesized(_) => {}
            ExprKind::Selector(it)
                if it.entries.iter().any(|it| it.value.range.contains_range(value.range)) => {}
            // An argument may be of any type, but a branch is the default value.
            ExprKind::Call(_) | ExprKind::MethodCall(_) => return Takes::Yes,
            _ => return Takes::Unknown,
        }
    }
    takes(declared, &path, kind)
}

/// Returns the parameter whose default value contains an expression.
pub(super) fn parameter_around<'a>(style: &Style<'a>, expr: &Expr) -> Option<&'a Parameter> {
    let parameters = style.around.iter().rev().map(|it| match &it.kind {
        ExprKind::Class(it) => &*it.parameters,
        ExprKind::Define(it) => &*it.parameters,
        ExprKind::Function(it) => &*it.parameters,
        ExprKind::Plan(it) => &*it.parameters,
        ExprKind::Call(it) => it.lambda.as_ref().map_or(&[][..], |it| &*it.parameters),
        ExprKind::MethodCall(it) => it.lambda.as_ref().map_or(&[][..], |it| &*it.parameters),
        _ => &[],
    });
    let has = |it: &&Parameter| it.value.as_ref().is_some_and(|it| it.range.contains_range(expr.range));
    parameters.flatten().find(has)
}

fn takes(declared: &Expr, path: &[Step], kind: Kind) -> Takes {
    let Some(name) = named_type(declared) else { return Takes::Unknown };
    let ExprKind::Access(access) = &declared.kind else { return bare(name, path, kind) };
    match (name, path) {
        ("Optional", []) if kind == Kind::Undef => Takes::Yes,
        ("NotUndef", []) if kind == Kind::Undef => Takes::No,
        ("Optional" | "NotUndef" | "Variant", _) => any(&access.keys, path, kind),
        ("Array", [Step::Element, rest @ ..]) => {
            access.keys.first().map_or(Takes::Unknown, |it| takes(it, rest, kind))
        }
        ("Hash", [Step::Key, rest @ ..]) => {
            access.keys.first().map_or(Takes::Unknown, |it| takes(it, rest, kind))
        }
        ("Hash", [Step::Value, rest @ ..]) => {
            access.keys.get(1).map_or(Takes::Unknown, |it| takes(it, rest, kind))
        }
        ("Array" | "Hash" | "Tuple" | "Struct", [_, ..]) => Takes::Unknown,
        _ => bare(name, path, kind),
    }
}

/// Whether one of several types takes the values of a kind. A string is the type of that string.
fn any(types: &[Expr], path: &[Step], kind: Kind) -> Takes {
    let all = || {
        types.iter().map(|it| match &it.kind {
            ExprKind::String(_) => Takes::No,
            _ => takes(it, path, kind),
        })
    };
    match () {
        () if all().any(|it| it == Takes::Yes) => Takes::Yes,
        () if all().all(|it| it == Takes::No) => Takes::No,
        () => Takes::Unknown,
    }
}

/// The same of a type without parameters, or with parameters that don't matter.
fn bare(name: &str, path: &[Step], kind: Kind) -> Takes {
    match name {
        "Any" | "Data" | "RichData" | "Optional" => Takes::Yes,
        "NotUndef" if kind == Kind::Boolean || !path.is_empty() => Takes::Yes,
        "Array" | "Hash" | "Collection" if !path.is_empty() => Takes::Yes,
        "Boolean" | "Scalar" | "ScalarData" if path.is_empty() && kind == Kind::Boolean => Takes::Yes,
        "Undef" if path.is_empty() && kind == Kind::Undef => Takes::Yes,
        "Array" | "Boolean" | "Collection" | "Enum" | "Float" | "Hash" | "Integer" | "NotUndef"
        | "Numeric" | "Pattern" | "Regexp" | "Scalar" | "ScalarData" | "String" | "Struct" | "Tuple"
        | "Undef" => Takes::No,
        _ => Takes::Unknown,
    }
}
