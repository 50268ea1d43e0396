//! `marotte.showNodes`: the nodes whose catalogs have a class.

use std::fmt::Write as _;
use std::sync::Arc;

use marotte_db::Db as _;
use marotte_host::{Findings, Node, NodeInput, evaluate_once, rendered};
use marotte_project::{Fleet, ProjectDatabase};
use salsa::Database as _;
use serde::Deserialize;

use super::Shown;
use super::subject::{Subject, SubjectCode, policy};
use crate::facts;
use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};

/// The command's name, which code lenses use.
pub(crate) const NAME: &str = "marotte.showNodes";

/// The number of nodes whose catalogs are compiled.
const MOST: usize = 200;

/// The class.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    subject: Subject,
    class: String,
}

/// Whether the catalog of a node has a class.
enum Found {
    Present,
    Absent,
    /// Code was skipped that may declare the class.
    Uncertain,
    /// The catalog cannot be compiled.
    Failed,
}

/// Compiles the catalogs of the nodes whose facts the settings name. The result is also shown as a message, because clients
/// don't show the results of code lenses.
pub(super) fn run(snapshot: &Snapshot, argument: Argument) -> Answer<Shown> {
    let Argument { subject, class } = argument;
    let SubjectCode { tree, manifests } = subject.code(snapshot)?;
    if manifests.is_empty() {
        return Err(ResponseError::failed("there is no main manifest around this document"));
    }
    let file = snapshot.file(&subject.uri)?;
    let Some(path) = facts::path(snapshot, file) else {
        return Err(ResponseError::failed("the setting `facts` names no nodes"));
    };
    let system = snapshot.db.system();
    let files = facts::files(system, &path);
    let mut nodes: Vec<NodeInput> = Vec::new();
    for file in files.iter().take(MOST) {
        let facts = facts::of_file(system, file).map_err(|error| ResponseError::failed(error.to_string()))?;
        nodes.push(NodeInput::new(facts));
    }
    let db = ProjectDatabase::frozen(Arc::clone(&snapshot.system));
    let fleet = Fleet::new(db, &tree, &manifests, policy(snapshot), 1);
    let of_all = fleet.run();
    let reference = format!("Class[{class}]");
    let compiled = |db: &ProjectDatabase, described: &NodeInput| {
        let mut evaluation = evaluate_once(db, Node::add(db, of_all, described.clone()));
        let has_errors = !evaluation.compiled.errors.is_empty();
        let Some(catalog) = evaluation.compiled.catalog.take().filter(|_| !has_errors) else {
            return Found::Failed;
        };
        let mut findings = Findings::of(db, &evaluation);
        let catalog = rendered(catalog, &mut findings);
        let is_it = |it: &marotte_catalog::Resource| {
            it.reference.to_string().trim_start_matches("::").eq_ignore_ascii_case(&reference)
        };
        match catalog.resources.iter().any(is_it) {
            true => Found::Present,
            false if evaluation.compiled.gaps.is_empty() => Found::Absent,
            false => Found::Uncertain,
        }
    };
    let mut found = Vec::new();
    for node in &nodes {
        // An edit waits for the snapshot, and evaluation does not notice it.
        snapshot.db.unwind_if_revision_cancelled();
        found.extend(fleet.each(std::slice::from_ref(node), compiled));
    }
    let names = |is_it: fn(&Found) -> bool| -> Vec<&str> {
        let all = nodes.iter().zip(&found).filter(|(_, it)| it.as_ref().map_or(is_it(&Found::Failed), is_it));
        all.map(|(node, _)| &*node.certname).collect()
    };
    let mut text = match &names(|it| matches!(it, Found::Present))[..] {
        [] => format!("no known node has the class `{class}`\n"),
        all => format!("nodes with the class `{class}`: {}\n", all.join(", ")),
    };
    let mut add = |what: &str, all: Vec<&str>| {
        if !all.is_empty() {
            let _ = writeln!(text, "{what}: {}", all.join(", "));
        }
    };
    add("code was skipped that may declare it", names(|it| matches!(it, Found::Uncertain)));
    add("catalogs that cannot be compiled", names(|it| matches!(it, Found::Failed)));
    if files.len() > MOST {
        let _ = writeln!(text, "{} other nodes were not asked", files.len() - MOST);
    }
    snapshot.note(text.trim_end().to_owned());
    Ok(Shown { text, language: "plaintext", messages: String::new() })
}
