use std::cell::OnceCell;

use camino::Utf8PathBuf;
use marotte_db::{Db as _, Environment};
use marotte_eval::ReadError;

use super::loading::Loaded;
use crate::ProjectDatabase;
use crate::layout::{layouts, module_path, set_layout};
use crate::pool::Session;
use crate::{DatabaseHost, Node, NodeInput, Policy, Run, files};

/// The locations from which code is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeTree {
    /// The absolute paths of module folders; the first that contains a module wins.
    pub module_path: Vec<Utf8PathBuf>,
    /// The folder of the environment, whose own `functions` and `types` are loaded, too.
    pub environment: Option<Utf8PathBuf>,
}

impl CodeTree {
    /// The environment in a folder; empty without one.
    pub fn of_environment(system: &dyn marotte_db::System, folder: Option<Utf8PathBuf>) -> CodeTree {
        let module_path = folder.as_deref().map(|it| module_path(system, it)).unwrap_or_default();
        CodeTree { module_path, environment: folder }
    }

    /// Sets this code, with the given main manifests (absolute paths, in order), as the only code of a database. Returns the
    /// environment, and whether anything changed.
    pub fn set(&self, db: &mut ProjectDatabase, manifests: &[Utf8PathBuf]) -> (Environment, bool) {
        let root = self.environment.as_deref();
        let layouts = layouts(db.system(), root, &self.module_path, manifests);
        let changed = set_layout(db, layouts);
        // The loose environment always exists.
        let all = marotte_db::EnvironmentSet::get(db).environments(db);
        let own = all.iter().copied().find(|it| it.root(db) == root);
        #[expect(clippy::expect_used, reason = "it has just been set")]
        (own.expect("the environment of the tree"), changed)
    }
}

/// The environment in which a single program runs. [`outside`](EvaluationContext::outside) answers all requests of its evaluation.
#[derive(Debug)]
pub struct EvaluationContext {
    db: ProjectDatabase,
    environment: Environment,
    tree: CodeTree,
    described: NodeInput,
    policy: Policy,
    /// Created on the first use, when everything about it is set.
    node: OnceCell<Node>,
    /// The files that the program has loaded.
    loaded: Loaded,
}

impl EvaluationContext {
    /// Creates a context in which only reading the code tree is permitted.
    pub fn new(mut db: ProjectDatabase, tree: CodeTree, node: NodeInput) -> EvaluationContext {
        let (environment, _) = tree.set(&mut db, &[]);
        EvaluationContext {
            db,
            environment,
            tree,
            described: node,
            policy: Policy::default(),
            node: OnceCell::new(),
            loaded: Loaded::default(),
        }
    }

    /// Sets another policy.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> EvaluationContext {
        policy.read_files(&mut self.db);
        EvaluationContext { policy, node: OnceCell::new(), ..self }
    }

    /// Returns the settings common to the compilation of all nodes.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Sets the main manifests: absolute paths, in order.
    #[must_use]
    pub fn with_manifests(mut self, manifests: Vec<Utf8PathBuf>) -> EvaluationContext {
        (self.environment, _) = self.tree.set(&mut self.db, &manifests);
        self
    }

    /// The database with the files.
    pub fn db(&self) -> &ProjectDatabase {
        &self.db
    }

    /// The node.
    pub fn node(&self) -> &NodeInput {
        &self.described
    }

    /// The implementation of a program's requests.
    pub fn host(&self) -> DatabaseHost<'_> {
        DatabaseHost { db: &self.db, node: self.input(), loaded: &self.loaded, session: Session::default() }
    }

    /// Resolves a template name as the face `epp` does: a template of a module, or else a file.
    ///
    /// # Errors
    /// If it may not be read.
    pub fn template_path(&self, name: &str) -> Result<Option<Utf8PathBuf>, ReadError> {
        let found = files::find(&self.db, self.input().run(&self.db), "templates", name)?;
        Ok(found.map(|it| it.path(&self.db).clone()))
    }

    pub(crate) fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    fn input(&self) -> Node {
        *self.node.get_or_init(|| {
            let run = Run::add(&self.db, self.environment, self.policy.clone());
            Node::add(&self.db, run, self.described.clone())
        })
    }
}
