//! What decides whose findings a change affects: the interface of a file, the names on which a check depends, and what all code
//! contains together.

pub mod change;
pub mod dependencies;
pub mod interface;
pub mod near_keys;
pub mod overview;
pub mod ruby;
