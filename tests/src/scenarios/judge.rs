use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_catalog::diff::{Difference, diff, unknown};
use marotte_catalog::{Catalog, Reference};
use marotte_db::{DiskSystem, System};
use marotte_eval::Settings;
use marotte_host::{
    CodeTree, Facts, Findings, Node, NodeInput, Policy, evaluate_once, rendered, rendered_gaps,
};
use marotte_pcore::ops::Strictness;
use marotte_pcore::value::{Hash, Sensitive, Value};
use marotte_project::{ChangeBatch, Fleet, ProjectDatabase};
use sha2::{Digest, Sha256};

use super::{Recorded, folder, read_record};

/// The length beyond which texts are compared by digest.
const LONGEST: usize = 240;

/// The maximum number of reported differences of one catalog.
const TOLD: usize = 12;

/// The comparison of marotte's catalog with the recorded one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The manifest and the facts: `apache.debian-12`.
    pub scenario: String,
    /// The number of resources of the recorded catalog.
    pub resources: usize,
    /// The number of those that are in marotte's.
    pub known: usize,
    /// The number of parameters of the recorded catalog.
    pub values: usize,
    /// The number of those that are the same in marotte's.
    pub equal: usize,
    /// Everything in marotte's catalog that is wrong.
    pub wrong: Vec<String>,
    /// The things that couldn't be evaluated, with the number of their uses.
    pub causes: HashMap<String, usize>,
}

/// Compiles scenarios. Modules are read only once.
#[derive(Debug)]
pub struct Judge {
    fleet: Fleet,
    tree: CodeTree,
}

impl Judge {
    /// Creates a judge for a module path.
    ///
    /// # Errors
    /// If the path isn't UTF-8.
    pub fn new(modules: PathBuf) -> Result<Judge, Box<dyn Error>> {
        Judge::over(Arc::new(DiskSystem::new()?), modules)
    }

    /// Creates a judge for a module path of another system.
    ///
    /// # Errors
    /// If the path isn't UTF-8.
    pub fn over(system: Arc<dyn System>, modules: PathBuf) -> Result<Judge, Box<dyn Error>> {
        let modules = Utf8PathBuf::from_path_buf(modules).map_err(|_| "a path that is not UTF-8")?;
        let tree = CodeTree { module_path: vec![modules], environment: None };
        let settings =
            Settings { strict: Strictness::Warning, strict_variables: false, ..Settings::default() };
        let policy = Policy { settings, named: super::corpus::named(), ..Policy::default() };
        let fleet = Fleet::new(ProjectDatabase::new(system), &tree, &[], policy, 0);
        Ok(Judge { fleet, tree })
    }

    /// Compiles a manifest for each system of its record.
    ///
    /// # Errors
    /// If a file can't be read.
    pub fn judge(&mut self, name: &str, manifest: &Path) -> Result<Vec<Judgement>, Box<dyn Error>> {
        let recorded = read_record(&folder().join("catalogs").join(format!("{name}.jsonl")))?;
        let manifest =
            Utf8PathBuf::from_path_buf(manifest.to_owned()).map_err(|_| "a path that is not UTF-8")?;
        self.fleet.apply(&ChangeBatch::default(), &self.tree, &[manifest]);
        let nodes: Vec<(Recorded, Node)> = recorded
            .into_iter()
            .map(|it| {
                let node = self.fleet.add(node(&it.system)?);
                Ok((it, node))
            })
            .collect::<Result<_, Box<dyn Error>>>()?;
        let judged = self.fleet.each(&nodes, |db, (recorded, node)| judged(db, recorded, *node));
        let mut judgements = Vec::new();
        for (made, (recorded, _)) in judged.into_iter().zip(&nodes) {
            let mut judgement = made.map_err(|panicked| panicked.to_string())?;
            judgement.scenario = format!("{name}.{}", recorded.system);
            judgements.push(judgement);
        }
        Ok(judgements)
    }
}

/// Reads the node that facts describe.
fn node(system: &str) -> Result<NodeInput, Box<dyn Error>> {
    let path = folder().join("facts").join(format!("{system}.yaml"));
    let path = Utf8PathBuf::from_path_buf(path).map_err(|_| "a path that is not UTF-8")?;
    let facts = Facts::read(&DiskSystem::new()?, &path)?;
    let name = facts.values.get_str("fqdn").and_then(Value::as_str).unwrap_or_default().to_owned();
    let server: Hash =
        [("serverversion", "8.11.0"), ("servername", "puppet.example.com"), ("serverip", "192.0.2.1")]
            .into_iter()
            .map(|(key, value)| (Value::from(key), Value::from(value)))
            .collect();
    Ok(NodeInput::new(facts.named(&name)).remote(&server))
}

fn judged(db: &ProjectDatabase, recorded: &Recorded, node: Node) -> Judgement {
    let mut evaluation = evaluate_once(db, node);
    let mut findings = Findings::of(db, &evaluation);
    let expected = &recorded.catalog;
    let mut judgement = Judgement {
        resources: expected.resources.len(),
        values: expected.resources.iter().map(|it| it.parameters.len()).sum(),
        ..Judgement::default()
    };
    for error in &evaluation.compiled.errors {
        judgement.wrong.push(format!("refused: {}", error.message));
    }
    let catalog = evaluation.compiled.catalog.take().filter(|_| judgement.wrong.is_empty());
    let Some(catalog) = catalog else { return judgement };
    let mut catalog = rendered(catalog, &mut findings);
    catalog.gaps = rendered_gaps(&evaluation.compiled.gaps, &mut findings);
    for gap in &catalog.gaps {
        let cause =
            gap.reason.as_ref().map_or_else(|| gap.cause.to_string(), |why| format!("{}: {why}", gap.cause));
        *judgement.causes.entry(cause).or_default() += gap.asked.iter().map(|it| it.count).sum::<usize>();
    }
    compare(expected, &shortened(catalog), &mut judgement);
    judgement
}

fn compare(expected: &Catalog, catalog: &Catalog, judgement: &mut Judgement) {
    let is_whole = catalog.completeness().skipped == 0;
    let own: HashSet<&Reference> = catalog.resources.iter().map(|it| &it.reference).collect();
    let mut unknown_values: HashSet<(Reference, String)> = HashSet::new();
    for (resource, name, _) in unknown(catalog) {
        unknown_values.insert((resource.clone(), name.to_string()));
    }
    let mut unequal = 0;
    for it in diff(expected, catalog) {
        let is_excused = !is_whole && it.is_absence();
        if let Difference::Parameter { resource, name, first, .. } = &it {
            unequal += usize::from(
                first.is_some() && !unknown_values.contains(&(resource.clone(), name.to_string())),
            );
        }
        if !is_excused {
            judgement.wrong.push(it.to_string());
        }
    }
    for it in &expected.resources {
        if own.contains(&it.reference) {
            judgement.known += 1;
            let known = |name: &str| !unknown_values.contains(&(it.reference.clone(), name.to_owned()));
            judgement.equal += it.parameters.keys().filter(|name| known(name)).count();
        }
    }
    judgement.equal -= unequal.min(judgement.equal);
    if judgement.wrong.len() > TOLD {
        let more = judgement.wrong.len() - TOLD;
        judgement.wrong.truncate(TOLD);
        judgement.wrong.push(format!("and {more} more differences"));
    }
}

/// Replaces long texts of a catalog by digests, as in records.
fn shortened(mut catalog: Catalog) -> Catalog {
    for resource in &mut catalog.resources {
        for value in resource.parameters.values_mut() {
            *value = short(value);
        }
    }
    catalog
}

fn short(value: &Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > LONGEST => {
            let digest = Sha256::digest(text.as_bytes());
            let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
            format!("sha256:{hex}").as_str().into()
        }
        Value::Array(elements) => Value::Array(elements.iter().map(short).collect()),
        Value::Hash(hash) => {
            Value::Hash(Arc::new(hash.iter().map(|(key, it)| (key.clone(), short(it))).collect()))
        }
        Value::Sensitive(it) => Value::Sensitive(Sensitive::new(short(it.unwrap()))),
        value => value.clone(),
    }
}
