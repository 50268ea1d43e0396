use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use marotte_text::Str;

use super::{Type, TypeKind, recursion};

/// The error for an alias that leads to nothing but aliases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasError {
    /// The name of the alias.
    pub name: Str,
}

impl fmt::Display for AliasError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Type alias '{}' cannot be resolved to a real type", self.name)
    }
}

impl std::error::Error for AliasError {}

/// A type alias. The type may contain the alias itself.
///
/// Equality compares names, as in the reference. The creator of an alias checks that it leads to a real type.
#[derive(Clone)]
pub struct TypeAlias(Arc<Inner>);

struct Inner {
    name: Str,
    target: OnceLock<Type>,
    recursive: OnceLock<bool>,
}

impl TypeAlias {
    /// Creates an alias without a target, so that its own type can contain it.
    pub fn declare(name: impl Into<Str>) -> TypeAlias {
        TypeAlias(Arc::new(Inner { name: name.into(), target: OnceLock::new(), recursive: OnceLock::new() }))
    }

    /// Sets the target. Only the first call has an effect: name resolution rejects a second definition.
    pub fn define(&self, target: Type) {
        let _ = self.0.target.set(target);
    }

    /// Sets the normalized target, and determines whether it contains the alias.
    ///
    /// Alternatives that lead only to aliases are dropped, as in the reference.
    ///
    /// # Errors
    /// If it leads to nothing but aliases. The target is then not set.
    pub fn resolve(&self, target: &Type) -> Result<(), AliasError> {
        let target = crate::infer::normalize(target);
        if !recursion::leads_to_type(&target, self) {
            return Err(AliasError { name: self.0.name.clone() });
        }
        let target = match target.kind() {
            TypeKind::Variant(types) if recursion::contains(&target, self) => Type::variant(
                types
                    .iter()
                    .filter(|it| !recursion::is_alias(it, self) && recursion::leads_to_type(it, self))
                    .cloned(),
            ),
            _ => target,
        };
        self.define(target);
        Ok(())
    }

    /// Returns an identity that distinguishes it from other aliases of the same name.
    pub(crate) fn identity(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Returns the name of the alias.
    pub fn name(&self) -> &Str {
        &self.0.name
    }

    /// Returns the target, if it is set.
    pub fn target(&self) -> Option<&Type> {
        self.0.target.get()
    }

    /// Whether the target contains the alias. The answer may change as long as aliases in it have no target.
    pub fn is_recursive(&self) -> bool {
        if let Some(known) = self.0.recursive.get() {
            return *known;
        }
        let Some(target) = self.target() else { return false };
        if let Some(all) = recursion::recursive_aliases(self) {
            for (alias, recursive) in all {
                let _ = alias.0.recursive.set(recursive);
            }
            return self.is_known_as(true);
        }
        let recursive = recursion::contains(target, self);
        if recursive {
            let _ = self.0.recursive.set(true);
        }
        recursive
    }

    /// Whether this is known about it: that its target contains it, or that it does not.
    pub(super) fn is_known_as(&self, recursive: bool) -> bool {
        self.0.recursive.get() == Some(&recursive)
    }
}

impl PartialEq for TypeAlias {
    fn eq(&self, other: &TypeAlias) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for TypeAlias {}

impl Hash for TypeAlias {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Debug for TypeAlias {
    /// Shows only the name, because the target may contain the alias.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Alias({})", self.0.name)
    }
}
