//! `wrong-autoload-path`: a definition stands where nobody looks for it, though Puppet does not refuse its file (C31).

use camino::Utf8PathBuf;
use marotte_db::module_file;
use marotte_hir::NameKind;
use marotte_text::{normalized, split_namespace};

use super::location;
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let (db, item) = (context.db, context.item);
    let Some(place) = module_file(db, context.file) else { return };
    let Some(kind) = NameKind::of(item.kind(db)) else { return };
    // What stands in another folder is for the file that it stands in.
    if place.folder() != Some(kind.folder()) || !location::accepts(place, item.kind(db), item.name(db)) {
        return;
    }
    let name = normalized(item.name(db));
    let (module, rest) = name.split_once("::").unwrap_or((&name, ""));
    let homes = if module == place.module { homes(kind, rest) } else { Vec::new() };
    if homes.contains(&place.path) {
        return;
    }
    let what = item.kind(db).noun();
    let message = format!("{what} `{name}` is not found in {}", place.path);
    let home = homes.first().map(|it| format!("Puppet looks for it in {it}"));
    let note = match place.folder() {
        Some("manifests") => "it exists only once something else of this file was used",
        _ => "it does not exist for others",
    };
    let finding = context.report("wrong-autoload-path", At::Name, message);
    finding.label = Some("nobody looks for it here".to_owned());
    finding.notes.extend(home);
    finding.notes.push(note.to_owned());
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
