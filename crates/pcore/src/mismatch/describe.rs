//! Walks two types in parallel and finds the mismatches.

use std::cell::Cell;

use marotte_text::Str;

use super::merge::{Mergeable, merge};
use super::{Mismatch, MismatchKind, PathElement};
use crate::dialect::Dialect;
use crate::effort;
use crate::infer::normalize;
use crate::relation::Comparison;
use crate::types::{CallableType, Size, StructElement, TupleType, Type, TypeKind};

/// Recursive aliases go deeper than any literal type: beyond this depth, types are compared as a whole.
const MAX_DEPTH: usize = 128;

/// The maximum number of visited pairs of types. Alternatives in recursive aliases could multiply without limit.
const MAX_STEPS: usize = 20_000;

/// Finds all reasons why `expected` doesn't accept `actual`. Each path begins with `path` (H33, H36).
///
/// As in the reference, the elements of a tuple are described whether or not they match; an `Enum` or `Pattern` among
/// them is always reported.
pub fn mismatches(
    dialect: &Dialect,
    expected: &Type,
    actual: &Type,
    path: Vec<PathElement>,
) -> Vec<Mismatch> {
    if let Some(name) = unresolved_reference(expected) {
        return vec![Mismatch { path, kind: MismatchKind::UnresolvedReference(name) }];
    }
    let comparison = Comparison::new(dialect, dialect.undef_fits);
    let steps = Cell::new(0);
    Describer { comparison: &comparison, path, depth: 0, steps: &steps }.describe(expected, actual)
}

/// A position in the compared types.
struct Describer<'d> {
    /// Shared by all comparisons, since many repeat.
    comparison: &'d Comparison<'d>,
    path: Vec<PathElement>,
    depth: usize,
    steps: &'d Cell<usize>,
}

/// The kind of mismatch for a tuple of a different size.
#[derive(Clone, Copy)]
enum Counted {
    Elements,
    Arguments,
}

impl Describer<'_> {
    fn mismatch(&self, kind: MismatchKind) -> Mismatch {
        Mismatch { path: self.path.clone(), kind }
    }

    fn type_mismatch(&self, expected: &Type, actual: &Type) -> Vec<Mismatch> {
        let kind = MismatchKind::Type { expected: normalize(expected), actual: normalize(actual) };
        vec![self.mismatch(kind)]
    }

    fn size_mismatch(&self, counted: Counted, expected: Size, actual: Size) -> Vec<Mismatch> {
        vec![self.mismatch(match counted {
            Counted::Elements => MismatchKind::Size { expected, actual },
            Counted::Arguments => MismatchKind::Count { expected, actual },
        })]
    }

    fn accepts(&self, expected: &Type, actual: &Type) -> bool {
        self.comparison.accepts(expected, actual, None)
    }

    /// Describes the mismatches one step deeper.
    fn at(&self, element: PathElement, expected: &Type, actual: &Type) -> Vec<Mismatch> {
        let mut path = self.path.clone();
        path.push(element);
        let depth = self.depth.saturating_add(1);
        Describer { path, depth, ..*self }.describe(expected, actual)
    }

    /// Like [`Describer::at`], but only if the type isn't accepted.
    fn unless_accepted(&self, element: PathElement, expected: &Type, actual: &Type) -> Vec<Mismatch> {
        if self.accepts(expected, actual) { Vec::new() } else { self.at(element, expected, actual) }
    }

    fn describe(&self, expected: &Type, actual: &Type) -> Vec<Mismatch> {
        self.walk(&normalize(expected), expected, actual)
    }

    /// `original` is the type that messages name: the alias or `Optional` that led to `expected`.
    fn walk(&self, expected: &Type, original: &Type, actual: &Type) -> Vec<Mismatch> {
        let steps = self.steps.get().saturating_add(1);
        self.steps.set(steps);
        // Described types are normalized, which takes effort.
        let left = effort::spend(1 + effort::size(expected.extent()));
        if self.depth > MAX_DEPTH || steps > MAX_STEPS || !left {
            return self.whole(expected, original, actual);
        }
        match expected.kind() {
            TypeKind::Variant(types) => self.variant(types, original, actual),
            TypeKind::Struct(elements) => self.structure(elements, original, actual),
            TypeKind::Hash(key, value, size) => self.hash(key, value, *size, original, actual),
            TypeKind::Tuple(tuple) => self.tuple(tuple, expected, original, actual, Counted::Elements),
            TypeKind::Array(element, size) => self.array(element, *size, original, actual),
            TypeKind::Callable(callable) => self.callable(callable, original, actual),
            TypeKind::Optional(inner) => self.optional(inner.as_ref(), expected, original, actual),
            TypeKind::Pattern(_) | TypeKind::Enum(_) => {
                let kind = MismatchKind::Pattern { expected: normalize(original), actual: normalize(actual) };
                vec![self.mismatch(kind)]
            }
            TypeKind::Alias(alias) => match alias.target() {
                Some(target) => {
                    let depth = self.depth.saturating_add(1);
                    let deeper = Describer { path: self.path.clone(), depth, ..*self };
                    deeper.walk(&normalize(target), expected, actual)
                }
                None => self.whole(expected, original, actual),
            },
            _ => self.whole(expected, original, actual),
        }
    }

    /// Compares a type whose parts can't be blamed individually.
    fn whole(&self, expected: &Type, original: &Type, actual: &Type) -> Vec<Mismatch> {
        if self.accepts(expected, actual) { Vec::new() } else { self.type_mismatch(original, actual) }
    }

    fn optional(
        &self,
        inner: Option<&Type>,
        expected: &Type,
        original: &Type,
        actual: &Type,
    ) -> Vec<Mismatch> {
        match (inner, actual.kind()) {
            (None, _) | (_, TypeKind::Undef) => Vec::new(),
            (Some(inner), _) => {
                let named = if matches!(original.kind(), TypeKind::Alias(_)) { original } else { expected };
                self.walk(inner, named, actual)
            }
        }
    }

    fn variant(&self, types: &[Type], original: &Type, actual: &Type) -> Vec<Mismatch> {
        let undef = matches!(original.kind(), TypeKind::Optional(_)).then(Type::undef);
        let mut alternatives = Vec::new();
        for (index, it) in undef.iter().chain(types).enumerate() {
            let found = self.at(PathElement::Variant(index), it, actual);
            if found.is_empty() {
                return found;
            }
            alternatives.push(found);
        }
        let merged = merge(self.path.len(), Mergeable::Sizes, alternatives);
        if merged.len() == 1 && matches!(original.kind(), TypeKind::Alias(_)) {
            // All alternatives failed in the same way: the name of the type says more.
            return self.type_mismatch(original, actual);
        }
        merged
    }

    fn array(&self, element: &Type, size: Option<Size>, original: &Type, actual: &Type) -> Vec<Mismatch> {
        let wanted = size.unwrap_or(Size::ANY);
        match actual.kind() {
            TypeKind::Tuple(tuple) => {
                let given = tuple.size.unwrap_or(Size::exactly(tuple.types.len()));
                if !wanted.covers(given) {
                    return self.size_mismatch(Counted::Elements, wanted, given);
                }
                let elements = tuple.types.iter().enumerate();
                elements
                    .flat_map(|(index, it)| self.unless_accepted(PathElement::Index(index), element, it))
                    .collect()
            }
            TypeKind::Array(given_element, given) => {
                let given = given.unwrap_or(Size::ANY);
                if !wanted.covers(given) {
                    return self.size_mismatch(Counted::Elements, wanted, given);
                }
                self.type_mismatch(original, &TypeKind::Array(given_element.clone(), None).into())
            }
            _ => self.type_mismatch(original, actual),
        }
    }

    fn hash(
        &self,
        key: &Type,
        value: &Type,
        size: Option<Size>,
        original: &Type,
        actual: &Type,
    ) -> Vec<Mismatch> {
        let wanted = size.unwrap_or(Size::ANY);
        match actual.kind() {
            TypeKind::Struct(elements) => {
                let given = struct_size(elements);
                if !wanted.covers(given) {
                    return self.size_mismatch(Counted::Elements, wanted, given);
                }
                let entry = |it: &StructElement| {
                    let name = it.name.clone();
                    let mut found =
                        self.unless_accepted(PathElement::EntryKey(name.clone()), key, &key_type(it));
                    found.extend(self.unless_accepted(PathElement::EntryValue(name), value, &it.value));
                    found
                };
                elements.iter().flat_map(entry).collect()
            }
            TypeKind::Hash(given_key, given_value, given) => {
                let given = given.unwrap_or(Size::ANY);
                if !wanted.covers(given) {
                    return self.size_mismatch(Counted::Elements, wanted, given);
                }
                let given = TypeKind::Hash(given_key.clone(), given_value.clone(), None);
                self.type_mismatch(original, &given.into())
            }
            _ => self.type_mismatch(original, actual),
        }
    }

    fn structure(&self, elements: &[StructElement], original: &Type, actual: &Type) -> Vec<Mismatch> {
        match actual.kind() {
            TypeKind::Struct(others) => self.structures(elements, others),
            TypeKind::Hash(key, value, given) => {
                let (wanted, given) = (struct_size(elements), given.unwrap_or(Size::ANY));
                if !wanted.covers(given) {
                    return self.size_mismatch(Counted::Elements, wanted, given);
                }
                self.type_mismatch(original, &TypeKind::Hash(key.clone(), value.clone(), None).into())
            }
            _ => self.type_mismatch(original, actual),
        }
    }

    fn structures(&self, elements: &[StructElement], others: &[StructElement]) -> Vec<Mismatch> {
        let mut found = Vec::new();
        for it in elements {
            let name = &it.name;
            match others.iter().find(|other| other.name == *name) {
                None if it.optional => {}
                None => found.push(self.mismatch(MismatchKind::MissingKey(name.clone()))),
                Some(other) => {
                    let key = PathElement::EntryKey(name.clone());
                    found.extend(self.unless_accepted(key, &key_type(it), &key_type(other)));
                    let value = PathElement::EntryValue(name.clone());
                    found.extend(self.unless_accepted(value, &it.value, &other.value));
                }
            }
        }
        let unknown = others.iter().filter(|other| elements.iter().all(|it| it.name != other.name));
        found.extend(unknown.map(|it| self.mismatch(MismatchKind::ExtraneousKey(it.name.clone()))));
        found
    }

    fn tuple(
        &self,
        tuple: &TupleType,
        expected: &Type,
        original: &Type,
        actual: &Type,
        counted: Counted,
    ) -> Vec<Mismatch> {
        if expected == actual || tuple.types.is_empty() && matches!(actual.kind(), TypeKind::Array(..)) {
            return Vec::new();
        }
        let wanted = tuple.size_range();
        let given = match actual.kind() {
            TypeKind::Tuple(other) => other.size_range(),
            TypeKind::Array(_, size) => size.unwrap_or(Size::ANY),
            _ => return self.type_mismatch(original, actual),
        };
        if !wanted.covers(given) {
            return self.size_mismatch(counted, wanted, given);
        }
        let pairs: Vec<(usize, &Type)> = match actual.kind() {
            TypeKind::Tuple(other) => {
                // The last type repeats, and so does its index.
                let last = tuple.types.len().saturating_sub(1);
                other.types.iter().enumerate().map(|(index, it)| (index.min(last), it)).collect()
            }
            TypeKind::Array(element, _) => (0..tuple.types.len()).map(|index| (index, element)).collect(),
            _ => Vec::new(),
        };
        let element = |(index, it): (usize, &Type)| match tuple.types.get(index) {
            Some(wanted) => self.at(PathElement::Index(index), wanted, it),
            None => Vec::new(),
        };
        pairs.into_iter().flat_map(element).collect()
    }

    /// Parameters are compared in the same direction as arguments, although they are contravariant: so does the reference.
    fn callable(&self, expected: &CallableType, original: &Type, actual: &Type) -> Vec<Mismatch> {
        let TypeKind::Callable(given) = actual.kind() else { return self.type_mismatch(original, actual) };
        if expected.parameters.is_none() && expected.returns.is_none() {
            return Vec::new();
        }
        if let Some(wanted) = &expected.parameters {
            // A callable without known parameters isn't a list of parameters.
            let Some(others) = &given.parameters else { return self.type_mismatch(original, actual) };
            let wanted_type = TypeKind::Tuple(wanted.clone()).into();
            let others = TypeKind::Tuple(others.clone()).into();
            let found = self.tuple(wanted, &wanted_type, &wanted_type, &others, Counted::Arguments);
            if !found.is_empty() {
                return found;
            }
        }
        let or_any = |it: &Option<Type>| it.clone().unwrap_or_else(Type::any);
        let (wanted, returned) = (or_any(&expected.returns), or_any(&given.returns));
        if !self.accepts(&wanted, &returned) {
            return self.then(PathElement::Return).type_mismatch(&wanted, &returned);
        }
        let or_undef = |it: &Option<Type>| it.clone().unwrap_or_else(Type::undef);
        let (wanted, taken) = (or_undef(&expected.block), or_undef(&given.block));
        if !self.accepts(&taken, &wanted) {
            return self.then(PathElement::Block).type_mismatch(&wanted, &taken);
        }
        Vec::new()
    }

    fn then(&self, element: PathElement) -> Self {
        let path = self.path.iter().cloned().chain([element]).collect();
        Describer { path, ..*self }
    }
}

/// The type of a key: its literal type, optional if the key is.
fn key_type(it: &StructElement) -> Type {
    let text = Type::literal(it.name.clone());
    if it.optional { Type::optional(text) } else { text }
}

fn struct_size(elements: &[StructElement]) -> Size {
    let required = elements.iter().filter(|it| !it.optional).count();
    Size { min: required as u64, max: Some(elements.len() as u64) }
}

/// Returns the name of the first unresolved type reference in a type.
fn unresolved_reference(it: &Type) -> Option<Str> {
    let mut name = None;
    it.any_part(&mut |part| match part.kind() {
        TypeKind::Reference(found) => {
            name = Some(found.clone());
            true
        }
        _ => false,
    });
    name
}
