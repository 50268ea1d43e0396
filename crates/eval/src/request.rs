use std::sync::Arc;

use marotte_catalog::NativeType;
use marotte_hiera::{DataSource, ReadError};
use marotte_hir::{Body, Lowered};
use marotte_pcore::budget::Memory;
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Value};
use marotte_ruby::function::Sets;
use marotte_ruby_eval::host::PathKind;
use marotte_ruby_eval::program::Program;
use marotte_text::Str;

use crate::{Code, Extension, UnitSource};

/// Everything that evaluation asks of the outside. The list is closed: whoever answers these can evaluate anything,
/// and who remembers the answers knows all that an evaluation depended on.
///
/// What is not answered, there is not: each answer is by default that of [`NoRequests`].
pub trait Requests: DataSource {
    /// What time it is.
    fn now(&self) -> Timestamp {
        Timestamp::from_nanoseconds(0)
    }

    /// Is asked every now and then while a program runs, and unwinds if nobody wants the result any more.
    fn interrupted(&self) {}

    /// Who says how many bytes the process holds. None if nobody can: then only single values are bounded.
    fn memory(&self) -> Option<Memory> {
        None
    }

    /// How far the clock of the outside is from UTC.
    fn local_offset(&self) -> LocalOffset {
        LocalOffset::UTC
    }

    /// A variable of the top scope that the program did not set: a fact, `trusted`, `environment`, …
    fn variable(&self, _name: &str) -> Option<Value> {
        None
    }

    /// All such variables, in the order in which the reference sets them. None if they are not known.
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

    /// The type that a type alias stands for, by its name in lower case, if somebody has evaluated it already.
    fn ready_type(&self, _name: &str) -> Option<Type> {
        None
    }

    /// Whether there is a resource type of this name (in lower case).
    fn is_resource_type(&self, _name: &str) -> bool {
        false
    }

    /// Whether there is a class or a resource type written in Puppet of this name (in lower case).
    fn is_definition(&self, _name: &str) -> bool {
        false
    }

    /// A resource type, by its name in lower case, that is not written in Puppet. None if there is none.
    fn native_type(&self, _name: &str) -> Option<Arc<NativeType>> {
        None
    }

    /// The file of a module in which classes and resource types may be, by its path below `manifests` without `.pp`; the
    /// empty path is `init`. None if there is none.
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

    /// The body of a class, resource type or node, by its place among the definitions of a file that
    /// [`manifest`](Requests::manifest) or [`main_manifests`](Requests::main_manifests) gave: it is asked for when it is
    /// evaluated. None if what was given is all of it.
    fn body(&self, _path: &str, _definition: usize) -> Option<Arc<Body>> {
        None
    }

    /// The bodies of all classes and resource types, wherever they are defined. None if that can't be said.
    fn definitions(&self) -> Option<Vec<Arc<Body>>> {
        None
    }

    /// The node whose catalog is made.
    fn node(&self) -> NodeInfo {
        NodeInfo { name: "localhost".into(), environment: "production".into(), classes: Vec::new() }
    }

    /// The template of this name, `module/path.epp` or an absolute path. None if there is none.
    ///
    /// # Errors
    /// If it may not be read, or can't be.
    fn template(&self, _name: &str) -> Result<Option<TemplateFile>, ReadError> {
        Ok(None)
    }

    /// The absolute path of a file, `module/path` below a folder (`files`, `templates`) of the module, or an absolute path.
    /// None if there is none.
    ///
    /// # Errors
    /// If the file may not be looked at.
    fn find_file(&self, _folder: &str, _name: &str) -> Result<Option<Str>, ReadError> {
        Ok(None)
    }

    /// The folder of a module.
    fn module_directory(&self, _name: &str) -> Option<Str> {
        None
    }

    /// What is at an absolute path.
    ///
    /// # Errors
    /// If the path may not be looked at.
    fn path_kind(&self, path: &str) -> Result<PathKind, ReadError> {
        Err(ReadError(format!("'{path}' cannot be looked at")))
    }

    /// The function of this name that is written in Ruby. None if there is none.
    fn ruby_function(&self, _name: &str) -> Option<RubyFunction> {
        None
    }

    /// The program of a Ruby file. None if there is no such file.
    ///
    /// # Errors
    /// If it may not be read, or its text has errors.
    fn ruby_program(&self, _file: RubyFile<'_>) -> Result<Option<Arc<Program>>, ReadError> {
        Ok(None)
    }

    /// What something that is written in Ruby gives. `variable` reads the variables that it can read, by their names without
    /// the dollar.
    ///
    /// # Errors
    /// If there is nobody who could say: names what is not evaluated.
    fn extension(
        &self,
        asked: Extension<'_>,
        _variable: &dyn Fn(&str) -> Option<Value>,
    ) -> Result<Value, ReadError> {
        Err(ReadError(asked.refusal()))
    }

    /// Lines of a Ruby file were read: programs are remembered without their places.
    fn reads_ruby_places(&self, _path: &str) {}

    /// What a command prints.
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
    /// It may not be run.
    NotAllowed(String),
    /// It could not be run, or failed.
    Failed(String),
}

/// A file that is written in Ruby, as code names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RubyFile<'a> {
    /// The file of a function of the 4.x API, by the function's full name.
    Function(&'a str),
    /// The file of a function of the 3.x API, by the function's name.
    LegacyFunction(&'a str),
    /// The file that `require` names, below the `lib` folder of any module, or by an absolute path.
    Library(&'a str),
    /// A template in ERB, by its absolute path.
    Template(&'a str),
}

/// What is known of a function that is written in Ruby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubyFunction {
    /// What it takes.
    pub signature: RubySignature,
    /// Whether it may add to the catalog, or is not known not to.
    pub may_declare: bool,
    /// The variables that it may set in the scope of its caller.
    pub sets: Sets,
}

/// What a function that is written in Ruby takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RubySignature {
    /// That is not known.
    Unknown,
    /// One of the 3.x API: so many arguments; `-n` means at least `n - 1`.
    Arity(i64),
    /// What a function declares of which all is known.
    Dispatches(Arc<marotte_ruby::function::Function>),
}

/// A template that was found.
pub struct TemplateFile {
    /// What it evaluates.
    pub lowered: Arc<Lowered>,
    /// Where it comes from.
    pub source: UnitSource,
}

/// A file of classes, resource types and nodes, whose [bodies](Requests::body) may be left out.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Its path.
    pub path: Str,
    /// What it evaluates and defines.
    pub lowered: Arc<Lowered>,
}

/// The node whose catalog is made.
#[derive(Clone, Debug)]
pub struct NodeInfo {
    /// Its name in certificates.
    pub name: Str,
    /// The name of its environment.
    pub environment: Str,
    /// The classes that a classifier gives it, with their parameters.
    pub classes: Vec<(Str, Hash)>,
}

/// An outside in which there is nothing, and no time passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRequests;

impl DataSource for NoRequests {}

impl Requests for NoRequests {}
