//! Tests of the interpreter of Ruby.

mod core_classes;
mod export;
mod hostile;
mod unknown;
