//! The dialects of the language, as data: one choice for each point on which they differ.
//!
//! Nothing asks which dialect it serves; it asks for the choice. X-numbers are rows of the table of differences.

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
pub use texts::{ContainerFormats, Days, FloatSeconds, FloatText, Fractions, LesserUnits, Texts, TimeText};

/// The choices of a dialect that concern values and types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// What it is called in settings.
    pub name: &'static str,
    /// X1–X4, X7, X12, X41, X44, X54–X56, X63: which names denote types, and how these are written.
    pub type_names: &'static TypeNames,
    /// X5: what accepts the type of `undef`.
    pub undef_fits: UndefFits,
    /// X8: what `Data` holds besides arrays and hashes of itself.
    pub data: DataExtent,
    /// X34, X37: what arrays and hashes contain whose type does not say it.
    pub contained: Contained,
    /// X13, X92: how large integers are.
    pub integer_width: IntegerWidth,
    /// X135: whether the ends of `Integer` are the least and the greatest number of 64 bits.
    pub integer_ends: IntegerEnds,
    /// X14, X15, X19: whether ranges of numbers may descend.
    pub range_direction: RangeDirection,
    /// X16, X20: what one number in `Integer[n]` and `Float[n]` says.
    pub single_bound: SingleBound,
    /// X25: what `Pattern` without parameters matches.
    pub pattern_without_parameters: WithoutParameters,
    /// X26: which strings are instances of `Enum` without parameters.
    pub enum_without_parameters: WithoutParameters,
    /// X45: which hashes `Struct` without parameters accepts and stands for, besides the empty one.
    pub struct_without_parameters: WithoutParameters,
    /// X51: what `Optional` without a type accepts.
    pub optional_without_parameters: WithoutParameters,
    /// X3: whether `Runtime['ruby']` denotes all types of a platform.
    pub runtime_without_class: bool,
    /// X128: whether what accepts all types below one that has no instances of its own, such as `Numeric`, accepts that one.
    pub abstract_types_are_unions: bool,
    /// X129: what integers give that are iterated.
    pub integer_elements: IntegerElements,
    /// X11: whether ranges of versions are scalar.
    pub version_ranges_are_scalar: bool,
    /// X29: whether `Boolean` takes a value.
    pub boolean_has_parameter: bool,
    /// X44: whether `Optional` and `NotUndef` can say of a key of a `Struct` if it is required.
    pub struct_has_key_types: bool,
    /// X53: whether `Optional` takes a string.
    pub optional_of_string: bool,
    /// X62: whether a type of resources can name a class, as in `Class[Baz]`.
    pub class_of_resource_type: bool,
    /// X9, X10, X18, X22, X33, X36, X59: the types that are tried, in order, where two types have no common type of
    /// their own kind. `Any` is the last.
    pub abstract_types: &'static [AbstractType],
    /// X12: what keys of hashes may be in `RichData`.
    pub rich_data_keys: RichDataKeys,
    /// X56: whether `Callable` takes the type of the result.
    pub callable_has_result: bool,
    /// X136: whether `Callable[0, default]` is `Callable`.
    pub callable_of_any_count: CallableOfAnyCount,
    /// X57: what callables have in common of which neither accepts the other.
    pub callables_in_common: CallablesInCommon,
    /// X137: what `Sensitive[T]` keeps of its type.
    pub sensitive_content: SensitiveContent,
    /// X138: in which digits a text is an integer of a given radix.
    pub digits_of_radix: DigitsOfRadix,
    /// X145: whether the text of a float may start with noughts.
    pub float_texts_have_leading_zeros: bool,
    /// X146: whether `Optional[T].new(undef)` is `undef`, or what `T.new(undef)` is.
    pub optional_makes_undef: bool,
    /// X141: what letters right behind a regular expression are.
    pub regexp_options: RegexpOptions,
    /// X148: whether `Regexp` is `//` for `match`, as it is for all else that takes a pattern.
    pub regexp_is_empty_pattern: bool,
    /// X142: whether parameters of a lambda may have the same name.
    pub repeated_parameters: RepeatedParameters,
    /// X30: what `\A` and `\Z` in regular expressions are.
    pub text_anchors: TextAnchors,
    /// X23: what two strings have in common.
    pub strings_in_common: StringsInCommon,
    /// What two ranges of times have in common.
    pub times_in_common: TimesInCommon,
    /// What two tuples have in common.
    pub tuples_in_common: TuplesInCommon,
    /// Whether `NotUndef` stays in a common type.
    pub not_undef_in_common: NotUndefInCommon,
    /// X46: what structs have in common with structs and hashes.
    pub structs_in_common: StructsInCommon,
    /// X50: what a `Variant` has in common with what it does not accept.
    pub variants_in_common: VariantsInCommon,
    /// X52: whether `Optional` stays when a type meets the optional form of it.
    pub optional_in_common: OptionalInCommon,
    /// X6: what `undef` adds to a common type.
    pub undef_in_common: UndefInCommon,
    /// X35: whether arrays and hashes keep their sizes in a common type.
    pub sizes_in_common: SizesInCommon,
    /// X121: how many entries the hashes of a `Struct` have.
    pub struct_sizes: StructSizes,
    /// X122: whether the type of an array or a hash without elements may say what they are.
    pub empty_collections_have_types: bool,
    /// X123: whether a value stands for its type in a `Struct`.
    pub struct_takes_values: bool,
    /// X124: whether versions stand for themselves in `SemVer[…]`.
    pub sem_ver_takes_versions: bool,
    /// X132: whether `undef` stands for a part of a version, or of a range of versions, that is not there.
    pub version_parts_may_be_undef: bool,
    /// X130: what the port of a URI is in the type that its text denotes.
    pub uri_port: UriPort,
    /// X125: whether parts of a URI that are empty are there.
    pub empty_uri_parts: EmptyUriParts,
    /// X126: whether `||` stands between ranges of versions.
    pub version_ranges_have_alternatives: bool,
    /// X120: whether ranges of versions that meet are one in a common type.
    pub merges_versions_in_common: bool,
    /// X64: what a text of two numbers, `13:20`, is as a timespan.
    pub timespan_of_two_numbers: TwoNumbers,
    /// What operators do.
    pub operators: Operators,
    /// How programs are evaluated.
    pub evaluation: Evaluation,
    /// What values look like as text.
    pub texts: Texts,
}

/// How many entries the hashes of a `Struct` have, as a `Collection`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructSizes {
    /// All.
    All,
    /// At least those that must be there.
    FromRequired,
}

/// What integers give that are iterated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerElements {
    /// Integers.
    Any,
    /// Integers from nought on that are less.
    Lesser,
}

/// What the port of a URI is in the type that its text denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UriPort {
    /// A text.
    Text,
    /// A number.
    Number,
}

/// Whether parts of a URI that are empty are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyUriParts {
    /// They are empty strings.
    AreThere,
    /// They are missing.
    AreMissing,
}

/// What a text of two numbers with a colon is as a timespan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwoNumbers {
    /// Nothing: no format without fractions of seconds has two numbers.
    Refused,
    /// Hours and minutes.
    HoursAndMinutes,
}

/// How large integers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerWidth {
    /// 64 bits with sign; more is an error.
    Bits64,
    /// No limit.
    Unlimited,
}

/// Whether a range of integers without an end has one nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerEnds {
    /// It has none.
    Open,
    /// The least and the greatest number of 64 bits.
    Bits64,
}

/// Whether `Callable[0, default]`, which says nothing of types, is `Callable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallableOfAnyCount {
    /// It is a type of its own: what takes any number of anything.
    TakesAnything,
    /// It is.
    IsCallable,
}

/// What callables have in common of which neither accepts the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallablesInCommon {
    /// `Callable`.
    Any,
    /// The callable of the narrower parameters, of what the blocks have in common, and of what the results have in
    /// common. `Callable` if neither has the narrower parameters.
    ByPart,
}

/// What `Sensitive[T]` keeps of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensitiveContent {
    /// Its general form, without sizes and ranges.
    General,
    /// The type. What is inferred of a value is general, and only that is compared with it.
    AsWritten,
}

/// In which digits a text is an integer of a given radix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigitsOfRadix {
    /// Decimal ones, unless a prefix says otherwise.
    ByPrefix,
    /// Those of the radix.
    ByRadix,
}

/// Whether ranges may descend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeDirection {
    /// The first bound must not be greater than the second.
    Ascending,
    /// Both directions, which iteration follows.
    Either,
}

/// What one number says of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleBound {
    /// It is the least.
    Least,
    /// It is the only one.
    Exact,
}

/// What a type that lists what it accepts accepts without a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutParameters {
    /// Everything of its kind.
    All,
    /// Nothing.
    Nothing,
}

impl WithoutParameters {
    /// Whether it accepts everything of its kind.
    pub fn accepts_all(self) -> bool {
        self == WithoutParameters::All
    }
}

/// What `undef` adds to a common type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndefInCommon {
    /// Nothing: the other type is the common one.
    Nothing,
    /// It has only `Any` in common with what does not accept it.
    Any,
}

/// Whether collections keep their sizes in a common type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizesInCommon {
    /// They lose them.
    Dropped,
    /// The common size covers both.
    Kept,
}

/// What accepts the type of `undef`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndefFits {
    /// What says so: `Optional[T]`, `Undef`, variants of them, `Any`, `Data`.
    Optional,
    /// Everything.
    Everything,
}

/// What `Data` holds besides arrays and hashes of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataExtent {
    /// `ScalarData`, in hashes with strings as keys.
    ScalarData,
    /// `Scalar`, in hashes with scalar keys.
    Scalar,
}

/// What arrays and hashes contain whose type does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contained {
    /// Anything.
    Any,
    /// `Data`, by scalar keys. A hash whose type names one type only has values of that type.
    Data,
}

/// A type that two types of different kinds may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbstractType {
    /// `Numeric`.
    Numeric,
    /// `ScalarData`.
    ScalarData,
    /// `Scalar`.
    Scalar,
    /// `Scalar`, for two types of which neither is a number.
    ScalarButNoNumber,
    /// `Data`.
    Data,
    /// For two types of types, the type of what these types have in common.
    TypeOfCommon,
    /// `Collection`.
    Collection,
    /// `CatalogEntry`.
    CatalogEntry,
    /// `RichData`.
    RichData,
}

/// What two strings have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInCommon {
    /// The `Enum` of both.
    Enum,
    /// `String`, which remembers the strings.
    Remembered,
}

/// What keys of hashes may be in `RichData`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RichDataKeys {
    /// `RichDataKey`: strings and numbers.
    RichDataKey,
    /// `RichData`.
    RichData,
}

/// What letters right behind a regular expression are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegexpOptions {
    /// An expression of their own.
    AreWords,
    /// Options, which no regular expression has: an error.
    AreRefused,
}

/// Whether parameters of a lambda may have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatedParameters {
    /// They may: the last value counts.
    LastCounts,
    /// An error.
    AreRefused,
}

/// What `\A` and `\Z` in regular expressions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextAnchors {
    /// The beginning and the end of the text.
    Kept,
    /// Nothing: they are taken out.
    Removed,
}

/// What ranges of times have in common that do not accept each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimesInCommon {
    /// Only an abstract type.
    Abstract,
    /// The range that covers both.
    Covered,
}

/// What tuples have in common that do not accept each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuplesInCommon {
    /// Only an abstract type.
    Abstract,
    /// The tuple of what their elements have in common, place by place.
    ByPosition,
}

/// Whether `NotUndef` stays in a common type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUndefInCommon {
    /// It has only an abstract type in common with what it does not accept.
    Abstract,
    /// It stays: `NotUndef[T]` with `T`, and with another `NotUndef`.
    Kept,
}

/// What structs have in common with structs and hashes that they do not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructsInCommon {
    /// Only an abstract type.
    Abstract,
    /// `Struct` with structs; with hashes, the hash that covers both.
    Merged,
}

/// What a `Variant` has in common with what it does not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantsInCommon {
    /// An abstract type, unless that is a `Variant`.
    Abstract,
    /// The `Variant` with one alternative more.
    Extended,
}

/// Whether `Optional` stays when a type meets the optional form of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionalInCommon {
    /// It stays: it accepts both.
    Kept,
    /// It goes: `undef` is fit for nothing else.
    Dropped,
}

impl Dialect {
    /// What Puppet 8.11 does: the default.
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

    /// All, the newest first.
    pub fn all() -> [&'static Dialect; 4] {
        [&PUPPET8, &SPEC, &JULY2014, &MAY2014]
    }

    /// The dialect of this name: `puppet8`, `spec`, `2014-07`, `2014-05`.
    pub fn by_name(name: &str) -> Option<&'static Dialect> {
        Dialect::all().into_iter().find(|it| it.name == name)
    }
}
