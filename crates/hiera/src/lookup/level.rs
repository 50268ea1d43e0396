//! A level of a hierarchy: a function that provides the data, and its locations.

use std::rc::Rc;
use std::sync::Arc;

use marotte_pcore::infer::{infer, infer_set};
use marotte_pcore::mismatch::describe_mismatch;
use marotte_pcore::ops::Strictness;
use marotte_pcore::print::short_in;
use marotte_pcore::relation::instance_of;
use marotte_pcore::types::{RICH_DATA, RICH_DATA_KEY, Type};
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::{Invocation, LookupResult};
use crate::backend::eyaml;
use crate::config::{Config, Kind, Reader};
use crate::explain::{Event, StepKind};
use crate::hierarchy::{Level, Location, Target};
use crate::key::{LookupKey, may_have};
use crate::merge::Strategy;
use crate::{
    DocumentFault, Fault, Format, FunctionAnswer, FunctionCall, Layer, LookupError, LookupHost,
    section_prefix,
};

/// A level at one of its locations.
#[derive(Clone, Copy)]
struct Source<'a> {
    level: &'a Level,
    layer: &'a Layer,
    config: &'a Config,
    location: Option<&'a Location>,
    context: usize,
}

impl Source<'_> {
    /// The subject of messages about a value from this source.
    fn subject(&self, what: &str, from: &str) -> String {
        let (kind, function) = (self.level.kind, &self.level.function);
        let kind = match kind {
            Kind::V4DataHash => "deprecated API",
            kind => kind.key(),
        };
        let mut subject = format!("{what}{from} {kind} function '{function}'");
        if let Some(location) = self.location {
            subject.push_str(&format!(", when using location '{}',", location.target.text()));
        }
        subject
    }

    /// The options for the function.
    fn options(&self) -> Value {
        let mut options = (*self.level.options).clone();
        match self.location.map(|it| &it.target) {
            Some(Target::Path(path)) => options.insert("path".into(), Value::String(path.clone())),
            Some(Target::Uri(uri)) => options.insert("uri".into(), Value::String(uri.clone())),
            None => {}
        }
        Value::Hash(Arc::new(options))
    }

    fn path(&self) -> Option<&Str> {
        match self.location.map(|it| &it.target) {
            Some(Target::Path(path)) => Some(path),
            _ => None,
        }
    }

    fn module(&self) -> Option<&str> {
        match self.layer {
            Layer::Module(name) => Some(name),
            _ => None,
        }
    }
}

/// The error message for functions that read files, if no file is given.
const LOCATION_NEEDED: &str =
    "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this";

impl<O: LookupHost + ?Sized> Invocation<'_, O> {
    /// Reserves unused numbers for the contexts of functions; returns the first.
    pub(crate) fn new_contexts(&self, count: usize) -> usize {
        let first = self.hiera.contexts.get();
        self.hiera.contexts.set(first + count);
        first
    }

    /// Searches a level, and merges the values of its locations.
    pub(super) fn ask_level(
        &mut self,
        level: &Level,
        layer: &Layer,
        config: &Config,
        key: &LookupKey,
        strategy: &Strategy,
    ) -> LookupResult<Option<Value>, O> {
        let name = match level.kind {
            Kind::V4DataHash => format!("Deprecated API function \"{}\"", level.function),
            _ => format!("Hierarchy entry \"{}\"", level.name),
        };
        let step = || (StepKind::Provider { name, config: None, module: None }, None);
        self.with(step, |it| {
            let source = Source { level, layer, config, location: None, context: level.context };
            let Some(locations) = &level.locations else {
                let found = it.merged(strategy, &[source], |it, source| it.ask_source(source, key));
                return found;
            };
            let overriding = match config.version {
                3 => {
                    let texts = Rc::clone(&it.hiera.overriding.borrow());
                    it.overriding_locations(level, &texts)?
                }
                _ => Vec::new(),
            };
            let first = it.new_contexts(overriding.len());
            let sources: Vec<Source<'_>> = (first..)
                .zip(&overriding)
                .chain((level.context..).zip(locations))
                .map(|(context, location)| Source { location: Some(location), context, ..source })
                .collect();
            it.merged(strategy, &sources, |it, source| {
                let Some(location) = source.location else { return Ok(None) };
                let original = location.original.clone();
                let step = || match &location.target {
                    Target::Path(path) => (StepKind::Path { original, path: path.clone() }, None),
                    Target::Uri(uri) => (StepKind::Uri { original, uri: uri.clone() }, None),
                };
                it.with(step, |it| {
                    if location.exists {
                        return it.ask_source(source, key);
                    }
                    it.note_event(Event::LocationNotFound, None);
                    Ok(None)
                })
            })
        })
    }

    fn ask_source(&mut self, source: &Source<'_>, key: &LookupKey) -> LookupResult<Option<Value>, O> {
        let found = match source.level.kind {
            Kind::DataHash | Kind::V4DataHash => self.hash_value(source, &key.root)?,
            Kind::LookupKey => self.function_value(source, &key.root, "lookup_key")?,
            Kind::DataDig => {
                let found = self.function_value(source, &key.text, "data_dig")?;
                return Ok(match found {
                    Some(value) => {
                        self.note(Event::Found, &key.text, Some(&value));
                        Some(key.undig(value))
                    }
                    None => {
                        self.note(Event::NotFound, &key.text, None);
                        None
                    }
                });
            }
            Kind::Hiera3Backend => return Err(LookupError::no_hiera3().into()),
        };
        match &found {
            Some(value) => self.note(Event::Found, &key.root, Some(value)),
            None => self.note(Event::NotFound, &key.root, None),
        }
        Ok(found)
    }

    /// Returns a value of a hash: of a document that Hiera reads itself, or of the result of a function.
    fn hash_value(&mut self, source: &Source<'_>, root: &Str) -> LookupResult<Option<Value>, O> {
        let hash = match Reader::of(source.level.kind, &source.level.function) {
            Reader::Document(format) => self.document(source, format, root)?,
            _ => self.hash_of_function(source, root)?,
        };
        let Some(value) = hash.get_str(root) else { return Ok(None) };
        let value = self.validated(source, value, "in hash returned", root)?;
        self.interpolate(&value, true).map(Some)
    }

    /// Returns the section of a document that may have a key.
    fn document(&mut self, source: &Source<'_>, format: Format, root: &str) -> LookupResult<Arc<Hash>, O> {
        let Some(path) = source.path().filter(|_| source.level.options.is_empty()) else {
            let function = &source.level.function;
            return Err(
                LookupError::other(format!("'{function}' {LOCATION_NEEDED} data_hash function")).into()
            );
        };
        let hash = self.section(source, path, format, root)?;
        if let Layer::Module(module) = source.layer {
            if !may_have(module, root) {
                return Ok(Arc::default());
            }
            let module = module.clone();
            if self.hiera.told.borrow_mut().insert(source.context) {
                for key in self.outside.data().data_foreign_keys(path, format, &module) {
                    self.foreign_key(source, &module, &key);
                }
            }
        }
        Ok(hash)
    }

    fn foreign_key(&mut self, source: &Source<'_>, module: &str, key: &str) {
        let subject = source.subject("Value returned", " from");
        self.outside.warn(format!(
            "Module '{module}': {subject} must use keys qualified with the name of the module; got {key}"
        ));
    }

    fn section(
        &mut self,
        source: &Source<'_>,
        path: &Str,
        format: Format,
        root: &str,
    ) -> LookupResult<Arc<Hash>, O> {
        let fault = match self.outside.data().data_section(path, format, section_prefix(root)) {
            Ok(hash) => return Ok(hash),
            Err(fault) => fault,
        };
        Err(match (fault, format) {
            (fault @ (DocumentFault::Refused(_) | DocumentFault::Unreadable(_)), _) => {
                LookupError::new(fault.message(path)).into()
            }
            (DocumentFault::NotHash(actual), Format::Yaml) => {
                let message = format!("{path}: file does not contain a valid yaml hash");
                if self.outside.strict() == Strictness::Error && actual.is_some() {
                    return Err(LookupError::new(message).into());
                }
                if self.hiera.told.borrow_mut().insert(source.context) {
                    self.outside.warn(message);
                }
                return Ok(Arc::default());
            }
            (DocumentFault::NotHash(actual), _) => {
                let actual = actual.unwrap_or_else(Type::undef);
                let subject = source.subject("Value returned", " from");
                self.wrong_hash(&subject, &actual)
            }
        })
    }

    fn wrong_hash(&self, subject: &str, actual: &Type) -> Fault<O::Error> {
        let hash = Type::hash(Type::any(), Type::any(), None);
        let subject = format!("{subject} has wrong type,");
        LookupError::other(describe_mismatch(self.outside.dialect(), &subject, &hash, actual)).into()
    }

    /// Returns the hash that a function returns; the function is called once.
    fn hash_of_function(&mut self, source: &Source<'_>, key: &str) -> LookupResult<Arc<Hash>, O> {
        if let Some(known) = self.hiera.hashes.borrow().get(&source.context) {
            return Ok(Arc::clone(known));
        }
        let arguments = match source.level.kind {
            Kind::V4DataHash => Vec::new(),
            _ => vec![source.options()],
        };
        let answer = self.call(source, key, arguments)?;
        let subject = || source.subject("Value returned", " from");
        let hash = match answer {
            None => return Ok(Arc::default()),
            Some(Value::Hash(hash)) => hash,
            Some(other) => {
                let actual = infer_set(self.outside.dialect(), &other);
                return Err(self.wrong_hash(&subject(), &actual));
            }
        };
        let hash = match source.layer {
            Layer::Module(module) => {
                let is_own = |key: &Value| key.as_str().is_some_and(|it| may_have(module, it));
                for key in hash.keys().filter(|it| !is_own(it)) {
                    let key = marotte_pcore::format::interpolated(self.outside.dialect(), key);
                    self.foreign_key(source, module, &key);
                }
                let own = hash.iter().filter(|(key, _)| is_own(key));
                Arc::new(own.map(|(key, value)| (key.clone(), value.clone())).collect())
            }
            _ => hash,
        };
        self.hiera.hashes.borrow_mut().insert(source.context, Arc::clone(&hash));
        Ok(hash)
    }

    /// Returns the value that a function returns for a key; the function is called once for each key.
    fn function_value(
        &mut self,
        source: &Source<'_>,
        key: &Str,
        tag: &str,
    ) -> LookupResult<Option<Value>, O> {
        let slot = (source.context, key.clone());
        if let Some(known) = self.hiera.values.borrow().get(&slot) {
            return Ok(Some(known.clone()));
        }
        let reader = Reader::of(source.level.kind, &source.level.function);
        let answer = if reader == Reader::Encrypted {
            self.eyaml_value(source, key)?
        } else {
            let asked = if tag == "lookup_key" { Value::String(key.clone()) } else { segments_of(key) };
            self.call(source, key, vec![asked, source.options()])?
        };
        let Some(value) = answer else { return Ok(None) };
        let value = self.validated(source, &value, "returned", key)?;
        self.hiera.values.borrow_mut().insert(slot, value.clone());
        Ok(Some(value))
    }

    fn eyaml_value(&mut self, source: &Source<'_>, key: &Str) -> LookupResult<Option<Value>, O> {
        let Some(path) = source.path() else {
            return Err(LookupError::other(format!(
                "'eyaml_lookup_key': {LOCATION_NEEDED} lookup_key function"
            ))
            .into());
        };
        let hash = self.section(source, path, Format::Yaml, key)?;
        let Some(value) = hash.get_str(key).cloned() else { return Ok(None) };
        self.decrypted(&source.level.options, path, key, &value).map(Some)
    }

    /// Decrypts and interpolates a value.
    pub(super) fn decrypted(
        &mut self,
        options: &Hash,
        path: &str,
        key: &str,
        value: &Value,
    ) -> LookupResult<Value, O> {
        match value {
            Value::String(text) => {
                if !eyaml::is_encrypted(text) {
                    return self.interpolate(value, true);
                }
                let plain =
                    eyaml::decrypt(text, options, &mut |path| Ok(self.outside.data().read_file(path)?));
                let plain = plain.map_err(|error| {
                    LookupError::new(format!(
                        "hiera-eyaml backend error decrypting {text} when looking up {key} in {path}. Error was {error}"
                    ))
                })?;
                self.interpolate(&Value::String(plain.into()), true)
            }
            Value::Array(elements) => {
                let elements: Result<Vec<_>, _> =
                    elements.iter().map(|it| self.decrypted(options, path, key, it)).collect();
                Ok(Value::Array(elements?.into()))
            }
            Value::Hash(hash) => {
                let mut result = Hash::default();
                for (name, value) in hash.iter() {
                    let name = self.interpolate(name, true)?;
                    result.insert(name, self.decrypted(options, path, key, value)?);
                }
                Ok(Value::Hash(Arc::new(result)))
            }
            other => Ok(other.clone()),
        }
    }

    fn call(
        &mut self,
        source: &Source<'_>,
        key: &str,
        arguments: Vec<Value>,
    ) -> LookupResult<Option<Value>, O> {
        let level = &*source.level.name;
        let name = &*source.level.function;
        let kind = source.level.kind;
        let returns = match kind {
            Kind::DataHash | Kind::V4DataHash => Type::hash(RICH_DATA_KEY.clone(), RICH_DATA.clone(), None),
            _ => RICH_DATA.clone(),
        };
        let context = (kind != Kind::V4DataHash).then_some(source.context);
        let module = source.module();
        let call = FunctionCall { name, arguments, context, module, kind: kind.key(), level, key, returns };
        match self.outside.call(call)? {
            FunctionAnswer::Value(value) => Ok(Some(value)),
            FunctionAnswer::NotFound => Ok(None),
            FunctionAnswer::NoFunction => {
                let tag = source.level.kind.key();
                let message = format!("Unable to find '{tag}' function named '{name}'");
                let place = source.config.path.clone().map(|path| (path, None));
                let error = LookupError::issue("hiera-data-provider-function-not-found", message);
                Err(LookupError { place, ..error }.into())
            }
        }
    }

    /// Checks that a value is permitted in data, and returns it.
    fn validated(&self, source: &Source<'_>, value: &Value, how: &str, key: &str) -> LookupResult<Value, O> {
        let dialect = self.outside.dialect();
        if instance_of(dialect, &RICH_DATA, value) {
            return Ok(value.clone());
        }
        let subject = source.subject(&format!("Value for key '{key}', {how}"), " from");
        let actual = short_in(dialect, &infer(dialect, value));
        Err(LookupError::other(format!(
            "{subject} has wrong type, expects Puppet::LookupValue, got {actual}"
        ))
        .into())
    }
}

/// The segments of a key, as passed to a `data_dig` function.
fn segments_of(key: &str) -> Value {
    match LookupKey::parse(key) {
        Ok(key) => {
            let root = [Value::String(key.root.clone())].into_iter();
            Value::Array(root.chain(key.segments.iter().map(|it| it.value())).collect())
        }
        Err(_) => Value::Array([Value::from(key)].into()),
    }
}
