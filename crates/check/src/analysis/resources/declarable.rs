//! The resources that the code of an environment can declare, for any catalog.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use foldhash::HashSet;
use marotte_db::Db;
use marotte_db::{Environment, File, environment_of, files_below, module_file, module_folder, source_text};
use marotte_hir::body::{Attribute, AttributeName, Body, Callee, Collector, Expr, Query, QueryKind};
use marotte_hir::{ExprId, Item, ItemKind, NameKind, Titles, is_readable, items, titles};
use marotte_infer::declarations::{unfolded, value_of};
use marotte_infer::literal::{class_names, type_name};
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::ruby_function;
use marotte_resolve::manifests::{is_manifest, manifests};
use marotte_resolve::module_files::{ModulePath, module_path};
use marotte_resolve::names::{Lookup, known, look_up};
use marotte_resolve::spelling::{is_slip, is_stuttered};
use marotte_text::{Str, normalized};

use crate::analysis::names::classes::Inclusion;
use crate::analysis::names::mentions::is_unmentioned;
use crate::analysis::titles::pattern::TitlePattern;
use crate::analysis::titles::patterns::{LiteralTitles, TitlePatterns};
use crate::analysis::titles::similar::SimilarTitles;

/// The resources that can be declared: an over-approximation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Declarable {
    /// The literal titles and other names by resource type, keyed by their [`loose`] form.
    titles: BTreeMap<Str, LiteralTitles>,
    /// The types that have resources with entirely computed titles.
    open: BTreeSet<Str>,
    /// The partly computed titles by resource type, in their [`loose`] form.
    patterns: BTreeMap<Str, TitlePatterns>,
    /// The types of which resources of other nodes are collected, whatever their titles.
    collected: BTreeSet<Str>,
    /// The types of which resources of other nodes are collected by their titles. Their other names are not known.
    collected_by_title: BTreeSet<Str>,
    /// Whether resources of any type may be declared.
    anything: bool,
    /// Whether something unavailable is used: a class or a resource type.
    reaches_out: bool,
    /// The definitions used by name: classes, defined types, functions.
    used: BTreeSet<(NameKind, Str)>,
    /// Whether classes with computed names are used.
    uses_any: bool,
}

impl Declarable {
    /// Whether a resource may be declared.
    pub(crate) fn may_have(&self, type_name: &str, title: &str) -> bool {
        self.anything
            || self.open.contains(type_name)
            || self.collected.contains(type_name)
            || self.has(type_name, &loose(title))
            || self.may_compose(type_name, title)
    }

    /// Whether code that names a type declares a resource of it by this title, or by one that is computed.
    fn may_name(&self, type_name: &str, title: &str) -> bool {
        self.open.contains(type_name)
            || self.collected.contains(type_name)
            || self.has(type_name, &loose(title))
            || self.may_compose(type_name, title)
    }

    /// Whether a resource is declared by a name that is at least partly literal.
    pub(crate) fn is_written(&self, type_name: &str, title: &str) -> bool {
        let title = loose(title);
        self.has(type_name, &title)
            || self.patterns.get(type_name).is_some_and(|it| it.may_be(&title, TitlePattern::is_telling))
    }

    /// Whether a title may be composed of parts that are all computed.
    fn may_compose(&self, type_name: &str, title: &str) -> bool {
        self.patterns.get(type_name).is_some_and(|it| it.may_be(&loose(title), |_| true))
    }

    /// Whether a resource may be declared by a title that is computed in part.
    pub(crate) fn may_have_computed(&self, type_name: &str, title: &TitlePattern) -> bool {
        self.anything
            || self.open.contains(type_name)
            || self.collected.contains(type_name)
            || self.has_computed(type_name, title)
    }

    /// Whether a title that is written at least in part may be equal to one that is computed in part.
    fn has_computed(&self, type_name: &str, title: &TitlePattern) -> bool {
        self.titles.get(type_name).is_some_and(|it| it.may_be(title))
            || self.patterns.get(type_name).is_some_and(|it| it.may_meet(title, |_| true))
    }

    /// Whether a resource is declared under a literal name.
    fn has(&self, type_name: &str, loose: &str) -> bool {
        self.titles.get(type_name).is_some_and(|it| it.has(loose))
    }

    /// Whether a resource may be declared, by this code or by unavailable code that it uses.
    fn may_bring(&self, type_name: &str, title: &str, is_complete: bool) -> bool {
        self.may_have(type_name, title) || !is_complete && self.reaches_out
    }

    /// The resources that only one of two can declare: types, and titles as far as they distinguish resources.
    pub(crate) fn other_titles(&self, other: &Declarable) -> BTreeSet<(Str, Str)> {
        let pairs = |it: &Declarable| -> BTreeSet<(Str, Str)> {
            let titles = it
                .titles
                .iter()
                .flat_map(|(type_name, titles)| titles.loose().map(move |it| (type_name, it)));
            titles.map(|(type_name, title)| (type_name.clone(), title.clone())).collect()
        };
        pairs(self).symmetric_difference(&pairs(other)).cloned().collect()
    }

    /// Whether the two have the same computed parts.
    pub(crate) fn is_as_open(&self, other: &Declarable) -> bool {
        self.open == other.open
            && self.collected == other.collected
            && self.collected_by_title == other.collected_by_title
            && self.patterns == other.patterns
            && self.anything == other.anything
            && self.reaches_out == other.reaches_out
            && self.uses_any == other.uses_any
    }

    pub(crate) fn add(&mut self, other: &Declarable) {
        for (type_name, titles) in &other.titles {
            self.titles.entry(type_name.clone()).or_default().add(titles);
        }
        for (type_name, patterns) in &other.patterns {
            self.patterns.entry(type_name.clone()).or_default().extend(patterns.iter().cloned());
        }
        self.open.extend(other.open.iter().cloned());
        self.collected.extend(other.collected.iter().cloned());
        self.collected_by_title.extend(other.collected_by_title.iter().cloned());
        self.anything |= other.anything;
        self.reaches_out |= other.reaches_out;
        self.uses_any |= other.uses_any;
    }

    fn title(&mut self, type_name: &str, title: &str) {
        self.titles.entry(type_name.into()).or_default().insert(loose(title), title.into());
    }

    /// Adds the titles that an expression, or the elements of an array, may evaluate to.
    fn titles_of(&mut self, body: &Body, type_name: &Str, id: ExprId) {
        let (mut open, mut followed) = (vec![id], HashSet::default());
        while let Some(id) = open.pop() {
            let value = value_of(body, id);
            // Arrays of variables that hold such arrays may double at each level.
            if value != id && !followed.insert(value) {
                continue;
            }
            match body.expr(value) {
                Expr::Array(elements) => open.extend(elements),
                Expr::Default => {}
                _ => {
                    let pattern = TitlePattern::of(body, id);
                    match pattern.text() {
                        Some(title) => self.title(type_name, title),
                        None if pattern.map(loose).is_anything() => _ = self.open.insert(type_name.clone()),
                        None => {
                            self.patterns.entry(type_name.clone()).or_default().insert(pattern.map(loose));
                        }
                    }
                }
            }
        }
    }
}

/// A title without the characters that resource types may remove or fold: enough to decide that two titles certainly differ.
pub(crate) fn loose(title: &str) -> Str {
    let stays = |it: &char| it.is_alphanumeric() || matches!(it, '-' | '_' | '.');
    title.chars().filter(stays).flat_map(char::to_lowercase).collect()
}

/// Whether a resource may be declared, as seen from a file: by the main manifests, or a module of the environment. Other nodes,
/// classifiers and data can only choose among these. If no module is known at all, a manifest that uses none determines
/// everything. A file that belongs neither to a module nor to the main manifests replaces the latter; and a standalone program
/// that uses nothing by a computed name declares only what it and the definitions that it uses declare. A file with definitions
/// alone isn't a program: its users, and what else they declare, aren't known.
#[salsa::tracked(returns(copy))]
pub(crate) fn may_be_declared(db: &dyn Db, from: File, type_name: Str, title: Str) -> bool {
    let environment = environment_of(db, from);
    let is_complete = environment.is_complete(db);
    if !is_complete && environment.modules(db).iter().next().is_some() {
        return true;
    }
    let may_bring = |it: &Declarable| it.may_bring(&type_name, &title, is_complete);
    let is_program = module_file(db, from).is_none() && !is_manifest(db, environment, from);
    if is_program && environment.root(db).is_none() && only_defines(db, from) {
        return true;
    }
    // In an environment, a classifier may add any class.
    if is_program
        && environment.root(db).is_none()
        && let Some(found) = may_reach(db, environment, from, &may_bring)
    {
        return found;
    }
    is_program && may_bring(of_file(db, from))
        || may_bring(of_manifests(db, environment))
        || may_bring(of_modules(db, environment))
}

/// Whether some code collects resources of a type from other nodes by their titles: they may have other names as well.
pub(crate) fn is_collected_by_title(db: &dyn Db, from: File, type_name: &str) -> bool {
    everywhere(db, from).iter().any(|it| it.collected_by_title.contains(type_name))
}

/// The title that a reference certainly means, even if not all titles are known: no literal title is the one that it names, and a
/// manifest of the same module declares one that differs by one additional or missing letter, by two swapped letters, by `-` for
/// `_`, or by its last letter doubled. Other letters, digits and plurals result in separate names.
#[salsa::tracked(returns(clone))]
pub(crate) fn misspelled_title(db: &dyn Db, from: File, type_name: Str, title: Str) -> Option<Str> {
    let environment = environment_of(db, from);
    let name = loose(&title);
    // It isn't known what else belongs to a file of definitions outside of modules.
    if module_file(db, from).is_none() && only_defines(db, from) {
        return None;
    }
    let here = titles_around(db, from, type_name.clone());
    if here.names().has(&title) {
        return None;
    }
    let near = here.like(&name).filter(|it| is_misspelled(&name, &loose(it))).min()?;
    // The whole environment is only searched if a similar title was found.
    let everywhere = [of_modules(db, environment), of_manifests(db, environment)];
    (!everywhere.iter().any(|it| it.has(&type_name, &name))).then(|| near.clone())
}

/// Whether a resource whose title is computed in part is declared, as seen from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Computed {
    /// Nothing declares it.
    Missing,
    /// No title that is written, or written in part, is the one; but there are others.
    Unwritten,
    /// Something may declare it.
    Possible,
}

/// Whether a resource whose title is computed in part may be declared, as seen from a file.
pub(crate) fn may_be_computed(db: &dyn Db, from: File, type_name: &str, title: &TitlePattern) -> Computed {
    let environment = environment_of(db, from);
    let is_program = module_file(db, from).is_none() && !is_manifest(db, environment, from);
    if is_program {
        return Computed::Possible;
    }
    let title = title.map(loose);
    let all = [of_manifests(db, environment), of_modules(db, environment)];
    if all.iter().any(|it| it.has_computed(type_name, &title) || it.collected.contains(type_name)) {
        return Computed::Possible;
    }
    let is_known = environment.is_complete(db)
        && !all.iter().any(|it| it.reaches_out || it.may_have_computed(type_name, &title));
    if is_known { Computed::Missing } else { Computed::Unwritten }
}

/// Whether it is certain enough that nothing declares a resource, although not all titles are known: no literal title, and none that
/// is computed in part, is the one, and neither code nor data say what it could be computed from.
pub(crate) fn is_unheard_of(db: &dyn Db, from: File, type_name: &str, title: &str) -> bool {
    let environment = environment_of(db, from);
    // Who uses a module alone declares what it refers to.
    if !environment.is_complete(db) || module_file(db, from).is_none() && only_defines(db, from) {
        return false;
    }
    let all = everywhere(db, from);
    if all.iter().any(|it| it.collected.contains(type_name)) {
        return false;
    }
    let may_be_composed = all.iter().any(|it| it.may_compose(type_name, title));
    !all.iter().any(|it| it.is_written(type_name, title))
        && is_unmentioned(db, environment, from, title.into(), may_be_composed)
}

/// Whether an anchor is named like those of an available module, none of which it is: anchors are declared by the module whose name
/// they begin with.
pub(crate) fn is_missing_anchor(db: &dyn Db, from: File, type_name: &str, title: &str) -> bool {
    let environment = environment_of(db, from);
    let Some((module, _)) = title.split_once("::").filter(|_| type_name == "anchor") else { return false };
    let namespace = format!("{module}::");
    let anchors = titles_of_module(db, environment, module.into());
    let has_others = anchors.of_type("anchor").any(|it| it.starts_with(&namespace));
    has_others && !everywhere(db, from).iter().any(|it| it.may_name(type_name, title))
}

/// Returns the literal title of the same type, in the same module or file, that is most similar to one that nothing declares.
pub(crate) fn nearest_title(db: &dyn Db, from: File, type_name: &str, title: &str) -> Option<Str> {
    titles_around(db, from, type_name.into()).names().nearest(title, |_| true).map(Str::from)
}

/// The titles of a type in the module of a file, or in the file, if it belongs to none.
fn titles_around(db: &dyn Db, from: File, type_name: Str) -> &SimilarTitles {
    match module_file(db, from) {
        Some(it) => similar_of_module(db, environment_of(db, from), it.module.clone(), type_name),
        None => similar_of_file(db, from, type_name),
    }
}

#[salsa::tracked(returns(ref))]
fn similar_of_module(db: &dyn Db, environment: Environment, module: Str, type_name: Str) -> SimilarTitles {
    SimilarTitles::new(titles_of_module(db, environment, module).of_type(&type_name))
}

/// The titles of a type in the modules and main manifests of an environment.
#[salsa::tracked(returns(ref))]
pub(crate) fn similar_of_environment(db: &dyn Db, environment: Environment, type_name: Str) -> SimilarTitles {
    let everywhere = [of_modules(db, environment), of_manifests(db, environment)];
    SimilarTitles::new(
        everywhere.iter().filter_map(|it| it.titles.get(&type_name)).flat_map(LiteralTitles::written),
    )
}

#[salsa::tracked(returns(ref))]
pub(crate) fn similar_of_file(db: &dyn Db, file: File, type_name: Str) -> SimilarTitles {
    SimilarTitles::new(titles(db, file).of_type(&type_name))
}

/// Whether a literal title of a type is declared somewhere in the environment.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_declared(db: &dyn Db, from: File, type_name: Str, title: Str) -> bool {
    let environment = environment_of(db, from);
    let everywhere = [of_modules(db, environment), of_manifests(db, environment)];
    everywhere.iter().any(|it| it.has(&type_name, &loose(&title)))
}

/// Whether code of the environment, or the file itself, may declare a resource of a type that it names, as seen from a file whose
/// environment is known as a whole.
pub(crate) fn may_be_named(db: &dyn Db, from: File, type_name: &str, title: &str) -> bool {
    let environment = environment_of(db, from);
    if !environment.is_complete(db) || module_file(db, from).is_none() && only_defines(db, from) {
        return true;
    }
    let all = everywhere(db, from);
    all.iter().any(|it| it.may_name(type_name, title))
}

/// Whether code of the environment, or the file itself, declares a resource by a name that is at least partly literal, or collects
/// such resources of other nodes.
pub(crate) fn is_written_somewhere(db: &dyn Db, from: File, type_name: &str, title: &str) -> bool {
    let all = everywhere(db, from);
    all.iter().any(|it| it.is_written(type_name, title) || it.collected.contains(type_name))
}

/// Whether code of the environment, or the file itself, declares a resource whose title is written like one that is computed in part.
pub(crate) fn is_written_alike(db: &dyn Db, from: File, type_name: &str, title: &TitlePattern) -> bool {
    let title = title.map(loose);
    let all = everywhere(db, from);
    all.iter().any(|it| {
        it.collected.contains(type_name)
            || it.titles.get(type_name).is_some_and(|it| it.may_be(&title))
            || it.patterns.get(type_name).is_some_and(|it| it.may_meet(&title, |it| it.is_alike(&title)))
    })
}

/// Whether a title is another one with a slip. Other letters and digits make other titles.
pub(crate) fn is_misspelled(title: &str, other: &str) -> bool {
    is_slip(title, other) || is_same_but_for_signs(title, other) || is_stuttered(title, other)
}

/// Whether two names have the same letters, and `-` where the other one has `_`, or, unless they have digits, any other signs
/// between them: versions are written with dots and without.
fn is_same_but_for_signs(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 6;
    let letters = |it: &str| -> String { it.chars().filter(|it| it.is_alphanumeric()).collect() };
    let is_plain = |it: &str| it.len() >= SHORTEST && !it.contains(|it: char| it.is_ascii_digit());
    one != other
        && (one.replace('_', "-") == other.replace('_', "-")
            || is_plain(one) && is_plain(other) && letters(one) == letters(other))
}

/// Whether a file contains only definitions, and evaluates nothing on its own.
pub(crate) fn only_defines(db: &dyn Db, file: File) -> bool {
    items(db, file).iter().all(|it| match it.kind(db) {
        ItemKind::Node(_) => false,
        ItemKind::Program => it.is_only_definitions(db),
        _ => true,
    })
}

/// The resources that the code of an environment, and a file itself, can declare.
fn everywhere(db: &dyn Db, from: File) -> [&Declarable; 3] {
    let environment = environment_of(db, from);
    [of_modules(db, environment), of_manifests(db, environment), of_file(db, from)]
}

/// The resources that the main manifests can declare.
#[salsa::tracked(returns(ref))]
fn of_manifests(db: &dyn Db, environment: Environment) -> Declarable {
    of_files(db, manifests(db, environment))
}

/// The resources that the modules of an environment can declare.
#[salsa::tracked(returns(ref))]
fn of_modules(db: &dyn Db, environment: Environment) -> Declarable {
    let folders = environment.modules(db).iter().map(|(_, folder)| folder);
    of_files(db, folders.flat_map(|it| manifests_of_module(db, it)))
}

/// The literal titles in the manifests of a module.
#[salsa::tracked(returns(ref))]
pub(crate) fn titles_of_module(db: &dyn Db, environment: Environment, module: Str) -> Titles {
    let folder = module_folder(db, environment, module);
    let mut all = Titles::default();
    all.extend(folder.into_iter().flat_map(|it| manifests_of_module(db, it)).map(|file| titles(db, file)));
    all
}

fn manifests_of_module(db: &dyn Db, folder: &Utf8Path) -> Vec<File> {
    let folders = ["manifests", "functions"].map(|part| folder.join(part));
    let paths = folders.iter().flat_map(|it| files_below(db, it, "pp"));
    paths.map(|path| db.files().file(db, &path)).collect()
}

/// The resources that a file can declare.
#[salsa::tracked(returns(ref))]
fn of_file(db: &dyn Db, file: File) -> Declarable {
    of_files(db, [file])
}

fn of_files(db: &dyn Db, files: impl IntoIterator<Item = File>) -> Declarable {
    let mut all = Declarable::default();
    for file in files {
        all.anything |= !is_readable(db, file);
        items(db, file).iter().for_each(|item| all.add(of_item(db, *item)));
    }
    all
}

/// Whether a program may declare a resource, either itself or through the definitions that it uses. None if it uses something
/// by a computed name, or something that isn't understood: then it may use anything.
fn may_reach(
    db: &dyn Db,
    environment: Environment,
    program: File,
    may_bring: &dyn Fn(&Declarable) -> bool,
) -> Option<bool> {
    let mut found = false;
    for file in manifests(db, environment).chain([program]) {
        if !is_readable(db, file) {
            return None;
        }
        for item in items(db, file) {
            found |= may_bring(of_item(db, *item));
            for used in used(db, *item)? {
                found |= may_bring(reached_from(db, used)?);
            }
        }
    }
    Some(found)
}

/// The resources that an item and everything it uses can declare: cached, because many programs use the same items.
#[salsa::tracked(returns(as_ref))]
fn reached_from<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Declarable> {
    let mut all = Declarable::default();
    let mut seen = BTreeSet::from([item]);
    let mut open = vec![item];
    while let Some(item) = open.pop() {
        all.add(of_item(db, item));
        open.extend(used(db, item)?.into_iter().filter(|it| seen.insert(*it)));
    }
    Some(all)
}

/// Returns the classes, defined types and functions that an item uses. None if it uses something by a computed name.
fn used<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Vec<Item<'db>>> {
    let found = of_item(db, item);
    if found.uses_any {
        return None;
    }
    let mut used = Vec::new();
    for (kind, name) in &found.used {
        match look_up(db, item.file(db), *kind, name) {
            Lookup::Found(item) => used.push(item),
            Lookup::Unknown => return None,
            Lookup::Missing => {}
        }
    }
    Some(used)
}

/// Whether an item declares a resource with such a title, as far as titles distinguish resources.
pub(crate) fn is_written_in(db: &dyn Db, item: Item<'_>, type_name: &str, loose: &str) -> bool {
    of_item(db, item).has(type_name, loose)
}

/// The resources that one item can declare.
#[salsa::tracked(returns(ref))]
pub(crate) fn of_item<'db>(db: &'db dyn Db, item: Item<'db>) -> Declarable {
    let body = item.body(db);
    let mut found = Declarable::default();
    if let Some(parent) = &item.signature(db).parent {
        found.used.insert((NameKind::Class, normalized(parent)));
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
                    if type_name == "class" {
                        let (names, is_complete) = class_names(body, resource.title);
                        use_classes(db, item, names, is_complete, &mut found);
                    } else {
                        found.used.insert((NameKind::Define, type_name.clone()));
                    }
                    found.titles_of(body, &type_name, resource.title);
                    names(db, item, &type_name, &resource.attributes, &mut found);
                }
            }
            // The attributes set here may be names.
            Expr::ResourceDefaults(target, attributes) | Expr::ResourceOverride(_, target, attributes) => {
                set(db, item, *target, attributes, &mut found);
            }
            Expr::Collector(it) => {
                // Collects resources that other nodes export.
                if it.exported {
                    collect(body, it, &mut found);
                }
                set(db, item, it.type_ref, &it.attributes, &mut found);
            }
            Expr::Call(call) if matches!(call.callee, Callee::Other(_)) => found.anything = true,
            _ => {
                if let Some(Inclusion { classes, is_complete, .. }) = Inclusion::of(body, expr) {
                    use_classes(db, item, classes, is_complete, &mut found);
                } else if let Some(call) = NamedCall::of(expr) {
                    called(db, item, &call, &mut found);
                }
            }
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
    names(db, item, &normalized(name), attributes, found);
}

fn collect(body: &Body, collector: &Collector, found: &mut Declarable) {
    let Expr::Reference(name) = body.expr(collector.type_ref) else {
        found.anything = true;
        return;
    };
    let type_name = normalized(name);
    match collector.query.as_deref().and_then(|it| queried_titles(body, it)) {
        Some(titles) => {
            titles.into_iter().for_each(|it| found.titles_of(body, &type_name, it));
            found.collected_by_title.insert(type_name);
        }
        None => _ = found.collected.insert(type_name),
    }
}

/// The titles to which a query confines a collector. None if resources with other titles may match.
fn queried_titles(body: &Body, query: &Query) -> Option<Vec<ExprId>> {
    match &query.kind {
        QueryKind::Equal(attribute, value) => {
            matches!(body.expr(*attribute), Expr::String(name) if name == "title").then(|| vec![*value])
        }
        QueryKind::And(one, other) => queried_titles(body, one).or_else(|| queried_titles(body, other)),
        QueryKind::Or(one, other) => {
            let (mut titles, others) = (queried_titles(body, one)?, queried_titles(body, other)?);
            titles.extend(others);
            Some(titles)
        }
        QueryKind::NotEqual(..) | QueryKind::Other(_) => None,
    }
}

/// Adds the names that attributes give a resource in addition to its title.
fn names(db: &dyn Db, item: Item<'_>, type_name: &Str, attributes: &[Attribute], found: &mut Declarable) {
    let body = item.body(db);
    let core = marotte_ruby::core::resource_type(type_name);
    let is_define = core.is_none() && known(db, item.file(db), NameKind::Define, type_name).is_some();
    for attribute in &unfolded(body, attributes) {
        let AttributeName::Name(name) = &attribute.name else {
            found.open.insert(type_name.clone());
            continue;
        };
        let is_name = name == "alias"
            || name == "name"
            // Its fragments name it by either.
            || name == "path" && matches!(type_name.as_str(), "concat" | "concat_file")
            || !is_define && core.is_none_or(|it| it.namevars().any(|it| it.name == *name));
        // For resource types in Ruby, it isn't known which attributes are names; a literal other than a string never is one.
        if is_name && !is_literal(body.expr(attribute.value)) {
            found.titles_of(body, type_name, attribute.value);
        }
    }
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Integer(_) | Expr::Float(_) | Expr::Boolean(_) | Expr::Undef)
}

/// The resources that a function call may declare. Functions in Puppet are items of their own; those in Ruby may declare
/// anything.
fn called(db: &dyn Db, item: Item<'_>, call: &NamedCall<'_>, found: &mut Declarable) {
    let name = normalized(call.name);
    match name.as_str() {
        "create_resources" => match call.arguments().next().map(|it| item.body(db).expr(it)) {
            Some(Expr::String(type_name)) => {
                let type_name = normalized(type_name.trim_start_matches('@'));
                found.uses_any |= type_name == "class";
                found.used.insert((NameKind::Define, type_name.clone()));
                found.open.insert(type_name);
            }
            _ => found.anything = true,
        },
        "hiera_include" => {
            found.reaches_out = true;
            found.uses_any = true;
        }
        "template" => found.anything |= !call.arguments().all(|it| declares_nothing(db, item, it)),
        "inline_template" => {
            let is_harmless = |id: ExprId| match item.body(db).expr(id) {
                Expr::String(text) => !marotte_ruby::template::may_declare(text),
                _ => false,
            };
            found.anything |= !call.arguments().all(is_harmless);
        }
        "epp" => match rendered(db, item, call) {
            Some(template) => {
                let of_template = of_item(db, template);
                found.add(of_template);
                found.used.extend(of_template.used.iter().cloned());
            }
            None => found.anything = true,
        },
        // These may run any code.
        "call" | "import" | "inline_epp" => found.anything = true,
        _ if marotte_eval::functions::builtin(&name).is_some() => {}
        _ => {
            let file = item.file(db);
            let is_ruby = || {
                ruby_function(db, environment_of(db, file), &name).is_some_and(|it| !may_declare(db, it.file))
            };
            found.anything |= known(db, file, NameKind::Function, &name).is_none() && !is_ruby();
            found.used.insert((NameKind::Function, name));
        }
    }
}

/// Whether an argument names a template in ERB that declares nothing.
fn declares_nothing(db: &dyn Db, item: Item<'_>, argument: ExprId) -> bool {
    let Expr::String(path) = item.body(db).expr(argument) else { return false };
    let file = item.file(db);
    match module_path(db, file, environment_of(db, file), "templates", path) {
        ModulePath::Found(template) => !template_may_declare(db, template),
        // The catalog cannot be compiled.
        ModulePath::Missing(_) | ModulePath::NoModule => true,
        ModulePath::Unknown => false,
    }
}

/// Whether a template in ERB may declare resources. Callers depend on this answer alone.
#[salsa::tracked(returns(copy))]
pub(crate) fn template_may_declare(db: &dyn Db, template: File) -> bool {
    let source = source_text(db, template);
    source.error().is_some() || marotte_ruby::template::may_declare(source.text())
}

/// The code of the template in EPP that a call renders, if it is known. Templates that render others may render themselves.
fn rendered<'db>(db: &'db dyn Db, item: Item<'db>, call: &NamedCall<'_>) -> Option<Item<'db>> {
    let Expr::String(path) = item.body(db).expr(call.arguments().next()?) else { return None };
    let file = item.file(db);
    let found = module_path(db, file, environment_of(db, file), "templates", path);
    let ModulePath::Found(template) = found else { return None };
    let is_read = item.kind(db) != ItemKind::Template && is_readable(db, template);
    let [only] = items(db, template) else { return None };
    (is_read && only.kind(db) == ItemKind::Template).then_some(*only)
}

/// Whether a function in Ruby may declare resources, judging by the words of its code.
#[salsa::tracked(returns(copy))]
pub(crate) fn may_declare(db: &dyn Db, function: File) -> bool {
    /// Words of Ruby code that reaches the catalog or other functions, or that runs code which cannot be analyzed.
    const WORDS: [&str; 9] =
        ["resource", "catalog", "compiler", "call_function", "function_", "class", "eval", "send", "load"];
    let source = source_text(db, function);
    source.error().is_some() || WORDS.iter().any(|it| source.text().contains(it))
}

/// Records the use of classes.
fn use_classes(
    db: &dyn Db,
    item: Item<'_>,
    names: Vec<(ExprId, &str)>,
    is_complete: bool,
    found: &mut Declarable,
) {
    let is_here = |name: &str| known(db, item.file(db), NameKind::Class, name).is_some();
    found.reaches_out |= !is_complete || !names.iter().all(|(_, name)| is_here(name));
    found.uses_any |= !is_complete;
    found.used.extend(names.into_iter().map(|(_, name)| (NameKind::Class, normalized(name))));
}
