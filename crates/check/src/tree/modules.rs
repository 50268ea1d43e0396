//! `unlisted-module`, `unused-module`, `uninstalled-module`: differences between the modules that a `Puppetfile` lists and
//! those that the code needs.

use marotte_diagnostics::rules;
use std::collections::BTreeMap;

use foldhash::HashMap;
use marotte_db::{Db, File, FileStatus, files_below, listing};
use marotte_eval::functions::Names;
use marotte_hir::body::Expr;
use marotte_hir::{ExprId, Item, is_readable, items, places};
use marotte_infer::literal::{class_names, type_name};
use marotte_resolve::call::{NamedCall, queries_catalog};
use marotte_resolve::manifests::manifests;
use marotte_resolve::metadata::metadata;
use marotte_resolve::names::module_of;
use marotte_resolve::puppetfile::{Puppetfile, puppetfile};
use marotte_ruby::core::agent_modules;
use marotte_text::{Str, TextRange, normalized};

use super::Tree;
use super::read::{environment_mentions, folder_mentions, roots};

pub(super) fn check(tree: &mut Tree<'_>) {
    let Some((file, listed)) = puppetfile(tree.db, tree.environment) else { return };
    uninstalled(tree, file, listed);
    // Other Ruby code may list any module, and librarian-puppet, which writes the lock file, also fetches the dependencies
    // of modules.
    let lock = tree.db.files().file(tree.db, &tree.root.join("Puppetfile.lock"));
    if listed.is_complete && lock.status(tree.db) == FileStatus::Missing {
        unused(tree, file, listed);
        unlisted(tree, listed);
    }
}

/// Reports the modules that are listed but not installed, with the names that were therefore not checked.
fn uninstalled(tree: &mut Tree<'_>, file: File, listed: &Puppetfile) {
    /// The number of names that the note shows.
    const SHOWN: usize = 3;
    let (db, environment) = (tree.db, tree.environment);
    let missing: Vec<_> =
        listed.modules.iter().filter(|it| environment.modules(db).folder(&it.name).is_none()).collect();
    if missing.is_empty() {
        return;
    }
    // A module's name alone could be any word.
    let mut mentioned: HashMap<&str, Vec<&Str>> = HashMap::default();
    for (module, name) in environment_mentions(db, environment).0.qualified() {
        mentioned.entry(module).or_default().push(name);
    }
    for module in missing {
        let mut names = mentioned.remove(&*module.name).unwrap_or_default();
        names.sort();
        let message = format!("module `{}` is in no folder of the module path", module.name);
        let finding = tree.report(rules::UNINSTALLED_MODULE, file, module.range, message);
        finding.label = Some("not installed".to_owned());
        let shown: Vec<String> = names.iter().take(SHOWN).map(|it| format!("`{it}`")).collect();
        let rest = names.len().saturating_sub(SHOWN);
        finding.notes.push(match (shown.is_empty(), rest) {
            (true, _) => "uses of its classes, types and functions were not checked".to_owned(),
            (false, 0) => format!("not checked: {}", shown.join(", ")),
            (false, _) => format!("not checked: {} and {rest} more", shown.join(", ")),
        });
    }
}

/// Reports the modules that are listed but unused. Only if all modules are installed, because each may need others.
fn unused(tree: &mut Tree<'_>, file: File, listed: &Puppetfile) {
    let (db, environment) = (tree.db, tree.environment);
    let modules = environment.modules(db);
    if listed.modules.iter().any(|it| modules.folder(&it.name).is_none()) {
        return;
    }
    let mentioned: Vec<_> = roots(db, environment)
        .into_iter()
        .map(|root| {
            let (mentions, is_complete) = folder_mentions(db, environment, db.files().file(db, root));
            (root, mentions, is_complete, mentions.modules())
        })
        .collect();
    for module in &listed.modules {
        let Some(folder) = modules.folder(&module.name) else { continue };
        let is_needed = modules.iter().any(|(name, _)| {
            let of_other = metadata(db, environment, name.clone()).filter(|_| *name != module.name);
            of_other.is_some_and(|it| it.dependencies.contains(&module.name))
        });
        let Some(offered) = offered(db, db.files().file(db, folder)) else { continue };
        let is_used = mentioned.iter().filter(|(root, ..)| *root != folder).any(
            |(_, mentions, is_complete, modules)| {
                !*is_complete || modules.may_use(&module.name) || offered.iter().any(|it| mentions.names(it))
            },
        );
        if !is_needed && !is_used {
            let message = format!("nothing in the tree uses module `{}`", module.name);
            let finding = tree.report(rules::UNUSED_MODULE, file, module.range, message);
            finding.label = Some("not used".to_owned());
        }
    }
}

/// Returns the names that a module offers without its own name as a prefix: resource types and functions in Ruby. None if
/// it has plugins that work without being named, such as facts and providers.
fn offered(db: &dyn Db, folder: File) -> Option<Vec<String>> {
    let folder = folder.path(db);
    let names = |path: &str| -> Vec<String> {
        let entries = listing(db, db.files().file(db, &folder.join(path)));
        entries.iter().map(|it| it.name.clone()).collect()
    };
    let is_quiet = names("lib").iter().all(|it| it == "puppet")
        && names("lib/puppet").iter().all(|it| matches!(it.as_str(), "functions" | "parser" | "type"))
        && names("lib/puppet/parser").iter().all(|it| it == "functions")
        && ["facts.d", "tasks", "plans"].iter().all(|it| names(it).is_empty());
    let folders = ["lib/puppet/functions", "lib/puppet/parser/functions", "lib/puppet/type"];
    let files = folders.iter().flat_map(|it| files_below(db, &folder.join(it), "rb"));
    is_quiet.then(|| files.filter_map(|it| Some(it.file_stem()?.to_lowercase())).collect())
}

/// Whether Puppet Enterprise installs a module on its servers.
fn comes_with_enterprise(module: &str) -> bool {
    module.starts_with("pe_") || matches!(module, "puppet_enterprise" | "puppet_metrics_collector")
}

/// Reports the modules that code needs, but that are neither listed nor installed: once for each module, at the first use.
fn unlisted(tree: &mut Tree<'_>, listed: &Puppetfile) {
    let (db, environment) = (tree.db, tree.environment);
    let mut files: Vec<File> = manifests(db, environment).collect();
    for (_, folder) in tree.own_modules() {
        for name in ["manifests", "functions", "types"] {
            files.extend(files_below(db, &folder.join(name), "pp").iter().map(|it| db.files().file(db, it)));
        }
    }
    let mut found: BTreeMap<String, (Item<'_>, ExprId, Str, usize)> = BTreeMap::new();
    let mut defined: Vec<Str> = Vec::new();
    for file in files.into_iter().filter(|it| is_readable(db, *it)) {
        for item in items(db, file) {
            defined.push(normalized(item.name(db)));
            if queries_catalog(item.body(db)) {
                continue;
            }
            for (at, name) in named(*item, db) {
                let module = module_of(&name);
                let comes_with_agent =
                    agent_modules().iter().any(|it| it.name.split(['-', '/']).next_back() == Some(module));
                if comes_with_agent
                    || comes_with_enterprise(module)
                    || listed.module(module).is_some()
                    || environment.modules(db).folder(module).is_some()
                {
                    continue;
                }
                found.entry(module.to_owned()).or_insert_with(|| (*item, at, name.clone(), 0)).3 += 1;
            }
        }
    }
    for (module, (item, at, name, count)) in found {
        // Main manifests may define anything, and before Puppet 4 a name was also looked up in the enclosing namespace.
        let relative = format!("::{name}");
        if defined.iter().any(|it| module_of(it) == module || it.ends_with(&relative)) {
            continue;
        }
        let range: TextRange = places(db, item).map.place(at).map(|it| it.range).unwrap_or_default();
        let message = format!("module `{module}` is used, but the `Puppetfile` does not list it");
        let finding = tree.report(rules::UNLISTED_MODULE, item.file(db), range, message);
        finding.label = Some(format!("uses `{name}`"));
        if count > 1 {
            finding.notes.push(format!("it is used in {count} places"));
        }
    }
}

/// Returns the literal names that belong to a module by their namespace, and literal names of classes.
fn named(item: Item<'_>, db: &dyn Db) -> Vec<(ExprId, Str)> {
    let body = item.body(db);
    let mut found: Vec<(ExprId, Str)> = Vec::new();
    let is_qualified = |name: &str| name.contains("::");
    for (id, expr) in body.exprs() {
        if let Some(call) = NamedCall::of(expr) {
            if call.names() == Some(Names::Classes) {
                for argument in call.arguments() {
                    found.extend(class_names(body, argument).0.iter().map(|(at, it)| (*at, normalized(it))));
                }
            } else if is_qualified(call.plain_name()) {
                found.push((id, normalized(call.name)));
            }
        }
        match expr {
            Expr::Resource(it) => match type_name(body, it) {
                Some(name) if &*name == "class" => {
                    for it in &it.bodies {
                        let titles = class_names(body, it.title).0;
                        found.extend(titles.iter().map(|(at, it)| (*at, normalized(it))));
                    }
                }
                Some(name) if is_qualified(&name) => found.push((it.type_name, name)),
                _ => {}
            },
            Expr::Reference(name) if is_qualified(marotte_text::unrooted(name)) => {
                found.push((id, normalized(name)));
            }
            _ => {}
        }
    }
    found
}
