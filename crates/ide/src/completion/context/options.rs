//! The options of a `case` and of a selector.

use marotte_syntax::LexemeKind;

use super::Scanner;

impl Scanner<'_> {
    /// Whether an option of a `case` or of a selector may begin at the place.
    pub(super) fn may_begin_option(&self) -> bool {
        let Some(open) = self.open.last().copied().filter(|it| self.word_at(*it) == "{") else {
            return false;
        };
        let is_selector = open.checked_sub(1).is_some_and(|it| self.word_at(it) == "?");
        match self.last() {
            "{" | "," => is_selector || self.is_case(open),
            "}" => !is_selector && self.is_case(open),
            _ => false,
        }
    }

    /// Whether a brace opens the options of a `case` that begins on its line.
    fn is_case(&self, open: usize) -> bool {
        let mut depth = 0_usize;
        let mut end = usize::from(self.all[open].range.start());
        for index in (0..open).rev() {
            let range = self.all[index].range;
            let between = self.text.get(usize::from(range.end())..end).unwrap_or_default();
            if between.contains('\n') {
                return false;
            }
            end = usize::from(range.start());
            match (self.kind_at(index), self.word_at(index)) {
                (_, ")" | "]") | (Some(LexemeKind::StringEnd), _) => depth += 1,
                (Some(LexemeKind::StringStart), _) | (_, "(" | "[") if depth > 0 => depth -= 1,
                (Some(LexemeKind::Keyword), "case") if depth == 0 => return true,
                (_, "{" | "}" | ";" | "(" | "[") if depth == 0 => return false,
                _ => {}
            }
        }
        false
    }
}
