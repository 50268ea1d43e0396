use std::fmt;

use marotte_text::TextRange;

/// Stands for a file of the running process; who owns the files gives the numbers out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Not reported.
    Ignore,
    /// Something that Puppet accepts and that is probably not meant.
    Warning,
    /// Something that Puppet refuses.
    Error,
}

impl Level {
    /// The word for it in reports.
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

/// One finding. Holds byte ranges only: lines and columns are found when it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kebab-case name of the rule, as in the registry.
    pub rule: &'static str,
    /// The rule's default level; configuration may change it when it is shown.
    pub level: Level,
    /// The file it is about.
    pub file: FileId,
    /// The exact token.
    pub range: TextRange,
    /// One sentence without a full stop: what was found and what was expected.
    pub message: String,
    /// A few words at the token itself.
    pub label: Option<String>,
    /// Other places that explain this one.
    pub related: Vec<Related>,
    /// Sentences below the picture: why, and what to do.
    pub notes: Vec<String>,
    /// How to mend it.
    pub fix: Option<Fix>,
    /// The line that it is about holds a secret, and is not to be shown.
    pub conceals: bool,
}

impl Diagnostic {
    /// A finding with nothing but a message.
    pub fn new(rule: &'static str, level: Level, file: FileId, range: TextRange, message: String) -> Self {
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
        }
    }
}

impl Diagnostic {
    /// What pictures show beside the message: the words at the token, then the notes below.
    pub fn details(&self) -> impl Iterator<Item = &str> {
        self.label.iter().chain(&self.notes).map(String::as_str)
    }

    /// The message and its details, a line each.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = std::iter::once(self.message.as_str()).chain(self.details()).collect();
        lines.join("\n")
    }

    /// The name that was probably meant, as the details say it: "did you mean `x`?".
    pub fn hint(&self) -> Option<&str> {
        self.details().find(|it| it.starts_with("did you mean "))
    }
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Its file, often the finding's own.
    pub file: FileId,
    /// Its range.
    pub range: TextRange,
    /// A few words.
    pub message: String,
}

/// A mend: edits of one file that do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Says what it does: "replace `=` with `=>`".
    pub title: String,
    /// The meaning cannot change other than as intended.
    pub safe: bool,
    /// In order of position.
    pub edits: Vec<Edit>,
}

/// Replaces a range by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub range: TextRange,
    /// What it is replaced by.
    pub text: String,
}
