//! What is kept between runs is what a run would find out itself, and nothing is compiled for which everything would be answered
//! in the same way.
//!
//! Each seed makes a few changes of a small control repository. `MAROTTE_SEEDS=1000` tries more of them.

use marotte_cache::{Entry, Extent, Record};
use sha2::{Digest as _, Sha256};

use crate::affected::{change_by, folder};
use crate::support::{Folder, Run};

/// So many seeds are tried.
const SEEDS: u64 = 20;

fn seeds() -> u64 {
    std::env::var("MAROTTE_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(SEEDS)
}

fn impact(folder: &Folder, options: &[&str]) -> Run {
    let arguments = [
        "impact",
        "--from",
        "before",
        "--to",
        "after",
        "--facts-dir",
        "facts",
        "--output-format",
        "json",
        "--verbose",
    ];
    folder.marotte(&[&arguments[..], options].concat())
}

/// A number that the verbose output says: how many nodes were compiled from the code after, or are known from other runs.
fn said(run: &Run, what: &str) -> usize {
    let line = run.stderr.lines().find(|it| it.ends_with(what));
    line.and_then(|it| it.split(' ').next())
        .and_then(|it| it.parse().ok())
        .unwrap_or_else(|| panic!("{run:?}"))
}

fn known(run: &Run) -> usize {
    said(run, "nodes are known from other runs")
}

fn compiled(run: &Run) -> usize {
    said(run, "nodes read something that is different")
}

const ALL: usize = 7;

#[test]
fn what_is_kept_is_what_a_first_run_finds() {
    let mut recalled = 0;
    for seed in 1..=seeds() {
        let folder = folder();
        let facts = ["--from-facts-dir", "facts-before"];
        let cached = |folder: &Folder| impact(folder, &[&facts[..], &["--cache", "kept"]].concat());
        // The code before is known, and then more and more of what it becomes.
        let first = cached(&folder);
        assert_eq!(first.status, 0, "{first:?}");
        for step in 0..2 {
            let (changes, _) = change_by(&folder, seed * 3 + step);
            let fresh = impact(&folder, &facts);
            let warm = cached(&folder);
            let again = cached(&folder);
            for run in [&warm, &again] {
                assert_eq!(run.stdout, fresh.stdout, "seed {seed}, step {step}: {changes:?}\n{}", run.stderr);
                assert_eq!(run.status, fresh.status, "seed {seed}, step {step}: {changes:?}");
                assert!(!run.stderr.contains("warning: "), "{}", run.stderr);
            }
            if warm.stderr.contains("known from") {
                recalled += known(&warm);
            }
        }
    }
    // Or nothing is shown by this.
    assert!(recalled > usize::try_from(seeds()).unwrap() * ALL, "{recalled} recalled");
}

fn warm(options: &[&str]) -> Folder {
    let folder = folder();
    let run = impact(&folder, &[&["--cache", "kept"], options].concat());
    assert_eq!((run.status, known(&run), compiled(&run)), (0, 0, 0), "{run:?}");
    folder
}

fn replace(folder: &Folder, path: &str, from: &str, to: &str) {
    let text = String::from_utf8(folder.read(path)).unwrap();
    assert!(text.contains(from), "{text}");
    folder.write(path, text.replace(from, to).as_bytes());
}

#[test]
fn comments_and_keys_that_nobody_reads_compile_nothing() {
    let folder = warm(&[]);
    replace(&folder, "after/modules/base/manifests/init.pp", "class base", "# a comment\n\nclass base");
    replace(&folder, "after/manifests/site.pp", "node default", "# another\nnode default");
    replace(&folder, "after/data/common.yaml", "base::motd", "unused::other: 1\n# a comment\nbase::motd");
    replace(&folder, "facts/web2.yaml", "role", "unread: 1\nrole");
    let run = impact(&folder, &["--cache", "kept"]);
    assert_eq!((run.status, known(&run), compiled(&run)), (0, ALL, 0), "{run:?}");
}

#[test]
fn only_those_who_read_a_change_are_compiled() {
    let folder = warm(&[]);
    replace(&folder, "after/modules/db/files/conf", "a = 1", "a = 2");
    let run = impact(&folder, &["--cache", "kept"]);
    assert_eq!((run.status, known(&run), compiled(&run)), (1, ALL, 1), "{run:?}");
    assert!(run.stderr.contains("\n0 catalogs from the code after are known"), "{run:?}");
    // The same change again: there is nothing left to compile.
    let again = impact(&folder, &["--cache", "kept"]);
    assert!(again.stderr.contains("\n1 catalogs from the code after are known"), "{again:?}");
    assert_eq!((again.status, again.stdout), (run.status, run.stdout));
}

#[test]
fn another_place_or_option_is_another_result() {
    let folder = warm(&[]);
    for options in [&["--no-ruby"][..], &["--max-steps", "100000"], &["--strict", "off"]] {
        let run = impact(&folder, &[&["--cache", "kept"], options].concat());
        assert_eq!(known(&run), 0, "{options:?}: {run:?}");
    }
    let run = impact(&folder, &["--cache", "kept", "--environment", "testing"]);
    assert!(known(&run) <= ALL && run.status == 0, "{run:?}");
    let refused = impact(&folder, &["--cache", "kept", "--set", "x=1"]);
    assert!(
        refused.stderr.contains("note: the cache is not used, because results depend on `--set`"),
        "{refused:?}"
    );
}

/// The paths of all objects in the cache.
fn objects(folder: &Folder) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec!["kept".to_owned()];
    while let Some(path) = open.pop() {
        for name in folder.names(&path) {
            let path = format!("{path}/{name}");
            match std::path::Path::new(&folder.path(&path)).is_dir() {
                true => open.push(path),
                false if name == "CACHEDIR.TAG" => {}
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn what_is_damaged_is_compiled_again_and_told_once() {
    let folder = warm(&[]);
    replace(&folder, "after/modules/db/files/conf", "a = 1", "a = 2");
    let fresh = impact(&folder, &[]);
    let paths = objects(&folder);
    assert!(paths.len() > 2, "{paths:?}");
    let mut is_counted = false;
    for path in paths {
        let bytes = folder.read(&path);
        let mut flipped = bytes.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 1;
        for damaged in [&flipped[..], &bytes[..middle], b""] {
            folder.write(&path, damaged);
            let run = impact(&folder, &["--cache", "kept"]);
            assert_eq!((run.status, &run.stdout), (fresh.status, &fresh.stdout), "{path}: {}", run.stderr);
            assert!(run.stderr.matches("warning").count() <= 1, "{}", run.stderr);
            // It was removed, and is written again where it is needed.
            let healed = impact(&folder, &["--cache", "kept"]);
            assert_eq!((healed.status, &healed.stdout), (fresh.status, &fresh.stdout), "{path}");
            assert!(!healed.stderr.contains("warning"), "{path}: {}", healed.stderr);
            is_counted |= path.contains("/catalogs/") && known(&run) < known(&healed);
        }
    }
    assert!(is_counted, "a node with a damaged catalog is not known");
}

#[test]
fn a_secret_is_in_the_cache_only_with_a_key() {
    let secret = "class base(String $motd) { file { '/motd': content => Sensitive('hunter2') } }\n";
    let folder = folder();
    for side in ["before", "after"] {
        folder.write(&format!("{side}/modules/base/manifests/init.pp"), secret.as_bytes());
    }
    folder.write("key", &[b'k'; 40]);
    folder.write("other-key", &[b'o'; 40]);
    folder.write("short", b"hunter2");
    let run = |options: &[&str]| impact(&folder, &[&["--cache", "kept"], options].concat());
    let is_anywhere = || {
        objects(&folder)
            .iter()
            .any(|it| folder.read(it).windows(7).any(|it| it == b"hunter2" || it == b"/listen"))
    };
    run(&[]);
    // Only those without secrets are known.
    let plain = run(&[]);
    assert!(known(&plain) < ALL && !is_anywhere(), "{plain:?}");
    run(&["--cache-key-file", "key"]);
    let sealed = run(&["--cache-key-file", "key"]);
    assert_eq!((known(&sealed), is_anywhere()), (ALL, false), "{sealed:?}");
    // With another key, nothing is found, not even by its name.
    let other = run(&["--cache-key-file", "other-key"]);
    assert_eq!(known(&other), 0, "{other:?}");
    let short = run(&["--cache-key-file", "short"]);
    assert!(short.status == 2 && !short.stderr.contains("hunter2"), "{short:?}");
}

/// The text `geheim é`, and the key for it.
const ENCRYPTED: &str = include_str!("../../../hiera/src/backend/fixtures/encrypted.txt");
const KEY: &[u8] = include_bytes!("../../../hiera/src/backend/fixtures/private_key.pkcs7.pem");

#[test]
fn what_was_decrypted_is_in_the_cache_only_with_a_key() {
    let folder = folder();
    for side in ["before", "after"] {
        folder.write(&format!("{side}/key.pem"), KEY);
        let level = format!(
            "version: 5\nhierarchy:\n  - name: secret\n    lookup_key: eyaml_lookup_key\n    path: common.eyaml\n    options: {{ pkcs7_private_key: '{}' }}\n",
            // Both sides are looked at in this place.
            folder.path("after/key.pem"),
        );
        folder.write(&format!("{side}/hiera.yaml"), level.as_bytes());
        let data = format!("motd: {}\n", ENCRYPTED.trim());
        folder.write(&format!("{side}/data/common.eyaml"), data.as_bytes());
        let code = b"node 'web1' { file { '/motd': content => lookup('motd') } }\nnode default { }\n";
        folder.write(&format!("{side}/manifests/site.pp"), code);
    }
    folder.write("key", &[b'k'; 40]);
    let run = |options: &[&str]| impact(&folder, &[&["--cache", "kept"], options].concat());
    let is_anywhere = || {
        let secret = "geheim".as_bytes();
        objects(&folder).iter().any(|it| folder.read(it).windows(secret.len()).any(|it| it == secret))
    };
    let first = run(&[]);
    assert_eq!(first.status, 0, "{first:?}");
    let plain = run(&[]);
    assert_eq!((known(&plain), is_anywhere()), (ALL - 1, false), "{plain:?}");
    run(&["--cache-key-file", "key"]);
    let sealed = run(&["--cache-key-file", "key"]);
    assert_eq!((known(&sealed), is_anywhere()), (ALL, false), "{sealed:?}");
}

#[cfg(unix)]
#[test]
fn others_on_the_machine_cannot_read_the_cache() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = warm(&[]);
    let mode = |path: &str| {
        let metadata = std::path::Path::new(&folder.path(path)).metadata();
        metadata.unwrap().permissions().mode() & 0o777
    };
    assert_eq!((mode("kept"), mode("kept/v2/records")), (0o700, 0o700));
    assert!(objects(&folder).iter().all(|it| mode(it) == 0o600));
}

#[test]
fn a_place_that_a_function_reads_is_where_it_is_now() {
    let folder = folder();
    let function = b"Puppet::Functions.create_function(:'web::label') do\n  def label(text)\n    \"#{text} of line #{Puppet::Pops::PuppetStack.stacktrace[0][1]}\"\n  end\nend\n";
    for side in ["before", "after"] {
        folder.write(&format!("{side}/modules/web/lib/puppet/functions/web/label.rb"), function);
    }
    let cached = || impact(&folder, &["--cache", "kept"]);
    let first = cached();
    assert_eq!((first.status, known(&first)), (0, 0), "{first:?}");
    assert_eq!(known(&cached()), ALL);
    // The comment moves the call, and so changes a title.
    replace(&folder, "after/modules/web/manifests/init.pp", "class web", "# a comment\nclass web");
    let fresh = impact(&folder, &[]);
    assert_eq!(fresh.status, 1, "{fresh:?}");
    for _ in 0..2 {
        let run = cached();
        assert_eq!((run.status, &run.stdout), (fresh.status, &fresh.stdout), "{}", run.stderr);
    }
}

#[test]
fn lines_are_those_of_the_code_that_is_there_now() {
    let folder = warm(&[]);
    for side in ["before", "after"] {
        let path = format!("{side}/modules/base/manifests/init.pp");
        replace(&folder, &path, "class base", "# a comment\n\n# another\nclass base");
    }
    replace(&folder, "after/modules/base/manifests/init.pp", "/motd':", "/moved':");
    let fresh = impact(&folder, &[]);
    for _ in 0..2 {
        let run = impact(&folder, &["--cache", "kept"]);
        assert_eq!((run.status, &run.stdout), (1, &fresh.stdout), "{}", run.stderr);
    }
}

#[test]
fn an_entry_that_read_nothing_is_no_result() {
    let folder = warm(&[]);
    replace(&folder, "after/modules/base/templates/motd.epp", "Welcome", "Hello");
    let fresh = impact(&folder, &[]);
    let scope = objects(&folder).iter().find_map(|it| {
        let (scope, _) = it.strip_prefix("kept/v2/records/")?.split_once('/')?;
        Some(scope.to_owned())
    });
    let entry = |name: &str| Entry {
        node: Some(name.to_owned()),
        reads: Vec::new(),
        extent: Extent::Known,
        elsewhere: Vec::new(),
        catalog: None,
    };
    let forged = Record { reads: Vec::new(), entries: vec![entry("web1"), entry("web2")] }.encode();
    let hex = |bytes: &[u8]| bytes.iter().map(|it| format!("{it:02x}")).collect::<String>();
    let name = format!("v2/records/{}/{}", scope.unwrap(), hex(&Sha256::digest(&forged)));
    let digest = Sha256::new_with_prefix(&name).chain_update([0]).chain_update(&forged).finalize();
    folder.write(&format!("kept/{name}"), &[&forged[..], &digest].concat());
    let run = impact(&folder, &["--cache", "kept"]);
    assert_eq!((run.status, &run.stdout), (1, &fresh.stdout), "{}", run.stderr);
    assert!(!run.stderr.contains("warning"), "{}", run.stderr);
}

#[test]
fn a_cache_in_the_repository_of_the_code_needs_a_key() {
    let folder = folder();
    folder.write("key", &[b'k'; 40]);
    let run = |place: &str| impact(&folder, &["--cache", place]);
    for place in ["after/.cache", "before/.cache", "before/../after/a/b"] {
        let refused = run(place);
        assert_eq!(refused.status, 2, "{refused:?}");
        assert!(refused.stderr.contains("--cache-key-file") && !objects_are_in(&folder), "{refused:?}");
    }
    let sealed = impact(&folder, &["--cache", "after/.cache", "--cache-key-file", "key"]);
    assert_eq!(sealed.status, 0, "{sealed:?}");
    // The repository may start above the environment.
    folder.write(".git/HEAD", b"ref: refs/heads/main\n");
    assert_eq!(run("kept").status, 2);
}

/// Whether something was written into the code.
fn objects_are_in(folder: &Folder) -> bool {
    folder.names("after").iter().any(|it| it == ".cache" || it == "a")
}

#[test]
fn what_asks_for_the_time_is_never_kept() {
    let folder = folder();
    for side in ["before", "after"] {
        let code = b"class base(String $motd) { notify { \"${Timestamp.new()}\": } }\n";
        folder.write(&format!("{side}/modules/base/manifests/init.pp"), code);
    }
    impact(&folder, &["--cache", "kept"]);
    let run = impact(&folder, &["--cache", "kept"]);
    // The nodes with the class `base` are compiled each time.
    assert!(known(&run) < ALL, "{run:?}");
    let fresh = impact(&folder, &["--now", "2030-01-01T00:00:00Z"]);
    let later = impact(&folder, &["--cache", "kept", "--now", "2030-01-01T00:00:00Z"]);
    assert_eq!(later.stdout, fresh.stdout);
}

#[test]
fn a_folder_that_cannot_be_written_changes_no_report() {
    let folder = folder();
    replace(&folder, "after/modules/db/files/conf", "a = 1", "a = 2");
    folder.write("kept", b"a file");
    let fresh = impact(&folder, &[]);
    let run = impact(&folder, &["--cache", "kept"]);
    assert_eq!((run.status, &run.stdout), (fresh.status, &fresh.stdout));
    assert_eq!(run.stderr.matches("warning: ").count(), 1, "{}", run.stderr);
}

#[test]
fn what_was_used_least_recently_is_removed() {
    let folder = warm(&["--cache-size", "1k"]);
    let size = |folder: &Folder| objects(folder).iter().map(|it| folder.read(it).len()).sum::<usize>();
    assert!(size(&folder) <= 1024, "{}", size(&folder));
    let others =
        ["kept/notes.txt", "kept/v2/mine.json", "kept/v2/records/mine.json", "kept/v2/api/users/mine.json"];
    others.iter().for_each(|it| folder.write(it, b"of the user"));
    // Of a process that was killed.
    let draft = format!("kept/v2/records/{0}/.{0}.x1y2z3.new", "0".repeat(64));
    folder.write(&draft, b"draft");
    impact(&folder, &["--cache", "kept", "--cache-size", "0"]);
    others.iter().for_each(|it| assert_eq!(folder.read(it), b"of the user", "{it}"));
    assert!(!objects(&folder).contains(&draft));
}

#[test]
fn who_can_be_touched_is_known_without_an_evaluation() {
    let folder = folder();
    let run = |options: &[&str]| {
        let arguments = ["affected", "--environment-dir", "before", "--facts-dir", "facts"];
        let run = folder.marotte(&[&arguments[..], options].concat());
        (run.status, run.stdout)
    };
    for file in [
        "before/modules/db/files/conf",
        "before/data/nodes/web1.yaml",
        "before/modules/app/data/Linux.yaml",
        "before/modules/unused/manifests/init.pp",
        "before/manifests/new.pp",
        "before/environment.conf",
        "before/site/db/files/conf",
        "before/modules/base/lib/puppet/functions/web/label.rb",
        "before/modules/web/manifests/site.pp",
        "before/modules/web/types/port.pp",
        "facts/x1.yaml",
    ] {
        for reasons in [&[][..], &["--reasons"]] {
            let fresh = run(&[&[file][..], reasons].concat());
            for _ in 0..2 {
                assert_eq!(run(&[&[file, "--cache", "kept"][..], reasons].concat()), fresh, "{file}");
            }
        }
    }
}

#[test]
fn two_processes_share_a_cache() {
    let folder = folder();
    let fresh = impact(&folder, &[]);
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| impact(&folder, &["--cache", "kept"]))).collect();
        for run in runs {
            let run = run.join().unwrap();
            assert_eq!((run.status, &run.stdout), (fresh.status, &fresh.stdout), "{}", run.stderr);
            assert!(!run.stderr.contains("warning"), "{}", run.stderr);
        }
    });
    assert_eq!(known(&impact(&folder, &["--cache", "kept"])), ALL);
}
