//! The names about which queries have asked, where all files together answer.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::HashMap;
use marotte_text::Str;

/// A question about a name that all Ruby files of modules, or all data files, answer together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Whether modules add a fact of this name.
    Fact,
    /// Whether the name comes close to that of a fact.
    NearFact,
    /// Which file defines a function of this name.
    Function,
    /// Whether the name comes close to that of a function.
    NearFunction,
    /// Whether files of functions mention the name.
    MentionedFunction,
    /// Whether files of functions of the 3.x API mention the name.
    MentionedLegacyFunction,
    /// Whether files of resource types mention the name.
    MentionedResourceType,
    /// Whether files of data types mention the name.
    MentionedDataType,
    /// Whether data has a value for the parameter of a class, for the check of the file with this path.
    DataOfClass,
}

/// The names about which queries have ever asked, by topic. Clones share the record.
///
/// No result depends on the answer to a question that is not recorded: while the answers for the recorded names stay the same, a change of
/// what answers them changes no result. No query reads the record.
#[derive(Clone, Default)]
pub struct Asked(Arc<Mutex<HashMap<Topic, BTreeSet<Str>>>>);

impl Asked {
    /// Records that a query has asked about a name.
    pub(crate) fn note(&self, topic: Topic, name: &str) {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let names = asked.entry(topic).or_default();
        if !names.contains(name) {
            names.insert(name.into());
        }
    }

    /// Whether a query has asked about a name.
    pub fn has(&self, topic: Topic, name: &str) -> bool {
        let asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(&topic).is_some_and(|it| it.contains(name))
    }

    /// The names about which queries have asked.
    pub fn names(&self, topic: Topic) -> BTreeSet<Str> {
        let asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(&topic).cloned().unwrap_or_default()
    }

    /// Whether `is_it` holds for a name about which a query has asked.
    pub fn any(&self, topic: Topic, is_it: impl Fn(&str) -> bool) -> bool {
        let asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(&topic).is_some_and(|it| it.iter().any(|name| is_it(name)))
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").finish_non_exhaustive()
    }
}
