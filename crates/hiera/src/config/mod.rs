//! `hiera.yaml`: its permitted content (G2–G5), version by version.

mod entry;
mod files;
mod levels;
mod lines;
mod types;
mod validate;
mod version3;
mod version4;

pub(crate) use entry::{Config, Entry, Kind, Location, LocationKind};
pub(crate) use files::folder_of;
pub use files::{FilePattern, Level, Reader, levels};
pub use levels::Levels;
pub(crate) use lines::{Needle, find_line};

use std::sync::Arc;

use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use crate::data::{DataError, Permitted, parse_yaml};

/// The name of the file.
pub const CONFIG_FILE_NAME: &str = "hiera.yaml";

/// The type of the content of a configuration of version 5.
pub fn configuration_type() -> Type {
    types::version5()
}

/// A configuration file as read, without positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    /// The absolute path of the configuration file.
    pub path: Str,
    /// The content. `None` if it isn't a hash.
    pub value: Option<Arc<Hash>>,
}

impl ConfigFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it isn't valid YAML.
    pub fn parse(path: &str, text: &str) -> Result<ConfigFile, DataError> {
        let document = parse_yaml(text, Permitted::DATA)?;
        let value = match document.value {
            Value::Hash(hash) => Some(hash),
            _ => None,
        };
        Ok(ConfigFile { path: path.into(), value })
    }
}
