/// Which names denote types.
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
    /// Names that denote no types, though other dialects have types of these names, in lower case.
    pub absent: &'static [&'static str],
}

/// All types.
pub(super) static TODAY: TypeNames =
    TypeNames { any: "Any", scalar: "Scalar", platform: None, reserved: &[], absent: &[] };

/// The types of July 2014.
pub(super) static JULY2014: TypeNames = TypeNames {
    any: "Any",
    scalar: "Scalar",
    platform: Some("Ruby"),
    reserved: &["jvm", "c", "go"],
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
