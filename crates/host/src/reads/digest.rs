use std::fmt::{self, Write as _};

use marotte_pcore::value::{Hash, Value};
use sha2::{Digest as _, Sha256};

/// A digest by which two answers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

/// The fields of an answer, each with its length, so that no two lists of fields are the same bytes.
pub(super) struct Fields {
    hasher: Sha256,
    /// Whether each field has a form by which it can be compared.
    is_comparable: bool,
}

impl Fields {
    pub(super) fn new(kind: u8) -> Fields {
        Fields { hasher: Sha256::new_with_prefix([kind]), is_comparable: true }
    }

    fn number(&mut self, number: usize) {
        self.hasher.update((number as u64).to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Fields {
        self.number(bytes.len());
        self.hasher.update(bytes);
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Fields {
        self.bytes(text.as_bytes())
    }

    pub(super) fn digest(&mut self, digest: Digest) -> &mut Fields {
        self.hasher.update(digest.0);
        self
    }

    /// A field whose debugging form shows everything by which two of its values differ: data without places and without values
    /// of programs.
    pub(super) fn shown(&mut self, data: &dyn fmt::Debug) -> &mut Fields {
        let mut shown = Shown { hasher: &mut self.hasher, buffer: Vec::with_capacity(BUFFER) };
        if write!(shown, "{data:?}").is_err() {
            self.is_comparable = false;
        }
        shown.flush();
        self.hasher.update([0xff]);
        self
    }

    pub(super) fn maybe_value(&mut self, value: Option<&Value>) -> &mut Fields {
        match value {
            None => self.hasher.update([0]),
            Some(value) => {
                self.hasher.update([1]);
                self.value(value);
            }
        }
        self
    }

    /// A value, with all that programs can distinguish. What facts and data don't have cannot be compared.
    pub(super) fn value(&mut self, value: &Value) -> &mut Fields {
        match value {
            Value::Undef => self.hasher.update([2]),
            Value::Default => self.hasher.update([3]),
            Value::Boolean(it) => self.hasher.update([4, u8::from(*it)]),
            Value::Integer(it) => {
                self.hasher.update([5]);
                self.text(&it.to_big().to_string());
            }
            Value::Float(it) => {
                self.hasher.update([6]);
                self.hasher.update(it.to_bits().to_le_bytes());
            }
            Value::String(it) => {
                self.hasher.update([7]);
                self.text(it);
            }
            Value::Array(elements) => {
                self.hasher.update([8]);
                self.number(elements.len());
                elements.iter().for_each(|it| {
                    self.value(it);
                });
            }
            Value::Hash(hash) => {
                self.hasher.update([9]);
                self.hash(hash);
            }
            Value::Timestamp(it) => {
                self.hasher.update([10]);
                self.hasher.update(it.nanoseconds().to_le_bytes());
            }
            Value::Regexp(_)
            | Value::Type(_)
            | Value::Sensitive(_)
            | Value::Timespan(_)
            | Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Binary(_)
            | Value::Uri(_)
            | Value::Object(_)
            | Value::Callable(_)
            | Value::Iterator(_)
            | Value::Unknown(_) => self.is_comparable = false,
        }
        self
    }

    /// The entries of a hash, in order: iteration shows it.
    pub(super) fn hash(&mut self, hash: &Hash) -> &mut Fields {
        self.number(hash.len());
        for (key, value) in hash.iter() {
            self.value(key);
            self.value(value);
        }
        self
    }

    /// The digest. None if a field cannot be compared.
    pub(super) fn finish(self) -> Option<Digest> {
        self.is_comparable.then(|| Digest(self.hasher.finalize().into()))
    }
}

/// The number of bytes that are hashed at a time.
const BUFFER: usize = 4096;

/// Hashes what is written.
struct Shown<'a> {
    hasher: &'a mut Sha256,
    buffer: Vec<u8>,
}

impl Shown<'_> {
    fn flush(&mut self) {
        self.hasher.update(&self.buffer);
        self.buffer.clear();
    }
}

impl fmt::Write for Shown<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.buffer.len() + text.len() > BUFFER {
            self.flush();
        }
        self.buffer.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
