//! `--allow ruby`: functions and templates in worker processes.
//!
//! The worker of most tests is a shell script that speaks the protocol, so that they don't need Ruby. Tests that need Ruby
//! report that they are skipped if it isn't installed.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, Run};

/// A construct that the interpreter does not implement.
const NEEDS_RUBY: &str = "ObjectSpace.count_objects";

const SITE: &[u8] = b"class m {
  $x = 'ex'
  notify { 'a': message => m::one('A') }
  notify { 'b': message => m::two('B') }
  notify { 'c': message => template('m/t.erb') }
}
include m
";

/// A worker, whose behaviour depends on the name of the function.
const WORKER: &str = r#"#!/bin/sh
say() { printf '%s\n%s' ${#1} "$1"; }
hear() { read n || exit 0; message=$(head -c $n); }
echo $$ >> "$(dirname "$0")/pids"
say '{"ready":{}}'
while hear; do
  case $message in
    *'"call"'*'"name":"m::one"'*) say '{"result":"one"}' ;;
    *'"call"'*'"name":"m/t.erb"'*)
      say '{"ask":{"what":"variable","name":"x"}}'
      hear
      case $message in
        '{"answer":"ex"}') say '{"result":"rendered with ex"}' ;;
        *) say '{"result":"wrong"}' ;;
      esac ;;
    *) BEHAVIOUR ;;
  esac
done
"#;

fn function(name: &str) -> String {
    format!(
        "Puppet::Functions.create_function(:'m::{name}') do
  dispatch(:run) {{ param 'String', :a }}
  def run(a)
    {NEEDS_RUBY}
    \"{name} #{{a}}\"
  end
end
"
    )
}

/// Writes a module with two functions and a template that need Ruby, and a worker whose function `m::two` does something
/// else.
fn folder(behaviour: &str) -> Folder {
    let template = format!("<% {NEEDS_RUBY} %><%= @x %>");
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", SITE),
        ("modules/m/lib/puppet/functions/m/one.rb", function("one").as_bytes()),
        ("modules/m/lib/puppet/functions/m/two.rb", function("two").as_bytes()),
        ("modules/m/templates/t.erb", template.as_bytes()),
        ("worker", WORKER.replace("BEHAVIOUR", behaviour).as_bytes()),
    ]);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path("worker"), mode).unwrap();
    folder
}

fn compile(folder: &Folder, more: &[&str]) -> Run {
    let allow = format!("ruby={}", folder.path("worker"));
    folder.marotte(
        &[&["compile", "--environment-dir", ".", "--allow", &allow, "--ruby-timeout", "2"], more].concat(),
    )
}

/// Returns the worker processes that are still running. Waits some time for all to end.
fn left_over(folder: &Folder) -> Vec<String> {
    let pids = String::from_utf8(folder.read("pids")).unwrap();
    let is_running = |pid: &str| {
        let status = std::fs::exists(format!("/proc/{pid}")).unwrap();
        status && Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status().unwrap().success()
    };
    let start = Instant::now();
    loop {
        let left: Vec<String> = pids.lines().filter(|it| is_running(it)).map(str::to_owned).collect();
        if left.is_empty() || start.elapsed() > Duration::from_secs(20) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn workers_compute_what_the_interpreter_does_not() {
    let folder = folder("say '{\"result\":[\"two\",{\"k\":1.5}]}'");
    let run = compile(&folder, &[]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    for value in ["message => 'one'", "message => ['two', {'k' => 1.5}]", "message => 'rendered with ex'"] {
        assert!(run.stdout.contains(value), "{value} in {}", run.stdout);
    }
    assert_eq!(left_over(&folder), [""; 0]);
    // One worker serves the whole evaluation.
    assert_eq!(String::from_utf8(folder.read("pids")).unwrap().lines().count(), 1);
}

#[test]
fn nothing_is_started_without_permission() {
    let folder = folder("say '{\"result\":1}'");
    let run = folder.marotte(&["compile", "--environment-dir", "."]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    assert!(!std::fs::exists(folder.path("pids")).unwrap());
    let run = compile(&folder, &["--no-ruby"]);
    let refusal = "error: `--no-ruby` and `--allow ruby` exclude each other\n";
    assert_eq!((run.status, run.stderr.as_str()), (2, refusal));
}

#[test]
fn a_worker_that_fails_costs_one_value_and_one_warning() {
    let behaviours = [
        ("kill -9 $$", "it ended with signal: 9 (SIGKILL)"),
        ("exit 7", "it ended with exit status: 7"),
        ("echo oh no >&2; exit 7", "it ended with exit status: 7: oh no"),
        ("sleep 1000", "it did not answer within 2 s"),
        ("while :; do :; done", "it did not answer within 2 s"),
        ("echo hello", "it wrote something that is not a message"),
        ("say '{\"what'", "it wrote something that is not a message"),
        ("say '{\"what\":1}'", "it sent an unexpected message"),
        ("printf '99999999999'", "it did not answer within 2 s"),
        ("yes", "it wrote something that is not a message"),
        ("exec >&-; sleep 1000", "it ended with signal: 9 (SIGKILL)"),
        ("while :; do echo chatter >&2; done", "it did not answer within 2 s: chatter"),
    ];
    for (behaviour, failure) in behaviours {
        let folder = folder(behaviour);
        let run = compile(&folder, &[]);
        assert_eq!(run.status, 3, "{behaviour}: {}", run.stderr);
        let failure = failure.strip_suffix(": chatter").unwrap_or(failure);
        let warning = format!("Warning: the worker of Ruby for m::two failed: {failure}");
        assert_eq!(run.stderr.matches(&warning).count(), 1, "{behaviour}: {}", run.stderr);
        // The next computation has another worker.
        assert!(run.stdout.contains("message => 'rendered with ex'"), "{behaviour}: {}", run.stdout);
        assert!(run.stdout.contains("message => unknown (the Ruby function 'm::two')"), "{}", run.stdout);
        assert_eq!(left_over(&folder), [""; 0], "{behaviour}");
    }
}

#[test]
fn what_a_worker_does_not_support_is_unknown_with_its_cause() {
    let folder = folder("say '{\"unsupported\":\"scope.compiler\"}'");
    let run = compile(&folder, &[]);
    assert_eq!(run.status, 3);
    let cause = "(modules/m/lib/puppet/functions/m/two.rb:4) is not implemented; in a worker of Ruby, scope.compiler is not supported";
    let stderr = run.stderr.replace(&folder.path(""), "");
    assert!(stderr.contains(cause), "{stderr}");
    assert!(!stderr.contains("failed"), "{stderr}");
}

#[test]
fn an_exception_in_a_worker_is_an_error_of_the_program() {
    let folder = folder("say '{\"raise\":{\"message\":\"wrong number\"}}'");
    let run = compile(&folder, &[]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("Error while evaluating a Function Call, wrong number"), "{}", run.stderr);
}

#[test]
fn a_program_that_is_no_worker_is_reported_once() {
    let folder = folder("");
    for (program, reason) in
        [("/bin/false", "does not start: it ended with"), ("none-of-this-name", "cannot be started")]
    {
        let allow = format!("ruby={program}");
        let run = folder.marotte(&["compile", "--environment-dir", ".", "--allow", &allow]);
        assert_eq!(run.status, 3, "{}", run.stderr);
        let start = format!("Warning: the worker `{program}` {reason}");
        assert_eq!(run.stderr.matches(&start).count(), 1, "{}", run.stderr);
    }
    let run = folder.marotte(&["compile", "--environment-dir", ".", "--allow", "ruby=/none/ruby"]);
    assert_eq!((run.status, run.stderr.as_str()), (2, "error: there is no file `/none/ruby`\n"));
}

#[test]
fn the_time_of_an_evaluation_bounds_its_workers() {
    let folder = folder("sleep 1000");
    let allow = format!("ruby={}", folder.path("worker"));
    let start = Instant::now();
    let run = folder.marotte(&["compile", "--environment-dir", ".", "--allow", &allow, "--timeout", "1"]);
    assert!(start.elapsed() < Duration::from_secs(15), "a worker alone may take 20 seconds");
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("it takes longer than 1 seconds"), "{}", run.stderr);
}

#[test]
fn a_template_is_rendered_by_a_worker() {
    let folder = folder("say '{\"result\":\"by the worker\"}'");
    let allow = format!("ruby={}", folder.path("worker"));
    let render = |arguments: &[&str]| folder.marotte(&[&["erb", "render", "m/t.erb"], arguments].concat());
    let run = render(&["--allow", &allow, "--values", "{x => 'ex'}"]);
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, "rendered with ex", ""));
    // Without permission, there is a hint, unless Ruby was ruled out.
    let hint = "hint: `--allow ruby` lets the installed Ruby evaluate what is not implemented";
    let run = render(&[]);
    assert_eq!((run.status, run.stderr.matches(hint).count()), (1, 1), "{}", run.stderr);
    for (arguments, hints) in [(&["--environment-dir", "."][..], 1), (&["--no-ruby"], 0)] {
        let run = folder.marotte(&[&["compile"], arguments].concat());
        assert_eq!((run.status, run.stderr.matches(hint).count()), (3, hints), "{}", run.stderr);
    }
    let code = ["eval", "--module-path", "modules", "-e", "m::one('a')"];
    assert_eq!(folder.marotte(&code).stderr.matches(hint).count(), 1);
}

#[test]
fn an_error_that_may_be_due_to_the_worker_is_quoted() {
    let folder = folder("say '{\"ended\":\"cannot load such file -- aws\"}'");
    let run = compile(&folder, &[]);
    assert_eq!(run.status, 3);
    let cause = "is not implemented; in a worker of Ruby: cannot load such file -- aws; 1 value is unknown";
    assert!(run.stderr.contains(cause), "{}", run.stderr);
}

#[test]
fn a_function_that_is_not_ruby_is_an_error() {
    let folder = folder("");
    folder.write(
        "modules/m/lib/puppet/functions/m/two.rb",
        b"Puppet::Functions.create_function(:'m::two') do\n  (\nend\n",
    );
    let run = folder.marotte(&["compile", "--environment-dir", "."]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("/m/two.rb' cannot be parsed: 3: "), "{}", run.stderr);

    // Ruby 3.2, which Puppet 8 brings, accepts this, although the parser does not know it.
    folder.write(
        "modules/m/lib/puppet/functions/m/two.rb",
        b"Puppet::Functions.create_function(:'m::two') do\n  def two(*)\n    other(*)\n  end\nend\n",
    );
    let run = folder.marotte(&["compile", "--environment-dir", "."]);
    assert_eq!(run.status, 3, "{}", run.stderr);
}

#[test]
fn no_worker_is_left_when_marotte_is_killed() {
    let folder = folder("sleep 3");
    let allow = format!("ruby={}", folder.path("worker"));
    let mut marotte = folder
        .command(&["compile", "--environment-dir", ".", "--allow", &allow])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !std::fs::exists(folder.path("pids")).unwrap() {
        std::thread::sleep(Duration::from_millis(20));
    }
    marotte.kill().unwrap();
    marotte.wait().unwrap();
    assert_eq!(left_over(&folder), [""; 0]);
}

#[test]
fn a_result_is_remembered_as_long_as_what_it_read_is_the_same() {
    let folder = folder("say '{\"result\":1}'");
    folder.write("facts/a.yaml", b"kernel: Linux\n");
    folder.write("facts/b.yaml", b"kernel: Linux\n");
    // The worker counts the computations.
    let worker = WORKER
        .replace("while hear; do", "count=0\nwhile hear; do count=$((count + 1))")
        .replace("BEHAVIOUR", "say \"{\\\"result\\\":$count}\"");
    folder.write("worker", worker.as_bytes());
    let run = compile(&folder, &["--all", "--facts-dir", "facts", "--threads", "1"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout.matches("message => 2").count(), 2, "{}", run.stdout);
}

/// Checks that Ruby is installed. If it isn't, prints that the test is skipped, and returns None.
fn ruby(test: &str) -> Option<()> {
    let found = Command::new("ruby").arg("-v").stdout(Stdio::null()).status().is_ok_and(|it| it.success());
    #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
    if !found {
        eprintln!("{test} is skipped: there is no `ruby`");
    }
    found.then_some(())
}

const REAL: &str = r#"require 'm_helper'
Puppet::Functions.create_function(:'m::two', Puppet::Functions::InternalFunction) do
  dispatch(:run) do
    scope_param
    param 'Variant[String, Sensitive]', :a
    optional_block_param 'Callable[1, 1]', :block
    return_type 'Array'
  end
  def run(scope, a)
    ObjectSpace.count_objects
    puts 'chatter'
    $stderr.puts 'chatter'
    system('echo chatter')
    block = block_given? ? yield('given') : nil
    [a, scope['x'], call_function('length', [1, 2]), MHelper.help, closure_scope['facts']['kernel'], block, ENV['SECRET']]
  end
end
"#;

#[test]
fn the_installed_ruby_evaluates_functions_and_templates() {
    if ruby("the_installed_ruby_evaluates_functions_and_templates").is_none() {
        return;
    }
    let folder = folder("");
    folder.write("modules/m/lib/puppet/functions/m/two.rb", REAL.as_bytes());
    folder.write("modules/m/lib/m_helper.rb", b"module MHelper\n  def self.help\n    'helped'\n  end\nend\n");
    folder.write(
        "modules/m/lib/puppet/parser/functions/old.rb",
        b"module Puppet::Parser::Functions
  newfunction(:old, :type => :rvalue) do |args|
    return 'none' if ObjectSpace.count_objects.empty?
    \"#{args[0]} #{lookupvar('x')} #{function_sprintf(['%03d', 7])}\"
  end
end
",
    );
    folder.write(
        "manifests/site.pp",
        b"class m {
  $x = 'ex'
  notify { 'a': message => m::two('A') |$it| { \"${it} back\" } }
  notify { 'b': message => old('O') }
  notify { 'c': message => template('m/t.erb') }
  notify { 'd': message => m::two(Sensitive('hidden')) }
}
include m
",
    );
    folder.write("facts.yaml", b"kernel: Linux\n");
    let arguments = ["compile", "--environment-dir", ".", "--facts", "facts.yaml", "--allow", "ruby"];
    let run = folder.run(&arguments, b"", &[("SECRET", "of the user")]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let expected = [
        "message => ['A', 'ex', 2, 'helped', 'Linux', 'given back', undef]",
        "message => 'O ex 007'",
        "message => 'ex'",
        "message => [Instance of Sensitive[String], 'ex', 2, 'helped', 'Linux', undef, undef]",
    ];
    for value in expected {
        assert!(run.stdout.contains(value), "{value} in {}", run.stdout);
    }
    let run = folder.marotte(&[
        "eval",
        "--allow",
        "ruby",
        "--module-path",
        "modules",
        "--set",
        "x=7",
        "-p",
        "-e",
        "old('E')",
    ]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "'E 7 007'\n"), "{}", run.stderr);
}

/// The functions kill their worker at random. Each value is correct or unknown.
/// The expected values are those of Puppet 8.11.
#[test]
fn values_arrive_as_puppet_passes_them() {
    let puppet = Command::new("ruby").args(["-rpuppet", "-e", ""]).stderr(Stdio::null()).status();
    #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
    if !puppet.is_ok_and(|it| it.success()) {
        eprintln!("values_arrive_as_puppet_passes_them is skipped: there is no `ruby` with Puppet");
        return;
    }
    let folder = folder("");
    let one = function("one").replace("'String'", "'Any'").replace("\"one #{a}\"", "[a.class.name, a.to_s]");
    folder.write("modules/m/lib/puppet/functions/m/one.rb", one.as_bytes());
    let values = [
        (
            "Timestamp('2020-01-02T03:04:05 UTC')",
            "'Puppet::Pops::Time::Timestamp', '2020-01-02T03:04:05.000000000 UTC'",
        ),
        ("Timespan('1-02:03:04.5')", "'Puppet::Pops::Time::Timespan', '1-02:03:04.5'"),
        ("SemVer('1.2.3-rc1')", "'SemanticPuppet::Version', '1.2.3-rc1'"),
        ("SemVerRange('>=1.0.0 <2.0.0')", "'SemanticPuppet::VersionRange', '>=1.0.0 <2.0.0'"),
        ("URI('http://a/b')", "'URI::HTTP', 'http://a/b'"),
        ("Binary('aGVsbG8=')", "'Puppet::Pops::Types::PBinaryType::Binary', 'aGVsbG8='"),
        ("File['/tmp/x']", "'Puppet::Pops::Types::PResourceType', 'File[\\'/tmp/x\\']'"),
        ("Class['a']", "'Puppet::Pops::Types::PClassType', 'Class[a]'"),
        ("Enum['a']", "'Puppet::Pops::Types::PEnumType', 'Enum[\\'a\\']'"),
    ];
    let calls: Vec<String> = values.iter().map(|(value, _)| format!("m::one({value})")).collect();
    let calls = format!("[{}]", calls.join(", "));
    let run = folder.marotte(&["eval", "--allow", "ruby", "--module-path", "modules", "-p", "-e", &calls]);
    let expected: Vec<String> = values.iter().map(|(_, expected)| format!("[{expected}]")).collect();
    assert_eq!(run.stdout, format!("[{}]\n", expected.join(", ")), "{}", run.stderr);
    // What needs the types of a server is refused.
    let code = ["eval", "--allow", "ruby", "--module-path", "modules", "-e", "m::one(Array[File['x']])"];
    let run = folder.marotte(&code);
    assert!(
        run.stderr.contains("in a worker of Ruby, Puppet.lookup(:loaders) is not supported"),
        "{}",
        run.stderr
    );
}

#[test]
fn workers_that_are_killed_at_random_change_no_value() {
    if ruby("workers_that_are_killed_at_random_change_no_value").is_none() {
        return;
    }
    let runs: usize = std::env::var("RUBY_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(4);
    let folder = folder("");
    let killer = function("one").replace(
        NEEDS_RUBY,
        &format!(
            "File.write('{}', \"#{{Process.pid}}\\n\", mode: 'a')\n    Process.kill(:KILL, Process.pid) if rand < 0.3\n    {NEEDS_RUBY}",
            folder.path("pids")
        ),
    );
    folder.write("modules/m/lib/puppet/functions/m/one.rb", killer.as_bytes());
    folder.write(
        "manifests/site.pp",
        b"['a', 'b', 'c', 'd'].each |$i| { notify { $i: message => m::one($i) } }\n",
    );
    for _ in 0..runs {
        let run = folder.marotte(&["compile", "--environment-dir", ".", "--allow", "ruby"]);
        let known = ["a", "b", "c", "d"]
            .into_iter()
            .filter(|it| run.stdout.contains(&format!("message => 'one {it}'")))
            .count();
        let unknown = run.stdout.matches("message => unknown (the Ruby function 'm::one')").count();
        assert_eq!(known + unknown, 4, "{}", run.stdout);
        assert_eq!(run.status, if unknown == 0 { 0 } else { 3 }, "{}", run.stderr);
    }
    assert_eq!(left_over(&folder), [""; 0]);
}

/// Writes the outside world for the tests of records: a file outside of the tree, a command, a worker, a secret.
fn world(folder: &Folder) {
    folder.write("code/environment.conf", b"");
    folder.write("code/modules/m/lib/puppet/functions/m/one.rb", function("one").as_bytes());
    folder.write(
        "code/modules/m/lib/puppet/functions/m/two.rb",
        function("two").replace("'String'", "'Any'").as_bytes(),
    );
    folder.write("code/modules/m/templates/t.erb", format!("<% {NEEDS_RUBY} %><%= @x %>").as_bytes());
    folder.write("outside/list/b", b"of the world\n");
    let site = format!(
        "class m {{
  $x = $facts['x']
  notify {{ 'a': message => m::one('A') }}
  notify {{ 'c': message => template('m/t.erb') }}
  notify {{ 'd': message => file('{0}/none', '{0}/list/b') }}
  notify {{ 'e': message => generate('/bin/echo', 'by a command') }}
  if $facts['more'] {{
    notify {{ 'f': message => m::two('F') }}
    notify {{ 'g': message => generate('/bin/echo', 'more') }}
  }}
  if $facts['secret'] {{ notify {{ 'h': message => m::two(Sensitive('hidden')) }} }}
  if $facts['elsewhere'] {{ notify {{ 'i': message => file('{0}/list/c') }} }}
}}
include m
",
        folder.path("outside")
    );
    folder.write("code/manifests/site.pp", site.as_bytes());
    folder.write("facts/n.yaml", b"x: ex\n");
    folder.write("facts/secret.yaml", b"x: ex\nsecret: true\n");
    folder.write("facts/other.yaml", b"x: other\nmore: true\n");
    folder.write("facts/elsewhere.yaml", b"x: ex\nelsewhere: true\n");
}

fn recorded(folder: &Folder, node: &str, more: &[&str]) -> Run {
    let own = ["compile", node, "--environment-dir", "code", "--facts-dir", "facts"];
    folder.marotte(&[&own[..], more].concat())
}

#[test]
fn a_record_answers_without_permissions() {
    let folder = folder("say '{\"result\":\"two\"}'");
    world(&folder);
    let (ruby, read) =
        (format!("ruby={}", folder.path("worker")), format!("read={}", folder.path("outside")));
    let allowed = ["--allow", &ruby, "--allow", &read, "--allow", "exec", "--record", "record.json"];
    let first = recorded(&folder, "n", &allowed);
    assert_eq!((first.status, first.stderr.as_str()), (0, ""));
    let record = folder.read("record.json");
    // The file outside and the worker no longer exist.
    folder.rename("outside", "away");
    folder.rename("worker", "away/worker");
    let replay = ["--replay", "record.json"];
    let second = recorded(&folder, "n", &replay);
    assert_eq!((second.status, second.stderr.as_str()), (0, ""));
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(folder.read("record.json"), record);

    // The tree may be at another path.
    folder.rename("code", "moved");
    let moved = folder.marotte(&[
        "compile",
        "n",
        "--environment-dir",
        "moved",
        "--facts-dir",
        "facts",
        "--replay",
        "record.json",
    ]);
    assert_eq!(moved.stdout.replace("/moved/", "/code/"), first.stdout);
    folder.rename("moved", "code");

    // Answers that weren't recorded are unknown, with the cause, or an error.
    let other = recorded(&folder, "other", &replay);
    assert_eq!(other.status, 3);
    for cause in [
        "no result of m/t.erb was recorded for this",
        "no result of m::two was recorded for this",
        "running '/bin/echo' with these arguments was not recorded in",
    ] {
        assert!(other.stderr.contains(cause), "{cause} in {}", other.stderr);
    }
    assert!(other.stdout.contains("message => 'one'"), "{}", other.stdout);
    let elsewhere = recorded(&folder, "elsewhere", &replay);
    assert_eq!(elsewhere.status, 3);
    assert!(
        elsewhere.stderr.contains("/outside/list/c', which is outside of the modules, was not recorded in"),
        "{}",
        elsewhere.stderr
    );
}

#[test]
fn a_record_is_the_same_each_time_and_shows_no_secret() {
    let folder = folder("say '{\"result\":{\"__ptype\":\"Sensitive\",\"__pvalue\":\"hidden too\"}}'");
    world(&folder);
    let (ruby, read) =
        (format!("ruby={}", folder.path("worker")), format!("read={}", folder.path("outside")));
    let allowed = ["--allow", &ruby, "--allow", &read, "--allow", "exec", "--record", "record.json"];
    let records: Vec<Vec<u8>> = (0..3)
        .map(|_| {
            let run = recorded(&folder, "secret", &allowed);
            assert_eq!(run.status, 0);
            let missing =
                "record.json does not have all results of m::two, because an argument is Sensitive\n";
            assert!(run.stderr.ends_with(missing), "{}", run.stderr);
            folder.read("record.json")
        })
        .collect();
    assert!(records[0] == records[1] && records[1] == records[2]);
    let text = String::from_utf8(records[0].clone()).unwrap();
    assert!(!text.contains("hidden"), "{text}");
    assert!(text.contains("by a command") && text.contains("of the world"), "{text}");
    let replayed = recorded(&folder, "secret", &["--replay", "record.json"]);
    assert_eq!(replayed.status, 3);
    assert!(replayed.stderr.contains("no result of m::two was recorded for this"), "{}", replayed.stderr);
}

#[test]
fn lookup_and_eval_record_too() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b""),
        ("hiera.yaml", b"version: 5\nhierarchy:\n  - {name: own, path: common.yaml}\n"),
        ("data/common.yaml", b"key: own\n"),
    ]);
    let eval = ["eval", "-p", "-e", "generate('/bin/echo', 'hello')"];
    let run = folder.marotte(&[&eval[..], &["--allow", "exec", "--record", "r.json"]].concat());
    assert_eq!((run.status, run.stdout.as_str()), (0, "\"hello\\n\"\n"), "{}", run.stderr);
    let run = folder.marotte(&[&eval[..], &["--replay", "r.json"]].concat());
    assert_eq!((run.status, run.stdout.as_str()), (0, "\"hello\\n\"\n"), "{}", run.stderr);
    let run = folder.marotte(&["lookup", "key", "--record", "l.json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(String::from_utf8(folder.read("l.json")).unwrap().contains("\"version\": 1"));
    assert_eq!(folder.marotte(&["lookup", "key", "--replay", "l.json"]).stdout, "--- own\n");
}

#[test]
fn what_is_no_record_is_refused() {
    let folder = Folder::new(&[
        ("bad.json", b"{"),
        ("other.json", b"{\"version\": 2}"),
        ("part.json", b"{\"version\": 1, \"ruby\": [1]}"),
    ]);
    for (file, reason) in [
        ("none.json", "none.json cannot be read: there is no such file"),
        ("bad.json", "bad.json is not JSON: "),
        ("other.json", "other.json is not a record of answers: its `version` is not 1"),
        ("part.json", "part.json is not a record of answers: ruby"),
    ] {
        let run = folder.marotte(&["eval", "-e", "1", "--replay", file]);
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
    for arguments in
        [&["repl", "--record", "r.json"][..], &["eval", "-e", "1", "--replay", "r", "--record", "r"]]
    {
        assert_eq!(folder.marotte(arguments).status, 2);
    }
}

/// Writes a tree with all three kinds of items, evaluated in all three ways.
fn surveyed() -> Folder {
    Folder::new(&[
        (
            "modules/m/lib/puppet/functions/m/plain.rb",
            b"require 'm_good'\nPuppet::Functions.create_function(:'m::plain') do\n  def plain(a)\n    MGood.help(a.map { |it| it.to_s }).join(',')\n  end\nend\n",
        ),
        ("modules/m/lib/m_good.rb", b"module MGood\n  def self.help(it)\n    it\n  end\nend\n"),
        (
            "modules/m/lib/puppet/functions/m/net.rb",
            b"require_relative '../../../m_bad'\nPuppet::Functions.create_function(:'m::net') do\n  def net(a)\n    Net::HTTP.get(a)\n    `ls`\n  end\nend\n",
        ),
        ("modules/m/lib/m_bad.rb", b"module MBad\n  def self.count\n    ObjectSpace.count_objects\n  end\nend\n"),
        (
            "modules/m/lib/puppet/parser/functions/old.rb",
            b"module Puppet::Parser::Functions\n  newfunction(:old, :type => :rvalue) { |args| args[0].upcase }\nend\n",
        ),
        (
            "modules/m/lib/puppet/functions/m/outside.rb",
            b"Puppet::Functions.create_function(:'m::outside') do\n  def outside\n    Puppet::Util::Execution.execute('id')\n    Socket.gethostname\n    IO.popen('id')\n    File.write('a', 'b')\n    Facter.value('kernel')\n    File.join('a', File.name, Puppet::Util.name)\n    Puppet::Util::Execution.unheard_of\n  end\nend\n",
        ),
        ("modules/m/templates/good.erb", b"<% @list.each do |it| -%>\n<%= it %>\n<% end -%>\n"),
        ("modules/m/templates/broken.erb", b"<% if @x %>\n"),
        ("modules/m/files/data.txt", b"text\n"),
    ])
}

#[test]
fn where_functions_and_templates_are_evaluated_is_listed() {
    let folder = surveyed();
    let run = folder.marotte(&["ruby"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let functions = "modules/m/lib/puppet/functions/m/net.rb";
    let outside = "modules/m/lib/puppet/functions/m/outside.rb";
    let expected = [
        format!(
            "function m::net needs `--allow ruby`\n  {functions}:4: Net::HTTP\n  {functions}:5: a command in backticks\n  modules/m/lib/m_bad.rb:3: ObjectSpace\n"
        ),
        // What the interpreter knows and refuses is not evaluated here.
        format!(
            "function m::outside needs `--allow ruby`\n  {outside}:3: Puppet::Util::Execution.execute\n  {outside}:4: Socket.gethostname\n  {outside}:5: IO.popen\n  {outside}:6: File.write\n  {outside}:7: Facter.value\n  {outside}:9: Puppet::Util::Execution.unheard_of\n"
        ),
        "template m/broken.erb is not evaluated\n  modules/m/templates/broken.erb:".to_owned(),
        "3 functions: 1 evaluated here, 2 with `--allow ruby`, 0 not at all
1 3.x function: 1 evaluated here, 0 with `--allow ruby`, 0 not at all
2 templates: 1 evaluated here, 0 with `--allow ruby`, 1 not at all\n"
            .to_owned(),
    ];
    for part in &expected {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    assert!(!run.stdout.contains("m::plain"), "{}", run.stdout);

    let run = folder.marotte(&["ruby", "modules/m/lib", "--format", "concise"]);
    assert_eq!(run.status, 3);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines[..4],
        [
            &format!("{functions}: function m::net: ruby: Net::HTTP ({functions}:4)"),
            &format!("{outside}: function m::outside: ruby: Puppet::Util::Execution.execute ({outside}:3)"),
            "modules/m/lib/puppet/functions/m/plain.rb: function m::plain: here",
            "modules/m/lib/puppet/parser/functions/old.rb: 3.x function old: here",
        ]
    );

    let run = folder.marotte(&["ruby", "modules/m/templates/good.erb", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let item = serde_json::json!({
        "kind": "template", "name": "m/good.erb", "file": "modules/m/templates/good.erb", "evaluated": "here", "needs": []
    });
    assert_eq!((run.status, &json["items"]), (0, &serde_json::json!([item])));
    assert_eq!(json["totals"]["template"], serde_json::json!({"here": 1, "ruby": 0, "never": 0}));
    assert_eq!(folder.marotte(&["ruby", "none"]).status, 2);
}

/// Items that are listed as evaluated here are evaluated here, and the others need Ruby.
#[test]
fn the_list_agrees_with_an_evaluation() {
    let folder = surveyed();
    let evaluated = |code: &str| folder.marotte(&["eval", "--module-path", "modules", "-p", "-e", code]);
    assert_eq!(evaluated("m::plain([1, 2])").stdout, "'1,2'\n");
    assert_eq!(evaluated("old('a')").stdout, "'A'\n");
    let run = evaluated("m::net('a')");
    assert!(run.stderr.contains("`Net` (") || run.stderr.contains("`Net::HTTP` ("), "{}", run.stderr);
}

/// A folder whose only code is a function `m::f` of this body, and a main manifest.
fn one_function(body: &str, site: &str) -> Folder {
    let function =
        format!("Puppet::Functions.create_function(:'m::f') do\n  def f\n    {body}\n  end\nend\n");
    Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", site.as_bytes()),
        ("modules/m/lib/puppet/functions/m/f.rb", function.as_bytes()),
    ])
}

#[test]
fn the_setting_strict_is_a_symbol() {
    let body = "raise 'too strict' if Puppet[:strict] == :error && Puppet.settings[:strict] == :error\n    'lenient'";
    let folder = one_function(body, "notify { 'a': message => m::f() }\n");
    let run = folder.marotte(&["compile", "--environment-dir", "."]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("too strict"), "{}", run.stderr);
    let run = folder.marotte(&["compile", "--environment-dir", ".", "--strict", "warning"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("message => 'lenient'"), "{}", run.stdout);
}

#[test]
fn a_string_of_bytes_is_binary_in_a_catalog() {
    let site = "user { 'a': password => Sensitive(m::f()), comment => [m::f()] }\n";
    let folder = one_function("'test'.crypt('$1$1')", site);
    let run = folder.marotte(&["compile", "--environment-dir", ".", "--format", "json"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let bytes = r#"{"__ptype":"Binary","__pvalue":"JDEkMSRCcDhDVTlPdWpyOVNTRXc1M1dWNkcu"}"#;
    let stdout: String = run.stdout.split_whitespace().collect();
    assert_eq!(stdout.matches(bytes).count(), 2, "{stdout}");
    // Its encoding decides what is computed from it.
    folder.write("manifests/site.pp", b"notify { 'a': message => \"x ${m::f()}\" }\n");
    let run = folder.marotte(&["compile", "--environment-dir", "."]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    // It is a `String` for parameters.
    folder.write("manifests/site.pp", b"class a(Integer $x) { }\nclass { 'a': x => m::f() }\n");
    let run = folder.marotte(&["compile", "--environment-dir", "."]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("expects an Integer value, got String"), "{}", run.stderr);
}

#[test]
fn an_error_in_a_template_points_at_its_line() {
    let folder = Folder::new(&[
        ("t.erb", b"first\n<% if true %>\nx <%= nil.foo %>\n<% end %>\n"),
        ("u.erb", b"a\n<%= 1 + %>\n"),
    ]);
    for (name, place, message) in [
        ("t.erb", "t.erb:3:1", "undefined method `foo' for nil:NilClass"),
        ("u.erb", "u.erb:2:1", "error[syntax-error]"),
    ] {
        let run = folder.marotte(&["erb", "render", name]);
        assert_eq!(run.status, 1);
        assert!(run.stderr.contains(place) && run.stderr.contains(message), "{}", run.stderr);
        assert!(!run.stderr.contains("<program>"), "{}", run.stderr);
    }
}
