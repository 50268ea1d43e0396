use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use marotte_text::Str;

use super::{Type, TypeKind, recursion};

/// An alias leads to nothing but aliases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasError {
    /// Its name.
    pub name: Str,
}

impl fmt::Display for AliasError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Type alias '{}' cannot be resolved to a real type", self.name)
    }
}

impl std::error::Error for AliasError {}

/// A name for a type. The type may contain the alias itself.
///
/// Equality is that of names, as in the reference. Whoever makes an alias checks that it leads to a real type.
#[derive(Clone)]
pub struct TypeAlias(Arc<Inner>);

struct Inner {
    name: Str,
    target: OnceLock<Type>,
    recursive: OnceLock<bool>,
}

impl TypeAlias {
    /// An alias that stands for nothing yet, so that its own type can contain it.
    pub fn declare(name: impl Into<Str>) -> TypeAlias {
        TypeAlias(Arc::new(Inner { name: name.into(), target: OnceLock::new(), recursive: OnceLock::new() }))
    }

    /// Says what the alias stands for. Only the first call counts: a second definition is refused where names are known.
    pub fn define(&self, target: Type) {
        let _ = self.0.target.set(target);
    }

    /// Says what the alias stands for, in its normal form, and finds out whether it contains itself.
    ///
    /// Alternatives that lead only to aliases are dropped, as in the reference.
    ///
    /// # Errors
    /// If it leads to no type but aliases. It then stands for nothing.
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

    /// What tells it apart from other aliases of its name.
    pub(crate) fn identity(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The name.
    pub fn name(&self) -> &Str {
        &self.0.name
    }

    /// What it stands for.
    pub fn target(&self) -> Option<&Type> {
        self.0.target.get()
    }

    /// Whether what it stands for contains it. While aliases in it stand for nothing yet, the answer may change.
    pub fn is_recursive(&self) -> bool {
        if let Some(known) = self.0.recursive.get() {
            return *known;
        }
        let Some(target) = self.target() else { return false };
        let recursive = recursion::contains(target, self);
        if recursive || recursion::is_complete(target) {
            let _ = self.0.recursive.set(recursive);
        }
        recursive
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
    /// The name alone: what it stands for may contain it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Alias({})", self.0.name)
    }
}
