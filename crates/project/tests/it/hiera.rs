//! Tests of the work that data queries avoid, and of the content of data files without evaluation.

use std::sync::Arc;

use marotte_db::testing::EventLog;
use marotte_db::{Db, File, Files, MemorySystem, source_text};
use marotte_hiera::Format;
use marotte_project::ProjectDatabase;
use marotte_resolve::data_files::{hiera_section, top_keys};

const DATA: &str = "a::x: 1\n'b::y': [2, 3]\nb::c::z: 4\nplain: 5\n";

/// A query that reads the entries of one class.
#[salsa::tracked]
fn entries(db: &dyn Db, file: File) -> usize {
    hiera_section(db, file, Format::Yaml, "b".into()).as_ref().map_or(0, |section| section.len())
}

fn database(log: &EventLog) -> (Arc<MemorySystem>, ProjectDatabase, File) {
    let system = Arc::new(MemorySystem::with_files([("/data.yaml", DATA)]));
    let db = ProjectDatabase::with_event_log(system.clone(), Files::default(), log);
    let file = db.files().file(&db, "/data.yaml".into());
    (system, db, file)
}

#[test]
fn an_unread_key_wakes_no_one() {
    let log = EventLog::default();
    let (system, mut db, file) = database(&log);
    assert_eq!(*entries(&db, file), 1);
    for unread in ["a::x: 2\n'b::y': [2, 3]\n", "# a comment\n\n'b::y': [2, 3]\nb::c::new: 1\nother: 2\n"] {
        system.write_file("/data.yaml", unread);
        log.take();
        assert!(file.refresh(&mut db));
        assert_eq!(*entries(&db, file), 1);
        let ran = log.take();
        assert_eq!(ran.count(&db, "hiera_section"), 1, "{unread}");
        assert_eq!(ran.count(&db, "entries"), 0, "{unread}");
    }
    system.write_file("/data.yaml", "'b::y': [2]\nb::w: 1\n");
    log.take();
    assert!(file.refresh(&mut db));
    assert_eq!(*entries(&db, file), 2);
    assert_eq!(log.take().count(&db, "entries"), 1);
}

#[test]
fn a_file_that_starts_to_exist_wakes_those_who_asked_for_it() {
    let log = EventLog::default();
    let (system, mut db, _) = database(&log);
    let missing = db.files().file(&db, "/missing.yaml".into());
    assert_eq!(*entries(&db, missing), 0);
    system.write_file("/missing.yaml", "b::y: 1\n");
    assert!(missing.refresh(&mut db));
    assert_eq!(*entries(&db, missing), 1);
}

#[test]
fn keys_have_places_without_an_evaluation() {
    let (_, db, file) = database(&EventLog::default());
    let text = source_text(&db, file).text();
    let keys = top_keys(&db, file, Format::Yaml).unwrap();
    let found: Vec<_> =
        keys.iter().map(|it| (&*it.key, &text[it.key_range], &text[it.value_range])).collect();
    let expected = [
        ("a::x", "a::x", "1"),
        ("b::y", "'b::y'", "[2, 3]"),
        ("b::c::z", "b::c::z", "4"),
        ("plain", "plain", "5"),
    ];
    assert_eq!(found, expected);
}
