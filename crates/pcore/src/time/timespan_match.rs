//! Matches a text against the segments of a timespan format.
//!
//! Adjacent digits without a separator can be split in several ways, so this is a small regular expression: each
//! segment takes as much as possible, earlier ones first, as long as the rest still matches. Whether the rest matches
//! is computed from the end of the text, once for each segment and position, so the time is proportional to their
//! product.

use super::TimeError;

/// The texts that a segment can match.
#[derive(Debug, Clone, Copy)]
pub(super) enum Span<'f> {
    /// The text must contain this literal.
    Literal(&'f [u8]),
    /// Digits, or digits and blanks in any order, of a bounded length.
    Digits { blanks: bool, least: usize, most: usize },
    /// Any number of blanks, then at least one digit.
    BlanksThenDigits,
}

/// The maximum length of a text, in bytes.
const LONGEST: usize = 1 << 14;

/// The maximum number of combinations of segment and position.
const MOST_PLACES: usize = 1 << 26;

/// Returns the text of each segment, or `None` if the text as a whole doesn't match. A minus sign before the first
/// segment is left out.
///
/// # Errors
/// [`TimeError::TooLong`] if the text, or format and text together, have thousands of characters.
pub(super) fn groups<'t>(spans: &[Span<'_>], text: &'t str) -> Result<Option<Vec<&'t str>>, TimeError> {
    let bytes = text.as_bytes();
    let places = bytes.len() + 1;
    if bytes.len() > LONGEST || spans.len().saturating_add(1).saturating_mul(places) > MOST_PLACES {
        return Err(TimeError::TooLong);
    }
    // `fits[n][place]`: the segments from the nth on can match the text from that position on.
    let mut fits = vec![vec![false; places]; spans.len() + 1];
    fits[spans.len()][bytes.len()] = true;
    for (index, span) in spans.iter().enumerate().rev() {
        let (here, after) = fits.split_at_mut(index + 1);
        fill(*span, bytes, &after[0], &mut here[index]);
    }
    let signed = bytes.first() == Some(&b'-');
    let start = match (signed && fits[0][1], fits[0][0]) {
        (true, _) => 1,
        (false, true) => 0,
        (false, false) => return Ok(None),
    };
    let mut place = start;
    let groups = spans.iter().zip(&fits[1..]).map(|(span, after)| {
        let (least, most) = ends(*span, bytes, place, run(*span, bytes, place))?;
        let end = (least..=most).rev().find(|&end| after[end])?;
        let group = text.get(place..end)?;
        place = end;
        Some(group)
    });
    Ok(groups.collect())
}

/// Determines for each position whether the segment can begin there, given the positions where the next one can.
fn fill(span: Span<'_>, text: &[u8], after: &[bool], here: &mut [bool]) {
    // The number of earlier positions at which the rest can begin.
    let mut before = vec![0usize; after.len() + 1];
    for (place, &fits) in after.iter().enumerate() {
        before[place + 1] = before[place] + usize::from(fits);
    }
    let mut length = 0;
    for place in (0..here.len()).rev() {
        length = match text.get(place) {
            Some(&byte) if span.accepts(byte) => length + 1,
            _ => 0,
        };
        here[place] =
            ends(span, text, place, length).is_some_and(|(least, most)| before[most + 1] > before[least]);
    }
}

impl Span<'_> {
    fn accepts(self, byte: u8) -> bool {
        match self {
            Span::Literal(_) => false,
            Span::Digits { blanks: false, .. } => byte.is_ascii_digit(),
            Span::Digits { blanks: true, .. } | Span::BlanksThenDigits => {
                byte.is_ascii_digit() || is_blank(byte)
            }
        }
    }
}

/// Returns the number of bytes that the segment accepts from `place` on.
fn run(span: Span<'_>, text: &[u8], place: usize) -> usize {
    text[place..].iter().take_while(|&&byte| span.accepts(byte)).count()
}

/// Returns the first and the last position where the segment can end if it begins at `place`, where it accepts `length`
/// bytes.
fn ends(span: Span<'_>, text: &[u8], place: usize, length: usize) -> Option<(usize, usize)> {
    match span {
        Span::Literal(literal) => {
            let end = place + literal.len();
            text[place..].starts_with(literal).then_some((end, end))
        }
        Span::Digits { least, most, .. } => {
            let most = most.min(length);
            (least <= most).then_some((place + least, place + most))
        }
        Span::BlanksThenDigits => {
            let accepted = &text[place..place + length];
            let blanks = accepted.iter().take_while(|&&byte| is_blank(byte)).count();
            let digits = accepted[blanks..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let first = place + blanks;
            (digits > 0).then_some((first + 1, first + digits))
        }
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
