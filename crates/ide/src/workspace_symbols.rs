//! Search for definitions by a part of their name.

use marotte_db::EnvironmentSet;
use marotte_hir::NameKind;

use crate::completion::names::definitions;
use crate::definition::item_target;
use crate::{Db, NavigationTarget};

/// The definitions of all environments whose names match a query, the best first, at most `limit`: classes, resource types,
/// functions, aliases and plans.
///
/// A name matches if it contains the letters in order, ignoring case: `ntpcfg` finds `ntp::config`. Whole words and prefixes of
/// words rank higher than scattered letters.
pub fn workspace_symbols(db: &dyn Db, query: &str, limit: usize) -> Vec<NavigationTarget> {
    const KINDS: [NameKind; 5] =
        [NameKind::Class, NameKind::Define, NameKind::Function, NameKind::TypeAlias, NameKind::Plan];
    let query = query.to_lowercase();
    let mut found = Vec::new();
    for environment in EnvironmentSet::get(db).environments(db) {
        for kind in KINDS {
            for item in definitions(db, *environment, kind) {
                let name = item.name(db).to_lowercase();
                if let Some(score) = score(&name, &query) {
                    found.push((score, name, item));
                }
            }
        }
    }
    found.sort();
    found.dedup_by_key(|(_, _, item)| *item);
    found.into_iter().take(limit).filter_map(|(_, _, item)| item_target(db, item)).collect()
}

/// The score of a match; lower is better. Both are in lower case.
fn score(name: &str, query: &str) -> Option<(u8, usize)> {
    let last = name.rsplit("::").next().unwrap_or(name);
    let class = if name == query || last == query {
        0
    } else if name.starts_with(query) {
        1
    } else if last.starts_with(query) {
        2
    } else if name.split(['_', ':']).any(|it| it.starts_with(query)) {
        3
    } else if name.contains(query) {
        4
    } else {
        let mut letters = name.chars();
        let fits = query.chars().filter(|it| *it != ':').all(|wanted| letters.any(|it| it == wanted));
        if !fits {
            return None;
        }
        5
    };
    Some((class, name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn letters_in_order() {
        let fixture = Fixture::new(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp {}
            //- /modules/ntp/manifests/config.pp
            class ntp::config {}
            //- /modules/ntp/functions/config.pp
            function ntp::config() {}
            //- /modules/other/manifests/init.pp
            class other {}
            ",
        );
        let names = |query| -> Vec<String> {
            workspace_symbols(fixture.db(), query, 10).into_iter().map(|it| it.name).collect()
        };
        assert_eq!(names("config"), ["ntp::config", "ntp::config"]);
        assert_eq!(names("ntpcfg"), ["ntp::config", "ntp::config"]);
        assert_eq!(names("ntp")[0], "ntp");
        assert_eq!(names("xyz"), [""; 0]);
    }
}
