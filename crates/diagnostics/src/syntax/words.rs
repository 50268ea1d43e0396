use marotte_text::{TextRange, TextSize};

use crate::printable::quoted;
use crate::rules::Rule;
use crate::sources::offset_of;
use crate::{Edit, Fix};

/// The location of an error.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) source: &'a str,
    pub(super) range: TextRange,
}

impl<'a> Site<'a> {
    /// The exact text at fault; empty if the range does not fit the source.
    pub(super) fn text(self) -> &'a str {
        self.source.get(usize::from(self.range.start())..usize::from(self.range.end())).unwrap_or_default()
    }

    /// The text at fault in backticks.
    pub(super) fn quoted(self) -> String {
        quoted(self.text())
    }

    /// The text before it.
    pub(super) fn before(self) -> &'a str {
        self.source.get(..usize::from(self.range.start())).unwrap_or_default()
    }

    /// The text after it.
    pub(super) fn after(self) -> &'a str {
        self.source.get(usize::from(self.range.end())..).unwrap_or_default()
    }

    /// The blanks directly before it, line ends included.
    pub(super) fn blank_before(self) -> TextRange {
        let before = self.before();
        let length = before.len() - before.trim_end().len();
        TextRange::new(self.range.start() - offset_of(length), self.range.start())
    }

    /// Replaces the text at fault by `text`.
    pub(super) fn replace(self, text: impl Into<String>) -> Vec<Edit> {
        vec![Edit { range: self.range, text: text.into() }]
    }

    /// Removes the text at fault.
    pub(super) fn remove(self) -> Vec<Edit> {
        self.replace("")
    }

    /// The word at fault as a string, if it only lacks quotes.
    pub(super) fn in_quotes(self) -> Option<String> {
        let text = self.text();
        (!text.is_empty() && !text.contains(['\'', '\\', '\n'])).then(|| format!("'{text}'"))
    }
}

/// Inserts a text at an offset.
pub(super) fn insert(at: TextSize, text: &str) -> Vec<Edit> {
    vec![Edit { range: TextRange::empty(at), text: text.to_owned() }]
}

/// The content of a finding about one error.
pub(super) struct Words {
    pub(super) rule: &'static Rule,
    /// The range to report, if it isn't where the error was noticed.
    pub(super) at: Option<TextRange>,
    pub(super) message: String,
    pub(super) label: Option<String>,
    pub(super) related: Vec<(TextRange, String)>,
    pub(super) notes: Vec<String>,
    pub(super) fix: Option<Fix>,
}

impl Words {
    pub(super) fn new(rule: &'static Rule, message: impl Into<String>) -> Self {
        Words {
            rule,
            at: None,
            message: message.into(),
            label: None,
            related: Vec::new(),
            notes: Vec::new(),
            fix: None,
        }
    }

    /// Reports another range than the one where the error was noticed.
    pub(super) fn at(mut self, range: TextRange) -> Self {
        self.at = Some(range);
        self
    }

    /// Sets the text shown at the range itself.
    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds another place with its text.
    pub(super) fn related(mut self, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push((range, message.into()));
        self
    }

    /// Adds a sentence below the excerpt.
    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets a fix after which the code can only mean what was intended.
    pub(super) fn safe_fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix { title: title.into(), safe: true, edits });
        self
    }

    /// Sets a fix that is a guess.
    pub(super) fn guess(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix { title: title.into(), safe: false, edits });
        self
    }
}
