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

pub(crate) use open_call::call_at;

use std::collections::HashSet;

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
    let mut found = Found { text, items: Vec::new() };
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
    let mut completions = found.finish();
    // Only for those that are shown: a tree may have thousands.
    completions.items.iter_mut().for_each(|it| code::document(db, at.file, it));
    completions
}

/// The proposals found so far.
pub(crate) struct Found<'t> {
    text: &'t str,
    items: Vec<CompletionItem>,
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

    fn finish(mut self) -> Completions {
        let text = self.text;
        self.items.sort_by_cached_key(|it| (distance(it, text), it.rank, it.label.clone()));
        // Of several proposals of one name, the best is kept.
        let mut seen = HashSet::new();
        self.items.retain(|it| seen.insert((it.kind, it.label.clone())));
        let is_incomplete = self.items.len() > MOST;
        self.items.truncate(MOST);
        self.items.iter_mut().for_each(|it| following::adapt(it, text));
        Completions { items: self.items, is_incomplete }
    }
}

/// The degree to which a label differs from the written text: 0 if it begins with it, 1 if the last part of a qualified name
/// does, 2 otherwise.
fn distance(item: &CompletionItem, text: &str) -> u8 {
    let written = slice(text, item.replace).trim_start_matches(':').to_lowercase();
    let label = item.label.trim_start_matches(['\'', '"', ':']).to_lowercase();
    let last = label.rsplit("::").next().unwrap_or_default();
    if label.starts_with(written.trim_start_matches(['\'', '"'])) {
        0
    } else if last.starts_with(&written) {
        1
    } else {
        2
    }
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
