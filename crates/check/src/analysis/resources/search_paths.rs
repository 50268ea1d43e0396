//! The search paths that commands get outside of their declarations.
//!
//! Defaults of resources apply to the code that sets them and to whatever that code declares, on any number of steps: so those of
//! a module concern only modules that it names, directly or through others.

use std::collections::{BTreeMap, BTreeSet};

use marotte_db::{Db, Environment, File, module_file};
use marotte_hir::body::{AttributeName, Body, Callee, Expr, Resource, Segment};
use marotte_hir::{altered, items, module_definitions};
use marotte_resolve::manifests::manifests;
use marotte_text::{Str, first_segment, normalized};

use crate::analysis::names::classes::Inclusion;

/// The names that a body mentions, and the search paths that it sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Paths {
    /// The first segments of the names that may be those of definitions, in lower case.
    names: BTreeSet<Str>,
    /// Whether it declares definitions with computed names.
    declares_any: bool,
    /// Whether defaults or overrides set the path or the provider of commands.
    sets_default: bool,
    /// The number of commands, and of those that are relative and have no search path.
    commands: usize,
    bare: usize,
    /// Whether collectors, or expressions with a computed type, set these: this may concern the whole catalog.
    sets_all: bool,
}

impl Paths {
    fn add(&mut self, body: &Body) {
        for (_, expr) in body.exprs() {
            match expr {
                Expr::String(name) | Expr::Reference(name) => self.name(name),
                Expr::Resource(it) => match body.expr(it.type_name) {
                    Expr::String(name) if name == "exec" => self.commands(body, it),
                    Expr::String(_) | Expr::Reference(_) => {}
                    _ => self.declares_any = true,
                },
                Expr::Call(call) => {
                    if let Callee::Function(name) = &call.callee {
                        self.declares_any |= matches!(
                            name.as_str(),
                            "create_resources" | "ensure_resource" | "ensure_resources"
                        ) && !call
                            .arguments
                            .first()
                            .is_some_and(|it| matches!(body.expr(*it), Expr::String(_)));
                    }
                }
                _ => {}
            }
            self.declares_any |= Inclusion::of(body, expr).is_some_and(|it| !it.is_complete);
            let Some((name, attributes)) = altered(body, expr) else { continue };
            let sets = attributes.iter().any(|it| match &it.name {
                AttributeName::Name(name) => matches!(name.as_str(), "path" | "provider"),
                AttributeName::Unfold => true,
            });
            let is_command = name.is_none_or(|it| normalized(it) == "exec");
            if sets && is_command {
                match expr {
                    Expr::Collector(_) => self.sets_all = true,
                    _ if name.is_none() => self.sets_all = true,
                    _ => self.sets_default = true,
                }
            }
        }
    }

    fn commands(&mut self, body: &Body, resource: &Resource) {
        for it in &resource.bodies {
            let named = |names: &[&str]| {
                let is_it = |name: &AttributeName| match name {
                    AttributeName::Name(name) => names.contains(&name.as_str()),
                    AttributeName::Unfold => true,
                };
                it.attributes.iter().find(|it| is_it(&it.name))
            };
            let command = named(&["command"]).map_or(it.title, |it| it.value);
            let start = match body.expr(command) {
                Expr::String(text) => Some(text.as_str()),
                Expr::Interpolated(segments) => match segments.first() {
                    Some(Segment::Text(text)) => Some(text.as_str()),
                    _ => None,
                },
                _ => None,
            };
            let is_bare = start.is_some_and(|it| {
                it.starts_with(|it: char| it.is_ascii_alphanumeric()) && it.get(1..2) != Some(":")
            });
            self.commands += 1;
            self.bare += usize::from(is_bare && named(&["path", "provider"]).is_none());
        }
    }

    fn name(&mut self, name: &str) {
        let name = normalized(name);
        let first = first_segment(&name);
        if first.starts_with(|it: char| it.is_ascii_lowercase())
            && first.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
        {
            self.names.insert(first.into());
        }
    }
}

/// Returns the names and search paths of a file.
#[salsa::tracked(returns(ref))]
fn paths_of_file(db: &dyn Db, file: File) -> Paths {
    let mut found = Paths::default();
    items(db, file).iter().for_each(|it| found.add(it.body(db)));
    found
}

/// Whether the module of a file has several commands, all of which but one are absolute or have a search path: then it relies on no
/// defaults of a site.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_only_bare_command(db: &dyn Db, environment: Environment, file: File) -> bool {
    let Some(module) = module_file(db, file) else { return false };
    let files: BTreeSet<File> =
        module_definitions(db, environment, module.module.clone()).values().map(|it| it.file(db)).collect();
    let counts = files.into_iter().map(|it| paths_of_file(db, it)).map(|it| (it.commands, it.bare));
    let (commands, bare) = counts.fold((0, 0), |all, it| (all.0 + it.0, all.1 + it.1));
    commands > 2 && bare == 1
}

/// The modules whose commands may get a search path from code outside of them. None if that may be all.
#[salsa::tracked(returns(ref))]
fn modules_with_paths(db: &dyn Db, environment: Environment) -> Option<BTreeSet<Str>> {
    let of_site = manifests(db, environment).map(|it| paths_of_file(db, it));
    if of_site.into_iter().any(|it| it.sets_default || it.sets_all) {
        return None;
    }
    let mut of_modules: BTreeMap<&Str, Paths> = BTreeMap::new();
    for (module, _) in environment.modules(db).iter() {
        let files: BTreeSet<File> =
            module_definitions(db, environment, module.clone()).values().map(|it| it.file(db)).collect();
        let all = of_modules.entry(module).or_default();
        for paths in files.into_iter().map(|it| paths_of_file(db, it)) {
            all.names.extend(paths.names.iter().cloned());
            all.declares_any |= paths.declares_any;
            all.sets_default |= paths.sets_default;
            all.sets_all |= paths.sets_all;
        }
    }
    if of_modules.values().any(|it| it.sets_all) {
        return None;
    }
    let mut open: Vec<&Str> =
        of_modules.iter().filter(|(_, it)| it.sets_default).map(|(name, _)| *name).collect();
    let mut reached: BTreeSet<Str> = BTreeSet::new();
    while let Some(module) = open.pop() {
        let Some((module, paths)) = of_modules.get_key_value(module) else { continue };
        if !reached.insert((*module).clone()) {
            continue;
        }
        if paths.declares_any {
            return None;
        }
        open.extend(of_modules.keys().filter(|it| paths.names.contains(it.as_str())));
    }
    Some(reached)
}

/// Whether commands that a file declares may get a search path from elsewhere: from defaults, overrides or collectors.
#[salsa::tracked(returns(copy))]
pub(crate) fn may_have_path(db: &dyn Db, environment: Environment, file: File) -> bool {
    let own = paths_of_file(db, file);
    let module = module_file(db, file);
    own.sets_default
        || own.sets_all
        || match modules_with_paths(db, environment) {
            None => true,
            Some(reached) => match module {
                Some(it) => reached.contains(&it.module),
                // Nothing in modules declares what is in a manifest of the site.
                None => false,
            },
        }
}
