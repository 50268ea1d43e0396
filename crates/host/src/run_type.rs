//! Resource types whose Ruby files have constructs that can't be analyzed without running them: attributes from included
//! modules, blocks in other files, computed title patterns. The Ruby interpreter runs such a file with a small replacement
//! for Puppet's classes.

use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use marotte_catalog::TitlePattern;
use marotte_db::{Db, Environment, File};
use marotte_pcore::value::Value;
use marotte_ruby_eval::program::Program;
use marotte_ruby_eval::{Host, HostError, Vm, World};
use marotte_text::Str;

use super::ruby::{library, ruby_program};

/// The replacement for Puppet's classes.
static PRELUDE: LazyLock<Option<Program>> =
    LazyLock::new(|| Program::parse("resource_type.rb", include_bytes!("resource_type.rb")).ok());

/// The part of a resource type that is determined by running its Ruby file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The attributes that identify a resource, in alphabetical order.
    pub(crate) namevars: Vec<Str>,
    /// The patterns that derive the namevars from titles.
    pub(crate) patterns: Vec<TitlePattern>,
    /// Whether two resources with the same name are the same object.
    pub(crate) is_isomorphic: bool,
    /// The names of all attributes that the type declares.
    pub(crate) attributes: Vec<Str>,
}

/// Runs the file of a resource type. None if the interpreter doesn't implement something that the file uses.
#[salsa::tracked(returns(ref))]
pub(crate) fn summary(db: &dyn Db, environment: Environment, file: File, name: Str) -> Option<Summary> {
    let prelude = PRELUDE.as_ref()?;
    let program = ruby_program(db, file).as_ref().ok()?;
    let question = format!("Puppet::Type.summary('{name}')");
    let question = Program::parse("resource_type.rb", question.as_bytes()).ok()?;
    let mut host = Libraries { db, environment };
    let mut vm = Vm::new(Rc::new(World::new()), &mut host);
    vm.load(prelude).ok()?;
    vm.load(program).ok()?;
    let answer = vm.run(&question).ok()?;
    read(&vm.export(&answer).ok()?)
}

/// Reads `[namevars, [[regexp, attributes], …], isomorphic, attributes]`.
fn read(answer: &Value) -> Option<Summary> {
    let Value::Array(parts) = answer else { return None };
    let [namevars, Value::Array(patterns), Value::Boolean(is_isomorphic), attributes] = &parts[..] else {
        return None;
    };
    let pattern = |it: &Value| {
        let Value::Array(pair) = it else { return None };
        let [Value::Regexp(regexp), attributes] = &pair[..] else { return None };
        Some(TitlePattern { regexp: regexp.clone(), attributes: texts(attributes)? })
    };
    Some(Summary {
        namevars: texts(namevars)?,
        patterns: patterns.iter().map(pattern).collect::<Option<_>>()?,
        is_isomorphic: *is_isomorphic,
        attributes: texts(attributes)?,
    })
}

fn texts(value: &Value) -> Option<Vec<Str>> {
    let Value::Array(values) = value else { return None };
    let text = |it: &Value| match it {
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    values.iter().map(text).collect()
}

/// A host that only provides the libraries of modules.
struct Libraries<'d> {
    db: &'d dyn Db,
    environment: Environment,
}

impl Host for Libraries<'_> {
    fn ruby_file(&mut self, name: &str) -> Result<Option<Arc<Program>>, HostError> {
        let Some(file) = library(self.db, self.environment, name) else { return Ok(None) };
        let is_in_module = |it: &camino::Utf8Path| file.path(self.db).starts_with(it);
        if !self.environment.modules(self.db).iter().any(|(_, folder)| is_in_module(folder)) {
            return Err(HostError::Unsupported(format!("reading '{name}', which is outside of the modules")));
        }
        match ruby_program(self.db, file) {
            Ok(program) => Ok(Some(Arc::clone(program))),
            Err(error) => Err(HostError::Unsupported(error.clone().message())),
        }
    }
}
