//! The names that completion lists are known before the first request.

use std::sync::Arc;

use marotte_db::testing::EventLog;
use marotte_db::{Db as _, Files, MemorySystem};
use marotte_ide::{FilePosition, completions, prepare_completion};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};

#[test]
fn a_request_after_a_change_of_other_files_computes_no_definitions() {
    let text = "class a::b {\n  \n}\n";
    let system = Arc::new(MemorySystem::with_files([
        ("/environment.conf", "modulepath = modules\n"),
        ("/modules/a/manifests/b.pp", text),
        ("/modules/c/manifests/init.pp", "class c { }\n"),
        ("/modules/d/manifests/init.pp", "class d { }\n"),
    ]));
    let log = EventLog::default();
    let db = ProjectDatabase::with_event_log(Arc::clone(&system) as _, Files::default(), &log);
    let mut project = Project::new(db, &["/".into()], ProjectOptions::default());
    for (is_prepared, expected) in [(true, 0), (false, 2)] {
        let paths = ["c", "d"].map(|module| {
            let path = format!("/modules/{module}/manifests/init.pp");
            system.write_file(&path, format!("class {module} {{ }}\nclass {module}::{is_prepared} {{ }}\n"));
            path
        });
        project.apply(&paths.into_iter().collect());
        let db = project.db();
        let file = db.files().known("/modules/a/manifests/b.pp".into()).unwrap();
        if is_prepared {
            prepare_completion(db, file);
        }
        log.take();
        let at = FilePosition { file, offset: "class a::b {\n  ".len().try_into().unwrap() };
        assert!(!completions(db, at).items.is_empty());
        assert_eq!(log.take().count(db, "module_definitions"), expected);
    }
}
