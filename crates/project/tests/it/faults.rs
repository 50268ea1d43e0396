//! Errors in one node's code, data or templates are reported clearly for that node, end soon, and don't affect other nodes.
//!
//! The messages are the reference's, except those of a limit of ours, a permission or the YAML parser.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use marotte_db::testing::FragileSystem;
use marotte_db::{MemorySystem, System};
use marotte_diagnostics::Sources as _;
use marotte_host::{CodeTree, Facts, Findings, Node, NodeInput, Policy, evaluate_once};
use marotte_project::{Fleet, Panicked, ProjectDatabase};

const HIERARCHY: (&str, &str) = ("/env/hiera.yaml", "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n");

/// Compiles the node `bad`, which evaluates this code, together with `good`, which must succeed; returns the number of
/// resources of `bad`, or its errors, each with the path and line that it names.
fn compile(system: impl System + 'static, bad: &str) -> Result<usize, Vec<String>> {
    outcome(system, bad).unwrap()
}

/// Like [`compile`], but returns a panic as an error.
fn outcome(system: impl System + 'static, bad: &str) -> Result<Result<usize, Vec<String>>, Panicked> {
    let site = format!("node 'bad' {{\n{bad}\n}}\nnode 'good' {{ notify {{ 'fine': }} }}\n");
    system.write_atomically("/env/manifests/site.pp".into(), site.as_bytes()).unwrap();
    let tree = CodeTree { module_path: vec!["/env/modules".into()], environment: Some("/env".into()) };
    let manifests = ["/env/manifests/site.pp".into()];
    let db = ProjectDatabase::frozen(Arc::new(system));
    let fleet = Fleet::new(db, &tree, &manifests, Policy::default(), 2);
    let run = fleet.run();
    let compiled = fleet.each(&["bad", "good"], |db, name| {
        let input = NodeInput::new(Facts { name: Some((*name).into()), ..Facts::default() });
        let node = Node::add(db, run, input);
        let evaluation = evaluate_once(db, node);
        let findings = Findings::of(db, &evaluation);
        let told = findings.diagnostics().iter().map(|it| {
            let line = findings.line_index(it.file).position(it.range.start()).line;
            format!("{} ({}:{line})", it.message, findings.path(it.file))
        });
        let told: Vec<String> = told.collect();
        match evaluation.compiled.catalog.filter(|_| told.is_empty()) {
            Some(catalog) => Ok(catalog.resources.len()),
            None => Err(told),
        }
    });
    let [bad, good] = compiled.try_into().unwrap();
    assert_eq!(good.unwrap(), Ok(5));
    bad
}

fn files(files: &[(&str, &str)]) -> MemorySystem {
    MemorySystem::with_files(files.iter().copied())
}

/// Fails unless the node has these errors.
#[track_caller]
fn assert_refused(system: impl System + 'static, bad: &str, expected: &[&str]) {
    assert_eq!(compile(system, bad).unwrap_err(), expected);
}

#[test]
fn a_broken_file_of_data() {
    assert_refused(
        files(&[HIERARCHY, ("/env/data/c.yaml", "x: [1\ny: 2\n")]),
        "notify { String(lookup('x')): }",
        &[
            "Unable to parse (/env/data/c.yaml): illegal placement of ':' indicator at line 2 column 2 (env/manifests/site.pp:2)",
        ],
    );
}

#[test]
fn a_file_of_data_that_cannot_be_read() {
    let system = files(&[HIERARCHY, ("/env/data/c.yaml", "x: 1\n")]);
    system.make_unreadable("/env/data/c.yaml");
    assert_refused(
        system,
        "notify { String(lookup('x')): }",
        &["'/env/data/c.yaml' cannot be read: permission denied (env/manifests/site.pp:2)"],
    );
}

#[test]
fn a_template_that_raises() {
    assert_refused(
        files(&[("/env/modules/m/templates/t.epp", "a\n<% fail('no luck') %>")]),
        "notify { epp('m/t.epp'): }",
        &["Error while evaluating a Function Call, no luck (env/modules/m/templates/t.epp:2)"],
    );
    assert_refused(
        files(&[("/env/modules/m/templates/t.epp", "a\n<%= $none %>")]),
        "notify { epp('m/t.epp'): }",
        &["Unknown variable: 'none'. (env/modules/m/templates/t.epp:2)"],
    );
}

/// Ten lists, each ten times as large as the one before: the reference never returns from it.
#[test]
fn data_that_grows_without_end() {
    let list = |name: usize, of: &str| format!("a{name}: &a{name} [{}]\n", [of; 10].join(", "));
    let bomb: String =
        (0..10).map(|it| if it == 0 { list(0, "x") } else { list(it, &format!("*a{}", it - 1)) }).collect();
    let system = || files(&[HIERARCHY, ("/env/data/c.yaml", &bomb)]);
    let few = "notify { String(lookup('a2').length): }";
    let many = "notify { String(lookup('a9')): }";
    for bad in [few, many] {
        assert_refused(
            system(),
            bad,
            &[
                "Unable to parse (/env/data/c.yaml): the aliases expand to more values than the limit allows at line 6 column 45 (env/manifests/site.pp:2)",
            ],
        );
    }
}

#[test]
fn interpolation_that_leads_to_itself() {
    let data = "a: \"%{lookup('b')}\"\nb: \"%{lookup('a')}\"\n";
    assert_refused(
        files(&[HIERARCHY, ("/env/data/c.yaml", data)]),
        "notify { lookup('a'): }",
        &["Lookup of key 'a' failed: Recursive lookup detected in [a, b] (env/manifests/site.pp:2)"],
    );
}

#[test]
fn classes_that_include_themselves_are_evaluated_once() {
    let system = files(&[
        ("/env/modules/a/manifests/init.pp", "class a { include b }"),
        ("/env/modules/b/manifests/init.pp", "class b { include a, b\nnotify { 'x': } }"),
    ]);
    assert_eq!(compile(system, "include a"), Ok(7));
}

#[test]
fn classes_that_inherit_themselves() {
    let system = files(&[
        ("/env/modules/a/manifests/init.pp", "class a inherits b { }"),
        ("/env/modules/b/manifests/init.pp", "class b inherits a { }"),
    ]);
    assert_refused(
        system,
        "include a",
        &[
            "calls are nested more than 2000 levels deep; does one lead to itself? (env/modules/b/manifests/init.pp:1)",
        ],
    );
}

#[test]
fn resource_types_that_declare_themselves() {
    let system = files(&[("/env/modules/d/manifests/init.pp", "define d() { d { \"${title}x\": } }")]);
    assert_refused(
        system,
        "d { 'x': }",
        &["Somehow looped more than 1000 times while evaluating host catalog (<program>:1)"],
    );
}

#[test]
fn functions_that_call_themselves() {
    let system = files(&[("/env/functions/f.pp", "function f() { f() }")]);
    assert_refused(
        system,
        "f()",
        &["calls are nested more than 2000 levels deep; does one lead to itself? (env/functions/f.pp:1)"],
    );
}

#[test]
fn a_hundred_thousand_resources() {
    let many = "Integer[1, 100000].each |$i| { notify { \"n$i\": } }";
    assert_eq!(compile(files(&[]), many), Ok(100_004));
}

#[test]
fn paths_that_lead_out_of_the_tree() {
    let system = || {
        files(&[
            ("/secret", "s"),
            ("/secret.epp", "s"),
            ("/secret.yaml", "x: 1\n"),
            ("/env/modules/m/files/x", ""),
            ("/env/modules/m/templates/x.epp", ""),
            ("/env/hiera.yaml", "version: 5\nhierarchy: [{name: c, path: ../../secret.yaml}]\n"),
        ])
    };
    for bad in [
        "notify { file('m/../../../../secret'): }",
        "notify { epp('m/../../../../secret.epp'): }",
        "notify { file('/secret'): }",
    ] {
        // The title is unknown, and nothing is declared.
        assert_eq!(compile(system(), bad), Ok(4), "{bad}");
    }
    let errors = compile(system(), "notify { String(lookup('x')): }").unwrap_err();
    assert!(errors[0].contains("is not allowed, because it is outside of the modules"), "{errors:?}");
}

#[test]
fn a_bug_is_told_of_the_node_that_meets_it() {
    let files = files(&[("/env/modules/m/templates/panic.epp", "")]);
    let system = FragileSystem::new(files, |path| match path.file_name() {
        Some("panic.epp") => panic!("no way to read this"),
        _ => None,
    });
    let panicked = outcome(system, "notify { epp('m/panic.epp'): }").unwrap_err();
    assert_eq!(panicked.message, "no way to read this");
}
