//! `marotte impact` compiles again what read something that is different, and nothing else has other catalogs.
//!
//! Each seed makes a few changes of a small control repository. The report has to be that of compiling all nodes from both trees.
//! `MAROTTE_SEEDS=1000` tries more of them.

use crate::support::{Folder, Run};

/// So many seeds are tried.
const SEEDS: u64 = 40;

const FILES: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = site:modules\n"),
    (
        "manifests/site.pp",
        "File { owner => 'root' }\nnode /^web/ { include web }\nnode /^db/ { include db }\nnode default { include base }\n",
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
];

/// What may become of the repository: a path with a text to replace and its replacement; an empty text stands for the whole file,
/// which is new if there is none, and gone if its replacement is empty, too.
const CHANGES: &[(&str, &str, &str)] = &[
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
    ("functions/shift.pp", "", "function environment::shift($x) { $x }\n"),
];

/// The numbers of a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

fn folder() -> Folder {
    let folder = Folder::new(&[]);
    for (node, role) in [("db1", "db"), ("web1", "web"), ("web2", "web"), ("web3", "other"), ("x1", "other")]
    {
        let kernel = if node == "web3" { "FreeBSD" } else { "Linux" };
        let facts = format!("role: {role}\nkernel: {kernel}\n");
        folder.write(&format!("facts/{node}.yaml"), facts.as_bytes());
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
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let folder = folder();
        let changes: Vec<_> =
            (0..=numbers.below(3)).map(|_| &CHANGES[numbers.below(CHANGES.len())]).collect();
        for it in &changes {
            change(&folder, it);
        }
        let (some, all) = (impact(&folder, &["--verbose"]), impact(&folder, &["--compile-all"]));
        assert_eq!(some.stdout, all.stdout, "seed {seed}: {changes:?}");
        assert_eq!(some.status, all.status, "seed {seed}: {changes:?}");
        assert_ne!(some.status, 2, "seed {seed}: {changes:?}: {}", some.stderr);
        if some.stderr.contains("nodes read something") {
            spared += 5 - compiled(&some);
        }
        changed += usize::from(some.status != 0);
    }
    // Both happen, or nothing is shown by this.
    assert!(spared > usize::try_from(seeds).unwrap() && changed > 5, "{spared} spared, {changed} changed");
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
