//! Keys whose values are encrypted in all data files that set them (G14).

use std::collections::{BTreeMap, BTreeSet};

use marotte_db::{Db, Environment, File, environment_of};
use marotte_hiera::data::Step;
use marotte_hiera::{Format, Layer, is_encrypted};
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFileKind, data_files, document, hiera_file, layer_keys};
use marotte_text::{Str, TextRange};

use super::options::treatments;

/// The place of the first encrypted value of a class parameter, if all its values in data are encrypted, and are still plain
/// strings after decryption. None if that isn't certain.
///
/// A separate query: the keys of a layer change with each edit of its data, the answer rarely does.
#[salsa::tracked(returns(copy))]
pub(crate) fn encrypted_at(db: &dyn Db, environment: Environment, key: Str) -> Option<(File, TextRange)> {
    let (module, _) = key.split_once("::")?;
    let mut found = None;
    for layer in [Layer::Environment, Layer::Module(module.into())] {
        let encrypted = layer_encrypted(db, environment, layer.clone()).as_ref()?;
        match encrypted.get(&key) {
            Some(place) => found = found.or(Some(*place)),
            None if layer_keys(db, environment, layer).contains(&key) => return None,
            None => {}
        }
    }
    let (file, format) = found?;
    if treatments(db, environment, &key)?.iter().any(|it| it.convert.is_some()) {
        return None;
    }
    let document = document(db, file, format).as_ref().as_ref().ok()?;
    Some((file, document.range_at(&[Step::Key(key)])))
}

/// The keys that are encrypted in all files of a layer that set them, with the first such file. None if some data of the layer
/// isn't available.
#[salsa::tracked(returns(ref))]
fn layer_encrypted(
    db: &dyn Db,
    environment: Environment,
    layer: Layer,
) -> Option<BTreeMap<Str, (File, Format)>> {
    let data = data_files(db, environment, layer);
    if !data.is_complete {
        return None;
    }
    let may_decrypt = |file: File| may_decrypt(db, file);
    let (mut encrypted, mut plain) = (BTreeMap::new(), BTreeSet::new());
    // Without a decrypting level, no file needs to be read.
    if !data.files.iter().any(|(file, _)| may_decrypt(*file)) {
        return Some(encrypted);
    }
    for (file, format) in &data.files {
        let document = document(db, *file, *format).as_ref().as_ref().ok()?;
        let is_decrypted = may_decrypt(*file);
        for (key, _, value, _) in document.entries().into_iter().flatten() {
            let Some(key) = key.as_str() else { continue };
            match value {
                Value::String(text) if is_decrypted && is_encrypted(text) => {
                    encrypted.entry(key.into()).or_insert((*file, *format));
                }
                _ => {
                    plain.insert(key);
                }
            }
        }
    }
    encrypted.retain(|key: &Str, _| !plain.contains(&**key));
    Some(encrypted)
}

/// Whether a level that decrypts values reads a file.
fn may_decrypt(db: &dyn Db, file: File) -> bool {
    hiera_file(db, file).is_some_and(|it| matches!(it.kind, HieraFileKind::Data { encrypted: true, .. }))
}

/// Whether a level that decrypts values reads a file of the layer of a data file.
pub(crate) fn is_beside_encrypted(db: &dyn Db, file: File) -> bool {
    let Some(hiera) = hiera_file(db, file) else { return false };
    let data = data_files(db, environment_of(db, file), hiera.layer.clone());
    data.files.iter().any(|(it, _)| may_decrypt(db, *it))
}
