//! `unresolved-variable` for keys: a key is read that a hash of a known type never has. The value is `undef`.

use foldhash::HashSet;
use marotte_diagnostics::{Level, rules};
use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Body, Expr, Variable};
use marotte_infer::declarations::value_of;
use marotte_infer::inference::is_fact;
use marotte_pcore::types::{StructElement, Type, TypeKind};
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::spelling::nearest;

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    let asked = asked(body);
    for (id, expr) in body.calls() {
        if !asked.contains(&id) && !context.inference().is_unreachable(id) {
            dug(context, expr);
        }
    }
    for (id, expr) in body.exprs() {
        let Expr::Access { target, keys } = expr else { continue };
        let ([key], false) = (&keys[..], asked.contains(&id)) else { continue };
        let (Expr::String(name), true) = (body.expr(*key), is_of_program(body, *target)) else { continue };
        let inference = context.inference();
        let known = inference.type_of(*target).and_then(entries);
        let Some(elements) = known.filter(|_| !inference.is_unreachable(id)) else { continue };
        if elements.is_empty() || elements.iter().any(|it| it.name == *name) {
            continue;
        }
        report(context, *key, name, &elements);
    }
}

/// Checks the keys of `dig`, of which each leads one step further.
fn dug(context: &mut Context<'_, '_>, expr: &Expr) {
    let body = context.body;
    let Some(call) = NamedCall::of(expr).filter(|it| it.plain_name() == "dig") else { return };
    let arguments: Vec<ExprId> = call.arguments().collect();
    let Some((target, keys)) = arguments.split_first() else { return };
    if !is_of_program(body, *target) || !matches!(context.function("dig"), Function::Builtin(_)) {
        return;
    }
    let Some(mut of) = context.inference().type_of(*target) else { return };
    for key in keys {
        let (Expr::String(name), Some(known)) = (body.expr(*key), elements(of)) else { return };
        match known.iter().find(|it| it.name == *name) {
            Some(element) => of = &element.value,
            None if known.is_empty() => return,
            None => return report(context, *key, name, &known.iter().collect::<Vec<_>>()),
        }
    }
}

fn report(context: &mut Context<'_, '_>, key: ExprId, name: &str, elements: &[&StructElement]) {
    let names = || elements.iter().map(|it| it.name.as_str());
    let label = match nearest(name, names()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "no such key".to_owned(),
    };
    let keys: Vec<String> = names().map(|it| format!("`{it}`")).collect();
    let message = format!("this hash never has a key `{name}`");
    let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(key), message);
    finding.level = Level::Warning;
    finding.label = Some(label);
    finding.notes.push(format!("its keys are {}", keys.join(", ")));
}

/// The entries of all hash types that a value may have, each name once, if each of them allows no others.
fn entries(it: &Type) -> Option<Vec<&StructElement>> {
    let TypeKind::Variant(types) = it.resolved().kind() else {
        return elements(it).map(|it| it.iter().collect());
    };
    let (mut all, mut names) = (Vec::new(), HashSet::default());
    for it in types.iter().filter(|it| !matches!(it.kind(), TypeKind::Undef)) {
        all.extend(elements(it)?.iter().filter(|it| names.insert(&it.name)));
    }
    Some(all)
}

/// The entries of a hash type that allows no others.
fn elements(it: &Type) -> Option<&[StructElement]> {
    match it.resolved().kind() {
        TypeKind::Struct(elements) => Some(elements),
        TypeKind::Optional(Some(inner)) | TypeKind::NotUndef(Some(inner)) => elements(inner),
        _ => None,
    }
}

/// Whether a hash belongs to the program: a variable, or a part of one, that is neither a fact nor set by the compiler.
fn is_of_program(body: &Body, id: ExprId) -> bool {
    const OF_OTHERS: [&str; 3] = ["facts", "trusted", "server_facts"];
    if is_fact(body, value_of(body, id)) {
        return false;
    }
    let mut id = id;
    while let Expr::Access { target, .. } = body.expr(id) {
        id = *target;
    }
    match body.expr(value_of(body, id)) {
        Expr::Variable(variable) => match &**variable {
            Variable::Local { name, .. } => !OF_OTHERS.contains(&name.as_str()),
            Variable::Top(_) | Variable::Qualified { .. } | Variable::Group(_) => false,
        },
        Expr::Access { .. } => false,
        _ => matches!(body.expr(id), Expr::Variable(_)),
    }
}

/// The expressions that a condition asks: other rules report what they never are.
fn asked(body: &Body) -> HashSet<ExprId> {
    let mut asked = HashSet::default();
    for (_, expr) in body.exprs() {
        match expr {
            Expr::If(it) | Expr::Unless(it) => asked.extend(it.arms.iter().map(|it| it.test)),
            Expr::Case(it) => _ = asked.insert(it.test),
            Expr::Selector(it) => _ = asked.insert(it.test),
            Expr::Not(it) => _ = asked.insert(*it),
            Expr::And(left, right) | Expr::Or(left, right) => asked.extend([*left, *right]),
            Expr::Binary(it)
                if matches!(
                    it.op,
                    BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::Match | BinaryOp::NoMatch
                ) =>
            {
                asked.extend([it.left, it.right]);
            }
            Expr::Binary(it) if it.op == BinaryOp::In && matches!(body.expr(it.right), Expr::Array(_)) => {
                asked.insert(it.left);
            }
            _ => {}
        }
    }
    asked
}
