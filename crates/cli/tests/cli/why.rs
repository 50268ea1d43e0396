//! `marotte why`: small trees of code, and the steps that are told of a value in them.

use serde_json::Value;

use crate::support::{Folder, Run};

const ENVIRONMENT: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: node\n    path: '%{facts.hostname}.yaml'\n  - name: common\n    path: common.yaml\n",
    ),
    ("facts.yaml", "hostname: web1\nos:\n  family: Debian\n"),
];

fn why(files: &[(&str, &str)], target: &[&str]) -> Run {
    let folder = Folder::new(&[]);
    for (path, text) in ENVIRONMENT.iter().chain(files) {
        folder.write(path, text.as_bytes());
    }
    folder.marotte(&[&["why", "--facts", "facts.yaml"], target].concat())
}

/// The values, the steps without the code, and the places, each with its indentation.
fn steps(run: &Run) -> Vec<String> {
    assert_eq!(run.status, 0, "{run:?}");
    let is_step =
        |it: &&str| it.contains("note[") || it.contains("┌─") || it.contains(" => ") && !it.contains('│');
    let line = |it: &str| match it.split_once("┌─ ") {
        Some((_, place)) => format!("@ {place}"),
        None => it.to_owned(),
    };
    run.stdout.lines().filter(is_step).map(line).collect()
}

/// The steps that lead to an attribute, without those to its resource.
fn attribute_steps(files: &[(&str, &str)], target: &str) -> Vec<String> {
    let all = steps(&why(files, &[target]));
    let first = all.iter().position(|it| it.contains(" => ")).unwrap();
    all[first..].to_vec()
}

fn site(code: &str) -> [(&'static str, &str); 1] {
    [("manifests/site.pp", code)]
}

#[test]
fn a_resource_is_followed_up_to_the_node() {
    let files = [
        ("manifests/site.pp", "node default {\n  include role\n}\n"),
        ("modules/role/manifests/init.pp", "class role {\n  contain base\n}\n"),
        ("modules/base/manifests/init.pp", "class base {\n  file { '/etc/motd': mode => '0644' }\n}\n"),
    ];
    let run = why(&files, &["File[/etc/motd]", "mode"]);
    assert_eq!(
        steps(&run),
        [
            "note[declaration]: File[/etc/motd] is declared in Class[Base]",
            "@ modules/base/manifests/init.pp:2:3",
            "note[contain]: Class[Base] is declared by `contain` in Class[Role]",
            "@ modules/role/manifests/init.pp:2:3",
            "note[include]: Class[Role] is declared by `include` in Node[default]",
            "@ manifests/site.pp:2:3",
            "note[node]: Node[default] is the definition that matches the node's name",
            "@ manifests/site.pp:1:1",
            "mode => '0644'",
            "note[attribute]: `mode` is set in the declaration in Class[Base]: '0644'",
            "@ modules/base/manifests/init.pp:2:23",
        ]
    );
    assert!(run.stdout.contains("2 │   file { '/etc/motd': mode => '0644' }"), "{}", run.stdout);
}

#[test]
fn defaults_of_types_have_dynamic_scope() {
    let files = [
        ("manifests/site.pp", "File { mode => '0600' }\ninclude base\n"),
        ("modules/base/manifests/init.pp", "class base {\n  file { '/a': }\n}\n"),
    ];
    assert_eq!(
        attribute_steps(&files, "File[/a][mode]"),
        [
            "mode => '0600'",
            "note[type-default]: `mode` is a default of `File`: '0600'",
            "@ manifests/site.pp:1:8"
        ]
    );
}

#[test]
fn defaults_of_bodies_and_hashes_are_told_apart() {
    let code = "$more = { owner => 'root' }\nfile {\n  default: mode => '0600';\n  '/a': * => $more;\n}\n";
    assert_eq!(
        attribute_steps(&site(code), "File[/a][mode]")[1..],
        [
            "note[body-default]: `mode` is set by the body `default:` of the declaration: '0600'",
            "@ manifests/site.pp:3:12"
        ]
    );
    assert_eq!(
        attribute_steps(&site(code), "File[/a][owner]")[1..],
        [
            "note[unfolded]: `owner` is an entry of the hash that `*` unfolds: 'root'",
            "@ manifests/site.pp:4:9",
            "  note[assignment]: `$more` is assigned: {'owner' => 'root'}",
            "@ manifests/site.pp:1:7",
        ]
    );
}

#[test]
fn overrides_name_what_they_replace() {
    let code = "class a { file { '/a': mode => '1', tag => 'x' } }\nclass b inherits a {\n  File['/a'] { mode => '2', tag +> 'y' }\n}\ninclude b\n";
    assert_eq!(
        attribute_steps(&site(code), "File[/a][mode]"),
        [
            "mode => '2'",
            "note[override]: an override in Class[B] sets `mode`: '2'",
            "@ manifests/site.pp:3:16",
            "note[attribute]: the earlier `mode` is set in the declaration in Class[A]: '1'",
            "@ manifests/site.pp:1:24",
        ]
    );
    let extended = attribute_steps(&site(code), "File[/a][tag]");
    assert!(extended[1].starts_with("note[override]: an override in Class[B] extends `tag`"), "{extended:?}");
}

#[test]
fn collectors_realize_and_override() {
    let code = "@file { '/a': mode => '1' }\nFile <| title == '/a' |> { mode => '2' }\n@file { '/b': }\nrealize(File['/b'])\n";
    assert_eq!(
        attribute_steps(&site(code), "File[/a][mode]")[1..3],
        ["note[collector]: an override of a collector sets `mode`: '2'", "@ manifests/site.pp:2:28"]
    );
    let declared = steps(&why(&site(code), &["File[/b]"]));
    assert_eq!(
        declared[..4],
        [
            "note[declaration]: File[/b] is declared",
            "@ manifests/site.pp:3:1",
            "note[realize]: File[/b] is virtual, and realized",
            "@ manifests/site.pp:4:1",
        ]
    );
}

#[test]
fn functions_that_declare_resources_are_named() {
    let code = "$all = { '/a' => { mode => '1' } }\ncreate_resources('file', $all)\n";
    assert_eq!(
        attribute_steps(&site(code), "File[/a][mode]")[1..],
        [
            "note[function]: `mode` is set by a call of `create_resources`: '1'",
            "@ manifests/site.pp:2:1",
            "  note[assignment]: `$all` is assigned: {'/a' => {'mode' => '1'}}",
            "@ manifests/site.pp:1:6",
        ]
    );
}

const NTP: &str = "class ntp(\n  Array $servers,\n  String $file = '/etc/ntp',\n) {\n  file { $file: content => join($servers, ',') }\n}\n";

#[test]
fn data_is_named_by_level_file_and_line() {
    let files = [
        ("manifests/site.pp", "include ntp\n"),
        ("modules/ntp/manifests/init.pp", NTP),
        ("data/common.yaml", "lookup_options:\n  ntp::servers:\n    merge: unique\nntp::servers: [a]\n"),
        ("data/web1.yaml", "other: 1\nntp::servers: [b]\n"),
    ];
    assert_eq!(
        attribute_steps(&files, "Class[ntp][servers]")[..6],
        [
            "servers => ['b', 'a']",
            "note[data]: `servers` is the value of the key `ntp::servers` of data, merged by `unique` of `lookup_options`: ['b', 'a']",
            "note[data-level]: `ntp::servers` is in the level `node` of the environment layer",
            "@ data/web1.yaml:2:1",
            "note[data-level]: `ntp::servers` is in the level `common` of the environment layer",
            "@ data/common.yaml:4:1",
        ]
    );
    let file = attribute_steps(&files, "Class[ntp][file]");
    assert_eq!(
        file[1],
        "note[parameter-default]: `file` has the default of the parameter in Class[Ntp]: '/etc/ntp'"
    );
    // The parameter of the class is read by the attribute of the file.
    let content = attribute_steps(&files, "File[/etc/ntp][content]");
    assert_eq!(content[1], "note[attribute]: `content` is set in the declaration in Class[Ntp]: 'b,a'");
    assert!(
        content.iter().any(|it| it.starts_with("  note[data]: `$servers` is the value of the key")),
        "{content:?}"
    );
}

#[test]
fn lookups_in_expressions_are_followed() {
    let files =
        [("manifests/site.pp", "file { '/a': mode => lookup('m') }\n"), ("data/common.yaml", "m: '0600'\n")];
    assert_eq!(
        attribute_steps(&files, "File[/a][mode]")[3..6],
        [
            "  note[data]: the key `m` of data: '0600'",
            "  note[data-level]: `m` is in the level `common` of the environment layer",
            "@ data/common.yaml:1:1",
        ]
    );
}

#[test]
fn variables_in_data_are_no_keys_of_data() {
    let files = [
        ("manifests/site.pp", "file { '/a': mode => lookup('m') }\n"),
        ("data/common.yaml", "other: 1\nm: \"0%{facts.none}%{lookup('n')}\"\nn: '600'\n"),
    ];
    assert_eq!(
        attribute_steps(&files, "File[/a][mode]")[3..],
        [
            "  note[data]: the key `m` of data: '0600'",
            "  note[data-level]: `m` is in the level `common` of the environment layer",
            "@ data/common.yaml:2:1",
            "  note[data-level]: `n` is in the level `common` of the environment layer",
            "@ data/common.yaml:3:1",
            r"  note[data-interpolation]: expressions are replaced in '0%{facts.none}%{lookup(\'n\')}'",
        ]
    );
}

#[test]
fn facts_and_variables_are_followed() {
    let code = "$family = $facts['os']['family']\n$mode = $family ? { 'Debian' => '1', default => $missing }\nfile { '/a': mode => $mode }\n";
    let all = attribute_steps(&site(code), "File[/a][mode]");
    assert_eq!(
        all,
        [
            "mode => '1'",
            "note[attribute]: `mode` is set in the declaration: '1'",
            "@ manifests/site.pp:3:14",
            "  note[assignment]: `$mode` is assigned: '1'",
            "@ manifests/site.pp:2:7",
            "    note[assignment]: `$family` is assigned: 'Debian'",
            "@ manifests/site.pp:1:9",
            "      note[fact]: `$facts.os.family` is a fact: 'Debian'",
        ]
    );
    let near = why(&site(code), &["File[/a][mode]", "--depth", "1"]).stdout;
    assert!(
        near.contains("1 value that it reads is not followed") && !near.contains("$family` is"),
        "{near}"
    );
}

#[test]
fn parameters_of_lambdas_and_defined_types_are_followed() {
    let code = "define d(String $m) {\n  file { \"/${title}\": mode => $m }\n}\n$all = { 'x' => '1' }\n$all.each |$name, $m| {\n  d { $name: m => $m }\n}\n";
    let all = attribute_steps(&site(code), "File[/x][mode]");
    let kinds: Vec<&str> = all.iter().filter(|it| it.contains("note[")).map(|it| it.trim()).collect();
    assert_eq!(
        kinds,
        [
            "note[attribute]: `mode` is set in the declaration in D[x]: '1'",
            "note[attribute]: `$m` is set in the declaration: '1'",
            "note[lambda-parameter]: `$m` is a parameter of a lambda: '1'",
            "note[assignment]: `$all` is assigned: {'x' => '1'}",
        ]
    );
}

#[test]
fn metaparameters_and_arrows_have_origins() {
    let code = "define a() {\n  file { '/a': }\n  file { '/b': }\n  File['/a'] ~> File['/b']\n}\na { 'x': noop => true }\n";
    let noop = attribute_steps(&site(code), "File[/a][noop]");
    assert_eq!(noop[1], "note[inherited]: `noop` is inherited from A[x]: true");
    assert_eq!(noop[2], "note[attribute]: `noop` of A[x] is set in the declaration: true");
    assert_eq!(
        attribute_steps(&site(code), "File[/a][notify]")[1..],
        ["note[arrow]: an arrow in A[x] adds File[/b] to `notify`", "@ manifests/site.pp:4:14"]
    );
    let target = why(&site(code), &["File[/b]"]).stdout;
    assert!(target.contains("note[arrow]: File[/a] notifies File[/b], by an arrow in A[x]"), "{target}");
}

#[test]
fn secrets_are_never_shown() {
    let literal = site("file { '/a': mode => '1', content => Sensitive('hunter2') }\n");
    for attribute in ["content", "mode"] {
        let run = why(&literal, &["File[/a]", attribute]);
        assert!(run.status == 0 && !run.stdout.contains("hunter2"), "{run:?}");
    }
    let code = "$plain = 'hunter2'\n$secret = Sensitive($plain)\nfile { '/a': content => $secret }\nfile { '/b': content => \"x${secret.unwrap}\" }\n";
    for (target, format) in
        [("File[/a]", "text"), ("File[/b]", "text"), ("File[/a]", "json"), ("File[/b]", "json")]
    {
        let run = why(&site(code), &[target, "content", "--output-format", format]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(
            !run.stdout.contains("hunter2") && run.stdout.contains("ensitive"),
            "{target} {}",
            run.stdout
        );
    }
}

#[test]
fn what_is_not_there_is_said_with_near_names() {
    let code = "file { '/etc/motd': mode => '1' }\n@user { 'ann': }\n";
    let run = why(&site(code), &["File[/etc/modt]"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("File[/etc/modt] is not in the catalog"), "{}", run.stderr);
    assert!(run.stderr.contains("did you mean File[/etc/motd]?"), "{}", run.stderr);
    let run = why(&site(code), &["User[ann]"]);
    assert!(run.status == 1 && run.stderr.contains("User[ann] is virtual"), "{}", run.stderr);
    let run = why(&site(code), &["File[/etc/motd]", "mod"]);
    assert!(run.status == 1 && run.stderr.contains("did you mean `mode`?"), "{}", run.stderr);
    let run = why(&site(code), &["motd"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    let run = why(&site("fail('no luck')\n"), &["File[/a]"]);
    assert!(run.status == 1 && run.stderr.contains("no luck"), "{}", run.stderr);
}

#[test]
fn unknown_values_have_a_reason() {
    let function =
        "Puppet::Functions.create_function(:'m::f') do\n  def f\n    File.exist?('/x')\n  end\nend\n";
    let files = [
        ("manifests/site.pp", "file { '/a': content => m::f() }\nif m::f() { file { '/b': } }\n"),
        ("modules/m/lib/puppet/functions/m/f.rb", function),
    ];
    let run = why(&files, &["File[/a]", "content"]);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(
        run.stdout.contains("note[unknown]: the value is not known, because of the Ruby function 'm::f'"),
        "{}",
        run.stdout
    );
    let run = why(&files, &["File[/b]"]);
    assert!(run.status == 1 && run.stderr.contains("the resource may exist nevertheless"), "{}", run.stderr);
}

#[test]
fn programs_read_the_same_steps() {
    let run =
        why(&site("$m = '1'\nfile { '/a': mode => $m }\n"), &["File[/a][mode]", "--output-format", "json"]);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&answer["version"], &answer["resource"]), (&1.into(), &"File[/a]".into()));
    let attribute = &answer["attributes"][0];
    assert_eq!((&attribute["name"], &attribute["value"]["value"]), (&"mode".into(), &"'1'".into()));
    let step = &attribute["steps"][1];
    assert_eq!((&step["step"], &step["depth"], &step["line"]), (&"assignment".into(), &1.into(), &1.into()));
    assert_eq!(step["file"], "manifests/site.pp");
}

#[test]
fn chains_and_crowds_have_limits() {
    let mut code = "$v0 = 'x'\n".to_owned();
    for index in 1..2_000 {
        code += &format!("$v{index} = \"${{v{}}}\"\n", index - 1);
    }
    code += "file { '/a': content => $v1999 }\n";
    let run = why(&site(&code), &["File[/a][content]", "--depth", "100000"]);
    assert!(run.status == 0 && run.stdout.contains("not recorded"), "{}", run.stdout.len());
    // Each value reads all that come before it.
    let mut code = "$v0 = 'x'\n".to_owned();
    for index in 1..60 {
        let all: Vec<String> = (0..index).map(|it| format!("$v{it}[0]")).collect();
        code += &format!("$v{index} = [{}].join('')\n", all.join(", "));
    }
    code += "file { '/a': content => $v59 }\n";
    let run = why(&site(&code), &["File[/a][content]", "--depth", "1000"]);
    assert!(run.status == 0 && run.stdout.matches("note[").count() <= 600, "{}", run.stdout.len());
}
