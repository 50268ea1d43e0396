//! Search for definitions by a part of their name.

use marotte_db::{EnvironmentSet, File};
use marotte_hir::{Item, NameKind};
use marotte_resolve::ruby::{RubyKind, ruby_definition, ruby_names};
use marotte_text::Str;

use crate::completion::names::definitions;
use crate::definition::{item_target, targets};
use crate::symbol::Symbol;
use crate::{Db, NavigationTarget};

/// The definitions of all environments whose names match a query, the best first, at most `limit`: classes, resource types,
/// functions, aliases and plans, and the functions, resource types and types that are written in Ruby.
///
/// A name matches if it contains the letters in order, ignoring case: `ntpcfg` finds `ntp::config`. Whole words and prefixes of
/// words rank higher than scattered letters.
pub fn workspace_symbols(db: &dyn Db, query: &str, limit: usize) -> Vec<NavigationTarget> {
    const KINDS: [NameKind; 5] =
        [NameKind::Class, NameKind::Define, NameKind::Function, NameKind::TypeAlias, NameKind::Plan];
    let query = query.to_lowercase();
    let mut found = Vec::new();
    let mut add = |name: Str, definition| {
        if let Some(score) = score(&name, &query) {
            found.push((score, name, definition));
        }
    };
    for environment in EnvironmentSet::get(db).environments(db) {
        for kind in KINDS {
            for item in definitions(db, *environment, kind) {
                add(item.name(db).to_lowercase(), Definition::Puppet(item));
            }
        }
        for kind in RubyKind::ALL {
            for name in ruby_names(db, *environment, kind) {
                let Some(file) = ruby_definition(db, *environment, kind, name.into()) else { continue };
                add(name.into(), Definition::Ruby(file.file, kind));
            }
        }
    }
    found.sort();
    found.dedup_by(|one, other| one.2 == other.2);
    let found = found.into_iter().take(limit);
    found.flat_map(|(_, name, definition)| definition.targets(db, name)).collect()
}

/// A definition in either language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Definition<'db> {
    Puppet(Item<'db>),
    Ruby(File, RubyKind),
}

impl<'db> Definition<'db> {
    fn targets(self, db: &'db dyn Db, name: Str) -> Vec<NavigationTarget> {
        let (file, symbol) = match self {
            Definition::Puppet(item) => return item_target(db, item).into_iter().collect(),
            Definition::Ruby(file, RubyKind::ResourceType) => (file, Symbol::RubyResourceType(file, name)),
            Definition::Ruby(file, RubyKind::DataType) => (file, Symbol::RubyType(file, name)),
            Definition::Ruby(file, _) => (file, Symbol::RubyFunction(file, name)),
        };
        targets(db, file, &symbol)
    }
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
            //- /modules/ntp/lib/puppet/functions/ntp/keyring.rb
            Puppet::Functions.create_function(:'ntp::keyring') do
            end
            //- /modules/ntp/lib/puppet/type/ntp_keyring.rb
            Puppet::Type.newtype(:ntp_keyring) do
            end
            ",
        );
        let names = |query| -> Vec<String> {
            workspace_symbols(fixture.db(), query, 10).into_iter().map(|it| it.name).collect()
        };
        assert_eq!(names("config"), ["ntp::config", "ntp::config"]);
        assert_eq!(names("ntpcfg"), ["ntp::config", "ntp::config"]);
        assert_eq!(names("ntp")[0], "ntp");
        assert_eq!(names("xyz"), [""; 0]);
        assert_eq!(names("keyring"), ["ntp::keyring", "ntp_keyring"]);
    }
}
