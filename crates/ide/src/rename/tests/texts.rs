//! Names in strings.

use super::*;

/// A class and a defined type, in addition to code that uses them.
fn tree(code: &str) -> String {
    format!(
        "
        //- /modules/a/manifests/web.pp
        class a::w$0eb($port = 80) {{ }}
        //- /modules/a/manifests/d.pp
        define a::d($port) {{ }}
        //- /hiera.yaml
        version: 5
        hierarchy: [{{name: a, path: a.yaml}}]
        //- /manifests/site.pp
        {code}
        "
    )
}

/// The code after the class `a::web` got the name `a::site`.
#[track_caller]
fn becomes(code: &str, expected: &str) {
    let found = renamed(&tree(code), "a::site").expect(code);
    let found =
        found.split("//- ").find_map(|it| it.strip_prefix("/manifests/site.pp\n")).unwrap_or_default();
    assert_eq!(found.trim_end(), expected);
}

#[test]
fn references_in_strings() {
    becomes("file { '/x': require => 'Class[a::web]' }", "file { '/x': require => 'Class[a::site]' }");
    becomes(
        "file { '/x': before => ['File[/y]', \"Class[A::Web]\"] }",
        "file { '/x': before => ['File[/y]', \"Class[A::Site]\"] }",
    );
    becomes(
        "file { '/x': notify => $x ? { 1 => 'Class[a::web]', default => undef } }",
        "file { '/x': notify => $x ? { 1 => 'Class[a::site]', default => undef } }",
    );
    becomes("File { require => 'class[a::web]' }", "File { require => 'class[a::site]' }");
    becomes("'Class[a::web]' -> File['/x']", "'Class[a::site]' -> File['/x']");
    becomes(
        "ensure_packages(['x'], { 'require' => 'Class[a::web]' })",
        "ensure_packages(['x'], { 'require' => 'Class[a::site]' })",
    );
    becomes("notice(getparam('Class[a::web]', 'port'))", "notice(getparam('Class[a::site]', 'port'))");
    becomes("Resource['class', 'a::web'] -> File['/x']", "Resource['class', 'a::site'] -> File['/x']");
}

#[test]
fn types_and_attributes_of_references_in_strings() {
    let renamed_at = |mark: &str, marked: &str, code: &str, new: &str| {
        let tree = tree(code).replace("$0", "").replace(mark, marked);
        let found = renamed(&tree, new).expect(code);
        let found = found.split("//- ").find_map(|it| it.strip_prefix("/manifests/site.pp\n"));
        found.unwrap_or_default().trim_end().to_owned()
    };
    let code = "file { '/x': require => ['A::D[x]', 'a::d[y]'] } Resource['a::d', 'x'] -> File['/x']";
    let expected = "file { '/x': require => ['A::E[x]', 'a::e[y]'] } Resource['a::e', 'x'] -> File['/x']";
    assert_eq!(renamed_at("define a::d", "define a::$0d", code, "a::e"), expected);
    let code = "notice(getparam('Class[a::web]', 'port'), getparam('A::D[x]', 'port'))";
    let expected = "notice(getparam('Class[a::web]', 'listen'), getparam('A::D[x]', 'port'))";
    assert_eq!(renamed_at("web($port", "web($$0port", code, "listen"), expected);
}

#[test]
fn tags_and_alternatives() {
    becomes("if tagged('a::web') { notice(1) }", "if tagged('a::site') { notice(1) }");
    becomes("File <| tag == 'a::web' and tag != 'x' |>", "File <| tag == 'a::site' and tag != 'x' |>");
    becomes(
        "include $x ? { 1 => 'a::web', default => 'a' }",
        "include $x ? { 1 => 'a::site', default => 'a' }",
    );
    becomes("contain(if $x { 'a::web' } else { 'a' })", "contain(if $x { 'a::site' } else { 'a' })");
}

#[test]
fn strings_whose_meaning_is_not_certain() {
    for code in [
        "file { '/x': tag => 'a::web' }",
        "file { '/x': content => 'Class[a::web]' }",
        "file { '/x': require => \"Class[a::web]\\x\" }",
        "if 'a::web' in $classes { }",
        "User <| title == 'a::web' |>",
    ] {
        let reason = "`a::web` appears at manifests/site.pp:1, in what may use it and cannot be changed";
        refused(&tree(code), "a::site", reason);
    }
}

#[test]
fn lists_of_classes_in_data() {
    let tree = |data: &str, code: &str| {
        format!(
            "
        //- /modules/a/manifests/web.pp
        class a::w$0eb {{ }}
        //- /hiera.yaml
        version: 5
        hierarchy: [{{name: a, path: a.yaml}}]
        //- /data/a.yaml
        {data}
        //- /manifests/site.pp
        {code}
        "
        )
    };
    for code in [
        "include lookup('roles')",
        "include(lookup('roles', { default_value => [] }), 'b')",
        "lookup('roles', Array[String], 'unique', []).include",
        "$all = lookup('roles') contain $all",
        "lookup('roles').each |$it| { require $it }",
    ] {
        let found = renamed(&tree("roles: [b, 'a::web', \"::a::web\"]", code), "a::site").expect(code);
        assert!(found.starts_with("//- /data/a.yaml\nroles: [b, 'a::site', \"::a::site\"]\n"), "{found}");
    }
    let found = renamed(&tree("site::role: a::web", "include lookup('site::role')"), "a::site");
    assert!(found.expect("a new name").starts_with("//- /data/a.yaml\nsite::role: a::site\n"));
    for code in ["notice(lookup('roles'))", "include lookup('others')", "include lookup($roles)"] {
        let reason = "`a::web` appears at data/a.yaml:1, in what may use it and cannot be changed";
        refused(&tree("roles: [a::web, b]", code), "a::site", reason);
    }
}

/// A defined type with a parameter, and code that declares resources of computed types.
#[test]
fn computed_types_that_are_others() {
    let tree = |code: &str| {
        format!(
            "
        //- /modules/m/manifests/d.pp
        define m::d($po$0rt) {{ notice($port) }}
        //- /hiera.yaml
        version: 5
        hierarchy: [{{name: a, path: a.yaml}}]
        //- /data/a.yaml
        all: {{x: {{port: 5}}}}
        //- /modules/m/manifests/init.pp
        {code}
        "
        )
    };
    for code in [
        "class m { ['file', 'user'].each |$type| { create_resources($type, lookup('all')) } }",
        "class m(Enum['file', '@m::e'] $type) { create_resources($type, lookup('all')) }",
        "class m($x) { create_resources(\"n::${x}\", lookup('all')) }",
        "class m($x) { $type = \"@${x}::key\" create_resources($type, lookup('all')) }",
    ] {
        assert!(renamed(&tree(code), "listen").is_ok(), "{code}: {:?}", renamed(&tree(code), "listen"));
    }
    for code in [
        "class m { ['file', 'm::d'].each |$type| { create_resources($type, lookup('all')) } }",
        "class m(Enum['file', '@m::d'] $type) { create_resources($type, lookup('all')) }",
        "class m($x) { create_resources(\"m::${x}\", lookup('all')) }",
        "class m($x) { create_resources(\"@@${x}d\", lookup('all')) }",
        "class m($x) { create_resources($x, lookup('all')) }",
    ] {
        refused(
            &tree(code),
            "listen",
            "`port` at data/a.yaml:1 may be an attribute that modules/m/manifests/init.pp:1 sets",
        );
    }
}
