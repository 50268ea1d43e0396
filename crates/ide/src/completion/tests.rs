mod places;

use super::*;
use crate::fixture::Fixture;

pub(super) fn labels(tree: &str) -> Vec<String> {
    let fixture = Fixture::new(tree);
    completions(fixture.db(), fixture.cursor()).items.into_iter().map(|it| it.label).collect()
}

/// Checks that exactly these are proposed, in this order.
#[track_caller]
fn check(tree: &str, expected: &[&str]) {
    assert_eq!(labels(tree), expected);
}

#[track_caller]
fn has(tree: &str, expected: &[&str]) {
    let found = labels(tree);
    for it in expected {
        assert!(found.iter().any(|label| label == it), "no `{it}` in {found:?}");
    }
}

const KEY: &str = "
//- /modules/ntp/manifests/key.pp
define ntp::key(Integer $number, Enum['md5', 'sha1'] $type = 'md5', Boolean $active = true) {}
//- /modules/ntp/manifests/init.pp
class ntp(String $server, Integer $port = 123) {}
";

#[test]
fn attributes_that_are_not_given() {
    check(
        &format!("ntp::key {{ 'a': number => 1, $0 active => true }}{KEY}")[..],
        &[
            "type",
            "alias",
            "audit",
            "before",
            "loglevel",
            "noop",
            "notify",
            "require",
            "schedule",
            "subscribe",
            "tag",
        ],
    );
    check(&format!("ntp::key {{ 'a':\n  number => 1\n  ty$0\n}}{KEY}")[..], &["type", "notify"]);
    check(&format!("class {{ 'ntp': po$0{KEY}")[..], &["port"]);
    check(&format!("Ntp::Key {{ ac$0 }}{KEY}")[..], &["active"]);
}

/// The text of the edited file after the proposal `label` is accepted.
#[track_caller]
pub(super) fn accepted(tree: &str, label: &str) -> String {
    let fixture = Fixture::new(tree);
    let (db, at) = (fixture.db(), fixture.cursor());
    let found = completions(db, at).items.into_iter().find(|it| it.label == label);
    let found = found.unwrap_or_else(|| panic!("no `{label}`"));
    let mut text = source_text(db, at.file).text().to_owned();
    text.replace_range(std::ops::Range::<usize>::from(found.replace), &found.insert);
    text.trim_end().to_owned()
}

#[test]
fn what_follows_is_not_written_again() {
    let key = |text: &str| format!("{text}\n{}", KEY.trim_start());
    for (tree, label, expected) in [
        ("file { '/x': mo$0 => '0644' }", "mode", "file { '/x': mode => '0644' }"),
        ("file { '/x': mo$0de => '0644' }", "mode", "file { '/x': mode => '0644' }"),
        ("file { '/x': mo$0de", "mode", "file { '/x': mode => $0,"),
        ("fi$0le { '/x': }", "file", "file { '/x': }"),
        ("$a = upc$0('x')", "upcase", "$a = upcase('x')"),
        ("$a = upc$0ase ('x')", "upcase", "$a = upcase ('x')"),
    ] {
        assert_eq!(accepted(tree, label), expected, "{tree}");
    }
    assert_eq!(accepted(&key("ntp::$0 { 'a': number => 1 }"), "ntp::key"), "ntp::key { 'a': number => 1 }");
    assert_eq!(accepted(&key("ntp::k$0ey::x { 'a': }"), "ntp::key"), "ntp::key { 'a': }");
    assert_eq!(accepted(&key("include nt$0xy"), "ntp"), "include ntp");
    assert_eq!(accepted("Fi$0['/x'] -> Package['y']", "File"), "File['/x'] -> Package['y']");
    let data =
        format!("ntp::po$0: 1\n//- /hiera.yaml\nversion: 5\nhierarchy: [{{name: a, path: a.yaml}}]{KEY}");
    assert_eq!(accepted(&format!("//- /data/a.yaml\n{data}"), "ntp::port"), "ntp::port: 1");
}

#[test]
fn values_of_attributes() {
    check(&format!("ntp::key {{ 'a': type => $0{KEY}")[..], &["'md5'", "'sha1'"]);
    check(&format!("ntp::key {{ 'a': type => 'm$0{KEY}")[..], &["md5"]);
    check(&format!("ntp::key {{ 'a': active => $0 }}{KEY}")[..], &["false", "true"]);
    has("service { 'a': ensure => $0", &["running", "stopped"]);
    has("package { 'a': ensure => $0", &["present", "installed"]);
}

#[test]
fn classes_after_what_declares_them() {
    check(&format!("include nt$0{KEY}")[..], &["ntp"]);
    check(&format!("include 'nt$0'{KEY}")[..], &["ntp"]);
    check(&format!("class {{ 'nt$0': }}{KEY}")[..], &["ntp"]);
    check(&format!("Class['nt$0']{KEY}")[..], &["ntp"]);
}

#[test]
fn variables_in_scope() {
    check("$alpha = 1\n[1].each |$alone| { notice($al$0) }", &["alone", "alpha"]);
    check(&format!("notice($ntp::$0){KEY}")[..], &["ntp::port", "ntp::server"]);
    check("function f($first) { \"x ${fir$0", &["first", "filter"]);
    check("notice('$fa$0')", &[]);
}

#[test]
fn variables_without_their_sigil() {
    let first = |code: &str| labels(code).into_iter().next();
    assert_eq!(first("class c($port) {\n  file { '/a': mode => $0 }\n}").as_deref(), Some("$port"));
    assert_eq!(first("class c($port) {\n  notice(1, por$0)\n}").as_deref(), Some("$port"));
    assert!(!labels("class c($port) {\n  po$0\n}").contains(&"$port".to_owned()));
}

#[test]
fn parts_of_facts() {
    has("notice($facts['$0'])", &["os", "networking", "kernel"]);
    has("notice($facts['os']['$0'])", &["family", "name", "release"]);
    has("notice($facts['os']['release']['ma$0", &["major"]);
}

#[test]
fn functions_with_snippets() {
    let fixture = Fixture::new("$x = [1].eac$0");
    let found = completions(fixture.db(), fixture.cursor()).items;
    let each = found.iter().find(|it| it.label == "each").expect("`each`");
    assert_eq!(each.insert, "each |$1| { $0 }".replace("|$1|", "|\\$${1:it}|"));
}

#[test]
fn templates_files_and_keys() {
    let tree = "
//- /modules/ntp/templates/conf/a.epp
<%- | $port, $key | -%>
//- /modules/ntp/files/b.txt
b
//- /hiera.yaml
version: 5
hierarchy: [{name: a, path: a.yaml}]
//- /data/a.yaml
servers: [a]
";
    check(&format!("$x = epp('$0'){tree}")[..], &["ntp/conf/a.epp"]);
    check(&format!("$x = epp('ntp/conf/a.epp', {{ 'port' => 1, $0 }}){tree}")[..], &["'key'", "'port'"]);
    check(&format!("file {{ '/a': source => '$0' }}{tree}")[..], &["puppet:///modules/ntp/b.txt"]);
    check(&format!("$x = lookup('$0'){tree}")[..], &["servers"]);
}

#[test]
fn functions_of_bolt() {
    let plan = |code: &str| format!("//- /modules/m/plans/init.pp\nplan m($targets) {{\n  {code}\n}}\n");
    has(&plan("run_$0"), &["run_command", "run_plan", "run_script", "run_task"]);
    has(&plan("$x = get_t$0"), &["get_target", "get_targets"]);
    assert!(!labels("class m {\n  run_$0\n}").contains(&"run_task".to_owned()));
    let tasks = "//- /modules/m/tasks/init.sh\n#!/bin/sh\n//- /modules/m/tasks/a.json\n{}\n";
    assert_eq!(labels(&format!("{}{tasks}", plan("run_task('$0', $targets)"))), ["m", "m::a"]);
    let parameters = "//- /modules/m/tasks/a.json\n{\"parameters\": {\"port\": {}}}\n";
    for code in ["run_task('m::a', $targets, $0)", "run_task('m::a', $targets, { $0 })"] {
        let found = labels(&format!("{}{parameters}", plan(code)));
        assert!(found.contains(&"'port'".to_owned()), "{code}");
    }
    has(&plan("run_plan('m', $0)"), &["'targets'"]);
    assert_eq!(labels(&plan("run_plan('$0')")), ["m"]);
    assert_eq!(labels(&plan("run_plan($0)")), ["'m'"]);
}

#[test]
fn titles_of_resources() {
    check("file { '/etc/motd': }\nservice { 'a': require => File['$0'] }", &["/etc/motd"]);
}

#[test]
fn statements_begin_with_what_is_written() {
    let first = |code: &str| labels(code).into_iter().next().unwrap_or_default();
    assert_eq!(first("class c {\n  inc$0\n}"), "include");
    assert_eq!(first("class c {\n  fil$0\n}"), "file");
    assert_eq!(first("class c {\n  pack$0\n}"), "package");
    has("class c {\n  @us$0\n}", &["user"]);
}

#[test]
fn attributes_in_hashes() {
    for code in [
        "create_resources('ntp::key', { 'a' => { number => 1, ty$0 } })",
        "create_resources(ntp::key, $all, { ty$0 })",
        "ensure_resource('ntp::key', 'a', { ty$0 })",
        "ntp::key { 'a': * => { 'number' => 1, ty$0 } }",
        "ntp::key { 'a': * => { ty$0",
    ] {
        check(&format!("{code}{KEY}"), &["type", "notify"]);
    }
    check(&format!("ntp::key {{ 'a': * => {{ 'ty$0' => 1 }} }}{KEY}"), &["type", "notify"]);
    check(&format!("create_resources(ntp::key, {{ 'a' => {{ type => $0 }} }}){KEY}"), &["'md5'", "'sha1'"]);
    check(&format!("class {{ 'ntp': * => {{ po$0 }} }}{KEY}"), &["port"]);
}

#[test]
fn references_to_resources_of_the_file() {
    let code = "file { '/a': }\ninclude ntp\nservice { 'x': require => $0 }";
    let found = labels(&format!("{code}{KEY}"));
    assert_eq!(found[..2], ["Class['ntp']", "File['/a']"]);
    assert_eq!(labels("user { 'b': }\nrealize(U$0)").first().map(String::as_str), Some("User['b']"));
}

#[test]
fn resources_do_not_depend_on_themselves() {
    let other = "\n//- /modules/m/manifests/init.pp\nclass m { package { 'x': }\n service { 'y': } }";
    let found = labels(&format!("file {{ '/z': }}\nfile {{ '/x': require => $0 }}{other}"));
    assert_eq!(found[..3], ["File['/z']", "Package['x']", "Service['y']"]);
    assert!(!found.contains(&"File['/x']".to_owned()), "{found:?}");
    assert!(!found.contains(&"Integer".to_owned()) && found.contains(&"User".to_owned()), "{found:?}");
    check("file { '/z': }\nfile { ['/x', '/y']: require => File['$0'] }", &["/z"]);
    check("file { '/z': require => [File[$0]]; '/x': }", &["'/x'"]);
    check("file { '/z': ; '/x': before => File['$0'] }", &["/z"]);
    check(&format!("class {{ 'ntp': require => Class['$0'] }}{KEY}"), &[]);
}

#[test]
fn parameters_that_are_declared() {
    check("$alpha = 1\n[1].each |Integer $$0| { }", &[]);
    check("$alpha = 1\n[1].reduce |$x, Hash[String, Any] $al$0| { }", &[]);
    check("$alpha = 1\nfunction f(Optional[String] *$$0) { }", &[]);
    check("$alpha = 1\n[1].each |$x, $y = $al$0| { }", &["alpha"]);
    check("$alpha = 1\n[1].each |$x| { notice($al$0) }", &["alpha"]);
    let types = labels("[1].each |$0| { }");
    assert!(types.contains(&"Integer".to_owned()) && !types.contains(&"notice".to_owned()), "{types:?}");
}

#[test]
fn parameters_of_templates() {
    for header in ["<%- | $0 | -%>\n", "<%- | Integer $a,\n  $0 | -%>\n", "<%- | $a = 1, Str$0", "<%- | $0"] {
        let found = labels(&format!("\n//- /modules/m/templates/a.epp\n{header}"));
        assert!(found.contains(&"String".to_owned()), "{header}: {found:?}");
        assert!(!found.iter().any(|it| matches!(&**it, "notice" | "true" | "$a")), "{header}: {found:?}");
    }
    let of = |code: &str| labels(&format!("\n//- /modules/m/templates/a.epp\n<%- | Integer $port, {code}"));
    assert_eq!(of("$other = $port$0 | -%>"), ["port"]);
    assert_eq!(of("Integer $$0 | -%>"), [""; 0]);
    assert_eq!(of("$x | -%>\n<%= $port$0 %>"), ["port"]);
}

#[test]
fn parts_of_trusted() {
    let all = ["authenticated", "certname", "domain", "extensions", "external", "hostname"];
    check("notice($trusted['$0'])", &all);
    check("notice($trusted[$0])", &all.map(|it| format!("'{it}'")).each_ref().map(|it| &**it));
    check("$x = \"${trusted['c$0", &["certname", "authenticated"]);
    let tree = |text: &str| {
        format!(
            "\n//- /hiera.yaml\nversion: 5\nhierarchy: [{{name: a, path: a.yaml}}]\n//- /data/a.yaml\n{text}"
        )
    };
    check(&tree("x: \"%{trusted.$0}\""), &all.map(|it| format!("trusted.{it}")).each_ref().map(|it| &**it));
    check(&tree("x: \"%{trusted.ce$0"), &["trusted.certname", "trusted.authenticated"]);
}

#[test]
fn keys_of_options_are_proposed_once() {
    let tree = |text: &str| {
        format!(
            "\n//- /hiera.yaml\nversion: 5\nhierarchy: [{{name: a, path: a.yaml}}]\n//- /data/a.yaml\n{text}\n{KEY}"
        )
    };
    let options = |text: &str| tree(&format!("ntp::server: a\nlookup_options:\n{text}"));
    check(&options("  $0"), &["ntp::port", "ntp::server"]);
    check(&options("  ntp::server:\n    merge: deep\n  $0"), &["ntp::port"]);
    check(&options("  'ntp::server': {merge: deep}\n  $0\n"), &["ntp::port"]);
    check(&options("  $0\n  ntp::server:\n    merge: deep"), &["ntp::port"]);
}

#[test]
fn ways_to_merge() {
    check("$x = lookup('a', Hash, '$0')", &["deep", "first", "hash", "unique"]);
    check("$x = lookup('a', { merge => $0 })", &["'deep'", "'first'", "'hash'", "'unique'"]);
    has("$x = lookup('a', Has$0)", &["Hash"]);
}

#[test]
fn paths_of_facts() {
    check("$x = fact('os.rel$0')", &["os.release"]);
    check("$x = $facts.get('os.release.ma$0')", &["os.release.major"]);
    has("$x = \"${facts['$0']}\"", &["os", "networking"]);
    has("$x = \"a ${facts['os']['$0']} b\"", &["family"]);
}

#[test]
fn places_of_types() {
    has("type M::T = $0", &["String"]);
    has("function m::f(Integer $x) >> $0", &["String"]);
}

#[test]
fn variables_of_the_top_scope() {
    assert!(!labels("class c { $alpha = 1\n notice($::$0) }").contains(&"::alpha".to_owned()));
    check("$alpha = 1\n$alps = $al$0", &["alpha"]);
    has(&format!("notice($nt$0){KEY}")[..], &["ntp::"]);
}

#[test]
fn facts_without_quotes() {
    has("notice($facts[$0])", &["'os'"]);
}

#[test]
fn types() {
    has(&format!("function f(Str$0) {{}}{KEY}")[..], &["String"]);
    has(&format!("Ntp$0['a'] -> Notify['b']{KEY}")[..], &["Ntp::Key"]);
}

#[test]
fn keys_of_data() {
    let tree = |line: &str| {
        format!(
            "\n//- /hiera.yaml\nversion: 5\nhierarchy: [{{name: a, path: a.yaml}}]\n//- /data/a.yaml\n{line}{KEY}"
        )
    };
    check(&tree("ntp::port: 1\nntp::$0")[..], &["ntp::server"]);
    check(&tree("x: \"%{lookup('ntp$0')}\"\nntp::port: 1")[..], &["ntp::port"]);
    has(&tree("x: \"%{facts.os.$0\"\nntp::port: 1")[..], &["facts.os.family"]);
}

#[test]
fn variables_in_erb() {
    let tree = "
//- /modules/ntp/manifests/params.pp
class ntp::params { $inherited = 1 }
//- /modules/ntp/manifests/init.pp
class ntp($port = 1) inherits ntp::params { $own = 2 $x = template('ntp/a.erb') }
//- /modules/ntp/templates/a.erb
";
    let first = |code: &str, count: usize| {
        let mut found = labels(&format!("{tree}{code}"));
        found.truncate(count);
        found
    };
    assert_eq!(first("port <%= @$0 %>", 4), ["own", "port", "x", "inherited"]);
    assert_eq!(first("<% if @po$0", 1), ["port"]);
    assert_eq!(first("<%= scope['ntp::$0'] %>", 5), ["ntp::own", "ntp::port", "ntp::x", "ntp::inherited"]);
    assert_eq!(first("<%= scope.lookupvar('::ntp::po$0", 1), ["::ntp::port"]);
    assert!(first("<%= @host$0", 9).contains(&"hostname".to_owned()));
    assert_eq!(first("<%= scope.call_function('upca$0", 1), ["upcase"]);
    assert!(first("port @$0 <%= 1 %>", 1).is_empty());
}

#[test]
fn values_in_data() {
    let tree = |data: &str| {
        format!(
            "
//- /modules/m/manifests/init.pp
class m(
  Enum['a', 'b'] $word = 'a',
  Optional[Boolean] $flag = undef,
  Array[Enum['x', 'y']] $list = [],
  Hash[String, Struct[{{mode => Enum['on', 'off'], Optional[level] => Integer}}]] $deep = {{}},
) {{}}
//- /hiera.yaml
version: 5
hierarchy: [{{name: a, path: a.yaml}}]
//- /data/a.yaml
{data}"
        )
    };
    check(&tree("m::word: $0"), &["a", "b"]);
    check(&tree("m::flag: t$0"), &["true"]);
    check(&tree("m::list:\n  - $0"), &["x", "y"]);
    check(&tree("m::list: [x, $0"), &["x", "y"]);
    check(&tree("m::deep:\n  one:\n    $0"), &["mode", "level"]);
    check(&tree("m::deep:\n  one:\n    level: 1\n    mo$0\n"), &["mode"]);
    check(&tree("m::deep:\n  one:\n    mode: $0"), &["off", "on"]);
    check(&tree("classes:\n  - $0"), &["m"]);
    check(&tree("lookup_options:\n  m::li$0"), &["m::list"]);
    check(&tree("lookup_options:\n  m::list:\n    $0"), &["convert_to", "merge"]);
    check(&tree("lookup_options:\n  m::list:\n    merge: u$0"), &["unique"]);
    check(&tree("lookup_options:\n  m::list:\n    merge:\n      strategy: d$0"), &["deep"]);
}

#[test]
fn keys_of_configurations() {
    check("\n//- /hiera.yaml\nversion: 5\nhie$0", &["hierarchy", "default_hierarchy", "plan_hierarchy"]);
    check(
        "\n//- /hiera.yaml\nhierarchy:\n  - name: a\n    pa$0\n    glob: b\n",
        &["path", "paths", "mapped_paths"],
    );
    check("\n//- /hiera.yaml\ndefaults:\n  data_hash: ya$0\n", &["yaml_data"]);
    check("\n//- /hiera.yaml\nhierarchy:\n  - path: '%{facts.os.fam$0", &["facts.os.family"]);
    check(
        "\n//- /environment.conf\nmodulepath = modules\nm$0",
        &["manifest", "environment_timeout", "environment_data_provider"],
    );
    check("\n//- /environment.conf\nmanifest = m$0", &[]);
}

const MODULES: &str = "
//- /modules/other/metadata.json
{\"name\": \"me-other\", \"version\": \"2.3.1\", \"author\": \"me\"}
//- /modules/m/manifests/init.pp
class m {}
";

#[test]
fn fields_of_metadata() {
    let tree = |text: &str| format!("{MODULES}//- /modules/m/metadata.json\n{text}");
    check(&tree("{\n  \"name\": \"me-m\",\n  \"vers$0\n}"), &["version"]);
    check(&tree("{\"dependencies\": [{\"name\": \"$0\"}]}"), &["me-other"]);
    check(
        &tree("{\"dependencies\": [{\"name\": \"me-other\", \"version_requirement\": \"$0\"}]}"),
        &[">= 2.3.1 < 3.0.0"],
    );
    check(&tree("{\"dependencies\": [{\"$0\"}]}"), &["name", "version_requirement"]);
    check(&tree("{\"operatingsystem_support\": [{\"operatingsystem\": \"Deb$0\"}]}"), &["Debian"]);
    check(&tree("{\"requirements\": [{\"name\": \"$0\"}]}"), &["openvox", "puppet"]);
    check(&tree("{$0}"), &[]);
}

#[test]
fn modules_of_a_puppetfile() {
    let tree = |text: &str| format!("{MODULES}//- /Puppetfile\n{text}");
    check(&tree("mod '$0'"), &["me-other"]);
    check(&tree("mod 'me-other', '$0'"), &["2.3.1"]);
    check(&tree("mod 'me-other', '2.3.1'\nmod \"$0\""), &[]);
    check(&tree("# mod '$0'"), &[]);
    check(&tree("mo$0"), &["mod", "moduledir"]);
}

#[test]
fn nothing_in_comments_and_texts() {
    check("# include $0", &[]);
    check("\n//- /modules/m/templates/a.epp\ninclude $0 <% %>", &[]);
}

/// Returns an error message unless a word is among the first few.
fn late(code: &str, wanted: &str) -> Option<String> {
    let found = labels(code);
    let first = &found[..found.len().min(5)];
    let is_there = first.iter().any(|it| it.trim_matches('\'') == wanted);
    (!is_there).then(|| {
        let code = code.split("\n//- ").next().unwrap_or_default();
        format!("no `{wanted}` in {first:?} for {code:?}")
    })
}

#[track_caller]
fn early(code: &str, wanted: &str) {
    assert_eq!(late(code, wanted), None);
}

#[test]
fn unfinished_lines_above_change_nothing() {
    let mut wrong = Vec::new();
    for above in [
        "$a =",
        "if $a ==",
        "$a = [1,",
        "$a = {",
        "notice(",
        "notice('a'",
        "include",
        "include ntp,",
        "$a = 'text",
        "$a = \"text ${",
        "$a = \"${:",
        "file { '/x': ensure =>",
        "file { '/x': ensure => present,",
        "file { '/x': ensure => 'present",
        "file { '/x'",
        "notify { 'a': message =>",
        "$a = [",
        "$a = { 'a' =>",
        "foo(",
        "file { '/x",
        "file {",
        "file",
        "if $a {",
        "if $facts['os",
        "case $a { 'x':",
        "$a ?",
        "class a::b(",
        "# don't",
        "Package['x'] ->",
        "}",
        ")",
        "]",
    ] {
        for (code, word) in [
            ("file { '/a':\n  ens$0", "ensure"),
            ("file { '/a':\n  ensure => file,\n  mo$0\n}", "mode"),
            ("file { '/a': ens$0", "ensure"),
            ("file { '/a': ensure => pres$0", "present"),
            ("file { '/a':\n  ensure => 'pres$0", "present"),
            ("ntp::key { 'a': type => $0", "md5"),
            ("class { 'ntp': po$0", "port"),
            ("class { 'nt$0", "ntp"),
            ("include nt$0", "ntp"),
            ("$x = $facts['os']['fam$0", "family"),
            ("notice($ntp::po$0", "ntp::port"),
            ("serv$0", "service"),
        ] {
            wrong.extend(late(&format!("{above}\n{code}{KEY}"), word));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_that_are_missing_end_at_their_lines() {
    early("package { 'a':\n  ensure =>\n  pro$0\n}", "provider");
    early("package { 'a':\n  ensure =>\n    pres$0\n}", "present");
    early(&format!("class {{ 'ntp':\n  port =>\n  serv$0\n}}{KEY}"), "server");
    early("file { ensure => pres$0", "present");
    early("file { '/a'\n  mo$0", "mode");
}

#[test]
fn queries_name_attributes_and_values() {
    early("File <| mo$0", "mode");
    early("File <| ensure == pres$0", "present");
    early("File <| title == 'a' and mo$0 |>", "mode");
    early(&format!("Ntp::Key <<| ty$0{KEY}"), "type");
    early("File <| ti$0", "title");
}

#[test]
fn functions_that_take_names() {
    early("create_resources('serv$0", "service");
    early("create_resources('cla$0", "class");
    early(&format!("ensure_resource('ntp::k$0', 'a'){KEY}"), "ntp::key");
    early("notice($facts.dig('os', 'fam$0", "family");
    early("notice($facts.dig('o$0", "os");
    early("notice(getvar('facts.os.fam$0", "facts.os.family");
    early(&format!("notice(getvar('ntp::po$0')){KEY}"), "ntp::port");
    let data = "\n//- /hiera.yaml\nversion: 5\nhierarchy: [{name: a, path: a.yaml}]\n//- /data/a.yaml\nservers: [a]\n";
    early(&format!("$x = lookup({{'name' => 'ser$0'}}){data}"), "servers");
    early(&format!("$x = lookup({{'na$0{data}"), "name");
    early(&format!("$x = lookup({{'name' => 'servers', 'mer$0'}}){data}"), "merge");
}

#[test]
fn values_of_facts_that_code_compares() {
    early("case $facts['os']['family'] {\n  'Deb$0", "Debian");
    early("case $facts['os']['family'] {\n  'RedHat': { }\n  'Deb$0", "Debian");
    early("case $facts['os']['family'] {\n  'RedHat', 'Deb$0", "Debian");
    early("if $facts['kernel'] == 'Lin$0' { }", "Linux");
    early("$x = $facts['os']['name'] ? { 'Ubu$0", "Ubuntu");
    check("$x = $facts['kernel'] ? { 'Linux' => 'Lin$0", &[]);
}
