//! Tests of reports and their positions; expected values are the reference's verdicts.

use crate::{Choices, Mode, parse};

const MANIFEST: Mode = Mode { template: false, tasks: false, choices: Choices::REFERENCE };
const TEMPLATE: Mode = Mode { template: true, ..MANIFEST };
const TASKS: Mode = Mode { tasks: true, ..MANIFEST };

/// Every report as the name of its kind and the text it points at.
fn reports(source: &str, mode: Mode) -> Vec<String> {
    let parse = parse(source, mode);
    let reports = parse.errors.iter().map(|error| {
        let kind = format!("{:?}", error.kind);
        let kind = kind.split(|char: char| !char.is_alphanumeric()).next().unwrap_or_default().to_owned();
        format!("{kind} {}", &source[usize::from(error.range.start())..usize::from(error.range.end())])
    });
    reports.collect()
}

/// Each case is a text and its reports, one on a line.
fn check(mode: Mode, cases: &[(&str, &[&str])]) {
    for (source, expected) in cases {
        assert_eq!(reports(source, mode), *expected, "{source}");
    }
}

#[test]
fn places_of_definitions() {
    check(
        MANIFEST,
        &[
            ("class a { class b { } define c { } }", &[]),
            ("class a { function b() { } }", &["NotAbsoluteTopLevel b"]),
            (
                "class a { type B = C  type D { } }",
                &["NotAbsoluteTopLevel B", "NotAbsoluteTopLevel D", "UnsupportedExpression D"],
            ),
            ("class a { type Runtime['x', 'y'] = Y }", &[]),
            ("if true { function b() { } }", &["NotTopLevel b"]),
            ("if true { class b { }  function d() { } }", &["NotTopLevel b", "NotAbsoluteTopLevel d"]),
            ("define a { class b { } node c { } }", &["NotTopLevel b", "NotTopLevel node"]),
            ("[1].each |$x| { class b { } }", &["NotTopLevel b"]),
            ("notice(class b { })", &["NotTopLevel b"]),
            ("class a { $x = function b() { } }", &["NotAValue function b() { }", "NotTopLevel b"]),
        ],
    );
    check(
        TEMPLATE,
        &[
            ("<% class b { } %>", &["NotTopLevel b"]),
            ("<% function b() { } %>", &["NotAbsoluteTopLevel b"]),
            ("<%= class x { } %>", &["NotAValue class x { }", "NotTopLevel x"]),
        ],
    );
}

#[test]
fn names_of_definitions() {
    check(
        MANIFEST,
        &[
            ("class Foo { }", &["IllegalDefinitionName Foo"]),
            ("function ::foo() { }", &["IllegalDefinitionName ::foo"]),
            ("class a { define ::foo() { } }", &["IllegalDefinitionName ::foo"]),
            ("define a::b_C::d { }", &[]),
            ("class integer { }", &["ReservedTypeName integer"]),
            ("type Integer = String", &[]),
            ("class plan { }", &["FutureReservedWord plan"]),
            ("type X = Plan[1]", &["FutureReservedWord Plan"]),
            ("function f() >> Plan { }", &["FutureReservedWord Plan"]),
            ("class a::plan { }", &[]),
            ("$x = attr", &["ReservedWord attr"]),
        ],
    );
}

#[test]
fn types() {
    check(
        MANIFEST,
        &[
            ("type X = [1]", &["IllegalExpression [1]"]),
            ("type Foo['x'] = String", &["UnsupportedExpression Foo['x']"]),
            ("type Runtime['x','y'] = Foo { a=>1 }", &["IllegalTypeMapping Foo { a=>1 }"]),
            ("type Runtime['x','y'] = { a=>1 }", &["IllegalTypeMapping { a=>1 }"]),
            ("type Runtime['x','y'] = Object[{ a=>1 }]", &[]),
            ("type Runtime['x',[/a/,'b']] = [/c/,'d']", &[]),
            ("type Runtime['x',[/a/,'b']] = String", &["IllegalTypeMapping String"]),
            ("type Runtime['x','y'] = [/c/,'d']", &["IllegalTypeMapping [/c/,'d']"]),
            (
                "class a(Enum[$x] $b, Integer[-1,2] $c, Optional[[String]] $d, Struct[{a=>1}] $e) { }",
                &["NonLiteralParameterType Enum[$x]", "NonLiteralParameterType Optional[[String]]"],
            ),
            ("define a(Enum[$x] $b) { }", &[]),
        ],
    );
}

#[test]
fn parameters() {
    check(
        MANIFEST,
        &[
            ("function f($a, $b, $a) { }", &["DuplicateParameter $a"]),
            ("f() |$b, $b| { }", &[]),
            ("f() |*$a, $b| { }", &["CapturesRestNotLast $a"]),
            ("function f(*$a, $b) { }", &[]),
            (
                "class a($name, $title, *$r) { }",
                &["ReservedParameter $name", "ReservedParameter $title", "CapturesRestNotSupported $r"],
            ),
            (
                "function f($1, $0x1, $A, $_a, $a::b, $a_B1) { }",
                &[
                    "NumericParameter $1",
                    "NumericParameter $0x1",
                    "IllegalParameterName $A",
                    "IllegalParameterName $a::b",
                ],
            ),
            (
                "define a($a = ($b = 1), $c = [($d = $z = 2)], $e = f() |$x = ($y = 3)| { $z = 1 }) { }",
                &[
                    "AssignmentInDefault $b = 1",
                    "AssignmentInDefault $d = $z = 2",
                    "AssignmentInDefault $y = 3",
                ],
            ),
        ],
    );
    check(
        TEMPLATE,
        &[
            ("<%- | $a, $a, *$b | -%>x", &["DuplicateParameter $a", "CapturesRestNotSupported $b"]),
            ("<%- | $name | -%>x", &[]),
            ("a <%- ($a) -%>x", &["EppParameters ($a)"]),
        ],
    );
    let many: Vec<String> = (0..40).map(|index| format!("$p{index}")).collect();
    let many = format!("class a({}, $p7, $p7) {{ }}", many.join(", "));
    assert_eq!(reports(&many, MANIFEST), ["DuplicateParameter $p7", "DuplicateParameter $p7"]);
}

#[test]
fn variables_and_assignments() {
    check(
        MANIFEST,
        &[
            ("$01", &["IllegalNumericVariableName $01"]),
            ("notice(\"${01} ${1} ${0}\")", &["IllegalNumericVariableName 01"]),
            ("notice($A, $a::_b, $_a::b)", &["IllegalVariableName $A", "IllegalVariableName $_a::b"]),
            ("$a[1] = 2", &["IndexedAssignment $a[1]"]),
            (
                "[$a, $b::c, $1, 1, [$x]] = [1]",
                &["CrossScopeAssignment $b::c", "NumericAssignment $1", "IllegalAssignment 1"],
            ),
            ("$a += 1", &["AppendsDeletes +="]),
            ("1 = 2", &["IllegalAssignment 1"]),
        ],
    );
}

#[test]
fn values() {
    check(
        MANIFEST,
        &[
            ("$x = $y = Foo<||>", &["NotAValue Foo<||>"]),
            ("$x = (Foo<||>)", &["NotAValue Foo<||>"]),
            ("(Foo<||>) -> File['a']", &["NotAValue Foo<||>"]),
            ("Foo<||> -> File['a'] -> Foo<||>", &[]),
            ("notice(Foo<||>)", &[]),
            ("notice(\"${Foo<||>}\")", &["NotAValue Foo<||>"]),
            ("$a = $x ? { class x { } => 2 }", &["NotAValue class x { }", "NotTopLevel x"]),
            ("$f(1)", &["IllegalExpression $f"]),
            ("private()", &["IllegalExpression private", "ReservedWord private"]),
            ("Integer(1) Foo['x'](1) type(1)", &[]),
            ("1[2] <| |>", &["IllegalExpression 1[2]"]),
            ("import 'x'", &["DiscontinuedImport import"]),
            ("$x ? { default => 1, default => 2 }", &["DuplicateDefault default"]),
            (
                "case 1 { default, default: { } default: { } }",
                &["DuplicateDefault default", "DuplicateDefault default"],
            ),
        ],
    );
}

#[test]
fn effects() {
    check(
        MANIFEST,
        &[
            ("1 2 3", &["NoEffect 1"]),
            ("foo; {a=>1}", &["ResourceWithoutTitle foo; {a=>1}"]),
            ("class x { foo; {a=>1} }", &["ResourceWithoutTitle foo; {a=>1}"]),
            ("class a { foo {a=>1} foo() }", &["ResourceWithoutTitle foo {a=>1}"]),
            ("foo { * => $h }", &["UnfoldInContext *"]),
            ("class a { if 1 { 2 } }", &["NoEffectLast if 1 { 2 }"]),
            ("class a { if foo() { 2 } }", &[]),
            ("class a { case 1 { 2: { } default: { } } }", &["NoEffectLast case 1 { 2: { } default: { } }"]),
            ("class a { unless 1 { } }", &["NoEffectLast unless 1 { }"]),
            ("class a { 1 =~ 2 }", &[]),
            ("node a { 1 in 2 }", &["NoEffectLast 1 in 2"]),
            ("define a { (1) }", &["NoEffectLast (1)"]),
            ("function a { 1 }", &[]),
        ],
    );
    check(TEMPLATE, &[("<% $x %>x", &["NoEffect $x"]), ("x<% $x %>", &[])]);
}

#[test]
fn keys() {
    check(
        MANIFEST,
        &[
            ("$h = { a => 1, 'a' => 2, \"a\" => 3 }", &["DuplicateKey 'a'", "DuplicateKey \"a\""]),
            ("$h = { File => 1, file => 2 }", &["DuplicateKey file"]),
            (
                "$h = { 1 => 1, 1.0 => 2, 0x1 => 3, -1 => 4, -0.0 => 5, 0.0 => 6 }",
                &["DuplicateKey 0x1", "DuplicateKey 0.0"],
            ),
            ("$h = { 'a' => 1, -'a' => 2 }", &["DuplicateKey -'a'"]),
            ("$h = { /a/ => 1, /a/ => 2 }", &["DuplicateKey /a/"]),
            ("$h = { Optional['x'] => 1, ['x'] => 2, [['x']] => 3 }", &["DuplicateKey ['x']"]),
            ("$h = { {a=>1,b=>2} => 1, {b=>2,a=>1} => 2 }", &["DuplicateKey {b=>2,a=>1}"]),
            ("$h = { (1) => 1, 1 => 2, $x => 3, $x => 4 }", &[]),
            (
                "$h = { undef => 1, undef => 2, default => 1, default => 3 }",
                &["DuplicateKey undef", "DuplicateKey default"],
            ),
            ("notice(a => 1, a => 2)", &["DuplicateKey a"]),
        ],
    );
    let many: Vec<String> = (0..40).map(|index| format!("k{index} => 1")).collect();
    assert_eq!(
        reports(&format!("$h = {{ {}, 'k3' => 2 }}", many.join(", ")), MANIFEST),
        ["DuplicateKey 'k3'"]
    );
}

#[test]
fn catalog_syntax() {
    check(
        MANIFEST,
        &[
            ("@class { a: }", &["ClassNotVirtualizable @"]),
            ("@file { a: }", &[]),
            ("@@File { a => 1 }", &["NotVirtualizable @@"]),
            ("@File['x'] { a => 1 }", &["NotVirtualizable @"]),
            ("file { x: a +> 1, * => 1, * => 2 }", &["AttributeAppend +>", "MultipleUnfold *"]),
            ("File { a +> 1, * => $a, * => $b }", &["AttributeAppend +>"]),
            ("File['x'] { a +> 1 }  File<| |> { a +> 1 }", &[]),
            (
                "Foo<| a == 1 and (b != 2 or c) and $d and \"x${e}\" and undef and 1 > 2 and -1 |>",
                &["IllegalQuery \"x${e}\"", "IllegalQuery undef", "IllegalQuery 1 > 2", "IllegalQuery -1"],
            ),
            ("node a inherits b { }", &["NodeInheritance b"]),
            (
                "node \"a${x}b\", 'a b', a.b, /x/, default { }",
                &["HostnameInterpolation x", "IllegalHostnameCharacters 'a b'"],
            ),
        ],
    );
}

#[test]
fn tasks() {
    check(
        TASKS,
        &[
            ("class a { }", &["NotInPlan a"]),
            ("plan a() { file {x:} Foo<||> }", &["NotInPlan file {x:}", "NotInPlan Foo<||>"]),
            ("plan a() { plan b() { } }", &["NotAbsoluteTopLevel b"]),
            ("plan a() { foo {a=>1} }", &["NoEffect foo"]),
            ("plan a() { 1 foo() }", &["NoEffect 1"]),
            (
                "apply(1) { file {x:} Foo<||> Foo<<||>> apply(2) { } A -> B }",
                &["NotInApply Foo<<||>>", "NotInApply apply(2) { }"],
            ),
        ],
    );
}

#[test]
fn heredoc_text() {
    let reports =
        |syntax: &str, text: &str| reports(&format!("$x = @(END:{syntax})\n{text}\n| END\n"), MANIFEST);
    for (syntax, text) in [
        ("json", "{\"a\": 1}"),
        ("json+x", "{"),
        ("yaml", "{"),
        ("base64", "YQ=="),
        ("pp", "include foo"),
        ("pp", ""),
        ("epp", "<%= 1 %>"),
    ] {
        assert_eq!(reports(syntax, text), Vec::<String>::new(), "{syntax} {text}");
    }
    for (syntax, text) in [
        ("json", "{a: 1}"),
        ("x+json", "{"),
        ("base64", "YQ"),
        ("pp", "foo("),
        ("pp", "1 2"),
        ("x+pp", "foo"),
        ("epp", "<%= 1"),
    ] {
        assert_eq!(reports(syntax, text), [format!("HeredocText {text}\n")], "{syntax} {text}");
    }
}

#[test]
fn manifests_in_heredocs_are_read_to_some_depth() {
    let nest = |depth: u32| {
        (0..depth).fold("foo(".to_owned(), |text, level| format!("$x = @(E{level}:pp)\n{text}\n| E{level}\n"))
    };
    assert_eq!(reports(&nest(4), MANIFEST).len(), 1);
    assert_eq!(reports(&nest(5), MANIFEST), Vec::<String>::new());
}

/// Code that could not be parsed, and the code next to it, gets no second report.
#[test]
fn nothing_follows_from_what_was_reported() {
    for source in ["class a { $x = }", "class a { foo ) }", "if true { class b { }", "class a { 08 }"] {
        let kinds: Vec<String> = reports(source, MANIFEST);
        let follow_ups = ["NoEffect", "NotTopLevel", "DuplicateKey", "NotAValue"];
        assert!(!kinds.is_empty(), "{source}");
        assert!(
            !kinds.iter().any(|kind| follow_ups.iter().any(|it| kind.starts_with(it))),
            "{source}: {kinds:?}"
        );
    }
}
