#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use marotte_pcore::dialect::Dialect;

/// What a file may weigh unless configured otherwise: 16 MiB.
pub const DEFAULT_MAX_FILE_SIZE: u64 = 16 << 20;

/// How files are read and parsed. A database has exactly one, made with the database.
#[salsa::input(singleton)]
pub struct Settings {
    /// `plan` and `apply` are keywords everywhere, not only in `plans` folders.
    #[returns(copy)]
    pub tasks: bool,

    /// Larger files, in bytes, are reported and not read.
    #[returns(copy)]
    pub max_file_size: u64,

    /// Findings about style are wanted, too.
    #[returns(copy)]
    pub style: bool,

    /// The dialect that files are written in, for rules that say what Puppet 8 makes of them.
    #[returns(copy)]
    pub dialect: &'static Dialect,

    /// The dialect as whose texts files are read: that of programs that are evaluated, else Puppet 8's.
    #[returns(copy)]
    pub read_as: &'static Dialect,
}
