//! The `Puppetfile` of an environment: the modules that it lists.

use std::sync::LazyLock;

use marotte_db::{Db, Environment, File, FileStatus, module_folder, source_text};
use marotte_text::{Str, TextRange, TextSize, ascii_regex};
use regex::Regex;

use crate::spelling::near;

/// The name of the file that lists the modules of an environment.
pub const PUPPETFILE: &str = "Puppetfile";

/// The content of a `Puppetfile`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Puppetfile {
    /// The modules, in order.
    pub modules: Vec<PuppetfileModule>,
    /// Whether the file only has statements that are understood: no other Ruby, which may list further modules.
    pub is_complete: bool,
}

/// A module in a `Puppetfile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuppetfileModule {
    /// The name without the author, in lower case.
    pub name: Str,
    /// The name as written, such as `puppetlabs-stdlib`.
    pub written: Str,
    /// The range of the name as written.
    pub range: TextRange,
    /// Whether the module is from the Forge, or a copy of one: its name has an author.
    pub has_author: bool,
    /// Whether the module is part of the repository itself, so that nothing fetches it.
    pub is_local: bool,
}

impl Puppetfile {
    /// Reads the statements of a `Puppetfile`.
    pub fn read(text: &str) -> Puppetfile {
        let mut found = Puppetfile { modules: Vec::new(), is_complete: true };
        let mut start = 0;
        let mut is_in_module = false;
        for line in text.split_inclusive('\n') {
            let code = without_comment(line);
            let trimmed = code.trim();
            let misspelled = MISSPELLED.captures(code).filter(|it| near(&it[1], ["mod"]).is_some());
            found.is_complete &= misspelled.is_none();
            let name = MODULE.captures(code).and_then(|it| it.get(1));
            if let Some(name) = name.or_else(|| misspelled.and_then(|it| it.get(2))) {
                let written = name.as_str();
                let short = written.rsplit(['/', '-']).next().unwrap_or(written);
                found.modules.push(PuppetfileModule {
                    name: short.to_lowercase().into(),
                    written: written.into(),
                    range: TextRange::at(TextSize::of(&text[..start + name.start()]), TextSize::of(written)),
                    has_author: short.len() != written.len(),
                    is_local: is_local(code),
                });
                is_in_module = true;
            } else if is_in_module && CONTINUED.is_match(trimmed) {
                if let Some(last) = found.modules.last_mut() {
                    last.is_local |= is_local(code);
                }
            } else if !trimmed.is_empty() {
                is_in_module = false;
                found.is_complete &= SETTING.is_match(trimmed);
            }
            start += line.len();
        }
        found
    }

    /// Returns the module with this name, which must be in lower case.
    pub fn module(&self, name: &str) -> Option<&PuppetfileModule> {
        self.modules.iter().find(|it| *it.name == *name)
    }
}

/// Returns the `Puppetfile` of an environment and its content. None if the file doesn't exist, or if it cannot be read.
pub fn puppetfile(db: &dyn Db, environment: Environment) -> Option<(File, &Puppetfile)> {
    let file = db.files().file(db, &environment.root(db)?.join(PUPPETFILE));
    Some((file, content(db, file)?))
}

/// Whether the `Puppetfile` of an environment installs a module, or a repository of another kind, that is not here. The name must be
/// in lower case.
pub fn installs_absent(db: &dyn Db, environment: Environment, name: &str) -> bool {
    module_folder(db, environment, name.into()).is_none()
        && puppetfile(db, environment)
            .is_some_and(|(_, it)| it.module(name).is_some_and(|listed| !listed.is_local))
}

#[salsa::tracked(returns(as_ref))]
fn content(db: &dyn Db, file: File) -> Option<Puppetfile> {
    if file.status(db) != FileStatus::Exists {
        return None;
    }
    let source = source_text(db, file);
    source.error().is_none().then(|| Puppetfile::read(source.text()))
}

/// `mod 'author-name'`.
static MODULE: LazyLock<Regex> = LazyLock::new(|| ascii_regex(r#"^\s*mod\s*\(?\s*['":]([\w/-]+)"#));

/// A misspelled `mod 'author-name'`: the module counts as listed.
static MISSPELLED: LazyLock<Regex> = LazyLock::new(|| ascii_regex(r#"^\s*(\w+)\s+['"](\w+[/-]\w+)['"]"#));

/// A further line of a module's options: `:git => 'url',`.
static CONTINUED: LazyLock<Regex> =
    LazyLock::new(|| ascii_regex(r#"^(:\w+|\w+:\s|:?['"][^'"]*['"]|[)}{]|=>|:latest)"#));

/// A statement other than `mod`.
static SETTING: LazyLock<Regex> = LazyLock::new(|| ascii_regex(r#"^(forge|moduledir)\b"#));

/// The option of a module that is part of the repository.
static LOCAL: LazyLock<Regex> = LazyLock::new(|| ascii_regex(r"\blocal:\s*true|:local\s*=>\s*true"));

fn is_local(code: &str) -> bool {
    LOCAL.is_match(code)
}

/// Returns the part of a line before a comment.
pub fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match (letter, quote) {
            ('#', None) => return &line[..at],
            ('\'' | '"', None) => quote = Some(letter),
            (_, Some(open)) if open == letter => quote = None,
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_with_and_without_authors() {
        let text = "forge 'https://forge'\n\nmod 'puppetlabs-ntp', '1.0'\nmod \"puppetlabs/apt\"  # 'x'\n  mod 'site',\n    git: 'x#y'\n# mod 'no'\nmod(:own)\nmod 'here', local: true\n";
        let found = Puppetfile::read(text);
        let names: Vec<&str> = found.modules.iter().map(|it| &*it.name).collect();
        assert_eq!(names, ["ntp", "apt", "site", "own", "here"]);
        assert!(found.is_complete);
        let has_author: Vec<bool> = found.modules.iter().map(|it| it.has_author).collect();
        assert_eq!(has_author, [true, true, false, false, false]);
        assert!(found.modules[4].is_local && !found.modules[3].is_local);
        assert_eq!(&text[found.modules[1].range], "puppetlabs/apt");
    }

    #[test]
    fn a_misspelled_statement_lists_a_module() {
        let found = Puppetfile::read("mdo 'puppet/zabbix', '1.0.0'\nforge 'a/b'\n");
        let names: Vec<&str> = found.modules.iter().map(|it| &*it.name).collect();
        assert_eq!(names, ["zabbix"]);
        assert!(!found.is_complete);
    }

    #[test]
    fn ruby_may_list_more() {
        assert!(!Puppetfile::read("%w[a b].each { |it| mod it }\n").is_complete);
        assert!(!Puppetfile::read("mod 'a'\nif ENV['X']\n  mod 'b'\nend\n").is_complete);
        assert!(Puppetfile::read("mod 'a-b',\n  :git => 'x',\n  :ref => 'y'\nmoduledir 'm'\n").is_complete);
    }
}
