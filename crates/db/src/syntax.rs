use marotte_syntax::{Mode, Parse};

use crate::{Db, File, Settings, module_file, source_text};

/// The syntax tree of a file, and what is wrong with its text.
///
/// Holds positions, so it is never compared: whatever should survive a shift of lines reads a projection of it.
#[salsa::tracked(no_eq)]
pub fn parse(db: &dyn Db, file: File) -> Parse {
    marotte_syntax::parse(source_text(db, file).text(), mode(db, file))
}

/// How a file is to be read: `.epp` files are templates; the `plans` folder of a module knows plans.
pub fn mode(db: &dyn Db, file: File) -> Mode {
    let path = file.path(db);
    let template = path.extension() == Some("epp");
    let tasks = Settings::get(db).tasks(db)
        || path.iter().any(|component| component == "plans")
            && module_file(db, file).is_some_and(|place| place.folder() == Some("plans"));
    Mode { template, tasks }
}
