//! Inputs of an evaluation that aren't files, and queries that split them, so that a change affects only the evaluations that
//! read the changed part.
#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::{Db, Environment};
use marotte_eval::{NodeInfo, Settings};
use marotte_hiera::exact::Exact;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;
use salsa::Setter as _;

use super::settings::setting_values;
use crate::ProjectDatabase;
use crate::{Answers, Clock, NodeInput, Permissions, Pool, Store};

/// The settings common to the compilation of all nodes.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The settings of the interpreter.
    pub settings: Settings,
    /// The permissions of programs.
    pub permissions: Permissions,
    /// The workers for Ruby code that the interpreter does not evaluate. None unless they are permitted.
    pub pool: Option<Arc<Pool>>,
    /// The store of exported resources, if there is one.
    pub store: Option<Arc<dyn Store>>,
    /// The answers of the outside world to record, or to use instead of asking it.
    pub answers: Option<Arc<Answers>>,
    /// Further parts of the code tree, outside of the environment: module folders and files that the user named, as absolute
    /// paths.
    pub named: Vec<Utf8PathBuf>,
    /// Whether functions and templates in Ruby are treated as unknown rather than evaluated.
    pub leave_out_ruby: bool,
    /// Whether each evaluation says what it asked for.
    pub records_reads: bool,
    /// Whether catalogs have the [contents](marotte_catalog::Contents) of the files that agents fetch.
    pub has_contents: bool,
    /// The source of the current time.
    pub clock: Clock,
    /// The absolute path of the configuration of the global data layer.
    pub hiera_config: Option<Utf8PathBuf>,
    /// Values of `$settings::NAME` that differ from the defaults.
    pub own_settings: Vec<(&'static str, Value)>,
    /// Variables of the top scope that are set before a program runs.
    pub variables: Vec<(Str, Value)>,
}

impl Policy {
    /// Sets the dialect in which a database parses files to the one of the programs.
    pub fn read_files(&self, db: &mut ProjectDatabase) {
        let (settings, dialect) = (marotte_db::Settings::get(db), self.settings.dialect);
        if settings.read_as(db) != dialect {
            settings.set_read_as(db).to(dialect);
        }
    }
}

/// The common input of the compilations of several nodes.
#[salsa::input(debug)]
pub struct Run {
    /// The code.
    #[returns(copy)]
    pub environment: Environment,

    /// The evaluation settings.
    #[returns(ref)]
    pub policy: Policy,
}

/// A node for which a catalog is compiled.
#[salsa::input(debug)]
pub struct Node {
    /// The input that it shares with other nodes.
    #[returns(copy)]
    pub run: Run,

    /// The description of the node. Evaluation reads parts of it through queries.
    #[returns(ref)]
    pub described: Arc<NodeInput>,
}

impl Run {
    /// Creates the input; in a frozen database, it is immutable, too.
    pub fn add(db: &dyn Db, environment: Environment, policy: Policy) -> Run {
        Run::builder(environment, policy).durability(db.files().durability()).new(db)
    }
}

impl Node {
    /// Creates the input; in a frozen database, it is immutable, too.
    pub fn add(db: &dyn Db, run: Run, described: NodeInput) -> Node {
        Node::builder(run, Arc::new(described)).durability(db.files().durability()).new(db)
    }
}

/// A variable of the top scope of a node.
#[salsa::tracked(returns(ref))]
pub(crate) fn node_variable(db: &dyn Db, node: Node, name: Str) -> Exact<Option<Value>> {
    Exact(node.described(db).variable(&name))
}

/// All variables of the top scope of a node.
#[salsa::tracked(returns(ref))]
pub(super) fn node_variables(db: &dyn Db, node: Node) -> Exact<Vec<(Str, Value)>> {
    Exact(node.described(db).variables())
}

/// Whether no facts were given for a node.
#[salsa::tracked(returns(copy))]
pub(crate) fn lacks_facts(db: &dyn Db, node: Node) -> bool {
    node.described(db).lacks_facts()
}

/// A fact of a node by the first key of `$facts`; `undef` if it doesn't exist.
#[salsa::tracked(returns(ref))]
pub(crate) fn node_fact(db: &dyn Db, node: Node, name: Str) -> Exact<Value> {
    Exact(node.described(db).facts.get_str(&name).cloned().unwrap_or(Value::Undef))
}

/// `$settings::NAME` of a node.
#[salsa::tracked(returns(ref))]
pub(crate) fn node_settings(db: &dyn Db, node: Node) -> Arc<Hash> {
    Arc::new(setting_values(&node_name(db, node).0, &node.run(db).policy(db).own_settings))
}

/// The name of a node, and the name of its environment.
#[salsa::tracked(returns(ref))]
pub(crate) fn node_name(db: &dyn Db, node: Node) -> (Str, Str) {
    let it = node.described(db);
    (it.certname.clone(), it.environment.clone())
}

/// The classes of a node with their parameters.
#[salsa::tracked(returns(ref))]
fn node_classes(db: &dyn Db, node: Node) -> Exact<Vec<(Str, Hash)>> {
    Exact(node.described(db).classes.clone())
}

/// The name of a node, its environment, and its classes.
pub(crate) fn node_info(db: &dyn Db, node: Node) -> NodeInfo {
    let (name, environment) = node_name(db, node).clone();
    NodeInfo { name, environment, classes: node_classes(db, node).to_vec() }
}
