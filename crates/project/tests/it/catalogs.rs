//! Tests of the work that compiling catalogs avoids, and of the correctness of cached catalogs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_catalog::wire::{Envelope, Wire};
use marotte_db::Files;
use marotte_db::MemorySystem;
use marotte_db::testing::{EventLog, Ran};
use marotte_diagnostics::Sources as _;
use marotte_host::{CodeTree, Facts, Findings, Node, NodeInput, Policy, evaluate, rendered};
use marotte_pcore::value::{Hash, Value};
use marotte_project::{Applied, Fleet, ProjectDatabase};

/// A control repository with three nodes: two include `web`, one includes `db`.
const REPOSITORY: &[(&str, &str)] = &[
    ("/env/manifests/site.pp", "node /^web/ { include web }\nnode default { include db }\n"),
    (
        "/env/modules/web/manifests/init.pp",
        "class web(Integer $port = 80) {\n  web::vhost { 'a': text => epp('web/vhost.epp') }\n  notify { \"$port\": }\n}\n",
    ),
    (
        "/env/modules/web/manifests/vhost.pp",
        "define web::vhost($text) {\n  file { \"/$title\": content => $text }\n}\n",
    ),
    ("/env/modules/web/templates/vhost.epp", "listen\n"),
    ("/env/modules/web/templates/unused.epp", "nothing\n"),
    (
        "/env/modules/db/manifests/init.pp",
        "class db($size = 1) {\n  notify { \"$size on ${facts['kernel']}\": }\n}\n",
    ),
    ("/env/modules/unused/manifests/init.pp", "class unused { }\n"),
    (
        "/env/hiera.yaml",
        "version: 5\nhierarchy:\n  - name: node\n    path: \"nodes/%{trusted.certname}.yaml\"\n  - name: common\n    path: common.yaml\n",
    ),
    ("/env/data/common.yaml", "web::port: 8080\ndb::size: 2\nunused::x: 1\n"),
];

const NAMES: [&str; 3] = ["web1", "web2", "db1"];

struct Fixture {
    system: Arc<MemorySystem>,
    log: EventLog,
    fleet: Fleet,
    nodes: Vec<Node>,
}

fn tree() -> CodeTree {
    CodeTree { module_path: vec!["/env/modules".into()], environment: Some("/env".into()) }
}

fn manifests(system: &MemorySystem) -> Vec<Utf8PathBuf> {
    marotte_host::layout::main_manifests(system, "/env/manifests".into())
}

fn node(name: &str, facts: &[(&str, &str)]) -> NodeInput {
    let values: Hash = facts.iter().map(|(name, value)| ((*name).into(), Value::from(*value))).collect();
    NodeInput::new(Facts { name: Some(name.into()), values: Arc::new(values) })
}

const FACTS: &[(&str, &str)] = &[("kernel", "Linux"), ("uptime", "1 day")];

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Fixture {
        Fixture::over(MemorySystem::with_files(files.iter().copied()))
    }

    fn over(system: MemorySystem) -> Fixture {
        let system = Arc::new(system);
        let log = EventLog::default();
        let db = ProjectDatabase::with_event_log(system.clone(), Files::default(), &log);
        // One module is a link out of the tree in some of them.
        let policy = Policy { named: vec!["/src/puppet-web".into()], ..Policy::default() };
        let fleet = Fleet::new(db, &tree(), &manifests(&system), policy, 2);
        let nodes = NAMES.map(|name| fleet.add(node(name, FACTS))).to_vec();
        let fixture = Fixture { system, log, fleet, nodes };
        fixture.catalogs();
        fixture
    }

    fn catalogs(&self) -> Vec<String> {
        let catalogs = self.fleet.each(&self.nodes, |db, node| told(db, *node));
        catalogs.into_iter().map(Result::unwrap).collect()
    }

    /// Writes a file, applies the change, compiles all catalogs, and returns what ran for it.
    fn write(&mut self, path: &str, text: &str) -> Ran {
        self.system.write_file(path, text);
        self.touch(path).1
    }

    fn touch(&mut self, path: &str) -> (Applied, Ran) {
        self.log.take();
        let manifests = manifests(&self.system);
        let applied = self.fleet.apply(&[path].into_iter().collect(), &tree(), &manifests);
        self.catalogs();
        (applied, self.log.take())
    }

    /// The names of the nodes that were evaluated.
    fn evaluated(&self, ran: &Ran) -> Vec<&'static str> {
        let was_run = |(_, node): &(&str, &Node)| ran.was_run_for(self.fleet.db(), "evaluate", **node);
        NAMES.into_iter().zip(&self.nodes).filter(was_run).map(|(name, _)| name).collect()
    }
}

/// The catalog of a node as agents get it, with places, and the errors.
fn told(db: &ProjectDatabase, node: Node) -> String {
    let evaluation = evaluate(db, node);
    let mut findings = Findings::of(db, evaluation);
    let mut text = String::new();
    if let Some(catalog) = evaluation.compiled.catalog.clone() {
        let envelope = &Envelope { version: 0.into(), uuid: "0".into() };
        let catalog = &rendered(catalog, &mut findings);
        text = serde_json::to_string_pretty(&Wire { catalog, envelope }).expect("a catalog") + "\n";
    }
    for it in findings.diagnostics() {
        let at = findings.line_index(it.file).position(it.range.start());
        text += &format!("{}:{}:{} {}\n", findings.path(it.file), at.line, at.column, it.message);
    }
    text
}

#[test]
fn catalogs_are_those_of_the_nodes() {
    let fixture = Fixture::new(REPOSITORY);
    let catalogs = fixture.catalogs();
    assert!(catalogs[0].contains("\"8080\"") && catalogs[0].contains("\"listen\\n\""), "{}", catalogs[0]);
    assert!(catalogs[2].contains("2 on Linux"), "{}", catalogs[2]);
}

#[test]
fn a_comment_above_a_class_parses_one_file_and_evaluates_nothing() {
    let mut fixture = Fixture::new(REPOSITORY);
    let path = "/env/modules/web/manifests/init.pp";
    let line = |fixture: &Fixture| fixture.catalogs()[0].contains("\"line\": 5");
    assert!(!line(&fixture));
    let ran = fixture.write(path, &format!("# One.\n# Two.\n{}", REPOSITORY[1].1));
    let db = fixture.fleet.db();
    assert_eq!(ran.count(db, "content"), 1);
    assert_eq!(fixture.evaluated(&ran), [] as [&str; 0]);
    // The lines in the catalog are current.
    assert!(line(&fixture), "{}", fixture.catalogs()[0]);
}

#[test]
fn an_edit_of_a_body_evaluates_the_nodes_that_include_it_only() {
    let mut fixture = Fixture::new(REPOSITORY);
    let ran = fixture.write("/env/modules/db/manifests/init.pp", "class db($size = 1) { notify { 'x': } }");
    assert_eq!(fixture.evaluated(&ran), ["db1"]);
    let ran = fixture.write("/env/modules/web/manifests/vhost.pp", "define web::vhost($text) { }");
    assert_eq!(fixture.evaluated(&ran), ["web1", "web2"]);
}

#[test]
fn an_edit_of_one_of_several_bodies_in_a_file_evaluates_those_who_include_that_one() {
    let mut fixture = Fixture::new(&[(
        "/env/manifests/site.pp",
        "node 'web1' { include a }\nnode 'web2' { notify { 'x': } }\nnode default { include b }\nclass a { }\nclass b { }\n",
    )]);
    for (text, expected) in [
        (
            "node 'web1' { include a }\nnode 'web2' { notify { 'y': } }\nnode default { include b }\nclass a { }\nclass b { }\n",
            ["web2"].as_slice(),
        ),
        (
            "node 'web1' { include a }\nnode 'web2' { notify { 'y': } }\nnode default { include b }\nclass a { }\nclass b { $x = 1 }\n",
            &["db1"],
        ),
        // The parameters of a class are visible to all that load the file.
        (
            "node 'web1' { include a }\nnode 'web2' { notify { 'y': } }\nnode default { include b }\nclass a($x = 1) { }\nclass b { $x = 1 }\n",
            &NAMES,
        ),
    ] {
        let ran = fixture.write("/env/manifests/site.pp", text);
        assert_eq!(fixture.evaluated(&ran), expected, "{text}");
    }
}

#[test]
fn an_unread_class_or_template_wakes_nobody() {
    let mut fixture = Fixture::new(REPOSITORY);
    for (path, text) in [
        ("/env/modules/unused/manifests/init.pp", "class unused { notify { 'x': } }"),
        ("/env/modules/unused/manifests/new.pp", "class unused::new { }"),
        ("/env/modules/web/templates/unused.epp", "something\n"),
        ("/env/modules/new/manifests/init.pp", "class new { }"),
    ] {
        let ran = fixture.write(path, text);
        assert_eq!(fixture.evaluated(&ran), [] as [&str; 0], "{path}");
    }
    let ran = fixture.write("/env/modules/web/templates/vhost.epp", "listen 80\n");
    assert_eq!(fixture.evaluated(&ran), ["web1", "web2"]);
}

#[test]
fn an_unread_key_of_data_wakes_nobody() {
    let mut fixture = Fixture::new(REPOSITORY);
    let ran =
        fixture.write("/env/data/common.yaml", "web::port: 8080\ndb::size: 2\nunused::x: 2\nunused::y: 3\n");
    assert_eq!(ran.count(fixture.fleet.db(), "document"), 1);
    assert_eq!(fixture.evaluated(&ran), [] as [&str; 0]);
    let ran =
        fixture.write("/env/data/common.yaml", "web::port: 8080\ndb::size: 3\nunused::x: 2\nunused::y: 3\n");
    assert_eq!(fixture.evaluated(&ran), ["db1"]);
}

#[test]
fn a_file_of_data_that_starts_to_exist_wakes_those_who_asked_for_it() {
    let mut fixture = Fixture::new(REPOSITORY);
    let ran = fixture.write("/env/data/nodes/web2.yaml", "web::port: 443\n");
    assert_eq!(fixture.evaluated(&ran), ["web2"]);
    assert!(fixture.catalogs()[1].contains("\"443\""));
    fixture.system.remove("/env/data/nodes/web2.yaml");
    let (_, ran) = fixture.touch("/env/data/nodes/web2.yaml");
    assert_eq!(fixture.evaluated(&ran), ["web2"]);
    assert!(fixture.catalogs()[1].contains("\"8080\""));
}

#[test]
fn what_metadata_and_configurations_say_wakes_nobody_but_for_the_name_of_a_data_provider() {
    let site = "node /^web/ { include web }\nnode default { }\n";
    let mut fixture = Fixture::new(&[
        ("/env/manifests/site.pp", site),
        ("/env/environment.conf", "manifest = manifests\n"),
        ("/env/modules/web/manifests/init.pp", "class web($port = 80) { notify { \"$port\": } }\n"),
        ("/env/modules/web/metadata.json", r#"{"name": "x-web"}"#),
        ("/env/modules/web/data/common.yaml", "web::port: 443\n"),
        ("/env/data/common.yaml", "web::port: 8080\n"),
    ]);
    for (path, text) in [
        ("/env/modules/web/metadata.json", r#"{"name": "x-web", "version": "1.0.0"}"#),
        ("/env/environment.conf", "manifest = manifests\nenvironment_timeout = 0\n"),
        ("/env/modules/web/metadata.json", "{"),
    ] {
        let ran = fixture.write(path, text);
        assert_eq!(fixture.evaluated(&ran), [] as [&str; 0], "{path}: {text}");
    }
    assert!(fixture.catalogs()[0].contains("\"80\""));
    let ran = fixture.write("/env/modules/web/metadata.json", r#"{"data_provider": "hiera"}"#);
    assert_eq!(fixture.evaluated(&ran), ["web1", "web2"]);
    assert!(fixture.catalogs()[0].contains("\"443\""));
    let ran = fixture.write("/env/environment.conf", "environment_data_provider = hiera\n");
    assert_eq!(fixture.evaluated(&ran), ["web1", "web2"]);
    assert!(fixture.catalogs()[0].contains("\"8080\""));
}

#[test]
fn ruby_that_says_nothing_about_a_resource_type_wakes_nobody() {
    let site =
        "node 'web1' { vhost { 'a': port => 80 } }\nnode 'web2' { account { 'a': } }\nnode default { }\n";
    let declared = |name: &str| {
        format!("Puppet::Type.newtype(:{name}) do\n  newparam(:name) do\n    isnamevar\n  end\nend\n")
    };
    let (vhost, account) = (declared("vhost"), declared("account"));
    let mut fixture = Fixture::new(&[
        ("/env/manifests/site.pp", site),
        ("/env/modules/web/lib/puppet/type/vhost.rb", &vhost),
        ("/env/modules/web/lib/puppet/type/account.rb", &account),
        ("/env/modules/web/lib/puppet/type/more.rb", ""),
    ]);
    let more = |text: &str| format!("{account}\n{text}\n");
    for (path, text, expected) in [
        ("type/account.rb", more("# A comment."), &[] as &[&str]),
        ("type/more.rb", "# Nothing.\n".to_owned(), &[]),
        ("util/new.rb", "# Nothing.\n".to_owned(), &[]),
        ("type/new.rb", declared("new"), &[]),
        ("type/account.rb", account.replace("newparam(:name)", "newparam(:login)"), &["web2"]),
        ("util/new.rb", "Puppet::Type.type(:vhost).newparam(:port)\n".to_owned(), &["web1"]),
    ] {
        let ran = fixture.write(&format!("/env/modules/web/lib/puppet/{path}"), &text);
        assert_eq!(fixture.evaluated(&ran), expected, "{path}: {text}");
    }
}

/// Two nodes use a template and a function in Ruby, which use a library; the third uses neither.
const RUBY: &[(&str, &str)] = &[
    (
        "/env/manifests/site.pp",
        "node /^web/ { include web }\nnode default { $unread = $facts['uptime'] notify { 'db': } }\n",
    ),
    (
        "/env/modules/web/manifests/init.pp",
        "class web {\n  $read = $facts['kernel']\n  $unread = $facts['uptime']\n  notify { 'template': message => template('web/motd.erb') }\n  notify { 'function': message => web::doubled('x') }\n}\n",
    ),
    ("/env/modules/web/templates/motd.erb", "on <%= @read %>\n<% if false %><%= @unread %><% end %>"),
    ("/env/modules/web/templates/unused.erb", "<%= @read %>\n"),
    (
        "/env/modules/web/lib/puppet/functions/web/doubled.rb",
        "require 'puppet_x/web/texts'\nPuppet::Functions.create_function(:'web::doubled') do\n  def doubled(text)\n    PuppetX::Web.joined(text, text)\n  end\nend\n",
    ),
    (
        "/env/modules/web/lib/puppet/functions/web/unused.rb",
        "Puppet::Functions.create_function(:'web::unused') do\n  def unused\n    1\n  end\nend\n",
    ),
    (
        "/env/modules/web/lib/puppet_x/web/texts.rb",
        "module PuppetX\n  module Web\n    def self.joined(one, other)\n      one + other\n    end\n  end\nend\n",
    ),
];

const WEB: &[&str] = &["web1", "web2"];

#[test]
fn an_edit_of_ruby_evaluates_the_nodes_that_used_it_only() {
    let mut fixture = Fixture::new(RUBY);
    let catalogs = fixture.catalogs();
    assert!(catalogs[0].contains("\"on Linux\\n\"") && catalogs[0].contains("\"xx\""), "{}", catalogs[0]);
    let [.., template, unused_template, function, unused_function, library] = RUBY else { panic!("files") };
    for (file, from, to, expected) in [
        (template, "on ", "runs ", WEB),
        (unused_template, "read", "unread", &[]),
        (function, "joined(text, text)", "joined(text, 'y')", WEB),
        (unused_function, "1", "2", &[]),
        (library, "one + other", "other + one", WEB),
    ] {
        let ran = fixture.write(file.0, &file.1.replace(from, to));
        assert_eq!(fixture.evaluated(&ran), expected, "{}: {from} => {to}", file.0);
    }
    let catalogs = fixture.catalogs();
    assert!(catalogs[0].contains("\"runs Linux\\n\"") && catalogs[0].contains("\"yx\""), "{}", catalogs[0]);
}

#[test]
fn a_comment_in_ruby_evaluates_nothing() {
    let mut fixture = Fixture::new(RUBY);
    for (path, text) in &RUBY[4..] {
        for text in [format!("# One line.\n\n{text}"), format!("# Another\n# and one.\n\n{text}# The end.\n")]
        {
            let ran = fixture.write(path, &text);
            assert_eq!(fixture.evaluated(&ran), [] as [&str; 0], "{path}");
        }
    }
    let (path, text) = RUBY[2];
    let ran = fixture.write(path, &text.replace("<% if", "<%# Why. %><% if"));
    assert_eq!(fixture.evaluated(&ran), [] as [&str; 0]);
}

/// Lines are no part of programs, but of messages.
#[test]
fn a_comment_in_ruby_moves_the_line_of_an_error() {
    let template = "/env/modules/web/templates/motd.erb";
    let mut files = RUBY.to_vec();
    files[2] = (template, "<% raise 'no' %>\n");
    let mut fixture = Fixture::new(&files);
    assert!(fixture.catalogs()[0].contains("Line: 1"), "{}", fixture.catalogs()[0]);
    let ran = fixture.write(template, "<%# One line. -%>\n<% raise 'no' %>\n");
    assert_eq!(fixture.evaluated(&ran), WEB);
    let told = fixture.catalogs();
    assert!(told[0].contains("Line: 2"), "{}", told[0]);
    assert_eq!(
        told,
        Fixture::new(
            &[&files[..2], &[(template, "<%# One line. -%>\n<% raise 'no' %>\n")], &files[3..]].concat()
        )
        .catalogs()
    );
}

#[test]
fn a_variable_that_a_template_does_not_read_wakes_nobody() {
    let mut fixture = Fixture::new(&[
        ("/env/manifests/site.pp", "include web\n"),
        (
            "/env/modules/web/manifests/init.pp",
            "class web {\n  notify { 'a': message => template('web/motd.erb') }\n}\n",
        ),
        (
            "/env/modules/web/templates/motd.erb",
            "<%= @kernel %> <%= scope['kernel'] %> <%= scope.lookupvar('::kernel') %>\n",
        ),
    ]);
    assert!(fixture.catalogs()[0].contains("\"Linux Linux Linux\\n\""), "{}", fixture.catalogs()[0]);
    let first = fixture.nodes[0];
    for (facts, expected) in [
        (&[("kernel", "Linux"), ("uptime", "2 days")] as &[(&str, &str)], &[] as &[&str]),
        (&[("kernel", "Darwin"), ("uptime", "2 days")], &["web1"]),
    ] {
        fixture.log.take();
        assert!(fixture.fleet.describe(first, node("web1", facts)));
        fixture.catalogs();
        let ran = fixture.log.take();
        assert_eq!(fixture.evaluated(&ran), expected, "{facts:?}");
    }
}

/// `current -> releases/42`: all paths stay the same.
#[test]
fn a_link_that_is_switched_evaluates_the_nodes_whose_code_is_another() {
    let system = MemorySystem::new();
    for (path, text) in REPOSITORY {
        for release in ["41", "42", "43"] {
            let text = match (*path, release) {
                ("/env/modules/db/manifests/init.pp", "42") => "class db { notify { 'new': } }",
                ("/env/modules/web/templates/vhost.epp", "43") => "moved\n",
                _ => text,
            };
            system.write_file(path.replace("/env", &format!("/srv/releases/{release}")), text);
        }
    }
    system.link("/env", "/srv/current");
    system.link("/srv/current", "releases/41");
    let mut fixture = Fixture::over(system);
    // The names in the enclosing folders are read for the first time.
    fixture.touch("/srv/current");
    let before = fixture.catalogs();

    fixture.system.link("/srv/current", "releases/42");
    let (_, ran) = fixture.touch("/srv/current");
    assert_eq!(fixture.evaluated(&ran), ["db1"]);
    let after = fixture.catalogs();
    assert_eq!(before[..2], after[..2]);
    assert!(after[2].contains("\"new\""), "{}", after[2]);

    fixture.system.link("/env", "/srv/releases/43");
    let (_, ran) = fixture.touch("/env");
    assert_eq!(fixture.evaluated(&ran), NAMES);
    let after = fixture.catalogs();
    assert!(after[0].contains("moved") && after[2].contains("2 on Linux"), "{after:#?}");
}

#[test]
fn a_file_is_woken_under_every_name_that_links_give_it() {
    let system = MemorySystem::with_files([
        ("/env/manifests/site.pp", "include web"),
        ("/src/puppet-web/manifests/init.pp", "class web { notify { epp('web/a.epp'): } }"),
        ("/src/puppet-web/templates/b.epp", "one"),
    ]);
    system.link("/env/modules/web", "../../src/puppet-web");
    system.link("/src/puppet-web/templates/a.epp", "b.epp");
    let mut fixture = Fixture::over(system);
    for (path, name) in [
        ("/src/puppet-web/templates/b.epp", "two"),
        ("/src/puppet-web/templates/a.epp", "three"),
        ("/env/modules/web/templates/b.epp", "four"),
        ("/env/modules/web/templates/a.epp", "five"),
    ] {
        fixture.system.write_file("/src/puppet-web/templates/b.epp", name);
        fixture.touch(path);
        assert!(fixture.catalogs()[0].contains(name), "{path}: {}", fixture.catalogs()[0]);
    }
}

#[test]
fn an_unread_fact_wakes_nobody() {
    let mut fixture = Fixture::new(REPOSITORY);
    for (facts, expected) in [
        (&[("kernel", "Linux"), ("uptime", "2 days"), ("new", "x")][..], &[] as &[&str]),
        (&[("kernel", "FreeBSD"), ("uptime", "2 days")], &["db1"]),
    ] {
        fixture.log.take();
        for (name, it) in NAMES.into_iter().zip(fixture.nodes.clone()) {
            assert!(fixture.fleet.describe(it, node(name, facts)));
        }
        fixture.catalogs();
        let ran = fixture.log.take();
        assert_eq!(fixture.evaluated(&ran), expected);
    }
}

#[test]
fn the_same_bytes_and_facts_again_run_nothing() {
    let mut fixture = Fixture::new(REPOSITORY);
    // The names in the enclosing folders are read for the first time.
    for (path, _) in REPOSITORY {
        fixture.touch(path);
    }
    for (path, text) in REPOSITORY {
        fixture.system.write_file(path, *text);
        let (applied, ran) = fixture.touch(path);
        assert!(!applied.anything(), "{path}");
        ran.assert_nothing_ran(fixture.fleet.db());
    }
    assert!(!fixture.fleet.describe(fixture.nodes[0], node("web1", FACTS)));
}

#[test]
fn entries_in_another_order_are_another_hash() {
    let site = "$x = lookup('x')\nnotify { $x.keys.join(' '): }\n";
    let mut fixture = Fixture::new(&[
        ("/env/manifests/site.pp", site),
        ("/env/hiera.yaml", "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n"),
        ("/env/data/common.yaml", "x: {a: 1, b: 2}\n"),
    ]);
    assert!(fixture.catalogs()[0].contains("\"a b\""));
    fixture.write("/env/data/common.yaml", "x: {b: 2, a: 1}\n");
    assert!(fixture.catalogs()[0].contains("\"b a\""));
}

#[test]
fn who_asks_for_the_time_is_asked_again_and_nobody_else() {
    let mut fixture = Fixture::new(REPOSITORY);
    fixture.write("/env/modules/db/manifests/init.pp", "class db { $now = Timestamp.new() }");
    let ran = fixture.write("/env/data/nodes/web2.yaml", "web::port: 443\n");
    assert_eq!(fixture.evaluated(&ran), ["web2", "db1"]);
}

#[test]
fn bytes_that_are_no_text_are_read_and_compared() {
    let mut fixture = Fixture::new(&[
        ("/env/manifests/site.pp", "$b = binary_file('web/blob')\nnotify { \"${b}\": }"),
        ("/env/modules/web/files/blob", ""),
    ]);
    fixture.system.write_file("/env/modules/web/files/blob", b"\xff\xfe");
    fixture.touch("/env/modules/web/files/blob");
    let before = fixture.catalogs();
    fixture.system.write_file("/env/modules/web/files/blob", b"\xff\xfd");
    let (applied, ran) = fixture.touch("/env/modules/web/files/blob");
    assert!(applied.anything());
    assert_eq!(fixture.evaluated(&ran), NAMES);
    assert_ne!(fixture.catalogs(), before);
}

/// A generator of edits that produces the same sequence on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // Knuth's MMIX constants; the low bits of such a generator are poor.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// Files, with their possible contents.
const EDITS: &[(&str, &[&str])] = &[
    (
        "/env/manifests/site.pp",
        &[
            "node 'web1' { include a }\nnode default { include a::b }\n",
            "# A comment.\ninclude a\n",
            "include a, a::b\nnotify { $facts['kernel']: }\n",
            "node 'web1' { include a }\n",
            "include a {\n",
        ],
    ),
    ("/env/manifests/more.pp", &["notify { 'more': }\n", "class a { }\n", "function f() { 2 }\n"]),
    (
        "/env/modules/a/manifests/init.pp",
        &[
            "class a($p = 1) { notify { \"a ${p}\": } }\n",
            "# A comment.\n\nclass a($p = 1) { notify { \"a ${p}\": } }\n",
            "class a(Integer $p = 1, A::T $q = 'x') inherits a::b { a::d { $q: } }\n",
            "class a { notify { f(): } }\ndefine a::d() { notify { $title: } }\n",
            "class b { }\n",
        ],
    ),
    (
        "/env/modules/a/manifests/b.pp",
        &[
            "class a::b { file { '/b': content => epp('a/t.epp') } }\n",
            "class a::b { file { '/b': content => file('a/f') } }\n",
            "class a::b { notify { lookup('x', default_value => {}).keys.join(' '): } }\n",
            "class a::b { if $uptime { notify { $uptime: } } }\n",
        ],
    ),
    ("/env/modules/a/manifests/d.pp", &["define a::d($x = $title) { notify { $x: } }\n", "define a::d {\n"]),
    (
        "/env/modules/a/templates/t.epp",
        &["one\n", "<%# A comment. %><%= $facts['kernel'] %>\n", "<%= $none %>"],
    ),
    ("/env/modules/a/files/f", &["f", "\u{e9}"]),
    (
        "/env/modules/a/types/t.pp",
        &["type A::T = String\n", "\ntype A::T = String\n", "type A::T = Enum['y']\n"],
    ),
    ("/env/functions/f.pp", &["function f() { 1 }\n", "function f() { 'one' }\n", "function g() { 1 }\n"]),
    (
        "/env/hiera.yaml",
        &[
            "version: 5\nhierarchy:\n  - {name: n, path: \"%{trusted.certname}.yaml\"}\n  - {name: c, path: c.yaml}\n",
            "version: 5\nhierarchy:\n  - {name: g, glob: \"*.yaml\"}\n",
            "version: 5\nhierarchy:\n  - {name: k, path: \"%{facts.kernel}.yaml\"}\n",
            "version: 6\n",
        ],
    ),
    ("/env/data/c.yaml", &["a::p: 2\nx: {a: 1, b: 2}\n", "x: {b: 2, a: 1}\na::p: 2\n", "a::p: two\n", "{"]),
    ("/env/data/web1.yaml", &["a::p: 3\n", "a::q: y\n", "lookup_options: {x: {merge: hash}}\nx: {c: 3}\n"]),
    ("/env/data/Linux.yaml", &["a::p: 4\n", "x: 1\n"]),
    ("/env/modules/a/hiera.yaml", &["version: 5\n"]),
    ("/env/modules/a/data/common.yaml", &["a::p: 5\n", "b::p: 5\n"]),
];

const FOLDERS: [&str; 3] = ["/env/modules/a", "/env/modules/c", "/env/data"];

/// Makes a random change, and returns the paths that a watcher would report.
fn edit(random: &mut Random, fixture: &mut Fixture) -> Vec<&'static str> {
    let (path, texts) = *random.pick(EDITS);
    match random.below(10) {
        0 => {
            fixture.system.remove(path);
        }
        1 => {
            let (from, to) = (*random.pick(&FOLDERS), *random.pick(&FOLDERS));
            if from != to {
                fixture.system.remove(to);
                fixture.system.rename(from, to);
            }
            return vec![from, to];
        }
        2 => {
            let facts = [*random.pick(&[("kernel", "Linux"), ("kernel", "web1")]), ("uptime", "x")];
            let facts = &facts[..1 + random.below(2)];
            let which = random.below(NAMES.len());
            fixture.fleet.describe(fixture.nodes[which], node(NAMES[which], facts));
            return vec![];
        }
        3 => fixture.system.write_file(path, b"caf\xe9"),
        _ => fixture.system.write_file(path, *random.pick(texts)),
    }
    vec![path]
}

/// The catalog of a node, compiled without a cache.
fn clean(fixture: &Fixture, node: Node) -> String {
    let db = ProjectDatabase::frozen(fixture.system.clone());
    let fleet = Fleet::new(db, &tree(), &manifests(&fixture.system), Policy::default(), 1);
    told(fleet.db(), fleet.add(NodeInput::clone(node.described(fixture.fleet.db()))))
}

#[test]
fn after_random_edits_every_catalog_equals_a_clean_compilers() {
    for seed in 1..=200 {
        let mut random = Random(seed);
        let start: Vec<_> = EDITS.iter().map(|(path, texts)| (*path, texts[0])).collect();
        let mut fixture = Fixture::new(&start);
        for step in 0..10 {
            let edits = 1 + random.below(3);
            let touched: Vec<_> = (0..edits).flat_map(|_| edit(&mut random, &mut fixture)).collect();
            let manifests = manifests(&fixture.system);
            fixture.fleet.apply(&touched.into_iter().collect(), &tree(), &manifests);
            let catalogs = fixture.catalogs();
            // All of them at the end, and one on the way.
            let one = random.below(NAMES.len());
            for (which, node) in fixture.nodes.iter().enumerate().filter(|it| it.0 == one || step == 9) {
                assert_eq!(catalogs[which], clean(&fixture, *node), "seed {seed}, step {step}, node {which}");
            }
        }
    }
}
