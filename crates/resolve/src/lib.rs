//! Name resolution: definitions, functions, resource types, types, variables, files of modules and of data.
//!
//! [`names`] looks up definitions as the autoloader does, and [`ruby`] those that modules implement in Ruby; [`functions`],
//! [`resource_types`] and [`types`] each resolve one kind of name, both for checks and for the compilation of catalogs.
//! [`globals`] lists the variables that every body can read, and [`data_files`] the files that belong to Hiera. If the result
//! cannot be known, it is `Unknown`, which differs from `Missing`.

pub mod autoload;
pub mod bolt;
pub mod call;
pub mod custom_facts;
pub mod data_files;
pub mod environment_conf;
pub mod functions;
pub mod globals;
pub mod lazy_type;
pub mod location;
pub mod manifests;
pub mod metadata;
pub mod module_files;
pub mod names;
pub mod puppetfile;
pub mod resource_types;
pub mod ruby;
pub mod spelling;
pub mod stdlib;
pub mod suggest;
pub mod tasks;
pub mod types;
pub mod yaml_plans;

use marotte_pcore::dialect::Dialect;

/// The dialect in which code is checked.
pub fn dialect() -> &'static Dialect {
    Dialect::puppet8()
}
