//! The search for one key: options, layers, conversion.

use marotte_pcore::format::string_new;
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::{Invocation, LookupResult, assert_type};
use crate::explain::{Event, StepKind};
use crate::key::{LOOKUP_OPTIONS, LookupKey};
use crate::merge::{Strategy, StrategyKind};
use crate::{ErrorKind, Fault, Layer, LookupError, LookupHost};

/// The number of steps that a lookup costs.
const LOOKUP: u64 = 100;

impl<O: LookupHost + ?Sized> Invocation<'_, O> {
    /// Returns the value of the first key that has one: in the overrides, in data, or, after all keys, in the defaults.
    pub(crate) fn lookup_first(
        &mut self,
        names: &[Str],
        value_type: Option<&Type>,
        merge: Option<&Value>,
    ) -> LookupResult<Option<Value>, O> {
        for name in names {
            self.outside.spend(LOOKUP, 0)?;
            let overriding = self.overrides.get_str(name).cloned();
            let value = match overriding {
                Some(value) => {
                    let subject = format!("Value found for key '{name}' in override hash");
                    assert_type(self.outside.dialect(), &subject, value_type, &value)?;
                    Some(value)
                }
                None => self.search(name, merge)?,
            };
            if let Some(value) = value {
                assert_type(self.outside.dialect(), "Found value", value_type, &value)?;
                return Ok(Some(value));
            }
        }
        for name in names {
            if let Some(value) = self.defaults.get_str(name).cloned() {
                let subject = format!("Value found for key '{name}' in default values hash");
                assert_type(self.outside.dialect(), &subject, value_type, &value)?;
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Searches data for a key.
    pub(crate) fn search(&mut self, name: &str, merge: Option<&Value>) -> LookupResult<Option<Value>, O> {
        if name.strip_prefix(LOOKUP_OPTIONS).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
            self.with(|| (StepKind::InvalidKey, Some(LOOKUP_OPTIONS.into())), |_| ());
            return Ok(None);
        }
        let Ok(key) = LookupKey::parse(name) else {
            return Err(LookupError::new(format!("Syntax error in key: '{name}'")).into());
        };
        self.top_key = key.text.clone();
        self.module = key.module().map(Str::from);
        let only_options = self.hiera.explainer.borrow().as_ref().is_some_and(|it| it.selection.only_options);
        if only_options {
            self.search_layers(&LookupKey::lookup_options(), Some(&"hash".into()))?;
            return Ok(Some(Value::Undef));
        }
        let options = self.options_of(&key)?;
        let option = |name: &str| match &options {
            Some(Value::Hash(options)) => options.get_str(name).filter(|it| **it != Value::Undef).cloned(),
            _ => None,
        };
        let merge = match merge {
            Some(merge) => Some(merge.clone()),
            None => {
                let merge = option("merge");
                if merge.is_some() {
                    self.with(|| (StepKind::MergeSource(LOOKUP_OPTIONS), None), |_| ());
                }
                merge
            }
        };
        let convert_to = option("convert_to");
        let is_secret = convert_to.as_ref().is_some_and(|it| self.makes_sensitive(it));
        let step = || (StepKind::Data, Some(key.text.clone()));
        let found = self.with(step, |it| {
            if let Some(found) = it.search_layers(&key, merge.as_ref())? {
                return Ok(Some(found));
            }
            if it.is_global_only() {
                return Ok(None);
            }
            match it.search_default_hierarchy(&key)? {
                Some(value) => it.dig(&key.text, &key.segments, value),
                None => Ok(None),
            }
        });
        // The search has seen values even if it fails, or if the path leads nowhere.
        if is_secret {
            self.hiera.hide_last();
        }
        match (found?, convert_to) {
            (Some(value), Some(convert_to)) => {
                let converted = self.convert(&key.text, &convert_to, value)?;
                if !is_secret && has_sensitive(&converted) {
                    self.hiera.hide_last();
                }
                Ok(Some(converted))
            }
            (found, _) => Ok(found),
        }
    }

    pub(super) fn is_global_only(&self) -> bool {
        self.hiera.mode.get().global_only
    }

    fn search_layers(&mut self, key: &LookupKey, merge: Option<&Value>) -> LookupResult<Option<Value>, O> {
        let strategy = Strategy::of_value(self.outside.dialect(), merge)?;
        let found = if self.is_global_only() {
            self.search_global(key, &strategy)?
        } else {
            let layers = [Layer::Global, Layer::Environment, Layer::Module(Str::new())];
            self.merged(&strategy, &layers, |it, layer| match layer {
                Layer::Global => it.search_global(key, &strategy),
                Layer::Environment => it.search_environment(key, &strategy),
                Layer::Module(_) => it.search_module(key, &strategy),
            })?
        };
        match found {
            Some(value) => self.dig(&key.text, &key.segments, value),
            None => Ok(None),
        }
    }

    pub(super) fn search_global(
        &mut self,
        key: &LookupKey,
        strategy: &Strategy,
    ) -> LookupResult<Option<Value>, O> {
        let found = match self.provider(&Layer::Global) {
            Ok(Some(provider)) => self.check(&key.text, |it| it.ask_global(&provider, key, strategy)),
            Ok(None) => Ok(None),
            Err(fault) => Err(fault),
        };
        found.map_err(|fault| match fault {
            // The reference wraps errors without an issue code.
            Fault::Lookup(error) if error.kind == ErrorKind::Lookup => {
                let message = format!("Lookup of key '{}' failed: {}", self.top_key, error.message);
                LookupError { kind: ErrorKind::Failed, message, ..*error }.into()
            }
            other => other,
        })
    }

    pub(super) fn search_environment(
        &mut self,
        key: &LookupKey,
        strategy: &Strategy,
    ) -> LookupResult<Option<Value>, O> {
        match self.provider(&Layer::Environment)? {
            Some(provider) => self.check(&key.text, |it| it.ask(&provider, key, strategy)),
            None => Ok(None),
        }
    }

    pub(super) fn search_module(
        &mut self,
        key: &LookupKey,
        strategy: &Strategy,
    ) -> LookupResult<Option<Value>, O> {
        let Some(module) = self.module.clone() else { return Ok(None) };
        match self.provider(&Layer::Module(module.clone()))? {
            Some(provider) => self.check(&key.text, |it| it.ask(&provider, key, strategy)),
            None => {
                let event = match self.has_module(&module) {
                    true => Event::ModuleProviderNotFound,
                    false => Event::ModuleNotFound,
                };
                let step = || (StepKind::Module(module.clone()), None);
                self.with(step, |it| it.note_event(event, None));
                Ok(None)
            }
        }
    }

    fn search_default_hierarchy(&mut self, key: &LookupKey) -> LookupResult<Option<Value>, O> {
        let Some(module) = self.module.clone() else { return Ok(None) };
        let Some(provider) = self.provider(&Layer::Module(module.clone()))? else { return Ok(None) };
        if provider.config.default_hierarchy.is_none() {
            return Ok(None);
        }
        let scope = |text: String| move || (StepKind::Scope(text), None);
        self.with(scope(format!("Searching default_hierarchy of module \"{module}\"")), |it| {
            let options = it.default_options(&provider, &module)?;
            let options = options.map(|it| it.of_key(&key.root)).transpose()?.flatten();
            let merge = match &options {
                Some(Value::Hash(options)) => options.get_str("merge"),
                _ => None,
            };
            let strategy = Strategy::of_value(it.outside.dialect(), merge)?;
            it.with(scope(format!("Searching for \"{key}\"")), |it| it.ask_default(&provider, key, &strategy))
        })
    }

    /// Whether `convert_to` names a type with `Sensitive` values, itself or among its arguments.
    fn makes_sensitive(&mut self, convert_to: &Value) -> bool {
        match convert_to {
            Value::Array(it) => it.iter().any(|it| self.makes_sensitive(it)),
            Value::Type(it) => it.mentions_sensitive(),
            Value::String(it) => {
                it.contains("Sensitive")
                    || self.outside.parse_type(it).is_ok_and(|it| it.mentions_sensitive())
            }
            _ => false,
        }
    }

    /// Converts a value according to `convert_to`.
    fn convert(&mut self, key: &str, convert_to: &Value, value: Value) -> LookupResult<Value, O> {
        let convert_to = match convert_to {
            Value::Array(it) => it.to_vec(),
            other => vec![other.clone()],
        };
        let wrong = |message: String| {
            LookupError::new(format!("The convert_to lookup_option for key '{key}' raised error: {message}"))
        };
        let target = match convert_to.first() {
            Some(Value::Type(it)) => it.clone(),
            Some(Value::String(text)) => self.outside.parse_type(text).map_err(|message| {
                LookupError::new(format!(
                    "Invalid data type in lookup_options for key '{key}' could not parse '{text}', error: '{message}"
                ))
            })?,
            _ => return Err(wrong("no type is given".to_owned()).into()),
        };
        let arguments: Vec<Value> = [value].into_iter().chain(convert_to.iter().skip(1).cloned()).collect();
        let converted = self.outside.convert(&target, &arguments).map_err(wrong)?;
        let dialect = self.outside.dialect();
        self.hiera.remark(|| {
            let shown: Vec<Value> =
                [Value::Type(target)].into_iter().chain(convert_to.into_iter().skip(1)).collect();
            let shown = string_new(dialect, &Value::Array(shown.into()), None).unwrap_or_default();
            format!("Applying convert_to lookup_option with arguments {shown}")
        });
        Ok(converted)
    }

    pub(super) fn hash_strategy() -> Strategy {
        Strategy::of_kind(StrategyKind::Hash)
    }
}

fn has_sensitive(value: &Value) -> bool {
    match value {
        Value::Sensitive(_) => true,
        Value::Array(elements) => elements.iter().any(has_sensitive),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_sensitive(key) || has_sensitive(value)),
        _ => false,
    }
}
