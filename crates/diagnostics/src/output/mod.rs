//! The output formats, one per file.

mod concise;
mod full;
mod github;
mod gitlab;
mod json;
mod json_lines;
mod junit;
mod sarif;

use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;

use foldhash::HashMap;

pub use crate::render::Color;
use crate::{Diagnostic, FileId, Sources, printable};

/// An output format for findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Excerpts of the source, for people.
    #[default]
    Full,
    /// One line per finding, for people and editors.
    Concise,
    /// One JSON array of objects.
    Json,
    /// The same objects, one per line.
    JsonLines,
    /// SARIF 2.1.0, for code scanning services.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// A GitLab code quality report.
    Gitlab,
    /// JUnit XML, for continuous integration servers.
    Junit,
}

impl Format {
    /// All formats, in the order in which they are offered to the user.
    pub const ALL: [Format; 8] = [
        Format::Full,
        Format::Concise,
        Format::Json,
        Format::JsonLines,
        Format::Sarif,
        Format::Github,
        Format::Gitlab,
        Format::Junit,
    ];

    /// The format's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Full => "full",
            Format::Concise => "concise",
            Format::Json => "json",
            Format::JsonLines => "json-lines",
            Format::Sarif => "sarif",
            Format::Github => "github",
            Format::Gitlab => "gitlab",
            Format::Junit => "junit",
        }
    }

    /// Whether the output for some findings is that for each of them, one after the other.
    pub fn is_divisible(self) -> bool {
        matches!(self, Format::Full | Format::Concise | Format::JsonLines | Format::Github)
    }

    /// Whether the output is for people, so that more text may be printed around it.
    pub fn is_for_people(self) -> bool {
        matches!(self, Format::Full | Format::Concise)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown format name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Format::ALL.map(Format::name).join(", ");
        write!(f, "there is no output format `{}`; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Format::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// Sorts findings in the order of output: by path, place, rule.
pub fn sort(diagnostics: &mut [Arc<Diagnostic>], sources: &dyn Sources) {
    let mut paths: HashMap<FileId, &str> = HashMap::default();
    for it in &*diagnostics {
        paths.entry(it.file).or_insert_with(|| sources.path(it.file));
    }
    diagnostics.sort_by(|a, b| {
        let key = |it: &Diagnostic| (it.range.start(), it.range.end(), it.rule);
        let by_path = || paths.get(&a.file).cmp(&paths.get(&b.file));
        if a.file == b.file { key(a).cmp(&key(b)) } else { by_path().then_with(|| key(a).cmp(&key(b))) }
    });
}

/// Writes all of a run's findings, which are in [order](sort).
///
/// `color` affects the formats for people only.
///
/// # Errors
/// Those of `out`.
pub fn write(
    format: Format,
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
    color: Color,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut text = Vec::new();
    match format {
        Format::Full => full::write(diagnostics, sources, color, &mut text),
        Format::Concise => concise::write(diagnostics, sources, color, &mut text),
        Format::Json => json::write(diagnostics, sources, &mut text),
        Format::JsonLines => json_lines::write(diagnostics, sources, &mut text),
        Format::Sarif => sarif::write(diagnostics, sources, &mut text),
        Format::Github => github::write(diagnostics, sources, &mut text),
        Format::Gitlab => gitlab::write(diagnostics, sources, &mut text),
        Format::Junit => junit::write(diagnostics, sources, &mut text),
    }?;
    let text = String::from_utf8_lossy(&text);
    let text = match format {
        Format::Full | Format::Concise | Format::Junit => printable::colored(&text),
        Format::Json | Format::JsonLines | Format::Sarif | Format::Gitlab => printable::json(&text),
        // Each line is a command; quoted text in it is escaped.
        Format::Github => text,
    };
    out.write_all(text.as_bytes())
}

/// Fingerprints of findings that survive edits elsewhere in the file: they are computed from path, rule and message, not from
/// lines. Findings that agree in all three are numbered.
fn fingerprints(diagnostics: &[Arc<Diagnostic>], sources: &dyn Sources) -> Vec<String> {
    let mut seen = std::collections::HashMap::new();
    let name = |diagnostic: &Arc<Diagnostic>| {
        let parts = [sources.path(diagnostic.file), diagnostic.rule.name, &diagnostic.message];
        let hash = parts.iter().fold(FNV_OFFSET, |hash, part| fnv(fnv(hash, part.as_bytes()), &[0]));
        let count = seen.entry(hash).and_modify(|count| *count += 1).or_insert(0_u32);
        format!("{:016x}", fnv(hash, &count.to_le_bytes()))
    };
    diagnostics.iter().map(name).collect()
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a: unlike the standard library's hashes, it is the same in every version.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests;
