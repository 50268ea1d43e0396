//! Completion in files that configure an environment: `hiera.yaml`, `environment.conf`.

use marotte_check::semantics;
use marotte_db::{Environment, environment_of, source_text};
use marotte_hiera::config::configuration_type;
use marotte_resolve::environment_conf::SETTINGS;
use marotte_resolve::ruby::RubyKind;
use marotte_text::{TextRange, TextSize};

use super::data::{interpolations, of_types};
use super::yaml::{Step, parts, place};
use super::{Found, names};
use crate::{Db, FilePosition, SymbolKind};

/// The functions of Puppet that read data, by the key that names them.
const DATA_FUNCTIONS: [(&str, &str); 5] = [
    ("data_hash", "yaml_data"),
    ("data_hash", "json_data"),
    ("data_hash", "hocon_data"),
    ("lookup_key", "eyaml_lookup_key"),
    ("hiera3_backend", "yaml"),
];

/// Adds the keys of `hiera.yaml` that are permitted at a place, the functions that read data, and the variables in paths.
pub(super) fn hierarchy(db: &dyn Db, at: FilePosition, found: &mut Found<'_>) {
    let text = source_text(db, at.file).text();
    let (before, after) = text.split_at(usize::from(at.offset));
    interpolations(db, at, found);
    if !found.items.is_empty() {
        return;
    }
    let Some(place) = place(before, after) else { return };
    let Some(Step::Key(key)) = place.path.last().filter(|_| !place.may_be_key) else {
        return of_types(&parts(&configuration_type(), &place.path), at, &place, found);
    };
    let range = TextRange::new(at.offset - TextSize::of(place.written), at.offset);
    for (_, name) in DATA_FUNCTIONS.iter().filter(|it| it.0 == *key) {
        found.add(range, SymbolKind::Function, *name);
    }
    if matches!(*key, "data_hash" | "lookup_key" | "data_dig") {
        functions(db, environment_of(db, at.file), range, found);
    }
    if *key == "version" {
        found.add(range, SymbolKind::Value, "5");
    }
}

/// Adds the functions of the environment, all of which may read data.
fn functions(db: &dyn Db, environment: Environment, range: TextRange, found: &mut Found<'_>) {
    use marotte_hir::NameKind;
    let own = names::definitions(db, environment, NameKind::Function).into_iter();
    let own = own.map(|it| it.name(db).trim_start_matches("::").to_owned());
    let ruby = semantics::names_in_ruby(db, environment, RubyKind::Function).map(str::to_owned);
    for name in own.chain(ruby) {
        if let Some(it) = found.add(range, SymbolKind::Function, name) {
            it.rank = 6;
        }
    }
}

/// Adds the settings of `environment.conf`.
pub(super) fn environment_conf(db: &dyn Db, at: FilePosition, found: &mut Found<'_>) {
    let text = source_text(db, at.file).text();
    let before = &text[..usize::from(at.offset)];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let written = line.trim_start();
    if !written.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') {
        return;
    }
    let range = TextRange::new(at.offset - TextSize::of(written), at.offset);
    let is_set = |name: &str| {
        let names = text.lines().filter_map(|it| it.split_once('=')).map(|it| it.0.trim());
        names.into_iter().any(|it| it == name)
    };
    for (name, purpose) in SETTINGS.iter().filter(|it| !is_set(it.0)) {
        if let Some(it) = found.add(range, SymbolKind::Attribute, *name) {
            it.insert = format!("{name} = ");
            it.detail = Some((*purpose).to_owned());
            it.is_deprecated = purpose.starts_with("deprecated");
            it.rank = if it.is_deprecated { 7 } else { 5 };
        }
    }
}
