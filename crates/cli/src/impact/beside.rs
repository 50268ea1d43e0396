use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{FileType, normalize};

use super::trees::SIZE;

/// Two folders that are compiled at the same path, that of the code after. Paths with `..` that leave the code before lead to what
/// is beside the code after.
pub(super) struct Beside {
    /// The folder with the code before.
    pub(super) before: Utf8PathBuf,
    /// The folder with the code after.
    pub(super) after: Utf8PathBuf,
}

/// The maximum number of paths that doubts name.
const NAMED: usize = 3;

impl Beside {
    /// Returns the doubts about paths outside of the trees that were read: those that are not the same beside the code before.
    pub(super) fn doubts(
        &self,
        disk: &dyn System,
        known: impl IntoIterator<Item = Utf8PathBuf>,
    ) -> Vec<String> {
        let differ =
            |path: &Utf8PathBuf| self.counterpart(path).is_some_and(|other| !are_same(disk, path, &other));
        let different: BTreeSet<Utf8PathBuf> = known.into_iter().filter(differ).collect();
        // What is in a folder that is different needs no mention of its own.
        let outermost = |it: &&Utf8PathBuf| !it.ancestors().skip(1).any(|it| different.contains(it));
        let outermost: Vec<&Utf8PathBuf> = different.iter().filter(outermost).collect();
        let doubt = |path: &Utf8PathBuf| {
            let other = self.counterpart(path).unwrap_or_default();
            format!(
                "{path} is outside of both trees, and both are compiled with it, although {other} is not the same"
            )
        };
        let more = outermost.len().saturating_sub(NAMED);
        let more = (more > 0).then(|| format!("{more} more paths outside of both trees are not the same"));
        outermost.into_iter().take(NAMED).map(doubt).chain(more).collect()
    }

    /// Returns the path that is to the code before what a path is to the code after. None for paths in the code, and for those that
    /// are nearer to both trees than these are to each other, or to neither: they are the same.
    fn counterpart(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        if path.starts_with(&self.after) || path.starts_with(&self.before) {
            return None;
        }
        let common = shared(path, &self.after);
        if common <= shared(&self.before, &self.after) {
            return None;
        }
        let up = self.after.components().count().saturating_sub(common);
        let mut other = self.before.clone();
        other.extend(std::iter::repeat_n("..", up));
        other.extend(path.components().skip(common).map(|it| it.as_str()));
        Some(normalize(&other)).filter(|it| it != path)
    }
}

/// The number of components that two paths share from the start.
fn shared(one: &Utf8Path, other: &Utf8Path) -> usize {
    one.components().zip(other.components()).take_while(|(one, other)| one == other).count()
}

/// Whether two paths have the same files, or neither exists. Of folders, the names in them are compared.
fn are_same(disk: &dyn System, one: &Utf8Path, other: &Utf8Path) -> bool {
    let kinds = [one, other].map(|it| disk.metadata(it).ok().map(|it| it.file_type));
    match kinds {
        [None, None] => true,
        [Some(FileType::Directory), Some(FileType::Directory)] => {
            let names = |path: &Utf8Path| -> Option<BTreeSet<String>> {
                Some(disk.entries(path).ok()?.into_iter().map(|it| it.name).collect())
            };
            names(one).is_some_and(|it| Some(it) == names(other))
        }
        [Some(FileType::File), Some(FileType::File)] => {
            disk.read(one, SIZE).ok().is_some_and(|it| disk.read(other, SIZE).ok() == Some(it))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counterpart(before: &str, after: &str, path: &str) -> Option<String> {
        let beside = Beside { before: before.into(), after: after.into() };
        beside.counterpart(path.into()).map(Utf8PathBuf::into_string)
    }

    #[test]
    fn what_is_beside_one_tree_has_a_counterpart_beside_the_other() {
        let of = |path: &str| counterpart("/x/a/env", "/x/b/env", path);
        assert_eq!(of("/x/b/shared/m"), Some("/x/a/shared/m".to_owned()));
        assert_eq!(of("/x/shared"), None, "it is beside both");
        assert_eq!(of("/etc/data"), None, "it is nowhere near");
        assert_eq!(of("/x/b/env/m"), None);
        assert_eq!(counterpart("/x/a", "/x/b", "/x/shared"), None);
        assert_eq!(counterpart("/old", "/srv/code/env", "/srv/code/data"), Some("/data".to_owned()));
        assert_eq!(counterpart("/x/b/env/old", "/x/b/env", "/x/b/shared"), None);
    }
}
