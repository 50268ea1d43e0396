//! Types that lead from body to body: through chains of any length, and through cycles, whichever member is asked first.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::sync::Arc;

use marotte_db::testing::EventLog;
use marotte_db::{Db as _, Files, MemorySystem};
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions, check_one};

/// A class that takes only an integer.
const TAKES: (&str, &str) = ("/modules/m/manifests/t.pp", "class m::t(Integer $size) {\n}\n");

/// The path of a function in module `m`.
fn path(number: usize) -> String {
    format!("/modules/m/functions/f{number}.pp")
}

/// The path of a class that passes the result of a function where an integer is expected.
fn user(number: usize) -> String {
    format!("/modules/m/manifests/u{number}.pp")
}

fn function(number: usize, body: &str) -> String {
    format!("function m::f{number}() {{ {body} }}\n")
}

/// A module of functions with these bodies, each with a user.
fn module(bodies: &[String]) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> =
        [("/environment.conf", ""), TAKES].map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    for (number, body) in bodies.iter().enumerate() {
        files.push((path(number), function(number, body)));
        let class = format!("class m::u{number} {{\n  class {{ 'm::t': size => m::f{number}() }}\n}}\n");
        files.push((user(number), class));
    }
    files
}

fn system(files: &[(String, String)]) -> Arc<MemorySystem> {
    Arc::new(MemorySystem::with_files(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))))
}

fn project(system: &Arc<MemorySystem>, threads: usize) -> Project {
    let options = ProjectOptions { threads, ..ProjectOptions::default() };
    Project::new(ProjectDatabase::new(system.clone()), &["/".into()], options)
}

/// The findings of all files: path, rule and message.
fn found(project: &Project) -> BTreeSet<String> {
    let findings = project.check(&()).findings;
    let path = |id| project.db().files().by_id(id).unwrap().path(project.db()).to_string();
    findings.iter().map(|it| format!("{} {} {}", path(it.file), it.rule, it.message)).collect()
}

fn chain(length: usize, last: &str) -> Vec<String> {
    let calls = (1..length).map(|next| format!("m::f{next}()"));
    calls.chain([last.to_owned()]).collect()
}

#[test]
fn types_are_known_through_chains_of_any_length() {
    let project = project(&system(&module(&chain(30, "'x'"))), 1);
    let found = found(&project);
    assert!(found.iter().any(|it| it.starts_with(&user(0)) && it.contains("String")), "{found:?}");
}

#[test]
fn each_body_is_inferred_once() {
    let log = EventLog::default();
    let system = system(&module(&chain(10, "'x'")));
    let db = ProjectDatabase::with_event_log(system, Files::default(), &log);
    let project = Project::new(db, &["/".into()], ProjectOptions::default());
    project.check(&());
    let ran = log.take();
    // The code around the definitions of the 21 files is empty.
    assert_eq!(ran.count(project.db(), "infer"), 21);
    assert_eq!(ran.count(project.db(), "outline_alone"), 0);
}

#[test]
fn members_of_a_cycle_are_walked_once_more_and_nobody_else() {
    let log = EventLog::default();
    let bodies = ["m::f1()", "m::f2()", "m::f1()"].map(str::to_owned);
    let db = ProjectDatabase::with_event_log(system(&module(&bodies)), Files::default(), &log);
    let project = Project::new(db, &["/".into()], ProjectOptions::default());
    project.check(&());
    let ran = log.take();
    assert_eq!(ran.count(project.db(), "outline_alone"), 2, "f1 and f2 call each other, and f0 calls f1");
}

#[test]
fn an_edit_that_leaves_the_outline_alone_infers_one_body() {
    let log = EventLog::default();
    let files = module(&chain(10, "'x'"));
    let system = system(&files);
    let db = ProjectDatabase::with_event_log(system.clone(), Files::default(), &log);
    let mut project = Project::new(db, &["/".into()], ProjectOptions::default());
    project.update(&ChangeBatch::default());
    log.take();
    system.write_file(path(5), function(5, "notice(1) m::f6()"));
    let delta = project.update(&[path(5).as_str()].into_iter().collect());
    let ran = log.take();
    assert_eq!(ran.count(project.db(), "infer"), 1);
    assert_eq!(delta.asked, 1);
}

#[test]
fn an_edit_far_away_is_noticed_through_the_whole_chain() {
    let system = system(&module(&chain(30, "1")));
    let mut project = project(&system, 1);
    project.update(&ChangeBatch::default());
    assert_eq!(project.findings().count(), 0);
    system.write_file(path(29), function(29, "'x'"));
    let delta = project.update(&[path(29).as_str()].into_iter().collect());
    assert_eq!(delta.changed.len(), 30, "each user of each function");
    // Where the type stays the same, the rest of the chain isn't asked.
    system.write_file(path(10), function(10, "m::f11() 'x'"));
    let delta = project.update(&[path(10).as_str()].into_iter().collect());
    assert!(delta.changed.is_empty() && delta.asked <= 2 * 6, "{}", delta.asked);
}

/// The members of a cycle know nothing of each other's results, and everything of other bodies.
#[test]
fn members_of_a_cycle_have_the_outline_of_their_own_body() {
    let bodies = ["m::f1()", "if $facts['a'] { m::f0() } else { m::f2() }", "'x'", "[m::f0()]", "m::f4()"];
    let project = project(&system(&module(&bodies.map(str::to_owned))), 1);
    let found = found(&project);
    let is_found = |number: usize| found.iter().any(|it| it.starts_with(&user(number)));
    assert_eq!([0, 1, 2, 3, 4].map(is_found), [false, false, true, true, false], "{found:?}");
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// The body of one of `count` functions, with up to two calls of others.
fn body(random: &mut Random, count: usize) -> String {
    let (one, other) = (random.below(count), random.below(count));
    match random.below(8) {
        0 => "1".to_owned(),
        1 => "'x'".to_owned(),
        2 | 3 => format!("m::f{one}()"),
        4 => format!("[m::f{one}(), m::f{other}()]"),
        5 => format!("if $facts['a'] {{ m::f{one}() }} else {{ m::f{other}() }}"),
        6 => format!("$x = m::f{one}()  if $x =~ Integer {{ $x }} else {{ m::f{other}() }}"),
        _ => format!("m::f{one}() {{ 'a' => m::f{other}() }}"),
    }
}

/// Who is asked first, on how many threads, changes nothing: cycles have no beginning.
#[test]
fn findings_do_not_depend_on_the_order_in_which_threads_enter_a_cycle() {
    const COUNT: usize = 12;
    for seed in 0..40 {
        let mut random = Random(seed);
        let bodies: Vec<String> = (0..COUNT).map(|_| body(&mut random, COUNT)).collect();
        let system = system(&module(&bodies));
        let expected = found(&project(&system, 1));
        for _ in 0..3 {
            assert_eq!(found(&project(&system, 4)), expected, "seed {seed}: {bodies:#?}");
        }
        // In the opposite order, one file at a time.
        let project = project(&system, 1);
        let db = project.db();
        let mut files: Vec<_> = project.files().collect();
        files.reverse();
        let path = |id| db.files().by_id(id).unwrap().path(db).to_string();
        let backwards: BTreeSet<String> = files
            .into_iter()
            .flat_map(|it| check_one(db, it))
            .map(|it| format!("{} {} {}", path(it.file), it.rule, it.message))
            .collect();
        assert_eq!(backwards, expected, "seed {seed}: {bodies:#?}");
    }
}

/// Edits that lengthen chains, close cycles, and open them.
#[test]
fn after_random_edits_of_calls_the_kept_findings_equal_those_of_a_clean_run() {
    const COUNT: usize = 8;
    let mut few = 0;
    for seed in 0..4 {
        let mut random = Random(seed);
        let bodies: Vec<String> = (0..COUNT).map(|_| body(&mut random, COUNT)).collect();
        let system = system(&module(&bodies));
        let mut kept = project(&system, 1);
        kept.update(&ChangeBatch::default());
        for step in 0..75 {
            let number = random.below(COUNT);
            let text = function(number, &body(&mut random, COUNT));
            system.write_file(path(number), &text);
            let delta = kept.update(&[path(number).as_str()].into_iter().collect());
            few += usize::from(delta.asked < delta.files);
            let mut of_kept: Vec<String> =
                kept.findings().all(kept.db()).iter().map(|it| it.message.clone()).collect();
            let mut clean: Vec<String> =
                project(&system, 1).check(&()).findings.iter().map(|it| it.message.clone()).collect();
            of_kept.sort();
            clean.sort();
            assert_eq!(of_kept, clean, "seed {seed}, step {step}: {text}");
        }
    }
    assert!(few > 50, "only {few} edits affected only some files");
}
