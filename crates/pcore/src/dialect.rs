//! The dialects of the language, as data: one choice for each point on which they differ.
//!
//! Nothing asks which dialect it serves; it asks for the choice. X-numbers are rows of the table of differences.

/// The choices of a dialect that concern values and types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// X13, X92: how large integers are.
    pub integer_width: IntegerWidth,
    /// X14, X15, X19: whether ranges of numbers may descend.
    pub range_direction: RangeDirection,
    /// X16, X20: what one number in `Integer[n]` and `Float[n]` says.
    pub single_bound: SingleBound,
    /// X25: what `Pattern` without parameters matches.
    pub pattern_without_parameters: WithoutParameters,
    /// X26: which strings are instances of `Enum` without parameters.
    pub enum_without_parameters: WithoutParameters,
    /// X45: which hashes `Struct` without parameters accepts, besides the empty one.
    pub struct_without_parameters: WithoutParameters,
    /// X6: what `undef` adds to a common type.
    pub undef_in_common: UndefInCommon,
    /// X35: whether arrays and hashes keep their sizes in a common type.
    pub sizes_in_common: SizesInCommon,
    /// X75: whether the empty string is true.
    pub empty_string_is_true: bool,
}

/// How large integers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerWidth {
    /// 64 bits with sign; more is an error.
    Bits64,
    /// No limit.
    Unlimited,
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

/// What Puppet 8.11 does: the default.
pub static PUPPET8: Dialect = Dialect {
    integer_width: IntegerWidth::Bits64,
    range_direction: RangeDirection::Ascending,
    single_bound: SingleBound::Least,
    pattern_without_parameters: WithoutParameters::All,
    enum_without_parameters: WithoutParameters::Nothing,
    struct_without_parameters: WithoutParameters::Nothing,
    undef_in_common: UndefInCommon::Nothing,
    sizes_in_common: SizesInCommon::Dropped,
    empty_string_is_true: true,
};

impl Dialect {
    /// What Puppet 8.11 does.
    pub fn puppet8() -> &'static Dialect {
        &PUPPET8
    }
}
