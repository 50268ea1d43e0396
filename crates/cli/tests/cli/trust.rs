//! Untrusted trees: targets of links, and files that are not regular files.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::support::{Folder, Run};

/// A text that occurs only in files outside of the tree.
const CANARY: &str = "kanarienvogel";

/// A tree, and files next to it that it must not access.
fn folder(files: &[(&str, &str)], links: &[(&str, &str)]) -> Folder {
    let bytes: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    let folder = Folder::new(&bytes);
    for (path, target) in links {
        let path = folder.path(path);
        fs::create_dir_all(std::path::Path::new(&path).parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }
    folder
}

/// A control repository with links of all kinds to files next to it.
fn linked() -> Folder {
    let broken = format!(
        "class m(Integer $port_{CANARY} = 1) {{\n  $x = '{CANARY}'\n  file {{ 'a': ensure = {CANARY} }}\n}}\n"
    );
    folder(
        &[
            ("outside/m/manifests/init.pp", &broken),
            ("outside/m/manifests/well.pp", &format!("class m::well(Integer $port_{CANARY} = 1) {{ }}\n")),
            ("outside/m/metadata.json", &format!("{{\"name\": \"x-m\", \"{CANARY}\": 1}}")),
            ("outside/broken.pp", &broken),
            ("outside/key", CANARY),
            ("outside/data.yaml", &format!("n::count: '{CANARY}'\n{CANARY}: [\n")),
            ("outside/good.yaml", &format!("n::count: '{CANARY}'\nn::well: '{CANARY}'\n")),
            ("tree/environment.conf", "modulepath = modules\n"),
            ("tree/manifests/site.pp", "class { 'm::well': port_kanarienvogl => 'x' }\ninclude n\n"),
            ("tree/modules/n/manifests/init.pp", "class n(Integer $count) { }\n"),
            (
                "tree/hiera.yaml",
                "version: 5\nhierarchy:\n  - name: all\n    paths: [broken.yaml, good.yaml]\n",
            ),
        ],
        &[
            ("tree/modules/m", "../../outside/m"),
            ("tree/manifests/broken.pp", "../../outside/broken.pp"),
            ("tree/manifests/key.pp", "../../outside/key"),
            ("tree/manifests/e.pp", "/proc/self/environ"),
            ("tree/proc", "/proc"),
            ("tree/data/broken.yaml", "../../outside/data.yaml"),
            ("tree/data/good.yaml", "../../outside/good.yaml"),
            ("tree/modules/n/metadata.json", "../../../outside/key"),
            ("tree/Puppetfile", "../outside/key"),
            ("tree/modules/.gitignore", "../../outside/key"),
        ],
    )
}

fn all_formats(folder: &Folder, arguments: &[&str]) -> Vec<Run> {
    let formats = ["full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit"];
    let run = |format: &&str| {
        let format = format!("--output-format={format}");
        let arguments: Vec<&str> = arguments.iter().copied().chain([format.as_str()]).collect();
        folder.run(&arguments, b"", &[("MAROTTE_TEST_SECRET", CANARY)])
    };
    formats.iter().map(run).collect()
}

fn rules(run: &Run) -> Vec<(String, String)> {
    let findings: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let text = |it: &serde_json::Value| it.as_str().unwrap().to_owned();
    findings.as_array().unwrap().iter().map(|it| (text(&it["file"]), text(&it["rule"]))).collect()
}

#[test]
fn nothing_is_shown_of_what_links_lead_to() {
    let folder = linked();
    for run in all_formats(&folder, &["check", "tree"]) {
        assert_eq!(run.status, 1, "{run:?}");
        assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{run:?}");
    }
    let run = folder.marotte(&["check", "tree", "--output-format=json"]);
    let found = rules(&run);
    let has = |file: &str, rule: &str| found.iter().any(|(at, it)| at == file && it == rule);
    // Findings in link targets are reported at the links.
    assert!(has("tree/modules/m", "syntax-error"), "{found:?}");
    assert!(has("tree/manifests/broken.pp", "syntax-error"), "{found:?}");
    // Files of other kinds are not read.
    assert!(has("tree/manifests/key.pp", "unreadable-file"), "{found:?}");
    assert!(has("tree/manifests/e.pp", "unreadable-file"), "{found:?}");
    assert!(has("tree/proc", "unreadable-file"), "{found:?}");
    assert!(folder.marotte(&["check", "tree"]).stdout.contains("no text from there is shown"));
    // Names defined in link targets are known.
    assert!(has("tree/manifests/site.pp", "unknown-parameter"), "{found:?}");
}

#[test]
fn nothing_is_shown_of_what_code_outside_computes() {
    let folder = folder(
        &[
            ("outside/m/functions/text.pp", "function m::text() { \"Pw1\\$xY2%z!Q\" }\n"),
            ("outside/m/functions/upper.pp", "function m::upper() { upcase('kanarienvogel') }\n"),
            ("outside/m/functions/size.pp", "function m::size(Integer[12345, 67890] $p) { }\n"),
            ("outside/m/functions/match.pp", "function m::match(Pattern[/kanarienvogel/] $p) { }\n"),
            ("outside/m/functions/word.pp", "function m::word(Enum[\"it's kanarienvogel\"] $p) { }\n"),
            ("outside/m/functions/call.pp", "function m::call() { kanarienvogel::x()\n 'kanarienvogel' }\n"),
            ("tree/environment.conf", "modulepath = modules\n"),
            (
                "tree/manifests/site.pp",
                "$a = m::text() + 1\n$b = m::upper() + 1\nm::size(5)\nm::match('a')\nm::word('a')\n$c = m::call() + 1\n$d = 'own \\'text\\'' + 1\n",
            ),
        ],
        &[("tree/modules/m", "../../outside/m")],
    );
    for run in all_formats(&folder, &["check", "tree"]) {
        for hidden in [CANARY, "KANARIENVOGEL", "Pw1", "12345", "67890"] {
            assert!(!run.stdout.contains(hidden) && !run.stderr.contains(hidden), "{hidden}: {run:?}");
        }
    }
    let run = folder.marotte(&["check", "--output-format=concise", "tree"]);
    assert_eq!(run.stdout.matches("error").count(), 7, "{run:?}");
    assert!(run.stdout.contains("The value 'own 'text'' cannot be converted"), "{run:?}");
}

#[test]
fn a_configuration_outside_is_used_and_not_quoted() {
    let folder = folder(
        &[
            ("outside/good.toml", "exit-zero = true\n"),
            ("outside/keys.toml", &format!("{CANARY} = 1\n")),
            ("outside/rules.toml", &format!("select = [\"{CANARY}\"]\n")),
            ("outside/broken.toml", &format!("color = {CANARY}\n")),
            ("outside/key", &format!("{CANARY} = 1\n")),
            ("tree/manifests/site.pp", "$a = )\n"),
        ],
        &[],
    );
    let named = |target: &str| {
        let link = folder.path("tree/marotte.toml");
        let _gone = fs::remove_file(&link);
        symlink(folder.path(&format!("outside/{target}")), &link).unwrap();
        let linked = folder.marotte(&["check", "tree"]);
        fs::remove_file(&link).unwrap();
        folder.write("tree/marotte.toml", format!("extends = \"../outside/{target}\"\n").as_bytes());
        [linked, folder.marotte(&["check", "tree"])]
    };
    for run in named("good.toml") {
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{run:?}");
    }
    for target in ["keys.toml", "rules.toml", "broken.toml", "key"] {
        for run in named(target) {
            assert_eq!(run.status, 2, "{run:?}");
            assert!(run.stderr.contains(&format!("/outside/{target}, which is not a ")), "{run:?}");
            assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{run:?}");
        }
    }
}

#[test]
fn constructs_outside_are_not_shown() {
    let function = format!(
        "Puppet::Functions.create_function(:'m::f') do\n  def f\n    Puppet::Util::Execution.{CANARY}\n  end\nend\n"
    );
    let own = "Puppet::Functions.create_function(:'n::f') do\n  def f\n    Socket.gethostname\n  end\nend\n";
    let folder = folder(
        &[
            ("outside/m/lib/puppet/functions/m/f.rb", &function),
            ("outside/broken.erb", &format!("<% {CANARY} = ( %>\n")),
            ("outside/key", &format!("{CANARY} = (\n")),
            ("tree/modules/n/metadata.json", "{}"),
            ("tree/modules/n/lib/puppet/functions/n/f.rb", own),
        ],
        &[
            ("tree/modules/m", "../../outside/m"),
            ("tree/modules/n/templates/broken.erb", "../../../../outside/broken.erb"),
            ("tree/modules/n/lib/puppet/functions/n/key.rb", "../../../../../../../outside/key"),
        ],
    );
    for format in ["--format=full", "--format=concise", "--format=json"] {
        let run = folder.marotte(&["ruby", format, "tree"]);
        assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{run:?}");
        assert!(!run.stdout.contains(CANARY), "{run:?}");
        assert!(run.stdout.contains("Socket.gethostname"), "{run:?}");
        let hidden = "something outside of the tree, which is not shown";
        assert!(run.stdout.matches(hidden).count() > 2, "{run:?}");
        let named = folder.marotte(&["ruby", format, "outside"]);
        assert!(named.stdout.contains(CANARY), "{named:?}");
    }
}

#[test]
fn a_migration_quotes_nothing_outside() {
    for name in [".puppet-lint.rc", "Rakefile"] {
        let rc = format!("--{CANARY}\nPuppetLint.configuration.send('disable_{CANARY}')\n");
        let link = format!("tree/{name}");
        let folder = folder(&[("outside/key", &rc), ("tree/a.pp", "")], &[(&link, "../outside/key")]);
        let run = folder.marotte(&["migrate", "puppet-lint", "tree"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(run.stderr.contains("is outside of the tree, and not read"), "{run:?}");
        assert!(!run.stderr.contains(CANARY), "{run:?}");
    }
}

#[test]
fn what_is_named_may_be_shown() {
    let folder = linked();
    let run = folder.marotte(&["check", "tree", "outside"]);
    assert!(run.stdout.contains(CANARY), "{}", run.stdout);
}

#[test]
fn nothing_that_leaves_an_untrusted_tree_is_followed() {
    let folder = linked();
    folder.write("tree/marotte.toml", b"ignore = [\"all\"]\nexit-zero = true\n");
    for run in all_formats(&folder, &["check", "--untrusted", "tree"]) {
        assert_eq!(run.status, 1, "{run:?}");
        assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{run:?}");
        assert!(run.stderr.contains("marotte.toml is not read"), "{run:?}");
    }
    let found = rules(&folder.marotte(&["check", "--untrusted", "tree", "--output-format=json"]));
    for link in ["modules/m", "manifests/broken.pp", "manifests/e.pp", "proc", "data/good.yaml", "Puppetfile"]
    {
        let named = (format!("tree/{link}"), "link-leaves-tree".to_owned());
        assert!(found.contains(&named), "{link}: {found:?}");
    }
    let run = folder.marotte(&["check", "--untrusted", "--ignore=all", "tree"]);
    assert!(run.stdout.contains("link-leaves-tree"), "{}", run.stdout);
}

#[test]
fn fixes_stay_in_the_tree() {
    let folder = linked();
    let before = folder.read("outside/broken.pp");
    folder.write("tree/manifests/own.pp", b"user { 'a':\n  ensure = present,\n}\n");
    let run = folder.marotte(&["check", "--fix", "tree"]);
    assert_eq!(folder.read("tree/manifests/own.pp"), b"user { 'a':\n  ensure => present,\n}\n", "{run:?}");
    assert_eq!(folder.read("outside/broken.pp"), before);
    let run = folder.marotte(&["check", "--diff", "tree"]);
    assert!(!run.stdout.contains(CANARY), "{run:?}");
}

#[test]
fn what_is_no_regular_file_is_not_opened() {
    let folder = folder(
        &[
            (
                "modules/m/manifests/init.pp",
                "class m {\n  $a = m::f()\n  $b = epp('m/t.epp')\n  $c = template('m/t.erb')\n}\n",
            ),
            ("environment.conf", ""),
            ("manifests/site.pp", "include m\n"),
        ],
        &[("modules/m/manifests/zero.pp", "/dev/zero")],
    );
    let pipes = [
        ".gitignore",
        "Puppetfile",
        "hiera.yaml",
        "modules/m/metadata.json",
        "modules/m/manifests/pipe.pp",
        "modules/m/templates/t.epp",
        "modules/m/templates/t.erb",
        "modules/m/lib/puppet/functions/m/f.rb",
        "modules/m/data/common.yaml",
    ];
    for pipe in pipes {
        let path = folder.path(pipe);
        fs::create_dir_all(std::path::Path::new(&path).parent().unwrap()).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    }
    for arguments in [
        &["check", "."][..],
        &["check", "--untrusted", "."],
        &["compile", "--environment-dir", "."],
        &["eval", "-e", "m::f()"],
        &["lookup", "m::x"],
    ] {
        let run = folder.marotte(arguments);
        assert_ne!(run.status, 0, "{arguments:?}: {run:?}");
    }
    let run = folder.marotte(&["check", "--ignore=all", "."]);
    for name in
        ["manifests/pipe.pp", "manifests/zero.pp", ".gitignore", "Puppetfile", "metadata.json", "f.rb"]
    {
        assert!(run.stdout.contains(name), "{name}: {}", run.stdout);
    }
}

#[test]
fn data_that_cannot_be_read_is_not_passed_over() {
    let folder = folder(
        &[
            ("environment.conf", ""),
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - name: all\n    globs: ['nodes/*.yaml', 'common.yaml']\n",
            ),
            ("data/common.yaml", "m::a: 1\n"),
            ("data/nodes/readme.md", ""),
        ],
        &[],
    );
    let run = folder.marotte(&["lookup", "m::a"]);
    assert_eq!((run.status, run.stdout.contains('1')), (0, true), "{run:?}");
    assert!(Command::new("mkfifo").arg(folder.path("data/nodes/n.yaml")).status().unwrap().success());
    let run = folder.marotte(&["lookup", "m::a"]);
    assert!(run.status != 0 && run.stderr.contains("n.yaml"), "{run:?}");
}

#[test]
fn evaluation_reads_outside_only_what_is_allowed_and_says_how() {
    let folder = folder(
        &[
            ("outside/m/functions/f.pp", "function m::f() { 'kanarienvogel' }\n"),
            ("outside/m/files/x", "kanarienvogel"),
            ("outside/key", "kanarienvogel"),
            ("outside/site/site.pp", "notice('kanarienvogel')\n"),
            ("outside/more/o/functions/f.pp", "function o::f() { 'kanarienvogel' }\n"),
            ("tree/environment.conf", "modulepath = modules:../outside/more\nmanifest = ../outside/site\n"),
            ("tree/modules/n/functions/f.pp", "function n::f() { file('n/key') }\n"),
        ],
        &[("tree/modules/m", "../../outside/m"), ("tree/modules/n/files/key", "../../../../outside/key")],
    );
    let tree = folder.path("tree");
    for code in ["notice(m::f())", "notice(n::f())", "notice(file('m/x'))", "notice(o::f())"] {
        let run = |allowed: &[String]| {
            let mut command = folder.command(&["eval", "-e", code]);
            command.args(allowed).current_dir(&tree);
            let output = command.output().unwrap();
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
        };
        let refused = run(&[]);
        assert!(!refused.contains(CANARY), "{code}: {refused}");
        let advice = refused.split('`').filter_map(|it| it.strip_prefix("--allow read="));
        let advice: Vec<String> = advice.map(|it| format!("--allow=read={it}")).collect();
        assert!(!advice.is_empty(), "{code}: {refused}");
        let allowed = run(&advice);
        assert!(allowed.contains(CANARY), "{code}: {advice:?} {allowed}");
    }
    let run = folder.marotte(&["compile", "--environment-dir", "tree"]);
    assert!(run.stderr.contains("the main manifest") && run.stderr.contains("--allow read="), "{run:?}");
    assert!(!run.stderr.contains(CANARY), "{run:?}");
    let allowed = format!("--allow=read={}", folder.path("outside/site"));
    let run = folder.marotte(&["compile", "--environment-dir", "tree", &allowed]);
    assert!(run.stderr.contains(CANARY), "{run:?}");
}

/// A level whose folder is outside and doesn't exist has no data, as on any machine without that folder. If there is such a folder,
/// its data is not left out: the lookup is refused until the folder is permitted.
#[test]
fn levels_outside_are_missing_only_without_their_folder() {
    let hierarchy = "version: 5
hierarchy:
  - {name: linked, path: secret/a.yaml}
  - {name: private, datadir: ../../private, paths: ['nodes/a.yaml', a.yaml]}
  - {name: many, datadir: ../../private, glob: 'many/*.yaml'}
  - {name: own, path: a.yaml}
";
    let folder = folder(
        &[("code/tree/hiera.yaml", hierarchy), ("code/tree/data/a.yaml", "a: own\n")],
        &[("code/tree/data/secret", "../../../hidden")],
    );
    let lookup = || folder.marotte(&["lookup", "--environment-dir", "code/tree", "a"]);
    let run = lookup();
    assert!(run.status == 0 && run.stdout.contains("own"), "{run:?}");
    for (path, target) in
        [("secret/a.yaml", "hidden"), ("nodes/a.yaml", "private/nodes"), ("many/*.yaml", "private/many")]
    {
        let told = format!(
            "'{path}' in hiera.yaml is taken as missing: it is outside of the modules, and there is no folder '"
        );
        let line = run.stderr.lines().find(|it| it.contains(&told));
        assert!(line.is_some_and(|it| it.ends_with(&format!("/{target}'"))), "{path}: {run:?}");
    }
    for there in ["hidden", "private/nodes", "private/many"] {
        folder.write(&format!("{there}/other.yaml"), b"a: kanarienvogel\n");
        let run = lookup();
        assert!(run.status == 1 && run.stderr.contains("--allow read="), "{there}: {run:?}");
        assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{there}: {run:?}");
        fs::remove_dir_all(folder.path(there.split('/').next().unwrap())).unwrap();
    }
}

/// A site, and folders of modules as Debian has them: links to alternatives, which are links to the modules.
fn with_alternatives() -> Folder {
    folder(
        &[
            (
                "available/a-one/manifests/init.pp",
                "class one { notice(one::code(), one_ruby(), one::new()) }\n",
            ),
            ("available/a-one/functions/code.pp", "function one::code() { 'kanarienvogel' }\n"),
            (
                "available/a-one/lib/puppet/parser/functions/one_ruby.rb",
                "Puppet::Parser::Functions.newfunction(:one_ruby, type: :rvalue) { |args| 'kanarienvogel' }\n",
            ),
            (
                "available/a-one/lib/puppet/functions/one/new.rb",
                "Puppet::Functions.create_function(:'one::new') do\n  def new() 'kanarienvogel' end\nend\n",
            ),
            (
                "available/a-one/lib/puppet/type/one_type.rb",
                "Puppet::Type.newtype(:one_type) { newparam(:name) }\n",
            ),
            ("available/two/manifests/init.pp", "class two { }\n"),
            ("available/three/manifests/init.pp", "class three { }\n"),
            ("available/four/manifests/init.pp", "class four { }\n"),
            ("site/manifests/site.pp", "include one\none_type { 'x': }\nnotice(one_ruby())\n"),
        ],
        &[
            ("alternatives/one", "../available/a-one"),
            ("modules/one", "../alternatives/one"),
            ("modules/two", "../available/two"),
            ("modules/three", "../available/three"),
            ("modules/four", "../available/four"),
        ],
    )
}

#[test]
fn modules_that_are_links_are_followed_as_far_as_that_is_permitted() {
    let folder = with_alternatives();
    let (available, modules) = (folder.path("available"), folder.path("modules"));
    let path = format!("--module-path={modules}");
    let run = folder.marotte(&["check", &path, "site"]);
    assert_eq!(run.status, 0, "{run:?}");
    let run = folder.marotte(&["check", "--untrusted", "--output-format=concise", &path, "site"]);
    assert!(run.stdout.contains("modules/one") && run.stdout.contains("link-leaves-tree"), "{run:?}");
    assert!(!run.stdout.contains("unresolved"), "{run:?}");

    let compile = |more: &[&str]| {
        let mut arguments = vec!["compile", "--environment-dir=site", "--format=json", &path];
        arguments.extend(more);
        folder.marotte(&arguments)
    };
    let option = format!("--allow read={available}");
    let refused = compile(&[]);
    assert_eq!(refused.status, 1, "{refused:?}");
    let warning = format!(
        "warning: 4 modules in {modules} are not read, because they are links to the outside (four, one, three, …); `{option}` allows it"
    );
    assert!(refused.stderr.contains(&warning), "{refused:?}");
    assert!(!refused.stderr.contains("Unknown") && !refused.stderr.contains(CANARY), "{refused:?}");
    let allowed = compile(&[&format!("--allow=read={available}")]);
    assert_eq!(allowed.status, 0, "{allowed:?}");
    assert!(allowed.stderr.contains(CANARY) && !allowed.stderr.contains("not read"), "{allowed:?}");
    let advice = format!("`--allow read={available}/a-one` allows it");
    for code in
        ["notice(one_ruby())", "notice(one::new())", "one::code()", "one_type { 'x': }", "include one"]
    {
        folder.write("site/manifests/site.pp", code.as_bytes());
        let run = compile(&[]);
        assert!(run.stderr.contains(&advice), "{code}: {run:?}");
    }
}

#[test]
fn nothing_that_matters_is_passed_over_in_silence() {
    let files: [(&str, &[u8], &str); 11] = [
        ("modules/m/metadata.json", b"{ \"name\": ", "invalid-metadata"),
        ("modules/m/metadata.json", b"[]", "invalid-metadata"),
        ("modules/m/metadata.json", b"{ \"name\": \"\xff\" }", "invalid-utf8"),
        ("modules/m/lib/puppet/functions/m/f.rb", b"def f(\n  'x\nend\n", "invalid-ruby"),
        ("modules/m/lib/puppet/functions/m/f.rb", b"# \xff\xfe\n", "invalid-utf8"),
        ("Puppetfile", b"mod '\xff'\n", "invalid-utf8"),
        ("modules/m/lib/facter/f.rb", &[b'#'; 300 << 10], "file-too-large"),
        ("modules/m/tasks/t.json", b"{ \"parameters\": \"\xff\" }", "invalid-utf8"),
        ("modules/m/plans/p.yaml", b"steps: []\n# \xff\n", "invalid-utf8"),
        ("modules/m/templates/t.erb", b"caf\xe9\n", "invalid-utf8"),
        ("modules/m/templates/t.erb", b"\xff\xfec\0", "invalid-utf8"),
    ];
    for (path, bytes, rule) in files {
        let files =
            [("manifests/site.pp", b"".as_slice()), ("modules/m/manifests/init.pp", b"class m { }\n")];
        let folder = Folder::new(&[files.as_slice(), &[(path, bytes)]].concat());
        // The one rule that is left reads Ruby.
        let only = ["check", "--ignore=all", "--warn=unresolved-function", "--output-format=concise", "."];
        let run = folder.marotte(&only);
        assert_eq!(run.status, 1, "{path}: {run:?}");
        assert!(run.stdout.starts_with(path) && run.stdout.contains(rule), "{path}: {run:?}");
        let run = folder.marotte(&["check", &format!("--ignore={rule}"), "."]);
        assert_eq!(run.status, 2, "{path}: {run:?}");
    }
    let well = Folder::new(&[
        ("modules/m/manifests/init.pp", b"class m { }\n"),
        ("modules/m/metadata.json", b"{}"),
        ("modules/m/lib/puppet/functions/m/f.rb", b"Puppet::Functions.create_function(:'m::f') do\nend\n"),
        ("Puppetfile", b"mod 'x-m'\n"),
    ]);
    let run = well.marotte(&["check", "."]);
    assert_eq!((run.status, run.stdout.as_str().lines().count()), (0, 1), "{run:?}");
}

/// Control sequences of terminals and services, in a text of several lines.
const OBEYED: &str = "x\n::error::no\n##vso[task.complete]\n##teamcity[no]\n \u{1b}]0;no\u{7}\u{9b}2Jy\n";

/// The lines of a run that contain active control sequences.
fn obeyed(run: &Run) -> Vec<String> {
    let lines = run.stdout.lines().chain(run.stderr.lines());
    let is_obeyed = |it: &&str| {
        it.trim_start().starts_with("::error::no")
            || it.contains("##vso[")
            || it.contains("##teamcity[")
            || it.chars().any(|it| it.is_control() && it != '\t')
    };
    lines.filter(is_obeyed).map(str::to_owned).collect()
}

#[test]
fn nothing_in_output_is_obeyed() {
    let data = serde_json::json!({ "k": OBEYED, OBEYED: 1 }).to_string();
    let quoted = OBEYED.replace('\'', "");
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("hiera.yaml", b"version: 5\nhierarchy:\n  - name: a\n    path: a.json\n"),
        ("data/a.json", data.as_bytes()),
        (
            "manifests/site.pp",
            format!("notice('{quoted}')\nnotify {{ 'a': message => '{quoted}' }}\n").as_bytes(),
        ),
        ("broken.pp", format!("$x = '{quoted}\n::error::no\n##vso[a]\n").as_bytes()),
        ("##vso[a]::error::no.pp", b"$x = = 1"),
        ("t.epp", quoted.as_bytes()),
        ("lint/.puppet-lint.rc", b"--ignore-paths=##vso[a],b.pp\n"),
        ("loose.pp", format!("$x   =   1\n# ::error::no\n$y = '{quoted}'\n").as_bytes()),
    ]);
    let notice = format!("notice('{quoted}')");
    let fail = format!("fail('{quoted}')");
    let value = format!("'{quoted}'");
    let runs: [&[&str]; 28] = [
        &["check", "."],
        &["check", "--output-format=concise", "."],
        &["check", "--output-format=json", "."],
        &["check", "--output-format=json-lines", "."],
        &["check", "--output-format=sarif", "."],
        &["check", "--output-format=gitlab", "."],
        &["check", "--output-format=junit", "."],
        &["check", "--output-format=github", "."],
        &["check", "--diff", "."],
        &["check", "--verbose", "##vso[a]::error::no.pp"],
        &["format", "--diff", "loose.pp"],
        &["migrate", "puppet-lint", "--stdout", "lint"],
        &["parse", "broken.pp"],
        &["parse", "manifests/site.pp"],
        &["parse", "--format=json", "manifests/site.pp"],
        &["eval", "-e", &notice],
        &["eval", "-e", &fail],
        &["eval", "--print", "-e", &value],
        &["eval", "--print", "--format=json", "-e", &value],
        &["compile", "--environment-dir", "."],
        &["compile", "--environment-dir", ".", "--format=json"],
        &["lookup", "k"],
        &["lookup", "--explain", "k"],
        &["lookup", "::error::no\n##vso[a]"],
        &["epp", "render", "t.epp"],
        &["ide-dump", "broken.pp"],
        &["compile", "--format=::error::no\n##vso[a]\u{1b}"],
        &["::error::no\n##vso[a]\u{1b}"],
    ];
    for arguments in runs {
        let run = folder.marotte(arguments);
        assert_eq!(obeyed(&run), [""; 0], "{arguments:?}");
    }
    let run = folder.marotte(&["--raw", "epp", "render", "t.epp"]);
    assert_eq!(run.stdout, quoted);
    let run = folder.marotte(&["epp", "render", "t.epp"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
    assert!(run.stderr.contains("--raw"), "{run:?}");
}

#[test]
fn explanations_hide_what_becomes_sensitive() {
    let folder = folder(
        &[
            ("environment.conf", ""),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    paths: [a.yaml, b.yaml]\n"),
            (
                "data/a.yaml",
                "lookup_options:\n  m::password:\n    convert_to: Sensitive\n    merge: unique\n  '^m::deep':\n    convert_to: [Sensitive]\n  m::hash: {convert_to: [[Sensitive]]}\n  m::alias: {convert_to: M::Hidden}\nm::hash: {a: kanarienvogel}\nm::alias: kanarienvogel\nm::password: kanarienvogel\nm::deep: \"x%{lookup('m::part')}\"\nm::part: kanarienvogel\nm::open: finch\n",
            ),
            ("data/b.yaml", "m::password: kanarienvogel2\n"),
            ("modules/m/types/hidden.pp", "type M::Hidden = Sensitive[String]\n"),
        ],
        &[],
    );
    // Paths that lead nowhere, and conversions that fail, have seen the value, too.
    for key in ["m::password", "m::deep", "m::hash.nope", "m::hash.a.b", "m::hash", "m::alias"] {
        for more in [&[][..], &["--render-as=json"], &["--render-as=yaml"], &["--explain-options"]] {
            let arguments: Vec<&str> =
                ["lookup", "--explain", key].into_iter().chain(more.iter().copied()).collect();
            let run = folder.marotte(&arguments);
            assert!(run.status <= 1, "{arguments:?}: {run:?}");
            assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{arguments:?}: {run:?}");
        }
    }
    let run = folder.marotte(&["lookup", "--explain", "m::password"]);
    assert!(run.stdout.contains("Sensitive [value redacted]"), "{run:?}");
    let run = folder.marotte(&["lookup", "--explain", "m::open"]);
    assert!(run.stdout.contains("finch"), "{run:?}");
}

#[test]
fn findings_do_not_quote_lines_with_secrets() {
    let folder = folder(
        &[
            ("environment.conf", ""),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    path: a.yaml\n"),
            (
                "data/a.yaml",
                "lookup_options:\n  m::other:\n    convert_to: Sensitive\nm::password: kanarienvogel\nm::other: kanarienvogel\nm::count: ENC[PKCS7,kanarienvogel]\nm::misspelled: ENC[PKCS7,kanarienvogel]\nm::size: finch\n",
            ),
            (
                "modules/m/manifests/init.pp",
                "class m(Sensitive[String] $password, Integer $count = 1, Integer $size = 1, Sensitive[Enum['a']] $other = 'a') { }\n",
            ),
        ],
        &[],
    );
    for run in all_formats(&folder, &["check", "."]) {
        assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{run:?}");
        assert!(run.stdout.contains("value-type"), "{run:?}");
    }
    let run = folder.marotte(&["check", "."]);
    assert!(run.stdout.contains("the line may hold a secret"), "{run:?}");
    assert!(run.stdout.contains("finch"), "{run:?}");
}

#[test]
fn findings_hide_whatever_may_be_sensitive() {
    let check = |data: &str, format: &str, code: &str| {
        let folder = folder(
            &[
                ("environment.conf", ""),
                (
                    "hiera.yaml",
                    &format!(
                        "version: 5\nhierarchy:\n  - name: all\n    path: a.{format}\n    data_hash: {format}_data\n"
                    ),
                ),
                (&format!("data/a.{format}"), data),
                ("modules/m/types/hidden.pp", "type M::Hidden = Struct[{pw => Sensitive[String]}]\n"),
                ("modules/m/manifests/init.pp", code),
            ],
            &[],
        );
        for run in all_formats(&folder, &["check", "."]) {
            assert!(run.status == 1, "{code}, {data}: {run:?}");
            assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{code}, {data}: {run:?}");
        }
    };
    for (parameter, value) in [
        ("Optional[Sensitive[Integer]]", "kanarienvogel"),
        ("Variant[Sensitive[String], Integer]", "kanarienvogel"),
        ("Array[Sensitive[Integer]]", "[kanarienvogel]"),
        ("Hash[String, Sensitive[Integer]]", "\n  pw: kanarienvogel"),
        ("M::Hidden", "\n  pw: kanarienvogel"),
        ("Sensitive[M::Missing]", "\n  pw: &kanarienvogel [\n  port: 1"),
    ] {
        check(&format!("m::p: {value}\n"), "yaml", &format!("class m({parameter} $p) {{ }}\n"));
    }
    let class = "class m(Sensitive[String] $p) { }\n";
    // Repeated keys, and files that cannot be parsed.
    check("m::p: kanarienvogel\nm::p: kanarienvogel2\n", "yaml", class);
    check("m::p: \"kanarienvogel\\q\"\n", "yaml", class);
    check("m::p: >\n  some\n  kanarienvogel\n\tbad\n", "yaml", class);
    check("{\"m::p\":\n\"kanarienvogel\"\n\"m::q\": 1}", "json", class);
    check("a: 1\nb: \"DEC::PKCS7[kanarienvogel]!\\q\"\n", "yaml", class);
    // A lookup says that its value is a secret.
    check("secret: kanarienvogel\n", "yaml", "class m { $s = lookup('secret', Sensitive[Integer]) }\n");
    check("secret: kanarienvogel\n", "yaml", "class m { $s = lookup('secret', M::Hidden) }\n");
}
