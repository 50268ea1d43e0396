use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_hiera::data::{Permitted, parse_yaml};
use marotte_host::{Classification, Facts, NodeInput};
use marotte_pcore::value::{Hash, Value};
use marotte_puppetdb::NodeFacts;

use crate::args::CompilationArgs;
use crate::evaluation;
use crate::failure::Failure;
use crate::sources::Sources;
use crate::text;

/// The permitted extensions of fact files.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The nodes as described by the arguments.
pub(super) struct Nodes<'a> {
    args: &'a CompilationArgs,
    sources: Arc<Sources>,
    system: Arc<dyn System>,
    /// The name of the environment whose code is compiled, if it is one of several in a folder.
    environment: Option<String>,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(
        args: &'a CompilationArgs,
        sources: Arc<Sources>,
        system: Arc<dyn System>,
        environment: Option<String>,
    ) -> Nodes<'a> {
        Nodes { args, sources, system, environment }
    }

    /// Whether facts are requested from PuppetDB: files with facts take precedence.
    fn asks_puppetdb(&self) -> bool {
        self.sources.has_puppetdb() && self.args.facts_dir.is_none() && self.args.evaluation.facts.is_none()
    }

    /// The names of all nodes that have a fact file, or that PuppetDB has.
    pub(super) fn all(&self) -> Result<Vec<String>, Failure> {
        if self.asks_puppetdb() {
            return self.sources.nodes();
        }
        let Some(folder) = self.args.facts_dir.clone() else {
            let message = "no nodes are named: `--facts-dir FOLDER` names a folder with a file of facts for each, and `--puppetdb URL` a \
                           PuppetDB that has them";
            return Err(Failure::Message(message.to_owned()));
        };
        let entries = self.system.list(&self.system.absolute(&folder));
        let entries = entries.map_err(|error| format!("cannot read the folder {folder}: {error}"))?;
        let mut names: Vec<String> = entries
            .iter()
            .filter_map(|it| {
                let path = Utf8Path::new(&it.name);
                let is_facts = path.extension().is_some_and(|it| EXTENSIONS.contains(&it));
                is_facts.then(|| path.file_stem().map(str::to_owned)).flatten()
            })
            .collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Fetches the facts of some nodes at once, if they come from PuppetDB.
    pub(super) fn fetch(&self, names: &[&str]) -> Result<(), Failure> {
        if self.asks_puppetdb() { self.sources.fetch(names.iter().copied()) } else { Ok(()) }
    }

    /// Returns an error if the source of facts has none for a node.
    pub(super) fn require_facts(&self, name: &str) -> Result<(), Failure> {
        if self.asks_puppetdb() {
            return self.sources.facts(name).map(|_| ());
        }
        let Some(folder) = &self.args.facts_dir else { return Ok(()) };
        self.facts_file(folder, name).map(|_| ())
    }

    /// The path of a node's facts in a folder.
    ///
    /// # Errors
    /// If there is none, or if there are several.
    fn facts_file(&self, folder: &Utf8Path, name: &str) -> Result<Utf8PathBuf, Failure> {
        let found = self.only_file(folder, name, "facts")?;
        Ok(found.ok_or_else(|| format!("there are no facts of {name} in {folder}"))?)
    }

    /// The path of the only file of a node in a folder. None if there is none.
    ///
    /// # Errors
    /// If there are several: each of them has `what`.
    fn only_file(&self, folder: &Utf8Path, name: &str, what: &str) -> Result<Option<Utf8PathBuf>, Failure> {
        let candidates = self.candidates(folder, name)?.into_iter();
        let found: Vec<Utf8PathBuf> = candidates.filter(|it| self.is_file(it)).collect();
        match &found[..] {
            [] => Ok(None),
            [only] => Ok(Some(only.clone())),
            [one, other, ..] => {
                Err(Failure::Message(format!("both {one} and {other} have {what} of {name}")))
            }
        }
    }

    /// The possible paths of a node's facts in a folder.
    fn candidates(&self, folder: &Utf8Path, name: &str) -> Result<[Utf8PathBuf; 3], Failure> {
        if name.contains(['/', '\\']) {
            return Err(Failure::Message(format!("`{name}` is not a name of a node")));
        }
        Ok(EXTENSIONS.map(|it| folder.join(format!("{name}.{it}"))))
    }

    /// The path of a node's facts in the folder of facts, as the user names it. None if there is none.
    pub(super) fn facts_path(&self, name: &str) -> Option<Utf8PathBuf> {
        self.facts_file(self.args.facts_dir.as_deref()?, name).ok()
    }

    fn is_file(&self, path: &Utf8Path) -> bool {
        self.system.is_file(&self.system.absolute(path))
    }

    /// The absolute paths that describe a node, or all nodes.
    pub(super) fn paths(&self, name: Option<&str>) -> Vec<Utf8PathBuf> {
        let args = self.args;
        // Each of them may be a folder with a file for each node.
        let folders = [&args.facts_dir, &args.enc_output].into_iter().flatten();
        let of_node = |folder: &Utf8PathBuf| match name {
            Some(name) => EXTENSIONS.map(|it| folder.join(format!("{name}.{it}"))).to_vec(),
            None => vec![folder.clone()],
        };
        let mut paths: Vec<Utf8PathBuf> = folders.flat_map(of_node).collect();
        paths.extend(
            [&args.evaluation.facts, &args.enc_output, &args.trusted, &args.server_facts]
                .into_iter()
                .flatten()
                .cloned(),
        );
        paths.iter().map(|it| self.system.absolute(it)).collect()
    }

    /// Returns the description of a node.
    pub(super) fn node(&self, name: Option<&str>) -> Result<NodeInput, Failure> {
        let (mut facts, trusted) = self.facts(name)?;
        let mut values = Arc::unwrap_or_clone(facts.values);
        for text in &self.args.fact {
            let (name, value) =
                text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form NAME=VALUE"))?;
            let permitted = Permitted { symbols: false, classes: &[] };
            let document = parse_yaml(value, permitted).map_err(|error| {
                format!("`{value}`, the value of the fact {name}, is not valid YAML: {error}")
            })?;
            values.insert(name.into(), document.value);
        }
        facts.values = Arc::new(values);
        if let Some(name) = name {
            facts = facts.named(name);
        }
        let mut node = NodeInput::new(facts);
        let mut classification = self.classification(&node.certname)?;
        if let Some(environment) = &self.args.evaluation.environment {
            classification.environment = Some(environment.as_str().into());
        }
        if let (Some(own), Some(other)) = (&self.environment, &classification.environment)
            && **own != **other
        {
            return Err(Failure::Message(format!(
                "the classifier assigns {} to the environment `{other}`, and the code is that of `{own}`; `--environment {other}` \
                 compiles nodes with the code of `{other}`",
                node.certname
            )));
        }
        let server_facts = match &self.args.server_facts {
            Some(path) => Hash::clone(&*self.hash(path)?),
            None => Hash::default(),
        };
        node = node.classified(classification).remote(&server_facts);
        if let Some(trusted) = &trusted {
            node = node.with_trusted(trusted);
        }
        Ok(match &self.args.trusted {
            Some(path) => node.with_trusted(&*self.hash(path)?),
            None => node,
        })
    }

    /// Returns the classification of a node by a classifier.
    fn classification(&self, name: &str) -> Result<Classification, Failure> {
        if let Some(classes) = self.sources.classes(name)? {
            return Ok(classes);
        }
        let Some(path) = &self.args.enc_output else { return Ok(Classification::default()) };
        let file = match self.system.is_directory(&self.system.absolute(path)) {
            false => path.clone(),
            true => {
                let found = self.only_file(path, name, "classes")?;
                found.ok_or_else(|| format!("there is no output of a classifier for {name} in {path}"))?
            }
        };
        let answer = Classification::from_hash(&*self.hash(&file)?);
        Ok(answer.map_err(|error| format!("{file} is not a classifier's answer: {error}"))?)
    }

    /// Returns the facts of a node: from its file in the folder, from PuppetDB, or from the one named file. Facts from PuppetDB
    /// come with `$trusted`.
    fn facts(&self, name: Option<&str>) -> Result<(Facts, Option<Arc<Hash>>), Failure> {
        if let (Some(folder), Some(name)) = (&self.args.facts_dir, name) {
            let path = self.facts_file(folder, name)?;
            let facts = Facts::read(&*self.system, &path).map_err(|error| error.to_string())?;
            return Ok((facts, None));
        }
        if let (true, Some(name)) = (self.asks_puppetdb(), name) {
            let NodeFacts { values, trusted } = self.sources.facts(name)?;
            return Ok((Facts { name: Some(name.into()), values: Arc::new(values) }, trusted));
        }
        Ok((evaluation::facts(&self.args.evaluation, &*self.system)?, None))
    }

    fn hash(&self, path: &Utf8Path) -> Result<Arc<Hash>, Failure> {
        let text = text::read(&*self.system, path)?;
        let permitted = Permitted { symbols: true, classes: &[] };
        let document =
            parse_yaml(&text, permitted).map_err(|error| format!("{path} is not valid YAML: {error}"))?;
        match document.value {
            Value::Hash(hash) => Ok(hash),
            other => Err(Failure::Message(format!("{path} must be a hash, and is {}", other.kind_name()))),
        }
    }
}
