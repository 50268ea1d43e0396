//! The interface between Ruby code and the Puppet evaluator around it.

use std::any::Any;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use marotte_pcore::value::{Unknown, Value as PuppetValue};
use marotte_text::Str;

use crate::program::Program;
use crate::puppet::FunctionDefinition;
use crate::value::Proc;

/// The outside of Ruby code. All answers are Puppet values; the implementation sees everything that the code reads.
///
/// By default, nothing exists.
pub trait Host {
    /// The time that the evaluation may still take. None if it is unlimited.
    fn time_left(&self) -> Option<Duration> {
        None
    }

    /// Rejects a value for Puppet code that is larger, or nested more deeply, than a value of Puppet code may be.
    ///
    /// # Errors
    /// If the value exceeds a limit.
    fn check_size(&mut self, _value: &PuppetValue) -> Result<(), HostError> {
        Ok(())
    }

    /// The value of a Puppet variable as `scope.lookupvar(name)` finds it: `name`, `::name`, `class::name`. None if it is not
    /// set.
    ///
    /// # Errors
    /// If it is not known.
    fn variable(&mut self, _name: &str) -> Result<Option<PuppetValue>, HostError> {
        Ok(None)
    }

    /// Reports the use of a variable that is not set: an error or a warning by the settings.
    ///
    /// # Errors
    /// If that is an error.
    fn missing_variable(&mut self, _name: &str) -> Result<(), HostError> {
        Ok(())
    }

    /// The variables of the calling scope that are not `undef`, in the order of `scope.to_hash`; unless `_is_recursive` is
    /// false, with those of the scopes around it.
    ///
    /// # Errors
    /// If they are not known.
    fn variables(&mut self, _is_recursive: bool) -> Result<Vec<(String, PuppetValue)>, HostError> {
        Err(HostError::Unsupported("all variables of the scope".to_owned()))
    }

    /// Sets a variable of the scope, or of the top scope if the name starts with `::` (`scope.setvar`).
    ///
    /// # Errors
    /// If it cannot be set.
    fn set_variable(&mut self, _name: &str, _value: PuppetValue) -> Result<(), HostError> {
        Err(HostError::Unsupported("setting a variable".to_owned()))
    }

    /// Replaces arrays and hashes that Ruby code has changed in place, wherever Puppet code holds them; `_changes` are
    /// pairs of the old and the new value.
    ///
    /// # Errors
    /// If that cannot be done.
    fn replace_values(&mut self, _changes: &[(PuppetValue, PuppetValue)]) -> Result<(), HostError> {
        Err(HostError::Unsupported("changing a value of Puppet code in place".to_owned()))
    }

    /// Tells which strings, as they were, Ruby code has changed in place. The evaluation ends, as not implemented.
    fn note_changed_texts(&mut self, _texts: Vec<Str>) {}

    /// Calls a function of the Puppet language by name, in whatever language it is written: `call_function`,
    /// `scope.function_name([...])`. The calling scope is that of the call being evaluated, or the top scope.
    ///
    /// # Errors
    /// If it fails, or is not known.
    fn call_function(
        &mut self,
        name: &str,
        _arguments: Vec<PuppetValue>,
        _block: Option<&Rc<Proc>>,
        _is_global: bool,
    ) -> Result<PuppetValue, HostError> {
        Err(HostError::Unsupported(format!("the function {name}")))
    }

    /// Calls the block that Puppet code passed to the function of a call.
    ///
    /// # Errors
    /// If it fails, or the call that it belongs to has ended.
    fn call_block(&mut self, _call: usize, _arguments: Vec<PuppetValue>) -> Result<PuppetValue, HostError> {
        Err(HostError::Unsupported("a block of Puppet code".to_owned()))
    }

    /// Whether there is a function of this name.
    fn has_function(&mut self, _name: &str) -> bool {
        false
    }

    /// Whether there is a resource type, or a class, of a name in lower case.
    fn has_type(&mut self, _name: &str) -> bool {
        false
    }

    /// The calls of Puppet code that are being evaluated, the innermost first: paths of files, and lines.
    ///
    /// # Errors
    /// If they are not known.
    fn puppet_stack(&mut self) -> Result<Vec<(String, i64)>, HostError> {
        Err(HostError::Unsupported("the stack of Puppet code".to_owned()))
    }

    /// Calls a method of a Puppet object.
    ///
    /// # Errors
    /// If it fails, or the object does not have it.
    fn call_member(
        &mut self,
        _object: &PuppetValue,
        name: &str,
        _arguments: Vec<PuppetValue>,
    ) -> Result<PuppetValue, HostError> {
        Err(HostError::Unsupported(format!("the method {name} of such an object")))
    }

    /// Returns the index of the signature of a function that accepts some arguments.
    ///
    /// # Errors
    /// If none does, or a type cannot be parsed.
    fn choose_dispatch(
        &mut self,
        function: &FunctionDefinition,
        _arguments: &[PuppetValue],
    ) -> Result<usize, HostError> {
        Err(HostError::Unsupported(format!("the signatures of {}", function.name)))
    }

    /// Evaluates the text of a type: `Puppet::Pops::Types::TypeParser`.
    ///
    /// # Errors
    /// If it is not a type.
    fn parse_type(&mut self, text: &str) -> Result<PuppetValue, HostError> {
        Err(HostError::Unsupported(format!("the type {text}")))
    }

    /// Reads a document in HOCON, and resolves its substitutions.
    ///
    /// # Errors
    /// If it is not read, for whatever reason.
    fn parse_hocon(&mut self, _text: &str) -> Result<PuppetValue, HostError> {
        Err(HostError::Unsupported("HOCON".to_owned()))
    }

    /// The kind of file at an absolute path.
    ///
    /// # Errors
    /// If access to the path is not allowed.
    fn path_kind(&mut self, path: &str) -> Result<PathKind, HostError> {
        Err(HostError::Unsupported(format!("asking for '{path}'")))
    }

    /// The bytes of a file by its absolute path. None if it does not exist.
    ///
    /// # Errors
    /// If it may not be read.
    fn read_file(&mut self, path: &str) -> Result<Option<Vec<u8>>, HostError> {
        Err(HostError::Unsupported(format!("reading '{path}'")))
    }

    /// The absolute path of `module/path` below a folder (`files`, `templates`) of the module, or of an absolute path.
    ///
    /// # Errors
    /// If access is not allowed.
    fn find_file(&mut self, _folder: &str, _name: &str) -> Result<Option<String>, HostError> {
        Ok(None)
    }

    /// The folder of a module.
    fn module_directory(&mut self, _name: &str) -> Option<String> {
        None
    }

    /// The Ruby file that `require 'name'` loads from the `lib` folders of modules, or `require_relative` by an absolute path.
    /// None if no module has it.
    ///
    /// # Errors
    /// If it may not be read, or has syntax errors.
    fn ruby_file(&mut self, _name: &str) -> Result<Option<Arc<Program>>, HostError> {
        Ok(None)
    }

    /// Reports that places in a Ruby file were read, by its path: lines in messages and backtraces. Programs are equal without
    /// their places, so a host that caches results has to depend on the text of the file from here on.
    fn reads_places(&mut self, _path: &str) {}

    /// A setting of Puppet: `Puppet[:name]`.
    ///
    /// # Errors
    /// If it is not known.
    fn setting(&mut self, name: &str) -> Result<PuppetValue, HostError> {
        Err(HostError::Unsupported(format!("the setting {name}")))
    }

    /// Returns a number that changes with each effect that the host has seen: logs, variables set, the catalog.
    fn effects(&mut self) -> u64 {
        0
    }

    /// The current time, in nanoseconds since 1970. None if it is not known.
    fn now(&mut self) -> Option<i128> {
        None
    }

    /// Logs a message at a level of Puppet's: `warning`, `debug`, ….
    fn log(&mut self, _level: &str, _message: &str) {}

    /// An operation on the catalog or the compiler. The list is closed.
    ///
    /// # Errors
    /// If it fails, or there is no catalog.
    fn catalog(&mut self, _operation: CatalogOperation) -> Result<PuppetValue, HostError> {
        Err(HostError::Unsupported("the catalog".to_owned()))
    }
}

/// The kind of file at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// No file exists.
    Nothing,
}

/// An operation on the catalog that Ruby code requests.
#[derive(Clone, Debug)]
pub enum CatalogOperation {
    /// `findresource('Type', 'title')`: a declared resource, as a hash with `type`, `title`, `parameters` and
    /// `from_title`, the attributes that the title implies; or `undef`.
    FindResource {
        /// The type, in any capitalization.
        type_name: String,
        /// The title.
        title: String,
    },
    /// `catalog.classes`: the names of the classes that have been declared, as an array.
    Classes,
    /// `catalog.resources`: the references of all resources so far, as an array.
    Resources,
    /// `scope.tags` and `scope.tagged?`.
    Tags,
    /// `scope.resource`: the resource to whose body the scope belongs, as a hash like that of `FindResource`.
    ScopeResource,
    /// `scope.source`: the class, defined type or node whose body the scope belongs to, as an array of `hostclass`,
    /// `definition` or `node`, and the name.
    ScopeSource,
    /// `compiler.node.name` and its like: a property of the node.
    Node(String),
}

/// The reason why the host has no answer.
pub enum HostError {
    /// An error that Ruby code may rescue, as a `Puppet::ParseError` or other exception of the named class.
    Raise {
        /// The name of the exception's class.
        class: String,
        /// The message.
        message: String,
    },
    /// A value that is not known.
    Unknown(Arc<Unknown>),
    /// Control flow that passes through Ruby code untouched and returns to the host: errors of Puppet code with their place,
    /// `return` of Puppet lambdas.
    Unwind(Box<dyn Any>),
    /// A feature that the host does not implement, by name.
    Unsupported(String),
}
