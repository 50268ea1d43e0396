use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::{lists_above, resolve};
use marotte_db::{Db as _, System};
use marotte_host::ProjectDatabase;

use crate::outermost;

/// The absolute paths on which the results of a run depend. They needn't exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// The trees, which include everything below them. None is below another one.
    pub trees: Vec<Utf8PathBuf>,
    /// Single paths outside of the trees, or behind symbolic links: configuration, lists of ignored files, links.
    pub files: BTreeSet<Utf8PathBuf>,
}

impl Watched {
    /// Creates a set of trees.
    pub fn new(trees: impl IntoIterator<Item = Utf8PathBuf>) -> Self {
        Watched { trees: outermost(trees), files: BTreeSet::new() }
    }

    /// Adds single paths.
    #[must_use]
    pub fn with(mut self, files: impl IntoIterator<Item = Utf8PathBuf>) -> Self {
        self.files.extend(files);
        self
    }

    /// Adds the lists of ignored files above the trees.
    #[must_use]
    pub fn with_lists(self, system: &dyn System) -> Self {
        let lists: Vec<Utf8PathBuf> = self.trees.iter().flat_map(|it| lists_above(system, it)).collect();
        self.with(lists)
    }

    /// Creates a set of trees, of the targets of the symbolic links in them, as far as anything was read through these links, and
    /// of all links on the way.
    pub fn following(db: &ProjectDatabase, trees: impl IntoIterator<Item = Utf8PathBuf>) -> Self {
        let system = db.system();
        let all: BTreeSet<Utf8PathBuf> = trees.into_iter().collect();
        let named = outermost(all.iter().cloned());
        let links_to = |path: &Utf8PathBuf| resolve(system, path).links;
        let mut links = db.files().links(db);
        links.extend(all.iter().filter(|it| named.binary_search(it).is_err()).flat_map(links_to));
        // The watcher itself follows the links on the way to a tree, whose targets may contain the tree.
        let own: BTreeSet<Utf8PathBuf> = named.iter().flat_map(links_to).collect();
        links.retain(|it| !own.contains(it) && !system.leaves(it));
        let targets = links.iter().map(|it| resolve(system, it).real).filter(|it| is_readable(system, it));
        let trees = outermost(named.into_iter().chain(targets));
        // The events of links in a tree are among the tree's.
        let real: Vec<Utf8PathBuf> = trees.iter().map(|it| resolve(system, it).real).collect();
        links.retain(|link| !real.iter().any(|it| link.starts_with(it)));
        Watched { trees, files: links }
    }

    /// Whether a path is in a tree.
    pub fn contains(&self, path: &Utf8Path) -> bool {
        self.trees.iter().any(|it| path.starts_with(it))
    }
}

/// Whether a path can be watched: unreadable paths and kernel-generated files aren't.
fn is_readable(system: &dyn System, path: &Utf8Path) -> bool {
    let folder = if system.is_directory(path) { Some(path) } else { path.parent() };
    folder.is_some_and(|it| system.entries(it).is_ok())
}
