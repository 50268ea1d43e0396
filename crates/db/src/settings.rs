#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use marotte_diagnostics::RuleSet;
use marotte_pcore::dialect::Dialect;

/// The default limit on the size of a file: 16 MiB.
pub const DEFAULT_MAX_FILE_SIZE: u64 = 16 << 20;

/// The settings for reading and parsing files. A singleton, created with the database.
#[salsa::input(singleton)]
pub struct Settings {
    /// `plan` and `apply` are keywords everywhere, not only in `plans` folders.
    #[returns(copy)]
    pub tasks: bool,

    /// The size limit in bytes: larger files are reported and not read.
    #[returns(copy)]
    pub max_file_size: u64,

    /// The rules whose findings are requested. The others don't run.
    #[returns(copy)]
    pub rules: RuleSet,

    /// The dialect that files are written in, for rules that report how Puppet 8 interprets them.
    #[returns(copy)]
    pub dialect: &'static Dialect,

    /// The dialect in which files are parsed: that of evaluated programs, otherwise that of Puppet 8.
    #[returns(copy)]
    pub read_as: &'static Dialect,
}
