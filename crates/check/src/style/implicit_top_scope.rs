//! `implicit-top-scope`: a definition reads an unqualified variable that it does not set.

use foldhash::HashSet;
use marotte_diagnostics::rules;
use marotte_resolve::globals::is_metaparameter;
use marotte_syntax::ast::{Expr, ExprKind, Lambda};
use marotte_text::is_qualified;

use super::{Definition, Style};

/// The variables, in addition to the metaparameters, that the compiler sets in every scope, in top scope or for an agent.
const EVERYWHERE: [&str; 14] = [
    "name",
    "title",
    "module_name",
    "environment",
    "clientcert",
    "clientversion",
    "servername",
    "serverip",
    "serverversion",
    "caller_module_name",
    "facts",
    "trusted",
    "server_facts",
    "settings",
];

pub(super) fn check<'a>(style: &mut Style<'a>, definition: &Definition<'a>) {
    // The inherited class may set any variable.
    if definition.parent.is_some() {
        return;
    }
    let mut names: HashSet<&str> = definition.parameters.iter().map(|it| it.name.as_str()).collect();
    definition.body.iter().for_each(|it| set_by(it, &mut names));
    let mut reads = Reads { scopes: vec![names], found: Vec::new() };
    let defaults = definition.parameters.iter().filter_map(|it| it.value.as_ref());
    defaults.chain(definition.body).for_each(|it| reads.look_at(it));
    for expr in reads.found {
        let ExprKind::Variable(name) = &expr.kind else { continue };
        let message = format!("`${name}` is not a variable of this {}", definition.kind);
        let finding = style.report(rules::IMPLICIT_TOP_SCOPE, expr.range, message);
        finding.label = Some("say whose it is: `$facts['…']`, `$module::…` or `$::…`".to_owned());
    }
}

/// Collects the variables that an expression assigns, including those in lambdas.
fn set_by<'a>(expr: &'a Expr, names: &mut HashSet<&'a str>) {
    match &expr.kind {
        ExprKind::Class(_) | ExprKind::Define(_) | ExprKind::Function(_) => return,
        ExprKind::Assignment(assignment) => targets(&assignment.left, names),
        _ => {}
    }
    expr.for_each_child(&mut |child| set_by(child, names));
}

/// Collects the variables on the left side of an assignment.
fn targets<'a>(expr: &'a Expr, names: &mut HashSet<&'a str>) {
    match &expr.kind {
        ExprKind::Variable(name) => drop(names.insert(name)),
        _ => expr.for_each_child(&mut |child| targets(child, names)),
    }
}

/// A walk over a definition that collects the reads of unknown variables.
struct Reads<'a> {
    /// The names that each open scope sets: the definition, then its lambdas from the outermost to the innermost.
    scopes: Vec<HashSet<&'a str>>,
    found: Vec<&'a Expr>,
}

impl<'a> Reads<'a> {
    fn look_at(&mut self, expr: &'a Expr) {
        let lambda: Option<&'a Lambda> = match &expr.kind {
            ExprKind::Class(_) | ExprKind::Define(_) | ExprKind::Function(_) => return,
            ExprKind::Variable(name) if !self.is_known(name) => {
                self.found.push(expr);
                None
            }
            ExprKind::Call(call) => call.lambda.as_deref(),
            ExprKind::MethodCall(call) => call.lambda.as_deref(),
            _ => None,
        };
        if let Some(lambda) = lambda {
            self.scopes.push(lambda.parameters.iter().map(|it| it.name.as_str()).collect());
        }
        expr.for_each_child(&mut |child| self.look_at(child));
        if lambda.is_some() {
            self.scopes.pop();
        }
    }

    fn is_known(&self, name: &str) -> bool {
        is_qualified(name)
            || name.bytes().all(|it| it.is_ascii_digit())
            || EVERYWHERE.contains(&name)
            || is_metaparameter(name)
            || self.scopes.iter().any(|it| it.contains(name))
    }
}
