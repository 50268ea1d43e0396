//! Functions written in Ruby that get values which are not known, or not known in all their parts.

use crate::support::Folder;

/// Compiles a manifest in which `m::unknown()` has no known value.
fn compiled(function: &str, site: &str) -> (String, String) {
    let folder = Folder::new(&[
        (
            "modules/m/lib/puppet/functions/m/unknown.rb",
            b"Puppet::Functions.create_function(:'m::unknown') do\n  def unknown\n    Net::HTTP.start\n  end\nend\n",
        ),
        ("modules/m/lib/puppet/functions/m/f.rb", function.as_bytes()),
        ("site.pp", site.as_bytes()),
    ]);
    let arguments = ["compile", "--manifest", "site.pp", "--module-path", "modules", "--allow-incomplete"];
    let run = folder.marotte(&arguments);
    (run.stdout, run.stderr)
}

/// A function that only hands unknown values on has known results otherwise, and declares what it declares.
#[test]
fn functions_hand_unknown_values_on() {
    let function = "Puppet::Functions.create_function(:'m::f') do
  dispatch :f do
    param 'Hash', :given
  end
  def f(given)
    all = { 'mode' => '0644' }.merge(given)
    Puppet.debug(\"declares #{all}\")
    call_function('create_resources', 'file', { '/a' => all })
    all.keys
  end
end
";
    let (stdout, stderr) =
        compiled(function, "$keys = m::f({ 'content' => m::unknown() })\nnotify { 'n': message => $keys }\n");
    assert!(stdout.contains("mode => '0644'"), "{stdout} {stderr}");
    assert!(stdout.contains("content => unknown (the Ruby function 'm::unknown')"), "{stdout} {stderr}");
    assert!(stdout.contains("message => ['mode', 'content']"), "{stdout} {stderr}");
    assert!(!stderr.contains("skips code"), "{stderr}");
}

/// Where the code depends on the value, its result is not known. What it has declared before is.
#[test]
fn functions_end_where_they_depend_on_unknown_values() {
    let function = "Puppet::Functions.create_function(:'m::f') do
  def f(given)
    call_function('create_resources', 'notify', { 'before' => {} })
    given.empty? ? 'nothing' : 'something'
  end
end
";
    let (stdout, stderr) = compiled(function, "$x = m::f(m::unknown())\nnotify { 'n': message => $x }\n");
    assert!(stdout.contains("Notify[before]"), "{stdout} {stderr}");
    assert!(stdout.contains("Notify[n]") && !stdout.contains("'something'"), "{stdout} {stderr}");
    assert!(stderr.contains("skips code at"), "{stderr}");
}

/// Which signature is called may depend on the value.
#[test]
fn signatures_are_not_chosen_by_unknown_values() {
    let function = "Puppet::Functions.create_function(:'m::f') do
  dispatch :text do
    param 'String', :given
  end
  dispatch :list do
    param 'Array', :given
  end
  def text(given) = 'text'
  def list(given) = 'list'
end
";
    let site = "notify { 'unknown': message => m::f(m::unknown()) }\nnotify { 'text': message => m::f(\"a${m::unknown()}\") }\nnotify { 'list': message => m::f([m::unknown()]) }\n";
    let (stdout, stderr) = compiled(function, site);
    assert!(stdout.contains("message => unknown"), "{stdout} {stderr}");
    assert!(stdout.contains("message => 'text'"), "{stdout} {stderr}");
    assert!(stdout.contains("message => 'list'"), "{stdout} {stderr}");
}

/// A function has no effects beyond those that it had if it only returns an unknown result of another one, whatever its code may
/// declare otherwise.
#[test]
fn functions_return_unknown_results_of_others() {
    let function = "Puppet::Functions.create_function(:'m::f') do
  def f(declares)
    result = declares ? call_function('create_resources', 'notify', { 'b' => {} }) : call_function('m::unknown')
    result
  end
end
";
    let (stdout, stderr) = compiled(function, "notify { 'n': message => m::f(false) }\n");
    assert!(stdout.contains("message => unknown (the Ruby function 'm::unknown')"), "{stdout} {stderr}");
    assert!(!stderr.contains("skips code"), "{stderr}");
}

/// Whoever looks at an unknown value again and again exhausts a budget that the known value might not have exhausted.
#[test]
fn a_budget_that_unknown_values_exhaust_is_no_error() {
    let function = "Puppet::Functions.create_function(:'m::f') do
  def f(given)
    all = (1..100_000).to_a
    100_000.times { all.include?(1) }
    all.length
  end
end
";
    let (stdout, stderr) = compiled(
        function,
        "notify { 'n': message => m::f(m::unknown()) }\nnotify { 'o': message => m::f(1) }\n",
    );
    assert!(stdout.contains("message => unknown") && stderr.contains("steps"), "{stdout} {stderr}");
    assert!(stdout.contains("message => 100000"), "{stdout} {stderr}");
}

/// Global and class variables are in doubt once code that may set them was not evaluated to its end.
#[test]
fn kept_state_is_in_doubt_after_an_evaluation_that_ended_early() {
    let function = "Puppet::Functions.create_function(:'m::f') do
  def f(given, variable)
    $kept = ($kept || 0) + 1 if variable
    $kept = 9 if given
    variable ? $kept : 'constant'
  end
end
";
    let site = "notify { 'before': message => m::f(false, true) }
notify { 'doubt': message => m::f(m::unknown(), true) }
notify { 'after': message => m::f(false, true) }
notify { 'other': message => m::f(false, false) }
";
    let (stdout, stderr) = compiled(function, site);
    let message = |title: &str| {
        let at = stdout.find(&format!("Notify[{title}]")).unwrap_or_default();
        stdout[at..].lines().nth(1).unwrap_or_default().trim().to_owned()
    };
    assert_eq!(message("before"), "message => 1", "{stdout} {stderr}");
    assert!(message("doubt").starts_with("message => unknown"), "{stdout} {stderr}");
    assert!(message("after").starts_with("message => unknown"), "{stdout} {stderr}");
    assert_eq!(message("other"), "message => 'constant'", "{stdout} {stderr}");
}

/// The lines of the messages of `notify` resources, by title.
fn messages<'a>(stdout: &'a str, titles: &[&str]) -> Vec<&'a str> {
    let message = |title: &&str| {
        let at = stdout.find(&format!("Notify[{title}]")).unwrap_or_default();
        stdout[at..].lines().nth(1).unwrap_or_default().trim()
    };
    titles.iter().map(message).collect()
}

/// A library that was not evaluated to its end may define anything, also for the next function that needs it.
#[test]
fn libraries_that_are_not_evaluated_to_their_ends_stay_unknown() {
    let folder = Folder::new(&[
        (
            "modules/m/lib/half.rb",
            b"module Half; end\nclass Own < Hash; end\nmodule Half; def self.x = 5; end\n",
        ),
        (
            "modules/m/lib/puppet/functions/m/f.rb",
            b"require_relative '../../../half'\nPuppet::Functions.create_function(:'m::f') do\n  def f = Half.x\nend\n",
        ),
        (
            "modules/m/lib/puppet/functions/m/g.rb",
            b"require_relative '../../../half'\nPuppet::Functions.create_function(:'m::g') do\n  def g = (Half.x rescue 'caught')\nend\n",
        ),
        (
            "modules/m/lib/puppet/functions/m/h.rb",
            b"Puppet::Functions.create_function(:'m::h') do\n  def h = [Half.x, Half::Other]\nend\n",
        ),
        (
            "site.pp",
            b"notify { 'a': message => m::f() }\nnotify { 'b': message => m::g() }\nnotify { 'c': message => m::h() }\nnotify { 'd': message => m::f() }\n",
        ),
    ]);
    let arguments = ["compile", "--manifest", "site.pp", "--module-path", "modules", "--allow-incomplete"];
    let run = folder.marotte(&arguments);
    for message in messages(&run.stdout, &["a", "b", "c", "d"]) {
        assert!(message.starts_with("message => unknown"), "{} {}", run.stdout, run.stderr);
    }
}

/// `initialize` of a function is not run, so nothing is known about it.
#[test]
fn functions_with_initialize_are_unknown() {
    let function = "Puppet::Functions.create_function(:'m::f') do
  def initialize(closure_scope, loader)
    super
    @v = 41
  end
  def f = [@v]
end
";
    let (stdout, stderr) = compiled(function, "notify { 'n': message => m::f() }\n");
    let message = messages(&stdout, &["n"])[0];
    assert!(message.starts_with("message => unknown"), "{stdout} {stderr}");
}

/// The instance variables of a function, which it keeps, are in doubt once code that may set them was not evaluated to
/// its end. Those that the same call has set are known.
#[test]
fn instance_variables_of_functions_are_in_doubt_after_an_evaluation_that_ended_early() {
    let function = "Puppet::Functions.create_function(:'m::f') do
  def f(sets)
    @own = 'own'
    @kept = (@kept || 0) + 1 if sets
    [@own, sets ? @kept : 0]
  end
end
";
    let site = "notify { 'before': message => m::f(true) }
notify { 'doubt': message => m::unknown() }
notify { 'after': message => m::f(true) }
notify { 'other': message => m::f(false) }
";
    let (stdout, stderr) = compiled(function, site);
    let found = messages(&stdout, &["before", "after", "other"]);
    assert_eq!(found[0], "message => ['own', 1]", "{stdout} {stderr}");
    assert!(found[1].starts_with("message => unknown"), "{stdout} {stderr}");
    assert_eq!(found[2], "message => ['own', 0]", "{stdout} {stderr}");
}

/// Attributes that a conversion of the title computes never get the unconverted text.
#[test]
fn titles_with_conversions_are_unknown() {
    for pattern in
        ["lambda { |x| x.downcase }", "proc { |x| x.to_sym }", "->(x) { x.chomp('/') }", "method(:up)"]
    {
        let declared = format!(
            "Puppet::Type.newtype(:converted) do
  newparam(:path, :namevar => true)
  def self.up(x) = x.upcase
  def self.title_patterns
    [[/^(.*?)\\/*\\Z/m, [[:path, {pattern}]]]]
  end
end
"
        );
        let folder = Folder::new(&[
            ("modules/m/lib/puppet/type/converted.rb", declared.as_bytes()),
            ("site.pp", b"converted { '/Title': }\nnotify { 'n': }\n"),
        ]);
        let arguments =
            ["compile", "--manifest", "site.pp", "--module-path", "modules", "--allow-incomplete"];
        let run = folder.marotte(&arguments);
        assert!(run.stderr.contains("title patterns"), "{pattern}: {} {}", run.stdout, run.stderr);
        assert!(!run.stdout.contains("path => '/Title'"), "{pattern}: {}", run.stdout);
    }
}
