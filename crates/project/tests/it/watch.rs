//! The watch loop, driven by signals; and once by the machine's own events.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use camino::Utf8PathBuf;
use marotte_db::testing::FragileSystem;
use marotte_db::{DiskSystem, MemorySystem, System};
use marotte_project::watch::{self, Debounce, FileWatcher, Observer, Signal, Watched};
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
    signals: Sender<Signal>,
}

impl Observer for Reports {
    fn report(&mut self, project: &Project, report: Report) {
        if let Some(watcher) = &mut self.watcher {
            let new = watcher.set(project.watched()).unwrap();
            if !new.is_empty() {
                self.signals.send(Signal::Changed(new)).unwrap();
            }
        }
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
        let watched = Watched::new([root.clone()]).with_lists(&*system);
        let watcher = on_disk.then(|| FileWatcher::new(system.clone(), watched, signals.clone()).unwrap());
        let own = signals.clone();
        let thread = thread::spawn(move || {
            let mut project = Project::new(ProjectDatabase::new(system), &[root], ProjectOptions::default());
            let debounce = Debounce { quiet: Duration::from_millis(20), ..Debounce::default() };
            let mut observer = Reports { reports: reports_sender, watcher, signals: own.clone() };
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

    /// Waits for a report that satisfies a condition; the events of one change may arrive in two batches.
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
    static READS: AtomicUsize = AtomicUsize::new(0);
    let system = Arc::new(FragileSystem::new(memory, |_| {
        thread::sleep(Duration::from_millis(5));
        READS.fetch_add(1, Ordering::Relaxed);
        None
    }));
    let session = Session::start(system.clone(), "/", false);
    thread::sleep(Duration::from_millis(100));
    let reads_before = READS.load(Ordering::Relaxed);
    system.memory().write_file("/new.pp", b"\xff");
    system.memory().write_file("/000.pp", b"\xff");
    session.changed(&["/new.pp", "/000.pp"]);

    let report = session.next();
    assert_eq!((report.files, report.findings.len()), (401, 2), "the first report is about the change");
    let read_again = READS.load(Ordering::Relaxed) - reads_before;
    assert!(reads_before > 2 && read_again < 401, "{read_again} files were read after {reads_before}");
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

    // An editor writes a new file next to the old one and moves it over that.
    system.write_atomically(&root.join("a.pp~"), b"\xff").unwrap();
    std::fs::rename(root.join("a.pp~"), root.join("a.pp")).unwrap();
    session.until(|report| report.findings.len() == 1);

    std::fs::create_dir_all(root.join("new/deep")).unwrap();
    system.write_atomically(&root.join("new/deep/b.pp"), b"$b = 1").unwrap();
    session.until(|report| report.files == 2);

    // The root is moved away and comes back changed.
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
        session.until(|report| {
            report.findings.iter().filter(|it| it.rule.name == "invalid-utf8").count() == faulty
        });
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

/// The folders around single files may be large, or be written to all the time.
#[cfg(unix)]
#[test]
fn of_the_folders_around_single_files_nothing_else_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let system = Arc::new(DiskSystem::at(&base));
    for name in ["tree", "out/deep", "beside/deep"] {
        std::fs::create_dir_all(base.join(name)).unwrap();
    }
    std::os::unix::fs::symlink("out", base.join("link")).unwrap();
    let write = |path: &str| system.write_atomically(&base.join(path), b"").unwrap();
    let (signals, received) = mpsc::channel();
    let files = ["list", "link/file", "none/yet"].map(|it| base.join(it));
    let watched = Watched::new([base.join("tree")]).with(files);
    let mut watcher = FileWatcher::new(system.clone(), watched.clone(), signals).unwrap();
    let debounce = Debounce { quiet: Duration::from_millis(100), ..Debounce::default() };
    let mut told = |path: &str| {
        for path in ["other", "beside/x", "beside/deep/x", "out/x", "out/deep/x", "out/file~", "list~"] {
            write(path);
        }
        std::fs::create_dir_all(base.join("beside/new/deep")).unwrap();
        write("beside/new/deep/x");
        // A file of the tree ends the wait if nothing else does.
        match path {
            "" => write("tree/a.pp"),
            path => write(path),
        }
        let batch = watch::changes(&received, debounce).unwrap();
        watcher.follow(&batch).unwrap();
        std::fs::remove_dir_all(base.join("beside/new")).unwrap();
        let short = |it: &Utf8PathBuf| it.strip_prefix(&base).unwrap().to_string();
        batch.paths().map(short).filter(|it| !it.starts_with("tree/.")).collect::<Vec<_>>()
    };
    assert_eq!(told("list"), ["list"]);
    assert_eq!(told("out/file"), ["link/file"]);
    assert_eq!(told(""), ["tree/a.pp"]);
    std::fs::create_dir_all(base.join("none")).unwrap();
    assert_eq!(told("list"), ["list", "none/yet"]);
    assert_eq!(told("none/yet"), ["none/yet"]);
    assert!(watcher.set(watched).unwrap().is_empty());
}

/// The next random number below a limit.
fn below(random: &mut u64, limit: u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random % limit
}

/// A watched tree, and next to it the targets of links.
#[cfg(unix)]
fn linked() -> (tempfile::TempDir, Utf8PathBuf, Arc<DiskSystem>) {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    for name in ["tree/own", "outside/1/deep", "outside/2/deep"] {
        std::fs::create_dir_all(base.join(name)).unwrap();
    }
    let system = Arc::new(DiskSystem::at(&base));
    for name in
        ["tree/own/a.pp", "outside/1/deep/b.pp", "outside/2/deep/b.pp", "outside/c.pp", "outside/d.pp"]
    {
        system.write_atomically(&base.join(name), b"$a = 1").unwrap();
    }
    (folder, base, system)
}

/// Creates a link, or switches one as deployments do.
#[cfg(unix)]
fn link(target: &str, path: &camino::Utf8Path) {
    let new = format!("{path}.new-link");
    std::os::unix::fs::symlink(target, &new).unwrap();
    std::fs::rename(&new, path).unwrap();
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "another program writes in place")]
#[test]
fn links_that_come_while_the_tree_is_watched_are_followed_out_of_it() {
    let (_guard, base, system) = linked();
    let session = Session::start(system.clone(), base.join("tree").as_str(), true);
    assert_eq!(session.next().files, 1);

    link("../outside/1", &base.join("tree/module"));
    session.until(|it| it.files == 2);
    system.write_atomically(&base.join("outside/1/deep/b.pp"), b"\xff").unwrap();
    session.until(|it| it.findings.len() == 1);

    link("../outside/2", &base.join("tree/module"));
    session.until(|it| it.findings.is_empty());
    system.write_atomically(&base.join("outside/2/deep/b.pp"), b"\xff").unwrap();
    session.until(|it| it.findings.len() == 1);
    system.write_atomically(&base.join("outside/2/deep/new.pp"), b"$a = 1").unwrap();
    session.until(|it| it.files == 3);

    link("../../outside/c.pp", &base.join("tree/own/c.pp"));
    session.until(|it| it.files == 4);
    for round in 0..2 {
        system.write_atomically(&base.join("outside/c.pp"), b"\xff").unwrap();
        session.until(|it| it.findings.len() == 2);
        system.write_atomically(&base.join("outside/c.pp"), b"$a = 2").unwrap();
        session.until(|it| it.findings.len() == 1);
        // The same with a file that is moved there.
        std::fs::write(base.join("outside/moved"), b"\xfe").unwrap();
        std::fs::rename(base.join("outside/moved"), base.join("outside/c.pp")).unwrap();
        session.until(|it| it.findings.len() == 2);
        std::fs::write(base.join("outside/c.pp"), format!("$a = {round}")).unwrap();
        session.until(|it| it.findings.len() == 1);
    }
    std::fs::remove_file(base.join("tree/module")).unwrap();
    session.until(|it| it.files == 2 && it.findings.is_empty());
    session.stop();
}

#[test]
fn what_git_leaves_alone_may_change() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let system = Arc::new(DiskSystem::at(&root));
    std::fs::create_dir_all(root.join(".git/info")).unwrap();
    system.write_atomically(&root.join("a.pp"), b"$a = 1").unwrap();
    system.write_atomically(&root.join("b.pp"), b"\xff").unwrap();
    let session = Session::start(system.clone(), root.as_str(), true);
    assert_eq!(session.next().files, 2);
    for list in [".git/info/exclude", ".gitignore"] {
        system.write_atomically(&root.join(list), b"b.pp\n").unwrap();
        session.until(|it| it.files == 1);
        system.write_atomically(&root.join(list), b"# nothing\n").unwrap();
        session.until(|it| it.files == 2);
    }
    session.stop();
}

/// Edits arrive all the time, and a check takes longer than the time between two edits.
#[test]
fn reports_come_while_somebody_writes_without_end() {
    let memory = MemorySystem::new();
    for number in 0..40 {
        memory.write_file(format!("/{number:03}.pp"), "$a = 1");
    }
    let system = Arc::new(FragileSystem::new(memory, |_| {
        if thread::current().name().is_some_and(|it| it.starts_with("check-")) {
            thread::sleep(Duration::from_millis(10));
        }
        None
    }));
    let session = Session::start(system.clone(), "/", false);
    session.next();
    let mut reports = 0;
    for edit in 0..200 {
        for number in 0..40 {
            system.memory().write_file(format!("/{number:03}.pp"), format!("$a = {edit}"));
        }
        let paths: Vec<String> = (0..40).map(|number| format!("/{number:03}.pp")).collect();
        session.changed(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        thread::sleep(Duration::from_millis(20));
        reports += session.reports.try_iter().count();
    }
    assert!(reports >= 2, "{reports} reports");
    system.memory().write_file("/000.pp", b"\xff");
    session.changed(&["/000.pp"]);
    session.until(|it| it.findings.len() == 1);
    session.stop();
}

#[cfg(unix)]
#[test]
fn after_random_edits_through_the_real_watcher_findings_are_those_of_a_clean_run() {
    let (_guard, base, system) = linked();
    let root = base.join("tree");
    let session = Session::start(system.clone(), root.as_str(), true);
    let mut last = session.next();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let texts: [&[u8]; 4] = [b"$a = 1", b"\xff", b"$a = = 1", b"class b { $x = $y }"];
    let files = [
        "tree/own/a.pp",
        "tree/own/n.pp",
        "tree/f/g.pp",
        "outside/1/deep/b.pp",
        "outside/2/deep/b.pp",
        "outside/c.pp",
    ];
    for _ in 0..12 {
        for _ in 0..=below(&mut random, 5) {
            let file = base.join(files[usize::try_from(below(&mut random, 6)).unwrap()]);
            match below(&mut random, 10) {
                0..6 => {
                    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                    let text = texts[usize::try_from(below(&mut random, 4)).unwrap()];
                    system.write_atomically(&file, text).unwrap();
                }
                6 if file.starts_with(&root) => drop(std::fs::remove_file(&file)),
                7 => link(
                    ["../outside/1", "../outside/2"][usize::from(below(&mut random, 2) == 0)],
                    &root.join("m"),
                ),
                8 => link(
                    ["../outside/c.pp", "../outside/d.pp"][usize::from(below(&mut random, 2) == 0)],
                    &root.join("l.pp"),
                ),
                _ => drop(std::fs::remove_file(root.join("m"))),
            }
            if below(&mut random, 3) == 0 {
                thread::sleep(Duration::from_millis(below(&mut random, 60)));
            }
        }
        let clean = Project::new(
            ProjectDatabase::frozen(system.clone()),
            std::slice::from_ref(&root),
            ProjectOptions::default(),
        );
        let told = |report: &Report| -> Vec<(&'static str, String)> {
            let mut told: Vec<_> =
                report.findings.iter().map(|it| (it.rule.name, it.message.clone())).collect();
            told.sort();
            told
        };
        let report = clean.check(&());
        while (last.files, told(&last)) != (report.files, told(&report)) {
            last = session.next();
        }
    }
    session.stop();
}
