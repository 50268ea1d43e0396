//! The arguments of what keeps results between runs.

use camino::Utf8PathBuf;
use clap::Args;
use clap::builder::BoolishValueParser;

use super::Size;

/// Where results are kept between runs.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CacheArgs {
    /// Keep results here: a folder, `s3://BUCKET/PREFIX` or `gs://BUCKET/PREFIX` [default: marotte in the user's folder of caches]
    #[arg(long, value_name = "PLACE", env = "MAROTTE_CACHE", hide_env = true, help_heading = "Cache")]
    pub(crate) cache: Option<String>,

    /// Neither use nor keep results of other runs
    #[arg(long, env = "MAROTTE_NO_CACHE", hide_env = true, num_args = 0..=1, require_equals = true, value_name = "BOOL",
        default_missing_value = "true", default_value = "false", value_parser = BoolishValueParser::new(), help_heading = "Cache")]
    pub(crate) no_cache: bool,

    /// Encrypt the cache with the secret in this file, of 32 bytes or more; without it, nothing is kept of a node with
    /// `Sensitive` values, or of one that decrypts data
    #[arg(
        long,
        value_name = "FILE",
        env = "MAROTTE_CACHE_KEY_FILE",
        hide_env = true,
        help_heading = "Cache"
    )]
    pub(crate) cache_key_file: Option<Utf8PathBuf>,

    /// How large the folder may become: what was used least recently is removed [default: 2GiB]
    #[arg(long, value_name = "SIZE", help_heading = "Cache")]
    pub(crate) cache_size: Option<Size>,
}
