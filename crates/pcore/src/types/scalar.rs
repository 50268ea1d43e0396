use marotte_text::Str;
use num_bigint::BigInt;

use super::Size;
use crate::dialect::{Dialect, UriPort};
use crate::regexp::Regexp;
use crate::uri::Uri;
use crate::value::Value;

/// Which strings a `String` type accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum StringType {
    /// All.
    #[default]
    Any,
    /// By number of characters.
    Sized(Size),
    /// This one: what is inferred of a string.
    Literal(Str),
    /// One of these: what strings have in common in dialects whose strings remember that (X23). It is written `String`.
    Among(EnumType),
}

/// One of some strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EnumType {
    values: Box<[Str]>,
    case_insensitive: bool,
}

impl StringType {
    /// The strings, if they are known.
    pub fn texts(&self) -> Option<&[Str]> {
        match self {
            StringType::Literal(text) => Some(std::slice::from_ref(text)),
            StringType::Among(texts) => Some(texts.values()),
            StringType::Any | StringType::Sized(_) => None,
        }
    }

    /// How many characters the strings have.
    pub fn size(&self) -> Size {
        match self {
            StringType::Any => Size::ANY,
            StringType::Sized(size) => *size,
            StringType::Literal(text) => Size::exactly(text.chars().count()),
            StringType::Among(texts) => texts.lengths().unwrap_or(Size::ANY),
        }
    }
}

impl EnumType {
    /// Whether a string is one of them.
    pub fn contains(&self, text: &str) -> bool {
        if self.case_insensitive {
            self.values.iter().any(|it| it.eq_ignore_ascii_case(text))
        } else {
            self.values.iter().any(|it| it == text)
        }
    }

    /// The lengths of the shortest and longest string in characters.
    pub fn lengths(&self) -> Option<Size> {
        let lengths = self.values.iter().map(|it| it.chars().count() as u64);
        let (min, max) = (lengths.clone().min()?, lengths.max()?);
        Some(Size { min, max: Some(max) })
    }

    /// Values are sorted, and each counts once.
    pub fn new(values: impl IntoIterator<Item = Str>, case_insensitive: bool) -> EnumType {
        let mut values: Vec<Str> = values.into_iter().collect();
        values.sort();
        values.dedup();
        EnumType { values: values.into(), case_insensitive }
    }

    /// The strings, sorted; none for an `Enum` without parameters.
    pub fn values(&self) -> &[Str] {
        &self.values
    }

    /// Whether upper and lower case are the same.
    pub fn is_case_insensitive(&self) -> bool {
        self.case_insensitive
    }
}

/// Strings that match one of some patterns; all strings where there is none.
///
/// Equality does not look at order, as in the reference.
#[derive(Clone, Debug, Default)]
pub struct PatternType {
    /// In order of writing.
    pub patterns: Box<[Regexp]>,
}

impl PartialEq for PatternType {
    fn eq(&self, other: &PatternType) -> bool {
        self.patterns.len() == other.patterns.len()
            && self.patterns.iter().all(|it| other.patterns.contains(it))
    }
}

impl Eq for PatternType {}

impl std::hash::Hash for PatternType {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.patterns.len().hash(state);
    }
}

/// What the parts of a URI must be; none for all URIs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct UriType {
    /// Part (`scheme`, `host`, …) and what it must match, as an option of a `case` does: a string, regular expression,
    /// number or type.
    pub parts: Box<[(Str, Value)]>,
}

impl UriType {
    /// The type that is inferred of a URI: its parts, scheme and host in lower case, without the port that its scheme has
    /// anyway.
    pub fn of(dialect: &Dialect, uri: &Uri) -> UriType {
        let usual = match uri.scheme() {
            Some("http") => Some(80),
            Some("https") => Some(443),
            _ => None,
        };
        let path = uri.path().filter(|it| !it.is_empty());
        let text = |it: Option<String>| it.map(|it| Value::String(it.into()));
        let port = uri.port().filter(|it| Some(*it) != usual);
        let parts = [
            ("scheme", text(uri.scheme().map(str::to_lowercase))),
            ("userinfo", text(uri.userinfo().map(str::to_owned))),
            ("host", text(uri.host().filter(|it| !it.is_empty()).map(str::to_lowercase))),
            (
                "port",
                match dialect.uri_port {
                    UriPort::Text => text(port.map(|it| it.to_string())),
                    UriPort::Number => port.map(|it| Value::Integer(BigInt::from(it).into())),
                },
            ),
            ("path", text(path.map(|it| it.into_owned()))),
            ("query", text(uri.query().map(str::to_owned))),
            ("fragment", text(uri.fragment().map(str::to_owned))),
            ("opaque", text(uri.opaque().map(str::to_owned))),
        ];
        let given = parts.into_iter().filter_map(|(name, part)| Some((name.into(), part?)));
        UriType { parts: given.collect() }
    }
}
