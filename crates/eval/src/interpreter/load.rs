//! Lookup of functions and types by name: those of the programs themselves, the built-in ones, and those from outside.

use marotte_diagnostics::issues;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use marotte_hir::{DefinitionKind, ExprId, Lowered};
use marotte_pcore::create::{Taken, taken};
use marotte_pcore::print::writing_in;
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_text::{Str, normalized, unrooted};

use super::call::Function;
use super::closure::Closure;
use super::type_set::SetScope;
use super::{Env, Evaluated, Interpreter, Template};
use crate::catalog::{Definitions, FUNCTION, TYPE_ALIAS};
use crate::functions::{self, Builtin};
use crate::{Code, EvaluationError, Origin, Place, ReadError};

/// A program with its source.
pub struct Unit {
    /// The program, lowered to bodies.
    pub lowered: Arc<Lowered>,
    /// The source of the program.
    pub source: UnitSource,
}

/// The source of a program.
pub enum UnitSource {
    /// A file, by its path.
    File(Str),
    /// A text, with its name in messages.
    Text(Str, Arc<str>),
}

impl Unit {
    /// The code outside of definitions.
    pub(crate) fn main(&self) -> Code {
        Code { body: self.lowered.main.clone(), origin: self.origin(None) }
    }

    pub(crate) fn origin(&self, definition: Option<usize>) -> Arc<Origin> {
        Arc::new(match &self.source {
            UnitSource::File(path) => Origin::File { path: path.clone(), definition },
            UnitSource::Text(name, text) => {
                let found = definition.and_then(|index| self.lowered.definitions.get(index));
                let map = found.map_or(&self.lowered.main_map, |it| &it.map).clone();
                Origin::Text { name: name.clone(), text: text.clone(), map }
            }
        })
    }
}

/// The names that have been resolved so far.
#[derive(Clone, Default)]
pub(crate) struct Loaded {
    /// The functions of programs.
    own_functions: HashMap<Str, Code>,
    functions: HashMap<Str, Option<Function>>,
    /// The names of classes and defined types of programs, in lower case.
    own_definitions: HashSet<Str>,
    /// Type aliases of programs, by name in lower case.
    pub(super) own_types: HashMap<Str, (Str, Code)>,
    /// The templates of files, by the names used by programs.
    pub(super) templates: HashMap<Str, Rc<Template>>,
    /// The resolved types; None for a name that is being resolved, or does not exist.
    pub(super) types: HashMap<Str, Option<Type>>,
    /// Type sets by name in lower case, including those being loaded.
    pub(super) sets: HashMap<Str, Rc<SetScope>>,
    /// The type set whose types are being defined.
    pub(super) scope: Option<Rc<SetScope>>,
}

impl Interpreter<'_> {
    /// Registers the definitions of a program, then evaluates its statements. Returns the value of the last one.
    ///
    /// # Errors
    /// If evaluation of the program fails.
    pub fn run_unit(&mut self, unit: &Unit) -> Result<Value, EvaluationError> {
        writing_in(self.dialect(), || {
            self.declare(unit)?;
            let code = unit.main();
            let top = Rc::clone(&self.top);
            let env = Env { code: &code, frame: None, scope: &top, own_frames: 0 };
            let result = self.in_program(&code, |it| it.statements(&env, &code.body.statements));
            result.map_err(super::Unwind::into_error)
        })
    }

    /// Registers the functions, type aliases and names of definitions of a program.
    ///
    /// # Errors
    /// If an alias has the name of a type that is there without the program (A67). Without a catalog, which looks
    /// further, also if the program defines a name twice.
    pub(crate) fn declare(&mut self, unit: &Unit) -> Result<(), EvaluationError> {
        if self.catalog.is_none() {
            check_names(unit)?;
        }
        for (index, it) in unit.lowered.definitions.iter().enumerate() {
            let code = || Code { body: it.body.clone(), origin: unit.origin(Some(index)) };
            match it.kind {
                DefinitionKind::Function => {
                    self.loaded.functions.retain(|name, _| !name.eq_ignore_ascii_case(&it.name));
                    self.loaded.own_functions.insert(normalized(&it.name), code());
                }
                DefinitionKind::TypeAlias => {
                    let name = it.name.to_lowercase();
                    self.check_alias(&name, || Place { origin: unit.origin(Some(index)), expr: None })?;
                    self.loaded.types.clear();
                    self.loaded.sets.clear();
                    self.signatures.clear();
                    self.overloads.clear();
                    self.loaded.own_types.insert(name, (it.name.clone(), code()));
                }
                DefinitionKind::Class(_) | DefinitionKind::Define => {
                    self.loaded.own_definitions.insert(it.name.to_lowercase());
                }
                // Definitions that require a catalog are only registered; nothing uses them.
                DefinitionKind::TypeMapping | DefinitionKind::Node(_) | DefinitionKind::Plan => {}
            }
        }
        Ok(())
    }

    /// Checks that no type has the name of an alias, in lower case, before the program defines it.
    fn check_alias(&self, name: &str, place: impl FnOnce() -> Place) -> Result<(), EvaluationError> {
        let Some(taken) = taken(self.dialect(), name, self.catalog.is_some()) else { return Ok(()) };
        let origin = match taken {
            Taken::BuiltIn => "Originally set by Puppet-Type-System/Static-Loader.",
            Taken::Loaded => "Set at unknown location",
        };
        let mut error = EvaluationError::new(issues::REDEFINITION, format!("{}. {origin}", redefined(name)));
        error.place = Some(place());
        Err(error)
    }

    /// Finds a function by name (C23, C24). None if it does not exist.
    pub(crate) fn function(&mut self, env: &Env<'_>, id: ExprId, name: &str) -> Evaluated<Option<Function>> {
        if let Some(known) = self.loaded.functions.get(name) {
            return Ok(known.clone());
        }
        let (given, lower) = (unrooted(name), normalized(name));
        let name = &*lower;
        let found = match (self.loaded.own_functions.get(name).cloned(), self.builtin(name)) {
            // Servers with PuppetDB have it, and others don't.
            (None, None) if name == "puppetdb_query" && self.requests.has_queries() => {
                Some(Function::Builtin(&functions::puppetdb_query::FUNCTION))
            }
            (Some(own), _) => Some(self.load_function(env, id, given, own)?),
            (None, Some(builtin)) => Some(Function::Builtin(builtin)),
            (None, None) => {
                let code = self.requests.function(name);
                let fail = |error| self.fail_during(env, id, "Function Call", ReadError::to_string(&error));
                match code.map_err(fail)? {
                    Some(code) => Some(self.load_function(env, id, given, code)?),
                    None if self.requests.is_ruby_function(name) => Some(Function::Ruby),
                    // The server of the catalog may have PuppetDB.
                    None if name == "puppetdb_query" && self.catalog.is_some() => {
                        Some(Function::Builtin(&functions::puppetdb_query::FUNCTION))
                    }
                    None => None,
                }
            }
        };
        self.loaded.functions.insert(given.into(), found.clone());
        Ok(found)
    }

    /// Finds the built-in function that a name refers to; upper and lower case are the same. Functions of the main manifest take precedence.
    pub(crate) fn builtin(&self, name: &str) -> Option<&'static Builtin> {
        let lower = normalized(name);
        functions::builtin(&lower).filter(|_| !self.loaded.own_functions.contains_key(&lower))
    }

    /// The body of a function written in Puppet, if it exists.
    pub(crate) fn function_body(&self, name: &str) -> Option<Arc<marotte_hir::Body>> {
        let name = &*normalized(name);
        match (self.loaded.functions.get(name), self.loaded.own_functions.get(name)) {
            (Some(Some(Function::Code(known))), _) => Some(Arc::clone(&known.1.body)),
            (Some(_), _) => None,
            (None, Some(own)) => Some(Arc::clone(&own.body)),
            (None, None) => self.requests.function(name).ok().flatten().map(|it| it.body),
        }
    }

    fn load_function(&mut self, env: &Env<'_>, id: ExprId, name: &str, code: Code) -> Evaluated<Function> {
        let top = Rc::clone(&self.top);
        let inner = Env { code: &code, frame: None, scope: &top, own_frames: 0 };
        let Some(closure) = Closure::body(name, &code) else {
            return Err(self.fail(env, id, issues::UNKNOWN_FUNCTION, format!("Unknown function: '{name}'.")));
        };
        let signature = self.signature(&inner, &closure)?;
        Ok(Function::Code(Rc::new((name.to_owned(), code, signature))))
    }

    /// Whether a name, in lower case, is that of a class or defined type, from any source.
    pub(crate) fn is_definition(&mut self, name: &str) -> Evaluated<bool> {
        if self.catalog.is_some() {
            return Ok(self.is_resource_type(name)? || self.find_class(name)?.is_some());
        }
        Ok(self.loaded.own_definitions.contains(name)
            || self.requests.is_definition(name)
            || self.requests.is_resource_type(name))
    }

    /// The type expression of an alias, by its name in lower case.
    pub(super) fn alias_code(&self, name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        match self.loaded.own_types.get(name) {
            Some(own) => Ok(Some(own.clone())),
            None => self.requests.type_alias(name),
        }
    }

    pub(super) fn loaded_types(&mut self) -> &mut HashMap<Str, Option<Type>> {
        &mut self.loaded.types
    }
}

/// The message that a type, by its name in lower case, exists already.
pub(crate) fn redefined(name: &str) -> String {
    format!("Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{name}'")
}

/// Checks that a program has one function and one type alias of a name.
fn check_names(unit: &Unit) -> Result<(), EvaluationError> {
    let mut definitions = Definitions::default();
    for (index, it) in unit.lowered.definitions.iter().enumerate() {
        let kind = match it.kind {
            DefinitionKind::Function => FUNCTION,
            DefinitionKind::TypeAlias => TYPE_ALIAS,
            _ => continue,
        };
        let place = Some(Place { origin: unit.origin(Some(index)), expr: None });
        definitions.add_other(kind, &it.name, place.clone()).map_err(|again| again.at(place))?;
    }
    Ok(())
}
