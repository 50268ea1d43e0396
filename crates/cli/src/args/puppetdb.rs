//! The arguments that name a PuppetDB and how it is asked.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use camino::Utf8PathBuf;
use clap::Args;

/// The address of a PuppetDB as it was given. It may have a password, and is therefore not printed.
#[derive(Clone)]
pub(crate) struct GivenUrl(pub(crate) String);

impl FromStr for GivenUrl {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<GivenUrl, Infallible> {
        Ok(GivenUrl(text.to_owned()))
    }
}

impl fmt::Debug for GivenUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("GivenUrl").finish_non_exhaustive()
    }
}

/// Where a PuppetDB is, and which of its nodes are meant.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "PuppetDB")]
pub(crate) struct PuppetdbArgs {
    /// Take nodes and facts from a PuppetDB, such as `https://puppetdb.example.com:8081`
    #[arg(long, value_name = "URL")]
    pub(crate) puppetdb: Option<GivenUrl>,

    /// The certificate of the CA that issued PuppetDB's, in PEM; Puppet keeps it in
    /// /etc/puppetlabs/puppet/ssl/certs/ca.pem
    #[arg(long, value_name = "FILE", requires = "puppetdb")]
    pub(crate) puppetdb_ca: Option<Utf8PathBuf>,

    /// The certificate to connect with, in PEM; Puppet keeps those of a machine in /etc/puppetlabs/puppet/ssl/certs
    #[arg(long, value_name = "FILE", requires = "puppetdb", requires = "puppetdb_key")]
    pub(crate) puppetdb_cert: Option<Utf8PathBuf>,

    /// The key of that certificate, in PEM; Puppet keeps it in /etc/puppetlabs/puppet/ssl/private_keys
    #[arg(long, value_name = "FILE", requires = "puppetdb", requires = "puppetdb_cert")]
    pub(crate) puppetdb_key: Option<Utf8PathBuf>,

    /// A file with a token of Puppet Enterprise, as `puppet access login` writes ~/.puppetlabs/token
    #[arg(long, value_name = "FILE", requires = "puppetdb")]
    pub(crate) puppetdb_token_file: Option<Utf8PathBuf>,

    /// How many seconds a query may take [default: 60]
    #[arg(long, value_name = "SECONDS", requires = "puppetdb", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) puppetdb_timeout: Option<u64>,

    /// The nodes, as a query that gives `certname`s, such as `inventory[certname] { facts.os.family = "Debian" }` [default: all
    /// active nodes]
    #[arg(long, value_name = "PQL", requires = "puppetdb", conflicts_with = "facts_dir")]
    pub(crate) nodes_query: Option<String>,
}
