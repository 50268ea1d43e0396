//! Interned names of methods, variables, constants and Ruby symbols.

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, PoisonError, RwLock};

use marotte_text::Str;

/// An interned name. Two symbols are equal exactly if their names are. Names are never freed; the evaluation limits the
/// number of new ones that a program may create.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

#[derive(Default)]
struct Table {
    ids: HashMap<Str, u32, foldhash::fast::FixedState>,
    names: Vec<Str>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(|| {
    let mut table = Table::default();
    for name in names::ALL {
        table.ids.insert((*name).into(), u32::try_from(table.names.len()).unwrap_or(u32::MAX));
        table.names.push((*name).into());
    }
    RwLock::new(table)
});

/// Symbols that the evaluation itself uses, available without a table lookup.
pub(crate) mod names {
    use super::Symbol;

    /// The index of a name in the list with which the table of names starts.
    const fn position(all: &[&str], name: &str) -> u32 {
        let mut index = 0;
        while index < all.len() {
            if is_same(all[index].as_bytes(), name.as_bytes()) {
                return index as u32;
            }
            index += 1;
        }
        0
    }

    const fn is_same(left: &[u8], right: &[u8]) -> bool {
        let mut index = 0;
        while index < left.len() && index < right.len() {
            if left[index] != right[index] {
                return false;
            }
            index += 1;
        }
        left.len() == right.len()
    }

    macro_rules! names {
        ($($constant:ident $name:literal)*) => {
            pub(super) const ALL: &[&str] = &[$($name),*];
            $(pub(crate) const $constant: Symbol = Symbol(position(ALL, $name));)*
        };
    }

    names! {
        EMPTY ""
        INITIALIZE "initialize"
        NEW "new"
        TO_S "to_s"
        NOT "!"
        METHOD_MISSING "method_missing"
        RESPOND_TO_MISSING "respond_to_missing?"
        EACH "each"
        CALL "call"
        INDEX "[]"
        SET_INDEX "[]="
        TO_PROC "to_proc"
        TO_ARY "to_ary"
        TO_A "to_a"
        EXCEPTION "exception"
        INITIALIZE_COPY "initialize_copy"
        INHERITED "inherited"
        INCLUDED "included"
        EXTENDED "extended"
        PREPENDED "prepended"
        METHOD_ADDED "method_added"
        SINGLETON_METHOD_ADDED "singleton_method_added"
        EACH_PAIR "each_pair"
        CONST_MISSING "const_missing"
        EQL "eql?"
        HASH "hash"
        DECONSTRUCT "deconstruct"
        DECONSTRUCT_KEYS "deconstruct_keys"
    }
}

impl Symbol {
    /// The symbol of a name.
    pub fn new(name: &str) -> Symbol {
        Symbol::existing(name).unwrap_or_else(|| {
            let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
            if let Some(id) = table.ids.get(name) {
                return Symbol(*id);
            }
            let id = u32::try_from(table.names.len()).unwrap_or(u32::MAX);
            table.names.push(name.into());
            table.ids.insert(name.into(), id);
            Symbol(id)
        })
    }

    /// The symbol of a name that is interned already.
    pub fn existing(name: &str) -> Option<Symbol> {
        let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
        table.ids.get(name).copied().map(Symbol)
    }

    /// The number of the symbol, for caches.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// The name of the symbol.
    pub fn name(self) -> Str {
        let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
        table.names.get(self.0 as usize).cloned().unwrap_or_default()
    }
}

impl From<&str> for Symbol {
    fn from(name: &str) -> Symbol {
        Symbol::new(name)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, ":{}", self.name())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name())
    }
}
