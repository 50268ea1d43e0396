/// The choices of a dialect that concern operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operators {
    /// X76: whether strings are numbers in arithmetic.
    pub strings_in_arithmetic: StringsInArithmetic,
    /// X77: whether strings are numbers where they are compared with numbers.
    pub strings_in_comparisons: StringsInComparisons,
    /// X104: what a string is to a range of versions that is none.
    pub bad_version: BadVersion,
    /// X105: how strings are found in arrays and hashes.
    pub strings_in_collections: StringsInCollections,
    /// X108: what a match that fails does to match variables.
    pub failed_match: FailedMatch,
    /// X111: what is left of a negative number that is moved to the right.
    pub right_shift: RightShift,
    /// X112: what a length of time divided by a number is.
    pub timespan_by_number: TimespanByNumber,
    /// X119: what a number modulo a length of time is.
    pub number_modulo_timespan: NumberModuloTimespan,
    /// X113: which elements and keys `-` takes away.
    pub subtraction: Subtraction,
    /// X144: when types in collections are equal.
    pub types_in_collections: TypesInCollections,
}

/// Whether strings are numbers in arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInArithmetic {
    /// They are; the setting `strict` says whether that is told, or an error.
    BySetting,
    /// They are.
    Always,
}

/// Whether strings are numbers where they are compared with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInComparisons {
    /// They are not.
    AreTexts,
    /// They are if they look like one.
    AreNumbers,
}

/// What a string is to a range of versions that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadVersion {
    /// It does not match.
    DoesNotMatch,
    /// An error.
    IsRefused,
}

/// What a length of time divided by a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimespanByNumber {
    /// A length of time.
    Timespan,
    /// A number of seconds.
    Float,
}

/// What a number modulo a length of time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberModuloTimespan {
    /// An error.
    IsRefused,
    /// A number of seconds.
    Float,
}

/// How strings are found in arrays and hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInCollections {
    /// As the value of a `case` whose options are the elements.
    Match,
    /// By equality.
    Equal,
}

/// What a match that fails does to match variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedMatch {
    /// They stay.
    Keeps,
    /// They become `undef`.
    Clears,
}

/// What is left of a negative number that is moved to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RightShift {
    /// Its sign.
    Negative,
    /// Nothing below zero.
    Zero,
}

/// Which elements and keys `-` takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subtraction {
    /// Those that are the same: strings count exactly.
    Same,
    /// Those that are equal.
    Equal,
}

/// When types in collections are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypesInCollections {
    /// If they are written alike.
    WrittenAlike,
    /// If they are equal elsewhere.
    Equal,
}

impl Operators {
    /// What Puppet 8.11 does.
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
    };

    /// What the latest specification says.
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
    };

    /// What both specifications of 2014 say; where they are silent, what Puppet 8.11 does.
    pub const YEAR2014: Operators = Operators {
        strings_in_arithmetic: StringsInArithmetic::Always,
        strings_in_comparisons: StringsInComparisons::AreNumbers,
        ..Operators::PUPPET8
    };
}
