//! `.editorconfig`: the properties related to layout.
//!
//! Sections match as defined by the format's specification, except for ranges of numbers (`{1..9}`), which match
//! nothing here.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use marotte_db::System;
use marotte_db::system::ReadError;
use marotte_format::LineEnding;

const FILE_NAME: &str = ".editorconfig";

/// The maximum size in bytes, longer than any real file.
const MAX_SIZE: u64 = 1 << 20;

/// The properties for a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FileProperties {
    pub(super) line_width: Option<u16>,
    pub(super) indent_width: Option<u8>,
    pub(super) tabs: Option<bool>,
    pub(super) line_ending: Option<LineEnding>,
}

/// The `.editorconfig` files, each read once.
#[derive(Debug)]
pub(crate) struct EditorConfigs {
    system: Arc<dyn System>,
    read: Mutex<HashMap<Utf8PathBuf, Arc<EditorConfig>>>,
}

impl EditorConfigs {
    pub(crate) fn new(system: Arc<dyn System>) -> Self {
        EditorConfigs { system, read: Mutex::default() }
    }

    /// Returns the properties for an absolute path, from the files in its folder and those above; the nearest takes precedence.
    pub(super) fn of(&self, path: &Utf8Path) -> FileProperties {
        let mut files = Vec::new();
        for folder in path.ancestors().skip(1) {
            let file = self.file(folder);
            let is_root = file.is_root;
            files.push((folder, file));
            if is_root {
                break;
            }
        }
        let mut properties = Properties::default();
        for (folder, file) in files.iter().rev() {
            let relative = path.strip_prefix(folder).unwrap_or(path);
            file.sections
                .iter()
                .filter(|it| it.glob.is_match(relative))
                .for_each(|it| properties.add(&it.properties));
        }
        properties.properties()
    }

    fn file(&self, folder: &Utf8Path) -> Arc<EditorConfig> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = read.get(folder) {
            return Arc::clone(file);
        }
        let path = folder.join(FILE_NAME);
        let file = Arc::new(match self.system.read(&path, MAX_SIZE) {
            Ok(bytes) => EditorConfig::parse(&String::from_utf8_lossy(&bytes)),
            Err(ReadError::NotFound) => EditorConfig::default(),
            Err(ReadError::NotAFile) if self.system.is_directory(&path) => EditorConfig::default(),
            Err(error) => EditorConfig { unread: Some(error), ..EditorConfig::default() },
        });
        read.insert(folder.to_owned(), Arc::clone(&file));
        file
    }

    /// Returns the files that could not be read so far, with the reasons, by path.
    pub(crate) fn unread(&self) -> BTreeMap<Utf8PathBuf, ReadError> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let unread =
            read.iter().filter_map(|(folder, it)| Some((folder.join(FILE_NAME), it.unread.clone()?)));
        unread.collect()
    }
}

#[derive(Debug, Default)]
struct EditorConfig {
    /// Whether files above it are ignored.
    is_root: bool,
    sections: Vec<Section>,
    /// The reason why the file could not be read.
    unread: Option<ReadError>,
}

#[derive(Debug)]
struct Section {
    glob: GlobSet,
    properties: Properties,
}

/// The properties in lower case, as written.
#[derive(Clone, Debug, Default)]
struct Properties {
    indent_style: Option<String>,
    indent_size: Option<String>,
    tab_width: Option<String>,
    max_line_length: Option<String>,
    end_of_line: Option<String>,
}

impl Properties {
    fn set(&mut self, name: &str, value: String) {
        let property = match name {
            "indent_style" => &mut self.indent_style,
            "indent_size" => &mut self.indent_size,
            "tab_width" => &mut self.tab_width,
            "max_line_length" => &mut self.max_line_length,
            "end_of_line" => &mut self.end_of_line,
            _ => return,
        };
        *property = Some(value);
    }

    fn add(&mut self, other: &Properties) {
        let take = |mine: &mut Option<String>, theirs: &Option<String>| {
            if theirs.is_some() {
                mine.clone_from(theirs);
            }
        };
        take(&mut self.indent_style, &other.indent_style);
        take(&mut self.indent_size, &other.indent_size);
        take(&mut self.tab_width, &other.tab_width);
        take(&mut self.max_line_length, &other.max_line_length);
        take(&mut self.end_of_line, &other.end_of_line);
    }

    /// Interprets the properties. A value that is `unset`, or invalid, is ignored.
    fn properties(&self) -> FileProperties {
        let tabs = match self.indent_style.as_deref() {
            Some("tab") => Some(true),
            Some("space") => Some(false),
            _ => None,
        };
        let size = match self.indent_size.as_deref() {
            Some("tab") => self.tab_width.as_deref(),
            size => size.or(self.tab_width.as_deref().filter(|_| tabs == Some(true))),
        };
        let line_width = match self.max_line_length.as_deref() {
            Some("off") => Some(u16::MAX),
            length => length.and_then(|it| it.parse().ok()).filter(|it| *it > 0),
        };
        let line_ending = match self.end_of_line.as_deref() {
            Some("lf") => Some(LineEnding::Lf),
            Some("crlf") => Some(LineEnding::CrLf),
            _ => None,
        };
        let indent_width = size.and_then(|it| it.parse().ok()).filter(|it| (1..=16).contains(it));
        FileProperties { line_width, indent_width, tabs, line_ending }
    }
}

impl EditorConfig {
    fn parse(text: &str) -> Self {
        let mut file = EditorConfig::default();
        let mut glob = None;
        let mut is_preamble = true;
        let mut properties = Properties::default();
        for line in text.trim_start_matches('\u{feff}').lines().map(str::trim) {
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(pattern) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
                file.end_section(glob.take(), std::mem::take(&mut properties));
                glob = matcher(pattern);
                is_preamble = false;
            } else if let Some((name, value)) = line.split_once('=') {
                let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
                if is_preamble {
                    file.is_root |= name == "root" && value == "true";
                } else {
                    properties.set(&name, value);
                }
            }
        }
        file.end_section(glob, properties);
        file
    }

    fn end_section(&mut self, glob: Option<GlobSet>, properties: Properties) {
        self.sections.extend(glob.map(|glob| Section { glob, properties }));
    }
}

/// Compiles a pattern: without a slash it matches names, otherwise paths relative to the folder of the file.
fn matcher(pattern: &str) -> Option<GlobSet> {
    let pattern = match pattern.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if pattern.contains('/') => pattern.to_owned(),
        None => format!("**/{pattern}"),
    };
    let mut set = GlobSetBuilder::new();
    for pattern in expanded(&pattern) {
        set.add(GlobBuilder::new(&pattern).literal_separator(true).backslash_escape(true).build().ok()?);
    }
    set.build().ok()
}

/// Expands a pattern for globs: a `**` that is only part of a name matches any text, with slashes or without, which
/// takes two patterns.
fn expanded(pattern: &str) -> Vec<String> {
    let inside = pattern.match_indices("**").find(|(at, _)| {
        let (before, after) = (&pattern[..*at], &pattern[at + 2..]);
        !(before.is_empty() || before.ends_with('/')) || !(after.is_empty() || after.starts_with('/'))
    });
    match inside {
        Some((at, _)) => {
            let (before, after) = (&pattern[..at], &pattern[at + 2..]);
            vec![format!("{before}*{after}"), format!("{before}*/**/*{after}")]
        }
        None => vec![pattern.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    fn properties(files: &[(&str, &str)], path: &str) -> FileProperties {
        let system = MemorySystem::with_files(files.iter().copied());
        EditorConfigs::new(Arc::new(system)).of(path.into())
    }

    #[test]
    fn the_last_section_of_the_nearest_file_wins() {
        let above = "root = true\n[*]\nmax_line_length = 100\nindent_size = 4\n[*.pp]\nindent_size=2\n";
        let below = "[manifests/**.pp]\nend_of_line = CRLF\n[*.epp]\nindent_style = tab\ntab_width = 8\n";
        let files = [("/a/.editorconfig", above), ("/a/b/.editorconfig", below)];
        let pp = properties(&files, "/a/b/manifests/x/y.pp");
        assert_eq!((pp.line_width, pp.indent_width), (Some(100), Some(2)));
        assert_eq!((pp.line_ending, pp.tabs), (Some(LineEnding::CrLf), None));
        let epp = properties(&files, "/a/b/x.epp");
        assert_eq!((epp.tabs, epp.indent_width, epp.line_ending), (Some(true), Some(4), None));
    }

    #[test]
    fn nothing_above_the_root_counts() {
        let files = [("/.editorconfig", "[*]\nindent_size = 8\n"), ("/a/.editorconfig", "root=true\n")];
        assert_eq!(properties(&files, "/a/x.pp"), FileProperties::default());
        assert_eq!(properties(&files, "/b/x.pp").indent_width, Some(8));
    }

    #[test]
    fn values_without_meaning_count_as_none() {
        let unset =
            "[*]\nindent_size = 4\nmax_line_length = off\n[*.pp]\nindent_size = unset\nend_of_line = cr\n";
        let properties = properties(&[("/.editorconfig", unset)], "/x.pp");
        assert_eq!(properties, FileProperties { line_width: Some(u16::MAX), ..FileProperties::default() });
    }
}
