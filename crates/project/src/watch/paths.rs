//! Converts the machine's file events to change batches; independent of the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use camino::{Utf8Path, Utf8PathBuf};
use notify::{Event, EventKind};

use crate::ChangeBatch;

/// The paths whose events matter.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// The trees, under all their names, and the links on the way to them.
    pub(super) trees: Vec<Utf8PathBuf>,
    /// The single paths, by all their names and by the links on the way to them.
    pub(super) files: BTreeMap<Utf8PathBuf, BTreeSet<Utf8PathBuf>>,
}

impl Anchors {
    /// The single paths that a change of a file, of a link or of an enclosing folder may affect.
    fn files_at(&self, path: &Utf8Path) -> impl Iterator<Item = &Utf8PathBuf> {
        // Paths are compared by component, so that a folder's contents follow it.
        let from = (Bound::Included(path), Bound::Unbounded);
        let near = self.files.range::<Utf8Path, _>(from).take_while(move |(it, _)| it.starts_with(path));
        near.flat_map(|(_, files)| files)
    }
}

/// The batch for an event: paths in trees as they are, and single paths under the names by which the caller knows them. `None` if
/// the event affects nothing that is watched.
pub(super) fn batch(event: notify::Result<Event>, anchors: &Anchors) -> Option<ChangeBatch> {
    // An error means that events were lost, and so does a flag on an event.
    let Ok(event) = event else { return Some(ChangeBatch::everything()) };
    if event.need_rescan() {
        return Some(ChangeBatch::everything());
    }
    // Reading isn't a change; reacting to it by reading would never end.
    if matches!(event.kind, EventKind::Access(_)) {
        return None;
    }
    let paths = event.paths.into_iter().filter_map(|path| Utf8PathBuf::from_path_buf(path).ok());
    let mut batch = ChangeBatch::new();
    for path in paths {
        anchors.files_at(&path).for_each(|it| batch.touch(it));
        if is_watched(&path, &anchors.trees) {
            batch.touch(path);
        }
    }
    (!batch.is_empty()).then_some(batch)
}

/// Whether a path is a root, is below one or contains one. The internal files of version control never matter.
fn is_watched(path: &Utf8Path, roots: &[Utf8PathBuf]) -> bool {
    let mut names = path.iter();
    let is_of_git = names.any(|name| name == ".git");
    (!is_of_git || is_exclusions(path))
        && roots.iter().any(|root| path.starts_with(root) || root.starts_with(path))
}

/// Whether a path is git's own list of exclusions.
pub(crate) fn is_exclusions(path: &Utf8Path) -> bool {
    path.ends_with(".git/info/exclude")
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, CreateKind, Flag, ModifyKind, RenameMode};

    use super::*;

    fn of(kind: EventKind, paths: &[&str]) -> Option<Vec<String>> {
        let event = paths.iter().fold(Event::new(kind), |event, path| event.add_path(path.into()));
        let files = [("/root/marotte.toml", "/root/marotte.toml"), ("/conf/x", "/root/tree/.gitignore")];
        let files = files.into_iter().map(|(place, path)| (place.into(), BTreeSet::from([path.into()])));
        let anchors = Anchors { trees: vec!["/root/tree".into()], files: files.collect() };
        let batch = batch(Ok(event), &anchors)?;
        Some(batch.paths().map(ToString::to_string).collect())
    }

    #[test]
    fn both_names_of_a_renamed_file_are_touched() {
        let rename = EventKind::Modify(ModifyKind::Name(RenameMode::Both));
        let paths = ["/root/tree/.a.pp.swp", "/root/tree/a.pp"];
        assert_eq!(of(rename, &paths), Some(paths.map(str::to_owned).to_vec()));
    }

    #[test]
    fn reading_is_no_change() {
        assert_eq!(of(EventKind::Access(AccessKind::Any), &["/root/tree/a.pp"]), None);
    }

    #[test]
    fn the_roots_own_coming_and_going_counts_and_its_neighbours_do_not() {
        let create = EventKind::Create(CreateKind::Any);
        assert!(of(create, &["/root/tree"]).is_some());
        assert!(of(create, &["/root"]).is_some());
        assert_eq!(of(create, &["/root/other/a.pp"]), None);
    }

    #[test]
    fn a_single_file_has_its_own_name_and_its_neighbours_do_not_count() {
        let create = EventKind::Create(CreateKind::Any);
        let own = |path: &str| Some(vec![path.to_owned()]);
        assert_eq!(of(create, &["/root/marotte.toml"]), own("/root/marotte.toml"));
        assert_eq!(of(create, &["/conf/x"]), own("/root/tree/.gitignore"));
        assert_eq!(of(create, &["/conf"]), own("/root/tree/.gitignore"));
        for other in ["/root/marotte.toml~", "/root/marotte.toml/x", "/conf/xy", "/conf/w", "/con"] {
            assert_eq!(of(create, &[other]), None, "{other}");
        }
    }

    #[test]
    fn version_control_is_left_alone() {
        assert_eq!(of(EventKind::Create(CreateKind::Any), &["/root/tree/.git/index.lock"]), None);
        assert!(of(EventKind::Create(CreateKind::Any), &["/root/tree/.git/info/exclude"]).is_some());
    }

    #[test]
    fn lost_events_ask_for_a_rescan() {
        let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert!(batch(Ok(overflow), &Anchors::default()).is_some_and(|batch| batch.is_rescan()));
        assert!(
            batch(Err(notify::Error::generic("lost")), &Anchors::default())
                .is_some_and(|batch| batch.is_rescan())
        );
    }
}
