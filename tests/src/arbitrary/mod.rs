//! Files that are not code, and changes of files, from any bytes: fuzz targets and tests check what holds for all of them.

mod choices;
mod findings;
mod generate;
mod settings;
mod watching;

pub use choices::{Choices, bytes_of};
pub use findings::{check as check_finding, check_all};
pub use settings::{KINDS, read as read_settings};
pub use watching::follow;
