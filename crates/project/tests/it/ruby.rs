//! Edits of Ruby files, and of data that cannot be parsed: only the files whose findings can change are asked, and their findings equal
//! those of a clean run.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::{Db as _, MemorySystem};
use marotte_diagnostics::Diagnostic;
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions};

/// An edit of one file, after which the findings of another one change.
struct Case {
    what: &'static str,
    files: &'static [(&'static str, &'static str)],
    path: &'static str,
    /// The text of the edited file before, if it exists.
    before: Option<&'static str>,
    after: Option<&'static str>,
    /// The file whose findings change.
    affected: &'static str,
    /// Whether only few files are asked.
    is_narrow: bool,
}

const RUBY: &str = "/modules/m/lib/puppet/functions/m/f.rb";
const CALLER: (&str, &str) = ("/modules/a/manifests/init.pp", "class a { notice(m::f(1)) }\n");
const TAKES_ONE: &str = "Puppet::Functions.create_function(:'m::f') do\n  def f(it)\n    it\n  end\nend\n";
const TAKES_TWO: &str =
    "Puppet::Functions.create_function(:'m::f') do\n  def f(it, other)\n    it\n  end\nend\n";
const GIVES_TEXT: &str = "Puppet::Functions.create_function(:'m::f') do\n  dispatch :f do\n    return_type 'String'\n  end\n  def f\n  end\nend\n";
const GIVES_NUMBER: &str = "Puppet::Functions.create_function(:'m::f') do\n  dispatch :f do\n    return_type 'Integer'\n  end\n  def f\n  end\nend\n";
const HIERA: (&str, &str) = ("/hiera.yaml", "version: 5\nhierarchy:\n  - { name: c, glob: '*.yaml' }\n");

const CASES: &[Case] = &[
    Case {
        what: "the file of a function disappears that hides what another one mentions",
        files: &[
            (
                "/modules/m2/lib/puppet/functions/shout.rb",
                "Puppet::Functions.create_function(:shout) do\n  x = it[:whisper]\nend\n",
            ),
            ("/modules/z/manifests/init.pp", "class z { notice(whisper(1)) }\n"),
        ],
        path: "/modules/m/lib/puppet/functions/shout.rb",
        before: Some("Puppet::Functions.create_function(:shout) do\n  def shout(it)\n    it\n  end\nend\n"),
        after: None,
        affected: "/modules/z/manifests/init.pp",
        is_narrow: false,
    },
    Case {
        what: "a function takes another number of arguments",
        files: &[CALLER],
        path: RUBY,
        before: Some(TAKES_ONE),
        after: Some(TAKES_TWO),
        affected: CALLER.0,
        is_narrow: true,
    },
    Case {
        what: "a function appears, with its folder",
        files: &[CALLER],
        path: RUBY,
        before: None,
        after: Some(TAKES_ONE),
        affected: CALLER.0,
        is_narrow: true,
    },
    Case {
        what: "a function of the 3.x API appears",
        files: &[("/modules/a/manifests/init.pp", "class a { notice(shout(1)) }\n")],
        path: "/modules/m/lib/puppet/parser/functions/shout.rb",
        before: None,
        after: Some(
            "module Puppet::Parser::Functions\n  newfunction(:shout, :type => :rvalue, :arity => 1) { |a| a }\nend\n",
        ),
        affected: "/modules/a/manifests/init.pp",
        is_narrow: true,
    },
    Case {
        what: "a function in Ruby takes the place of one in Puppet",
        files: &[("/modules/m/functions/f.pp", "function m::f($x) { $x }\n"), CALLER],
        path: RUBY,
        before: None,
        after: Some(TAKES_TWO),
        affected: CALLER.0,
        is_narrow: true,
    },
    Case {
        what: "a variable that a function sets has another type",
        files: &[
            ("/modules/a/manifests/init.pp", "class a { $x = m::f() }\n"),
            ("/modules/b/manifests/init.pp", "class b {\n  include a\n  $y = $a::x\n}\n"),
            ("/modules/c/manifests/init.pp", "class c {\n  include b\n  class { 'd': port => $b::y }\n}\n"),
            ("/modules/d/manifests/init.pp", "class d (Integer $port) { notice($port) }\n"),
        ],
        path: RUBY,
        before: Some(GIVES_NUMBER),
        after: Some(GIVES_TEXT),
        affected: "/modules/c/manifests/init.pp",
        is_narrow: true,
    },
    Case {
        what: "a function has a deprecation",
        files: &[CALLER],
        path: RUBY,
        before: Some(TAKES_ONE),
        after: Some(
            "# @deprecated Use another one.\nPuppet::Functions.create_function(:'m::f') do\n  def f(it)\n    it\n  end\nend\n",
        ),
        affected: CALLER.0,
        is_narrow: true,
    },
    Case {
        what: "a function can read the variables of its caller",
        files: &[("/modules/a/manifests/d.pp", "define a::d {\n  $other = 1\n  notice(m::f($title))\n}\n")],
        path: RUBY,
        before: Some(TAKES_ONE),
        after: Some(
            "Puppet::Functions.create_function(:'m::f') do\n  def f(it)\n    closure_scope\n  end\nend\n",
        ),
        affected: "/modules/a/manifests/d.pp",
        is_narrow: true,
    },
    Case {
        what: "another function mentions a name",
        files: &[("/modules/a/manifests/init.pp", "class a { notice(shout(1)) }\n")],
        path: RUBY,
        before: Some(TAKES_ONE),
        after: Some(
            "Puppet::Functions.create_function(:'m::f') do\n  def f(it)\n    it[:shout]\n  end\nend\n",
        ),
        affected: "/modules/a/manifests/init.pp",
        is_narrow: true,
    },
    Case {
        what: "a function has almost the name of one that is called",
        files: &[("/modules/a/manifests/init.pp", "class a { notice(m::shuot(1)) }\n")],
        path: "/modules/m/lib/puppet/functions/m/shout.rb",
        before: None,
        after: Some(
            "Puppet::Functions.create_function(:'m::shout') do\n  def shout(it)\n    it\n  end\nend\n",
        ),
        affected: "/modules/a/manifests/init.pp",
        is_narrow: false,
    },
    Case {
        what: "the place where a signature is declared moves",
        files: &[("/modules/a/manifests/init.pp", "class a { notice(m::f('x')) }\n")],
        path: RUBY,
        before: Some(
            "Puppet::Functions.create_function(:'m::f') do\n  dispatch :f do\n    param 'Integer', :it\n  end\n  def f(it)\n  end\nend\n",
        ),
        after: Some(
            "#\nPuppet::Functions.create_function(:'m::f') do\n  dispatch :f do\n    param 'Integer', :it\n  end\n  def f(it)\n  end\nend\n",
        ),
        affected: "/modules/a/manifests/init.pp",
        is_narrow: true,
    },
    Case {
        what: "a Ruby file is broken",
        files: &[],
        path: RUBY,
        before: Some(TAKES_ONE),
        after: Some("Puppet::Functions.create_function(:'m::f') do\n  de(f f(it)\n  end\nend\n"),
        affected: RUBY,
        is_narrow: true,
    },
    Case {
        what: "a Ruby file with a finding disappears",
        files: &[],
        path: RUBY,
        before: Some("Puppet::Functions.create_function(:'m::f') do\n  de(f f(it)\n  end\nend\n"),
        after: None,
        affected: RUBY,
        is_narrow: true,
    },
    Case {
        what: "a fact with a finding appears",
        files: &[],
        path: "/modules/m/lib/facter/more.rb",
        before: None,
        after: Some("Facter.add(:more) { setcode { URI.escape('x') } }\n"),
        affected: "/modules/m/lib/facter/more.rb",
        is_narrow: true,
    },
    Case {
        what: "a fact appears that code reads under almost the same name",
        files: &[("/modules/a/manifests/init.pp", "class a { notice($facts['releaes']) }\n")],
        path: "/modules/m/lib/facter/more.rb",
        before: None,
        after: Some("Facter.add(:release) { setcode { 'x' } }\n"),
        affected: "/modules/a/manifests/init.pp",
        is_narrow: false,
    },
    Case {
        what: "a fact appears that replaces a legacy one",
        files: &[("/modules/a/manifests/init.pp", "class a { notice($facts['osfamily']) }\n")],
        path: "/modules/m/lib/facter/more.rb",
        before: Some("Facter.add(:more) { setcode { 'x' } }\n"),
        after: Some("Facter.add(:osfamily) { setcode { 'x' } }\n"),
        affected: "/modules/a/manifests/init.pp",
        is_narrow: false,
    },
    Case {
        what: "a resource type has another attribute",
        files: &[("/modules/a/manifests/init.pp", "class a { x_type { 'x': size => 1 } }\n")],
        path: "/modules/m/lib/puppet/type/x_type.rb",
        before: Some("Puppet::Type.newtype(:x_type) do\n  newparam(:name)\n  newparam(:size)\nend\n"),
        after: Some("Puppet::Type.newtype(:x_type) do\n  newparam(:name)\nend\n"),
        affected: "/modules/a/manifests/init.pp",
        is_narrow: false,
    },
    Case {
        what: "data is broken that may have the key of a lookup",
        files: &[HIERA, ("/data/other.yaml", "y: 1\n"), ("/manifests/site.pp", "notice(lookup('zzz'))\n")],
        path: "/data/common.yaml",
        before: Some("x: 1\n"),
        after: Some("x: [\n"),
        affected: "/manifests/site.pp",
        is_narrow: true,
    },
    Case {
        what: "data is broken that may have a required parameter",
        files: &[
            HIERA,
            ("/data/other.yaml", "y: 1\n"),
            ("/modules/a/manifests/init.pp", "class a ($port) { notice($port) }\n"),
            ("/manifests/site.pp", "class { 'a': }\n"),
        ],
        path: "/data/common.yaml",
        before: Some("x: 1\n"),
        after: Some("x: [\n"),
        affected: "/manifests/site.pp",
        is_narrow: true,
    },
    Case {
        what: "data is broken that may convert the values of other data",
        files: &[
            HIERA,
            ("/modules/a/manifests/init.pp", "class a (Integer $port) { notice($port) }\n"),
            ("/data/other.yaml", "a::port: x\n"),
        ],
        path: "/data/common.yaml",
        before: Some("x: 1\n"),
        after: Some("x: [\n"),
        affected: "/data/other.yaml",
        is_narrow: true,
    },
    Case {
        what: "broken data may be read by all of its interpolations",
        files: &[HIERA, ("/data/other.yaml", "y: 1\n"), ("/manifests/site.pp", "notice(lookup('x'))\n")],
        path: "/data/common.yaml",
        before: Some("x: '%{lookup(\"y\")}'\n"),
        after: Some("x: [\n"),
        affected: "/data/common.yaml",
        is_narrow: true,
    },
];

fn said(project: &Project, findings: &[Arc<Diagnostic>]) -> Vec<String> {
    let path = |id| project.db().files().by_id(id).unwrap().path(project.db()).to_string();
    let one = |it: &Arc<Diagnostic>| {
        let related: Vec<_> = it.related.iter().map(|it| (path(it.file), it.range)).collect();
        let Diagnostic { rule, range, message, label, notes, level, .. } = &**it;
        format!("{} {rule} {level:?} {range:?} {message} {label:?} {notes:?} {related:?}", path(it.file))
    };
    findings.iter().map(one).collect()
}

fn write(system: &MemorySystem, path: &str, text: Option<&str>) {
    match text {
        Some(text) => system.write_file(path, text),
        None => _ = system.remove(path),
    }
}

/// The paths of which a watcher tells: those of folders that appeared, too.
fn told(path: &str) -> ChangeBatch {
    let is_in_module = |it: &&Utf8Path| it.parent().is_some_and(|it| it != "/modules");
    let folders = Utf8Path::new(path).ancestors().take_while(is_in_module);
    let is_ruby = path.ends_with(".rb");
    folders.filter(|it| is_ruby || *it == path).map(ToOwned::to_owned).collect()
}

#[test]
fn an_edit_of_ruby_or_of_broken_data_concerns_the_files_that_depend_on_it() {
    /// Files on which nothing depends.
    const OTHERS: usize = 40;
    let mut failed = Vec::new();
    for Case { what, files, path, before, after, affected, is_narrow } in CASES {
        let system = Arc::new(MemorySystem::with_files(files.iter().copied()));
        system.write_file("/environment.conf", "modulepath = modules\n");
        system.write_file("/modules/m/manifests/init.pp", "class m { }\n");
        for number in 0..OTHERS {
            let class = format!("class m::other{number} {{ notice({number}) }}\n");
            system.write_file(format!("/modules/m/manifests/other{number}.pp"), class);
        }
        write(&system, path, *before);
        let options = ProjectOptions { threads: 1, ..ProjectOptions::default() };
        let mut project = Project::new(ProjectDatabase::new(system.clone()), &["/".into()], options.clone());
        project.update(&ChangeBatch::new());
        let kept = |project: &Project| said(project, &project.findings().all(project.db()));
        let of = |all: &[String]| -> Vec<String> {
            all.iter().filter(|it| it.starts_with(&format!("{affected} "))).cloned().collect()
        };
        let first = kept(&project);
        for (step, text) in [after, before].into_iter().enumerate() {
            write(&system, path, *text);
            let delta = project.update(&told(path));
            let now = kept(&project);
            let clean = ProjectDatabase::frozen(system.clone());
            let clean = Project::new(clean, &["/".into()], options.clone());
            let mut expect = |holds: bool, of: &str| {
                if !holds {
                    failed.push(format!("{what}, step {step}: {of}; {} were asked: {now:#?}", delta.asked));
                }
            };
            expect(now == said(&clean, &clean.check(&()).findings), "findings differ from a clean run's");
            expect((of(&now) == of(&first)) == (step == 1), "the findings of the affected file");
            expect((delta.asked < OTHERS) == *is_narrow, "the number of files");
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
