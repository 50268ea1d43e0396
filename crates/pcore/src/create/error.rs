use std::fmt;

use marotte_text::Str;

use crate::mismatch::TypeAssertion;
use crate::print::{expanded, short};
use crate::regexp::RegexpError;
use crate::types::{Type, TypeKind};

/// The reason why a type can't be created from a name and arguments. The messages are those of the reference, except
/// that types are named where the reference names classes of its platform.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateError {
    /// The type takes a different number of arguments.
    Arity {
        /// The name of the type in messages.
        label: String,
        /// The minimum number of parameters.
        min: usize,
        /// The maximum number, if it differs.
        max: Option<usize>,
        /// The actual number of parameters.
        actual: usize,
    },
    /// `Integer` or `Float` takes one or two arguments.
    RangeArity {
        /// The name of the type.
        label: &'static str,
        /// The actual number of parameters.
        actual: usize,
    },
    /// `String` takes one or two arguments.
    StringArity {
        /// The actual number of parameters.
        actual: usize,
    },
    /// A bound of `Integer` or `Float` isn't a number.
    Bound {
        /// The name of the type.
        label: &'static str,
        /// The kind of the argument.
        actual: String,
    },
    /// A bound of a size isn't a number.
    SizeBound {
        /// The kind of the argument.
        actual: String,
    },
    /// The first bound is greater than the second.
    Descending {
        /// The first bound of the range.
        from: String,
        /// The second bound, which is lower.
        to: String,
    },
    /// An argument isn't a type.
    NotAType {
        /// The name in messages of the type that takes the argument.
        label: &'static str,
        /// The kind of the argument.
        actual: String,
    },
    /// The argument of `NotUndef` is neither type nor string.
    NotUndefArgument {
        /// The kind of the argument.
        actual: String,
    },
    /// An argument is of a kind that the type doesn't accept.
    Argument {
        /// The type with the wrong parameter.
        it: Type,
        /// The type of the argument.
        actual: String,
        /// The expected kinds of arguments.
        expected: &'static str,
    },
    /// The type takes no arguments.
    NotParameterized {
        /// The type that accepts no parameters.
        it: Type,
    },
    /// No type of this name is known.
    UnknownType {
        /// The unknown name.
        name: Str,
    },
    /// The name is reserved for a future type (X4, X58).
    ReservedName {
        /// The reserved name.
        name: Str,
    },
    /// A key of a `Struct` is empty.
    EmptyKey,
    /// A key of a `Struct` is neither a string nor one of the types that can be keys.
    KeyKind {
        /// The kind of the key.
        actual: String,
    },
    /// The type of an array or a hash without elements has an element type.
    ElementsOfNone {
        /// The name of the collection type.
        label: &'static str,
    },
    /// A value in the position of a type in a `Struct` isn't a type.
    StructValue {
        /// The kind of the value.
        actual: String,
    },
    /// A key of a `Struct` is a type that doesn't denote one string.
    KeyType {
        /// The type of the key.
        it: Type,
    },
    /// A regular expression is invalid.
    Regexp(RegexpError),
    /// A bound of a time, a version range, or a URI can't be parsed.
    Value(String),
    /// `Init` of a type that can't be constructed.
    NotConstructible {
        /// The type that can't be constructed.
        it: Type,
    },
    /// The first argument of `Resource` isn't a resource type.
    ResourceKind {
        /// The type of the argument.
        actual: String,
    },
    /// The name isn't a valid name of a resource type.
    ResourceName {
        /// The invalid name.
        name: Str,
    },
    /// A title isn't a string.
    ResourceTitle {
        /// The resource type.
        it: Type,
        /// The type of the title.
        actual: String,
    },
    /// The arguments of a resource that has a title are parameter names, which can be resolved only in a catalog.
    ParameterAccess {
        /// The resource or class.
        it: Type,
    },
    /// A class name isn't a string.
    ClassKind {
        /// The name of the argument in messages.
        label: String,
    },
    /// The name isn't a valid class name.
    ClassName {
        /// The invalid name.
        name: Str,
    },
    /// A parameter of `Runtime` is empty.
    Runtime,
    /// The description of a type, or a value in it, is of the wrong type.
    WrongType(TypeAssertion),
    /// An `Object` type contradicts itself or its parent.
    Object(String),
    /// A `TypeSet` is invalid.
    TypeSet(String),
}

impl CreateError {
    /// The issue code of the reference, in kebab case.
    pub fn issue(&self) -> &'static str {
        match self {
            CreateError::Arity { .. } => "bad-type-slice-arity",
            CreateError::RangeArity { .. } => "bad-integer-slice-arity",
            CreateError::StringArity { .. } => "bad-string-slice-arity",
            CreateError::Bound { .. } => "bad-integer-slice-type",
            CreateError::SizeBound { .. } => "bad-collection-slice-type",
            CreateError::NotAType { .. } => "bad-type-slice-type",
            CreateError::NotUndefArgument { .. } => "bad-not-undef-slice-type",
            CreateError::Argument { .. } | CreateError::ResourceTitle { .. } => "bad-type-specialization",
            CreateError::NotParameterized { .. } => "operator-not-applicable",
            CreateError::UnknownType { .. } | CreateError::ReservedName { .. } => "unknown-resource-type",
            CreateError::ResourceKind { .. } => "illegal-resource-specialization",
            CreateError::ResourceName { .. } => "illegal-classref",
            CreateError::ClassKind { .. } => "illegal-hostclass-name",
            CreateError::ClassName { .. } => "illegal-name",
            _ => "runtime-error",
        }
    }

    /// Creates an error about the number of arguments; without `max`, exactly `min` are expected.
    pub(super) fn arity(
        label: impl Into<String>,
        min: usize,
        max: Option<usize>,
        actual: usize,
    ) -> CreateError {
        CreateError::Arity { label: label.into(), min, max, actual }
    }
}

impl fmt::Display for CreateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CreateError::Arity { label, min, max: Some(usize::MAX), actual } => {
                write!(out, "{label}[] accepts {min} or more arguments. Got {actual}")
            }
            CreateError::Arity { label, min, max: Some(max), actual } if min != max => {
                write!(out, "{label}[] accepts {min} to {max} arguments. Got {actual}")
            }
            CreateError::Arity { label, min, actual, .. } => {
                let plural = if *min == 1 { "" } else { "s" };
                write!(out, "{label}[] accepts {min} argument{plural}. Got {actual}")
            }
            CreateError::RangeArity { label, actual } => {
                write!(out, "{label} supports [] with one or two arguments (from, to). Got {actual}")
            }
            CreateError::StringArity { actual } => {
                write!(out, "String supports [] with one or two arguments. Got {actual}")
            }
            CreateError::Bound { label, actual } => {
                let numbers = if *label == "Float-Type" { "floats, or integers" } else { "integers" };
                write!(out, "{label} [] requires all arguments to be {numbers} (or default). Got {actual}")
            }
            CreateError::SizeBound { actual } => write!(
                out,
                "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got {} {actual}",
                article(actual)
            ),
            CreateError::Descending { from, to } => {
                write!(out, "'from' must be less or equal to 'to'. Got ({from}, {to}")
            }
            CreateError::NotAType { label, actual } => {
                write!(out, "{label}[] arguments must be types. Got {actual}")
            }
            CreateError::NotUndefArgument { actual } => {
                write!(out, "NotUndef-Type[] argument must be a Type or a String. Got {actual}")
            }
            CreateError::Argument { it, actual, expected } => {
                let it = label(it);
                write!(
                    out,
                    "Error creating type specialization of {} {it}, Cannot use {actual} where {expected} is expected",
                    article(&it)
                )
            }
            CreateError::NotParameterized { it } => {
                let it = match it.kind() {
                    TypeKind::Alias(_) => format!("{}-Type", expanded(it)),
                    _ => label(it),
                };
                write!(out, "Operator '[]' is not applicable to {} {it}.", article(&it))
            }
            CreateError::UnknownType { name } => write!(out, "Resource type not found: {name}"),
            CreateError::ReservedName { name } => {
                write!(out, "The type name {name} is reserved for future use")
            }
            CreateError::EmptyKey => out.write_str("Struct element key cannot be an empty String"),
            CreateError::KeyKind { actual } => write!(
                out,
                "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: {actual}"
            ),
            CreateError::ElementsOfNone { label } => {
                write!(out, "{label} without elements cannot have types of elements: expected only [0, 0]")
            }
            CreateError::StructValue { actual } => {
                write!(out, "Illegal Struct member: expected a type, found a value of {actual}")
            }
            CreateError::KeyType { it } => write!(
                out,
                "Unable to extract a non-empty literal string from Struct member key type {}",
                short(it)
            ),
            CreateError::Regexp(error) => write!(out, "{error}"),
            CreateError::Value(error) | CreateError::Object(error) | CreateError::TypeSet(error) => {
                out.write_str(error)
            }
            CreateError::WrongType(error) => error.fmt(out),
            CreateError::NotConstructible { it } => {
                write!(out, "Creation of new instance of type '{}' is not supported", short(it))
            }
            CreateError::ResourceKind { actual } => {
                write!(out, "First argument to Resource[] must be a resource type or a String. Got {actual}.")
            }
            CreateError::ResourceName { name } => write!(
                out,
                "Illegal type reference. The given name '{name}' does not conform to the naming rule"
            ),
            CreateError::ResourceTitle { it, actual } => {
                let it = label(it);
                write!(
                    out,
                    "Error creating type specialization of {} {it}, Cannot use {actual} where a resource title String is expected",
                    article(&it)
                )
            }
            CreateError::ParameterAccess { it } => {
                write!(out, "The parameters of {} are known to its catalog only", short(it))
            }
            CreateError::ClassKind { label } => {
                let article = if article(label) == "an" { "An" } else { "A" };
                write!(
                    out,
                    "Illegal Class name in class reference. {article} {label} cannot be used where a String is expected"
                )
            }
            CreateError::ClassName { name } => write!(
                out,
                r"Illegal name. The given name '{name}' does not conform to the naming rule /^((::)?[a-z_]\w*)(::[a-z]\w*)*$/"
            ),
            CreateError::Runtime => out.write_str("the parameters of Runtime must not be empty"),
        }
    }
}

impl std::error::Error for CreateError {}

impl From<TypeAssertion> for CreateError {
    fn from(error: TypeAssertion) -> CreateError {
        CreateError::WrongType(error)
    }
}

impl From<RegexpError> for CreateError {
    fn from(error: RegexpError) -> CreateError {
        CreateError::Regexp(error)
    }
}

/// The name of a type in messages.
pub(super) fn label(it: &Type) -> String {
    format!("{}-Type", short(it))
}

/// The article for a label: `a` or `an`.
pub(super) fn article(label: &str) -> &'static str {
    let first = label.chars().find(|it| it.is_alphanumeric()).map(|it| it.to_ascii_lowercase());
    if matches!(first, Some('a' | 'e' | 'i' | 'o' | 'u' | 'y')) { "an" } else { "a" }
}

/// The name of a type at the start of a sentence, with its article.
pub(super) fn label_with_article(it: &Type) -> String {
    let label = label(it);
    let article = if article(&label) == "an" { "An" } else { "A" };
    format!("{article} {label}")
}
