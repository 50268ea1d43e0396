//! The requests and results of evaluations, kept between runs: in a folder, or in a bucket that several machines share.
//!
//! A [`Cache`] has two kinds of objects. A [`Record`] has the results of one run: the answers that evaluations got, by digests, and
//! for each node the list of those that its evaluation depends on. A catalog is an object of its own, named by its digest.
//! Objects are never changed, only added and removed, so that processes cannot disturb each other.
//!
//! Objects are never trusted: one that is damaged, of another version, or sealed with another key counts as missing.

mod bucket;
mod catalog;
mod codec;
mod folder;
mod record;
mod seal;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use marotte_catalog::Catalog;

pub use bucket::{Bucket, Credentials};
pub use catalog::{decode, encode, has_sensitive};
pub use folder::Folder;
pub use record::{Entry, Extent, Read, Record};
pub use seal::{Key, Sealer};

/// The version of the form of all objects. It is part of their names, so that other versions are not even read.
pub const SCHEMA: &str = "2";

/// The largest object that is read, in bytes.
pub const LARGEST: u64 = 256 << 20;

/// The number of records of a scope that are read at most: the latest. Each part of a run that is divided among machines has one.
const RECORDS: usize = 64;

/// Where objects are kept. A name is a path of words in lower case.
pub trait Store: fmt::Debug + Send + Sync {
    /// Returns an object. None if there is none.
    ///
    /// # Errors
    /// If the store cannot be asked: a sentence without its end.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, String>;

    /// Adds an object, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written: a sentence without its end.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), String>;

    /// Returns the names of the objects in a folder, the latest first.
    ///
    /// # Errors
    /// If the store cannot be asked: a sentence without its end.
    fn list(&self, folder: &str) -> Result<Vec<String>, String>;

    /// Removes an object, if there is one.
    ///
    /// # Errors
    /// If it cannot be removed: a sentence without its end.
    fn remove(&self, name: &str) -> Result<(), String>;

    /// Removes what was used least recently, until the rest is within the limit of the store.
    ///
    /// # Errors
    /// If something cannot be removed: a sentence without its end.
    fn tidy(&self) -> Result<(), String>;
}

/// A store, and the form in which objects are in it.
#[derive(Debug)]
pub struct Cache {
    store: Box<dyn Store>,
    sealer: Sealer,
    was_damaged: AtomicBool,
}

impl Cache {
    /// Creates a cache. With a key, everything in it is encrypted.
    pub fn new(store: Box<dyn Store>, key: Option<Key>) -> Cache {
        Cache { store, sealer: Sealer::new(key), was_damaged: AtomicBool::new(false) }
    }

    /// Whether objects are encrypted, so that they may have secrets.
    pub fn is_encrypted(&self) -> bool {
        self.sealer.is_encrypting()
    }

    /// Returns the names of the latest records of a scope, which is that of runs with the same program and options, the latest
    /// first.
    ///
    /// # Errors
    /// If the store cannot be asked.
    pub fn records(&self, scope: &[u8]) -> Result<Vec<String>, String> {
        let mut names = self.store.list(&self.folder(scope))?;
        names.truncate(RECORDS);
        Ok(names)
    }

    /// Returns a record. None if it is not there any more, or damaged.
    ///
    /// # Errors
    /// If the store cannot be asked.
    pub fn record(&self, name: &str) -> Result<Option<Record>, String> {
        self.read(name, Record::decode)
    }

    /// Whether an object was damaged, or sealed with another key. It was removed.
    pub fn was_damaged(&self) -> bool {
        self.was_damaged.load(Ordering::Relaxed)
    }

    fn read<T>(&self, name: &str, decode: impl FnOnce(&[u8]) -> Option<T>) -> Result<Option<T>, String> {
        // Another process may have removed it since.
        let Some(bytes) = self.store.get(name)? else { return Ok(None) };
        let read = self.sealer.open(name, &bytes).and_then(|it| decode(&it));
        if read.is_none() {
            self.was_damaged.store(true, Ordering::Relaxed);
            // Who may only read leaves it where it is.
            let _ = self.store.remove(name);
        }
        Ok(read)
    }

    /// Adds a record to a scope.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add_record(&self, scope: &[u8], record: &Record) -> Result<(), String> {
        let bytes = record.encode();
        let name = format!("{}/{}", self.folder(scope), self.sealer.name(&bytes));
        let sealed = self.sealer.seal(&name, &bytes)?;
        if is_too_large(&sealed) {
            return Err(format!("what this run learned is larger than {} MiB", LARGEST >> 20));
        }
        self.store.put(&name, &sealed)
    }

    /// Adds a catalog, and returns the name by which it is found. None if it has a value that cannot be kept: an unknown one,
    /// one of a rare kind, or one that is too deep. None, too, if it is larger than what is read.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add_catalog(&self, catalog: &Catalog) -> Result<Option<String>, String> {
        let Some(bytes) = encode(catalog) else { return Ok(None) };
        let short = self.sealer.name(&bytes);
        let name = catalog_name(&short);
        let sealed = self.sealer.seal(&name, &bytes)?;
        if is_too_large(&sealed) {
            return Ok(None);
        }
        self.store.put(&name, &sealed)?;
        Ok(Some(short))
    }

    /// Returns a catalog. None if it is not there, or damaged.
    ///
    /// # Errors
    /// If the store cannot be asked.
    pub fn catalog(&self, name: &str) -> Result<Option<Catalog>, String> {
        if !seal::is_name(name) {
            return Ok(None);
        }
        self.read(&catalog_name(name), decode)
    }

    /// Removes what was used least recently, as far as there is too much.
    ///
    /// # Errors
    /// If something cannot be removed.
    pub fn tidy(&self) -> Result<(), String> {
        self.store.tidy()
    }

    fn folder(&self, scope: &[u8]) -> String {
        format!("v{SCHEMA}/records/{}", self.sealer.name(scope))
    }
}

/// Whether nobody would read an object.
fn is_too_large(sealed: &[u8]) -> bool {
    u64::try_from(sealed.len()).is_ok_and(|it| it > LARGEST)
}

fn catalog_name(name: &str) -> String {
    let (start, _) = name.split_at_checked(2).unwrap_or((name, ""));
    format!("v{SCHEMA}/catalogs/{start}/{name}")
}
