//! `duplicate-definition`: a class, a defined type, a function, a type or a node is defined twice (the reference's `TypeCollection`,
//! and its loaders).
//!
//! Of one file, and of all files of a main manifest, which are evaluated together. Type aliases can't have the names of
//! types that are always there either.

use marotte_diagnostics::{Level, Related, rules};
use std::collections::BTreeMap;

use foldhash::HashMap;
use marotte_db::{Db, Environment, File, environment_of, module_file};
use marotte_hir::body::Expr;
use marotte_hir::{ExprId, Item, ItemKind, items, pattern_name, places};
use marotte_pcore::create::taken;
use marotte_resolve::dialect;
use marotte_resolve::manifests::{is_manifest, manifests};
use marotte_text::{Str, normalized};

use crate::context::{At, Context};

/// Names among which each means one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Space {
    Class,
    Define,
    Node,
    Function,
    Type,
    Plan,
}

/// A definition of a name: the item, and of a node the expression that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
struct Definition<'db> {
    item: Item<'db>,
    name: Option<ExprId>,
}

/// A definition of a name that an earlier one has defined.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Again<'db> {
    this: Definition<'db>,
    earlier: Definition<'db>,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, item) = (context.db, context.item);
    let environment = environment_of(db, context.file);
    let is_read = || module_file(db, context.file).is_none() || is_manifest(db, environment, context.file);
    if item.kind(db) == ItemKind::TypeAlias && taken(dialect(), item.name(db), true).is_some() && is_read() {
        let message = format!("there is a built-in type `{}` already", item.name(db));
        let finding = context.report(rules::DUPLICATE_DEFINITION, At::Name, message);
        finding.label = Some("an alias needs another name".to_owned());
        return;
    }
    let of_file = repeated(db, context.file).get(&item);
    let of_manifest = || match is_manifest(db, environment, context.file) {
        true => repeated_in_manifest(db, environment).get(&item),
        false => None,
    };
    let Some(all) = of_file.or_else(of_manifest) else { return };
    let is_of_manifest = of_file.is_none();
    for Again { this, earlier } in all {
        let name = match this.name {
            Some(id) => written(context.body.expr(id)),
            None => item.name(db).to_string(),
        };
        let (kind, other) = (item.kind(db), earlier.item.kind(db));
        let message = match space_of(kind) == space_of(other) {
            true => format!("the {} `{name}` is defined already", kind.noun()),
            false => format!("`{name}` is a {} already, and cannot be a {}", other.noun(), kind.noun()),
        };
        let related = place(db, *earlier);
        let finding =
            context.report(rules::DUPLICATE_DEFINITION, this.name.map_or(At::Name, At::Expr), message);
        finding.label = Some("defined again".to_owned());
        finding.related.push(related);
        if is_of_manifest {
            // The server may be told to read only one of the files.
            finding.level = Level::Warning;
            finding.notes.push("Puppet reads all files of the main manifest's folder together".to_owned());
        }
        if space_of(kind) == Some(Space::Node) && name.starts_with('/') {
            finding.notes.push(
                "Puppet tells patterns apart by their letters, digits, `_`, `-`, `:` and `.`, whatever their case"
                    .to_owned(),
            );
        }
    }
}

/// The space in which items of a kind have their names.
fn space_of(kind: ItemKind) -> Option<Space> {
    Some(match kind {
        ItemKind::Class => Space::Class,
        ItemKind::Define => Space::Define,
        ItemKind::Function => Space::Function,
        ItemKind::TypeAlias => Space::Type,
        ItemKind::Plan => Space::Plan,
        ItemKind::Node(_) => Space::Node,
        ItemKind::Program | ItemKind::Template | ItemKind::TypeMapping => return None,
    })
}

impl Space {
    /// The spaces whose definitions of the same name come in the way of one of this space that comes after them.
    fn taken(self) -> &'static [Space] {
        match self {
            Space::Class => &[Space::Class, Space::Define, Space::Node],
            Space::Define => &[Space::Define, Space::Class],
            Space::Node => &[Space::Node, Space::Class],
            // A defined type is a type of its name.
            Space::Type => &[Space::Type, Space::Define],
            Space::Function => &[Space::Function],
            Space::Plan => &[Space::Plan],
        }
    }
}

/// The items of a file that define what the file has defined before.
#[salsa::tracked(returns(ref))]
fn repeated<'db>(db: &'db dyn Db, file: File) -> BTreeMap<Item<'db>, Vec<Again<'db>>> {
    repeated_in(db, items(db, file).iter().copied())
}

/// The items of a main manifest that define what it has defined before.
#[salsa::tracked(returns(ref))]
fn repeated_in_manifest<'db>(
    db: &'db dyn Db,
    environment: Environment,
) -> BTreeMap<Item<'db>, Vec<Again<'db>>> {
    let all = || manifests(db, environment).flat_map(|file| items(db, file).iter().copied());
    let mut found = repeated_in(db, all());
    // Files of which several define the same are there to choose one of them.
    let mut files: HashMap<Definition<'db>, usize> = HashMap::default();
    found.values().flatten().for_each(|it| *files.entry(it.earlier).or_default() += 1);
    found.values_mut().for_each(|all| all.retain(|it| files.get(&it.earlier) == Some(&1)));
    found
}

fn repeated_in<'db>(
    db: &'db dyn Db,
    items: impl Iterator<Item = Item<'db>>,
) -> BTreeMap<Item<'db>, Vec<Again<'db>>> {
    let mut found: BTreeMap<Item<'db>, Vec<Again<'db>>> = BTreeMap::new();
    let mut defined: HashMap<(Space, Str), Definition<'db>> = HashMap::default();
    for item in items {
        let Some(space) = space_of(item.kind(db)) else { continue };
        for (name, id) in names(db, item) {
            let this = Definition { item, name: id };
            let earlier = space.taken().iter().find_map(|it| defined.get(&(*it, name.clone())));
            if let Some(earlier) = earlier {
                found.entry(item).or_default().push(Again { this, earlier: *earlier });
            } else {
                defined.insert((space, name), this);
            }
        }
    }
    found
}

/// The names that an item defines, as they are compared.
fn names(db: &dyn Db, item: Item<'_>) -> Vec<(Str, Option<ExprId>)> {
    let ItemKind::Node(matches) = item.kind(db) else { return vec![(normalized(item.name(db)), None)] };
    let body = item.body(db);
    let name = |id: &ExprId| {
        let name = match body.expr(*id) {
            Expr::String(text) => text.to_lowercase().to_string(),
            Expr::Default => "default".to_owned(),
            Expr::Regexp(pattern) => pattern_name(pattern),
            _ => return None,
        };
        Some((name.into(), Some(*id)))
    };
    body.statements.iter().take(matches).filter_map(name).collect()
}

fn written(expr: &Expr) -> String {
    match expr {
        Expr::String(text) => text.to_string(),
        Expr::Regexp(pattern) => format!("/{pattern}/"),
        _ => "default".to_owned(),
    }
}

fn place(db: &dyn Db, it: Definition<'_>) -> Related {
    let places = places(db, it.item);
    let of_name = it.name.and_then(|id| places.map.place(id)).map(|it| it.range);
    let range = of_name.or(places.name).unwrap_or_default();
    Related { file: it.item.file(db).id(db), range, message: "defined here".to_owned() }
}
