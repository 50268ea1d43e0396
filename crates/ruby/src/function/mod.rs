//! Functions: what `Puppet::Functions.create_function` declares, and `newfunction` of the 3.x API.

mod model;

pub use model::{
    Block, Count, Dispatch, Function, Functions, Injection, LegacyFunction, LegacyKind, Parameter,
};
