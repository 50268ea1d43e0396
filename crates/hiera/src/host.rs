//! The interface to the outside. The list of requests is closed, so a cache of the answers records everything that a
//! lookup has read.

use std::fmt;
use std::sync::Arc;

use marotte_pcore::dialect::Dialect;
use marotte_pcore::ops::Strictness;
use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Value};
use marotte_text::{Position, Str};

use crate::LookupError;
use crate::config::ConfigFile;
use crate::data::{DataError, DataErrorKind};

/// A layer of data (G1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// The layer of the whole installation.
    Global,
    /// The layer of the environment.
    Environment,
    /// The layer of a module.
    Module(Str),
}

/// The formats of documents that Hiera reads itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// YAML.
    Yaml,
    /// JSON.
    Json,
    /// HOCON.
    Hocon,
}

/// The configuration of a layer.
#[derive(Clone, Debug)]
pub enum LayerConfig {
    /// The module doesn't exist.
    NoModule,
    /// The layer has no `hiera.yaml`.
    None,
    /// The layer has no `hiera.yaml`, and reads `data/common.yaml` below this folder.
    Default(Str),
    /// The layer has a `hiera.yaml`.
    File(Arc<ConfigFile>),
}

/// The `data_provider` of a module or an environment, a setting that `hiera.yaml` replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataProvider {
    /// The name of the provider.
    pub name: Str,
    /// The folder of the module or environment.
    pub root: Str,
}

/// The entries of a document whose keys have one prefix, or the reason why there are none.
pub type Section = Result<Arc<Hash>, DocumentFault>;

/// The reason why a document has no entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DocumentFault {
    /// The file can't be read, or isn't valid in its format: the error, with its line and column.
    Unreadable(Str),
    /// The content isn't a hash: its type. `None` if the file is empty.
    NotHash(Option<Type>),
    /// Access to the file is denied.
    Refused(Str),
}

impl DocumentFault {
    /// Creates the fault for a document that can't be read, with the position of the error.
    pub fn unreadable(error: &DataError, at: Position) -> DocumentFault {
        // Errors about content that data may not have are reported without a position, as in the reference.
        DocumentFault::Unreadable(match &error.kind {
            DataErrorKind::Class(_) => error.to_string().into(),
            _ => format!("{error} at line {} column {}", at.line, at.column).into(),
        })
    }

    /// Returns the message for it.
    pub fn message(&self, path: &str) -> String {
        match self {
            DocumentFault::Unreadable(why) => format!("Unable to parse ({path}): {why}"),
            DocumentFault::Refused(why) => why.to_string(),
            DocumentFault::NotHash(_) => format!("{path}: file does not contain a hash"),
        }
    }
}

/// The result of reading a variable of a scope.
#[derive(Clone, Debug, PartialEq)]
pub enum Variable {
    /// The variable has a value.
    Value(Value),
    /// The variable doesn't exist; the reason, or an empty text.
    Missing(String),
}

/// A call of a function for data.
#[derive(Clone, Debug)]
pub struct FunctionCall<'a> {
    /// The name of the function.
    pub name: &'a str,
    /// The arguments except the context, which is the last one.
    pub arguments: Vec<Value>,
    /// The number of the context in which the function caches values. `None` for a function without a context parameter.
    pub context: Option<usize>,
    /// The module whose data is requested.
    pub module: Option<&'a str>,
    /// The kind of function, as the configuration calls it.
    pub kind: &'static str,
    /// The name of the level that it belongs to.
    pub level: &'a str,
    /// The root of the key that is looked up, whatever the function's arguments are.
    pub key: &'a str,
    /// The type that its result must have. A function that declares a wider return type is rejected.
    pub returns: Type,
}

/// The answer of a function for data.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionAnswer {
    /// The function returned a value.
    Value(Value),
    /// The function called `not_found`.
    NotFound,
    /// The function doesn't exist.
    NoFunction,
}

/// The reason why something was not read or run, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError(pub String);

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

impl From<ReadError> for LookupError {
    fn from(error: ReadError) -> LookupError {
        LookupError::new(error.0)
    }
}

impl<E> From<ReadError> for crate::Fault<E> {
    fn from(error: ReadError) -> crate::Fault<E> {
        LookupError::from(error).into()
    }
}

/// Whether there is a file or folder at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// There is one.
    Exists,
    /// There is none.
    Missing,
    /// There is none, and it could not be read if there were one: the path leads out of the code tree, to a folder that does not
    /// exist. With this folder.
    NoFolder(Str),
}

/// The source of data: the files and facts that Hiera reads. By default, every method answers that there is nothing.
pub trait DataSource {
    /// Returns the Hiera configuration of a layer.
    ///
    /// # Errors
    /// If the configuration can't be read.
    fn hiera_config(&self, _layer: &Layer) -> Result<LayerConfig, ReadError> {
        Ok(LayerConfig::None)
    }

    /// Returns the data provider that a module or the environment names. `None` if it names none.
    fn data_provider(&self, _layer: &Layer) -> Option<DataProvider> {
        None
    }

    /// Returns the text of a Hiera configuration: called when an error needs a line.
    fn hiera_config_text(&self, _path: &str) -> Option<Arc<str>> {
        None
    }

    /// Whether a data file or folder exists at an absolute path.
    ///
    /// # Errors
    /// If access to the path is denied, and there may be something.
    fn data_exists(&self, _path: &str) -> Result<Presence, ReadError> {
        Ok(Presence::Missing)
    }

    /// Returns the data files that match an absolute pattern, in order.
    ///
    /// # Errors
    /// If the pattern refers to a place where access is denied.
    fn data_glob(&self, _pattern: &str) -> Result<Vec<Str>, ReadError> {
        Ok(Vec::new())
    }

    /// Returns the entries of a data document whose keys have one [prefix](crate::section_prefix).
    fn data_section(&self, _path: &str, _format: Format, _prefix: &str) -> Section {
        Err(DocumentFault::Refused("there are no files".into()))
    }

    /// Returns the keys of a data document that aren't permitted in the data of this module.
    fn data_foreign_keys(&self, _path: &str, _format: Format, _module: &str) -> Vec<Str> {
        Vec::new()
    }

    /// Returns the bytes of a file by its absolute path: data, or a key for decryption.
    ///
    /// # Errors
    /// If access is denied, or if the file can't be read.
    fn read_file(&self, _path: &str) -> Result<Vec<u8>, ReadError> {
        Err(ReadError("there are no files".to_owned()))
    }

    /// Returns a fact by the first key of `$facts`: `undef` if no fact has this name, `None` if no facts are known. A caller that
    /// reads one fact doesn't depend on the others.
    fn fact(&self, _name: &str) -> Option<Value> {
        None
    }
}

/// The interface to the evaluator: variables, functions and types, in addition to the [data](LookupHost::data).
pub trait LookupHost {
    /// The error that a function or lambda may raise.
    type Error;

    /// The dialect whose type system checks data.
    fn dialect(&self) -> &'static Dialect;

    /// The files and facts that lookups read.
    fn data(&self) -> &dyn DataSource;

    /// Returns the value of the setting `strict`.
    fn strict(&self) -> Strictness;

    /// Returns the name of the innermost class in which a lookup is called, in lower case. `None` outside of classes.
    fn calling_class(&mut self) -> Option<Str>;

    /// Returns a variable by its name, as written in a program but without the dollar sign.
    fn variable(&mut self, name: &str) -> Variable;

    /// Calls a function for data.
    ///
    /// # Errors
    /// The error that the function raises.
    fn call(&mut self, call: FunctionCall<'_>) -> Result<FunctionAnswer, crate::Fault<Self::Error>>;

    /// Parses a type.
    ///
    /// # Errors
    /// The reason why the text isn't a type.
    fn parse_type(&mut self, text: &str) -> Result<Type, String>;

    /// Converts a value: `T.new(…)`.
    ///
    /// # Errors
    /// The reason why the conversion fails.
    fn convert(&mut self, to: &Type, arguments: &[Value]) -> Result<Value, String>;

    /// Charges steps and bytes to the budget of the program.
    ///
    /// # Errors
    /// If the budget is exhausted.
    fn spend(&mut self, _steps: u64, _bytes: usize) -> Result<(), crate::Fault<Self::Error>> {
        Ok(())
    }

    /// Reports a warning of the lookup.
    fn warn(&mut self, message: String);

    /// Emits a warning, unless the same one was emitted before.
    fn warn_once(&mut self, message: String);
}
