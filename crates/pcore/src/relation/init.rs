//! `Init`: the arguments that the constructors of a type accept (D36).

use super::assignable::{Comparison, assignable};
use super::guard::{Guard, Guarded};
use super::instance::Instance;
use crate::dialect::Dialect;
use crate::infer::infer_set;
use crate::mismatch::Signature;
use crate::types::{CallableType, Size, TupleType, Type, TypeKind};
use crate::value::Value;

mod constructors;

pub(crate) use constructors::{Constructors, TIMESPAN_PARTS, constructors, passed_on};

/// Whether `Init` of a type is possible: the type has constructors, and doesn't merely delegate construction.
pub fn is_constructible(it: &Type) -> bool {
    let passes_on =
        matches!(it.kind(), TypeKind::Init { .. } | TypeKind::Optional(_) | TypeKind::NotUndef(_));
    // Dialects differ in the parameters of constructors, not in which types have them.
    !passes_on && constructors(Dialect::puppet8(), it).is_some()
}

/// Returns the signatures of a type's constructors. `None` if there are none, or if an `Init` decides.
pub fn constructor_signatures(dialect: &Dialect, it: &Type) -> Option<Vec<CallableType>> {
    let passes_on = matches!(passed_on(it)?.kind(), TypeKind::Init { .. });
    let found = constructors(dialect, it).filter(|_| !passes_on)?;
    let callable = |it: &constructors::Constructor| CallableType {
        parameters: Some(it.parameters.clone()),
        block: None,
        returns: None,
    };
    Some(found.all.iter().map(callable).collect())
}

/// Returns the signatures of a type's constructors with the names of their parameters. `None` if there are none.
pub fn named_constructors(dialect: &Dialect, it: &Type) -> Option<Vec<Signature>> {
    Some(constructors(dialect, it)?.all.iter().map(Signature::from).collect())
}

/// Whether a constructor accepts these arguments after the first.
pub(crate) fn takes_arguments(dialect: &Dialect, target: &Type, arguments: &[Value]) -> bool {
    Accepted::new(dialect, target, arguments).is_some()
}

/// The arguments that the constructors of a type accept, given those after the first.
struct Accepted {
    /// The type of a single value.
    single: Type,
    /// The type of an array of arguments, if some constructor takes several.
    several: Option<Type>,
    /// Whether one argument suffices for such a constructor.
    one_is_enough: bool,
}

impl Accepted {
    /// `None` if no constructor accepts these arguments.
    fn new(dialect: &Dialect, target: &Type, arguments: &[Value]) -> Option<Accepted> {
        if !is_constructible(target) {
            return None;
        }
        let constructors = constructors(dialect, target)?;
        let signatures = constructors.all.iter().map(|it| it.parameters.clone());
        if arguments.is_empty() {
            let (one, several): (Vec<_>, Vec<_>) =
                signatures.partition(|it| it.size_range() == Size::exactly(1));
            let one_is_enough = several.iter().any(|it| it.size_range().min == 1);
            let single = [target.clone()].into_iter().chain(one.iter().filter_map(first));
            let several = several.into_iter().map(|it| TypeKind::Tuple(it).into());
            let several: Vec<Type> = several.collect();
            let several = if several.is_empty() { None } else { Some(Type::variant(several)) };
            return Some(Accepted { single: Type::variant(single), several, one_is_enough });
        }
        let given: Vec<Type> = arguments.iter().map(|it| infer_set(dialect, it)).collect();
        let fitting: Vec<TupleType> = signatures
            .filter(|it| it.size_range().contains(1 + given.len()) && fits(dialect, it, &given))
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let single = [target.clone()].into_iter().chain(fitting.iter().filter_map(first));
        Some(Accepted { single: Type::variant(single), several: None, one_is_enough: false })
    }
}

/// Whether a constructor accepts arguments of these types after the first.
fn fits(dialect: &Dialect, signature: &TupleType, given: &[Type]) -> bool {
    let arguments: Vec<Type> = first(signature).into_iter().chain(given.iter().cloned()).collect();
    assignable(dialect, &TypeKind::Tuple(signature.clone()).into(), &Type::tuple(arguments))
}

fn first(signature: &TupleType) -> Option<Type> {
    signature.types.first().cloned()
}

/// Whether `Init` accepts a type.
pub(super) fn init_accepts(
    it: &Comparison<'_>,
    target: Option<&Type>,
    arguments: &[Value],
    that: &Type,
    guard: Guarded<'_>,
) -> bool {
    if let TypeKind::Init { target: other, .. } = that.kind() {
        return match (target, other) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(target), Some(other)) => it.accepts(target, other, guard),
        };
    }
    let Some(target) = target else { return it.accepts(it.dialect.rich_data_keys.rich_data(), that, guard) };
    let Some(accepted) = Accepted::new(it.dialect, target, arguments) else { return false };
    let mut own = Guard::default();
    // The constructor may accept a type that is constructed in the same way.
    guard.unwrap_or(&mut own).with_this(target.address(), |guard| {
        if guard.this_recurs() {
            return it.accepts(target, that, Some(guard));
        }
        it.accepts(target, that, Some(&mut *guard))
            || it.accepts(&accepted.single, that, Some(&mut *guard))
            || accepted.several.is_some_and(|several| {
                it.accepts(&several, that, Some(&mut *guard))
                    || accepted.one_is_enough && it.accepts(&several, &Type::tuple([that.clone()]), None)
            })
    })
}

/// Whether a value is an instance of `Init`.
pub(super) fn init_holds(
    it: &mut Instance<'_>,
    target: Option<&Type>,
    arguments: &[Value],
    value: &Value,
) -> bool {
    let Some(target) = target else { return it.holds(it.dialect.rich_data_keys.rich_data(), value) };
    let Some(accepted) = Accepted::new(it.dialect, target, arguments) else { return false };
    it.entering(target, value, |it| {
        it.holds(target, value)
            || it.holds(&accepted.single, value)
            || accepted.several.is_some_and(|several| {
                it.holds(&several, value)
                    || accepted.one_is_enough && it.holds(&several, &Value::Array([value.clone()].into()))
            })
    })
}
