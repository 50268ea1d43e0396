//! The unknown parts of a catalog, and their causes.

use std::fmt;

use marotte_text::Str;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::{Catalog, Line};

/// A reason why values of a catalog are unknown, or why resources may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gap {
    /// The construct that can't be evaluated: `the Ruby function 'role'`.
    pub cause: Str,
    /// The reason why it can't be evaluated.
    pub reason: Option<Str>,
    /// The places that use it.
    pub asked: Vec<Site>,
    /// The places where code was skipped because of the gap; that code may declare or change something.
    pub skipped: Vec<Site>,
}

/// A place, and the number of times that it was reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// The place. `None` for code that isn't in a file.
    pub line: Option<Line>,
    /// The number of times.
    pub count: usize,
}

/// The extent to which a catalog is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completeness {
    /// The number of known resources.
    pub resources: usize,
    /// The number of parameters of these resources.
    pub values: usize,
    /// The number of parameters whose value is entirely or partly unknown.
    pub unknown_values: usize,
    /// The number of times that code was skipped which may declare or change something.
    pub skipped: usize,
    /// The number of requests without an answer, if nothing else is unknown: such a request may be an error.
    pub unanswered: usize,
}

impl Completeness {
    /// Whether the whole catalog is known.
    pub fn is_complete(&self) -> bool {
        self.unknown_values == 0 && self.skipped == 0 && self.unanswered == 0
    }
}

impl fmt::Display for Completeness {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Completeness { resources, values, unknown_values, skipped, unanswered } = self;
        let known = values - unknown_values;
        write!(out, "{known} of {values} values of {resources} resources are known")?;
        match unanswered {
            0 => {}
            1 => write!(out, "; whether one call fails is not known")?,
            count => write!(out, "; whether {count} calls fail is not known")?,
        }
        match skipped {
            0 => Ok(()),
            1 => write!(out, "; code that may declare or change others was skipped once"),
            count => write!(out, "; code that may declare or change others was skipped {count} times"),
        }
    }
}

impl<P> Catalog<P> {
    /// Returns the completeness of the catalog.
    pub fn completeness(&self) -> Completeness {
        let values = || self.resources.iter().flat_map(|it| it.parameters.values());
        let unknown_values = values().filter(|it| it.has_unknown()).count();
        let sum = |sites: fn(&Gap) -> &[Site]| self.gaps.iter().flat_map(sites).map(|it| it.count).sum();
        let skipped: usize = sum(|it| &it.skipped);
        Completeness {
            resources: self.resources.len(),
            values: values().count(),
            unknown_values,
            skipped,
            unanswered: if unknown_values + skipped == 0 { sum(|it| &it.asked) } else { 0 },
        }
    }

    /// Returns the number of values that are unknown because of a gap.
    pub fn unknown_values(&self, gap: &Gap) -> usize {
        let values = self.resources.iter().flat_map(|it| it.parameters.values());
        values.filter(|it| it.unknown().is_some_and(|by| by.to_string() == *gap.cause)).count()
    }

    /// Returns the reasons why the catalog is incomplete, those with the largest effect first. Empty if it is complete.
    pub fn told_gaps(&self) -> Vec<&Gap> {
        let weight =
            |it: &Gap| (it.skipped.iter().map(|it| it.count).sum::<usize>(), self.unknown_values(it));
        let mut told: Vec<(&Gap, (usize, usize))> = self.gaps.iter().map(|it| (it, weight(it))).collect();
        if told.iter().any(|(_, weight)| *weight != (0, 0)) {
            told.retain(|(_, weight)| *weight != (0, 0));
        } else {
            told.retain(|(gap, _)| !gap.asked.is_empty());
        }
        told.sort_by_key(|it| std::cmp::Reverse(it.1));
        told.into_iter().map(|it| it.0).collect()
    }
}

/// The part of the wire format that describes the incompleteness of a catalog.
pub(crate) struct Marking<'a, P>(pub(crate) &'a Catalog<P>);

impl<P> Serialize for Marking<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Completeness { resources, values, unknown_values, skipped, unanswered } = self.0.completeness();
        let causes: Vec<_> =
            self.0.told_gaps().into_iter().map(|it| (it, self.0.unknown_values(it))).collect();
        let causes: Vec<Cause<'_>> = causes.into_iter().map(|(gap, values)| Cause { gap, values }).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("resources", &resources)?;
        map.serialize_entry("values", &values)?;
        map.serialize_entry("unknown_values", &unknown_values)?;
        map.serialize_entry("skipped", &skipped)?;
        if unanswered > 0 {
            map.serialize_entry("unanswered", &unanswered)?;
        }
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
