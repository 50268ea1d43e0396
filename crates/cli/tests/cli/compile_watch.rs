//! `marotte compile --watch` as programs run it.

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use crate::support::Folder;

/// The running command; it is interrupted at the end.
struct Watch {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    told: Lines<BufReader<ChildStderr>>,
}

impl Watch {
    fn start(folder: &Folder, arguments: &[&str]) -> Watch {
        Watch::run(folder, &[&["compile", "--watch", "--format", "json"], arguments].concat())
    }

    fn run(folder: &Folder, arguments: &[&str]) -> Watch {
        let mut command = folder.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let told = BufReader::new(child.stderr.take().unwrap()).lines();
        Watch { child, lines, told }
    }

    /// The next catalog. Each one ends with a brace on a line of its own.
    fn next(&mut self) -> serde_json::Value {
        let mut text = String::new();
        loop {
            let line = self.lines.next().unwrap().unwrap();
            text.push_str(&line);
            if line == "}" {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// Returns the lines up to one that contains a text.
    fn lines_until(&mut self, text: &str) -> String {
        let mut lines = String::new();
        while !lines.contains(text) {
            lines.push_str(&self.lines.next().unwrap().unwrap());
            lines.push('\n');
        }
        lines
    }

    /// Waits for a line of messages.
    fn until_told(&mut self, text: &str) {
        while !self.told.next().unwrap().unwrap().contains(text) {}
    }

    fn end(mut self) {
        let interrupted = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(interrupted.success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn catalogs_that_are_different_are_written_again_until_an_interrupt() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"node 'a' { include web }\nnode 'b' { notify { $kernel: } }\n"),
        ("modules/web/manifests/init.pp", b"class web { notify { 'one': } }\n"),
        ("facts/a.yaml", b"kernel: Linux\n"),
        ("facts/b.yaml", b"kernel: Linux\n"),
    ]);
    let mut watch = Watch::start(&folder, &["--all", "--facts-dir", "facts"]);
    let mut next = || watch.next();
    assert_eq!((next()["name"].as_str(), next()["name"].as_str()), (Some("a"), Some("b")));

    folder.write("modules/web/manifests/init.pp", b"class web { notify { 'two': } }\n");
    let catalog = next();
    assert_eq!(catalog["name"], "a");
    assert!(catalog.to_string().contains("two"));

    folder.write("facts/b.yaml", b"kernel: FreeBSD\n");
    let catalog = next();
    assert_eq!(catalog["name"], "b");
    assert!(catalog.to_string().contains("FreeBSD"));

    folder.write("facts/c.yaml", b"kernel: Linux\n");
    folder.write("manifests/site.pp", b"node 'a' { include web }\nnode default { notify { $kernel: } }\n");
    let mut names = [next(), next()].map(|it| it["name"].to_string());
    names.sort();
    assert_eq!(names, ["\"b\"", "\"c\""]);

    watch.end();
}

#[test]
fn a_state_that_passes_is_told_and_waited_for() {
    let folder = Folder::new(&[
        ("control/environment.conf", b""),
        ("control/manifests/site.pp", b"notify { $kernel: }\n"),
        ("facts/a.yaml", b"kernel: Linux\n"),
    ]);
    let arguments = ["--all", "--facts-dir", "facts", "--environment-dir", "control"];
    let mut watch = Watch::start(&folder, &arguments);
    assert!(watch.next().to_string().contains("Linux"));
    watch.until_told("1 of 1 catalogs are new");

    folder.rename("facts", "away");
    watch.until_told("error: cannot read the folder facts");
    folder.write("away/a.yaml", b"kernel: FreeBSD\n");
    folder.rename("away", "facts");
    assert!(watch.next().to_string().contains("FreeBSD"));

    folder.rename("control/manifests", "control/gone");
    watch.until_told("error: no main manifest was found");
    folder.write("control/gone/site.pp", b"notify { \"still ${kernel}\": }\n");
    folder.rename("control/gone", "control/manifests");
    assert!(watch.next().to_string().contains("still FreeBSD"));
    watch.end();
}

#[test]
fn what_may_be_read_is_watched_and_so_are_modules_that_the_environment_names_later() {
    let folder = Folder::new(&[
        ("control/environment.conf", b""),
        ("control/manifests/site.pp", b"notify { file('RULES'): }\ninclude m\n"),
        ("control/modules/m/manifests/init.pp", b"class m { notify { 'own': } }\n"),
        ("rules/text", b"one"),
        ("later/m/manifests/init.pp", b"class m { notify { 'later': } }\n"),
    ]);
    let (rules, later) = (folder.path("rules"), folder.path("later"));
    let site = format!("notify {{ file('{rules}/text'): }}\ninclude m\n");
    folder.write("control/manifests/site.pp", site.as_bytes());
    let allow = format!("read={rules}");
    let allow_later = format!("read={later}");
    let arguments = ["--environment-dir", "control", "--allow", &allow, "--allow", &allow_later];
    let mut watch = Watch::start(&folder, &arguments);
    assert!(watch.next().to_string().contains("\"own\""));

    folder.write("rules/text", b"two");
    assert!(watch.next().to_string().contains("\"two\""));

    folder.write("control/environment.conf", format!("modulepath = {later}:modules\n").as_bytes());
    assert!(watch.next().to_string().contains("\"later\""));
    folder.write("later/m/manifests/init.pp", b"class m { notify { 'latest': } }\n");
    assert!(watch.next().to_string().contains("\"latest\""));
    watch.end();
}

#[test]
fn an_edit_is_reported_with_the_nodes_that_it_changes() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"include web\n"),
        ("modules/web/manifests/init.pp", b"class web { notify { 'x': message => 'one' } }\n"),
    ]);
    for node in ["a", "b", "c"] {
        folder.write(&format!("facts/{node}.yaml"), b"kernel: Linux\n");
    }
    let arguments = ["compile", "--watch", "--all", "--facts-dir", "facts"];
    let mut watch = Watch::run(&folder, &arguments);
    watch.until_told("3 of 3 catalogs are new");

    let expected = |change: &str| {
        format!("From the last state to now\n3 nodes: 3 changed\n\nChanged: 3 nodes: a, b, c\n  {change}")
    };
    folder.write("modules/web/manifests/init.pp", b"class web { notify { 'x': message => 'two' } }\n");
    let first = watch.lines_until("=>");
    assert!(first.starts_with(&expected("~ Notify[x] message: 'one' => 'two'")), "{first}");
    watch.until_told("3 of 3 catalogs are new");

    // A comment changes nothing, and the next catalog is compared with the one before the comment.
    folder.write(
        "modules/web/manifests/init.pp",
        b"class web { # a comment\n notify { 'x': message => 'two' } }\n",
    );
    watch.until_told("catalogs are new");
    folder.write("manifests/site.pp", b"include web\nnode 'b' { fail('no') }\nnode default { }\n");
    let second = watch.lines_until("no (");
    assert!(second.contains("3 nodes: 1 failing now"), "{second}");
    watch.until_told("catalogs are new");
    folder.write("manifests/site.pp", b"include web\n");
    let third = watch.lines_until("  before: ");
    assert!(third.contains("1 failing before, compiling now"), "{third}");
    watch.end();
}

/// An edit between two states that compile is reported, although a state between them does not compile.
#[test]
fn an_edit_before_an_error_is_reported_when_the_error_is_gone() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"notify { 'x': message => 'one' }\n"),
        ("facts/a.yaml", b"kernel: Linux\n"),
    ]);
    let mut watch = Watch::run(&folder, &["compile", "--watch", "--all", "--facts-dir", "facts"]);
    watch.until_told("1 of 1 catalogs are new");
    folder.write("manifests/site.pp", b"notify { 'x': message => 'two' \n");
    let failing = watch.lines_until("failing now");
    assert!(failing.contains("1 node: 1 failing now"), "{failing}");
    watch.until_told("1 of 1 catalogs are new");
    folder.write("manifests/site.pp", b"notify { 'x': message => 'two' }\n");
    let next = watch.lines_until("=> 'two'");
    assert!(next.contains("~ Notify[x] message: 'one' => 'two'"), "{next}");
    folder.write("facts/b.yaml", b"kernel: Linux\n");
    watch.until_told("New: b");
    watch.end();
}

#[test]
fn an_edit_of_a_file_that_agents_fetch_is_reported() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"file { '/motd': source => 'puppet:///modules/web/motd' }\n"),
        ("modules/web/files/motd", b"one\n"),
        ("facts/a.yaml", b"kernel: Linux\n"),
    ]);
    let mut watch = Watch::run(&folder, &["compile", "--watch", "--all", "--facts-dir", "facts"]);
    watch.until_told("1 of 1 catalogs are new");
    for (before, after) in [("one", "two"), ("two", "three")] {
        folder.write("modules/web/files/motd", format!("{after}\n").as_bytes());
        let report = watch.lines_until(&format!("+{after}"));
        assert!(report.contains("~ File[/motd] content: 1 line added, 1 removed"), "{report}");
        assert!(report.contains(&format!("-{before}\n")), "{report}");
        watch.until_told("1 of 1 catalogs are new");
    }
    watch.end();
}

#[test]
fn differences_of_one_node_are_shown_like_those_of_all() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"notify { 'x': message => 'one' }\n"),
        ("facts/a.yaml", b"kernel: Linux\n"),
    ]);
    let mut watch = Watch::run(&folder, &["compile", "--watch", "a", "--facts-dir", "facts"]);
    let first = watch.lines_until("message => 'one'");
    assert!(first.starts_with("a (production): "), "{first}");
    watch.until_told("1 of 1 catalogs are new");
    folder.write("manifests/site.pp", b"notify { 'x': message => 'two' }\n");
    let next = watch.lines_until("=> 'two'");
    let expected = "From the last state to now\n1 node: 1 changed\n\n\
        Changed: 1 node: a\n  ~ Notify[x] message: 'one' => 'two'";
    assert!(next.starts_with(expected), "{next}");
    watch.end();
}

/// Watches the environment in `control`, some of which is behind the link `current`, and switches the link from the folder `1` to
/// `2`. Their catalogs have the resources `one` and `two`.
fn switched_from_one_to_two(folder: &Folder) -> Watch {
    use std::os::unix::fs::symlink;
    symlink("1", folder.path("current")).unwrap();
    let [one, two] = ["1", "2"].map(|it| format!("read={}", folder.path(it)));
    let mut watch = Watch::start(folder, &["--environment-dir", "control", "--allow", &one, "--allow", &two]);
    assert!(watch.next().to_string().contains("\"one\""));
    symlink("2", folder.path("new")).unwrap();
    folder.rename("new", "current");
    assert!(watch.next().to_string().contains("\"two\""));
    watch
}

#[test]
fn a_configuration_behind_links_is_watched() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(&[
        ("control/manifests/site.pp", b"include m\n"),
        ("control/one/m/manifests/init.pp", b"class m { notify { 'one': } }\n"),
        ("control/two/m/manifests/init.pp", b"class m { notify { 'two': } }\n"),
        ("1/environment.conf", b"modulepath = one\n"),
        ("2/environment.conf", b"modulepath = two\n"),
    ]);
    symlink("../current/environment.conf", folder.path("control/environment.conf")).unwrap();
    let mut watch = switched_from_one_to_two(&folder);
    folder.write("2/environment.conf", b"modulepath = one\n");
    assert!(watch.next().to_string().contains("\"one\""));
    symlink("../1/../2/environment.conf", folder.path("new")).unwrap();
    folder.write("2/environment.conf", b"modulepath = two\n");
    assert!(watch.next().to_string().contains("\"two\""));
    folder.rename("new", "control/environment.conf");
    folder.write("2/environment.conf", b"modulepath = one\n");
    assert!(watch.next().to_string().contains("\"one\""));
    watch.end();
}

/// `modules -> ../current -> 1`, where only the last one can be watched as a part of what may be read.
#[test]
fn links_on_the_way_are_watched_when_they_are_switched() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(&[
        ("control/environment.conf", b""),
        ("control/manifests/site.pp", b"include m\n"),
        ("1/m/manifests/init.pp", b"class m { notify { 'one': } }\n"),
        ("2/m/manifests/init.pp", b"class m { notify { 'two': } }\n"),
    ]);
    symlink("../current", folder.path("control/modules")).unwrap();
    let mut watch = switched_from_one_to_two(&folder);
    folder.write("2/m/manifests/init.pp", b"class m { notify { 'three': } }\n");
    assert!(watch.next().to_string().contains("\"three\""));
    watch.end();
}
