//! `marotte epp`.

use crate::support::Folder;

fn folder() -> Folder {
    Folder::new(&[
        ("modules/m/templates/t.epp", b"<%- | Integer $x | -%>\nx is <%= $x %>\n"),
        ("environment.conf", b""),
        ("good.epp", b"y <%= $y %>\n"),
        ("bad.epp", b"a <%= 1 + %>\n"),
        ("values.yaml", b"x: 3\n"),
        ("values.pp", b"$y = 'global' undef"),
    ])
}

#[test]
fn templates_are_rendered() {
    let folder = folder();
    let render = |arguments: &[&str]| folder.marotte(&[&["epp", "render"], arguments].concat());
    assert_eq!(render(&["m/t.epp", "--values", "{x => 1}"]).stdout, "x is 1\n");
    assert_eq!(render(&["m/t.epp", "--values_file", "values.yaml"]).stdout, "x is 3\n");
    assert_eq!(render(&["m/t.epp", "--values_file=values.yaml", "--values={x => 4}"]).stdout, "x is 4\n");
    assert_eq!(render(&["good.epp", "--values_file", "values.pp"]).stdout, "y global\n");
    assert_eq!(render(&["-e", "<%= $a + 1 %>", "--values", "{a => 1}"]).stdout, "2");
    let input = folder.marotte_with_input(&["epp", "render", "--values={a => 1}"], b"a<%= $a %>");
    assert_eq!((input.status, input.stdout.as_str()), (0, "a1"));
}

#[test]
fn several_results_have_headers() {
    let folder = folder();
    let both = ["epp", "render", "good.epp", "good.epp", "--values={y => 1}"];
    assert_eq!(folder.marotte(&both).stdout, "--- good.epp\ny 1\n\n--- good.epp\ny 1\n");
    assert_eq!(folder.marotte(&[&both[..], &["--no-header"]].concat()).stdout, "y 1\ny 1\n");
}

#[test]
fn what_cannot_be_rendered_is_told() {
    let folder = folder();
    let run = folder.marotte(&["epp", "render", "m/t.epp", "--values={x => 'a'}"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("parameter 'x' expects an Integer value, got String"), "{}", run.stderr);
    let run = folder.marotte(&["epp", "render", "none.epp", "bad.epp", "good.epp", "--values={y => 1}"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, "\n--- good.epp\ny 1\n"));
    assert!(run.stderr.contains("there is no template `none.epp`"), "{}", run.stderr);
    assert!(run.stderr.contains("bad.epp:1:11"), "{}", run.stderr);
    let run = folder.marotte(&["epp", "render", "-e", "x", "--values", "3"]);
    assert_eq!(run.stderr, "error: `--values` must evaluate to a Hash or undef, got: 'Integer'\n");
}

#[test]
fn templates_are_validated() {
    let folder = folder();
    let validate = |arguments: &[&str]| folder.marotte(&[&["epp", "validate"], arguments].concat());
    let run = validate(&["good.epp", "m/t.epp"]);
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    let stops = validate(&["bad.epp", "bad.epp", "none.epp"]);
    assert_eq!((stops.status, stops.stderr.matches("syntax-error").count()), (1, 1));
    let goes_on = validate(&["--continue_on_error", "bad.epp", "bad.epp"]);
    assert_eq!(goes_on.stderr.matches("syntax-error").count(), 2);
    let missing = validate(&["none.epp"]);
    assert_eq!((missing.status, missing.stderr.as_str()), (2, "error: there is no template `none.epp`\n"));
    assert_eq!(folder.marotte_with_input(&["epp", "validate"], b"<%= 1 + %>").status, 1);
}

#[test]
fn trees_are_dumped() {
    // In the format of the reference.
    let folder = folder();
    let dump = |arguments: &[&str]| folder.marotte(&[&["epp", "dump"], arguments].concat()).stdout;
    let tree = "(lambda {:body [(epp (render-s \"y \") (render (var \"y\")) (render-s \"\\n\"))]})\n";
    assert_eq!(dump(&["good.epp"]), tree);
    assert_eq!(dump(&["good.epp", "good.epp"]), format!("--- good.epp\n{tree}--- good.epp\n{tree}"));
    assert_eq!(
        dump(&["--format=json", "-e", "a<%= 1 %>"]),
        "{\"^\":[\"lambda\",{\"#\":[\"body\",[{\"^\":[\"epp\",{\"^\":[\"render-s\",\"a\"]},{\"^\":[\"render\",1]}]}]]}]}\n"
    );
    assert_eq!(dump(&["bad.epp"]), "");
    assert!(dump(&["--no-validate", "bad.epp"]).starts_with("(lambda"));
}
