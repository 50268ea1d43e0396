use std::sync::LazyLock;

use camino::Utf8Path;
use marotte_db::{Modules, System};
use regex::Regex;

/// The name of the file that lists the modules of an environment.
pub const FILE_NAME: &str = "Puppetfile";

/// A size limit beyond any real file.
const MAX_SIZE: u64 = 4 << 20;

/// Whether the environment's `Puppetfile` lists modules that are missing: they haven't been fetched, and their definitions are
/// unknown.
pub(super) fn lacks_modules(system: &dyn System, folder: &Utf8Path, modules: &Modules) -> bool {
    let Ok(bytes) = system.read(&folder.join(FILE_NAME), MAX_SIZE) else { return false };
    names(&String::from_utf8_lossy(&bytes)).any(|name| modules.folder(&name.to_lowercase()).is_none())
}

/// The names of the modules, without their authors.
fn names(text: &str) -> impl Iterator<Item = &str> {
    #[expect(clippy::expect_used, reason = "a literal")]
    static MODULE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(?m)^\s*mod\s*\(?\s*['":]([\w/-]+)"#).expect("a regular expression"));
    MODULE.captures_iter(text).filter_map(|it| {
        let name = it.get(1)?.as_str();
        name.rsplit(['/', '-']).next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_with_and_without_authors() {
        let text = "forge 'https://forge'\n\nmod 'puppetlabs-ntp', '1.0'\nmod \"puppetlabs/apt\"\n  mod 'site',\n    git: 'x'\n# mod 'no'\nmod(:own)\n";
        assert_eq!(names(text).collect::<Vec<_>>(), ["ntp", "apt", "site", "own"]);
    }
}
