//! The sources of nodes, facts and classes other than files: PuppetDB and commands that classify nodes.

mod answers;
mod classifier;
mod store;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use camino::Utf8Path;
use marotte_catalog::Catalog;
use marotte_db::{DEFAULT_MAX_FILE_SIZE, DiskSystem, System};
use marotte_host::{Classification, Store};
use marotte_puppetdb::{ACTIVE_NODES, Address, Client, Factset, NodeFacts, Pem, Settings};

use crate::args::{CompilationArgs, GivenUrl, PuppetdbArgs};
use crate::failure::Failure;
use classifier::Classifier;
use store::PuppetdbStore;

/// The time for a query in seconds, unless the user gives another.
const TIMEOUT: u64 = 60;

/// Data about nodes from PuppetDB and from commands. Each query is sent once, so that all compilations of a run use the same
/// nodes, facts and classes.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    puppetdb: Option<Known>,
    store: Option<Arc<PuppetdbStore>>,
    classifier: Option<Classifier>,
}

/// Data from a PuppetDB.
#[derive(Debug)]
struct Known {
    client: Arc<Client>,
    /// The query for the nodes.
    query: String,
    nodes: OnceLock<BTreeSet<String>>,
    /// The facts of the queried nodes. None if PuppetDB has none.
    factsets: Mutex<BTreeMap<String, Option<Factset>>>,
}

impl Sources {
    /// Reads the arguments. Sends no queries yet.
    pub(crate) fn new(args: &CompilationArgs, disk: &dyn System) -> Result<Arc<Sources>, Failure> {
        let has_record = args.evaluation.record.is_some() || args.evaluation.replay.is_some();
        if has_record && args.enc.is_some() {
            let message = "`--record` and `--replay` do not have the answers of `--enc`";
            return Err(Failure::Message(message.to_owned()));
        }
        if args.puppetdb.puppetdb.is_some() {
            let has_facts = args.evaluation.facts.is_some() || args.facts_dir.is_some();
            let message = match (&args.evaluation.record, &args.evaluation.replay) {
                (_, Some(_)) => "`--replay` has the answers that `--puppetdb` would give",
                (Some(_), None) if !has_facts => {
                    "`--record` does not have the facts of PuppetDB: `--facts` or `--facts-dir` has them"
                }
                _ => "",
            };
            if !message.is_empty() {
                return Err(Failure::Message(message.to_owned()));
            }
        }
        let puppetdb = match &args.puppetdb.puppetdb {
            None => None,
            Some(GivenUrl(url)) => Some(Known {
                client: Arc::new(client(&args.puppetdb, url, disk)?),
                query: args.puppetdb.nodes_query.clone().unwrap_or_else(|| ACTIVE_NODES.to_owned()),
                nodes: OnceLock::new(),
                factsets: Mutex::default(),
            }),
        };
        let classifier = match &args.enc {
            None => None,
            Some(command) => {
                let processes = Arc::new(DiskSystem::new()?);
                Some(Classifier::new(command, args.enc_timeout, disk, processes)?)
            }
        };
        let store = puppetdb.as_ref().map(|it| Arc::new(PuppetdbStore::new(Arc::clone(&it.client))));
        Ok(Arc::new(Sources { puppetdb, store, classifier }))
    }

    /// Returns the store for queries of exported resources.
    pub(crate) fn store(&self) -> Option<Arc<dyn Store>> {
        self.store.clone().map(|it| -> Arc<dyn Store> { it })
    }

    /// Whether facts are requested from PuppetDB.
    pub(crate) fn has_puppetdb(&self) -> bool {
        self.puppetdb.is_some()
    }

    /// Returns the names of the nodes that the query to PuppetDB selects, and fetches their facts.
    ///
    /// # Errors
    /// If PuppetDB returns none, or not all of them.
    pub(crate) fn nodes(&self) -> Result<Vec<String>, Failure> {
        let Some(puppetdb) = &self.puppetdb else { return Ok(Vec::new()) };
        let names = match puppetdb.nodes.get() {
            Some(names) => names,
            None => {
                let names = puppetdb.client.names(&puppetdb.query).map_err(message)?;
                if names.is_empty() {
                    let (address, query) = (puppetdb.client.address(), &puppetdb.query);
                    return Err(Failure::Message(format!(
                        "PuppetDB at {address} has no nodes for `{query}`"
                    )));
                }
                puppetdb.nodes.get_or_init(|| names)
            }
        };
        let names: Vec<String> = names.iter().cloned().collect();
        self.fetch(names.iter().map(String::as_str))?;
        Ok(names)
    }

    /// Fetches the facts of nodes, in few queries.
    pub(crate) fn fetch<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<(), Failure> {
        let Some(puppetdb) = &self.puppetdb else { return Ok(()) };
        let mut known = puppetdb.factsets();
        let new: BTreeSet<&str> = names.into_iter().filter(|it| !known.contains_key(*it)).collect();
        let new: Vec<&str> = new.into_iter().collect();
        let mut found = puppetdb.client.factsets(&new).map_err(message)?;
        known.extend(new.into_iter().map(|it| (it.to_owned(), found.remove(it))));
        Ok(())
    }

    /// Returns the facts of a node.
    ///
    /// # Errors
    /// If PuppetDB has none, or can't be queried.
    pub(crate) fn facts(&self, name: &str) -> Result<NodeFacts, Failure> {
        self.fetch([name])?;
        let Some(puppetdb) = &self.puppetdb else { return Ok(NodeFacts::default()) };
        let factset = puppetdb.factsets().get(name).cloned().flatten();
        let address = puppetdb.client.address();
        let factset = factset.ok_or_else(|| format!("PuppetDB at {address} has no facts of {name}"))?;
        Ok(factset.facts())
    }

    /// Returns the catalogs that PuppetDB has of nodes.
    pub(crate) fn catalogs(&self, names: &[String]) -> Result<BTreeMap<String, Catalog>, Failure> {
        let Some(puppetdb) = &self.puppetdb else { return Ok(BTreeMap::new()) };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        puppetdb.client.catalogs(&names).map_err(message)
    }

    /// Returns the address of PuppetDB, without its password.
    pub(crate) fn address(&self) -> String {
        self.puppetdb.as_ref().map(|it| it.client.address().to_string()).unwrap_or_default()
    }

    /// Returns the classification that the command of `--enc` prints for a node. None without a command.
    pub(crate) fn classes(&self, name: &str) -> Result<Option<Classification>, Failure> {
        self.classifier.as_ref().map(|it| it.classes(name)).transpose()
    }
}

impl Known {
    fn factsets(&self) -> MutexGuard<'_, BTreeMap<String, Option<Factset>>> {
        self.factsets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn message(error: impl std::error::Error) -> Failure {
    Failure::Message(error.to_string())
}

/// The client that arguments describe.
fn client(args: &PuppetdbArgs, url: &str, disk: &dyn System) -> Result<Client, Failure> {
    let read = |path: &Utf8Path| -> Result<Pem, Failure> {
        let bytes = disk.read(&disk.absolute(path), DEFAULT_MAX_FILE_SIZE);
        let bytes = bytes.map_err(|error| format!("cannot read {path}: {error}"))?;
        Ok(Pem { path: path.to_string(), bytes })
    };
    let authority = args.puppetdb_ca.as_deref().map(read).transpose()?;
    let identity = match (&args.puppetdb_cert, &args.puppetdb_key) {
        (Some(certificate), Some(key)) => Some((read(certificate)?, read(key)?)),
        _ => None,
    };
    let token = args.puppetdb_token_file.as_deref().map(read).transpose()?;
    let token = token.map(|it| String::from_utf8_lossy(&it.bytes).trim().to_owned());
    let timeout = Duration::from_secs(args.puppetdb_timeout.unwrap_or(TIMEOUT));
    let address = Address::new(url).map_err(message)?;
    Client::new(Settings { address, authority, identity, token, timeout }).map_err(message)
}
