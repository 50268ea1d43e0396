use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::{Db as _, FileStatus, Resolver};
use marotte_host::ProjectDatabase;
use marotte_host::{CodeTree, Node, NodeInput, Policy, Run, Same as _};
use salsa::Setter as _;

use crate::change::{Applied, ChangeBatch};
use crate::driver::{Panicked, Workers, caught, in_parallel};

/// The nodes of one code tree, whose catalogs are compiled in parallel, and kept current while files change.
#[derive(Debug)]
pub struct Fleet {
    db: ProjectDatabase,
    run: Run,
    workers: Workers,
    edited: Vec<Utf8PathBuf>,
}

impl Fleet {
    /// Creates a fleet without nodes. `manifests` are the absolute paths of the main manifests, in order; `threads` is the
    /// number of compiling threads, 0 for as many as the machine has processors.
    pub fn new(
        mut db: ProjectDatabase,
        tree: &CodeTree,
        manifests: &[Utf8PathBuf],
        policy: Policy,
        threads: usize,
    ) -> Fleet {
        let (environment, _) = tree.set(&mut db, manifests);
        policy.read_files(&mut db);
        let run = Run::add(&db, environment, policy);
        Fleet { db, run, workers: Workers::new(threads), edited: Vec::new() }
    }

    /// The database. Setters block while a clone of it exists.
    pub fn db(&self) -> &ProjectDatabase {
        &self.db
    }

    /// The input shared by all nodes.
    pub fn run(&self) -> Run {
        self.run
    }

    /// Adds a node with its description.
    pub fn add(&self, described: NodeInput) -> Node {
        Node::add(&self.db, self.run, described)
    }

    /// Replaces the description of a node. Its catalog is recompiled only if it depended on what changed. Returns whether the
    /// description changed.
    pub fn describe(&mut self, node: Node, described: NodeInput) -> bool {
        let changed = !(**node.described(&self.db)).is_same(&described);
        if changed {
            node.set_described(&mut self.db).to(Arc::new(described));
        }
        changed
    }

    /// Reads the paths that may have changed, and updates the database. `tree` and `manifests` are the current code tree and
    /// main manifests.
    pub fn apply(&mut self, batch: &ChangeBatch, tree: &CodeTree, manifests: &[Utf8PathBuf]) -> Applied {
        let mut applied = Applied::default();
        self.edited.clear();
        let mut resolver = Resolver::default();
        for file in batch.known(&self.db) {
            let is_folder = file.status(&self.db) == FileStatus::Folder;
            if file.refresh_with(&mut self.db, &mut resolver) {
                applied.files += usize::from(!is_folder);
                applied.layout |= is_folder;
                self.edited.push(file.path(&self.db).clone());
            }
        }
        let (environment, changed) = tree.set(&mut self.db, manifests);
        applied.layout |= changed;
        if self.run.environment(&self.db) != environment {
            self.run.set_environment(&mut self.db).to(environment);
            applied.layout = true;
        }
        applied
    }

    /// The files and folders that the last batch changed, as far as anything had read or looked for them.
    pub fn edited(&self) -> &[Utf8PathBuf] {
        &self.edited
    }

    /// The number of files and folders that anything has read or looked for.
    pub fn known(&self) -> usize {
        self.db.files().count()
    }

    /// The paths that were first read or looked for after the first `count`.
    pub fn known_after(&self, count: usize) -> Vec<Utf8PathBuf> {
        self.db.files().known_after(count).into_iter().map(|it| it.path(&self.db).clone()).collect()
    }

    /// Runs a job for each item, in parallel, each time on a clone of the database. The results are in the order of the items;
    /// a job that panics doesn't affect the others.
    pub fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        job: impl Fn(&ProjectDatabase, &I) -> T + Sync,
    ) -> Vec<Result<T, Panicked>> {
        in_parallel(self.db.clone(), &self.workers, items, |db, it| caught(db, || job(db, it)))
    }

    /// Runs a job for each item and each of two fleets, in parallel, and then another one with both results. A job that panics
    /// doesn't affect the others.
    pub fn each_of_two<I: Sync, M, T: Send>(
        [one, other]: [&Fleet; 2],
        items: &[I],
        job: impl Fn(usize, &ProjectDatabase, &I) -> M + Sync,
        join: impl Fn(&I, [Result<M, Panicked>; 2]) -> T + Sync,
    ) -> Vec<Result<T, Panicked>> {
        let both = (one.db.clone(), other.db.clone());
        in_parallel(both, &one.workers, items, |(one, other), it| {
            let made = [(0, one), (1, other)].map(|(side, db)| caught(db, || job(side, db, it)));
            caught(one, || join(it, made))
        })
    }
}
