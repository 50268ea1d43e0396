//! `unused-template`, `unused-file`: a file of a module that nothing in the tree reads.

use marotte_diagnostics::rules;
use std::cell::OnceCell;

use camino::Utf8Path;
use marotte_db::{below, source_text};
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
        let own_texts = OnceCell::new();
        for (name, rule, noun) in
            [("templates", rules::UNUSED_TEMPLATE, "template"), ("files", rules::UNUSED_FILE, "file")]
        {
            let root = folder.join(name);
            let found = below(db, &root, |path| is_told(&root, path));
            for path in found.files.iter().filter(|_| found.is_complete) {
                let Ok(rest) = path.strip_prefix(&root) else { continue };
                let full = format!("{module}/{rest}");
                // `epp` adds the extension.
                let is_read = mentions.may_read(&full)
                    || full.strip_suffix(".epp").is_some_and(|it| mentions.may_read(it))
                    || is_in_any(own_texts.get_or_init(|| texts_of_own(tree, folder)), rest);
                if is_read {
                    continue;
                }
                let message = format!("nothing in the tree reads {noun} `{module}/{rest}`");
                tree.report(rule, db.files().file(db, path), TextRange::default(), message);
            }
        }
    }
}

/// Whether a file is intended to be read by programs under a name that can occur in any text: it is neither hidden nor
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

/// Returns the texts of a module's Ruby code, tasks, templates and plans, which may mention files without the module's name.
fn texts_of_own<'db>(tree: &Tree<'db>, folder: &Utf8Path) -> Vec<&'db str> {
    let db = tree.db;
    let of_folder = |name: &str| below(db, &folder.join(name), |_| true).files;
    let files = ["lib", "tasks", "templates", "plans"].into_iter().flat_map(of_folder);
    let sources = files.map(|path| source_text(db, db.files().file(db, &path)));
    sources.filter(|it| it.error().is_none()).map(|it| it.text()).collect()
}

/// Whether a text mentions the name of a file.
fn is_in_any(texts: &[&str], path: &Utf8Path) -> bool {
    path.file_name().is_none_or(|name| texts.iter().any(|it| it.contains(name)))
}
