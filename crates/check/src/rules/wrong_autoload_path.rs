//! `wrong-autoload-path`: a definition stands where nobody looks for it, though Puppet does not refuse its file (C31).

use camino::Utf8PathBuf;
use marotte_db::{Db, File, ModuleFile, module_file};
use marotte_diagnostics::Level;
use marotte_hir::{Item, NameKind, items};
use marotte_text::{normalized, split_namespace};

use super::location;
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let (db, item) = (context.db, context.item);
    let Some(place) = module_file(db, context.file) else { return };
    let Some(homes) = homes_elsewhere(db, place, item) else { return };
    let (kind, name) = (item.kind(db), normalized(item.name(db)));
    // Nothing of what the file is read for is in it: whoever uses that fails. Some systems do not tell capital letters from small ones.
    let is_first = place.path.file_stem() == Some("init");
    let meant = location::namespace(place).filter(|meant| {
        let is_for = |item: &Item<'_>| {
            let is_at_home =
                || NameKind::of(item.kind(db)).is_some() && homes_elsewhere(db, place, *item).is_none();
            normalized(item.name(db)) == *meant || is_at_home()
        };
        !is_first && !items(db, context.file).iter().any(is_for)
    });
    let message = format!("{} `{name}` is not found in {}", kind.noun(), place.path);
    let home = homes.first().map(|it| format!("Puppet looks for it in {it}"));
    let note = match place.folder() {
        Some("manifests") => "it exists only once something else of this file was used",
        _ => "it does not exist for others",
    };
    let finding = context.report("wrong-autoload-path", At::Name, message);
    finding.label = Some("nobody looks for it here".to_owned());
    finding.notes.extend(home);
    match meant {
        Some(meant) => {
            finding.level = Level::Error;
            finding
                .notes
                .push(format!("here, Puppet looks for `{meant}`, which nothing in this file defines"));
        }
        None => finding.notes.push(note.to_owned()),
    }
}

/// Whether a file has a definition that this rule tells, so that nothing has to be said of the name that the file is for.
pub(crate) fn is_told_of(db: &dyn Db, file: File) -> bool {
    module_file(db, file)
        .is_some_and(|place| items(db, file).iter().any(|it| homes_elsewhere(db, place, *it).is_some()))
}

/// The files in which Puppet looks for a definition, if the one that it stands in is none of them.
fn homes_elsewhere(db: &dyn Db, place: &ModuleFile, item: Item<'_>) -> Option<Vec<Utf8PathBuf>> {
    let kind = NameKind::of(item.kind(db))?;
    // What stands in another folder is for the file that it stands in.
    if place.folder() != Some(kind.folder()) || !location::accepts(place, item.kind(db), item.name(db)) {
        return None;
    }
    let name = normalized(item.name(db));
    let (module, rest) = name.split_once("::").unwrap_or((&name, ""));
    let homes = if module == place.module { homes(kind, rest) } else { Vec::new() };
    (!homes.contains(&place.path)).then_some(homes)
}

/// The files of a module in which a name is looked for, which starts with that of the module.
fn homes(kind: NameKind, rest: &str) -> Vec<Utf8PathBuf> {
    let file = |name: &str| Utf8PathBuf::from(format!("{}/{}.pp", kind.folder(), name.replace("::", "/")));
    match kind {
        NameKind::Class | NameKind::Define => {
            let outer = std::iter::successors(Some(rest), |it| Some(split_namespace(it)?.0));
            outer.filter(|it| !it.is_empty()).chain(["init"]).map(file).collect()
        }
        NameKind::Plan if rest.is_empty() => vec![file("init")],
        NameKind::TypeAlias if rest.is_empty() => vec![file("init_typeset")],
        NameKind::Function | NameKind::Plan | NameKind::TypeAlias => vec![file(rest)],
    }
}
