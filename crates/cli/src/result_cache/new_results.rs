use std::collections::{HashMap, HashSet};

use marotte_cache::{Entry, Read, Record};
use marotte_host::Node;
use marotte_host::reads::{Question, meaning, shortcut};
use marotte_project::ProjectDatabase;

use super::Draft;
use crate::compilation::Compilation;

/// The results of this run that other runs can use.
#[derive(Default)]
pub(super) struct NewResults {
    record: Record,
    /// The places of the reads in the record.
    places: HashMap<Read, u32>,
    /// The places of the answers about the code that is there now. None for an answer that cannot be compared.
    answers: HashMap<Question, Option<u32>>,
    /// The places of the reads of other records, by the number of the record and the read.
    renewed: HashMap<(usize, u32), u32>,
    is_new: bool,
}

impl NewResults {
    /// Adds evaluations of the code that is there now.
    pub(super) fn add(&mut self, compilation: &Compilation<'_>, drafts: Vec<(String, Node, Draft)>) {
        let mut open: Vec<&Question> = Vec::new();
        let mut seen = HashSet::new();
        for question in drafts.iter().flat_map(|(_, _, draft)| &draft.asked.questions) {
            if !question.is_about_node() && !self.answers.contains_key(question) && seen.insert(question) {
                open.push(question);
            }
        }
        let made = compilation.ask(&open, |db, node, question| read(db, node, question));
        for (question, made) in open.into_iter().zip(made) {
            let place = made.flatten().and_then(|it| self.place(it));
            self.answers.insert(question.clone(), place);
        }
        let own = compilation.ask(&drafts, |db, _, (_, node, draft)| {
            let about_node = draft.asked.questions.iter().filter(|it| it.is_about_node());
            about_node.map(|it| read(db, *node, it)).collect::<Option<Vec<Read>>>()
        });
        for ((name, _, draft), own) in drafts.into_iter().zip(own) {
            let shared = draft.asked.questions.iter().filter(|it| !it.is_about_node());
            let shared: Option<Vec<u32>> = shared.map(|it| self.answers.get(it).copied().flatten()).collect();
            // If an answer cannot be compared, nobody can tell whether it is still the same.
            let (Some(shared), Some(Some(own))) = (shared, own) else { continue };
            let Some(own) = own.into_iter().map(|it| self.place(it)).collect::<Option<Vec<u32>>>() else {
                continue;
            };
            self.is_new = true;
            let entry = Entry {
                node: Some(name),
                reads: Vec::new(),
                extent: draft.extent,
                elsewhere: draft.elsewhere,
                catalog: draft.catalog,
            };
            self.insert(entry, [shared, own].concat());
        }
    }

    /// Adds an entry of another record, by the number of that, with what it has read.
    pub(super) fn renew<'r>(
        &mut self,
        record: usize,
        entry: &Entry,
        reads: impl Iterator<Item = Option<&'r Read>>,
    ) {
        let mut numbers = Vec::with_capacity(entry.reads.len());
        for (old, read) in entry.reads.iter().zip(reads) {
            let known = self.renewed.get(&(record, *old)).copied();
            let Some(number) = known.or_else(|| self.place(read?.clone())) else { return };
            self.renewed.insert((record, *old), number);
            numbers.push(number);
        }
        self.insert(entry.clone(), numbers);
    }

    /// The place of a read in the record. None if there are too many.
    fn place(&mut self, read: Read) -> Option<u32> {
        if let Some(number) = self.places.get(&read) {
            return Some(*number);
        }
        let number = u32::try_from(self.record.reads.len()).ok()?;
        self.record.reads.push(read.clone());
        self.places.insert(read, number);
        Some(number)
    }

    fn insert(&mut self, entry: Entry, mut reads: Vec<u32>) {
        reads.sort_unstable();
        reads.dedup();
        self.record.entries.push(Entry { reads, ..entry });
    }

    /// Questions may have other answers from now on.
    pub(super) fn forget_answers(&mut self) {
        self.answers.clear();
    }

    /// The record to be written. None if there is nothing new.
    pub(super) fn record(&self) -> Option<&Record> {
        self.is_new.then_some(&self.record)
    }
}

/// A question with its answer. None if that cannot be compared.
fn read(db: &ProjectDatabase, node: Node, question: &Question) -> Option<Read> {
    let (kind, text, more, number) = question.fields();
    let shortcut = shortcut(db, node, question).map(|it| it.0);
    let meaning = meaning(db, node, question).map(|it| it.0);
    let is_comparable = shortcut.is_some() || meaning.is_some();
    is_comparable.then(|| Read {
        kind,
        text: text.to_owned(),
        more: more.to_owned(),
        number,
        shortcut,
        meaning,
    })
}
