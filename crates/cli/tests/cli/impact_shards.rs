//! `marotte impact --shard` and `--merge`: several processes come to the report of one.
//!
//! Each seed makes a few changes of a small control repository, as in the tests of `affected`. `MAROTTE_SEEDS=200` tries more.

use crate::affected::seeded;
use crate::support::{Folder, Run};

/// So many seeds are tried.
const SEEDS: u64 = 6;

const FORMATS: [&str; 7] = ["full", "concise", "json", "markdown", "html", "junit", "sarif"];

const IMPACT: [&str; 7] = ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"];

/// Compares the K-th part of the nodes, and returns the name of the file.
fn shard(folder: &Folder, number: usize, of: usize, options: &[&str]) -> String {
    let (part, file) = (format!("{number}/{of}"), format!("part-{number}-of-{of}"));
    let run = folder.marotte(&[&IMPACT[..], &["--shard", &part, "--output", &file], options].concat());
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    file
}

fn merge(folder: &Folder, files: &[String], options: &[&str]) -> Run {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    folder.marotte(&[&["impact"], options, &["--merge"], &files[..]].concat())
}

/// Checks that the parts come to the report of one process, in all formats.
fn check(folder: &Folder, of: usize, options: &[&str], told: &str) {
    let mut files: Vec<String> = (1..=of).map(|it| shard(folder, it, of, options)).collect();
    // In whichever order they come.
    files.reverse();
    for format in FORMATS {
        let format = ["--output-format", format];
        let whole = folder.marotte(&[&IMPACT[..], &format, options].concat());
        let merged = merge(folder, &files, &format);
        assert_eq!(merged.stdout, whole.stdout, "{told}, {of} parts, {options:?}, {format:?}");
        assert_eq!((merged.status, merged.stderr), (whole.status, whole.stderr), "{told}, {of} parts");
    }
}

#[test]
fn parts_come_to_the_report_of_one_process() {
    let seeds = std::env::var("MAROTTE_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(SEEDS);
    for seed in 1..=seeds {
        let (folder, changes, mut numbers) = seeded(seed);
        // With eight parts, one of them has no nodes.
        let of = [1, 2, 3, 4, 7, 8][numbers.below(6)];
        let mut options = Vec::new();
        for own in [
            &["--from-facts-dir", "facts-before"][..],
            &["--compile-all"],
            &["--ignore", "File[*]::mode", "--ignore", "Notify", "--ignore-tags", "none"],
            &["--allow-incomplete"],
            &["--nodes-at-a-time", "2"],
        ] {
            if numbers.below(3) == 0 {
                options.extend(own);
            }
        }
        check(&folder, of, &options, &format!("seed {seed}: {changes:?}"));
    }
}

/// Parts name files by their paths below the trees, also in reasons of unknown values and in errors: each process may have its
/// own copy of the trees.
#[test]
fn parts_of_different_folders_come_to_one_report() {
    let function = b"Puppet::Functions.create_function(:'m::f') do\n  def f(x)\n    x ? Net::HTTP.start : raise('no')\n  end\nend\n";
    let folders = [(), ()].map(|()| {
        let folder = Folder::new(&[]);
        for (tree, mode) in [("before", "0644"), ("after", "0600")] {
            folder.write(&format!("{tree}/modules/m/lib/puppet/functions/m/f.rb"), function);
            let site = format!(
                "file {{ '/a': mode => '{mode}' }}\nnotify {{ 'x': message => m::f($facts['x']) }}\nnotify {{ 'y': message => template('m/t.erb') }}\n"
            );
            folder.write(&format!("{tree}/manifests/site.pp"), site.as_bytes());
            folder.write(&format!("{tree}/modules/m/templates/t.erb"), b"<% raise 'none' unless @facts['y'] %>");
        }
        for (node, facts) in [("a", "x: true\ny: true\n"), ("b", "x: true\ny: false\n"), ("c", "x: false\n")] {
            folder.write(&format!("facts/{node}.yaml"), facts.as_bytes());
        }
        folder
    });
    let [one, other] = &folders;
    let files: Vec<String> = (1..=3)
        .map(|number| {
            let of = if number == 2 { other } else { one };
            let file = shard(of, number, 3, &[]);
            one.write(&file, &of.read(&file));
            file
        })
        .collect();
    for format in FORMATS {
        let format = ["--output-format", format];
        let whole = one.marotte(&[&IMPACT[..], &format].concat());
        let merged = merge(one, &files, &format);
        assert_eq!((merged.stdout, merged.stderr), (whole.stdout, whole.stderr), "{format:?}");
    }
    let whole = one.marotte(&[&IMPACT[..], &["--output-format", "full"]].concat());
    assert!(whole.stdout.contains("(modules/m/lib/puppet/functions/m/f.rb:3)"), "{}", whole.stdout);
}

/// Trees in which each of many nodes has changes of its own, so that not all causes are looked for.
fn many() -> Folder {
    let folder = Folder::new(&[]);
    for node in 0..90 {
        let facts = format!("group: {}\nhalf: {}\n", node % 45, node % 2);
        folder.write(&format!("facts/n{node:02}.yaml"), facts.as_bytes());
    }
    let site = |number: u32| {
        format!(
            "notify {{ \"g${{facts['group']}}\": message => '{number}' }}\nnotify {{ 'h': message => \"${{facts['half']}} {number}\" }}\nfile {{ '/x': content => \"${{facts['group']}}\\n{number}\\n\" }}\nif $facts['group'] == 7 {{ fail('x{number}') }}\nif $facts['group'] == {number} {{ include none }}\n"
        )
    };
    for (tree, number) in [("before", 1), ("after", 2)] {
        folder.write(&format!("{tree}/manifests/site.pp"), site(number).as_bytes());
    }
    folder
}

#[test]
fn parts_stop_to_look_for_causes_where_one_process_does() {
    let folder = many();
    let whole = folder.marotte(&[&IMPACT[..], &["--output-format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&whole.stdout).unwrap();
    let changes: Vec<_> = report["groups"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| it["changes"].as_array().unwrap())
        .collect();
    let known = changes.iter().filter(|it| it["causes"] != serde_json::json!([])).count();
    assert!(known > 20 && known < changes.len() - 5, "{known} of {}", changes.len());
    assert!(report["failing"].as_array().unwrap().len() >= 3, "{}", report["failing"]);
    check(&folder, 4, &[], "");
    check(&folder, 7, &["--compile-all"], "");
}

#[test]
fn files_that_are_no_parts_of_one_report_are_refused() {
    let folder = many();
    let files: Vec<String> = (1..=3).map(|it| shard(&folder, it, 3, &[])).collect();
    let refused = |files: &[&str], why: &str| {
        let files: Vec<String> = files.iter().map(|it| (*it).to_owned()).collect();
        let run = merge(&folder, &files, &[]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        assert!(run.stderr.contains(why), "{}", run.stderr);
    };
    let [one, two, three] = [&*files[0], &*files[1], &*files[2]];
    refused(&[one, three], "error: part 2 of 3 is missing\n");
    refused(&[two], "error: parts 1, 3 of 3 are missing\n");
    refused(&[one, two, three, two], "error: part-2-of-3 and part-2-of-3 are both part 2 of 3\n");
    refused(&[one, two, three, "none"], "error: cannot read none: there is no such file\n");
    refused(&[one, two, three, "facts"], "error: cannot read facts: it is not a regular file\n");
    refused(
        &[one, two, "facts/n01.yaml"],
        "cannot be merged: it is no partial result of `marotte impact --shard`",
    );
    refused(&[one, &shard(&folder, 2, 2, &[])], "part-1-of-3 is part 1 of 3, and part-2-of-2 is part 2 of 2");

    let whole = String::from_utf8(folder.read(three)).unwrap();
    let wrong = |text: &str, why: &str| {
        folder.write("wrong", text.as_bytes());
        refused(&[one, two, "wrong"], &format!("error: wrong cannot be merged: {why}"));
    };
    wrong("", "it is no partial result");
    wrong(&whole[..whole.len() - 2], "it is truncated: it has ");
    wrong(&whole[..40], "it is damaged");
    wrong(&whole.replacen("n02", "n03", 1), "it is damaged: it is not what was written");
    wrong(&format!("{whole}x"), "it is damaged");
    wrong(
        &whole.replacen("part\":3,", "part\":4,", 1),
        "its form has version 4, and this program reads version 3",
    );
    let program = format!("\"program\":\"{}\"", env!("CARGO_PKG_VERSION"));
    wrong(
        &whole.replacen(&program, "\"program\":\"0.0.0\"", 1),
        "version 0.0.0 has written it, and this is version",
    );
}

#[test]
fn parts_of_other_inputs_are_refused() {
    let folder = many();
    let first = shard(&folder, 1, 2, &[]);
    let with = |path: &str, text: &[u8], options: &[&str]| {
        let old = folder.read(path);
        folder.write(path, text);
        let second = shard(&folder, 2, 2, options);
        folder.write(path, &old);
        merge(&folder, &[first.clone(), second], &[])
    };
    let site = "after/manifests/site.pp";
    let text = folder.read(site);
    let refused = |run: Run, what: &str| {
        let message =
            format!("error: part-1-of-2 and part-2-of-2 are no parts of one report: {what} not the same\n");
        assert_eq!((run.status, run.stderr.as_str(), run.stdout.as_str()), (2, message.as_str(), ""));
    };
    refused(with(site, b"", &[]), "the code after is");
    refused(with("before/manifests/site.pp", b"", &[]), "the code before is");
    // It is not among those of the second part, whose evaluations do not read it.
    refused(with("facts/n00.yaml", b"group: 1\n", &[]), "the facts are");
    refused(with(site, &text, &["--node", "n01", "--node", "n02"]), "the names of the nodes are");
    refused(with(site, &text, &["--ignore", "Notify"]), "the options are");
    refused(with(site, &text, &["--allow-incomplete"]), "the options are");
    refused(with(site, &text, &["--strict", "warning"]), "the options are");

    // What makes no difference is none: how much is done at a time, where the trees are, what other parts write there.
    folder.write("after/part-of-others", &folder.read(&first));
    folder.write("after/.part.x1y2z3.new", b"not all of it");
    folder.write("after/.git/index", b"\0");
    assert_eq!(with(site, &text, &["--threads", "1", "--nodes-at-a-time", "3"]).status, 4);
    let elsewhere = Folder::new(&[]);
    for it in ["before", "after", "facts"] {
        folder.rename(it, &elsewhere.path(it));
    }
    let second = elsewhere.path(&shard(&elsewhere, 2, 2, &[]));
    assert_eq!(merge(&folder, &[first, second], &[]).status, 4);
}

#[test]
fn a_part_shows_nothing_that_is_sensitive() {
    let folder = Folder::new(&[("facts/a.yaml", b"x: 1\n")]);
    for (tree, secret) in [("before", "hunter2"), ("after", "swordfish")] {
        let site = format!(
            "file {{ '/a': content => Sensitive(\"{secret}\\n\") }}\nnotify {{ 'x': message => ['a', Sensitive('{secret}')] }}\n"
        );
        folder.write(&format!("{tree}/manifests/site.pp"), site.as_bytes());
    }
    let file = shard(&folder, 1, 1, &[]);
    let text = String::from_utf8(folder.read(&file)).unwrap();
    assert!(text.contains("Sensitive") && !text.contains("hunter2") && !text.contains("swordfish"), "{text}");
    check(&folder, 1, &[], "");
}

#[test]
fn a_part_is_what_the_service_says() {
    let folder = many();
    let options = [&IMPACT[..], &["--shard", "auto", "--output", "out"]].concat();
    // Of the services, none may be one that runs this test.
    let slurm = [
        ("CI_NODE_INDEX", ""),
        ("JOB_COMPLETION_INDEX", ""),
        ("SLURM_ARRAY_TASK_ID", "5"),
        ("SLURM_ARRAY_TASK_MIN", "5"),
        ("SLURM_ARRAY_TASK_MAX", "6"),
        ("SLURM_ARRAY_TASK_COUNT", "2"),
    ];
    let run = folder.run(&options, b"", &slurm);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(folder.read("out"), folder.read(&shard(&folder, 1, 2, &[])));
    let gitlab = [
        ("CI_NODE_INDEX", "0"),
        ("CI_NODE_TOTAL", "2"),
        ("JOB_COMPLETION_INDEX", ""),
        ("SLURM_ARRAY_TASK_ID", ""),
    ];
    let run = folder.run(&options, b"", &gitlab);
    let message =
        "error: CI_NODE_INDEX=0 and CI_NODE_TOTAL=2: there is no part 0 of 2: parts are counted from 1\n";
    assert_eq!((run.status, run.stderr.as_str()), (2, message));

    let run = folder.marotte(&[&IMPACT[..], &["--shard", "1/2", "--output", "none/out"]].concat());
    assert!(run.status == 2 && run.stderr.contains("there is no folder `"), "{}", run.stderr);
    for wrong in [
        &["--shard", "3/2", "--output", "out"][..],
        &["--shard", "1/2"],
        &["--merge", "out", "--shard", "1/2"],
    ] {
        assert_eq!(folder.marotte(&[&["impact"], wrong].concat()).status, 2, "{wrong:?}");
    }
}
