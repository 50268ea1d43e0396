use std::fmt;

use marotte_text::TextRange;

use crate::rules::Rule;

/// The number of a file in the running process; assigned by the owner of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The finding is not reported.
    Ignore,
    /// Code that Puppet accepts and that is probably a mistake.
    Warning,
    /// Code that Puppet rejects.
    Error,
}

impl Level {
    /// The level's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Ignore => "ignored",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A finding. It only contains byte ranges: lines and columns are computed when it is displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule, or the issue of evaluation.
    pub rule: &'static Rule,
    /// The rule's default level; configuration may change it when the finding is displayed.
    pub level: Level,
    /// The file that contains the range.
    pub file: FileId,
    /// The exact token at fault.
    pub range: TextRange,
    /// One sentence without a full stop: what was found and what was expected.
    pub message: String,
    /// A few words shown at the token itself.
    pub label: Option<String>,
    /// Other places that explain the finding.
    pub related: Vec<Related>,
    /// Sentences shown below the excerpt: the reason, and what to do.
    pub notes: Vec<String>,
    /// A fix, if one is known.
    pub fix: Option<Fix>,
    /// The line contains a secret and must not be displayed.
    pub conceals: bool,
    /// Whether all versions of Puppet do the same with the code, so that an upgrade doesn't break it, whatever the rule.
    pub in_all_versions: bool,
}

impl Diagnostic {
    /// Creates a finding with only a message.
    pub fn new(rule: &'static Rule, level: Level, file: FileId, range: TextRange, message: String) -> Self {
        Diagnostic {
            rule,
            level,
            file,
            range,
            message,
            label: None,
            related: Vec::new(),
            notes: Vec::new(),
            fix: None,
            conceals: false,
            in_all_versions: false,
        }
    }
}

/// The start of a text that names what was probably meant.
const MEANT: &str = "did you mean ";

impl Diagnostic {
    /// Returns the texts that renderings show beside the message: the label at the range, the notes, and the name that was
    /// probably meant unless another text contains it.
    pub fn details(&self) -> impl Iterator<Item = &str> {
        let meant = self.related.iter().map(|it| &it.message).filter(|it| it.starts_with(MEANT));
        self.label.iter().chain(&self.notes).chain(meant).map(String::as_str)
    }

    /// The message and its details, a line each.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = std::iter::once(self.message.as_str()).chain(self.details()).collect();
        lines.join("\n")
    }

    /// The name that was probably meant, as the details say it: "did you mean `x`?".
    pub fn hint(&self) -> Option<&str> {
        self.details().find(|it| it.starts_with(MEANT))
    }
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place's file, often the finding's own.
    pub file: FileId,
    /// The place's range.
    pub range: TextRange,
    /// A few words shown at the place.
    pub message: String,
}

/// A fix: edits of one file that don't overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The description of the fix: "replace `=` with `=>`".
    pub title: String,
    /// The fix cannot change the meaning other than as intended.
    pub safe: bool,
    /// The edits, in order of position.
    pub edits: Vec<Edit>,
}

/// The replacement of a range by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The range to replace; empty for an insertion.
    pub range: TextRange,
    /// The text that replaces the range.
    pub text: String,
}
