//! Incremental updates: after any series of edits, the kept findings equal those of a full check, and those of a clean run.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::sync::Arc;

use marotte_db::{Db as _, MemorySystem};
use marotte_diagnostics::{Diagnostic, FileId};
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions};

/// Each path, with its possible texts. The first is the initial one.
const FILES: &[(&str, &[&str])] = &[
    ("/environment.conf", &["modulepath = modules\n", "modulepath = modules:other\n", ""]),
    (
        "/hiera.yaml",
        &[
            "version: 5\nhierarchy:\n  - {name: c, path: common.yaml}\n",
            "version: 5\nhierarchy:\n  - {name: n, path: \"nodes/%{n}.yaml\"}\n  - {name: c, path: common.yaml}\n",
            "version: 9\n",
        ],
    ),
    (
        "/data/common.yaml",
        &[
            "a::size: 3\nc::port: 80\n",
            "a::size: x\nc::port: 80\n",
            "# moved\na::size: 3\n\nc::prot: 80\n",
            "a::size: 3\nc::port: 80\nc::pools: x\n",
            "a::size: 3\nc::port: 80\nc::pool: y\nlost_item: 1\n",
            "a::size: \"%{lookup('c::pool')}\"\nc::port: 80\nc::szie: 1\n",
            "a::size: \"%{lookup('lost_items')}\"\nb::size: 1\n",
            "a::sizes: 1\nc::prot: x\n",
            "a::size: 3\nc::pool: x\nlookup_options:\n  c::port: {merge: deep}\n",
            "a: [",
        ],
    ),
    (
        "/manifests/site.pp",
        &[
            "$domain = 'x'\nnode default { include a }\n",
            "# moved\n\n$domain = 'x'\nnode default { include a\n  include c }\n",
            "$domian = 'x'\nPackage { ensure => installed }\n",
            "node 'n' { include nothing::here }\n",
            "node {",
        ],
    ),
    (
        "/modules/a/manifests/init.pp",
        &[
            "class a (Integer $size) {\n  include a::b\n  notice($a::b::name, $size)\n}\n",
            "class a (Integer $size) {\n  include a::b\n  notice($a::b::name, $size, 1)\n}\n",
            "# moved\nclass a (String $size = 'x') {\n  include a::b\n  notice($a::b::nmae, $size)\n}\n",
            "class a {\n  a::d { 'x': port => 1 }\n  file { '/a': ensure => file }\n}\n",
            "class a {\n  a::d { 'x': port => 'x' }\n  File['/a'] -> Service['s']\n}\n",
            "class a inherits a::b {\n  notice($name, a::f(1), c::g('x'))\n}\n",
            "class a inherits a::b {\n  if $kind == 'x' { $one = 1 } else { $eno = 2 }\n  notice($one)\n}\n",
            "class a {\n  class { 'c': }\n  notice(lookup('c::pools'), lookup('lost_item', Integer))\n}\n",
            "class a {\n  class { 'c': port => 'x' }\n  notice(lookup('lost_items'), lookup('c::pol'))\n}\n",
            "class a { notice(lookup('c::pool'), $domain, $nobody_sets) }\n",
            "class a {\n  include a::b::frehs\n  File['/b'] -> Service['ss']\n}\n",
            "class a {\n  a::d { 'x': port => c::ruby(1) }\n  notice(c::ruby('x'), c::rubi(1), shout('x'), shuot('x'), $facts['more'], $facts['mroe'])\n}\n",
            "class a {",
        ],
    ),
    (
        "/modules/a/manifests/b.pp",
        &[
            "class a::b {\n  $name = 'b'\n}\n",
            "class a::b {\n  $name = 'b'\n  notice(1)\n}\n",
            "# moved\nclass a::b {\n  $name = 1\n  $kind = 'y'\n}\n",
            "class a::b inherits c {\n  $name = $c::kind\n}\n",
            "class a::b {\n  include c::sub\n  $name = c::ruby('x')\n  a::d { 'v': port => $c::sub::kind }\n}\n",
            "class a::b {\n  assert_private()\n}\n",
            "class a::other { }\n",
            "class a::b {\n  $name = 'b'\n}\nclass a::b::fresh { }\n",
            "class a::b {\n  $name = 'b'\n}\nclass a::b::fresh {\n  package { 'q': }\n}\ndefine a::bb($x) { notice($x) }\n",
            "class a::b {\n  $name = 'b'\n  service { 's': }\n  file { '/b': ensure => file }\n}\n",
            "class a::b {\n  $name = 'b'\n  service { 'S': }\n  file { '/b': ensure => file }\n  include c\n}\n",
            "class a::b {\n  $package_name = 'x'\n  if true { $servce = 1 }\n}\n",
            "class a::b {\n  $name = 'b'\n  service { 's': }\n",
            "class a::b {\n  $name = 'b'\n}\n}\n",
            "class a::b ( {\n",
        ],
    ),
    (
        "/modules/a/manifests/b/fresh.pp",
        &[
            "class a::b::fresh { include a::b }\n",
            "class a::b::fresh {\n  file { '/b': ensure => file }\n  a::d { 'y': port => 'z' }\n}\n",
            "class a::b::fresh {\n  include a::b::deep\n  notice(lookup('c::pool'), $a::b::name)\n",
            "class a::b::fresh inherits a::b { notice($name) }\nclass a::b::fresh::deep { }\n",
        ],
    ),
    (
        "/modules/a/manifests/b/deep.pp",
        &[
            "class a::b::deep { include a::b::fresh }\n",
            "class a::b::deep inherits a::b::fresh { $kind = a::f(1) }\n",
            "define a::b::deep { }\n",
        ],
    ),
    (
        "/modules/a/manifests/d.pp",
        &[
            "define a::d (Integer $port = 80) {\n  service { 's': }\n}\n",
            "define a::d (Integer $port = 80) {\n  service { 's': }\n  notice($port)\n}\n",
            "define a::d (String $port, A::T $t = 1) {\n  notice($t)\n}\n",
            "define a::d (Integer $prot = 80) {\n  Service <| title == $prot |> { ensure => running }\n}\n",
            "define a::d (Integer $port = 80) {\n  service { \"s${title}\": }\n  notify { 'n' }\n}\n",
            "define a::d (Integer $port = 80) {\n  assert_type(Enum['x'], $name)\n  File['/b'] { target => '/x' }\n}\n",
        ],
    ),
    (
        "/modules/a/functions/f.pp",
        &[
            "function a::f(Integer $x) >> Integer { $x }\n",
            "function a::f(Integer $x) { $y = c::g($x)\n  $y }\n",
            "function a::f(String $x, $y) { 'x' }\n",
            "function a::f($x) { 'x' \n",
        ],
    ),
    (
        "/modules/a/types/t.pp",
        &["type A::T = Integer\n", "type A::T = Variant[String, C::U]\n", "type A::S = Any\n"],
    ),
    (
        "/modules/a/templates/t.epp",
        &["<%- | Integer $n | -%>\n<%= $n %>\n", "<%- | String $m | -%>\n<%= $m %>\n", "<%= $one %>"],
    ),
    (
        "/modules/a/metadata.json",
        &[r#"{"name": "x-a", "dependencies": []}"#, r#"{"name": "x-a", "dependencies": [{"name": "x-c"}]}"#],
    ),
    (
        "/modules/c/manifests/init.pp",
        &[
            "class c (Integer $port) {\n  $kind = 'x'\n  notice(epp('a/t.epp', { n => 1 }), $port)\n}\n",
            "class c (Integer $port) {\n  $kind = 'y'\n  notice(epp('a/t.epp', { n => 1 }), $port)\n}\n",
            "\nclass c (Integer $port) {\n  $kind = $port\n  @file { '/v': tag => 'x' }\n  x_type { 'x': size => 1 }\n}\n",
            "class c (Integer $prot = 1, A::T $t = 'x') {\n  $kind = a::f('x')\n  notice(old_function(1), $domain, $nobody_sets)\n}\n",
            "class c {\n  include a\n  include missing::here\n  notice($facts['own'], $own)\n}\n",
        ],
    ),
    (
        "/modules/c/manifests/sub.pp",
        &[
            "class c::sub {\n  include c\n  include a::b::fresh\n  Service['s'] -> File['/b']\n}\n",
            "class c::sub inherits a::b::deep {\n  notice($name, $kind, a::f(2))\n}\n",
            "class c::sub {\n  a::b::deep { 'x': }\n  include a::b::deep\n  include c::sbu\n}\n",
            "class c::sub {\n  $kind = c::ruby('x')\n  a::d { 'w': port => c::g('x') }\n  x_type { 'y': more => $more }\n  if $facts['wide'] == $owm { notice(mentioned(1)) }\n}\n",
            "class c::sub {\n  a::d { 'z': port => 'q' }\n  File['/c'] ~> A::D['z']\n",
        ],
    ),
    (
        "/modules/c/functions/h.pp",
        &[
            "function c::h($x) { c::g($x) }\n",
            "function c::h($x) { lookup(\"c::${x}\") }\n",
            "function c::h(",
        ],
    ),
    (
        "/modules/c/functions/g.pp",
        &["function c::g($x) { 1 }\n", "function c::g($x) { 'y' }\n", "function c::g($x) { a::f($x) }\n"],
    ),
    ("/modules/c/types/u.pp", &["type C::U = Enum['a']\n", "type C::U = Boolean\n"]),
    (
        "/modules/c/data/common.yaml",
        &[
            "c::port: x\n",
            "c::port: 1\n",
            "c::pool: x\nc::prt: 1\n",
            "lost_items: 1\nc::port: 1\n",
            "c::port: 1\nc::pool: z\n",
        ],
    ),
    ("/modules/c/hiera.yaml", &["", "version: 5\nhierarchy:\n  - {name: c, path: common.yaml}\n"]),
    (
        "/modules/c/lib/puppet/type/x_type.rb",
        &[
            "Puppet::Type.newtype(:x_type) do\n  newparam(:name)\n  newparam(:size)\nend\n",
            "Puppet::Type.newtype(:x_type) do\n  newparam(:name)\nend\n",
            "",
        ],
    ),
    (
        "/modules/c/lib/puppet/parser/functions/old_function.rb",
        &[
            "module Puppet::Parser::Functions\n  newfunction(:old_function, :type => :rvalue, :arity => 1) { |a| a }\nend\n",
            "",
        ],
    ),
    ("/modules/c/lib/facter/own.rb", &["Facter.add(:own) { setcode { 'x' } }\n", ""]),
    ("/other/e/manifests/init.pp", &["class e { notice($a::b::name) }\n", "class e::f { }\n"]),
    ("/loose.pp", &["include a\nfile { '/a': }\nFile['/b'] -> File['/a']\n", "notice($a::b::name, $kind)\n"]),
];

/// Ruby files that are not there at first.
const RUBY: &[(&str, &[&str])] = &[
    (
        "/modules/c/lib/puppet/functions/c/ruby.rb",
        &[
            "Puppet::Functions.create_function(:'c::ruby') do\n  dispatch :ruby do\n    param 'Integer', :it\n    return_type 'String'\n  end\n  def ruby(it)\n    it\n  end\nend\n",
            "# moved\n\nPuppet::Functions.create_function(:'c::ruby') do\n  dispatch :ruby do\n    param 'Integer', :it\n    return_type 'String'\n  end\n  def ruby(it)\n    it + 1\n  end\nend\n",
            "Puppet::Functions.create_function(:'c::ruby') do\n  dispatch :ruby do\n    param 'String', :it\n    return_type 'Integer'\n  end\n  def ruby(it)\n    call_function('create_resources', 'service', 's')\n  end\nend\n",
            "# @deprecated Use another one.\nPuppet::Functions.create_function(:'c::ruby') do\n  def ruby(it, other)\n    closure_scope[:mentioned]\n  end\nend\n",
            "Puppet::Functions.create_function(:'c::rubi') do\n  de(f ruby(it)\n  end\nend\n",
            "Puppet::Functions.create_function(:'c::ruby') do\n  def ruby(it)\n    call_function('lookup', 'c::pool')\n    'lost_items'\n  end\nend\n",
        ],
    ),
    (
        "/modules/c/lib/puppet/functions/c/g.rb",
        &[
            "Puppet::Functions.create_function(:'c::g') do\n  dispatch :g do\n    param 'Any', :it\n    return_type 'String'\n  end\n  def g(it)\n    it\n  end\nend\n",
            "Puppet::Functions.create_function(:'c::g') do\n  def g(it)\n    it\n  end\nend\n",
            "Puppet::Functions.create_function(:'c::g') do\n",
        ],
    ),
    (
        "/modules/a/lib/puppet/functions/shout.rb",
        &[
            "Puppet::Functions.create_function(:shout) do\n  def shout(it)\n    it.upcase\n  end\nend\n",
            "Puppet::Functions.create_function(:shout) do\n  def shout(it, times)\n    :mentioned\n  end\nend\n",
        ],
    ),
    (
        "/modules/c/lib/puppet/functions/shout.rb",
        &[
            "Puppet::Functions.create_function(:shout) do\n  def shout(it)\n    it.upcase\n  end\nend\n",
            "Puppet::Functions.create_function(:shout) do\n  def shout(it)\n    Fixnum\n  end\nend\n",
        ],
    ),
    (
        "/modules/a/lib/puppet/parser/functions/shout.rb",
        &[
            "module Puppet::Parser::Functions\n  newfunction(:shout, :type => :rvalue, :arity => 1) { |a| a }\nend\n",
        ],
    ),
    (
        "/modules/a/lib/facter/more.rb",
        &[
            "Facter.add(:more) { setcode { 'x' } }\n",
            "Facter.add(:more) { setcode { 'y' } }\n",
            "Facter.add(:wide) { setcode { 'x' } }\n",
            "%w[x y].each { |it| Facter.add(\"mo#{it}\") { setcode { 'x' } } }\n",
            "Facter.add(:more) do\n  setcode {\n",
        ],
    ),
    (
        "/modules/a/lib/puppet/type/y_type.rb",
        &[
            "Puppet::Type.newtype(:y_type) do\n  newparam(:name)\nend\n",
            "Puppet::Type.type(:x_type).newparam(:more)\n",
        ],
    ),
    (
        "/modules/a/lib/puppet/provider/x_type/plain.rb",
        &["Puppet::Type.type(:x_type).provide(:plain) do\nend\n", "URI.escape('x')\n"],
    ),
    ("/modules/a/lib/puppet_x/helper.rb", &["module Helper\n  NAME = 'lost_item'\nend\n", "ERB.new('x')\n"]),
];

const FOLDERS: [&str; 6] =
    ["/modules/a", "/modules/c", "/modules", "/data", "/other", "/modules/a/manifests"];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // Knuth's MMIX constants; the low bits of such a generator are poor.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Makes a random change, and returns the paths that a watcher would report.
fn edit(random: &mut Random, system: &MemorySystem) -> Vec<&'static str> {
    let (path, _) = FILES[random.below(FILES.len())];
    match random.below(24) {
        0 => {
            system.remove(path);
            vec![path]
        }
        1 => {
            let (to, _) = FILES[random.below(FILES.len())];
            system.rename(path, to);
            vec![path, to]
        }
        2 => {
            let (from, to) = (FOLDERS[random.below(FOLDERS.len())], FOLDERS[random.below(FOLDERS.len())]);
            if to.starts_with(from) || from.starts_with(to) {
                return vec![];
            }
            system.remove(to);
            system.rename(from, to);
            vec![from, to]
        }
        3..6 => begin_again(system),
        6 => {
            system.write_file(path, b"caf\xe9");
            vec![path]
        }
        _ => rewrite(random, system),
    }
}

/// Restores the initial files, including those that folders have lost.
fn begin_again(system: &MemorySystem) -> Vec<&'static str> {
    for (path, texts) in FILES {
        system.write_file(path, texts[0]);
    }
    FILES.iter().map(|(path, _)| *path).collect()
}

/// Replaces the text of a random file.
fn rewrite(random: &mut Random, system: &MemorySystem) -> Vec<&'static str> {
    let (path, texts) = FILES[random.below(FILES.len())];
    system.write_file(path, texts[random.below(texts.len())]);
    vec![path]
}

/// Replaces the text of a random code or data file, like an edit by a person.
fn reword(random: &mut Random, system: &MemorySystem) -> Vec<&'static str> {
    let (path, texts) = FILES[random.below(FILES.len())];
    if !(path.starts_with("/modules") || path.starts_with("/data"))
        || path.ends_with("b")
        || path.ends_with("json")
    {
        return reword(random, system);
    }
    system.write_file(path, texts[random.below(texts.len())]);
    vec![path]
}

/// Removes a manifest or a function, or writes it again: the folder itself stays.
fn come_and_go(random: &mut Random, system: &MemorySystem) -> Vec<&'static str> {
    let is_code =
        |path: &str| path.starts_with("/modules") && path.ends_with("pp") && !path.contains("/types/");
    let code: Vec<_> = FILES.iter().filter(|(path, _)| is_code(path)).collect();
    let edit = |random: &mut Random| {
        let (path, texts) = code[random.below(code.len())];
        match random.below(3) {
            0 => _ = system.remove(path),
            1 => system.write_file(path, texts[0]),
            _ => system.write_file(path, texts[random.below(texts.len())]),
        }
        *path
    };
    (0..[1, 1, 1, 2][random.below(4)]).map(|_| edit(random)).collect()
}

/// Writes a Ruby file or removes it, with its folder or alone, or edits code or data that may use it, or breaks such data.
fn use_ruby(random: &mut Random, system: &MemorySystem) -> Vec<&'static str> {
    let is_used = |path: &str| path.starts_with("/modules") || path.starts_with("/data");
    let (path, texts) = match random.below(4) {
        0 => {
            let files: Vec<_> = FILES.iter().filter(|(path, _)| is_used(path)).collect();
            *files[random.below(files.len())]
        }
        _ => RUBY[random.below(RUBY.len())],
    };
    let text = texts[random.below(texts.len())];
    let mut is_whole = false;
    match random.below(if path.ends_with("b") || path.ends_with("yaml") { 5 } else { 40 }) {
        0 => _ = system.remove(path),
        1 if path.ends_with("b") => {
            is_whole = true;
            system.remove(&path[..path.rfind('/').unwrap()]);
        }
        2 if path.ends_with("yaml") => system.write_file(path, format!("{text}- [broken\n")),
        _ => system.write_file(path, text),
    }
    // Watchers report the folders that appeared, too, and sometimes nothing else.
    let Some(lib) = path.find("/lib/") else { return vec![path] };
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]).filter(|it| it.len() > lib);
    match random.below(4) {
        0 if !is_whole => vec![path],
        1 => vec![&path[..lib + "/lib".len()]],
        _ => folders.chain([path]).collect(),
    }
}

/// A finding as text, with paths in place of file numbers: two databases number files differently.
fn said(project: &Project, finding: &Diagnostic) -> String {
    let path = |id: FileId| {
        let file = project.db().files().by_id(id).unwrap();
        file.path(project.db()).to_string()
    };
    let related: Vec<_> =
        finding.related.iter().map(|it| (path(it.file), it.range, it.message.as_str())).collect();
    format!(
        "{} {:?} {} {:?} {} {:?} {related:?} {:?} {:?}",
        path(finding.file),
        finding.range,
        finding.rule,
        finding.level,
        finding.message,
        finding.label,
        finding.notes,
        finding.fix
    )
}

pub(super) fn all_said(project: &Project, findings: &[Arc<Diagnostic>]) -> Vec<String> {
    findings.iter().map(|it| said(project, it)).collect()
}

/// Makes 300 edits. At regular intervals, the kept findings must equal those of a clean run, and those of a full check, which
/// also brings all cached results up to date, as edits alone do not. After each edit, they must equal the sum of the deltas
/// reported so far. Returns the number of edits that affected only some files.
fn run(seed: u64, every: usize, edit: Edit) -> usize {
    run_reporting(seed, every, edit, false)
}

type Edit = fn(&mut Random, &MemorySystem) -> Vec<&'static str>;

/// Like [`run`]. With `is_late`, some paths are reported only after a later edit; findings are compared when all are reported.
fn run_reporting(seed: u64, every: usize, edit: Edit, is_late: bool) -> usize {
    let mut random = Random(seed);
    let first = FILES.iter().map(|(path, texts)| (*path, texts[0]));
    let system = Arc::new(MemorySystem::with_files(first));
    let options = ProjectOptions { threads: 1, ..ProjectOptions::default() };
    let mut project = Project::new(ProjectDatabase::new(system.clone()), &["/".into()], options.clone());
    let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut few = 0;
    let mut later = Vec::new();
    for step in 0..=300 {
        let touched = (0..step.min(1)).flat_map(|_| edit(&mut random, &system));
        let all: Vec<&str> = later.into_iter().chain(touched).collect();
        let touched: Vec<&str>;
        (touched, later) = all.into_iter().partition(|_| !is_late || random.below(2) == 0);
        let delta = project.update(&touched.iter().copied().collect::<ChangeBatch>());
        few += usize::from((1..delta.files).contains(&delta.asked));
        for (file, findings) in &delta.changed {
            told.insert(file.path(project.db()).to_string(), all_said(&project, findings));
        }

        let kept = all_said(&project, &project.findings().all(project.db()));
        let place = format!("seed {seed}, step {step}, after {touched:?}");
        assert_eq!(delta.findings, kept.len(), "{place}: the number of findings");
        if step % every == 0 && later.is_empty() {
            let pulled = all_said(&project, &project.check(&()).findings);
            assert_eq!(kept, pulled, "{place}: a check of everything");
            let clean = ProjectDatabase::frozen(system.clone());
            let clean = Project::new(clean, &["/".into()], options.clone());
            assert_eq!(kept, all_said(&clean, &clean.check(&()).findings), "{place}: a clean run");
        }
        let mut of_deltas: Vec<String> = told.values().flatten().cloned().collect();
        let mut sorted = kept.clone();
        of_deltas.sort();
        sorted.sort();
        assert_eq!(of_deltas, sorted, "{place}: all differences together");
    }
    few
}

/// The number of seeds; `MAROTTE_SEEDS=1000` tries more.
fn seeds() -> u64 {
    std::env::var("MAROTTE_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(1)
}

#[test]
fn after_random_edits_what_is_kept_equals_a_check_of_everything_and_a_clean_run() {
    for seed in 0..seeds() {
        run(3 * seed + 1, 1, edit);
    }
}

#[test]
fn after_edits_of_texts_few_files_are_asked_and_what_is_kept_equals_a_check_of_everything() {
    for seed in 0..seeds() {
        let few = run(3 * seed + 2, 4, reword);
        assert!(few > 60, "only {few} of 300 edits concerned some files and not all");
    }
}

#[test]
fn after_manifests_come_and_go_few_files_are_asked_and_what_is_kept_equals_a_check_of_everything() {
    for seed in 0..seeds() {
        let few = run(3 * seed + 3, 3, come_and_go);
        assert!(few > 60, "only {few} of 300 edits concerned some files and not all");
    }
}

#[test]
fn after_edits_of_ruby_few_files_are_asked_and_what_is_kept_equals_a_check_of_everything() {
    for seed in 0..seeds() {
        let few = run(3 * seed + 4, 1, use_ruby);
        assert!(few > 40, "only {few} of 300 edits concerned some files and not all");
    }
}

#[test]
fn changes_may_be_reported_after_later_ones_were_made() {
    for seed in 0..seeds() {
        for edit in [edit, come_and_go, use_ruby] {
            run_reporting(5 * seed, 1, edit, true);
        }
    }
}

/// One file is edited, so that something in another one has another meaning; the edit and its reverse are followed.
#[test]
fn what_another_file_of_the_tree_decides_is_decided_anew() {
    type Files = &'static [(&'static str, &'static str)];
    const LEVEL: &str = "version: 5\nhierarchy:\n  - { name: c, path: common.yaml }\n";
    const ENCRYPTED: &str = "version: 5\nhierarchy:\n  - { name: c, path: common.yaml, lookup_key: eyaml_lookup_key, options: { pkcs7_private_key: /k, pkcs7_public_key: /k } }\n";
    const LEVELS: &str = "version: 5\nhierarchy:\n  - { name: p, datadir: ../private, path: p.yaml }\n  - { name: c, path: common.yaml }\n";
    let cases: [(&str, Files, &str); 17] = [
        (
            "the first manifest names the module of a folder with another name",
            &[
                ("/ws/manifests/init.pp", "class other { }\n"),
                ("/ws/metadata.json", r#"{"name": "example-ntp"}"#),
                ("/ws/manifests/server.pp", "class ntp::server { include ntp::missing }\n"),
            ],
            "class ntp { }\n",
        ),
        (
            "the first manifest names the module of a folder without metadata",
            &[
                ("/ntp/manifests/init.pp", "class other { }\n"),
                ("/ntp/manifests/server.pp", "class ntp::server { include ntp::missing }\n"),
            ],
            "class ntp { }\n",
        ),
        (
            "another file names the plural of a resource type, too",
            &[
                ("/modules/a/manifests/b.pp", "class a::b { }\n"),
                ("/modules/a/manifests/init.pp", "class a { $r = [Package['x'], Packages['x']] }\n"),
            ],
            "class a::b { $r = Packages['y'] }\n",
        ),
        (
            "another file uses a function that one nearly names, a second time",
            &[
                ("/modules/a/manifests/b.pp", "class a::b { a_lookup(1) }\n"),
                ("/modules/a/manifests/init.pp", "class a { a_lokup(1) }\n"),
            ],
            "class a::b { a_lookup(1) a_lookup(2) }\n",
        ),
        (
            "another module declares a title that a reference nearly names",
            &[
                ("/modules/b/manifests/init.pp", "class b { exec { 'x': } }\n"),
                ("/modules/a/manifests/init.pp", "class a { notify { 'x': require => Exec['relaod'] } }\n"),
            ],
            "class b { exec { 'reload': } }\n",
        ),
        (
            "another module declares its first anchor",
            &[
                ("/modules/b/manifests/init.pp", "class b { other { 'x': } }\n"),
                (
                    "/modules/a/manifests/init.pp",
                    "class a { notify { 'x': require => Anchor['b::start'] } }\n",
                ),
            ],
            "class b { other { 'x': } anchor { 'b::the_very_end': } }\n",
        ),
        (
            "another module declares a resource by the name that a title without `$` has",
            &[
                ("/modules/b/manifests/init.pp", "class b { service { 'x': } }\n"),
                (
                    "/modules/a/manifests/init.pp",
                    "class a ($s = 'x') { notify { 'x': require => Service[a::s] } }\n",
                ),
            ],
            "class b { service { 'a::s': } }\n",
        ),
        (
            "a defined type asserts another type of its titles",
            &[
                (
                    "/modules/b/manifests/unit.pp",
                    "define b::unit { assert_type(Pattern[/ser/], $name) |$a, $b| { fail('x') } }\n",
                ),
                ("/modules/a/manifests/init.pp", "class a { b::unit { 'x.servce': } }\n"),
            ],
            "define b::unit { assert_type(Pattern[/service/], $name) |$a, $b| { fail('x') } }\n",
        ),
        (
            "a subclass overrides the target of a file",
            &[
                ("/modules/a/manifests/b.pp", "class a::b inherits a { File['/x'] { mode => '0644' } }\n"),
                ("/modules/a/manifests/init.pp", "class a { file { '/x': ensure => files } }\n"),
            ],
            "class a::b inherits a { File['/x'] { target => '/y' } }\n",
        ),
        (
            "a class has the parameter that a key with a misspelled module names",
            &[
                ("/modules/tunnels/manifests/init.pp", "class tunnels ($host) { notice($host) }\n"),
                ("/environment.conf", "modulepath = modules:/elsewhere\n"),
                ("/hiera.yaml", "version: 5\n"),
                ("/data/common.yaml", "tunels::port: 1\n"),
            ],
            "class tunnels ($host, $port) { notice($host, $port) }\n",
        ),
        (
            "a class is one that data lists with a misspelled module",
            &[
                ("/modules/tunnels/manifests/client.pp", "class tunnels::other { }\n"),
                ("/environment.conf", "modulepath = modules:/elsewhere\n"),
                ("/manifests/site.pp", "lookup('classes', Array).include\n"),
                ("/hiera.yaml", "version: 5\n"),
                ("/data/common.yaml", "classes: ['tunels::client']\n"),
            ],
            "class tunnels::client { }\n",
        ),
        (
            "data has a parameter that is required",
            &[
                ("/data/common.yaml", "x: 1\n"),
                ("/hiera.yaml", LEVEL),
                ("/environment.conf", "modulepath = modules\n"),
                ("/modules/ntp/manifests/init.pp", "class ntp ($servers) { notice($servers) }\n"),
                ("/manifests/site.pp", "class { 'ntp': }\n"),
            ],
            "x: 1\nntp::servers: y\n",
        ),
        (
            "a key may be meant as that of a parameter that is required",
            &[
                ("/data/common.yaml", "x: 1\n"),
                ("/hiera.yaml", LEVEL),
                ("/environment.conf", "modulepath = modules\n"),
                ("/modules/ntp/manifests/init.pp", "class ntp ($servers) { notice($servers) }\n"),
                ("/manifests/site.pp", "class { 'ntp': }\n"),
            ],
            "x: 1\nntp::server: y\n",
        ),
        (
            "data has the key that is nearest to one that is looked up",
            &[
                ("/data/common.yaml", "x: 1\n"),
                ("/hiera.yaml", LEVEL),
                ("/environment.conf", "modulepath = modules\n"),
                ("/manifests/site.pp", "notice(lookup('web_port'))\n"),
            ],
            "x: 1\nweb_part: y\n",
        ),
        (
            "data has a key that a lookup nearly names, and other data is elsewhere",
            &[
                ("/data/common.yaml", "x: 1\n"),
                ("/hiera.yaml", LEVELS),
                ("/environment.conf", "modulepath = modules\n"),
                ("/manifests/site.pp", "notice(lookup('ntp_sever'))\n"),
            ],
            "x: 1\nntp_server: y\n",
        ),
        (
            "data encrypts a parameter that is shown",
            &[
                ("/data/common.yaml", "ntp::password: x\n"),
                ("/hiera.yaml", ENCRYPTED),
                ("/environment.conf", "modulepath = modules\n"),
                (
                    "/modules/ntp/manifests/init.pp",
                    "class ntp (String $password) { notify { \"p ${password}\": } }\n",
                ),
            ],
            "ntp::password: ENC[PKCS7,MIIB]\n",
        ),
        (
            "data has the key that other data looks up",
            &[
                ("/data/common.yaml", "x: 1\n"),
                ("/hiera.yaml", "version: 5\nhierarchy:\n  - { name: c, glob: '*.yaml' }\n"),
                ("/environment.conf", "modulepath = modules\n"),
                ("/manifests/site.pp", "notice(lookup('x'), lookup('y'))\n"),
                ("/data/more.yaml", "y: \"%{lookup('z')}\"\n"),
            ],
            "x: 1\nz: y\n",
        ),
    ];
    for (what, files, edited) in cases {
        let system = Arc::new(MemorySystem::with_files(files.iter().copied()));
        let options = ProjectOptions { threads: 1, ..ProjectOptions::default() };
        let mut project = Project::new(ProjectDatabase::new(system.clone()), &["/".into()], options.clone());
        project.update(&ChangeBatch::new());
        let before = all_said(&project, &project.findings().all(project.db()));
        // The first file is edited; the findings of the last one change.
        let (path, text) = files[0];
        for (step, text) in [edited, text].into_iter().enumerate() {
            system.write_file(path, text);
            project.update(&[path].into_iter().collect::<ChangeBatch>());
            let kept = all_said(&project, &project.findings().all(project.db()));
            let clean = ProjectDatabase::frozen(system.clone());
            let clean = Project::new(clean, &["/".into()], options.clone());
            assert_eq!(kept, all_said(&clean, &clean.check(&()).findings), "{what}");
            assert_eq!(kept == before, step == 1, "{what}: {kept:?}");
            let (last, _) = files[files.len() - 1];
            let is_of_last = |it: &&String| it.starts_with(&format!("{last} "));
            let of_last = |all: &[String]| all.iter().filter(is_of_last).cloned().collect::<Vec<_>>();
            assert_eq!(of_last(&kept) == of_last(&before), step == 1, "{what}: {kept:?}");
        }
    }
}
