//! Layers: their configuration, and the levels of their hierarchies.

use std::cell::RefCell;
use std::rc::Rc;

use marotte_pcore::mismatch::assert_instance_of;
use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::{Collected, Invocation, LookupResult, Mode};
use crate::config::Config;
use crate::explain::{Event, StepKind};
use crate::hierarchy::Level;
use crate::key::LookupKey;
use crate::merge::{Strategy, StrategyKind};
use crate::{Layer, LayerConfig, LookupError, LookupHost};

/// A layer that has data.
#[derive(Debug)]
pub(super) struct Provider {
    pub(super) layer: Layer,
    pub(super) config: Config,
    levels: RefCell<Option<Rc<Levels>>>,
}

/// The levels of a layer, resolved for the current variables.
#[derive(Debug)]
struct Levels {
    hierarchy: Vec<Level>,
    default_hierarchy: Vec<Level>,
    /// The variables on which they depend.
    variables: Vec<Collected>,
}

impl Provider {
    /// The step that represents it in explanations.
    fn step(&self) -> StepKind {
        let version = self.config.version;
        let (place, module) = match &self.layer {
            Layer::Global => ("Global", None),
            Layer::Environment => ("Environment", None),
            Layer::Module(name) => ("Module", Some(name.clone())),
        };
        let quoted = module.as_ref().map(|it| format!("\"{it}\" ")).unwrap_or_default();
        StepKind::Provider {
            name: format!("{place} {quoted}Data Provider (hiera configuration version {version})"),
            config: self.config.path.clone(),
            module,
        }
    }
}

impl<O: LookupHost + ?Sized> Invocation<'_, O> {
    /// Returns the data of a layer. `None` if it has none.
    pub(super) fn provider(&mut self, layer: &Layer) -> LookupResult<Option<Rc<Provider>>, O> {
        if let Some(known) = self.hiera.layers.borrow().get(layer) {
            return Ok(known.clone());
        }
        let config = match self.outside.data().hiera_config(layer)? {
            LayerConfig::File(file) => Config::read(self.outside, layer, &file)?,
            LayerConfig::Default(root) => Some(Config::default_in(&root)),
            // The global layer always exists.
            LayerConfig::None if *layer == Layer::Global => Some(Config::empty()),
            LayerConfig::None => None,
            LayerConfig::NoModule => return Ok(None),
        };
        let config = self.by_data_provider(layer, config)?;
        let provider = config
            .map(|config| Rc::new(Provider { layer: layer.clone(), config, levels: RefCell::default() }));
        self.hiera.layers.borrow_mut().insert(layer.clone(), provider.clone());
        Ok(provider)
    }

    /// Whether a module of this name exists.
    pub(super) fn has_module(&mut self, name: &Str) -> bool {
        !matches!(self.outside.data().hiera_config(&Layer::Module(name.clone())), Ok(LayerConfig::NoModule))
    }

    /// Searches the levels of a layer.
    pub(super) fn ask(
        &mut self,
        provider: &Rc<Provider>,
        key: &LookupKey,
        strategy: &Strategy,
    ) -> LookupResult<Option<Value>, O> {
        self.with(
            || (provider.step(), None),
            |it| {
                let levels = it.levels(provider)?;
                it.ask_levels(&levels.hierarchy, provider, key, strategy)
            },
        )
    }

    /// Searches the levels of the default hierarchy of a module.
    pub(super) fn ask_default(
        &mut self,
        provider: &Rc<Provider>,
        key: &LookupKey,
        strategy: &Strategy,
    ) -> LookupResult<Option<Value>, O> {
        let levels = self.levels(provider)?;
        if levels.default_hierarchy.is_empty() {
            self.note(Event::NotFound, &key.text, None);
            return Ok(None);
        }
        self.check(&key.text, |it| {
            it.with(
                || (provider.step(), None),
                |it| it.ask_levels(&levels.default_hierarchy, provider, key, strategy),
            )
        })
    }

    fn ask_levels(
        &mut self,
        levels: &[Level],
        provider: &Provider,
        key: &LookupKey,
        strategy: &Strategy,
    ) -> LookupResult<Option<Value>, O> {
        if levels.is_empty() {
            self.note(Event::NotFound, &key.text, None);
            return Ok(None);
        }
        self.merged(strategy, levels, |it, level| {
            it.ask_level(level, &provider.layer, &provider.config, key, strategy)
        })
    }

    fn levels(&mut self, provider: &Provider) -> LookupResult<Rc<Levels>, O> {
        let known = provider.levels.borrow().clone();
        if let Some(known) = known {
            if self.is_unchanged(&known.variables)? {
                return Ok(known);
            }
            self.hiera.remark(|| {
                "Hiera configuration recreated due to change of scope variables used in interpolation expressions"
                    .to_owned()
            });
        }
        // Interpolations of a configuration are neither explained nor part of the current lookup.
        let explainer = self.hiera.explainer.take();
        let names = self.hiera.names.take();
        let levels = self.resolve_levels(&provider.layer, &provider.config).map(Rc::new);
        *self.hiera.explainer.borrow_mut() = explainer;
        *self.hiera.names.borrow_mut() = names;
        let levels = levels?;
        *provider.levels.borrow_mut() = Some(Rc::clone(&levels));
        Ok(levels)
    }

    fn resolve_levels(&mut self, layer: &Layer, config: &Config) -> LookupResult<Levels, O> {
        let empty = Hash::default();
        let mut resolving = Invocation::new(self.hiera, self.outside, &empty, &empty);
        resolving.collected = Some(Vec::new());
        resolving.version3 = config.version == 3;
        let hierarchy = resolving.resolve(layer, config, &config.hierarchy)?;
        let default_hierarchy = match &config.default_hierarchy {
            Some(entries) => resolving.resolve(layer, config, entries)?,
            None => Vec::new(),
        };
        let variables = resolving.collected.take().unwrap_or_default();
        Ok(Levels { hierarchy, default_hierarchy, variables })
    }

    /// Whether variables still have the values that they had when the levels were resolved.
    fn is_unchanged(&mut self, variables: &[Collected]) -> LookupResult<bool, O> {
        // This isn't explained.
        let explainer = self.hiera.explainer.take();
        let mut unchanged = Ok(true);
        for it in variables {
            let value = match self.fact(&it.root, &it.segments) {
                Some(fact) => self.dig(&it.key, &it.segments[1..], fact),
                None => match self.outside.variable(&it.root) {
                    crate::Variable::Value(value) => self.dig(&it.key, &it.segments, value),
                    crate::Variable::Missing(_) => Ok(None),
                },
            };
            unchanged = value.map(|value| value.filter(|it| *it != Value::Undef) == it.value);
            if !matches!(unchanged, Ok(true)) {
                break;
            }
        }
        *self.hiera.explainer.borrow_mut() = explainer;
        unchanged
    }

    /// Searches the global layer; version 3 has different rules.
    pub(super) fn ask_global(
        &mut self,
        provider: &Rc<Provider>,
        key: &LookupKey,
        strategy: &Strategy,
    ) -> LookupResult<Option<Value>, O> {
        if provider.config.version != 3 {
            return self.ask(provider, key, strategy);
        }
        let mode = self.hiera.mode.get();
        let global_only =
            mode.global_only || self.provider(&Layer::Environment)?.is_none_or(|it| it.config.version < 5);
        let strategy = match &provider.config.hash_strategy {
            Some(own) if mode.hiera_call && strategy.kind == StrategyKind::Hash => own,
            _ => strategy,
        };
        let hiera = self.hiera;
        let mut inner = self.nested();
        inner.version3 = true;
        let found = hiera.in_mode(Mode { global_only, ..mode }, || inner.ask(provider, key, strategy))?;
        if let Some(value) = found.as_ref().filter(|_| mode.hiera_call) {
            let merges_hashes = !strategy.takes_first() && strategy.kind != StrategyKind::Unique;
            if merges_hashes {
                let hash = Type::hash(Type::any(), Type::any(), None);
                assert_instance_of(self.outside.dialect(), "value", &hash, value)
                    .map_err(|wrong| LookupError::other(wrong.to_string()))?;
            }
            let resolution = match strategy.kind {
                StrategyKind::Hash => Some("hash"),
                StrategyKind::Unique => Some("array"),
                _ => None,
            };
            if let Some(resolution) = resolution.filter(|_| !key.segments.is_empty()) {
                return Err(LookupError::new(format!(
                    "Resolution type :{resolution} is illegal when accessing values using dotted keys. Offending key was '{key}'"
                ))
                .into());
            }
        }
        Ok(found)
    }
}
