use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::DiskSystem;
use marotte_eval::Settings;
use marotte_host::{CodeTree, Facts, Node, NodeInput, Policy, evaluate_once};
use marotte_pcore::ops::Strictness;
use marotte_pcore::value::{Hash, Value};
use marotte_project::{ChangeBatch, Fleet, ProjectDatabase};

use crate::workspace;

/// Compiles main manifests, one after the other, with modules that are read once.
#[derive(Debug)]
pub struct MessageCompiler {
    fleet: Fleet,
    tree: CodeTree,
    scratch: PathBuf,
    manifests: usize,
}

/// The values of the parameter `message` of all `notify` resources by title, and the first error.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    /// The messages by their names.
    pub values: BTreeMap<String, Value>,
    /// The error in the manifest, if any.
    pub error: Option<String>,
    /// The reasons why values are not known, or code is skipped.
    pub reasons: Vec<String>,
}

impl MessageCompiler {
    /// Creates a compiler that writes its manifests to a folder.
    ///
    /// # Errors
    /// If a path isn't UTF-8, or if the current folder doesn't exist.
    pub fn new(modules: PathBuf, scratch: PathBuf) -> Result<MessageCompiler, Box<dyn Error>> {
        let modules = Utf8PathBuf::from_path_buf(modules).map_err(|_| "a path that is not UTF-8")?;
        let tree = CodeTree { module_path: vec![modules], environment: None };
        let settings =
            Settings { strict: Strictness::Warning, strict_variables: false, ..Settings::default() };
        let policy = Policy { settings, named: super::corpus::named(), ..Policy::default() };
        let system = Arc::new(DiskSystem::new()?);
        let fleet = Fleet::new(ProjectDatabase::new(system), &tree, &[], policy, 1);
        Ok(MessageCompiler { fleet, tree, scratch, manifests: 0 })
    }

    /// Compiles a manifest for a node with these facts. A panic is returned as an error.
    ///
    /// # Errors
    /// If the manifest can't be written.
    pub fn compile(&mut self, text: &str, facts: Arc<Hash>) -> Result<Messages, Box<dyn Error>> {
        self.manifests += 1;
        let manifest = self.scratch.join(format!("{}.pp", self.manifests));
        workspace::write(&manifest, text)?;
        let manifest = Utf8PathBuf::from_path_buf(manifest).map_err(|_| "a path that is not UTF-8")?;
        self.fleet.apply(&ChangeBatch::default(), &self.tree, &[manifest]);
        let facts = Facts { name: Some("node1.example.com".into()), values: facts };
        let node = self.fleet.add(NodeInput::new(facts));
        let made = self.fleet.each(&[node], |db, node| messages(db, *node)).pop();
        let panicked =
            |error: String| Messages { error: Some(format!("a panic: {error}")), ..Messages::default() };
        Ok(made.map_or_else(Messages::default, |it| it.unwrap_or_else(|error| panicked(error.to_string()))))
    }
}

fn messages(db: &ProjectDatabase, node: Node) -> Messages {
    let mut evaluation = evaluate_once(db, node);
    let error = evaluation.compiled.errors.first().map(|it| it.message.to_string());
    let resources = evaluation.compiled.catalog.take().into_iter().flat_map(|it| it.resources);
    let message = |it: marotte_catalog::Resource<marotte_eval::Place>| {
        Some((it.reference.title.to_string(), it.parameters.get("message")?.clone()))
    };
    let reasons = evaluation.compiled.gaps.iter().filter_map(|it| it.reason.clone()).collect();
    Messages { values: resources.filter_map(message).collect(), error, reasons }
}
