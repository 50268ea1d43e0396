//! Completion in `metadata.json`, and the modules that are installed.

use marotte_db::{environment_of, source_text};
use marotte_hiera::data::Step as Path;
use marotte_text::{Str, TextRange, TextSize};

use super::json::place;
use super::yaml::Step;
use super::{Found, fact_values};
use crate::assists::dependency::{compatible, document, is_full};
use crate::{Db, File, FilePosition, SymbolKind};

/// The fields of `metadata.json`.
const FIELDS: [&str; 12] = [
    "author",
    "dependencies",
    "issues_url",
    "license",
    "name",
    "operatingsystem_support",
    "project_page",
    "requirements",
    "source",
    "summary",
    "tags",
    "version",
];

/// A module on the module path, with the full name and the version that its metadata say.
pub(super) struct Installed {
    /// The name, with a dash after the author.
    pub(super) name: Str,
    pub(super) version: Option<Str>,
}

/// Adds the fields of a module's metadata and the values that are known: names and versions of modules, operating systems.
pub(super) fn metadata(db: &dyn Db, at: FilePosition, found: &mut Found<'_>) {
    let Some(place) = place(source_text(db, at.file).text(), at.offset.into()) else { return };
    let range = TextRange::new(at.offset - TextSize::of(place.written), at.offset);
    let mut add = |kind, names: &[&str]| {
        for name in names.iter().filter(|it| !place.is_key || !place.siblings.contains(it)) {
            found.add(range, kind, *name);
        }
    };
    let named = |name: &str| installed(db, at.file).into_iter().find(|it| *it.name == name.replace('/', "-"));
    match (&place.path[..], place.is_key) {
        ([], true) => add(SymbolKind::Attribute, &FIELDS),
        ([Step::Key("dependencies" | "requirements"), Step::Element], true) => {
            add(SymbolKind::Attribute, &["name", "version_requirement"]);
        }
        ([Step::Key("operatingsystem_support"), Step::Element], true) => {
            add(SymbolKind::Attribute, &["operatingsystem", "operatingsystemrelease"]);
        }
        ([Step::Key("dependencies"), Step::Element, Step::Key("name")], _) => {
            let modules = installed(db, at.file);
            add(SymbolKind::Module, &modules.iter().map(|it| it.name.as_str()).collect::<Vec<_>>());
        }
        ([Step::Key("dependencies"), Step::Element, Step::Key("version_requirement")], _) => {
            let version = named(name_beside(source_text(db, at.file).text(), at)).and_then(|it| it.version);
            let versions = version.and_then(|it| compatible(&it));
            add(SymbolKind::Value, &versions.as_deref().into_iter().collect::<Vec<_>>());
        }
        ([Step::Key("operatingsystem_support"), Step::Element, Step::Key("operatingsystem")], _) => {
            add(SymbolKind::Value, fact_values::of(&["os".into(), "name".into()]));
        }
        ([Step::Key("requirements"), Step::Element, Step::Key("name")], _) => {
            add(SymbolKind::Value, &["openvox", "puppet"]);
        }
        _ => {}
    }
}

/// The value of `name` in the object around a place: the last one before it.
fn name_beside(text: &str, at: FilePosition) -> &str {
    let before = text.get(..usize::from(at.offset)).unwrap_or_default();
    let within = &before[before.rfind('{').unwrap_or_default()..];
    let mut parts = within.split("\"name\"").skip(1).flat_map(|it| it.split('"').skip(1));
    parts.next().unwrap_or_default()
}

/// The modules on the module path, apart from the one that a file belongs to, ordered by name.
pub(super) fn installed(db: &dyn Db, from: File) -> Vec<Installed> {
    let own = marotte_db::module_file(db, from).map(|it| it.module.clone());
    let modules = environment_of(db, from).modules(db).iter().map(|(name, _)| name);
    let described = modules.filter(|it| Some(*it) != own.as_ref()).filter_map(|module| {
        let (_, document) = document(db, from, module.clone())?;
        let text = |name: &str| {
            let (value, _) = Path::Key(name.into()).lead(&document.value, &document.places)?;
            value.as_str().map(Str::from)
        };
        let name = text("name").filter(|it| is_full(it, module))?;
        Some(Installed { name: name.replace("/", "-"), version: text("version") })
    });
    let mut found: Vec<Installed> = described.collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}
