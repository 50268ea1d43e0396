//! The types of expressions that are skipped because an unknown value decides.
//!
//! Whichever branch the value selects, the result is the value of one of them. The types of branches that only compute
//! are read without evaluating them:
//!
//! ```puppet
//! $plain = if $password =~ Sensitive { $password.unwrap } else { $password }
//! ```
//!
//! If `$password` is unknown, but certainly a `Variant[String, Sensitive[String]]`, `$plain` is a `String`.
//!
//! A `Variant` without members is the type of what is never reached; it adds nothing to the type of the whole.

use marotte_hir::body::{BinaryOp, Block, Callee, Choice, Expr, Variable};
use marotte_hir::{Body, ExprId};
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;

use super::operator::known_instance;
use super::{Env, Interpreter, with_stack};

/// The possible types of variables in a branch, according to the tests that lead to it. The innermost test is last.
type Narrowed<'a> = Vec<(&'a Variable, Type)>;

impl Interpreter<'_> {
    /// Returns a type that the value of a skipped expression certainly has. None if no type is certain.
    pub(super) fn skipped_type(&mut self, env: &Env<'_>, id: ExprId) -> Option<Type> {
        self.branch_type(env, id, &mut Vec::new()).filter(|it| !members(it).is_empty())
    }

    fn branch_type<'e>(&mut self, env: &Env<'e>, id: ExprId, narrowed: &mut Narrowed<'e>) -> Option<Type> {
        match env.code.body.expr(id) {
            Expr::Undef => Some(Type::undef()),
            Expr::Boolean(_) | Expr::Not(_) | Expr::And(..) | Expr::Or(..) => Some(boolean()),
            Expr::Integer(_) | Expr::LargeInteger { .. } => Some(Type::integer()),
            Expr::String(_) | Expr::Interpolated(_) | Expr::Heredoc { .. } => Some(Type::string()),
            Expr::Array(_) => Some(Type::array(Type::any(), None)),
            Expr::Hash(_) => Some(Type::hash(Type::any(), Type::any(), None)),
            Expr::Binary(it) if is_comparison(it.op) => Some(boolean()),
            Expr::Variable(variable) => {
                let tested = narrowed.iter().rev().find(|(it, _)| *it == &**variable);
                match tested {
                    Some((_, left)) => Some(left.clone()),
                    None => self.variable_type(env, variable),
                }
            }
            Expr::MethodCall(it) if is_unwrap(&it.name) && it.arguments.is_empty() && it.lambda.is_none() => {
                self.unwrapped_type(env, it.receiver, narrowed)
            }
            Expr::Call(it) => match (&it.callee, &*it.arguments, it.lambda) {
                (Callee::Function(name), [argument], None) if is_unwrap(name) => {
                    self.unwrapped_type(env, *argument, narrowed)
                }
                _ => None,
            },
            Expr::If(choice) => with_stack(|| self.choice_type(env, choice, true, narrowed)),
            Expr::Unless(choice) => with_stack(|| self.choice_type(env, choice, false, narrowed)),
            Expr::Selector(it) => with_stack(|| {
                let chosen = it.entries.iter().map(|(_, chosen)| self.branch_type(env, *chosen, narrowed));
                Some(Type::variant(chosen.collect::<Option<Vec<Type>>>()?))
            }),
            Expr::Case(case) => with_stack(|| {
                let is_default = |it: &ExprId| matches!(env.code.body.expr(*it), Expr::Default);
                let has_default = case.options.iter().any(|it| it.values.iter().any(is_default));
                let mut types = if has_default { Vec::new() } else { vec![Type::undef()] };
                for option in &case.options {
                    types.push(self.block_type(env, &option.body, narrowed)?);
                }
                Some(Type::variant(types))
            }),
            _ => None,
        }
    }

    /// The type of a block of one expression. Others may set variables, which the last expression reads.
    fn block_type<'e>(
        &mut self,
        env: &Env<'e>,
        block: &'e Block,
        narrowed: &mut Narrowed<'e>,
    ) -> Option<Type> {
        match &**block {
            [] => Some(Type::undef()),
            [only] => self.branch_type(env, *only, narrowed),
            _ => None,
        }
    }

    /// The type of `if`, or of `unless` if `wanted` is false.
    fn choice_type<'e>(
        &mut self,
        env: &Env<'e>,
        choice: &'e Choice,
        wanted: bool,
        narrowed: &mut Narrowed<'e>,
    ) -> Option<Type> {
        let outer = narrowed.len();
        let mut types = Vec::new();
        for arm in &choice.arms {
            let before = narrowed.len();
            let tested = self.tested(env, arm.test, narrowed);
            let tested = if wanted { tested } else { tested.map(Tested::negated) };
            let (selected, otherwise) = tested.map_or((None, None), |it| {
                (it.when_true.map(|left| (it.variable, left)), it.when_false.map(|left| (it.variable, left)))
            });
            let is_reached = selected.as_ref().is_none_or(|(_, it)| !members(it).is_empty());
            narrowed.extend(selected);
            if is_reached {
                types.push(self.block_type(env, &arm.body, narrowed)?);
            }
            narrowed.truncate(before);
            narrowed.extend(otherwise);
        }
        types.push(match &choice.otherwise {
            Some(block) => self.block_type(env, block, narrowed)?,
            None => Type::undef(),
        });
        narrowed.truncate(outer);
        Some(Type::variant(types))
    }

    /// Returns what follows from a test about the type of a variable: from `$x`, `$x =~ T`, `$x !~ T`, or a negation.
    fn tested<'e>(&mut self, env: &Env<'e>, test: ExprId, narrowed: &mut Narrowed<'e>) -> Option<Tested<'e>> {
        let body = &env.code.body;
        match body.expr(test) {
            Expr::Not(operand) => self.tested(env, *operand, narrowed).map(Tested::negated),
            Expr::Variable(variable) => {
                let it = self.branch_type(env, test, narrowed)?;
                let when_true = members(&it).into_iter().filter(|it| !matches!(it.kind(), TypeKind::Undef));
                Some(Tested { variable, when_true: Some(Type::variant(when_true)), when_false: None })
            }
            Expr::Binary(binary) if matches!(binary.op, BinaryOp::Match | BinaryOp::NoMatch) => {
                let Expr::Variable(variable) = body.expr(binary.left) else { return None };
                let wanted = is_type(body, binary.right).then(|| self.eval(env, binary.right))?.ok()?;
                let Value::Type(wanted) = wanted else { return None };
                let tested = match self.branch_type(env, binary.left, narrowed) {
                    None => Tested { variable, when_true: Some(wanted), when_false: None },
                    Some(it) => {
                        let unless = |answer: bool| {
                            let all = members(&it).into_iter();
                            Type::variant(
                                all.filter(|it| known_instance(self.dialect(), it, &wanted) != Some(answer)),
                            )
                        };
                        Tested { variable, when_true: Some(unless(false)), when_false: Some(unless(true)) }
                    }
                };
                Some(if binary.op == BinaryOp::Match { tested } else { tested.negated() })
            }
            _ => None,
        }
    }

    fn unwrapped_type<'e>(&mut self, env: &Env<'e>, id: ExprId, narrowed: &mut Narrowed<'e>) -> Option<Type> {
        let it = self.branch_type(env, id, narrowed)?;
        let unwrapped = members(&it).into_iter().map(|it| match it.kind() {
            TypeKind::Sensitive(hidden) => Some(hidden.clone()),
            // Other values are returned unchanged.
            _ => (known_instance(self.dialect(), &it, &Type::sensitive(&Type::any())) == Some(false))
                .then_some(it),
        });
        Some(Type::variant(unwrapped.collect::<Option<Vec<Type>>>()?))
    }

    fn variable_type(&self, env: &Env<'_>, variable: &Variable) -> Option<Type> {
        let value = match variable {
            Variable::Local { name, candidates } => {
                let local = env.frame.and_then(|it| it.first(candidates));
                local.or_else(|| env.scope.find(name))
            }
            Variable::Top(name) => self.global(name),
            Variable::Qualified { scope, name, .. } => self.qualified_in(env, scope, name),
            Variable::Group(_) => None,
        };
        Some(match value? {
            Value::Undef => Type::undef(),
            Value::Boolean(_) => boolean(),
            Value::Integer(_) => Type::integer(),
            Value::String(_) => Type::string(),
            Value::Array(_) => Type::array(Type::any(), None),
            Value::Hash(_) => Type::hash(Type::any(), Type::any(), None),
            Value::Sensitive(_) => Type::sensitive(&Type::any()),
            Value::Unknown(it) => it.known_type()?.clone(),
            _ => return None,
        })
    }
}

/// The types of a variable after a test, by its outcome. None if nothing follows.
struct Tested<'a> {
    variable: &'a Variable,
    when_true: Option<Type>,
    when_false: Option<Type>,
}

impl Tested<'_> {
    fn negated(self) -> Self {
        Tested { when_true: self.when_false, when_false: self.when_true, ..self }
    }
}

/// The types that a union consists of.
fn members(it: &Type) -> Vec<Type> {
    let it = it.resolved();
    match it.kind() {
        TypeKind::Variant(types) => types.iter().flat_map(members).collect(),
        TypeKind::Optional(Some(inner)) => {
            let mut all = members(inner);
            all.push(Type::undef());
            all
        }
        _ => vec![it.clone()],
    }
}

/// Whether an expression names a type with nothing to compute.
fn is_type(body: &Body, id: ExprId) -> bool {
    match body.expr(id) {
        Expr::Reference(_) => true,
        Expr::Access { target, keys } => {
            let is_literal = |it: &ExprId| match body.expr(*it) {
                Expr::String(_) | Expr::Integer(_) | Expr::Default | Expr::Regexp(_) => true,
                _ => is_type(body, *it),
            };
            is_type(body, *target) && keys.iter().all(is_literal)
        }
        _ => false,
    }
}

fn is_unwrap(name: &str) -> bool {
    name.strip_prefix("::").unwrap_or(name) == "unwrap"
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, In, Less, LessEqual, Match, NoMatch, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In | Match | NoMatch)
}

fn boolean() -> Type {
    TypeKind::Boolean(None).into()
}
