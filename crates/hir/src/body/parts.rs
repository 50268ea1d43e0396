//! The parts of expressions, and which of them are evaluated only conditionally.

use super::{
    Attribute, Block, Body, Callee, Choice, Expr, ExprId, LambdaId, Parameter, Query, QueryKind, Segment,
};

/// The condition under which a part is evaluated, given that its expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Whenever the expression is evaluated.
    Always,
    /// Together with all other parts of this number, or not at all.
    Sometimes(usize),
    /// The part is evaluated each time that the lambda is called, if ever.
    Called(LambdaId),
}

/// Visits the parts of an expression, one level deep.
pub fn parts(body: &Body, expr: &Expr, visit: &mut dyn FnMut(ExprId, When)) {
    let mut always = |id: ExprId| visit(id, When::Always);
    match expr {
        Expr::Interpolated(segments) => segments.iter().for_each(|it| {
            if let Segment::Expr(id) = it {
                always(*id);
            }
        }),
        Expr::Heredoc { text, .. } => always(*text),
        Expr::Array(elements) => elements.iter().copied().for_each(always),
        Expr::Hash(entries) => entries.iter().for_each(|(key, value)| {
            always(*key);
            always(*value);
        }),
        Expr::Not(it) | Expr::Minus(it) | Expr::Splat(it) => always(*it),
        Expr::And(left, right) | Expr::Or(left, right) => {
            always(*left);
            visit(*right, When::Sometimes(0));
        }
        Expr::Binary(it) => [it.left, it.right].into_iter().for_each(always),
        Expr::Assign { value, .. } => always(*value),
        Expr::Relationship { left, right, .. } => [*left, *right].into_iter().for_each(always),
        Expr::Access { target, keys } => {
            always(*target);
            keys.iter().copied().for_each(always);
        }
        Expr::Selector(it) => {
            always(it.test);
            for (number, (key, value)) in it.entries.iter().enumerate() {
                visit(*key, When::Sometimes(2 * number));
                visit(*value, When::Sometimes(2 * number + 1));
            }
        }
        Expr::Call(it) => {
            if let Callee::Type(id) | Callee::Other(id) = &it.callee {
                always(*id);
            }
            it.arguments.iter().copied().for_each(always);
            it.lambda.into_iter().for_each(|it| lambda(body, it, visit));
        }
        Expr::MethodCall(it) => {
            always(it.receiver);
            it.arguments.iter().copied().for_each(always);
            it.lambda.into_iter().for_each(|it| lambda(body, it, visit));
        }
        Expr::If(it) | Expr::Unless(it) => choice(it, visit),
        Expr::Case(it) => {
            always(it.test);
            for (number, option) in it.options.iter().enumerate() {
                option.values.iter().for_each(|id| visit(*id, When::Sometimes(2 * number)));
                block(&option.body, When::Sometimes(2 * number + 1), visit);
            }
        }
        Expr::Resource(it) => {
            always(it.type_name);
            for body in &it.bodies {
                visit(body.title, When::Always);
                attributes(&body.attributes, visit);
            }
        }
        Expr::ResourceDefaults(id, set) | Expr::ResourceOverride(_, id, set) => {
            always(*id);
            attributes(set, visit);
        }
        Expr::Collector(it) => {
            always(it.type_ref);
            if let Some(condition) = &it.query {
                query(condition, visit);
            }
            attributes(&it.attributes, visit);
        }
        Expr::Apply(arguments, id) => {
            arguments.iter().copied().for_each(always);
            lambda(body, *id, visit);
        }
        Expr::Render(statements) => statements.iter().copied().for_each(always),
        Expr::Missing
        | Expr::Undef
        | Expr::Default
        | Expr::Boolean(_)
        | Expr::Integer(_)
        | Expr::LargeInteger { .. }
        | Expr::Float(_)
        | Expr::String(_)
        | Expr::Regexp(_)
        | Expr::Reference(_)
        | Expr::Reserved(_)
        | Expr::Variable(_)
        | Expr::Definition
        | Expr::RenderText(_) => {}
    }
}

/// Visits the types and default values of parameters. A default value is evaluated only if the argument is missing.
pub fn parameters(parameters: &[Parameter], first: usize, visit: &mut dyn FnMut(ExprId, When)) {
    for (number, parameter) in parameters.iter().enumerate() {
        parameter.type_expr.into_iter().for_each(|id| visit(id, When::Always));
        parameter.default.into_iter().for_each(|id| visit(id, When::Sometimes(first + number)));
    }
}

fn lambda(body: &Body, id: LambdaId, visit: &mut dyn FnMut(ExprId, When)) {
    let lambda = body.lambda(id);
    lambda.return_type.into_iter().for_each(|it| visit(it, When::Always));
    parameters(&lambda.parameters, 0, visit);
    block(&lambda.statements, When::Called(id), visit);
}

fn choice(choice: &Choice, visit: &mut dyn FnMut(ExprId, When)) {
    for (number, arm) in choice.arms.iter().enumerate() {
        visit(arm.test, if number == 0 { When::Always } else { When::Sometimes(2 * number) });
        block(&arm.body, When::Sometimes(2 * number + 1), visit);
    }
    if let Some(otherwise) = &choice.otherwise {
        block(otherwise, When::Sometimes(2 * choice.arms.len()), visit);
    }
}

fn block(block: &Block, when: When, visit: &mut dyn FnMut(ExprId, When)) {
    block.iter().for_each(|it| visit(*it, when));
}

fn attributes(attributes: &[Attribute], visit: &mut dyn FnMut(ExprId, When)) {
    attributes.iter().for_each(|it| visit(it.value, When::Always));
}

fn query(query: &Query, visit: &mut dyn FnMut(ExprId, When)) {
    // The recursion is as deep as the parentheses of the text.
    match &query.kind {
        QueryKind::Equal(_, id) | QueryKind::NotEqual(_, id) | QueryKind::Other(id) => {
            visit(*id, When::Always)
        }
        QueryKind::And(left, right) | QueryKind::Or(left, right) => {
            self::query(left, visit);
            self::query(right, visit);
        }
    }
}

/// Returns every list of statements in a body.
pub fn blocks(body: &Body) -> Vec<&[ExprId]> {
    let mut blocks: Vec<&[ExprId]> = vec![&body.statements];
    for (_, expr) in body.exprs() {
        match expr {
            Expr::If(it) | Expr::Unless(it) => {
                blocks.extend(it.arms.iter().map(|it| &*it.body));
                blocks.extend(it.otherwise.as_deref());
            }
            Expr::Case(it) => blocks.extend(it.options.iter().map(|it| &*it.body)),
            Expr::Call(it) => blocks.extend(it.lambda.map(|it| &*body.lambda(it).statements)),
            Expr::MethodCall(it) => blocks.extend(it.lambda.map(|it| &*body.lambda(it).statements)),
            Expr::Apply(_, it) => blocks.push(&body.lambda(*it).statements),
            Expr::Render(statements) => blocks.push(statements),
            _ => {}
        }
    }
    blocks
}
