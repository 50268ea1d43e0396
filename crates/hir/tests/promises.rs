//! Tests of which queries run again after an edit.

use marotte_db::testing::TestDb;
use marotte_db::{Db, Environment, File, Settings};
use marotte_hir::{Item, Name, NameKind, definition, items, places};
use marotte_text::Str;
use salsa::Setter as _;

/// Plays the part of code that uses a definition's signature only.
#[salsa::tracked]
fn uses_signature<'db>(db: &'db dyn Db, item: Item<'db>) -> usize {
    item.signature(db).parameters.len()
}

/// Plays the part of inference and evaluation.
#[salsa::tracked]
fn uses_body<'db>(db: &'db dyn Db, item: Item<'db>) -> usize {
    item.body(db).exprs().count()
}

/// Plays the part of a file that mentions a class.
#[salsa::tracked]
fn mentions<'db>(db: &'db dyn Db, environment: Environment, name: Name<'db>) -> Option<Str> {
    Some(definition(db, environment, NameKind::Class, name)?.item.name(db).clone())
}

const INIT: &str = "/env/modules/ntp/manifests/init.pp";

fn database() -> (TestDb, Environment, File) {
    let mut db =
        TestDb::new([(INIT, "class ntp(Integer $port = 123) {\n  notice($port)\n}\nclass ntp::other { }\n")]);
    let environment = db.add_environment("/env", &["/env/modules"], None);
    let file = db.file(INIT);
    (db, environment, file)
}

fn ask(db: &TestDb, file: File) -> (usize, usize) {
    let class = items(db, file)[1];
    (*uses_signature(db, class), *uses_body(db, class))
}

#[test]
fn a_comment_above_a_class_re_lowers_one_file_and_wakes_no_user() {
    let (mut db, _, file) = database();
    ask(&db, file);
    let before = places(&db, items(&db, file)[1]).name;
    db.memory().write_file(
        INIT,
        "# time\nclass ntp(Integer $port = 123) {\n\n  notice($port)\n}\nclass ntp::other { }\n",
    );
    db.take_ran();
    assert!(file.refresh(&mut db));
    ask(&db, file);
    let ran = db.take_ran();
    assert_eq!(ran.count(&db, "content"), 1);
    assert_eq!(ran.count(&db, "uses_signature"), 0);
    assert_eq!(ran.count(&db, "uses_body"), 0);
    assert_ne!(places(&db, items(&db, file)[1]).name, before, "places move");
}

#[test]
fn tasks_mode_parses_again_and_reads_nothing() {
    let (mut db, _, file) = database();
    ask(&db, file);
    db.take_ran();
    Settings::get(&db).set_tasks(&mut db).to(true);
    ask(&db, file);
    assert_eq!(db.take_ran().names(&db), ["content"]);
}

#[test]
fn an_edit_of_a_body_wakes_no_user_of_the_signature() {
    let (mut db, _, file) = database();
    let (_, before) = ask(&db, file);
    db.memory().write_file(INIT, "class ntp(Integer $port = 124) {\n  notice($port, 1)\n}\n");
    db.take_ran();
    file.refresh(&mut db);
    let (_, after) = ask(&db, file);
    let ran = db.take_ran();
    assert_eq!(ran.count(&db, "uses_signature"), 0);
    assert_eq!(ran.count(&db, "uses_body"), 1);
    assert_ne!(before, after);
}

#[test]
fn an_edit_of_the_signature_wakes_its_users() {
    let (mut db, _, file) = database();
    ask(&db, file);
    db.memory().write_file(INIT, "class ntp(String $port = 123) {\n  notice($port)\n}\n");
    db.take_ran();
    file.refresh(&mut db);
    ask(&db, file);
    assert_eq!(db.take_ran().count(&db, "uses_signature"), 1);
}

#[test]
fn a_class_that_appears_wakes_those_who_asked_for_it() {
    let (mut db, environment, _) = database();
    let path = "/env/modules/ntp/manifests/service.pp";
    for (name, found) in [("ntp::service", None), ("ntp", Some("ntp")), ("::NTP::Other", Some("ntp::other"))]
    {
        assert_eq!(mentions(&db, environment, Name::of(&db, name)).as_deref(), found, "{name}");
    }
    db.memory().write_file(path, "class ntp::service { }");
    let file = db.file(path);
    db.take_ran();
    assert!(file.refresh(&mut db));
    for (name, found) in [("ntp::service", Some("ntp::service")), ("ntp", Some("ntp"))] {
        assert_eq!(mentions(&db, environment, Name::of(&db, name)).as_deref(), found, "{name}");
    }
    assert_eq!(db.take_ran().count(&db, "mentions"), 1);
}

#[test]
fn names_are_looked_for_from_the_inner_file_to_the_outer() {
    let mut db = TestDb::new([
        ("/env/manifests/site.pp", "class a::b::c { } function f() { }"),
        ("/env/modules/a/manifests/b.pp", "class a::b { class c { } class d { } } define a::b::e() { }"),
        ("/env/modules/a/manifests/init.pp", "class a { } class a::b::g { }"),
        ("/env/modules/a/functions/x/y.pp", "function a::x::y() { }"),
        ("/env/functions/own.pp", "function own() { }"),
        ("/env/modules/a/types/port.pp", "type A::Port = Integer"),
    ]);
    let environment = db.add_environment("/env", &["/env/modules"], Some("/env/manifests"));
    let find = |kind, name| {
        let item = definition(&db, environment, kind, Name::of(&db, name))?.item;
        Some(item.file(&db).path(&db).as_str().trim_start_matches("/env/"))
    };
    assert_eq!(find(NameKind::Class, "a::b::c"), Some("manifests/site.pp"), "main manifests are known first");
    assert_eq!(find(NameKind::Class, "a::b::d"), Some("modules/a/manifests/b.pp"));
    assert_eq!(find(NameKind::Define, "a::b::e"), Some("modules/a/manifests/b.pp"));
    assert_eq!(find(NameKind::Class, "a::b::e"), None, "it is not a class");
    assert_eq!(find(NameKind::Class, "a::b::g"), Some("modules/a/manifests/init.pp"));
    assert_eq!(find(NameKind::Function, "a::x::y"), Some("modules/a/functions/x/y.pp"));
    assert_eq!(find(NameKind::Function, "own"), Some("functions/own.pp"));
    assert_eq!(find(NameKind::Function, "f"), Some("manifests/site.pp"));
    assert_eq!(find(NameKind::TypeAlias, "A::PORT"), Some("modules/a/types/port.pp"));
    assert_eq!(find(NameKind::Class, "b"), None);
}
