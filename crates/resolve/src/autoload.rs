//! Autoloading: the files of a module in which the autoloader looks for a definition.

use camino::Utf8PathBuf;
use marotte_db::{Db, File, ModuleFile, module_file};
use marotte_hir::{Item, ItemKind, NameKind, items};
use marotte_text::{normalized, split_namespace};

/// The folders of a module that the autoloader reads.
pub(crate) const AUTOLOADED: [&str; 4] = ["manifests", "functions", "types", "plans"];

/// Whether an autoloaded file contains a definition that the autoloader rejects there; it then rejects the whole file.
pub fn is_refused(db: &dyn Db, file: File) -> bool {
    let Some(namespace) = module_file(db, file).and_then(namespace) else { return false };
    let mut items = items(db, file).iter();
    items.any(|it| {
        matches!(it.kind(db), ItemKind::Class | ItemKind::Define | ItemKind::Function | ItemKind::Plan)
            && !belongs(it.name(db), &namespace)
    })
}

/// Whether the autoloader reads a file, and accepts a definition of this name in it.
pub fn accepts(place: &ModuleFile, kind: ItemKind, name: &str) -> bool {
    namespace(place).is_some_and(|it| kind == ItemKind::TypeAlias || belongs(name, &it))
}

/// Compares as the reference does: `foo::barista` passes for `foo::bar`.
pub(crate) fn belongs(name: &str, namespace: &str) -> bool {
    name.to_lowercase().starts_with(namespace)
}

/// The prefix, in lower case, that the names of definitions in an autoloaded file must have.
pub fn namespace(place: &ModuleFile) -> Option<String> {
    if place.path.extension() != Some("pp") || !AUTOLOADED.contains(&place.folder()?) {
        return None;
    }
    let path = place.path.with_extension("").as_str().to_lowercase();
    let names: Vec<&str> = path.split(['/', '\\']).skip(1).collect();
    match names[..] {
        ["init"] => Some(place.module.to_string()),
        _ => Some(format!("{}::{}", place.module, names.join("::"))),
    }
}

/// Whether a file contains a definition that the autoloader looks for elsewhere, without rejecting the file:
/// `wrong-autoload-path` reports that, so that nothing needs to be reported about the name that the file is for.
pub fn is_misplaced(db: &dyn Db, file: File) -> bool {
    module_file(db, file)
        .is_some_and(|place| items(db, file).iter().any(|it| homes_elsewhere(db, place, *it).is_some()))
}

/// The files in which Puppet looks for a definition, if the definition's own file isn't one of them.
pub fn homes_elsewhere(db: &dyn Db, place: &ModuleFile, item: Item<'_>) -> Option<Vec<Utf8PathBuf>> {
    let kind = NameKind::of(item.kind(db))?;
    // Definitions in other folders concern only the file that contains them.
    if place.folder() != Some(kind.folder()) || !accepts(place, item.kind(db), item.name(db)) {
        return None;
    }
    let name = normalized(item.name(db));
    let (module, rest) = name.split_once("::").unwrap_or((&name, ""));
    let homes = if module == place.module { homes(kind, rest) } else { Vec::new() };
    (!homes.contains(&place.path)).then_some(homes)
}

/// The files of a module in which a name that starts with the module's name is looked up.
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
