//! The context in lists of parameters: of definitions, of lambdas and of templates.

use marotte_syntax::LexemeKind;

use super::Scanner;

impl Scanner<'_> {
    /// Whether the name of a new parameter follows: nothing of it is written yet, apart from its type.
    pub(super) fn is_new_parameter(&self) -> bool {
        let begin = self.parameter_of_pipes().or_else(|| self.parameter_of_definition());
        begin.is_some_and(|it| (it..self.all.len()).all(|index| self.may_be_in_type(index)))
    }

    /// Whether the type of a parameter of a lambda or of a template follows.
    pub(super) fn is_type_of_parameter(&self) -> bool {
        self.parameter_of_pipes() == Some(self.all.len())
    }

    fn may_be_in_type(&self, index: usize) -> bool {
        match self.kind_at(index) {
            Some(LexemeKind::Operator) => matches!(self.word_at(index), "*" | "=>" | "-"),
            Some(LexemeKind::Reference | LexemeKind::Punctuation | LexemeKind::Regex) => true,
            Some(LexemeKind::String | LexemeKind::Number | LexemeKind::Constant) => true,
            _ => false,
        }
    }

    /// The index of the first lexeme of the parameter at this place, in a list between `|` and `|`.
    fn parameter_of_pipes(&self) -> Option<usize> {
        let is_pipe =
            |it: &usize| self.word_at(*it) == "|" && self.kind_at(*it) == Some(LexemeKind::Punctuation);
        let begin = self.open.last().map_or(0, |it| it + 1);
        let pipes: Vec<usize> = self.level(begin).filter(is_pipe).collect();
        let open = pipes.last().filter(|_| !pipes.len().is_multiple_of(2))?;
        Some(self.parameter_after(*open))
    }

    /// The index of the first lexeme of the parameter at this place, in the parentheses of a definition.
    fn parameter_of_definition(&self) -> Option<usize> {
        let open = *self.open.last().filter(|it| self.word_at(**it) == "(")?;
        let keyword = open.checked_sub(2)?;
        let is_definition = matches!(self.word_at(keyword), "class" | "define" | "function" | "plan");
        is_definition.then(|| self.parameter_after(open))
    }

    /// The index after the last comma of a list.
    fn parameter_after(&self, open: usize) -> usize {
        self.top_level(open).filter(|it| self.word_at(*it) == ",").last().unwrap_or(open) + 1
    }
}
