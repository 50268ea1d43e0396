//! The bounds of the tree, for files beside the code that commands read and write: the tree may name such a file, or replace it
//! by a link.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::resolve;
use marotte_project::discovery;

/// The tree, for paths with this author.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    /// The real paths of the folders that are the tree.
    roots: Vec<Utf8PathBuf>,
    named: Named,
}

impl Bounds {
    /// The tree around these absolute paths, and the folder of its configuration.
    pub(crate) fn new(
        system: &dyn System,
        paths: &[Utf8PathBuf],
        configuration: Option<&Utf8Path>,
        named: Named,
    ) -> Bounds {
        let roots = discovery::roots(system, paths, &[]).into_iter();
        let roots = roots.chain(configuration.map(Utf8Path::to_owned));
        Bounds { roots: roots.map(|it| resolve(system, &it).real).collect(), named }
    }

    /// Returns the real path of a file that is outside of the tree although the tree determines where it is: by a setting, or, if
    /// the user names the path, by a link.
    pub(crate) fn led_out(&self, system: &dyn System, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let is_outside = |path: &Utf8Path| {
            let real = resolve(system, path).real;
            !self.roots.iter().any(|it| real.starts_with(it))
        };
        let is_led = self.named == Named::ByTree && is_outside(path) || leads_out(path, is_outside);
        is_led.then(|| resolve(system, path).real)
    }
}

/// The author of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// An argument, the environment of the process, or the configuration that an argument names.
    ByUser,
    /// A file of the tree.
    ByTree,
}

/// Whether a link in the tree leads a path out of it: a folder on the way is in the tree, the end is not.
pub(crate) fn leads_out(path: &Utf8Path, is_outside: impl Fn(&Utf8Path) -> bool) -> bool {
    is_outside(path) && path.ancestors().skip(1).any(|it| !is_outside(it))
}

/// Says in a message where a path leads.
pub(crate) fn way(path: &Utf8Path, target: &Utf8Path) -> String {
    if path == target { path.to_string() } else { format!("{path} leads to {target}, which") }
}
