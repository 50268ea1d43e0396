use super::{Attribute, Expr, ExprKind, Lambda, Parameter, Program, Segment};

impl Expr {
    /// Calls `visit` with every direct child of this expression, in source order.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Undef
            | ExprKind::Default
            | ExprKind::Boolean(_)
            | ExprKind::Integer { .. }
            | ExprKind::LargeInteger { .. }
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Regex(_)
            | ExprKind::Name(_)
            | ExprKind::Reference(_)
            | ExprKind::Variable(_)
            | ExprKind::Reserved(_)
            | ExprKind::RenderText(_)
            | ExprKind::Error => {}
            ExprKind::Interpolated(segments) => {
                for segment in segments {
                    if let Segment::Expr(expr) = segment {
                        visit(expr);
                    }
                }
            }
            ExprKind::Heredoc(heredoc) => visit(&heredoc.text),
            ExprKind::Array(elements) => elements.iter().for_each(visit),
            ExprKind::Hash(hash) => {
                for entry in &hash.entries {
                    visit(&entry.key);
                    visit(&entry.value);
                }
            }
            ExprKind::Parenthesized(inner) => visit(inner),
            ExprKind::Unary(unary) => visit(&unary.operand),
            ExprKind::Binary(binary) => [&binary.left, &binary.right].into_iter().for_each(visit),
            ExprKind::Assignment(it) => [&it.left, &it.right].into_iter().for_each(visit),
            ExprKind::Relationship(it) => [&it.left, &it.right].into_iter().for_each(visit),
            ExprKind::Access(access) => {
                visit(&access.target);
                access.keys.iter().for_each(visit);
            }
            ExprKind::Selector(selector) => {
                visit(&selector.value);
                for entry in &selector.entries {
                    visit(&entry.key);
                    visit(&entry.value);
                }
            }
            ExprKind::Call(call) => {
                visit(&call.callee);
                call.arguments.iter().for_each(&mut *visit);
                lambda(call.lambda.as_deref(), visit);
            }
            ExprKind::MethodCall(call) => {
                visit(&call.receiver);
                call.arguments.iter().for_each(&mut *visit);
                lambda(call.lambda.as_deref(), visit);
            }
            ExprKind::Resource(resource) => {
                visit(&resource.type_name);
                for body in &resource.bodies {
                    visit(&body.title);
                    attributes(&body.attributes, visit);
                }
            }
            ExprKind::ResourceDefaults(defaults) => {
                visit(&defaults.type_ref);
                attributes(&defaults.attributes, visit);
            }
            ExprKind::ResourceOverride(it) => {
                visit(&it.resources);
                attributes(&it.attributes, visit);
            }
            ExprKind::Collector(collector) => {
                visit(&collector.type_ref);
                collector.query.condition.iter().for_each(&mut *visit);
                attributes(&collector.attributes, visit);
            }
            ExprKind::If(it) => {
                for arm in &it.arms {
                    visit(&arm.test);
                    arm.body.iter().for_each(&mut *visit);
                }
                it.otherwise.iter().flatten().for_each(visit);
            }
            ExprKind::Unless(it) => {
                visit(&it.test);
                it.body.iter().for_each(&mut *visit);
                it.otherwise.iter().flatten().for_each(visit);
            }
            ExprKind::Case(case) => {
                visit(&case.test);
                for option in &case.options {
                    option.values.iter().for_each(&mut *visit);
                    option.body.iter().for_each(&mut *visit);
                }
            }
            ExprKind::Class(it) => definition(&it.parameters, None, &it.body, visit),
            ExprKind::Define(it) => definition(&it.parameters, None, &it.body, visit),
            ExprKind::Function(it) => definition(&it.parameters, it.return_type.as_ref(), &it.body, visit),
            ExprKind::Plan(it) => definition(&it.parameters, None, &it.body, visit),
            ExprKind::Node(node) => {
                node.matches.iter().for_each(&mut *visit);
                node.parent.iter().for_each(&mut *visit);
                node.body.iter().for_each(visit);
            }
            ExprKind::Apply(apply) => {
                apply.arguments.iter().for_each(&mut *visit);
                apply.body.iter().for_each(visit);
            }
            ExprKind::TypeAlias(alias) => visit(&alias.type_expr),
            ExprKind::TypeMapping(mapping) => {
                visit(&mapping.type_expr);
                visit(&mapping.mapping);
            }
            ExprKind::TypeDefinition(it) => it.body.iter().for_each(visit),
            ExprKind::UntitledResource(parts) => parts.iter().for_each(visit),
            ExprKind::Render(body) => body.iter().for_each(visit),
        }
    }
}

impl Program {
    /// Calls `visit` with every direct child of the program: the parameters' types and defaults, and the statements.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        for parameter in self.template.iter().flat_map(|template| template.parameters.iter().flatten()) {
            self::parameter(parameter, visit);
        }
        self.body.iter().for_each(visit);
    }
}

fn parameter<'a>(parameter: &'a Parameter, visit: &mut dyn FnMut(&'a Expr)) {
    parameter.type_expr.iter().chain(&parameter.value).for_each(visit);
}

fn attributes<'a>(attributes: &'a [Attribute], visit: &mut dyn FnMut(&'a Expr)) {
    attributes.iter().for_each(|attribute| visit(&attribute.value));
}

fn lambda<'a>(lambda: Option<&'a Lambda>, visit: &mut dyn FnMut(&'a Expr)) {
    if let Some(lambda) = lambda {
        definition(&lambda.parameters, lambda.return_type.as_ref(), &lambda.body, visit);
    }
}

fn definition<'a>(
    parameters: &'a [Parameter],
    return_type: Option<&'a Expr>,
    body: &'a [Expr],
    visit: &mut dyn FnMut(&'a Expr),
) {
    parameters.iter().for_each(|it| parameter(it, visit));
    return_type.into_iter().for_each(&mut *visit);
    body.iter().for_each(visit);
}
