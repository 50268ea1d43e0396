//! Attributes of classes and resources outside of their declarations.

use super::*;

/// Classes and a defined type, in addition to code that uses them.
fn tree(code: &str) -> String {
    format!(
        "
        //- /modules/a/manifests/other.pp
        class a::other(Integer $le$0vel = 1) {{ notice($level) }}
        //- /modules/a/manifests/web.pp
        class a::web(Integer $level = 1) {{ notice($level) }}
        //- /modules/a/manifests/thing.pp
        define a::thing(Integer $size = 1) {{ notice($size) }}
        //- /modules/a/manifests/init.pp
        class a inherits a::other {{
        {code}
        }}
        "
    )
}

/// The code after `$level` of `a::other` or `$size` of `a::thing` got the name `$x`.
#[track_caller]
fn becomes(code: &str, expected: &str) {
    let tree = tree(code);
    let tree = match code.contains("size") {
        true => tree.replace("$0", "").replace("$size = 1", "$s$0ize = 1"),
        false => tree,
    };
    let found = renamed(&tree, "x").expect(code);
    let found = found.lines().skip_while(|it| !it.contains("inherits")).nth(1).unwrap_or_default();
    assert_eq!(found.trim(), expected);
}

#[test]
fn overrides() {
    becomes("Class['a::other'] { level => 3 }", "Class['a::other'] { x => 3 }");
    becomes("Class['A::Other', '::a::other'] { level +> 3 }", "Class['A::Other', '::a::other'] { x +> 3 }");
    becomes("Resource['class', 'a::other'] { level => 3 }", "Resource['class', 'a::other'] { x => 3 }");
    becomes("Resource[Class]['a::other'] { level => 3 }", "Resource[Class]['a::other'] { x => 3 }");
    becomes("Class['a::other'] { * => { level => 3 } }", "Class['a::other'] { * => { x => 3 } }");
    becomes("A::Thing['t'] { size => 3 }", "A::Thing['t'] { x => 3 }");
    becomes("Resource['a::thing', 't'] { size => 3 }", "Resource['a::thing', 't'] { x => 3 }");
    becomes("Resource['a::thing'] { size => 3 }", "Resource['a::thing'] { x => 3 }");
}

#[test]
fn accesses() {
    becomes("notice(Resource['class', 'a::other']['level'])", "notice(Resource['class', 'a::other']['x'])");
    becomes("notice(Resource[Class, 'a::other'][level])", "notice(Resource[Class, 'a::other'][x])");
    becomes("notice(Resource['a::thing', 't']['size'])", "notice(Resource['a::thing', 't']['x'])");
    becomes(
        "notice(getparam(Resource['class', 'a::other'], 'level'))",
        "notice(getparam(Resource['class', 'a::other'], 'x'))",
    );
}

#[test]
fn other_classes() {
    for code in ["Class['a::web'] { level => 3 }", "Class['a::web'] { * => $y }", "Class { tag => 'x' }"] {
        assert!(renamed(&tree(code), "x").is_ok(), "{code}: {:?}", renamed(&tree(code), "x"));
    }
    let at = "modules/a/manifests/init.pp:2";
    for code in [
        "Class['a::web', 'a::other'] { level => 3 }",
        "class { ['a::web', 'a::other']: level => 3 }",
        "notice(Class['a::other', 'a::web']['level'])",
    ] {
        refused(&tree(code), "x", &format!("the attribute at {at} belongs to several classes"));
    }
    for code in [
        "Class['a::other'] { * => $y }",
        "Class['a::other', $y] { level => 3 }",
        "Class { level => 3 }",
        "Class <| level == 3 |>",
        "Class <| |> { level => 3 }",
        "Resource[$y] { level => 3 }",
    ] {
        refused(&tree(code), "x", &format!("attributes are computed at {at}"));
    }
}
