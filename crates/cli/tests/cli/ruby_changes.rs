//! Values of Puppet code that Ruby code which is not evaluated may change.

use crate::support::Folder;

const COMPILED_AS_JSON: [&str; 8] = [
    "compile",
    "--manifest",
    "site.pp",
    "--module-path",
    "modules",
    "--allow-incomplete",
    "--format",
    "json",
];

/// The reference shares arrays and hashes among all that hold them: what a template may have changed is not known.
#[test]
fn values_that_a_template_may_change_are_unknown_if_it_is_not_evaluated() {
    let folder = Folder::new(&[
        ("modules/m/templates/t.erb", b"<% list = @list; list << 'x' %><%= @other %><% Net::HTTP.start %>"),
        (
            "site.pp",
            b"class m($list = ['a'], $other = ['b'], $third = ['c']) { $t = template('m/t.erb') }\ninclude m\n",
        ),
    ]);
    let run = folder.marotte(&COMPILED_AS_JSON);
    let stdout: String = run.stdout.split_whitespace().collect();
    assert!(stdout.contains(r#""list":{"__ptype":"Unknown""#), "{} {}", run.stdout, run.stderr);
    assert!(stdout.contains(r#""third":["c"]"#), "{}", run.stdout);
}

/// The same holds for the arguments of functions, and for the variables that they mention.
#[test]
fn values_that_a_function_may_change_are_unknown_if_it_is_not_evaluated() {
    let folder = Folder::new(&[
        (
            "modules/m/lib/puppet/functions/m/changes.rb",
            b"Puppet::Functions.create_function(:'m::changes') do\n  def changes(list)\n    list << 'x'\n    closure_scope['m::named'].push('y')\n    Net::HTTP.start\n  end\nend\n",
        ),
        (
            "modules/m/lib/puppet/functions/m/reads.rb",
            b"Puppet::Functions.create_function(:'m::reads') do\n  def reads(list)\n    all = []\n    all << list\n    Net::HTTP.start if all\n  end\nend\n",
        ),
        (
            "site.pp",
            b"class m($list = ['a'], $named = ['b'], $read = ['c']) { $t = m::changes($list) $u = m::reads($read) }\ninclude m\n",
        ),
    ]);
    let run = folder.marotte(&COMPILED_AS_JSON);
    let stdout: String = run.stdout.split_whitespace().collect();
    assert!(stdout.contains(r#""list":{"__ptype":"Unknown""#), "{} {}", run.stdout, run.stderr);
    assert!(stdout.contains(r#""named":{"__ptype":"Unknown""#), "{} {}", run.stdout, run.stderr);
    assert!(stdout.contains(r#""read":["c"]"#), "{}", run.stdout);
}

/// Nor is a string known that Ruby code changes in place: in the reference, strings with interpolations are shared, too.
#[test]
fn strings_that_ruby_code_changes_are_unknown() {
    let folder = Folder::new(&[("modules/m/metadata.json", b"{}"), (
        "site.pp",
        b"class m($text = \"a${facts['kernel']}\", $copy = $text, $other = 'b') { $t = inline_template('<% @text << \"x\" %>') }\ninclude m\n",
    )]);
    let run = folder.marotte(&COMPILED_AS_JSON);
    let stdout: String = run.stdout.split_whitespace().collect();
    assert!(stdout.contains(r#""text":{"__ptype":"Unknown""#), "{} {}", run.stdout, run.stderr);
    assert!(stdout.contains(r#""copy":{"__ptype":"Unknown""#), "{} {}", run.stdout, run.stderr);
    assert!(stdout.contains(r#""other":"b""#), "{}", run.stdout);
}

/// Functions that change nothing leave what a template reads known, although the template is not evaluated to its end:
/// built-in ones, and those whose code in Ruby changes nothing.
#[test]
fn values_that_a_template_gives_to_pure_functions_stay_known() {
    let folder = Folder::new(&[
        (
            "modules/m/lib/puppet/functions/m/reads.rb",
            b"Puppet::Functions.create_function(:'m::reads') do\n  def reads(list)\n    call_function('join', list, ',')\n  end\nend\n",
        ),
        (
            "modules/m/lib/puppet/functions/m/changes.rb",
            b"Puppet::Functions.create_function(:'m::changes') do\n  def changes(list)\n    list << 'x'\n  end\nend\n",
        ),
        ("modules/m/templates/reads.erb", b"<% Net::HTTP.start %><%= scope.call_function('m::reads', [@read]) %>"),
        ("modules/m/templates/changes.erb", b"<% Net::HTTP.start %><% scope.call_function('m::changes', [@list]) %>"),
        (
            "site.pp",
            b"class m($list = ['a'], $read = ['c']) { $t = template('m/reads.erb') $u = template('m/changes.erb') }\ninclude m\n",
        ),
    ]);
    let run = folder.marotte(&COMPILED_AS_JSON);
    let stdout: String = run.stdout.split_whitespace().collect();
    assert!(stdout.contains(r#""list":{"__ptype":"Unknown""#), "{} {}", run.stdout, run.stderr);
    assert!(stdout.contains(r#""read":["c"]"#), "{}", run.stdout);
}

/// Resources that a template may declare are in doubt if it is not evaluated to its end, or not at all.
#[test]
fn resources_that_a_template_may_declare_are_in_doubt() {
    let declares = b"<% Net::HTTP.start %><% scope.function_create_resources(['notify', { 'a' => {} }]) %>";
    for (template, statement, is_in_doubt) in [
        (&declares[..], "$t = template('m/t.erb')", true),
        (b"<% Net::HTTP.start %><%= scope.function_split(['a', 'b']) %>", "$t = template('m/t.erb')", false),
        (declares, "if inline_template('<%= Net::HTTP.start %>') == '1' { $t = template('m/t.erb') }", true),
        (
            b"include",
            "if inline_template('<%= Net::HTTP.start %>') == '1' { $t = template('m/t.erb') }",
            false,
        ),
    ] {
        let site = format!(
            "class m {{ {statement} }}\ninclude m\nif defined(Notify['a']) {{ notify {{ 'b': }} }}\n"
        );
        let folder = Folder::new(&[("modules/m/templates/t.erb", template), ("site.pp", site.as_bytes())]);
        let run = folder.marotte(&COMPILED_AS_JSON);
        // The last line asks for a resource that the template may declare.
        assert_eq!(
            run.stderr.contains("site.pp:3"),
            is_in_doubt,
            "{statement} {} {}",
            run.stdout,
            run.stderr
        );
    }
}
