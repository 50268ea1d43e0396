//! Static validation: everything that the reference's validation reports, in one walk over the tree.
//!
//! Where a text has known errors, its tree is a guess. So nothing is reported about an expression that contains a known
//! error, and nothing that depends on how blocks nest when their delimiters do not match.

mod assignments;
mod definitions;
mod effects;
mod heredocs;
mod json;
mod known;
mod literals;
mod nodes;
mod parameters;
mod queries;
mod regex;
mod resources;
mod tasks;
#[cfg(test)]
mod tests;

use marotte_text::{TextRange, TextSize};

pub use self::heredocs::heredoc_problem;
use self::known::Known;
use crate::ast::{Access, Call, Case, Expr, ExprKind, If, Lambda, Program, Segment, Selector, Unless};
use crate::{Label, Mode, SyntaxError, SyntaxErrorKind};

/// Adds the errors of `program`, which was built from `source`, to `errors`. Errors found earlier are in `known` and in
/// `errors`.
pub(crate) fn validate(
    program: &Program,
    source: &str,
    mode: Mode,
    known: &[&[SyntaxError]],
    errors: &mut Vec<SyntaxError>,
) {
    validate_within(program, source, mode, 0, known, errors);
}

/// Validates a program nested in `depth` heredocs, each of them the text of the one before.
fn validate_within(
    program: &Program,
    source: &str,
    mode: Mode,
    depth: u8,
    known: &[&[SyntaxError]],
    errors: &mut Vec<SyntaxError>,
) {
    let known = Known::new(known.iter().copied().flatten().chain(&*errors));
    let mut checker = Checker {
        source,
        mode,
        depth,
        known,
        statement: program.range,
        in_default: false,
        in_apply: false,
        errors,
    };
    checker.program(program);
}

/// Whether an error in one part of a statement depends on another part, which may be the actual cause.
fn depends_on_statement(kind: &SyntaxErrorKind) -> bool {
    matches!(
        kind,
        SyntaxErrorKind::IllegalAssignment(_)
            | SyntaxErrorKind::IndexedAssignment
            | SyntaxErrorKind::CrossScopeAssignment(_)
            | SyntaxErrorKind::NumericAssignment(_)
            | SyntaxErrorKind::IllegalExpression { .. }
            | SyntaxErrorKind::NotAValue(_)
    )
}

/// The direct context of an expression, which decides which definitions are allowed there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The program, alone or in its block; or the arguments of `apply`.
    Top,
    /// The block of a class or of `apply`.
    ClassBody,
    /// The block of any other construct. In the reference, a single statement in `if` and `unless` isn't a block.
    Block,
    /// A part of another expression.
    Expression,
}

struct Checker<'a> {
    source: &'a str,
    mode: Mode,
    /// The number of heredocs around the program.
    depth: u8,
    errors: &'a mut Vec<SyntaxError>,
    /// The errors found earlier.
    known: Known,
    /// The innermost enclosing statement.
    statement: TextRange,
    /// Whether it is in a default value, outside lambdas and assignments.
    in_default: bool,
    /// Whether it is in the block of `apply`.
    in_apply: bool,
}

impl Checker<'_> {
    /// Reports an error at `range`, unless a known error explains it.
    fn report(&mut self, range: TextRange, kind: SyntaxErrorKind) {
        let suspect = match depends_on_statement(&kind) {
            true => self.with_neighbours(self.statement.cover(range)),
            false => range,
        };
        if !self.known.touches(suspect) {
            self.errors.push(SyntaxError { range, kind });
        }
    }

    /// Extends a range to the nearest characters on both sides that are neither blanks nor brackets.
    fn with_neighbours(&self, range: TextRange) -> TextRange {
        let passed = |char: char| char.is_whitespace() || matches!(char, '{' | '(' | '[');
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        let before = self.source.get(..start).map_or(start, |text| text.trim_end_matches(passed).len());
        let after = self.source.get(end..).map_or(0, |text| text.len() - text.trim_start().len() + 1);
        match (TextSize::try_from(before.saturating_sub(1)), TextSize::try_from(end + after)) {
            (Ok(before), Ok(after)) => TextRange::new(before.min(range.start()), after),
            _ => range,
        }
    }

    /// The source text at `range`.
    fn written(&self, range: TextRange) -> &str {
        self.source.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
    }

    /// The part of `range` that begins with `token`, which occurs at or after `start`.
    fn after(&self, start: TextSize, range: TextRange, token: &str) -> TextRange {
        let rest = TextRange::new(start.min(range.end()), range.end());
        match self.written(rest).find(token).map(TextSize::try_from) {
            Some(Ok(at)) => TextRange::new(rest.start() + at, rest.end()),
            _ => range,
        }
    }

    fn program(&mut self, program: &Program) {
        match &program.template {
            None => self.block(&program.body, Place::Top),
            Some(template) => {
                if let Some(parameters) = &template.parameters {
                    self.template_parameters(parameters);
                }
                self.block(&program.body, Place::Block);
            }
        }
    }

    fn block(&mut self, statements: &[Expr], place: Place) {
        if statements.len() > 1 {
            self.effects(statements);
        }
        for statement in statements {
            let around = std::mem::replace(&mut self.statement, statement.range);
            self.expr(statement, place);
            self.statement = around;
        }
    }

    /// Checks the block of `if`, `unless` or `else`.
    fn branch(&mut self, statements: &[Expr]) {
        let place = if statements.len() == 1 { Place::Expression } else { Place::Block };
        self.block(statements, place);
    }

    /// Checks a nested expression whose value is used: it must not be a definition or a collector.
    fn value(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Collector(_) => self.report(expr.range, SyntaxErrorKind::NotAValue(expr.label())),
            ExprKind::Class(_)
            | ExprKind::Define(_)
            | ExprKind::Node(_)
            | ExprKind::Function(_)
            | ExprKind::Plan(_)
            | ExprKind::TypeAlias(_)
            | ExprKind::TypeMapping(_)
            | ExprKind::TypeDefinition(_)
                if !self.known.misshapen =>
            {
                self.report(expr.range, SyntaxErrorKind::NotAValue(expr.label()));
            }
            _ => {}
        }
        self.inner(expr);
    }

    fn values(&mut self, exprs: &[Expr]) {
        for expr in exprs {
            self.value(expr);
        }
    }

    /// Checks a nested expression that need not have a value.
    fn inner(&mut self, expr: &Expr) {
        self.expr(expr, Place::Expression);
    }

    fn inners(&mut self, exprs: &[Expr]) {
        for expr in exprs {
            self.inner(expr);
        }
    }

    fn expr(&mut self, expr: &Expr, place: Place) {
        match &expr.kind {
            // The lexer produces references only from valid names (ILLEGAL_CLASSREF).
            ExprKind::Undef
            | ExprKind::Default
            | ExprKind::Boolean(_)
            | ExprKind::Integer { .. }
            | ExprKind::LargeInteger { .. }
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Name(_)
            | ExprKind::Reference(_)
            | ExprKind::RenderText(_)
            | ExprKind::Error => {}
            ExprKind::Regex(pattern) => self.regex(pattern, expr.range),
            ExprKind::Variable(name) => self.variable(name, expr.range),
            ExprKind::Reserved(word) => self.report(expr.range, SyntaxErrorKind::ReservedWord(word.clone())),
            ExprKind::Interpolated(segments) => {
                for segment in segments {
                    if let Segment::Expr(inner) = segment {
                        self.value(inner);
                    }
                }
            }
            ExprKind::Heredoc(heredoc) => self.heredoc(heredoc, expr.range),
            ExprKind::Array(elements) => self.values(elements),
            ExprKind::Hash(hash) => self.hash(hash),
            ExprKind::Parenthesized(inner) => self.value(inner),
            ExprKind::Unary(unary) => self.value(&unary.operand),
            ExprKind::Binary(binary) => {
                self.value(&binary.left);
                self.value(&binary.right);
            }
            ExprKind::Assignment(assignment) => self.assignment(assignment),
            ExprKind::Relationship(relationship) => self.relationship(expr, relationship),
            ExprKind::Access(access) => self.access(access),
            ExprKind::Selector(selector) => self.selector(expr.label(), selector),
            ExprKind::Call(call) => self.call(expr, call),
            ExprKind::MethodCall(call) => {
                self.inner(&call.receiver);
                self.inners(&call.arguments);
                self.lambda(call.lambda.as_deref());
            }
            ExprKind::Resource(resource) => self.resource(expr, resource),
            ExprKind::ResourceDefaults(defaults) => self.resource_defaults(expr, defaults),
            ExprKind::ResourceOverride(it) => self.resource_override(expr, it),
            ExprKind::Collector(collector) => self.collector(expr, collector),
            ExprKind::If(it) => self.if_(it),
            ExprKind::Unless(unless) => self.unless(unless),
            ExprKind::Case(case) => self.case(expr.label(), case),
            ExprKind::Class(class) => self.class(expr, class, place),
            ExprKind::Define(define) => self.define(expr, define, place),
            ExprKind::Node(node) => self.node(expr, node, place),
            ExprKind::Function(function) => self.function(expr, function, place),
            ExprKind::Plan(plan) => self.plan(expr, plan, place),
            ExprKind::Apply(apply) => self.apply(expr, apply),
            ExprKind::TypeAlias(alias) => self.type_alias(expr, alias, place),
            ExprKind::TypeMapping(mapping) => self.type_mapping(expr, mapping, place),
            ExprKind::TypeDefinition(definition) => self.type_definition(expr, definition, place),
            ExprKind::UntitledResource(parts) => self.untitled_resource(expr.range, parts),
            ExprKind::Render(body) => match &**body {
                [only] => self.value(only),
                statements => self.block(statements, Place::Block),
            },
        }
    }

    fn access(&mut self, access: &Access) {
        self.inner(&access.target);
        self.inners(&access.keys);
    }

    fn call(&mut self, expr: &Expr, call: &Call) {
        let callee = &call.callee;
        match &callee.kind {
            // `import` is a function of the reference that always fails, and no module can define another: the loader
            // of built-in functions takes precedence. So this is certain, although validation accepts it.
            ExprKind::Name(name) if name == "import" => {
                self.report(callee.range, SyntaxErrorKind::DiscontinuedImport)
            }
            ExprKind::Name(_) | ExprKind::Reference(_) | ExprKind::Error => {}
            ExprKind::Access(access)
                if matches!(access.target.kind, ExprKind::Reference(_) | ExprKind::Error) => {}
            ExprKind::RenderText(_) => {
                let range = self.after(callee.range.end(), expr.range, "(");
                self.report(range, SyntaxErrorKind::EppParameters);
            }
            _ => self.illegal_expression(callee, "function name", expr.label()),
        }
        self.inner(callee);
        self.inners(&call.arguments);
        self.lambda(call.lambda.as_deref());
    }

    fn illegal_expression(&mut self, expr: &Expr, feature: &'static str, container: Label) {
        let kind = SyntaxErrorKind::IllegalExpression { expression: expr.label(), feature, container };
        self.report(expr.range, kind);
    }

    fn lambda(&mut self, lambda: Option<&Lambda>) {
        let Some(lambda) = lambda else { return };
        let in_default = std::mem::take(&mut self.in_default);
        self.lambda_parameters(&lambda.parameters);
        if let Some(return_type) = &lambda.return_type {
            self.type_reference(return_type, "Lambda");
            self.inner(return_type);
        }
        self.block(&lambda.body, Place::Block);
        self.in_default = in_default;
    }

    fn if_(&mut self, it: &If) {
        for arm in &it.arms {
            self.value(&arm.test);
            self.branch(&arm.body);
        }
        if let Some(otherwise) = &it.otherwise {
            self.branch(otherwise);
        }
    }

    fn unless(&mut self, unless: &Unless) {
        self.value(&unless.test);
        self.branch(&unless.body);
        if let Some(otherwise) = &unless.otherwise {
            self.branch(otherwise);
        }
    }

    fn case(&mut self, label: Label, case: &Case) {
        self.value(&case.test);
        let mut first = None;
        for option in &case.options {
            for value in &option.values {
                self.default_value(value, &mut first, label);
                self.value(value);
            }
            self.block(&option.body, Place::Block);
        }
    }

    fn selector(&mut self, label: Label, selector: &Selector) {
        self.value(&selector.value);
        let mut first = None;
        for entry in &selector.entries {
            self.default_value(&entry.key, &mut first, label);
            self.value(&entry.key);
            self.inner(&entry.value);
        }
    }

    /// Checks that there is only one `default`.
    fn default_value(&mut self, value: &Expr, first: &mut Option<TextRange>, container: Label) {
        if !matches!(value.kind, ExprKind::Default) {
            return;
        }
        match *first {
            None => *first = Some(value.range),
            Some(first) => self.report(value.range, SyntaxErrorKind::DuplicateDefault { container, first }),
        }
    }
}

/// The first `length` bytes of a range: a keyword or sign at its start.
fn head(range: TextRange, length: u32) -> TextRange {
    TextRange::new(range.start(), (range.start() + TextSize::from(length)).min(range.end()))
}
