use std::cell::{Cell, RefCell};
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexSet;
use marotte_catalog::NativeType;
use marotte_eval::{
    Code, CommandError, DataSource, Extension, Filter, Manifest, NoAnswer, NodeInfo, ProgramError,
    QueryError, ReadError, Requests, RubyFile, RubyFunction, StoredResource, TemplateFile,
};
use marotte_hiera::{DataProvider, Format, Layer, LayerConfig, Presence, Section};
use marotte_hir::{Body, ExprId};
use marotte_pcore::budget::Memory;
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_ruby_eval::Host;
use marotte_ruby_eval::host::PathKind;
use marotte_ruby_eval::program::Program;
use marotte_text::Str;

use super::Question;
use super::question::{Asking, Kind};

/// The end of the first line of a private key in PEM.
const PRIVATE_KEY: &[u8] = b"PRIVATE KEY-----";

/// The requests of an evaluation.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The questions, each once, in order.
    pub questions: IndexSet<Question, RandomState>,
    /// Whether it also asked for what may be another at any time, and that no question can ask for again: the time, the output
    /// of programs, the exported resources of other nodes.
    pub is_fleeting: bool,
    /// Whether it read a private key: the results may have what was decrypted with it.
    pub has_private_key: bool,
}

/// Passes requests on, and notes each of them.
pub(crate) struct Recorder<'a> {
    outside: &'a dyn Requests,
    questions: RefCell<IndexSet<Question, RandomState>>,
    is_fleeting: Cell<bool>,
    has_private_key: Cell<bool>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(outside: &'a dyn Requests) -> Recorder<'a> {
        Recorder {
            outside,
            questions: RefCell::default(),
            is_fleeting: Cell::new(false),
            has_private_key: Cell::new(false),
        }
    }

    pub(crate) fn finish(self) -> Asked {
        Asked {
            questions: self.questions.into_inner(),
            is_fleeting: self.is_fleeting.get(),
            has_private_key: self.has_private_key.get(),
        }
    }

    /// Notes a question, and returns who answers it.
    fn ask(&self, asking: Asking<'_>) -> &'a dyn Requests {
        let mut questions = self.questions.borrow_mut();
        if !questions.contains(&asking) {
            questions.insert(asking.owned());
        }
        self.outside
    }

    fn of(&self, kind: Kind, text: &str) -> &'a dyn Requests {
        self.ask(Asking::new(kind, text))
    }

    fn fleeting(&self) -> &'a dyn Requests {
        self.is_fleeting.set(true);
        self.outside
    }
}

#[deny(clippy::missing_trait_methods, reason = "the default answers are those of nobody")]
impl DataSource for Recorder<'_> {
    fn hiera_config(&self, layer: &Layer) -> Result<LayerConfig, ReadError> {
        self.ask(Asking::layer(Kind::HieraConfig, layer)).hiera_config(layer)
    }

    fn data_provider(&self, layer: &Layer) -> Option<DataProvider> {
        self.ask(Asking::layer(Kind::DataProvider, layer)).data_provider(layer)
    }

    fn hiera_config_text(&self, path: &str) -> Option<Arc<str>> {
        self.of(Kind::HieraConfigText, path).hiera_config_text(path)
    }

    fn data_exists(&self, path: &str) -> Result<Presence, ReadError> {
        self.of(Kind::DataExists, path).data_exists(path)
    }

    fn data_glob(&self, pattern: &str) -> Result<Vec<Str>, ReadError> {
        self.of(Kind::DataGlob, pattern).data_glob(pattern)
    }

    fn data_section(&self, path: &str, format: Format, prefix: &str) -> Section {
        let asking = Asking::document(Kind::DataSection, path, format, prefix);
        self.ask(asking).data_section(path, format, prefix)
    }

    fn data_foreign_keys(&self, path: &str, format: Format, module: &str) -> Vec<Str> {
        let asking = Asking::document(Kind::ForeignKeys, path, format, module);
        self.ask(asking).data_foreign_keys(path, format, module)
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let read = self.of(Kind::ReadFile, path).read_file(path);
        // Encrypted data is decrypted with a key that is read here, each time.
        if let Ok(bytes) = &read
            && bytes.windows(PRIVATE_KEY.len()).any(|it| it == PRIVATE_KEY)
        {
            self.has_private_key.set(true);
        }
        read
    }

    fn fact(&self, name: &str) -> Option<Value> {
        self.of(Kind::Fact, name).fact(name)
    }
}

#[deny(clippy::missing_trait_methods, reason = "the default answers are those of nobody")]
impl Requests for Recorder<'_> {
    fn now(&self) -> Timestamp {
        self.fleeting().now()
    }

    fn interrupted(&self) {
        self.outside.interrupted();
    }

    // An evaluation that a lack of memory ends has an error, and nothing is kept of it.
    fn memory(&self) -> Option<Memory> {
        self.outside.memory()
    }

    fn local_offset(&self) -> LocalOffset {
        self.fleeting().local_offset()
    }

    // Evaluations load their main manifests themselves.
    fn replaces_error(&self) -> bool {
        self.outside.replaces_error()
    }

    fn variable(&self, name: &str) -> Option<Value> {
        self.of(Kind::Variable, name).variable(name)
    }

    fn variables(&self) -> Option<Vec<(Str, Value)>> {
        self.of(Kind::Variables, "").variables()
    }

    fn setting(&self, name: &str) -> Option<Value> {
        self.of(Kind::Setting, name).setting(name)
    }

    fn function(&self, name: &str) -> Result<Option<Code>, ReadError> {
        self.of(Kind::Function, name).function(name)
    }

    fn type_alias(&self, name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        self.of(Kind::TypeAlias, name).type_alias(name)
    }

    fn ready_type(&self, name: &str) -> Option<Type> {
        let ready = self.outside.ready_type(name);
        // No question asks for a type that was evaluated elsewhere.
        if ready.is_some() {
            self.is_fleeting.set(true);
        }
        ready
    }

    fn is_resource_type(&self, name: &str) -> bool {
        self.of(Kind::IsResourceType, name).is_resource_type(name)
    }

    fn is_definition(&self, name: &str) -> bool {
        let is_definition = self.outside.is_definition(name);
        if is_definition {
            self.is_fleeting.set(true);
        }
        is_definition
    }

    fn native_type(&self, name: &str) -> Result<Option<Arc<NativeType>>, ReadError> {
        self.of(Kind::NativeType, name).native_type(name)
    }

    fn may_be_extended(&self, name: &str, attribute: &str) -> bool {
        let asking = Asking { kind: Kind::MayBeExtended, text: name, more: attribute, number: 0 };
        self.ask(asking).may_be_extended(name, attribute)
    }

    fn manifest(&self, module: &str, path: &str) -> Result<Option<Manifest>, ReadError> {
        let asking = Asking { kind: Kind::Manifest, text: module, more: path, number: 0 };
        self.ask(asking).manifest(module, path)
    }

    fn main_manifests(&self) -> Result<Vec<Manifest>, ReadError> {
        self.of(Kind::MainManifests, "").main_manifests()
    }

    fn body(&self, path: &str, definition: usize) -> Option<Arc<Body>> {
        let asking = Asking { kind: Kind::Body, text: path, more: "", number: definition as u64 };
        self.ask(asking).body(path, definition)
    }

    fn read_quietly(&self, is_quiet: bool) {
        self.outside.read_quietly(is_quiet);
    }

    fn definitions(&self) -> Option<Vec<Arc<Body>>> {
        self.of(Kind::Definitions, "").definitions()
    }

    fn node(&self) -> NodeInfo {
        self.of(Kind::Node, "").node()
    }

    fn template(&self, name: &str) -> Result<Option<TemplateFile>, ReadError> {
        self.of(Kind::Template, name).template(name)
    }

    fn find_file(&self, folder: &str, name: &str) -> Result<Option<Str>, ReadError> {
        let asking = Asking { kind: Kind::FindFile, text: folder, more: name, number: 0 };
        self.ask(asking).find_file(folder, name)
    }

    fn module_directory(&self, name: &str) -> Option<Str> {
        self.of(Kind::ModuleDirectory, name).module_directory(name)
    }

    fn path_kind(&self, path: &str) -> Result<PathKind, ReadError> {
        self.of(Kind::FileType, path).path_kind(path)
    }

    fn is_ruby_function(&self, name: &str) -> bool {
        self.of(Kind::IsRubyFunction, name).is_ruby_function(name)
    }

    fn ruby_function(&self, name: &str) -> Option<RubyFunction> {
        self.of(Kind::RubyFunction, name).ruby_function(name)
    }

    // All evaluations whose reads are compared have the same policy.
    fn evaluates_ruby(&self) -> bool {
        self.outside.evaluates_ruby()
    }

    fn ruby_program(&self, file: RubyFile<'_>) -> Result<Option<Arc<Program>>, ProgramError> {
        self.ask(Asking::ruby(file)).ruby_program(file)
    }

    fn extension(&self, asked: Extension<'_>, host: &mut dyn Host) -> Result<Value, NoAnswer> {
        let answer = self.outside.extension(asked, host);
        // That there is nobody to compute it is the same for all evaluations with these settings.
        if !matches!(answer, Err(NoAnswer::Refused(_))) {
            self.is_fleeting.set(true);
        }
        answer
    }

    fn line_of(&self, path: &str, definition: Option<usize>, expr: ExprId) -> Option<u32> {
        // All lines of a file are the same as long as its text is, in any language.
        self.of(Kind::Places, path).line_of(path, definition, expr)
    }

    fn reads_ruby_places(&self, path: &str) {
        self.of(Kind::Places, path).reads_ruby_places(path);
    }

    fn has_store(&self) -> bool {
        let has_store = self.outside.has_store();
        if has_store {
            self.is_fleeting.set(true);
        }
        has_store
    }

    fn exported(&self, type_name: &str, filter: Option<&Filter>) -> Result<Arc<[StoredResource]>, String> {
        self.fleeting().exported(type_name, filter)
    }

    fn has_queries(&self) -> bool {
        let has_queries = self.outside.has_queries();
        if has_queries {
            self.is_fleeting.set(true);
        }
        has_queries
    }

    fn query(&self, query: &Value) -> Result<Value, QueryError> {
        self.fleeting().query(query)
    }

    fn execute(&self, command: &[&str]) -> Result<String, CommandError> {
        let result = self.outside.execute(command);
        // That it may not be run is the same for all evaluations with these settings.
        if !matches!(result, Err(CommandError::NotAllowed(_))) {
            self.is_fleeting.set(true);
        }
        result
    }
}
