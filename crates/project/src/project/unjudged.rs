//! What the rules about unused code leave out.

use marotte_check::{Reason, unjudged};
use marotte_diagnostics::Sources as _;

use super::Project;
use crate::driver::caught;

impl Project {
    /// Returns what the requested rules about unused code leave out as a whole, each with the reason.
    pub fn unjudged(&self) -> Vec<(&'static str, String)> {
        let db = &self.db;
        let why = |reason: Reason| match reason {
            Reason::Module(name) => format!("the module `{name}` of the Puppetfile is not here"),
            Reason::Puppetfile => "the Puppetfile has code that may list other modules".to_owned(),
            Reason::Unread => "not all files of the tree were read".to_owned(),
            Reason::Computed(file, line) => {
                let place = self.sources().path(file.id(db)).to_owned();
                let line = line.map(|it| format!(":{it}")).unwrap_or_default();
                format!("names are computed at {place}{line}")
            }
            Reason::Data => "data outside of the tree may name them".to_owned(),
            Reason::Classifier => "no main manifest assigns any, so that a node classifier must".to_owned(),
        };
        let found = caught(db, || unjudged(db)).unwrap_or_default();
        found.into_iter().map(|it| (it.what, why(it.reason))).collect()
    }
}
