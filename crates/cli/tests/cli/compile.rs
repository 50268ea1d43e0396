//! `marotte compile`.

use crate::support::Folder;

const FILES: &[(&str, &[u8])] = &[
    ("environment.conf", b""),
    ("manifests/site.pp", b"node 'b' { fail('no luck') }\nnode default { include web }\n"),
    ("modules/web/manifests/init.pp", b"class web { file { '/<w>': content => Sensitive('secret'), before => Notify['done'] }\nnotify { 'done': } }\n"),
    ("facts/a.yaml", b"kernel: Linux\n"),
    ("facts/b.yaml", b"kernel: Linux\n"),
    ("facts/c.yaml", b"kernel: Linux\n"),
];

#[test]
fn all_nodes_come_out_in_order_but_those_that_are_faulty() {
    let folder = Folder::new(FILES);
    folder.write("facts/c.yaml", b"- none\n");
    folder.write("facts/d.json", b"{\"kernel\": ");
    folder.write("facts/e.yaml", b"kernel: Linux\n");
    let run = folder.marotte(&["compile", "--all", "--facts-dir", "facts"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let names = run.stdout.lines().filter_map(|it| it.split_once(" (production): ")).map(|it| it.0);
    assert_eq!(names.collect::<Vec<_>>(), ["a", "e"]);
    assert!(run.stderr.contains("no luck on node b"), "{}", run.stderr);
    assert!(run.stderr.contains("facts/c.yaml are not a hash"), "{}", run.stderr);
    assert!(run.stderr.contains("facts/d.json, line: 1"), "{}", run.stderr);
}

/// The files are those of nodes whose facts do not contain their name, or another name.
#[test]
fn each_node_is_itself_whatever_its_facts_say() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"notify { \"${clientcert} ${trusted['certname']}\": }\n"),
        ("facts/a.yaml", b"kernel: Linux\n"),
        ("facts/b.yaml", b"networking: {fqdn: image.example.com}\n"),
        ("facts/c.yaml", b"clientcert: agent\n"),
    ]);
    let run = folder.marotte(&["compile", "--all", "--facts-dir", "facts"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let titles: Vec<_> = run.stdout.lines().filter(|it| it.starts_with("Notify[")).collect();
    // A fact sent by an agent is kept.
    let expected = ["Notify[a a]", "Notify[b b]", "Notify[agent c]"];
    assert!(titles.iter().zip(expected).all(|(it, name)| it.starts_with(name)), "{titles:?}");
    assert_eq!(titles.len(), 3);
}

#[test]
fn one_node_whose_facts_are_faulty_is_wrong_usage() {
    let folder = Folder::new(FILES);
    folder.write("facts/c.yaml", b"- none\n");
    let run = folder.marotte(&["compile", "c", "--facts-dir", "facts"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert_eq!(folder.marotte(&["compile", "../a", "--facts-dir", "facts"]).status, 2);
    assert_eq!(folder.marotte(&["compile", "none", "--facts-dir", "facts"]).status, 2);
}

/// A syntax error is reported at its place, and not again where the file is loaded.
#[test]
fn who_is_compiled_has_to_be_said() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"node 'a' { }\n"),
        ("facts/a.yaml", b"kernel: Linux\n"),
    ]);
    let run = |options: &[&str]| folder.marotte(&[&["compile"], options].concat());
    let none = run(&["--facts-dir", "facts"]);
    assert_eq!(none.status, 2, "{}", none.stderr);
    assert!(none.stderr.contains("name a node, or compile `--all`"), "{}", none.stderr);
    let several = run(&["--facts-dir", "facts", "a", "b"]);
    assert_eq!((several.status, several.stdout.as_str()), (2, ""), "{}", several.stderr);
    assert_eq!(several.stderr, "error: there are no facts of b in facts\n");
    let unnamed = run(&[]);
    assert_eq!(unnamed.status, 1, "{}", unnamed.stderr);
    assert!(unnamed.stderr.contains("= to compile another node, name it;"), "{}", unnamed.stderr);
    assert_eq!(run(&["--facts-dir", "facts", "a"]).status, 0);
}

#[test]
fn a_node_is_compiled_once_and_has_one_file_of_facts() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"notify { $facts['a']: }"),
        ("facts/n.yaml", b"a: yaml"),
        ("facts/m.yaml", b"a: one"),
        ("facts/m.json", b"{\"a\": \"other\"}"),
    ]);
    let twice = folder.marotte(&["compile", "n", "n", "--facts-dir", "facts"]);
    assert_eq!(twice.stdout.matches("Notify[yaml]").count(), 1, "{}", twice.stdout);
    let both = folder.marotte(&["compile", "m", "--facts-dir", "facts"]);
    assert_eq!((both.status, both.stdout.as_str()), (2, ""));
    assert_eq!(both.stderr, "error: both facts/m.yaml and facts/m.json have facts of m\n");
}

#[test]
fn help_shows_no_option_that_a_command_refuses() {
    let folder = Folder::new(&[]);
    let shows = |command: &[&str]| {
        let help = folder.marotte(&[command, &["--help"]].concat()).stdout;
        (help.contains("--record"), help.contains("--replay"))
    };
    assert_eq!(shows(&["compile"]), (true, true));
    for command in [&["impact"] as &[&str], &["affected"], &["verify"], &["repl"], &["epp", "render"]] {
        assert_eq!(shows(command), (false, false), "{command:?}");
    }
}

#[test]
fn errors_of_syntax_are_reported_once() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"include m\n"),
        ("modules/m/manifests/init.pp", b"class m {\n  notify { 'a': message => f(1 }\n}\n"),
        ("modules/f/functions/g.pp", b"function f::g() {\n  [1\n}\n"),
        ("facts/a.yaml", b"kernel: Linux\n"),
        ("facts/b.yaml", b"kernel: Linux\n"),
    ]);
    let errors = |arguments: &[&str]| {
        let run = folder.marotte(&[&["compile"], arguments].concat());
        assert_eq!(run.status, 1, "{}", run.stderr);
        let places = run.stderr.lines().filter_map(|it| Some(it.split_once("─ ")?.1.trim().to_owned()));
        places.collect::<Vec<_>>()
    };
    assert_eq!(errors(&[]), ["modules/m/manifests/init.pp:2:29"]);
    assert_eq!(errors(&["--format", "json"]), ["modules/m/manifests/init.pp:2:29"]);
    folder.write("manifests/site.pp", b"$x = f::g()\n");
    assert_eq!(errors(&[]), ["modules/f/functions/g.pp:2:3"]);
    folder.write("manifests/site.pp", b"$x = [1\n");
    assert_eq!(errors(&[]), ["manifests/site.pp:1:6"]);
    // A file without errors may still cause an error where it's loaded.
    folder.write("manifests/site.pp", b"$x = f::h()\n");
    folder.write("modules/f/functions/h.pp", b"# nothing\n");
    assert_eq!(errors(&[]), ["manifests/site.pp:1:6"]);
}

#[test]
fn several_threads_write_the_same_as_one() {
    let folder = Folder::new(FILES);
    for number in 0..100 {
        folder.write(&format!("facts/n{number}.yaml"), b"kernel: Linux\n");
    }
    let run =
        |threads: &str| folder.marotte(&["compile", "--all", "--facts-dir", "facts", "--threads", threads]);
    let (one, several) = (run("1"), run("4"));
    assert_eq!(one.stdout.matches("(production)").count(), 102);
    assert_eq!((one.stdout, one.stderr), (several.stdout, several.stderr));
}

#[test]
fn a_page_shows_resources_and_their_order_and_nothing_that_is_sensitive() {
    let folder = Folder::new(FILES);
    let run = folder.marotte(&["compile", "a", "--facts-dir", "facts", "--format", "html"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("<!DOCTYPE html>"), "{}", run.stdout);
    assert!(run.stdout.contains("<details id=\"File[/&lt;w&gt;]\">"), "{}", run.stdout);
    assert!(
        run.stdout.contains("comes before</th><td><a href=\"#Notify%5Bdone%5D\">Notify[done]</a>"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("secret"), "{}", run.stdout);
    // Nothing else is needed.
    assert!(
        !run.stdout.contains("http://") && !run.stdout.contains("https://") && !run.stdout.contains(" src=")
    );
}

const INCOMPLETE: &[(&str, &[u8])] = &[
    ("environment.conf", b""),
    ("manifests/site.pp", b"node 'known' { notify { 'k': } }\nnode default { notify { 'a': message => role() } if role() == 1 { notify { 'b': } } warning('dear me') }\n"),
    ("modules/m/lib/puppet/functions/role.rb", b"Puppet::Functions.create_function(:role) do\n  def role\n    Socket.gethostname\n  end\nend\n"),
    ("facts/known.yaml", b"kernel: Linux\n"),
    ("facts/x.yaml", b"kernel: Linux\n"),
    ("facts/y.yaml", b"kernel: Linux\n"),
];

#[test]
fn what_is_not_known_to_the_end_says_so_in_every_format() {
    let folder = Folder::new(INCOMPLETE);
    let run =
        |arguments: &[&str]| folder.marotte(&[&["compile", "x", "--facts-dir", "facts"], arguments].concat());
    for (format, mark) in [
        ("summary", "INCOMPLETE: 2 of 3 values of 5 resources are known"),
        ("json", "\"incomplete\": {"),
        ("dot", "label=\"INCOMPLETE: "),
        ("html", "<strong>INCOMPLETE</strong>"),
    ] {
        let told = run(&["--format", format]);
        assert_eq!(told.status, 3, "{format}: {}", told.stderr);
        assert!(told.stdout.contains(mark), "{format}: {}", told.stdout);
        assert!(told.stderr.contains("the catalog of x is INCOMPLETE"), "{}", told.stderr);
        assert_eq!(run(&["--format", format, "--allow-incomplete"]).status, 0);
    }
    assert_eq!(folder.marotte(&["compile", "known", "--facts-dir", "facts"]).status, 0);
}

/// A cause is reported once, with its places.
#[test]
fn gaps_are_told_by_cause() {
    let folder = Folder::new(INCOMPLETE);
    let run = folder.marotte(&["compile", "x", "--facts-dir", "facts"]);
    assert_eq!(run.stderr.matches("the Ruby function 'role'").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("skips code at "), "{}", run.stderr);
    assert!(run.stderr.contains("site.pp:2 (2 times)"), "{}", run.stderr);
}

#[test]
fn every_warning_of_several_nodes_names_its_node() {
    let folder = Folder::new(INCOMPLETE);
    let run = folder.marotte(&["compile", "--all", "--facts-dir", "facts"]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    for node in ["x", "y"] {
        assert!(run.stderr.contains(&format!("dear me on node {node}")), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("the catalog of {node} is INCOMPLETE")), "{}", run.stderr);
    }
}

/// An incomplete catalog that is read back is known to be incomplete.
#[test]
fn an_incomplete_catalog_is_compared_as_far_as_it_goes() {
    let folder = Folder::new(INCOMPLETE);
    let json = folder.marotte(&["compile", "x", "--facts-dir", "facts", "--format", "json"]);
    folder.write("catalog.json", json.stdout.as_bytes());
    folder.write("manifests/site.pp", b"notify { 'a': message => 1 }\nnotify { 'b': }\nnode default { }\n");
    let run = folder.marotte(&["verify", "--against", "catalog.json", "x", "--facts-dir", "facts"]);
    assert!(run.stdout.contains("catalog.json: INCOMPLETE: what it lacks is not compared"), "{}", run.stdout);
}

/// Messages are of the class, resource or node whose body logs them.
#[test]
fn messages_name_their_scope() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        (
            "manifests/site.pp",
            b"notice('top')\nclass k { notice('k') }\ndefine foo() { notice('foo') }\nnode default { notice('node') include k foo { 'a': } }\n",
        ),
    ]);
    let run = folder.marotte(&["compile", "n"]);
    let told: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(
        told,
        [
            "Notice: Scope(Class[main]): top",
            "Notice: Scope(Node[default]): node",
            "Notice: Scope(Class[K]): k",
            "Notice: Scope(Foo[a]): foo",
        ]
    );
}

/// What a command prints that may not be run is not known; all else is.
#[test]
fn a_command_that_may_not_be_run_leaves_the_catalog_incomplete() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        (
            "manifests/site.pp",
            b"$text = generate('/bin/echo', 'x')\nnotify { 'a': message => $text }\nnotify { 'b': message => 'y' }\n",
        ),
    ]);
    let run = folder.marotte(&["compile", "n"]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    let reason =
        "the command '/bin/echo': running '/bin/echo' is not allowed; `--allow exec` allows to run commands";
    assert!(run.stderr.contains(reason), "{}", run.stderr);
    assert!(run.stdout.contains("message => 'y'"), "{}", run.stdout);
    let run = folder.marotte(&["compile", "n", "--allow", "exec"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains(r#"message => "x\n""#), "{}", run.stdout);
}

#[test]
fn catalogs_of_several_nodes_are_one_array_and_one_page() {
    let folder = Folder::new(FILES);
    let run = |options: &[&str]| {
        folder.marotte(&[&["compile", "--all", "--facts-dir", "facts", "--format"], options].concat())
    };
    let json = run(&["json"]);
    assert_eq!(json.status, 1, "{}", json.stderr);
    let all: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let names: Vec<_> = all.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "c"]);
    let page = run(&["html"]).stdout;
    assert_eq!(page.matches("<html").count(), 1);
    assert_eq!(page.matches("</html>").count(), 1);
    assert!(page.contains("<h2>a</h2>") && page.contains("<h2>c</h2>"), "{page}");
    assert!(
        page.contains("id=\"a/Notify[done]\"") && page.contains("href=\"#c%2FNotify%5Bdone%5D\""),
        "{page}"
    );
    // Without any catalogs, the output for several nodes is still an array. The catalog of a node given by name isn't in an
    // array.
    folder.write("manifests/site.pp", b"fail('no')\n");
    assert_eq!(run(&["json"]).stdout, "[]\n");
    folder.write("manifests/site.pp", b"\n");
    let one = folder.marotte(&["compile", "a", "--facts-dir", "facts", "--format", "json"]);
    assert!(one.stdout.starts_with('{'), "{}", one.stdout);
}

#[test]
fn catalogs_are_written_into_a_folder() {
    let folder = Folder::new(FILES);
    let run = |format: &str| {
        let arguments =
            ["compile", "--all", "--facts-dir", "facts", "--output-dir", "out/new", "--format", format];
        folder.marotte(&arguments)
    };
    for format in ["json", "html", "dot", "summary"] {
        let run = run(format);
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    }
    let names = folder.names("out/new");
    assert_eq!(names, ["a.dot", "a.html", "a.json", "a.txt", "c.dot", "c.html", "c.json", "c.txt"]);
    let catalog: serde_json::Value = serde_json::from_slice(&folder.read("out/new/c.json")).unwrap();
    assert_eq!(catalog["name"], "c");
    // What an earlier run has written for a node that fails now is not taken for its catalog.
    folder.write("manifests/site.pp", b"fail('no')\n");
    assert_eq!(run("json").status, 1);
    assert_eq!(folder.names("out/new"), ["a.dot", "a.html", "a.txt", "c.dot", "c.html", "c.txt"]);
    // The name of a node can't lead out of the folder.
    folder.write("manifests/site.pp", b"\n");
    folder.write("one.yaml", b"clientcert: ../../up\n");
    let run = folder.marotte(&["compile", "--facts", "one.yaml", "--output-dir", "out", "--format", "json"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(run.stderr.contains("cannot be the name of a file"), "{}", run.stderr);
}

#[test]
fn errors_of_parameters_are_one_line_and_notes() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"class { 'm': big => [1], small => 7 }\n"),
        ("modules/m/manifests/init.pp", b"class m(M::Big $big, String $small) {\n}\n"),
        ("modules/m/types/big.pp", b"type M::Big = Variant[Struct[{a => Integer}], Hash[String, Integer]]\n"),
    ]);
    let run = folder.marotte(&["compile", "n1"]);
    let headline = "Class[M]: parameter 'big' expects a M::Big value, got Tuple\n";
    assert!(run.stderr.contains(headline), "{}", run.stderr);
    assert!(run.stderr.contains("= parameter 'small' expects a String value, got Integer"), "{}", run.stderr);
    assert!(run.stderr.contains("= `M::Big` is `Variant[Struct["), "{}", run.stderr);
}

/// A class that skipped code may declare is searched first, and loaded later.
#[test]
fn warnings_of_a_file_that_was_only_searched_at_first_are_shown_once_it_is_loaded() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"if generate('/bin/false') == 'x' {\n  include w\n  notice(w::f())\n}\ninclude w\nnotice(w::f())\n"),
        ("modules/w/manifests/init.pp", b"class w {\n  $a = \"x\\qy\"\n  notify { $a: }\n}\n"),
        ("modules/w/functions/f.pp", b"function w::f() {\n  \"x\\zy\"\n}\n"),
    ]);
    let run = folder.marotte(&["compile", "n1"]);
    assert_eq!(run.stderr.matches("warning[unrecognized-escape]").count(), 2, "{}", run.stderr);
}

#[test]
fn a_syntax_error_is_shown_once_for_all_nodes() {
    let folder = Folder::new(&[("site.pp", b"notify { 'a' =>\n")]);
    for node in ["a", "b", "c"] {
        folder.write(&format!("facts/{node}.yaml"), b"kernel: Linux\n");
    }
    let run = folder.marotte(&["compile", "--all", "--facts-dir", "facts", "--manifest", "site.pp"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.stderr.matches("site.pp:1:").count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("2 more nodes have no catalog") && run.stderr.contains("b, c"),
        "{}",
        run.stderr
    );
}
