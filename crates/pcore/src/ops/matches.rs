//! `=~`, `!~`, and the matching of `case`, selectors and `in` (B40–B42, X104).

use std::borrow::Cow;
use std::sync::Arc;

use marotte_text::Str;

use super::label::a_label;
use super::{OperationError, Outcome};
use crate::dialect::{BadVersion, Dialect, FailedMatch};
use crate::regexp::{Groups, Regexp};
use crate::relation::{self, instance_of};
use crate::semver::SemVer;
use crate::value::{Unknown, Value};

/// The variables that a match sets: `$0` is the whole match, `$1` the first group, …; a group that didn't participate
/// is `undef`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchVariables {
    /// The matched text. Most groups are never read, so their texts are only created on demand.
    text: Str,
    /// The ranges of the groups in the text.
    groups: Groups,
    /// The reason why the groups are unknown.
    unknown: Option<Arc<Unknown>>,
}

impl MatchVariables {
    /// Creates the variables of a match whose text or pattern is unknown.
    pub fn unknown(by: Arc<Unknown>) -> MatchVariables {
        MatchVariables { unknown: Some(by), ..MatchVariables::default() }
    }

    /// Returns the value of `$0`, `$1`, …: `undef` if the group doesn't exist.
    pub fn get(&self, index: usize) -> Value {
        match self.groups.get(index) {
            Some(Some(range)) => Value::from(&self.text[range.clone()]),
            _ => self.unknown.clone().map_or(Value::Undef, Value::Unknown),
        }
    }
}

/// The result of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matched {
    /// Whether the left operand matches the pattern.
    pub matches: bool,
    /// The variables that it sets. An array of patterns sets those of the last regular expression that matched, even if
    /// a later pattern does not match.
    pub variables: Option<MatchVariables>,
}

impl Matched {
    /// Matches a text against a regular expression.
    pub(super) fn by(regexp: &Regexp, text: &Str) -> Result<Matched, OperationError> {
        let captures = regexp.captures(text)?;
        let variables =
            captures.map(|it| MatchVariables { text: text.clone(), groups: it.into_groups(), unknown: None });
        Ok(Matched { matches: variables.is_some(), variables })
    }
}

impl From<bool> for Matched {
    fn from(matches: bool) -> Matched {
        Matched { matches, variables: None }
    }
}

impl From<Matched> for Outcome {
    fn from(matched: Matched) -> Outcome {
        Outcome {
            value: Value::Boolean(matched.matches),
            coercions: Vec::new(),
            variables: matched.variables,
        }
    }
}

/// `left =~ pattern`: the pattern is a type of which the value must be an instance, a version range that must contain
/// it, or a regular expression, possibly in a string, that must match it (B40, B41).
///
/// # Errors
/// If the pattern is none of these, or if the left operand of a regular expression isn't a string.
pub fn matches(dialect: &Dialect, left: &Value, pattern: &Value) -> Result<Matched, OperationError> {
    let regexp = match pattern {
        Value::Type(it) => return Ok(instance_of(dialect, it, left).into()),
        Value::SemVerRange(_) => {
            check_version(dialect, left)?;
            return Ok(relation::matches(dialect, left, pattern).into());
        }
        Value::Regexp(regexp) => Cow::Borrowed(regexp),
        Value::String(source) => {
            Cow::Owned(Regexp::in_dialect(dialect, source).map_err(OperationError::InvalidPattern)?)
        }
        _ => return Err(OperationError::NoPattern { label: pattern.kind_name() }),
    };
    match left {
        Value::String(text) => {
            let mut matched = Matched::by(&regexp, text)?;
            if dialect.operators.failed_match == FailedMatch::Clears {
                matched.variables.get_or_insert_default();
            }
            Ok(matched)
        }
        _ => Err(OperationError::NoText { left: a_label(left) }),
    }
}

/// Rejects a string that isn't a version, if the dialect does (X104).
fn check_version(dialect: &Dialect, value: &Value) -> Result<(), OperationError> {
    match value {
        Value::String(text) if dialect.operators.bad_version == BadVersion::IsRefused => {
            SemVer::parse(text).map(drop).map_err(OperationError::NoVersion)
        }
        _ => Ok(()),
    }
}

/// Whether a value matches an option of a `case` or of a selector (B52).
///
/// # Errors
/// If a regular expression takes too long.
pub fn option_matches(dialect: &Dialect, value: &Value, option: &Value) -> Result<Matched, OperationError> {
    let mut variables = None;
    let matches = relation::match_with(dialect, value, option, &mut |regexp, text| {
        let matched = Matched::by(regexp, text)?;
        variables = matched.variables.or(variables.take());
        Ok::<_, OperationError>(matched.matches)
    })?;
    Ok(Matched { matches, variables })
}
