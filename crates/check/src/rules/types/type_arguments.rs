//! `argument-count`, `argument-type` and `invalid-regex` for types: the parameters in brackets after a type's name aren't those
//! that the type accepts (the items of each type in D.1).

use marotte_db::Settings;
use marotte_diagnostics::rules;
use marotte_hir::body::Expr;
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::declared::type_in;
use marotte_pcore::create::{CreateError, TYPE_NAMES, named, parameterize};
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::{Hash, Value};
use marotte_resolve::dialect;
use marotte_resolve::types::makes_type;

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, body) = (context.db, context.body);
    // Bolt adds types of its own, and type sets name their members.
    if context.item.kind(db) == ItemKind::Plan || makes_type(db, context.item) {
        return;
    }
    for (id, expr) in body.exprs() {
        let Expr::Access { target, keys } = expr else { continue };
        let Expr::Reference(name) = body.expr(*target) else { continue };
        let Some(it) = named(dialect(), name) else { continue };
        if !takes_values(&it) || are_types(context, &it, keys) {
            continue;
        }
        if let ([key], TypeKind::Optional(_) | TypeKind::NotUndef(_)) = (&keys[..], it.kind())
            && let Some(meant) = type_in_lower_case(context, *key)
            && !is_key_of_hash(context, id)
        {
            let message = format!("`{name}` of a text accepts only this text");
            let finding = context.report(rules::ARGUMENT_TYPE, At::Expr(*key), message);
            finding.label = Some(format!("did you mean `{meant}`?"));
            continue;
        }
        let values: Option<Vec<Value>> = keys.iter().map(|key| value(context, *key)).collect();
        let Some(values) = values else { continue };
        let Err(error) = parameterize(dialect(), &it, &values) else { continue };
        // Its meaning in the current dialect is reported by `dialect-change`.
        let written_in = Settings::get(db).dialect(db);
        if named(written_in, name).is_none_or(|it| parameterize(written_in, &it, &values).is_ok()) {
            continue;
        }
        let (rule, at) = match &error {
            CreateError::Arity { .. }
            | CreateError::RangeArity { .. }
            | CreateError::StringArity { .. }
            | CreateError::NotParameterized { .. } => (rules::ARGUMENT_COUNT, *target),
            CreateError::Regexp(error) if error.unsupported => continue,
            CreateError::Regexp(_) => (rules::INVALID_REGEX, culprit(&it, &values, keys)),
            _ => (rules::ARGUMENT_TYPE, culprit(&it, &values, keys)),
        };
        let message = error.to_string();
        let hint = hint(name, &values);
        let finding = context.report(rule, At::Expr(at), message.trim_end_matches('.'));
        finding.notes.extend(hint);
    }
}

/// Whether an expression is a key of a hash: in `Struct[{ Optional[resource] => String }]`, a text is the name of the key.
fn is_key_of_hash(context: &Context<'_, '_>, id: ExprId) -> bool {
    let is_key = |it: &Expr| matches!(it, Expr::Hash(entries) if entries.iter().any(|(key, _)| *key == id));
    context.body.exprs().any(|(_, it)| is_key(it))
}

/// The built-in type whose name is a word without quotes, but for its capital.
fn type_in_lower_case(context: &Context<'_, '_>, key: ExprId) -> Option<&'static str> {
    let word = context.bare_word(key)?;
    TYPE_NAMES.iter().copied().find(|it| it.to_lowercase() == **word)
}

/// The hint for bounds of a type that probably mean something else.
fn hint(name: &str, values: &[Value]) -> Option<String> {
    /// Words of other languages for a bound that is not there.
    const UNBOUNDED: [&str; 6] = ["infinity", "infinite", "inf", "unlimited", "unbounded", "max"];
    let is_unbounded =
        |it: &Value| matches!(it, Value::String(it) if UNBOUNDED.contains(&it.to_lowercase().as_str()));
    match values {
        _ if values.iter().any(is_unbounded) => {
            Some(format!("a bound that is not there is left out, or `default`: `{name}[0, default]`"))
        }
        [Value::Integer(from), Value::Integer(to)] if from > to => {
            Some(format!("the bounds are reversed: write `{name}[{to}, {from}]`"))
        }
        _ => None,
    }
}

/// Whether the parameters of a type are plain values: neither titles, nor descriptions of objects.
fn takes_values(it: &Type) -> bool {
    !matches!(
        it.kind(),
        TypeKind::Resource(_)
            | TypeKind::Class(_)
            | TypeKind::CatalogEntry
            | TypeKind::Object(_)
            | TypeKind::ObjectExtension(..)
            | TypeKind::TypeSet(_)
            | TypeKind::Init { .. }
            | TypeKind::Runtime { .. }
    )
}

/// Whether a type accepts this number of types as parameters, whichever they are. Most uses are of this form.
fn are_types(context: &Context<'_, '_>, it: &Type, keys: &[ExprId]) -> bool {
    let takes_so_many = match it.kind() {
        TypeKind::Variant(_) => true,
        TypeKind::Hash(..) => keys.len() == 2,
        TypeKind::Optional(_) | TypeKind::NotUndef(_) | TypeKind::Array(..) | TypeKind::Sensitive(_) => {
            keys.len() == 1
        }
        _ => false,
    };
    let is_type = |key: &ExprId| match context.body.expr(*key) {
        Expr::Reference(_) => true,
        Expr::Access { target, .. } => matches!(context.body.expr(*target), Expr::Reference(_)),
        _ => false,
    };
    takes_so_many && keys.iter().all(is_type)
}

/// The value of a parameter that is a literal or a type. None if it is neither, or unknown.
fn value(context: &Context<'_, '_>, id: ExprId) -> Option<Value> {
    Some(match context.body.expr(id) {
        Expr::Undef => Value::Undef,
        Expr::Default => Value::Default,
        Expr::Boolean(it) => Value::Boolean(*it),
        Expr::Integer(it) => Value::from(*it),
        Expr::Float(it) => Value::Float(*it),
        Expr::String(it) => Value::String(it.clone()),
        Expr::Minus(operand) => match context.body.expr(*operand) {
            Expr::Integer(it) => Value::from(it.checked_neg()?),
            Expr::Float(it) => Value::Float(-it),
            _ => return None,
        },
        Expr::Array(elements) => {
            let elements: Option<Vec<Value>> = elements.iter().map(|it| value(context, *it)).collect();
            Value::Array(elements?.into())
        }
        Expr::Hash(entries) => {
            let mut hash = Hash::default();
            for (key, entry) in entries {
                hash.insert(value(context, *key)?, value(context, *entry)?);
            }
            Value::Hash(hash.into())
        }
        Expr::Reference(_) | Expr::Access { .. } => {
            Value::Type(type_in(context.db, context.file, context.item.body(context.db), id)?)
        }
        _ => return None,
    })
}

/// The parameter at fault: the one whose replacement removes the error.
fn culprit(it: &Type, values: &[Value], keys: &[ExprId]) -> ExprId {
    let others = [Value::Type(Type::any()), Value::Default, Value::String("x".into())];
    let is_at_fault = |index: usize| {
        others.iter().any(|other| {
            let mut values = values.to_vec();
            values[index] = other.clone();
            parameterize(dialect(), it, &values).is_ok()
        })
    };
    // For a range that ends before it starts, that is the end.
    let index = (0..keys.len()).rev().find(|index| is_at_fault(*index)).unwrap_or_default();
    keys[index]
}
