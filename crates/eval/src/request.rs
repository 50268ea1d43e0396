use std::sync::Arc;

use marotte_catalog::NativeType;
use marotte_hiera::{DataSource, ReadError};
use marotte_hir::{Body, ExprId, Lowered};
use marotte_pcore::budget::Memory;
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Value};
use marotte_ruby::function::{Declares, Sets};
use marotte_ruby_eval::Host;
use marotte_ruby_eval::host::PathKind;
use marotte_ruby_eval::program::Program;
use marotte_text::Str;

use crate::{Code, Extension, Filter, NoAnswer, StoredResource, UnitSource};

/// Everything that evaluation requests from the outside. The list is closed: an implementation of it suffices to
/// evaluate any program, and a record of its answers contains everything that an evaluation depended on.
///
/// The default answers are those of [`NoRequests`]: nothing exists.
pub trait Requests: DataSource {
    /// Returns the current time.
    fn now(&self) -> Timestamp {
        Timestamp::from_nanoseconds(0)
    }

    /// Called regularly while a program runs; unwinds if the result is not needed any more.
    fn interrupted(&self) {}

    /// The means to measure the memory of the process. None if there is none: then only single values are bounded.
    fn memory(&self) -> Option<Memory> {
        None
    }

    /// The offset of the local clock from UTC.
    fn local_offset(&self) -> LocalOffset {
        LocalOffset::UTC
    }

    /// A variable of the top scope that the program did not set: a fact, `trusted`, `environment`, …
    fn variable(&self, _name: &str) -> Option<Value> {
        None
    }

    /// All such variables, in the order in which the reference sets them. None if they are unknown.
    fn variables(&self) -> Option<Vec<(Str, Value)>> {
        None
    }

    /// A setting, as in `$settings::name`.
    fn setting(&self, _name: &str) -> Option<Value> {
        None
    }

    /// A function written in Puppet, by its full name. None if there is none.
    ///
    /// # Errors
    /// If the file in which it should be defines something else, or can't be read.
    fn function(&self, _name: &str) -> Result<Option<Code>, ReadError> {
        Ok(None)
    }

    /// The type expression of a type alias, with the name as it was defined, by its name in lower case. None if there is
    /// none.
    ///
    /// # Errors
    /// If the file in which it should be defines something else, or can't be read.
    fn type_alias(&self, _name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        Ok(None)
    }

    /// Returns whether the alias `Error`, which [`Requests::type_alias`] returns, is one of a main manifest: it replaces the type of
    /// the language. Main manifests that are evaluated need no request.
    fn replaces_error(&self) -> bool {
        false
    }

    /// Returns the target of a type alias, given by its name in lower case, if it has already been evaluated elsewhere.
    fn ready_type(&self, _name: &str) -> Option<Type> {
        None
    }

    /// Whether a resource type of this name (in lower case) exists.
    fn is_resource_type(&self, _name: &str) -> bool {
        false
    }

    /// Whether a class or defined type of this name (in lower case) exists.
    fn is_definition(&self, _name: &str) -> bool {
        false
    }

    /// A resource type, by its name in lower case, that is not written in Puppet. None if there is none.
    ///
    /// # Errors
    /// If its file may not be read.
    fn native_type(&self, _name: &str) -> Result<Option<Arc<NativeType>>, ReadError> {
        Ok(None)
    }

    /// Whether a file in Ruby may add an attribute to a resource type that is not written in Puppet, by its name in lower
    /// case, other than the file that declares it. Only needed of attributes that the type does not declare.
    fn may_be_extended(&self, _name: &str, _attribute: &str) -> bool {
        false
    }

    /// The file of a module that may define classes and defined types, by its path below `manifests` without `.pp`; the
    /// empty path is `init`. None if it does not exist.
    ///
    /// # Errors
    /// If it can't be read, or its text has errors.
    fn manifest(&self, _module: &str, _path: &str) -> Result<Option<Manifest>, ReadError> {
        Ok(None)
    }

    /// The main manifests, in order.
    ///
    /// # Errors
    /// If one can't be read, or its text has errors.
    fn main_manifests(&self) -> Result<Vec<Manifest>, ReadError> {
        Ok(Vec::new())
    }

    /// The body of a class, defined type or node, by its index among the definitions of a file that
    /// [`manifest`](Requests::manifest) or [`main_manifests`](Requests::main_manifests) returned; requested when it is
    /// evaluated. None if the returned file is complete.
    fn body(&self, _path: &str, _definition: usize) -> Option<Arc<Body>> {
        None
    }

    /// Sets whether the findings of the files that are read from now on are left out: files that are only searched for the
    /// possible effects of skipped code are not loaded by Puppet.
    fn read_quietly(&self, _is_quiet: bool) {}

    /// Returns the bodies of all existing classes and defined types. None if they are unknown.
    fn definitions(&self) -> Option<Vec<Arc<Body>>> {
        None
    }

    /// The node whose catalog is compiled.
    fn node(&self) -> NodeInfo {
        NodeInfo { name: "localhost".into(), environment: "production".into(), classes: Vec::new() }
    }

    /// A template by its name, `module/path.epp` or an absolute path. None if it does not exist.
    ///
    /// # Errors
    /// If it may not be read, or reading fails.
    fn template(&self, _name: &str) -> Result<Option<TemplateFile>, ReadError> {
        Ok(None)
    }

    /// The absolute path of a file, given as `module/path` below a folder (`files`, `templates`) of the module, or as
    /// an absolute path. None if it does not exist.
    ///
    /// # Errors
    /// If access to the file is not allowed.
    fn find_file(&self, _folder: &str, _name: &str) -> Result<Option<Str>, ReadError> {
        Ok(None)
    }

    /// The folder of a module.
    fn module_directory(&self, _name: &str) -> Option<Str> {
        None
    }

    /// The kind of file at an absolute path.
    ///
    /// # Errors
    /// If access to the path is not allowed.
    fn path_kind(&self, path: &str) -> Result<PathKind, ReadError> {
        Err(ReadError(format!("'{path}' cannot be looked at")))
    }

    /// Whether a function written in Ruby exists.
    fn is_ruby_function(&self, name: &str) -> bool {
        self.ruby_function(name).is_some()
    }

    /// The properties of a function written in Ruby, by name; they are only needed of calls that the interpreter does not
    /// evaluate. None if it does not exist.
    fn ruby_function(&self, _name: &str) -> Option<RubyFunction> {
        None
    }

    /// Whether code in Ruby is evaluated. Otherwise its results are unknown, and its programs are only searched for the values that
    /// they may change.
    fn evaluates_ruby(&self) -> bool {
        true
    }

    /// The program of a Ruby file. None if the file does not exist.
    ///
    /// # Errors
    /// If it may not be read, or its text has errors.
    fn ruby_program(&self, _file: RubyFile<'_>) -> Result<Option<Arc<Program>>, ProgramError> {
        Ok(None)
    }

    /// Returns the result of a computation written in Ruby. The implementation requests everything that the computation reads
    /// from `host`.
    ///
    /// # Errors
    /// If no Ruby is available to compute it, or if it fails.
    fn extension(&self, asked: Extension<'_>, _host: &mut dyn Host) -> Result<Value, NoAnswer> {
        Err(NoAnswer::Refused(asked.refusal()))
    }

    /// The line of an expression of a file, from 1. None if it is not known.
    fn line_of(&self, _path: &str, _definition: Option<usize>, _expr: ExprId) -> Option<u32> {
        None
    }

    /// Lines of a Ruby file were read: programs are remembered without their places.
    fn reads_ruby_places(&self, _path: &str) {}

    /// Whether there is a store of exported resources, from which collectors take those of other nodes.
    fn has_store(&self) -> bool {
        false
    }

    /// Returns the resources of a type that nodes export, including this node, and that match a filter, in a stable order.
    ///
    /// # Errors
    /// If the store does not answer, or rejects the filter: a message.
    fn exported(&self, type_name: &str, _filter: Option<&Filter>) -> Result<Arc<[StoredResource]>, String> {
        Err(format!("there is no store that may have {type_name}"))
    }

    /// Whether queries may be answered: by a store, or from a record.
    fn has_queries(&self) -> bool {
        self.has_store()
    }

    /// The answer of the store to a query in its own language, a string or an array.
    ///
    /// # Errors
    /// If there is none to ask, it does not answer, or it refuses the query.
    fn query(&self, _query: &Value) -> Result<Value, QueryError> {
        Err(QueryError::NotAsked(Extension::Query.refusal()))
    }

    /// The output of a command.
    ///
    /// # Errors
    /// If it may not be run, or fails.
    fn execute(&self, _command: &[&str]) -> Result<String, CommandError> {
        Err(CommandError::NotAllowed("there are no commands".to_owned()))
    }
}

/// The reason why a command printed nothing: a sentence without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The command is not permitted: the message.
    NotAllowed(String),
    /// The command could not be run, or it failed: the message.
    Failed(String),
}

/// The reason why a query has no answer: a sentence without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryError {
    /// There is nobody to ask, and no record of the answer.
    NotAsked(String),
    /// There was no whole answer, or the query was refused.
    Failed(String),
}

/// The reason why a Ruby file has no compiled program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// The file cannot be read, or has constructs that are not implemented.
    Unread(ReadError),
    /// The file is not Ruby: the message of the error.
    Invalid(String),
}

impl From<ReadError> for ProgramError {
    fn from(error: ReadError) -> ProgramError {
        ProgramError::Unread(error)
    }
}

impl ProgramError {
    /// Returns the message without the kind of error.
    pub fn message(self) -> String {
        match self {
            ProgramError::Unread(ReadError(message)) | ProgramError::Invalid(message) => message,
        }
    }
}

/// A file written in Ruby, as code refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RubyFile<'a> {
    /// The file of a function of the 4.x API, by the function's full name.
    Function(&'a str),
    /// The file of a function of the 3.x API, by the function's name.
    LegacyFunction(&'a str),
    /// A file that `require` names, below the `lib` folder of any module, or by an absolute path.
    Library(&'a str),
    /// An ERB template, by its absolute path.
    Template(&'a str),
}

/// The known properties of a function written in Ruby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubyFunction {
    /// The arguments that it takes.
    pub signature: RubySignature,
    /// The ways in which it may add to the catalog.
    pub declares: Declares,
    /// The variables that it may set in the scope of its caller.
    pub sets: Sets,
}

/// The arguments that a function written in Ruby takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RubySignature {
    /// The signature is unknown.
    Unknown,
    /// A function of the 3.x API with its number of arguments; `-n` means at least `n - 1`.
    Arity(i64),
    /// The declaration of a function whose signatures are all known.
    Dispatches(Arc<marotte_ruby::function::Function>),
}

/// A template that was found.
pub struct TemplateFile {
    /// The template, lowered to a body.
    pub lowered: Arc<Lowered>,
    /// The source of the template.
    pub source: UnitSource,
}

/// A file of classes, defined types and nodes, whose [bodies](Requests::body) may be omitted.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The path of the manifest.
    pub path: Str,
    /// The manifest, lowered to bodies.
    pub lowered: Arc<Lowered>,
}

/// The node whose catalog is compiled.
#[derive(Clone, Debug)]
pub struct NodeInfo {
    /// The name of the node in certificates.
    pub name: Str,
    /// The name of its environment.
    pub environment: Str,
    /// The classes assigned by a classifier, with their parameters.
    pub classes: Vec<(Str, Hash)>,
}

/// Requests without anything outside: nothing exists, and no time passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRequests;

impl DataSource for NoRequests {}

impl Requests for NoRequests {}
