use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::Hiera;
use crate::explain::{Event, StepKind};
use crate::key::Segment;
use crate::merge::Strategy;
use crate::{ErrorKind, Fault, LookupError, Outside};

/// What a step of a lookup gives, or why it gives nothing.
pub(crate) type Looked<T, O> = Result<T, Fault<<O as Outside>::Error>>;

/// How many lookups may be inside of each other.
const DEPTH_LIMIT: usize = 200;

/// One lookup that is under way.
pub(crate) struct Invocation<'a, O: ?Sized> {
    pub(crate) hiera: &'a Hiera,
    pub(crate) outside: &'a mut O,
    pub(crate) overrides: &'a Hash,
    pub(crate) defaults: &'a Hash,
    /// The key that was asked for.
    pub(super) top_key: Str,
    /// The module of that key.
    pub(super) module: Option<Str>,
    /// What `mapped_paths` sets while a path is interpolated.
    pub(crate) locals: Vec<(Str, Value)>,
    /// The variables that a configuration interpolates, while it is resolved.
    pub(crate) collected: Option<Vec<Collected>>,
    /// Variables are those that version 3 sees.
    pub(crate) version3: bool,
    /// Variables that are not there are told, and no errors.
    pub(crate) lenient: bool,
}

/// A variable that a configuration interpolates, and what it was.
#[derive(Clone, Debug)]
pub(crate) struct Collected {
    pub(crate) key: Str,
    pub(crate) root: Str,
    pub(crate) segments: Vec<Segment>,
    /// None if it was not there, or had none.
    pub(crate) value: Option<Value>,
}

impl<'a, O: Outside + ?Sized> Invocation<'a, O> {
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

    /// A lookup within this one, with the same overrides and defaults.
    pub(crate) fn nested(&mut self) -> Invocation<'_, O> {
        Invocation::new(self.hiera, self.outside, self.overrides, self.defaults)
    }

    /// Does something that is explained as one step.
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

    /// Notes what came of the step.
    pub(crate) fn note(&self, event: Event, key: &str, value: Option<&Value>) {
        if let Some(explainer) = &mut *self.hiera.explainer.borrow_mut() {
            explainer.note(event, Some(key.into()), value.cloned());
        }
    }

    /// Notes what came of a step that is about no key.
    pub(crate) fn note_event(&self, event: Event, value: Option<&Value>) {
        if let Some(explainer) = &mut *self.hiera.explainer.borrow_mut() {
            explainer.note(event, None, value.cloned());
        }
    }

    /// Does something for a name that must not lead to itself (G16).
    pub(crate) fn check<T>(
        &mut self,
        name: &Str,
        body: impl FnOnce(&mut Self) -> Looked<T, O>,
    ) -> Looked<T, O> {
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

    /// Asks several in order, and merges what they have.
    pub(crate) fn merged<V>(
        &mut self,
        strategy: &Strategy,
        variants: &[V],
        mut ask: impl FnMut(&mut Self, &V) -> Looked<Option<Value>, O>,
    ) -> Looked<Option<Value>, O> {
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

    /// Remembers a variable that a configuration interpolates. The reference looks again at all but those of the top scope
    /// that have a value.
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
