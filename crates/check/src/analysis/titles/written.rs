//! The source form of computed titles: equal forms have equal values.

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Segment, Variable};

/// The source form of a string, if it only contains variables of the item's own scope, or of named scopes. Within a class that is
/// given, its own variables are named as others name them.
pub(crate) fn written(body: &Body, id: ExprId, class: Option<&str>) -> Option<String> {
    let Expr::Interpolated(segments) = body.expr(id) else {
        return Some(format!("${{{}}}", read(body, id, class)?));
    };
    let mut text = String::new();
    for segment in segments {
        match segment {
            Segment::Text(it) => text.push_str(it),
            Segment::Expr(id) => text.push_str(&written(body, *id, class)?),
        }
    }
    Some(text)
}

/// The source form of a variable or an access, without the `$`.
fn read(body: &Body, id: ExprId, class: Option<&str>) -> Option<String> {
    match body.expr(id) {
        Expr::Variable(variable) => match &**variable {
            // Each call of a lambda has variables of its own.
            Variable::Local { name, candidates } if candidates.is_empty() => Some(match class {
                Some(class) => format!("{class}::{name}"),
                None => name.to_string(),
            }),
            Variable::Local { .. } => None,
            Variable::Top(name) => Some(format!("::{name}")),
            Variable::Qualified { scope, name, .. } => Some(format!("{scope}::{name}")),
            Variable::Group(_) => None,
        },
        Expr::Access { target, keys } => {
            let key = |id: &ExprId| match body.expr(*id) {
                Expr::String(text) => Some(format!("'{text}'")),
                Expr::Integer(number) => Some(number.to_string()),
                _ => Some(format!("${}", read(body, *id, class)?)),
            };
            let keys: Option<Vec<String>> = keys.iter().map(key).collect();
            Some(format!("{}[{}]", read(body, *target, class)?, keys?.join(", ")))
        }
        _ => None,
    }
}
