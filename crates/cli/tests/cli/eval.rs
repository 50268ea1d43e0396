//! `marotte eval`.

use crate::support::{Folder, Run};

fn eval(arguments: &[&str]) -> Run {
    let arguments: Vec<&str> = ["eval"].iter().chain(arguments).copied().collect();
    Folder::new(&[]).marotte(&arguments)
}

fn printed(arguments: &[&str]) -> String {
    let run = eval(&[&["--print"], arguments].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{arguments:?}");
    run.stdout.trim_end().to_owned()
}

#[test]
fn the_value_of_the_last_expression_is_printed() {
    assert_eq!(printed(&["-e", "1 + 2"]), "3");
    assert_eq!(printed(&["-e", "$x = [1, 'a']", "-e", "$x + [undef]"]), "[1, 'a', undef]");
    let silent = eval(&["-e", "1 + 2"]);
    assert_eq!((silent.status, silent.stdout.as_str()), (0, ""));
}

#[test]
fn programs_come_from_files_and_standard_input() {
    let folder = Folder::new(&[("a.pp", b"$x = 6\n$x * 7\n")]);
    assert_eq!(folder.marotte(&["eval", "--print", "a.pp"]).stdout, "42\n");
    assert_eq!(folder.marotte_with_input(&["eval", "--print"], b"'in'").stdout, "'in'\n");
    assert_eq!(folder.marotte_with_input(&["eval", "--print", "-"], b"'in'").stdout, "'in'\n");
    let missing = folder.marotte(&["eval", "none.pp"]);
    assert_eq!((missing.status, missing.stderr.as_str()), (2, "error: there is no file `none.pp`\n"));
}

#[test]
fn an_error_at_facts_says_that_none_were_given() {
    const HINT: &str = "no facts were given: `--facts FILE` reads what `facter --yaml` prints";
    let folder = Folder::new(&[
        ("a.pp", b"notice($facts['os']['family'])\n"),
        ("b.pp", b"notice($x['a'])\n"),
        ("facts.yaml", b"kernel: Linux\n"),
    ]);
    assert!(folder.marotte(&["eval", "a.pp"]).stderr.contains(HINT));
    assert!(folder.marotte(&["compile", "--manifest", "a.pp"]).stderr.contains(HINT));
    for arguments in [&["eval", "b.pp"][..], &["eval", "a.pp", "--facts", "facts.yaml"]] {
        let run = folder.marotte(arguments);
        assert_eq!(run.status, 1);
        assert!(!run.stderr.contains(HINT), "{run:?}");
    }
}

#[test]
fn messages_are_worded_as_puppet_does() {
    let run = eval(&["-e", "notice('a', 1) warning('b') err('c') info('d') debug('e')"]);
    assert_eq!(
        run.stderr,
        "Notice: Scope(Class[main]): a 1\nWarning: Scope(Class[main]): b\nError: Scope(Class[main]): c\n"
    );
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    let code = ["-e", "info('d') debug('e')"];
    assert_eq!(eval(&[&code[..], &["-v"]].concat()).stderr, "Info: Scope(Class[main]): d\n");
    assert_eq!(eval(&[&code[..], &["-d"]].concat()).stderr.lines().count(), 2);
    let coloured = eval(&["--color=always", "-e", "warning('b')"]).stderr;
    assert_eq!(coloured, "\x1b[1;33mWarning: Scope(Class[main]): b\x1b[0m\n");
}

#[test]
fn warnings_about_the_program_say_where() {
    let lax = ["--strict=warning", "--strict-variables=false"];
    let run = eval(&[&lax[..], &["-e", "$a = $none"]].concat());
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (0, "Warning: Unknown variable: 'none'. (line: 1, column: 6)\n")
    );
    let folder = Folder::new(&[("a.pp", b"\n$a = $none\n")]);
    let run = folder.marotte(&[&["eval"], &lax[..], &["a.pp"]].concat());
    assert_eq!(run.stderr, "Warning: Unknown variable: 'none'. (file: a.pp, line: 2, column: 6)\n");
    let off = eval(&["--strict=off", "--strict-variables=false", "-e", "$a = $none"]);
    assert_eq!(off.stderr, "");
}

#[test]
fn errors_point_at_the_token() {
    let run = eval(&["-e", "$a = 1\n$b = $a + $none"]);
    assert_eq!(run.status, 1);
    assert_eq!(
        run.stderr,
        "error[unknown-variable]: Unknown variable: 'none'.\n  ┌─ <argument>:2:11\n  │\n2 │ $b = $a + $none\n  │           ^^^^^\n\n"
    );
    let run = eval(&["-e", "1 +"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.starts_with("error[syntax-error]"), "{}", run.stderr);
}

#[test]
fn what_is_around_a_program_is_given() {
    let folder = Folder::new(&[
        ("facts.yaml", b"os:\n  family: Debian\nnetworking: {fqdn: web.example}\n"),
        ("facts.json", br#"{"name": "db.example", "values": {"kernel": "Linux"}}"#),
        ("modules/m/functions/f.pp", b"function m::f(M::Port $x) { $x + 1 }"),
        ("modules/m/types/port.pp", b"type M::Port = Integer[1, 9]"),
        ("environment.conf", b""),
    ]);
    let print = |arguments: &[&str]| {
        let run = folder.marotte(&[&["eval", "--print"], arguments].concat());
        assert_eq!(run.stderr, "", "{arguments:?}");
        run.stdout.trim_end().to_owned()
    };
    assert_eq!(
        print(&["--facts=facts.yaml", "-e", "[$facts['os']['family'], $os, $trusted['certname']]"]),
        "['Debian', {'family' => 'Debian'}, 'web.example']"
    );
    assert_eq!(
        print(&["--facts=facts.json", "-e", "[$kernel, $clientcert, $settings::certname]"]),
        "['Linux', 'db.example', 'db.example']"
    );
    assert_eq!(
        print(&["--set", "x=[1, 'a']", "--set", "y=$facts['clientnoop']", "-e", "[$x, $y]"]),
        "[[1, 'a'], false]"
    );
    assert_eq!(print(&["-e", "m::f(2)"]), "3", "the modules of the environment");
    assert_eq!(print(&["--module-path=modules", "-e", "m::f(2)"]), "3");
    let none = folder.marotte(&["eval", "--module-path=modules/m", "-e", "m::f(2)"]);
    assert!(none.stderr.contains("Unknown function: 'm::f'"), "{}", none.stderr);
    let wrong = folder.marotte(&["eval", "-e", "m::f(10)"]);
    assert!(wrong.stderr.contains("m::f"), "{}", wrong.stderr);
}

#[test]
fn a_wrong_argument_is_refused() {
    for (arguments, expected) in [
        (&["--set", "x", "-e", "1"][..], "`x` is not a NAME=PUPPET-LITERAL"),
        (&["--set", "9x=1", "-e", "1"], "`9x` is not a name of a variable"),
        (&["--now", "noon", "-e", "1"], "`noon` is not a time such as"),
        (&["--facts", "none.yaml", "-e", "1"], "cannot read the facts in"),
        (
            &["--allow", "all", "-e", "1"],
            "`all` is not a permission; there are `exec`, `read=PATH`, `ruby` and `ruby=PATH`",
        ),
        (&["--dialect", "puppet3", "-e", "1"], "puppet8, spec, 2014-07, 2014-05"),
    ] {
        let run = eval(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn only_modules_are_read_and_nothing_is_run_unless_it_is_allowed() {
    let folder = Folder::new(&[
        ("modules/m/files/a.txt", b"in the module"),
        ("modules/m/templates/t.epp", b"<%= $x + 1 %>"),
        ("elsewhere/b.txt", b"elsewhere"),
    ]);
    let eval = |code: &str, more: &[&str]| {
        folder.marotte(&[&["eval", "--print", "--module-path=modules", "-e", code], more].concat())
    };
    let elsewhere = folder.path("elsewhere/b.txt");
    let read = format!("file('{elsewhere}')");
    assert_eq!(eval("file('m/a.txt')", &[]).stdout, "'in the module'\n");
    assert_eq!(eval("epp('m/t.epp', { x => 1 })", &[]).stdout, "'2'\n");
    assert_eq!(eval(&read, &["--allow", "read=elsewhere"]).stdout, "'elsewhere'\n");
    let refused = eval(&read, &[]);
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
    assert!(refused.stderr.contains("is not allowed, because it is outside of the modules; `--allow read="));
    let refused = eval("generate('/bin/echo', 'x')", &[]);
    assert!(
        refused.stderr.contains("running '/bin/echo' is not allowed; `--allow exec` allows"),
        "{}",
        refused.stderr
    );
    let wrong = eval("epp('m/t.epp', { x => {} })", &[]);
    assert!(wrong.stderr.contains("modules/m/templates/t.epp:1:"), "{}", wrong.stderr);
}

#[cfg(unix)]
#[test]
fn commands_are_run_if_that_is_allowed() {
    assert_eq!(printed(&["--allow=exec", "-e", "generate('/bin/echo', 'x')"]), "\"x\\n\"");
}

#[test]
fn the_time_can_be_fixed() {
    let time = printed(&["--now=2026-01-31T12:00:00", "-e", "Timestamp()"]);
    assert!(time.contains("2026-01-31T12:00:00"), "{time}");
}

#[test]
fn programs_without_end_are_ended() {
    let run = eval(&["--max-call-depth=100", "-e", "function f() { f() } f()"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("more than 100 levels"), "{}", run.stderr);
    let deep = "Integer[1, 100000].reduce([]) |$m, $x| { [$m] }";
    for format in [&["--print"][..], &["--format=json"]] {
        let run = eval(&[format, &["-e", deep]].concat());
        assert_eq!(run.status, 1);
        // As JSON, findings are part of the object.
        let said = run.stderr + &run.stdout;
        assert!(said.contains("nested more than 500 levels deep"), "{said}");
    }
}

#[test]
fn everything_is_told_as_one_object() {
    let code = "notice('hi') $a = $none [1, default, /x/, {2 => undef}]";
    let lax = ["--strict=warning", "--strict-variables=false"];
    let run = eval(&[&["--format=json", "-e", code], &lax[..]].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let value = serde_json::json!([
        1,
        {"__ptype": "Default"},
        {"__ptype": "Regexp", "__pvalue": "x"},
        {"__ptype": "Hash", "__pvalue": [2, null]},
    ]);
    assert_eq!(told["value"], value);
    assert_eq!(told["string"], "[1, default, /x/, {2 => }]");
    assert!(told["type"].as_str().unwrap().starts_with("Array["), "{}", told["type"]);
    assert_eq!(told["logs"][0]["message"], "hi");
    assert_eq!(told["logs"][1]["issue"], "unknown-variable");
    assert_eq!(told["diagnostics"][0]["rule"], "unknown-variable");
    assert_eq!(told["diagnostics"][0]["level"], "warning");

    let run = eval(&["--format=json", "-e", "\n  $none"]);
    assert_eq!(run.status, 1);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(told["value"].is_null() && told["string"].is_null() && told["type"].is_null());
    let found = &told["diagnostics"][0];
    assert_eq!((&found["line"], &found["column"]), (&2.into(), &3.into()));
}

/// The first line says what is wrong; notes have further lines, and what aliases of types stand for.
#[test]
fn errors_of_an_evaluation_have_short_headlines() {
    let texts = [
        "lookup('a', 'b')",
        "each(1, 2, 3)",
        "fail(\"one\\ntwo\")",
        "file('a', {})",
        "type T = Struct[{a => Variant[Integer, String], b => Array[Hash[String, Integer]]}]\nfunction f(T $x) { }\nf(1)",
    ];
    let folder = Folder::new(&[]);
    for text in texts {
        let run = folder.marotte(&["eval", "--output-format=json", "-e", text]);
        let whole: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let found = whole["diagnostics"].as_array().unwrap();
        assert!(!found.is_empty(), "{run:?}");
        for it in found {
            let message = it["message"].as_str().unwrap();
            assert!(message.chars().count() <= 160, "{message}");
            assert!(!message.contains('\n') && !message.contains(" = "), "{message}");
        }
        let run = folder.marotte(&["eval", "-e", text]);
        assert!(!run.stderr.contains('␊'), "{}", run.stderr);
    }
    let run = folder.marotte(&["eval", "-e", "lookup('a', 'b')"]);
    assert!(
        run.stderr.contains("rejected: parameter 'value_type' expects a ValueType value"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("= `ValueType` is `Type`"), "{}", run.stderr);
}
