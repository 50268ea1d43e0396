use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::Hiera;
use crate::explain::{Event, StepKind};
use crate::key::Segment;
use crate::merge::Strategy;
use crate::{ErrorKind, Fault, LookupError, LookupHost};

/// The result of a step of a lookup.
pub(crate) type LookupResult<T, O> = Result<T, Fault<<O as LookupHost>::Error>>;

/// The maximum depth of nested lookups.
const DEPTH_LIMIT: usize = 200;

/// A lookup in progress.
pub(crate) struct Invocation<'a, O: ?Sized> {
    pub(crate) hiera: &'a Hiera,
    pub(crate) outside: &'a mut O,
    pub(crate) overrides: &'a Hash,
    pub(crate) defaults: &'a Hash,
    /// The key that the caller requested.
    pub(super) top_key: Str,
    /// The module of that key.
    pub(super) module: Option<Str>,
    /// The local variables that `mapped_paths` sets while a path is interpolated.
    pub(crate) locals: Vec<(Str, Value)>,
    /// The variables that a configuration interpolates, collected while it is resolved.
    pub(crate) collected: Option<Vec<Collected>>,
    /// Whether variables are resolved by the rules of version 3.
    pub(crate) version3: bool,
    /// Whether missing variables are reported as warnings instead of errors.
    pub(crate) lenient: bool,
}

/// A variable that a configuration interpolates, with its value.
#[derive(Clone, Debug)]
pub(crate) struct Collected {
    pub(crate) key: Str,
    pub(crate) root: Str,
    pub(crate) segments: Vec<Segment>,
    /// `None` if it was missing or had no value.
    pub(crate) value: Option<Value>,
}

impl<'a, O: LookupHost + ?Sized> Invocation<'a, O> {
    pub(crate) fn new(
        hiera: &'a Hiera,
        outside: &'a mut O,
        overrides: &'a Hash,
        defaults: &'a Hash,
    ) -> Invocation<'a, O> {
        Invocation {
            hiera,
            outside,
            overrides,
            defaults,
            top_key: Str::new(),
            module: None,
            locals: Vec::new(),
            collected: None,
            version3: false,
            lenient: false,
        }
    }

    /// Creates a lookup nested in this one, with the same overrides and defaults.
    pub(crate) fn nested(&mut self) -> Invocation<'_, O> {
        Invocation::new(self.hiera, self.outside, self.overrides, self.defaults)
    }

    /// Runs something that is explained as one step.
    pub(crate) fn with<T>(
        &mut self,
        step: impl FnOnce() -> (StepKind, Option<Str>),
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let explained = match &mut *self.hiera.explainer.borrow_mut() {
            Some(explainer) => {
                let (kind, key) = step();
                explainer.push(kind, key);
                true
            }
            None => false,
        };
        let result = body(self);
        if explained && let Some(explainer) = &mut *self.hiera.explainer.borrow_mut() {
            explainer.pop();
        }
        result
    }

    /// Records the outcome of the current step.
    pub(crate) fn note(&self, event: Event, key: &str, value: Option<&Value>) {
        if let Some(explainer) = &mut *self.hiera.explainer.borrow_mut() {
            explainer.note(event, Some(key.into()), value.cloned());
        }
    }

    /// Records the outcome of a step without a key.
    pub(crate) fn note_event(&self, event: Event, value: Option<&Value>) {
        if let Some(explainer) = &mut *self.hiera.explainer.borrow_mut() {
            explainer.note(event, None, value.cloned());
        }
    }

    /// Runs a computation for a name, and fails if it depends on itself (G16).
    pub(crate) fn check<T>(
        &mut self,
        name: &Str,
        body: impl FnOnce(&mut Self) -> LookupResult<T, O>,
    ) -> LookupResult<T, O> {
        {
            let mut names = self.hiera.names.borrow_mut();
            if names.contains(name) || names.len() >= DEPTH_LIMIT {
                let shown: Vec<&str> = names.iter().map(|it| &**it).collect();
                let message = format!("Recursive lookup detected in [{}]", shown.join(", "));
                return Err(LookupError::new(message).into());
            }
            names.push(name.clone());
        }
        let result = body(self);
        self.hiera.names.borrow_mut().pop();
        result.map_err(|fault| match fault {
            Fault::Lookup(mut error) if error.kind == ErrorKind::Failed => {
                error.kind = ErrorKind::Lookup;
                Fault::Lookup(error)
            }
            other => other,
        })
    }

    /// Queries several sources in order and merges their values.
    pub(crate) fn merged<V>(
        &mut self,
        strategy: &Strategy,
        variants: &[V],
        mut ask: impl FnMut(&mut Self, &V) -> LookupResult<Option<Value>, O>,
    ) -> LookupResult<Option<Value>, O> {
        if strategy.takes_first() {
            for variant in variants {
                if let Some(value) = ask(self, variant)? {
                    return Ok(Some(value));
                }
            }
            return Ok(None);
        }
        match variants {
            [] => Ok(None),
            [only] => Ok(ask(self, only)?.map(|it| strategy.single(it))),
            _ => {
                let step = || (StepKind::Merge(strategy.clone()), None);
                self.with(step, |it| {
                    let mut merged: Option<Value> = None;
                    for variant in variants {
                        let Some(value) = ask(it, variant)? else { continue };
                        merged = Some(match merged {
                            None => strategy.first(value),
                            Some(upper) => strategy.merge(it.outside.dialect(), &upper, &value)?,
                        });
                    }
                    if merged.is_some() {
                        it.note_event(Event::Result, merged.as_ref());
                    }
                    Ok(merged)
                })
            }
        }
    }

    /// Records a variable that a configuration interpolates. The reference later checks all of them again except those
    /// of the top scope that have a value.
    pub(crate) fn collect(&mut self, key: &str, root: &Str, segments: &[Segment], value: Option<&Value>) {
        let Some(collected) = &mut self.collected else { return };
        let value = value.filter(|it| **it != Value::Undef);
        if (value.is_some() && key.starts_with("::")) || collected.iter().any(|it| it.key == key) {
            return;
        }
        collected.push(Collected {
            key: key.into(),
            root: root.clone(),
            segments: segments.to_vec(),
            value: value.cloned(),
        });
    }
}
