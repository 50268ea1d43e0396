//! Tests of the work that the queries of this crate avoid.

use marotte_db::system::ReadError;
use marotte_db::testing::TestDb;
use marotte_db::{
    FileStatus, ParsedFile, Settings, Source, SourceError, link_target, real_path, source_text,
};
use salsa::Setter as _;

fn read_all(db: &TestDb, path: &str) {
    let _ = source_text(db, db.file(path)).line_index();
}

#[test]
fn editing_one_file_reads_one_file() {
    let mut db = TestDb::new([("/a.pp", "1"), ("/b.pp", "2")]);
    read_all(&db, "/a.pp");
    read_all(&db, "/b.pp");
    let (a, b) = (db.file("/a.pp"), db.file("/b.pp"));

    db.memory().write_file("/a.pp", "3");
    assert!(a.refresh(&mut db));
    db.take_ran();
    read_all(&db, "/a.pp");
    read_all(&db, "/b.pp");

    let ran = db.take_ran();
    ran.assert_query_was_run(&db, "source_text", a);
    ran.assert_query_was_not_run(&db, "source_text", b);
}

#[test]
fn the_same_bytes_written_again_run_nothing() {
    let mut db = TestDb::new([("/a.pp", "1")]);
    read_all(&db, "/a.pp");
    db.take_ran();

    db.memory().write_file("/a.pp", "1");
    assert!(!db.file("/a.pp").refresh(&mut db));
    read_all(&db, "/a.pp");
    db.take_ran().assert_nothing_ran(&db);
}

#[test]
fn a_missing_file_that_starts_to_exist_is_noticed() {
    let mut db = TestDb::new([]);
    let file = db.file("/a.pp");
    assert_eq!(file.status(&db), FileStatus::Missing);
    assert_eq!(source_text(&db, file).error(), Some(&SourceError::Read(ReadError::NotFound)));

    db.memory().write_file("/a.pp", "1");
    assert!(file.refresh(&mut db));
    assert_eq!(file.status(&db), FileStatus::Exists);
    assert_eq!(source_text(&db, file).text(), "1");
}

#[test]
fn a_file_that_is_deleted_is_noticed() {
    let mut db = TestDb::new([("/a.pp", "1")]);
    let file = db.file("/a.pp");
    assert_eq!(source_text(&db, file).text(), "1");

    db.memory().remove("/a.pp");
    assert!(file.refresh(&mut db));
    assert_eq!(file.status(&db), FileStatus::Missing);
    assert_eq!(source_text(&db, file).error(), Some(&SourceError::Read(ReadError::NotFound)));
}

#[test]
fn a_file_deleted_before_it_is_read_has_no_text() {
    let db = TestDb::new([("/a.pp", "1")]);
    let file = db.file("/a.pp");
    db.memory().remove("/a.pp");
    assert_eq!(file.status(&db), FileStatus::Exists);
    assert_eq!(source_text(&db, file).error(), Some(&SourceError::Read(ReadError::NotFound)));
}

#[test]
fn bytes_that_are_not_utf8_are_located() {
    let db = TestDb::new([]);
    db.memory().write_file("/a.pp", b"\xc3\xa9 caf\xe9 x");
    let source: &Source = source_text(&db, db.file("/a.pp"));
    assert_eq!(source.error(), Some(&SourceError::InvalidUtf8 { offset: 6, byte: 0xe9 }));
    assert_eq!(source.text(), "é caf\u{fffd} x");
}

#[test]
fn the_size_limit_is_an_input() {
    let mut db = TestDb::new([("/a.pp", "12345")]);
    let file = db.file("/a.pp");
    assert_eq!(source_text(&db, file).error(), None);
    Settings::get(&db).set_max_file_size(&mut db).to(4);
    let error = SourceError::Read(ReadError::TooLarge { size: 5, limit: 4 });
    assert_eq!(source_text(&db, file).error(), Some(&error));
}

#[test]
fn a_tree_that_was_let_go_is_made_again() {
    let db = TestDb::new([("/a.pp", "# one\nnotice(1)\nnotice(2)\n")]);
    let parsed = ParsedFile::new(&db, db.file("/a.pp"));
    assert_eq!(parsed.program().body.len(), 2);
    let held = std::sync::Arc::downgrade(&parsed.program());
    parsed.release();
    assert!(held.upgrade().is_none(), "nobody else holds it");
    db.take_ran();
    assert_eq!(parsed.comments().len(), 1);
    assert_eq!(parsed.program().body.len(), 2);
    db.take_ran().assert_nothing_ran(&db);
}

#[test]
fn a_link_that_is_written_otherwise_concerns_those_who_read_its_target() {
    let mut db = TestDb::new([("/a/x.pp", "1")]);
    db.memory().link("/a/one", "x.pp");
    db.memory().link("/a/other", "x.pp");
    let (one, other) = (db.file("/a/one"), db.file("/a/other"));
    assert_eq!(link_target(&db, one), "x.pp");
    assert_eq!(link_target(&db, other), "x.pp");
    assert_eq!(real_path(&db, one), "/a/x.pp");

    db.memory().link("/a/one", "../a/x.pp");
    assert!(one.refresh(&mut db));
    assert!(!other.refresh(&mut db));
    db.take_ran();
    assert_eq!(link_target(&db, one), "../a/x.pp");
    assert_eq!(link_target(&db, other), "x.pp");
    let ran = db.take_ran();
    ran.assert_query_was_run(&db, "link_target", one);
    ran.assert_query_was_not_run(&db, "link_target", other);
}
