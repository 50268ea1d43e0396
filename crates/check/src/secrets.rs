//! `Sensitive` values, tracked after they are unwrapped.

use foldhash::HashSet;
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Segment, TargetKind, Variable};
use marotte_infer::inference::Inference;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::call::NamedCall;

/// Functions whose results contain their arguments in plain text.
const PASSING: [&str; 8] = ["sprintf", "join", "strip", "lstrip", "rstrip", "chomp", "upcase", "downcase"];

/// The expressions of a body that certainly evaluate to a secret in plain text.
pub(crate) struct Secrets<'b> {
    /// For each expression, by its index, whether it certainly evaluates to a secret in plain text.
    clear: Vec<bool>,
    /// Variables that hold a secret in plain text whenever they are set.
    names: HashSet<&'b str>,
    /// Whether a secret on one of several branches suffices.
    on_any_branch: bool,
    /// Whether the body unwraps a value.
    pub(crate) unwraps: bool,
}

impl<'b> Secrets<'b> {
    pub(crate) fn new(body: &'b Body, inference: &Inference) -> Secrets<'b> {
        Secrets::with(body, inference, None)
    }

    /// Finds the expressions that are certainly a secret in plain text; `parameter` is one of the body's parameters that is a
    /// secret in plain text, too.
    pub(crate) fn with(body: &'b Body, inference: &Inference, parameter: Option<&'b str>) -> Secrets<'b> {
        Secrets::find(body, inference, parameter, false)
    }

    /// Finds the expressions that are a secret on at least one branch: code that accepts both `Sensitive` and plain values
    /// unwraps the former.
    pub(crate) fn on_any_branch(body: &'b Body, inference: &Inference) -> Secrets<'b> {
        Secrets::find(body, inference, None, true)
    }

    fn find(
        body: &'b Body,
        inference: &Inference,
        parameter: Option<&'b str>,
        on_any_branch: bool,
    ) -> Secrets<'b> {
        let mut once = set_once(body);
        if on_any_branch {
            once.extend(assigned_only(body));
        }
        let names = parameter.into_iter().filter(|it| once.contains(it)).collect();
        let mut secrets =
            Secrets { clear: vec![false; body.exprs().count()], names, on_any_branch, unwraps: false };
        for (_, expr) in body.exprs() {
            let Some((_, lambda)) = unwrapped(body, inference, expr) else { continue };
            secrets.unwraps = true;
            if let Some(lambda) = lambda
                && let [parameter] = &body.lambda(lambda).parameters[..]
                && once.contains(parameter.name.as_str())
            {
                secrets.names.insert(&parameter.name);
            }
        }
        // Inner expressions precede outer ones, and statements are in order.
        for (id, expr) in body.exprs() {
            let is_clear = secrets.has_clear(body, inference, expr);
            secrets.clear[id.index()] = is_clear;
            if let Expr::Assign { target, .. } = expr
                && is_clear
                && let TargetKind::Variable(name, _) = &target.kind
                && once.contains(name.as_str())
            {
                secrets.names.insert(name);
            }
        }
        secrets
    }

    /// Whether an expression's value contains a secret in plain text.
    pub(crate) fn is_clear(&self, id: ExprId) -> bool {
        self.clear.get(id.index()).copied().unwrap_or_default()
    }

    fn has_clear(&self, body: &Body, inference: &Inference, expr: &Expr) -> bool {
        let any = |ids: &[ExprId]| ids.iter().any(|it| self.is_clear(*it));
        match expr {
            Expr::Variable(variable) => match &**variable {
                Variable::Local { name, .. } => self.names.contains(name.as_str()),
                _ => false,
            },
            Expr::Interpolated(segments) => {
                segments.iter().any(|it| matches!(it, Segment::Expr(id) if self.is_clear(*id)))
            }
            Expr::Heredoc { text, .. } => self.is_clear(*text),
            Expr::Array(elements) => any(elements),
            Expr::Hash(entries) => entries.iter().any(|(_, value)| self.is_clear(*value)),
            Expr::Assign { value, .. } => self.is_clear(*value),
            Expr::If(it) | Expr::Unless(it) if self.on_any_branch => {
                let blocks = it.arms.iter().map(|it| &it.body).chain(&it.otherwise);
                blocks.filter_map(|it| it.last()).any(|it| self.is_clear(*it))
            }
            Expr::Case(it) if self.on_any_branch => {
                it.options.iter().filter_map(|it| it.body.last()).any(|it| self.is_clear(*it))
            }
            Expr::Selector(it) if self.on_any_branch => it.entries.iter().any(|it| self.is_clear(it.1)),
            _ => match unwrapped(body, inference, expr) {
                Some((_, None)) => true,
                Some((_, Some(lambda))) => {
                    body.lambda(lambda).statements.last().is_some_and(|it| self.is_clear(*it))
                }
                None => NamedCall::of(expr).is_some_and(|it| {
                    PASSING.contains(&it.plain_name())
                        && it.lambda.is_none()
                        && it.arguments().any(|it| self.is_clear(it))
                }),
            },
        }
    }
}

/// Whether every value of a type is `Sensitive`.
pub(crate) fn is_sensitive(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Sensitive(_) => true,
        TypeKind::Variant(types) => !types.is_empty() && types.iter().all(is_sensitive),
        _ => false,
    }
}

/// Whether a type includes `Sensitive` values.
pub(crate) fn may_be_sensitive(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Sensitive(_) => true,
        TypeKind::Variant(types) => types.iter().any(may_be_sensitive),
        TypeKind::Optional(Some(it)) => may_be_sensitive(it),
        _ => false,
    }
}

/// The value that a call of `unwrap` unwraps, and the lambda that receives it, if it is certainly a secret.
fn unwrapped(
    body: &Body,
    inference: &Inference,
    expr: &Expr,
) -> Option<(ExprId, Option<marotte_hir::body::LambdaId>)> {
    let call = NamedCall::of(expr)?;
    if call.plain_name() != "unwrap" || call.count(body) != Some(1) {
        return None;
    }
    let secret = call.arguments().next()?;
    inference.type_of(secret).is_some_and(is_sensitive_if_set).then_some((secret, call.lambda))
}

/// Whether every value of a type is `Sensitive`, or `undef`.
fn is_sensitive_if_set(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Optional(Some(it)) => is_sensitive(it),
        _ => is_sensitive(it),
    }
}

/// The names that exactly one assignment or parameter of a body and its lambdas sets.
fn set_once(body: &Body) -> HashSet<&str> {
    let of_lambdas = body.lambdas().flat_map(|it| &body.lambda(it).parameters);
    let parameters = body.parameters.iter().chain(of_lambdas).map(|it| it.name.as_str());
    let (mut once, mut more) = (HashSet::default(), HashSet::default());
    for name in parameters.chain(body.assigned().map(|(_, name)| name.as_str())) {
        if !once.insert(name) {
            more.insert(name);
        }
    }
    once.difference(&more).copied().collect()
}

/// The names that only assignments set, one or more, and no parameter.
fn assigned_only(body: &Body) -> HashSet<&str> {
    let of_lambdas = body.lambdas().flat_map(|it| &body.lambda(it).parameters);
    let parameters: HashSet<&str> =
        body.parameters.iter().chain(of_lambdas).map(|it| it.name.as_str()).collect();
    body.assigned().map(|(_, name)| name.as_str()).filter(|it| !parameters.contains(it)).collect()
}
