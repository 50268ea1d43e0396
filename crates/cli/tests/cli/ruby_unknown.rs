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
