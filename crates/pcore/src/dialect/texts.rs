/// The choices of a dialect that concern the text forms of values, and the parsing of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texts {
    /// X67: the placeholder for a sensitive value in output.
    pub redacted: &'static str,
    /// X67: the placeholder for one in an interpolated string.
    pub redacted_in_strings: &'static str,
    /// X67: the output of `%p` for one.
    pub redacted_programmatic: &'static str,
    /// X127: the output of `%s` and `%p` for times and versions.
    pub times: TimeText,
    /// X72: the default format of floats.
    pub floats: FloatText,
    /// X140: the meaning of incomplete container formats.
    pub container_formats: ContainerFormats,
    /// X82: whether `%s` writes regular expressions between slashes.
    pub slashes_around_regexps: bool,
    /// X131: whether `%c` formats a float as the character of its integer part.
    pub floats_as_characters: bool,
    /// X116: the meaning of the digits of `%L` and `%N` in formats of timespans.
    pub fractions: Fractions,
    /// X147: the conversion of a float of seconds to nanoseconds.
    pub float_seconds: FloatSeconds,
    /// X133: the permitted amounts of smaller units next to a larger one in the text of a timespan.
    pub lesser_units: LesserUnits,
    /// X134: the directives of a format that determine the date.
    pub days: Days,
    /// X159: the formats that are tried for the text of a timestamp if none is given, and those without a zone.
    pub timestamp_formats: TimestampFormats,
    /// X160: whether the alternative form of a hexadecimal or binary number adds the prefix to zero.
    pub prefix_of_nought: bool,
}

/// The meaning of incomplete container formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerFormats {
    /// They are used as they are: separators are literal, and a directive is required.
    AsWritten,
    /// They are completed: a blank follows separators, and a missing directive has its default.
    Completed,
}

/// The meaning of the digits of `%L` and `%N` in formats of timespans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fractions {
    /// Both are the leading digits of a fraction; output omits zeros at either end.
    Beginnings,
    /// `%L` is a number of milliseconds. `%N` is a fraction with all its places: if there are fewer digits, the last
    /// one is in the last place; only with `-`, which omits trailing zeros, the first one is in the first place.
    Places,
}

/// The conversion of a float of seconds to nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSeconds {
    /// By a product of floats, which is off by some hundred nanoseconds for current times.
    Product,
    /// Exactly: the integer part plus the rounded fraction.
    Exact,
}

/// The permitted amounts of smaller units next to a larger one in the text of a timespan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LesserUnits {
    /// Any amount of the unit.
    Any,
    /// Less than the next larger unit: 59 minutes, but not 60.
    WithinTheNext,
}

/// The directives of a format that determine the date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Days {
    /// Only those of the year, the month, and the day of the month.
    OfMonths,
    /// All: also those of the day of the year, of weeks and their days, and of seconds since the epoch.
    All,
}

/// The formats that are tried for the text of a timestamp if none is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimestampFormats {
    /// The formats if no zone is given.
    pub all: &'static [&'static str],
    /// The formats if a zone is given.
    pub without_zone: &'static [&'static str],
}

impl TimestampFormats {
    /// The formats of Puppet 8.11.
    const PUPPET8: TimestampFormats = TimestampFormats {
        all: &[
            "%FT%T.%N %Z",
            "%FT%T %Z",
            "%F %T.%N %Z",
            "%F %T %Z",
            "%F %Z",
            "%FT%T.%N",
            "%FT%T",
            "%F %T.%N",
            "%F %T",
            "%F",
        ],
        without_zone: &["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"],
    };

    /// The formats of the latest specification.
    const SPEC: TimestampFormats = TimestampFormats {
        all: &["%FT%T.%L %Z", "%FT%T %Z", "%F %Z", "%FT%T.%L", "%FT%T", "%F"],
        without_zone: &["%FT%T.%L", "%FT%T", "%F"],
    };
}

/// The output of `%s` and `%p` for times and versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeText {
    /// All digits of a second; `%p` has the same output.
    Exact,
    /// Whole seconds of a timespan, and milliseconds of a timestamp; `%p` outputs an expression that creates the value.
    Short,
}

/// The default format of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatText {
    /// `%f`: with six decimals.
    Fixed,
    /// `%p`: with as many decimals as needed to distinguish the float from others, and never with an exponent.
    Shortest,
}

impl Texts {
    /// The texts of Puppet 8.11.
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
        timestamp_formats: TimestampFormats::PUPPET8,
        prefix_of_nought: false,
    };

    /// The texts of the latest specification.
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
        timestamp_formats: TimestampFormats::SPEC,
        prefix_of_nought: true,
    };
}
