//! Versions and version ranges, like in the reference's `semantic_puppet`.

mod range;
mod range_parse;
#[cfg(test)]
mod tests;

pub use range::SemVerRange;

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;

/// A version: `major.minor.patch`, with an optional pre-release and build.
///
/// Versions are equal if all parts are. The precedence of versions, [`SemVer::precedence`], ignores builds, so it isn't
/// that of `Ord`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemVer {
    major: BigUint,
    minor: BigUint,
    patch: BigUint,
    prerelease: Option<Vec<Identifier>>,
    build: Option<String>,
}

/// A part of a pre-release. Numbers precede texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Identifier {
    Number(BigUint),
    Text(String),
}

/// The reason why a text isn't a version, or isn't a version range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SemVerError {
    /// The text is not a version.
    Version(String),
    /// A pre-release has a number with a leading zero, such as `01`.
    LeadingZero,
    /// The text is not a range of versions.
    Range(String),
}

impl fmt::Display for SemVerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SemVerError::Version(text) => {
                write!(out, "Unable to parse '{text}' as a semantic version identifier")
            }
            SemVerError::LeadingZero => {
                write!(out, "Numeric pre-release identifiers MUST NOT contain leading zeroes")
            }
            SemVerError::Range(text) => write!(out, "Unparsable version range: \"{text}\""),
        }
    }
}

impl std::error::Error for SemVerError {}

impl SemVer {
    /// Parses a version; one newline may follow it.
    ///
    /// # Errors
    /// If the text isn't a version, or if its pre-release has a number with a leading zero.
    pub fn parse(text: &str) -> Result<SemVer, SemVerError> {
        let invalid = || SemVerError::Version(text.into());
        let version = text.strip_suffix('\n').unwrap_or(text);
        let (numbers, rest) = version.split_at(version.find(['-', '+']).unwrap_or(version.len()));
        let (prerelease, build) = qualifiers(rest).ok_or_else(invalid)?;
        let numbers: Option<Vec<BigUint>> = numbers.split('.').map(number).collect();
        let [major, minor, patch] = numbers.and_then(|it| <[_; 3]>::try_from(it).ok()).ok_or_else(invalid)?;
        let prerelease = prerelease.map(parse_prerelease).transpose()?;
        Ok(SemVer { major, minor, patch, prerelease, build: build.map(Into::into) })
    }

    /// Creates a version from its parts; `None` if a qualifier doesn't consist of letters, digits and dashes, separated
    /// by dots.
    ///
    /// The pre-release is a single text, even if it has dots or is numeric, as when the reference creates versions from
    /// arguments.
    pub fn new(
        major: impl Into<BigUint>,
        minor: impl Into<BigUint>,
        patch: impl Into<BigUint>,
        prerelease: Option<&str>,
        build: Option<&str>,
    ) -> Option<SemVer> {
        let valid = |text: Option<&str>| text.is_none_or(is_qualifier);
        (valid(prerelease) && valid(build)).then(|| SemVer {
            major: major.into(),
            minor: minor.into(),
            patch: patch.into(),
            prerelease: prerelease.map(|text| vec![Identifier::Text(text.into())]),
            build: build.map(Into::into),
        })
    }

    /// Splits the text of the pre-release into segments, as if the version had been parsed.
    ///
    /// # Errors
    /// If a segment is a number with a leading zero.
    pub fn with_segments(self) -> Result<SemVer, SemVerError> {
        let prerelease = self.prerelease().as_deref().map(parse_prerelease).transpose()?;
        Ok(SemVer { prerelease, ..self })
    }

    /// Returns the first number.
    pub fn major(&self) -> &BigUint {
        &self.major
    }

    /// Returns the second number.
    pub fn minor(&self) -> &BigUint {
        &self.minor
    }

    /// Returns the third number.
    pub fn patch(&self) -> &BigUint {
        &self.patch
    }

    /// Returns the pre-release, without its dash.
    pub fn prerelease(&self) -> Option<String> {
        let parts = self.prerelease.as_ref()?;
        Some(parts.iter().map(Identifier::to_string).collect::<Vec<_>>().join("."))
    }

    /// Returns the build, without its plus sign.
    pub fn build(&self) -> Option<&str> {
        self.build.as_deref()
    }

    /// Whether it isn't a pre-release.
    pub fn is_stable(&self) -> bool {
        self.prerelease.is_none()
    }

    /// Compares the precedence of two versions. A pre-release precedes its version; builds are ignored.
    pub fn precedence(&self, other: &SemVer) -> Ordering {
        let numbers = |it: &SemVer| (it.major.clone(), it.minor.clone(), it.patch.clone());
        numbers(self).cmp(&numbers(other)).then_with(|| match (&self.prerelease, &other.prerelease) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(a), Some(b)) => a.cmp(b),
        })
    }

    fn stable(major: BigUint, minor: BigUint, patch: BigUint) -> SemVer {
        SemVer { major, minor, patch, prerelease: None, build: None }
    }

    fn same_numbers(&self, other: &SemVer) -> bool {
        self.major == other.major && self.minor == other.minor && self.patch == other.patch
    }
}

impl fmt::Display for SemVer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if let Some(prerelease) = self.prerelease() {
            write!(out, "-{prerelease}")?;
        }
        match &self.build {
            Some(build) => write!(out, "+{build}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identifier::Number(number) => number.fmt(out),
            Identifier::Text(text) => text.fmt(out),
        }
    }
}

/// Parses a number without leading zeros.
fn number(text: &str) -> Option<BigUint> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let zeros = text.len() > 1 && text.starts_with('0');
    if digits && !zeros { text.parse().ok() } else { None }
}

fn is_qualifier(text: &str) -> bool {
    text.split('.')
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
}

/// Splits `-prerelease+build`; `None` if the text has another form.
fn qualifiers(text: &str) -> Option<(Option<&str>, Option<&str>)> {
    let (prerelease, build) = match text.split_once('+') {
        Some((prerelease, build)) => (prerelease, Some(build)),
        None => (text, None),
    };
    let prerelease = match prerelease {
        "" => None,
        some => Some(some.strip_prefix('-')?),
    };
    let valid = prerelease.is_none_or(is_qualifier) && build.is_none_or(is_qualifier);
    valid.then_some((prerelease, build))
}

fn parse_prerelease(text: &str) -> Result<Vec<Identifier>, SemVerError> {
    text.split('.')
        .map(|part| match number(part) {
            Some(number) => Ok(Identifier::Number(number)),
            None if part.bytes().all(|b| b.is_ascii_digit()) => Err(SemVerError::LeadingZero),
            None => Ok(Identifier::Text(part.into())),
        })
        .collect()
}
