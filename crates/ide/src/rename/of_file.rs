//! Renames that follow from the new name of a file.

use camino::Utf8Path;
use marotte_db::{File, module_file, source_text};
use marotte_hir::{Item, ItemKind, items};
use marotte_text::{TextSize, normalized, unrooted};

use super::{RefusedRename, Rename, TextEdit, plan};
use crate::Db;
use crate::completion::names::own_name;
use crate::references::references_of;
use crate::symbol::{Symbol, capitalized};
use crate::token::{Named, part, slice};

/// The edits that are due when a file moves to another path: a class, resource type, function or alias takes the name that the
/// autoloader looks for there; code that renders a template or copies a file takes its new path. The edits refer to the old path.
///
/// Empty if nothing depends on the path of the file.
///
/// # Errors
/// If the new name is invalid or taken, or if the old one may be used in a place that cannot be changed: see
/// [`rename`](super::rename()).
pub fn rename_file(db: &dyn Db, file: File, to: &Utf8Path) -> Result<Rename, RefusedRename> {
    let target = db.files().file(db, to);
    let (Some(before), Some(after)) = (module_file(db, file), module_file(db, target)) else {
        return Ok(Rename::default());
    };
    let (Some(folder), true) = (before.folder(), before.folder() == after.folder()) else {
        return Ok(Rename::default());
    };
    if matches!(folder, "templates" | "files") {
        return Ok(of_path(db, file, target));
    }
    let (Some(old), Some(new)) = (own_name(db, file), own_name(db, target)) else {
        return Ok(Rename::default());
    };
    let is_own = |it: &&Item<'_>| {
        let kind = it.kind(db);
        matches!(kind, ItemKind::Class | ItemKind::Define | ItemKind::Function | ItemKind::TypeAlias)
            && normalized(unrooted(it.name(db))) == normalized(&old)
    };
    let Some(item) = items(db, file).iter().find(is_own).filter(|_| old != new) else {
        return Ok(Rename::default());
    };
    let new = if item.kind(db) == ItemKind::TypeAlias { capitalized(&new) } else { new };
    let renamed = plan::rename(db, file, &Symbol::Item(*item), &new)?;
    Ok(Rename { moves: Vec::new(), ..renamed })
}

/// The edits of the places that name a template or another file of a module by its path.
fn of_path(db: &dyn Db, file: File, target: File) -> Rename {
    let mut rename = Rename::default();
    let path = |file: File| {
        let place = module_file(db, file)?;
        let below = place.path.strip_prefix(place.folder()?).ok()?;
        Some(format!("{}/{below}", place.module))
    };
    let (Some(old), Some(new)) = (path(file), path(target)) else { return rename };
    // The function `epp` takes the name without the extension, too.
    let stem = |path: &str| path.strip_suffix(".epp").map(str::to_owned);
    for (place, token) in references_of(db, file, &Symbol::File(file)) {
        let Named::ModuleFile { .. } = token.named else { continue };
        let written = slice(source_text(db, place.file).text(), place.range);
        let stems = || Some((stem(&old)?, stem(&new)?));
        let found = match (written.ends_with(&old), stems()) {
            (true, _) => Some((old.clone(), new.clone())),
            (false, Some((old, new))) if written.ends_with(&old) => Some((old, new)),
            _ => None,
        };
        match found {
            Some((old, new)) => {
                let range = part(place.range, written.len() - old.len(), written.len());
                rename.edits.push(TextEdit { place: crate::FileRange { range, ..place }, text: new });
            }
            None => {
                let line = source_text(db, place.file).line_index().position(place.range.start()).line;
                rename.notes.push(format!("`{}:{line}` names the file in another way", place.file.path(db)));
            }
        }
    }
    rename
        .edits
        .sort_by_key(|it| (it.place.file.path(db).clone(), it.place.range.start(), TextSize::of(&*it.text)));
    rename.edits.dedup_by(|one, other| one.place == other.place);
    rename
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, assert_text};

    fn moved(tree: &str, from: &str, to: &str) -> Result<String, RefusedRename> {
        let fixture = Fixture::new(tree);
        let to = format!("/environment{to}");
        let found = rename_file(fixture.db(), fixture.file(from), Utf8Path::new(&to))?;
        assert!(found.moves.is_empty(), "the editor moves the file");
        Ok(fixture.applied(&found.edits, &found.moves))
    }

    const TREE: &str = "
        //- /manifests/site.pp
        include ntp::server
        file { '/a': source => 'puppet:///modules/ntp/a.txt', content => template('ntp/a.erb') }
        $x = [epp('ntp/b'), epp('ntp/b.epp')]
        //- /modules/ntp/manifests/server.pp
        class ntp::server(Ntp::Port $port = 1) { }
        //- /modules/ntp/types/port.pp
        type Ntp::Port = Integer
        //- /modules/ntp/files/a.txt
        a
        //- /modules/ntp/templates/a.erb
        a
        //- /modules/ntp/templates/b.epp
        b
        ";

    #[test]
    fn definitions_take_the_names_of_their_files() {
        let found = moved(TREE, "/modules/ntp/manifests/server.pp", "/modules/ntp/manifests/deep/daemon.pp");
        assert_text(
            &found.expect("a rename"),
            "
            //- /manifests/site.pp
            include ntp::deep::daemon
            file { '/a': source => 'puppet:///modules/ntp/a.txt', content => template('ntp/a.erb') }
            $x = [epp('ntp/b'), epp('ntp/b.epp')]
            //- /modules/ntp/manifests/server.pp
            class ntp::deep::daemon(Ntp::Port $port = 1) { }
            ",
        );
        let found = moved(TREE, "/modules/ntp/types/port.pp", "/modules/ntp/types/number.pp");
        assert_text(
            &found.expect("a rename"),
            "
            //- /modules/ntp/manifests/server.pp
            class ntp::server(Ntp::Number $port = 1) { }
            //- /modules/ntp/types/port.pp
            type Ntp::Number = Integer
            ",
        );
    }

    #[test]
    fn paths_follow_templates_and_files() {
        let line = |from: &str, to: &str| {
            let found = moved(TREE, from, to).expect("a rename");
            found.lines().skip(2).take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            line("/modules/ntp/templates/b.epp", "/modules/ntp/templates/c/d.epp")[1],
            "$x = [epp('ntp/c/d'), epp('ntp/c/d.epp')]"
        );
        assert!(
            line("/modules/ntp/files/a.txt", "/modules/ntp/files/z.txt")[0].contains("modules/ntp/z.txt'")
        );
        assert!(
            line("/modules/ntp/templates/a.erb", "/modules/ntp/templates/z.erb")[0].contains("'ntp/z.erb'")
        );
    }

    #[test]
    fn names_that_are_taken_are_refused() {
        let tree = format!("{TREE}//- /modules/ntp/manifests/client.pp\n        class ntp::client {{ }}\n");
        let found = moved(&tree, "/modules/ntp/manifests/server.pp", "/modules/ntp/manifests/client.pp");
        assert_eq!(found.expect_err("no rename").0, "there is a class `ntp::client` already");
        // Outside of modules, nothing depends on the path.
        assert_eq!(moved(TREE, "/manifests/site.pp", "/manifests/other.pp"), Ok(String::new()));
    }
}
