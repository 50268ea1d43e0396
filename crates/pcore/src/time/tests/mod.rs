//! Tests against the reference: tables of the answers of Puppet 8.11, on Ruby 3.1, and properties.

mod properties;
mod table;
