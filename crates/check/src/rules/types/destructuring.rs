//! `operator-type` for an assignment to several variables, `[$a, $b] = …`: the value has another number of elements, or lacks a key
//! (the reference's `ILLEGAL_MULTI_ASSIGNMENT_SIZE` and `MISSING_MULTI_ASSIGNMENT_KEY`).

use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_hir::body::{Expr, Target, TargetKind};
use marotte_infer::sorts::{is_number, is_text};
use marotte_pcore::types::{Size, StructElement, Type, TypeKind};

use super::mismatch::value_of;
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Expr::Assign { target, value, .. } = expr else { continue };
        let TargetKind::Several(targets) = &target.kind else { continue };
        let Some(given) = context.inference().type_of(*value) else { continue };
        if context.inference().is_unreachable(id) {
            continue;
        }
        let Some(Mismatch { at, message, label }) = mismatch(target.at, targets, given) else { continue };
        let related = context.related(At::Expr(at), "these variables");
        let finding = context.report(rules::OPERATOR_TYPE, At::Expr(*value), message);
        finding.label = Some(label);
        finding.related.push(related);
    }
}

/// The reason why an assignment certainly fails.
struct Mismatch {
    /// The variables that get no value.
    at: ExprId,
    message: String,
    label: String,
}

/// The reason why no value of a type can be assigned to several variables. The recursion is as deep as the brackets in the source.
fn mismatch(at: ExprId, targets: &[Target], given: &Type) -> Option<Mismatch> {
    let given = given.resolved();
    let wanted = u64::try_from(targets.len()).ok()?;
    let of_size = |size: Size| (size.min > wanted || size.max.is_some_and(|it| it < wanted)).then_some(size);
    match given.kind() {
        TypeKind::Variant(types) => {
            let mut found = types.iter().map(|it| mismatch(at, targets, it)).collect::<Option<Vec<_>>>()?;
            (!found.is_empty()).then(|| found.swap_remove(0))
        }
        // `undef` is a single value.
        TypeKind::Optional(Some(inner)) if wanted != 1 => mismatch(at, targets, inner),
        TypeKind::Array(element, size) => of_size(size.unwrap_or(Size::ANY))
            .map(|it| elements(at, wanted, it))
            .or_else(|| targets.iter().find_map(|it| nested(it, element))),
        TypeKind::Tuple(tuple) => of_size(tuple.size_range())
            .map(|it| elements(at, wanted, it))
            .or_else(|| targets.iter().enumerate().find_map(|(index, it)| nested(it, tuple.type_at(index)?))),
        TypeKind::Hash(_, _, Some(size)) if size.max == Some(0) => absent_key(at, targets, &[]),
        TypeKind::Struct(elements) => absent_key(at, targets, elements),
        TypeKind::Undef | TypeKind::Boolean(_) => (wanted != 1).then(|| single(at, wanted, given)),
        _ if is_number(given) || is_text(given) => (wanted != 1).then(|| single(at, wanted, given)),
        _ => None,
    }
}

/// The mismatch between an element of an array and the variables in inner brackets.
fn nested(target: &Target, given: &Type) -> Option<Mismatch> {
    let TargetKind::Several(targets) = &target.kind else { return None };
    mismatch(target.at, targets, given)
}

/// The mismatch between several variables and an array.
fn elements(at: ExprId, wanted: u64, size: Size) -> Mismatch {
    let count = |it: u64| format!("{it} element{}", if it == 1 { "" } else { "s" });
    let found = match size.max {
        Some(most) if most == size.min => count(most),
        Some(most) if most < wanted => format!("at most {}", count(most)),
        _ => format!("at least {}", count(size.min)),
    };
    let message = format!("the array has {found}, and is assigned to {}", variables(wanted));
    Mismatch { at, message, label: "each variable takes one element".to_owned() }
}

/// The mismatch between several variables and a value that is neither an array nor a hash.
fn single(at: ExprId, wanted: u64, given: &Type) -> Mismatch {
    let message =
        format!("{} take an array of {wanted} elements, and this is {}", variables(wanted), value_of(given));
    Mismatch { at, message, label: "a single value".to_owned() }
}

fn variables(count: u64) -> String {
    format!("{count} variable{}", if count == 1 { "" } else { "s" })
}

/// The mismatch between variables and a hash without a key of the same name.
fn absent_key(at: ExprId, targets: &[Target], elements: &[StructElement]) -> Option<Mismatch> {
    targets.iter().find_map(|target| {
        let TargetKind::Variable(name, _) = &target.kind else { return None };
        let is_absent = elements.iter().all(|it| it.name != *name);
        is_absent.then(|| Mismatch {
            at,
            message: format!("the hash has no key `{name}`, and is assigned to `${name}`"),
            label: "each variable takes the value of the key of its name".to_owned(),
        })
    })
}
