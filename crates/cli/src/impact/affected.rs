//! Compiles from the code after only those nodes whose evaluation read something that is different there.

use std::io::Write as _;
use std::sync::Arc;

use camino::Utf8Path;
use marotte_catalog::Catalog;
use marotte_host::{Clock, Node};
use marotte_impact::{Fault, Gathering, Outcome as Impact, Side};
use marotte_project::ChangeBatch;

use super::switched::SwitchedSystem;
use super::trees::Trees;
use super::{fault, impact, relative, shown_name};
use crate::compilation::{BATCH, Compilation};
use crate::failure::Failure;

/// So many resources are kept of catalogs from the code before. Of affected nodes beyond, these are compiled again.
const KEPT: usize = 100_000;

/// A node, and what is known of it from the code before.
struct Known {
    name: Option<String>,
    node: Result<Node, Vec<Fault>>,
    side: Side,
    /// Its catalog, or what is wrong, if that is kept.
    kept: Option<Result<Catalog, Vec<Fault>>>,
}

/// Adds all nodes to a report. False if trees are so different that all nodes have to be compiled from both.
pub(super) fn gather(
    trees: &Trees,
    clock: Clock,
    names: &[Option<String>],
    before: &Compilation<'_>,
    after: &Compilation<'_>,
    gathering: &mut Gathering,
) -> Result<bool, Failure> {
    // These are values of settings, which are the same for a whole run; variables may call functions of the tree.
    if before.module_path() != after.module_path() || !trees.compilation.evaluation.set.is_empty() {
        return Ok(false);
    }
    let system = Arc::new(SwitchedSystem::new(trees.before.code(), trees.after.code()));
    let code = Arc::<SwitchedSystem>::clone(&system);
    let Some(mut tracked) = Compilation::tracked(&trees.compilation, trees.disk(), code, clock)? else {
        return Ok(false);
    };
    let root = after.root().unwrap_or(Utf8Path::new("/"));
    let mut nodes = evaluated(names, &mut tracked, root);
    system.switch();
    tracked.apply(&ChangeBatch::everything())?;
    let mut compiled = 0;
    for nodes in nodes.chunks_mut(BATCH) {
        let anew = again(nodes, &tracked, root);
        compiled += anew.iter().filter(|it| it.is_some()).count();
        let missing = nodes.iter().zip(&anew).filter(|(it, new)| new.is_some() && it.kept.is_none());
        let missing: Vec<Option<String>> = missing.map(|(it, _)| it.name.clone()).collect();
        let mut old = Vec::with_capacity(missing.len());
        before.each(
            &missing,
            |_, outcome| relative(outcome, root),
            |outcome| {
                old.push(outcome.unwrap_or_else(|failure| Err(vec![fault(&failure)])));
                Ok(())
            },
        )?;
        let mut old = old.into_iter();
        for (it, new) in nodes.iter_mut().zip(anew) {
            let Some(new) = new else {
                gathering.add(shown_name(it.name.as_deref(), &[]), Impact::unaffected(it.side.clone()));
                continue;
            };
            let before = it.kept.take().or_else(|| old.next());
            let before = before.unwrap_or_else(|| Err(Vec::new()));
            let name = shown_name(it.name.as_deref(), &[&before, &new]);
            gathering.add(name, impact(&before, &new));
        }
    }
    if trees.compilation.evaluation.verbose {
        let all = names.len();
        writeln!(std::io::stderr(), "{compiled} of {all} nodes read something that is different")?;
    }
    Ok(true)
}

/// Evaluates all nodes from the code before.
fn evaluated(names: &[Option<String>], tracked: &mut Compilation<'_>, root: &Utf8Path) -> Vec<Known> {
    let mut nodes = Vec::with_capacity(names.len());
    let mut room = KEPT;
    for names in names.chunks(BATCH) {
        let described = names.iter().map(|it| tracked.describe(None, it.as_deref()));
        let described: Vec<Result<Node, Vec<Fault>>> =
            described.map(|it| it.map_err(|failure| vec![fault(&failure)])).collect();
        let known: Vec<Node> = described.iter().filter_map(|it| it.as_ref().ok().copied()).collect();
        let mut made = tracked.traced(&known, |outcome| relative(outcome, root)).into_iter();
        for (name, node) in names.iter().zip(described) {
            let outcome = match &node {
                Ok(_) => match made.next() {
                    Some(Ok(Some(made))) => made,
                    Some(Err(failure)) => Err(vec![fault(&failure)]),
                    Some(Ok(None)) | None => Err(Vec::new()),
                },
                Err(faults) => Err(faults.clone()),
            };
            let side = match &outcome {
                Ok(catalog) => Side::of(catalog),
                Err(faults) => Side::Failed(faults.clone()),
            };
            let size = outcome.as_ref().map_or(0, |it| it.resources.len());
            let kept = (size <= room).then_some(outcome);
            room -= if kept.is_some() { size } else { 0 };
            nodes.push(Known { name: name.clone(), node, side, kept });
        }
    }
    nodes
}

/// Evaluates nodes from the code after. Nothing of those that read nothing that is different.
fn again(
    nodes: &[Known],
    tracked: &Compilation<'_>,
    root: &Utf8Path,
) -> Vec<Option<Result<Catalog, Vec<Fault>>>> {
    let known: Vec<Node> = nodes.iter().filter_map(|it| it.node.as_ref().ok().copied()).collect();
    let mut made = tracked.traced(&known, |outcome| relative(outcome, root)).into_iter();
    nodes
        .iter()
        .map(|it| match &it.node {
            Ok(_) => match made.next()? {
                Ok(made) => made,
                Err(failure) => Some(Err(vec![fault(&failure)])),
            },
            // Facts that cannot be read are the same on both sides.
            Err(_) => None,
        })
        .collect()
}
