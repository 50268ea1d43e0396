//! Walks through the parts of a type that follow each alias once.

use std::collections::VecDeque;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::{Type, TypeAlias, TypeKind};
use crate::effort;
use crate::graph::components;

/// Calls a function for a type and every type in it until the function returns true. The target of an alias, and the
/// parts of a shared object type, are visited once.
///
/// Returns whether the function stopped the walk.
pub(super) fn visit(it: &Type, stop: &mut dyn FnMut(&Type) -> bool) -> bool {
    let mut open = vec![it];
    let mut seen = HashSet::default();
    while let Some(it) = open.pop() {
        effort::spend(1);
        if stop(it) {
            return true;
        }
        match it.kind() {
            TypeKind::Alias(alias) if seen.insert(alias.identity()) => open.extend(alias.target()),
            TypeKind::Alias(_) => {}
            _ => {
                let from = open.len();
                add_parts(it, &mut seen, &mut open);
                open[from..].reverse();
            }
        }
    }
    false
}

/// Adds the parts of a type to a list, unless it is an object type whose parts have been added before.
fn add_parts<'t>(it: &'t Type, seen: &mut HashSet<usize>, open: &mut Vec<&'t Type>) {
    let is_new = match it.kind() {
        TypeKind::Object(Some(object)) => seen.insert(Arc::as_ptr(object).addr()),
        _ => true,
    };
    if is_new {
        each_part(it, &mut |part| open.push(part));
    }
}

/// For the aliases that can be reached from an alias: whether the target of each contains it. Returns None if one of them
/// has no target yet.
///
/// One walk answers for all of them: a walk for each would take quadratic time in a ring of aliases.
pub(super) fn recursive_aliases(alias: &TypeAlias) -> Option<Vec<(&TypeAlias, bool)>> {
    let mut numbers = HashMap::from_iter([(alias.identity(), 0)]);
    let mut aliases = vec![alias];
    let mut next: Vec<Vec<usize>> = Vec::new();
    let mut unread = VecDeque::from([alias]);
    while let Some(alias) = unread.pop_front() {
        let mut direct = Vec::new();
        let mut open = vec![alias.target()?];
        let mut seen = HashSet::default();
        while let Some(it) = open.pop() {
            effort::spend(1);
            match it.kind() {
                // Nothing leads from there to an alias that leads there.
                TypeKind::Alias(found) if found.is_known_as(false) => {}
                TypeKind::Alias(found) => {
                    let number = *numbers.entry(found.identity()).or_insert_with(|| {
                        aliases.push(found);
                        unread.push_back(found);
                        aliases.len() - 1
                    });
                    direct.push(number);
                }
                _ => add_parts(it, &mut seen, &mut open),
            }
        }
        next.push(direct);
    }
    let mut recursive: Vec<bool> = next.iter().enumerate().map(|(own, it)| it.contains(&own)).collect();
    for alias in components(next.len(), |it| &next[it]).into_iter().flatten() {
        recursive[alias] = true;
    }
    Some(aliases.into_iter().zip(recursive).collect())
}

/// Whether a type has more parts than a limit. The target of an alias counts as often as the alias occurs; that of a
/// recursive alias counts once.
pub(super) fn has_more_parts(it: &Type, limit: usize) -> bool {
    let mut open = vec![it];
    let mut seen = HashSet::default();
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
            _ => each_part(it, &mut |part| open.push(part)),
        }
    }
    false
}

/// Whether an alias in a type returns to itself through alternatives alone.
pub(super) fn has_circle_of_alternatives(it: &Type) -> bool {
    let mut left = HashSet::default();
    visit(it, &mut |part| matches!(part.kind(), TypeKind::Alias(_)) && leads_back(part, &mut left))
}

/// Whether alternatives lead from a type back into an alias that contains them. Aliases that were left before aren't
/// followed again.
fn leads_back(it: &Type, left: &mut HashSet<usize>) -> bool {
    enum Step<'t> {
        Into(&'t Type),
        OutOf(usize),
    }
    let mut inside = HashSet::default();
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

/// Calls a function for each direct part of a type.
fn each_part<'t>(it: &'t Type, of: &mut dyn FnMut(&'t Type)) {
    match it.kind() {
        TypeKind::Array(element, _) => of(element),
        TypeKind::Hash(key, value, _) => {
            of(key);
            of(value);
        }
        TypeKind::Tuple(tuple) => tuple.types.iter().for_each(of),
        TypeKind::Struct(elements) => elements.iter().map(|it| &it.value).for_each(of),
        TypeKind::Variant(types) => types.iter().for_each(of),
        TypeKind::Optional(it)
        | TypeKind::NotUndef(it)
        | TypeKind::Iterable(it)
        | TypeKind::Iterator(it)
        | TypeKind::Type(it)
        | TypeKind::Init { target: it, .. } => it.iter().for_each(of),
        TypeKind::Sensitive(it) => of(it),
        TypeKind::Callable(callable) => {
            let parameters = callable.parameters.iter().flat_map(|it| it.types.iter());
            parameters.chain(&callable.block).chain(&callable.returns).for_each(of);
        }
        TypeKind::Object(Some(object)) | TypeKind::ObjectExtension(object, _) => {
            let parameters = object.type_parameters.iter().map(|it| &it.value_type);
            let attributes = object.attributes.iter().map(|it| &it.value_type);
            let functions = object.functions.iter().map(|it| &it.signature);
            object.parent.iter().chain(parameters).chain(attributes).chain(functions).for_each(of);
        }
        TypeKind::TypeSet(Some(set)) => set.types.iter().map(|(_, it)| it).for_each(of),
        _ => {}
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

/// Whether a type contains anything besides aliases and variants of them, without following this alias.
pub(super) fn leads_to_type(it: &Type, alias: &TypeAlias) -> bool {
    // The alias has no target yet, so it is not followed.
    debug_assert!(alias.target().is_none());
    visit(it, &mut |part| !matches!(part.kind(), TypeKind::Alias(_) | TypeKind::Variant(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_of_aliases_is_walked_once() {
        const COUNT: usize = 1_000;
        let ring: Vec<TypeAlias> = (0..COUNT).map(|it| TypeAlias::declare(format!("T{it}"))).collect();
        let reference = |it: &TypeAlias| Type::from(TypeKind::Alias(it.clone()));
        for (index, it) in ring.iter().enumerate() {
            it.define(Type::array(reference(&ring[(index + 1) % COUNT]), None));
        }
        let outside = TypeAlias::declare("Outside");
        outside.define(Type::optional(reference(&ring[0])));
        let all = effort::within(10 * COUNT as u64, || {
            !outside.is_recursive()
                && ring.iter().all(TypeAlias::is_recursive)
                && !has_more_parts(&reference(&outside), 3 * COUNT)
        });
        assert_eq!(all, Ok(true));
    }

    #[test]
    fn answers_are_kept_only_for_what_is_complete() {
        let (first, second) = (TypeAlias::declare("First"), TypeAlias::declare("Second"));
        first.define(Type::array(TypeKind::Alias(second.clone()).into(), None));
        assert!(!first.is_recursive());
        second.define(Type::array(TypeKind::Alias(first.clone()).into(), None));
        assert!(first.is_recursive() && second.is_recursive());
    }
}
