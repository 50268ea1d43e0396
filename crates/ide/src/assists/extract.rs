//! Assist: extract an expression into a variable.

use marotte_syntax::ast::{BinaryOp, Expr, ExprKind};
use marotte_text::TextRange;

use super::{Assist, Spot, blocks, has_heredoc};
use crate::token::slice;

/// Assigns the expression to a variable before the statement, and reads the variable in its place. Only if the expression is
/// evaluated whenever the statement is.
pub(super) fn variable(spot: &Spot<'_>) -> Option<Assist> {
    let selected = spot.at.range;
    if selected.is_empty() {
        return None;
    }
    let path = spot.path();
    let index = path.iter().position(|it| it.range == selected && is_value(it) && !has_heredoc(it))?;
    let is_statement = |at: usize| match at.checked_sub(1) {
        Some(outer) => blocks(path[outer]).into_iter().flatten().any(|it| std::ptr::eq(it, path[at])),
        None => spot.program.template.is_none(),
    };
    let statement = (0..=index).rev().find(|it| is_statement(*it))?;
    if statement == index
        || path[statement..index].iter().zip(&path[statement + 1..]).any(|(it, part)| !is_always(it, part))
    {
        return None;
    }
    let name = free_name(spot.text);
    let start = path[statement].range.start();
    let indent = spot.indent(path[statement].range);
    let written = slice(spot.text, selected);
    let edits = vec![
        spot.edit(TextRange::empty(start), format!("${name} = {written}\n{indent}")),
        spot.edit(selected, format!("${name}")),
    ];
    Some(Assist { id: "extract-variable", title: format!("Extract into the variable `${name}`"), edits })
}

fn is_value(expr: &Expr) -> bool {
    !matches!(
        expr.kind,
        ExprKind::Name(_)
            | ExprKind::Default
            | ExprKind::Error
            | ExprKind::Variable(_)
            | ExprKind::Class(_)
            | ExprKind::Define(_)
            | ExprKind::Function(_)
            | ExprKind::Node(_)
            | ExprKind::Plan(_)
            | ExprKind::Assignment(_)
            | ExprKind::Resource(_)
            | ExprKind::Heredoc(_)
            | ExprKind::RenderText(_)
            | ExprKind::Render(_)
    ) && !matches!(&expr.kind, ExprKind::Unary(it) if it.op == marotte_syntax::ast::UnaryOp::Unfold)
}

/// Whether `part` is evaluated whenever the whole expression is, and reads variables like any other expression.
fn is_always(expr: &Expr, part: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(it) if matches!(it.op, BinaryOp::And | BinaryOp::Or) => it.left.range == part.range,
        ExprKind::Selector(it) => it.value.range == part.range,
        ExprKind::If(it) => it.arms.first().is_some_and(|it| it.test.range == part.range),
        ExprKind::Unless(it) => it.test.range == part.range,
        ExprKind::Case(it) => it.test.range == part.range,
        ExprKind::Assignment(it) => it.right.range == part.range,
        ExprKind::Resource(it) => it.type_name.range != part.range,
        // Variables in it have a notation of their own, or belong to the definition.
        ExprKind::Interpolated(_)
        | ExprKind::Heredoc(_)
        | ExprKind::Collector(_)
        | ExprKind::Class(_)
        | ExprKind::Define(_)
        | ExprKind::Function(_)
        | ExprKind::Plan(_)
        | ExprKind::Node(_)
        | ExprKind::TypeAlias(_)
        | ExprKind::TypeMapping(_)
        | ExprKind::TypeDefinition(_) => false,
        ExprKind::Call(it) => {
            it.callee.range != part.range && it.arguments.iter().any(|it| it.range == part.range)
        }
        ExprKind::MethodCall(it) => {
            it.receiver.range == part.range || it.arguments.iter().any(|it| it.range == part.range)
        }
        _ => true,
    }
}

/// A variable name that doesn't occur in the text.
fn free_name(text: &str) -> String {
    let names = std::iter::once("extracted".to_owned()).chain((2..).map(|it: u32| format!("extracted{it}")));
    let mut free = names.filter(|it| !text.contains(it.as_str()));
    free.next().unwrap_or_default()
}
