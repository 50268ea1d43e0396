//! Site manifests with the modules of the corpus, and their catalogs as compiled by the reference (`tests/scenarios`).

mod corpus;
mod judge;
mod messages;
mod record;

pub use corpus::{CORPUS_REQUIRED, OTHER_MODULES, module_path};
pub use judge::{Judge, Judgement};
pub use messages::{MessageCompiler, Messages};
pub use record::{Recorded, read_record};

use std::path::{Path, PathBuf};

use crate::workspace;

/// The environment variable that names another folder of scenarios, for a single comparison.
pub const OTHER_SCENARIOS: &str = "MAROTTE_SCENARIOS";

/// Returns the folder of the scenarios.
pub fn folder() -> PathBuf {
    std::env::var_os(OTHER_SCENARIOS).map_or_else(|| workspace::root().join("tests/scenarios"), PathBuf::from)
}

/// Returns the manifests that have recorded catalogs, by name, in order.
///
/// # Errors
/// If the folder can't be listed.
pub fn manifests() -> std::io::Result<Vec<(String, PathBuf)>> {
    let recorded = workspace::files_below(&folder().join("catalogs"), "jsonl")?;
    let manifest = |path: &Path| {
        let name = path.file_stem()?.to_str()?.to_owned();
        let manifest = folder().join("manifests").join(format!("{name}.pp"));
        Some((name, manifest))
    };
    Ok(recorded.iter().filter_map(|path| manifest(path)).collect())
}
