//! Diagnostics of the protocol.

pub(crate) mod convert;
pub(crate) mod findings;
pub(crate) mod pull;
mod tags;
