//! The conversion of a file's content to a configuration: versions, types, and valid combinations of keys (G2, G4, G5).

use std::sync::Arc;

use marotte_pcore::dialect::Dialect;
use marotte_pcore::infer::infer_set;
use marotte_pcore::mismatch::{assert_instance_of, mismatches};
use marotte_pcore::ops::Strictness;
use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::entry::LOCATION_KEYS;
use super::lines::Needle;
use super::{Config, ConfigFile, Entry, Kind, find_line, types, version3, version4};
use crate::data::Step;
use crate::{ConfigPart, Layer, LookupError, LookupHost};

impl Config {
    /// Reads the configuration of a file. `None` if its version is ignored in this layer.
    pub(crate) fn read<O: LookupHost + ?Sized>(
        outside: &mut O,
        layer: &Layer,
        file: &ConfigFile,
    ) -> Result<Option<Config>, LookupError> {
        let empty = Arc::default();
        let value = file.value.as_ref().unwrap_or_else(|| {
            outside.warn(format!(
                "{}: File exists but does not contain a valid YAML hash. Falling back to Hiera version 3 default config",
                file.path
            ));
            &empty
        });
        let version = version(value);
        let mut reader = Reader { outside, layer, file };
        match version {
            5 => reader.version5(value).map(Some),
            4 => {
                let config = version4::read(&mut reader, value)?;
                match layer {
                    Layer::Global => Err(reader.fail(
                        "hiera-unsupported-version-in-global",
                        "hiera.yaml version 4 cannot be used in the global layer",
                        None,
                    )),
                    _ => Ok(Some(config)),
                }
            }
            3 => {
                let config = version3::read(&mut reader, value)?;
                let (place, ignored) = match layer {
                    Layer::Global => return Ok(Some(config)),
                    Layer::Environment => ("an environment", "the environment root"),
                    Layer::Module(_) => ("a module", "module root"),
                };
                if reader.outside.strict() == Strictness::Error {
                    let message = format!("hiera.yaml version 3 cannot be used in {place}");
                    return Err(reader.fail("hiera-version-3-not-global", message, None));
                }
                reader.outside.warn_once(format!("hiera.yaml version 3 found at {ignored} was ignored"));
                Ok(None)
            }
            other => Err(reader.fail(
                "hiera-unsupported-version",
                format!("This runtime does not support hiera.yaml version {other}"),
                None,
            )),
        }
    }

    /// The configuration of a layer that has no data.
    pub(crate) fn empty() -> Config {
        Config { hierarchy: Vec::new(), ..Config::default_in("/") }
    }

    /// The configuration of a layer whose data comes from a function: the `function` of `data_provider`.
    pub(crate) fn of_function(root: &str, name: &str) -> Config {
        let entry = Entry {
            name: format!("Legacy function '{name}'").into(),
            kind: Kind::V4DataHash,
            function: name.into(),
            datadir: "data".into(),
            location: None,
            options: Arc::default(),
            extension: None,
        };
        Config { hierarchy: vec![entry], ..Config::default_in(root) }
    }

    /// The error for two levels of the same name. `text` is the content of the file.
    pub(crate) fn named_twice(&self, text: Option<&str>, name: &str) -> LookupError {
        let error = LookupError::issue(
            "hiera-hierarchy-name-multiply-defined",
            format!("Hierarchy name '{name}' defined more than once."),
        );
        twice(error, self.path.as_ref(), text, &Needle::Entry("name", name))
    }

    /// The configuration that applies if no file exists: `data/common.yaml` (G3).
    pub(crate) fn default_in(root: &str) -> Config {
        let entry = Entry {
            name: "Common".into(),
            kind: Kind::DataHash,
            function: "yaml_data".into(),
            datadir: "data".into(),
            location: Some(super::Location {
                kind: super::LocationKind::Paths,
                texts: vec!["common.yaml".into()],
                key: "path",
                is_list: false,
            }),
            options: Arc::default(),
            extension: None,
        };
        Config {
            path: None,
            root: root.into(),
            version: 5,
            hierarchy: vec![entry],
            default_hierarchy: None,
            hash_strategy: None,
        }
    }
}

/// The error for something that occurs twice in a file with this text; the message includes the line of the first occurrence.
pub(super) fn twice(
    error: LookupError,
    path: Option<&Str>,
    text: Option<&str>,
    needle: &Needle<'_>,
) -> LookupError {
    let line = |after| find_line(text?, needle, after);
    let first = line(0);
    let second = first.and_then(line);
    let mut message = error.message;
    if let (Some(first), Some(_)) = (first, second) {
        message.push_str(&format!(" First defined at (line: {first})"));
    }
    LookupError { message, place: path.cloned().map(|path| (path, second.or(first))), ..error }
}

/// Returns the version in a file: 3 if there is none; a text is converted by its digits.
fn version(value: &Hash) -> i64 {
    match value.get_str("version") {
        None | Some(Value::Undef) => 3,
        Some(Value::Integer(number)) => number.to_i64().unwrap_or(-1),
        #[expect(clippy::cast_possible_truncation, reason = "as the reference does it")]
        Some(Value::Float(number)) => *number as i64,
        Some(Value::String(text)) => {
            let text = text.trim_start();
            let end = text.bytes().take_while(u8::is_ascii_digit).count();
            text[..end].parse().unwrap_or(0)
        }
        Some(_) => -1,
    }
}

/// The reader and validator of one file.
pub(super) struct Reader<'a, O: ?Sized> {
    pub(super) outside: &'a mut O,
    layer: &'a Layer,
    pub(super) file: &'a ConfigFile,
}

impl<O: LookupHost + ?Sized> Reader<'_, O> {
    pub(super) fn root(&self) -> Str {
        folder(&self.file.path)
    }

    /// Creates an error about the file, at the line that the needle matches.
    pub(super) fn fail(
        &mut self,
        issue: &'static str,
        message: impl Into<String>,
        needle: Option<Needle<'_>>,
    ) -> LookupError {
        let line =
            needle.and_then(|it| find_line(&self.outside.data().hiera_config_text(&self.file.path)?, &it, 0));
        LookupError { place: Some((self.file.path.clone(), line)), ..LookupError::issue(issue, message) }
    }

    pub(super) fn assert(&self, expected: &Type, value: &Hash) -> Result<(), LookupError> {
        let dialect: &Dialect = self.outside.dialect();
        let subject = format!("The Lookup Configuration at '{}'", self.file.path);
        let value = Value::Hash(Arc::new(value.clone()));
        assert_instance_of(dialect, &subject, expected, &value).map_err(|wrong| {
            let found = mismatches(dialect, expected, &infer_set(dialect, &value), Vec::new());
            let part = found.first().and_then(ConfigPart::of_mismatch).map(Box::new);
            LookupError { part, ..LookupError::other(wrong.to_string()) }
        })
    }

    fn version5(&mut self, value: &Hash) -> Result<Config, LookupError> {
        let mut value = value.clone();
        if matches!(value.get_str("defaults"), None | Some(Value::Undef | Value::Boolean(false))) {
            value.insert("defaults".into(), default_defaults());
        }
        if matches!(value.get_str("hierarchy"), None | Some(Value::Undef | Value::Boolean(false))) {
            value.insert("hierarchy".into(), default_hierarchy());
        }
        self.assert(&types::version5(), &value)?;
        let empty = Arc::default();
        let defaults = match value.get_str("defaults") {
            Some(Value::Hash(defaults)) => defaults,
            _ => &empty,
        };
        self.check_defaults(defaults)?;
        let hierarchy = self.entries(&value, "hierarchy", defaults)?;
        self.entries(&value, "plan_hierarchy", defaults)?;
        let default_hierarchy = match value.get_str("default_hierarchy") {
            None => None,
            Some(_) if !matches!(self.layer, Layer::Module(_)) => {
                let message = "'default_hierarchy' is only allowed in the module layer";
                let needle = Some(Needle::TopKey("default_hierarchy"));
                return Err(self.fail("hiera-default-hierarchy-not-in-module", message, needle));
            }
            Some(_) => Some(self.entries(&value, "default_hierarchy", defaults)?),
        };
        Ok(Config {
            path: Some(self.file.path.clone()),
            root: self.root(),
            version: 5,
            hierarchy,
            default_hierarchy,
            hash_strategy: None,
        })
    }

    fn entries(&mut self, config: &Hash, key: &str, defaults: &Hash) -> Result<Vec<Entry>, LookupError> {
        let Some(Value::Array(entries)) = config.get_str(key) else { return Ok(Vec::new()) };
        let mut checked = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let Value::Hash(hash) = entry else { continue };
            self.check_entry(hash, defaults, [Step::Key(key.into()), Step::Index(index)])?;
            checked.push(Entry::of_hash(hash, defaults));
        }
        Ok(checked)
    }

    fn check_entry(&mut self, entry: &Hash, defaults: &Hash, place: [Step; 2]) -> Result<(), LookupError> {
        let name = entry.get_str("name").and_then(Value::as_str).unwrap_or_default();
        let functions = || joined(Kind::ALL.iter().map(|it| it.key()));
        let count = Kind::ALL.iter().filter(|it| has(entry, it.key())).count()
            + usize::from(has(entry, Kind::V4DataHash.key()));
        match count {
            0 if !Kind::ALL.iter().any(|it| has(defaults, it.key())) => {
                let message = format!("One of {} must be defined in hierarchy '{name}'", functions());
                return Err(self.fail("hiera-missing-data-provider-function", message, None).at(place, None));
            }
            0 | 1 => {}
            _ => {
                let message = format!("Only one of {} can be defined in hierarchy '{name}'", functions());
                return Err(self
                    .fail("hiera-multiple-data-provider-functions", message, None)
                    .at(place, None));
            }
        }
        if let Some(backend) = entry.get_str("hiera3_backend").and_then(Value::as_str) {
            if *self.layer != Layer::Global {
                let message = "'hiera3_backend' is only allowed in the global layer";
                let needle = Some(Needle::Key("hiera3_backend"));
                return Err(self.fail("hiera-v3-backend-not-global", message, needle));
            }
            if ["json", "yaml", "hocon"].contains(&backend) {
                let message =
                    format!("Use \"data_hash: {backend}_data\" instead of \"hiera3_backend: {backend}\"");
                let needle = Some(Needle::Entry("hiera3_backend", backend));
                return Err(self.fail("hiera-v3-backend-replaced-by-data-hash", message, needle));
            }
        }
        if LOCATION_KEYS.iter().filter(|(key, _)| has(entry, key)).count() > 1 {
            let keys = joined(LOCATION_KEYS.iter().map(|(key, _)| *key));
            let message = format!("Only one of {keys} can be defined in hierarchy '{name}'");
            return Err(self.fail("hiera-multiple-location-specs", message, None).at(place, None));
        }
        if let Some(key) = reserved(entry) {
            let message = format!("Option key '{key}' used in hierarchy '{name}' is reserved by Puppet");
            return Err(self
                .fail("hiera-option-reserved-by-puppet", message, None)
                .at(place.into_iter().chain([Step::Key("options".into())]), Some(key)));
        }
        Ok(())
    }

    fn check_defaults(&mut self, defaults: &Hash) -> Result<(), LookupError> {
        if Kind::ALL.iter().filter(|it| has(defaults, it.key())).count() > 1 {
            let functions = joined(Kind::ALL.iter().map(|it| it.key()));
            let message = format!("Only one of {functions} can be defined in defaults");
            return Err(self
                .fail("hiera-multiple-data-provider-functions-in-default", message, None)
                .at([Step::Key("defaults".into())], None));
        }
        if let Some(key) = reserved(defaults) {
            let message = format!("Option key '{key}' used in defaults is reserved by Puppet");
            return Err(self
                .fail("hiera-default-option-reserved-by-puppet", message, None)
                .at([Step::Key("defaults".into()), Step::Key("options".into())], Some(key)));
        }
        Ok(())
    }
}

/// Returns a reserved option, which only Hiera itself may set.
fn reserved(of: &Hash) -> Option<&'static str> {
    let Some(Value::Hash(options)) = of.get_str("options") else { return None };
    ["path", "uri"].into_iter().find(|key| has(options, key))
}

fn has(hash: &Hash, key: &str) -> bool {
    hash.get_str(key).is_some()
}

/// `a, b, or c`.
fn joined<'a>(keys: impl DoubleEndedIterator<Item = &'a str>) -> String {
    let mut keys: Vec<&str> = keys.collect();
    let last = keys.pop().unwrap_or_default();
    format!("{}, or {last}", keys.join(", "))
}

fn default_defaults() -> Value {
    hash([("datadir", "data".into()), ("data_hash", "yaml_data".into())])
}

fn default_hierarchy() -> Value {
    Value::Array([hash([("name", "Common".into()), ("path", "common.yaml".into())])].into())
}

pub(super) fn hash<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Hash(Arc::new(entries.into_iter().map(|(key, value)| (key.into(), value)).collect()))
}

/// The folder of a file.
pub(super) fn folder(path: &str) -> Str {
    match path.rsplit_once('/') {
        Some(("", _)) => "/".into(),
        Some((folder, _)) => folder.into(),
        None => ".".into(),
    }
}
