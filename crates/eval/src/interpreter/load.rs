//! Functions and types by name: those of the programs themselves, of the language, and of the outside.

use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use marotte_hir::{DefinitionKind, ExprId, Lowered};
use marotte_pcore::print::writing_in;
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::call::Function;
use super::closure::Closure;
use super::type_set::SetScope;
use super::{Env, Evaluated, Interpreter, Template};
use crate::functions::{self, Builtin};
use crate::{Code, EvaluationError, Origin, ReadError};

/// A program, and where it comes from.
pub struct Unit {
    /// What it evaluates and defines.
    pub lowered: Arc<Lowered>,
    /// Where it comes from.
    pub source: UnitSource,
}

/// Where a program comes from.
pub enum UnitSource {
    /// A file of this path.
    File(Str),
    /// A text: what messages call it, and the text.
    Text(Str, Arc<str>),
}

impl Unit {
    /// The statements outside of definitions.
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

/// What is known by name so far.
#[derive(Default)]
pub(crate) struct Loaded {
    /// Functions of programs.
    own_functions: HashMap<Str, Code>,
    functions: HashMap<Str, Option<Function>>,
    /// The names of classes and resource types of programs, in lower case.
    own_definitions: HashSet<Str>,
    /// Type aliases of programs, by name in lower case.
    own_types: HashMap<Str, (Str, Code)>,
    /// Templates of files, by the names that programs give them.
    pub(super) templates: HashMap<Str, Rc<Template>>,
    /// None for a name that is being looked for, or is not known.
    pub(super) types: HashMap<Str, Option<Type>>,
    /// Sets of types by name in lower case, those on their way among them.
    pub(super) sets: HashMap<Str, Rc<SetScope>>,
    /// The set whose types are being defined.
    pub(super) scope: Option<Rc<SetScope>>,
}

impl Interpreter<'_> {
    /// Makes the definitions of a program known, then evaluates its statements. The value is that of the last one.
    ///
    /// # Errors
    /// What the language says is wrong with the program.
    pub fn run_unit(&mut self, unit: &Unit) -> Result<Value, EvaluationError> {
        writing_in(self.dialect(), || {
            self.declare(unit)?;
            let code = unit.main();
            let top = Rc::clone(&self.top);
            let env = Env { code: &code, frame: None, scope: &top, own_frames: 0 };
            self.statements(&env, &code.body.statements).map_err(super::Unwind::into_error)
        })
    }

    pub(crate) fn declare(&mut self, unit: &Unit) -> Result<(), EvaluationError> {
        for (index, it) in unit.lowered.definitions.iter().enumerate() {
            let code = || Code { body: it.body.clone(), origin: unit.origin(Some(index)) };
            match it.kind {
                DefinitionKind::Function => {
                    self.loaded.functions.remove(&it.name);
                    self.loaded.own_functions.insert(it.name.clone(), code());
                }
                DefinitionKind::TypeAlias => {
                    let name = it.name.to_lowercase();
                    self.loaded.types.clear();
                    self.loaded.sets.clear();
                    self.signatures.clear();
                    self.loaded.own_types.insert(name, (it.name.clone(), code()));
                }
                DefinitionKind::Class(_) | DefinitionKind::Define => {
                    self.loaded.own_definitions.insert(it.name.to_lowercase());
                }
                // What needs a catalog is defined, and nothing asks for it.
                DefinitionKind::TypeMapping | DefinitionKind::Node(_) | DefinitionKind::Plan => {}
            }
        }
        Ok(())
    }

    /// The function of a name (C23, C24). None if there is none.
    pub(crate) fn function(&mut self, env: &Env<'_>, id: ExprId, name: &str) -> Evaluated<Option<Function>> {
        if let Some(known) = self.loaded.functions.get(name) {
            return Ok(known.clone());
        }
        let name = name.strip_prefix("::").unwrap_or(name);
        let found = match (self.loaded.own_functions.get(name).cloned(), self.builtin(name)) {
            (Some(own), _) => Some(self.load_function(env, id, name, own)?),
            (None, Some(builtin)) => Some(Function::Builtin(builtin)),
            (None, None) => {
                let code = self.requests.function(name);
                let fail = |error| self.fail_during(env, id, "Function Call", ReadError::to_string(&error));
                match code.map_err(fail)? {
                    Some(code) => Some(self.load_function(env, id, name, code)?),
                    None => self.requests.ruby_function(name).map(|it| Function::Ruby(Rc::new(it))),
                }
            }
        };
        self.loaded.functions.insert(name.into(), found.clone());
        Ok(found)
    }

    /// The function of the language that a name means. The main manifest's own come first.
    pub(crate) fn builtin(&self, name: &str) -> Option<&'static Builtin> {
        functions::builtin(name).filter(|_| !self.loaded.own_functions.contains_key(name))
    }

    /// The body of a function that is written in Puppet, if there is one.
    pub(crate) fn function_body(&self, name: &str) -> Option<Arc<marotte_hir::Body>> {
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
            return Err(self.fail(env, id, "unknown-function", format!("Unknown function: '{name}'.")));
        };
        let signature = self.signature(&inner, &closure)?;
        Ok(Function::Code(Rc::new((name.to_owned(), code, signature))))
    }

    /// Whether a name, in lower case, is that of a class or of a resource type, whoever defines it.
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
