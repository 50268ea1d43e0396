use std::sync::Arc;

use camino::Utf8Path;
use marotte_catalog::NativeType;
use marotte_db::{Db, File, FileStatus, source_text};
use marotte_eval::{
    Code, CommandError, DataSource, Extension, Filter, Manifest, NoAnswer, NodeInfo, Origin, ProgramError,
    QueryError, ReadError, Requests, RubyFile, RubyFunction, StoredResource, TemplateFile, UnitSource,
};
use marotte_hiera::{DataProvider, Format, Layer, LayerConfig, Presence, Section};
use marotte_hir::{Body, ExprId, Lowered, Name, NameKind, definition_files, names_a_file};
use marotte_pcore::budget::Memory;
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{foreign_keys, hiera_section};
use marotte_resolve::functions;
use marotte_resolve::ruby::{RubyKind, is_in_ruby, may_extend, ruby_definition};
use marotte_ruby_eval::Host;
use marotte_ruby_eval::host::PathKind;
use marotte_ruby_eval::program::Program;
use marotte_text::Str;

use super::definition::{self, Wanted};
use crate::files::{self, check_readable, file_at, is_opened};
use crate::inputs::{node_fact, node_info, node_settings, node_variable, node_variables};
use crate::loading::{self, Loaded, LoadedFile};
use crate::native::native_type;
use crate::pool::Session;
use crate::unread::{refuse_unread, refuse_unread_module};
use crate::{Clock, Node, Policy, Run, Store, ruby};

/// The implementation of the interpreter's requests for a node. Each request is answered through a query, including requests
/// for missing things, so that an evaluating query depends on exactly what it has read.
pub struct DatabaseHost<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) node: Node,
    pub(crate) loaded: &'a Loaded,
    pub(crate) session: Session,
}

impl DatabaseHost<'_> {
    fn run(&self) -> Run {
        self.node.run(self.db)
    }

    fn policy(&self) -> &Policy {
        self.run().policy(self.db)
    }

    fn store(&self) -> Result<&dyn Store, String> {
        self.policy().store.as_deref().ok_or_else(|| "there is no store of exported resources".to_owned())
    }

    /// The code of a file. An error if its text has one.
    fn code(&self, file: File) -> Result<Arc<Lowered>, ReadError> {
        check_readable(self.db, self.run(), file)?;
        let strict = self.policy().settings.strict;
        self.loaded.note(LoadedFile { file, strict });
        loading::code(self.db, file, strict).clone()
    }

    /// The only definition of the file in which the autoloader looks for a name.
    fn load(&self, wanted: Wanted, name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        let db = self.db;
        let paths = definition_files(db, self.run().environment(db), wanted.kind(), name);
        let mut files = paths.iter().map(|path| db.files().file(db, path));
        let Some(file) = files.find(|it| is_opened(db, *it)) else { return Ok(None) };
        let lowered = self.code(file)?;
        let path = file.path(db);
        let found = definition::only(&lowered, path, wanted, name)?;
        let origin = Origin::File { path: path.as_str().into(), definition: Some(0) };
        let code = Code { body: Arc::clone(&found.body), origin: Arc::new(origin) };
        Ok(Some((found.name.clone(), code)))
    }

    /// The file of a module that may define classes and defined types, if it exists: by its path below `manifests` without `.pp`,
    /// which is empty for `init`.
    pub(crate) fn manifest_file(db: &dyn Db, run: Run, module: &str, path: &str) -> Option<File> {
        let folder = files::module(db, run.environment(db), module)?;
        let name = if path.is_empty() { "init" } else { path };
        if !name.split('/').all(names_a_file) {
            return None;
        }
        let file = db.files().file(db, &folder.join("manifests").join(format!("{name}.pp")));
        is_opened(db, file).then_some(file)
    }

    /// The file at a path, which must be readable.
    fn readable(&self, path: &str) -> Result<File, ReadError> {
        let file = file_at(self.db, Utf8Path::new(path));
        check_readable(self.db, self.run(), file)?;
        Ok(file)
    }
}

impl DataSource for DatabaseHost<'_> {
    fn fact(&self, name: &str) -> Option<Value> {
        Some(node_fact(self.db, self.node, name.into()).0.clone())
    }

    fn hiera_config(&self, layer: &Layer) -> Result<LayerConfig, ReadError> {
        crate::data::layer_config(self.db, self.run(), layer)
    }

    fn data_provider(&self, layer: &Layer) -> Option<DataProvider> {
        crate::data::data_provider(self.db, self.run(), layer)
    }

    fn hiera_config_text(&self, path: &str) -> Option<Arc<str>> {
        let source = source_text(self.db, file_at(self.db, Utf8Path::new(path)));
        source.error().is_none().then(|| source.text().into())
    }

    fn data_exists(&self, path: &str) -> Result<Presence, ReadError> {
        crate::data::exists(self.db, self.run(), Utf8Path::new(path))
    }

    fn data_glob(&self, pattern: &str) -> Result<Vec<Str>, ReadError> {
        crate::data::glob(self.db, self.run(), pattern)
    }

    fn data_section(&self, path: &str, format: Format, prefix: &str) -> Section {
        match self.readable(path) {
            Ok(file) => hiera_section(self.db, file, format, prefix.into()).0.clone(),
            Err(error) => Err(marotte_hiera::DocumentFault::Refused(error.0.into())),
        }
    }

    fn data_foreign_keys(&self, path: &str, format: Format, module: &str) -> Vec<Str> {
        let file = self.readable(path);
        file.map(|it| foreign_keys(self.db, it, format, module.into()).clone()).unwrap_or_default()
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let bytes = source_text(self.db, self.readable(path)?).bytes();
        bytes.map(<[u8]>::to_vec).map_err(|error| ReadError(format!("'{path}' cannot be read: {error}")))
    }
}

impl Requests for DatabaseHost<'_> {
    fn interrupted(&self) {
        self.db.unwind_if_revision_cancelled();
    }

    fn memory(&self) -> Option<Memory> {
        Some(|| Some(memory_stats::memory_stats()?.physical_mem as u64))
    }

    fn now(&self) -> Timestamp {
        let clock = self.policy().clock;
        if clock == Clock::System {
            // The result depends on the time: the calling query reruns after any change.
            self.db.report_untracked_read();
        }
        clock.now()
    }

    fn local_offset(&self) -> LocalOffset {
        self.policy().clock.local_offset()
    }

    fn variable(&self, name: &str) -> Option<Value> {
        node_variable(self.db, self.node, name.into()).0.clone()
    }

    fn variables(&self) -> Option<Vec<(Str, Value)>> {
        Some(node_variables(self.db, self.node).0.clone())
    }

    fn setting(&self, name: &str) -> Option<Value> {
        let all = node_settings(self.db, self.node);
        match name {
            "all_local" => Some(Value::Hash(Arc::clone(all))),
            _ => all.get_str(name).cloned(),
        }
    }

    fn function(&self, name: &str) -> Result<Option<Code>, ReadError> {
        refuse_unread(self.db, self.run(), &[RubyKind::Function, RubyKind::LegacyFunction], name)?;
        if is_in_ruby(self.db, self.run().environment(self.db), RubyKind::Function, name) {
            return Ok(None);
        }
        Ok(self.load(Wanted::Function, name)?.map(|(_, code)| code))
    }

    fn type_alias(&self, name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        match ruby_definition(self.db, self.run().environment(self.db), RubyKind::DataType, name.into()) {
            Some(found) => Err(ReadError(format!(
                "the data type is written in Ruby ({}), which is not evaluated",
                found.file.path(self.db)
            ))),
            None => self.load(Wanted::Type, name),
        }
    }

    fn is_resource_type(&self, name: &str) -> bool {
        let environment = self.run().environment(self.db);
        let name_of = Name::of(self.db, name);
        native_type(self.db, environment, name.into()).is_some()
            || marotte_hir::definition(self.db, environment, NameKind::Define, name_of).is_some()
    }

    fn native_type(&self, name: &str) -> Result<Option<Arc<NativeType>>, ReadError> {
        refuse_unread(self.db, self.run(), &[RubyKind::ResourceType], name)?;
        Ok(native_type(self.db, self.run().environment(self.db), name.into()).clone())
    }

    fn may_be_extended(&self, name: &str, attribute: &str) -> bool {
        may_extend(self.db, self.run().environment(self.db), name.into(), attribute.into())
    }

    fn manifest(&self, module: &str, path: &str) -> Result<Option<Manifest>, ReadError> {
        let db = self.db;
        let Some(file) = DatabaseHost::manifest_file(db, self.run(), module, path) else {
            refuse_unread_module(db, self.run(), module)?;
            return Ok(None);
        };
        let lowered = self.code(file)?;
        Ok(Some(Manifest { path: file.path(db).as_str().into(), lowered }))
    }

    fn main_manifests(&self) -> Result<Vec<Manifest>, ReadError> {
        let db = self.db;
        let manifests = self.run().environment(db).manifests(db).iter().map(|path| {
            let lowered = self.code(db.files().file(db, path)).map_err(|error| {
                let environment = node_info(db, self.node).environment;
                ReadError(format!("Could not parse for environment {environment}: {error}"))
            })?;
            Ok(Manifest { path: path.as_str().into(), lowered })
        });
        manifests.collect()
    }

    fn body(&self, path: &str, definition: usize) -> Option<Arc<Body>> {
        loading::body(self.db, file_at(self.db, Utf8Path::new(path)), definition).clone()
    }

    fn read_quietly(&self, is_quiet: bool) {
        self.loaded.set_quiet(is_quiet);
    }

    fn definitions(&self) -> Option<Vec<Arc<Body>>> {
        Some(loading::definitions(self.db, self.run().environment(self.db)).clone())
    }

    fn node(&self) -> NodeInfo {
        node_info(self.db, self.node)
    }

    fn template(&self, name: &str) -> Result<Option<TemplateFile>, ReadError> {
        let Some(file) = files::find(self.db, self.run(), "templates", name)? else { return Ok(None) };
        let lowered = self.code(file)?;
        Ok(Some(TemplateFile { lowered, source: UnitSource::File(file.path(self.db).as_str().into()) }))
    }

    fn find_file(&self, folder: &str, name: &str) -> Result<Option<Str>, ReadError> {
        let found = files::find(self.db, self.run(), folder, name)?;
        Ok(found.map(|it| it.path(self.db).as_str().into()))
    }

    fn module_directory(&self, name: &str) -> Option<Str> {
        files::module(self.db, self.run().environment(self.db), name).map(|it| it.as_str().into())
    }

    fn path_kind(&self, path: &str) -> Result<PathKind, ReadError> {
        match self.readable(path)?.status(self.db) {
            FileStatus::Exists => Ok(PathKind::File),
            FileStatus::Folder => Ok(PathKind::Folder),
            FileStatus::Missing => Ok(PathKind::Nothing),
            FileStatus::Unsearchable => {
                Err(ReadError(format!("'{path}' cannot be looked at: permission denied")))
            }
            FileStatus::Special => {
                Err(ReadError(format!("'{path}' cannot be looked at: it is neither a file nor a folder")))
            }
        }
    }

    fn is_ruby_function(&self, name: &str) -> bool {
        functions::ruby_function(self.db, self.run().environment(self.db), name).is_some()
    }

    fn ruby_function(&self, name: &str) -> Option<RubyFunction> {
        files::ruby_function(self.db, self.run().environment(self.db), name.into()).clone()
    }

    fn evaluates_ruby(&self) -> bool {
        !self.policy().leave_out_ruby
    }

    fn ruby_program(&self, file: RubyFile<'_>) -> Result<Option<Arc<Program>>, ProgramError> {
        ruby::program(self.db, self.run(), file)
    }

    fn line_of(&self, path: &str, definition: Option<usize>, expr: ExprId) -> Option<u32> {
        let file = file_at(self.db, Utf8Path::new(path));
        let lowered = marotte_hir::lowered(self.db, file);
        let map = match definition {
            Some(index) => lowered.definitions.get(index).map(|it| &it.map)?,
            None => &lowered.main_map,
        };
        let source = source_text(self.db, file);
        Some(source.line_index().line(map.place(expr)?.anchor) + 1)
    }

    fn reads_ruby_places(&self, path: &str) {
        ruby::reads_places(self.db, path);
    }

    fn extension(&self, asked: Extension<'_>, host: &mut dyn Host) -> Result<Value, NoAnswer> {
        ruby::compute(self.db, self.run(), &self.session, asked, host)
    }

    fn has_store(&self) -> bool {
        self.policy().store.is_some()
    }

    fn exported(&self, type_name: &str, filter: Option<&Filter>) -> Result<Arc<[StoredResource]>, String> {
        self.store()?.exported(type_name, filter)
    }

    fn has_queries(&self) -> bool {
        self.has_store() || self.policy().answers.as_ref().is_some_and(|it| it.replays())
    }

    fn query(&self, query: &Value) -> Result<Value, QueryError> {
        let replayed = self.policy().answers.as_deref().filter(|it| it.replays());
        match (replayed, self.store()) {
            (Some(answers), _) => answers.query(query).ok_or_else(|| {
                let path = answers.path();
                QueryError::NotAsked(format!("this query of PuppetDB was not recorded in {path}"))
            }),
            (None, Ok(store)) => store.query(query).map_err(QueryError::Failed),
            (None, Err(_)) => Err(QueryError::NotAsked(Extension::Query.refusal())),
        }
    }

    fn execute(&self, command: &[&str]) -> Result<String, CommandError> {
        let answers = self.policy().answers.as_deref();
        if let Some(known) = answers.and_then(|it| it.command(command)) {
            return known;
        }
        if let (Some(answers), Some(program)) = (answers, command.first())
            && answers.replays()
        {
            let message =
                format!("running '{program}' with these arguments was not recorded in {}", answers.path());
            return Err(CommandError::NotAllowed(message));
        }
        if !self.policy().permissions.exec {
            let command = command.first().unwrap_or(&"");
            let message =
                format!("running '{command}' is not allowed; `--allow exec` allows to run commands");
            return Err(CommandError::NotAllowed(message));
        }
        // The output of a command may differ each time.
        self.db.report_untracked_read();
        let result = self.run_command(command);
        if let Some(answers) = answers {
            answers.note_command(command, &result);
        }
        result
    }
}

impl DatabaseHost<'_> {
    fn run_command(&self, command: &[&str]) -> Result<String, CommandError> {
        let output =
            self.db.system().run(command).map_err(|error| CommandError::Failed(error.to_string()))?;
        let text = String::from_utf8_lossy(&output.text).into_owned();
        match output.status {
            Some(0) => Ok(text),
            status => {
                let status =
                    status.map_or_else(|| "by a signal".to_owned(), |it| format!("with status {it}"));
                let message = format!("Execution of '{}' ended {status}: {text}", command.join(" "));
                Err(CommandError::Failed(message))
            }
        }
    }
}
