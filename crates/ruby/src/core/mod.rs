//! The functions, types, facts and variables that Puppet 8.11 and Facter provide themselves, recorded from them (F.9,
//! C14).

mod docs;
mod facts;
mod functions;
mod resource_types;
mod variables;

pub use docs::{attribute_documentation, metaparameter_documentation, type_documentation};
pub use facts::{CoreFact, LegacyMember, facts, has_other_form, is_legacy, legacy_fact, legacy_member};
pub use functions::legacy_functions;
pub use resource_types::{AgentModule, agent_modules, metaparameters, resource_type, resource_types};
pub use variables::{CoreVariable, Place, VARIABLES};

/// Reads the records, which takes some 10 ms. Otherwise the first question about each of them does.
pub fn read_records() {
    let _ = (resource_types(), facts(), legacy_functions(), type_documentation("file"));
}
