use std::hash::{Hash, Hasher};
use std::sync::Arc;

use indexmap::IndexMap;
use marotte_text::Str;

use super::{Type, TypeKind};
use crate::semver::{SemVer, SemVerRange};
use crate::value::Value;

/// A user-defined type. Its identity is its name, or, without one, its content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectType {
    /// Empty for an anonymous type.
    pub name: Str,
    /// What it inherits from: an `Object` type.
    pub parent: Option<Type>,
    /// Type parameters in order.
    pub type_parameters: Box<[(Str, Type)]>,
    /// Attributes and constants in order; inherited ones are the parent's.
    pub attributes: Box<[Attribute]>,
    /// Functions in order; inherited ones are the parent's.
    pub functions: Box<[ObjectFunction]>,
    /// Names of the attributes that count for equality, if it says so.
    pub equality: Option<Box<[Str]>>,
    /// Whether equality asks for the same type.
    pub equality_include_type: bool,
}

impl ObjectType {
    /// The type that it inherits from, aliases looked through, if that is an `Object` type.
    pub fn parent_object(&self) -> Option<&Arc<ObjectType>> {
        match self.parent.as_ref()?.resolved().kind() {
            TypeKind::Object(Some(parent)) => Some(parent),
            _ => None,
        }
    }

    /// What messages call it.
    pub fn label(&self) -> &str {
        if self.name.is_empty() { "Object" } else { &self.name }
    }

    /// The types from the first ancestor to this one.
    fn lineage(&self) -> Vec<&ObjectType> {
        let mut lineage = vec![self];
        let mut it = self;
        while let Some(parent) = it.parent_object() {
            lineage.push(parent);
            it = parent;
        }
        lineage.reverse();
        lineage
    }

    /// All attributes, inherited ones first; one that is overridden keeps its place.
    pub fn all_attributes(&self) -> IndexMap<Str, &Attribute> {
        let attributes = self.lineage().into_iter().flat_map(|it| it.attributes.iter());
        attributes.map(|it| (it.name.clone(), it)).collect()
    }

    /// All functions, inherited ones first; one that is overridden keeps its place.
    pub fn all_functions(&self) -> IndexMap<Str, &ObjectFunction> {
        let functions = self.lineage().into_iter().flat_map(|it| it.functions.iter());
        functions.map(|it| (it.name.clone(), it)).collect()
    }

    /// All type parameters, inherited ones first.
    pub fn all_type_parameters(&self) -> IndexMap<Str, &Type> {
        let parameters = self.lineage().into_iter().flat_map(|it| it.type_parameters.iter());
        parameters.map(|(name, it)| (name.clone(), it)).collect()
    }

    /// The attributes that instances store, in the order of [`crate::value::Object::attributes`].
    pub fn stored_attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.all_attributes().into_values().filter(|it| it.is_stored())
    }

    /// Names of the attributes that this type itself adds to the comparison of instances.
    pub(crate) fn own_equality_attributes(&self) -> Vec<&str> {
        match &self.equality {
            Some(equality) => equality.iter().map(|it| &**it).collect(),
            None => self.attributes.iter().filter(|it| it.is_stored()).map(|it| &*it.name).collect(),
        }
    }

    /// Names of the attributes that count when instances are compared: those that each ancestor names, or else all of
    /// its attributes that are not constant.
    pub fn equality_attributes(&self) -> Vec<Str> {
        let mut names = indexmap::IndexSet::new();
        for it in self.lineage() {
            match &it.equality {
                Some(equality) => names.extend(equality.iter().cloned()),
                None => {
                    let own = it.attributes.iter().filter(|it| it.kind != AttributeKind::Constant);
                    names.extend(own.map(|it| it.name.clone()));
                }
            }
        }
        names.into_iter().collect()
    }
}

/// A function of an `Object` type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectFunction {
    /// Its name.
    pub name: Str,
    /// Its signature: a `Callable` type, or a `Variant` of them.
    pub signature: Type,
    /// It replaces the parent's.
    pub overrides: bool,
    /// No type can replace it.
    pub is_final: bool,
}

/// An attribute of an `Object` type.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: Str,
    /// What its value must be.
    pub value_type: Type,
    /// How it gets its value.
    pub kind: AttributeKind,
    /// What it is if it is not given; for a constant, what it is.
    pub default: Option<Value>,
    /// It replaces the parent's.
    pub overrides: bool,
    /// No type can replace it.
    pub is_final: bool,
}

impl Attribute {
    /// Whether an instance has a value of its own for it.
    pub fn is_stored(&self) -> bool {
        !matches!(self.kind, AttributeKind::Constant | AttributeKind::Derived)
    }
}

/// How an attribute gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeKind {
    /// Whoever makes the instance gives it.
    Normal,
    /// The same for all instances.
    Constant,
    /// Computed from others.
    Derived,
    /// Given, or else computed.
    GivenOrDerived,
    /// Given, and not contained.
    Reference,
}

impl PartialEq for Attribute {
    fn eq(&self, other: &Attribute) -> bool {
        self.name == other.name
            && self.value_type == other.value_type
            && self.kind == other.kind
            && self.default == other.default
            && self.overrides == other.overrides
            && self.is_final == other.is_final
    }
}

impl Eq for Attribute {}

impl Hash for Attribute {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.kind.hash(state);
    }
}

/// A set of types with a name and a version. Its identity is its name authority, name and version.
#[derive(Clone, Debug)]
pub struct TypeSet {
    /// Where the version of Pcore is described.
    pub pcore_uri: Option<Str>,
    /// The version of Pcore that it is written for.
    pub pcore_version: SemVer,
    /// Who gives out its name.
    pub name_authority: Option<Str>,
    /// Its name.
    pub name: Str,
    /// Its version.
    pub version: Option<SemVer>,
    /// The types by simple name, in order.
    pub types: Box<[(Str, Type)]>,
    /// Other sets by alias.
    pub references: Box<[(Str, TypeSetReference)]>,
}

/// A reference to another set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeSetReference {
    /// Who gives out its name, if that is not the owner of the reference.
    pub name_authority: Option<Str>,
    /// Its name.
    pub name: Str,
    /// The versions that will do.
    pub version_range: SemVerRange,
}

impl PartialEq for TypeSet {
    fn eq(&self, other: &TypeSet) -> bool {
        self.name_authority == other.name_authority
            && self.name == other.name
            && self.version == other.version
    }
}

impl Eq for TypeSet {}

impl Hash for TypeSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
