//! The values that a lookup of a key can find in the available data.

use std::collections::BTreeMap;

use marotte_db::Db;
use marotte_db::{Environment, File, module_folder};
use marotte_hiera::data::Places;
use marotte_hiera::{Format, Layer, LookupKey};
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFileKind, data_files, data_keys, document, hiera_file, layer_keys};
use marotte_resolve::spelling::is_slip;
use marotte_text::Str;

use super::values::Given;

/// The value of a key in one file.
#[derive(Clone, Copy)]
pub(crate) struct Found<'db> {
    pub(crate) file: File,
    pub(crate) value: &'db Value,
    places: &'db Places,
    encrypted: bool,
}

impl<'db> Found<'db> {
    /// The value as the input of a conversion or merge.
    pub(crate) fn given(&self) -> Given<'db> {
        Given { value: self.value, places: self.places, encrypted: self.encrypted }
    }
}

/// All values of a key in the data of an environment and of the key's module. None if there may be other values, apart from the
/// global layer, which belongs to a server.
pub(crate) fn values_of_key<'db>(
    db: &'db dyn Db,
    environment: Environment,
    key: &str,
) -> Option<Vec<Found<'db>>> {
    let module = key.split_once("::").map(|(module, _)| Layer::Module(module.into()));
    let mut found = Vec::new();
    for layer in [Some(Layer::Environment), module].into_iter().flatten() {
        for (file, format) in files_with_key(db, environment, layer, key.into()).as_ref()? {
            found.push(value_in(db, *file, *format, key)?);
        }
    }
    Some(found)
}

/// Whether some data file has a key. None if some data is unavailable, so that it is unknown.
pub(crate) fn has_key(db: &dyn Db, environment: Environment, key: &str) -> Option<bool> {
    let key = LookupKey::parse(key).ok()?;
    let module = key.module().map(|it| Layer::Module(it.into()));
    // The module of a key may be one that is not here.
    let is_here = |module: &str| module_folder(db, environment, module.into()).is_some();
    let mut all_there = key.module().is_none_or(is_here) || environment.is_complete(db);
    for layer in [Some(Layer::Environment), module].into_iter().flatten() {
        if layer_keys(db, environment, layer.clone()).contains(&key.root) {
            return Some(true);
        }
        let data = data_files(db, environment, layer.clone());
        all_there &= data.is_complete && data.has_all && is_layer_readable(db, environment, layer);
    }
    all_there.then_some(false)
}

/// Whether all data files of a layer can be read. The keys of others are unknown, until their errors are corrected.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_layer_readable(db: &dyn Db, environment: Environment, layer: Layer) -> bool {
    let files = &data_files(db, environment, layer).files;
    files.iter().all(|(file, format)| document(db, *file, *format).is_ok())
}

/// The key that one is a misspelling of, where some data is not here: a key of the same namespace, whose last part is almost the same, or
/// one with the same last part, whose namespace is.
/// Secrets are what is kept elsewhere.
#[salsa::tracked(returns(clone))]
pub(crate) fn misspelled_key(db: &dyn Db, environment: Environment, key: Str) -> Option<Str> {
    const SECRET: [&str; 8] = ["pass", "secret", "token", "key", "cred", "private", "cert", "auth"];
    if SECRET.iter().any(|it| key.contains(it)) {
        return None;
    }
    let module = key.split_once("::").map(|(module, _)| Layer::Module(module.into()));
    let layers = || [Some(Layer::Environment), module.clone()].into_iter().flatten();
    if layers().any(|it| layer_keys(db, environment, it).contains(&key)) {
        return None;
    }
    let is_near = |it: &&Str| is_misspelling(&key, it);
    let near =
        layers().filter_map(|it| layer_keys(db, environment, it).iter().filter(is_near).min().cloned());
    near.min()
}

/// Whether one of two keys is certainly a misspelling of the other, if it isn't there.
pub fn is_misspelling(key: &str, other: &str) -> bool {
    let ((namespace, name), (other_namespace, other)) = (of_namespace(key), of_namespace(other));
    let is_beside =
        || namespace.zip(other_namespace).is_some_and(|(one, other)| has_slip_in_long_word(one, other));
    namespace == other_namespace && is_almost(name, other) || name == other && is_beside()
}

/// The namespace of a key, if it has one, and its name there.
fn of_namespace(key: &str) -> (Option<&str>, &str) {
    key.rsplit_once("::").map_or((None, key), |(namespace, name)| (Some(namespace), name))
}

/// Whether two different names are certainly meant to be the same: two letters are swapped, the signs between the words are others,
/// one of the words is a plural, or a long word beside others has a letter more or less. In a short one, that makes another name:
/// `vpn_ip` and `vpn_vip`.
fn is_almost(name: &str, other: &str) -> bool {
    let count = |it: &str| it.bytes().filter(|it| !is_sign(*it)).count();
    // Most names differ in this, which takes the least time.
    let may_be = name.bytes().next() == other.bytes().next()
        && (name.bytes().next_back() == other.bytes().next_back()
            || name.ends_with('s')
            || other.ends_with('s'))
        && count(name).abs_diff(count(other)) <= 1;
    let is_swapped = || name.len() == other.len() && is_slip(name, other);
    may_be
        && (is_same_but_for_signs(name, other)
            || is_another_number(name, other)
            || is_swapped()
            || has_slip_in_long_word(name, other))
}

/// Whether two names of several words differ in one of them, by a letter within it. A word alone may be another: `adminmail` and
/// `adminemail`.
fn has_slip_in_long_word(name: &str, other: &str) -> bool {
    const SHORTEST: usize = 5;
    let words = |it: &'_ str| -> Vec<String> {
        it.split(|it: char| !it.is_alphanumeric()).map(str::to_owned).collect()
    };
    let (one, other) = (words(name), words(other));
    let mut differ = one.iter().zip(&other).filter(|(one, other)| one != other);
    let (first, second) = (differ.next(), differ.next());
    one.len() > 1
        && one.len() == other.len()
        && second.is_none()
        && first.is_some_and(|(one, other)| one.len().min(other.len()) >= SHORTEST && is_slip(one, other))
}

/// Whether two different names have `-` where the other one has `_`, or, unless they have digits, such a sign where the other one has
/// none: `1_0` isn't `10`.
fn is_same_but_for_signs(name: &str, other: &str) -> bool {
    const SHORTEST: usize = 6;
    let is_plain = |it: &str| it.len() >= SHORTEST && !it.contains(|it: char| it.is_ascii_digit());
    let is_same = |(one, other): (u8, u8)| one == other || is_sign(one) && is_sign(other);
    let is_same_length = name.len() == other.len();
    is_same_length && name.bytes().zip(other.bytes()).all(is_same)
        || is_plain(name) && is_plain(other) && without_signs(name).eq(without_signs(other))
}

fn is_sign(it: u8) -> bool {
    matches!(it, b'-' | b'_')
}

fn without_signs(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|it| !is_sign(*it))
}

/// Whether two names differ in that one part of one of them is the plural of that of the other.
fn is_another_number(name: &str, other: &str) -> bool {
    let (fewer, more) = if name.len() < other.len() { (name, other) } else { (other, name) };
    let same = fewer.bytes().zip(more.bytes()).take_while(|(one, other)| one == other).count();
    let (rest, rest_of_more) = (fewer.get(same..), more.get(same..));
    let is_end = rest.is_some_and(|it| !it.starts_with(|it: char| it.is_ascii_alphanumeric()));
    is_end && rest_of_more.and_then(|it| it.strip_prefix('s')) == rest && same > 2
}

fn value_in<'db>(db: &'db dyn Db, file: File, format: Format, key: &str) -> Option<Found<'db>> {
    let document = document(db, file, format).as_ref().as_ref().ok()?;
    let mut entries = document.entries()?;
    let (_, _, value, places) = entries.find(|(it, ..)| it.as_str() == Some(key))?;
    let kind = &hiera_file(db, file)?.kind;
    let encrypted = matches!(kind, HieraFileKind::Data { encrypted: true, .. });
    Some(Found { file, value, places, encrypted })
}

/// The files of a layer that set a key. Callers depend on this key only.
#[salsa::tracked(returns(ref))]
fn files_with_key(
    db: &dyn Db,
    environment: Environment,
    layer: Layer,
    key: Str,
) -> Option<Vec<(File, Format)>> {
    let keys = layer_index(db, environment, layer).as_ref()?;
    Some(keys.get(&key).cloned().unwrap_or_default())
}

/// The files of a layer by their keys. None if the list may be incomplete.
#[salsa::tracked(returns(ref))]
fn layer_index(
    db: &dyn Db,
    environment: Environment,
    layer: Layer,
) -> Option<BTreeMap<Str, Vec<(File, Format)>>> {
    let data = data_files(db, environment, layer);
    if !data.is_complete {
        return None;
    }
    let mut index: BTreeMap<Str, Vec<(File, Format)>> = BTreeMap::new();
    for (file, format) in &data.files {
        for key in data_keys(db, *file, *format) {
            index.entry(key.clone()).or_default().push((*file, *format));
        }
    }
    Some(index)
}

#[cfg(test)]
mod tests {
    use super::{is_almost, of_namespace};

    #[test]
    fn names_are_almost_the_same() {
        for (name, other, expected) in [
            ("admin_email", "adminemail", true),
            ("admin-email", "admin_email", true),
            ("a_b", "a-b", true),
            ("server", "servers", true),
            ("server_names", "servers_names", true),
            ("admin_emial", "admin_email", true),
            ("ntp_sever", "ntp_server", true),
            // Other names.
            ("vpn_ip", "vpn_vip", false),
            ("adminmail", "adminemail", false),
            ("adminemaill", "adminemail", false),
            ("port", "part", false),
            ("from", "to", false),
            ("version_1_0", "version_10", false),
            ("a_b", "ab", false),
            ("ip", "ips", false),
            ("class", "clash", false),
        ] {
            assert_eq!(is_almost(name, other), expected, "{name}");
            assert_eq!(is_almost(other, name), expected, "{other}");
        }
    }

    #[test]
    fn keys_have_namespaces() {
        for (key, expected) in [
            ("port", (None, "port")),
            ("site::port", (Some("site"), "port")),
            ("site::web::port", (Some("site::web"), "port")),
        ] {
            assert_eq!(of_namespace(key), expected, "{key}");
        }
    }
}
