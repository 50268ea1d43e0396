//! Types as text: as the language writes them.

mod float;
mod object;
mod quote;
mod types;
mod value;

pub use float::float_text;
pub use quote::{quote, quote_double};
pub use types::capitalize_segments;
pub use types::is_builtin;

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use crate::dialect::{Dialect, TODAY, TypeNames};
use crate::types::{Type, TypeKind, TypeSet};
use crate::value::Value;

/// A type as interpolation shows it: aliases and `Object` types by name (D46, D85).
pub fn short(it: &Type) -> String {
    Printer::new(false).print(it)
}

/// A type as [`short`] writes it, by the names that it has in a dialect (X1–X3).
pub fn short_in(dialect: &Dialect, it: &Type) -> String {
    Printer { names: dialect.type_names, ..Printer::new(false) }.print(it)
}

/// A type as mismatch messages show it: aliases with what they stand for (`Name = …`), `Object` types with their content (D46).
pub fn expanded(it: &Type) -> String {
    Printer::new(true).print(it)
}

/// A type as [`expanded`] writes it, by the names that it has in a dialect (X1–X3).
pub fn expanded_in(dialect: &Dialect, it: &Type) -> String {
    Printer { names: dialect.type_names, ..Printer::new(true) }.print(it)
}

/// A type as it stands in a sentence: an alias with what it stands for, an `Object` type with its content; within other
/// types, both by name.
pub(crate) fn named(it: &Type) -> String {
    match it.kind() {
        TypeKind::Alias(_) | TypeKind::Object(_) => expanded(it),
        _ => short(it),
    }
}

/// A value as it stands in the text of a type (D83, D85).
pub fn literal(value: &Value) -> String {
    let mut printer = Printer::new(false);
    printer.value(value);
    printer.text
}

/// A value as [`literal`] writes it, with types by the names that they have in a dialect (X1–X3).
pub fn literal_in(dialect: &Dialect, value: &Value) -> String {
    writing_in(dialect, || literal(value))
}

/// As [`short`].
impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&short(self))
    }
}

/// Writes types one after the other.
struct Printer {
    text: String,
    /// How types are called.
    names: &'static TypeNames,
    /// Whether to write what names stand for.
    expanded: bool,
    /// The recursive aliases that are being written.
    entered: Vec<usize>,
    /// One of them has come again: nothing in it is expanded.
    recurs: bool,
    /// The set that is being written: its types have simple names.
    type_set: Option<Arc<TypeSet>>,
}

thread_local! {
    /// How this thread writes types at the moment.
    static NAMES: Cell<&'static TypeNames> = const { Cell::new(&TODAY) };
}

/// Calls a function during which this thread writes types as a dialect does (X1–X3, X139): whoever evaluates programs writes all
/// messages so, whatever raises them.
pub fn writing_in<T>(dialect: &Dialect, body: impl FnOnce() -> T) -> T {
    struct Before(&'static TypeNames);
    impl Drop for Before {
        fn drop(&mut self) {
            NAMES.set(self.0);
        }
    }
    let _before = Before(NAMES.replace(dialect.type_names));
    body()
}

/// How this thread writes types.
pub(crate) fn names() -> &'static TypeNames {
    NAMES.get()
}

/// Whether this thread writes types by names that Puppet does not know.
pub fn writes_own_names() -> bool {
    let names = names();
    (names.any, names.scalar, names.platform) != (TODAY.any, TODAY.scalar, TODAY.platform)
}

impl Printer {
    fn new(expanded: bool) -> Printer {
        let names = names();
        Printer { text: String::new(), names, expanded, entered: Vec::new(), recurs: false, type_set: None }
    }

    fn print(mut self, it: &Type) -> String {
        self.it(it);
        self.text
    }

    /// Writes entries in braces.
    fn entries<E>(&mut self, entries: impl IntoIterator<Item = E>, write: impl Fn(&mut Printer, E)) {
        self.text.push('{');
        for (at, entry) in entries.into_iter().enumerate() {
            if at > 0 {
                self.text.push_str(", ");
            }
            write(self, entry);
        }
        self.text.push('}');
    }
}
