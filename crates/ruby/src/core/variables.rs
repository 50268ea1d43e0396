//! The predefined variables of every program (C14, I9).

/// A variable that the compiler sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreVariable {
    /// The name of the variable, without `$`.
    pub name: &'static str,
    /// The type in Puppet's notation.
    pub variable_type: &'static str,
    /// The scope in which it is set.
    pub place: Place,
}

/// The scope in which a variable is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The variable is always in top scope.
    Top,
    /// The variable is in top scope if an agent requested the catalog: agents send these variables with their facts.
    Agent,
    /// The variable is in top scope if a server compiles: it adds these variables to the node's parameters.
    Server,
    /// The variable is in classes and defined types, in addition to their parameters and the metaparameters that were set.
    Definition,
}

const fn variable(name: &'static str, variable_type: &'static str, place: Place) -> CoreVariable {
    CoreVariable { name, variable_type, place }
}

/// The variables that the compiler sets. Each top-level fact is a variable in top scope as well, and the settings are
/// those of the scope `settings`.
pub const VARIABLES: &[CoreVariable] = &[
    variable("facts", "Hash[String, Any]", Place::Top),
    variable(
        "trusted",
        "Struct[{'authenticated' => Variant[Boolean, String], 'certname' => Optional[String], \
         'extensions' => Hash, 'hostname' => Optional[String], 'domain' => Optional[String], 'external' => Hash}]",
        Place::Top,
    ),
    variable(
        "server_facts",
        "Struct[{Optional['serverversion'] => String, Optional['servername'] => String, \
         Optional['serverip'] => String, Optional['serverip6'] => String, \
         Optional['pe_serverversion'] => String, Optional['environment'] => String}]",
        Place::Top,
    ),
    variable("environment", "String", Place::Top),
    variable("clientcert", "String", Place::Agent),
    variable("clientversion", "String", Place::Agent),
    variable("clientnoop", "Boolean", Place::Agent),
    variable("puppetversion", "String", Place::Agent),
    variable("agent_specified_environment", "String", Place::Agent),
    variable("serverversion", "String", Place::Server),
    variable("servername", "String", Place::Server),
    variable("serverip", "String", Place::Server),
    variable("serverip6", "String", Place::Server),
    variable("pe_serverversion", "String", Place::Server),
    variable("title", "String", Place::Definition),
    variable("name", "String", Place::Definition),
    variable("module_name", "String", Place::Definition),
    variable("caller_module_name", "String", Place::Definition),
];
