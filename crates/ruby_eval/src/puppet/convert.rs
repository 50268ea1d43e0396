//! Conversion between Puppet values and Ruby values.

use std::rc::Rc;
use std::sync::Arc;

use marotte_pcore::binary::Binary;
use marotte_pcore::regexp::Options;
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Hash, Integer, Unknown, Value as PuppetValue};

use super::identity::{self, Export, Exporting};
use super::opaque;
use super::resource::ResourceData;
use crate::stop::{Result, Stop, unsupported};
use crate::value::{ArrayObject, Encoding, HashObject, RegexpObject, StringObject};
use crate::{Value, Vm};

/// The maximal depth of converted values; deeper ones are rejected, such as arrays that contain themselves.
const DEPTH: usize = 512;
/// The memory for an entry of a converted hash, in bytes.
const ENTRY: usize = 96;

impl Vm<'_> {
    /// The Ruby form of a Puppet value.
    ///
    /// # Errors
    /// If it is nested too deeply, or a key in it is not known.
    pub fn import(&mut self, value: &PuppetValue) -> Result {
        self.import_at(value, 0)
    }

    fn import_at(&mut self, value: &PuppetValue, depth: usize) -> Result {
        if depth > DEPTH {
            return unsupported("a value that is nested too deeply");
        }
        self.world.spend(1)?;
        Ok(match value {
            PuppetValue::Undef => Value::Nil,
            PuppetValue::Default => Value::symbol("default"),
            PuppetValue::Boolean(it) => Value::Bool(*it),
            PuppetValue::Integer(it) => Value::big(it.to_big()),
            PuppetValue::Float(it) => Value::Float(*it),
            PuppetValue::String(it) => Value::String(Rc::new(StringObject::imported(it))),
            PuppetValue::Regexp(it) => {
                let regexp = RegexpObject::new(it.clone(), it.source().to_owned(), Options::default());
                Value::Regexp(Rc::new(regexp))
            }
            PuppetValue::Array(elements) => {
                let address = identity::address(value);
                if let Some(known) = self.known_import(address) {
                    return Ok(known);
                }
                let mut items = Vec::with_capacity(elements.len());
                for element in elements.iter() {
                    items.push(self.import_at(element, depth + 1)?);
                }
                let imported = Value::Array(Rc::new(ArrayObject::imported(items, value.clone())));
                self.keep_import(address, imported)
            }
            PuppetValue::Hash(hash) => {
                let address = identity::address(value);
                if let Some(known) = self.known_import(address) {
                    return Ok(known);
                }
                let mut entries = Vec::with_capacity(hash.len());
                for (key, value) in hash.iter() {
                    if let Some(by) = key.unknown() {
                        return Err(unknown(&by));
                    }
                    entries.push((self.import_at(key, depth + 1)?, self.import_at(value, depth + 1)?));
                }
                let imported = Value::Hash(Rc::new(HashObject::imported(entries, value.clone())));
                self.keep_import(address, imported)
            }
            PuppetValue::Unknown(by) => match (self.known_import(identity::address(value)), by.bytes()) {
                (Some(kept), _) => kept,
                (None, Some(bytes)) => Value::binary(bytes.bytes().to_vec()),
                (None, None) => opaque::wrap(self, value.clone()),
            },
            PuppetValue::Iterator(it) => {
                let mut items = Vec::new();
                for index in 0..it.size() {
                    match it.get(index) {
                        Some(element) => items.push(self.import_at(&element, depth + 1)?),
                        None => return unsupported("an iterator"),
                    }
                }
                Value::array(items)
            }
            other => opaque::wrap(self, other.clone()),
        })
    }

    /// The Puppet form of a Ruby value.
    ///
    /// # Errors
    /// If there is none, as for procs, ranges and symbols.
    pub fn export(&mut self, value: &Value) -> Result<PuppetValue> {
        self.export_whole(value, Export::Copy)
    }

    /// Converts a value, of which each part is converted once, however often it occurs.
    pub(super) fn export_whole(&mut self, value: &Value, export: Export) -> Result<PuppetValue> {
        let exported = self.export_at(value, &mut Exporting::new(export), 0)?;
        let answer = self.host.check_size(&exported);
        self.answered(answer)?;
        Ok(exported)
    }

    pub(super) fn export_at(
        &mut self,
        value: &Value,
        exporting: &mut Exporting,
        depth: usize,
    ) -> Result<PuppetValue> {
        let export = exporting.export;
        if depth > DEPTH {
            return unsupported("a value that is nested too deeply, or contains itself");
        }
        self.world.spend(1)?;
        Ok(match value {
            Value::Nil => PuppetValue::Undef,
            Value::Bool(it) => PuppetValue::Boolean(*it),
            Value::Integer(it) => PuppetValue::from(*it),
            Value::BigInteger(it) => match Integer::checked(num_bigint::BigInt::clone(it)) {
                Ok(it) => PuppetValue::Integer(it),
                Err(_) => return unsupported("an integer of more than 64 bits as a Puppet value"),
            },
            Value::Float(it) => PuppetValue::Float(*it),
            Value::Symbol(it) => match it.name().as_str() {
                "undef" => PuppetValue::Undef,
                "default" => PuppetValue::Default,
                name => return unsupported(format!("the symbol :{name} as a Puppet value")),
            },
            // A catalog has it as Binary, while Puppet code takes it for a String.
            Value::String(it) if it.encoding() == Encoding::Binary => {
                let bytes = it.bytes().clone();
                if !bytes.is_ascii() {
                    return unsupported("a string of bytes beyond ASCII as a Puppet value");
                }
                PuppetValue::Unknown(Unknown::of_bytes(Binary::from(bytes)))
            }
            Value::String(it) => match it.text() {
                Some(text) => {
                    self.world.allocate(text.len())?;
                    PuppetValue::String((&*text).into())
                }
                None => return unsupported("a string with invalid bytes as a Puppet value"),
            },
            Value::Array(it) => {
                self.world.allocate(it.len() * size_of::<PuppetValue>())?;
                let mut elements = Vec::with_capacity(it.len());
                for item in it.snapshot() {
                    elements.push(self.export_part(&item, exporting, depth)?);
                }
                match it.origin() {
                    Some(PuppetValue::Array(before))
                        if !it.is_changed()
                            && before.iter().zip(&elements).all(|(before, after)| is_same(before, after)) =>
                    {
                        PuppetValue::Array(before)
                    }
                    before => self.exported(value, before, PuppetValue::Array(elements.into()), export),
                }
            }
            Value::Hash(it) => {
                self.world.allocate(it.len() * ENTRY)?;
                let mut entries = Vec::with_capacity(it.len());
                for (key, value) in it.snapshot() {
                    // A hash with a key that has no Puppet form is represented by an unknown value as a whole.
                    let key = self.export_at(&key, &mut Exporting::new(Export::Copy), depth + 1)?;
                    entries.push((key, self.export_part(&value, exporting, depth)?));
                }
                match it.origin() {
                    Some(PuppetValue::Hash(before))
                        if !it.is_changed()
                            && before
                                .values()
                                .zip(&entries)
                                .all(|(before, (_, after))| is_same(before, after)) =>
                    {
                        PuppetValue::Hash(before)
                    }
                    before => {
                        let now = PuppetValue::Hash(Arc::new(entries.into_iter().collect::<Hash>()));
                        self.exported(value, before, now, export)
                    }
                }
            }
            Value::Regexp(it) => PuppetValue::Regexp(it.regexp().clone()),
            Value::Object(it) => {
                if let Some(opaque) = it.data_as::<opaque::Opaque>() {
                    return Ok(opaque.value().clone());
                }
                if let Some(resource) = it.data_as::<ResourceData>() {
                    return Ok(resource.reference());
                }
                return unsupported(format!("an object of {} as a Puppet value", it.class().display_name()));
            }
            Value::Range(_) | Value::Match(_) | Value::Proc(_) | Value::Class(_) => {
                return unsupported(format!(
                    "an object of {} as a Puppet value",
                    self.class_of(value).display_name()
                ));
            }
        })
    }
}

/// Whether two values have the same address, or are equal scalars.
fn is_same(before: &PuppetValue, after: &PuppetValue) -> bool {
    match (before, after) {
        (PuppetValue::Array(a), PuppetValue::Array(b)) => a.as_ptr() == b.as_ptr() && a.len() == b.len(),
        (PuppetValue::Hash(a), PuppetValue::Hash(b)) => Arc::ptr_eq(a, b),
        (PuppetValue::Unknown(a), PuppetValue::Unknown(b)) => Arc::ptr_eq(a, b),
        (PuppetValue::Float(a), PuppetValue::Float(b)) => a.to_bits() == b.to_bits(),
        _ => before == after,
    }
}

/// Ends an evaluation that needs an unknown value.
pub(crate) fn unknown(by: &Arc<Unknown>) -> Box<Stop> {
    Box::new(Stop::Unknown(Arc::clone(by)))
}

/// Whether a type is a reference to a resource or class.
pub(crate) fn is_reference(value: &PuppetValue) -> bool {
    let PuppetValue::Type(it) = value else { return false };
    matches!(it.resolved().kind(), TypeKind::Resource(_) | TypeKind::Class(_))
}
