//! The measured cases, in a form that both sides understand.

use serde::{Deserialize, Serialize};

/// The operation on the values of a case.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Operation {
    /// Checks whether the first type accepts the second.
    Assignable,
    /// Checks whether the second value is an instance of the first.
    Instance,
    /// Computes the common type of two types.
    Common,
    /// Infers the type of a value.
    Infer,
    /// Converts the other values to the first, a type.
    Convert,
    /// Formats each value with `String(x)`.
    Format,
    /// Formats each value except the first with the formats in the first, a map from types.
    FormatBy,
    /// Formats each value as in an interpolated string.
    Interpolate,
}

/// The unit in which a time is reported, with its bound.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum Scale {
    /// Nanoseconds, with a maximum.
    Nanoseconds(Option<f64>),
    /// Milliseconds, with a maximum.
    Milliseconds(f64),
    /// A number of values, with a minimum per second.
    EachSecond {
        /// The number of values.
        values: u32,
        /// The minimum rate.
        least: f64,
    },
}

/// A case that is measured.
#[derive(Serialize, Deserialize)]
pub(super) struct Case {
    /// The title in the report.
    pub(super) what: String,
    /// The operation that is measured.
    pub(super) operation: Operation,
    /// An array of values, as Puppet source.
    pub(super) source: String,
    /// The unit and the bound.
    pub(super) scale: Scale,
}

/// Types of parameters, and typical types of arguments.
const ASSIGNABLE: [(&str, &str); 8] = [
    ("Variant[String[1], Integer[0, 65535]]", "Integer[8080, 8080]"),
    ("Optional[Array[String[1]]]", "Array[String[2, 20], 3, 3]"),
    ("Hash[String, Variant[String, Integer]]", "Struct[{name => String, port => Integer}]"),
    (
        "Struct[{name => String[1], Optional[port] => Integer[1, 65535]}]",
        "Struct[{name => String[3, 3], port => Integer[80, 80]}]",
    ),
    ("Enum[present, absent, latest]", "Enum[present, absent]"),
    ("Scalar", "Integer[1, 10]"),
    ("Data", "Array[Integer]"),
    ("Callable[String, Integer]", "Callable[Scalar, Numeric]"),
];

/// Types of parameters, and typical arguments.
const INSTANCES: [(&str, &str); 4] = [
    ("Variant[Enum[present, absent], Pattern[/\\A[0-9.]+\\z/]]", "'1.2.3'"),
    ("Array[String[1], 1]", "['a', 'b', 'c']"),
    ("Hash[String, Data]", "{a => 1, b => [1, 2, {c => 'd'}]}"),
    ("Struct[{name => String[1], Optional[port] => Integer[1, 65535]}]", "{name => 'www', port => 443}"),
];

const COMMON: [(&str, &str); 4] = [
    ("Integer[1, 2]", "Integer[5, 6]"),
    ("Integer", "String"),
    ("Array[Integer]", "Array[Float]"),
    ("Hash[String, Integer]", "Hash[String, String]"),
];

const CONVERSIONS: [(&str, &str); 8] = [
    ("Integer", "'0xFF'"),
    ("Float", "'1.5e3'"),
    ("Boolean", "'yes'"),
    ("String", "255, '%#x'"),
    ("Array", "{a => 1, b => 2}"),
    ("Timespan", "'1-13:20:05.5'"),
    ("Timestamp", "'2016-08-28T12:00:00.5'"),
    ("SemVer", "'1.2.3-rc1'"),
];

/// One value of each kind that occurs in texts.
const SHOWN: &str =
    "[1, -250, 1.5, 'a text', true, undef, [1, 'two', 3.0], {a => 1, b => [2]}, /a+/, Integer[1, 10]]";

/// A typical map of formats for the elements of containers.
const FORMATS: &str =
    "{Integer => '%#x', Float => '%.2f', Array => {format => '%(a', separator => ';'}, String => '%p'}";

/// The number of values in [`SHOWN`].
const SHOWN_COUNT: u32 = 10;

/// All cases, in the order of the report.
pub(super) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |what: String, operation, source, scale| {
        cases.push(Case { what, operation, source, scale });
    };
    for (a, b) in ASSIGNABLE {
        let scale = Scale::Nanoseconds(Some(100.0));
        add(format!("{a} accepts {b}"), Operation::Assignable, format!("[{a}, {b}]"), scale);
    }
    for (a, value) in INSTANCES {
        let scale = Scale::Nanoseconds(None);
        add(format!("{value} is a {a}"), Operation::Instance, format!("[{a}, {value}]"), scale);
    }
    for (a, b) in COMMON {
        let scale = Scale::Nanoseconds(None);
        add(format!("what {a} and {b} have in common"), Operation::Common, format!("[{a}, {b}]"), scale);
    }
    let nested = "the type of a hash of hashes of arrays, 10,000 values";
    add(nested.to_owned(), Operation::Infer, format!("[{}]", nested_hash()), Scale::Milliseconds(2.0));
    let scale = Scale::EachSecond { values: SHOWN_COUNT, least: 100_000.0 };
    add("String(x)".to_owned(), Operation::Format, SHOWN.to_owned(), scale);
    let source = format!("[{FORMATS}, *{SHOWN}]");
    add(format!("String(x, {FORMATS})"), Operation::FormatBy, source, scale);
    add("\"${x}\"".to_owned(), Operation::Interpolate, SHOWN.to_owned(), scale);
    for (target, arguments) in CONVERSIONS {
        let source = format!("[{target}, {arguments}]");
        add(format!("{target}({arguments})"), Operation::Convert, source, Scale::Nanoseconds(None));
    }
    cases
}

/// A hundred entries, each of ten entries of ten numbers and texts.
fn nested_hash() -> String {
    let entries = |indent: &str, inner: &str| {
        let count = if indent.is_empty() { 100 } else { 10 };
        let entries: Vec<String> = (0..count).map(|it| format!("{indent}key{it} => {inner}")).collect();
        format!("{{{}}}", entries.join(", "))
    };
    entries("", &entries("inner_", "[1, 2, 3, 4, 5, 'a', 'b', 'c', 'd', 'e']"))
}
