//! `lookup_options`: the merge strategies and conversions of keys (G8).

use std::rc::Rc;
use std::sync::Arc;

use marotte_pcore::effort;
use marotte_pcore::regexp::{MatchError, Regexp};
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::provider::Provider;
use super::{Invocation, LookupResult};
use crate::explain::{Event, StepKind};
use crate::key::{LOOKUP_OPTIONS, LookupKey};
use crate::merge::{Strategy, StrategyKind};
use crate::{LookupError, LookupHost};

/// Options by key, and by pattern.
#[derive(Debug, Default)]
pub(super) struct Options {
    exact: Hash,
    patterns: Vec<(Regexp, Value)>,
}

impl Options {
    fn compile(options: &Hash) -> Result<Options, LookupError> {
        let mut compiled = Options::default();
        for (key, value) in options.iter() {
            match key.as_str().filter(|it| it.starts_with('^')) {
                Some(pattern) => {
                    let pattern =
                        Regexp::new(pattern).map_err(|error| LookupError::other(error.to_string()))?;
                    compiled.patterns.push((pattern, value.clone()));
                }
                None => compiled.exact.insert(key.clone(), value.clone()),
            }
        }
        Ok(compiled)
    }

    /// Returns the options of a key. An exact key takes precedence over patterns; of these, the first match applies.
    ///
    /// # Errors
    /// If it takes too long to find out which pattern matches.
    pub(super) fn of_key(&self, root: &str) -> Result<Option<Value>, LookupError> {
        if let Some(exact) = self.exact.get_str(root).filter(|it| **it != Value::Undef) {
            return Ok(Some(exact.clone()));
        }
        let first = || {
            for (pattern, options) in &self.patterns {
                if pattern.is_match(root)? {
                    return Ok(Some(options.clone()));
                }
            }
            Ok(None)
        };
        let found: Result<_, MatchError> = limited(first)?;
        found.map_err(|error| LookupError::other(error.to_string()))
    }
}

impl<O: LookupHost + ?Sized> Invocation<'_, O> {
    /// Returns the options of a key.
    pub(super) fn options_of(&mut self, key: &LookupKey) -> LookupResult<Option<Value>, O> {
        let module = key.module().map(Str::from);
        let known = self.hiera.options.borrow().get(&module).cloned();
        let options = match known {
            Some(options) => options,
            None => {
                let options = self.collect_options(module.as_ref())?;
                self.hiera.options.borrow_mut().insert(module, options.clone());
                options
            }
        };
        Ok(options.map(|it| it.of_key(&key.root)).transpose()?.flatten())
    }

    fn collect_options(&mut self, module: Option<&Str>) -> LookupResult<Option<Rc<Options>>, O> {
        // Overrides don't apply to the lookup of options.
        let empty = Hash::default();
        let mut meta = Invocation::new(self.hiera, self.outside, &empty, &empty);
        meta.module = module.cloned();
        meta.top_key = LOOKUP_OPTIONS.into();
        meta.with(
            || (StepKind::Meta, Some(LOOKUP_OPTIONS.into())),
            |it| {
                let options =
                    if it.is_global_only() { it.global_options()? } else { it.all_options(module)? };
                compiled(options.as_ref()).map_err(Into::into)
            },
        )
    }

    fn all_options(&mut self, module: Option<&Str>) -> LookupResult<Option<Arc<Hash>>, O> {
        let outer = self.environment_options()?;
        let Some(module) = module else { return Ok(outer) };
        // Then keys without a module need no separate search.
        if !self.hiera.options.borrow().contains_key(&None) {
            let compiled = compiled(outer.as_ref())?;
            self.hiera.options.borrow_mut().insert(None, compiled);
        }
        let strategy = Self::hash_strategy();
        let Some(own) = self.search_module(&LookupKey::lookup_options(), &strategy)? else {
            return Ok(outer);
        };
        let Some(own) = validated(&own, Some(module))? else { return Ok(outer) };
        let Some(outer) = outer else { return Ok(Some(own)) };
        let sources = [("Global and Environment".to_owned(), outer), (format!("Module {module}"), own)];
        let merged = self.merged(&strategy, &sources, |it, (name, options)| {
            let step = || (StepKind::Scope(name.clone()), None);
            let options = Value::Hash(Arc::clone(options));
            it.with(step, |it| it.note(Event::Found, LOOKUP_OPTIONS, Some(&options)));
            Ok(Some(options))
        })?;
        Ok(merged.and_then(into_hash))
    }

    fn global_options(&mut self) -> LookupResult<Option<Arc<Hash>>, O> {
        if let Some(known) = self.hiera.global_options.borrow().clone() {
            return Ok(known);
        }
        // A failed search isn't repeated.
        *self.hiera.global_options.borrow_mut() = Some(None);
        let found = self.search_global(&LookupKey::lookup_options(), &Self::hash_strategy())?;
        let options = found.map(|it| validated(&it, None)).transpose()?.flatten();
        *self.hiera.global_options.borrow_mut() = Some(options.clone());
        Ok(options)
    }

    /// Returns the options of the global layer and of the environment.
    fn environment_options(&mut self) -> LookupResult<Option<Arc<Hash>>, O> {
        if let Some(known) = self.hiera.environment_options.borrow().clone() {
            return Ok(known);
        }
        let strategy = Self::hash_strategy();
        let global = self.global_options()?;
        let own = self.search_environment(&LookupKey::lookup_options(), &strategy)?;
        let own = own.map(|it| validated(&it, None)).transpose()?.flatten();
        let merged = match (global, own) {
            (Some(global), Some(own)) => {
                let merged =
                    strategy.merge(self.outside.dialect(), &Value::Hash(global), &Value::Hash(own))?;
                into_hash(merged)
            }
            (global, own) => global.or(own),
        };
        *self.hiera.environment_options.borrow_mut() = Some(merged.clone());
        Ok(merged)
    }

    /// Returns the options in the default hierarchy of a module.
    pub(super) fn default_options(
        &mut self,
        provider: &Rc<Provider>,
        module: &Str,
    ) -> LookupResult<Option<Rc<Options>>, O> {
        if let Some(known) = self.hiera.default_options.borrow().get(module).cloned() {
            return Ok(known);
        }
        let empty = Hash::default();
        let mut meta = Invocation::new(self.hiera, self.outside, &empty, &empty);
        meta.module = Some(module.clone());
        meta.top_key = LOOKUP_OPTIONS.into();
        let step = || (StepKind::Scope(format!("Searching for \"{LOOKUP_OPTIONS}\"")), None);
        let found = meta.with(step, |it| {
            it.ask_default(provider, &LookupKey::lookup_options(), &Strategy::of_kind(StrategyKind::Hash))
        })?;
        let options = found.map(|it| validated(&it, Some(module))).transpose()?.flatten();
        let options = compiled(options.as_ref())?;
        self.hiera.default_options.borrow_mut().insert(module.clone(), options.clone());
        Ok(options)
    }
}

fn compiled(options: Option<&Arc<Hash>>) -> Result<Option<Rc<Options>>, LookupError> {
    options.map(|it| limited(|| Options::compile(it))?.map(Rc::new)).transpose()
}

/// Limits the work on patterns.
fn limited<T>(work: impl FnOnce() -> T) -> Result<T, LookupError> {
    let exhausted = |_| LookupError::other(format!("the patterns of {LOOKUP_OPTIONS} are too large"));
    effort::within(effort::FOR_REGEXPS, work).map_err(exhausted)
}

fn into_hash(value: Value) -> Option<Arc<Hash>> {
    match value {
        Value::Hash(hash) => Some(hash),
        _ => None,
    }
}

/// Checks that options are a hash, and those of a module about its own keys. None if the key has no value.
fn validated(options: &Value, module: Option<&Str>) -> Result<Option<Arc<Hash>>, LookupError> {
    let options = match options {
        Value::Undef => return Ok(None),
        Value::Hash(options) => options,
        _ => return Err(LookupError::new(format!("value of {LOOKUP_OPTIONS} must be a hash"))),
    };
    let Some(module) = module else { return Ok(Some(Arc::clone(options))) };
    for key in options.keys().filter_map(Value::as_str) {
        let prefix = format!("{module}::");
        match key.strip_prefix('^') {
            Some(pattern) if !pattern.starts_with(&prefix) => {
                return Err(LookupError::new(format!(
                    "all {LOOKUP_OPTIONS} patterns must match a key starting with module name '{module}'"
                )));
            }
            None if !key.starts_with(&prefix) => {
                return Err(LookupError::new(format!(
                    "all {LOOKUP_OPTIONS} keys must start with module name '{module}'"
                )));
            }
            _ => {}
        }
    }
    Ok(Some(Arc::clone(options)))
}
