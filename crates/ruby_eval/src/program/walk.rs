//! A walk over all expressions of a program.

use super::tree::*;
use crate::Symbol;

/// The bytes of stack that an expression must leave, and those that are added otherwise.
const RED_ZONE: usize = 128 << 10;
const MORE_STACK: usize = 1 << 20;

/// Looks at the parts of a program.
pub(super) trait Visitor {
    /// An expression, before those in it. `locals` are the names of the variables that it may use, those of its own method or
    /// block last.
    fn expr(&mut self, expr: &Expr, locals: &Locals<'_>);

    /// A variable or another place that gets a value, which is `value` if it is an assignment to this place alone.
    fn target(&mut self, target: &Target, value: Option<&Expr>, locals: &Locals<'_>);
}

/// The names of local variables, by the depths and slots with which expressions refer to them.
pub(super) struct Locals<'a> {
    names: &'a [Symbol],
    outer: Option<&'a Locals<'a>>,
}

impl Locals<'_> {
    /// The name of the variable in a slot, `depth` blocks around this one.
    pub(super) fn name(&self, depth: u32, slot: Slot) -> Option<Symbol> {
        match depth {
            0 => self.names.get(slot as usize).copied(),
            _ => self.outer?.name(depth - 1, slot),
        }
    }
}

/// Visits all expressions of a method, a class body or a file.
pub(super) fn walk(code: &MethodCode, visitor: &mut dyn Visitor) {
    let locals = Locals { names: &code.locals, outer: None };
    let mut walker = Walker { visitor };
    walker.parameters(&code.parameters, &locals);
    walker.expr(&code.body, &locals);
}

struct Walker<'v> {
    visitor: &'v mut dyn Visitor,
}

impl Walker<'_> {
    fn expr(&mut self, expr: &Expr, at: &Locals<'_>) {
        self.visitor.expr(expr, at);
        stacker::maybe_grow(RED_ZONE, MORE_STACK, || self.parts_of(expr, at));
    }

    fn parts_of(&mut self, expr: &Expr, at: &Locals<'_>) {
        match expr {
            Expr::Nil
            | Expr::True
            | Expr::False
            | Expr::SelfValue
            | Expr::Integer(_)
            | Expr::BigInteger(_)
            | Expr::Float(_)
            | Expr::Symbol(_)
            | Expr::String(_)
            | Expr::Regexp(_)
            | Expr::Local(_)
            | Expr::Outer { .. }
            | Expr::InstanceVariable(_)
            | Expr::ClassVariable(_)
            | Expr::GlobalVariable(_)
            | Expr::MatchVariable(_)
            | Expr::Alias(..)
            | Expr::AliasGlobal(..)
            | Expr::LoopNext
            | Expr::Redo
            | Expr::Retry
            | Expr::File
            | Expr::Unsupported(_) => {}
            Expr::Interpolation(parts) | Expr::DynamicSymbol(parts) => self.parts(parts, at),
            Expr::DynamicRegexp(it) => self.parts(&it.parts, at),
            Expr::Array(elements) => self.elements(elements, at),
            Expr::Hash(entries) => self.entries(entries, at),
            Expr::Range(it) => self.all([&it.begin, &it.end], at),
            Expr::SetLocal { slot, value } => {
                self.assign(&Target::Local { depth: 0, slot: *slot }, value, at)
            }
            Expr::SetOuter { depth, slot, value } => {
                self.assign(&Target::Local { depth: *depth, slot: *slot }, value, at);
            }
            Expr::Constant(it) => self.constant(it, at),
            Expr::Assign(it) => self.assign(&it.target, &it.value, at),
            Expr::MultipleAssign(it) => {
                self.targets(&it.targets, at);
                self.expr(&it.value, at);
            }
            Expr::OperatorAssign(it) => {
                self.target(&it.target, None, at);
                self.expr(&it.value, at);
            }
            Expr::Call(it) => {
                if let Receiver::Value(receiver) = &it.receiver {
                    self.expr(receiver, at);
                }
                self.arguments(&it.arguments, at);
            }
            Expr::Append(it) => self.parts(std::slice::from_ref(&it.value), at),
            Expr::Super(it) => {
                if let Some(arguments) = &it.arguments {
                    self.arguments(arguments, at);
                }
                self.block_argument(&it.block, at);
            }
            Expr::Yield(it) => self.arguments(&it.arguments, at),
            Expr::And(it) | Expr::Or(it) => self.all([&it.0, &it.1], at),
            Expr::Not(it) => self.expr(it, at),
            Expr::Defined(it) => self.expr(&it.value, at),
            Expr::If(it) => self.all([&it.condition, &it.then, &it.otherwise], at),
            Expr::While(it) => self.all([&it.condition, &it.body], at),
            Expr::For(it) => {
                self.expr(&it.iterated, at);
                self.block(&it.block, at);
            }
            Expr::Case(it) => {
                self.all(&it.subject, at);
                for branch in &it.branches {
                    self.elements(&branch.patterns, at);
                    self.expr(&branch.body, at);
                }
                self.expr(&it.otherwise, at);
            }
            Expr::CaseIn(it) => {
                self.expr(&it.subject, at);
                for branch in &it.branches {
                    self.pattern(&branch.pattern, at);
                    self.all(branch.guard.as_ref().map(|it| &it.0), at);
                    self.expr(&branch.body, at);
                }
                self.all(&it.otherwise, at);
            }
            Expr::Sequence(all) | Expr::Undefine(all) => self.all(all, at),
            Expr::Begin(it) => {
                self.expr(&it.body, at);
                for rescue in &it.rescues {
                    self.elements(&rescue.classes, at);
                    if let Some(target) = &rescue.target {
                        self.target(target, None, at);
                    }
                    self.expr(&rescue.body, at);
                }
                self.all(it.otherwise.iter().chain(&it.ensure), at);
            }
            Expr::Lambda(it) => self.block(it, at),
            Expr::Define(it) => {
                self.all(&it.object, at);
                self.method(&it.code);
            }
            Expr::Class(it) => {
                match &it.kind {
                    ClassExprKind::Class { path, superclass } => {
                        self.constant(path, at);
                        self.all(superclass, at);
                    }
                    ClassExprKind::Module { path } => self.constant(path, at),
                    ClassExprKind::Singleton { object } => self.expr(object, at),
                }
                self.method(&it.body);
            }
            Expr::Break(it) | Expr::Next(it) | Expr::Return(it) | Expr::LoopBreak(it) => {
                self.all(it.as_deref(), at);
            }
            Expr::MatchAssign(it) => {
                self.expr(&it.call, at);
                for (_, target) in &it.names {
                    self.target(target, None, at);
                }
            }
        }
    }

    fn all<'a>(&mut self, all: impl IntoIterator<Item = &'a Expr>, at: &Locals<'_>) {
        all.into_iter().for_each(|it| self.expr(it, at));
    }

    fn parts(&mut self, parts: &[Part], at: &Locals<'_>) {
        for it in parts {
            if let Part::Expr(it) = it {
                self.expr(it, at);
            }
        }
    }

    fn elements(&mut self, elements: &[Element], at: &Locals<'_>) {
        for Element::Value(it) | Element::Splat(it) in elements {
            self.expr(it, at);
        }
    }

    fn entries(&mut self, entries: &[Entry], at: &Locals<'_>) {
        for it in entries {
            match it {
                Entry::Pair(key, value) => self.all([key, value], at),
                Entry::Splat(it) => self.expr(it, at),
            }
        }
    }

    fn constant(&mut self, path: &ConstantPath, at: &Locals<'_>) {
        if let ConstantScope::Value(it) = &path.scope {
            self.expr(it, at);
        }
    }

    fn assign(&mut self, target: &Target, value: &Expr, at: &Locals<'_>) {
        self.target(target, Some(value), at);
        self.expr(value, at);
    }

    fn target(&mut self, target: &Target, value: Option<&Expr>, at: &Locals<'_>) {
        self.visitor.target(target, value, at);
        match target {
            Target::Constant(it) => self.constant(it, at),
            Target::Index(it) => {
                self.expr(&it.receiver, at);
                self.arguments(&it.arguments, at);
            }
            Target::Attribute(it) => self.expr(&it.receiver, at),
            Target::Nested(it) => self.targets(it, at),
            Target::Local { .. }
            | Target::InstanceVariable(_)
            | Target::ClassVariable(_)
            | Target::GlobalVariable(_)
            | Target::Unsupported(_) => {}
        }
    }

    fn targets(&mut self, targets: &Targets, at: &Locals<'_>) {
        for it in targets.before.iter().chain(targets.rest.iter().flatten()).chain(&targets.after) {
            self.target(it, None, at);
        }
    }

    fn arguments(&mut self, arguments: &Arguments, at: &Locals<'_>) {
        self.elements(&arguments.positional, at);
        self.entries(arguments.keywords.as_deref().unwrap_or_default(), at);
        self.block_argument(&arguments.block, at);
    }

    fn block_argument(&mut self, block: &BlockArgument, at: &Locals<'_>) {
        match block {
            BlockArgument::None => {}
            BlockArgument::Literal(it) => self.block(it, at),
            BlockArgument::Pass(it) => self.expr(it, at),
        }
    }

    fn block(&mut self, block: &BlockCode, at: &Locals<'_>) {
        let inner = Locals { names: &block.locals, outer: Some(at) };
        self.parameters(&block.parameters, &inner);
        self.expr(&block.body, &inner);
    }

    fn method(&mut self, code: &MethodCode) {
        let inner = Locals { names: &code.locals, outer: None };
        self.parameters(&code.parameters, &inner);
        self.expr(&code.body, &inner);
    }

    fn parameters(&mut self, parameters: &Parameters, at: &Locals<'_>) {
        for it in parameters.required.iter().chain(&parameters.post) {
            match it {
                Parameter::Slot(slot) => self.bind(*slot, at),
                Parameter::Nested(targets) => self.targets(targets, at),
            }
        }
        for (slot, default) in &parameters.optional {
            self.bind(*slot, at);
            self.expr(default, at);
        }
        for it in &parameters.keywords {
            self.bind(it.slot, at);
            self.all(&it.default, at);
        }
        let rest = parameters.rest.flatten();
        let keywords = match parameters.keyword_rest {
            KeywordRest::Rest(slot) => Some(slot),
            KeywordRest::None | KeywordRest::Refused => None,
        };
        for slot in rest.into_iter().chain(keywords).chain(parameters.block) {
            self.bind(slot, at);
        }
    }

    fn bind(&mut self, slot: Slot, at: &Locals<'_>) {
        self.target(&Target::Local { depth: 0, slot }, None, at);
    }

    fn pattern(&mut self, pattern: &Pattern, at: &Locals<'_>) {
        match pattern {
            Pattern::Value(it) => self.expr(it, at),
            Pattern::Bind(it) => self.target(it, None, at),
            Pattern::Alternatives(it) => {
                self.pattern(&it.0, at);
                self.pattern(&it.1, at);
            }
            Pattern::Capture(it) => {
                self.pattern(&it.0, at);
                self.target(&it.1, None, at);
            }
            Pattern::Array(it) => {
                self.all(&it.constant, at);
                it.before.iter().chain(&it.after).for_each(|it| self.pattern(it, at));
                self.rest(it.rest.iter().flatten(), at);
            }
            Pattern::Find(it) => {
                self.all(&it.constant, at);
                it.middle.iter().for_each(|it| self.pattern(it, at));
                self.rest(it.before.iter().chain(&it.after), at);
            }
            Pattern::Hash(it) => {
                self.all(&it.constant, at);
                it.pairs.iter().for_each(|(_, it)| self.pattern(it, at));
                if let HashRest::Bind(target) = &it.rest {
                    self.target(target, None, at);
                }
            }
            Pattern::Unsupported(_) => {}
        }
    }

    fn rest<'a>(&mut self, targets: impl IntoIterator<Item = &'a Target>, at: &Locals<'_>) {
        targets.into_iter().for_each(|it| self.target(it, None, at));
    }
}
