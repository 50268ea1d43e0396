//! Does one type accept another: may an instance of the other stand where the one is declared?

use std::cell::{Cell, RefCell};

use super::accepts;
use super::guard::{Guard, Guarded};
use super::proofs::{Begun, Proofs};
use crate::create::named;
use crate::dialect::{Dialect, UndefFits};
use crate::effort;
use crate::extent::with_stack;
use crate::types::{Type, TypeAlias, TypeKind, UNDEF};

/// Whether every instance of `that` may stand where `this` is asked for.
///
/// Not the same question as [`super::instance_of`]: the two disagree about `Enum`, `Optional` and `Struct` without
/// parameters (D3).
pub fn assignable(dialect: &Dialect, this: &Type, that: &Type) -> bool {
    Comparison::new(dialect, dialect.undef_fits).accepts(this, that, None)
}

/// As [`assignable`], where `undef` fits only what is optional, whatever the dialect says: common types ask so.
pub(crate) fn strictly_assignable(dialect: &Dialect, this: &Type, that: &Type) -> bool {
    Comparison::new(dialect, UndefFits::Optional).accepts(this, that, None)
}

/// A comparison of types, or several that have much in common.
pub(crate) struct Comparison<'d> {
    pub(super) dialect: &'d Dialect,
    /// X5: what accepts `Undef`.
    pub(super) undef_fits: UndefFits,
    /// How many questions were asked.
    steps: Cell<u32>,
    /// None before there are so many that it is worth it.
    proofs: RefCell<Option<Box<Proofs>>>,
}

/// After so many questions, aliases are no longer followed as the reference does it, in every way there is, but each
/// question is answered once: see [`Proofs`].
const PATIENCE: u32 = 100_000;

/// Questions that are counted together.
const AT_A_TIME: u32 = 256;

impl Drop for Comparison<'_> {
    fn drop(&mut self) {
        // Those that were not counted yet.
        effort::spend(u64::from(self.steps.get() % AT_A_TIME));
    }
}

impl<'d> Comparison<'d> {
    pub(crate) fn new(dialect: &'d Dialect, undef_fits: UndefFits) -> Comparison<'d> {
        Comparison { dialect, undef_fits, steps: Cell::new(0), proofs: RefCell::default() }
    }

    /// Counts a question. Says whether it is worth asking: not once the effort is over.
    #[inline]
    fn count(&self) -> bool {
        let steps = self.steps.get();
        self.steps.set(steps.wrapping_add(1));
        !steps.is_multiple_of(AT_A_TIME) || effort::spend(u64::from(AT_A_TIME.min(steps)))
    }

    /// The whole question: what stands on the accepted side is opened first, whatever accepts it.
    pub(crate) fn accepts(&self, this: &Type, that: &Type, guard: Guarded<'_>) -> bool {
        if !self.count() {
            return false;
        }
        if self.steps.get() <= PATIENCE {
            return match this.kind() {
                TypeKind::Alias(alias) => self.alias_accepts(this, alias, that, guard),
                _ if is_plain(that) => accepts::accepts(self, this, that, guard),
                _ => self.decide(this, that, guard),
            };
        }
        self.accepts_once(this, that)
    }

    /// Answers a question from what is known, or so that it is.
    #[cold]
    fn accepts_once(&self, this: &Type, that: &Type) -> bool {
        if !Proofs::is_worth_it(this, that) {
            return self.decide(this, that, None);
        }
        let begun = self.proofs.borrow_mut().get_or_insert_default().begin(this, that);
        match begun {
            Begun::Known(accepts) => accepts,
            Begun::Assumed(mark) => {
                let accepts = with_stack(|| self.decide(this, that, None));
                self.proofs.borrow_mut().get_or_insert_default().end(mark, accepts);
                accepts
            }
        }
    }

    /// Apart, so that what is plain has nothing to do with what is opened.
    #[inline(never)]
    fn decide(&self, this: &Type, that: &Type, guard: Guarded<'_>) -> bool {
        match this.kind() {
            TypeKind::Any | TypeKind::Unit => true,
            TypeKind::Alias(alias) => self.alias_accepts(this, alias, that, guard),
            TypeKind::Variant(types) => match that.kind() {
                // It accepts nothing, not even nothing.
                TypeKind::Undef if types.is_empty() => false,
                // No alternatives say nothing about those of another.
                TypeKind::Variant(_) if types.is_empty() => true,
                TypeKind::Variant(others) => self.accepts_all(this, others, guard),
                _ => self.accepts_opened(this, that, guard),
            },
            _ => self.accepts_opened(this, that, guard),
        }
    }

    /// Apart, so that questions that follow no alias have nothing to do with guards.
    #[inline(never)]
    fn alias_accepts(&self, this: &Type, alias: &TypeAlias, that: &Type, guard: Guarded<'_>) -> bool {
        if !alias.is_recursive() {
            return self.accepts_opened(this, that, guard);
        }
        let mut own = Guard::default();
        guard.unwrap_or(&mut own).with_this(alias.identity(), |guard| {
            guard.both_recur() || with_stack(|| self.accepts_opened(this, that, Some(guard)))
        })
    }

    fn accepts_opened(&self, this: &Type, that: &Type, guard: Guarded<'_>) -> bool {
        if is_plain(that) {
            return accepts::accepts(self, this, that, guard);
        }
        self.open(this, that, guard)
    }

    /// What stands on the accepted side, opened.
    #[inline(never)]
    fn open(&self, this: &Type, that: &Type, mut guard: Guarded<'_>) -> bool {
        match that.kind() {
            TypeKind::Unit => true,
            TypeKind::Undef if self.undef_fits == UndefFits::Everything => true,
            TypeKind::Alias(alias) => self.accepts_alias(this, that, alias, guard),
            TypeKind::Variant(types) => match this.kind() {
                // What accepts no `undef` accepts what is nothing at all, if its type does.
                TypeKind::NotUndef(_) if types.is_empty() => accepts::accepts(self, this, that, guard),
                _ => self.accepts_all(this, types, guard),
            },
            TypeKind::Optional(inner) => {
                self.accepts(this, &UNDEF, guard.as_deref_mut())
                    && inner.as_ref().is_none_or(|inner| self.accepts(this, inner, guard))
            }
            TypeKind::NotUndef(Some(inner)) if !self.accepts(inner, &UNDEF, None) => {
                self.accepts(this, inner, guard)
            }
            TypeKind::Struct(elements)
                if elements.is_empty() && self.dialect.struct_without_parameters.accepts_all() =>
            {
                named(self.dialect, "Hash").is_some_and(|hashes| self.accepts(this, &hashes, guard))
            }
            _ => accepts::accepts(self, this, that, guard),
        }
    }

    #[inline(never)]
    fn accepts_alias(&self, this: &Type, that: &Type, alias: &TypeAlias, guard: Guarded<'_>) -> bool {
        let Some(target) = alias.target() else {
            return this == that;
        };
        if !alias.is_recursive() {
            return self.accepts(this, target, guard);
        }
        let mut own = Guard::default();
        let guard = guard.unwrap_or(&mut own);
        guard.add_that(alias.identity());
        guard.both_recur() || with_stack(|| self.accepts(this, target, Some(guard)))
    }

    fn accepts_all(&self, this: &Type, types: &[Type], mut guard: Guarded<'_>) -> bool {
        !types.is_empty() && types.iter().all(|that| self.accepts(this, that, guard.as_deref_mut()))
    }
}

/// Whether a type is neither opened where it is to be accepted, nor accepted for what it is: most are.
fn is_plain(that: &Type) -> bool {
    use TypeKind as T;
    match that.kind() {
        T::Unit | T::Undef | T::Alias(_) | T::Variant(_) | T::Optional(_) | T::NotUndef(_) => false,
        T::Struct(elements) => !elements.is_empty(),
        _ => true,
    }
}
