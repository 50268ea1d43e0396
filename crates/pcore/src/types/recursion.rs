//! Walks through the parts of a type that follow each alias once.

use std::collections::HashSet;

use super::{Type, TypeAlias, TypeKind};
use crate::effort;

/// Calls a function for a type and every type in it until the function returns true. The target of an alias is visited once.
///
/// Returns whether the function stopped the walk.
pub(super) fn visit(it: &Type, stop: &mut dyn FnMut(&Type) -> bool) -> bool {
    let mut open = vec![it];
    let mut seen = HashSet::new();
    while let Some(it) = open.pop() {
        effort::spend(1);
        if stop(it) {
            return true;
        }
        match it.kind() {
            TypeKind::Alias(alias) if seen.insert(alias.identity()) => open.extend(alias.target()),
            TypeKind::Alias(_) => {}
            _ => open.extend(parts(it).into_iter().rev()),
        }
    }
    false
}

/// Whether a type has more parts than a limit. The target of an alias counts as often as the alias occurs; that of a
/// recursive alias counts once.
pub(super) fn has_more_parts(it: &Type, limit: usize) -> bool {
    let mut open = vec![it];
    let mut seen = HashSet::new();
    let mut count = 0;
    while let Some(it) = open.pop() {
        count += 1;
        if count > limit {
            return true;
        }
        match it.kind() {
            TypeKind::Alias(alias) if seen.contains(&alias.identity()) => {}
            TypeKind::Alias(alias) => {
                if alias.is_recursive() {
                    seen.insert(alias.identity());
                }
                open.extend(alias.target());
            }
            _ => open.extend(parts(it)),
        }
    }
    false
}

/// Whether an alias in a type returns to itself through alternatives alone.
pub(super) fn has_circle_of_alternatives(it: &Type) -> bool {
    let mut left = HashSet::new();
    visit(it, &mut |part| matches!(part.kind(), TypeKind::Alias(_)) && leads_back(part, &mut left))
}

/// Whether alternatives lead from a type back into an alias that contains them. Aliases that were left before aren't
/// followed again.
fn leads_back(it: &Type, left: &mut HashSet<usize>) -> bool {
    enum Step<'t> {
        Into(&'t Type),
        OutOf(usize),
    }
    let mut inside = HashSet::new();
    let mut open = vec![Step::Into(it)];
    while let Some(step) = open.pop() {
        let it = match step {
            Step::Into(it) => it,
            Step::OutOf(alias) => {
                inside.remove(&alias);
                left.insert(alias);
                continue;
            }
        };
        match it.kind() {
            TypeKind::Alias(alias) if left.contains(&alias.identity()) => {}
            TypeKind::Alias(alias) => {
                if !inside.insert(alias.identity()) {
                    return true;
                }
                open.push(Step::OutOf(alias.identity()));
                open.extend(alias.target().map(Step::Into));
            }
            TypeKind::Variant(types) => open.extend(types.iter().map(Step::Into)),
            TypeKind::Optional(Some(it)) | TypeKind::NotUndef(Some(it)) => open.push(Step::Into(it)),
            _ => {}
        }
    }
    false
}

/// Returns the direct parts of a type.
fn parts(it: &Type) -> Vec<&Type> {
    match it.kind() {
        TypeKind::Array(element, _) => vec![element],
        TypeKind::Hash(key, value, _) => vec![key, value],
        TypeKind::Tuple(tuple) => tuple.types.iter().collect(),
        TypeKind::Struct(elements) => elements.iter().map(|it| &it.value).collect(),
        TypeKind::Variant(types) => types.iter().collect(),
        TypeKind::Optional(it)
        | TypeKind::NotUndef(it)
        | TypeKind::Iterable(it)
        | TypeKind::Iterator(it)
        | TypeKind::Type(it)
        | TypeKind::Init { target: it, .. } => it.iter().collect(),
        TypeKind::Sensitive(it) => vec![it],
        TypeKind::Callable(callable) => {
            let parameters = callable.parameters.iter().flat_map(|it| it.types.iter());
            parameters.chain(&callable.block).chain(&callable.returns).collect()
        }
        TypeKind::Object(Some(object)) | TypeKind::ObjectExtension(object, _) => {
            let parameters = object.type_parameters.iter().map(|it| &it.value_type);
            let attributes = object.attributes.iter().map(|it| &it.value_type);
            let functions = object.functions.iter().map(|it| &it.signature);
            object.parent.iter().chain(parameters).chain(attributes).chain(functions).collect()
        }
        TypeKind::TypeSet(Some(set)) => set.types.iter().map(|(_, it)| it).collect(),
        _ => Vec::new(),
    }
}

/// Whether a type is this alias.
pub(super) fn is_alias(it: &Type, alias: &TypeAlias) -> bool {
    matches!(it.kind(), TypeKind::Alias(it) if it.identity() == alias.identity())
}

/// Whether a type contains this alias.
pub(super) fn contains(it: &Type, alias: &TypeAlias) -> bool {
    visit(it, &mut |part| is_alias(part, alias))
}

/// Whether all aliases in a type have targets.
pub(super) fn is_complete(it: &Type) -> bool {
    !visit(it, &mut |part| matches!(part.kind(), TypeKind::Alias(alias) if alias.target().is_none()))
}

/// Whether a type contains anything besides aliases and variants of them, without following this alias.
pub(super) fn leads_to_type(it: &Type, alias: &TypeAlias) -> bool {
    // The alias has no target yet, so it is not followed.
    debug_assert!(alias.target().is_none());
    visit(it, &mut |part| !matches!(part.kind(), TypeKind::Alias(_) | TypeKind::Variant(_)))
}
