/// What values look like as text.
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
    /// X82: whether `%s` writes regular expressions between slashes.
    pub slashes_around_regexps: bool,
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
    /// `%p`: with as many decimals as it takes to tell a float from others.
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
        slashes_around_regexps: false,
    };

    /// What the latest specification says.
    pub const SPEC: Texts = Texts {
        redacted: "redacted",
        redacted_in_strings: "[redacted]",
        redacted_programmatic: "redacted",
        times: TimeText::Short,
        floats: FloatText::Shortest,
        slashes_around_regexps: true,
    };
}
