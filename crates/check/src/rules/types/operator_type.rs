//! `operator-type`: an operator is applied to values that it doesn't accept.

use marotte_db::Settings;
use marotte_diagnostics::{Level, rules};
use marotte_eval::binary_operator;
use marotte_hir::ExprId;
use marotte_hir::body::{Binary, BinaryOp, Expr, Segment};
use marotte_infer::declared::type_in;
use marotte_infer::inference::constant;
use marotte_infer::literal::capitalize;
use marotte_infer::sorts::{is_number, is_text};
use marotte_pcore::dialect::StringsInArithmetic;
use marotte_pcore::ops::{self, Strictness, number_in};
use marotte_pcore::types::{StringType, Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_resolve::types::{TypeName, makes_type, type_name};

use super::mismatch::value_of;
use super::undef_operand;
use crate::context::{At, Context};
use crate::hints;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    undef_operand::check(context);
    let body = context.body;
    for (id, expr) in body.exprs() {
        let inference = context.inference();
        let binary = match expr {
            Expr::Access { target, keys } => {
                parts(context, *target, keys);
                continue;
            }
            Expr::Minus(operand) => {
                if let Some(of) = inference.type_of(*operand).filter(|it| never_number(it)) {
                    let message = format!("`-` takes a number, and this is {}", value_of(of));
                    context.report(rules::OPERATOR_TYPE, At::Expr(*operand), message);
                }
                continue;
            }
            Expr::Binary(binary) => binary,
            _ => continue,
        };
        let (left, right) = (inference.type_of(binary.left), inference.type_of(binary.right));
        let message = match (left, right) {
            (Some(left), Some(right)) => refused(binary, left, right),
            // Unevaluated expressions have no type.
            _ if inference.is_unreachable(id) => None,
            (Some(left), None) => refused_left(binary.op, left),
            (None, Some(right)) => refused_right(binary.op, right),
            (None, None) => None,
        };
        let message = message.or_else(|| refused_text(context, id, binary));
        if message.is_none()
            && !inference.is_unreachable(id)
            && Settings::get(context.db).dialect(context.db) == dialect()
            && let Some(message) = coerced(binary.op, left, right)
        {
            let finding = context.report(rules::OPERATOR_TYPE, At::Operator(id), message);
            finding.level = Level::Warning;
            finding
                .notes
                .push("Puppet 8 converts no string to a number: use `Integer(…)` or `Numeric(…)`".to_owned());
        } else if let Some(message) = message {
            let is_text = |it: ExprId| matches!(body.expr(it), Expr::String(_) | Expr::Interpolated(_));
            let joins = binary.op == BinaryOp::Add && (is_text(binary.left) || is_text(binary.right));
            let meant = [binary.left, binary.right]
                .into_iter()
                .find_map(|it| hints::for_value(body, it, || context.range(At::Expr(it)).len().into()));
            let finding = context.report(rules::OPERATOR_TYPE, At::Operator(id), message);
            if let Some(meant) = meant {
                finding.notes.push(meant);
            } else if joins {
                finding.notes.push("texts are joined by interpolation: `\"${a}${b}\"`".to_owned());
            }
        }
    }
}

/// Reports `package[$name]`: the target is a word that names a type, and the access extracts a letter of it. Numbers are what they are.
fn of_type_name(context: &mut Context<'_, '_>, target: ExprId, keys: &[ExprId]) {
    let Some(word) = context.bare_word(target) else { return };
    let may_be_title = |id: &ExprId| {
        let numeric = |it: &Type| matches!(it.resolved().kind(), TypeKind::Integer(_) | TypeKind::Float(_));
        !context.inference().type_of(*id).is_some_and(numeric)
    };
    let is_type = word.as_str() == "class"
        || !matches!(context.resource_type(word), ResourceTypeName::Missing | ResourceTypeName::Unknown);
    if !is_type || !keys.iter().all(may_be_title) {
        return;
    }
    let name = capitalize(word);
    let message = format!("`{word}[…]` is a letter of the word `{word}`, not a reference to a resource");
    let finding = context.report(rules::OPERATOR_TYPE, At::Expr(target), message);
    finding.label = Some(format!("write `{name}[…]`"));
}

/// Checks an access to the elements of a value.
fn parts(context: &mut Context<'_, '_>, target: ExprId, keys: &[ExprId]) {
    let (body, inference) = (context.body, context.inference());
    if let Some(alias) = alias(context, target) {
        let message = format!("`{alias}` is an alias of a type, which takes no parameters");
        let finding = context.report(rules::OPERATOR_TYPE, At::Expr(target), message);
        finding.label = Some("`[]` is not applicable to it".to_owned());
        return;
    }
    let Some(of) = inference.type_of(target) else { return };
    if has_no_parts(of) {
        let message = format!("`[]` is not applicable to {}", value_of(of));
        context.report(rules::OPERATOR_TYPE, At::Expr(target), message);
        return;
    }
    let parts = match positions(of) {
        Some(Positions::OfText) => "characters of a string",
        Some(Positions::OfList) => "elements of an array",
        None => return,
    };
    let is_word = |id: &&ExprId| {
        let known = inference.type_of(**id).and_then(constant);
        matches!(known, Some(Value::String(text)) if number_in(&text).is_none())
    };
    let Some(key) = keys.iter().find(is_word) else { return of_type_name(context, target, keys) };
    let message = format!("{parts} are accessed by index, not by name");
    // In `package['ntp']`, the target is a word, and the access extracts a part of it.
    let type_name = match body.expr(target) {
        Expr::String(word) if word.starts_with(|it: char| it.is_ascii_lowercase()) => Some(capitalize(word)),
        _ => None,
    };
    let found = value_of(of);
    let finding = context.report(rules::OPERATOR_TYPE, At::Expr(*key), message);
    finding.label = Some(format!("looked up in {found}"));
    if let Some(name) = type_name {
        finding.notes.push(format!("a reference to a resource starts with a capital: `{name}[…]`"));
    }
}

/// The name of the alias that an expression is, if the aliased type has no parameters of its own.
fn alias<'db>(context: &Context<'db, '_>, id: ExprId) -> Option<&'db str> {
    let (db, body) = (context.db, context.body);
    let Expr::Reference(name) = body.expr(id) else { return None };
    // A resource type of the same name takes precedence.
    if !matches!(context.resource_type(name), ResourceTypeName::Missing) {
        return None;
    }
    let TypeName::Alias(item) = type_name(db, context.file, context.environment, name) else { return None };
    let found = type_in(db, context.file, context.item.body(db), id)?;
    let is_object = matches!(found.resolved().kind(), TypeKind::Object(_) | TypeKind::TypeSet(_));
    let is_alias = matches!(found.kind(), TypeKind::Alias(_)) && !is_object && !makes_type(db, item);
    is_alias.then_some(name)
}

/// The kind of value whose elements have positions.
enum Positions {
    OfText,
    OfList,
}

/// The positions that every value of a type has, except `undef`, which has none.
fn positions(it: &Type) -> Option<Positions> {
    match it.resolved().kind() {
        TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_) => Some(Positions::OfText),
        TypeKind::Array(..) | TypeKind::Tuple(_) => Some(Positions::OfList),
        TypeKind::Optional(Some(it)) => positions(it),
        _ => None,
    }
}

/// The reason why an operator certainly rejects two values.
fn refused(binary: &Binary, left: &Type, right: &Type) -> Option<String> {
    if let (Some(left), Some(right)) = (constant(left), constant(right)) {
        // An invalid regular expression is reported by `invalid-regex`.
        if matches!(binary.op, BinaryOp::Match | BinaryOp::NoMatch)
            && matches!((&left, &right), (Value::String(_), Value::String(_)))
        {
            return None;
        }
        let operator = binary_operator(binary.op)?;
        let error = ops::binary(dialect(), Strictness::Error, operator, &left, &right).err()?;
        let message = error.to_string();
        return Some(message.trim_end_matches('.').to_owned());
    }
    use BinaryOp as Op;
    let text = binary.op.text();
    match binary.op {
        Op::Add | Op::Subtract if is_scalar(left) && never_number(right) => {
            Some(format!("`{text}` takes a number on its right side, and this is {}", value_of(right)))
        }
        Op::Add if is_hash(left) && !may_be_collection(right) && is_known(right) => {
            Some(format!("`+` adds hashes and arrays to a hash, and this is {}", value_of(right)))
        }
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo | Op::ShiftRight => {
            refused_left(binary.op, left).or_else(|| refused_right(binary.op, right))
        }
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            let (left_rank, right_rank) = (ordered(left)?, ordered(right)?);
            (left_rank != right_rank)
                .then(|| format!("`{text}` does not compare {} with {}", value_of(left), value_of(right)))
        }
        Op::Match | Op::NoMatch => {
            let is_pattern = matches!(right.resolved().kind(), TypeKind::Regexp(_));
            let is_text = !matches!(
                left.resolved().kind(),
                TypeKind::Integer(_)
                    | TypeKind::Float(_)
                    | TypeKind::Numeric
                    | TypeKind::Boolean(_)
                    | TypeKind::Undef
                    | TypeKind::Array(..)
                    | TypeKind::Tuple(_)
                    | TypeKind::Hash(..)
                    | TypeKind::Struct(_)
            );
            (is_pattern && !is_text).then(|| {
                format!("`{text}` matches regular expressions with strings, and this is {}", value_of(left))
            })
        }
        _ => None,
    }
}

/// The reason why an operator rejects an interpolated string that contains characters which no number has.
fn refused_text(context: &Context<'_, '_>, id: ExprId, binary: &Binary) -> Option<String> {
    use BinaryOp as Op;
    if !matches!(binary.op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo)
        || context.inference().is_unreachable(id)
    {
        return None;
    }
    let is_left = is_no_number(context, binary.left);
    // Anything can be appended to an array.
    let is_right = || {
        let left = context.inference().type_of(binary.left);
        is_no_number(context, binary.right) && left.is_some_and(is_scalar)
    };
    match (is_left, is_left || is_right()) {
        (true, _) => Some(format!("`{}` is not applicable to a text that is not a number", binary.op.text())),
        (false, true) => {
            Some(format!("`{}` takes a number on its right side, and this is a text", binary.op.text()))
        }
        _ => None,
    }
}

fn is_no_number(context: &Context<'_, '_>, id: ExprId) -> bool {
    let Expr::Interpolated(segments) = context.body.expr(id) else { return false };
    let is_of_number = |it: char| it.is_ascii_hexdigit() || it.is_whitespace() || "xX.+-".contains(it);
    segments.iter().any(|it| matches!(it, Segment::Text(text) if !text.chars().all(is_of_number)))
}

/// The reason why an operator rejects its left operand, whatever the other one is.
fn refused_left(op: BinaryOp, left: &Type) -> Option<String> {
    use BinaryOp as Op;
    let is_refused = match op {
        Op::Add | Op::Subtract => never_number(left) && !may_be_collection(left),
        Op::Multiply | Op::Divide | Op::Modulo | Op::ShiftRight => never_number(left),
        _ => false,
    };
    is_refused.then(|| format!("`{}` is not applicable to {}", op.text(), value_of(left)))
}

/// The reason why an operator rejects its right operand, whatever the other one is.
fn refused_right(op: BinaryOp, right: &Type) -> Option<String> {
    use BinaryOp as Op;
    let is_refused =
        matches!(op, Op::Multiply | Op::Divide | Op::Modulo | Op::ShiftRight) && never_number(right);
    is_refused
        .then(|| format!("`{}` takes a number on its right side, and this is {}", op.text(), value_of(right)))
}

/// The reason why an operator rejects a string even if it looks like a number: unless the setting `strict` says otherwise, strings
/// aren't converted.
fn coerced(op: BinaryOp, left: Option<&Type>, right: Option<&Type>) -> Option<String> {
    use BinaryOp as Op;
    if dialect().operators.strings_in_arithmetic != StringsInArithmetic::BySetting
        || !matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo | Op::ShiftRight)
    {
        return None;
    }
    let is_text = |it: &Type| match it.resolved().kind() {
        TypeKind::Variant(types) => !types.is_empty() && types.iter().all(is_text),
        _ => is_text(it),
    };
    let (side, found) = match (left, right) {
        (Some(left), _) if is_text(left) => ("left", left),
        (Some(left), Some(right)) if is_number(left) && is_text(right) => ("right", right),
        _ => return None,
    };
    Some(format!("`{}` takes a number on its {side} side, and this is {}", op.text(), value_of(found)))
}

/// Whether values of a type have no elements. `undef` is left to the rules that explain it.
fn has_no_parts(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Boolean(_)
        | TypeKind::Integer(_)
        | TypeKind::Float(_)
        | TypeKind::Numeric
        | TypeKind::Regexp(_)
        | TypeKind::Sensitive(_)
        | TypeKind::Default => true,
        TypeKind::Variant(types) => types.iter().all(has_no_parts),
        _ => false,
    }
}

/// Whether a value of a type is a number, or a string that may be one.
fn is_scalar(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Integer(_)
        | TypeKind::Float(_)
        | TypeKind::Numeric
        | TypeKind::String(_)
        | TypeKind::Enum(_)
        | TypeKind::Pattern(_) => true,
        TypeKind::Variant(types) => types.iter().all(is_scalar),
        _ => false,
    }
}

/// Whether a value of a type may be an array or a hash, to which others can be added.
fn may_be_collection(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Array(..) | TypeKind::Tuple(_) | TypeKind::Hash(..) | TypeKind::Struct(_) => true,
        TypeKind::Variant(types) => types.iter().any(may_be_collection),
        TypeKind::Optional(Some(it)) => may_be_collection(it),
        _ => false,
    }
}

/// Whether every value of a type is a hash.
pub(super) fn is_hash(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Hash(..) | TypeKind::Struct(_) => true,
        TypeKind::Variant(types) => !types.is_empty() && types.iter().all(is_hash),
        _ => false,
    }
}

/// Whether every value of a type is of a kind that is certainly not a collection.
fn is_known(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Boolean(_) | TypeKind::Regexp(_) | TypeKind::Undef | TypeKind::Default => true,
        TypeKind::Variant(types) => !types.is_empty() && types.iter().all(is_known),
        _ => is_scalar(it),
    }
}

/// Whether no value of a type can be used as a number. Strings can, if they look like one.
fn never_number(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Undef
        | TypeKind::Boolean(_)
        | TypeKind::Regexp(_)
        | TypeKind::Array(..)
        | TypeKind::Tuple(_)
        | TypeKind::Hash(..)
        | TypeKind::Struct(_)
        | TypeKind::Sensitive(_) => true,
        TypeKind::String(StringType::Literal(text)) => number_in(text).is_none(),
        TypeKind::Enum(words) => {
            !words.values().is_empty() && words.values().iter().all(|it| number_in(it).is_none())
        }
        TypeKind::Variant(types) => types.iter().all(never_number),
        TypeKind::Optional(Some(it)) => never_number(it),
        _ => false,
    }
}

/// The values that a type's values can be compared with: numbers with numbers, strings with strings. None if that isn't
/// certain.
fn ordered(it: &Type) -> Option<u8> {
    match it.resolved().kind() {
        TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Numeric => Some(0),
        TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_) => Some(1),
        TypeKind::Array(..) | TypeKind::Tuple(_) => Some(2),
        TypeKind::Hash(..) | TypeKind::Struct(_) => Some(3),
        TypeKind::Boolean(_) => Some(4),
        // `undef` is compared with nothing.
        TypeKind::Optional(Some(it)) => ordered(it),
        TypeKind::Variant(types) => {
            let mut ranks = types.iter().filter(|it| !matches!(it.kind(), TypeKind::Undef)).map(ordered);
            let first = ranks.next()??;
            ranks.all(|it| it == Some(first)).then_some(first)
        }
        _ => None,
    }
}
