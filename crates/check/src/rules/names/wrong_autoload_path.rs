//! `wrong-autoload-path`: a definition that the autoloader doesn't find, though it doesn't reject the file either (C31).

use marotte_db::module_file;
use marotte_diagnostics::{Level, rules};
use marotte_hir::{Item, NameKind, items};
use marotte_resolve::autoload::{homes_elsewhere, namespace};
use marotte_text::normalized;

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, item) = (context.db, context.item);
    let Some(place) = module_file(db, context.file) else { return };
    let Some(homes) = homes_elsewhere(db, place, item) else { return };
    let (kind, name) = (item.kind(db), normalized(item.name(db)));
    // The file doesn't contain the definition that it is loaded for, so that using it fails. Some file systems are
    // case-insensitive.
    let is_first = place.path.file_stem() == Some("init");
    let meant = namespace(place).filter(|meant| {
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
    let finding = context.report(rules::WRONG_AUTOLOAD_PATH, At::Name, message);
    finding.label = Some("Puppet does not look for it here".to_owned());
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
