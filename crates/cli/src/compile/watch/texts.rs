use std::collections::HashMap;
use std::sync::Arc;

use marotte_catalog::{Catalog, FetchedFile};
use marotte_impact::COMPARED_SIZE;
use marotte_text::Str;

/// The bytes of the files that agents fetch for the last catalogs: by the time of the next report, the files may be others.
#[derive(Default)]
pub(super) struct Texts(HashMap<Str, ([u8; 32], Arc<[u8]>)>);

impl Texts {
    /// Returns the bytes of a file, by its path. None if no catalog names it, or if it is too large for a comparison.
    pub(super) fn get(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).map(|(_, bytes)| bytes.to_vec())
    }

    /// Keeps the files of these catalogs, and reads those that are new or have changed.
    pub(super) fn update<'c>(
        &mut self,
        catalogs: impl Iterator<Item = &'c Catalog>,
        read: impl Fn(&str) -> Option<Vec<u8>>,
    ) {
        let mut kept = HashMap::new();
        let contents = catalogs.filter_map(|it| it.contents.as_ref());
        for file in contents.flat_map(|it| &it.fetched).flat_map(|it| it.files.values()) {
            let FetchedFile::File { path, size, digest } = file else { continue };
            if *size > COMPARED_SIZE || kept.contains_key(path) {
                continue;
            }
            let known = self.0.remove(path).filter(|(old, _)| old == digest);
            if let Some(known) = known.or_else(|| Some((*digest, read(path)?.into()))) {
                kept.insert(path.clone(), known);
            }
        }
        self.0 = kept;
    }
}
