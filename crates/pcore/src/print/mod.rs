//! The text forms of types, in the syntax of the language.

mod object;
mod quote;
mod types;
mod value;

pub use quote::{quote, quote_double};
pub use types::capitalize_segments;
pub use types::is_builtin;

pub use marotte_text::float_text;

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use crate::dialect::{Dialect, TODAY, TypeNames};
use crate::types::{Type, TypeKind, TypeSet};
use crate::value::Value;

/// Formats a type as in interpolation: aliases and `Object` types by name (D46, D85).
pub fn short(it: &Type) -> String {
    Printer::new(false).print(it)
}

/// Formats a type like [`short`], with its names in a dialect (X1–X3).
pub fn short_in(dialect: &Dialect, it: &Type) -> String {
    Printer { names: dialect.type_names, ..Printer::new(false) }.print(it)
}

/// Formats a type as in mismatch messages: aliases with their resolved types (`Name = …`), `Object` types with their
/// content (D46).
pub fn expanded(it: &Type) -> String {
    Printer::new(true).print(it)
}

/// Formats a type like [`expanded`], with its names in a dialect (X1–X3).
pub fn expanded_in(dialect: &Dialect, it: &Type) -> String {
    Printer { names: dialect.type_names, ..Printer::new(true) }.print(it)
}

/// Formats a type for use in a sentence: an alias with its resolved type, an `Object` type with its content; nested in
/// other types, both by name.
pub(crate) fn named(it: &Type) -> String {
    match it.kind() {
        TypeKind::Alias(_) | TypeKind::Object(_) => expanded(it),
        _ => short(it),
    }
}

/// Formats a value as in the text of a type (D83, D85).
pub fn literal(value: &Value) -> String {
    let mut printer = Printer::new(false);
    printer.value(value);
    printer.text
}

/// Formats a value as the expression that creates it: unlike [`literal`], texts of different values differ.
pub fn expression(value: &Value) -> String {
    let mut printer = Printer { expressions: true, ..Printer::new(false) };
    printer.value(value);
    printer.text
}

/// Formats a value like [`literal`], with the names of types in a dialect (X1–X3).
pub fn literal_in(dialect: &Dialect, value: &Value) -> String {
    writing_in(dialect, || literal(value))
}

/// Formats like [`short`].
impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&short(self))
    }
}

/// Writes types one after the other.
struct Printer {
    text: String,
    /// The names of types.
    names: &'static TypeNames,
    /// Whether named types are expanded.
    expanded: bool,
    /// Whether values are written as the expressions that create them.
    expressions: bool,
    /// The recursive aliases that are being written.
    entered: Vec<usize>,
    /// Whether one of them has recurred: nothing in it is expanded.
    recurs: bool,
    /// The type set that is being written: its types have simple names.
    type_set: Option<Arc<TypeSet>>,
}

thread_local! {
    /// The names that this thread currently uses for types.
    static NAMES: Cell<&'static TypeNames> = const { Cell::new(&TODAY) };
}

/// Calls a function while this thread writes types as in a dialect (X1–X3, X139): evaluators of programs use it for all
/// messages, wherever they are created.
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

/// Returns the names that this thread uses for types.
pub(crate) fn names() -> &'static TypeNames {
    NAMES.get()
}

/// Whether this thread uses names for types that Puppet doesn't know.
pub fn writes_own_names() -> bool {
    let names = names();
    (names.any, names.scalar, names.platform) != (TODAY.any, TODAY.scalar, TODAY.platform)
}

impl Printer {
    fn new(expanded: bool) -> Printer {
        let names = names();
        Printer {
            text: String::new(),
            names,
            expanded,
            expressions: false,
            entered: Vec::new(),
            recurs: false,
            type_set: None,
        }
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
