//! `duplicate-declaration` across classes: two classes that are certainly declared together declare the same resource.

use foldhash::{HashMap, HashSet};
use marotte_db::Db;
use marotte_diagnostics::{Related, rules};
use marotte_hir::body::Expr;
use marotte_hir::{Body, ExprId, Item, ItemKind, NameKind, places};
use marotte_infer::literal::{Reference, strings, type_name};
use marotte_resolve::names::known;
use marotte_text::Str;

use crate::analysis::names::classes::Inclusion;
use crate::analysis::resources::relations::{relations, titles};
use crate::context::{At, Context};

/// The number of steps from class to class that are followed: to the classes that are named, and to those that they name. Who includes
/// a class is woken by a change of what it includes.
const STEPS: usize = 2;

/// More classes than these are not compared.
const MOST: usize = 300;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, item) = (context.db, context.item);
    if !matches!(item.kind(db), ItemKind::Class | ItemKind::Node(_)) {
        return;
    }
    let named: Vec<(Str, Item<'_>)> = included(db, item);
    if named.is_empty() || relations(db, item).queries_catalog {
        return;
    }
    let mut together: Vec<(Item<'_>, HashSet<Item<'_>>)> = Vec::new();
    for (_, class) in &named {
        together.push((*class, reached(db, *class)));
    }
    let mut all = vec![item];
    let mut seen: HashSet<Item<'_>> = HashSet::from_iter([item]);
    for (_, classes) in &together {
        let mut classes: Vec<Item<'_>> = classes.iter().copied().filter(|it| seen.insert(*it)).collect();
        classes.sort_by_key(|it| it.name(db));
        all.extend(classes);
    }
    if all.len() > MOST {
        return;
    }
    let mut owners: HashMap<&Reference, Item<'_>> = HashMap::default();
    let mut found: Vec<(&Reference, Item<'_>, Item<'_>)> = Vec::new();
    for class in all {
        for resource in relations(db, class).contains.iter().filter(|it| it.type_name != "class") {
            let owner = *owners.entry(resource).or_insert(class);
            // Within one class, and within what one of the named classes leads to, it is reported there.
            let is_reported = together.iter().any(|(_, it)| it.contains(&owner) && it.contains(&class));
            if owner != class && !is_reported {
                found.push((resource, owner, class));
            }
        }
    }
    for (resource, one, other) in found {
        report(context, resource, one, other, &together);
    }
}

/// The classes that an item certainly declares, by the names that it uses.
fn included<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<(Str, Item<'db>)> {
    let names = relations(db, item).includes.iter();
    let found = names.filter_map(|it| Some((it.clone(), known(db, item.file(db), NameKind::Class, it)?)));
    found.filter(|(_, class)| *class != item).collect()
}

/// A class, and the classes that are certainly declared with it. Those that ask what is declared are left out.
fn reached<'db>(db: &'db dyn Db, class: Item<'db>) -> HashSet<Item<'db>> {
    let mut all: HashSet<Item<'db>> = HashSet::default();
    let mut open = vec![class];
    for _ in 0..STEPS {
        let next: Vec<Item<'_>> = open
            .drain(..)
            .filter(|it| all.len() < MOST && !relations(db, *it).queries_catalog && all.insert(*it))
            .collect();
        open.extend(next.into_iter().flat_map(|it| included(db, it).into_iter().map(|it| it.1)));
    }
    all
}

fn report<'db>(
    context: &mut Context<'db, '_>,
    resource: &Reference,
    one: Item<'db>,
    other: Item<'db>,
    together: &[(Item<'db>, HashSet<Item<'db>>)],
) {
    let db = context.db;
    let by = |class: Item<'_>| format!("declared here, by the class `{}`", class.name(db));
    // The own declaration, or what leads to the second class.
    let is_own = one == context.item;
    let at = match is_own {
        true => declared_at(context.body, context.item.name(db), resource).map(At::Expr),
        false => {
            let brings = together.iter().find(|(_, it)| it.contains(&other)).map(|(class, _)| *class);
            brings.and_then(|it| included_at(context, it))
        }
    };
    let Some(at) = at else { return };
    let message = match is_own {
        true => format!("`{resource}` is declared by the class `{}`, too", other.name(db)),
        false => format!("the classes `{}` and `{}` both declare `{resource}`", one.name(db), other.name(db)),
    };
    if context.has_reported(rules::DUPLICATE_DECLARATION, &message) {
        return;
    }
    let mut related = vec![declared_in(context, other, resource, by(other))];
    if !is_own {
        related.insert(0, declared_in(context, one, resource, by(one)));
    }
    let finding = context.report(rules::DUPLICATE_DECLARATION, at, message);
    finding.label = Some(match is_own {
        true => "declared again".to_owned(),
        false => "brings the second declaration".to_owned(),
    });
    finding.related = related;
    finding.notes.push("both classes are declared whenever this one is".to_owned());
}

/// The place in a class that declares a resource.
fn declared_in(context: &Context<'_, '_>, class: Item<'_>, resource: &Reference, message: String) -> Related {
    let db = context.db;
    let place =
        declared_at(class.body(db), class.name(db), resource).and_then(|id| places(db, class).map.place(id));
    match place {
        Some(place) => Related { file: class.file(db).id(db), range: place.range, message },
        None => context.defined(class, message),
    }
}

/// The title by which a body declares a resource.
fn declared_at(body: &Body, class: &str, resource: &Reference) -> Option<ExprId> {
    body.exprs().find_map(|(_, expr)| {
        let Expr::Resource(it) = expr else { return None };
        let type_name = type_name(body, it)?;
        let mut titles = it.bodies.iter().flat_map(|it| titles(body, class, it.title));
        titles.find(|(_, title)| Reference::new(&type_name, title) == *resource).map(|(at, _)| at)
    })
}

/// Where the item declares a class.
fn included_at(context: &Context<'_, '_>, class: Item<'_>) -> Option<At> {
    let (db, body, flow) = (context.db, context.body, context.flow());
    let root = flow.of(*body.statements.first()?);
    let is_it = |name: &str| known(db, context.file, NameKind::Class, name) == Some(class);
    for (_, expr) in body.exprs().filter(|(id, _)| flow.of(*id) == root) {
        let named = match expr {
            Expr::Resource(it) if type_name(body, it).is_some_and(|it| it == "class") => {
                it.bodies.iter().flat_map(|it| strings(body, it.title).0).collect()
            }
            _ => Inclusion::of(body, expr).map(|it| it.classes).unwrap_or_default(),
        };
        if let Some((at, _)) = named.into_iter().find(|(_, name)| is_it(name)) {
            return Some(At::Expr(at));
        }
    }
    let parent = context.item.signature(db).parent.as_ref()?;
    is_it(parent).then_some(At::Parent)
}
