//! The names that the code of a module uses, and how often. A name of an unavailable module that appears once, while a nearly
//! equal one appears several times, is a slip.

use std::collections::{BTreeMap, BTreeSet};

use marotte_db::{Db, Environment, File, files_below, module_file, module_folder};
use marotte_hir::body::{AttributeName, Expr};
use marotte_hir::{Body, items};
use marotte_resolve::call::NamedCall;
use marotte_resolve::globals::fact_by_name;
use marotte_resolve::metadata::metadata;
use marotte_resolve::names::module_of;
use marotte_resolve::puppetfile::puppetfile;
use marotte_resolve::spelling::{has_swapped_letters, is_other_number, is_slip, slip};
use marotte_text::{Str, normalized};

use crate::analysis::names::classes::Inclusion;
use crate::context::Context;

/// The maximum number of names with which a name is compared.
const MOST: usize = 1000;

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Used {
    Class,
    Function,
    /// A resource type or a type, in lower case.
    Type,
}

/// The names of one file, or of all files of a module, each with the number of its places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct UsedNames {
    names: BTreeMap<(Used, Str), usize>,
    /// The names that a module uses several times; empty for one file.
    repeated: Vec<(Used, Str)>,
    /// The attributes by the types of their resources.
    attributes: BTreeMap<(Str, Str), usize>,
    /// The first segments of the names.
    of_modules: BTreeMap<Str, usize>,
    /// The facts that are read from `$facts`.
    facts: BTreeMap<Str, usize>,
}

/// A name with what it is a name of: a kind, or the type of a resource with this attribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UsedName {
    /// Of a definition.
    Definition(Used, Str),
    /// Of a resource type, and of its attribute.
    Attribute(Str, Str),
    /// The first segment of other names.
    Module(Str),
    /// Of a fact.
    Fact(Str),
}

impl UsedName {
    /// Whether files that use one name may have other findings if another one of the module is used more or less often: the same
    /// name, or one that is nearly equal.
    fn concerns(&self, other: &UsedName) -> bool {
        /// The largest difference in bytes that one letter makes.
        const LETTER: usize = 4;
        let is_alike = |one: &str, other: &str| {
            let (one_ends, other_ends) = (one.as_bytes(), other.as_bytes());
            // Most names differ in this, which takes the least time: one letter is at one end at most.
            one.len().abs_diff(other.len()) <= LETTER
                && (one_ends.first() == other_ends.first() || one_ends.last() == other_ends.last())
                && (one == other
                    || is_near(one, other)
                    || is_near_segment(one, other)
                    || is_other_number(one, other))
        };
        match (self, other) {
            (UsedName::Definition(kind, one), UsedName::Definition(of, other)) => {
                kind == of && is_alike(one, other)
            }
            (UsedName::Attribute(of, one), UsedName::Attribute(of_other, other)) => {
                of == of_other && is_alike(one, other)
            }
            (UsedName::Module(one), UsedName::Module(other))
            | (UsedName::Fact(one), UsedName::Fact(other)) => is_alike(one, other),
            _ => false,
        }
    }
}

impl UsedNames {
    fn all(&self) -> impl Iterator<Item = (UsedName, usize)> {
        let definitions =
            self.names.iter().map(|((kind, name), it)| (UsedName::Definition(*kind, name.clone()), *it));
        let attributes = self
            .attributes
            .iter()
            .map(|((of, name), it)| (UsedName::Attribute(of.clone(), name.clone()), *it));
        let modules = self.of_modules.iter().map(|(name, it)| (UsedName::Module(name.clone()), *it));
        let facts = self.facts.iter().map(|(name, it)| (UsedName::Fact(name.clone()), *it));
        definitions.chain(attributes).chain(modules).chain(facts)
    }

    /// The names of definitions, with their kinds.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = &(Used, Str)> {
        self.names.keys()
    }

    /// The names that one of two files uses more often than the other one.
    pub(crate) fn other(&self, other: &UsedNames) -> BTreeSet<UsedName> {
        let (one, other): (BTreeSet<_>, BTreeSet<_>) = (self.all().collect(), other.all().collect());
        one.symmetric_difference(&other).map(|(name, _)| name.clone()).collect()
    }

    fn add(&mut self, kind: Used, name: &str) {
        let name = normalized(name);
        *self.of_modules.entry(module_of(&name).into()).or_default() += 1;
        *self.names.entry((kind, name)).or_default() += 1;
    }
}

/// The name of another kind that is meant by a name of an unavailable module: one that the module uses several times, or that is
/// of a module on which it depends.
pub(crate) fn meant_elsewhere(context: &Context<'_, '_>, kind: Used, name: &str) -> Option<Str> {
    let (db, environment) = (context.db, context.environment);
    let module = module_file(db, context.file)?.module.clone();
    let name = normalized(name);
    let all = used_in_module(db, environment, module.clone());
    if all.names.get(&(kind, name.clone())).is_some_and(|it| *it > 1) {
        return None;
    }
    let of_kind = all.repeated.iter().filter(|it| it.0 == kind).take(MOST);
    let near = of_kind.map(|it| &it.1).find(|it| is_near(&name, it));
    let is_lone = || all.of_modules.get(module_of(&name)).is_none_or(|it| *it < 2);
    let of_listed = || {
        let of_dependency = of_dependency(db, environment, module.clone(), &name);
        of_dependency.or_else(|| of_puppetfile(db, environment, module, &name))
    };
    near.cloned().or_else(|| of_listed().filter(|_| is_lone()))
}

/// The resource type whose plural a reference names, if the module uses the type, and names the plural nowhere else.
pub(crate) fn singular_of_reference(context: &Context<'_, '_>, name: &str) -> Option<Str> {
    let (db, environment) = (context.db, context.environment);
    let module = module_file(db, context.file)?.module.clone();
    let name = normalized(name);
    let singular = Str::from(name.strip_suffix('s')?);
    let all = &used_in_module(db, environment, module).names;
    let is_lone = all.get(&(Used::Type, name)).is_none_or(|it| *it < 2);
    (is_lone && all.contains_key(&(Used::Type, singular.clone()))).then_some(singular)
}

/// The module that the metadata of a file's module lists instead of another one, which its code uses several times.
pub(crate) fn misspelled_dependency(context: &Context<'_, '_>, module: &str) -> Option<Str> {
    let (db, environment) = (context.db, context.environment);
    let own = module_file(db, context.file)?.module.clone();
    let times = used_in_module(db, environment, own.clone()).of_modules.get(module).copied();
    let meant = of_dependency(db, environment, own.clone(), module)?;
    let uses_meant = used_in_module(db, environment, own).of_modules.contains_key(&meant);
    (times.is_some_and(|it| it > 1) && !uses_meant).then_some(meant)
}

/// Whether the name of an unavailable module, which its code uses once, is nearly that of a module that the metadata of a file's module
/// lists.
pub(crate) fn is_like_dependency(context: &Context<'_, '_>, module: &str) -> bool {
    let (db, environment) = (context.db, context.environment);
    let Some(own) = module_file(db, context.file).map(|it| it.module.clone()) else { return false };
    let times = used_in_module(db, environment, own.clone()).of_modules.get(module).copied();
    times.is_none_or(|it| it < 2) && of_dependency(db, environment, own, module).is_some()
}

/// The same name in a module that the metadata list, if they don't list its own, and the names of the modules are nearly equal.
fn of_dependency(db: &dyn Db, environment: Environment, module: Str, name: &str) -> Option<Str> {
    let listed = &metadata(db, environment, module)?.dependencies;
    let own = module_of(name);
    if listed.iter().any(|it| it == own) {
        return None;
    }
    let meant = listed.iter().find(|it| is_near_segment(own, it))?;
    Some(format!("{meant}{}", &name[own.len()..]).into())
}

/// The same name in a module of the `Puppetfile`, if neither that nor the metadata list its own, and the names of the modules are
/// nearly equal.
fn of_puppetfile(db: &dyn Db, environment: Environment, module: Str, name: &str) -> Option<Str> {
    let (_, listed) = puppetfile(db, environment)?;
    let own = module_of(name);
    let is_dependency =
        metadata(db, environment, module).is_some_and(|it| it.dependencies.iter().any(|it| it == own));
    if !listed.is_complete || is_dependency || listed.module(own).is_some() {
        return None;
    }
    // Without the rest of a qualified name, a plural says too little.
    let is_qualified = own.len() < name.len();
    let is_near = |it: &str| is_near_segment(own, it) || is_qualified && is_other_number(own, it);
    let meant = listed.modules.iter().find(|it| is_near(&it.name))?;
    Some(format!("{}{}", meant.name, &name[own.len()..]).into())
}

/// The first file of a module that uses a definition of another one.
pub(crate) fn first_user(context: &Context<'_, '_>, module: &str) -> Option<File> {
    let (db, environment) = (context.db, context.environment);
    let own = module_file(db, context.file)?.module.clone();
    manifests(db, environment, own).into_iter().find(|it| used_in(db, *it).of_modules.contains_key(module))
}

/// The attribute that is meant by one of a resource whose type belongs to an unavailable module: one that the module sets in
/// several resources of the type.
pub(crate) fn meant_attribute(context: &Context<'_, '_>, resource_type: &str, name: &str) -> Option<Str> {
    let module = module_file(context.db, context.file)?.module.clone();
    let used = &used_in_module(context.db, context.environment, module).attributes;
    let of_type = normalized(resource_type);
    if used.get(&(of_type.clone(), name.into())).is_some_and(|it| *it > 1) {
        return None;
    }
    let others = used.range((of_type.clone(), Str::default())..).take_while(|((of, _), _)| *of == of_type);
    let repeated = others.filter(|(_, times)| **times > 1).take(MOST);
    repeated.map(|((_, it), _)| it).find(|it| is_near_segment(name, it)).cloned()
}

/// The fact that is meant by one that no module here has, and that the module reads once: one that it reads several times.
pub(crate) fn meant_fact(context: &Context<'_, '_>, name: &str) -> Option<Str> {
    let module = module_file(context.db, context.file)?.module.clone();
    let used = &used_in_module(context.db, context.environment, module).facts;
    if used.get(name).is_none_or(|it| *it > 1) {
        return None;
    }
    let repeated = used.iter().filter(|it| *it.1 > 1).take(MOST);
    repeated.map(|it| it.0).find(|it| is_near_segment(name, it)).cloned()
}

/// Whether two names differ in one segment only, by a slip.
fn is_near(one: &str, other: &str) -> bool {
    let mut differ = one.split("::").zip(other.split("::")).filter(|(one, other)| one != other);
    one.matches("::").count() == other.matches("::").count()
        && differ.next().is_some_and(|(one, other)| is_near_segment(one, other))
        && differ.next().is_none()
}

/// Whether two names differ by a slip. Those with another digit, another last letter or an `s` more may be several of a kind: `web1`
/// and `web2`, `disk_a` and `disk_b`, `httpurl` and `httpsurl`.
fn is_near_segment(one: &str, other: &str) -> bool {
    let digits = |name: &str| name.bytes().filter(u8::is_ascii_digit).collect::<Vec<u8>>();
    let ends_alike = one.bytes().next_back() == other.bytes().next_back();
    let is_near =
        is_slip(one, other) || has_swapped_letters(one, other) || ends_alike && slip(one, [other]).is_some();
    is_near && digits(one) == digits(other) && !differs_by_s(one, other) && !differs_by_s(other, one)
}

/// Whether a name is another one with an `s` inserted.
fn differs_by_s(long: &str, short: &str) -> bool {
    let start = long.bytes().zip(short.bytes()).take_while(|(one, other)| one == other).count();
    long.as_bytes().get(start) == Some(&b's')
        && long.as_bytes().get(start + 1..) == short.as_bytes().get(start..)
}

/// The names that the code of a module uses.
#[salsa::tracked(returns(ref))]
fn used_in_module(db: &dyn Db, environment: Environment, module: Str) -> UsedNames {
    let mut found = UsedNames::default();
    for file in manifests(db, environment, module) {
        let used = used_in(db, file);
        for (name, times) in &used.names {
            *found.names.entry(name.clone()).or_default() += times;
        }
        for (name, times) in &used.of_modules {
            *found.of_modules.entry(name.clone()).or_default() += times;
        }
        for (name, times) in &used.facts {
            *found.facts.entry(name.clone()).or_default() += times;
        }
        for (name, times) in &used.attributes {
            *found.attributes.entry(name.clone()).or_default() += times;
        }
    }
    found.repeated = found.names.iter().filter(|it| *it.1 > 1).map(|it| it.0.clone()).collect();
    found
}

/// The files with the code of a module.
fn manifests(db: &dyn Db, environment: Environment, module: Str) -> Vec<File> {
    let Some(folder) = module_folder(db, environment, module) else { return Vec::new() };
    let folders = ["manifests", "functions", "plans", "types"].map(|it| folder.join(it));
    folders.iter().flat_map(|it| files_below(db, it, "pp")).map(|it| db.files().file(db, &it)).collect()
}

/// Whether the check of a file may depend on how often its module uses some names.
pub fn counts_names(db: &dyn Db, file: File, names: &BTreeSet<UsedName>) -> bool {
    /// So many names are not worth comparing.
    const MANY: usize = 64;
    names.len() > MANY || used_in(db, file).all().any(|(own, _)| names.iter().any(|it| own.concerns(it)))
}

/// The names that a file uses.
#[salsa::tracked(returns(ref))]
pub(crate) fn used_in(db: &dyn Db, file: File) -> UsedNames {
    let mut found = UsedNames::default();
    for item in items(db, file) {
        if let Some(parent) = &item.signature(db).parent {
            found.add(Used::Class, parent);
        }
        of_body(item.body(db), &mut found);
    }
    found
}

fn of_body(body: &Body, found: &mut UsedNames) {
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Access { .. } => {
                if let Some(name) = fact_by_name(body, expr) {
                    *found.facts.entry(name.into()).or_default() += 1;
                }
            }
            Expr::Reference(name) => found.add(Used::Type, name),
            Expr::Resource(resource) => {
                let Expr::String(name) = body.expr(resource.type_name) else { continue };
                let is_class = name == "class";
                if !is_class {
                    found.add(Used::Type, name);
                }
                for part in &resource.bodies {
                    if let Expr::String(title) = body.expr(part.title)
                        && is_class
                    {
                        found.add(Used::Class, title);
                    }
                    for attribute in &part.attributes {
                        if let AttributeName::Name(attribute) = &attribute.name {
                            let key = (normalized(name), attribute.clone());
                            *found.attributes.entry(key).or_default() += 1;
                        }
                    }
                }
            }
            _ => {
                if let Some(inclusion) = Inclusion::of(body, expr) {
                    inclusion.classes.iter().for_each(|(_, name)| found.add(Used::Class, name));
                } else if let Some(call) = NamedCall::of(expr) {
                    found.add(Used::Function, call.plain_name());
                }
            }
        }
    }
}
