/// The choices of a dialect that concern operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operators {
    /// X76: whether strings are converted to numbers in arithmetic.
    pub strings_in_arithmetic: StringsInArithmetic,
    /// X77: whether strings are converted to numbers in comparisons with numbers.
    pub strings_in_comparisons: StringsInComparisons,
    /// X104: the result of matching a string that isn't a version against a version range.
    pub bad_version: BadVersion,
    /// X105: how strings are searched for in arrays and hashes.
    pub strings_in_collections: StringsInCollections,
    /// X108: the effect of a failed match on match variables.
    pub failed_match: FailedMatch,
    /// X111: the result of shifting a negative number to the right.
    pub right_shift: RightShift,
    /// X112: the result of dividing a timespan by a number.
    pub timespan_by_number: TimespanByNumber,
    /// X119: the result of a number modulo a timespan.
    pub number_modulo_timespan: NumberModuloTimespan,
    /// X113: the elements and keys that `-` removes.
    pub subtraction: Subtraction,
    /// X144: the equality of types in collections.
    pub types_in_collections: TypesInCollections,
    /// X157: whether a result that is not a number, such as that of `0.0 / 0`, is an error.
    pub refuses_not_a_number: bool,
    /// X158: whether strings of binary digits, such as `'0b11'`, are converted to numbers in arithmetic.
    pub binary_strings_are_numbers: bool,
}

/// Whether strings are converted to numbers in arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInArithmetic {
    /// They are; the setting `strict` determines whether that is reported as a warning or an error.
    BySetting,
    /// Strings are converted.
    Always,
}

/// Whether strings are converted to numbers in comparisons with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInComparisons {
    /// Strings are not converted.
    AreTexts,
    /// They are if they look like a number.
    AreNumbers,
}

/// The result of matching a string that isn't a version against a version range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadVersion {
    /// It does not match.
    DoesNotMatch,
    /// An invalid version is an error.
    IsRefused,
}

/// The result of dividing a timespan by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimespanByNumber {
    /// The result is a timespan.
    Timespan,
    /// A number of seconds.
    Float,
}

/// The result of a number modulo a timespan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberModuloTimespan {
    /// The operation is an error.
    IsRefused,
    /// A number of seconds.
    Float,
}

/// The way in which strings are searched for in arrays and hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInCollections {
    /// By matching, as if the string were the value of a `case` whose options are the elements.
    Match,
    /// Strings are compared for equality.
    Equal,
}

/// The effect of a failed match on match variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedMatch {
    /// They keep their values.
    Keeps,
    /// The match variables become `undef`.
    Clears,
}

/// The result of shifting a negative number to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightShift {
    /// Negative: the sign is kept.
    Negative,
    /// Zero if the result would be negative.
    Zero,
}

/// The elements and keys that `-` removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subtraction {
    /// Those that are identical: strings are compared exactly.
    Same,
    /// Those that are equal.
    Equal,
}

/// The equality of types in collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypesInCollections {
    /// They are equal if their text forms are equal.
    WrittenAlike,
    /// They are equal under the same conditions as outside of collections.
    Equal,
}

impl Operators {
    /// The choices of Puppet 8.11.
    pub const PUPPET8: Operators = Operators {
        strings_in_arithmetic: StringsInArithmetic::BySetting,
        strings_in_comparisons: StringsInComparisons::AreTexts,
        bad_version: BadVersion::DoesNotMatch,
        strings_in_collections: StringsInCollections::Match,
        failed_match: FailedMatch::Keeps,
        right_shift: RightShift::Negative,
        timespan_by_number: TimespanByNumber::Timespan,
        number_modulo_timespan: NumberModuloTimespan::IsRefused,
        subtraction: Subtraction::Same,
        types_in_collections: TypesInCollections::WrittenAlike,
        refuses_not_a_number: false,
        binary_strings_are_numbers: false,
    };

    /// The choices of the latest specification.
    pub const SPEC: Operators = Operators {
        strings_in_arithmetic: StringsInArithmetic::Always,
        strings_in_comparisons: StringsInComparisons::AreTexts,
        bad_version: BadVersion::IsRefused,
        strings_in_collections: StringsInCollections::Equal,
        failed_match: FailedMatch::Clears,
        right_shift: RightShift::Zero,
        timespan_by_number: TimespanByNumber::Float,
        number_modulo_timespan: NumberModuloTimespan::Float,
        subtraction: Subtraction::Equal,
        types_in_collections: TypesInCollections::Equal,
        refuses_not_a_number: true,
        binary_strings_are_numbers: true,
    };

    /// The choices of both specifications of 2014; where they are silent, those of Puppet 8.11.
    pub const YEAR2014: Operators = Operators {
        strings_in_arithmetic: StringsInArithmetic::Always,
        strings_in_comparisons: StringsInComparisons::AreNumbers,
        refuses_not_a_number: true,
        ..Operators::PUPPET8
    };
}
