/// What values look like as text, and what texts of times mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texts {
    /// X67: what stands for a sensitive value where it is shown.
    pub redacted: &'static str,
    /// X67: what stands for one in a string with interpolation.
    pub redacted_in_strings: &'static str,
    /// X67: what `%p` shows of one.
    pub redacted_programmatic: &'static str,
    /// X127: what `%s` and `%p` show of times and versions.
    pub times: TimeText,
    /// X72: how floats are written by default.
    pub floats: FloatText,
    /// X140: what formats of containers say that leave something out.
    pub container_formats: ContainerFormats,
    /// X82: whether `%s` writes regular expressions between slashes.
    pub slashes_around_regexps: bool,
    /// X131: whether `%c` writes a float as the character of its whole part.
    pub floats_as_characters: bool,
    /// X116: what the digits of `%L` and `%N` are in formats of lengths of time.
    pub fractions: Fractions,
    /// X147: how many nanoseconds a float of seconds is.
    pub float_seconds: FloatSeconds,
    /// X133: what a length of time may have in a text where a greater unit stands beside it.
    pub lesser_units: LesserUnits,
    /// X134: which directives of a format say what day it is.
    pub days: Days,
}

/// What formats of containers say that leave something out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerFormats {
    /// Nothing: separators are taken as they are, and there must be a directive.
    AsWritten,
    /// A blank follows separators, and the directive is that of who says nothing.
    Completed,
}

/// What the digits of `%L` and `%N` are in formats of lengths of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fractions {
    /// The beginning of a fraction, both; in texts that are written, noughts at either end are missing.
    Beginnings,
    /// `%L` is a number of milliseconds. `%N` is a fraction with all its places: of fewer digits, the last stands in the
    /// last place; only with `-`, which leaves noughts at the end out, the first stands in the first.
    Places,
}

/// How many nanoseconds a float of seconds is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSeconds {
    /// Its product, which is a float: some hundred nanoseconds more or less for times of today.
    Product,
    /// What it says: its whole part, and its fraction, rounded.
    Exact,
}

/// What a length of time may have in a text of the units beside a greater one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LesserUnits {
    /// Any number of them.
    Any,
    /// Less than make up the next greater unit: 59 minutes, but not 60.
    WithinTheNext,
}

/// Which directives of a format say what day it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Days {
    /// Those of the year, the month, and the day of the month.
    OfMonths,
    /// All: those of days of the year, of weeks and their days, and of seconds since the epoch, too.
    All,
}

/// What `%s` and `%p` show of times and versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeText {
    /// All digits of a second; `%p` shows the same.
    Exact,
    /// Whole seconds of a length of time, and milliseconds of a point in time; `%p` shows how the value is made.
    Short,
}

/// How floats are written by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatText {
    /// `%f`: with six decimals.
    Fixed,
    /// `%p`: with as many decimals as it takes to tell a float from others, and never with an exponent.
    Shortest,
}

impl Texts {
    /// What Puppet 8.11 writes.
    pub const PUPPET8: Texts = Texts {
        redacted: "Sensitive [value redacted]",
        redacted_in_strings: "Sensitive [value redacted]",
        redacted_programmatic: "#<Sensitive [value redacted]>",
        times: TimeText::Exact,
        floats: FloatText::Fixed,
        container_formats: ContainerFormats::AsWritten,
        slashes_around_regexps: false,
        floats_as_characters: false,
        fractions: Fractions::Beginnings,
        float_seconds: FloatSeconds::Product,
        lesser_units: LesserUnits::Any,
        days: Days::OfMonths,
    };

    /// What the latest specification says.
    pub const SPEC: Texts = Texts {
        redacted: "redacted",
        redacted_in_strings: "[redacted]",
        redacted_programmatic: "redacted",
        times: TimeText::Short,
        floats: FloatText::Shortest,
        container_formats: ContainerFormats::Completed,
        slashes_around_regexps: true,
        floats_as_characters: true,
        fractions: Fractions::Places,
        float_seconds: FloatSeconds::Exact,
        lesser_units: LesserUnits::WithinTheNext,
        days: Days::All,
    };
}
