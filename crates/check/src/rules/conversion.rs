//! `argument-type`, `argument-count` and `invalid-format-string` of conversions: `Integer('ten')`, `String(1, '%q')`.

use marotte_hir::ExprId;
use marotte_hir::body::{Callee, Expr};
use marotte_pcore::format::{FormatError, string_new};
use marotte_pcore::new::{Context as Conversion, MOST_ELEMENTS, NewError, Outside, new};
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;

use crate::context::{At, Context};
use crate::declared::dialect;
use crate::infer::constant;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Some((made, arguments)) = conversion(expr) else { continue };
        let Some(TypeKind::Type(Some(made))) = context.inference.type_of(made).map(Type::kind) else {
            continue;
        };
        if arguments.iter().any(|it| matches!(body.expr(*it), Expr::Splat(_))) {
            continue;
        }
        let types = arguments.iter().map(|it| context.inference.type_of(*it));
        let values: Option<Vec<Value>> = types.map(|it| it.and_then(constant)).collect();
        match (made.kind(), values) {
            (_, Some(values)) if is_plain(made) => constants(context, id, made, &arguments, &values),
            (TypeKind::String(_), None) => format(context, &arguments),
            _ => {}
        }
    }
}

/// What a call converts to, and what it is given for that.
fn conversion(expr: &Expr) -> Option<(ExprId, Vec<ExprId>)> {
    match expr {
        Expr::Call(call) => match &call.callee {
            Callee::Type(callee) => Some((*callee, call.arguments.to_vec())),
            Callee::Function(name) if name.trim_start_matches("::") == "new" => {
                call.arguments.split_first().map(|(made, rest)| (*made, rest.to_vec()))
            }
            _ => None,
        },
        Expr::MethodCall(call) if call.name == "new" => Some((call.receiver, call.arguments.to_vec())),
        _ => None,
    }
}

/// Whether making a value of a type asks nothing of what is around, and is soon done.
fn is_plain(made: &Type) -> bool {
    matches!(
        made.kind(),
        TypeKind::Integer(_)
            | TypeKind::Float(_)
            | TypeKind::Numeric
            | TypeKind::Boolean(_)
            | TypeKind::String(_)
            | TypeKind::SemVer(_)
            | TypeKind::SemVerRange
            | TypeKind::Timespan(..)
    )
}

fn constants(context: &mut Context<'_, '_>, id: ExprId, made: &Type, arguments: &[ExprId], values: &[Value]) {
    let conversion = Conversion { dialect: dialect(), outside: &Nothing, most_elements: MOST_ELEMENTS };
    let Err(error) = new(&conversion, made, values) else { return };
    // Where a value is missing, something else is at fault.
    let is_missing = |(value, id): (&Value, &ExprId)| {
        *value == Value::Undef && !matches!(context.body.expr(*id), Expr::Undef)
    };
    if values.iter().zip(arguments).any(is_missing) {
        return;
    }
    let message = match &error {
        NewError::Text { text, to, .. } => format!("the string `{text}` cannot be converted to {to}"),
        NewError::Value { from, to, .. } => format!("a value of type {from} cannot be converted to {to}"),
        _ => error.to_string().trim_end_matches('.').to_owned(),
    };
    let (rule, at) = match (&error, arguments) {
        (NewError::Format(_), [_, format, ..]) => ("invalid-format-string", At::Expr(*format)),
        (NewError::Arguments(_), _) => ("argument-count", At::Callee(id)),
        (_, [first, ..]) => ("argument-type", At::Expr(*first)),
        _ => return,
    };
    context.report(rule, at, message);
}

/// Looks at the format of a value of which only the type is known: which letters there are depends on nothing else.
fn format(context: &mut Context<'_, '_>, arguments: &[ExprId]) {
    let [value, format] = arguments[..] else { return };
    let inference = context.inference;
    let (Some(of), Some(text)) = (inference.type_of(value), inference.type_of(format).and_then(constant))
    else {
        return;
    };
    let sample = match of.resolved().kind() {
        TypeKind::Integer(_) => Value::from(1_i64),
        TypeKind::Float(_) => Value::Float(1.5),
        TypeKind::Boolean(_) => Value::Boolean(true),
        TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_) => Value::String("text".into()),
        _ => return,
    };
    if let (Value::String(_), Err(error @ FormatError::Letter { .. })) =
        (&text, string_new(dialect(), &sample, Some(&text)))
    {
        context.report("invalid-format-string", At::Expr(format), error.to_string());
    }
}

/// What plain conversions ask of the outside.
struct Nothing;

impl Outside for Nothing {
    fn now(&self) -> Timestamp {
        Timestamp::from_nanoseconds(0)
    }

    fn local_offset(&self) -> LocalOffset {
        LocalOffset::UTC
    }

    fn parse_type(&self, text: &str) -> Result<Type, String> {
        Err(format!("`{text}` is not read"))
    }
}
