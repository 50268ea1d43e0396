//! Rules about files that cannot be read.

pub(crate) mod unreadable;
