//! Selects the style of a text, so that it is parsed as a text again.

use std::sync::LazyLock;

use regex::Regex;

use super::emitter::{Event, Style};
use super::scalar::{Scalar, ScalarError, resolve};
use crate::value::Value;

/// Matches a line that begins with a word character.
static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]"));
/// A number in base eight with an invalid digit.
static BROKEN_OCTAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"\A0[0-7]*[89]"));

#[expect(clippy::expect_used, reason = "the patterns are those above")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of this file is sound")
}

/// Converts a text to a scalar. `width` is the requested line width, beyond which texts are folded.
///
/// # Errors
/// If the text looks like a number, but can't be converted: the reference's platform fails as well.
pub fn text_style(text: String, width: Option<usize>) -> Result<Event, ScalarError> {
    let scalar = |text, tag: Option<&'static str>, style| Event::Scalar {
        anchor: None,
        tag,
        text,
        plain: tag.is_none(),
        quoted: tag.is_none(),
        style,
    };
    let has_inner_break = text.match_indices('\n').any(|(at, _)| !matches!(&text[at + 1..], "" | "\n"));
    let style = if has_inner_break {
        Style::Literal
    } else if text == "<<" {
        return Ok(scalar(text, Some("tag:yaml.org,2002:str"), Style::SingleQuoted));
    } else if text == "y" || text == "n" {
        Style::DoubleQuoted
    } else if width.is_some_and(|width| text.chars().count() > width) {
        Style::Folded
    } else if begins_with_sign(&text) {
        Style::DoubleQuoted
    } else if is_text(&text)? && !BROKEN_OCTAL.is_match(&text) {
        Style::Plain
    } else {
        Style::SingleQuoted
    };
    Ok(scalar(text, None, style))
}

/// Whether a line begins with a sign, and contains no double quote after it.
fn begins_with_sign(text: &str) -> bool {
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(breaks).any(|start| {
        let Some(first) = text[start..].chars().next() else { return false };
        let rest = &text[start + first.len_utf8()..];
        let end = rest.find('"');
        !WORD.is_match(&text[start..]) && end.is_none_or(|end| rest[..end].contains('\n'))
    })
}

/// Whether a plain scalar would be parsed as a text.
fn is_text(text: &str) -> Result<bool, ScalarError> {
    Ok(match resolve(text)? {
        Scalar::Value(value) => matches!(value, Value::String(_)),
        Scalar::Symbol(_) => false,
        Scalar::Date => !is_date(text),
        Scalar::Time => !is_time(text),
    })
}

fn numbers(text: &str) -> impl Iterator<Item = i64> {
    text.split(|it: char| !it.is_ascii_digit())
        .filter(|it| !it.is_empty())
        .map(|it| it.parse().unwrap_or(i64::MAX))
}

fn is_date(text: &str) -> bool {
    let mut parts = numbers(text);
    let (Some(year), Some(month), Some(day)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// Whether the parts of a time are in range. Days beyond the end of a month continue into the next month.
fn is_time(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let Some(split) = unsigned.find(['t', 'T', ' ', '\t', '\r', '\u{b}', '\u{c}']) else { return false };
    let (date, time) = unsigned.split_at(split);
    let mut date = numbers(date).skip(1);
    let (Some(month), Some(day)) = (date.next(), date.next()) else { return false };
    let mut parts = numbers(time);
    let (Some(hour), Some(minute), Some(second)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let in_day = hour < 24 || (hour == 24 && minute == 0 && second == 0);
    let zone = time.rfind(['+', '-']).map(|at| &time[at + 1..]);
    let zone_hours: i64 =
        zone.map_or(0, |zone| zone.get(..2).unwrap_or(zone).trim_end_matches(':').parse().unwrap_or(0));
    let zone_minutes: i64 = zone.map_or(0, |zone| {
        let digits: String = zone.chars().filter(char::is_ascii_digit).skip(2).collect();
        digits.parse().unwrap_or(0)
    });
    (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && in_day
        && minute < 60
        && second <= 60
        && zone_hours * 3600 + zone_minutes * 60 < 86_400
}
