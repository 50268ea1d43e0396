//! The provenance of looked-up values: the explanation of a lookup, without the places where it found nothing.

use marotte_hiera::explain::{Event, Step, StepKind};
use marotte_text::Str;

/// The maximal number of places of data that are kept of a lookup.
const FOUND: usize = 100;

/// The provenance of a looked-up value.
#[derive(Clone, Debug, Default)]
pub struct DataTrace {
    /// The key that was looked up.
    pub key: Str,
    /// The merge strategy, if values of several levels are merged.
    pub merge: Option<&'static str>,
    /// Whether the merge strategy is that of `lookup_options`.
    pub has_options: bool,
    /// The places where values were found, in order: that of the key, then those of the keys that interpolations look up.
    pub found: Vec<DataFound>,
    /// The texts in which expressions were replaced, as data has them.
    pub interpolated: Vec<Str>,
    /// The number of further places.
    pub more: usize,
}

/// A place in data where a key was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFound {
    /// The key: the one that was looked up, or another that an interpolation of its value names.
    pub key: Str,
    /// The layer, such as `Environment Data Provider (hiera configuration version 5)`.
    pub layer: Str,
    /// The level, such as `Hierarchy entry "common"`.
    pub level: Str,
    /// The absolute path of the data file. None for a function without one.
    pub path: Option<Str>,
}

/// The steps around a step.
#[derive(Clone, Default)]
struct Around {
    layer: Str,
    level: Str,
    path: Option<Str>,
    is_nested: bool,
}

impl DataTrace {
    /// Summarizes the steps of a lookup.
    pub(crate) fn of(key: &str, steps: &Step) -> DataTrace {
        let mut trace = DataTrace { key: key.into(), ..DataTrace::default() };
        trace.walk(steps, &Around::default());
        trace
    }

    fn walk(&mut self, step: &Step, around: &Around) {
        let mut around = around.clone();
        match &step.kind {
            // What it finds are options, not the value.
            StepKind::Meta => return,
            StepKind::MergeSource(_) if !around.is_nested => self.has_options = true,
            StepKind::Merge(strategy) if !around.is_nested => {
                self.merge.get_or_insert(strategy.kind.name());
            }
            StepKind::Provider { name, .. } if name.contains(" Data Provider (hiera ") => {
                around =
                    Around { layer: name.as_str().into(), is_nested: around.is_nested, ..Around::default() };
            }
            StepKind::Provider { name, .. } => around.level = name.as_str().into(),
            StepKind::Path { path, .. } => around.path = Some(path.clone()),
            StepKind::Uri { uri, .. } => around.path = Some(uri.clone()),
            StepKind::Interpolate(text) => {
                // Those of the configuration are outside of levels.
                if !around.level.is_empty() && self.interpolated.len() < FOUND {
                    self.interpolated.push(text.clone());
                }
                // A variable is found in no level; a key that is looked up goes through all of them again.
                around = Around { is_nested: true, ..Around::default() };
            }
            // It finds a part of a value that was found before.
            StepKind::SubLookup(_) => return,
            _ => {}
        }
        let is_level = !around.level.is_empty();
        if let (Some(Event::Found), true, Some(key)) = (step.event, is_level, &step.key) {
            let Around { layer, level, path, .. } = around.clone();
            let found = DataFound { key: key.clone(), layer, level, path };
            match self.found.contains(&found) {
                true => {}
                false if self.found.len() < FOUND => self.found.push(found),
                false => self.more += 1,
            }
        }
        step.branches.iter().for_each(|it| self.walk(it, &around));
    }
}
