//! Variables that a body tests before use: such code expects that other code may set them, or that they are never set.

use foldhash::{HashMap, HashSet};
use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Body, Callee, Expr, Variable};
use marotte_infer::flow::Flow;
use marotte_text::unrooted;

/// The way in which a body tests a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableTest {
    /// The body doesn't test it.
    None,
    /// The body tests whether the variable is true, empty or `undef`: formerly, an unset variable was.
    Value,
    /// The body tests whether the variable exists: `defined('$name')`.
    Presence,
}

/// The variables that a body tests, each with the most explicit way in which it does.
pub(crate) fn variable_tests(body: &Body) -> HashMap<&str, VariableTest> {
    let mut found: HashMap<&str, VariableTest> = HashMap::default();
    for (_, expr) in body.exprs() {
        tested_values(body, expr, &mut |name| _ = found.entry(name).or_insert(VariableTest::Value));
    }
    for (_, expr) in body.exprs() {
        found.extend(tested_for_presence(body, expr).map(|name| (name, VariableTest::Presence)));
    }
    found
}

/// The variables of classes of which a body tests whether they exist, as scope and name: `defined('$ntp::servers')`.
pub(crate) fn qualified_tests(body: &Body) -> HashSet<(&str, &str)> {
    let tested = body.exprs().flat_map(|(_, expr)| tested_for_presence(body, expr));
    tested.filter_map(|it| unrooted(it).rsplit_once("::")).collect()
}

/// The names, without `$`, of the variables that a call of `defined` tests.
fn tested_for_presence<'a>(body: &'a Body, expr: &'a Expr) -> impl Iterator<Item = &'a str> {
    let arguments = match expr {
        Expr::Call(call) => match &call.callee {
            Callee::Function(function) if unrooted(function) == "defined" => &call.arguments[..],
            _ => &[],
        },
        _ => &[],
    };
    arguments.iter().filter_map(|asked| match body.expr(*asked) {
        Expr::String(text) => text.strip_prefix('$'),
        _ => None,
    })
}

/// Calls `found` with the variables of which an expression tests whether they are true, empty or `undef`.
fn tested_values<'b>(body: &'b Body, expr: &'b Expr, found: &mut dyn FnMut(&'b str)) {
    match expr {
        Expr::Selector(it) => {
            if it.entries.iter().any(|(key, _)| is_nothing(body, *key)) {
                local(body, it.test).into_iter().for_each(found);
            }
        }
        _ => {
            chosen_by(body, expr, found);
            compared(body, expr, found);
        }
    }
}

/// Calls `found` with the variables on whose being true, empty or `undef` a choice of statements depends.
fn chosen_by<'b>(body: &'b Body, expr: &'b Expr, found: &mut dyn FnMut(&'b str)) {
    match expr {
        Expr::If(it) | Expr::Unless(it) => it.arms.iter().for_each(|it| in_test(body, it.test, found)),
        Expr::Case(it) if it.options.iter().flat_map(|it| &it.values).any(|it| is_nothing(body, *it)) => {
            local(body, it.test).into_iter().for_each(found);
        }
        _ => {}
    }
}

/// Calls `found` with the variables that are compared with an empty value or `undef`.
fn compared<'b>(body: &'b Body, expr: &'b Expr, found: &mut dyn FnMut(&'b str)) {
    let Expr::Binary(it) = expr else { return };
    if matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual) {
        for (one, other) in [(it.left, it.right), (it.right, it.left)] {
            if is_nothing(body, other) {
                local(body, one).into_iter().for_each(&mut *found);
            }
        }
    }
}

/// The variables that a body sets on branches that may depend on their own values, to provide a default: `if !$a { $a = 1 }`.
#[derive(Default)]
pub(crate) struct Filled<'b> {
    /// The choices of statements that depend on whether a variable is true, empty or `undef`.
    choices: HashMap<&'b str, Vec<ExprId>>,
    /// The assignments of a variable.
    sets: HashMap<&'b str, Vec<ExprId>>,
}

impl<'b> Filled<'b> {
    pub(crate) fn new(body: &'b Body) -> Self {
        let mut filled = Filled::default();
        for (id, expr) in body.exprs() {
            chosen_by(body, expr, &mut |name| filled.choices.entry(name).or_default().push(id));
            if let Expr::Assign { target, .. } = expr {
                for (_, name) in target.variables() {
                    filled.sets.entry(name).or_default().push(id);
                }
            }
        }
        filled
    }

    /// Whether the body sets a variable on a branch that depends on the variable's own value.
    pub(crate) fn contains(&self, flow: &Flow, name: &str) -> bool {
        let (Some(choices), Some(sets)) = (self.choices.get(name), self.sets.get(name)) else { return false };
        choices.iter().any(|choice| sets.iter().any(|at| flow.is_way_of(*at, *choice)))
    }
}

/// The recursion is as deep as the operators in the source.
fn in_test<'b>(body: &'b Body, test: ExprId, found: &mut dyn FnMut(&'b str)) {
    match body.expr(test) {
        Expr::Not(operand) => in_test(body, *operand, found),
        Expr::And(left, right) | Expr::Or(left, right) => {
            in_test(body, *left, found);
            in_test(body, *right, found);
        }
        it => {
            local(body, test).into_iter().for_each(&mut *found);
            compared(body, it, found);
        }
    }
}

/// The name of the local variable that an expression is.
fn local(body: &Body, id: ExprId) -> Option<&str> {
    let Expr::Variable(variable) = body.expr(id) else { return None };
    match &**variable {
        Variable::Local { name, .. } => Some(name),
        _ => None,
    }
}

fn is_nothing(body: &Body, id: ExprId) -> bool {
    match body.expr(id) {
        Expr::Undef => true,
        Expr::String(text) => text.is_empty(),
        _ => false,
    }
}
