//! Resolution of resource type names (C31), and a query for types whose resources are altered elsewhere.

use std::collections::BTreeSet;

use marotte_db::{Db, Environment, File, FileStatus};
use marotte_hir::{AlteredTypes, Item, NameKind, altered_types, module_definitions, names_a_file};
use marotte_ruby::core;
use marotte_ruby::resource_type::ResourceType;
use marotte_text::{Str, is_qualified, normalized};

use crate::manifests::manifests;
use crate::names::{Lookup, lacks_modules, look_up};
use crate::ruby::{RubyFile, RubyKind, is_mentioned, ruby_definition, ruby_resource_types};

/// The result of resolving a resource type name.
#[derive(Clone, Copy, Debug)]
pub enum ResourceTypeName<'db> {
    /// A type of Puppet itself.
    Core(&'static ResourceType),
    /// A defined type, written in Puppet.
    Define(Item<'db>),
    /// A type that a module implements in Ruby.
    Plugin(RubyFile),
    /// A type that the agent package includes. The recorded data may be of another version.
    Agent(&'static ResourceType),
    /// A type of which only the name is known: the environment has generated metadata for it.
    Opaque,
    /// No such type exists.
    Missing,
    /// The type may be defined in a place that isn't available.
    Unknown,
}

/// Resolves a resource type name, as seen from a file.
pub fn resource_type<'db>(
    db: &'db dyn Db,
    from: File,
    environment: Environment,
    name: &str,
) -> ResourceTypeName<'db> {
    let name = normalized(name);
    let is_global = !is_qualified(&name);
    if is_global && let Some(native) = native_type(db, environment, &name) {
        return match native {
            NativeType::Replica(_) => ResourceTypeName::Opaque,
            NativeType::Core(it) => ResourceTypeName::Core(it),
            NativeType::Plugin(it) => ResourceTypeName::Plugin(it),
            NativeType::Agent(it) => ResourceTypeName::Agent(it),
        };
    }
    let looked_up = look_up(db, from, NameKind::Define, &name);
    if let Lookup::Found(item) = looked_up {
        return ResourceTypeName::Define(item);
    }
    let is_unknown = looked_up == Lookup::Unknown
        || is_global
            && (lacks_modules(db, from, environment)
                || is_mentioned(db, environment, RubyKind::ResourceType, name.clone()));
    if is_unknown { ResourceTypeName::Unknown } else { ResourceTypeName::Missing }
}

/// A resource type that is not written in Puppet.
#[derive(Clone, Copy, Debug)]
pub enum NativeType {
    /// The environment has generated metadata for it, which takes precedence (C28, F54).
    Replica(File),
    /// A type of Puppet itself.
    Core(&'static ResourceType),
    /// A type that a module implements in Ruby.
    Plugin(RubyFile),
    /// A type that the agent package includes. The recorded data may be of another version, and compilation doesn't know the
    /// type.
    Agent(&'static ResourceType),
}

/// Finds the resource type with this lower-case name that isn't written in Puppet, for checks and for compilation.
pub fn native_type(db: &dyn Db, environment: Environment, name: &str) -> Option<NativeType> {
    if let Some(file) = replica(db, environment, name) {
        return Some(NativeType::Replica(file));
    }
    if let Some(core) = core::resource_type(name) {
        return Some(NativeType::Core(core));
    }
    if let Some(file) = ruby_definition(db, environment, RubyKind::ResourceType, name.into()) {
        return Some(NativeType::Plugin(file));
    }
    let mut of_agent = core::agent_modules().iter().flat_map(|it| &it.types);
    of_agent.find(|it| it.name == name).map(NativeType::Agent)
}

/// The environment's generated metadata for a resource type, if it exists.
fn replica(db: &dyn Db, environment: Environment, name: &str) -> Option<File> {
    if !names_a_file(name) {
        return None;
    }
    let path = environment.root(db)?.join(".resource_types").join(format!("{name}.pp"));
    let file = db.files().file(db, &path);
    (file.status(db) == FileStatus::Exists).then_some(file)
}

/// The description of a resource type in Ruby, if it is complete.
pub fn described<'db>(
    db: &'db dyn Db,
    found: ResourceTypeName<'db>,
    name: &str,
) -> Option<&'db ResourceType> {
    let described = match found {
        ResourceTypeName::Core(core) => core,
        ResourceTypeName::Plugin(it) if it.is_only => {
            let name = normalized(name);
            ruby_resource_types(db, it.file).types.iter().find(|it| it.name == name)?
        }
        _ => return None,
    };
    described.complete.then_some(described)
}

/// Whether resources of every type have an attribute of this name: a metaparameter, or `name` (F39).
pub fn is_universal(attribute: &str) -> bool {
    attribute == "name" || core::metaparameters().iter().any(|it| it.name == attribute)
}

/// Whether an attribute of resources of this type is set elsewhere than in their declaration, in a module of the environment or in
/// its main manifests.
pub fn is_altered_elsewhere(
    db: &dyn Db,
    environment: Environment,
    from: File,
    name: &str,
    attribute: &str,
) -> bool {
    let name = normalized(name);
    altered_types(db, from).may_have_here(&name, attribute)
        || is_altered(db, environment, name, attribute.into())
}

/// The types that the main manifests and the modules of an environment alter.
#[salsa::tracked(returns(ref))]
fn altered_in_environment(db: &dyn Db, environment: Environment) -> AlteredTypes {
    let mut files: BTreeSet<File> = manifests(db, environment).collect();
    for (module, _) in environment.modules(db).iter() {
        let items = module_definitions(db, environment, module.clone()).values();
        files.extend(items.map(|it| it.file(db)));
    }
    let mut all = AlteredTypes::default();
    all.extend(files.into_iter().map(|file| altered_types(db, file)));
    all
}

/// Callers depend on the alterations of this attribute alone.
#[salsa::tracked(returns(copy))]
fn is_altered(db: &dyn Db, environment: Environment, name: Str, attribute: Str) -> bool {
    altered_in_environment(db, environment).may_have(&name, &attribute)
}
