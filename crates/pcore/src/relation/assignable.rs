//! Assignability: whether an instance of one type may be used where another type is declared.

use std::cell::{Cell, RefCell};

use super::accepts;
use super::guard::{Guard, Guarded};
use super::proofs::{Begun, Proofs};
use crate::create::named;
use crate::dialect::{Dialect, UndefFits};
use crate::effort;
use crate::extent::with_stack;
use crate::types::{Type, TypeAlias, TypeKind, UNDEF};

/// Whether every instance of `that` may be used where `this` is required.
///
/// This differs from [`super::instance_of`]: the two disagree about `Enum`, `Optional` and `Struct` without parameters (D3).
pub fn assignable(dialect: &Dialect, this: &Type, that: &Type) -> bool {
    Comparison::new(dialect, dialect.undef_fits).accepts(this, that, None)
}

/// Like [`assignable`], but `undef` is accepted only by optional types, whatever the dialect: used for common types.
pub(crate) fn strictly_assignable(dialect: &Dialect, this: &Type, that: &Type) -> bool {
    Comparison::new(dialect, UndefFits::Optional).accepts(this, that, None)
}

/// A comparison of types, or several related ones.
pub(crate) struct Comparison<'d> {
    pub(super) dialect: &'d Dialect,
    /// X5: the types that accept `Undef`.
    pub(super) undef_fits: UndefFits,
    /// The number of comparisons so far.
    steps: Cell<u32>,
    /// The cache of answers; `None` until there have been enough comparisons to make it worthwhile.
    proofs: RefCell<Option<Box<Proofs>>>,
}

/// The number of comparisons after which aliases are no longer followed like in the reference, along every possible
/// path; instead, each comparison is decided once: see [`Proofs`].
const PATIENCE: u32 = 100_000;

/// The number of comparisons that are charged at once.
const AT_A_TIME: u32 = 256;

impl Drop for Comparison<'_> {
    fn drop(&mut self) {
        // Charges the comparisons that weren't charged yet.
        effort::spend(u64::from(self.steps.get() % AT_A_TIME));
    }
}

impl<'d> Comparison<'d> {
    pub(crate) fn new(dialect: &'d Dialect, undef_fits: UndefFits) -> Comparison<'d> {
        Comparison { dialect, undef_fits, steps: Cell::new(0), proofs: RefCell::default() }
    }

    /// Counts a comparison. Returns whether to continue: false once the effort is exhausted.
    #[inline]
    fn count(&self) -> bool {
        let steps = self.steps.get();
        self.steps.set(steps.wrapping_add(1));
        !steps.is_multiple_of(AT_A_TIME) || effort::spend(u64::from(AT_A_TIME.min(steps)))
    }

    /// The complete comparison: the accepted side is resolved first, whichever type accepts it.
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

    /// Decides a comparison with the cache.
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

    /// A separate function, so that the fast path of plain types stays small.
    #[inline(never)]
    fn decide(&self, this: &Type, that: &Type, guard: Guarded<'_>) -> bool {
        match this.kind() {
            TypeKind::Any | TypeKind::Unit => true,
            TypeKind::Alias(alias) => self.alias_accepts(this, alias, that, guard),
            TypeKind::Variant(types) => match that.kind() {
                // It accepts nothing, not even `undef`.
                TypeKind::Undef if types.is_empty() => false,
                // An empty variant accepts any other variant.
                TypeKind::Variant(_) if types.is_empty() => true,
                TypeKind::Variant(others) => self.accepts_all(this, others, guard),
                _ => self.accepts_opened(this, that, guard),
            },
            _ => self.accepts_opened(this, that, guard),
        }
    }

    /// A separate function, so that comparisons without aliases don't need guards.
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

    /// Resolves the accepted side.
    #[inline(never)]
    fn open(&self, this: &Type, that: &Type, mut guard: Guarded<'_>) -> bool {
        match that.kind() {
            TypeKind::Unit => true,
            TypeKind::Undef if self.undef_fits == UndefFits::Everything => true,
            TypeKind::Alias(alias) => self.accepts_alias(this, that, alias, guard),
            TypeKind::Variant(types) => match this.kind() {
                // `NotUndef` accepts the empty variant if its inner type does.
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
            TypeKind::NotUndef(Some(inner)) if self.dialect.assignable_by_instances => {
                self.accepts_without_undef(this, that, inner, guard)
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

    /// Compares with `NotUndef[T]`, where `T` accepts `undef`, by the parts of `T`.
    fn accepts_without_undef(&self, this: &Type, that: &Type, inner: &Type, mut guard: Guarded<'_>) -> bool {
        match inner.kind() {
            TypeKind::Alias(alias) if let Some(target) = alias.target() => {
                let target = Type::not_undef(target.clone());
                if !alias.is_recursive() {
                    return self.accepts(this, &target, guard);
                }
                let mut own = Guard::default();
                let guard = guard.unwrap_or(&mut own);
                guard.add_that(alias.identity());
                guard.both_recur() || with_stack(|| self.accepts(this, &target, Some(guard)))
            }
            TypeKind::Optional(Some(it)) => self.accepts(this, &Type::not_undef(it.clone()), guard),
            TypeKind::Variant(types) if types.iter().any(|it| !matches!(it.kind(), TypeKind::Undef)) => {
                let mut others = types.iter().filter(|it| !matches!(it.kind(), TypeKind::Undef));
                others.all(|it| self.accepts(this, &Type::not_undef(it.clone()), guard.as_deref_mut()))
            }
            _ => accepts::accepts(self, this, that, guard),
        }
    }

    fn accepts_all(&self, this: &Type, types: &[Type], mut guard: Guarded<'_>) -> bool {
        !types.is_empty() && types.iter().all(|that| self.accepts(this, that, guard.as_deref_mut()))
    }
}

/// Whether a type on the accepted side needs no resolution and has no special rule: most types are plain.
fn is_plain(that: &Type) -> bool {
    use TypeKind as T;
    match that.kind() {
        T::Unit | T::Undef | T::Alias(_) | T::Variant(_) | T::Optional(_) | T::NotUndef(_) => false,
        T::Struct(elements) => !elements.is_empty(),
        _ => true,
    }
}
