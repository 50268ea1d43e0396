use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use globset::{GlobBuilder, GlobMatcher};
use marotte_catalog::FetchedFile;
use marotte_db::{Db, File, FileStatus, entry, link_target, listing, source_text};
use marotte_text::Str;
use sha2::{Digest as _, Sha256};

use super::request::{Recursion, is_local};
use super::{Answer, Request};
use crate::Run;
use crate::files::{check_readable, file_at, module};

/// The mounts of modules, and the folders of modules that they provide.
const MOUNTS: [(&str, &str); 3] = [("modules", "files"), ("scripts", "scripts"), ("tasks", "tasks")];

/// The maximum number of files of one source, and the maximum depth of folders.
const FILES: usize = 20_000;
const DEPTH: usize = 32;

type Files = BTreeMap<Str, FetchedFile>;

/// The reason why contents are not known; it names the source.
struct Unknown(Str);

/// Looks up the sources in order, until one exists.
pub(super) fn search(db: &dyn Db, run: Run, request: &Request) -> Answer {
    let search = Search { db, run, request };
    let first = request.sources.first().cloned().unwrap_or_default();
    match search.all() {
        Ok((source, files)) => Answer::Found(source.unwrap_or(first), Arc::new(files)),
        Err(Unknown(reason)) => Answer::Elsewhere(reason),
    }
}

struct Search<'a> {
    db: &'a dyn Db,
    run: Run,
    request: &'a Request,
}

impl Search<'_> {
    fn all(&self) -> Result<(Option<Str>, Files), Unknown> {
        let combines = self.request.recursion.as_ref().is_some_and(|it| it.combines);
        let (mut used, mut files) = (None, Files::new());
        for source in &self.request.sources {
            let Some(own) = self.files(source)? else { continue };
            let is_folder = own.get("") == Some(&FetchedFile::Folder);
            for (path, file) in own {
                files.entry(path).or_insert(file);
            }
            used.get_or_insert_with(|| source.clone());
            // If one of several sources is no folder, nothing below the others is copied.
            if !is_folder {
                files.retain(|path, _| path.is_empty());
            }
            if !combines || !is_folder {
                break;
            }
        }
        Ok((used, files))
    }

    /// The files of a source. None if it does not exist.
    fn files(&self, source: &Str) -> Result<Option<Files>, Unknown> {
        let unknown = |reason: &str| Unknown(format!("{source}{reason}").into());
        let Some(path) = self.path(source)? else { return Ok(None) };
        let file = file_at(self.db, &path);
        if file.status(self.db) == FileStatus::Missing {
            return Ok(None);
        }
        let top = self.file(file).map_err(|it| unknown(&it))?;
        let is_folder = top == FetchedFile::Folder;
        if is_folder && !self.request.is_file {
            return Err(unknown(" (a folder)"));
        }
        let mut files = Files::from([(Str::new(), top)]);
        if let Some(recursion) = self.request.recursion.as_ref().filter(|_| is_folder) {
            self.below(&path, recursion, &mut files).map_err(|it| unknown(&it))?;
        }
        Ok(Some(files))
    }

    /// The path that a source names. None if it names none, so that agents find nothing there.
    fn path(&self, source: &Str) -> Result<Option<Utf8PathBuf>, Unknown> {
        let unknown = |reason: &str| Err(Unknown(format!("{source}{reason}").into()));
        if is_local(source) {
            return unknown(" (a file of the node)");
        }
        // With a server's name, the file is that of its environment.
        let Some(rest) = source.strip_prefix("puppet:///") else { return unknown("") };
        if rest.contains(['?', '#']) {
            return unknown(" (its name has a part of a query)");
        }
        let names: Vec<&str> = rest.split('/').filter(|it| !it.is_empty()).collect();
        let (mount, names) = names.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
        let Some((_, folder)) = MOUNTS.iter().find(|(name, _)| *name == mount) else { return unknown("") };
        let Some((name, below)) = names.split_first() else { return Ok(None) };
        if below.contains(&"..") {
            return Ok(None);
        }
        let Some(module) = module(self.db, self.run.environment(self.db), name) else { return Ok(None) };
        Ok(Some(below.iter().fold(module.join(folder), |path, name| path.join(name))))
    }

    /// The file at a path where something exists, or the reason why it is not known.
    fn file(&self, file: File) -> Result<FetchedFile, String> {
        let db = self.db;
        let path = file.path(db);
        let is_outside = |file: File| check_readable(db, self.run, file).is_err();
        if !self.request.follows_links
            && entry(db, path).is_some_and(|it| it.is_link)
            && !path.parent().is_some_and(|it| is_outside(file_at(db, it)))
        {
            // Agents get the target as it is written.
            return Ok(FetchedFile::Link(link_target(db, file).as_str().into()));
        }
        if is_outside(file) {
            return Err(" (outside of the code tree)".to_owned());
        }
        match file.status(db) {
            FileStatus::Folder => Ok(FetchedFile::Folder),
            FileStatus::Special => Err(" (neither a file nor a folder)".to_owned()),
            FileStatus::Missing => Err(" (a link that leads nowhere)".to_owned()),
            FileStatus::Unsearchable => Err(" (permission denied)".to_owned()),
            FileStatus::Exists => {
                let (size, digest) = digest(db, file).as_ref().map_err(|error| format!(" ({error})"))?;
                Ok(FetchedFile::File { path: self.shown(path), size: *size, digest: *digest })
            }
        }
    }

    /// Adds the files below a folder, as `Puppet::FileServing::Fileset` finds them.
    fn below(&self, folder: &Utf8Path, recursion: &Recursion, files: &mut Files) -> Result<(), String> {
        let ignored: Vec<Pattern> = recursion.ignored.iter().map(|it| Pattern::new(it)).collect();
        let limit = recursion.depth.map_or(usize::MAX, |it| usize::try_from(it).unwrap_or(usize::MAX));
        let mut open = VecDeque::from([(folder.to_owned(), 1)]);
        while let Some((path, depth)) = open.pop_front() {
            if depth > limit {
                continue;
            }
            if depth > DEPTH {
                return Err(format!(" (folders in more than {DEPTH} folders)"));
            }
            for entry in listing(self.db, file_at(self.db, &path)) {
                if ignored.iter().any(|it| it.matches(&entry.name)) {
                    continue;
                }
                if files.len() > FILES {
                    return Err(format!(" (more than {FILES} files)"));
                }
                let path = path.join(&entry.name);
                let below = path.strip_prefix(folder).unwrap_or(&path).as_str();
                let file = match self.file(file_at(self.db, &path)) {
                    Err(reason) => return Err(format!("/{below}{reason}")),
                    Ok(file) => file,
                };
                let is_folder = file == FetchedFile::Folder;
                files.insert(below.into(), file);
                if is_folder {
                    open.push_back((path, depth + 1));
                }
            }
        }
        Ok(())
    }

    /// A path as reports show it: relative to the environment, if it is there.
    fn shown(&self, path: &Utf8Path) -> Str {
        let root = self.run.environment(self.db).root(self.db);
        root.and_then(|it| path.strip_prefix(it).ok()).unwrap_or(path).as_str().into()
    }
}

/// The size and the digest of the bytes of a file, or the reason why it cannot be read.
#[salsa::tracked(returns(ref))]
fn digest(db: &dyn Db, file: File) -> Result<(u64, [u8; 32]), String> {
    match source_text(db, file).bytes() {
        Ok(bytes) => Ok((u64::try_from(bytes.len()).unwrap_or(u64::MAX), Sha256::digest(bytes).into())),
        Err(error) => Err(error.to_string()),
    }
}

/// Translates a pattern of `File.fnmatch?` to a glob. Returns None if it matches nothing.
///
/// Ruby has no alternatives in braces, and the first `]` ends a class: `[]` matches nothing, and `[!]` any letter.
fn translated(pattern: &str) -> Option<String> {
    let mut glob = String::new();
    let mut rest = pattern.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '\\' => {
                glob.push('\\');
                glob.extend(rest.next());
            }
            '{' => glob.push_str("[{]"),
            '}' => glob.push_str("[}]"),
            '[' => {
                let text = rest.as_str();
                let negated = text.strip_prefix(['!', '^']);
                let (class, after) = negated.unwrap_or(text).split_once(']')?;
                match (class.is_empty(), negated.is_some()) {
                    (true, false) => return None,
                    (true, true) => glob.push('?'),
                    (false, false) => glob.extend(["[", class, "]"]),
                    (false, true) => glob.extend(["[!", class, "]"]),
                }
                rest = after.chars();
            }
            _ => glob.push(letter),
        }
    }
    Some(glob)
}

/// A pattern of names, as Ruby's `File.fnmatch?` reads it without flags.
struct Pattern {
    glob: Option<GlobMatcher>,
    /// Whether it begins with what matches any letter, which a period at the beginning of a name is none of.
    begins_open: bool,
}

impl Pattern {
    fn new(pattern: &str) -> Pattern {
        let glob =
            translated(pattern).and_then(|it| GlobBuilder::new(&it).backslash_escape(true).build().ok());
        Pattern {
            glob: glob.map(|it| it.compile_matcher()),
            begins_open: pattern.starts_with(['*', '?', '[']),
        }
    }

    fn matches(&self, name: &str) -> bool {
        !(self.begins_open && name.starts_with('.')) && self.glob.as_ref().is_some_and(|it| it.is_match(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_ruby() {
        // Each line is the answer of Ruby's `File.fnmatch?(PATTERN, NAME)`.
        let answers = include_str!("fnmatch.tsv");
        let mut tried = 0;
        for line in answers.lines() {
            let [pattern, name, answer] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            assert_eq!(Pattern::new(pattern).matches(name).to_string(), answer, "{pattern} {name}");
            tried += 1;
        }
        assert!(tried > 100);
    }
}
