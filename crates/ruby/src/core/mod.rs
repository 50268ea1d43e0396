//! What Puppet 8.11 and Facter bring themselves, recorded from them (F.9, C14).

mod resource_types;

pub use resource_types::{AgentModule, agent_modules, metaparameters, resource_type, resource_types};
