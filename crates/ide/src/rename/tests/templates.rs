//! Variables in templates in ERB.

use super::*;

/// A class with a parameter, another class, and a template.
fn tree(other: &str, template: &str) -> String {
    format!(
        "
        //- /modules/a/manifests/init.pp
        class a($po$0rt = 1) {{ }}
        //- /modules/a/manifests/config.pp
        {other}
        //- /modules/a/templates/x.erb
        {template}
        "
    )
}

#[test]
fn classes_that_read_a_variable_have_templates_of_their_own() {
    check(
        &tree("class a::config { $port = $a::port $x = template('a/x.erb') }", "<%= @port %>"),
        "listen",
        "
        //- /modules/a/manifests/config.pp
        class a::config { $port = $a::listen $x = template('a/x.erb') }
        //- /modules/a/manifests/init.pp
        class a($listen = 1) { }
        ",
    );
}

#[test]
fn heirs_render_templates_with_the_variables_of_both() {
    check(
        &tree("class a::config inherits a { $x = template('a/x.erb') }", "<%= @port %>"),
        "listen",
        "
        //- /modules/a/manifests/init.pp
        class a($listen = 1) { }
        //- /modules/a/templates/x.erb
        <%= @listen %>
        ",
    );
    let reason = "`port` at modules/a/templates/x.erb:1 may be the variable `$port`, and cannot be changed";
    refused(
        &tree("class a::config inherits a { $x = template('a/x.erb') }", "<%= vars['port'] %>"),
        "listen",
        reason,
    );
}

/// A class with a variable and Ruby files.
fn ruby(variable: &str, path: &str, text: &str) -> String {
    format!(
        "
        //- /modules/a/manifests/init.pp
        {variable}
        //- /modules/a/lib/{path}
        {text}
        "
    )
}

#[test]
fn ruby_that_reads_no_variables() {
    let of_class = "class a { $po$0rt = 1 $x = template($facts['x']) notice(a::f(1)) }";
    let of_top = "$po$0rt = 1 class a { notice($port) }";
    let qualified = "x = 'a::port' + '@port' + 'port'";
    for variable in [of_class, of_top] {
        for (path, text) in [
            ("facter/f.rb", "scope = 'port'"),
            ("facter/f.rb", qualified),
            ("puppet/type/t.rb", "newparam(:port) { scope[\"port\"] }"),
            ("puppet/provider/t/p.rb", qualified),
            ("puppet/functions/a/f.rb", qualified),
            ("puppet/functions/a/port.rb", "Puppet::Functions.create_function(:'a::port') { }"),
        ] {
            let found = renamed(&ruby(variable, path, text), "listen");
            assert!(found.is_ok(), "{path}: {found:?}");
        }
    }
}

#[test]
fn ruby_that_reads_variables() {
    let of_class = "class a($po$0rt = 1) { notice(a::f(1)) }";
    let function = |body: &str| format!("Puppet::Functions.create_function(:'a::f') {{ {body} }}");
    let path = "puppet/functions/a/f.rb";
    let reason = "`port` at modules/a/lib/puppet/functions/a/f.rb:1 may be the variable `$port`, and cannot be changed";
    refused(&ruby(of_class, path, &function("closure_scope['port']")), "listen", reason);
    let reason = "`a::port` appears at modules/a/lib/puppet/functions/a/f.rb:1, in what may use it and cannot be changed";
    for body in ["call_function('lookup', 'a::port')", "scope['a::port']"] {
        refused(&ruby(of_class, path, &function(body)), "listen", reason);
    }
    let computed = "`port` at modules/a/manifests/init.pp:1 may be the name of the variable that `modules/a/lib/puppet/functions/a/f.rb` computes";
    let passed = "class a($po$0rt = 1) { notice(a::f(['port'])) }";
    refused(&ruby(passed, path, &function("closure_scope[names[0]]")), "listen", computed);
    assert!(renamed(&ruby(passed, path, &function("scope.lookupvar('x')")), "listen").is_ok());
    let symbol = function("param 'Integer', :port; closure_scope['x'] + x['port'] + 'a port'");
    assert!(renamed(&ruby(of_class, path, &symbol), "listen").is_ok());
    let of_top = "$po$0rt = 1 class a { notice($port) }";
    let reason = "the file `modules/a/lib/puppet/functions/a/f.rb` may read it";
    refused(&ruby(of_top, path, &function("closure_scope['port']")), "listen", reason);
}

/// The class and the function of the module `stdlib` that render any template with any parameters.
fn stdlib(other: &str) -> String {
    format!(
        "
        //- /modules/n/templates/c.epp
        <%- | $lis$0ten | -%>
        <%= $listen %>
        //- /modules/n/manifests/init.pp
        class n($port = 80) {{ $c = epp('n/c.epp', {{ 'listen' => $port }}) }}
        //- /modules/stdlib/functions/deferrable_epp.pp
        function stdlib::deferrable_epp(String $template, Hash $variables) {{ epp($template, $variables) }}
        //- /modules/stdlib/manifests/init.pp
        class stdlib {{ include stdlib::manage }}
        //- /modules/stdlib/manifests/manage.pp
        class stdlib::manage(Hash $create_resources = {{}}) {{
          $create_resources.each |$type, $resources| {{
            $x = epp($resources['template'], $resources['context'])
            create_resources($type, {{ 'port' => $resources }})
            $type {{ 'x': port => 1 }}
          }}
        }}
        //- /hiera.yaml
        version: 5
        hierarchy: [{{name: a, path: a.yaml}}]
        {other}
        "
    )
}

#[test]
fn classes_that_do_nothing_render_nothing() {
    let changed = "\n//- /modules/n/templates/c.epp\n<%- | $address | -%>\n<%= $address %>\n";
    let found = renamed(&stdlib(""), "address").expect("a new name");
    assert!(found.contains("{ 'address' => $port }") && found.ends_with(changed), "{found}");
    let of_class = |other: &str| stdlib(other).replace("$0", "").replace("n($port", "n($po$0rt");
    assert!(renamed(&of_class(""), "address").is_ok(), "{:?}", renamed(&of_class(""), "address"));
    for other in [
        "//- /data/a.yaml\n        stdlib::manage::create_resources: {n: {x: {port: 1}}}",
        "//- /manifests/site.pp\n        class { 'stdlib::manage': create_resources => {n => {x => {port => 1}}} }",
        "//- /manifests/site.pp\n        class { 'stdlib::manage': * => $facts['x'] }",
    ] {
        let reason = "the parameters of a template are computed at modules/stdlib/manifests/manage.pp:3";
        refused(&stdlib(other), "address", reason);
        assert!(renamed(&of_class(other), "address").is_err(), "{other}");
    }
}

#[test]
fn tests_that_name_a_variable_are_noted() {
    let tree = ruby("class a($po$0rt = 1) { }", "x.rb", "x")
        + "//- /modules/a/spec/classes/a_spec.rb\n        let(:data) { { 'a::port' => 2 } }\n";
    let fixture = Fixture::new(&tree);
    let found = rename(fixture.db(), fixture.cursor(), "listen").expect("a new name");
    let note = "a test names `a::port` at modules/a/spec/classes/a_spec.rb:1";
    assert!(found.notes.iter().any(|it| it == note), "{:?}", found.notes);
}
