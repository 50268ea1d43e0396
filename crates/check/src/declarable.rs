//! Which resources the code of an environment can declare, whatever is asked of it.

use std::collections::{BTreeMap, BTreeSet};

use marotte_db::{Environment, File, files_below};
use marotte_hir::body::{Attribute, AttributeName, Body, Callee, Expr};
use marotte_hir::{ExprId, Item, NameKind, is_readable, items};

use crate::Db;
use crate::literal::{class_names, normalize, strings, type_name};
use crate::names::{Lookup, known, look_up};

/// What can be declared: more than is, never less.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Declarable {
    /// By type: the titles, and other names, as [`loose`] gives them.
    titles: BTreeMap<String, BTreeSet<String>>,
    /// Types with titles that are computed.
    open: BTreeSet<String>,
    /// Resources of any type.
    anything: bool,
    /// Something is used that is not here: a class, a resource type.
    reaches_out: bool,
    /// What is used by name: classes, defined types, functions.
    used: BTreeSet<(NameKind, String)>,
    /// Classes are used whose names are computed.
    uses_any: bool,
}

impl Declarable {
    /// Whether a resource may be declared.
    pub(crate) fn may_have(&self, type_name: &str, title: &str) -> bool {
        self.anything
            || self.open.contains(type_name)
            || self.titles.get(type_name).is_some_and(|it| it.contains(&loose(title)))
    }

    fn add(&mut self, other: &Declarable) {
        for (type_name, titles) in &other.titles {
            self.titles.entry(type_name.clone()).or_default().extend(titles.iter().cloned());
        }
        self.open.extend(other.open.iter().cloned());
        self.anything |= other.anything;
        self.reaches_out |= other.reaches_out;
        self.uses_any |= other.uses_any;
    }

    fn title(&mut self, type_name: &str, title: &str) {
        self.titles.entry(type_name.to_owned()).or_default().insert(loose(title));
    }
}

/// A title without what resource types may take out of it, or fold: enough to tell what is surely another.
fn loose(title: &str) -> String {
    let stays = |it: &char| it.is_alphanumeric() || matches!(it, '-' | '_' | '.');
    title.chars().filter(stays).flat_map(char::to_lowercase).collect()
}

/// What an environment can declare: its main manifests, and every module that it has. Other nodes, classifiers and data
/// can only choose among that. Where no module is known at all, a manifest that uses none says what there is. A file that
/// belongs neither to a module nor to the main manifests stands for those; and a program by itself, which uses nothing by
/// a computed name, declares no more than what it uses does.
#[salsa::tracked(returns(ref))]
pub(crate) fn declarable(db: &dyn Db, environment: Environment, own: Option<File>) -> Declarable {
    let is_complete = environment.is_complete(db);
    let lacks_some = !is_complete && environment.modules(db).iter().next().is_some();
    let mut all = Declarable { anything: lacks_some, ..Declarable::default() };
    let mut files: Vec<File> = own.into_iter().collect();
    files.extend(environment.manifests(db).iter().map(|path| db.files().file(db, path)));
    let programs = files.clone();
    for (_, folder) in environment.modules(db).iter() {
        for part in ["manifests", "functions"] {
            let paths = files_below(db, &folder.join(part), "pp");
            files.extend(paths.iter().map(|path| db.files().file(db, path)));
        }
    }
    // In an environment, a classifier may choose any class besides.
    if own.is_some()
        && environment.root(db).is_none()
        && let Some(reached) = reachable(db, &programs)
    {
        all.add(&reached);
        all.anything |= !is_complete && all.reaches_out;
        return all;
    }
    for file in files {
        if all.anything {
            break;
        }
        all.anything |= !is_readable(db, file);
        for item in items(db, file) {
            all.add(of_item(db, *item));
        }
    }
    all.anything |= !is_complete && all.reaches_out;
    all
}

/// What programs can declare by what they use, and what that uses. None if they use what they compute, or what is not
/// understood: then they may use anything.
fn reachable(db: &dyn Db, programs: &[File]) -> Option<Declarable> {
    let mut all = Declarable::default();
    let mut open: Vec<Item<'_>> = Vec::new();
    for file in programs {
        if !is_readable(db, *file) {
            return None;
        }
        open.extend(items(db, *file));
    }
    let mut seen: BTreeSet<Item<'_>> = open.iter().copied().collect();
    while let Some(item) = open.pop() {
        let found = of_item(db, item);
        if found.uses_any {
            return None;
        }
        all.add(found);
        for (kind, name) in &found.used {
            match look_up(db, item.file(db), *kind, name) {
                Lookup::Found(item) => {
                    if seen.insert(item) {
                        open.push(item);
                    }
                }
                Lookup::Unknown => return None,
                Lookup::Missing => {}
            }
        }
    }
    Some(all)
}

/// What one item can declare.
#[salsa::tracked(returns(ref))]
pub(crate) fn of_item<'db>(db: &'db dyn Db, item: Item<'db>) -> Declarable {
    let body = item.body(db);
    let mut found = Declarable::default();
    if let Some(parent) = &item.signature(db).parent {
        found.used.insert((NameKind::Class, normalize(parent)));
    }
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Resource(it) => {
                let Some(type_name) = type_name(body, it) else {
                    found.anything = true;
                    continue;
                };
                found.reaches_out |= type_name != "class"
                    && marotte_ruby::core::resource_type(&type_name).is_none()
                    && known(db, item.file(db), NameKind::Define, &type_name).is_none();
                for resource in &it.bodies {
                    let (titles, complete) = strings(body, resource.title);
                    if type_name == "class" {
                        found.reaches_out |= !are_here(db, item, resource.title);
                        use_classes(body, resource.title, &mut found);
                    } else {
                        found.used.insert((NameKind::Define, type_name.clone()));
                    }
                    for (_, title) in titles {
                        found.title(&type_name, title);
                    }
                    if !complete || !names(db, item, &type_name, &resource.attributes, &mut found) {
                        found.open.insert(type_name.clone());
                    }
                }
            }
            // What these set may be a name.
            Expr::ResourceDefaults(target, attributes) | Expr::ResourceOverride(_, target, attributes) => {
                set(db, item, *target, attributes, &mut found);
            }
            Expr::Collector(it) => {
                // Brings what other nodes export.
                if it.exported {
                    open(body, it.type_ref, &mut found);
                }
                set(db, item, it.type_ref, &it.attributes, &mut found);
            }
            Expr::Call(call) => match &call.callee {
                Callee::Function(name) => called(db, item, name, &call.arguments, &mut found),
                Callee::Type(_) => {}
                Callee::Other(_) => found.anything = true,
            },
            Expr::MethodCall(call) => called(db, item, &call.name, &[call.receiver], &mut found),
            _ => {}
        }
    }
    found
}

fn set(db: &dyn Db, item: Item<'_>, target: ExprId, attributes: &[Attribute], found: &mut Declarable) {
    let body = item.body(db);
    let target_name = match body.expr(target) {
        Expr::Access { target, .. } => *target,
        _ => target,
    };
    let Expr::Reference(name) = body.expr(target_name) else {
        found.anything |= !attributes.is_empty();
        return;
    };
    let name = normalize(name);
    if !names(db, item, &name, attributes, found) {
        found.open.insert(name);
    }
}

fn open(body: &Body, type_ref: ExprId, found: &mut Declarable) {
    match body.expr(type_ref) {
        Expr::Reference(name) => {
            found.open.insert(normalize(name));
        }
        _ => found.anything = true,
    }
}

/// Adds the names that attributes give a resource besides its title. Whether these are all.
fn names(
    db: &dyn Db,
    item: Item<'_>,
    type_name: &str,
    attributes: &[Attribute],
    found: &mut Declarable,
) -> bool {
    let body = item.body(db);
    let core = marotte_ruby::core::resource_type(type_name);
    let is_define = core.is_none() && known(db, item.file(db), NameKind::Define, type_name).is_some();
    attributes.iter().all(|attribute| {
        let AttributeName::Name(name) = &attribute.name else { return false };
        let is_name = name == "alias"
            || name == "name"
            || !is_define && core.is_none_or(|it| it.namevars().any(|it| it.name == *name));
        let (texts, complete) = strings(body, attribute.value);
        if is_name {
            for (_, text) in texts {
                found.title(type_name, text);
            }
        }
        // Of resource types in Ruby nobody knows which attributes are names; a literal that is no string is none.
        !is_name || complete || is_literal(body.expr(attribute.value))
    })
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Integer(_) | Expr::Float(_) | Expr::Boolean(_) | Expr::Undef)
}

/// What a function may declare. Those in Puppet are items of their own; what others do in Ruby, nobody knows.
fn called(db: &dyn Db, item: Item<'_>, name: &str, arguments: &[ExprId], found: &mut Declarable) {
    let name = normalize(name);
    match name.as_str() {
        "create_resources" => match arguments.first().map(|it| item.body(db).expr(*it)) {
            Some(Expr::String(type_name)) => {
                let type_name = normalize(type_name.trim_start_matches('@'));
                found.uses_any |= type_name == "class";
                found.used.insert((NameKind::Define, type_name.clone()));
                found.open.insert(type_name);
            }
            _ => found.anything = true,
        },
        "include" | "require" | "contain" => {
            found.reaches_out |= !arguments.iter().all(|it| are_here(db, item, *it));
            arguments.iter().for_each(|it| use_classes(item.body(db), *it, found));
        }
        "hiera_include" => {
            found.reaches_out = true;
            found.uses_any = true;
        }
        // May run any code.
        "call" | "import" | "inline_template" | "template" | "epp" | "inline_epp" => found.anything = true,
        _ if marotte_eval::functions::builtin(&name).is_some() => {}
        _ => {
            let file = item.file(db);
            found.anything |= known(db, file, NameKind::Function, &name).is_none();
            found.used.insert((NameKind::Function, name));
        }
    }
}

/// Notes the classes that an expression names.
fn use_classes(body: &Body, classes: ExprId, found: &mut Declarable) {
    let (names, complete) = class_names(body, classes);
    found.uses_any |= !complete;
    found.used.extend(names.into_iter().map(|(_, name)| (NameKind::Class, normalize(name))));
}

/// Whether an expression names classes that are here, and nothing else.
fn are_here(db: &dyn Db, item: Item<'_>, classes: ExprId) -> bool {
    let (names, complete) = class_names(item.body(db), classes);
    let is_here = |name: &str| known(db, item.file(db), NameKind::Class, name).is_some();
    complete && names.into_iter().all(|(_, name)| is_here(name))
}
