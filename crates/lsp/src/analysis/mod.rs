//! A folder with its project, on a separate thread, so that the loop that reads messages never waits for it.
//!
//! This is the only place that uses [`Project`]. It receives [`Order`]s, in the order in which the client caused them, and sends
//! [`Event`]s: an edit is applied before any request that arrived after it. Computations on the previous state are cancelled.

mod check;
mod orders;
mod watching;

pub(crate) use check::Checked;
pub(crate) use orders::{Cancellation, Edit, Folder, Job, Order, Question};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use camino::Utf8PathBuf;
use crossbeam_channel::{Receiver, Sender};
use marotte_db::{Db as _, File, OverlaySystem, System};
use marotte_diagnostics::Diagnostic;
use marotte_project::{ChangeBatch, Project, ProjectDatabase, is_of_module};
use serde_json::{Map, Value};

use crate::answers::tokens::Sent;
use crate::client::Client;
use crate::diagnostics::findings::{all_diagnosed, diagnosed as diagnosed_in, shown};
use crate::documents::Content;
use crate::event::{Event, FolderId, Scope};
use crate::message::Id;
use crate::pool::Pool;
use crate::settings::{Configuration, FolderSettings, ServerSettings};
use crate::snapshot::{Opened, Snapshot};
use watching::Watching;

/// The parameters of a new analysis.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) id: FolderId,
    /// The root folder; None for documents outside of all folders.
    pub(crate) root: Option<Utf8PathBuf>,
    pub(crate) system: Arc<dyn System>,
    pub(crate) configuration: Arc<dyn Configuration>,
    pub(crate) client: Arc<Client>,
    pub(crate) server: Arc<ServerSettings>,
    /// The client's settings, by the names of `marotte.toml`.
    pub(crate) settings: Map<String, Value>,
    pub(crate) pool: Pool,
    pub(crate) events: Sender<Event>,
}

/// The state of a folder.
pub(crate) struct Analysis {
    start: Start,
    overlay: Arc<OverlaySystem>,
    opened: Arc<BTreeMap<Utf8PathBuf, Opened>>,
    /// The open documents, the most recently opened or edited last.
    recent: Vec<Utf8PathBuf>,
    settings: Arc<FolderSettings>,
    /// The absolute paths of the files on which the settings depend.
    sources: Vec<Utf8PathBuf>,
    project: Project,
    watching: Option<Watching>,
    /// The semantic tokens that the client has.
    tokens: Arc<Sent>,
    of_modules: Arc<BTreeMap<File, Vec<Arc<Diagnostic>>>>,
    /// The number of the current check.
    check: u64,
    /// The number of the last check whose result was kept. It is the current one, unless that is still running.
    settled: u64,
    /// The requests that wait for the end of the current check.
    waiting: Vec<Id>,
    /// The results of a complete check were reported.
    is_loaded: bool,
    /// The extent of the diagnostics to publish when the current check has ended.
    scope: Scope,
    /// The documents that were closed since the last check ended.
    closed: BTreeSet<Utf8PathBuf>,
    /// The paths that may have changed since the last check ended. An edit can move a finding to another line without changing its
    /// offset, in which case the findings are equal and the diagnostics are not.
    touched: BTreeSet<Utf8PathBuf>,
    orders: Sender<Order>,
}

impl Analysis {
    /// Handles orders until it receives [`Order::Stop`]. To be called on a thread of its own.
    pub(crate) fn run(start: Start, orders: Sender<Order>, received: &Receiver<Order>) {
        let overlay = Arc::new(OverlaySystem::new(Arc::clone(&start.system)));
        let mut analysis = Analysis {
            project: Project::new(
                ProjectDatabase::of_editor(Arc::clone(&overlay) as _, []),
                &[],
                Default::default(),
            ),
            overlay,
            opened: Arc::default(),
            recent: Vec::new(),
            settings: Arc::default(),
            sources: Vec::new(),
            watching: None,
            tokens: Arc::default(),
            of_modules: Arc::default(),
            check: 0,
            settled: 0,
            waiting: Vec::new(),
            is_loaded: false,
            scope: Scope::Everything,
            closed: BTreeSet::new(),
            touched: BTreeSet::new(),
            orders,
            start,
        };
        analysis.configure();
        // Watching starts first, so that no change falls between the discovery and the first event.
        if analysis.start.root.is_some() && !analysis.start.client.watches {
            let orders = analysis.orders.clone();
            analysis.watching = Watching::start(&analysis.start, &analysis.sources, orders);
        }
        analysis.open_project();
        analysis.obey(received);
        analysis.project.cancel();
    }

    fn obey(&mut self, received: &Receiver<Order>) {
        let mut next = None;
        while let Some(order) = next.take().or_else(|| received.recv().ok()) {
            match order {
                Order::Stop => return,
                Order::Edit(edit) => {
                    let mut change = Change::default();
                    self.edit(edit, &mut change);
                    // All waiting orders are applied together.
                    while next.is_none() {
                        match received.try_recv() {
                            Ok(Order::Edit(edit)) => self.edit(edit, &mut change),
                            Ok(Order::Touched(batch)) => change.batch.merge(batch),
                            Ok(other) => next = Some(other),
                            Err(_) => break,
                        }
                    }
                    self.apply(change);
                }
                Order::Touched(batch) => self.apply(Change { batch, ..Change::default() }),
                Order::Configure(server, settings) => {
                    self.start.server = server;
                    self.start.settings = settings;
                    self.reconfigure();
                }
                Order::Ask(question) => {
                    let snapshot = self.snapshot();
                    let Start { pool, id, events, .. } = &self.start;
                    pool.answer(*id, snapshot, question, events.clone());
                }
                Order::Settle(id) => {
                    self.waiting.push(id);
                    self.report_settled();
                }
                Order::Checked(checked) => self.checked(*checked),
            }
        }
    }

    /// Applies an edit to the overlay.
    fn edit(&mut self, edit: Edit, change: &mut Change) {
        let Edit { path, opened, content } = edit;
        self.recent.retain(|it| *it != path);
        let was_open = self.opened.contains_key(&path);
        match (opened, content) {
            (Some(opened), content) => {
                self.recent.push(path.clone());
                Arc::make_mut(&mut self.opened).insert(path.clone(), opened);
                match content {
                    Some(Content::Text(text)) => drop(self.overlay.insert(&path, text.as_bytes())),
                    Some(Content::Oversized(size)) => self.overlay.insert_oversized(&path, size),
                    None => {}
                }
                if !was_open {
                    change.reopened.insert(path.clone());
                }
            }
            (None, _) => {
                Arc::make_mut(&mut self.opened).remove(&path);
                self.overlay.remove(&path);
                self.tokens.forget(&path);
                self.closed.insert(path.clone());
                if was_open {
                    change.reopened.insert(path.clone());
                }
            }
        }
        change.renumbered = true;
        if self.concerns(&path) {
            change.batch.touch(path);
        }
    }

    /// Whether a path may be part of this folder's code, or of its dependencies.
    fn concerns(&self, path: &Utf8PathBuf) -> bool {
        let db = self.project.db();
        self.start.root.is_none() || db.files().known(path).is_some() || self.project.watched().contains(path)
    }

    /// Applies a change to the project, and starts a check if anything changed.
    fn apply(&mut self, change: Change) {
        let Change { batch, reopened, renumbered } = change;
        if let Some(watching) = &mut self.watching {
            watching.follow(&batch);
        }
        self.touched.extend(batch.paths().cloned());
        let is_configuration = |path: &Utf8PathBuf| {
            path.file_name() == Some("marotte.toml") || self.sources.iter().any(|it| it.starts_with(path))
        };
        if batch.is_rescan() || batch.paths().any(is_configuration) {
            self.reconfigure();
        }
        if self.start.root.is_none() && !reopened.is_empty() {
            // The documents themselves are the files to check.
            self.open_project();
            return;
        }
        let applied = !batch.is_empty() && self.project.apply(&batch).anything();
        for path in reopened {
            self.project.set_open(&path, self.opened.contains_key(&path));
        }
        if applied || renumbered {
            self.start_check();
        }
        self.follow_roots();
    }

    /// Reads the configuration again.
    fn reconfigure(&mut self) {
        let before = Arc::clone(&self.settings);
        self.configure();
        if before.project != self.settings.project {
            self.open_project();
        } else {
            // The same findings may be shown differently.
            self.scope = Scope::Everything;
            self.start_check();
        }
    }

    fn configure(&mut self) {
        let Start { configuration, root, settings, .. } = &self.start;
        let folder = root.clone().unwrap_or_else(|| self.start.system.current_dir().to_owned());
        self.sources = configuration.sources(&*self.overlay, &folder, settings);
        let loaded = configuration.load(&*self.overlay, &folder, settings);
        let error = match loaded {
            Ok(settings) => {
                self.settings = Arc::new(settings);
                None
            }
            // The previous settings stay in effect.
            Err(error) => Some(error),
        };
        self.tell(Event::Configured { folder: self.start.id, error });
    }

    /// Repeats the discovery with an empty database.
    fn open_project(&mut self) {
        let paths = match &self.start.root {
            Some(root) => vec![root.clone()],
            None => self.opened.keys().cloned().collect(),
        };
        self.project.cancel();
        self.of_modules = Arc::default();
        self.scope = Scope::Everything;
        let open = self.opened.keys().cloned();
        let db = ProjectDatabase::of_editor(Arc::clone(&self.overlay) as _, open);
        self.project = Project::new(db, &paths, self.settings.project.clone());
        self.start_check();
        self.follow_roots();
    }

    fn follow_roots(&mut self) {
        if let Some(watching) = &mut self.watching {
            let new = watching.set(self.project.watched().with(self.sources.iter().cloned()));
            if !new.is_empty() {
                // The receiver is gone once the analysis has been stopped.
                let _ = self.orders.send(Order::Touched(new));
            }
        }
    }

    fn start_check(&mut self) {
        self.check += 1;
        check::Check {
            number: self.check,
            folder: self.start.id,
            job: self.project.job(),
            snapshot: self.snapshot(),
            recent: self.recent.clone(),
            shows_progress: !self.is_loaded,
            orders: self.orders.clone(),
            events: self.start.events.clone(),
        }
        .start();
    }

    /// Keeps the result of a check, unless a newer check was started, and publishes the differences.
    fn checked(&mut self, checked: Checked) {
        let Checked { number, result, of_extra } = checked;
        if number != self.check {
            return;
        }
        let delta = self.project.settle(result);
        let of_modules = Arc::make_mut(&mut self.of_modules);
        for (file, findings) in &delta.changed {
            let found: Vec<_> = findings.iter().filter(|it| is_of_module(it)).cloned().collect();
            if found.is_empty() {
                of_modules.remove(file);
            } else {
                of_modules.insert(*file, found);
            }
        }
        let scope = std::mem::replace(&mut self.scope, Scope::Changes);
        let snapshot = self.snapshot();
        let (db, findings) = (&snapshot.db, self.project.findings());
        let known = |path: &Utf8PathBuf| db.files().known(path);
        let open = self.opened.keys().filter_map(known).filter(|it| snapshot.files.contains(it));
        // Files that are not checked themselves may have findings, too.
        let mut files: BTreeSet<File> = open.chain(self.closed.iter().filter_map(known)).collect();
        match scope {
            Scope::Everything => files.extend(findings.files()),
            Scope::First | Scope::Changes => {
                files.extend(delta.changed.iter().map(|(file, _)| *file));
                let at_or_below = |it| known(it).into_iter().chain(db.files().known_below(it));
                for file in self.touched.iter().flat_map(at_or_below) {
                    files.insert(file);
                    files.extend(findings.pointing_at(file.id(db)));
                }
            }
        }
        let mut diagnosed = all_diagnosed(&snapshot, files.into_iter().map(|it| (it, findings.of(it))));
        for (file, findings) in of_extra {
            let findings = shown(&snapshot, file, findings);
            diagnosed.insert(file.path(db).clone(), Some(diagnosed_in(&snapshot, file, &findings)));
        }
        for path in std::mem::take(&mut self.closed) {
            diagnosed.entry(path).or_default();
        }
        drop(snapshot);
        self.touched.clear();
        self.is_loaded = true;
        self.tell(Event::Diagnosed { folder: self.start.id, check: number, scope, diagnosed });
        self.settled = number;
        self.report_settled();
    }

    /// Reports the end of the current check to the requests that wait for it, if it has ended.
    fn report_settled(&mut self) {
        if self.settled == self.check {
            for id in std::mem::take(&mut self.waiting) {
                self.tell(Event::Settled { folder: self.start.id, id });
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        let job = self.project.job();
        Snapshot {
            db: job.db().clone(),
            system: Arc::clone(&self.overlay) as _,
            files: Arc::clone(job.files()),
            support: Arc::clone(job.support()),
            client: Arc::clone(&self.start.client),
            settings: Arc::clone(&self.settings),
            server: Arc::clone(&self.start.server),
            opened: Arc::clone(&self.opened),
            tokens: Arc::clone(&self.tokens),
            root: self.start.root.clone(),
            fetched: Arc::default(),
            of_modules: Arc::clone(&self.of_modules),
            events: self.start.events.clone(),
        }
    }

    fn tell(&self, event: Event) {
        // The receiver is gone once the session has ended.
        let _ = self.start.events.send(event);
    }
}

/// The accumulated effects of edits.
#[derive(Debug, Default)]
struct Change {
    batch: ChangeBatch,
    /// The documents that were opened or closed.
    reopened: BTreeSet<Utf8PathBuf>,
    /// A document has a new version.
    renumbered: bool,
}
