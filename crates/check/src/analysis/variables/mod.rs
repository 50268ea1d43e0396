//! The variables of a body: where they are set, read and tested, and on which conditions.

pub(crate) mod branch_names;
pub(crate) mod defaults;
pub(crate) mod set_conditions;
pub(crate) mod shared_reads;
pub(crate) mod tested;
pub(crate) mod usage;
pub(crate) mod variable_tests;
