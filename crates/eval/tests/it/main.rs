//! Tests of the interpreter and its host.

mod budget;
mod catalog_budget;
mod hostile;
mod requests;
mod ruby_limits;
