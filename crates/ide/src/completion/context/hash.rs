//! The context inside a hash, which follows from what takes it: `epp`, `lookup`, functions that declare resources, `* =>`.

use marotte_syntax::LexemeKind;
use marotte_text::{Str, normalized, unrooted};

use super::{Context, Owner, Scanner};

impl Scanner<'_> {
    /// The context in the hash that a brace opens.
    pub(super) fn inside_hash(&self, open: usize) -> Option<Context> {
        let is_key = matches!(self.last(), "{" | ",");
        let last = self.all.len().saturating_sub(1);
        let key = match self.last() {
            "=>" => self.name_at(last.checked_sub(1)),
            _ => Str::new(),
        };
        if let Some(owner) = self.owner_of_hash(open) {
            return Some(match is_key {
                true => Context::Attribute(owner),
                false if !key.is_empty() => Context::Value(owner, key),
                false => Context::Expression { is_statement: false },
            });
        }
        Some(match (self.argument(open), is_key, &*key) {
            (Some(("epp", 1, call)), true, _) if self.kind_at(call + 1) == Some(LexemeKind::String) => {
                Context::TemplateParameter(self.name_at(Some(call + 1)))
            }
            (Some((name @ ("run_task" | "run_plan"), index, call)), true, _) => {
                self.run(name, index, call).unwrap_or(Context::Expression { is_statement: false })
            }
            (Some(("lookup", 0 | 1, _)), true, _) => Context::LookupOption,
            (Some(("lookup", 0 | 1, _)), false, "name") => Context::DataKey,
            (Some(("lookup", 0 | 1, _)), false, "merge") => Context::MergeStrategy,
            (Some(("lookup", 0 | 1, _)), false, "value_type") => Context::Type,
            _ => Context::Expression { is_statement: false },
        })
    }

    /// A parameter of the task or plan that a call runs, by the index of the argument and the call's parenthesis.
    pub(super) fn run(&self, function: &str, index: usize, call: usize) -> Option<Context> {
        let (is_task, first) = match function {
            "run_task" => (true, 2),
            "run_plan" => (false, 1),
            _ => return None,
        };
        let is_named = index >= first && self.kind_at(call + 1) == Some(LexemeKind::String);
        is_named.then(|| Context::RunParameter { is_task, name: self.name_at(Some(call + 1)) })
    }

    /// The call whose argument begins with a lexeme: its function, the index of the argument, and its parenthesis.
    fn argument(&self, begin: usize) -> Option<(&str, usize, usize)> {
        let call = *self.open.iter().rev().find(|it| **it < begin)?;
        let name = call.checked_sub(1)?;
        if self.word_at(call) != "(" || self.kind_at(name) != Some(LexemeKind::Name) {
            return None;
        }
        let commas = self.top_level(call).filter(|it| *it < begin && self.word_at(*it) == ",").count();
        Some((unrooted(self.word_at(name)), commas, call))
    }

    /// The resource whose attributes a hash has: that of `* => {`, or those that a function declares.
    fn owner_of_hash(&self, open: usize) -> Option<Owner> {
        let outer = *self.open.iter().rev().find(|it| **it < open)?;
        let before = |back: usize| open.checked_sub(back).map_or("", |it| self.word_at(it));
        let type_name = if before(1) == "=>" && before(2) == "*" && self.word_at(outer) == "{" {
            Some(self.name_at(outer.checked_sub(1)))
        } else if before(1) == "=>" {
            // The resources of `create_resources('type', { 'title' => {`.
            match self.argument(outer) {
                Some(("create_resources" | "ensure_resources", 1, call)) => {
                    Some(self.name_at(Some(call + 1)))
                }
                _ => None,
            }
        } else {
            match self.argument(open) {
                Some(("create_resources" | "ensure_resource" | "ensure_resources", 2, call)) => {
                    Some(self.name_at(Some(call + 1)))
                }
                _ => None,
            }
        };
        let type_name = normalized(type_name.filter(|it| !it.is_empty())?.trim_start_matches('@'));
        let title = match before(2) {
            "*" => self.name_at(Some(outer + 1)),
            _ => self.name_at(open.checked_sub(2)),
        };
        let class = (type_name == "class").then(|| normalized(&title));
        let arrows = self.top_level(open).filter(|it| self.word_at(*it) == "=>");
        let mut given: Vec<Str> = arrows.map(|it| self.name_at(it.checked_sub(1))).collect();
        given.extend(self.given_behind());
        Some(Owner { type_name, class, given })
    }

    /// A lexeme without quotes.
    pub(super) fn name_at(&self, index: Option<usize>) -> Str {
        index.map_or("", |it| self.word_at(it)).trim_matches(['\'', '"']).into()
    }
}
