//! Formats: a list of steps.

use super::{ScanError, WIDTH_LIMIT, is_blank};

/// One step of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step<'f> {
    /// The step as written, with the blanks before it.
    source: &'f str,
    /// Whether its match doesn't produce a value: `%*d`.
    pub(super) is_suppressed: bool,
    width: Option<&'f str>,
    pub(super) conversion: Conversion<'f>,
}

/// The pattern of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion<'f> {
    /// The input must contain this text.
    Literal(&'f str),
    /// `%d %u %o %x %X`: an integer in a base.
    Integer(u32),
    /// `%i`: an integer whose prefix determines its base.
    AnyInteger,
    /// `%a %e %f %g` and their capitals.
    Float,
    /// `%s`: a run of nonblank characters.
    Word,
    /// `%c`.
    Characters,
    /// `%[…]`: the content of the brackets, which is a character class of regular expressions.
    Set(&'f str),
}

impl Step<'_> {
    /// Whether blanks before it are significant. They are for `%c`, unless blanks precede it in the format, and for
    /// sets in any case; but not for suppressed sets.
    pub(super) fn keeps_blanks(&self) -> bool {
        match self.conversion {
            Conversion::Characters => self.source.starts_with('%'),
            Conversion::Set(_) => !self.is_suppressed,
            _ => false,
        }
    }

    /// Returns the width, if something can match within it.
    pub(super) fn checked_width(&self) -> Result<Option<usize>, ScanError> {
        let Some(width) = self.width else { return Ok(None) };
        let source = || self.source.trim_start_matches(is_blank).to_owned();
        let (least, most) = match self.conversion {
            Conversion::Literal(_) => return Ok(None),
            // There must be room for a sign.
            Conversion::Integer(8) => (2, WIDTH_LIMIT),
            // A single digit always has room.
            Conversion::AnyInteger => (0, WIDTH_LIMIT + 1),
            _ => (1, WIDTH_LIMIT),
        };
        match width.parse() {
            Ok(width) if width < least => Err(ScanError::NarrowWidth(source())),
            Ok(width) if width <= most => Ok(Some(width)),
            _ => Err(ScanError::WideWidth(source())),
        }
    }
}

/// The steps of a format. A `%` that doesn't start a step, and blanks before literal text, are ignored.
pub(super) fn steps(format: &str) -> impl Iterator<Item = Step<'_>> {
    let mut rest = format;
    std::iter::from_fn(move || {
        loop {
            if let Some(step) = conversion(rest) {
                rest = &rest[step.source.len()..];
                return Some(step);
            }
            rest = rest.trim_start_matches(is_blank);
            if let Some(after) = rest.strip_prefix('%') {
                rest = after;
                continue;
            }
            let end = rest.find(|it| it == '%' || is_blank(it)).unwrap_or(rest.len());
            let (literal, after) = rest.split_at(end);
            rest = after;
            return (!literal.is_empty()).then(|| plain(literal, literal));
        }
    })
}

fn plain<'f>(source: &'f str, literal: &'f str) -> Step<'f> {
    Step { source, is_suppressed: false, width: None, conversion: Conversion::Literal(literal) }
}

/// Parses the conversion at the start of a format, including blanks before it.
fn conversion(format: &str) -> Option<Step<'_>> {
    let written = format.trim_start_matches(is_blank).strip_prefix('%')?;
    let source = |rest: &str| &format[..format.len() - rest.len()];
    if let Some(rest) = written.strip_prefix('%') {
        return Some(plain(source(rest), "%"));
    }
    let (is_suppressed, written) = match written.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, written),
    };
    let (digits, written) = written.split_at(written.find(|it: char| !it.is_ascii_digit())?);
    let width = (!digits.is_empty()).then_some(digits);
    let (conversion, rest) = if let Some(inside) = written.strip_prefix('[') {
        set(inside)?
    } else {
        let letter = written.chars().next()?;
        let rest = &written[letter.len_utf8()..];
        let conversion = match letter {
            'd' | 'u' => Conversion::Integer(10),
            'o' => Conversion::Integer(8),
            'x' | 'X' => Conversion::Integer(16),
            'i' => Conversion::AnyInteger,
            'a' | 'e' | 'f' | 'g' | 'A' | 'E' | 'F' | 'G' => Conversion::Float,
            's' => Conversion::Word,
            'c' => Conversion::Characters,
            // These are letters of conversions, but don't convert anything: they must match literally, including the blanks.
            'D' | 'U' | 'O' | 'I' | 'S' | 'C' | 'ſ' => return Some(plain(source(rest), source(rest))),
            _ => return None,
        };
        (conversion, rest)
    };
    Some(Step { source: source(rest), is_suppressed, width, conversion })
}

/// Parses the content of brackets, after the first one, and returns the rest: `a-z]`, or one named class, `[:alpha:]]`.
fn set(inside: &str) -> Option<(Conversion<'_>, &str)> {
    let end = inside.find(']')?;
    let name = inside[..end].strip_prefix("[:").and_then(|it| it.strip_suffix(':'));
    let is_word = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    if let (Some(name), Some(rest)) = (name.filter(|it| is_word(it)), inside[end..].strip_prefix("]]")) {
        // Names of classes are in lower case; text that only looks like one doesn't include the closing bracket.
        let is_class = name.bytes().all(|it| it.is_ascii_lowercase());
        return Some((Conversion::Set(&inside[..end + usize::from(is_class)]), rest));
    }
    Some((Conversion::Set(&inside[..end]), &inside[end + 1..]))
}
