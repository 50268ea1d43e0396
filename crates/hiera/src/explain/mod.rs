//! What a lookup did, step by step (G17): first as a tree, then as text or as data.

mod data;
mod print;

use marotte_pcore::value::{Sensitive, Value};
use marotte_text::Str;

use crate::key::Segment;
use crate::merge::Strategy;

/// What is explained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// How `lookup_options` were found, too.
    pub options: bool,
    /// Only how they were found, and no value.
    pub only_options: bool,
}

/// A step of a lookup, with those that it took.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// What was done.
    pub kind: StepKind,
    /// What came of it.
    pub event: Option<Event>,
    /// The key that was found, or not.
    pub key: Option<Str>,
    /// What was found.
    pub value: Option<Value>,
    /// Remarks of functions, and of Hiera.
    pub texts: Vec<String>,
    /// The steps that it took.
    pub branches: Vec<Step>,
}

impl Step {
    /// Hides what was found, and all that says something of it.
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

/// What stands for a text that has a secret in it.
const HIDDEN: &str = "[value redacted]";

/// What a step does.
#[derive(Clone, Debug, Default)]
pub enum StepKind {
    /// All of it.
    #[default]
    Root,
    /// Searches for options of a key.
    Meta,
    /// Searches for a key.
    Data,
    /// Refuses a key.
    InvalidKey,
    /// Takes the strategy from somewhere.
    MergeSource(&'static str),
    /// Looks for a module.
    Module(Str),
    /// Resolves interpolations in a text.
    Interpolate(Str),
    /// Merges.
    Merge(Strategy),
    /// Asks a layer or a level.
    Provider {
        /// What it is called.
        name: String,
        /// The configuration of a layer.
        config: Option<Str>,
        /// The module whose layer it is.
        module: Option<Str>,
    },
    /// Looks into a file.
    Path {
        /// As it was configured.
        original: Str,
        /// What that means.
        path: Str,
    },
    /// Asks a URI.
    Uri {
        /// As it was configured.
        original: Str,
        /// What that means.
        uri: Str,
    },
    /// Digs in a value.
    SubLookup(Vec<Segment>),
    /// Digs for one segment.
    Segment,
    /// Looks into a scope, or does something that has a name.
    Scope(String),
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It found the key.
    Found,
    /// The values that override data have it.
    FoundInOverrides,
    /// The values for what is not in data have it.
    FoundInDefaults,
    /// It did not.
    NotFound,
    /// There is nothing at the place.
    LocationNotFound,
    /// There is no such module.
    ModuleNotFound,
    /// The module has no data.
    ModuleProviderNotFound,
    /// It merged.
    Result,
}

/// Takes notes while a lookup is under way.
#[derive(Clone, Debug, Default)]
pub struct Explainer {
    /// What is explained.
    pub wanted: Wanted,
    /// The steps around the current one, outermost first; the first is the root.
    open: Vec<Step>,
}

impl Explainer {
    /// Takes notes of what is wanted.
    pub fn new(wanted: Wanted) -> Explainer {
        Explainer { wanted, open: vec![Step::default()] }
    }

    /// All steps.
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

    /// Hides the values of the search that has just ended: its result is a secret.
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
