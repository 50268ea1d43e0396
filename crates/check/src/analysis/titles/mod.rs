//! The titles of resources: computed ones as patterns, and those that are nearly equal.

pub(crate) mod near;
pub(crate) mod pattern;
pub(crate) mod patterns;
pub(crate) mod similar;
pub(crate) mod written;
