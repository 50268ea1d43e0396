//! New names that other variables have.

use super::*;

#[track_caller]
fn taken(tree: &str, new_name: &str) {
    refused(tree, new_name, &format!("there is a variable `${new_name}` already"));
}

#[track_caller]
fn free(tree: &str, new_name: &str) {
    let found = renamed(tree, new_name);
    assert!(found.is_ok(), "{tree}: {found:?}");
}

#[test]
fn lambdas_beside_each_other() {
    check(
        "
        //- /manifests/site.pp
        $one.each |$_n, $_v| { notice($_n) }
        $two.each |$ot$0her, $_v| { notice($other) $x.each |$i| { notice($other) } }
        ",
        "_n",
        "
        //- /manifests/site.pp
        $one.each |$_n, $_v| { notice($_n) }
        $two.each |$_n, $_v| { notice($_n) $x.each |$i| { notice($_n) } }
        ",
    );
    free("[1].each |$a| { notice($a) [2].each |$b| { notice($b$0) } }", "a");
    free("class m($b) { [1].each |$a$0| { notice($a) } notice($b) }", "b");
}

#[test]
fn variables_that_would_be_mistaken_in_a_body() {
    for code in [
        "[1].each |$a$0, $b| { notice($a) }",
        "[1].each |$a$0| { $b = 1 notice($a) }",
        "[1].each |$a$0| { notice($a, $b) }",
        "[1].each |$a$0| { [2].each |$b| { notice($a) } }",
        "[1].each |$b| { [2].each |$a$0| { notice($a, $b) } }",
        "class m($b) { [1].each |$a$0| { notice($a, \"${b}\") } }",
        "class m($a$0) { [1].each |$b| { notice($a) } }",
        "class m($a$0) { notice($b) }",
        "class m($a$0) { notice(getvar('b')) }",
        "class m($a$0) { $b = 1 }",
        "function f($a$0) { [1].each |$b| { notice($a, $b) } }",
        "$a$0 = 1 class m($b) { notice($a) }",
    ] {
        taken(code, "b");
    }
    free("class m($a$0) { [1].each |$b| { notice($b) } }", "b");
    free("function f($a$0) { [1].each |$b| { notice($b) } $a }", "b");
    free("$a$0 = 1 class m($b) { notice($::a) }", "b");
}

/// The qualified name stays qualified.
#[test]
fn parameters_that_take_a_value_through() {
    check(
        "
        //- /modules/q/manifests/init.pp
        class q($socket_$0enable = true) { contain q::service }
        //- /modules/q/manifests/service.pp
        class q::service($enable = $q::socket_enable) { notice($enable, $q::socket_enable) }
        ",
        "enable",
        "
        //- /modules/q/manifests/init.pp
        class q($enable = true) { contain q::service }
        //- /modules/q/manifests/service.pp
        class q::service($enable = $q::enable) { notice($enable, $q::enable) }
        ",
    );
}

#[test]
fn variables_that_would_be_mistaken_in_heirs() {
    let tree = |heir: &str, other: &str| {
        format!(
            "
        //- /modules/m/manifests/init.pp
        class m inherits m::params {{ $a$0 = 1 }}
        //- /modules/m/manifests/params.pp
        class m::params {{ $c = 1 }}
        //- /modules/m/manifests/heir.pp
        class m::heir {heir}
        //- /manifests/site.pp
        {other}
        "
        )
    };
    for (heir, other) in [
        ("inherits m { $c = 1 notice($a) }", ""),
        ("inherits m { [1].each |$c| { notice($a) } }", ""),
        ("inherits m { notice($c) }", ""),
        ("inherits m { $c = 1 }", "notice($m::heir::a)"),
        ("inherits m { }", "notice($m::heir::c)"),
        ("inherits m { }", "notice($m::c)"),
    ] {
        taken(&tree(heir, other), "c");
    }
    for (heir, other) in [
        ("inherits m { $c = 1 notice($c, $m::a) }", ""),
        ("inherits m { [1].each |$c| { notice($c) } }", "notice($m::heir::a)"),
        ("{ $c = 1 notice($c, $m::a) }", "notice($m::params::c, $m::heir::c)"),
    ] {
        free(&tree(heir, other), "c");
    }
}
