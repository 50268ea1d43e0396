//! Paths at which something else is than a regular file or a folder, wherever code and settings name them: whatever is not
//! read is reported, in the output and by the exit status, and nothing waits for a pipe.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

use crate::support::{Folder, Run};

/// The kind of file at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pipe,
    Socket,
    Device,
    /// A link to nothing.
    Dangling,
    /// A link to itself.
    Circle,
    /// A folder in the place of a file, or a file in the place of a folder.
    Other,
    /// Only to be tried by users whom permissions stop.
    Unreadable,
}

const KINDS: [Kind; 7] =
    [Kind::Pipe, Kind::Socket, Kind::Device, Kind::Dangling, Kind::Circle, Kind::Other, Kind::Unreadable];

/// A control repository in which each path is used.
const FILES: &[(&str, &[u8])] = &[
    ("environment.conf", b"modulepath = modules:site\nmanifest = manifests\n"),
    ("hiera.yaml", b"---\nversion: 5\nhierarchy:\n  - name: all\n    paths: [\"nodes/%{facts.f}.yaml\", common.yaml]\n"),
    ("data/common.yaml", b"---\nm::a: 1\n"),
    ("data/nodes/n.yaml", b"---\nm::a: 2\n"),
    ("manifests/site.pp", b"include m\ninclude s\n"),
    ("Puppetfile", b""),
    ("site/s/manifests/init.pp", b"class s { }\n"),
    (
        "modules/m/manifests/init.pp",
        b"class m(Integer $a) {\n  $b = epp('m/t.epp')\n  $c = template('m/t.erb')\n  $d = file('m/f')\n  $e = m::f()\n}\n",
    ),
    ("modules/m/metadata.json", b"{\"name\": \"a-m\", \"version\": \"1.0.0\", \"author\": \"a\", \"license\": \"MIT\", \"summary\": \"m\", \"source\": \"x\", \"dependencies\": []}"),
    ("modules/m/templates/t.epp", b"x\n"),
    ("modules/m/templates/t.erb", b"x\n"),
    ("modules/m/files/f", b"x\n"),
    ("modules/m/functions/g.pp", b"function m::g() { 1 }\n"),
    ("modules/m/lib/puppet/functions/m/f.rb", b"Puppet::Functions.create_function(:'m::f') do\n  def f() 1 end\nend\n"),
    ("modules/m/lib/facter/f.rb", b"Facter.add(:f) { setcode { 'n' } }\n"),
    ("modules/m/tasks/t.json", b"{\"parameters\": {}}\n"),
    ("modules/m/tasks/t.sh", b"#!/bin/sh\n"),
    ("modules/m/plans/p.yaml", b"steps: []\n"),
    ("marotte.toml", b""),
    (".gitignore", b"vendor\n"),
    (".ignore", b"vendor\n"),
    (".editorconfig", b"root = true\n"),
];

impl Kind {
    /// Replaces what is at a path. Returns whether this kind can be made.
    #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
    fn make(self, path: &str) -> bool {
        let is_folder = fs::metadata(path).unwrap().is_dir();
        if self == Kind::Unreadable {
            fs::set_permissions(path, fs::Permissions::from_mode(0o0)).unwrap();
            return if is_folder { fs::read_dir(path).is_err() } else { fs::read(path).is_err() };
        }
        if is_folder {
            fs::remove_dir_all(path).unwrap()
        } else {
            fs::remove_file(path).unwrap()
        }
        match self {
            Kind::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            Kind::Socket => drop(UnixListener::bind(path).unwrap()),
            Kind::Device => symlink("/dev/zero", path).unwrap(),
            Kind::Dangling => symlink("nothing", path).unwrap(),
            Kind::Circle => symlink(path, path).unwrap(),
            Kind::Other if is_folder => fs::write(path, "").unwrap(),
            Kind::Other => fs::create_dir(path).unwrap(),
            Kind::Unreadable => {}
        }
        true
    }
}

/// Whether a run says of a path, or of a folder in it, that something is wrong with it.
fn tells(run: &Run, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap();
    run.status != 0 && [&run.stdout, &run.stderr].iter().any(|it| it.contains(path) || it.contains(name))
}

/// Tries all kinds at a path. Returns those about which a command says nothing.
fn silent(path: &str, arguments: &[&str]) -> Vec<Kind> {
    let is_silent = |kind: &Kind| {
        let folder = Folder::new(FILES);
        if !kind.make(&folder.path(path)) {
            return false;
        }
        let run = folder.marotte(arguments);
        !tells(&run, path)
    };
    KINDS.into_iter().filter(is_silent).collect()
}

const CHECK: &[&str] = &["check", "--output-format=concise", "."];

// Nothing is said of what does not exist, as in the reference, and of folders with the names of code that nothing uses.

#[test]
fn a_check_tells_which_settings_it_did_not_follow() {
    for (path, passed_over) in [
        ("environment.conf", &[][..]),
        ("marotte.toml", &[]),
        ("modules", &[Kind::Dangling]),
        ("site", &[Kind::Dangling]),
        // A manifest may have any name.
        ("manifests", &[Kind::Dangling, Kind::Other]),
        ("data", &[Kind::Dangling]),
        ("hiera.yaml", &[]),
        ("Puppetfile", &[]),
    ] {
        assert_eq!(silent(path, CHECK), passed_over, "{path}");
    }
}

#[test]
fn a_check_tells_whose_code_it_did_not_parse() {
    // Longer than what is parsed as Ruby.
    let long = "# longer than any code\n".repeat(24_000);
    let tag = format!("<%\n{long}%>");
    let rows = format!("{}<% if %>\n", "a 'quoted' row of text: <%= 1 %>\n".repeat(14_000));
    for (path, text) in [
        ("Puppetfile", long.as_str()),
        ("modules/m/lib/puppet/functions/m/f.rb", &long),
        ("modules/m/templates/t.erb", &tag),
        ("modules/m/templates/t.erb", &rows),
    ] {
        let folder = Folder::new(FILES);
        folder.write(path, text.as_bytes());
        let run = folder.marotte(CHECK);
        assert!(
            run.status == 1 && run.stdout.contains(&format!("{path}:1:1: error[file-too-large]")),
            "{run:?}"
        );
    }
    let folder = Folder::new(FILES);
    folder.write("modules/m/templates/t.erb", b"\xc3( <% if %>\n");
    let run = folder.marotte(CHECK);
    for rule in ["invalid-utf8", "invalid-ruby"] {
        assert!(run.status == 1 && run.stdout.contains(rule), "{run:?}");
    }
}

#[test]
fn a_check_tells_which_files_it_did_not_read() {
    for (path, passed_over) in [
        ("manifests/site.pp", &[Kind::Other][..]),
        ("data/common.yaml", &[Kind::Dangling]),
        // Interpolated paths may be those of folders.
        ("data/nodes/n.yaml", &[Kind::Dangling, Kind::Other]),
        ("modules/m/manifests/init.pp", &[Kind::Other]),
        ("modules/m/metadata.json", &[]),
        ("modules/m/functions/g.pp", &[Kind::Other]),
        ("modules/m/lib/puppet/functions/m/f.rb", &[Kind::Other]),
        ("modules/m/lib/facter/f.rb", &[Kind::Other]),
        ("modules/m/templates/t.epp", &[Kind::Other]),
        ("modules/m/templates/t.erb", &[Kind::Other]),
        ("modules/m/tasks/t.json", &[Kind::Other]),
        ("modules/m/plans/p.yaml", &[Kind::Other]),
    ] {
        assert_eq!(silent(path, CHECK), passed_over, "{path}");
    }
}

#[test]
fn a_compilation_tells_what_it_did_not_read() {
    let compile = ["compile", "--environment-dir", "."];
    for (path, passed_over) in [
        ("environment.conf", &[][..]),
        ("hiera.yaml", &[Kind::Dangling]),
        // It then has no value for the parameter.
        ("data/common.yaml", &[Kind::Dangling, Kind::Circle]),
        ("modules/m/templates/t.epp", &[]),
        ("modules/m/templates/t.erb", &[]),
        ("modules/m/files/f", &[]),
        // A folder with the name of a manifest is an error, as in Puppet.
        ("manifests/site.pp", &[Kind::Dangling, Kind::Circle]),
        ("modules/m/manifests/init.pp", &[Kind::Dangling, Kind::Circle, Kind::Other]),
        ("modules/m/lib/puppet/functions/m/f.rb", &[Kind::Dangling, Kind::Circle, Kind::Other]),
    ] {
        assert_eq!(silent(path, &compile), passed_over, "{path}");
    }
}

/// The kinds that hold no code in the place of a folder.
const NOTHING: &[Kind] = &[Kind::Pipe, Kind::Socket, Kind::Device, Kind::Dangling, Kind::Other];

#[test]
fn formatting_tells_what_it_did_not_read() {
    for arguments in [["format", "--check", "."], ["format", "--quiet", "."]] {
        for (path, passed_over) in [
            (".gitignore", &[Kind::Dangling, Kind::Other][..]),
            (".ignore", &[Kind::Dangling, Kind::Other]),
            (".editorconfig", &[Kind::Dangling, Kind::Other]),
            ("manifests/site.pp", &[Kind::Other]),
            ("modules/m/templates/t.epp", &[Kind::Other]),
            ("modules/m/templates", NOTHING),
        ] {
            assert!(!tells(&Folder::new(FILES).marotte(&arguments), path), "{path}");
            assert_eq!(silent(path, &arguments), passed_over, "{path}");
        }
    }
}

#[test]
fn a_survey_of_ruby_tells_what_it_did_not_read() {
    for format in ["--format=full", "--format=concise", "--format=json"] {
        let arguments = ["ruby", format, "."];
        for (path, passed_over) in [
            (".gitignore", &[Kind::Dangling, Kind::Other][..]),
            (".ignore", &[Kind::Dangling, Kind::Other]),
            ("modules/m/lib/puppet/functions/m/f.rb", &[Kind::Other]),
            ("modules/m/templates/t.erb", &[Kind::Other]),
            ("modules", NOTHING),
        ] {
            assert!(!tells(&Folder::new(FILES).marotte(&arguments), path), "{path}");
            assert_eq!(silent(path, &arguments), passed_over, "{path}");
        }
    }
}

/// Code is neither laid out in a way that its authors did not choose, nor changed where they excluded it.
#[test]
fn nothing_is_formatted_without_its_settings() {
    for setting in [".editorconfig", ".gitignore"] {
        let folder = Folder::new(&[("a.pp", b"$a=1\n"), (setting, b"")]);
        assert!(Kind::Pipe.make(&folder.path(setting)));
        for arguments in [&["format"][..], &["format", "."], &["format", "--allow-empty", "."]] {
            let run = folder.marotte(arguments);
            assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
            let told =
                format!("error: nothing was formatted: {setting} cannot be read: it is not a regular file");
            assert!(run.stderr.starts_with(&told), "{run:?}");
        }
        assert_eq!(folder.read("a.pp"), b"$a=1\n");
    }
    let folder = Folder::new(&[("a.pp", b"$a=1\n"), (".editorconfig", b""), (".gitignore", b"")]);
    assert!(Kind::Pipe.make(&folder.path(".gitignore")));
    assert_eq!(folder.marotte(&["format", "--no-ignore"]).status, 0);
    assert_eq!(folder.read("a.pp"), b"$a = 1\n");
    assert!(Kind::Pipe.make(&folder.path(".editorconfig")));
    let run = folder.marotte_with_input(&["format", "-"], b"$a=1\n");
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
}

#[test]
fn a_migration_tells_what_it_did_not_read() {
    let files: [(&str, &[u8]); 2] = [(".puppet-lint.rc", b"--no-140chars-check\n"), ("Rakefile", b"")];
    for path in [".puppet-lint.rc", "Rakefile"] {
        for kind in KINDS.into_iter().filter(|it| *it != Kind::Dangling) {
            let folder = Folder::new(&files);
            if kind.make(&folder.path(path)) {
                let run = folder.marotte(&["migrate", "puppet-lint"]);
                assert!(tells(&run, path), "{path} {kind:?}: {run:?}");
                assert!(!folder.names(".").contains(&"marotte.toml".to_owned()), "{path} {kind:?}");
            }
        }
    }
}
