//! Tests of the interpreter and its host.

mod budget;
mod hostile;
mod requests;
