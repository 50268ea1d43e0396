//! The layout of conditionals.

use marotte_syntax::TokenKind;
use marotte_syntax::ast::{Case, Expr, If, Selector, SelectorEntry, Unless};

use super::list::List;
use crate::writer::{Writer, span};

/// The indentation of conditions that take several lines: deeper than that of the block that follows.
const CONDITION_LEVELS: u32 = 2;

impl Writer<'_> {
    pub(super) fn if_(&mut self, it: &If) {
        if let Some(first) = it.arms.first() {
            self.condition(&first.test);
            self.block(&first.body);
        }
        self.other_arms(it);
    }

    /// Writes what follows the block of the first condition.
    pub(super) fn other_arms(&mut self, it: &If) {
        for arm in it.arms.iter().skip(1) {
            self.space_after_block();
            self.condition(&arm.test);
            self.block(&arm.body);
        }
        self.otherwise(it.otherwise.as_deref());
    }

    pub(super) fn unless(&mut self, it: &Unless) {
        self.condition(&it.test);
        self.block(&it.body);
        self.otherwise(it.otherwise.as_deref());
    }

    /// Writes a keyword and its condition, followed by a blank.
    fn condition(&mut self, test: &Expr) {
        self.token();
        self.doc.space();
        self.operands(test, CONDITION_LEVELS);
        self.doc.space();
    }

    pub(super) fn otherwise(&mut self, body: Option<&[Expr]>) {
        if let Some(body) = body {
            self.space_after_block();
            self.token();
            self.doc.space();
            self.block(body);
        }
    }

    pub(super) fn case(&mut self, case: &Case) {
        self.condition(&case.test);
        self.token();
        self.doc.group();
        self.doc.indent(1);
        let mut options = case.options.iter();
        let mut is_first = true;
        while let Some(option) = options.next() {
            self.doc.hard_line();
            if !is_first {
                self.item();
            }
            is_first = false;
            if let Some(kept) = self.kept_at(span(option.range).0) {
                self.verbatim(kept.start, kept.end);
                (1..kept.count).for_each(|_| _ = options.next());
                continue;
            }
            self.before_token();
            self.doc.group();
            for (index, value) in option.values.iter().enumerate() {
                if index > 0 {
                    self.doc.word(",");
                    self.skip_comma();
                    self.doc.line();
                }
                self.expression(value);
            }
            // The colon.
            self.token();
            self.doc.end_group(None);
            self.doc.space();
            self.block(&option.body);
        }
        self.dangling_comments(false);
        self.doc.dedent();
        self.doc.hard_line();
        self.doc.end_group(None);
        self.token();
    }

    /// Writes `value ? { … }`; `broken` if each entry has a line of its own.
    pub(super) fn selector(&mut self, selector: &Selector, broken: bool) {
        self.expression(&selector.value);
        self.spaced_token();
        if !self.is_at(TokenKind::SelectBrace) {
            for entry in &selector.entries {
                match self.kept_at(self.next_start()) {
                    Some(kept) => self.verbatim(kept.start, kept.end),
                    None => self.selector_entry(entry),
                }
            }
            return;
        }
        let columns = self.start_columns();
        let list = List { padded: true, trailing_comma: true, broken, ..List::default() };
        self.list(list, selector.entries.iter(), |writer, entry| writer.selector_entry(entry));
        self.align(columns);
    }

    fn selector_entry(&mut self, entry: &SelectorEntry) {
        let mark = self.start_cell();
        self.expression(&entry.key);
        self.column(mark);
        self.spaced_token();
        self.value(&entry.value);
    }
}
