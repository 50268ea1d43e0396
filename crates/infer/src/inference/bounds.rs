//! Limits on the size of types during a walk over a body: a type that doubles with each line becomes unknown before it gets
//! expensive.

use marotte_pcore::types::Type;

use super::known::Known;

/// The remaining budget of types for a walk.
#[derive(Debug)]
pub(super) struct Bounds {
    /// The largest permitted type, in units of its extent.
    largest: usize,
    /// The permitted total size of all further types.
    left: usize,
}

impl Bounds {
    /// The limits for a body with this number of expressions. A literal's type is as large as its text, once per nesting level.
    pub(super) fn of(expressions: usize) -> Bounds {
        const LARGEST: usize = 64 << 10;
        const LARGEST_FOR_EACH: usize = 64;
        const ALL: usize = 2 << 20;
        const ALL_FOR_EACH: usize = 512;
        Bounds {
            largest: LARGEST.saturating_add(LARGEST_FOR_EACH.saturating_mul(expressions)),
            left: ALL.saturating_add(ALL_FOR_EACH.saturating_mul(expressions)),
        }
    }

    /// Whether a text of this many bytes is too long to be known.
    pub(super) fn is_too_long(&self, bytes: usize) -> bool {
        bytes > self.largest.min(self.left)
    }

    /// Returns a type, unless it is too large to be known.
    pub(super) fn keep(&mut self, known: Known) -> Known {
        let it = known?;
        let size = it.extent().size();
        if is_small(&it) {
            return Some(it);
        }
        if size > self.largest {
            return None;
        }
        self.left = self.left.checked_sub(size)?;
        Some(it)
    }
}

/// Whether a type is about as large as one without parts.
fn is_small(it: &Type) -> bool {
    const SMALL: usize = 64;
    it.extent().size() <= SMALL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_doubles_is_unknown_soon() {
        let mut bounds = Bounds::of(100);
        let mut known = Some(Type::integer());
        let mut steps = 0;
        while let Some(it) = known {
            steps += 1;
            assert!(steps < 20);
            known = bounds.keep(Some(Type::tuple([it.clone(), it])));
        }
    }

    #[test]
    fn what_is_made_over_and_over_is_unknown_after_a_while() {
        let large = Type::tuple(vec![Type::literal("a text"); 500]);
        let mut bounds = Bounds::of(100);
        let made =
            std::iter::repeat_with(|| bounds.keep(Some(large.clone()))).take_while(Option::is_some).count();
        assert!((50..1_000).contains(&made), "{made}");
        assert_eq!(bounds.keep(Some(Type::integer())), Some(Type::integer()), "small ones are always known");
    }
}
