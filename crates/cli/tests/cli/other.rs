//! The other subcommands.

use crate::support::Folder;

fn stdout(arguments: &[&str]) -> String {
    let run = Folder::new(&[]).marotte(arguments);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{arguments:?}");
    run.stdout
}

#[test]
fn the_version_says_the_language_level() {
    let version = stdout(&["--version"]);
    assert_eq!(version, concat!("marotte ", env!("CARGO_PKG_VERSION"), " (Puppet language 8.11)\n"));
}

#[test]
fn a_rule_is_explained() {
    let page = stdout(&["explain", "duplicate-key"]);
    assert!(page.contains("duplicate-key"), "{page}");
    assert!(page.ends_with("error, Puppet's DUPLICATE_KEY, since 0.1.0\n"), "{page}");
    assert!(!page.contains("```"), "{page}");
    assert!(stdout(&["explain", "duplicate-key", "--output-format=markdown"]).contains("```"));
}

/// The lines of a list that have rules, without those that head groups.
fn rules_of(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter_map(|line| line.strip_prefix("  "))
}

#[test]
fn all_rules_are_listed() {
    let list = stdout(&["explain"]);
    assert!(
        rules_of(&list)
            .any(|line| line.starts_with("invalid-utf8 ") && line.ends_with("A file is not UTF-8"))
    );
    let json: Vec<serde_json::Value> =
        serde_json::from_str(&stdout(&["explain", "--output-format=json"])).unwrap();
    assert_eq!(json.len(), rules_of(&list).count());
    assert!(list.lines().any(|line| line.starts_with("syntax:  ")), "{list}");
    assert!(json.iter().any(|rule| rule["rule"] == "duplicate-key" && rule["level"] == "error"));
}

#[test]
fn a_group_is_explained_by_its_rules() {
    let text = stdout(&["explain", "tree"]);
    assert!(text.starts_with("tree\n\nCode, files and data that nothing uses"), "{text}");
    let is_off = |it: &str| it.starts_with("  unused-class ") && it.contains(" off ");
    assert!(text.lines().any(is_off), "{text}");
    assert!(!text.contains("duplicate-key"), "{text}");
    let json: Vec<serde_json::Value> =
        serde_json::from_str(&stdout(&["explain", "tree", "--output-format=json"])).unwrap();
    assert!(json.iter().any(|rule| rule["rule"] == "unused-class" && rule["level"] == "ignored"));
    for set in ["style", "puppet-lint", "puppet-8", "names"] {
        assert!(stdout(&["explain", set]).starts_with(set));
    }
}

#[test]
fn rules_are_shown_by_themselves() {
    assert_eq!(stdout(&["rule", "duplicate-key"]), stdout(&["explain", "duplicate-key"]));
    let json: Vec<serde_json::Value> =
        serde_json::from_str(&stdout(&["rule", "--all", "--format", "json"])).unwrap();
    assert_eq!(json.len(), rules_of(&stdout(&["rule", "--all"])).count());
    assert!(json.iter().any(|rule| rule["rule"] == "duplicate-key" && rule["group"] == "syntax"));
    assert!(json.iter().all(|rule| rule["rule"] != "unknown-variable"), "no issues of evaluation");
    let run = Folder::new(&[]).marotte(&["rule"]);
    assert!(run.status == 2 && run.stderr.contains("<RULE>"), "{run:?}");
}

#[test]
fn an_unknown_rule_is_refused_with_a_suggestion() {
    let run = Folder::new(&[]).marotte(&["explain", "duplicate-keys"]);
    assert_eq!(run.status, 2);
    assert_eq!(run.stderr, "error: there is no rule `duplicate-keys`; did you mean `duplicate-key`?\n");
}

#[test]
fn commands_have_manual_pages() {
    assert!(stdout(&["man"]).contains(".TH marotte 1"));
    let page = stdout(&["man", "check"]);
    assert!(page.contains(".TH marotte-check 1") && page.contains("write\\-baseline"), "{page}");
    let run = Folder::new(&[]).marotte(&["man", "chekc"]);
    assert_eq!((run.status, run.stderr.as_str()), (2, "error: there is no command `chekc`\n"));
}

#[test]
fn help_is_a_command_too() {
    assert_eq!(stdout(&["help", "check"]), stdout(&["check", "--help"]));
}

#[test]
fn shells_complete_the_names_of_rules() {
    assert!(stdout(&["completion", "bash"]).contains("duplicate-key"));
    assert!(!stdout(&["check", "--help"]).contains("duplicate-key"));
}

#[test]
fn shells_get_a_completion_script() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&["completion", shell]);
        for word in ["output-format", "eval", "module-path", "strict-variables", "epp", "values_file", "repl"]
        {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn functions_are_explained() {
    let page = stdout(&["explain", "function", "each"]);
    assert!(page.starts_with("each\n\n    each("), "{page}");
    let list = stdout(&["explain", "function"]);
    assert!(list.lines().any(|line| line.starts_with("notice ")), "{list}");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["explain", "function", "with", "--output-format=json"])).unwrap();
    assert_eq!(json["function"], "with");
    assert!(stdout(&["explain", "function", "with", "--output-format=markdown"]).starts_with("# with\n"));
    let run = Folder::new(&[]).marotte(&["explain", "function", "eech"]);
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (2, "error: there is no function `eech`; did you mean `each`?\n")
    );
}

#[test]
fn issues_of_evaluation_are_explained() {
    let page = stdout(&["explain", "unknown-variable"]);
    assert!(page.ends_with("error, Puppet's UNKNOWN_VARIABLE, since 0.1.0\n"), "{page}");
    assert!(rules_of(&stdout(&["explain"])).any(|line| line.starts_with("unknown-variable ")));
}
