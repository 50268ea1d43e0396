//! The bounds of the tree, for files beside the code that commands read and write: the tree may name such a file, or replace it
//! by a link.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{ReadError, resolve};
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
        self.real(system, path).err()
    }

    /// Returns the real path of a file. If [`led_out`](Bounds::led_out) does, it is an error.
    fn real(&self, system: &dyn System, path: &Utf8Path) -> Result<Utf8PathBuf, Utf8PathBuf> {
        let real = resolve(system, path).real;
        let has = |real: &Utf8Path| self.roots.iter().any(|it| real.starts_with(it));
        if has(&real) {
            return Ok(real);
        }
        let is_led = self.named == Named::ByTree || starts_inside(path, |it| !has(&resolve(system, it).real));
        if is_led { Err(real) } else { Ok(real) }
    }

    /// Writes a file that does not [lead out](Bounds::led_out), even if a link is made meanwhile.
    pub(crate) fn write(&self, system: &dyn System, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        match self.real(system, path) {
            Ok(real) => system.write_direct(&real, None, bytes),
            Err(_) => Err(io::Error::other(ReadError::LeavesTree)),
        }
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

/// Whether a folder on the way to a path is in the tree. If what the path leads to is not, a link in the tree leads there.
pub(crate) fn starts_inside(path: &Utf8Path, is_outside: impl Fn(&Utf8Path) -> bool) -> bool {
    path.ancestors().skip(1).any(|it| !is_outside(it))
}

/// Says in a message where a path leads.
pub(crate) fn way(path: &Utf8Path, target: &Utf8Path) -> String {
    if path == target { path.to_string() } else { format!("{path} leads to {target}, which") }
}
