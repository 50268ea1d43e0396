//! `operator-type`: an operator is applied to values that it doesn't accept.

use marotte_db::Settings;
use marotte_diagnostics::{Diagnostic, Level, rules};
use marotte_eval::binary_operator;
use marotte_hir::ExprId;
use marotte_hir::body::{Binary, BinaryOp, Expr, Segment};
use marotte_infer::declared::type_in;
use marotte_infer::inference::constant;
use marotte_infer::literal::capitalize;
use marotte_infer::sorts::{is_number, is_text};
use marotte_pcore::dialect::StringsInArithmetic;
use marotte_pcore::ops::{self, Strictness, number_in};
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_resolve::types::{TypeName, makes_type, type_name};

use super::mismatch::value_of;
use super::operand_kinds::{
    Order, has_no_parts, is_float, is_hash, is_known, is_scalar, lacks_value, may_be_array,
    may_be_collection, never_number, ordered,
};
use super::{match_operands, undef_operand};
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
                minus(context, id, *operand);
                continue;
            }
            Expr::Binary(binary) => binary,
            _ => continue,
        };
        let (left, right) = (inference.type_of(binary.left), inference.type_of(binary.right));
        let of_match = match_operands::refused(binary.op, left, right);
        let meant_match = of_match.is_some().then(|| match_operands::meant(body, binary, left)).flatten();
        let message = match (left, right) {
            _ if inference.is_unreachable(id) && of_match.is_some() => None,
            _ if of_match.is_some() => of_match,
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
            && only_converted(context)
            && ![binary.left, binary.right].iter().any(|it| undef_operand::may_be_undef(context, *it))
            && let Some(message) = coerced(binary.op, left, right)
        {
            let finding = context.report(rules::OPERATOR_TYPE, At::Operator(id), message);
            not_converted(finding);
        } else if let Some(message) = message {
            let is_text = |it: ExprId| matches!(body.expr(it), Expr::String(_) | Expr::Interpolated(_));
            let joins = binary.op == BinaryOp::Add && (is_text(binary.left) || is_text(binary.right));
            let meant = [binary.left, binary.right]
                .into_iter()
                .find_map(|it| hints::for_value(body, it, || context.range(At::Expr(it)).len().into()));
            let finding = context.report(rules::OPERATOR_TYPE, At::Operator(id), message);
            if let Some(meant) = meant_match.or(meant) {
                finding.notes.push(meant);
            } else if joins {
                finding.notes.push("texts are joined by interpolation: `\"${a}${b}\"`".to_owned());
            }
        }
    }
}

/// Checks the operand of a minus sign.
fn minus(context: &mut Context<'_, '_>, id: ExprId, operand: ExprId) {
    let inference = context.inference();
    let Some(of) = inference.type_of(operand).filter(|_| !inference.is_unreachable(id)) else { return };
    let is_refused = never_number(of) || is_timestamp(of);
    let is_converted =
        || only_converted(context) && always_text(of) && !undef_operand::may_be_undef(context, operand);
    if is_refused || is_converted() {
        let message = format!("`-` takes a number, and this is {}", value_of(of));
        let finding = context.report(rules::OPERATOR_TYPE, At::Expr(operand), message);
        if !is_refused {
            not_converted(finding);
        }
    }
}

/// Turns a finding into a warning: the setting `strict` decides whether strings are converted to numbers.
fn not_converted(finding: &mut Diagnostic) {
    finding.level = Level::Warning;
    finding
        .notes
        .push("Puppet 8 converts no string to a number: use `Integer(…)` or `Numeric(…)`".to_owned());
}

/// Whether strings are numbers only if the setting `strict` converts them.
fn only_converted(context: &Context<'_, '_>) -> bool {
    Settings::get(context.db).dialect(context.db) == dialect()
        && dialect().operators.strings_in_arithmetic == StringsInArithmetic::BySetting
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
        Op::Add | Op::Subtract | Op::ShiftLeft if is_scalar(left) && never_number(right) => {
            Some(format!("`{text}` takes a number on its right side, and this is {}", value_of(right)))
        }
        Op::Add if is_hash(left) && !may_be_collection(right) && is_known(right) => {
            Some(format!("`+` adds hashes and arrays to a hash, and this is {}", value_of(right)))
        }
        Op::Add if is_hash(left) && lacks_value(right) => Some(
            "`+` makes a hash of an array of keys and values, and this array has an odd number of elements"
                .to_owned(),
        ),
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo | Op::ShiftLeft | Op::ShiftRight => {
            refused_left(binary.op, left)
                .or_else(|| refused_right(binary.op, right))
                .or_else(|| refused_together(binary.op, left, right))
        }
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            let is_refused = match (ordered(left)?, ordered(right)) {
                (left, Some(right)) => !left.takes(right),
                // A type on the right side is compared with types only.
                (_, None) => matches!(right.resolved().kind(), TypeKind::Type(_)),
            };
            is_refused
                .then(|| format!("`{text}` does not compare {} with {}", value_of(left), value_of(right)))
                .or_else(|| refused_left(binary.op, left))
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
        Op::ShiftLeft => never_number(left) && !may_be_array(left) || is_float(left) || is_time(left),
        Op::ShiftRight => never_number(left) || is_float(left) || is_time(left),
        Op::Modulo => never_number(left) || is_float(left) || is_timestamp(left),
        Op::Multiply | Op::Divide => never_number(left) || is_timestamp(left),
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            matches!(ordered(left), Some(Order::Never(_)))
        }
        _ => false,
    };
    is_refused.then(|| format!("`{}` is not applicable to {}", op.text(), value_of(left)))
}

/// The reason why an operator rejects two operands that it would take with others.
fn refused_together(op: BinaryOp, left: &Type, right: &Type) -> Option<String> {
    use BinaryOp as Op;
    if matches!(op, Op::Divide | Op::Modulo) && constant(right) == Some(Value::Integer(0.into())) {
        let is_integer = matches!(left.resolved().kind(), TypeKind::Integer(_));
        return (is_integer || is_timespan(left)).then(|| "division by 0".to_owned());
    }
    let is_refused = match op {
        Op::Add => is_timestamp(left) && is_timestamp(right),
        Op::Subtract => (is_number(left) || is_timespan(left)) && is_timestamp(right),
        Op::Multiply => is_number(left) && is_timestamp(right) || is_timespan(left) && is_time(right),
        Op::Divide => is_number(left) && is_time(right) || is_timespan(left) && is_timestamp(right),
        Op::Modulo => (is_number(left) || is_timespan(left)) && (is_time(right) || is_float(right)),
        Op::ShiftLeft | Op::ShiftRight => is_number(left) && is_time(right),
        _ => false,
    };
    is_refused.then(|| {
        format!(
            "`{}` is not applicable to {} when the right side is {}",
            op.text(),
            value_of(left),
            value_of(right)
        )
    })
}

fn is_timespan(it: &Type) -> bool {
    matches!(it.resolved().kind(), TypeKind::Timespan(..))
}

fn is_timestamp(it: &Type) -> bool {
    matches!(it.resolved().kind(), TypeKind::Timestamp(..))
}

fn is_time(it: &Type) -> bool {
    is_timespan(it) || is_timestamp(it)
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
    if !matches!(
        op,
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo | Op::ShiftLeft | Op::ShiftRight
    ) {
        return None;
    }
    let takes_numbers = |it: &Type| is_number(it) || is_time(it);
    let (side, found) = match (left, right) {
        (Some(left), _) if always_text(left) => ("left", left),
        (Some(left), Some(right)) if takes_numbers(left) && always_text(right) => ("right", right),
        _ => return None,
    };
    Some(format!("`{}` takes a number on its {side} side, and this is {}", op.text(), value_of(found)))
}

/// Whether every value of a type is a string, apart from `undef`. Neither is a number.
fn always_text(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Variant(types) => !types.is_empty() && types.iter().all(always_text),
        TypeKind::Optional(Some(it)) => always_text(it),
        _ => is_text(it),
    }
}
