//! The model of types. Operations on them are in `relation`, `infer` and `print`.

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

/// A type. Cheap to clone, and can be shared between threads.
///
/// `PartialEq` and `Hash` compare the structure, like the reference's `eql?`. The language's `==` on types, which also
/// holds if each accepts the other, is [`crate::relation::equal`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Type(Arc<Node>);

/// The kind of a type, with cached facts.
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
    /// The type of all values.
    Any,
    /// The element type of empty collections: accepts everything, adds nothing to a common type. It has no name in the
    /// language.
    Unit,
    /// The type of `undef` only.
    Undef,
    /// The type of `default` only.
    Default,
    /// Values without parts: data scalars, regular expressions, versions, times.
    Scalar,
    /// Numbers, strings and booleans.
    ScalarData,
    /// The type of integers and floats.
    Numeric,
    /// A range of integers.
    Integer(IntegerRange),
    /// A range of floats.
    Float(FloatRange),
    /// All strings, strings of certain lengths, or one string.
    String(StringType),
    /// The strings of a list.
    Enum(EnumType),
    /// Strings that match one of some patterns.
    Pattern(PatternType),
    /// Both booleans, or one of them.
    Boolean(Option<bool>),
    /// All regular expressions, or one.
    Regexp(Option<Regexp>),
    /// All versions, or those in some ranges.
    SemVer(Box<[SemVerRange]>),
    /// The type of version ranges.
    SemVerRange,
    /// A range of timespans; `None` is open.
    Timespan(Option<Timespan>, Option<Timespan>),
    /// A range of timestamps; `None` is open.
    Timestamp(Option<Timestamp>, Option<Timestamp>),
    /// The type of binary values.
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
    /// The instances of any of some types.
    Variant(Box<[Type]>),
    /// The instances of a type, and `undef`.
    Optional(Option<Type>),
    /// The instances of a type except `undef`.
    NotUndef(Option<Type>),
    /// The type of iterable values.
    Iterable(Option<Type>),
    /// The type of lazy iterators.
    Iterator(Option<Type>),
    /// Callable values: functions and lambdas.
    Callable(CallableType),
    /// The type of references to resources and classes.
    CatalogEntry,
    /// A resource, the resources of a type, or all resources.
    Resource(ResourceType),
    /// A class, or all classes.
    Class(Option<Str>),
    /// Types, or those that a type accepts.
    Type(Option<Type>),
    /// Sensitive values, by their generalized type (D33).
    Sensitive(Type),
    /// The arguments that a type's `new` accepts.
    Init {
        /// The type; `None` for those that any type accepts.
        target: Option<Type>,
        /// The arguments after the first.
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
    /// A name that doesn't denote a known type.
    Reference(Str),
}

/// `Any`.
pub(crate) static ANY: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::Any));

/// `Undef`.
pub(crate) static UNDEF: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::Undef));

/// `String`.
pub(crate) static STRING: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::String(StringType::Any)));

impl Type {
    /// Creates a type of this kind.
    pub fn new(kind: TypeKind) -> Type {
        let extent = extent::of(&kind);
        Type(Arc::new(Node { kind, extent }))
    }

    /// Returns the kind of the type.
    pub fn kind(&self) -> &TypeKind {
        &self.0.kind
    }

    /// Returns the nesting depth and the size. The target of an alias, once known, counts for the depth.
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

    /// The type of the elements of empty collections.
    pub fn unit() -> Type {
        static UNIT: LazyLock<Type> = LazyLock::new(|| Type::new(TypeKind::Unit));
        UNIT.clone()
    }

    /// `String`.
    pub fn string() -> Type {
        STRING.clone()
    }

    /// The strings of certain lengths.
    pub fn string_sized(size: Size) -> Type {
        Type::new(TypeKind::String(StringType::Sized(size)))
    }

    /// The type of one string, which is inferred for it.
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

    /// Arrays of an element type and size. If the size is zero, the element type is replaced by [`Type::unit`].
    pub fn array(element: Type, size: Option<Size>) -> Type {
        let element = if size == Some(Size::ZERO) { Type::unit() } else { element };
        Type::new(TypeKind::Array(element, size))
    }

    /// Hashes of a key type, a value type and a size. If the size is zero, both types are replaced by [`Type::unit`].
    pub fn hash(key: Type, value: Type, size: Option<Size>) -> Type {
        let (key, value) = if size == Some(Size::ZERO) { (Type::unit(), Type::unit()) } else { (key, value) };
        Type::new(TypeKind::Hash(key, value, size))
    }

    /// A tuple of exactly these types.
    pub fn tuple(types: impl Into<Box<[Type]>>) -> Type {
        Type::new(TypeKind::Tuple(TupleType { types: types.into(), size: None }))
    }

    /// The union of some types: nested variants are flattened, duplicates removed, and a single type is itself.
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

    /// `NotUndef[T]`; if `T` is `Any`, everything except `undef`.
    pub fn not_undef(it: Type) -> Type {
        let it = if matches!(it.kind(), TypeKind::Any) { None } else { Some(it) };
        Type::new(TypeKind::NotUndef(it))
    }

    /// `Type[T]`.
    pub fn of(it: Type) -> Type {
        Type::new(TypeKind::Type(Some(it)))
    }

    /// `Sensitive[T]`, which only keeps the generalized form of `T`.
    pub fn sensitive(it: &Type) -> Type {
        Type::new(TypeKind::Sensitive(crate::infer::generalize(it)))
    }

    /// Calls a function for this type and every type in it until the function returns true; the target of an alias is
    /// visited once. Returns whether the function stopped the walk.
    pub fn any_part(&self, stop: &mut dyn FnMut(&Type) -> bool) -> bool {
        recursion::visit(self, stop)
    }

    /// Whether `Sensitive` occurs in it, with aliases resolved: its values may be secrets, or contain some.
    pub fn mentions_sensitive(&self) -> bool {
        self.any_part(&mut |part| matches!(part.kind(), TypeKind::Sensitive(_)))
    }

    /// Whether it has more parts than a limit, with aliases resolved: as many as a walk visits that follows recursive
    /// aliases once.
    pub fn has_more_parts(&self, limit: usize) -> bool {
        recursion::has_more_parts(self, limit)
    }

    /// Whether an alias in it returns to itself through alternatives alone, which are those of `Variant`, `Optional`
    /// and `NotUndef`: `type A = Variant[B, Integer]` with `type B = Variant[A, String]`. A walk that follows aliases
    /// and alternatives doesn't terminate there.
    pub fn has_circle_of_alternatives(&self) -> bool {
        recursion::has_circle_of_alternatives(self)
    }

    /// Returns an address that identifies it among living types.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Whether both are the same object, rather than merely equal.
    pub(crate) fn is_same(&self, other: &Type) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Resolves aliases. An alias without a target is returned as it is.
    pub fn resolved(&self) -> &Type {
        let mut it = self;
        // An alias can't lead only to itself: that is rejected when it is resolved.
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
