//! Definitions that exist, but may not be read: links in modules lead to them, or the folder of their module is outside.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Db, FileStatus};
use marotte_eval::ReadError;
use marotte_resolve::ruby::RubyKind;

use super::Run;
use crate::files::{check_readable, file_at, is_readable, module};
use crate::layout::is_module_name;

/// The folders in modules in which definitions in Ruby are. One of them may be a link to the outside.
const FOLDERS: [&str; 6] =
    ["", "lib", "lib/puppet", "lib/puppet/functions", "lib/puppet/parser/functions", "lib/puppet/type"];

/// The folders of modules of which a part may not be read. There are none in most trees.
#[salsa::tracked(returns(deref))]
fn unread_modules(db: &dyn Db, run: Run) -> Vec<Utf8PathBuf> {
    let modules = run.environment(db).modules(db).iter().map(|(_, folder)| folder);
    let is_unread = |folder: &&Utf8Path| {
        let mut parts = FOLDERS.iter().map(|it| file_at(db, &folder.join(it)));
        parts.any(|it| it.status(db) != FileStatus::Missing && !is_readable(db, run, it))
    };
    modules.filter(is_unread).map(Utf8Path::to_owned).collect()
}

/// Rejects a name in lower case that a module which may not be read defines in Ruby, also if another module defines it: which
/// definition takes precedence is not known.
///
/// # Errors
/// If there is such a definition. The message has the option that allows to read it.
pub(crate) fn refuse_unread(db: &dyn Db, run: Run, kinds: &[RubyKind], name: &str) -> Result<(), ReadError> {
    for module in unread_modules(db, run) {
        for path in kinds.iter().filter_map(|it| it.path_of(name)) {
            let file = file_at(db, &module.join(path));
            if file.status(db) != FileStatus::Missing {
                check_readable(db, run, file)?;
            }
        }
    }
    Ok(())
}

/// Rejects the name of a module that is in a folder of modules which may not be read, and in no other folder.
///
/// # Errors
/// If there is such a module. The message has the option that allows to read it.
pub(crate) fn refuse_unread_module(db: &dyn Db, run: Run, name: &str) -> Result<(), ReadError> {
    let environment = run.environment(db);
    if !is_module_name(name) || module(db, environment, name).is_some() {
        return Ok(());
    }
    for folder in environment.module_path(db) {
        if !is_readable(db, run, file_at(db, folder)) {
            let file = file_at(db, &folder.join(name));
            if file.status(db) == FileStatus::Folder {
                check_readable(db, run, file)?;
            }
        }
    }
    Ok(())
}
