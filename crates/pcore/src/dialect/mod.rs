//! The dialects of the language, as data: one choice for each point on which they differ.
//!
//! Code never checks which dialect it runs in; it checks a choice. X-numbers are rows of the table of differences.

mod evaluation;
mod named;
mod names;
mod operators;
mod texts;

pub use evaluation::{
    ComputedDefault, Evaluation, LocalVariables, StringsAsParameters, StringsInRelationships, SurplusValues,
};
pub use named::{JULY2014, MAY2014, PUPPET8, SPEC};
pub(crate) use names::TODAY;
pub use names::{AliasText, TypeNames};
pub use operators::{
    BadVersion, FailedMatch, NumberModuloTimespan, Operators, RightShift, StringsInArithmetic,
    StringsInCollections, StringsInComparisons, Subtraction, TimespanByNumber, TypesInCollections,
};
pub use texts::{
    ContainerFormats, Days, FloatSeconds, FloatText, Fractions, LesserUnits, Texts, TimeText,
    TimestampFormats,
};

/// The choices of a dialect that concern values and types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The name in settings.
    pub name: &'static str,
    /// X1–X4, X7, X12, X41, X44, X54–X56, X63: the names of types, and how types are written.
    pub type_names: &'static TypeNames,
    /// X5: the types that accept the type of `undef`.
    pub undef_fits: UndefFits,
    /// X8: the content of `Data` in addition to arrays and hashes of itself.
    pub data: DataExtent,
    /// X34, X37: the default content of arrays and hashes.
    pub contained: Contained,
    /// X13, X92: the size of integers.
    pub integer_width: IntegerWidth,
    /// X135: whether the open ends of `Integer` are the minimum and maximum of 64 bits.
    pub integer_ends: IntegerEnds,
    /// X14, X15, X19: whether ranges of numbers may descend.
    pub range_direction: RangeDirection,
    /// X16, X20: the meaning of one number in `Integer[n]` and `Float[n]`.
    pub single_bound: SingleBound,
    /// X25: the strings that `Pattern` without parameters matches.
    pub pattern_without_parameters: WithoutParameters,
    /// X26: the strings that are instances of `Enum` without parameters.
    pub enum_without_parameters: WithoutParameters,
    /// X45: the hashes that `Struct` without parameters accepts and represents, in addition to the empty one.
    pub struct_without_parameters: WithoutParameters,
    /// X51: the values that `Optional` without a type accepts.
    pub optional_without_parameters: WithoutParameters,
    /// X3: whether `Runtime['ruby']` denotes all types of a platform.
    pub runtime_without_class: bool,
    /// X128: whether a type that accepts all subtypes of an abstract type, such as `Numeric`, accepts the abstract type
    /// as well.
    pub abstract_types_are_unions: bool,
    /// X129: the elements of an iteration over an integer.
    pub integer_elements: IntegerElements,
    /// X11: whether version ranges are scalar.
    pub version_ranges_are_scalar: bool,
    /// X29: whether `Boolean` takes a value.
    pub boolean_has_parameter: bool,
    /// X44: whether `Optional` and `NotUndef` determine if a key of a `Struct` is required.
    pub struct_has_key_types: bool,
    /// X53: whether `Optional` takes a string.
    pub optional_of_string: bool,
    /// X62: whether a resource type can name a class, as in `Class[Baz]`.
    pub class_of_resource_type: bool,
    /// X9, X10, X18, X22, X33, X36, X59: the types that are tried, in order, if two types have no common type of their
    /// own kind. `Any` is the last.
    pub abstract_types: &'static [AbstractType],
    /// X12: the keys of hashes that `RichData` permits.
    pub rich_data_keys: RichDataKeys,
    /// X56: whether `Callable` takes a return type.
    pub callable_has_result: bool,
    /// X136: whether `Callable[0, default]` is `Callable`.
    pub callable_of_any_count: CallableOfAnyCount,
    /// X57: the common type of two callables that don't accept each other.
    pub callables_in_common: CallablesInCommon,
    /// X137: the part of its type that `Sensitive[T]` keeps.
    pub sensitive_content: SensitiveContent,
    /// X138: the digits of an integer in a text for a given radix.
    pub digits_of_radix: DigitsOfRadix,
    /// X145: whether the text of a float may start with zeros.
    pub float_texts_have_leading_zeros: bool,
    /// X146: whether `Optional[T].new(undef)` is `undef`, or the result of `T.new(undef)`.
    pub optional_makes_undef: bool,
    /// X141: the meaning of letters directly after a regular expression.
    pub regexp_options: RegexpOptions,
    /// X148: whether `Regexp` is `//` for `match`, as for all other functions that accept a pattern.
    pub regexp_is_empty_pattern: bool,
    /// X142: whether parameters of a lambda may have the same name.
    pub repeated_parameters: RepeatedParameters,
    /// X30: the meaning of `\A` and `\Z` in regular expressions.
    pub text_anchors: TextAnchors,
    /// X23: the common type of two strings.
    pub strings_in_common: StringsInCommon,
    /// The common type of two ranges of times.
    pub times_in_common: TimesInCommon,
    /// The common type of two tuples.
    pub tuples_in_common: TuplesInCommon,
    /// Whether `NotUndef` is kept in a common type.
    pub not_undef_in_common: NotUndefInCommon,
    /// X46: the common type of a struct with a struct or a hash.
    pub structs_in_common: StructsInCommon,
    /// X50: the common type of a `Variant` and a type that it doesn't accept.
    pub variants_in_common: VariantsInCommon,
    /// X52: whether `Optional` is kept in the common type of a type and its optional form.
    pub optional_in_common: OptionalInCommon,
    /// X6: the effect of `undef` on a common type.
    pub undef_in_common: UndefInCommon,
    /// X35: whether arrays and hashes keep their sizes in a common type.
    pub sizes_in_common: SizesInCommon,
    /// X121: the number of entries in the hashes of a `Struct`.
    pub struct_sizes: StructSizes,
    /// X122: whether the type of an array or a hash without elements may have an element type.
    pub empty_collections_have_types: bool,
    /// X123: whether a value in a `Struct` denotes its type.
    pub struct_takes_values: bool,
    /// X124: whether versions denote themselves in `SemVer[…]`.
    pub sem_ver_takes_versions: bool,
    /// X132: whether `undef` represents a missing part of a version or of a version range.
    pub version_parts_may_be_undef: bool,
    /// X130: the type of a URI's port, in the type that the URI's text denotes.
    pub uri_port: UriPort,
    /// X125: whether empty parts of a URI count as present.
    pub empty_uri_parts: EmptyUriParts,
    /// X126: whether version ranges may contain `||`.
    pub version_ranges_have_alternatives: bool,
    /// X120: whether overlapping version ranges are merged in a common type.
    pub merges_versions_in_common: bool,
    /// X64: the timespan that a text of two numbers denotes, `13:20`.
    pub timespan_of_two_numbers: TwoNumbers,
    /// X149: whether `Hash` reads the pairs that an iterator yields, like those of an array.
    pub hash_of_iterated_pairs: bool,
    /// X150: whether `Pattern` accepts a `Pattern` of some of its regular expressions, and a type accepts `NotUndef[T]` if
    /// it accepts all of `T` but `undef`.
    pub assignable_by_instances: bool,
    /// X151: whether the text of a pre-release in the arguments of `SemVer` has segments, separated by dots.
    pub prerelease_has_segments: bool,
    /// X152: whether only bounded sequences are iterable: neither `Enum` without strings nor negative integers.
    pub iterables_are_bounded: bool,
    /// X153: whether a value without elements is an instance of every `Iterable[T]`.
    pub empty_values_iterate_all: bool,
    /// X154: whether `Callable` only takes types and a size.
    pub callable_takes_only_types: bool,
    /// X155: whether the common type of `true` and `false` is `Boolean`.
    pub booleans_in_common: bool,
    /// X156: whether `type` describes each element of an array or hash on its own, by a `Tuple` or `Struct`.
    pub type_describes_elements: bool,
    /// X162: whether a name that denotes no type is the name of a resource type, `Foo` being `Resource['foo']`.
    pub unknown_names_are_resources: bool,
    /// The choices that concern operators.
    pub operators: Operators,
    /// The choices that concern evaluation.
    pub evaluation: Evaluation,
    /// The choices that concern the text forms of values.
    pub texts: Texts,
}

/// The number of entries in the hashes of a `Struct`, as a `Collection`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructSizes {
    /// The number of all keys.
    All,
    /// At least the number of required keys.
    FromRequired,
}

/// The elements of an iteration over an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerElements {
    /// Any integers.
    Any,
    /// The integers from zero up to, but excluding, the number.
    Lesser,
}

/// The type of a URI's port, in the type that the URI's text denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UriPort {
    /// The port is a string.
    Text,
    /// The port is a number.
    Number,
}

/// Whether empty parts of a URI count as present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyUriParts {
    /// They are empty strings.
    AreThere,
    /// Empty parts count as missing.
    AreMissing,
}

/// The timespan that a text of two numbers with a colon denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwoNumbers {
    /// None: no format without fractions of seconds has two numbers.
    Refused,
    /// The numbers are hours and minutes.
    HoursAndMinutes,
}

/// The size of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerWidth {
    /// 64 bits, signed; overflow is an error.
    Bits64,
    /// The width is unlimited.
    Unlimited,
}

/// Whether the open ends of a range of integers have implicit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerEnds {
    /// The open ends have no bounds.
    Open,
    /// The minimum and the maximum of 64 bits.
    Bits64,
}

/// Whether `Callable[0, default]`, which has no parameter types, equals `Callable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallableOfAnyCount {
    /// No: it takes any number of any arguments.
    TakesAnything,
    /// The two are equal.
    IsCallable,
}

/// The common type of two callables that don't accept each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallablesInCommon {
    /// `Callable`.
    Any,
    /// A callable with the narrower parameters, the common type of the blocks, and the common type of the results.
    /// `Callable` if neither has the narrower parameters.
    ByPart,
}

/// The part of its type that `Sensitive[T]` keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensitiveContent {
    /// Its generalized form, without sizes and ranges.
    General,
    /// The type as written. The inferred type of a value is generalized, and only that is compared with it.
    AsWritten,
}

/// The digits of an integer in a text for a given radix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigitsOfRadix {
    /// Decimal digits, unless a prefix indicates another radix.
    ByPrefix,
    /// The digits of the radix.
    ByRadix,
}

/// Whether ranges may descend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeDirection {
    /// The first bound must not be greater than the second.
    Ascending,
    /// Both directions are permitted, and iteration follows them.
    Either,
}

/// The meaning of a single number as a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleBound {
    /// The number is the minimum.
    Least,
    /// The number is both the minimum and the maximum.
    Exact,
}

/// The values that a type with a list of accepted values accepts if the list is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutParameters {
    /// Everything of its kind.
    All,
    /// The type accepts no values.
    Nothing,
}

impl WithoutParameters {
    /// Whether it accepts everything of its kind.
    pub fn accepts_all(self) -> bool {
        self == WithoutParameters::All
    }
}

/// The effect of `undef` on a common type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndefInCommon {
    /// None: the common type is the other type.
    Nothing,
    /// Its common type with a type that doesn't accept it is `Any`.
    Any,
}

/// Whether collections keep their sizes in a common type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizesInCommon {
    /// The sizes are dropped.
    Dropped,
    /// Yes: the common size covers both.
    Kept,
}

/// The types that accept the type of `undef`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndefFits {
    /// Only those that include it: `Optional[T]`, `Undef`, variants of them, `Any`, `Data`.
    Optional,
    /// All types accept `undef`.
    Everything,
}

/// The content of `Data` in addition to arrays and hashes of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataExtent {
    /// `ScalarData`, in hashes with strings as keys.
    ScalarData,
    /// `Scalar`, in hashes with scalar keys.
    Scalar,
}

/// The default content of arrays and hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contained {
    /// Elements may be of any type.
    Any,
    /// `Data`, with scalar keys. If a hash type names only one type, it is that of the values.
    Data,
}

/// A common type of two types of different kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbstractType {
    /// `Numeric`.
    Numeric,
    /// `ScalarData`.
    ScalarData,
    /// `Scalar`.
    Scalar,
    /// `Scalar`, for two types neither of which is a number.
    ScalarButNoNumber,
    /// `Data`.
    Data,
    /// For two types of types, the type of their common type.
    TypeOfCommon,
    /// `Collection`.
    Collection,
    /// `CatalogEntry`.
    CatalogEntry,
    /// `RichData`.
    RichData,
}

/// The common type of two strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInCommon {
    /// The `Enum` of both.
    Enum,
    /// `String`, with a record of the strings.
    Remembered,
}

/// The keys of hashes that `RichData` permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RichDataKeys {
    /// `RichDataKey`: strings and numbers.
    RichDataKey,
    /// `RichData`.
    RichData,
}

/// The meaning of letters directly after a regular expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegexpOptions {
    /// The letters are a separate expression.
    AreWords,
    /// Options, which regular expressions don't have: an error.
    AreRefused,
}

/// Whether parameters of a lambda may have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatedParameters {
    /// They may: the last value applies.
    LastCounts,
    /// They may not: it is an error.
    AreRefused,
}

/// The meaning of `\A` and `\Z` in regular expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextAnchors {
    /// The beginning and the end of the text.
    Kept,
    /// The anchors are removed.
    Removed,
}

/// The common type of two ranges of times that don't accept each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimesInCommon {
    /// Only an abstract type.
    Abstract,
    /// The range that covers both.
    Covered,
}

/// The common type of two tuples that don't accept each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuplesInCommon {
    /// Only an abstract type.
    Abstract,
    /// The tuple of the common types of their elements, by position.
    ByPosition,
}

/// Whether `NotUndef` is kept in a common type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUndefInCommon {
    /// No: its common type with a type that it doesn't accept is an abstract type.
    Abstract,
    /// Yes: in the common type of `NotUndef[T]` with `T`, and with another `NotUndef`.
    Kept,
}

/// The common type of a struct and a struct or hash that it doesn't accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructsInCommon {
    /// Only an abstract type.
    Abstract,
    /// For two structs, a `Struct`; for a struct and a hash, the hash type that covers both.
    Merged,
}

/// The common type of a `Variant` and a type that it doesn't accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantsInCommon {
    /// An abstract type, unless that is a `Variant`.
    Abstract,
    /// The `Variant` with the type as an additional alternative.
    Extended,
}

/// Whether `Optional` is kept in the common type of a type and its optional form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionalInCommon {
    /// It is kept: it accepts both.
    Kept,
    /// It is dropped: `undef` counts only as an instance of `Optional`.
    Dropped,
}

impl Dialect {
    /// The choices of Puppet 8.11: the default.
    pub fn puppet8() -> &'static Dialect {
        &PUPPET8
    }

    /// The latest specification to the letter.
    pub fn spec() -> &'static Dialect {
        &SPEC
    }

    /// The specification of July 2014.
    pub fn july2014() -> &'static Dialect {
        &JULY2014
    }

    /// The specification of May 2014.
    pub fn may2014() -> &'static Dialect {
        &MAY2014
    }

    /// All dialects, the newest first.
    pub fn all() -> [&'static Dialect; 4] {
        [&PUPPET8, &SPEC, &JULY2014, &MAY2014]
    }

    /// Returns the dialect of a name: `puppet8`, `spec`, `2014-07`, `2014-05`.
    pub fn by_name(name: &str) -> Option<&'static Dialect> {
        Dialect::all().into_iter().find(|it| it.name == name)
    }
}
