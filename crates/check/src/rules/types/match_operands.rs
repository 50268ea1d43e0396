//! `operator-type` for `=~` and `!~`: a regular expression, or a string that becomes one, matches strings only; a type or a range
//! of versions accepts any value, and nothing else can be on the right side.

use marotte_hir::body::{Binary, BinaryOp, Body, Expr};
use marotte_infer::sorts::is_text;
use marotte_pcore::types::{Type, TypeKind};

use super::mismatch::value_of;
use super::operand_kinds::{always, never_text};

/// The reason why `=~` or `!~` certainly rejects its operands, whose types are `None` if they are unknown.
pub(super) fn refused(op: BinaryOp, left: Option<&Type>, right: Option<&Type>) -> Option<String> {
    if !matches!(op, BinaryOp::Match | BinaryOp::NoMatch) {
        return None;
    }
    let (text, right) = (op.text(), right?);
    if always(right, &is_no_pattern) {
        return Some(format!(
            "`{text}` takes a regular expression or a type on its right side, and this is {}",
            value_of(right)
        ));
    }
    let left = left.filter(|it| always(it, &is_no_text))?;
    let is_pattern = |it: &Type| is_text(it) || is_no_pattern(it) || matches!(it.kind(), TypeKind::Regexp(_));
    always(right, &is_pattern)
        .then(|| format!("`{text}` matches regular expressions with strings, and this is {}", value_of(left)))
}

/// The expression that was probably meant, for a finding about a match.
pub(super) fn meant(body: &Body, binary: &Binary, left: Option<&Type>) -> Option<String> {
    let text = binary.op.text();
    let equality = if binary.op == BinaryOp::NoMatch { "!=" } else { "==" };
    match body.expr(binary.right) {
        Expr::Undef => Some(format!("the type of `undef` starts with a capital: `{text} Undef`")),
        Expr::Boolean(_) | Expr::Integer(_) | Expr::Float(_) => Some(format!("`{equality}` compares values")),
        Expr::Array(_) => Some("`in` tests whether an array contains a value".to_owned()),
        Expr::String(name) if left.is_some() && is_type_name(name) => {
            Some(format!("a type is written without quotes: `{text} {name}`"))
        }
        _ => None,
    }
}

/// Whether a text is the name of a type that values are tested for.
fn is_type_name(text: &str) -> bool {
    const TYPES: [&str; 10] =
        ["Array", "Boolean", "Float", "Hash", "Integer", "Numeric", "String", "Struct", "Tuple", "Undef"];
    TYPES.contains(&text)
}

/// Whether no value of a type is a string.
fn is_no_text(it: &Type) -> bool {
    is_no_pattern(it) || matches!(it.resolved().kind(), TypeKind::Regexp(_) | TypeKind::Type(_))
}

/// Whether no value of a type is a regular expression, a string, a type or a range of versions.
fn is_no_pattern(it: &Type) -> bool {
    let is_other = |it: &TypeKind| {
        matches!(it, TypeKind::Undef | TypeKind::Collection(_) | TypeKind::Array(..) | TypeKind::Tuple(_))
    };
    never_text(it) || is_other(it.resolved().kind())
}
