//! Places inside lambdas, arrays, interpolations and options.

use super::*;

const TEMPLATE: &str = "\n//- /modules/m/templates/a.epp\n";

#[test]
fn variables_of_lambdas() {
    for code in [
        "class a { [1].each |$v| { $bb = 1\n notice($b$0) } }",
        "class a { [1].each |$v| { $bb = 1\n $cc = $b$0 } }",
        "class a { [1].each |$v| { $bb = 1\n $cc = $b$0\n } }",
        "function f() { [1].each |$v| { $bb = 1\n notice($b$0) } }",
        "define a() { [1].each |$v| { $bb = 1\n if true { notice($b$0) } } }",
        "node 'a' { [1].each |$v| { $bb = 1\n notice($b$0) } }",
        "[1].each |$v| { if true { $bb = 1 } notice($b$0) }",
        "[1].each |$v| { $bb = 1\n $c = [1].map |$w| { $b$0 } }",
    ] {
        check(code, &["bb"]);
    }
    check(&format!("{TEMPLATE}<% [1].each |$v| {{ $bb = 1 %> {{ <%= $b$0 %>\n<% }} %>"), &["bb"]);
    check("class a { [1].each |$v| { $bb = 1 }\n notice($b$0) }", &[]);
    check("class a { [1].each |$v| { $bb = 1 }\n [1].each |$w| { notice($b$0) } }", &[]);
    check("class a { [1].each |$v| { $bb = $b$0 } }", &[]);
    check("function f() { [1].each |$ii, $iii = $ii$0| { } }", &["ii"]);
}

#[test]
fn elements_of_arrays_on_their_own_lines() {
    let code = |element: &str| format!("file {{ '/a':\n  require => [\n    {element}\n  ],\n}}");
    let first = labels(&code("Fil$0"));
    assert_eq!(first[0], "File");
    let all = labels(&code("$0"));
    assert!(all.contains(&"Package".to_owned()) && !all.contains(&"mode".to_owned()), "{all:?}");
    has(&code("File['/b'],\n    Pack$0"), &["Package"]);
    has(&code("upc$0"), &["upcase"]);
    has("file { '/b': }\nfile { '/a':\n  require => [\n    $0\n  ],\n}", &["File['/b']", "File"]);
    has("notify { 'a':\n  message => [\n    upc$0\n  ],\n}", &["upcase"]);
    has("class a($port) {\n  notify { 'a':\n    message => [\n      po$0\n    ],\n  }\n}", &["$port"]);
    has("file { '/a':\n  mode => upcase(\n    down$0\n  ),\n}", &["downcase"]);
}

#[test]
fn references_to_what_is_defined() {
    has("if defined(Fil$0['/b']) { }", &["File"]);
    has("file { '/b': }\nif defined($0) { }", &["File['/b']", "File"]);
    check(&format!("if defined('nt$0') {{ }}{KEY}"), &["ntp"]);
}

#[test]
fn interpolations_that_are_not_closed() {
    for code in [
        "$x = \"${us$0\"",
        "$x = \"${us$0",
        "notify { \"x${us$0\": }",
        "notify { \"${us$0",
        "if \"a ${us$0",
        "$x = [\n    \"a ${us$0\n  ]",
        "$x = \"${us$0}\"",
    ] {
        early(&format!("class a($user) {{\n  {code}\n}}"), "user");
        early(&format!("class a($user) {{\n  {code}\n  notify {{ 'b': message => \"${{x}}\" }}\n}}"), "user");
        early(&format!("function f($user) {{\n  {code}\n}}"), "user");
    }
    early(&format!("class a inherits ntp {{\n  notify {{ \"${{por$0\": }}\n}}{KEY}"), "port");
    let template =
        |code: &str| format!("{TEMPLATE}<%- | $user | -%>\n<% [1].each |$v| {{ %>\n{code}\n<% }} %>");
    early(&template("<%= $v$0"), "v");
    early(&template("<%= $us$0"), "user");
    early(&template("<%= $v$0 %>"), "v");
}

#[test]
fn functions_in_interpolations() {
    early("$x = \"${down$0}\"", "downcase");
    early("$x = \"a ${down$0", "downcase");
    let code = "class a($download) {\n  $x = \"${down$0($download)}\"\n}";
    assert_eq!(labels(code)[..2], ["download", "downcase"]);
    assert_eq!(accepted(code, "downcase"), code.replace("down$0", "downcase"));
}

#[test]
fn default_options() {
    let first = |code: &str| labels(code).into_iter().next().unwrap_or_default();
    for code in [
        "$x = $facts['a'] ? { def$0 => 2 }",
        "$x = $a ? {\n  1 => 2,\n  def$0\n}",
        "case $a { def$0 }",
        "case $facts['a'] {\n  def$0",
        "case f($a) {\n  1: { }\n  2, 3: { }\n  def$0: { }\n}",
        "case $a { 1, def$0: { } }",
    ] {
        assert_eq!(first(code), "default", "{code}");
    }
    for code in [
        "case $a { 1: { def$0 } }",
        "$x = $a ? { 1 => def$0 }",
        "$x = { def$0 }",
        "if $a { def$0 }",
        "case $a { 1: { } }\nif $b { def$0 }",
    ] {
        assert!(!labels(code).contains(&"default".to_owned()), "{code}");
    }
    check("case $facts['kernel'] { 'Lin$0' }", &["Linux"]);
}

#[test]
fn statements_after_brackets_that_are_never_closed() {
    for above in [
        "file { '/x'",
        "file { '/x': ensure => present,",
        "$x = [",
        "notify { 'a': message =>",
        "foo(",
        "case $user { 'a':",
        "$y = { 'a' =>",
    ] {
        early(&format!("class a($user) {{\n  {above}\n  pack$0\n}}\n"), "package");
        early(
            &format!("class a($user) {{\n  {above}\n  pack$0\n  file {{ '/b': mode => '1' }}\n}}\n"),
            "package",
        );
        early(&format!("{TEMPLATE}<% {above}\n  pack$0\n%>"), "package");
    }
    // What continues the code above comes first.
    assert_eq!(labels("file { '/x': ensure => present,\n  req$0")[..2], ["require", "require"]);
    assert_eq!(labels("file { '/x': ensure => present,\n  $0")[0], "backup");
    check(&format!("ntp::key {{ 'a':\n  pack$0\n}}{KEY}"), &[]);
    check(&format!("class b {{\n  ntp::key {{ 'a':\n    pack$0\n  }}\n}}{KEY}"), &[]);
    check(&format!("{TEMPLATE}{{ <% ntp::key {{ 'a':\n    pack$0\n  }} %> {{{KEY}"), &[]);
    let types = labels("$x = [\n  pack$0\n]");
    assert!(!types.contains(&"package".to_owned()), "{types:?}");
}
