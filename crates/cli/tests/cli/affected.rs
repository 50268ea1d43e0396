//! `marotte impact` compiles again what read something that is different, and nothing else has other catalogs.
//!
//! Each seed makes a few changes of a small control repository. The report has to be that of compiling all nodes from both trees.
//! `MAROTTE_SEEDS=1000` tries more of them.

use crate::support::{Folder, Run};

/// So many seeds are tried.
const SEEDS: u64 = 20;

const FILES: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = site:modules\n"),
    (
        "manifests/site.pp",
        "File { owner => 'root' }\nnode /^web/ { include web }\nnode /^db/ { include db, tree }\nnode /^x/ { include base, app, tree }\nnode /^app/ { include app }\nnode default { include base }\n",
    ),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: node\n    path: \"nodes/%{trusted.certname}.yaml\"\n  - name: role\n    path: \"roles/%{facts.role}.yaml\"\n  - name: common\n    path: common.yaml\n",
    ),
    ("data/common.yaml", "base::motd: hello\nweb::port: 80\ndb::size: 1\n"),
    ("data/roles/db.yaml", "db::size: 2\n"),
    ("data/nodes/web2.yaml", "web::port: 8080\n"),
    (
        "modules/base/manifests/init.pp",
        "class base(String $motd) {\n  file { '/motd': content => epp('base/motd.epp', { 'text' => $motd }) }\n}\n",
    ),
    ("modules/base/templates/motd.epp", "<%- | String $text | -%>\nWelcome\n<%= $text %>\n"),
    (
        "modules/web/manifests/init.pp",
        "class web(Web::Port $port) {\n  include base\n  web::site { 'a': port => web::shift($port) }\n  notify { web::label('x'): }\n}\n",
    ),
    (
        "modules/web/manifests/site.pp",
        "define web::site($port) {\n  file { \"/${title}\": content => template('web/site.erb'), mode => '0644' }\n}\n",
    ),
    ("modules/web/templates/site.erb", "listen <%= @port %>\n"),
    ("modules/web/types/port.pp", "type Web::Port = Integer[1, 65535]\n"),
    ("modules/web/functions/shift.pp", "function web::shift(Integer $port) {\n  $port + 1\n}\n"),
    (
        "modules/web/lib/puppet/functions/web/label.rb",
        "Puppet::Functions.create_function(:'web::label') do\n  def label(text)\n    text.upcase + '!'\n  end\nend\n",
    ),
    (
        "modules/db/manifests/init.pp",
        "class db(Integer $size) {\n  include base\n  if $facts['kernel'] == 'Linux' {\n    notify { \"size ${size}\": }\n  }\n  file { '/db': content => file('db/conf') }\n}\n",
    ),
    ("modules/db/files/conf", "a = 1\n"),
    ("modules/unused/manifests/init.pp", "class unused { }\n"),
    ("site/README.md", "\n"),
    (
        "modules/tree/manifests/init.pp",
        "class tree {\n  file { '/first': source => [\"puppet:///modules/tree/${facts['role']}\", 'puppet:///modules/tree/any'] }\n  file { '/folder': source => 'puppet:///modules/tree/folder', recurse => true, ignore => '*.orig' }\n  file { '/all': source => ['puppet:///modules/tree/folder', 'puppet:///modules/tree/second'], recurse => remote, sourceselect => all }\n  file { '/extra': source => 'puppet:///extra/file' }\n}\n",
    ),
    ("modules/tree/files/any", "one\ntwo\n"),
    ("modules/tree/files/db", "database\n"),
    ("modules/tree/files/folder/a", "a\n"),
    ("modules/tree/files/folder/sub/b", "b\n"),
    ("modules/tree/files/second/a", "shadowed\n"),
    ("modules/tree/files/second/c", "c\n"),
    (
        "modules/app/manifests/init.pp",
        "class app(Hash $users, Array $list = []) {\n  include app::params\n  $users.each |$name, $it| { app::user { $name: * => $it } }\n  App::User <| tag == 'app' |> { shell => $app::params::shell }\n  notify { \"${lookup('app::deep')} ${app::params::shell} ${app_old('x')} ${list}\": }\n  file { '/app': content => file('app/none', 'app/first') }\n  if defined('app::extra') { include app::extra }\n  app_thing { 'a': level => 1 }\n}\n",
    ),
    (
        "modules/app/manifests/params.pp",
        "class app::params {\n  $shell = $facts['kernel'] ? { 'Linux' => '/bin/sh', default => '/bin/csh' }\n}\n",
    ),
    (
        "modules/app/manifests/user.pp",
        "define app::user($uid, $shell = undef) {\n  user { $title: uid => $uid, shell => $shell }\n}\n",
    ),
    (
        "modules/app/hiera.yaml",
        "version: 5\nhierarchy:\n  - name: os\n    path: \"%{facts.kernel}.yaml\"\n  - name: all\n    glob: \"common/*.yaml\"\n",
    ),
    (
        "modules/app/data/common/a.yaml",
        "app::users:\n  one: { uid: 1 }\napp::deep: \"see %{lookup('app::word')}\"\napp::word: word\nlookup_options:\n  app::users: { merge: deep }\n",
    ),
    ("modules/app/data/FreeBSD.yaml", "app::users:\n  two: { uid: 2 }\n"),
    ("modules/app/files/first", "first\n"),
    (
        "modules/app/lib/puppet/parser/functions/app_old.rb",
        "module Puppet::Parser::Functions\n  newfunction(:app_old, :type => :rvalue) do |args|\n    args[0] * 2\n  end\nend\n",
    ),
    (
        "modules/app/lib/puppet/type/app_thing.rb",
        "Puppet::Type.newtype(:app_thing) do\n  newparam(:name, :namevar => true)\n  newparam(:level)\nend\n",
    ),
];

/// What may become of the repository: a path with a text to replace and its replacement; an empty text stands for the whole file,
/// which is new if there is none, and gone if its replacement is empty, too.
const CHANGES: &[Change] = &[
    ("manifests/site.pp", "'root'", "'admin'"),
    ("manifests/site.pp", "/^web/", "/^web[12]/"),
    ("manifests/site.pp", "node default", "# nothing\nnode default"),
    ("manifests/a.pp", "", "notify { 'everywhere': }\n"),
    ("data/common.yaml", "hello", "welcome"),
    ("data/common.yaml", "base::motd", "unused::other: 1\nbase::motd"),
    ("data/common.yaml", "web::port: 80", "web::port: 81"),
    ("data/common.yaml", "db::size: 1", "db::size: 3"),
    ("data/roles/db.yaml", "", ""),
    ("data/roles/web.yaml", "", "web::port: 443\n"),
    ("data/nodes/web1.yaml", "", "base::motd: special\n"),
    ("data/nodes/web2.yaml", "8080", "8081"),
    ("data/nodes/nobody.yaml", "", "base::motd: special\n"),
    ("hiera.yaml", "roles/%{facts.role}.yaml", "roles/%{facts.kernel}.yaml"),
    ("data/roles/Linux.yaml", "", "base::motd: linux\n"),
    ("environment.conf", "site:modules", "modules:site"),
    ("environment.conf", "modulepath", "# nothing\nmodulepath"),
    ("modules/base/manifests/init.pp", "'/motd'", "'/etc/motd'"),
    ("modules/base/manifests/init.pp", "class base", "# nothing\n\nclass base"),
    ("modules/base/templates/motd.epp", "Welcome", "Hello"),
    ("modules/web/manifests/init.pp", "include base", "contain base"),
    ("modules/web/manifests/site.pp", "0644", "0600"),
    ("modules/web/templates/site.erb", "listen", "port"),
    ("modules/web/types/port.pp", "65535", "1024"),
    ("modules/web/types/port.pp", "Integer[1, 65535]", "Integer[1, 65_535]"),
    ("modules/web/functions/shift.pp", "+ 1", "+ 2"),
    ("modules/web/functions/shift.pp", "", ""),
    ("modules/web/lib/puppet/functions/web/label.rb", "'!'", "'?'"),
    ("modules/web/lib/puppet/functions/web/label.rb", "text.upcase", "text.downcase"),
    (
        "modules/web/lib/puppet/functions/web/shift.rb",
        "",
        "Puppet::Functions.create_function(:'web::shift') do\n  def shift(port)\n    port + 9\n  end\nend\n",
    ),
    ("modules/db/manifests/init.pp", "'Linux'", "'linux'"),
    ("modules/db/files/conf", "a = 1", "a = 2"),
    ("modules/db/files/other", "", "unread\n"),
    ("modules/unused/manifests/init.pp", "{ }", "{ notify { 'x': } }"),
    ("site/base/manifests/init.pp", "", "class base($motd) { notify { \"site ${motd}\": } }\n"),
    ("site/base/templates/motd.epp", "", "unread\n"),
    ("site/db/files/conf", "", "a = 3\n"),
    ("site/unused/manifests/init.pp", "", "class unused { notify { 'site': } }\n"),
    ("modules/app/data/common/a.yaml", "uid: 1", "uid: 11"),
    ("modules/app/data/common/a.yaml", "merge: deep", "merge: first"),
    ("modules/app/data/common/a.yaml", "app::word: word", "app::word: other"),
    ("modules/app/data/common/b.yaml", "", "app::list: [b]\n"),
    ("modules/app/data/common/.b.yaml", "", "app::list: [hidden]\n"),
    ("modules/app/data/FreeBSD.yaml", "uid: 2", "uid: 22"),
    ("modules/app/data/Linux.yaml", "", "app::users:\n  three: { uid: 3 }\n"),
    ("data/common.yaml", "base::motd", "app::word: over\nbase::motd"),
    ("data/common.yaml", "base::motd", "lookup_options: { 'app::users': { merge: first } }\nbase::motd"),
    ("modules/app/hiera.yaml", "", ""),
    ("modules/app/hiera.yaml", "glob: \"common/*.yaml\"", "path: common/a.yaml"),
    ("modules/app/manifests/params.pp", "/bin/csh", "/bin/tcsh"),
    ("modules/app/manifests/params.pp", "'Linux'", "'linux', 'FreeBSD'"),
    ("modules/app/manifests/extra.pp", "", "class app::extra { notify { 'extra': } }\n"),
    ("modules/app/manifests/user.pp", "uid => $uid,", "uid => $uid, home => \"/home/${title}\","),
    ("modules/app/files/none", "", "none\n"),
    ("modules/app/files/first", "first", "1st"),
    ("site/app/files/first", "", "shadow\n"),
    ("site/app/data/common/a.yaml", "", "app::users: {}\napp::deep: site\n"),
    ("modules/app/lib/puppet/parser/functions/app_old.rb", "* 2", "* 3"),
    (
        "modules/app/lib/puppet/functions/app_old.rb",
        "",
        "Puppet::Functions.create_function(:app_old) do\n  def app_old(x)\n    'new'\n  end\nend\n",
    ),
    ("modules/app/lib/puppet/type/app_thing.rb", "newparam(:level)", "newparam(:other)"),
    ("modules/app/lib/puppet/type/app_thing.rb", "newparam(:level)", "newparam(:level) { defaultto 3 }"),
    ("modules/app/types/unread.pp", "", "type App::Unread = String\n"),
    ("modules/base/lib/puppet/functions/web/label.rb", "", "# a comment\n"),
    ("modules/tree/files/any", "two", "three"),
    ("modules/tree/files/db", "", ""),
    ("modules/tree/files/other", "", "other\n"),
    ("modules/tree/files/unread", "", "unread\n"),
    ("modules/tree/files/folder/a", "a", "A"),
    ("modules/tree/files/folder/sub/b", "", ""),
    ("modules/tree/files/folder/sub/new", "", "new\n"),
    ("modules/tree/files/folder/new.orig", "", "ignored by one\n"),
    ("modules/tree/files/second/a", "shadowed", "still shadowed"),
    ("modules/tree/files/second/c", "c", "C"),
    ("modules/tree/manifests/init.pp", "recurse => true", "recurse => true, recurselimit => 1"),
    ("modules/tree/manifests/init.pp", "puppet:///extra/file", "http://example.com/file"),
    ("site/tree/files/any", "", "not the module's\n"),
    (
        "site/tree/manifests/init.pp",
        "",
        "class tree { file { '/first': source => 'puppet:///modules/tree/any' } }\n",
    ),
    ("manifests/site.pp", "File {", "$kernel = 'x'\nFile {"),
    ("functions/shift.pp", "", "function environment::shift($x) { $x }\n"),
];

/// Possible changes of the facts of nodes, in the same form.
const FACTS: &[(&str, &str, &str)] = &[
    ("db1", "role: db", "role: web"),
    ("web1", "kernel: Linux", "kernel: FreeBSD"),
    ("web2", "kernel: Linux", "unread: fact\nkernel: Linux"),
    ("web3", "kernel: FreeBSD", "kernel: Linux"),
    ("x1", "role: other", "role: db"),
    ("app2", "kernel: FreeBSD", "kernel: [1, 2]"),
];

/// The numbers of a seed.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

const NODES: [(&str, &str); 7] = [
    ("app1", "app"),
    ("app2", "app"),
    ("db1", "db"),
    ("web1", "web"),
    ("web2", "web"),
    ("web3", "other"),
    ("x1", "other"),
];

pub(crate) fn folder() -> Folder {
    let folder = Folder::new(&[]);
    for (node, role) in NODES {
        let kernel = if ["web3", "app2"].contains(&node) { "FreeBSD" } else { "Linux" };
        let facts = format!("role: {role}\nkernel: {kernel}\n");
        folder.write(&format!("facts/{node}.yaml"), facts.as_bytes());
        folder.write(&format!("facts-before/{node}.yaml"), facts.as_bytes());
    }
    for (path, text) in FILES {
        folder.write(&format!("before/{path}"), text.as_bytes());
        folder.write(&format!("after/{path}"), text.as_bytes());
    }
    folder
}

fn change(folder: &Folder, (path, from, to): &(&str, &str, &str)) {
    let path = format!("after/{path}");
    let known = FILES.iter().any(|(it, _)| path.ends_with(&format!("after/{it}")));
    match (*from, *to) {
        ("", "") => {
            let _ = std::fs::remove_file(folder.path(&path));
        }
        ("", text) => folder.write(&path, text.as_bytes()),
        (from, to) if known && std::path::Path::new(&folder.path(&path)).exists() => {
            let text = String::from_utf8(folder.read(&path)).unwrap();
            folder.write(&path, text.replace(from, to).as_bytes());
        }
        _ => {}
    }
}

/// A change of a file: its path, a text in it, and what takes its place.
pub(crate) type Change = (&'static str, &'static str, &'static str);

/// Returns trees and facts before and after the changes of a seed, these changes, and further numbers.
pub(crate) fn seeded(seed: u64) -> (Folder, Vec<&'static Change>, Numbers) {
    let folder = folder();
    let (changes, numbers) = change_by(&folder, seed);
    (folder, changes, numbers)
}

/// Makes the changes of a seed.
pub(crate) fn change_by(folder: &Folder, seed: u64) -> (Vec<&'static Change>, Numbers) {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let changes: Vec<_> = (0..=numbers.below(3)).map(|_| &CHANGES[numbers.below(CHANGES.len())]).collect();
    for it in &changes {
        change(folder, it);
    }
    if numbers.below(4) == 0 {
        let (node, from, to) = FACTS[numbers.below(FACTS.len())];
        let path = format!("facts/{node}.yaml");
        let text = String::from_utf8(folder.read(&path)).unwrap();
        folder.write(&path, text.replace(from, to).as_bytes());
    }
    (changes, numbers)
}

fn impact(folder: &Folder, options: &[&str]) -> Run {
    let arguments =
        ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts", "--output-format", "json"];
    folder.marotte(&[&arguments[..], options].concat())
}

/// How many nodes were compiled from the code after, as the verbose output says it.
fn compiled(run: &Run) -> usize {
    let line = run.stderr.lines().find(|it| it.ends_with("nodes read something that is different"));
    line.and_then(|it| it.split(' ').next()).and_then(|it| it.parse().ok()).unwrap()
}

#[test]
fn what_read_nothing_that_is_different_has_equal_catalogs() {
    let seeds = std::env::var("MAROTTE_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(SEEDS);
    let (mut spared, mut changed) = (0, 0);
    for seed in 1..=seeds {
        let (folder, changes, mut numbers) = seeded(seed);
        let at_a_time = (1 + numbers.below(NODES.len())).to_string();
        let facts = ["--from-facts-dir", "facts-before"];
        let some = impact(&folder, &[&facts[..], &["--verbose", "--nodes-at-a-time", &at_a_time]].concat());
        let all = impact(&folder, &[&facts[..], &["--compile-all"]].concat());
        assert_eq!(some.stdout, all.stdout, "seed {seed}: {changes:?}");
        assert_eq!(some.status, all.status, "seed {seed}: {changes:?}");
        assert_ne!(some.status, 2, "seed {seed}: {changes:?}: {}", some.stderr);
        if some.stderr.contains("nodes read something") {
            spared += NODES.len() - compiled(&some);
        }
        changed += usize::from(some.status != 0);
        only_touched_nodes_change(&folder, &changes, &all, seed);
    }
    // Both happen, or nothing is shown by this.
    assert!(
        spared > usize::try_from(seeds).unwrap() && changed > usize::try_from(seeds).unwrap() / 4,
        "{spared} spared, {changed} changed"
    );
}

/// Checks that `affected` names, before a change of files, all nodes whose catalogs the change alters.
fn only_touched_nodes_change(folder: &Folder, changes: &[&(&str, &str, &str)], all: &Run, seed: u64) {
    let report: serde_json::Value = serde_json::from_str(&all.stdout).unwrap();
    let paths: Vec<String> = changes.iter().map(|(path, ..)| format!("before/{path}")).collect();
    let arguments = ["affected", "--environment-dir", "before", "--facts-dir", "facts"];
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let run = folder.marotte(&[&arguments[..], &paths].concat());
    assert_ne!(run.status, 2, "seed {seed}: {}", run.stderr);
    let same_facts = |name: &str| {
        let facts = |folder_name: &str| folder.read(&format!("{folder_name}/{name}.yaml"));
        facts("facts") == facts("facts-before")
    };
    for node in report["nodes"].as_array().unwrap() {
        let name = node["name"].as_str().unwrap();
        let is_spared = run.stdout.lines().all(|it| it != name) && same_facts(name);
        let is_same =
            ["unchanged", "failing-still", "not-fully-known"].iter().any(|it| node["verdict"] == *it);
        assert!(!is_spared || is_same, "seed {seed}: {changes:?}: {name}\n{}", run.stdout);
    }
}

#[test]
fn a_change_of_a_file_touches_those_who_read_it_or_look_for_it() {
    let folder = folder();
    let run = |changes: &[&str]| {
        let arguments = ["affected", "--environment-dir", "before", "--facts-dir", "facts"];
        let run = folder.marotte(&[&arguments[..], changes].concat());
        (run.status, run.stdout.lines().map(str::to_owned).collect::<Vec<_>>().join(" "))
    };
    let all = "app1 app2 db1 web1 web2 web3 x1";
    assert_eq!(run(&["before/modules/db/files/conf"]), (1, "db1".to_owned()));
    assert_eq!(run(&["before/data/nodes/web1.yaml"]), (1, "web1".to_owned()));
    assert_eq!(run(&["before/modules/app/data/Linux.yaml"]), (1, "app1 x1".to_owned()));
    assert_eq!(
        run(&["before/modules/unused/manifests/init.pp", "before/site/README.md"]),
        (0, String::new())
    );
    assert_eq!(run(&["before/manifests/site.pp"]), (1, all.to_owned()));
    assert_eq!(run(&["before/manifests/new.pp"]), (1, all.to_owned()));
    assert_eq!(run(&["before/environment.conf"]), (1, all.to_owned()));
    assert_eq!(run(&["before/site/db/files/conf"]), (1, "db1".to_owned()));
    assert_eq!(run(&["facts/x1.yaml"]), (1, "x1".to_owned()));
    // A folder changes with everything in it; a module may have any Ruby.
    assert_eq!(run(&["before/modules/db/files"]), (1, "db1".to_owned()));
    assert_eq!(run(&["before/modules/db"]), (1, all.to_owned()));
    assert_eq!(run(&["before/modules"]), (1, all.to_owned()));
    assert_eq!(run(&["--node", "web1", "--node", "web1", "before/modules"]), (1, "web1".to_owned()));
    assert_eq!(run(&["--node", "none", "before/manifests/site.pp"]), (2, String::new()));

    let outside = "after/manifests/site.pp";
    let arguments = ["affected", "--environment-dir", "before", "--facts-dir", "facts", outside];
    let outside = folder.marotte(&arguments);
    let note = "note: after/manifests/site.pp is outside of the code, the data and the facts: no catalog depends on it\n";
    assert!(outside.stderr.starts_with(note), "{}", outside.stderr);
}

/// The answers are those of `impact` for a change that git lists as these paths.
#[test]
fn folders_links_and_lists_of_paths_are_changes_too() {
    let folder = Folder::new(&[
        ("tree/manifests/site.pp", b"include a\nif find_file('b/sub') { notify { 'b': } }\n"),
        ("tree/site/.keep", b""),
        ("tree/modules/a/manifests/init.pp", b"class a { }\n"),
        ("tree/modules/b/files/sub/only", b""),
        ("tree/.git/HEAD", b""),
        ("tree/facts/n.yaml", b"a: 1\n"),
        ("tree/enc/n.yaml", b"classes: []\n"),
    ]);
    let run = |before: &str, after: &[&str], paths: &[&str]| {
        folder.write("tree/environment.conf", before.as_bytes());
        let arguments = ["affected", "--environment-dir", "tree", "--facts-dir", "tree/facts"];
        folder.marotte(&[&arguments[..], after, paths].concat())
    };
    let site = "modulepath = site:modules\n";
    for (before, after, path, expected) in [
        // A link to a module, a module in Ruby alone, one that nothing looks for.
        (site, &[][..], "tree/site/a", 1),
        (site, &[], "tree/site/a/lib/x.rb", 1),
        // Its Ruby may take precedence over that of others.
        (site, &[], "tree/site/other", 1),
        (site, &[], "tree/site/other/lib/puppet", 1),
        (site, &[], "tree/site/other/data", 0),
        ("", &[], "tree/site/a", 0),
        // The folder of a file goes with it.
        ("", &[], "tree/modules/b/files/sub/only", 1),
        ("", &[], "tree/environment.conf", 1),
        ("", &[], "tree/Puppetfile", 1),
        ("", &["--enc-output", "tree/enc"], "tree/enc/n.yaml", 1),
        ("", &["--enc-output", "tree/enc"], "tree/enc/other.yaml", 0),
    ] {
        let run = run(before, after, &[path]);
        assert_eq!(run.status, expected, "{path}: {run:?}");
    }
    let arguments = ["affected", "--environment-dir", "tree", "--facts-dir", "tree/facts", "-"];
    for list in ["tree/modules/x\ntree/manifests/site.pp\n", "tree/modules/x\0tree/manifests/site.pp\0"] {
        let run = folder.marotte_with_input(&arguments, list.as_bytes());
        assert_eq!((run.status, run.stdout.as_str()), (1, "n\n"), "{run:?}");
    }
    // Within a repository, git lists paths from its root.
    let within = |path: &str| {
        let mut command =
            folder.command(&["affected", "--environment-dir", "..", "--facts-dir", "../facts", path]);
        let output = command.current_dir(folder.path("tree/site")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (status, told) = within("manifests/site.pp");
    assert!(status == Some(2) && told.contains("`git diff --relative`"), "{told}");
    let (status, told) = within("\"manifests/\\303.pp\"");
    assert!(status == Some(2) && told.contains("`-z`"), "{told}");
    // One that was deleted.
    let (status, told) = within("manifests/gone.pp");
    assert!(status == Some(2) && told.contains("`git diff --relative`"), "{told}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("tree", folder.path("link")).unwrap();
        let arguments =
            ["affected", "--environment-dir", "link", "--facts-dir", "tree/facts", "tree/Puppetfile"];
        let run = folder.marotte(&arguments);
        assert_eq!(run.status, 1, "{run:?}");
    }
}

/// Other machines may have data that is not here: it is left out on both sides, and that is said.
#[test]
fn nodes_are_not_fully_known_if_data_outside_is_not_read() {
    let hierarchy: &[u8] =
        b"version: 5\nhierarchy:\n  - {name: p, datadir: ../private, path: p.yaml}\n  - {name: c, path: common.yaml}\n";
    let mut files: Vec<(String, &[u8])> = vec![("facts/n.yaml".to_owned(), b"a: 1\n")];
    for tree in ["before", "after"] {
        files.push((format!("{tree}/hiera.yaml"), hierarchy));
        files.push((format!("{tree}/data/common.yaml"), b"k: own\n"));
        files.push((format!("{tree}/manifests/site.pp"), b"notify { lookup('k'): }\n"));
    }
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    let folder = Folder::new(&files);
    let allowed = format!("--allow=read={}", folder.path("private"));
    for arguments in [
        &["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"][..],
        &["affected", "--environment-dir", "before", "--facts-dir", "facts", "before/data/other.yaml"],
    ] {
        let run = folder.marotte(arguments);
        assert_eq!(run.status, 3, "{run:?}");
        let told = format!("{}{}", run.stdout, run.stderr);
        assert!(told.contains("private is outside of the environment, and not read"), "{told}");
        // Whoever allows it takes what is there, or that there is nothing.
        let run = folder.marotte(&[arguments, &[&*allowed]].concat());
        assert_eq!(run.status, 0, "{run:?}");
    }
    // A link among the data leads there, too.
    #[cfg(unix)]
    {
        folder.write("after/hiera.yaml", b"version: 5\nhierarchy: [{name: c, glob: '**/*.yaml'}]\n");
        std::os::unix::fs::symlink("../../elsewhere", folder.path("after/data/link")).unwrap();
        let arguments = ["affected", "--environment-dir", "after", "--facts-dir", "facts", "after/README"];
        let run = folder.marotte(&arguments);
        assert!(run.status == 3 && run.stderr.contains("elsewhere is outside"), "{run:?}");
    }
}

/// What was not evaluated may read any file.
#[test]
fn nodes_that_are_not_fully_known_are_told() {
    let code =
        b"Puppet::Functions.create_function(:'a::r') do\n  def r\n    Dir.glob(File.join(__dir__, '*')).size\n  end\nend\n";
    let folder = Folder::new(&[
        ("tree/manifests/site.pp", b"notify { a::r(): }\n"),
        ("tree/modules/a/lib/puppet/functions/a/r.rb", code),
        ("tree/data/x.yaml", b""),
        ("facts/n.yaml", b"a: 1\n"),
    ]);
    let run = |more: &[&str]| {
        let arguments = ["affected", "--environment-dir", "tree", "--facts-dir", "facts", "tree/data/x.yaml"];
        folder.marotte(&[&arguments[..], more].concat())
    };
    let told = "0 of 1 nodes can be touched\n1 more are not fully known, and may read any file, such as n\n";
    // With and without what other runs have kept.
    for more in [&[][..], &[], &["--no-cache"], &["--reasons"]] {
        let run = run(more);
        assert_eq!((run.status, run.stderr.as_str()), (3, told), "{more:?}: {run:?}");
    }
    assert_eq!(run(&["--allow-incomplete"]).status, 0);
    let json: serde_json::Value = serde_json::from_str(&run(&["--format", "json"]).stdout).unwrap();
    assert_eq!(json["incomplete"], serde_json::json!(["n"]));
}

#[test]
fn reasons_are_the_files_that_a_node_reads() {
    let folder = folder();
    let files = [
        "before/modules/db/files/conf",
        "before/data/nodes/web1.yaml",
        "facts/x1.yaml",
        "before/data/roles/db.yaml",
        "before/site/README.md",
    ];
    let options = ["affected", "--environment-dir", "before", "--facts-dir", "facts", "--reasons"];
    let run = folder.marotte(&[&options[..], &files].concat());
    let expected = format!("db1: {}, {}\nweb1: {}\nx1: {}\n", files[0], files[3], files[1], files[2]);
    assert_eq!((run.status, run.stdout), (1, expected), "{}", run.stderr);
    assert!(run.stderr.ends_with("3 of 7 nodes can be touched\n"), "{}", run.stderr);
    let json = folder.marotte(&[&options[..], &["--format", "json"], &files].concat());
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["reasons"]["db1"], serde_json::json!([files[0], files[3]]));
}

#[test]
fn comments_and_unread_keys_compile_nothing() {
    for it in [
        ("modules/base/manifests/init.pp", "class base", "# nothing\n\nclass base"),
        ("data/common.yaml", "base::motd", "unused::other: 1\nbase::motd"),
        ("modules/unused/manifests/init.pp", "{ }", "{ notify { 'x': } }"),
    ] {
        let folder = folder();
        change(&folder, &it);
        let run = impact(&folder, &["--verbose"]);
        assert_eq!((run.status, compiled(&run)), (0, 0), "{it:?}: {}", run.stderr);
    }
    let folder = folder();
    change(&folder, &("data/nodes/web2.yaml", "8080", "8081"));
    let run = impact(&folder, &["--verbose"]);
    assert_eq!((run.status, compiled(&run)), (1, 1), "{}", run.stderr);
}
