//! Suggestions for undefined names: the definition, function, resource type or variable with a similar name.

use marotte_db::{Db, Environment, EnvironmentSet, File, Topic, environment_of, module_file, module_folder};
use marotte_eval::functions::ALL;
use marotte_hir::{Item, Name, NameKind, main_definitions, module_definitions};
use marotte_pcore::create::TYPE_NAMES;
use marotte_ruby::core;
use marotte_text::{Str, is_qualified, normalized, unrooted};

use crate::custom_facts::custom_facts;
use crate::functions::{RUBY, is_elsewhere};
use crate::globals::{CORE_FACTS, variables_of_manifests, variables_of_program};
use crate::metadata::metadata;
use crate::names::{known, module_of};
use crate::puppetfile::{Puppetfile, puppetfile};
use crate::ruby::{RubyKind, is_mentioned, ruby_names};
use crate::spelling::{
    MOST, Names, has_swapped_letters, is_inner_slip, is_other_number, nearest, other_end, other_number,
    short_slip, slip,
};
use crate::stdlib;

/// The module that a name belongs to, if that module isn't available. Code for other platforms, or for optional software,
/// refers to modules that most environments lack, and servers have modules besides those of an environment, so this justifies
/// no more than a warning.
pub fn absent_module(db: &dyn Db, environment: Environment, name: &str) -> Option<String> {
    let name = normalized(name);
    let module = module_of(&name);
    module_folder(db, environment, module.into()).is_none().then(|| module.to_owned())
}

/// Whether a name is qualified with that of an available module: whatever it refers to would be there.
pub fn is_of_available_module(db: &dyn Db, environment: Environment, name: &str) -> bool {
    is_qualified(unrooted(name)) && absent_module(db, environment, name).is_none()
}

/// The definition that an unqualified name would refer to if it were qualified with the module of its file: names are never
/// relative.
pub fn in_own_module<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Option<Item<'db>> {
    let module = &module_file(db, from)?.module;
    known(db, from, kind, &format!("{module}::{}", unrooted(name)))
}

/// The definition that is certainly meant by a name whose module isn't available: the same name in a module whose name is one
/// typo away.
pub fn in_misspelled_module<'db>(
    db: &'db dyn Db,
    from: File,
    kind: NameKind,
    name: &str,
) -> Option<Item<'db>> {
    let environment = environment_of(db, from);
    let name = normalized(name);
    let module = module_of(&name);
    if module_folder(db, environment, module.into()).is_some() {
        return None;
    }
    let names = module_names(db, environment);
    let in_module = |meant: &str| known(db, from, kind, &format!("{meant}{}", &name[module.len()..]));
    if let Some(meant) = names.slip(module, |_| true) {
        return in_module(meant).filter(|_| !is_required(db, environment, module));
    }
    // The rest of a qualified name confirms that a short name is a slip; without it, only swapped letters are certain.
    let is_qualified = module.len() < name.len();
    let is_near = |it: &&Str| has_swapped_letters(module, it) || is_qualified && is_inner_slip(module, it);
    let near = names.iter().filter(is_near).find_map(|it| in_module(it));
    // A module that is neither installed nor to be installed does not exist.
    let is_listed = |listed: &Puppetfile| !listed.is_complete || listed.module(module).is_some();
    let is_absent = || puppetfile(db, environment).is_some_and(|(_, it)| !is_listed(it));
    let other_number =
        || names.iter().find(|it| is_other_number(module, it)).filter(|_| is_qualified && is_absent());
    near.or_else(|| in_module(other_number()?)).filter(|_| !is_required(db, environment, module))
}

/// The module that is certainly meant by the name of one that isn't available: one typo away.
pub fn misspelled_module<'db>(db: &'db dyn Db, environment: Environment, name: &str) -> Option<&'db str> {
    let meant = module_names(db, environment).slip(name, |_| true);
    meant.filter(|_| !is_required(db, environment, name))
}

/// Whether the `Puppetfile` or the metadata of any module list a module, so that its name is spelled correctly. Looks at all modules:
/// only for names that come close to another one.
fn is_required(db: &dyn Db, environment: Environment, module: &str) -> bool {
    let requires = |it: &Str| {
        let metadata = metadata(db, environment, it.clone());
        metadata.is_some_and(|it| it.dependencies.iter().any(|it| it == module))
    };
    puppetfile(db, environment).is_some_and(|(_, it)| it.module(module).is_some())
        || environment.modules(db).iter().any(|(it, _)| requires(it))
}

/// The definition of this kind with the closest name.
pub fn nearest_definition<'db>(
    db: &'db dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &str,
) -> Option<Item<'db>> {
    let name = normalized(name);
    let module: Str = module_of(&name).into();
    let names = definition_names(db, environment, module.clone(), kind);
    let meant = (kind, Name::of(db, names.nearest(&name, |_| true)?));
    let of_module = module_definitions(db, environment, module).get(&meant);
    of_module.or_else(|| main_definitions(db, environment).get(&meant)).copied()
}

/// The names of the definitions of a kind in a module and in the main manifests.
#[salsa::tracked(returns(ref))]
fn definition_names(db: &dyn Db, environment: Environment, module: Str, kind: NameKind) -> Names {
    let all =
        module_definitions(db, environment, module).keys().chain(main_definitions(db, environment).keys());
    all.filter(|(it, _)| *it == kind).map(|(_, name)| name.text(db).clone()).collect()
}

/// The names of the modules of an environment.
#[salsa::tracked(returns(ref))]
fn module_names(db: &dyn Db, environment: Environment) -> Names {
    environment.modules(db).iter().map(|(it, _)| it.as_str()).collect()
}

/// The names of [`function_names`], and of those of `stdlib`, which is often missing.
#[salsa::tracked(returns(ref))]
fn callable_names(db: &dyn Db, environment: Environment) -> Names {
    stdlib::FUNCTIONS.iter().copied().chain(function_names(db, environment).iter().map(Str::as_str)).collect()
}

/// The names of Puppet's functions, and of those of modules in Ruby.
#[salsa::tracked(returns(ref))]
fn function_names(db: &dyn Db, environment: Environment) -> Names {
    let in_ruby = RUBY.iter().flat_map(|kind| ruby_names(db, environment, *kind));
    ALL.iter().map(|it| it.name).chain(in_ruby).collect()
}

/// The names of Puppet's resource types, and of those of modules in Ruby.
#[salsa::tracked(returns(ref))]
fn resource_type_names(db: &dyn Db, environment: Environment) -> Names {
    let of_puppet = core::resource_types().iter().map(|it| it.name.as_str());
    of_puppet.chain(ruby_names(db, environment, RubyKind::ResourceType)).collect()
}

/// The names of [`resource_type_names`], and of those of the agent's modules.
#[salsa::tracked(returns(ref))]
fn declarable_names(db: &dyn Db, environment: Environment) -> Names {
    let of_agent = core::agent_modules().iter().flat_map(|it| &it.types).map(|it| it.name.as_str());
    let in_ruby = ruby_names(db, environment, RubyKind::ResourceType);
    core::resource_types().iter().map(|it| it.name.as_str()).chain(of_agent).chain(in_ruby).collect()
}

/// The names of variables that all code can read.
#[salsa::tracked(returns(ref))]
fn global_names(db: &dyn Db, environment: Environment) -> Names {
    let facts = CORE_FACTS.keys().copied().chain(custom_facts(db, environment).iter().map(|it| it.as_str()));
    let variables = core::VARIABLES.iter().map(|it| it.name);
    let set = variables_of_manifests(db, environment).iter().map(|it| it.as_str());
    facts.chain(variables).chain(set).collect()
}

/// The names of the variables that a program sets.
#[salsa::tracked(returns(ref))]
fn program_names(db: &dyn Db, file: File) -> Names {
    variables_of_program(db, file).iter().cloned().collect()
}

/// The function that is certainly meant by a name that may belong to an unavailable module: a built-in function, or one of an
/// available module.
pub fn misspelled_function<'db>(db: &'db dyn Db, environment: Environment, name: &str) -> Option<&'db str> {
    db.files().note_asked(Topic::NearFunction, name);
    let of_language = || ALL.iter().map(|it| it.name);
    let names = callable_names(db, environment);
    let all = || names.iter().map(Str::as_str);
    let meant = names
        .slip(name, |_| true)
        .or_else(|| short_slip(name, of_language()))
        .or_else(|| other_end(name, all()))
        .or_else(|| other_number(name, all()))?;
    let is_another = is_elsewhere(name)
        || stdlib::FUNCTIONS.contains(&name)
        // A name that ends with the name of a function is a name of its own.
        || name.ends_with(meant)
        || RUBY.iter().any(|kind| is_mentioned(db, environment, *kind, name.into()));
    (!is_another).then_some(meant)
}

/// The function with the closest name.
pub fn nearest_function<'db>(
    db: &'db dyn Db,
    environment: Environment,
    name: &str,
) -> Option<(String, Option<Item<'db>>)> {
    if let Some(item) = nearest_definition(db, environment, NameKind::Function, name) {
        return Some((item.name(db).to_string(), Some(item)));
    }
    db.files().note_asked(Topic::NearFunction, name);
    function_names(db, environment).nearest(name, |_| true).map(|it| (it.to_owned(), None))
}

/// The resource type with the closest name.
pub fn nearest_resource_type<'db>(
    db: &'db dyn Db,
    from: File,
    environment: Environment,
    name: &str,
) -> Option<(String, Option<Item<'db>>)> {
    let in_module = || in_misspelled_module(db, from, NameKind::Define, name);
    if let Some(item) = nearest_definition(db, environment, NameKind::Define, name).or_else(in_module) {
        return Some((item.name(db).to_string(), Some(item)));
    }
    declarable_names(db, environment).nearest(name, |_| true).map(|it| (it.to_owned(), None))
}

/// The resource type that is certainly meant by a name that may belong to an unavailable module: one of Puppet's own, or of an
/// available module.
pub fn misspelled_type<'db>(
    db: &'db dyn Db,
    from: File,
    environment: Environment,
    name: &str,
) -> Option<&'db str> {
    let name = normalized(name);
    if let Some(item) = in_misspelled_module(db, from, NameKind::Define, &name) {
        return Some(item.name(db));
    }
    let of_puppet = || core::resource_types().iter().map(|it| it.name.as_str());
    let names = resource_type_names(db, environment);
    let meant = names
        .slip(&name, |_| true)
        .or_else(|| short_slip(&name, of_puppet()))
        .or_else(|| other_end(&name, names.iter().map(Str::as_str)))
        .or_else(|| other_number(&name, names.iter().map(Str::as_str)))?;
    let is_mentioned = is_mentioned(db, environment, RubyKind::ResourceType, name.clone());
    (!name.ends_with(meant) && !is_mentioned).then_some(meant)
}

/// The built-in type that is certainly meant by a name. Other types have the names of their modules in theirs.
pub fn misspelled_builtin(name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 5;
    let types = || TYPE_NAMES.iter().copied();
    let is_cut = |it: &&str| {
        let longer = it.strip_prefix(name).or_else(|| name.strip_prefix(*it));
        name.len() >= SHORTEST && longer.is_some_and(|it| it.len() == 1 && it != "s")
    };
    slip(name, types()).or_else(|| short_slip(name, types())).or_else(|| types().find(is_cut))
}

/// The global variable that is certainly meant by a name.
pub fn misspelled_global(db: &dyn Db, from: File, environment: Environment, name: &str) -> Option<String> {
    db.files().note_asked(Topic::NearFact, name);
    let all = [global_names(db, environment), program_names(db, from)];
    all.iter().filter_map(|it| it.slip(name, |_| true)).min().map(str::to_owned)
}

/// Whether an environment has so many functions that only some of them are compared with a name: which ones depends on all.
pub fn has_many_functions(db: &dyn Db) -> bool {
    let environments = EnvironmentSet::get(db).environments(db).iter();
    environments.into_iter().any(|it| function_names(db, *it).iter().len() >= MOST - 1)
}

/// Whether a name may be taken for a misspelling of that of a function in Ruby, whatever other functions there are.
pub fn may_mean_function(name: &str, function: &str) -> bool {
    let one = || [function];
    slip(name, one()).is_some()
        || nearest(name, one()).is_some()
        || other_end(name, one()).is_some()
        || other_number(name, one()).is_some()
}

/// Whether a name may be taken for a misspelling of that of a fact, whatever other facts there are.
pub fn may_mean_fact(name: &str, fact: &str) -> bool {
    slip(name, [fact]).is_some()
}
