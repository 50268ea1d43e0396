//! What is not known of a catalog, and why.

use std::fmt;

use marotte_text::Str;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::{Catalog, Line};

/// One reason why values of a catalog are unknown, or resources may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gap {
    /// What can't be evaluated: `the Ruby function 'role'`.
    pub cause: Str,
    /// Why it can't.
    pub reason: Option<Str>,
    /// Where it is asked for.
    pub asked: Vec<Site>,
    /// Where code is skipped because of it, which may declare or change something.
    pub skipped: Vec<Site>,
}

/// A place, and how often it was met.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// The place. None for what stands in no file.
    pub line: Option<Line>,
    /// How often.
    pub count: usize,
}

/// How much of a catalog is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completeness {
    /// How many resources are known.
    pub resources: usize,
    /// How many parameters these have.
    pub values: usize,
    /// How many of them have a value that is not known to the end.
    pub unknown_values: usize,
    /// How often code was skipped that may declare or change something.
    pub skipped: usize,
}

impl Completeness {
    /// Whether all of the catalog is known.
    pub fn is_complete(&self) -> bool {
        self.unknown_values == 0 && self.skipped == 0
    }
}

impl fmt::Display for Completeness {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Completeness { resources, values, unknown_values, skipped } = self;
        let known = values - unknown_values;
        write!(out, "{known} of {values} values of {resources} resources are known")?;
        match skipped {
            0 => Ok(()),
            1 => write!(out, "; code that may declare or change others was skipped once"),
            count => write!(out, "; code that may declare or change others was skipped {count} times"),
        }
    }
}

impl<P> Catalog<P> {
    /// How much of it is known.
    pub fn completeness(&self) -> Completeness {
        let values = || self.resources.iter().flat_map(|it| it.parameters.values());
        Completeness {
            resources: self.resources.len(),
            values: values().count(),
            unknown_values: values().filter(|it| it.has_unknown()).count(),
            skipped: self.gaps.iter().flat_map(|it| &it.skipped).map(|it| it.count).sum(),
        }
    }

    /// How many values are unknown because of a gap.
    pub fn unknown_values(&self, gap: &Gap) -> usize {
        let values = self.resources.iter().flat_map(|it| it.parameters.values());
        values.filter(|it| it.unknown().is_some_and(|by| by.to_string() == *gap.cause)).count()
    }

    /// The reasons why it is not known to the end, those that take most first. Nothing if it is.
    pub fn told_gaps(&self) -> Vec<&Gap> {
        let weight =
            |it: &Gap| (it.skipped.iter().map(|it| it.count).sum::<usize>(), self.unknown_values(it));
        let mut told: Vec<(&Gap, (usize, usize))> = self.gaps.iter().map(|it| (it, weight(it))).collect();
        told.retain(|(_, weight)| *weight != (0, 0));
        told.sort_by_key(|it| std::cmp::Reverse(it.1));
        told.into_iter().map(|it| it.0).collect()
    }
}

/// What the wire format says of a catalog that is not known to the end.
pub(crate) struct Marking<'a, P>(pub(crate) &'a Catalog<P>);

impl<P> Serialize for Marking<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Completeness { resources, values, unknown_values, skipped } = self.0.completeness();
        let causes: Vec<_> =
            self.0.told_gaps().into_iter().map(|it| (it, self.0.unknown_values(it))).collect();
        let causes: Vec<Cause<'_>> = causes.into_iter().map(|(gap, values)| Cause { gap, values }).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("resources", &resources)?;
        map.serialize_entry("values", &values)?;
        map.serialize_entry("unknown_values", &unknown_values)?;
        map.serialize_entry("skipped", &skipped)?;
        map.serialize_entry("causes", &causes)?;
        map.end()
    }
}

struct Cause<'a> {
    gap: &'a Gap,
    values: usize,
}

impl Serialize for Cause<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Gap { cause, reason, asked, skipped } = self.gap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("cause", cause)?;
        map.serialize_entry("reason", reason)?;
        map.serialize_entry("unknown_values", &self.values)?;
        map.serialize_entry("asked", asked)?;
        map.serialize_entry("skipped", skipped)?;
        map.end()
    }
}

impl Serialize for Site {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(Line { file, line }) = &self.line {
            map.serialize_entry("file", file)?;
            map.serialize_entry("line", line)?;
        }
        map.serialize_entry("count", &self.count)?;
        map.end()
    }
}

impl fmt::Display for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.line {
            Some(Line { file, line }) => write!(out, "{file}:{line}")?,
            None => write!(out, "(no file)")?,
        }
        if self.count > 1 {
            write!(out, " ({} times)", self.count)?;
        }
        Ok(())
    }
}
