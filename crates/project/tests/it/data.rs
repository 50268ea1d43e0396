//! Tests of the work that checks of data avoid, and of the changes that they must notice.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use marotte_db::testing::{EventLog, Ran};
use marotte_db::{Db as _, Files, MemorySystem};
use marotte_project::{Project, ProjectDatabase, ProjectOptions, Report};

const FILES: [(&str, &str); 8] = [
    ("/environment.conf", "modulepath = modules\n"),
    (
        "/hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: n, path: \"nodes/%{n}.yaml\"}\n  - {name: c, path: common.yaml}\n",
    ),
    ("/data/common.yaml", "ntp::port: 123\napache::port: 80\n"),
    ("/data/nodes/a.yaml", "ntp::port: 124\nntp::pool: x\n"),
    ("/data/nodes/b.yaml", "apache::port: 81\n"),
    ("/modules/ntp/manifests/init.pp", "class ntp (Integer $port) { notice($port) }\n"),
    ("/modules/ntp/manifests/use.pp", "class ntp::use { notice(lookup('ntp::pool')) }\n"),
    ("/modules/apache/manifests/init.pp", "class apache (Integer $port) { notice($port) }\n"),
];

struct Fixture {
    system: Arc<MemorySystem>,
    log: EventLog,
    project: Project,
}

impl Fixture {
    fn new() -> Self {
        let system = Arc::new(MemorySystem::with_files(FILES));
        let log = EventLog::default();
        let db = ProjectDatabase::with_event_log(system.clone(), Files::default(), &log);
        let options = ProjectOptions { threads: 1, ..ProjectOptions::default() };
        let project = Project::new(db, &["/".into()], options);
        let fixture = Fixture { system, log, project };
        let report = fixture.project.check(&());
        assert_eq!((report.files, report.findings.len()), (7, 0), "{:?}", report.findings);
        fixture
    }

    /// Writes a file, and returns the paths of the files that are checked again, and the findings.
    fn write(&mut self, path: &str, text: impl AsRef<[u8]>) -> (Vec<String>, Vec<(String, &'static str)>) {
        self.system.write_file(path, text);
        self.log.take();
        self.project.apply(&[path].into_iter().collect());
        let report = self.project.check(&());
        (self.checked(&self.log.take()), self.found(&report))
    }

    fn checked(&self, ran: &Ran) -> Vec<String> {
        let db = self.project.db();
        let mut paths: Vec<_> = self.project.files().collect();
        paths.retain(|file| ran.was_run(db, "check_file", *file));
        paths.iter().map(|file| file.path(db).to_string()).collect()
    }

    fn found(&self, report: &Report) -> Vec<(String, &'static str)> {
        let path = |id| {
            let file = self.project.db().files().by_id(id).unwrap();
            file.path(self.project.db()).to_string()
        };
        report.findings.iter().map(|it| (path(it.file), it.rule.name)).collect()
    }
}

#[test]
fn an_edit_of_a_value_checks_its_file_only() {
    let mut fixture = Fixture::new();
    let (checked, found) = fixture.write("/data/common.yaml", "ntp::port: '123'\napache::port: 80\n");
    assert_eq!(checked, ["/data/common.yaml"]);
    assert_eq!(found, [("/data/common.yaml".to_owned(), "value-type")]);
}

#[test]
fn a_comment_and_a_body_check_no_data() {
    let mut fixture = Fixture::new();
    let text = "# a comment\nclass ntp (Integer $port) { notice($port + 1) }\n";
    let (checked, found) = fixture.write("/modules/ntp/manifests/init.pp", text);
    assert_eq!(checked, ["/modules/ntp/manifests/init.pp"]);
    assert_eq!(found, []);
}

#[test]
fn a_signature_checks_the_data_of_its_class_only() {
    let mut fixture = Fixture::new();
    let text = "class ntp (String $port) { notice($port) }\n";
    let (checked, found) = fixture.write("/modules/ntp/manifests/init.pp", text);
    assert_eq!(checked, ["/data/common.yaml", "/data/nodes/a.yaml", "/modules/ntp/manifests/init.pp"]);
    let wrong = ["/data/common.yaml", "/data/nodes/a.yaml"];
    assert_eq!(found, wrong.map(|path| (path.to_owned(), "value-type")));
}

#[test]
fn a_lookup_that_goes_checks_the_data_that_it_read() {
    let mut fixture = Fixture::new();
    let (checked, found) = fixture.write("/modules/ntp/manifests/use.pp", "class ntp::use { }\n");
    assert_eq!(checked, ["/data/nodes/a.yaml", "/modules/ntp/manifests/use.pp"]);
    assert_eq!(found, [("/data/nodes/a.yaml".to_owned(), "unknown-parameter-key")]);
}

#[test]
fn a_file_in_ruby_that_is_no_text_may_read_all_keys() {
    let mut fixture = Fixture::new();
    fixture.write("/modules/ntp/lib/puppet/functions/ntp/get.rb", b"# \xff\n");
    let (_, found) = fixture.write("/modules/ntp/manifests/use.pp", "class ntp::use { }\n");
    assert_eq!(found, [("/modules/ntp/lib/puppet/functions/ntp/get.rb".to_owned(), "invalid-utf8")]);
    let (_, found) = fixture.write("/modules/ntp/lib/puppet/functions/ntp/get.rb", "# nothing\n");
    assert_eq!(found, [("/data/nodes/a.yaml".to_owned(), "unknown-parameter-key")]);
}

#[test]
fn options_check_the_data_that_they_may_be_about() {
    let mut fixture = Fixture::new();
    let options = "ntp::port: 123\napache::port: 80\nlookup_options:\n  ntp::port: {convert_to: Integer}\n";
    let (checked, found) = fixture.write("/data/common.yaml", options);
    let user = "/modules/ntp/manifests/use.pp";
    assert_eq!(checked, ["/data/common.yaml", "/data/nodes/a.yaml", "/data/nodes/b.yaml", user]);
    assert_eq!(found, []);
    let (checked, found) = fixture.write("/data/nodes/a.yaml", "ntp::port: '124'\n");
    assert_eq!(checked, ["/data/nodes/a.yaml", user]);
    let unresolved = (user.to_owned(), "unresolved-key");
    assert_eq!(found, std::slice::from_ref(&unresolved));
    let (_, found) = fixture.write("/data/common.yaml", "ntp::port: 123\napache::port: 80\n");
    assert_eq!(found, [("/data/nodes/a.yaml".to_owned(), "value-type"), unresolved]);
}

#[test]
fn a_new_file_of_data_is_checked_and_one_that_no_level_reads_is_not() {
    let mut fixture = Fixture::new();
    let (checked, found) = fixture.write("/data/nodes/c.yaml", "ntp::port: x\n");
    assert!(
        checked.contains(&"/data/nodes/c.yaml".to_owned()) && !checked.iter().any(|it| it.ends_with(".pp"))
    );
    assert_eq!(found, [("/data/nodes/c.yaml".to_owned(), "value-type")]);
    let (checked, _) = fixture.write("/data/unread.yaml", "ntp::port: x\n");
    assert_eq!(checked, [] as [&str; 0]);
}

#[test]
fn broken_data_checks_only_the_data_beside_it() {
    let mut fixture = Fixture::new();
    let (checked, found) = fixture.write("/modules/ntp/manifests/all.pp", "class ntp::all { include ntp }\n");
    assert_eq!((checked, found), (vec!["/modules/ntp/manifests/all.pp".to_owned()], vec![]));
    let data = ["/data/common.yaml", "/data/nodes/a.yaml", "/data/nodes/b.yaml"];
    // A lookup reads a key of the file. What the classes get from data is as little encrypted, and may be there as much, as before.
    let again = [&data[..], &["/modules/ntp/manifests/use.pp"]].concat();
    let (checked, found) = fixture.write("/data/nodes/a.yaml", "ntp::port: 124\nntp::pool: [x\n");
    assert_eq!(checked, again);
    assert_eq!(found, [("/data/nodes/a.yaml".to_owned(), "invalid-data-file")]);
    let (checked, found) = fixture.write("/data/nodes/a.yaml", "ntp::port: 124\nntp::pool: x\n");
    assert_eq!((checked, found), (again.iter().map(|it| (*it).to_owned()).collect(), vec![]));
}

#[test]
fn a_configuration_says_which_files_are_data() {
    let mut fixture = Fixture::new();
    fixture.write("/data/other.yaml", "ntp::port: x\n");
    let text = "version: 5\nhierarchy:\n  - {name: o, path: other.yaml}\n";
    let (_, found) = fixture.write("/hiera.yaml", text);
    let unresolved = ("/modules/ntp/manifests/use.pp".to_owned(), "unresolved-key");
    assert_eq!(found, [("/data/other.yaml".to_owned(), "value-type"), unresolved]);
    let (_, found) = fixture.write("/hiera.yaml", "version: 5\nhierarchy: 1\n");
    assert_eq!(found, [("/hiera.yaml".to_owned(), "invalid-hiera-config")]);
}

#[test]
fn data_of_a_second_module_of_the_same_name_is_no_code() {
    let level = "version: 5\nhierarchy:\n  - {name: c, path: common.yaml}\n";
    let system = Arc::new(MemorySystem::with_files([
        ("/modules/ntp/hiera.yaml", level),
        ("/modules/ntp/data/common.yaml", "ntp::port: 123\n"),
        ("/modules/ntp/manifests/init.pp", "class ntp (Integer $port) { notice($port) }\n"),
        ("/work/ntp/metadata.json", "{\"name\": \"site-ntp\"}"),
        ("/work/ntp/hiera.yaml", level),
        ("/work/ntp/data/common.yaml", "ntp::port: 123\n"),
        ("/work/ntp/manifests/init.pp", "class ntp (Integer $port) { notice($port) }\n"),
    ]));
    let options =
        ProjectOptions { threads: 1, module_path: vec!["/modules".into()], ..ProjectOptions::default() };
    let project = Project::new(ProjectDatabase::new(system), &["/work/ntp".into()], options);
    let findings = project.check(&()).findings;
    assert!(findings.iter().all(|it| it.rule.name != "syntax-error"), "{findings:?}");
}
