/// Which names denote types, and how types are written.
#[derive(Debug, PartialEq, Eq)]
pub struct TypeNames {
    /// X1: the type of everything.
    pub any: &'static str,
    /// X2: the type of what has no parts.
    pub scalar: &'static str,
    /// X3: the only platform there is, if its types have its name, as in `Ruby['X']`; otherwise types of platforms are
    /// `Runtime[platform, 'X']`.
    pub platform: Option<&'static str>,
    /// X4, X58: names that mean nothing yet and cannot be used, in lower case.
    pub reserved: &'static [&'static str],
    /// X139: whether aliases are written by their names, or as what they stand for.
    pub aliases: AliasText,
    /// X16, X20: whether a range without an upper end has one number in its text, which is the lower end.
    pub one_number_is_lower_end: bool,
    /// Names that denote no types, though other dialects have types of these names, in lower case.
    pub absent: &'static [&'static str],
}

/// How aliases are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasText {
    /// By their names; in messages, with what they stand for.
    Names,
    /// As what they stand for, unless that contains the alias. References to them are references to that, too.
    Originals,
}

/// All types.
pub(crate) static TODAY: TypeNames = TypeNames {
    any: "Any",
    scalar: "Scalar",
    platform: None,
    reserved: &[],
    aliases: AliasText::Names,
    one_number_is_lower_end: true,
    absent: &[],
};

/// All types, as the latest specification writes them.
pub(super) static SPEC: TypeNames = TypeNames {
    any: "Any",
    scalar: "Scalar",
    platform: None,
    reserved: &[],
    aliases: AliasText::Originals,
    one_number_is_lower_end: false,
    absent: &[],
};

/// The types of July 2014.
pub(super) static JULY2014: TypeNames = TypeNames {
    any: "Any",
    scalar: "Scalar",
    platform: Some("Ruby"),
    reserved: &["jvm", "c", "go"],
    aliases: AliasText::Names,
    one_number_is_lower_end: false,
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

/// The types of May 2014.
pub(super) static MAY2014: TypeNames = TypeNames {
    any: "Object",
    scalar: "Literal",
    platform: Some("Ruby"),
    reserved: &["jvm", "c", "go", "node", "stage"],
    aliases: AliasText::Names,
    one_number_is_lower_end: false,
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
