//! Completion of names at a place.

mod code;
mod context;
mod data;
mod erb;
pub(crate) mod fact_values;
mod following;
mod json;
mod locals;
mod modules;
pub(crate) mod names;
mod open_call;
mod puppetfile;
mod quotes;
mod settings;
mod yaml;

pub use names::prepare_completion;
pub(crate) use open_call::call_at;

use std::collections::HashMap;

use marotte_db::source_text;
use marotte_resolve::data_files::{HieraFileKind, hiera_file};
use marotte_text::TextRange;

use crate::token::{is_code, is_erb, slice};
use crate::{Db, FilePosition, SymbolKind};

/// A proposal for completing the code at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionItem {
    /// The label in the list, and the text that typing is compared with.
    pub label: String,
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// A short description of the symbol: a signature, a type.
    pub detail: Option<String>,
    /// The documentation, in Markdown.
    pub documentation: Option<String>,
    /// The range to replace: the text written so far.
    pub replace: TextRange,
    /// The text to insert. In the notation of snippets (`$1`, `${2:name}`, `$0`) if `is_snippet`.
    pub insert: String,
    /// `insert` contains placeholders.
    pub is_snippet: bool,
    /// The sort rank: lower numbers come first.
    pub rank: u8,
    /// The symbol is deprecated.
    pub is_deprecated: bool,
}

/// The proposals at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The proposals, in the order in which they are shown.
    pub items: Vec<CompletionItem>,
    /// The list is truncated: the client should ask again when the user types on.
    pub is_incomplete: bool,
}

/// The maximum number of items; typing reveals the others.
const MOST: usize = 100;

/// The completions at a place in a manifest, in the code of a template, or in a data file: attributes that aren't set yet,
/// their values, variables, classes, functions, types, facts, titles of resources, templates and files, data keys.
///
/// Empty in comments, in the text of templates, and where the context doesn't determine anything. The code before the place
/// needn't be complete; the code after it hardly matters.
pub fn completions(db: &dyn Db, at: FilePosition) -> Completions {
    let text = source_text(db, at.file).text();
    if text.get(..usize::from(at.offset)).is_none() {
        return Completions::default();
    }
    let mut found = Found { text, items: Vec::new(), functions: HashMap::new() };
    match hiera_file(db, at.file).map(|it| &it.kind) {
        Some(HieraFileKind::Data { format, .. }) => data::complete(db, at, *format, &mut found),
        Some(HieraFileKind::Configuration) => settings::hierarchy(db, at, &mut found),
        None if is_code(db, at.file) => code::complete(db, at, &mut found),
        None if is_erb(db, at.file) => erb::complete(db, at, &mut found),
        None => match at.file.path(db).file_name() {
            Some("environment.conf") => settings::environment_conf(db, at, &mut found),
            Some("metadata.json") => modules::metadata(db, at, &mut found),
            Some("Puppetfile") => puppetfile::complete(db, at, &mut found),
            _ => {}
        },
    }
    found.finish(db, at)
}

/// The proposals found so far.
pub(crate) struct Found<'t> {
    text: &'t str,
    items: Vec<CompletionItem>,
    /// The functions among the proposals, by name.
    functions: HashMap<String, code::Proposed<'t>>,
}

impl<'t> Found<'t> {
    /// The text of a range.
    fn text_of(&self, range: TextRange) -> &'t str {
        slice(self.text, range)
    }

    /// Adds a proposal if it matches the text written so far.
    fn add(
        &mut self,
        written: TextRange,
        kind: SymbolKind,
        label: impl Into<String>,
    ) -> Option<&mut CompletionItem> {
        let label = label.into();
        if !fits(&label, slice(self.text, written)) {
            return None;
        }
        self.items.push(CompletionItem {
            insert: label.clone(),
            label,
            kind,
            detail: None,
            documentation: None,
            replace: written,
            is_snippet: false,
            rank: 5,
            is_deprecated: false,
        });
        self.items.last_mut()
    }

    /// Sorts the proposals, and describes those that are shown.
    fn finish(self, db: &'t dyn Db, at: FilePosition) -> Completions {
        let Found { text, items, functions } = self;
        let (mut items, is_incomplete) = best(items, text);
        for it in &mut items {
            match functions.get(&it.label).filter(|_| it.kind == SymbolKind::Function) {
                Some(proposed) => proposed.describe(db, at, it),
                None => code::document(db, at.file, it),
            }
            following::adapt(it, text);
        }
        Completions { items, is_incomplete }
    }
}

/// The first proposals in the order in which they are shown, and whether there are more. Of several proposals of one name, the best
/// is kept.
fn best(items: Vec<CompletionItem>, text: &str) -> (Vec<CompletionItem>, bool) {
    let keys: Vec<(u8, u8)> = items.iter().map(|it| (distance(it, text), it.rank)).collect();
    let mut named: HashMap<(SymbolKind, &str), usize> = HashMap::new();
    for (index, it) in items.iter().enumerate() {
        let kept = named.entry((it.kind, &it.label)).or_insert(index);
        if keys[index] < keys[*kept] {
            *kept = index;
        }
    }
    let mut order: Vec<usize> = named.into_values().collect();
    let by_key = |one: &usize, other: &usize| {
        let key = |it: usize| (keys[it], &items[it].label, it);
        key(*one).cmp(&key(*other))
    };
    let is_incomplete = order.len() > MOST;
    if is_incomplete {
        order.select_nth_unstable_by(MOST, by_key);
        order.truncate(MOST);
    }
    order.sort_unstable_by(by_key);
    let mut items: Vec<Option<CompletionItem>> = items.into_iter().map(Some).collect();
    (order.into_iter().filter_map(|it| items[it].take()).collect(), is_incomplete)
}

/// The degree to which a label differs from the written text: 0 if it begins with it, 1 if the last part of a qualified name
/// does, 2 otherwise.
fn distance(item: &CompletionItem, text: &str) -> u8 {
    let written = slice(text, item.replace).trim_start_matches(':');
    let label = item.label.trim_start_matches(['\'', '"', ':']);
    let last = label.rsplit("::").next().unwrap_or_default();
    if begins_with(label, written.trim_start_matches(['\'', '"'])) {
        0
    } else if begins_with(last, written) {
        1
    } else {
        2
    }
}

/// Whether a text begins with another one, in letters of any case.
fn begins_with(text: &str, start: &str) -> bool {
    let mut letters = text.chars().flat_map(char::to_lowercase);
    start.chars().flat_map(char::to_lowercase).all(|wanted| letters.next() == Some(wanted))
}

/// Whether a name contains the written letters, in order.
fn fits(label: &str, written: &str) -> bool {
    let mut letters = label.chars().flat_map(char::to_lowercase);
    let written = written.trim_start_matches("::");
    written.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|it| it == wanted))
}

/// Escapes a text so that it contains no snippet placeholders.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

#[cfg(test)]
mod tests;
