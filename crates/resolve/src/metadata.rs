//! The metadata of modules.

use marotte_db::{Db, Environment, File, FileStatus, module_folder, source_text};
use marotte_text::Str;

/// The relevant content of a `metadata.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The names of the required modules, without authors, in lower case.
    pub dependencies: Vec<Str>,
    /// Whether there is a list of them, even an empty one.
    pub has_dependencies: bool,
}

/// Whether a module has a file of metadata, readable or not.
pub(crate) fn has_metadata(db: &dyn Db, environment: Environment, module: &Str) -> bool {
    module_folder(db, environment, module.clone()).is_some_and(|folder| {
        db.files().file(db, &folder.join("metadata.json")).status(db) != FileStatus::Missing
    })
}

/// The metadata of a module. None if it is missing or unreadable, or if a dependency has no name.
#[salsa::tracked(returns(as_ref))]
pub fn metadata(db: &dyn Db, environment: Environment, module: Str) -> Option<Metadata> {
    let folder = module_folder(db, environment, module)?;
    let file: File = db.files().file(db, &folder.join("metadata.json"));
    let json: serde_json::Value = serde_json::from_str(source_text(db, file).text()).ok()?;
    let listed = json.get("dependencies").filter(|it| !it.is_null());
    let dependencies = match listed {
        None => &[][..],
        Some(found) => found.as_array()?,
    };
    let name =
        |it: &serde_json::Value| Some(it.get("name")?.as_str()?.rsplit(['/', '-']).next()?.to_lowercase());
    let names = dependencies.iter().map(|it| name(it).map(Str::from));
    Some(Metadata { dependencies: names.collect::<Option<_>>()?, has_dependencies: listed.is_some() })
}
