//! `implicit-top-scope`: a definition reads a variable that it does not set, without saying whose it is.

use foldhash::HashSet;
use marotte_syntax::ast::{Expr, ExprKind, Lambda};

use super::{Definition, Style};

/// What the compiler sets everywhere, and what each resource has.
const EVERYWHERE: [&str; 25] = [
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
    "alias",
    "audit",
    "before",
    "loglevel",
    "noop",
    "notify",
    "require",
    "schedule",
    "stage",
    "subscribe",
    "tag",
    "facts",
    "trusted",
    "server_facts",
    "settings",
];

pub(super) fn check<'a>(style: &mut Style<'a>, definition: &Definition<'a>) {
    // What a class inherits may set any variable.
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
        let finding = style.report("implicit-top-scope", expr.range, message);
        finding.label = Some("say whose it is: `$facts['…']`, `$module::…` or `$::…`".to_owned());
    }
}

/// The variables that an expression sets, those of lambdas included.
fn set_by<'a>(expr: &'a Expr, names: &mut HashSet<&'a str>) {
    match &expr.kind {
        ExprKind::Class(_) | ExprKind::Define(_) | ExprKind::Function(_) => return,
        ExprKind::Assignment(assignment) => targets(&assignment.left, names),
        _ => {}
    }
    expr.for_each_child(&mut |child| set_by(child, names));
}

/// The variables on the left side of an assignment.
fn targets<'a>(expr: &'a Expr, names: &mut HashSet<&'a str>) {
    match &expr.kind {
        ExprKind::Variable(name) => drop(names.insert(name)),
        _ => expr.for_each_child(&mut |child| targets(child, names)),
    }
}

struct Reads<'a> {
    /// The names that are known, scope by scope.
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
        name.contains("::")
            || name.bytes().all(|it| it.is_ascii_digit())
            || EVERYWHERE.contains(&name)
            || self.scopes.iter().any(|it| it.contains(name))
    }
}
