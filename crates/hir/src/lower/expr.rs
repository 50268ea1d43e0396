use marotte_syntax::ast::{self, BinaryOp, ExprKind, UnaryOp};

use super::Lowerer;
use crate::body::{
    Arm, Binary, Call, Callee, Case, CaseOption, Choice, Expr, Lambda, LambdaId, MethodCall, Segment,
    Selector, Target, TargetKind,
};
use crate::{ExprId, Place};

impl Lowerer {
    /// Lowers an expression. Recursion is bounded by the tree's limits on nesting and on chains of operators.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> ExprId {
        let place = Place { range: expr.range, anchor: expr.anchor() };
        let lowered = match &expr.kind {
            ExprKind::Parenthesized(inner) => return self.expr(inner),
            ExprKind::Undef => Expr::Undef,
            ExprKind::Default => Expr::Default,
            ExprKind::Boolean(value) => Expr::Boolean(*value),
            ExprKind::Integer { value, .. } => Expr::Integer(*value),
            ExprKind::LargeInteger { digits, radix } => {
                Expr::LargeInteger { digits: digits.clone(), radix: *radix }
            }
            ExprKind::Float(value) => Expr::Float(*value),
            ExprKind::String(text) | ExprKind::Name(text) => Expr::String(text.clone()),
            ExprKind::Regex(source) => Expr::Regexp(source.clone()),
            ExprKind::Reference(name) => Expr::Reference(name.clone()),
            ExprKind::Variable(name) => self.variable(name),
            ExprKind::Reserved(word) => Expr::Reserved(word.clone()),
            ExprKind::Interpolated(segments) => {
                let segments = segments.iter().map(|it| match it {
                    ast::Segment::Text(text) => Segment::Text(text.clone()),
                    ast::Segment::Expr(expr) => Segment::Expr(self.expr(expr)),
                });
                Expr::Interpolated(segments.collect())
            }
            ExprKind::Heredoc(heredoc) => {
                let text = self.expr(&heredoc.text);
                // The syntax of a text without interpolation is already checked by the parser.
                if heredoc.syntax.is_empty() || matches!(heredoc.text.kind, ExprKind::String(_)) {
                    return text;
                }
                Expr::Heredoc { syntax: heredoc.syntax.clone(), text }
            }
            ExprKind::Array(elements) => Expr::Array(self.exprs(elements)),
            ExprKind::Hash(hash) => {
                let entries = hash.entries.iter().map(|it| (self.expr(&it.key), self.expr(&it.value)));
                Expr::Hash(entries.collect())
            }
            ExprKind::Unary(unary) => {
                let operand = self.expr(&unary.operand);
                match unary.op {
                    UnaryOp::Not => Expr::Not(operand),
                    UnaryOp::Minus => Expr::Minus(operand),
                    UnaryOp::Unfold => Expr::Splat(operand),
                }
            }
            ExprKind::Binary(binary) => {
                let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
                match binary.op {
                    BinaryOp::And => Expr::And(left, right),
                    BinaryOp::Or => Expr::Or(left, right),
                    op => Expr::Binary(Binary { op, left, right }),
                }
            }
            ExprKind::Assignment(it) => {
                let target = Box::new(self.target(&it.left));
                Expr::Assign { target, op: it.op, value: self.expr(&it.right) }
            }
            ExprKind::Relationship(it) => {
                Expr::Relationship { op: it.op, left: self.expr(&it.left), right: self.expr(&it.right) }
            }
            ExprKind::Access(it) => {
                Expr::Access { target: self.expr(&it.target), keys: self.exprs(&it.keys) }
            }
            ExprKind::Selector(it) => {
                let test = self.expr(&it.value);
                let entries = it.entries.iter().map(|it| (self.expr(&it.key), self.expr(&it.value)));
                Expr::Selector(Box::new(Selector { test, entries: entries.collect() }))
            }
            ExprKind::Call(it) => self.call(it),
            ExprKind::MethodCall(it) => Expr::MethodCall(Box::new(MethodCall {
                receiver: self.expr(&it.receiver),
                name: it.name.clone(),
                at: self.mark(it.name_range),
                arguments: self.exprs(&it.arguments),
                lambda: it.lambda.as_deref().map(|it| self.lambda(it)),
            })),
            ExprKind::If(it) => {
                let arms =
                    it.arms.iter().map(|it| Arm { test: self.expr(&it.test), body: self.block(&it.body) });
                let arms = arms.collect();
                Expr::If(Box::new(Choice { arms, otherwise: it.otherwise.as_ref().map(|it| self.block(it)) }))
            }
            ExprKind::Unless(it) => {
                let arms = [Arm { test: self.expr(&it.test), body: self.block(&it.body) }].into();
                Expr::Unless(Box::new(Choice {
                    arms,
                    otherwise: it.otherwise.as_ref().map(|it| self.block(it)),
                }))
            }
            ExprKind::Case(it) => {
                let test = self.expr(&it.test);
                let options = it
                    .options
                    .iter()
                    .map(|it| CaseOption { values: self.exprs(&it.values), body: self.block(&it.body) });
                Expr::Case(Box::new(Case { test, options: options.collect() }))
            }
            ExprKind::Resource(_)
            | ExprKind::ResourceDefaults(_)
            | ExprKind::ResourceOverride(_)
            | ExprKind::Collector(_) => self.catalog(expr),
            ExprKind::Class(_)
            | ExprKind::Define(_)
            | ExprKind::Node(_)
            | ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::TypeAlias(_)
            | ExprKind::TypeMapping(_)
            | ExprKind::TypeDefinition(_) => Expr::Definition,
            ExprKind::Apply(it) => {
                let arguments = self.exprs(&it.arguments);
                let body = self.closure(&[], None, &it.body);
                Expr::Apply(arguments, body)
            }
            ExprKind::RenderText(text) => Expr::RenderText(text.clone()),
            ExprKind::Render(body) => Expr::Render(self.block(body)),
            // Expressions that validation rejects aren't evaluated.
            ExprKind::UntitledResource(_) | ExprKind::Error => Expr::Missing,
        };
        self.add(lowered, place)
    }

    fn call(&mut self, call: &ast::Call) -> Expr {
        let is_reference = |expr: &ast::Expr| matches!(expr.kind, ExprKind::Reference(_));
        let callee = match &call.callee.kind {
            ExprKind::Name(name) => Callee::Function(name.clone()),
            ExprKind::Reference(_) => Callee::Type(self.expr(&call.callee)),
            ExprKind::Access(it) if is_reference(&it.target) => Callee::Type(self.expr(&call.callee)),
            _ => Callee::Other(self.expr(&call.callee)),
        };
        let arguments = self.exprs(&call.arguments);
        let lambda = call.lambda.as_deref().map(|it| self.lambda(it));
        Expr::Call(Box::new(Call { callee, arguments, lambda }))
    }

    fn lambda(&mut self, lambda: &ast::Lambda) -> LambdaId {
        self.closure(&lambda.parameters, lambda.return_type.as_ref(), &lambda.body)
    }

    fn closure(
        &mut self,
        parameters: &[ast::Parameter],
        return_type: Option<&ast::Expr>,
        block: &[ast::Expr],
    ) -> LambdaId {
        let return_type = return_type.map(|it| self.expr(it));
        let frame = self.enter(parameters, block);
        let parameters = self.parameters(parameters);
        let statements = self.block(block);
        self.leave();
        let id = LambdaId(u32::try_from(self.body.lambdas.len()).unwrap_or(u32::MAX));
        self.body.lambdas.push(Lambda { parameters, return_type, statements, frame });
        id
    }

    fn target(&mut self, expr: &ast::Expr) -> Target {
        let expr = expr.unparenthesized();
        let place = Place { range: expr.range, anchor: expr.anchor() };
        let (at, kind) = match &expr.kind {
            ExprKind::Variable(name) => {
                let variable = self.variable(name);
                (self.add(variable, place), TargetKind::Variable(name.clone(), self.slot(name)))
            }
            ExprKind::Array(elements) => {
                let targets = elements.iter().map(|it| self.target(it)).collect();
                (self.add(Expr::Missing, place), TargetKind::Several(targets))
            }
            _ => (self.add(Expr::Missing, place), TargetKind::Other),
        };
        Target { at, kind }
    }
}
