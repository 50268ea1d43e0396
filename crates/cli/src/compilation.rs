//! What `compile` and `verify` have in common: nodes from arguments, and their catalogs.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_catalog::Catalog;
use marotte_db::{DEFAULT_MAX_FILE_SIZE, DiskSystem, System};
use marotte_eval::Interpreter;
use marotte_hiera::data::{Permitted, parse_yaml};
use marotte_pcore::value::{Hash, Value};
use marotte_project::discovery::{environment_at, main_manifests};
use marotte_project::evaluation::{
    Classification, CodeTree, Facts, Findings, NodeInput, Surroundings, rendered,
};

use crate::args::{CompilationArgs, ValueFormat};
use crate::evaluation::{self, Logs, split_module_path};
use crate::failure::Failure;

/// The code, and the system that it is on.
pub(crate) struct Compilation<'a> {
    args: &'a CompilationArgs,
    system: Arc<DiskSystem>,
    surroundings: Surroundings,
}

impl<'a> Compilation<'a> {
    /// Finds the code that arguments name.
    pub(crate) fn new(args: &'a CompilationArgs) -> Result<Compilation<'a>, Failure> {
        let system = Arc::new(DiskSystem::new()?);
        let named = args.evaluation.module_path.as_deref().map(split_module_path).unwrap_or_default();
        let named: Vec<Utf8PathBuf> = named.iter().map(|it| system.absolute(it)).collect();
        let beside = match (&args.environment_dir, &args.manifest) {
            (Some(folder), _) => folder.clone(),
            (None, Some(manifest)) => manifest.clone(),
            (None, None) => ".".into(),
        };
        let environment = environment_at(&*system, &system.absolute(&beside), &named);
        let manifests = match (&args.manifest, &environment) {
            (Some(path), _) => main_manifests(&*system, &system.absolute(path)),
            (None, Some(environment)) => environment.manifests.clone(),
            (None, None) => Vec::new(),
        };
        if manifests.is_empty() {
            let message = match &args.manifest {
                Some(path) => format!("there is no manifest at {path}"),
                None => format!(
                    "no main manifest was found at {beside}: name a control repository with `--environment-dir`, or a manifest with `--manifest`"
                ),
            };
            return Err(Failure::Message(message));
        }
        let tree = match environment {
            Some(it) => CodeTree { module_path: it.module_path, environment: it.root },
            None => CodeTree { module_path: named, environment: None },
        };
        let surroundings = evaluation::surroundings_of(&args.evaluation, Arc::clone(&system) as _, tree)?
            .with_manifests(manifests);
        Ok(Compilation { args, system, surroundings })
    }

    /// The names of all nodes that have a file of facts.
    pub(crate) fn all_nodes(&self) -> Result<Vec<String>, Failure> {
        let folder = self.args.facts_dir.clone().unwrap_or_default();
        let entries = self.system.list(&self.system.absolute(&folder));
        let entries = entries.map_err(|error| format!("cannot read the folder {folder}: {error}"))?;
        let mut names: Vec<String> = entries
            .iter()
            .filter_map(|it| {
                let path = Utf8Path::new(&it.name);
                let is_facts = matches!(path.extension(), Some("yaml" | "yml" | "json"));
                is_facts.then(|| path.file_stem().map(str::to_owned)).flatten()
            })
            .collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// A node as arguments describe it.
    fn node(&self, name: Option<&str>) -> Result<NodeInput, Failure> {
        let mut facts = self.facts(name)?;
        let mut values = Arc::unwrap_or_clone(facts.values);
        for text in &self.args.fact {
            let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is no NAME=VALUE"))?;
            let permitted = Permitted { symbols: false, classes: &[] };
            let document = parse_yaml(value, permitted)
                .map_err(|error| format!("`{value}`, the value of the fact {name}, is no YAML: {error}"))?;
            values.insert(name.into(), document.value);
        }
        facts.values = Arc::new(values);
        let mut node = NodeInput::new(facts);
        if let Some(name) = name {
            node = node.named(name);
        }
        let mut classification = match &self.args.enc_output {
            Some(path) => Classification::from_hash(&*self.hash(path)?)
                .map_err(|error| format!("{path} is no answer of a classifier: {error}"))?,
            None => Classification::default(),
        };
        if let Some(environment) = &self.args.environment {
            classification.environment = Some(environment.as_str().into());
        }
        let server_facts = match &self.args.server_facts {
            Some(path) => Hash::clone(&*self.hash(path)?),
            None => Hash::default(),
        };
        let node = node.classified(classification).remote(&server_facts);
        Ok(match &self.args.trusted {
            Some(path) => node.with_trusted(&*self.hash(path)?),
            None => node,
        })
    }

    /// The facts of a node: its file in the folder, or the one file that is named.
    fn facts(&self, name: Option<&str>) -> Result<Facts, Failure> {
        let read = |path: &Utf8Path| {
            Facts::read(&*self.system, path).map_err(|error| Failure::Message(error.to_string()))
        };
        if let (Some(folder), Some(name)) = (&self.args.facts_dir, name) {
            if name.contains(['/', '\\']) {
                return Err(Failure::Message(format!("`{name}` is no name of a node")));
            }
            let candidates = ["yaml", "yml", "json"].map(|it| folder.join(format!("{name}.{it}")));
            let found = candidates.iter().find(|it| self.system.is_file(&self.system.absolute(it)));
            let path = found.ok_or_else(|| format!("there are no facts of {name} in {folder}"))?;
            return read(path);
        }
        match &self.args.evaluation.facts {
            Some(path) => read(path),
            None => Ok(Facts::default()),
        }
    }

    fn hash(&self, path: &Utf8Path) -> Result<Arc<Hash>, Failure> {
        let text = self.text(path)?;
        let permitted = Permitted { symbols: true, classes: &[] };
        let document = parse_yaml(&text, permitted).map_err(|error| format!("{path} is no YAML: {error}"))?;
        match document.value {
            Value::Hash(hash) => Ok(hash),
            other => Err(Failure::Message(format!("{path} must be a hash, and is {}", other.kind_name()))),
        }
    }

    /// The text of a file that an argument names.
    pub(crate) fn text(&self, path: &Utf8Path) -> Result<String, Failure> {
        let bytes = self.system.read(&self.system.absolute(path), DEFAULT_MAX_FILE_SIZE);
        let bytes = bytes.map_err(|error| format!("cannot read {path}: {error}"))?;
        String::from_utf8(bytes).map_err(|_| Failure::Message(format!("{path} is not UTF-8")))
    }

    /// Compiles the catalog of a node. What is wrong is shown; the catalog is there only if nothing is.
    pub(crate) fn compile(&self, name: Option<&str>) -> Result<Option<Catalog>, Failure> {
        let surroundings = self.surroundings.for_node(self.node(name)?);
        let settings = evaluation::settings(&self.args.evaluation);
        let color = self.args.evaluation.color.on_stderr();
        let mut logs = Logs::new(&self.args.evaluation, ValueFormat::Text, &surroundings);
        let mut interpreter = Interpreter::new(settings, &surroundings, &mut logs);
        if !evaluation::define_variables(&self.args.evaluation, &surroundings, &mut interpreter, color)? {
            return Ok(None);
        }
        let compiled = interpreter.compile();
        let mut findings = Findings::new(&surroundings);
        for error in &compiled.errors {
            findings.error(error);
        }
        findings.loaded();
        let has_errors = !compiled.errors.is_empty();
        let catalog = compiled.catalog.filter(|_| !has_errors).map(|it| rendered(it, &mut findings));
        evaluation::show(findings.diagnostics(), &findings, color)?;
        Ok(catalog)
    }
}
