//! The grammar of version ranges.

use num_bigint::BigUint;

use super::range::{Bound, Comparator, Part};
use super::{Identifier, SemVer, SemVerError, number, parse_prerelease, qualifiers};

/// A version whose last numbers may be missing or `x`.
struct Partial {
    major: Option<BigUint>,
    minor: Option<BigUint>,
    patch: Option<BigUint>,
    prerelease: Option<Vec<Identifier>>,
    build: Option<String>,
}

pub(super) fn parse(text: &str) -> Result<Vec<Part>, SemVerError> {
    let unparsable = || SemVerError::Range(text.into());
    let tight = without_space_after_operators(text);
    let alternatives: Vec<&str> = tight.split("||").map(|it| it.trim_matches(is_space)).collect();
    if tight.is_empty() || tight.contains("||") && alternatives.iter().all(|it| it.is_empty()) {
        return Ok(vec![Part::All]);
    }
    let alone = alternatives.len() == 1;
    let mut parts = Vec::new();
    for alternative in alternatives {
        // Leading white space is an error only if there is no `||`, which would remove it.
        if alone && tight.starts_with(is_space) && !alternative.is_empty() {
            return Err(unparsable());
        }
        parts.extend(range(alternative, text)?);
    }
    Ok(parts)
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

/// Removes white space, and a `v`, after operators.
fn without_space_after_operators(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        out.push(c);
        rest = &rest[c.len_utf8()..];
        if matches!(c, '>' | '<' | '=' | '~' | '^') {
            let trimmed = rest.trim_start_matches(is_space);
            // After white space, a `v` is kept, and is an error.
            rest = if trimmed.len() < rest.len() { trimmed } else { rest.strip_prefix('v').unwrap_or(rest) };
        }
    }
    out
}

/// Parses an alternative between `||`; `None` if it can't contain any version.
fn range(alternative: &str, text: &str) -> Result<Option<Part>, SemVerError> {
    let words: Vec<&str> = alternative.split(is_space).filter(|it| !it.is_empty()).collect();
    if let [low, "-", high] = words[..]
        && let (Some(low), Some(high)) = (Partial::parse(low)?, Partial::parse(high)?)
    {
        let low = Part::One(Comparator::GreaterOrEqual(Bound::At(low.filled())));
        let high = Part::One(Comparator::LessOrEqual(Bound::At(high.filled())));
        return Ok(low.intersection(&high));
    }
    let mut whole: Option<Part> = None;
    let mut empty = words.is_empty();
    for word in words {
        let part = simple(word)?.ok_or_else(|| SemVerError::Range(text.into()))?;
        match whole.take() {
            Some(before) => whole = before.intersection(&part),
            None if empty => {}
            None => whole = Some(part),
        }
        empty |= whole.is_none();
    }
    Ok(whole)
}

/// Parses an operator with its version; `None` if the word has another form.
fn simple(word: &str) -> Result<Option<Part>, SemVerError> {
    const OPERATORS: [&str; 9] = ["<=", ">=", "~>", "~=", "<", ">", "=", "~", "^"];
    let operator = OPERATORS.into_iter().find(|it| word.starts_with(it)).unwrap_or("");
    let Some(partial) = Partial::parse(&word[operator.len()..])? else { return Ok(None) };
    let one = |comparator: fn(Bound) -> Comparator, version| Part::One(comparator(Bound::At(version)));
    Ok(Some(match operator {
        "~" | "~>" | "~=" => partial.range(Width::Tilde),
        "^" => partial.range(Width::Caret),
        ">" => match partial.after() {
            Some(version) if partial.is_whole() => one(Comparator::Greater, version),
            Some(version) => one(Comparator::GreaterOrEqual, version),
            None => Part::nothing(),
        },
        ">=" => one(Comparator::GreaterOrEqual, partial.filled()),
        "<" => one(Comparator::Less, partial.filled()),
        "<=" => match partial.after() {
            Some(version) if partial.is_whole() => one(Comparator::LessOrEqual, version),
            Some(version) => one(Comparator::Less, version),
            None => Part::All,
        },
        _ => partial.range(Width::Exact),
    }))
}

/// The maximum distance of later versions.
#[derive(PartialEq)]
enum Width {
    Exact,
    Tilde,
    Caret,
}

impl Partial {
    fn parse(text: &str) -> Result<Option<Partial>, SemVerError> {
        let (numbers, rest) = text.split_at(text.find(['-', '+']).unwrap_or(text.len()));
        let places: Vec<&str> = numbers.split('.').collect();
        let Some((prerelease, build)) = qualifiers(rest) else { return Ok(None) };
        if places.len() > 3 || (places.len() < 3 && !rest.is_empty()) {
            return Ok(None);
        }
        let mut values = [None, None, None];
        for (value, place) in values.iter_mut().zip(places) {
            if !matches!(place, "x" | "X" | "*") {
                let Some(number) = number(place) else { return Ok(None) };
                *value = Some(number);
            }
        }
        let [major, minor, patch] = values;
        let prerelease = prerelease.map(parse_prerelease).transpose()?;
        Ok(Some(Partial { major, minor, patch, prerelease, build: build.map(Into::into) }))
    }

    fn is_whole(&self) -> bool {
        self.major.is_some() && self.minor.is_some() && self.patch.is_some()
    }

    /// Returns the version with zeros for missing numbers.
    fn filled(&self) -> SemVer {
        let number = |it: &Option<BigUint>| it.clone().unwrap_or_default();
        SemVer {
            major: number(&self.major),
            minor: number(&self.minor),
            patch: number(&self.patch),
            prerelease: self.prerelease.clone(),
            build: self.build.clone(),
        }
    }

    /// Returns the version itself, or the first version after all those with the same prefix; `None` if the prefix is empty.
    fn after(&self) -> Option<SemVer> {
        let zero = BigUint::default;
        let major = self.major.clone()?;
        Some(match (&self.minor, &self.patch) {
            (None, _) => SemVer::stable(major + 1u8, zero(), zero()),
            (Some(minor), None) => SemVer::stable(major, minor + 1u8, zero()),
            (Some(_), Some(_)) => self.filled(),
        })
    }

    fn range(&self, width: Width) -> Part {
        let zero = BigUint::default;
        let Some(major) = self.major.clone() else { return Part::All };
        if self.is_whole() && width == Width::Exact {
            return Part::One(Comparator::Equal(self.filled()));
        }
        let low = match &self.minor {
            None => SemVer::stable(major.clone(), zero(), zero()),
            Some(minor) if self.patch.is_none() => SemVer::stable(major.clone(), minor.clone(), zero()),
            Some(_) => self.filled(),
        };
        let high = match &self.minor {
            Some(minor) if width != Width::Caret || major == zero() => {
                SemVer::stable(major, minor + 1u8, zero())
            }
            _ => SemVer::stable(major + 1u8, zero(), zero()),
        };
        Part::Both(Comparator::GreaterOrEqual(Bound::At(low)), Comparator::Less(Bound::At(high)))
    }
}
