//! `unused-template`, `unused-file`: a file of a module that nothing in the tree reads.

use camino::Utf8Path;
use marotte_db::below;
use marotte_text::TextRange;

use super::Tree;
use super::mentions::Kind;
use super::read::environment_mentions;

pub(super) fn check(tree: &mut Tree<'_>) {
    let (db, environment) = (tree.db, tree.environment);
    if tree.may_be_used_elsewhere() {
        return;
    }
    let (mentions, is_complete) = environment_mentions(db, environment);
    if !is_complete || mentions.is_unknown(Kind::Path) {
        return;
    }
    for (module, folder) in tree.own_modules() {
        for (name, rule, noun) in
            [("templates", "unused-template", "template"), ("files", "unused-file", "file")]
        {
            let root = folder.join(name);
            let found = below(db, &root, |path| is_told(&root, path));
            for path in found.files.iter().filter(|_| found.is_complete) {
                let Ok(rest) = path.strip_prefix(&root) else { continue };
                let full = format!("{module}/{rest}");
                // `epp` adds the extension.
                let is_read = mentions.may_read(&full)
                    || full.strip_suffix(".epp").is_some_and(|it| mentions.may_read(it))
                    || has_mention_of_own(tree, folder, rest);
                if is_read {
                    continue;
                }
                let message = format!("nothing in the tree reads {noun} `{module}/{rest}`");
                tree.report(rule, db.files().file(db, path), TextRange::default(), message);
            }
        }
    }
}

/// Whether a file is meant to be read by programs under a name that can be written in any text: it's neither hidden nor
/// documentation, and its path has no special characters.
fn is_told(root: &Utf8Path, path: &Utf8Path) -> bool {
    let Ok(rest) = path.strip_prefix(root) else { return false };
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '/' | '.' | '-' | '_' | '+' | '@');
    let is_text = |name: &str| {
        let name = name.to_ascii_uppercase();
        ["README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG"]
            .iter()
            .any(|it| name.starts_with(it))
    };
    let is_documentation = rest.file_name().is_some_and(is_text) || rest.extension() == Some("md");
    rest.as_str().chars().all(is_plain) && !rest.iter().any(|it| it.starts_with('.')) && !is_documentation
}

/// Whether the module's Ruby code, tasks or templates mention a file without the module's name.
fn has_mention_of_own(tree: &Tree<'_>, folder: &Utf8Path, rest: &Utf8Path) -> bool {
    let db = tree.db;
    let Some(name) = rest.file_name() else { return true };
    ["lib", "tasks", "templates", "plans"].iter().any(|it| {
        let files = below(db, &folder.join(it), |_| true).files;
        files.iter().any(|path| {
            let source = marotte_db::source_text(db, db.files().file(db, path));
            source.error().is_none() && source.text().contains(name)
        })
    })
}
