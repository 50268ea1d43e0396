use std::fmt;
use std::hash::{self, Hasher};
use std::sync::Arc;

use indexmap::IndexMap;
use marotte_text::Str;

use super::{Type, TypeKind};
use crate::semver::{SemVer, SemVerRange};
use crate::value::{Hash, Value};

/// A user-defined type. It is identified by its name, or, if it is anonymous, by its content.
///
/// As in the reference, equality compares the name and all parts except annotations and `equality_include_type`.
#[derive(Clone, Debug)]
pub struct ObjectType {
    /// Empty for an anonymous type.
    pub name: Str,
    /// The parent: an `Object` type.
    pub parent: Option<Type>,
    /// The type parameters, in order, without inherited ones.
    pub type_parameters: Box<[TypeParameter]>,
    /// The attributes and constants, in order, without inherited ones.
    pub attributes: Box<[Attribute]>,
    /// The functions, in order, without inherited ones.
    pub functions: Box<[ObjectFunction]>,
    /// The names of the attributes that equality compares, if given.
    pub equality: Option<Box<[Str]>>,
    /// Whether equality requires the same type.
    pub equality_include_type: bool,
    /// The value of `checks`, which nothing reads.
    pub checks: Option<Value>,
    /// The annotations of the type.
    pub annotations: Annotations,
}

/// Annotations of a type or member, by types that inherit from `Annotation`. Nothing in the language reads them.
pub type Annotations = Option<Arc<Hash>>;

/// A type parameter of an `Object` type.
#[derive(Clone, Debug, PartialEq, Eq, hash::Hash)]
pub struct TypeParameter {
    /// The name of the parameter.
    pub name: Str,
    /// The type of its value: an `Optional` type.
    pub value_type: Type,
    /// The default value, which nothing reads.
    pub default: Option<Value>,
}

/// A member of an `Object` type, with the type that defines it.
#[derive(Clone, Copy, Debug)]
pub struct Member<'o> {
    /// The type that defines it.
    pub owner: &'o ObjectType,
    /// The attribute or function.
    pub kind: MemberKind<'o>,
}

/// A kind of [`Member`].
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
    /// Formats its name as in messages.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.kind {
            MemberKind::Attribute(it) => &it.name,
            MemberKind::Function(it) => &it.name,
        };
        write!(out, "{} {}[{name}]", self.kind.feature(), self.owner.label())
    }
}

impl ObjectType {
    /// Returns the parent, with aliases resolved, if it is an `Object` type.
    pub fn parent_object(&self) -> Option<&Arc<ObjectType>> {
        match self.parent.as_ref()?.resolved().kind() {
            TypeKind::Object(Some(parent)) => Some(parent),
            _ => None,
        }
    }

    /// The name of the type in messages.
    pub fn label(&self) -> &str {
        if self.name.is_empty() { "Object" } else { &self.name }
    }

    /// Returns the types from the first ancestor to this one.
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

    /// Returns all attributes, inherited ones first; an overridden one keeps its position.
    pub fn all_attributes(&self) -> IndexMap<Str, &Attribute> {
        let attributes = self.lineage().into_iter().flat_map(|it| it.attributes.iter());
        attributes.map(|it| (it.name.clone(), it)).collect()
    }

    /// Returns all functions, inherited ones first; an overridden one keeps its position.
    pub fn all_functions(&self) -> IndexMap<Str, &ObjectFunction> {
        let functions = self.lineage().into_iter().flat_map(|it| it.functions.iter());
        functions.map(|it| (it.name.clone(), it)).collect()
    }

    /// Returns the member of a name, including inherited ones: the most derived definition takes precedence, and an attribute
    /// takes precedence over a function.
    pub fn member(&self, name: &str) -> Option<Member<'_>> {
        self.lineage().into_iter().rev().find_map(|owner| {
            let attribute = owner.attributes.iter().find(|it| it.name == name).map(MemberKind::Attribute);
            let function = || owner.functions.iter().find(|it| it.name == name).map(MemberKind::Function);
            attribute.or_else(function).map(|kind| Member { owner, kind })
        })
    }

    /// Returns the type that defines a type parameter, including inherited ones.
    pub fn owner_of_parameter(&self, name: &str) -> Option<&ObjectType> {
        let defines = |it: &&ObjectType| it.type_parameters.iter().any(|it| it.name == name);
        self.lineage().into_iter().rev().find(defines)
    }

    /// Returns all type parameters, inherited ones first.
    pub fn all_type_parameters(&self) -> IndexMap<Str, &Type> {
        let parameters = self.lineage().into_iter().flat_map(|it| it.type_parameters.iter());
        parameters.map(|it| (it.name.clone(), &it.value_type)).collect()
    }

    /// The attributes that instances store, in the order of [`crate::value::Object::attributes`].
    pub fn stored_attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.all_attributes().into_values().filter(|it| it.is_stored())
    }

    /// The names of the attributes that this type itself adds to the comparison of instances.
    pub(crate) fn own_equality_attributes(&self) -> Vec<&str> {
        match &self.equality {
            Some(equality) => equality.iter().map(|it| &**it).collect(),
            None => self.attributes.iter().filter(|it| it.is_stored()).map(|it| &*it.name).collect(),
        }
    }

    /// The names of the attributes that are compared between instances: for each ancestor, those that it names or, by
    /// default, all of its attributes that aren't constant.
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
    /// The name of the function.
    pub name: Str,
    /// The signature: a `Callable` type, or a `Variant` of them.
    pub signature: Type,
    /// Whether it overrides a function of the parent.
    pub overrides: bool,
    /// Whether it can't be overridden.
    pub is_final: bool,
    /// The annotations of the function.
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
    /// The name of the attribute.
    pub name: Str,
    /// The type of its value.
    pub value_type: Type,
    /// The source of its value.
    pub kind: AttributeKind,
    /// The default value; for a constant, its value.
    pub default: Option<Value>,
    /// Whether it overrides an attribute of the parent.
    pub overrides: bool,
    /// Whether it can't be overridden.
    pub is_final: bool,
    /// The annotations of the attribute.
    pub annotations: Annotations,
}

impl Attribute {
    /// Whether instances store a value for it.
    pub fn is_stored(&self) -> bool {
        !matches!(self.kind, AttributeKind::Constant | AttributeKind::Derived)
    }
}

/// The source of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, hash::Hash)]
pub enum AttributeKind {
    /// Passed when an instance is created.
    Normal,
    /// Constant: the same for all instances.
    Constant,
    /// Computed from other attributes.
    Derived,
    /// Passed, or computed if missing.
    GivenOrDerived,
    /// Passed, and not contained in the instance.
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

/// A set of types with a name and a version. It is identified by its name authority, name and version.
#[derive(Clone, Debug)]
pub struct TypeSet {
    /// The URI of the Pcore version.
    pub pcore_uri: Option<Str>,
    /// The version of Pcore that it is written for.
    pub pcore_version: SemVer,
    /// The URI of the name authority.
    pub name_authority: Option<Str>,
    /// The name of the type set.
    pub name: Str,
    /// The version of the set.
    pub version: Option<SemVer>,
    /// The types by simple name, in order.
    pub types: Box<[(Str, Type)]>,
    /// References to other sets by alias.
    pub references: Box<[(Str, TypeSetReference)]>,
    /// The annotations of the type set.
    pub annotations: Annotations,
}

impl TypeSet {
    /// Returns the type of a name within the set, ignoring case.
    pub fn member(&self, name: &str) -> Option<&Type> {
        self.types.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, it)| it)
    }
}

/// A reference to another type set.
#[derive(Clone, Debug)]
pub struct TypeSetReference {
    /// The name authority, if it differs from that of the referring set.
    pub name_authority: Option<Str>,
    /// The name of the referenced type set.
    pub name: Str,
    /// The versions that the reference accepts.
    pub version_range: SemVerRange,
    /// The annotations of the reference.
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
