use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::System;

/// The maximum number of symbolic links followed for one path, as on Linux.
const LIMIT: usize = 40;

/// The result of resolving a path's symbolic links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// The path without symbolic links, as far as it exists, followed by the missing rest.
    pub real: Utf8PathBuf,
    /// The links on the way, in order, each by its own path without links: if one of them is switched, the path resolves
    /// differently.
    pub links: Vec<Utf8PathBuf>,
}

/// Resolves an absolute path link by link. Links beyond the limit aren't followed.
pub fn resolve(system: &(impl System + ?Sized), path: &Utf8Path) -> Resolved {
    let mut it = Resolved { real: Utf8PathBuf::new(), links: Vec::new() };
    let mut open = vec![path.to_owned()];
    while let Some(next) = open.pop() {
        let mut components = next.components();
        let Some(first) = components.next() else { continue };
        open.push(components.as_path().to_owned());
        match first {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                it.real.pop();
            }
            Utf8Component::Normal(name) => {
                it.real.push(name);
                if it.links.len() < LIMIT
                    && let Some(target) = system.read_link(&it.real)
                {
                    it.links.push(it.real.clone());
                    it.real.pop();
                    open.push(target);
                }
            }
            // An absolute target replaces the path so far.
            root => it.real.push(root),
        }
    }
    it
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;

    fn told(system: &MemorySystem, path: &str) -> (String, Vec<String>) {
        let Resolved { real, links } = resolve(system, Utf8Path::new(path));
        (real.into_string(), links.into_iter().map(Utf8PathBuf::into_string).collect())
    }

    #[test]
    fn links_on_the_way_are_those_on_which_the_end_depends() {
        let system = MemorySystem::with_files([("/srv/releases/41/x", ""), ("/etc/y", "")]);
        system.link("/code", "/srv/./current");
        system.link("/srv/current", "releases/41");
        let links = || vec!["/code".to_owned(), "/srv/current".to_owned()];
        assert_eq!(told(&system, "/code/x"), ("/srv/releases/41/x".to_owned(), links()));
        assert_eq!(told(&system, "/code/none/z"), ("/srv/releases/41/none/z".to_owned(), links()));
        assert_eq!(told(&system, "/code/../y"), ("/srv/releases/y".to_owned(), links()));
        assert_eq!(told(&system, "/etc/y"), ("/etc/y".to_owned(), vec![]));
    }

    #[test]
    fn links_that_lead_to_themselves_come_to_an_end() {
        let system = MemorySystem::with_files([("/a/x", "")]);
        system.link("/a/b", "c");
        system.link("/a/c", "b");
        assert_eq!(resolve(&system, Utf8Path::new("/a/b/x")).links.len(), LIMIT);
    }
}
