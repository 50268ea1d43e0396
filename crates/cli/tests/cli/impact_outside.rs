//! What leads out of the trees that `marotte impact` compares: it is compared as each tree has it, or said not to be.

use serde_json::Value;

use crate::support::{Folder, Run};

/// Both sides of a file, and the same files on both sides.
fn folder(differ: &[(&str, &str, &str)], same: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&[("facts/n1.yaml", b"kernel: Linux\n")]);
    for (path, before, after) in differ {
        folder.write(&path.replace("SIDE", "a"), before.as_bytes());
        folder.write(&path.replace("SIDE", "b"), after.as_bytes());
    }
    for (path, text) in same {
        for side in ["a", "b"] {
            folder.write(&path.replace("SIDE", side), text.as_bytes());
        }
    }
    folder
}

#[cfg(unix)]
fn link(folder: &Folder, target: &str, path: &str) {
    for side in ["a", "b"] {
        let [target, path] = [target, path].map(|it| it.replace("SIDE", side));
        std::os::unix::fs::symlink(target, folder.path(&path)).unwrap();
    }
}

fn impact(folder: &Folder, options: &[&str]) -> Run {
    let arguments = ["impact", "--from", "a/env", "--to", "b/env", "--facts-dir", "facts"];
    folder.marotte(&[&arguments[..], options].concat())
}

#[test]
fn what_is_beside_each_tree_is_not_taken_for_the_same() {
    let site =
        ("SIDE/env/manifests/site.pp", "include m\nnotify { lookup('k', String, 'first', 'none'): }\n");
    let module = |text: &str| format!("class m {{ notify {{ '{text}': }} }}\n");
    for (configuration, path) in [
        (
            ("SIDE/env/environment.conf", "modulepath = ../shared/mods"),
            "SIDE/shared/mods/m/manifests/init.pp",
        ),
        (
            ("SIDE/env/hiera.yaml", "version: 5\nhierarchy: [{name: a, datadir: ../shared, path: k.yaml}]"),
            "SIDE/shared/k.yaml",
        ),
    ] {
        let texts = |text: &str| if path.ends_with(".pp") { module(text) } else { format!("k: {text}\n") };
        for (after, status) in [("after", 3), ("before", 0)] {
            let own = ("SIDE/env/modules/m/manifests/init.pp", module("own"));
            let own = (own.0, own.1.as_str());
            let folder = folder(&[(path, &texts("before"), &texts(after))], &[site, configuration, own]);
            for options in [&[][..], &["--compile-all"]] {
                let root = folder.path("");
                let run = impact(&folder, &[&["--allow", &format!("read={root}")], options].concat());
                assert_eq!(run.status, status, "{path} {after}: {}{}", run.stdout, run.stderr);
                let is_doubted =
                    run.stdout.contains("is outside of both trees, and both are compiled with it");
                assert_eq!(is_doubted, status == 3, "{}", run.stdout);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_configuration_that_leads_out_is_refused() {
    let folder = folder(
        &[],
        &[("SIDE/env/manifests/site.pp", "notify { 'a': }\n"), ("SIDE/shared/e.conf", "modulepath = x\n")],
    );
    link(&folder, "../shared/e.conf", "SIDE/env/environment.conf");
    let run = impact(&folder, &[]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert!(
        run.stderr.contains("is a link to the outside of the environment; `--allow read="),
        "{}",
        run.stderr
    );
    let compile = ["compile", "n1", "--environment-dir", "a/env", "--facts-dir", "facts"];
    assert_eq!(folder.marotte(&compile).status, 2);
    let allowed = format!("read={}", folder.path("a/shared"));
    assert_eq!(folder.marotte(&[&compile[..], &["--allow", &allowed]].concat()).status, 0);
}

#[cfg(unix)]
#[test]
fn a_folder_of_modules_that_is_not_read_is_not_an_empty_one() {
    let module = "class m { }\n";
    let folder = folder(
        &[("SIDE/mods/m/manifests/init.pp", module, "class m { notify { 'x': } }\n")],
        &[("SIDE/env/manifests/site.pp", "if defined('m') { include m }\n")],
    );
    link(&folder, "../mods", "SIDE/env/modules");
    let run = impact(&folder, &[]);
    assert_eq!(run.status, 3, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("/m' is not allowed, because it is outside of the modules"),
        "{}",
        run.stdout
    );

    // A module that is in no folder is missing, and yet the other modules are not read.
    let missing = "if defined('n') { include n }\n";
    for side in ["a", "b"] {
        folder.write(&format!("{side}/env/manifests/site.pp"), missing.as_bytes());
    }
    let run = impact(&folder, &["--output-format", "json"]);
    assert_eq!(run.status, 3, "{}{}", run.stdout, run.stderr);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["counts"]["not_fully_known"], 1);
    let doubts: Vec<&str> = json["doubts"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(
        doubts.len() == 2 && doubts[0].contains("/a/mods") && doubts[1].contains("/b/mods"),
        "{doubts:?}"
    );
}

#[cfg(unix)]
#[test]
fn ruby_behind_a_link_is_not_missing() {
    let folder = folder(
        &[],
        &[
            ("SIDE/env/manifests/site.pp", "if defined('zzt') { notify { 'has type': } }\n"),
            ("SIDE/env/modules/n/manifests/init.pp", "class n { }\n"),
        ],
    );
    folder.write("a/lib/puppet/other.rb", b"");
    folder.write("b/lib/puppet/type/zzt.rb", b"Puppet::Type.newtype(:zzt) do\n newparam(:name)\nend\n");
    link(&folder, "../../../lib", "SIDE/env/modules/n/lib");
    let run = impact(&folder, &[]);
    assert_eq!(run.status, 4, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("zzt.rb' is not allowed, because it is outside"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn a_link_that_is_the_same_in_both_trees_is_no_change() {
    let source = "file { '/a': source => 'puppet:///modules/m/f' }\n";
    let folder = folder(
        &[("SIDE/env/manifests/site.pp", source, &format!("# A comment\n{source}"))],
        &[("SIDE/env/modules/m/files/other", ""), ("SIDE/f", "text")],
    );
    link(&folder, "../../../../f", "SIDE/env/modules/m/files/f");
    let run = impact(&folder, &[]);
    assert_eq!((run.status, run.stdout.lines().last()), (0, Some("1 node: 1 unchanged")), "{}", run.stdout);
    // Nor is it the cause of a change.
    folder.write("b/env/manifests/site.pp", format!("{source}notify {{ 'new': }}\n").as_bytes());
    let run = impact(&folder, &["--output-format", "concise"]);
    let expected = "1 node: + Notify[new] (manifests/site.pp:2, because of manifests/site.pp:2) [n1]";
    assert_eq!(run.stdout.lines().next(), Some(expected), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn an_edited_link_is_the_cause_and_not_what_it_leads_to() {
    let folder = folder(
        &[],
        &[
            ("SIDE/env/manifests/site.pp", "notify { lookup('k'): }\n"),
            ("SIDE/env/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: cur.yaml}]\n"),
            ("SIDE/env/data/v1.yaml", "k: one\n"),
            ("SIDE/env/data/v2.yaml", "k: two\n"),
        ],
    );
    for (side, target) in [("a", "v1.yaml"), ("b", "v2.yaml")] {
        std::os::unix::fs::symlink(target, folder.path(&format!("{side}/env/data/cur.yaml"))).unwrap();
    }
    let run = impact(&folder, &["--output-format", "json"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    let cause = &json["groups"][0]["changes"][0]["causes"][0];
    assert_eq!(
        [&cause["file"], &cause["edit"], &cause["line_after"]],
        [&Value::from("data/cur.yaml"), &Value::from("changed"), &Value::Null],
        "{}",
        run.stdout
    );
}

#[test]
fn nodes_of_another_environment_are_not_compiled_with_the_code_of_this_one() {
    let folder = folder(
        &[],
        &[
            ("SIDE/env/production/manifests/site.pp", "notify { 'production': }\n"),
            ("SIDE/env/dev/manifests/site.pp", "notify { 'dev': }\n"),
            ("SIDE/env/production/environment.conf", ""),
            ("SIDE/env/dev/environment.conf", ""),
        ],
    );
    folder.write("enc/n1.yaml", b"environment: dev\n");
    let run = impact(&folder, &["--enc-output", "enc"]);
    assert_eq!(run.status, 3, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("assigns n1 to the environment `dev`"), "{}", run.stdout);
    let compile = |options: &[&str]| {
        let arguments = ["compile", "n1", "--environment-dir", "a/env", "--facts-dir", "facts"];
        folder.marotte(&[&arguments[..], &["--enc-output", "enc"], options].concat())
    };
    assert_eq!(compile(&[]).status, 2);
    let dev = compile(&["--environment", "dev"]);
    assert!(dev.status == 0 && dev.stdout.contains("Notify[dev]"), "{dev:?}");
}

#[test]
fn a_source_that_the_agent_computes_is_not_compared() {
    let site = "file { '/a': source => Deferred('sprintf', ['puppet:///modules/m/a']) }\n";
    let folder =
        folder(&[("SIDE/env/modules/m/files/a", "before", "after")], &[("SIDE/env/manifests/site.pp", site)]);
    let run = impact(&folder, &[]);
    assert!(run.stdout.contains("Content not compared: a Deferred value on 1 node"), "{}", run.stdout);
}
