//! Variables that are read under computed names.

use super::*;

/// A class with a variable, in addition to other files.
fn tree(body: &str, other: &str) -> String {
    format!(
        "
        //- /modules/p/manifests/one.pp
        class p::one($ver$0sion = '1', $n = 'x') {{
        {body}
        }}
        //- /hiera.yaml
        version: 5
        hierarchy: [{{name: a, path: a.yaml}}]
        {other}
        "
    )
}

const ONE: &str = "modules/p/manifests/one.pp";

#[track_caller]
fn renames(tree: &str) {
    let found = renamed(tree, "release");
    assert!(found.is_ok(), "{found:?}");
}

#[test]
fn names_that_are_written_somewhere() {
    let reason = |written: &str, read: &str| {
        format!("`version` at {written} may be the name of the variable that is computed at {read}")
    };
    let at = format!("{ONE}:2");
    for (read, other, written) in [
        ("notice(getvar($n), ['version'])", "", &*at),
        ("notice(getvar(\"${n}.size\"), ['size', 'version'])", "", &at),
        ("notice(getvar(\"p::one::${n}\"))", "//- /data/a.yaml\n        n: version", "data/a.yaml:1"),
        ("notice(getvar($n))", "//- /data/a.yaml\n        x: {version: 1}", "data/a.yaml:1"),
        ("notice(defined(\"\\$${n}\"), ['version'])", "", &at),
        (
            "notice(getvar($n))",
            "//- /manifests/site.pp\n        class { 'p::one': n => 'version' }",
            "manifests/site.pp:1",
        ),
        ("notice(getvar($n), p::names())", NAMES, "modules/p/lib/puppet/functions/p/names.rb:2"),
    ] {
        refused(&tree(read, other), "release", &reason(written, &at));
    }
    let other = "//- /manifests/site.pp\n        ['version'].each |$n| { notice(getvar(\"p::one::${n}\")) }";
    let known = "the name of a variable is computed at manifests/site.pp:1: it may be `version`";
    refused(&tree("", other), "release", known);
    let other =
        "//- /manifests/site.pp\n        class x($n) { notice(['version'], getvar(\"p::one::${n}\")) }";
    refused(&tree("", other), "release", &reason("manifests/site.pp:1", "manifests/site.pp:1"));
    let other = "//- /manifests/site.pp\n        class x($n) { $v = \"p::one::${n}\" notice(['version'], getvar($v)) }";
    refused(&tree("", other), "release", &reason("manifests/site.pp:1", "manifests/site.pp:1"));
}

const NAMES: &str = "//- /modules/p/lib/puppet/functions/p/names.rb
        Puppet::Functions.create_function(:'p::names') do
          def names; ['version']; end
        end";

#[test]
fn names_that_are_known() {
    let reason = format!("the name of a variable is computed at {ONE}:2: it may be `version`");
    for read in [
        "['version', 'size'].each |$k| { notice(getvar($k)) }",
        "$k = 'version' notice(getvar($k))",
        "$k = 'version.size' notice(getvar($k))",
        "notice(getvar(\"vers${n}\"))",
        "notice(getvar(\"${n}::one::version\"))",
    ] {
        refused(&tree(read, ""), "release", &reason);
    }
    renames(&tree("['size'].each |$k| { notice(getvar($k), ['version']) }", ""));
    renames(&tree("notice(getvar(\"p::two::${n}\"), getvar(\"x_${n}\"), ['version'])", ""));
}

#[test]
fn names_that_no_text_has() {
    renames(&tree("notice(getvar($n), \"version ${version}\") warning('the version')", ""));
    renames(&tree("notice(['version'], defined($n), defined(\"p::${n}\"))", ""));
    renames(&tree(
        "",
        "//- /manifests/site.pp\n        class x($n) { notice(['version'], getvar(\"${n}sion\")) }",
    ));
    renames(&tree("", "//- /manifests/site.pp\n        class x($n) { notice(['version'], getvar($n)) }"));
}

#[test]
fn parts_of_a_variable() {
    check(
        "
        //- /modules/p/manifests/one.pp
        class p::one($ver$0sion = {}) {
          notice(getvar('version.size'), getvar('p::one::version.0.size'), defined('$version'))
        }
        ",
        "release",
        "
        //- /modules/p/manifests/one.pp
        class p::one($release = {}) {
          notice(getvar('release.size'), getvar('p::one::release.0.size'), defined('$release'))
        }
        ",
    );
}

#[test]
fn templates_read_computed_names() {
    let rendered = "$v = template('p/t.erb') notice(['version'])";
    for text in ["<%= scope[@n] %>", "<%= scope.lookupvar(\"ver#{@n}\") %>", "<%= scope['ver' + @n] %>"] {
        let template = format!("//- /modules/p/templates/t.erb\n        {text}");
        let reason = format!(
            "`version` at {ONE}:2 may be the name of the variable that `modules/p/templates/t.erb` computes"
        );
        refused(&tree(rendered, &template), "release", &reason);
        renames(&tree("$v = template('p/t.erb')", &template));
        renames(&tree("notice(['version'])", &template));
    }
    for text in ["<%= scope['n'] %> scope[@n]", "<%# scope[@n] %>", "<%= scope.lookupvar('n').size %>"] {
        renames(&tree(rendered, &format!("//- /modules/p/templates/t.erb\n        {text}")));
    }
    let part = "//- /modules/p/templates/t.erb\n        <%= scope['version' + @n] %>";
    let reason =
        "the name of a variable is computed at modules/p/templates/t.erb:1, of which `version` is a part";
    refused(&tree("$v = template('p/t.erb')", part), "release", reason);
    let inline = "notice(['version'], inline_template('<%= scope[@n] %>'))";
    let reason = format!("`version` at {ONE}:2 may be the name of the variable that `{ONE}:2` computes");
    refused(&tree(inline, ""), "release", &reason);
    let other = "//- /modules/q/templates/t.erb\n        <%= scope[\"p::one::#{@n}\"] %>";
    let reason = format!(
        "`version` at {ONE}:2 may be the name of the variable that is computed at modules/q/templates/t.erb:1"
    );
    refused(&tree("notice(['version'])", other), "release", &reason);
}

#[test]
fn other_scopes() {
    let at = "manifests/site.pp:1";
    let reason = format!("`version` at {at} may be the name of the variable that is computed at {at}");
    refused("$ver$0sion = 1 notice(['version']) function f($n) { getvar($n) }", "release", &reason);
    refused("$facts['x'].each |$ver$0sion, $n| { notice(['version'], getvar($n)) }", "release", &reason);
    refused("function f($ver$0sion, $n) { [['version'], getvar($n)] }", "release", &reason);
    let tree = "
        class b inherits a { notice(getvar($n), ['version']) }
        //- /modules/a/manifests/init.pp
        class a { $ver$0sion = 1 }
        ";
    refused(tree, "release", &reason);
}
