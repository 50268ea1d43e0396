//! Puppet Notation: the tree in the format that the reference dumps, so that trees can be compared.
//!
//! `puppet parser dump --format pn` and `--format json` print what [`Pn`]'s `Display`, [`Pn::pretty`] and [`Pn::json`]
//! return.

mod print;
mod transform;

pub use transform::to_pn;

use marotte_text::Str;

/// A piece of Puppet Notation.
#[derive(Clone, Debug, PartialEq)]
pub enum Pn {
    /// `(name elements…)`
    Call(&'static str, Vec<Pn>),
    /// `[elements…]`
    List(Vec<Pn>),
    /// `{:key value …}`
    Map(Vec<(Str, Pn)>),
    /// `nil`
    Nil,
    /// `true`, `false`
    Boolean(bool),
    /// A number without a fraction.
    Integer(i64),
    /// A number as Ruby prints it.
    Float(f64),
    /// `"…"`
    String(Str),
}
