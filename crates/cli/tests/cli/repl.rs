//! `marotte repl`, without a terminal.

use crate::support::{Folder, Run};

fn repl(input: &str) -> Run {
    Folder::new(&[]).marotte_with_input(&["repl"], input.as_bytes())
}

#[test]
fn values_are_printed_and_what_is_defined_stays() {
    let run =
        repl("$x = [1, 2]\nfunction f($y) { $x + $y }\ntype T = Integer\nf(3)\n3 =~ T\n$x == undef\nundef\n");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout, "[1, 2]\n[1, 2, 3]\ntrue\nfalse\n");
}

#[test]
fn input_goes_on_while_something_is_open() {
    let run = repl("$x = [\n  1,\n  2\n]\n1 +\n1\n");
    assert_eq!(run.stdout, "[1, 2]\n2\n");
    let run = repl("[1,\n\n'next'\n");
    assert_eq!(run.stdout, "'next'\n", "an empty line ends what is open");
    assert!(run.stderr.contains("<input 1>"), "{}", run.stderr);
}

#[test]
fn errors_are_shown_and_forgotten() {
    let run = repl("$none\n1 + 1\n)\n2 + 2");
    assert_eq!((run.status, run.stdout.as_str()), (1, "2\n4\n"));
    assert!(
        run.stderr.contains("error[unknown-variable]: Unknown variable: 'none'.\n  ┌─ <input 1>:1:1"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("<input 3>"), "{}", run.stderr);
}

#[test]
fn an_error_in_a_function_points_to_where_it_was_typed() {
    let run = repl("function f() {\n  $none\n}\nf()\n");
    assert!(run.stderr.contains("<input 1>:2:3"), "{}", run.stderr);
}

#[test]
fn commands_are_obeyed() {
    let run = repl(":type [1, 'a']\n:help\n:bogus\n:quit\n1\n");
    let (first, rest) = run.stdout.split_once('\n').unwrap();
    assert!(first.starts_with("Array["), "{first}");
    assert!(rest.contains(":type EXPR") && !rest.ends_with("1\n"), "{rest}");
    assert_eq!(run.stderr, "there is no command `:bogus`; `:help` lists them\n");
}

#[test]
fn classes_and_resources_are_declared_and_listed() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("modules/foo/manifests/init.pp", b"class foo($p = 1) { $v = 7 notify { \"foo ${p}\": } }\n"),
    ]);
    let input = "include foo\n$foo::v\ndefine d() { file { \"/tmp/${title}\": } }\nd { 'q': }\n:catalog\n";
    let run = folder.marotte_with_input(&["repl"], input.as_bytes());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(
        run.stdout,
        "[Class[foo]]\n+ Class[Foo]\n+ Notify[foo 1]\n7\n[D['q']]\n+ D[q]\n+ File[/tmp/q]\n\
         Class[Foo]\nNotify[foo 1]\nD[q]\nFile[/tmp/q]\n"
    );
}

#[test]
fn an_error_in_a_declaration_leaves_the_catalog_as_it_is() {
    let run = repl("notify { 'x': }\nnotify { 'x': }\nnone { 'y': }\n:catalog\n1 + 1\n");
    assert_eq!((run.status, run.stdout.as_str()), (1, "[Notify['x']]\n+ Notify[x]\nNotify[x]\n2\n"));
    assert!(run.stderr.contains("error[duplicate-declaration]"), "{}", run.stderr);
    assert!(run.stderr.contains("<input 3>:1:1"), "{}", run.stderr);
}

#[test]
fn input_with_an_error_changes_nothing() {
    let wrong = "$v = 1\nclass c(Integer $n = 'x') { notify { 'in c': } }\n";
    // A class that cannot be declared, a statement after others, an error in a class, and one in a defined type.
    for failing in [
        "class { 'c': n => 'y' }",
        "if true {\n  $w = 1\n  notify { 'a': }\n  class { 'c': n => 'y' }\n}",
        "if true {\n  $w = 1\n  class d { notify { 'a': } fail('no') }\n  include d\n}",
        "class d { $x = 1 notify { 'a': } fail('no') } include d",
        "define e() { notify { 'a': } fail('no') } e { 'a': }",
        "type T = String function f() { 1 } class d { } Notify { message => 'no' } fail('no')",
        "class d { } include d Notify <| |> { message => 'no' } notify { 'a': none => 1 }",
    ] {
        let again = "include d\n$w = 2\n'w is free'\nnotify { 'a': }\nclass { 'c': n => 3 }\n";
        let defined = "class d { notify { 'in d': } }\ntype T = Integer\nfunction f() { 2 }\n[1 =~ T, f()]\n";
        let run = repl(&format!("{wrong}{failing}\n{defined}{again}$v\n:catalog\n"));
        assert_eq!(run.stderr.matches("error[").count(), 1, "{failing}: {}", run.stderr);
        assert_eq!(
            run.stdout,
            "1\n[true, 2]\n[Class[d]]\n+ Class[D]\n+ Notify[in d]\n2\n'w is free'\n[Notify['a']]\n+ Notify[a]\n\
             [Class[c]]\n+ Class[C]\n+ Notify[in c]\n1\nClass[D]\nNotify[in d]\nNotify[a]\nClass[C]\nNotify[in c]\n",
            "{failing}"
        );
    }
}

#[test]
fn the_node_and_the_environment_can_be_named() {
    let folder = Folder::new(&[
        ("environments/production/manifests/site.pp", b""),
        ("environments/production/modules/m/manifests/init.pp", b"class m { notify { 'in production': } }\n"),
        ("environments/testing/environment.conf", b"modulepath = site\n"),
        ("environments/testing/site/m/manifests/init.pp", b"class m { notify { 'in testing': } }\n"),
    ]);
    let run = |arguments: &[&str]| {
        let arguments = [&["repl", "--environment-dir", "environments"], arguments].concat();
        folder.marotte_with_input(&arguments, b"include m\n$trusted['certname']\n").stdout
    };
    assert_eq!(
        run(&["--node", "a.example"]),
        "[Class[m]]\n+ Class[M]\n+ Notify[in production]\n'a.example'\n"
    );
    let testing = run(&["--environment", "testing", "--node", "a.example"]);
    assert_eq!(testing, "[Class[m]]\n+ Class[M]\n+ Notify[in testing]\n'a.example'\n");
}
