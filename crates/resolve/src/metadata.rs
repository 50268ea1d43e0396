//! The metadata of modules.

use marotte_db::{Db, Environment, File, module_folder, source_text};
use marotte_text::Str;

/// The relevant content of a `metadata.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The names of the required modules, without authors, in lower case.
    pub dependencies: Vec<Str>,
}

/// The metadata of a module. None if it is missing or unreadable.
#[salsa::tracked(returns(as_ref))]
pub fn metadata(db: &dyn Db, environment: Environment, module: Str) -> Option<Metadata> {
    let folder = module_folder(db, environment, module)?;
    let file: File = db.files().file(db, &folder.join("metadata.json"));
    let json: serde_json::Value = serde_json::from_str(source_text(db, file).text()).ok()?;
    let dependencies = json.get("dependencies").and_then(|it| it.as_array()).into_iter().flatten();
    let names = dependencies.filter_map(|it| it.get("name")?.as_str()?.rsplit(['/', '-']).next());
    Some(Metadata { dependencies: names.map(|it| it.to_lowercase().into()).collect() })
}
