use marotte_text::Str;
use num_bigint::BigInt;

use super::Size;
use crate::dialect::{Dialect, UriPort};
use crate::regexp::Regexp;
use crate::uri::Uri;
use crate::value::Value;

/// The strings that a `String` type accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum StringType {
    /// Accepts strings of any length.
    #[default]
    Any,
    /// Strings of certain lengths in characters.
    Sized(Size),
    /// One string: the type inferred for it.
    Literal(Str),
    /// Some strings: the common type of strings in dialects that record them (X23). It is written `String`.
    Among(EnumType),
}

/// The strings of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EnumType {
    values: Box<[Str]>,
    case_insensitive: bool,
}

impl StringType {
    /// Returns the strings, if they are known.
    pub fn texts(&self) -> Option<&[Str]> {
        match self {
            StringType::Literal(text) => Some(std::slice::from_ref(text)),
            StringType::Among(texts) => Some(texts.values()),
            StringType::Any | StringType::Sized(_) => None,
        }
    }

    /// Returns the range of lengths in characters.
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
    /// Whether it contains a string.
    pub fn contains(&self, text: &str) -> bool {
        if self.case_insensitive {
            self.values.iter().any(|it| it.eq_ignore_ascii_case(text))
        } else {
            self.values.binary_search_by(|it| it.as_str().cmp(text)).is_ok()
        }
    }

    /// Returns the range of lengths of the strings in characters.
    pub fn lengths(&self) -> Option<Size> {
        let lengths = self.values.iter().map(|it| it.chars().count() as u64);
        let (min, max) = (lengths.clone().min()?, lengths.max()?);
        Some(Size { min, max: Some(max) })
    }

    /// Creates the type; values are sorted and deduplicated.
    pub fn new(values: impl IntoIterator<Item = Str>, case_insensitive: bool) -> EnumType {
        let mut values: Vec<Str> = values.into_iter().collect();
        values.sort();
        values.dedup();
        EnumType { values: values.into(), case_insensitive }
    }

    /// Returns the strings, sorted; empty for an `Enum` without parameters.
    pub fn values(&self) -> &[Str] {
        &self.values
    }

    /// Whether case is ignored.
    pub fn is_case_insensitive(&self) -> bool {
        self.case_insensitive
    }
}

/// Strings that match one of some patterns; all strings if there are none.
///
/// Equality ignores the order, as in the reference.
#[derive(Clone, Debug, Default)]
pub struct PatternType {
    /// The patterns, in the order as written.
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

/// Constraints on the parts of a URI; no constraints for all URIs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct UriType {
    /// The name of a part (`scheme`, `host`, …) and the value that it must match, like an option of a `case`: a string,
    /// regular expression, number or type.
    pub parts: Box<[(Str, Value)]>,
}

impl UriType {
    /// The type inferred for a URI: its parts, with scheme and host in lower case, and without the default port of its
    /// scheme.
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
