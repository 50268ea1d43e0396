use std::fmt;
use std::hash::{self, Hasher};
use std::sync::Arc;

use indexmap::IndexMap;
use marotte_text::Str;

use super::{Type, TypeKind};
use crate::semver::{SemVer, SemVerRange};
use crate::value::{Hash, Value};

/// A user-defined type. Its identity is its name, or, without one, its content.
///
/// Equality is that of the name and of all that is said but annotations and `equality_include_type`, as in the reference.
#[derive(Clone, Debug)]
pub struct ObjectType {
    /// Empty for an anonymous type.
    pub name: Str,
    /// What it inherits from: an `Object` type.
    pub parent: Option<Type>,
    /// Type parameters in order; inherited ones are the parent's.
    pub type_parameters: Box<[TypeParameter]>,
    /// Attributes and constants in order; inherited ones are the parent's.
    pub attributes: Box<[Attribute]>,
    /// Functions in order; inherited ones are the parent's.
    pub functions: Box<[ObjectFunction]>,
    /// Names of the attributes that count for equality, if it says so.
    pub equality: Option<Box<[Str]>>,
    /// Whether equality asks for the same type.
    pub equality_include_type: bool,
    /// What is said of checks, which nothing reads.
    pub checks: Option<Value>,
    /// What is noted of the type.
    pub annotations: Annotations,
}

/// What is noted of a type or member, by types that inherit from `Annotation`. Nothing in the language reads it.
pub type Annotations = Option<Arc<Hash>>;

/// A parameter of an `Object` type.
#[derive(Clone, Debug, PartialEq, Eq, hash::Hash)]
pub struct TypeParameter {
    /// Its name.
    pub name: Str,
    /// What it can be: an `Optional` type.
    pub value_type: Type,
    /// What is said of its value, which nothing reads.
    pub default: Option<Value>,
}

/// A member of an `Object` type, and the type that defines it.
#[derive(Clone, Copy, Debug)]
pub struct Member<'o> {
    /// Who defines it.
    pub owner: &'o ObjectType,
    /// What it is.
    pub kind: MemberKind<'o>,
}

/// What a member is.
#[derive(Clone, Copy, Debug)]
pub enum MemberKind<'o> {
    /// An attribute or constant.
    Attribute(&'o Attribute),
    /// A function.
    Function(&'o ObjectFunction),
}

impl MemberKind<'_> {
    /// `attribute` or `function`.
    pub fn feature(self) -> &'static str {
        match self {
            MemberKind::Attribute(_) => "attribute",
            MemberKind::Function(_) => "function",
        }
    }
}

impl fmt::Display for Member<'_> {
    /// What messages call it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.kind {
            MemberKind::Attribute(it) => &it.name,
            MemberKind::Function(it) => &it.name,
        };
        write!(out, "{} {}[{name}]", self.kind.feature(), self.owner.label())
    }
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

    /// The member of a name, inherited ones included: what is defined last, and an attribute before a function.
    pub fn member(&self, name: &str) -> Option<Member<'_>> {
        self.lineage().into_iter().rev().find_map(|owner| {
            let attribute = owner.attributes.iter().find(|it| it.name == name).map(MemberKind::Attribute);
            let function = || owner.functions.iter().find(|it| it.name == name).map(MemberKind::Function);
            attribute.or_else(function).map(|kind| Member { owner, kind })
        })
    }

    /// The type that defines a type parameter, inherited ones included.
    pub fn owner_of_parameter(&self, name: &str) -> Option<&ObjectType> {
        let defines = |it: &&ObjectType| it.type_parameters.iter().any(|it| it.name == name);
        self.lineage().into_iter().rev().find(defines)
    }

    /// All type parameters, inherited ones first.
    pub fn all_type_parameters(&self) -> IndexMap<Str, &Type> {
        let parameters = self.lineage().into_iter().flat_map(|it| it.type_parameters.iter());
        parameters.map(|it| (it.name.clone(), &it.value_type)).collect()
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

impl PartialEq for ObjectType {
    fn eq(&self, other: &ObjectType) -> bool {
        self.name == other.name
            && self.parent == other.parent
            && self.type_parameters == other.type_parameters
            && self.attributes == other.attributes
            && self.functions == other.functions
            && self.equality == other.equality
            && self.checks == other.checks
    }
}

impl Eq for ObjectType {}

impl hash::Hash for ObjectType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        if self.name.is_empty() {
            self.parent.hash(state);
            self.attributes.hash(state);
            self.functions.hash(state);
        }
    }
}

/// A function of an `Object` type.
#[derive(Clone, Debug)]
pub struct ObjectFunction {
    /// Its name.
    pub name: Str,
    /// Its signature: a `Callable` type, or a `Variant` of them.
    pub signature: Type,
    /// It replaces the parent's.
    pub overrides: bool,
    /// No type can replace it.
    pub is_final: bool,
    /// What is noted of it.
    pub annotations: Annotations,
}

impl PartialEq for ObjectFunction {
    fn eq(&self, other: &ObjectFunction) -> bool {
        self.name == other.name
            && self.signature == other.signature
            && self.overrides == other.overrides
            && self.is_final == other.is_final
    }
}

impl Eq for ObjectFunction {}

impl hash::Hash for ObjectFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.signature.hash(state);
    }
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
    /// What is noted of it.
    pub annotations: Annotations,
}

impl Attribute {
    /// Whether an instance has a value of its own for it.
    pub fn is_stored(&self) -> bool {
        !matches!(self.kind, AttributeKind::Constant | AttributeKind::Derived)
    }
}

/// How an attribute gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, hash::Hash)]
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

impl hash::Hash for Attribute {
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
    /// What is noted of it.
    pub annotations: Annotations,
}

impl TypeSet {
    /// The type of a name within the set, in any case of letters.
    pub fn member(&self, name: &str) -> Option<&Type> {
        self.types.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, it)| it)
    }
}

/// A reference to another set.
#[derive(Clone, Debug)]
pub struct TypeSetReference {
    /// Who gives out its name, if that is not the owner of the reference.
    pub name_authority: Option<Str>,
    /// Its name.
    pub name: Str,
    /// The versions that will do.
    pub version_range: SemVerRange,
    /// What is noted of it.
    pub annotations: Annotations,
}

impl PartialEq for TypeSet {
    fn eq(&self, other: &TypeSet) -> bool {
        self.name_authority == other.name_authority
            && self.name == other.name
            && self.version == other.version
    }
}

impl Eq for TypeSet {}

impl hash::Hash for TypeSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
