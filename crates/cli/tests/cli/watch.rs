//! `marotte check --watch` as programs run it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::support::Folder;

/// Longer than any check here takes, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// The running command; it is killed if the test fails.
struct Watch {
    child: Child,
    lines: Receiver<Value>,
}

impl Watch {
    fn start(folder: &Folder, arguments: &[&str]) -> Watch {
        Watch::start_with(folder, arguments, &[])
    }

    fn start_with(folder: &Folder, arguments: &[&str], environment: &[(&str, &str)]) -> Watch {
        let all = [&["check", "--watch", "--output-format=json-lines"], arguments].concat();
        let mut command = folder.command(&all);
        command.envs(environment.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut lines = output.lines().map_while(Result::ok);
            // A test that has failed receives no more.
            lines.try_for_each(|line| sender.send(serde_json::from_str(&line).unwrap()))
        });
        Watch { child, lines }
    }

    fn next(&self) -> Value {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits for a report with a number of findings.
    fn until_findings(&self, count: u64) {
        while self.next()["summary"]["findings"] != count {}
    }

    /// Waits for a report about a number of files.
    fn until_files(&self, count: u64) {
        while self.next()["summary"]["files"] != count {}
    }

    /// Interrupts the command, and returns its messages.
    fn end(mut self) -> String {
        let interrupted = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(interrupted.success());
        let mut messages = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut messages).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        messages
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It has ended already, unless the test fails.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Creates a symbolic link, or switches one as deployments do.
fn link(folder: &Folder, target: &str, path: &str) {
    std::os::unix::fs::symlink(target, folder.path(&format!("{path}.new"))).unwrap();
    folder.rename(&format!("{path}.new"), path);
}

fn remove(folder: &Folder, path: &str) {
    std::fs::remove_file(folder.path(path)).unwrap();
}

#[test]
fn changes_are_reported_line_by_line_until_an_interrupt() {
    let folder = Folder::new(&[("a.pp", b"$a = 1\n"), ("b.pp", b"$b = 1\n")]);
    let watch = Watch::start(&folder, &[]);
    let first = watch.next();
    assert_eq!(first["summary"]["files"], 2);
    assert_eq!(first["summary"]["checked"], 2);

    folder.write("a.pp", b"# caf\xe9\n");
    let finding = watch.next();
    assert_eq!((finding["file"].as_str(), finding["rule"].as_str()), (Some("a.pp"), Some("invalid-utf8")));
    let second = watch.next();
    assert_eq!(
        (second["summary"]["findings"].as_u64(), second["summary"]["checked"].as_u64()),
        (Some(1), Some(1))
    );
    assert_eq!(watch.end(), "");
}

#[test]
fn the_configuration_may_change_meanwhile() {
    let folder = Folder::new(&[("a.pp", b"$a = = 1\n")]);
    let watch = Watch::start(&folder, &[]);
    watch.until_findings(1);
    folder.write("marotte.toml", b"ignore = [\"syntax-error\"]\n");
    watch.until_findings(0);
    folder.write("marotte.toml", b"ignore = [\"no such rule\"]\n");
    folder.write("marotte.toml", b"\n");
    watch.until_findings(1);
    watch.end();
}

/// A tree with an error, which the configuration may ignore.
const FAULTY: (&str, &[u8]) = ("tree/a.pp", b"$a = = 1\n");
const IGNORE: &[u8] = b"ignore = [\"syntax-error\"]\n";

#[test]
fn a_configuration_behind_links_is_watched() {
    let folder = Folder::new(&[FAULTY, ("1/m.toml", b"\n"), ("2/m.toml", IGNORE)]);
    link(&folder, "1", "current");
    link(&folder, "../current/m.toml", "tree/marotte.toml");
    let watch = Watch::start(&folder, &["tree"]);
    watch.until_findings(1);
    folder.write("1/m.toml", IGNORE);
    watch.until_findings(0);
    folder.write("1/other", b"");
    folder.write("1/new", b"\n");
    folder.rename("1/new", "1/m.toml");
    watch.until_findings(1);
    link(&folder, "2", "current");
    watch.until_findings(0);
    folder.write("2/m.toml", b"\n");
    watch.until_findings(1);
    assert_eq!(watch.end(), "");
}

#[test]
fn extended_configurations_are_watched_wherever_they_are() {
    let own = b"extends = \"conf/one.toml\"\n";
    let one = b"extends = \"../../out/two.toml\"\n";
    let files = [FAULTY, ("tree/marotte.toml", own), ("tree/conf/one.toml", one), ("out/two.toml", b"\n")];
    let folder = Folder::new(&files);
    let watch = Watch::start(&folder, &["tree"]);
    watch.until_findings(1);
    folder.write("out/two.toml", IGNORE);
    watch.until_findings(0);
    folder.write("tree/conf/one.toml", b"\n");
    watch.until_findings(1);
    folder.write("tree/conf/one.toml", IGNORE);
    watch.until_findings(0);
    // A file that is named later, and comes later still.
    folder.write("tree/marotte.toml", b"extends = \"../later/three.toml\"\n");
    watch.until_findings(0);
    folder.write("later/three.toml", b"\n");
    watch.until_findings(1);
    folder.write("later/three.toml", IGNORE);
    watch.until_findings(0);
    assert!(watch.end().contains("later/three.toml"));
}

#[test]
fn configurations_above_the_tree_are_watched_whether_they_exist_or_not() {
    let folder = Folder::new(&[("folder/tree/a.pp", FAULTY.1)]);
    let watch = Watch::start(&folder, &["folder/tree"]);
    watch.until_findings(1);
    folder.write("marotte.toml", IGNORE);
    watch.until_findings(0);
    folder.write("folder/marotte.toml", b"\n");
    watch.until_findings(1);
    folder.write("folder/marotte.toml", IGNORE);
    watch.until_findings(0);
    folder.write("marotte.toml", b"\n");
    remove(&folder, "folder/marotte.toml");
    watch.until_findings(1);
    folder.write("marotte.toml", IGNORE);
    watch.until_findings(0);
    remove(&folder, "marotte.toml");
    watch.until_findings(1);
    assert_eq!(watch.end(), "");
}

#[test]
fn a_baseline_is_watched_wherever_it_is() {
    const NOTHING: &[u8] = b"{\"version\":1,\"findings\":[]}\n";
    for (config, argument) in [("baseline = \"../out/known.json\"\n", None), ("", Some("out/known.json"))] {
        let folder = Folder::new(&[FAULTY, ("out/README", b"")]);
        folder.marotte(&["check", "tree", "--write-baseline", "--baseline", "out/known.json"]);
        folder.write("tree/marotte.toml", config.as_bytes());
        let known = folder.read("out/known.json");
        let arguments: Vec<&str> = ["tree"].into_iter().chain(argument.map(|_| "--baseline")).collect();
        let watch = Watch::start(&folder, &[arguments, argument.into_iter().collect()].concat());
        watch.until_findings(0);
        folder.write("out/known.json", NOTHING);
        watch.until_findings(1);
        // As editors and version control write it.
        folder.write("out/new", &known);
        folder.rename("out/new", "out/known.json");
        watch.until_findings(0);
        remove(&folder, "out/known.json");
        watch.next();
        folder.write("out/known.json", NOTHING);
        watch.until_findings(1);
        assert!(watch.end().contains("there is no "));
    }
}

#[test]
fn lists_of_ignored_files_above_the_tree_are_watched() {
    let files: [(&str, &[u8]); 3] = [
        ("top/.git/HEAD", b"ref: refs/heads/main\n"),
        ("top/in/tree/a.pp", b"\n"),
        ("top/in/tree/b.pp", b"\n"),
    ];
    let folder = Folder::new(&files);
    let watch = Watch::start(&folder, &["top/in/tree"]);
    watch.until_files(2);
    for list in ["top/.git/info/exclude", "top/.gitignore", "top/in/.gitignore", "top/in/.ignore"] {
        folder.write(list, b"b.pp\n");
        watch.until_files(1);
        folder.write(list, b"\n");
        watch.until_files(2);
    }
    // The list above the top of another repository doesn't apply.
    folder.write("top/.gitignore", b"b.pp\n");
    watch.until_files(1);
    folder.rename("top/.git", "top/in/.git");
    watch.until_files(2);
    assert_eq!(watch.end(), "");
}

#[test]
fn what_the_user_ignores_in_all_repositories_is_watched() {
    let folder = Folder::new(&[("top/.git/HEAD", b"ref: refs/heads/main\n"), ("top/in/a.pp", b"\n")]);
    folder.write("top/in/b.pp", b"\n");
    folder.write("home/.gitconfig", b"[core]\n  excludesFile = ~/mine/list\n");
    let home = folder.path("home");
    let watch = Watch::start_with(&folder, &["top/in"], &[("HOME", &home), ("GIT_CONFIG_GLOBAL", "")]);
    watch.until_files(2);
    // The folder of the list does not exist yet; the slash is about the top of the repository.
    folder.write("home/mine/list", b"/in/b.pp\n");
    watch.until_files(1);
    folder.write("home/mine/list", b"/b.pp\n");
    watch.until_files(2);
    assert_eq!(watch.end(), "");
}

#[test]
fn lists_of_ignored_files_behind_links_are_watched() {
    let folder = Folder::new(&[("tree/a.pp", b"\n"), ("tree/b.pp", b"\n"), ("1/.ignore", b"\n")]);
    folder.write("2/.ignore", b"b.pp\n");
    link(&folder, "1", "current");
    link(&folder, "../current/.ignore", "tree/.ignore");
    let watch = Watch::start(&folder, &["tree"]);
    watch.until_files(2);
    folder.write("1/.ignore", b"b.pp\n");
    watch.until_files(1);
    folder.write("1/.ignore", b"\n");
    watch.until_files(2);
    link(&folder, "2", "current");
    watch.until_files(1);
    folder.write("2/.ignore", b"\n");
    watch.until_files(2);
    assert_eq!(watch.end(), "");
}

#[test]
fn links_outside_of_the_tree_are_watched_when_a_link_in_it_leads_to_them() {
    let files: [(&str, &[u8]); 4] = [
        ("tree/environment.conf", b"modulepath = linked\n"),
        ("tree/manifests/site.pp", b"include x\n"),
        ("1/x/manifests/init.pp", b"class x { $a = ) }\n"),
        ("2/x/manifests/init.pp", b"class x { }\n"),
    ];
    let folder = Folder::new(&files);
    link(&folder, "1", "current");
    link(&folder, "../current", "tree/linked");
    let watch = Watch::start(&folder, &["tree"]);
    watch.until_findings(1);
    link(&folder, "2", "current");
    watch.until_findings(0);
    folder.write("2/x/manifests/init.pp", files[2].1);
    watch.until_findings(1);
    // A link to nothing, too.
    link(&folder, "3", "current");
    while watch.next()["summary"]["files"] != 1 {}
    folder.rename("2", "3");
    watch.until_files(2);
    folder.write("3/x/manifests/init.pp", files[3].1);
    watch.until_findings(0);
    watch.end();
}
