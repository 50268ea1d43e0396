//! What is wrong, as the protocol has it.

pub(crate) mod convert;
pub(crate) mod findings;
pub(crate) mod pull;
mod tags;
