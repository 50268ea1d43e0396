//! The resource whose attributes are written at a place: it can't depend on itself.

use marotte_syntax::LexemeKind;
use marotte_text::{Str, normalized, unrooted};

use super::Scanner;

/// A resource by its type, or a class, with the titles that are written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::completion) struct OwnResource {
    type_name: Str,
    titles: Vec<Str>,
}

impl OwnResource {
    /// Whether this is the resource with a type, in lower case, and a title.
    pub(in crate::completion) fn is(&self, type_name: &str, title: &str) -> bool {
        let is_class = type_name == "class";
        let is_same = |it: &Str| match is_class {
            true => normalized(unrooted(it)) == normalized(unrooted(title)),
            false => **it == *title,
        };
        self.type_name == type_name && self.titles.iter().any(is_same)
    }
}

impl Scanner<'_> {
    /// The resource whose attributes are written at the place. None while its title isn't complete.
    pub(super) fn own_resource(&self) -> Option<OwnResource> {
        let groups = |it: usize| matches!(self.word_at(it), "[" | "(");
        let brace = self.open.iter().copied().rev().find(|it| !groups(*it))?;
        let name = brace.checked_sub(1)?;
        let is_type = self.kind_at(name) == Some(LexemeKind::Name) || self.word_at(name) == "class";
        if self.word_at(brace) != "{" || !is_type {
            return None;
        }
        let level: Vec<usize> = self.top_level(brace).collect();
        let last = |sign: &str| level.iter().copied().rev().find(|it| self.word_at(*it) == sign);
        let begin = last(";").unwrap_or(brace) + 1;
        let end = level.into_iter().find(|it| *it >= begin && self.word_at(*it) == ":")?;
        let is_title = |it: &usize| matches!(self.kind_at(*it), Some(LexemeKind::String | LexemeKind::Name));
        let titles = (begin..end).filter(is_title).map(|it| self.name_at(Some(it))).collect();
        Some(OwnResource { type_name: normalized(unrooted(self.word_at(name))), titles })
    }
}
