//! The requests and results of evaluations in other runs, and those that this run adds.

mod new_results;
mod place;
mod scope;

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use marotte_cache::{Cache, Entry, Extent, Read, Record, has_sensitive};
use marotte_catalog::Catalog;
use marotte_db::System;
use marotte_diagnostics::printable;
use marotte_host::Node;
use marotte_host::reads::{Asked, Digest, Question, meaning, shortcut};
use marotte_impact::{Fault, Side};
use marotte_project::ProjectDatabase;
use marotte_text::Str;

use crate::args::{CacheArgs, CompilationArgs};
use crate::compilation::Compilation;
use crate::failure::Failure;
use new_results::NewResults;

/// The number of questions that a thread asks at a time.
const CHUNK: usize = 64;

/// The cache of a run.
pub(crate) struct ResultCache {
    cache: Cache,
    scope: Vec<u8>,
    /// The names of the records of other runs that were not read yet, the latest last.
    unread: Vec<String>,
    records: Vec<KnownRecord>,
    new_results: NewResults,
    /// The first reason why something was not kept, or not found.
    trouble: Mutex<Option<String>>,
}

/// A record of another run.
struct KnownRecord {
    reads: Vec<(Question, Read)>,
    entries: HashMap<String, Vec<Entry>>,
}

/// The result of an evaluation whose requests have no digests yet.
pub(crate) struct Draft {
    asked: Asked,
    extent: Extent,
    /// The sources of files whose contents are not in the code.
    elsewhere: Vec<String>,
    catalog: Option<String>,
}

/// An entry that is as good as an evaluation: everything would be answered in the same way.
#[derive(Clone, Debug)]
pub(crate) struct CachedResult {
    /// The number of the record.
    record: usize,
    entry: Entry,
    /// Whether lines of code are the same, too, and not only its meaning.
    has_same_lines: bool,
}

/// How the answer to a question is the one that it was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    /// It is another one.
    Other,
    /// It has the same meaning, and perhaps other lines.
    Meaning,
    /// All of it is the same.
    Text,
}

impl ResultCache {
    /// Opens the cache that arguments name, and reads what it has. None if there is none, or if results depend on more than what
    /// evaluations ask for. `others` are the roots of further code that is looked at.
    pub(crate) fn open(
        args: &CacheArgs,
        compilation: &CompilationArgs,
        tree: &Compilation<'_>,
        others: &[Option<&camino::Utf8Path>],
        disk: std::sync::Arc<dyn System>,
    ) -> Result<Option<ResultCache>, Failure> {
        if args.no_cache {
            return Ok(None);
        }
        if let Some(flag) = scope::outside(compilation) {
            if args.cache.is_some() {
                tell(&format!("note: the cache is not used, because results depend on `{flag}`"))?;
            }
            return Ok(None);
        }
        let Some(cache) = place::cache(args, &[&[tree.root()], others].concat(), disk)? else {
            return Ok(None);
        };
        let scope = scope::scope(compilation, tree);
        let mut unread = match cache.records(&scope) {
            Ok(names) => names,
            Err(error) => {
                tell(&format!("warning: the cache is not used: {error}"))?;
                return Ok(None);
            }
        };
        unread.reverse();
        Ok(Some(ResultCache {
            cache,
            scope,
            unread,
            records: Vec::new(),
            new_results: NewResults::default(),
            trouble: Mutex::new(None),
        }))
    }

    /// Whether no other run has kept anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.unread.is_empty() && self.records.is_empty()
    }

    /// Reads the next record, and returns its number. None if there are no more.
    fn next(&mut self) -> Option<usize> {
        while let Some(name) = self.unread.pop() {
            match self.cache.record(&name) {
                Ok(Some(record)) => {
                    // What the digests of other programs mean is not known: the scope has none.
                    let Some(known) = KnownRecord::of(record) else { continue };
                    self.records.push(known);
                    return Some(self.records.len() - 1);
                }
                Ok(None) => {}
                Err(error) => self.trouble(error),
            }
        }
        None
    }

    /// Asks all questions of some nodes again, and returns for each node what would be the result now. Up to `most` records are
    /// looked at, the latest first, as long as nodes have no result.
    pub(crate) fn find(
        &mut self,
        compilation: &Compilation<'_>,
        nodes: &[(String, Node)],
        most: usize,
    ) -> Vec<Option<CachedResult>> {
        let mut found: Vec<Option<CachedResult>> = vec![None; nodes.len()];
        for number in 0..most {
            let is_done = found.iter().all(Option::is_some);
            if is_done || number >= self.records.len() && self.next().is_none() {
                break;
            }
            let Some(record) = self.records.get(number) else { break };
            let open = nodes.iter().zip(&found).enumerate().filter(|(_, (_, it))| it.is_none());
            let open = open.filter_map(|(at, ((name, node), _))| {
                let entries = record.entries.get(name)?;
                Some((at, *node, entries.iter().collect::<Vec<&Entry>>()))
            });
            let open: Vec<(usize, Node, Vec<&Entry>)> = open.collect();
            let same = record.same(compilation, &open, true);
            for ((at, ..), entry) in open.iter().zip(same) {
                if let (Some(place), Some((entry, agreement))) = (found.get_mut(*at), entry) {
                    let has_same_lines = agreement == Agreement::Text;
                    *place = Some(CachedResult { record: number, entry, has_same_lines });
                }
            }
        }
        found
    }

    /// Whether entries would still be the results. Questions about nodes are asked only if nodes may have another description.
    pub(crate) fn are_valid(
        &self,
        compilation: &Compilation<'_>,
        nodes: &[(Node, &CachedResult)],
        are_other_nodes: bool,
    ) -> Vec<bool> {
        let mut are_valid = vec![false; nodes.len()];
        for (number, record) in self.records.iter().enumerate() {
            let own = nodes.iter().enumerate().filter(|(_, (_, it))| it.record == number);
            let own: Vec<(usize, Node, Vec<&Entry>)> =
                own.map(|(at, (node, it))| (at, *node, vec![&it.entry])).collect();
            let same = record.same(compilation, &own, are_other_nodes);
            for ((at, ..), entry) in own.iter().zip(same) {
                if let Some(place) = are_valid.get_mut(*at) {
                    *place = entry.is_some();
                }
            }
        }
        are_valid
    }

    /// Whether an entry has a catalog with the lines of the code that is there now.
    pub(crate) fn has_catalog(cached: &CachedResult) -> bool {
        cached.has_same_lines && cached.entry.catalog.is_some()
    }

    /// The catalog of an entry. None if it was not kept, is not there any more, or may have lines that are others now.
    pub(crate) fn catalog(&self, cached: &CachedResult) -> Option<Catalog> {
        if !cached.has_same_lines {
            return None;
        }
        let catalog = self.cache.catalog(cached.entry.catalog.as_deref()?);
        catalog.map_err(|error| self.trouble(error)).ok()?
    }

    /// Keeps the catalog of an evaluation. None if nothing may be kept of it: if it failed, since limits of time and memory may be
    /// the reason; if it asked for something that is another each time; if it has secrets, or may have
    /// decrypted ones, and nothing is encrypted.
    pub(crate) fn draft(&self, asked: Option<Asked>, made: &Result<Catalog, Vec<Fault>>) -> Option<Draft> {
        let (asked, Ok(catalog)) = (asked.filter(|it| !it.is_fleeting)?, made) else { return None };
        if (asked.has_private_key || has_sensitive(catalog)) && !self.cache.is_encrypted() {
            return None;
        }
        let extent = match Side::of(catalog) {
            Side::Known => Extent::Known,
            Side::Incomplete(causes) => Extent::Incomplete(causes.iter().map(ToString::to_string).collect()),
            Side::Failed(_) => return None,
        };
        let elsewhere = catalog.elsewhere().iter().map(ToString::to_string).collect();
        let kept = self.cache.add_catalog(catalog);
        let catalog = kept.map_err(|error| self.trouble(error)).ok().flatten();
        Some(Draft { asked, extent, elsewhere, catalog })
    }

    /// Adds evaluations of the code that is there now.
    pub(crate) fn add(&mut self, compilation: &Compilation<'_>, drafts: Vec<(String, Node, Draft)>) {
        self.new_results.add(compilation, drafts);
    }

    /// The code becomes another: questions have other answers.
    pub(crate) fn forget_answers(&mut self) {
        self.new_results.forget_answers();
    }

    /// Adds an entry of another run that was used, so that it is among the latest.
    pub(crate) fn renew(&mut self, cached: &CachedResult) {
        if let Some(record) = self.records.get(cached.record) {
            let reads = cached.entry.reads.iter().map(|it| record.read(*it).map(|(_, read)| read));
            self.new_results.renew(cached.record, &cached.entry, reads);
        }
    }

    /// Writes the new results of this run, and reports what went wrong.
    pub(crate) fn save(&self) -> Result<(), Failure> {
        if let Some(record) = self.new_results.record() {
            let saved = self.cache.add_record(&self.scope, record).and_then(|()| self.cache.tidy());
            saved.unwrap_or_else(|error| self.trouble(error));
        }
        if self.cache.was_damaged() {
            tell("warning: a part of the cache was damaged, and is removed")?;
        }
        match &*self.trouble.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => tell(&format!("warning: not all results are kept: {error}")),
            None => Ok(()),
        }
    }

    fn trouble(&self, error: String) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

impl KnownRecord {
    /// The record of another run. None if it has questions of another program.
    fn of(record: Record) -> Option<KnownRecord> {
        let question = |it: &Read| Question::of_fields(it.kind, &it.text, &it.more, it.number);
        let questions: Vec<Question> = record.reads.iter().map(question).collect::<Option<_>>()?;
        let mut entries: HashMap<String, Vec<Entry>> = HashMap::new();
        for entry in record.entries {
            if let Some(node) = entry.node.clone() {
                entries.entry(node).or_default().push(entry);
            }
        }
        Some(KnownRecord { reads: questions.into_iter().zip(record.reads).collect(), entries })
    }

    fn read(&self, number: u32) -> Option<&(Question, Read)> {
        self.reads.get(usize::try_from(number).ok()?)
    }

    /// Whether an entry can be that of an evaluation: each asks for the main manifests.
    fn is_of_evaluation(&self, entry: &Entry) -> bool {
        let mut reads = entry.reads.iter().filter_map(|it| self.read(*it));
        reads.any(|(question, _)| question.is_about_main_manifests())
    }

    /// The first entry of each node whose questions would all be answered as they were, with the least agreement of an answer.
    fn same(
        &self,
        compilation: &Compilation<'_>,
        nodes: &[(usize, Node, Vec<&Entry>)],
        asks_about_nodes: bool,
    ) -> Vec<Option<(Entry, Agreement)>> {
        let mut is_wanted = vec![false; self.reads.len()];
        for read in nodes.iter().flat_map(|(.., entries)| entries).flat_map(|it| &it.reads) {
            if let Some(it) = usize::try_from(*read).ok().and_then(|it| is_wanted.get_mut(it)) {
                *it = true;
            }
        }
        let wanted: Vec<usize> = (0..self.reads.len())
            .filter(|it| is_wanted.get(*it) == Some(&true))
            .filter(|it| self.reads.get(*it).is_some_and(|(question, _)| !question.is_about_node()))
            .collect();
        let chunks: Vec<&[usize]> = wanted.chunks(CHUNK).collect();
        let answered = compilation.ask(&chunks, |db, node, chunk| {
            let of = |it: &usize| self.reads.get(*it).map_or(Agreement::Other, |it| agreement(db, node, it));
            chunk.iter().map(of).collect::<Vec<Agreement>>()
        });
        let mut same = vec![Agreement::Other; self.reads.len()];
        for (chunk, answers) in chunks.iter().zip(answered) {
            for (read, answer) in chunk.iter().zip(answers.unwrap_or_default()) {
                if let Some(it) = same.get_mut(*read) {
                    *it = answer;
                }
            }
        }
        let found = compilation.ask(nodes, |db, _, (_, node, entries)| {
            let of = |read: &u32| match self.read(*read) {
                Some(it) if it.0.is_about_node() && asks_about_nodes => agreement(db, *node, it),
                Some(it) if it.0.is_about_node() => Agreement::Text,
                _ => {
                    let known = usize::try_from(*read).ok().and_then(|it| same.get(it));
                    known.copied().unwrap_or(Agreement::Other)
                }
            };
            entries.iter().filter(|it| self.is_of_evaluation(it)).find_map(|entry| {
                let least = entry.reads.iter().try_fold(Agreement::Text, |least, read| match of(read) {
                    Agreement::Other => None,
                    agreement => Some(least.min(agreement)),
                })?;
                Some(((*entry).clone(), least))
            })
        });
        found.into_iter().map(Option::flatten).collect()
    }
}

impl CachedResult {
    /// The sources of files whose contents are not in the code.
    pub(crate) fn elsewhere(&self) -> Vec<Str> {
        self.entry.elsewhere.iter().map(|it| it.as_str().into()).collect()
    }

    /// How much is known of the catalog.
    pub(crate) fn side(&self) -> Side {
        match &self.entry.extent {
            Extent::Known => Side::Known,
            Extent::Incomplete(causes) => {
                Side::Incomplete(causes.iter().map(|it| it.as_str().into()).collect())
            }
        }
    }
}

/// How a question is answered as it was.
fn agreement(db: &ProjectDatabase, node: Node, (question, read): &(Question, Read)) -> Agreement {
    let is = |before: Option<[u8; 32]>, now: &dyn Fn() -> Option<Digest>| {
        before.is_some_and(|it| now() == Some(Digest(it)))
    };
    if is(read.shortcut, &|| shortcut(db, node, question)) {
        return Agreement::Text;
    }
    match is(read.meaning, &|| meaning(db, node, question)) {
        false => Agreement::Other,
        // A digest of texts is there for all answers with lines, except for that of all definitions.
        true if read.shortcut.is_some() || question.hides_places() => Agreement::Meaning,
        true => Agreement::Text,
    }
}

fn tell(text: &str) -> Result<(), Failure> {
    Ok(writeln!(io::stderr().lock(), "{}", printable::line(text))?)
}
