//! `unused-data-file`: a file next to data that no level of a `hiera.yaml` reads.

use marotte_diagnostics::rules;
use std::collections::BTreeSet;

use camino::Utf8Path;
use marotte_db::{File, FileStatus, files_below, source_text};
use marotte_hiera::Layer;
use marotte_resolve::data_files::{config_file, hiera_levels};
use marotte_text::TextRange;

use super::Tree;

pub(super) fn check(tree: &mut Tree<'_>) {
    let modules: Vec<_> = tree.own_modules().into_iter().map(|(it, _)| Layer::Module(it.clone())).collect();
    for layer in modules.into_iter().chain([Layer::Environment]) {
        of_layer(tree, &layer);
    }
}

fn of_layer(tree: &mut Tree<'_>, layer: &Layer) {
    let (db, environment) = (tree.db, tree.environment);
    let Some(config) = config_file(db, environment, layer).filter(|it| it.status(db) == FileStatus::Exists)
    else {
        return;
    };
    let Some(root) = config.path(db).parent() else { return };
    // Plans read the levels of a separate hierarchy.
    if source_text(db, config).text().contains("plan_hierarchy") {
        return;
    }
    let Some(Ok(levels)) = hiera_levels(db, environment, layer.clone()) else { return };
    // A level whose files are unknown may read any file.
    if levels.iter().any(|it| it.files.is_none()) {
        return;
    }
    let patterns: Vec<_> = levels.iter().flat_map(|it| it.files.iter().flatten()).collect();
    if patterns.iter().any(|it| !it.is_in(root)) {
        return;
    }
    let folders: BTreeSet<(&Utf8Path, &str)> = patterns
        .iter()
        .filter_map(|it| Some((Utf8Path::new(&**it.folder()), Utf8Path::new(&*it.text).extension()?)))
        // The root of a repository contains more than data.
        .filter(|it| it.0 != root)
        .collect();
    let mut unread: BTreeSet<File> = BTreeSet::new();
    for (folder, extension) in folders {
        for path in files_below(db, folder, extension) {
            let is_hidden = path.strip_prefix(root).is_ok_and(|it| it.iter().any(|it| it.starts_with('.')));
            if !is_hidden && levels.of_file(&path).is_none() {
                unread.insert(db.files().file(db, &path));
            }
        }
    }
    for file in unread {
        let message = format!("no level of `{}` reads this file", tree.shown(config.path(db)));
        tree.report(rules::UNUSED_DATA_FILE, file, TextRange::default(), message);
    }
}
