//! What keeps a catalog from being known to the end: by cause, with places.

use std::sync::Arc;

use indexmap::IndexMap;
use marotte_pcore::value::Unknown;

use crate::Place;

/// So many places are kept of each cause; the others are counted.
const PLACES: usize = 1000;

/// Why values of a catalog are unknown, or resources are missing: one thing, wherever it was asked for.
#[derive(Clone, Debug)]
pub struct Gap {
    /// What can't be evaluated.
    pub cause: Arc<Unknown>,
    /// Why it can't.
    pub reason: Option<String>,
    /// Where it was asked for.
    pub asked: Places,
    /// Which code is skipped because of it.
    pub skipped: Places,
}

/// Places in the order in which they were met, each once.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The places, and how often each was met.
    pub places: Vec<(Place, usize)>,
    /// How often those were met for which there was no room.
    pub more: usize,
}

impl Places {
    fn add(&mut self, place: &Place) {
        let is_same = |it: &Place| Arc::ptr_eq(&it.origin, &place.origin) && it.expr == place.expr;
        if let Some((_, count)) = self.places.iter_mut().find(|(it, _)| is_same(it)) {
            *count += 1;
        } else if self.places.len() < PLACES {
            self.places.push((place.clone(), 1));
        } else {
            self.more += 1;
        }
    }

    /// How often these places were met.
    pub fn count(&self) -> usize {
        self.places.iter().map(|(_, count)| count).sum::<usize>() + self.more
    }
}

/// The gaps of a catalog while it is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps {
    by_cause: IndexMap<Arc<Unknown>, Gap>,
}

impl Gaps {
    fn of(&mut self, cause: &Arc<Unknown>) -> &mut Gap {
        let cause = cause.computed();
        let gap = |cause| Gap { cause, reason: None, asked: Places::default(), skipped: Places::default() };
        self.by_cause.entry(Arc::clone(&cause)).or_insert_with(|| gap(cause))
    }

    /// Something was asked for that can't be evaluated.
    pub(crate) fn ask(&mut self, cause: &Arc<Unknown>, reason: String, place: &Place) {
        let gap = self.of(cause);
        gap.reason.get_or_insert(reason);
        gap.asked.add(place);
    }

    /// Code was skipped that may have done something to the catalog.
    pub(crate) fn skip(&mut self, cause: &Arc<Unknown>, place: &Place) {
        self.of(cause).skipped.add(place);
    }

    /// All of them, in the order in which they were met.
    pub(crate) fn into_all(self) -> Vec<Gap> {
        self.by_cause.into_values().collect()
    }
}
