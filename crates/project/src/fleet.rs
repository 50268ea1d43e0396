use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::FileStatus;
use marotte_host::ProjectDatabase;
use marotte_host::{CodeTree, Node, NodeInput, Policy, Run, Same as _};
use salsa::Setter as _;

use crate::change::{Applied, ChangeBatch};
use crate::driver::{Panicked, Workers, caught, in_parallel};

/// The nodes of one tree of code, whose catalogs are compiled in parallel, and kept current while files change.
#[derive(Debug)]
pub struct Fleet {
    db: ProjectDatabase,
    run: Run,
    workers: Workers,
}

impl Fleet {
    /// A fleet without nodes. `manifests` are the absolute paths of the main manifests, in order; `threads` compile, 0 for
    /// as many as the machine has processors.
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
        Fleet { db, run, workers: Workers::new(threads) }
    }

    /// The database. A clone of it keeps those waiting who change something.
    pub fn db(&self) -> &ProjectDatabase {
        &self.db
    }

    /// What all its nodes have in common.
    pub fn run(&self) -> Run {
        self.run
    }

    /// Adds a node.
    pub fn add(&self, described: NodeInput) -> Node {
        Node::add(&self.db, self.run, described)
    }

    /// Says anew what is known of a node. What its catalog did not depend on wakes nobody.
    pub fn describe(&mut self, node: Node, described: NodeInput) -> bool {
        let changed = !(**node.described(&self.db)).is_same(&described);
        if changed {
            node.set_described(&mut self.db).to(Arc::new(described));
        }
        changed
    }

    /// Looks at what may have changed, and tells the database what did. The tree and the main manifests are those that there
    /// are now.
    pub fn apply(&mut self, batch: &ChangeBatch, tree: &CodeTree, manifests: &[Utf8PathBuf]) -> Applied {
        let mut applied = Applied::default();
        for file in batch.known(&self.db) {
            let is_folder = file.status(&self.db) == FileStatus::NotAFile;
            if file.refresh(&mut self.db) {
                applied.files += usize::from(!is_folder);
                applied.layout |= is_folder;
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

    /// Does something for each of many, in parallel, each time on a clone of the database. The answers are in the order of
    /// what was given; a job that panics spoils no other.
    pub fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        job: impl Fn(&ProjectDatabase, &I) -> T + Sync,
    ) -> Vec<Result<T, Panicked>> {
        in_parallel(self.db.clone(), &self.workers, items, |db, it| caught(db, || job(db, it)))
    }
}
