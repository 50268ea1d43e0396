use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_catalog::NativeType;
use marotte_db::system::WalkOptions;
use marotte_db::{DEFAULT_MAX_FILE_SIZE, Db as _, File, parse, source_text};
use marotte_diagnostics::{Diagnostic, Level, syntax};
use marotte_eval::{Code, Manifest, NodeInfo, Origin, ReadError, Requests, TemplateFile};
use marotte_hiera::{Format, Layer, LayerConfig, Section};
use marotte_hir::{DefinitionKind, Lowered};
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::value::Value;
use marotte_ruby::core;
use marotte_text::Str;

use super::definition::{self, Wanted};
use super::modules::Finder;
use super::native::native_type;
use super::settings::SettingValues;
use super::{Clock, NodeInput, Permissions};
use crate::ProjectDatabase;
use crate::discovery::{discover, environment_of};
use crate::project::set_layout;

/// Where code is loaded from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeTree {
    /// Absolute folders whose subfolders are modules; the first that has one counts.
    pub module_path: Vec<Utf8PathBuf>,
    /// The folder of the environment, whose own `functions` and `types` count, too.
    pub environment: Option<Utf8PathBuf>,
}

impl CodeTree {
    /// The environment that a path lies in; nothing if it lies in none.
    pub fn around(system: &dyn marotte_db::System, path: &Utf8Path) -> CodeTree {
        match environment_of(system, path) {
            Some((environment, module_path)) => CodeTree { module_path, environment: Some(environment) },
            None => CodeTree::default(),
        }
    }
}

/// What a program finds around it: the answers to all that evaluation asks of the outside.
#[derive(Debug)]
pub struct Surroundings {
    pub(super) db: ProjectDatabase,
    pub(super) tree: CodeTree,
    pub(super) hiera_config: Option<Utf8PathBuf>,
    node: NodeInput,
    permissions: Permissions,
    clock: Clock,
    settings: SettingValues,
    /// `$settings::` of this evaluation.
    own_settings: Vec<(&'static str, Value)>,
    /// What was found in files that were loaded.
    loaded: RefCell<Vec<Diagnostic>>,
    /// Absolute paths of the main manifests, in order.
    manifests: Vec<Utf8PathBuf>,
    /// Resource types that were asked for.
    native_types: RefCell<HashMap<Str, Option<Arc<NativeType>>>>,
}

impl Surroundings {
    /// Surroundings in which nothing is allowed but to read the tree of code.
    pub fn new(mut db: ProjectDatabase, tree: CodeTree, node: NodeInput) -> Surroundings {
        // Where a file is says what it may define.
        let environments = discover(db.system(), &[], &tree.module_path, WalkOptions::default()).environments;
        set_layout(&mut db, environments);
        Surroundings {
            db,
            tree,
            hiera_config: None,
            node,
            permissions: Permissions::default(),
            clock: Clock::default(),
            settings: SettingValues::default(),
            own_settings: Vec::new(),
            loaded: RefCell::default(),
            manifests: Vec::new(),
            native_types: RefCell::default(),
        }
    }

    /// The same for another node: what is known of files is shared.
    #[must_use]
    pub fn for_node(&self, node: NodeInput) -> Surroundings {
        Surroundings {
            db: self.db.clone(),
            tree: self.tree.clone(),
            hiera_config: self.hiera_config.clone(),
            node,
            permissions: self.permissions.clone(),
            clock: self.clock,
            settings: SettingValues::default(),
            own_settings: self.own_settings.clone(),
            loaded: RefCell::default(),
            manifests: self.manifests.clone(),
            native_types: self.native_types.clone(),
        }
    }

    /// Allows more.
    #[must_use]
    pub fn allow(mut self, permissions: Permissions) -> Surroundings {
        self.permissions = permissions;
        self
    }

    /// Reads the configuration of the global layer of data from a file, if it is there.
    #[must_use]
    pub fn with_hiera_config(mut self, path: &Utf8Path) -> Surroundings {
        self.hiera_config = Some(self.db.system().absolute(path));
        self
    }

    /// Takes the time from another clock.
    #[must_use]
    pub fn at(mut self, clock: Clock) -> Surroundings {
        self.clock = clock;
        self
    }

    /// Sets what `$settings::NAME` is.
    #[must_use]
    pub fn with_setting(mut self, name: &'static str, value: Value) -> Surroundings {
        self.own_settings.push((name, value));
        self
    }

    /// Says what the main manifests are: absolute paths, in order.
    #[must_use]
    pub fn with_manifests(mut self, manifests: Vec<Utf8PathBuf>) -> Surroundings {
        self.manifests = manifests;
        self
    }

    /// The database that knows the files.
    pub fn db(&self) -> &ProjectDatabase {
        &self.db
    }

    /// The node.
    pub fn node(&self) -> &NodeInput {
        &self.node
    }

    /// The template of a name as the face `epp` takes it: one of a module, or else a file.
    ///
    /// # Errors
    /// If it may not be read.
    pub fn template_path(&self, name: &str) -> Result<Option<Utf8PathBuf>, ReadError> {
        self.finder().file("templates", name)
    }

    pub(super) fn take_loaded(&self) -> Vec<Diagnostic> {
        self.loaded.take()
    }

    pub(super) fn finder(&self) -> Finder<'_> {
        let data = self.hiera_config.as_deref().and_then(Utf8Path::parent);
        Finder { system: self.db.system(), tree: &self.tree, data, permissions: &self.permissions }
    }

    pub(super) fn file(&self, path: &Utf8Path) -> File {
        self.db.files().file(&self.db, path)
    }

    /// A file's bodies, if its text can be read without an error.
    fn lowered(&self, path: &Utf8Path) -> Result<Arc<Lowered>, ReadError> {
        let is_main = self.manifests.iter().any(|it| it == path);
        if !is_main {
            self.finder().check_readable(path)?;
        }
        let file = self.file(path);
        let source = source_text(&self.db, file);
        if let Some(error) = source.error() {
            return Err(ReadError(format!("'{path}' cannot be read: {error}")));
        }
        let parsed = parse(&self.db, file).load(&self.db);
        let id = file.id(&self.db);
        let mut findings: Vec<_> =
            parsed.errors.iter().map(|it| syntax::diagnostic(id, it, source.text())).collect();
        if parsed.errors.iter().all(|it| it.kind.is_warning()) {
            marotte_check::location::check(&self.db, file, &parsed.program, source.text(), &mut findings);
        }
        let first = findings.iter().find(|it| it.level == Level::Error).map(|it| {
            let at = marotte_db::line_index(&self.db, file).position(it.range.start());
            format!("{} (file: {path}, line: {}, column: {})", it.message, at.line, at.column)
        });
        self.loaded.borrow_mut().extend(findings);
        match first {
            Some(message) => Err(ReadError(message)),
            None => Ok(Arc::clone(marotte_hir::lowered(&self.db, file))),
        }
    }

    fn load(&self, wanted: Wanted, path: &Utf8Path, name: &str) -> Result<(Str, Code), ReadError> {
        let lowered = self.lowered(path)?;
        let found = definition::only(&lowered, path, wanted, name)?;
        let origin = Origin::File { path: path.as_str().into(), definition: Some(0) };
        Ok((found.name.clone(), Code { body: Arc::clone(&found.body), origin: Arc::new(origin) }))
    }

    /// Whether a module defines a resource type of this name, in Puppet.
    fn is_define(&self, name: &str) -> bool {
        let Some(path) = self.finder().definition("manifests", name, Some("init.pp")) else { return false };
        let lowered = marotte_hir::lowered(&self.db, self.file(&path));
        let mut definitions = lowered.definitions.iter();
        definitions.any(|it| it.kind == DefinitionKind::Define && it.name.trim_start_matches("::") == name)
    }

    /// Whether a module implements a resource type of this name.
    fn is_implemented(&self, name: &str) -> bool {
        if !name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_') {
            return false;
        }
        let file = format!("lib/puppet/type/{name}.rb");
        let system = self.db.system();
        let modules = self.tree.module_path.iter().flat_map(|folder| {
            let entries = system.list(folder).unwrap_or_default();
            entries.into_iter().filter(|it| it.is_directory).map(move |it| folder.join(it.name))
        });
        modules.chain(self.tree.environment.clone()).any(|folder| system.is_file(&folder.join(&file)))
    }
}

impl Requests for Surroundings {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn local_offset(&self) -> LocalOffset {
        self.clock.local_offset()
    }

    fn variable(&self, name: &str) -> Option<Value> {
        self.node.variable(name)
    }

    fn fact(&self, name: &str) -> Option<Value> {
        Some(self.node.facts.get_str(name).cloned().unwrap_or(Value::Undef))
    }

    fn setting(&self, name: &str) -> Option<Value> {
        self.settings.get(name, &self.node.certname, &self.own_settings)
    }

    fn function(&self, name: &str) -> Result<Option<Code>, ReadError> {
        match self.finder().definition("functions", name, None) {
            Some(path) => self.load(Wanted::Function, &path, name).map(|(_, code)| Some(code)),
            None => Ok(None),
        }
    }

    fn type_alias(&self, name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        match self.finder().definition("types", name, Some("init_typeset.pp")) {
            Some(path) => self.load(Wanted::Type, &path, name).map(Some),
            None => Ok(None),
        }
    }

    fn is_resource_type(&self, name: &str) -> bool {
        core::resource_type(name).is_some() || self.is_define(name) || self.is_implemented(name)
    }

    fn native_type(&self, name: &str) -> Option<Arc<NativeType>> {
        if let Some(known) = self.native_types.borrow().get(name) {
            return known.clone();
        }
        let found = match core::resource_type(name) {
            Some(it) => Some(Arc::new(native_type(it))),
            None => self.is_implemented(name).then(|| Arc::new(NativeType::unknown(name))),
        };
        self.native_types.borrow_mut().insert(name.into(), found.clone());
        found
    }

    fn manifest(&self, module: &str, path: &str) -> Result<Option<Manifest>, ReadError> {
        let Some(folder) = self.finder().module(module) else { return Ok(None) };
        let file = if path.is_empty() { "init" } else { path };
        let path = folder.join("manifests").join(format!("{file}.pp"));
        if !self.db.system().is_file(&path) {
            return Ok(None);
        }
        let lowered = self.lowered(&path)?;
        Ok(Some(Manifest { path: path.as_str().into(), lowered }))
    }

    fn main_manifests(&self) -> Result<Vec<Manifest>, ReadError> {
        let manifests = self.manifests.iter().map(|path| {
            let lowered = self.lowered(path).map_err(|error| {
                let environment = &self.node.environment;
                ReadError(format!("Could not parse for environment {environment}: {error}"))
            })?;
            Ok(Manifest { path: path.as_str().into(), lowered })
        });
        manifests.collect()
    }

    fn node(&self) -> NodeInfo {
        NodeInfo {
            name: self.node.certname.clone(),
            environment: self.node.environment.clone(),
            classes: self.node.classes.clone(),
        }
    }

    fn template(&self, name: &str) -> Result<Option<TemplateFile>, ReadError> {
        let Some(path) = self.finder().file("templates", name)? else { return Ok(None) };
        let lowered = self.lowered(&path)?;
        let text = source_text(&self.db, self.file(&path)).text().into();
        Ok(Some(TemplateFile { path: path.as_str().into(), text, lowered }))
    }

    fn find_file(&self, folder: &str, name: &str) -> Result<Option<Str>, ReadError> {
        Ok(self.finder().file(folder, name)?.map(|path| path.as_str().into()))
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let path = Utf8Path::new(path);
        self.finder().check_readable(path)?;
        let bytes = self.db.system().read(path, DEFAULT_MAX_FILE_SIZE);
        bytes.map_err(|error| ReadError(format!("'{path}' cannot be read: {error}")))
    }

    fn module_directory(&self, name: &str) -> Option<Str> {
        self.finder().module(name).map(|path| path.as_str().into())
    }

    fn hiera_config(&self, layer: &Layer) -> Result<LayerConfig, ReadError> {
        self.layer_config(layer)
    }

    fn hiera_config_text(&self, path: &str) -> Option<Arc<str>> {
        self.config_text(path)
    }

    fn data_exists(&self, path: &str) -> Result<bool, ReadError> {
        self.is_data(path)
    }

    fn data_glob(&self, pattern: &str) -> Result<Vec<Str>, ReadError> {
        self.glob(pattern)
    }

    fn data_section(&self, path: &str, format: Format, prefix: &str) -> Section {
        self.section(path, format, prefix)
    }

    fn data_foreign_keys(&self, path: &str, format: Format, module: &str) -> Vec<Str> {
        self.keys_of_others(path, format, module)
    }

    fn is_ruby_function(&self, name: &str) -> bool {
        self.has_ruby_function(name)
    }

    fn execute(&self, command: &[&str]) -> Result<String, ReadError> {
        if !self.permissions.exec {
            let command = command.first().unwrap_or(&"");
            let message =
                format!("running '{command}' is not allowed; `--allow exec` allows to run commands");
            return Err(ReadError(message));
        }
        let output = self.db.system().run(command).map_err(|error| ReadError(error.to_string()))?;
        let text = String::from_utf8_lossy(&output.text).into_owned();
        match output.status {
            Some(0) => Ok(text),
            status => {
                let status =
                    status.map_or_else(|| "by a signal".to_owned(), |it| format!("with status {it}"));
                Err(ReadError(format!("Execution of '{}' ended {status}: {text}", command.join(" "))))
            }
        }
    }
}
