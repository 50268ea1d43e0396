//! Type aliases that contain each other, found by the names in their bodies: evaluating them would take longer with each alias.

use std::collections::BTreeMap;

use foldhash::fast::FixedState;
use indexmap::IndexSet;
use marotte_db::{Db, Environment, File, environment_of, module_file};
use marotte_hir::body::Expr;
use marotte_hir::{Item, ItemKind, NameKind, items, module_definitions};
use marotte_pcore::create;
use marotte_pcore::graph::components;
use marotte_resolve::dialect;
use marotte_resolve::names::known;
use marotte_text::{Str, normalized};

/// Whether an alias contains aliases that contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ring {
    /// It contains at most itself.
    None,
    Small,
    /// There are more of them than real code has.
    Large,
}

impl Ring {
    /// The maximum number of aliases of a small ring. All of them are evaluated wherever one is used.
    const MOST: usize = 32;

    fn of(count: usize) -> Ring {
        match count {
            0 | 1 => Ring::None,
            2..=Self::MOST => Ring::Small,
            _ => Ring::Large,
        }
    }
}

/// The ring that an alias belongs to.
pub(crate) fn ring<'db>(db: &'db dyn Db, alias: Item<'db>) -> Ring {
    /// The number of aliases that are followed from a single one: more than any alias of real code contains.
    const NEAR: usize = 64;
    if named(db, alias).is_empty() {
        return Ring::None;
    }
    if let Some(rings) = rings(db, &[alias], NEAR) {
        return Ring::of(rings.get(&alias).copied().unwrap_or_default());
    }
    let file = alias.file(db);
    let all = match module_file(db, file) {
        Some(it) => rings_of_module(db, environment_of(db, file), it.module.clone()),
        None => rings_of_file(db, file),
    };
    match all.get(&alias) {
        Some(count) => Ring::of(*count),
        None => Ring::None,
    }
}

/// The rings of the aliases of a module, see [`rings`]: for aliases that contain many others.
#[salsa::tracked(returns(ref))]
fn rings_of_module(db: &dyn Db, environment: Environment, module: Str) -> BTreeMap<Item<'_>, usize> {
    let all = module_definitions(db, environment, module).iter();
    let aliases: Vec<Item<'_>> =
        all.filter(|((kind, _), _)| *kind == NameKind::TypeAlias).map(|(_, item)| *item).collect();
    rings(db, &aliases, usize::MAX).unwrap_or_default()
}

/// The rings of the aliases of a file outside of modules.
#[salsa::tracked(returns(ref))]
fn rings_of_file(db: &dyn Db, file: File) -> BTreeMap<Item<'_>, usize> {
    let all = items(db, file).iter().copied();
    let aliases: Vec<Item<'_>> = all.filter(|it| it.kind(db) == ItemKind::TypeAlias).collect();
    rings(db, &aliases, usize::MAX).unwrap_or_default()
}

/// The aliases that the body of an alias names, each once.
#[salsa::tracked(returns(ref))]
fn named<'db>(db: &'db dyn Db, alias: Item<'db>) -> Vec<Item<'db>> {
    let file = alias.file(db);
    let find = |name: &str| known(db, file, NameKind::TypeAlias, name);
    let mut found = Vec::new();
    for (_, expr) in alias.body(db).exprs() {
        if let Expr::Reference(name) = expr
            && create::named(dialect(), name).is_none()
        {
            let name = normalized(name);
            let mut name = name.as_str();
            // A name that has no definition may be of a type set.
            loop {
                if let Some(alias) = find(name) {
                    found.push(alias);
                    break;
                }
                let Some((set, _)) = name.rsplit_once("::") else { break };
                name = set;
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The aliases that some aliases lead to and that contain each other, each with the number of aliases of its ring. None if there
/// are more than `most` aliases.
fn rings<'db>(db: &'db dyn Db, from: &[Item<'db>], most: usize) -> Option<BTreeMap<Item<'db>, usize>> {
    let mut aliases: IndexSet<Item<'db>, FixedState> = from.iter().copied().collect();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    while let Some(alias) = aliases.get_index(edges.len()).copied() {
        if aliases.len() > most {
            return None;
        }
        edges.push(named(db, alias).iter().map(|it| aliases.insert_full(*it).0).collect());
    }
    let groups = components(edges.len(), |it| &edges[it]);
    let members = groups.iter().flat_map(|group| group.iter().map(|it| (*it, group.len())));
    Some(members.filter_map(|(it, count)| Some((*aliases.get_index(it)?, count))).collect())
}

#[cfg(test)]
mod tests {
    use marotte_db::testing::TestDb;
    use marotte_hir::{ItemKind, items};
    use marotte_pcore::types::TypeKind;

    use super::{Ring, ring};
    use crate::declared::declared;

    /// The rings of the aliases of a manifest.
    fn rings(text: &str) -> Vec<Ring> {
        let db = TestDb::new([("/site.pp", text)]);
        let aliases = items(&db, db.file("/site.pp")).iter().filter(|it| it.kind(&db) == ItemKind::TypeAlias);
        aliases.map(|it| ring(&db, *it)).collect()
    }

    /// Aliases in a ring, of which each names the two after it.
    fn around(count: usize) -> String {
        let alias = |it: usize| {
            let (next, after) = ((it + 1) % count, (it + 2) % count);
            format!("type A{it} = Variant[Integer, Array[A{next}], Array[A{after}]]\n")
        };
        (0..count).map(alias).collect()
    }

    #[test]
    fn aliases_that_contain_each_other_are_in_a_ring() {
        use Ring::{Large, None, Small};
        assert_eq!(rings("type A = Array[A]\ntype B = Variant[A, Integer]\n"), [None, None]);
        assert_eq!(
            rings("type A = Array[B]\ntype B = Array[A]\ntype C = Array[B]\ntype D = Integer\n"),
            [Small, Small, None, None]
        );
        assert_eq!(rings(&around(32)), [Small; 32]);
        assert_eq!(rings(&around(33)), [Large; 33]);
        // More aliases than are followed from one.
        assert_eq!(rings(&around(500)), [Large; 500]);
        let chain = |it: usize| format!("type A{it} = Array[A{}]\n", it + 1);
        assert_eq!(
            rings(&((0..100).map(chain).collect::<String>() + "type A100 = Array[A99]\n"))[98..],
            [None, Small, Small]
        );
    }

    #[test]
    fn only_aliases_of_small_rings_are_evaluated() {
        let parameters = |count: usize| {
            let text = format!("{}define d(A0 $a, Array[A1] $b, Integer $c) {{ }}\n", around(count));
            let db = TestDb::new([("/site.pp", text.as_str())]);
            let item = items(&db, db.file("/site.pp")).iter().find(|it| it.kind(&db) == ItemKind::Define);
            let declared = declared(&db, *item.expect("a definition"));
            let is_alias = declared.parameters[0].as_ref().map(|it| matches!(it.kind(), TypeKind::Alias(_)));
            (is_alias, declared.parameters[1].is_some(), declared.parameters[2].is_some())
        };
        assert_eq!(parameters(8), (Some(true), true, true));
        assert_eq!(parameters(100), (None, false, true));
    }
}
