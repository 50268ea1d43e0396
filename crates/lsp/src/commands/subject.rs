//! The context of a command's evaluation: code and node.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use lsp_types::Uri;
use marotte_db::Db as _;
use marotte_diagnostics::headline::headlines;
use marotte_diagnostics::output::{self, Color, Format};
use marotte_eval::{Effect, Log, Settings};
use marotte_host::layout::environment_at;
use marotte_host::{CodeTree, EvaluationContext, Facts, FactsError, Findings, NodeInput, Policy};
use marotte_project::ProjectDatabase;
use serde::Deserialize;

use crate::facts;
use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};

/// The code and the node of an evaluation.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Subject {
    /// A document of the code.
    pub(super) uri: Uri,
    /// The node's name; None for the name in its facts.
    #[serde(default)]
    pub(super) node: Option<String>,
    /// The file with the node's facts, relative to the folder of the document's environment; None for the file in the settings.
    #[serde(default)]
    pub(super) facts: Option<Utf8PathBuf>,
}

/// The code around a document.
pub(super) struct SubjectCode {
    pub(super) tree: CodeTree,
    /// The files of the main manifest.
    pub(super) manifests: Vec<Utf8PathBuf>,
}

impl Subject {
    pub(super) fn path(&self, snapshot: &Snapshot) -> Answer<Utf8PathBuf> {
        Ok(snapshot.file(&self.uri)?.path(&snapshot.db).clone())
    }

    /// The code around the document.
    pub(super) fn code(&self, snapshot: &Snapshot) -> Answer<SubjectCode> {
        let path = self.path(snapshot)?;
        let system = snapshot.db.system();
        let named: Vec<Utf8PathBuf> =
            snapshot.settings.project.module_path.iter().map(|it| system.absolute(it)).collect();
        Ok(match environment_at(system, &path, &named) {
            Some(it) => SubjectCode {
                tree: CodeTree { module_path: it.module_path, environment: Some(it.root) },
                manifests: it.manifests,
            },
            None => SubjectCode {
                tree: CodeTree { module_path: named, environment: None },
                manifests: Vec::new(),
            },
        })
    }

    /// The description of the node.
    pub(super) fn node(&self, snapshot: &Snapshot, tree: &CodeTree) -> Answer<NodeInput> {
        let facts = match self.facts.as_ref().or(snapshot.server.facts.as_ref()) {
            None => Facts::default(),
            Some(path) => {
                let base = tree.environment.as_deref().unwrap_or(Utf8Path::new("."));
                let path = snapshot.db.system().absolute(&base.join(path));
                self.read(snapshot, &path)?
            }
        };
        Ok(NodeInput::new(match &self.node {
            Some(name) => facts.named(name),
            None => facts,
        }))
    }

    /// The facts in a file, or those of the node in a folder.
    fn read(&self, snapshot: &Snapshot, path: &Utf8Path) -> Answer<Facts> {
        let system = snapshot.db.system();
        let failed = |error: FactsError| ResponseError::failed(error.to_string());
        if !system.is_directory(path) {
            return Facts::read(system, path).map_err(failed);
        }
        let Some(node) = &self.node else {
            return Err(ResponseError::invalid_params(format!(
                "`{path}` has the facts of several nodes: set `node` to the name of one"
            )));
        };
        let file = facts::files(system, path).into_iter().find(|it| it.file_stem() == Some(node));
        match file {
            Some(file) => facts::of_file(system, &file).map_err(failed),
            None => Err(ResponseError::failed(format!("there are no facts of `{node}` in `{path}`"))),
        }
    }

    /// The environment in which a single program runs.
    pub(super) fn subject(&self, snapshot: &Snapshot) -> Answer<EvaluationContext> {
        let SubjectCode { tree, .. } = self.code(snapshot)?;
        let node = self.node(snapshot, &tree)?;
        let policy = policy(snapshot);
        let db = ProjectDatabase::frozen(Arc::clone(&snapshot.system));
        Ok(EvaluationContext::new(db, tree, node).with_policy(policy))
    }
}

/// A policy that permits only reading the code tree.
pub(super) fn policy(snapshot: &Snapshot) -> Policy {
    Policy { settings: settings(snapshot), ..Policy::default() }
}

pub(super) fn settings(snapshot: &Snapshot) -> Settings {
    Settings::of(snapshot.settings.project.dialect)
}

/// The logged messages and the findings, as text.
pub(super) fn messages(effects: &[Effect], findings: &Findings<'_>) -> String {
    let mut text = Vec::new();
    for Effect::Log(Log { level, message, .. }) in effects {
        let level = format!("{level:?}");
        text.extend_from_slice(format!("{level}: {message}\n").as_bytes());
    }
    // Writing to memory cannot fail.
    let _ =
        output::write(Format::Full, &headlines(findings.diagnostics()), findings, Color::Never, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
