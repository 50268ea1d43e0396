//! Tests of the work that a project avoids, and of the correctness of cached results.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use marotte_db::testing::{EventLog, Ran};
use marotte_db::{Db as _, DiskSystem, File, Files, MemorySystem, System as _, environment_of};
use marotte_diagnostics::rules::{self, Subject};
use marotte_diagnostics::{RuleSet, named_set};
use marotte_hir::module_definitions;
use marotte_project::{Applied, ChangeBatch, Project, ProjectDatabase, ProjectOptions, Report};

struct Fixture {
    system: Arc<MemorySystem>,
    log: EventLog,
    project: Project,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, Files::default(), RuleSet::usual())
    }

    fn with_table(files: &[(&str, &str)], table: Files) -> Self {
        Self::with(files, table, RuleSet::usual())
    }

    fn with_rules(files: &[(&str, &str)], rules: RuleSet) -> Self {
        Self::with(files, Files::default(), rules)
    }

    fn with(files: &[(&str, &str)], table: Files, rules: RuleSet) -> Self {
        let system = Arc::new(MemorySystem::with_files(files.iter().copied()));
        let log = EventLog::default();
        let db = ProjectDatabase::with_event_log(system.clone(), table, &log);
        let options = ProjectOptions { threads: 2, rules, ..ProjectOptions::default() };
        let project = Project::new(db, &["/".into()], options);
        let fixture = Fixture { system, log, project };
        fixture.check();
        fixture
    }

    fn check(&self) -> Report {
        self.project.check(&())
    }

    /// Applies changes of these paths, checks, and returns what ran for it.
    fn touch(&mut self, paths: &[&str]) -> (Applied, Report, Ran) {
        self.log.take();
        let applied = self.project.apply(&paths.iter().copied().collect());
        let report = self.check();
        (applied, report, self.log.take())
    }

    fn file(&self, path: &str) -> File {
        self.project.db().files().known(path.into()).unwrap()
    }

    fn rules(&self) -> Vec<(String, &'static str)> {
        rules(&self.project)
    }
}

fn rules(project: &Project) -> Vec<(String, &'static str)> {
    let report = project.check(&());
    let path = |id| project.db().files().by_id(id).unwrap().path(project.db()).to_string();
    report.findings.iter().map(|finding| (path(finding.file), finding.rule.name)).collect()
}

#[test]
fn editing_one_file_parses_one_file_and_checks_only_it() {
    let mut fixture = Fixture::new(&[("/a.pp", "$a = 1"), ("/b.pp", "$b = 1"), ("/c.epp", "x")]);
    fixture.system.write_file("/a.pp", "$a = 2");
    let (applied, report, ran) = fixture.touch(&["/a.pp"]);

    assert_eq!(applied, Applied { files: 1, layout: false });
    assert_eq!((report.files, report.checked), (3, 1));
    let db = fixture.project.db();
    for query in ["source_text", "content", "check_file"] {
        assert_eq!(ran.count(db, query), 1, "{query}");
        ran.assert_query_was_run(db, query, fixture.file("/a.pp"));
    }
}

/// An edit looks at what it may affect, not at the tree: with ten times as many modules, it computes and revalidates no more.
#[test]
fn the_work_of_an_edit_does_not_depend_on_the_size_of_the_tree() {
    let edits = [
        ("/modules/m1/manifests/init.pp", Some("class m1(String $a = 'a') {\n  notify { 'other': }\n}\n")),
        ("/modules/m1/manifests/init.pp", Some("class m1(String $a = 'a', String $b = 'b') {\n}\n")),
        ("/data/common.yaml", Some("site::classes: [m0, m2]\nm0::a: c\n")),
        ("/modules/m1/manifests/new.pp", Some("class m1::new {\n}\nclass m1::new::deep {\n}\n")),
        ("/modules/m1/manifests/more.pp", Some("class m1::more {\n  include m1::new\n}\n")),
        ("/modules/m1/manifests/more.pp", None),
        ("/modules/m1/manifests/new.pp", None),
    ];
    let work = |modules: usize| -> Vec<usize> {
        let mut files = vec![
            ("/environment.conf".to_owned(), "modulepath = modules\n".to_owned()),
            (
                "/hiera.yaml".to_owned(),
                "version: 5\nhierarchy:\n- {name: all, path: common.yaml}\n".to_owned(),
            ),
            ("/data/common.yaml".to_owned(), "site::classes: [m0]\nm0::a: b\n".to_owned()),
            ("/manifests/site.pp".to_owned(), "lookup('site::classes').include\n".to_owned()),
            ("/modules/m1/manifests/new.pp".to_owned(), "class m1::new {\n}\n".to_owned()),
        ];
        for number in 0..modules {
            let text = format!("class m{number}(String $a = 'a') {{\n  notify {{ 'm{number}': }}\n}}\n");
            files.push((format!("/modules/m{number}/manifests/init.pp"), text));
            let text = "<%= URI.escape(@path) %> <%= @hostname %>\n".to_owned();
            files.push((format!("/modules/m{number}/templates/a.erb"), text));
        }
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let mut fixture = Fixture::new(&files);
        fixture.project.update(&ChangeBatch::new());
        // The first edit after a check of all files sees what was kept since then.
        fixture.system.write_file("/modules/m2/manifests/init.pp", "class m2(String $a = 'a') { }\n");
        fixture.project.update(&["/modules/m2/manifests/init.pp"].into_iter().collect());
        let mut work = Vec::new();
        for (path, text) in edits {
            fixture.log.take();
            match text {
                Some(text) => fixture.system.write_file(path, text),
                None => _ = fixture.system.remove(path),
            }
            let delta = fixture.project.update(&[path].into_iter().collect());
            assert!(delta.asked < 10, "{path}: {delta:?}");
            work.push(fixture.log.take().work());
        }
        work
    };
    let (few, many) = (work(10), work(100));
    for ((few, many), edit) in few.iter().zip(&many).zip(edits) {
        assert!(*many <= few + few / 10, "{many} rather than {few} results for {edit:?}");
    }
}

/// With the rules about whole trees, an edit that leaves alone what a file uses compares nothing anew, and reads no other file.
#[test]
fn an_edit_that_uses_the_same_leaves_the_rules_about_trees_alone() {
    let files = [
        ("/environment.conf", ""),
        ("/manifests/site.pp", "include used"),
        ("/modules/used/manifests/init.pp", "class used {\n  notice('a')\n}\n"),
        ("/modules/used/manifests/unused.pp", "class used::unused {\n}\n"),
    ];
    let mut fixture = Fixture::with_rules(&files, RuleSet::usual().with(Subject::Tree));
    let unused = [("/modules/used/manifests/unused.pp".to_owned(), "unused-class")];
    assert_eq!(fixture.rules(), unused);

    // The queries whose input is the edited text run, and their results equal the former ones.
    fixture.system.write_file("/modules/used/manifests/init.pp", "# b\nclass used {\n  notice( 'a' )\n}\n");
    let (_, _, ran) = fixture.touch(&["/modules/used/manifests/init.pp"]);
    let db = fixture.project.db();
    for query in ["findings_by_file", "environment_mentions", "folder_mentions", "item_mentions"] {
        assert_eq!(ran.count(db, query), 0, "{query}");
    }
    for query in ["source_text", "content"] {
        assert_eq!(ran.count(db, query), 1, "{query}");
    }
    assert_eq!(fixture.rules(), unused);

    fixture.system.write_file("/modules/used/manifests/init.pp", "class used {\n  include used::unused\n}\n");
    let (_, _, ran) = fixture.touch(&["/modules/used/manifests/init.pp"]);
    assert_eq!(ran.count(fixture.project.db(), "environment_mentions"), 1);
    assert_eq!(fixture.rules(), []);
}

/// Uses by unused definitions don't count, however many of them use each other.
#[test]
fn definitions_that_only_use_each_other_are_unused() {
    let files = [
        ("/environment.conf", "modulepath = modules\n"),
        ("/manifests/site.pp", "include a\n"),
        ("/modules/a/manifests/init.pp", "class a {\n  notice(a::used())\n}\n"),
        ("/modules/a/functions/used.pp", "function a::used() { 1 }\n"),
        // A circle, and what only the circle uses.
        ("/modules/a/manifests/one.pp", "class a::one {\n  include a::two\n}\n"),
        ("/modules/a/manifests/two.pp", "class a::two {\n  notice(Class['a::one'], a::leaf())\n}\n"),
        ("/modules/a/functions/leaf.pp", "function a::leaf() { 1 }\n"),
    ];
    let mut fixture = Fixture::with_rules(&files, RuleSet::usual().with(Subject::Tree));
    let unused = [
        ("/modules/a/functions/leaf.pp".to_owned(), "unused-function"),
        ("/modules/a/manifests/one.pp".to_owned(), "unused-class"),
        ("/modules/a/manifests/two.pp".to_owned(), "unused-class"),
    ];
    assert_eq!(fixture.rules(), unused);

    fixture.system.write_file("/manifests/site.pp", "include a\ninclude a::two\n");
    fixture.touch(&["/manifests/site.pp"]);
    assert_eq!(fixture.rules(), []);
}

/// A check with rules about texts only resolves no names, infers no types, and reads neither data nor Ruby.
#[test]
fn rules_that_are_not_requested_run_no_query() {
    let files = [
        ("/environment.conf", ""),
        ("/hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    path: all.yaml\n"),
        ("/data/all.yaml", "a::b: 1\n"),
        (
            "/manifests/site.pp",
            "include a\nfile { '/x': mode => \"0644\", mode => '0644' }\nnotice(a::f($b))",
        ),
        ("/modules/a/manifests/init.pp", "class a(Integer $b) {\n}\n"),
        ("/modules/a/lib/puppet/functions/a/f.rb", "Puppet::Functions.create_function(:'a::f') do\nend\n"),
    ];
    let rules = named_set("puppet-lint").unwrap().rules;
    let rules: RuleSet = rules.into_iter().filter(|it| it.name != "legacy-fact").collect();
    let fixture = Fixture::with_rules(&files, rules);
    let found: Vec<&str> = fixture.rules().iter().map(|it| it.1).collect();
    assert!(found.contains(&"duplicate-attribute") && found.contains(&"needless-double-quotes"), "{found:?}");
    assert!(found.iter().all(|it| rules::rule(it).is_some()), "{found:?}");
    let db = fixture.project.db();
    let ran = fixture.log.take();
    for query in ["infer", "document", "ruby_functions", "outline", "module_definitions"] {
        assert_eq!(ran.count(db, query), 0, "{query}");
    }
    assert_eq!(ran.count(db, "content"), 2);
}

#[test]
fn a_key_in_an_open_document_does_not_revalidate_closed_ones() {
    let names: Vec<String> = (0..40).map(|it| format!("/modules/m{it}/manifests/init.pp")).collect();
    let texts: Vec<String> =
        (0..40).map(|it| format!("class m{it}(Integer $n = 1) {{ include m{} }}", (it + 1) % 40)).collect();
    let mut files: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (&**name, &**text)).collect();
    files.push(("/environment.conf", ""));
    let (open, closed) = (&*names[0], &*names[7]);
    let mut fixture = Fixture::with_table(&files, Files::of_editor([open.into()]));

    // Types a key, then completes a name of any class. Returns how many files were checked, and how many definitions in them
    // revalidated.
    let type_a_key = |fixture: &mut Fixture, path: &str, text: &str| {
        fixture.system.write_file(path, text);
        let (_, report, ran) = fixture.touch(&[path]);
        let db = fixture.project.db();
        let environment = environment_of(db, fixture.file(open));
        for (module, _) in environment.modules(db).iter() {
            module_definitions(db, environment, module.clone());
        }
        let ran = [ran, fixture.log.take()];
        (report.checked, ran.iter().map(|it| it.looked_at(db, "content")).sum::<usize>())
    };
    assert_eq!(type_a_key(&mut fixture, open, "class m0 { include m1 }").0, 1);
    // Only the class that it names is looked at, and what led to that; and those that name it, which may now declare something
    // together with others.
    let (checked, revalidated) = type_a_key(&mut fixture, open, "class m0 { include m1::x }");
    assert!(checked <= 3 && revalidated < 10, "{checked} {revalidated}");
    assert_eq!(fixture.rules(), [(open.to_owned(), "unresolved-class")]);

    // A closed one changes now and then, with `git checkout`.
    let (checked, revalidated) = type_a_key(&mut fixture, closed, "class m7(Integer $n) { include m8::x }");
    assert!(checked <= 3 && revalidated > 30, "{checked} {revalidated}");
    let both = [(open.to_owned(), "unresolved-class"), (closed.to_owned(), "unresolved-class")];
    assert_eq!(fixture.rules(), both);

    // Once it is opened, keys in it cost as little.
    fixture.project.set_open(closed.into(), true);
    fixture.project.set_open(open.into(), false);
    type_a_key(&mut fixture, closed, "class m7(Integer $n) { }");
    let (checked, revalidated) = type_a_key(&mut fixture, closed, "class m7(Integer $n) { include m8 }");
    assert!(checked <= 3 && revalidated < 12, "{checked} {revalidated}");
    assert_eq!(fixture.rules(), both[..1]);

    // A change that comes while a document is closed is noticed when it is announced.
    fixture.system.write_file(closed, "class m7(Integer $n) { include m8::x }");
    fixture.project.set_open(closed.into(), false);
    assert_eq!(fixture.rules(), both[..1]);
    fixture.touch(&[closed]);
    assert_eq!(fixture.rules(), both);
}

#[test]
fn the_same_bytes_written_again_run_nothing() {
    let mut fixture = Fixture::new(&[("/a.pp", "$a = 1"), ("/b.pp", "$b = 1")]);
    fixture.system.write_file("/a.pp", "$a = 1");
    let (applied, report, ran) = fixture.touch(&["/a.pp"]);
    assert!(!applied.anything());
    assert_eq!(report.checked, 0);
    ran.assert_nothing_ran(fixture.project.db());
}

#[test]
fn a_file_that_starts_to_exist_is_checked_alone() {
    let mut fixture = Fixture::new(&[("/a.pp", "$a = 1")]);
    fixture.system.write_file("/b.pp", "$b = 1");
    let (applied, report, ran) = fixture.touch(&["/b.pp"]);
    assert_eq!(applied, Applied { files: 0, layout: true });
    assert_eq!((report.files, report.checked), (2, 1));
    ran.assert_query_was_not_run(fixture.project.db(), "check_file", fixture.file("/a.pp"));
}

#[test]
fn a_deleted_file_takes_its_findings_along_and_wakes_nobody() {
    let mut fixture = Fixture::new(&[("/a.pp", "$a = 1"), ("/b.pp", "$b = 1")]);
    fixture.system.make_unreadable("/b.pp");
    fixture.touch(&["/b.pp"]);
    assert_eq!(fixture.rules(), [("/b.pp".to_owned(), "unreadable-file")]);

    fixture.system.remove("/b.pp");
    let (applied, report, _) = fixture.touch(&["/b.pp"]);
    assert!(applied.anything());
    assert_eq!((report.files, report.checked), (1, 0));
    assert_eq!(fixture.rules(), []);
}

#[test]
fn a_name_that_comes_to_a_folder_wakes_those_who_asked_for_it() {
    // The other manifest uses as many kinds of Ruby definitions as possible: a function, a resource type, a data type.
    let mut fixture = Fixture::new(&[
        ("/environment.conf", ""),
        ("/manifests/site.pp", "notice(shout('a'))"),
        (
            "/manifests/other.pp",
            "notice(whisper('a'))\nvoice { 'a': }\nnotice(Text::Tone)\nnotice($facts['os'])",
        ),
        ("/modules/text/lib/puppet/functions/whisper.rb", ""),
        ("/modules/text/lib/puppet/type/voice.rb", ""),
        ("/modules/text/lib/puppet/datatypes/text/tone.rb", ""),
    ]);
    let unresolved = [("/manifests/site.pp".to_owned(), "unresolved-function")];
    assert_eq!(fixture.rules(), unresolved);

    let path = "/modules/text/lib/puppet/functions/shout.rb";
    let function = "Puppet::Functions.create_function(:shout) { def shout(text); end }";
    fixture.system.write_file(path, function);
    for (findings, edit) in [(&[][..], "comes"), (&unresolved[..], "goes")] {
        if edit == "goes" {
            fixture.system.remove(path);
        }
        let (applied, _, ran) = fixture.touch(&[path]);
        assert!(applied.anything(), "{edit}");
        assert_eq!(fixture.rules(), findings, "{edit}");
        let db = fixture.project.db();
        ran.assert_query_was_run(db, "check_file", fixture.file("/manifests/site.pp"));
        ran.assert_query_was_not_run(db, "check_file", fixture.file("/manifests/other.pp"));
    }
}

#[test]
fn an_edit_of_what_ruby_does_checks_nothing() {
    let path = "/modules/text/lib/puppet/functions/whisper.rb";
    let function = |text: &str| {
        format!(
            "Puppet::Functions.create_function(:whisper) do\n  def whisper(text)\n    {text}\n  end\nend\n"
        )
    };
    let mut fixture = Fixture::new(&[
        ("/environment.conf", ""),
        ("/manifests/site.pp", "notice(whisper('a'))\nnotice(missing('a'))"),
        (path, &function("text.downcase")),
    ]);
    fixture.system.write_file(path, function("text.strip"));
    let (applied, report, ran) = fixture.touch(&[path]);
    assert!(applied.anything());
    // The file mentions the same words as before, so that the search for the other function does not run again.
    assert_eq!(ran.count(fixture.project.db(), "words_in"), 1);
    assert_eq!(ran.count(fixture.project.db(), "is_mentioned"), 0);
    assert_eq!(report.checked, 0, "{:?}", ran.names(fixture.project.db()));
    assert_eq!(fixture.rules(), [("/manifests/site.pp".to_owned(), "unresolved-function")]);
}

#[test]
fn a_word_of_a_program_that_prints_facts_wakes_those_who_read_such_a_fact() {
    let path = "/modules/hosts/facts.d/role.sh";
    let mut fixture = Fixture::new(&[
        ("/environment.conf", ""),
        ("/manifests/site.pp", "notice($facts['kernle'])"),
        ("/manifests/other.pp", "notice($facts['timezoen'])"),
        (path, "echo role=web"),
    ]);
    let rules = fixture.rules();
    assert_eq!(rules.len(), 2, "{rules:?}");
    fixture.system.write_file(path, "echo kernle=web");
    let (_, _, ran) = fixture.touch(&[path]);
    assert_eq!(fixture.rules(), [("/manifests/other.pp".to_owned(), "unresolved-variable")]);
    let db = fixture.project.db();
    ran.assert_query_was_run(db, "check_file", fixture.file("/manifests/site.pp"));
    ran.assert_query_was_not_run(db, "check_file", fixture.file("/manifests/other.pp"));
}

#[test]
fn another_reader_of_a_variable_that_nothing_sets_wakes_its_readers() {
    let class = |name: &str, reads: &str| format!("class m::{name} {{ notice({reads}) }}");
    let metadata = r#"{"name": "x-m", "version": "1.0.0", "author": "x", "license": "MIT", "source": "", "dependencies": [{"name": "x/absent"}]}"#;
    let mut fixture = Fixture::new(&[
        ("/m/metadata.json", metadata),
        ("/m/manifests/a.pp", &class("a", "$rack_row")),
        ("/m/manifests/b.pp", &class("b", "$rack_row")),
        ("/m/manifests/c.pp", &class("c", "1")),
        ("/m/manifests/d.pp", &class("d", "$power_feed")),
    ]);
    let told = |path: &str| (path.to_owned(), "unresolved-variable");
    let of_all = ["/m/manifests/a.pp", "/m/manifests/b.pp", "/m/manifests/d.pp"].map(told);
    assert_eq!(fixture.rules(), of_all);

    let path = "/m/manifests/c.pp";
    fixture.system.write_file(path, class("c", "2"));
    let (_, report, _) = fixture.touch(&[path]);
    assert_eq!(report.checked, 1, "it reads nothing new");

    // A variable that three definitions read comes from the site.
    fixture.system.write_file(path, class("c", "$rack_row"));
    let (_, _, ran) = fixture.touch(&[path]);
    assert_eq!(fixture.rules(), [told("/m/manifests/d.pp")]);
    let db = fixture.project.db();
    ran.assert_query_was_run(db, "check_file", fixture.file("/m/manifests/a.pp"));
}

#[test]
fn files_that_say_which_modules_there_should_be_are_noticed() {
    let fetched_later = [
        ("/Puppetfile", "mod 'acme-shop', '1.0.0'\n"),
        ("/.gitmodules", "[submodule \"shop\"]\n\tpath = modules/shop\n\turl = https://example.com/shop\n"),
    ];
    for (path, text) in fetched_later {
        let mut fixture = Fixture::new(&[
            ("/environment.conf", "modulepath = modules\n"),
            ("/manifests/site.pp", "include shop"),
            ("/modules/web/manifests/init.pp", "class web { }"),
        ]);
        assert_eq!(fixture.rules(), [("/manifests/site.pp".to_owned(), "unresolved-class")]);
        fixture.system.write_file(path, text);
        fixture.touch(&[path]);
        assert_eq!(fixture.rules(), [], "{path}");
    }
}

#[test]
fn a_renamed_folder_is_followed_by_its_name_alone() {
    let mut fixture =
        Fixture::new(&[("/a.pp", "$a = 1"), ("/old/b.pp", "$b = 1"), ("/old/deep/c.pp", "$c = 1")]);
    fixture.system.rename("/old", "/new");
    let (_, report, _) = fixture.touch(&["/old", "/new"]);
    assert_eq!((report.files, report.checked), (3, 2));

    // The cached content of the old names is from before they disappeared.
    fixture.system.rename("/new", "/old");
    fixture.system.write_file("/old/b.pp", b"\xff");
    let (_, report, _) = fixture.touch(&["/old", "/new"]);
    assert_eq!(report.files, 3);
    assert_eq!(fixture.rules(), [("/old/b.pp".to_owned(), "invalid-utf8")]);
}

#[test]
fn a_rescan_finds_what_nobody_told() {
    let mut fixture = Fixture::new(&[("/a.pp", "$a = 1"), ("/b.pp", "$b = 1")]);
    fixture.system.write_file("/a.pp", b"\xff");
    fixture.system.write_file("/c.pp", "$c = 1");
    fixture.system.remove("/b.pp");
    fixture.project.apply(&ChangeBatch::everything());
    let report = fixture.check();
    assert_eq!((report.files, report.checked), (2, 2));
    assert_eq!(fixture.rules(), [("/a.pp".to_owned(), "invalid-utf8")]);
}

#[test]
fn a_rescan_that_finds_nothing_runs_nothing() {
    let mut fixture = Fixture::new(&[("/a.pp", "$a = 1"), ("/m/metadata.json", r#"{"name": "a-m"}"#)]);
    fixture.log.take();
    assert!(!fixture.project.apply(&ChangeBatch::everything()).anything());
    assert_eq!(fixture.check().checked, 0);
    fixture.log.take().assert_nothing_ran(fixture.project.db());
}

#[cfg(unix)]
#[test]
fn a_file_is_known_by_every_name_that_leads_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let base = camino::Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let system = Arc::new(DiskSystem::at(&base));
    let root = base.join("root");
    std::fs::create_dir_all(root.join("real")).unwrap();
    std::fs::create_dir_all(base.join("outside")).unwrap();
    system.write_atomically(&root.join("real/a.pp"), b"1").unwrap();
    system.write_atomically(&base.join("outside/b.pp"), b"1").unwrap();
    std::os::unix::fs::symlink("real", root.join("alias")).unwrap();
    std::os::unix::fs::symlink("../outside", root.join("other")).unwrap();
    let mut project = Project::new(
        ProjectDatabase::new(system.clone()),
        std::slice::from_ref(&root),
        ProjectOptions::default(),
    );

    let edit = Applied { files: 1, layout: false };
    for (number, name) in ["real/a.pp", "alias/a.pp", "other/b.pp", "../outside/b.pp"].into_iter().enumerate()
    {
        // Only a file that was read can be found to have changed.
        project.check(&());
        let path = system.absolute(&root.join(name));
        system.write_atomically(&path, number.to_string().repeat(2).as_bytes()).unwrap();
        assert_eq!(project.apply(&[path].into_iter().collect()), edit, "{name}");
    }
    std::fs::remove_file(root.join("real/a.pp")).unwrap();
    assert!(project.apply(&[root.join("alias/a.pp")].into_iter().collect()).anything());
    assert_eq!(project.check(&()).files, 1);
}

/// A generator of edits that produces the same sequence on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // Knuth's MMIX constants; the low bits of such a generator are poor.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const PATHS: [&str; 8] = [
    "/site.pp",
    "/modules/a/manifests/init.pp",
    "/modules/a/manifests/b.pp",
    "/modules/a/templates/t.epp",
    "/modules/c/manifests/init.pp",
    "/modules/c/functions/f.pp",
    "/modules/c/metadata.json",
    "/environment.conf",
];

const TEXTS: [&str; 8] = [
    "",
    "class a { }",
    "class c { notice(1) }",
    "$x = 08",
    "notify { 'x': message = 1 }",
    "function c::f() { 1 }",
    r#"{"name": "x-c"}"#,
    "modulepath = modules\n",
];

const FOLDERS: [&str; 4] = ["/modules", "/modules/a", "/modules/c", "/elsewhere"];

/// Makes a random change, and returns the paths that a watcher would report.
fn edit(random: &mut Random, system: &MemorySystem) -> Vec<&'static str> {
    let path = random.pick(&PATHS);
    match random.below(8) {
        0 => {
            system.remove(path);
            vec![path]
        }
        1 => {
            let to = random.pick(&PATHS);
            system.rename(path, to);
            vec![path, to]
        }
        2 => {
            let (from, to) = (random.pick(&FOLDERS), random.pick(&FOLDERS));
            if to.starts_with(from) || from.starts_with(to) {
                return vec![];
            }
            system.remove(to);
            system.rename(from, to);
            vec![from, to]
        }
        3 => {
            system.make_unreadable(path);
            vec![path]
        }
        4 => {
            system.write_file(path, b"caf\xe9");
            vec![path]
        }
        _ => {
            system.write_file(path, random.pick(&TEXTS));
            vec![path]
        }
    }
}

#[test]
fn after_random_edits_the_answer_equals_a_clean_runs() {
    for seed in 1..=20 {
        let mut random = Random(seed);
        let mut fixture = Fixture::new(&[("/site.pp", "class a { }")]);
        for step in 0..60 {
            let edits = 1 + random.below(4);
            let touched: Vec<_> = (0..edits).flat_map(|_| edit(&mut random, &fixture.system)).collect();
            fixture.project.apply(&touched.into_iter().collect());

            let clean = ProjectDatabase::frozen(fixture.system.clone());
            let clean = Project::new(clean, &["/".into()], ProjectOptions::default());
            assert_eq!(fixture.rules(), rules(&clean), "seed {seed}, step {step}");
        }
    }
}

/// A module, one file that uses it, and one that doesn't.
fn module() -> Fixture {
    Fixture::new(&[
        ("/environment.conf", "modulepath = modules\n"),
        ("/modules/web/manifests/vhost.pp", "define web::vhost(Integer $port = 80) {\n  notice($port)\n}\n"),
        ("/modules/site/manifests/init.pp", "class site {\n  web::vhost { 'a': port => 8080 }\n}\n"),
        ("/modules/other/manifests/init.pp", "class other {\n  notice('nothing of web')\n}\n"),
    ])
}

fn checked(fixture: &Fixture, ran: &Ran) -> Vec<&'static str> {
    let files = ["web/manifests/vhost.pp", "site/manifests/init.pp", "other/manifests/init.pp"];
    let was_run = |file: &&&str| {
        let file = fixture.file(&format!("/modules/{file}"));
        ran.was_run(fixture.project.db(), "check_file", file)
    };
    files.iter().filter(was_run).copied().collect()
}

#[test]
fn an_edit_of_a_body_checks_that_file_only() {
    let mut fixture = module();
    let text = "# a comment\ndefine web::vhost(Integer $port = 80) {\n  notice($port, 1)\n}\n";
    fixture.system.write_file("/modules/web/manifests/vhost.pp", text);
    let (_, report, ran) = fixture.touch(&["/modules/web/manifests/vhost.pp"]);
    assert_eq!(checked(&fixture, &ran), ["web/manifests/vhost.pp"]);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

#[test]
fn an_edit_of_a_signature_checks_its_users_only() {
    let mut fixture = module();
    let text = "define web::vhost(String $port = '80') {\n  notice($port)\n}\n";
    fixture.system.write_file("/modules/web/manifests/vhost.pp", text);
    let (_, report, ran) = fixture.touch(&["/modules/web/manifests/vhost.pp"]);
    assert_eq!(checked(&fixture, &ran), ["web/manifests/vhost.pp", "site/manifests/init.pp"]);
    let found: Vec<_> = report.findings.iter().map(|it| it.rule.name).collect();
    assert_eq!(found, ["parameter-type"]);
}

#[test]
fn users_of_a_defined_type_are_checked_if_it_asserts_another_type_of_its_title() {
    let mut fixture = module();
    let path = "/modules/web/manifests/vhost.pp";
    let all = ["web/manifests/vhost.pp", "site/manifests/init.pp"];
    for (body, expected, rules) in [
        ("  assert_type(Enum['a', 'b'], $name)\n", &all[..], &[][..]),
        // The same assertion is another expression now.
        ("  notice(1)\n  assert_type(Enum['a', 'b'], $name)\n", &all[..1], &[]),
        ("  notice(1)\n  assert_type(Enum['b'], $name)\n", &all, &["parameter-type"]),
    ] {
        let text = format!("define web::vhost(Integer $port = 80) {{\n{body}  notice($port)\n}}\n");
        fixture.system.write_file(path, text);
        let (_, report, ran) = fixture.touch(&[path]);
        assert_eq!(checked(&fixture, &ran), expected, "{body}");
        let found: Vec<_> = report.findings.iter().map(|it| it.rule.name).collect();
        assert_eq!(found, rules, "{body}");
    }
}

#[test]
fn an_edit_of_data_is_not_read_as_code() {
    let mut fixture = Fixture::new(&[
        ("/environment.conf", "modulepath = modules\n"),
        ("/hiera.yaml", "version: 5\nhierarchy:\n  - {name: c, path: common.yaml}\n"),
        ("/data/common.yaml", "web::port: 80\n"),
        ("/modules/web/manifests/init.pp", "class web(Integer $port) { notice($port) }\n"),
    ]);
    assert!(fixture.rules().is_empty(), "{:?}", fixture.rules());
    fixture.system.write_file("/data/common.yaml", "web::port: x\n");
    let (_, report, ran) = fixture.touch(&["/data/common.yaml"]);
    assert!(report.findings.iter().any(|it| it.rule.name == "value-type"), "{:?}", report.findings);
    ran.assert_query_was_not_run(fixture.project.db(), "content", fixture.file("/data/common.yaml"));
}

#[test]
fn a_new_class_of_a_module_with_a_name_like_that_of_others_checks_only_its_file() {
    let class =
        |module: &str| format!("class {module} {{ include {module}::sub }}\nclass {module}::sub {{ }}\n");
    let files = ["app01", "app02", "app03"].map(|it| (format!("/modules/{it}/manifests/init.pp"), class(it)));
    let mut all = vec![("/environment.conf", "modulepath = modules\n")];
    all.extend(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    // It refers to a class that doesn't exist yet.
    all.push(("/modules/app03/manifests/slip.pp", "class app03::slip { include app02::fresh }\n"));
    let mut fixture = Fixture::new(&all);
    fixture.project.update(&ChangeBatch::new());
    let (path, text) = &files[0];
    fixture.system.write_file(path, format!("{text}class app01::fresh {{ }}\n"));
    let delta = fixture.project.update(&[path.as_str()].into_iter().collect());
    let slip = fixture.file("/modules/app03/manifests/slip.pp");
    assert_eq!(fixture.project.findings().of(slip).len(), 1);
    assert_eq!((delta.files, delta.asked), (4, 2), "the file itself, and the one with a finding");
}
