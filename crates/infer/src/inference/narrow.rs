//! Narrowing: what a condition that holds, or fails, implies for variables.

use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Callee, Expr, Variable};
use marotte_pcore::effort;
use marotte_pcore::relation::assignable;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::dialect;
use marotte_text::Str;

use super::builder::InferenceBuilder;
use super::known::Known;
use super::scope::Read;

impl InferenceBuilder<'_> {
    /// Narrows variables where a condition holds (`wanted`) or fails.
    pub(super) fn assume(&mut self, test: ExprId, wanted: bool) {
        let body = self.body;
        match body.expr(test) {
            Expr::Not(operand) => self.assume(*operand, !wanted),
            Expr::And(left, right) if wanted => {
                self.assume(*left, true);
                self.assume(*right, true);
            }
            Expr::Or(left, right) if !wanted => {
                self.assume(*left, false);
                self.assume(*right, false);
            }
            Expr::Variable(_) => {
                if let Some((name, known)) = self.narrowable(test) {
                    let narrowed =
                        known.and_then(|it| without(&it, |it| super::truth::truth(it) == Some(!wanted)));
                    self.narrow_to(&name, narrowed);
                }
            }
            Expr::Binary(binary) => {
                let (op, left, right) = (binary.op, binary.left, binary.right);
                match op {
                    BinaryOp::Match => self.assume_match(left, right, wanted),
                    BinaryOp::NoMatch => self.assume_match(left, right, !wanted),
                    BinaryOp::Equal => self.assume_equal(left, right, wanted),
                    BinaryOp::NotEqual => self.assume_equal(left, right, !wanted),
                    _ => {}
                }
            }
            // `$x.empty` and the like imply nothing that types can express.
            Expr::Call(call) if matches!(&call.callee, Callee::Function(_)) => {}
            _ => {}
        }
    }

    /// Narrows variables where an option of a `case` or selector was taken, or wasn't.
    pub(super) fn assume_options(&mut self, test: ExprId, options: &[ExprId], taken: bool) {
        let Some((name, known)) = self.narrowable(test) else { return };
        let types: Option<Vec<Type>> = options.iter().map(|it| self.option_type(*it)).collect();
        let Some(types) = types else { return };
        let option = Type::variant(types);
        let narrowed =
            if taken { Some(both(known, &option)) } else { known.and_then(|it| minus(&it, &option)) };
        self.narrow_to(&name, narrowed);
    }

    /// The type of exactly the values that an option matches; None if there is no such type.
    fn option_type(&self, option: ExprId) -> Option<Type> {
        match (self.body.expr(option), self.types[option.index()].as_ref()?.kind()) {
            (Expr::Undef, _) => Some(Type::undef()),
            (_, TypeKind::Type(Some(it))) => Some(it.clone()),
            _ => None,
        }
    }

    fn assume_match(&mut self, left: ExprId, right: ExprId, wanted: bool) {
        let Some((name, known)) = self.narrowable(left) else { return };
        let pattern = self.types[right.index()].clone();
        match pattern.as_ref().map(Type::kind) {
            Some(TypeKind::Type(Some(it))) if wanted => {
                let narrowed = both(known, it);
                self.narrow_to(&name, Some(narrowed));
            }
            Some(TypeKind::Type(Some(it))) => {
                let narrowed = known.and_then(|known| minus(&known, it));
                self.narrow_to(&name, narrowed);
            }
            // Anything but a string is rejected.
            Some(TypeKind::Regexp(_) | TypeKind::String(_)) => {
                let narrowed = both(known, &Type::string());
                self.narrow_to(&name, Some(narrowed));
            }
            _ => {}
        }
    }

    fn assume_equal(&mut self, left: ExprId, right: ExprId, wanted: bool) {
        let is_undef = |id| matches!(self.body.expr(id), Expr::Undef);
        let other = match (is_undef(left), is_undef(right)) {
            (true, false) => right,
            (false, true) => left,
            _ => return,
        };
        let Some((name, known)) = self.narrowable(other) else { return };
        let narrowed =
            if wanted { Some(Type::undef()) } else { known.and_then(|it| minus(&it, &Type::undef())) };
        self.narrow_to(&name, narrowed);
    }

    /// A variable of the body, and its current type.
    fn narrowable(&self, id: ExprId) -> Option<(Str, Known)> {
        let Expr::Variable(variable) = self.body.expr(id) else { return None };
        let Variable::Local { name, .. } = &**variable else { return None };
        match self.scopes.read(name) {
            Read::Set(known) => Some((name.clone(), known)),
            Read::Perhaps => Some((name.clone(), None)),
            Read::Unset => None,
        }
    }

    fn narrow_to(&mut self, name: &Str, known: Known) {
        if let Some(known) = known {
            self.scopes.narrow(name, known);
        }
    }
}

/// The intersection of two types, or `other` if no type expresses it.
fn both(known: Known, other: &Type) -> Type {
    let Some(known) = known else { return other.clone() };
    if assignable(dialect(), other, &known) {
        return known;
    }
    if assignable(dialect(), &known, other) {
        return other.clone();
    }
    match known.resolved().kind() {
        TypeKind::Variant(types) => {
            let parts: Vec<Type> =
                types.iter().filter(|it| assignable(dialect(), other, it)).cloned().collect();
            let rest =
                types.iter().any(|it| !assignable(dialect(), other, it) && !assignable(dialect(), it, other));
            // Others may have values in common with it that no type here expresses.
            if parts.is_empty() || rest || types.iter().any(|it| assignable(dialect(), it, other)) {
                return other.clone();
            }
            Type::variant(parts)
        }
        _ => other.clone(),
    }
}

/// A type without the alternatives that are entirely of another. None if nothing would remain.
fn minus(it: &Type, other: &Type) -> Known {
    without(it, |part| assignable(dialect(), other, part))
}

/// A type without some of its alternatives. None if nothing would remain.
fn without(it: &Type, drop: impl Fn(&Type) -> bool) -> Known {
    match it.resolved().kind() {
        TypeKind::Variant(_) if !effort::spend(effort::size(it.extent())) => None,
        TypeKind::Variant(types) => {
            let kept: Vec<Type> = types.iter().filter_map(|part| without_one(part, &drop)).collect();
            (!kept.is_empty()).then(|| Type::variant(kept))
        }
        _ => without_one(it, &drop),
    }
}

fn without_one(it: &Type, drop: &impl Fn(&Type) -> bool) -> Known {
    match it.resolved().kind() {
        TypeKind::Optional(Some(inner)) if drop(&Type::undef()) => (!drop(inner)).then(|| inner.clone()),
        TypeKind::Optional(Some(inner)) if drop(inner) => Some(Type::undef()),
        _ => (!drop(it)).then(|| it.clone()),
    }
}
