//! Against the reference: tables of what Puppet 8.11 answers, on Ruby 3.1, and properties.

mod properties;
mod table;
