//! The watch loop, driven by signals; and once by the machine's own events.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use camino::Utf8PathBuf;
use marotte_db::testing::FragileSystem;
use marotte_db::{DiskSystem, MemorySystem, System};
use marotte_project::watch::{self, Debounce, FileWatcher, Observer, Signal};
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions, Report};

/// Longer than any check here takes, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(30);

/// A loop on its own thread.
struct Session {
    signals: Sender<Signal>,
    reports: Receiver<Report>,
    thread: thread::JoinHandle<()>,
}

struct Reports {
    reports: Sender<Report>,
    watcher: Option<FileWatcher>,
}

impl Observer for Reports {
    fn report(&mut self, _: &Project, report: Report) {
        self.reports.send(report).unwrap();
    }

    fn touched(&mut self, batch: &ChangeBatch) {
        if let Some(watcher) = &mut self.watcher {
            watcher.follow(batch).unwrap();
        }
    }
}

impl Session {
    fn start(system: Arc<dyn System>, root: &str, on_disk: bool) -> Self {
        let (signals, received) = mpsc::channel();
        let (reports_sender, reports) = mpsc::channel();
        let root = Utf8PathBuf::from(root);
        let watcher =
            on_disk.then(|| FileWatcher::new(system.clone(), vec![root.clone()], signals.clone()).unwrap());
        let own = signals.clone();
        let thread = thread::spawn(move || {
            let mut project = Project::new(ProjectDatabase::new(system), &[root], ProjectOptions::default());
            let debounce = Debounce { quiet: Duration::from_millis(20), longest: Duration::from_millis(200) };
            let mut observer = Reports { reports: reports_sender, watcher };
            watch::run(&mut project, &own, &received, debounce, &mut observer);
        });
        Session { signals, reports, thread }
    }

    fn changed(&self, paths: &[&str]) {
        self.signals.send(Signal::Changed(paths.iter().copied().collect())).unwrap();
    }

    fn next(&self) -> Report {
        self.reports.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits for the report that says so; events of one change may come in two batches.
    fn until(&self, is: impl Fn(&Report) -> bool) -> Report {
        loop {
            let report = self.next();
            if is(&report) {
                return report;
            }
        }
    }

    fn stop(self) {
        self.signals.send(Signal::Stop).unwrap();
        self.thread.join().unwrap();
    }
}

#[test]
fn a_change_is_followed_by_a_report() {
    let system = Arc::new(MemorySystem::with_files([("/a.pp", "$a = 1"), ("/b.pp", "$b = 1")]));
    let session = Session::start(system.clone(), "/", false);
    let first = session.next();
    assert_eq!((first.files, first.checked, first.findings.len()), (2, 2, 0));

    system.write_file("/a.pp", b"\xff");
    session.changed(&["/a.pp"]);
    let second = session.next();
    assert_eq!((second.files, second.checked, second.findings.len()), (2, 1, 1));
    session.stop();
}

#[test]
fn many_changes_at_once_are_one_report() {
    let system = Arc::new(MemorySystem::with_files([("/a.pp", "")]));
    let session = Session::start(system.clone(), "/", false);
    session.next();
    for number in 0..1000 {
        let path = format!("/new/{number}.pp");
        system.write_file(&path, "$a = 1");
        session.changed(&[&path]);
    }
    let report = session.until(|report| report.files == 1001);
    assert_eq!(report.findings, []);
    session.stop();
}

#[test]
fn a_change_that_changes_nothing_is_not_reported() {
    let system = Arc::new(MemorySystem::with_files([("/a.pp", "$a = 1")]));
    let session = Session::start(system.clone(), "/", false);
    session.next();
    session.changed(&["/a.pp"]);
    system.write_file("/b.pp", "$b = 1");
    thread::sleep(Duration::from_millis(100));
    session.changed(&["/b.pp"]);
    assert_eq!(session.next().files, 2, "the first report after the first change is about the second");
    session.stop();
}

#[test]
fn a_check_that_is_overtaken_is_cancelled_and_its_work_is_kept() {
    let memory = MemorySystem::new();
    for number in 0..400 {
        memory.write_file(format!("/{number:03}.pp"), "$a = 1");
    }
    // Reads slowly, so that a change can overtake a check.
    let system = Arc::new(FragileSystem::new(memory, |_| {
        thread::sleep(Duration::from_millis(5));
        None
    }));
    let session = Session::start(system.clone(), "/", false);
    thread::sleep(Duration::from_millis(100));
    system.memory().write_file("/new.pp", b"\xff");
    system.memory().write_file("/000.pp", b"\xff");
    session.changed(&["/new.pp", "/000.pp"]);

    let report = session.next();
    assert_eq!((report.files, report.findings.len()), (401, 2), "the first report is about the change");
    assert!(report.checked < 401, "{} files were checked again", report.checked);
    session.stop();
}

#[test]
fn the_machines_own_events_reach_the_loop() {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let root = base.join("tree");
    let system = Arc::new(DiskSystem::at(&base));
    std::fs::create_dir(&root).unwrap();
    system.write_atomically(&root.join("a.pp"), b"$a = 1").unwrap();

    let session = Session::start(system.clone(), root.as_str(), true);
    assert_eq!(session.next().files, 1);

    // An editor writes beside the file and moves the new one over it.
    system.write_atomically(&root.join("a.pp~"), b"\xff").unwrap();
    std::fs::rename(root.join("a.pp~"), root.join("a.pp")).unwrap();
    session.until(|report| report.findings.len() == 1);

    std::fs::create_dir_all(root.join("new/deep")).unwrap();
    system.write_atomically(&root.join("new/deep/b.pp"), b"$b = 1").unwrap();
    session.until(|report| report.files == 2);

    // The root moves away and comes back changed.
    std::fs::rename(&root, base.join("away")).unwrap();
    session.until(|report| report.files == 0);
    system.write_atomically(&base.join("away/a.pp"), b"$a = 2").unwrap();
    std::fs::rename(base.join("away"), &root).unwrap();
    session.until(|report| report.files == 2 && report.findings.is_empty());
    system.write_atomically(&root.join("a.pp"), b"\xff").unwrap();
    session.until(|report| report.findings.len() == 1);
    session.stop();
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_followed_under_either() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let system = Arc::new(DiskSystem::at(&root));
    std::fs::create_dir(root.join("real")).unwrap();
    system.write_atomically(&root.join("real/a.pp"), b"$a = 1").unwrap();
    for alias in ["alias", "zalias"] {
        std::os::unix::fs::symlink("real", root.join(alias)).unwrap();
    }
    let session = Session::start(system.clone(), root.as_str(), true);
    assert_eq!(session.next().files, 1);
    for name in ["real/a.pp", "alias/a.pp", "zalias/a.pp"] {
        system.write_atomically(&root.join(name), b"\xff").unwrap();
        session.until(|report| report.findings.len() == 1);
        system.write_atomically(&root.join(name), b"$a = 1").unwrap();
        session.until(|report| report.findings.is_empty());
    }
    session.stop();
}

#[test]
fn a_root_that_is_a_file_is_followed_when_it_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let system = Arc::new(DiskSystem::at(&base));
    let root = base.join("a.pp");
    system.write_atomically(&root, b"$a = 1").unwrap();
    let session = Session::start(system.clone(), root.as_str(), true);
    assert_eq!(session.next().findings, []);
    for bytes in [b"\xff", b"1", b"\xfe"] {
        system.write_atomically(&base.join("other"), bytes).unwrap();
        std::fs::rename(base.join("other"), &root).unwrap();
        let faulty = usize::from(!bytes.is_ascii());
        session
            .until(|report| report.findings.iter().filter(|it| it.rule == "invalid-utf8").count() == faulty);
    }
    session.stop();
}

/// `current -> releases/2`, above the tree that is watched, and reached by another link.
#[cfg(unix)]
#[test]
fn links_on_the_way_to_a_root_are_followed_when_they_are_switched() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let system = Arc::new(DiskSystem::at(&base));
    for (release, text) in [("1", b"$a = 1".as_slice()), ("2", b"\xff")] {
        std::fs::create_dir_all(base.join("srv/releases").join(release).join("tree")).unwrap();
        system.write_atomically(&base.join("srv/releases").join(release).join("tree/a.pp"), text).unwrap();
    }
    let switch = |release: &str| {
        symlink(format!("releases/{release}"), base.join("srv/new")).unwrap();
        std::fs::rename(base.join("srv/new"), base.join("srv/current")).unwrap();
    };
    switch("1");
    symlink("srv/current", base.join("code")).unwrap();
    let session = Session::start(system.clone(), base.join("code/tree").as_str(), true);
    assert_eq!(session.next().findings, []);
    switch("2");
    session.until(|report| report.findings.len() == 1);
    system.write_atomically(&base.join("srv/releases/2/tree/a.pp"), b"$a = 2").unwrap();
    session.until(|report| report.findings.is_empty());
    switch("1");
    system.write_atomically(&base.join("srv/releases/1/tree/b.pp"), b"$b = 1").unwrap();
    session.until(|report| report.files == 2);
    session.stop();
}
