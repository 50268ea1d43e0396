//! Tests of the interpreter of Ruby.

mod core_classes;
mod hostile;
mod unknown;
