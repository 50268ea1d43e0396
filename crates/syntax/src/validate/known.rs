//! The errors of a text that were found before validation.

use marotte_text::{TextRange, TextSize};

use crate::{SyntaxError, SyntaxErrorKind};

/// The positions of the errors of lexer, grammar and builder.
pub(super) struct Known {
    /// The start of each error, in order, and the furthest end so far.
    places: Vec<(TextSize, TextSize)>,
    /// Whether blocks may nest differently than the author intended.
    pub(super) misshapen: bool,
    /// Whether a string or comment does not end, so that text and code may be swapped.
    pub(super) torn: bool,
}

impl Known {
    pub(super) fn new<'e>(errors: impl Iterator<Item = &'e SyntaxError>) -> Known {
        let mut known = Known { places: Vec::new(), misshapen: false, torn: false };
        for error in errors.filter(|error| !error.kind.is_warning()) {
            known.places.push((error.range.start(), error.range.end()));
            known.torn |= error.kind.runs_to_the_end();
            known.misshapen |= is_about_shape(&error.kind);
        }
        known.places.sort_unstable();
        let mut furthest = TextSize::new(0);
        for (_, end) in &mut known.places {
            furthest = furthest.max(*end);
            *end = furthest;
        }
        known
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether an error is in `range` or touches it.
    pub(super) fn touches(&self, range: TextRange) -> bool {
        let before = self.places.partition_point(|(start, _)| *start <= range.end());
        before
            .checked_sub(1)
            .and_then(|last| self.places.get(last))
            .is_some_and(|(_, end)| *end >= range.start())
    }
}

fn is_about_shape(kind: &SyntaxErrorKind) -> bool {
    kind.runs_to_the_end()
        || matches!(
            kind,
            SyntaxErrorKind::Unexpected { .. }
                | SyntaxErrorKind::Unclosed { .. }
                | SyntaxErrorKind::Unopened { .. }
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_by_place() {
        let at = |start: u32, end: u32| TextRange::new(start.into(), end.into());
        let error = |start, end| SyntaxError { range: at(start, end), kind: SyntaxErrorKind::NotAResource };
        let errors = [error(30, 31), error(5, 20), error(7, 8)];
        let known = Known::new(errors.iter());
        for (range, touches) in [
            (at(0, 4), false),
            (at(0, 5), true),
            (at(12, 15), true),
            (at(21, 29), false),
            (at(21, 40), true),
            (at(32, 33), false),
        ] {
            assert_eq!(known.touches(range), touches, "{range:?}");
        }
        assert!(!Known::new([].iter()).touches(at(0, 9)));
    }
}
