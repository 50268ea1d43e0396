//! The gaps of a catalog: the causes of unknown values, with places.

use std::sync::Arc;

use indexmap::IndexMap;
use marotte_pcore::value::Unknown;

use crate::Place;

/// The maximal number of places that are kept for each cause; further ones are only counted.
const PLACES: usize = 1000;

/// One cause of unknown values or missing resources, with all places affected.
#[derive(Clone, Debug)]
pub struct Gap {
    /// The operation that can't be evaluated.
    pub cause: Arc<Unknown>,
    /// The reason why it can't, if known.
    pub reason: Option<String>,
    /// The places that needed its value.
    pub asked: Places,
    /// The places of the code that is skipped because of it.
    pub skipped: Places,
}

/// Distinct places, in the order in which they were met.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The places, and how often each was met.
    pub places: Vec<(Place, usize)>,
    /// The number of occurrences at places beyond the limit.
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

    /// The total number of occurrences.
    pub fn count(&self) -> usize {
        self.places.iter().map(|(_, count)| count).sum::<usize>() + self.more
    }
}

/// The gaps of a catalog during compilation.
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

    /// Records that an operation was needed that can't be evaluated.
    pub(crate) fn ask(&mut self, cause: &Arc<Unknown>, reason: String, place: &Place) {
        let gap = self.of(cause);
        gap.reason.get_or_insert(reason);
        gap.asked.add(place);
    }

    /// Records that code was skipped that may have changed the catalog.
    pub(crate) fn skip(&mut self, cause: &Arc<Unknown>, place: &Place) {
        self.of(cause).skipped.add(place);
    }

    /// Returns all gaps, in the order in which they were met.
    pub(crate) fn into_all(self) -> Vec<Gap> {
        self.by_cause.into_values().collect()
    }
}
