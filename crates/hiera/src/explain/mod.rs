//! The steps of a lookup (G17): first as a tree, then as text or as data.

mod data;
mod print;

use marotte_pcore::value::{Sensitive, Value};
use marotte_text::Str;

use crate::key::Segment;
use crate::merge::Strategy;

/// The parts of a lookup that are explained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Whether to explain the search for `lookup_options`, too.
    pub options: bool,
    /// Whether to explain only that search, and look up no value.
    pub only_options: bool,
}

/// A step of a lookup, with its substeps.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The action of the step.
    pub kind: StepKind,
    /// The outcome of the step. None if it has none of its own.
    pub event: Option<Event>,
    /// The key that was found or not found.
    pub key: Option<Str>,
    /// The value that was found.
    pub value: Option<Value>,
    /// Remarks of functions and of Hiera.
    pub texts: Vec<String>,
    /// The steps that the step consists of.
    pub branches: Vec<Step>,
}

impl Step {
    /// Redacts the found value, and all remarks and substeps that reveal it.
    fn hide(&mut self) {
        if let Some(value) = self.value.take() {
            self.value = Some(Value::Sensitive(Sensitive::new(value)));
        }
        if let StepKind::Interpolate(text) = &mut self.kind {
            *text = HIDDEN.into();
        }
        if !self.texts.is_empty() {
            self.texts = vec![HIDDEN.to_owned()];
        }
        self.branches.iter_mut().for_each(Step::hide);
    }
}

/// The replacement for a text that contains a secret.
const HIDDEN: &str = "[value redacted]";

/// The action of a step.
#[derive(Clone, Debug, Default)]
pub enum StepKind {
    /// The lookup as a whole.
    #[default]
    Root,
    /// Searches for the `lookup_options` of a key.
    Meta,
    /// Searches for a key.
    Data,
    /// Rejects an invalid key.
    InvalidKey,
    /// Takes the merge strategy from this source.
    MergeSource(&'static str),
    /// Searches for a module.
    Module(Str),
    /// Resolves interpolations in a text.
    Interpolate(Str),
    /// Merges the values that were found.
    Merge(Strategy),
    /// Searches a layer or a level.
    Provider {
        /// The name of the layer or level.
        name: String,
        /// The configuration of a layer.
        config: Option<Str>,
        /// The module whose layer it is.
        module: Option<Str>,
    },
    /// Searches a data file.
    Path {
        /// The path as configured.
        original: Str,
        /// The path after interpolation.
        path: Str,
    },
    /// Searches a URI.
    Uri {
        /// The URI as configured.
        original: Str,
        /// The URI after interpolation.
        uri: Str,
    },
    /// Digs in a value.
    SubLookup(Vec<Segment>),
    /// Digs for one segment of the key.
    Segment,
    /// Reads a scope, or performs another named action.
    Scope(String),
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The key was found.
    Found,
    /// The key was found in the values that override data.
    FoundInOverrides,
    /// The key was found in the default values.
    FoundInDefaults,
    /// The key was not found.
    NotFound,
    /// The location doesn't exist.
    LocationNotFound,
    /// The module doesn't exist.
    ModuleNotFound,
    /// The module has no data.
    ModuleProviderNotFound,
    /// The merged value.
    Result,
}

/// Records the steps of lookups.
#[derive(Clone, Debug, Default)]
pub struct Explainer {
    /// The parts to explain.
    pub selection: Selection,
    /// The steps around the current one, outermost first; the first is the root.
    open: Vec<Step>,
}

impl Explainer {
    /// Creates an explainer that records these parts.
    pub fn new(selection: Selection) -> Explainer {
        Explainer { selection, open: vec![Step::default()] }
    }

    /// Ends the recording and returns the root step.
    pub fn finish(mut self) -> Step {
        while self.open.len() > 1 {
            self.pop();
        }
        self.open.pop().unwrap_or_default()
    }

    pub(crate) fn push(&mut self, kind: StepKind, key: Option<Str>) {
        self.open.push(Step { kind, key, ..Step::default() });
    }

    pub(crate) fn pop(&mut self) {
        if self.open.len() > 1
            && let Some(step) = self.open.pop()
        {
            self.current(|it| it.branches.push(step));
        }
    }

    pub(crate) fn current(&mut self, change: impl FnOnce(&mut Step)) {
        if let Some(step) = self.open.last_mut() {
            change(step);
        }
    }

    /// Redacts the values of the search that has just ended: its result is a secret.
    pub(crate) fn hide_last(&mut self) {
        self.current(|it| it.branches.iter_mut().rev().take(1).for_each(Step::hide));
    }

    pub(crate) fn note(&mut self, event: Event, key: Option<Str>, value: Option<Value>) {
        self.current(|it| {
            it.event = Some(event);
            if key.is_some() {
                it.key = key;
            }
            if value.is_some() {
                it.value = value;
            }
        });
    }
}
