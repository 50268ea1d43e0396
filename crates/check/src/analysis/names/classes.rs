//! The classes that an item refers to.

use std::cell::LazyCell;

use marotte_eval::functions::Names;
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr};
use marotte_infer::literal::class_names;
use marotte_pcore::types::{StringType, Type, TypeKind};
use marotte_resolve::call::{NamedCall, names_of_arguments, queries_catalog};
use marotte_text::Str;

use crate::context::{At, Context};

/// A call of a function that declares the named classes unless they are already declared.
pub(crate) struct Inclusion<'b> {
    /// The function that the call calls.
    pub(crate) by: Including,
    /// The classes, as named in the call.
    pub(crate) classes: Vec<(ExprId, &'b str)>,
    /// The variables that hold further classes.
    variables: Vec<ExprId>,
    /// Whether the list of classes is complete.
    pub(crate) is_complete: bool,
}

/// A function that declares classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Including {
    /// `include`: only declares them.
    Include,
    /// `require`: also orders them before the caller.
    Require,
    /// `contain`: also makes them part of the caller.
    Contain,
}

impl<'b> Inclusion<'b> {
    /// Whether a function of this name declares the classes that it is given.
    pub(crate) fn takes(name: &str) -> bool {
        names_of_arguments(name) == Some(Names::Classes)
    }

    /// Interprets an expression as an inclusion, if it is one, in either call notation.
    pub(crate) fn of(body: &'b Body, expr: &'b Expr) -> Option<Inclusion<'b>> {
        let call = NamedCall::of(expr)?;
        let by = match call.plain_name() {
            "include" => Including::Include,
            "require" => Including::Require,
            "contain" => Including::Contain,
            _ => return None,
        };
        let mut inclusion = Inclusion { by, classes: Vec::new(), variables: Vec::new(), is_complete: true };
        for argument in call.arguments() {
            if matches!(body.expr(argument), Expr::Variable(_)) {
                inclusion.variables.push(argument);
            }
            let (names, is_complete) = class_names(body, argument);
            inclusion.classes.extend(names);
            inclusion.is_complete &= is_complete;
        }
        Some(inclusion)
    }
}

/// Returns the names of the classes that an item inherits from, includes, or declares as resources: literal names, and literal
/// values of variables.
pub(crate) fn named_classes(context: &Context<'_, '_>) -> Vec<(At, Str)> {
    let mut found = Vec::new();
    if let Some(parent) = context.item.signature(context.db).parent.clone()
        && parent != "default"
    {
        found.push((At::Parent, parent));
    }
    let body = context.body;
    // Code that checks whether the named class exists expects that it may not.
    let guards = LazyCell::new(|| queries_catalog(body));
    let declarations = context.declarations();
    let mut name = |(at, name)| found.push((At::Expr(at), Str::from(name)));
    for declaration in declarations.iter().filter(|it| it.type_name == "class") {
        let titles = declaration.parts.iter().filter_map(|it| it.title);
        titles.flat_map(|it| class_names(body, it).0).for_each(&mut name);
    }
    for (_, expr) in body.calls() {
        if let Some(inclusion) = Inclusion::of(body, expr) {
            inclusion.classes.into_iter().for_each(&mut name);
            for variable in inclusion.variables.into_iter().filter(|_| !*guards) {
                for held in context.inference().type_of(variable).into_iter().flat_map(texts) {
                    name((written(body, held).unwrap_or(variable), held));
                }
            }
        }
    }
    found
}

/// The strings that a variable may hold, itself or as elements of an array, from its assignments rather than its declared type.
fn texts(it: &Type) -> Vec<&str> {
    match it.kind() {
        TypeKind::String(StringType::Literal(text)) => vec![text],
        TypeKind::Variant(types) => types.iter().flat_map(texts).collect(),
        TypeKind::Tuple(it) => it.types.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The expression that contains a text, if there is exactly one.
fn written(body: &Body, text: &str) -> Option<ExprId> {
    let mut places = body.exprs().filter(|(_, it)| matches!(it, Expr::String(it) if it == text));
    let (place, _) = places.next()?;
    places.next().is_none().then_some(place)
}
