use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use marotte_catalog::{Catalog, Fetched, FetchedFile, Reference};
use marotte_text::Str;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{Change, Report, TextDiff};

/// The maximum number of bytes of a file that agents fetch and whose lines are compared.
pub const COMPARED_SIZE: u64 = 1 << 20;

/// The end of the first line of a private key in PEM.
const PRIVATE_KEY: &str = "PRIVATE KEY-----";

/// The number of digits that are shown of a digest.
const DIGITS: usize = 12;

/// A file that agents fetch, as shown in reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Content {
    /// A regular file.
    File {
        /// The path: relative to the environment, or absolute if it is outside of it.
        path: Str,
        /// The number of bytes.
        size: u64,
        /// The SHA-256 digest of the bytes, in hexadecimal digits.
        digest: Str,
    },
    /// A folder.
    Folder,
    /// A symbolic link, with its target.
    Link(Str),
}

impl Content {
    fn of(file: &FetchedFile) -> Content {
        match file {
            FetchedFile::File { path, size, digest } => {
                Content::File { path: path.clone(), size: *size, digest: digits(digest).into() }
            }
            FetchedFile::Folder => Content::Folder,
            FetchedFile::Link(target) => Content::Link(target.clone()),
        }
    }

    /// The path and the digest of a file that is small enough for a comparison of its lines.
    fn text(&self) -> Option<(&Str, &Str)> {
        match self {
            Content::File { path, size, digest } if *size <= COMPARED_SIZE => Some((path, digest)),
            _ => None,
        }
    }
}

impl fmt::Display for Content {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Content::File { size, digest, .. } => {
                let bytes = if *size == 1 { "byte" } else { "bytes" };
                write!(out, "{size} {bytes}, SHA-256 {}…", digest.get(..DIGITS).unwrap_or(digest))
            }
            Content::Folder => out.write_str("a folder"),
            Content::Link(target) => write!(out, "a link to {target}"),
        }
    }
}

fn digits(digest: &[u8]) -> String {
    digest.iter().map(|it| format!("{it:02x}")).collect()
}

/// Whether agents get the same, wherever it is.
fn is_same(before: &FetchedFile, after: &FetchedFile) -> bool {
    match (before, after) {
        (FetchedFile::File { digest, .. }, FetchedFile::File { digest: other, .. }) => digest == other,
        (before, after) => before == after,
    }
}

/// Returns the changes of the files that agents fetch for resources in both catalogs. Empty if the contents of one were not looked
/// up.
pub(crate) fn compare(before: &Catalog, after: &Catalog) -> Vec<Change> {
    let (Some(before), Some(after)) = (&before.contents, &after.contents) else { return Vec::new() };
    if before.fetched == after.fetched {
        return Vec::new();
    }
    // Only some types have several sources; those that name the same number are compared one by one.
    let by_resource = |all: &'_ [Fetched]| -> HashMap<Reference, Vec<usize>> {
        let mut map: HashMap<Reference, Vec<usize>> = HashMap::new();
        for (at, it) in all.iter().enumerate() {
            map.entry(it.resource.clone()).or_default().push(at);
        }
        map
    };
    let old = by_resource(&before.fetched);
    let mut seen: HashMap<&Reference, usize> = HashMap::new();
    let mut changes = Vec::new();
    for fetched in &after.fetched {
        let number = seen.entry(&fetched.resource).or_default();
        let place = old.get(&fetched.resource).and_then(|it| it.get(*number));
        *number += 1;
        if let Some(other) = place.and_then(|it| before.fetched.get(*it)) {
            add(other, fetched, &mut changes);
        }
    }
    changes
}

/// Adds the changes of the files of one resource.
fn add(before: &Fetched, after: &Fetched, changes: &mut Vec<Change>) {
    if Arc::ptr_eq(&before.files, &after.files) {
        return;
    }
    let mut all: BTreeMap<&Str, [Option<&FetchedFile>; 2]> = BTreeMap::new();
    before.files.iter().for_each(|(path, it)| all.entry(path).or_default()[0] = Some(it));
    after.files.iter().for_each(|(path, it)| all.entry(path).or_default()[1] = Some(it));
    for (below, sides) in all {
        if let [Some(old), Some(new)] = sides
            && is_same(old, new)
        {
            continue;
        }
        let [old, new] = sides.map(|it| it.map(Content::of));
        changes.push(Change::Content {
            resource: after.resource.clone(),
            below: below.clone(),
            sources: [before.source.clone(), after.source.clone()],
            before: old,
            after: new,
            is_hidden: before.is_hidden || after.is_hidden,
            diff: None,
        });
    }
}

impl Report {
    /// Adds the changed lines to changes of files that agents fetch, where both files are texts and may be shown. `read` returns
    /// the bytes of a file before (0) or after (1) the change; files that are no longer those of the report are not shown.
    pub fn show_contents(&mut self, mut read: impl FnMut(usize, &str) -> Option<Vec<u8>>) {
        let mut known: HashMap<[Str; 2], Option<TextDiff>> = HashMap::new();
        for grouped in self.groups.iter_mut().flat_map(|it| &mut it.changes) {
            let Change::Content { before: Some(old), after: Some(new), is_hidden: false, .. } =
                &*grouped.change
            else {
                continue;
            };
            let (Some((path, digest)), Some((other, new_digest))) = (old.text(), new.text()) else {
                continue;
            };
            let key = [digest.clone(), new_digest.clone()];
            let made = known.entry(key).or_insert_with(|| {
                let old = text(read(0, path)?, digest)?;
                let new = text(read(1, other)?, new_digest)?;
                Some(TextDiff::new(&old, &new))
            });
            if let (Some(made), Change::Content { diff, .. }) = (made, Arc::make_mut(&mut grouped.change)) {
                *diff = Some(made.clone());
            }
        }
    }
}

/// Returns a text that may be shown, if the bytes are one and have the digest.
fn text(bytes: Vec<u8>, digest: &str) -> Option<String> {
    if digits(&Sha256::digest(&bytes)) != digest {
        return None;
    }
    String::from_utf8(bytes).ok().filter(|it| !it.contains('\0') && !it.contains(PRIVATE_KEY))
}
