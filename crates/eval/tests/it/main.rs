//! Tests of the interpreter and its host.

mod budget;
mod catalog_budget;
mod hostile;
mod refused_files;
mod requests;
mod ruby_function;
mod ruby_limits;
