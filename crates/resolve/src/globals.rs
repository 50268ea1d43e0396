//! Variables that every body can read: facts, variables set by the compiler, and those of the main manifest and of nodes.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use foldhash::HashMap;
use marotte_db::Db;
use marotte_db::{Environment, File};
use marotte_hir::body::{Body, Expr, Target, TargetKind, Variable};
use marotte_hir::{ExprId, ItemKind, is_program, items};
use marotte_pcore::types::{Type, TypeKind};
use marotte_ruby::core;
use marotte_text::Str;
use rapidfuzz::distance::osa;
use regex::Regex;

use crate::custom_facts::{is_custom_fact, may_be_custom_fact};
use crate::lazy_type::LazyType;
use crate::manifests::manifests;

/// Facts of machines on which Puppet Enterprise is installed.
const OF_ENTERPRISE: [&str; 7] = [
    "is_pe",
    "pe_build",
    "pe_major_version",
    "pe_minor_version",
    "pe_patch_version",
    "pe_server_version",
    "pe_version",
];

/// Whether, on some machine, a variable of this name exists without being set in the body: by the compiler, a fact, a main
/// manifest or a node.
pub fn is_global(db: &dyn Db, from: File, environment: Environment, name: &str) -> bool {
    is_always_global(name)
        || is_set_by_program(db, from, environment, name)
        || may_be_custom_fact(db, environment, name.into())
}

/// Whether a variable of this name exists in any environment: the compiler sets it, or the agent's own facts.
pub fn is_always_global(name: &str) -> bool {
    core::VARIABLES.iter().any(|it| it.name == name)
        || is_metaparameter(name)
        || is_core_fact(name)
        || OF_ENTERPRISE.contains(&name)
}

/// The name of the fact that an expression reads: `$facts['os']`.
pub fn fact_by_name<'a>(body: &'a Body, expr: &Expr) -> Option<&'a Str> {
    let Expr::Access { target, keys } = expr else { return None };
    match (is_facts(body, *target), &keys[..]) {
        (true, [key]) => match body.expr(*key) {
            Expr::String(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression is the hash of all facts.
pub fn is_facts(body: &Body, id: ExprId) -> bool {
    let Expr::Variable(variable) = body.expr(id) else { return false };
    match &**variable {
        Variable::Top(name) | Variable::Local { name, .. } => name == "facts",
        Variable::Qualified { .. } | Variable::Group(_) => false,
    }
}

/// Whether a main manifest, a node there, or the file itself sets a variable of this name.
pub fn is_set_by_program(db: &dyn Db, from: File, environment: Environment, name: &str) -> bool {
    let own = is_program(db, from).then(|| variables_of_program(db, from));
    own.is_some_and(|it| it.contains(name)) || is_set_by_manifest(db, environment, name.into())
}

/// Whether a main manifest, or a node in it, sets a variable of this name. Callers depend on this variable alone.
#[salsa::tracked(returns(copy))]
fn is_set_by_manifest(db: &dyn Db, environment: Environment, name: Str) -> bool {
    variables_of_manifests(db, environment).contains(&name)
}

/// The variables that the main manifests and their nodes set.
#[salsa::tracked(returns(ref))]
pub(crate) fn variables_of_manifests(db: &dyn Db, environment: Environment) -> BTreeSet<Str> {
    manifests(db, environment).flat_map(|file| variables_of_program(db, file)).cloned().collect()
}

/// Whether a main manifest, or a node in it, reads a variable of this name from top scope, or as a fact: then machines or a
/// classifier set it. Callers depend on this variable alone.
#[salsa::tracked(returns(copy))]
pub fn is_read_by_manifest(db: &dyn Db, environment: Environment, name: Str) -> bool {
    reads_of_manifests(db, environment).contains(&name)
}

/// The variables that the main manifests and their nodes read from top scope, or as facts.
#[salsa::tracked(returns(ref))]
fn reads_of_manifests(db: &dyn Db, environment: Environment) -> BTreeSet<Str> {
    let items = manifests(db, environment).flat_map(|file| items(db, file));
    let bodies = items.filter(|it| matches!(it.kind(db), ItemKind::Program | ItemKind::Node(_)));
    let read = |body: &Body, expr: &Expr| match expr {
        Expr::Variable(variable) => match &**variable {
            Variable::Top(name) => Some(name.clone()),
            _ => None,
        },
        _ => fact_by_name(body, expr).cloned(),
    };
    bodies.flat_map(|it| it.body(db).exprs().filter_map(|(_, expr)| read(it.body(db), expr))).collect()
}

/// Whether this is a metaparameter, which is a variable wherever a value was given for it.
pub fn is_metaparameter(name: &str) -> bool {
    core::metaparameters().iter().any(|it| it.name == name)
}

/// The variables that a file's program and its nodes set.
#[salsa::tracked(returns(ref))]
pub(crate) fn variables_of_program(db: &dyn Db, file: File) -> BTreeSet<Str> {
    let mut names = BTreeSet::new();
    for item in items(db, file) {
        // A node's variables are visible to everything that is evaluated for it.
        if !matches!(item.kind(db), ItemKind::Program | ItemKind::Node(_)) {
            continue;
        }
        for (_, expr) in item.body(db).exprs() {
            if let Expr::Assign { target, .. } = expr {
                collect(target, &mut names);
            }
        }
    }
    names
}

/// Collects the variables that an assignment sets, except those of lambdas, which have slots.
fn collect(target: &Target, names: &mut BTreeSet<Str>) {
    match &target.kind {
        TargetKind::Variable(name, None) => {
            names.insert(name.clone());
        }
        TargetKind::Several(targets) => targets.iter().for_each(|it| collect(it, names)),
        TargetKind::Variable(_, Some(_)) | TargetKind::Other => {}
    }
}

/// Facter's facts by name, with their types. Families of facts are separate.
pub(crate) static CORE_FACTS: LazyLock<HashMap<&'static str, LazyType>> = LazyLock::new(|| {
    let facts = core::facts().iter().filter(|it| it.pattern.is_none());
    facts.map(|it| (it.name.as_str(), LazyType::new(&it.fact_type))).collect()
});

/// A family of facts: the part of their names before the placeholder, and the regular expression that all of the name matches. Most
/// are never needed.
struct Family {
    start: &'static str,
    pattern: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl Family {
    fn has(&self, name: &str) -> bool {
        // The patterns are part of this program, and plain enough for this engine; a test checks it.
        let regex = || Regex::new(self.pattern).ok();
        name.starts_with(self.start)
            && self.regex.get_or_init(regex).as_ref().is_some_and(|it| it.is_match(name))
    }
}

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let family = |it: &'static core::CoreFact| {
        let start = it.name.split('<').next().unwrap_or_default();
        Some(Family { start, pattern: it.pattern.as_deref()?, regex: OnceLock::new() })
    };
    core::facts().iter().filter_map(family).collect()
});

/// Whether Facter has a fact of this name, on some machine. In the name of a family, such as `ssh<algorithm>key`, the variable part is
/// never empty, although some patterns allow it, and no algorithm has a `_`.
pub fn is_core_fact(name: &str) -> bool {
    let is_without_part = |family: &str| {
        let Some((start, (placeholder, end))) =
            family.split_once('<').and_then(|(start, rest)| Some((start, rest.split_once('>')?)))
        else {
            return false;
        };
        let part = name.strip_prefix(start).and_then(|it| it.strip_suffix(end));
        part.is_some_and(|it| it.is_empty() || placeholder == "algorithm" && it.contains('_'))
    };
    CORE_FACTS.contains_key(name)
        || FAMILIES.iter().any(|it| it.has(name)) && !core::facts().iter().any(|it| is_without_part(&it.name))
}

/// The Facter fact whose name is one letter away from `name`, and that has this component.
pub fn fact_with_part(name: &str, part: &str) -> Option<&'static str> {
    let near = core::facts()
        .iter()
        .map(|it| it.name.as_str())
        .filter(|it| osa::distance(it.chars(), name.chars()) == 1);
    let has_part = |it: &&str| match core_fact_type(it).map(Type::kind) {
        Some(TypeKind::Struct(parts)) => parts.iter().any(|it| it.name == part),
        _ => false,
    };
    near.filter(has_part).min()
}

/// The type of a fact of Facter.
pub fn core_fact_type(name: &str) -> Option<&'static Type> {
    CORE_FACTS.get(name)?.get()
}

/// The type of a fact, `undef` included, because no machine has all facts. None if it is a module's fact, or unknown: files
/// that compute names of facts mention Facter's because they read them.
pub fn fact_type(db: &dyn Db, environment: Environment, name: &str) -> Option<Type> {
    let known = core_fact_type(name)?.clone();
    (!is_custom_fact(db, environment, name.into())).then(|| Type::optional(known))
}

/// Whether the compiler sets this variable in the top scope of every catalog.
pub fn is_of_compiler(name: &str) -> bool {
    core::VARIABLES.iter().any(|it| it.place == core::Place::Top && it.name == name)
}

/// The type of a variable that a body does not set.
pub fn global_type(db: &dyn Db, from: File, environment: Environment, name: &str) -> Option<Type> {
    static OF_COMPILER: LazyLock<HashMap<&'static str, LazyType>> = LazyLock::new(|| {
        let top = core::VARIABLES.iter().filter(|it| it.place == core::Place::Top);
        top.map(|it| (it.name, LazyType::new(it.variable_type))).collect()
    });
    if let Some(known) = OF_COMPILER.get(name) {
        return known.get().cloned();
    }
    // A main manifest or a node may set a variable with the name of a fact.
    if is_set_by_program(db, from, environment, name) {
        return None;
    }
    fact_type(db, environment, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_known_by_name_and_by_family() {
        assert!(is_core_fact("osfamily") && is_core_fact("os") && is_core_fact("ipaddress_eth0"));
        assert!(!is_core_fact("nothing_like_that"));
        for family in &*FAMILIES {
            assert!(Regex::new(family.pattern).is_ok(), "{}", family.pattern);
            let literal = family.pattern.strip_prefix('^').and_then(|it| it.get(..family.start.len()));
            assert_eq!(literal, Some(family.start), "the names of a family start alike");
        }
        assert!(CORE_FACTS.values().all(|it| it.get().is_some()), "all types can be read");
    }
}
