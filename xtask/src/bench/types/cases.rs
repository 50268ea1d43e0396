//! What is measured, in words that both sides understand.

use serde::{Deserialize, Serialize};

/// What is done with the values of a case.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Operation {
    /// Whether the first type accepts the second.
    Assignable,
    /// Whether the second value is an instance of the first.
    Instance,
    /// What two types have in common.
    Common,
    /// The type of one value.
    Infer,
    /// A value of the first, a type, made of the others.
    Convert,
    /// Each value as `String(x)` makes a text of it.
    Format,
    /// Each value but the first, in the formats that the first, a map from types, gives.
    FormatBy,
    /// Each value as it stands in a string.
    Interpolate,
}

/// How a time is reported, and what it must keep to.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum Scale {
    /// Nanoseconds, at most so many.
    Nanoseconds(Option<f64>),
    /// Milliseconds, at most so many.
    Milliseconds(f64),
    /// So many values; at least so many of them each second.
    EachSecond {
        /// How many there are.
        values: u32,
        /// The bound.
        least: f64,
    },
}

/// Something that is timed.
#[derive(Serialize, Deserialize)]
pub(super) struct Case {
    /// The title in the report.
    pub(super) what: String,
    /// What is done.
    pub(super) operation: Operation,
    /// An array of values, in Puppet.
    pub(super) source: String,
    /// How it is reported.
    pub(super) scale: Scale,
}

/// Types of parameters, and types of what people give them.
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

/// Types of parameters, and what people give them.
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

/// One of each kind that stands in texts.
const SHOWN: &str =
    "[1, -250, 1.5, 'a text', true, undef, [1, 'two', 3.0], {a => 1, b => [2]}, /a+/, Integer[1, 10]]";

/// A map of formats, as people give them for what is in a container.
const FORMATS: &str =
    "{Integer => '%#x', Float => '%.2f', Array => {format => '%(a', separator => ';'}, String => '%p'}";

/// How many values [`SHOWN`] has.
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

/// A hundred entries of ten entries of ten numbers and texts.
fn nested_hash() -> String {
    let entries = |indent: &str, inner: &str| {
        let count = if indent.is_empty() { 100 } else { 10 };
        let entries: Vec<String> = (0..count).map(|it| format!("{indent}key{it} => {inner}")).collect();
        format!("{{{}}}", entries.join(", "))
    };
    entries("", &entries("inner_", "[1, 2, 3, 4, 5, 'a', 'b', 'c', 'd', 'e']"))
}
