//! What names mean: definitions, functions, resource types, types, variables, files of modules and of data.
//!
//! [`names`] looks definitions up as the autoloader does, and [`ruby`] what modules define in Ruby; [`functions`], [`resource_types`] and
//! [`types`] say what a name of one kind means, for those who check code and for those who compile catalogs. [`globals`] knows the variables
//! that every body can read, and [`data_files`] what belongs to Hiera. An answer that nobody can know is `Unknown`, which is not `Missing`.

pub mod autoload;
pub mod call;
pub mod custom_facts;
pub mod data_files;
pub mod functions;
pub mod globals;
pub mod lazy_type;
pub mod location;
pub mod manifests;
pub mod metadata;
pub mod module_files;
pub mod names;
pub mod resource_types;
pub mod ruby;
pub mod spelling;
pub mod suggest;
pub mod types;

use marotte_pcore::dialect::Dialect;

/// The dialect that trees are checked in.
pub fn dialect() -> &'static Dialect {
    Dialect::puppet8()
}
