use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use crate::puppet::identity;

/// The encoding of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `UTF-8`
    Utf8,
    /// `ASCII-8BIT`: bytes.
    Binary,
    /// `US-ASCII`
    Ascii,
}

impl Encoding {
    /// The name of the encoding in Ruby.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Binary => "ASCII-8BIT",
            Encoding::Ascii => "US-ASCII",
        }
    }
}

/// A `String`: bytes with an encoding, which need not be valid in it.
#[derive(Debug)]
pub struct StringObject {
    bytes: RefCell<Vec<u8>>,
    encoding: Cell<Encoding>,
    frozen: Cell<bool>,
    /// Whether the string came from a Puppet value, whose other holders would see a change.
    imported: Cell<bool>,
    changed: Cell<bool>,
}

impl StringObject {
    /// A new string that can be changed.
    pub fn new(bytes: Vec<u8>, encoding: Encoding) -> StringObject {
        StringObject {
            bytes: RefCell::new(bytes),
            encoding: Cell::new(encoding),
            frozen: Cell::new(false),
            imported: Cell::new(false),
            changed: Cell::new(false),
        }
    }

    /// A string that came from a Puppet value.
    pub fn imported(text: &str) -> StringObject {
        let string = StringObject::new(text.as_bytes().to_vec(), Encoding::Utf8);
        string.imported.set(true);
        string
    }

    /// A copy of a string that can be changed. Whether a copy of a string of Puppet code is one object with others is as unknown
    /// as for the string itself.
    pub(crate) fn copy_of(other: &StringObject) -> StringObject {
        let copy = StringObject::new(other.bytes().clone(), other.encoding());
        copy.imported.set(other.imported.get());
        copy
    }

    /// Whether Ruby code changed a string that came from a Puppet value.
    pub fn is_changed_import(&self) -> bool {
        self.imported.get() && self.changed.get()
    }

    /// The bytes.
    pub fn bytes(&self) -> Ref<'_, Vec<u8>> {
        self.bytes.borrow()
    }

    /// The encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding.get()
    }

    /// Gives the bytes another encoding (`force_encoding`).
    pub fn set_encoding(&self, encoding: Encoding) {
        self.encoding.set(encoding);
    }

    /// The text, if the string is valid UTF-8 or ASCII. None for binary strings with bytes beyond ASCII.
    pub fn text(&self) -> Option<Ref<'_, str>> {
        if self.encoding.get() != Encoding::Utf8 && !self.bytes.borrow().is_ascii() {
            return None;
        }
        Ref::filter_map(self.bytes.borrow(), |bytes| std::str::from_utf8(bytes).ok()).ok()
    }

    /// The text, with replacement characters for invalid bytes: for messages only.
    pub fn lossy(&self) -> String {
        match String::from_utf8_lossy(&self.bytes.borrow()) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(text) => text,
        }
    }

    /// Changes the bytes in place. The caller ensures that the string is not frozen.
    pub fn change<R>(&self, change: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        self.note_change();
        change(&mut self.bytes.borrow_mut())
    }

    fn note_change(&self) {
        if self.imported.get() && !self.changed.replace(true) {
            identity::note_text_change(self.lossy().into());
        }
    }

    /// Whether the string is frozen.
    pub fn is_frozen(&self) -> bool {
        self.frozen.get()
    }

    /// Freezes the string.
    pub fn freeze(&self) {
        self.frozen.set(true);
    }
}
