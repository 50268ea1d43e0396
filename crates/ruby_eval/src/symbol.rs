//! Interned names of methods, variables, constants and Ruby symbols.

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, PoisonError, RwLock};

use marotte_text::Str;

/// An interned name. Two symbols are equal exactly if their names are. Names are never freed; the evaluation limits how
/// many new ones a program may make.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

#[derive(Default)]
struct Table {
    ids: HashMap<Str, u32, foldhash::fast::FixedState>,
    names: Vec<Str>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(RwLock::default);

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
