//! `marotte check` as users and programs run it.

use crate::support::Folder;

/// A manifest in Windows-1252.
const FAULTY: &[u8] = b"# caf\xe9\n";

#[test]
fn a_clean_tree_ends_with_status_0() {
    let folder = Folder::new(&[("manifests/site.pp", b"$a = 1\n")]);
    let run = folder.marotte(&["check"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.starts_with("Checked 1 file in "), "{run:?}");
    assert!(run.stdout.ends_with(": nothing found\n"), "{run:?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn findings_end_with_status_1() {
    let folder = Folder::new(&[("a.pp", FAULTY)]);
    let run = folder.marotte(&["check", "--output-format", "concise"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.starts_with("a.pp:1:6: "), "{run:?}");
    assert!(run.stdout.contains("invalid-utf8"), "{run:?}");
    assert_eq!(folder.marotte(&["check", "--exit-zero"]).status, 0);
}

#[test]
fn wrong_usage_ends_with_status_2() {
    let folder = Folder::new(&[]);
    for arguments in [
        ["check", "--no-such-flag"].as_slice(),
        &["check", "--output-format=xml"],
        &["check", "--ignore=no-such-rule"],
        &["check", "--max-file-size=big"],
        &["check", "--config=missing.toml"],
        &["check", "a.pp", "--stdin-filename=b.pp"],
        &["check", "--watch", "-"],
        &["check", "--fix", "-"],
        &["check", "--fix", "--watch"],
        &["check", "--watch", "--output-format=sarif"],
        &["no-such-command"],
        &[],
    ] {
        let run = folder.marotte(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {run:?}");
        assert_eq!(run.stdout, "", "{arguments:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn an_unknown_rule_comes_with_the_nearest_one() {
    let run = Folder::new(&[]).marotte(&["check", "--ignore", "duplicat-key"]);
    assert_eq!(run.stderr, "error: there is no rule `duplicat-key`; did you mean `duplicate-key`?\n");
}

#[test]
fn an_error_in_the_configuration_has_a_place() {
    let folder = Folder::new(&[("a.pp", b"")]);
    for (text, message) in [
        ("warn = ['style', 'nosuch-rule']\n", "marotte.toml:1:18: there is no rule `nosuch-rule`\n"),
        ("quiet = true\nextends = 'nosuch.toml'\n", "marotte.toml:2:11: cannot read "),
        ("extends = 'marotte.toml'\n", "marotte.toml:1:11: more than 8 configurations extend each other"),
        ("threads = -1\n", "marotte.toml:1:11: a number from 0 to 65535 is expected here\n"),
    ] {
        folder.write("marotte.toml", text.as_bytes());
        let run = folder.marotte(&["check"]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains(message), "{run:?}");
    }
}

#[test]
fn json_is_one_array_and_the_summary_stays_out_of_it() {
    let folder = Folder::new(&[("a.pp", FAULTY), ("b.pp", b""), ("c.pp", FAULTY)]);
    let run = folder.marotte(&["check", "--output-format=json"]);
    let findings: Vec<serde_json::Value> = serde_json::from_str(&run.stdout).unwrap();
    let files: Vec<_> = findings.iter().map(|finding| finding["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["a.pp", "c.pp"]);
    assert_eq!((&findings[0]["line"], &findings[0]["column"]), (&1.into(), &6.into()));
    assert!(run.stderr.starts_with("Checked 3 files in "), "{run:?}");
    assert_eq!(folder.marotte(&["check", "--output-format=json", "--quiet"]).stderr, "");
}

#[test]
fn json_lines_are_the_same_objects() {
    let folder = Folder::new(&[("a.pp", FAULTY), ("c.pp", FAULTY)]);
    let array = folder.marotte(&["check", "--output-format=json"]).stdout;
    let array: Vec<serde_json::Value> = serde_json::from_str(&array).unwrap();
    let lines = folder.marotte(&["check", "--output-format=json-lines"]).stdout;
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(array, lines);
}

#[test]
fn statistics_count_by_rule() {
    let folder = Folder::new(&[("a.pp", FAULTY), ("c.pp", FAULTY)]);
    let run = folder.marotte(&["check", "--statistics", "--quiet", "--output-format=json"]);
    assert_eq!(run.stderr, "     2  invalid-utf8  A file is not UTF-8\n");
}

#[test]
fn standard_input_is_checked_under_its_name() {
    let folder = Folder::new(&[("marotte.toml", b"output-format = 'concise'")]);
    let run = folder.marotte_with_input(&["check", "-"], FAULTY);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.starts_with("<stdin>:1:6: "), "{run:?}");
    let run = folder.marotte_with_input(&["check", "-", "--stdin-filename=m/x.pp"], FAULTY);
    assert!(run.stdout.starts_with("m/x.pp:1:6: "), "{run:?}");
    let run = folder.marotte_with_input(&["check", "-", "--max-file-size=4"], FAULTY);
    assert!(run.stdout.contains("file-too-large"), "{run:?}");
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let folder = Folder::new(&[("a.pp", FAULTY), ("marotte.toml", b"output-format = 'json'")]);
    assert!(folder.marotte(&["check", "a.pp"]).stdout.starts_with('['));
    let environment = [("MAROTTE_OUTPUT_FORMAT", "json-lines")];
    let run = folder.run(&["check", "a.pp"], b"", &environment);
    assert!(run.stdout.starts_with('{'), "{run:?}");
    let run = folder.run(&["check", "a.pp", "--output-format=concise"], b"", &environment);
    assert!(run.stdout.starts_with("a.pp:1:6: "), "{run:?}");
}

#[test]
fn a_flag_can_switch_off_what_the_file_switches_on() {
    let folder = Folder::new(&[("a.pp", FAULTY), ("marotte.toml", b"exit-zero = true")]);
    assert_eq!(folder.marotte(&["check"]).status, 0);
    assert_eq!(folder.marotte(&["check", "--exit-zero=false"]).status, 1);
}

#[test]
fn a_mistake_in_the_configuration_is_located() {
    let folder = Folder::new(&[("marotte.toml", b"quiet = true\ncolour = 'always'\n")]);
    let run = folder.marotte(&["check"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.ends_with("marotte.toml:2:1: there is no setting `colour`; did you mean `color`?\n"),
        "{run:?}"
    );
}

#[test]
fn ignored_files_are_left_out_unless_they_are_named() {
    let folder = Folder::new(&[(".gitignore", b"vendor/\n"), ("vendor/a.pp", FAULTY)]);
    assert_eq!(folder.marotte(&["check", "--allow-empty"]).status, 0);
    assert_eq!(folder.marotte(&["check", "--no-ignore"]).status, 1);
    assert_eq!(folder.marotte(&["check", "vendor/a.pp"]).status, 1);
}

#[test]
fn a_missing_path_is_wrong_usage() {
    let folder = Folder::new(&[("a.pp", FAULTY)]);
    for option in ["--quiet", "--fix", "--diff", "--exit-zero", "--allow-empty"] {
        let run = folder.marotte(&["check", "missing.pp", "a.pp", option]);
        assert_eq!(run.status, 2);
        assert_eq!(run.stderr, "error: there is no file or folder `missing.pp`\n");
    }
}

#[test]
fn a_check_of_nothing_fails_unless_that_is_allowed() {
    let folder = Folder::new(&[("docs/index.md", b"")]);
    let run = folder.marotte(&["check", "docs"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("error: nothing was checked: there is no manifest"), "{run:?}");
    assert_eq!(run.stdout, "");
    for option in ["--exit-zero", "--fix", "--diff"] {
        assert_eq!(folder.marotte(&["check", "docs", option]).status, 2, "{option}");
    }
    assert_eq!(folder.marotte(&["check", "docs", "--allow-empty"]).status, 0);
    folder.write("marotte.toml", b"allow-empty = true");
    assert_eq!(folder.marotte(&["check", "docs"]).status, 0);
}

/// A run that is silent about a file must have looked at it, as that of puppet-lint.
#[test]
fn a_selection_reports_what_keeps_its_rules_from_looking() {
    let folder = Folder::new(&[("a.pp", b"$a = \"b\"\nif {\n")]);
    let concise = |arguments: &[&str]| {
        let arguments: Vec<&str> = [&["check", "--output-format=concise", "-q", "a.pp"], arguments].concat();
        folder.marotte(&arguments).stdout
    };
    for select in ["--select=puppet-lint", "--select=star-comment", "--select=legacy-fact"] {
        assert!(concise(&[select]).starts_with("a.pp:2:"), "{select}: {}", concise(&[select]));
    }
    let ignored = ["--select=star-comment", "--ignore=syntax-error,unclosed-delimiter"];
    assert_eq!(concise(&ignored), "");
}

#[test]
fn the_version_to_upgrade_to_may_be_configured() {
    let folder = Folder::new(&[("a.pp", b"$unused = 1\nnotice($facts['osfamily'])\n")]);
    let flag = folder.marotte(&["check", "--target-version=8", "--output-format=concise"]);
    for version in ["8", "\"8.11\""] {
        folder.write("marotte.toml", format!("target-version = {version}").as_bytes());
        let run = folder.marotte(&["check", "--output-format=concise"]);
        let findings = |it: &str| it.lines().filter(|it| it.starts_with("a.pp")).count();
        assert_eq!(findings(&run.stdout), findings(&flag.stdout), "{run:?}");
        assert!(run.stdout.contains("[legacy-fact]") && run.stdout.contains("1  legacy facts"), "{run:?}");
    }
    folder.write("marotte.toml", b"target-version = 7");
    let run = folder.marotte(&["check"]);
    assert!(run.status == 2 && run.stderr.contains("only the changes of version 8 are known"), "{run:?}");
}

#[test]
fn a_file_in_ruby_is_not_checked_by_itself() {
    let folder = Folder::new(&[("m/lib/puppet/functions/f.rb", b""), ("m/templates/t.erb", b"")]);
    for path in ["m/lib/puppet/functions/f.rb", "m/templates/t.erb"] {
        let run = folder.marotte(&["check", path]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("is written in Ruby"), "{run:?}");
    }
}

#[test]
fn formats_have_one_name_in_all_commands() {
    let folder = Folder::new(&[("a.pp", FAULTY)]);
    for name in ["--format", "--output-format"] {
        assert!(folder.marotte(&["check", name, "json", "a.pp"]).stdout.starts_with('['));
        assert!(folder.marotte(&["explain", name, "json", "duplicate-key"]).stdout.starts_with('{'));
        assert!(folder.marotte(&["rule", name, "json", "duplicate-key"]).stdout.starts_with('{'));
        assert_eq!(folder.marotte(&["parse", name, "json", "-e", "1"]).stdout, "1\n");
        assert!(folder.marotte(&["eval", name, "json", "-e", "1"]).stdout.starts_with('{'));
    }
}

#[test]
fn colours_are_written_when_asked_for() {
    let folder = Folder::new(&[("a.pp", FAULTY)]);
    assert!(!folder.marotte(&["check"]).stdout.contains('\x1b'));
    assert!(folder.marotte(&["check", "--color=always"]).stdout.contains('\x1b'));
}

#[test]
fn what_is_checked_is_said_on_request() {
    let folder = Folder::new(&[("environment.conf", b""), ("manifests/site.pp", b"")]);
    let run = folder.marotte(&["check", "--verbose"]);
    assert!(run.stderr.contains(": control repository\n1 file to check\n"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    use std::io::Read as _;
    use std::process::Stdio;

    let files: Vec<_> = (0..2000).map(|number| (format!("{number}.pp"), FAULTY)).collect();
    let files: Vec<_> = files.iter().map(|(path, bytes)| (path.as_str(), *bytes)).collect();
    let folder = Folder::new(&files);
    let mut child = folder.command(&["check"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut some = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn files_are_excluded_unless_they_are_named() {
    let text = b"$a = 08\n";
    let configuration = b"exclude = ['vendor']\n[[overrides]]\npaths = ['b/**']\nwarn = ['illegal-number', 'invalid-octal-number']\n";
    let folder = Folder::new(&[
        ("marotte.toml", configuration),
        ("a.pp", text),
        ("b/b.pp", text),
        ("vendor/c.pp", text),
    ]);
    let run = folder.marotte(&["check", "--output-format=concise", "-q"]);
    let found: Vec<&str> = run.stdout.lines().filter_map(|it| it.split(']').next()).collect();
    assert_eq!(
        found,
        ["a.pp:1:6: error[invalid-octal-number", "b/b.pp:1:6: warning[invalid-octal-number"],
        "{run:?}"
    );
    let named = folder.marotte(&["check", "--output-format=concise", "vendor/c.pp"]);
    assert!(named.stdout.starts_with("vendor/c.pp:1:"), "{named:?}");
}

#[test]
fn findings_in_modules_of_the_puppetfile_are_counted() {
    let folder = Folder::new(&[
        ("environment.conf", b"modulepath = site:modules\n"),
        ("Puppetfile", b"mod 'x-third', '1.0.0'\nmod 'own', local: true\n"),
        ("modules/third/manifests/init.pp", b"class third { notice($nope) }\n"),
        ("modules/own/manifests/init.pp", b"class own { notice($nothing) }\n"),
    ]);
    let run = folder.marotte(&["check", "--output-format", "concise"]);
    assert!(
        run.stdout.contains("own/manifests") && !run.stdout.contains("third/manifests"),
        "{}",
        run.stdout
    );
    let count = ", and 1 in 1 module of the Puppetfile, which `--third-party` shows\n";
    assert!(run.stdout.ends_with(count), "{}", run.stdout);
    for arguments in [&["--third-party"][..], &["modules/third"]] {
        let run = folder.marotte(&[&["check", "--output-format", "concise"], arguments].concat());
        assert!(run.stdout.contains("third/manifests/init.pp:1:22"), "{arguments:?}: {}", run.stdout);
    }
    folder.write("modules/own/manifests/init.pp", b"class own { }\n");
    assert_eq!(folder.marotte(&["check"]).status, 0);
    folder.write("modules/third/manifests/init.pp", b"class third { notice($::osfamily) }\n");
    assert_eq!(folder.marotte(&["check", "--diff"]).stdout, "");
    assert_ne!(folder.marotte(&["check", "--diff", "--third-party"]).stdout, "");
}
