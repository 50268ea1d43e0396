/// The names of types, and how types are written.
#[derive(Debug, PartialEq, Eq)]
pub struct TypeNames {
    /// X1: the name of the type that accepts every value.
    pub any: &'static str,
    /// X2: the name of the type of values without parts.
    pub scalar: &'static str,
    /// X3: the name of the only platform, if platform types are named after it, as in `Ruby['X']`; otherwise platform
    /// types are written `Runtime[platform, 'X']`.
    pub platform: Option<&'static str>,
    /// X4, X58: reserved names, which can't be used yet, in lower case.
    pub reserved: &'static [&'static str],
    /// X139: whether aliases are written as their names, or as their resolved types.
    pub aliases: AliasText,
    /// X16, X20: whether a range without an upper bound is written with one number, the lower bound.
    pub one_number_is_lower_end: bool,
    /// X161: whether `Runtime` is written with its platform in quotes, in the form that is parsed.
    pub platform_in_quotes: bool,
    /// Names that don't denote types here, although other dialects have types of these names, in lower case.
    pub absent: &'static [&'static str],
}

/// The text form of aliases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasText {
    /// Their names; in messages, with the resolved types.
    Names,
    /// The resolved types, unless they contain the alias. References to aliases are references to these, too.
    Originals,
}

/// The names of Puppet 8.
pub(crate) static TODAY: TypeNames = TypeNames {
    any: "Any",
    scalar: "Scalar",
    platform: None,
    reserved: &[],
    aliases: AliasText::Names,
    one_number_is_lower_end: true,
    platform_in_quotes: false,
    absent: &[],
};

/// The names of the latest specification.
pub(super) static SPEC: TypeNames = TypeNames {
    any: "Any",
    scalar: "Scalar",
    platform: None,
    reserved: &[],
    aliases: AliasText::Originals,
    one_number_is_lower_end: false,
    platform_in_quotes: true,
    absent: &[],
};

/// The names of July 2014.
pub(super) static JULY2014: TypeNames = TypeNames {
    any: "Any",
    scalar: "Scalar",
    platform: Some("Ruby"),
    reserved: &["jvm", "c", "go"],
    aliases: AliasText::Names,
    one_number_is_lower_end: false,
    platform_in_quotes: true,
    absent: &[
        "binary",
        "default",
        "deferred",
        "error",
        "annotation",
        "init",
        "iterable",
        "iterator",
        "notundef",
        "object",
        "puppet::lookupkey",
        "puppet::lookupvalue",
        "richdata",
        "richdatakey",
        "runtime",
        "scalardata",
        "semver",
        "semverrange",
        "sensitive",
        "timespan",
        "timestamp",
        "typealias",
        "typereference",
        "typeset",
        "uri",
    ],
};

/// The names of May 2014.
pub(super) static MAY2014: TypeNames = TypeNames {
    any: "Object",
    scalar: "Literal",
    platform: Some("Ruby"),
    reserved: &["jvm", "c", "go", "node", "stage"],
    aliases: AliasText::Names,
    one_number_is_lower_end: false,
    platform_in_quotes: true,
    absent: &[
        "any",
        "binary",
        "callable",
        "default",
        "deferred",
        "error",
        "annotation",
        "init",
        "iterable",
        "iterator",
        "notundef",
        "puppet::lookupkey",
        "puppet::lookupvalue",
        "richdata",
        "richdatakey",
        "runtime",
        "scalar",
        "scalardata",
        "semver",
        "semverrange",
        "sensitive",
        "struct",
        "timespan",
        "timestamp",
        "tuple",
        "typealias",
        "typereference",
        "typeset",
        "uri",
    ],
};
