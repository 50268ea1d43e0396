//! The role of a string that contains a name.

use marotte_db::File;
use marotte_eval::functions::{Builtin, builtin};
use marotte_syntax::ast::{AttributeName, Expr, ExprKind};
use marotte_text::{TextSize, unrooted};

use crate::Db;

/// The way in which renaming changes the text at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringContext {
    /// The text is shown to people, and nothing else: it is logged, or is the message of a resource of type `notify`.
    Prose,
    /// The text belongs to a template that is written in code.
    Template,
    /// The text may be anything.
    Other,
}

impl StringContext {
    /// The role of the innermost string at a place of a file.
    pub(super) fn of(db: &dyn Db, file: File, at: TextSize) -> StringContext {
        if !crate::token::is_code(db, file) {
            return StringContext::Other;
        }
        let parsed = marotte_hir::parse(db, file);
        let tree = parsed.program();
        let mut path: Vec<&Expr> = Vec::new();
        tree.for_each_child(&mut |it| collect(it, at, &mut path));
        if path.iter().any(|it| is_call_of(it, |name| matches!(name, "inline_template" | "inline_epp"))) {
            return StringContext::Template;
        }
        match path[..] {
            [.., around, string] if is_shown(around, string) => StringContext::Prose,
            _ => StringContext::Other,
        }
    }
}

/// Collects the expressions that contain a place, the outermost first. The text of a heredoc is outside of its expression.
fn collect<'a>(expr: &'a Expr, at: TextSize, path: &mut Vec<&'a Expr>) {
    let depth = path.len();
    let is_here = expr.range.contains(at);
    if is_here {
        path.push(expr);
    }
    let before = path.len();
    expr.for_each_child(&mut |it| {
        if path.len() == before {
            collect(it, at, path);
        }
    });
    // The text of a heredoc is within it, and within all that is around it.
    if !is_here && path.len() > depth {
        path.insert(depth, expr);
    }
}

/// Whether a string is an argument of a function that logs, or the message of a resource of type `notify`. The text between the
/// interpolations of a string belongs to the string itself.
fn is_shown(around: &Expr, string: &Expr) -> bool {
    if !matches!(string.kind, ExprKind::String(_) | ExprKind::Interpolated(_)) {
        return false;
    }
    match &around.kind {
        ExprKind::Call(call) => {
            is_call_of(around, |name| builtin(name).is_some_and(Builtin::shows_arguments))
                && call.arguments.iter().any(|it| std::ptr::eq(it, string))
        }
        ExprKind::Resource(it) => {
            let is_message =
                |name: &AttributeName| matches!(name, AttributeName::Name(it) if it == "message");
            let mut attributes = it.bodies.iter().flat_map(|it| &it.attributes);
            matches!(&it.type_name.kind, ExprKind::Name(name) if unrooted(name) == "notify")
                && attributes.any(|it| is_message(&it.name) && std::ptr::eq(&it.value, string))
        }
        _ => false,
    }
}

fn is_call_of(expr: &Expr, is_it: impl Fn(&str) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Call(call) => {
            matches!(&call.callee.kind, ExprKind::Name(name) if is_it(unrooted(name)))
        }
        ExprKind::MethodCall(call) => is_it(unrooted(&call.name)),
        _ => false,
    }
}
