mod attributes;
mod clash;
mod computed_names;
mod templates;
mod texts;

use super::*;
use crate::fixture::{Fixture, assert_text};

/// Returns all changed files, with their new contents.
fn renamed(tree: &str, new_name: &str) -> Result<String, RefusedRename> {
    let fixture = Fixture::new(tree);
    let found = rename(fixture.db(), fixture.cursor(), new_name)?;
    Ok(fixture.applied(&found.edits, &found.moves))
}

#[track_caller]
fn check(tree: &str, new_name: &str, expected: &str) {
    assert_text(&renamed(tree, new_name).expect("a new name"), expected);
}

#[track_caller]
fn refused(tree: &str, new_name: &str, reason: &str) {
    assert_eq!(renamed(tree, new_name).expect_err("no new name").0, reason);
}

#[test]
fn classes_take_their_files_and_data_with_them() {
    check(
        r#"
        //- /manifests/site.pp
        include ntp::ser$0ver
        Class['Ntp::Server'] -> notify { "${::ntp::server::port}": }
        //- /modules/ntp/manifests/server.pp
        class ntp::server($port = 1) { }
        //- /hiera.yaml
        version: 5
        hierarchy: [{name: a, path: a.yaml}]
        //- /data/a.yaml
        lookup_options:
          ntp::server::port: {merge: first}
        ntp::server::port: 3
        x: "%{lookup('ntp::server::port')}"
        "#,
        "ntp::deep::daemon",
        r#"
        //- /data/a.yaml
        lookup_options:
          ntp::deep::daemon::port: {merge: first}
        ntp::deep::daemon::port: 3
        x: "%{lookup('ntp::deep::daemon::port')}"
        //- /manifests/site.pp
        include ntp::deep::daemon
        Class['Ntp::Deep::Daemon'] -> notify { "${::ntp::deep::daemon::port}": }
        //- /modules/ntp/manifests/server.pp => /modules/ntp/manifests/deep/daemon.pp
        class ntp::deep::daemon($port = 1) { }
        "#,
    );
}

#[test]
fn parameters_take_keys_and_attributes_with_them() {
    check(
        r#"
        //- /manifests/site.pp
        class { 'ntp': port => 1 }
        //- /modules/ntp/manifests/init.pp
        # @param port Where
        class ntp($po$0rt = 1) { notice("${port} $port") }
        //- /hiera.yaml
        version: 5
        hierarchy: [{name: a, path: a.yaml}]
        //- /data/a.yaml
        "ntp::port": 3
        "#,
        "listen",
        r#"
        //- /data/a.yaml
        "ntp::listen": 3
        //- /manifests/site.pp
        class { 'ntp': listen => 1 }
        //- /modules/ntp/manifests/init.pp
        # @param listen Where
        class ntp($listen = 1) { notice("${listen} $listen") }
        "#,
    );
}

#[test]
fn what_has_the_same_name_and_is_something_else_stays() {
    check(
        r#"
        //- /manifests/site.pp
        include p::mo$0de
        P::Mode $x = 'a'
        $y = p::mode()
        //- /modules/p/manifests/init.pp
        class p(P::Mode $mode = 'a') { }
        //- /modules/p/manifests/mode.pp
        class p::mode { }
        //- /modules/p/types/mode.pp
        type P::Mode = Enum['a']
        //- /modules/p/functions/mode.pp
        function p::mode() { 1 }
        //- /hiera.yaml
        version: 5
        hierarchy: [{name: a, path: a.yaml}]
        //- /data/a.yaml
        p::mode: a
        "#,
        "p::way",
        r#"
        //- /manifests/site.pp
        include p::way
        P::Mode $x = 'a'
        $y = p::mode()
        //- /modules/p/manifests/mode.pp => /modules/p/manifests/way.pp
        class p::way { }
        "#,
    );
}

#[test]
fn variables_are_no_definitions() {
    let tree = |marked: &str| {
        let tree = r#"
        //- /modules/q/types/mode.pp
        type Q::Mode = Enum['a']
        //- /modules/q/manifests/mode.pp
        class q::mode { }
        //- /modules/q/manifests/params.pp
        class q::params { $mode = 'a' }
        //- /modules/q/manifests/init.pp
        class q inherits q::params {
          notice($q::mode, "${q::mode} $::q::mode", getvar('q::mode'))
          $x = [inline_template("<%= scope['q::mode'] %>"), inline_epp('<%= $q::mode %> <%= "${q::mode}" %>')]
        }
        //- /modules/q/templates/x.erb
        <%= scope['q::mode'] %> <%= scope.lookupvar("::q::mode") %>
        //- /modules/q/lib/puppet/functions/q/f.rb
        closure_scope['q::mode'] + scope.lookupvar('q::mode')
        //- /hiera.yaml
        version: 5
        hierarchy: [{name: a, path: a.yaml}]
        //- /data/a.yaml
        x: "%{q::mode}"
        "#;
        tree.replace(marked, &format!("{}$0{}", &marked[..marked.len() - 1], &marked[marked.len() - 1..]))
    };
    for (marked, new) in [("type Q::Mode", "Q::Way"), ("class q::mode", "q::way")] {
        let found = renamed(&tree(marked), new);
        assert!(found.as_ref().is_ok_and(|it| it.lines().count() == 2), "{found:?}");
    }
    for text in ["$x = 'q::mode'", "$x = \"\\${q::mode('x')}\"", "$x = \"scope['q::mode ']\""] {
        let tree = tree("type Q::Mode") + &format!("//- /manifests/site.pp\n        {text}\n");
        let reason = "`Q::Mode` appears at manifests/site.pp:1, in what may use it and cannot be changed";
        refused(&tree, "Q::Way", reason);
    }
}

#[test]
fn keys_are_renamed_as_parameters() {
    check(
        "
        //- /modules/ntp/manifests/init.pp
        class ntp($port = 1) { }
        //- /modules/ntp/manifests/deep.pp
        class ntp::deep { include ntp::deep::er }
        //- /hiera.yaml
        version: 5
        hierarchy: [{name: a, path: a.yaml}]
        //- /data/a.yaml
        ntp::po$0rt: 3
        ",
        "ntp::listen",
        "
        //- /data/a.yaml
        ntp::listen: 3
        //- /modules/ntp/manifests/init.pp
        class ntp($listen = 1) { }
        ",
    );
}

#[test]
fn longer_names_are_others() {
    check(
        "
        //- /modules/ntp/manifests/deep.pp
        class ntp::de$0ep { include ntp::deep::er }
        //- /modules/ntp/manifests/deep/er.pp
        class ntp::deep::er { }
        //- /modules/ntp/lib/puppet/functions/f.rb
        call_function('include', 'ntp::deep::er')
        ",
        "ntp::low",
        "
        //- /modules/ntp/manifests/deep.pp => /modules/ntp/manifests/low.pp
        class ntp::low { include ntp::deep::er }
        ",
    );
}

#[test]
fn aliases_and_functions() {
    check(
        "
        //- /modules/m/manifests/init.pp
        class m(M::Po$0rt $p) { }
        //- /modules/m/types/port.pp
        type M::Port = Integer
        ",
        "M::Number",
        "
        //- /modules/m/manifests/init.pp
        class m(M::Number $p) { }
        //- /modules/m/types/port.pp => /modules/m/types/number.pp
        type M::Number = Integer
        ",
    );
    check(
        "
        //- /manifests/site.pp
        $x = 1.m::f
        //- /modules/m/functions/f.pp
        function m::f$0($a) { $a }
        ",
        "m::g",
        "
        //- /manifests/site.pp
        $x = 1.m::g
        //- /modules/m/functions/f.pp => /modules/m/functions/g.pp
        function m::g($a) { $a }
        ",
    );
}

#[test]
fn what_nobody_would_find_keeps_its_name() {
    let tree = "
        //- /modules/ntp/manifests/init.pp
        class nt$0p { }
        //- /modules/ntp/manifests/other.pp
        class ntp::other { }
        ";
    refused(tree, "chrony", "there is no module `chrony`");
    refused(tree, "ntp::other", "there is a class `ntp::other` already");
    refused(tree, "Ntp", "`Ntp` is not a name for a class: lower-case words with `::` between them are");
}

#[test]
fn what_ruby_may_use_keeps_its_name() {
    let tree = "
        //- /modules/ntp/manifests/init.pp
        class ntp($po$0rt = 1) { $x = template('ntp/a.erb') }
        //- /modules/ntp/templates/a.erb
        <%= scope.to_hash['port'] %>
        ";
    let place = "`port` at modules/ntp/templates/a.erb:1";
    refused(tree, "listen", &format!("{place} may be the variable `$port`, and cannot be changed"));
}

#[test]
fn templates_in_erb_follow() {
    check(
        "
        //- /modules/ntp/manifests/init.pp
        class ntp($po$0rt = 1) { $x = template('ntp/a.erb') }
        //- /modules/ntp/templates/a.erb
        port <% if @port %><%= scope['ntp::port'] %> <% x.each do |port| %><%= port %><% end %>
        ",
        "listen",
        "
        //- /modules/ntp/manifests/init.pp
        class ntp($listen = 1) { $x = template('ntp/a.erb') }
        //- /modules/ntp/templates/a.erb
        port <% if @listen %><%= scope['ntp::listen'] %> <% x.each do |port| %><%= port %><% end %>
        ",
    );
}

/// `epp` gives a template no variables of the code that calls it.
#[test]
fn templates_in_epp_have_variables_of_their_own() {
    let tree = "
        //- /modules/ntp/manifests/init.pp
        class ntp($po$0rt = 1) { $x = epp('ntp/a', { 'port' => $port }) $y = epp($x) }
        //- /modules/ntp/templates/a.epp
        <%= $port %>
        //- /modules/ntp/templates/b.erb
        <%= @port %>
        ";
    check(
        tree,
        "listen",
        "
        //- /modules/ntp/manifests/init.pp
        class ntp($listen = 1) { $x = epp('ntp/a', { 'port' => $listen }) $y = epp($x) }
        ",
    );
    let tree = "
        //- /manifests/site.pp
        $po$0rt = 1
        notice(epp('m/a', { 'port' => 2 }))
        //- /modules/m/templates/a.epp
        <%= $port %>
        ";
    refused(tree, "listen", "the template `modules/m/templates/a.epp` may get `$port` from who renders it");
}

#[test]
fn templates_in_erb_read_other_variables() {
    let tree = "
        //- /modules/ntp/manifests/init.pp
        class ntp($po$0rt = 1) { $x = template('ntp/a.erb') }
        //- /modules/ntp/templates/a.erb
        <%= @hostname %>
        ";
    refused(tree, "hostname", "the template `modules/ntp/templates/a.erb` reads `@hostname` already");
}

#[test]
fn templates_of_several_classes_keep_their_variables() {
    let tree = |other: &str| {
        format!(
            "
        //- /modules/ntp/manifests/init.pp
        class ntp($po$0rt = 1) {{ $x = template('ntp/a.erb') }}
        //- /modules/ntp/manifests/key.pp
        {other}
        //- /modules/ntp/templates/a.erb
        <%= @port %>
        "
        )
    };
    refused(
        &tree("define ntp::key($port) { $x = template('ntp/a.erb') }"),
        "listen",
        "several classes render the template `modules/ntp/templates/a.erb`, which reads `@port`",
    );
    refused(
        &tree("define ntp::key($port) { $x = template(\"ntp/${title}\") }"),
        "listen",
        "`ntp::key` may render the template `modules/ntp/templates/a.erb`, which reads `@port`",
    );
    assert!(renamed(&tree("define ntp::key($host) { $x = template(\"ntp/${title}\") }"), "listen").is_ok());
}

#[test]
fn what_is_computed_keeps_its_name() {
    let tree = "
        //- /modules/ntp/manifests/key.pp
        define ntp::key($po$0rt = 1) { }
        //- /manifests/site.pp
        ntp::key { 'a': * => $facts['x'] }
        ";
    refused(tree, "listen", "attributes are computed at manifests/site.pp:1");
    let tree = "
        //- /modules/ntp/manifests/init.pp
        class ntp($po$0rt = 1) { }
        //- /manifests/site.pp
        class { $facts['x']: port => 1 }
        ";
    refused(tree, "listen", "attributes are computed at manifests/site.pp:1");
}

#[test]
fn a_computed_type_sets_only_attributes_that_are_named_somewhere() {
    let tree = |data: &str| {
        format!(
            "
        //- /modules/ntp/manifests/init.pp
        class ntp($po$0rt = 1) {{ notice($port) }}
        //- /modules/other/manifests/init.pp
        class other($all, $type) {{ create_resources($type, $all) }}
        //- /hiera.yaml
        version: 5
        hierarchy: [{{name: a, path: a.yaml}}]
        //- /data/a.yaml
        ntp::port: 3
        other::all:
          ntp:
            {data}: 3
        "
        )
    };
    refused(
        &tree("port"),
        "listen",
        "`port` at data/a.yaml:4 may be an attribute that modules/other/manifests/init.pp:1 sets",
    );
    assert!(renamed(&tree("server"), "listen").is_ok());
}

#[test]
fn mentions_that_are_not_uses() {
    let tree = "
        //- /modules/a/manifests/web.pp
        class a::w$0eb { notice(inline_template(\"<%= scope['a::web::params::u'] %>\")) }
        //- /modules/a/manifests/web/params.pp
        class a::web::params { $u = 1 }
        //- /modules/a/templates/x.erb
        <%= scope['a::web::params::u'] %>
        //- /manifests/site.pp
        fail('use a::web, please')
        ";
    assert!(renamed(tree, "a::site").is_ok(), "{:?}", renamed(tree, "a::site"));
}

#[test]
fn literal_templates_read_what_they_name() {
    let tree = |call: &str| format!("class c {{ $lo$0cal = 1\n notice($local, {call}) }}");
    assert!(renamed(&tree("inline_epp('<%= $x %>', {'x' => 1})"), "other").is_ok());
    for call in [
        "inline_epp('<%= $local %>', {'x' => 1})",
        r#"inline_epp('<%= "x ${local} y" %>')"#,
        "inline_template('<%= scope.lookupvar(%q(local)) %>')",
        "'<%= $local %>'.inline_epp",
        "inline_template('a', '<%= @local %>')",
        "inline_epp(file('m/x.epp'))",
    ] {
        refused(&tree(call), "other", "the template at manifests/site.pp:2 may read `$local`");
    }
}

#[test]
fn templates_read_names_in_any_notation() {
    let tree = |text: &str| {
        format!(
            "
        //- /modules/ntp/manifests/init.pp
        class ntp($po$0rt = 1) {{ $x = template('ntp/a.erb') }}
        //- /modules/ntp/templates/a.erb
        {text}
        "
        )
    };
    assert!(renamed(&tree("the port <%# port %> (port) <%= @x.port %>"), "listen").is_ok());
    assert!(renamed(&tree("<% if has_variable?('port') %><%= @port %><% end %>"), "listen").is_ok());
    for text in ["<%= scope.lookupvar(%q(port)) %>", "<%= vars['port'] %>", "<%= \"#{@a.port} #{x}port\" %>"]
    {
        let place = "`port` at modules/ntp/templates/a.erb:1";
        refused(
            &tree(text),
            "listen",
            &format!("{place} may be the variable `$port`, and cannot be changed"),
        );
    }
}

/// A class with a parameter, in addition to other files.
fn web(other: &str) -> String {
    format!(
        "//- /modules/a/manifests/web.pp\nclass a::w$0eb($port = 80) {{ notice($port) }}\n\
         //- /hiera.yaml\nversion: 5\nhierarchy: [{{name: a, path: a.yaml}}]\n{other}"
    )
}

#[test]
fn strings_that_code_evaluates_are_uses() {
    for code in [
        r#"notice("hello ${b::f('a::web')} there")"#,
        "$l = 'a::web other'.split(' ')",
        "$x = 'see a::web'",
        r#"notice(inline_template("<%= scope['a::web::port'] %> and"))"#,
        "notice(inline_epp('<%= $a::web::port %> and'))",
    ] {
        refused(
            &web(&format!("//- /manifests/site.pp\n{code}\n")),
            "a::site",
            "`a::web` appears at manifests/site.pp:1, in what may use it and cannot be changed",
        );
    }
    for code in [
        "fail('use a::web, please')",
        r#"warning "no ${x} in a::web""#,
        "notify { 'x': message => 'a::web is here' }",
    ] {
        let found = renamed(&web(&format!("//- /manifests/site.pp\n{code}\n")), "a::site");
        assert!(found.is_ok(), "{code}: {found:?}");
    }
}

#[test]
fn data_that_nothing_is_known_to_read_may_name_a_class() {
    let data = "//- /hieradata/node.yaml\na::web::port: 3\n";
    refused(
        &web(data),
        "a::site",
        "`a::web` appears at hieradata/node.yaml:1, in what may use it and cannot be changed",
    );
    let config = "
        //- /modules/a/manifests/web.pp
        class a::w$0eb($port = 80) { notice($port) }
        //- /hiera.yaml
        version: 5
        defaults: {datadir: '/etc/code/%{environment}/hieradata', data_hash: yaml_data}
        hierarchy: [{name: a, path: a.yaml}]
        ";
    refused(
        config,
        "a::site",
        "`hiera.yaml` reads data in `/etc/code`, outside of the environment, which may name it",
    );
}

#[test]
fn tests_are_named_in_a_note() {
    let fixture = Fixture::new(&web("//- /modules/a/spec/classes/web_spec.rb\ndescribe 'a::web' do\nend\n"));
    let found = rename(fixture.db(), fixture.cursor(), "a::site").expect("a new name");
    let note = "a test names `a::web` at modules/a/spec/classes/web_spec.rb:1";
    assert!(found.notes.iter().any(|it| it == note), "{:?}", found.notes);
}

#[test]
fn attributes_of_references_are_renamed() {
    check(
        "
        //- /manifests/site.pp
        $r = Class['a::web']
        notice(Class['a::web']['port'], getparam(Class['a::web'], 'port'), $r['port'], $x['port'])
        //- /modules/a/manifests/web.pp
        class a::web($po$0rt = 80) { }
        ",
        "listen",
        "
        //- /manifests/site.pp
        $r = Class['a::web']
        notice(Class['a::web']['listen'], getparam(Class['a::web'], 'listen'), $r['listen'], $x['port'])
        //- /modules/a/manifests/web.pp
        class a::web($listen = 80) { }
        ",
    );
    check(
        "
        //- /manifests/site.pp
        notice(M::D['x']['a'])
        //- /modules/m/manifests/d.pp
        define m::d($$0a) { }
        ",
        "b",
        "
        //- /manifests/site.pp
        notice(M::D['x']['b'])
        //- /modules/m/manifests/d.pp
        define m::d($b) { }
        ",
    );
}

#[test]
fn hashes_of_a_computed_declaration_are_searched_everywhere() {
    let tree = |hash: &str, other: &str| {
        format!(
            "
        //- /modules/m/manifests/d.pp
        define m::d($$0alpha) {{ notice($alpha) }}
        //- /hiera.yaml
        version: 5
        hierarchy: [{{name: a, path: a.yaml}}, {{name: b, path: b.json, data_hash: json_data}}]
        //- /manifests/site.pp
        create_resources($facts['k'], {hash})
        {other}"
        )
    };
    let lookup = "lookup('all')";
    for (hash, other, reason) in [
        (lookup, "//- /data/a.yaml\n            all: {x: {alpha : 5}}", "`alpha` at data/a.yaml:1"),
        (
            lookup,
            "//- /data/b.json\n            {\"all\": {\"x\": {\"alpha\" : 5}}}",
            "`alpha` at data/b.json:1",
        ),
        (
            lookup,
            "//- /modules/m/files/x.json\n            {\"alpha\": 1}",
            "`alpha` at modules/m/files/x.json:1",
        ),
        (
            lookup,
            "//- /modules/m/lib/puppet/functions/m/h.rb\n            x = { 'alpha' => 1 }",
            "`alpha` at modules/m/lib/puppet/functions/m/h.rb:1",
        ),
        ("parseyaml(@(X))", "  alpha: 1\n              | X", "`alpha` at manifests/site.pp:2"),
        ("parsejson($x)", "", "the function `parsejson` may return `alpha`"),
    ] {
        let error = renamed(&tree(hash, other), "beta").expect_err(reason).0;
        assert!(error.starts_with(reason), "{error}");
    }
    assert!(renamed(&tree(lookup, "//- /data/a.yaml\n            all: {x: {gamma: 5}}"), "beta").is_ok());
}

/// A template with a parameter, and code that may render it.
fn rendered(code: &str) -> String {
    format!(
        "
        //- /modules/m/templates/t.epp
        <%- | $po$0rt, $host = '' | -%>
        <%= $port %>
        //- /modules/m/manifests/init.pp
        {code}
        //- /modules/m/manifests/d.pp
        define m::d($port) {{ }}
        "
    )
}

#[test]
fn templates_keep_parameters_that_nobody_knows() {
    check(
        &rendered(
            "class m { $h = { 'port' => 1 } notice(epp('m/t.epp', $h), epp('m/t.epp', { port => 2 })) }",
        ),
        "listen",
        "
        //- /modules/m/manifests/init.pp
        class m { $h = { 'listen' => 1 } notice(epp('m/t.epp', $h), epp('m/t.epp', { listen => 2 })) }
        //- /modules/m/templates/t.epp
        <%- | $listen, $host = '' | -%>
        <%= $listen %>
        ",
    );
    assert!(renamed(&rendered("class m { notice(epp($x, { 'host' => 1 })) }"), "listen").is_ok());
    let at = "at modules/m/manifests/init.pp:1";
    for (code, reason) in [
        (
            "class m($h) { notice(epp('m/t.epp', $h)) }",
            format!("the parameters of a template are computed {at}"),
        ),
        (
            "class m { notice(epp('m/t.epp', { $x => 1 })) }",
            format!("the parameters of a template are computed {at}"),
        ),
        (
            "class m { notice(stdlib::deferrable_epp('m/t.epp', { 'port' => 1 })) }",
            format!("`port` {at} may be a parameter of the template"),
        ),
        (
            "class m { notice(epp($x, { 'port' => 1 })) }",
            format!("`port` {at} may be a parameter of the template"),
        ),
        ("class m($h) { notice(epp('m/t', $h)) }", format!("the parameters of a template are computed {at}")),
        (
            "class m($h) { notice(epp(\"${module_name}/t.epp\", $h)) }",
            format!("the parameters of a template are computed {at}"),
        ),
        (
            "class m { notice(Deferred('epp', ['m/t.epp', { 'port' => 1 }])) }",
            format!("something may render the template that is named {at}"),
        ),
    ] {
        refused(&rendered(code), "listen", &reason);
    }
}

#[test]
fn hashes_that_others_read_keep_their_keys() {
    let at = "modules/m/manifests/init.pp:1";
    for (code, reason) in [
        (
            "class m { $h = { 'port' => 1 } m::d { 'x': * => $h } notice(epp('m/t.epp', $h)) }",
            format!("the hash at {at} is read in several places: `$h` at {at}"),
        ),
        (
            "class m { $h = { 'port' => 1 } notice(epp('m/t.epp', $h), $h['port']) }",
            format!("the hash at {at} is read in several places: `$h` at {at}"),
        ),
    ] {
        refused(&rendered(code), "listen", &reason);
    }
    assert!(
        renamed(&rendered("class m($h) { notice(epp(\"${module_name}/u.epp\", $h)) }"), "listen").is_ok()
    );
    let tree = |code: &str| {
        format!("//- /modules/m/manifests/d.pp\ndefine m::d($po$0rt) {{ }}\n//- /manifests/site.pp\n{code}\n")
    };
    let merged = "the hash at manifests/site.pp:1 is merged with another one";
    for code in [
        "m::d { 'x': * => { 'port' => 1 } + { 'port' => 2 } }",
        "$d = { 'port' => 1 } $e = $d + { 'x' => 2 } m::d { 'x': * => $e } notice($e['port'])",
    ] {
        refused(&tree(code), "listen", merged);
    }
    let alias = "$d = { 'port' => 1 } $e = $d m::d { 'x': * => $e } notice($e['port'])";
    let several = "the hash at manifests/site.pp:1 is read in several places: `$e` at manifests/site.pp:1";
    refused(&tree(alias), "listen", several);
    let own = "$d = { 'port' => 1 } m::d { 'x': * => $d } m::d { 'y': * => $d }";
    assert!(renamed(&tree(own), "listen").is_ok());
    let computed = "attributes are computed at manifests/site.pp:1";
    refused(&tree("create_resources('m::d', lookup('all'), { 'port' => 3 })"), "listen", computed);
    assert!(renamed(&tree("create_resources('m::d', { 'x' => { 'port' => 3 } })"), "listen").is_ok());
}

#[test]
fn parameters_of_heirs_are_their_own() {
    check(
        "
        //- /modules/m/manifests/params.pp
        class m::params { $ipv6 = false }
        //- /modules/m/manifests/init.pp
        class m($ip$0v6 = $m::params::ipv6) inherits m::params { notice($ipv6) }
        ",
        "six",
        "
        //- /modules/m/manifests/init.pp
        class m($six = $m::params::ipv6) inherits m::params { notice($six) }
        ",
    );
    check(
        "
        //- /modules/m/manifests/params.pp
        class m::params { $ip$0v6 = false }
        //- /modules/m/manifests/init.pp
        class m($ipv6 = $m::params::ipv6) inherits m::params { notice($ipv6) }
        ",
        "six",
        "
        //- /modules/m/manifests/init.pp
        class m($ipv6 = $m::params::six) inherits m::params { notice($ipv6) }
        //- /modules/m/manifests/params.pp
        class m::params { $six = false }
        ",
    );
    let tree = "
        //- /modules/m/manifests/params.pp
        class m::params { $ipv6 = false }
        //- /modules/m/manifests/init.pp
        class m inherits m::params { if $x { $ip$0v6 = true } notice($ipv6) }
        ";
    refused(tree, "six", "the class `m::params` has a variable `$ipv6`, too");
}

#[test]
fn what_others_say_of_a_parameter_is_considered() {
    let tree = |pattern: &str| {
        format!(
            "
        //- /modules/m/manifests/init.pp
        class m($a_$0hash = {{}}) {{ notice($a_hash) }}
        //- /hiera.yaml
        version: 5
        hierarchy: [{{name: a, path: a.yaml}}]
        //- /data/a.yaml
        lookup_options:
          '{pattern}': {{merge: deep}}
        "
        )
    };
    refused(&tree("^m::.*_hash$"), "all", "a pattern of `lookup_options` at data/a.yaml:2 has it");
    assert!(renamed(&tree("^m::.*_hash$"), "b_hash").is_ok());
    assert!(renamed(&tree("^other::.*_hash$"), "all").is_ok());
    let fixture = Fixture::new(
        "
        //- /modules/m/manifests/init.pp
        class m($si$0ze) { }
        //- /modules/m/spec/classes/m_spec.rb
        describe 'm' do let(:params) { { size: 'x' } } end
        ",
    );
    let found = rename(fixture.db(), fixture.cursor(), "length").expect("a new name");
    assert_eq!(found.notes, ["a test may name the parameter `size`, at modules/m/spec/classes/m_spec.rb:1"]);
    let tree = "
        //- /environment.conf
        //- /Puppetfile
        mod 'x/n', '1.0.0'
        //- /modules/n/manifests/init.pp
        class n($port) { }
        //- /manifests/site.pp
        class { 'n': po$0rt => 1 }
        ";
    let reason = "`modules/n/manifests/init.pp` belongs to a module of the Puppetfile: the next installation would undo the change";
    refused(tree, "listen", reason);
    refused("$x$0 = 1 notice($x)", "true", "`true` is a word of the language");
}

#[test]
fn what_is_there_already() {
    let tree = "
        //- /manifests/site.pp
        function f($a) { $b = 1; $a$0 + $b }
        ";
    refused(tree, "b", "there is a variable `$b` already");
    refused(
        tree,
        "B",
        "`B` is not a name for a variable: a lower-case letter or `_`, then letters, digits and `_` are",
    );
}

#[test]
fn the_language_keeps_its_names() {
    refused("notice$0('a')", "x", "the function `notice` belongs to the language");
    refused("file$0 { '/a': }", "x", "the resource type `file` is not written in Puppet");
}
