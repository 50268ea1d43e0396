//! What Hiera asks of the outside: the list is closed, so that whoever remembers the answers knows what a lookup read.

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
    /// Of the whole installation.
    Global,
    /// Of the environment.
    Environment,
    /// Of a module.
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

/// What a layer is configured by.
#[derive(Clone, Debug)]
pub enum LayerConfig {
    /// There is no such module.
    NoModule,
    /// The layer has no `hiera.yaml`.
    None,
    /// It has none, and reads `data/common.yaml` below this folder.
    Default(Str),
    /// It has one.
    File(Arc<ConfigFile>),
}

/// What `data_provider` of a module or an environment says, which `hiera.yaml` replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataProvider {
    /// What it names.
    pub name: Str,
    /// The folder of the module or environment.
    pub root: Str,
}

/// The entries of a document whose keys have one prefix, or why there are none.
pub type Section = Result<Arc<Hash>, DocumentFault>;

/// Why a document has no entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DocumentFault {
    /// It can't be read, or is not in its format: what is wrong, with its line and column.
    Unreadable(Str),
    /// It holds something else than a hash: its type. None where it holds nothing.
    NotHash(Option<Type>),
    /// It may not be read.
    Refused(Str),
}

impl DocumentFault {
    /// That a document can't be read, and where that shows.
    pub fn unreadable(error: &DataError, at: Position) -> DocumentFault {
        // What data may not hold is told without its place, as in the reference.
        DocumentFault::Unreadable(match &error.kind {
            DataErrorKind::Class(_) => error.to_string().into(),
            _ => format!("{error} at line {} column {}", at.line, at.column).into(),
        })
    }

    /// What is said of it.
    pub fn message(&self, path: &str) -> String {
        match self {
            DocumentFault::Unreadable(why) => format!("Unable to parse ({path}): {why}"),
            DocumentFault::Refused(why) => why.to_string(),
            DocumentFault::NotHash(_) => format!("{path}: file does not contain a hash"),
        }
    }
}

/// What a variable of a scope is.
#[derive(Clone, Debug, PartialEq)]
pub enum Variable {
    /// It has a value.
    Value(Value),
    /// There is none; the reason, if there is more to say.
    Missing(String),
}

/// A function that is called for data.
#[derive(Clone, Debug)]
pub struct FunctionCall<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its arguments but the context, which is the last.
    pub arguments: Vec<Value>,
    /// The context in which it keeps what it wants to remember. None for a function that takes none.
    pub context: Option<usize>,
    /// The module whose data is asked for.
    pub module: Option<&'a str>,
    /// What kind of function it is, in words of the configuration.
    pub kind: &'static str,
    /// The name of the level that it belongs to.
    pub level: &'a str,
    /// The first part of the key that is looked up, for whatever it is asked.
    pub key: &'a str,
    /// What its result has to be. A function that promises more than this is refused.
    pub returns: Type,
}

/// What a function for data gives.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionAnswer {
    /// A value.
    Value(Value),
    /// It said `not_found`.
    NotFound,
    /// There is no such function.
    NoFunction,
}

/// Why something was not read or run: what messages say.
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

/// Where data is: the files that Hiera reads, and the facts. Each answer is by default that there is nothing.
pub trait DataSource {
    /// The configuration of a layer of Hiera.
    ///
    /// # Errors
    /// If there is one that can't be read.
    fn hiera_config(&self, _layer: &Layer) -> Result<LayerConfig, ReadError> {
        Ok(LayerConfig::None)
    }

    /// The data provider that a module or the environment names. None if it names none.
    fn data_provider(&self, _layer: &Layer) -> Option<DataProvider> {
        None
    }

    /// The text of a configuration of Hiera: asked where an error needs a line.
    fn hiera_config_text(&self, _path: &str) -> Option<Arc<str>> {
        None
    }

    /// Whether there is something at the absolute path of data.
    ///
    /// # Errors
    /// If the path may not be looked at.
    fn data_exists(&self, _path: &str) -> Result<bool, ReadError> {
        Ok(false)
    }

    /// The files of data that match an absolute pattern, in order.
    ///
    /// # Errors
    /// If the pattern leads where nothing may be read.
    fn data_glob(&self, _pattern: &str) -> Result<Vec<Str>, ReadError> {
        Ok(Vec::new())
    }

    /// The entries of a document of data whose keys have one [prefix](crate::section_prefix).
    fn data_section(&self, _path: &str, _format: Format, _prefix: &str) -> Section {
        Err(DocumentFault::Refused("there are no files".into()))
    }

    /// The keys of a document of data that a module may not have, by its name.
    fn data_foreign_keys(&self, _path: &str, _format: Format, _module: &str) -> Vec<Str> {
        Vec::new()
    }

    /// The bytes of a file by its absolute path: data, or a key to decrypt with.
    ///
    /// # Errors
    /// If it may not be read, or can't be.
    fn read_file(&self, _path: &str) -> Result<Vec<u8>, ReadError> {
        Err(ReadError("there are no files".to_owned()))
    }

    /// A fact by the first key of `$facts`: `undef` if there is none of this name, none if there are no facts at all. Whoever
    /// asks for one depends on no other.
    fn fact(&self, _name: &str) -> Option<Value> {
        None
    }
}

/// What Hiera asks of whoever evaluates: variables, functions and types, beside the [data](Outside::data).
pub trait Outside {
    /// What a function or lambda may raise.
    type Error;

    /// The dialect whose type system checks data.
    fn dialect(&self) -> &'static Dialect;

    /// The files and facts that lookups read.
    fn data(&self) -> &dyn DataSource;

    /// `strict`.
    fn strict(&self) -> Strictness;

    /// The name of the class from which a lookup is made, in lower case: the innermost one. None if there is none.
    fn calling_class(&mut self) -> Option<Str>;

    /// A variable by its name, as a program writes it without the dollar.
    fn variable(&mut self, name: &str) -> Variable;

    /// Calls a function for data.
    ///
    /// # Errors
    /// What the function raises.
    fn call(&mut self, call: FunctionCall<'_>) -> Result<FunctionAnswer, crate::Fault<Self::Error>>;

    /// Reads a type.
    ///
    /// # Errors
    /// Why it is none.
    fn parse_type(&mut self, text: &str) -> Result<Type, String>;

    /// `T.new(…)`.
    ///
    /// # Errors
    /// Why there is no such value.
    fn convert(&mut self, to: &Type, arguments: &[Value]) -> Result<Value, String>;

    /// Takes steps, and makes bytes, of what the program may take in all.
    ///
    /// # Errors
    /// If there is no more.
    fn spend(&mut self, _steps: u64, _bytes: usize) -> Result<(), crate::Fault<Self::Error>> {
        Ok(())
    }

    /// Warns.
    fn warn(&mut self, message: String);

    /// Warns, unless that was said before.
    fn warn_once(&mut self, message: String);
}
