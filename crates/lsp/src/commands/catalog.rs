//! `marotte.showCatalog`: the catalog of a node.

use std::fmt::Write as _;
use std::sync::Arc;

use marotte_catalog::cycle::cycles;
use marotte_catalog::page::html;
use marotte_catalog::picture::dot;
use marotte_eval::Effect;
use marotte_host::{Findings, Node, evaluate_once, rendered, rendered_gaps};
use marotte_project::{Fleet, ProjectDatabase};
use serde::Deserialize;

use super::Shown;
use super::subject::{Subject, SubjectCode, messages, policy};
use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};

/// The node, and the output form.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Argument {
    #[serde(flatten)]
    subject: Subject,
    #[serde(default)]
    format: Form,
}

/// The output form of a catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    /// One line for each resource.
    #[default]
    List,
    /// A page in HTML.
    Html,
    /// A graph for Graphviz.
    Dot,
}

pub(super) fn run(snapshot: &Snapshot, argument: Argument) -> Answer<Shown> {
    let Argument { subject, format } = argument;
    let SubjectCode { tree, manifests } = subject.code(snapshot)?;
    if manifests.is_empty() {
        return Err(ResponseError::failed("there is no main manifest around this document"));
    }
    let described = subject.node(snapshot, &tree)?;
    let db = ProjectDatabase::frozen(Arc::clone(&snapshot.system));
    let fleet = Fleet::new(db, &tree, &manifests, policy(snapshot), 1);
    let of_all = fleet.run();
    let compiled = fleet.each(&[described], |db, described| {
        let node = Node::add(db, of_all, described.clone());
        let mut evaluation = evaluate_once(db, node);
        let catalog = evaluation.compiled.catalog.take();
        let mut findings = Findings::of(db, &evaluation);
        let has_errors = !evaluation.compiled.errors.is_empty();
        let mut catalog = catalog.filter(|_| !has_errors).map(|it| rendered(it, &mut findings));
        if let Some(catalog) = &mut catalog {
            catalog.gaps = rendered_gaps(&evaluation.compiled.gaps, &mut findings);
        }
        let effects: Vec<Effect> = evaluation.logs.messages.iter().cloned().map(Effect::Log).collect();
        (catalog, messages(&effects, &findings))
    });
    let (catalog, mut messages) = match compiled.into_iter().next() {
        Some(Ok(compiled)) => compiled,
        Some(Err(panicked)) => {
            return Err(ResponseError::failed(format!("this is a bug in marotte: {panicked}")));
        }
        None => return Err(ResponseError::failed("there is no node")),
    };
    let Some(catalog) = catalog else { return Err(ResponseError::failed(messages)) };
    for cycle in cycles(&catalog) {
        let _ = writeln!(messages, "Warning: resources wait for each other: {cycle}");
    }
    let completeness = catalog.completeness();
    if !completeness.is_complete() {
        let _ = writeln!(messages, "Warning: the catalog is incomplete: {completeness}");
    }
    let (text, language) = match format {
        Form::Html => (html(&catalog), "html"),
        Form::Dot => (dot(&catalog), "dot"),
        Form::List => {
            let mut text = format!("# {}: {} resources\n", catalog.name, catalog.resources.len());
            for resource in &catalog.resources {
                let _ = writeln!(text, "{}", resource.reference);
            }
            (text, "plaintext")
        }
    };
    Ok(Shown { text, language, messages })
}
