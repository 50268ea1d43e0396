//! The `lookup_options` that may apply to a key (G8).

use std::sync::Arc;

use marotte_db::Db;
use marotte_db::{Environment, File};
use marotte_hiera::data::Step;
use marotte_hiera::merge::{Strategy, StrategyKind};
use marotte_hiera::{Format, Layer, LookupKey};
use marotte_pcore::regexp::Regexp;
use marotte_pcore::value::{Hash, Value};
use marotte_resolve::data_files::{data_files, document, hiera_levels};
use marotte_resolve::dialect;
use marotte_text::Str;

/// The processing of the values of a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Treatment {
    /// The merge strategy of the key.
    pub(crate) merge: StrategyKind,
    /// Whether elements may remove others (knockout prefix).
    pub(crate) knocks_out: bool,
    /// The type to which the value is converted.
    pub(crate) convert: Option<Conversion>,
}

/// The conversion of a value after the lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    /// A conversion to `Sensitive`, which keeps the value.
    Sensitive,
    /// A conversion to a type that may include `Sensitive` values: it names `Sensitive`, or a module's type that may be an alias.
    Mixed,
    /// A conversion to any other type.
    Other,
}

impl Treatment {
    /// The processing without options.
    const NONE: Treatment = Treatment { merge: StrategyKind::Default, knocks_out: false, convert: None };

    /// Whether the value may be `Sensitive`, or have such values in it, after the conversion.
    pub(crate) fn may_hide(&self) -> bool {
        matches!(self.convert, Some(Conversion::Sensitive | Conversion::Mixed))
    }

    fn of(options: &Value) -> Option<Treatment> {
        let Value::Hash(options) = options else { return None };
        let merge = Strategy::of_value(dialect(), options.get_str("merge")).ok()?;
        let convert = options.get_str("convert_to").filter(|it| **it != Value::Undef);
        let convert = convert.map(|it| {
            let first = match it {
                Value::Array(arguments) => arguments.first(),
                one => Some(one),
            };
            match first.and_then(Value::as_str) {
                Some("Sensitive") => Conversion::Sensitive,
                Some(it) if it.contains("Sensitive") || it.contains("::") => Conversion::Mixed,
                _ => Conversion::Other,
            }
        });
        let knocks_out = merge.options.get_str("knockout_prefix").is_some();
        Some(Treatment { merge: merge.kind, knocks_out, convert })
    }
}

/// The possible treatments of the values of a key, depending on the node. None if they aren't known.
pub(crate) fn treatments(db: &dyn Db, environment: Environment, key: &str) -> Option<Vec<Treatment>> {
    let is_here = layers_of(key).all(|it| data_files(db, environment, it).is_complete);
    is_here.then(|| treatments_here(db, environment, key)).flatten()
}

/// The layers that may have a key.
fn layers_of(key: &str) -> impl Iterator<Item = Layer> {
    let module = key.split_once("::").map(|(module, _)| Layer::Module(module.into()));
    [Some(Layer::Environment), module].into_iter().flatten()
}

/// The [`treatments`] of the values of a key, as if no data was kept elsewhere. None if a hierarchy is unknown.
pub(crate) fn treatments_here(db: &dyn Db, environment: Environment, key: &str) -> Option<Vec<Treatment>> {
    let mut found = Vec::new();
    let mut is_certain = false;
    for layer in layers_of(key) {
        if !data_files(db, environment, layer.clone()).is_known {
            return None;
        }
        for option in layer_options(db, environment, layer).as_ref()? {
            if option.is_about(key) {
                found.push(option.treatment.clone()?);
                is_certain |= option.is_for_all;
            }
        }
    }
    if !is_certain {
        found.push(Treatment::NONE);
    }
    Some(found)
}

/// The options that a file sets for a key, or for the keys that match a pattern.
#[derive(Clone, Debug, PartialEq)]
struct KeyOptions {
    key: Str,
    /// The key as a pattern, if it is one.
    pattern: Option<Regexp>,
    /// The processing that the options select. None if the options are invalid.
    treatment: Option<Treatment>,
    /// Whether the options apply to all nodes.
    is_for_all: bool,
}

impl KeyOptions {
    fn is_about(&self, key: &str) -> bool {
        match &self.pattern {
            Some(pattern) => pattern.is_match(key).unwrap_or(false),
            None => self.key == key,
        }
    }
}

/// The options that the files of a layer set, as far as they are here. None if they cannot be determined.
#[salsa::tracked(returns(ref))]
fn layer_options(db: &dyn Db, environment: Environment, layer: Layer) -> Option<Vec<KeyOptions>> {
    let data = data_files(db, environment, layer.clone());
    let mut found = Vec::new();
    for (file, format) in &data.files {
        let options = file_options(db, *file, *format).as_ref()?;
        if options.is_empty() {
            continue;
        }
        let is_for_all = is_for_all(db, environment, &layer, *file);
        for (key, options) in options.iter() {
            let Some(key) = key.as_str() else { continue };
            let pattern = match key.starts_with('^') {
                true => Some(Regexp::new(key).ok()?),
                false => None,
            };
            found.push(KeyOptions {
                key: key.into(),
                pattern,
                treatment: Treatment::of(options),
                is_for_all,
            });
        }
    }
    Some(found)
}

/// Whether all nodes read a file: its path is the same for all.
fn is_for_all(db: &dyn Db, environment: Environment, layer: &Layer, file: File) -> bool {
    let Some(Ok(levels)) = hiera_levels(db, environment, layer.clone()) else { return false };
    // The default hierarchy of a module has options of its own.
    let is_regular = |it: usize| levels[it].place[0] == Step::Key("hierarchy".into());
    levels.fixed(file.path(db)).iter().any(|it| is_regular(*it))
}

/// The options that a data file sets. None if they cannot be determined.
#[salsa::tracked(returns(ref))]
pub(crate) fn file_options(db: &dyn Db, file: File, format: Format) -> Option<Arc<Hash>> {
    let document = document(db, file, format).as_ref().as_ref().ok()?;
    let key = LookupKey::lookup_options();
    let mut entries = document.entries().into_iter().flatten();
    match entries.find(|(it, ..)| it.as_str() == Some(&*key.root)).map(|(_, _, value, _)| value) {
        None | Some(Value::Undef) => Some(Arc::default()),
        Some(Value::Hash(options)) if !mentions_expression(&Value::Hash(Arc::clone(options))) => {
            Some(Arc::clone(options))
        }
        Some(_) => None,
    }
}

/// Whether a value is complete only after a lookup: part of it is interpolated.
pub(crate) fn mentions_expression(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("%{"),
        Value::Array(elements) => elements.iter().any(mentions_expression),
        Value::Hash(hash) => hash.iter().any(|(key, it)| mentions_expression(key) || mentions_expression(it)),
        _ => false,
    }
}
