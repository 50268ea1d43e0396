//! Types: the model. What can be asked of them is in `relation`, `infer` and `print`.

mod alias;
mod builtin;
mod catalog;
mod collection;
mod extent;
mod kind;
mod object;
mod range;
mod recursion;
mod scalar;

pub use alias::{AliasError, TypeAlias};
pub use builtin::{
    ANNOTATION, DATA, DATA_OF_SCALARS, DEFERRED, ERROR, LOOKUP_CONTEXT, RICH_DATA, RICH_DATA_KEY,
    builtin_alias,
};
pub use catalog::ResourceType;
pub use collection::{CallableType, StructElement, TupleType};
pub use object::{
    Annotations, Attribute, AttributeKind, Member, MemberKind, ObjectFunction, ObjectType, TypeParameter,
    TypeSet, TypeSetReference,
};
pub use range::{FloatRange, IntegerRange, Size};
pub use scalar::{EnumType, PatternType, StringType, UriType};

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use marotte_text::Str;

use crate::extent::Extent;
use crate::regexp::Regexp;
use crate::semver::SemVerRange;
use crate::time::{Timespan, Timestamp};
use crate::value::Value;

/// A type. Cheap to clone, and to share between threads.
///
/// `PartialEq` and `Hash` are equality of structure, as the reference's `eql?`. The language's `==` on types, which also
/// holds where each accepts the other, is [`crate::relation::equal`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Type(Arc<Node>);

/// A kind, and what is known about it.
struct Node {
    kind: TypeKind,
    extent: Extent,
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.kind.fmt(out)
    }
}

/// The kinds of types. `None` for a parameter means that it was not given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// Accepts everything.
    Any,
    /// The element type of what has no elements: accepts everything, adds nothing to a common type. No name denotes it.
    Unit,
    /// `undef` alone.
    Undef,
    /// `default` alone.
    Default,
    /// What has no parts: data scalars, regular expressions, versions, times.
    Scalar,
    /// Numbers, strings and booleans.
    ScalarData,
    /// Integers and floats.
    Numeric,
    /// A range of integers.
    Integer(IntegerRange),
    /// A range of floats.
    Float(FloatRange),
    /// Strings by length, or one string.
    String(StringType),
    /// One of some strings.
    Enum(EnumType),
    /// Strings that match.
    Pattern(PatternType),
    /// Both booleans, or one.
    Boolean(Option<bool>),
    /// Regular expressions, or one.
    Regexp(Option<Regexp>),
    /// Versions, or those in ranges.
    SemVer(Box<[SemVerRange]>),
    /// Ranges of versions.
    SemVerRange,
    /// A range of lengths of time; `None` is open.
    Timespan(Option<Timespan>, Option<Timespan>),
    /// A range of points in time; `None` is open.
    Timestamp(Option<Timestamp>, Option<Timestamp>),
    /// Bytes.
    Binary,
    /// URIs, or those with certain parts.
    Uri(UriType),
    /// Arrays and hashes by size.
    Collection(Option<Size>),
    /// Arrays by element type and size.
    Array(Type, Option<Size>),
    /// Hashes by key type, value type and size.
    Hash(Type, Type, Option<Size>),
    /// Arrays by the type of each element.
    Tuple(TupleType),
    /// Hashes by the type of each value.
    Struct(Box<[StructElement]>),
    /// Any of some types.
    Variant(Box<[Type]>),
    /// A type, or `undef`.
    Optional(Option<Type>),
    /// A type without `undef`.
    NotUndef(Option<Type>),
    /// What can be iterated.
    Iterable(Option<Type>),
    /// What is made lazily.
    Iterator(Option<Type>),
    /// What can be called.
    Callable(CallableType),
    /// Resources and classes.
    CatalogEntry,
    /// A resource, the resources of a type, or all.
    Resource(ResourceType),
    /// A class, or all.
    Class(Option<Str>),
    /// Types, or those that a type accepts.
    Type(Option<Type>),
    /// Hidden values, by a type that is general already (D33).
    Sensitive(Type),
    /// What a type's `new` accepts.
    Init {
        /// The type; none for what any type accepts.
        target: Option<Type>,
        /// Arguments after the first.
        arguments: Box<[Value]>,
    },
    /// Values of the platform.
    Runtime {
        /// `ruby`.
        runtime: Option<Str>,
        /// The name of a class of the platform.
        name: Option<Str>,
        /// Pattern and replacement that derive the name.
        pattern: Option<(Regexp, Str)>,
    },
    /// Instances of a user-defined type; `None` for all.
    Object(Option<Arc<ObjectType>>),
    /// Instances of an `Object` type that has type parameters, restricted by them.
    ObjectExtension(Arc<ObjectType>, Box<[(Str, Value)]>),
    /// A set of types; `None` for all sets.
    TypeSet(Option<Arc<TypeSet>>),
    /// Another name for a type.
    Alias(TypeAlias),
    /// A name that stands for no type that is known.
    Reference(Str),
}

/// `Any`.
pub(crate) static ANY: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::Any));

/// `Undef`.
pub(crate) static UNDEF: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::Undef));

/// `String`.
pub(crate) static STRING: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::String(StringType::Any)));

impl Type {
    /// A type of this kind.
    pub fn new(kind: TypeKind) -> Type {
        let extent = extent::of(&kind);
        Type(Arc::new(Node { kind, extent }))
    }

    /// What it is.
    pub fn kind(&self) -> &TypeKind {
        &self.0.kind
    }

    /// How deeply it is nested, and how large it is. What an alias stands for counts in depth, once it is known.
    pub fn extent(&self) -> Extent {
        match &self.0.kind {
            TypeKind::Alias(alias) => extent::of_alias(alias),
            _ => self.0.extent,
        }
    }

    /// `Any`.
    pub fn any() -> Type {
        ANY.clone()
    }

    /// `Undef`.
    pub fn undef() -> Type {
        UNDEF.clone()
    }

    /// The type of elements where there are none.
    pub fn unit() -> Type {
        static UNIT: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::Unit));
        UNIT.clone()
    }

    /// `String`.
    pub fn string() -> Type {
        STRING.clone()
    }

    /// The strings of some length.
    pub fn string_sized(size: Size) -> Type {
        Type::new(TypeKind::String(StringType::Sized(size)))
    }

    /// One string: what is inferred of it.
    pub fn literal(text: impl Into<Str>) -> Type {
        Type::new(TypeKind::String(StringType::Literal(text.into())))
    }

    /// `Integer`.
    pub fn integer() -> Type {
        Type::new(TypeKind::Integer(IntegerRange::default()))
    }

    /// `Integer[from, to]`.
    pub fn integer_between(from: i64, to: i64) -> Type {
        Type::new(TypeKind::Integer(IntegerRange::ascending(Some(from.into()), Some(to.into()))))
    }

    /// Arrays of a type and size. The elements of the array that must be empty are of no type.
    pub fn array(element: Type, size: Option<Size>) -> Type {
        let element = if size == Some(Size::ZERO) { Type::unit() } else { element };
        Type::new(TypeKind::Array(element, size))
    }

    /// Hashes of two types and a size. The entries of the hash that must be empty are of no type.
    pub fn hash(key: Type, value: Type, size: Option<Size>) -> Type {
        let (key, value) = if size == Some(Size::ZERO) { (Type::unit(), Type::unit()) } else { (key, value) };
        Type::new(TypeKind::Hash(key, value, size))
    }

    /// A tuple of exactly these.
    pub fn tuple(types: impl Into<Box<[Type]>>) -> Type {
        Type::new(TypeKind::Tuple(TupleType { types: types.into(), size: None }))
    }

    /// Any of some types: variants among them are opened, each type counts once, and a single one is itself.
    pub fn variant(types: impl IntoIterator<Item = Type>) -> Type {
        let mut flat = indexmap::IndexSet::new();
        for it in types {
            match it.kind() {
                TypeKind::Variant(inner) => flat.extend(inner.iter().cloned()),
                _ => {
                    flat.insert(it);
                }
            }
        }
        if flat.len() == 1
            && let Some(only) = flat.pop()
        {
            return only;
        }
        Type::new(TypeKind::Variant(flat.into_iter().collect()))
    }

    /// `Optional[T]`.
    pub fn optional(it: Type) -> Type {
        Type::new(TypeKind::Optional(Some(it)))
    }

    /// `NotUndef[T]`; of `Any` it is all but `undef`.
    pub fn not_undef(it: Type) -> Type {
        let it = if matches!(it.kind(), TypeKind::Any) { None } else { Some(it) };
        Type::new(TypeKind::NotUndef(it))
    }

    /// `Type[T]`.
    pub fn of(it: Type) -> Type {
        Type::new(TypeKind::Type(Some(it)))
    }

    /// `Sensitive[T]`, of which only the general form of `T` counts.
    pub fn sensitive(it: &Type) -> Type {
        Type::new(TypeKind::Sensitive(crate::infer::generalize(it)))
    }

    /// Calls a function for this type and every type in it until it says to stop; what an alias stands for is visited
    /// once. Returns whether the function stopped.
    pub fn any_part(&self, stop: &mut dyn FnMut(&Type) -> bool) -> bool {
        recursion::visit(self, stop)
    }

    /// Whether it has more parts than these, aliases looked through: as many as a walk over it comes to, if it follows recursive
    /// aliases once.
    pub fn has_more_parts(&self, limit: usize) -> bool {
        recursion::has_more_parts(self, limit)
    }

    /// Whether an alias in it comes back to itself through alternatives alone, which are those of `Variant`, `Optional` and
    /// `NotUndef`: `type A = Variant[B, Integer]` with `type B = Variant[A, String]`. A walk that follows aliases and
    /// alternatives does not come to an end there.
    pub fn has_circle_of_alternatives(&self) -> bool {
        recursion::has_circle_of_alternatives(self)
    }

    /// What tells it apart from other types while it lives.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Whether this and the other are one and the same, not only equal.
    pub(crate) fn is_same(&self, other: &Type) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// What the type is once aliases are looked through. An alias that stands for nothing yet is itself.
    pub fn resolved(&self) -> &Type {
        let mut it = self;
        // An alias cannot lead to itself alone: that is refused when it is made.
        while let TypeKind::Alias(alias) = it.kind()
            && let Some(target) = alias.target()
        {
            it = target;
        }
        it
    }
}

impl From<TypeKind> for Type {
    fn from(kind: TypeKind) -> Type {
        Type::new(kind)
    }
}
