use camino::Utf8Path;
use marotte_db::{Db, Environment, File, FileStatus, real_path, source_text};
use marotte_eval::{DataSource as _, ReadError, Requests as _, UnitSource};
use marotte_hiera::LayerConfig;
use marotte_hir::definition_files;
use marotte_pcore::ops::Strictness;
use marotte_pcore::value::Value;
use marotte_resolve::ruby::{RubyKind, ruby_definition};

use super::digest::Fields;
use super::question::Kind;
use super::{Digest, Question};
use crate::contents::{self, Request};
use crate::definition::Wanted;
use crate::files::{self, check_readable, file_at};
use crate::loading::{self, Loaded};
use crate::pool::Session;
use crate::{DatabaseHost, Node, ruby};

/// The digest of the answer to a question: of all of it that evaluation can observe, and of nothing else. None if the answer is a
/// value that cannot be compared.
pub fn meaning(db: &dyn Db, node: Node, question: &Question) -> Option<Digest> {
    let loaded = Loaded::default();
    let host = DatabaseHost { db, node, loaded: &loaded, session: Session::default() };
    let mut fields = Fields::new(question.kind as u8);
    host.answer(question, &mut fields);
    fields.finish()
}

/// A digest of the texts that the answer to a question is made of, and of where things are, for questions whose answer takes
/// effort. If it is the same, the answer is the same.
pub fn shortcut(db: &dyn Db, node: Node, question: &Question) -> Option<Digest> {
    let run = node.run(db);
    let environment = run.environment(db);
    let mut fields = Fields::new(question.kind as u8);
    let files = match question.kind {
        Kind::Manifest => vec![DatabaseHost::manifest_file(db, run, &question.text, &question.more)],
        Kind::MainManifests => {
            environment.manifests(db).iter().map(|it| Some(db.files().file(db, it))).collect()
        }
        Kind::Body | Kind::DataSection | Kind::ForeignKeys => {
            vec![Some(file_at(db, Utf8Path::new(&*question.text)))]
        }
        Kind::Function => {
            found(db, environment, (Wanted::Function, RubyKind::Function), &question.text).into()
        }
        Kind::TypeAlias => found(db, environment, (Wanted::Type, RubyKind::DataType), &question.text).into(),
        Kind::Template => match files::find(db, run, "templates", &question.text) {
            Ok(file) => vec![file],
            Err(_) => return None,
        },
        _ => return None,
    };
    fields.digest(layout(db, environment)?);
    for file in files {
        let Some(file) = file else {
            fields.text("nothing");
            continue;
        };
        fields.text("file").text(file.path(db).as_str()).text(real_path(db, file).as_str());
        match check_readable(db, run, file) {
            Ok(()) => fields.shown(&file.status(db)).digest(text_digest(db, file)?),
            Err(ReadError(message)) => fields.text(&message),
        };
    }
    fields.finish()
}

/// A digest of where things are: of the environment, its module path and its modules. What a file defines may depend on it.
#[salsa::tracked(returns(copy))]
fn layout(db: &dyn Db, environment: Environment) -> Option<Digest> {
    let mut fields = Fields::new(u8::MAX);
    fields.shown(&environment.root(db)).shown(&environment.module_path(db));
    for (name, folder) in environment.modules(db).iter() {
        fields.text(name).text(folder.as_str());
    }
    fields.text("main").shown(&environment.main_manifest(db)).shown(&environment.manifests(db));
    fields.shown(&environment.is_complete(db));
    fields.finish()
}

/// The files in which the autoloader finds a function or a type: in Puppet, and in Ruby, which takes precedence.
fn found(
    db: &dyn Db,
    environment: Environment,
    (wanted, kind): (Wanted, RubyKind),
    name: &str,
) -> [Option<File>; 2] {
    let paths = definition_files(db, environment, wanted.kind(), name);
    let mut files = paths.iter().map(|path| db.files().file(db, path));
    let in_puppet = files.find(|it| it.status(db) == FileStatus::Exists);
    [in_puppet, ruby_definition(db, environment, kind, name.into()).map(|it| it.file)]
}

/// The digest of the bytes of a file, or of the reason why it cannot be read.
#[salsa::tracked(returns(copy))]
fn text_digest(db: &dyn Db, file: File) -> Option<Digest> {
    let mut fields = Fields::new(0);
    match source_text(db, file).bytes() {
        Ok(bytes) => fields.text("bytes").bytes(bytes),
        Err(error) => fields.text("error").shown(error),
    };
    fields.finish()
}

/// The digest of what those who load a file can see.
#[salsa::tracked(returns(copy))]
fn code_digest(db: &dyn Db, file: File, strict: Strictness) -> Option<Digest> {
    let mut fields = Fields::new(1);
    match loading::code(db, file, strict) {
        Ok(lowered) => fields.shown(lowered),
        Err(ReadError(message)) => fields.text("error").text(message),
    };
    fields.finish()
}

/// The digest of the body of a definition.
#[salsa::tracked(returns(copy))]
fn body_digest(db: &dyn Db, file: File, definition: usize) -> Option<Digest> {
    let mut fields = Fields::new(2);
    fields.shown(loading::body(db, file, definition));
    fields.finish()
}

impl DatabaseHost<'_> {
    /// Adds the answer to a question.
    fn answer(&self, question: &Question, fields: &mut Fields) {
        let Question { kind, text, more, number } = question;
        let db = self.db;
        match kind {
            // Nobody depends on the answer here, so no query is needed.
            Kind::Fact => {
                let facts = &self.node.described(db).facts;
                fields.maybe_value(Some(facts.get_str(text).unwrap_or(&Value::Undef)))
            }
            Kind::Variable => fields.maybe_value(self.node.described(db).variable(text).as_ref()),
            Kind::Variables => {
                for (name, value) in self.variables().unwrap_or_default() {
                    fields.text(&name).value(&value);
                }
                fields
            }
            Kind::Setting => fields.maybe_value(self.setting(text).as_ref()),
            Kind::Node => {
                let node = self.node();
                fields.text(&node.name).text(&node.environment);
                for (class, parameters) in &node.classes {
                    fields.text(class).hash(parameters);
                }
                fields
            }
            Kind::HieraConfig => match self.hiera_config(&question.layer()) {
                Ok(LayerConfig::NoModule) => fields.text("no module"),
                Ok(LayerConfig::None) => fields.text("none"),
                Ok(LayerConfig::Default(root)) => fields.text("default").text(&root),
                Ok(LayerConfig::File(config)) => {
                    fields.text("file").text(&config.path);
                    match &config.value {
                        Some(value) => fields.text("hash").hash(value),
                        None => fields.text("other"),
                    }
                }
                Err(ReadError(message)) => fields.text("error").text(&message),
            },
            Kind::DataProvider => fields.shown(&self.data_provider(&question.layer())),
            Kind::HieraConfigText => fields.shown(&self.hiera_config_text(text)),
            Kind::DataExists => fields.shown(&self.data_exists(text)),
            Kind::DataGlob => fields.shown(&self.data_glob(text)),
            Kind::DataSection => match self.data_section(text, question.format(), more) {
                Ok(section) => fields.text("section").hash(&section),
                Err(fault) => fields.text("fault").shown(&fault),
            },
            Kind::ForeignKeys => fields.shown(&self.data_foreign_keys(text, question.format(), more)),
            Kind::ReadFile => match self.read_file(text) {
                Ok(bytes) => fields.text("bytes").bytes(&bytes),
                Err(ReadError(message)) => fields.text("error").text(&message),
            },
            Kind::Function => match self.function(text) {
                Ok(code) => fields.text("code").shown(&code),
                Err(ReadError(message)) => fields.text("error").text(&message),
            },
            Kind::TypeAlias => match self.type_alias(text) {
                Ok(code) => fields.text("code").shown(&code),
                Err(ReadError(message)) => fields.text("error").text(&message),
            },
            Kind::IsResourceType => fields.shown(&self.is_resource_type(text)),
            Kind::NativeType => fields.shown(&self.native_type(text)),
            Kind::MayBeExtended => fields.shown(&self.may_be_extended(text, more)),
            Kind::Manifest => {
                let run = self.node.run(db);
                let file = DatabaseHost::manifest_file(db, run, text, more);
                self.code_field(file, fields)
            }
            Kind::MainManifests => {
                for path in self.node.run(db).environment(db).manifests(db) {
                    self.code_field(Some(db.files().file(db, path)), fields);
                }
                fields
            }
            Kind::Body => {
                let file = file_at(db, Utf8Path::new(&**text));
                match body_digest(db, file, usize::try_from(*number).unwrap_or(usize::MAX)) {
                    Some(digest) => fields.digest(digest),
                    None => fields.text("nothing"),
                }
            }
            Kind::Definitions => fields.shown(&self.definitions()),
            Kind::Template => match self.template(text) {
                Ok(None) => fields.text("nothing"),
                Ok(Some(template)) => {
                    match &template.source {
                        UnitSource::File(path) => fields.text(path),
                        _ => fields.text("no file"),
                    };
                    fields.shown(&template.lowered)
                }
                Err(ReadError(message)) => fields.text("error").text(&message),
            },
            Kind::FindFile => fields.shown(&self.find_file(text, more)),
            Kind::ModuleDirectory => fields.shown(&self.module_directory(text)),
            Kind::FileType => fields.shown(&self.path_kind(text)),
            Kind::IsRubyFunction => fields.shown(&self.is_ruby_function(text)),
            Kind::RubyFunction => fields.shown(&self.ruby_function(text)),
            Kind::RubyProgram => self.ruby_field(question, fields),
            Kind::Places => self.text_field(file_at(db, Utf8Path::new(&**text)), fields),
            Kind::Contents => {
                let request = Request::of_fields(text, more, *number);
                fields.shown(contents::answer(db, self.node.run(db), request))
            }
        };
    }

    fn text_field<'f>(&self, file: File, fields: &'f mut Fields) -> &'f mut Fields {
        match text_digest(self.db, file) {
            Some(digest) => fields.digest(digest),
            None => fields.text("nothing"),
        }
    }

    /// Adds a file of code: its path, and what those who load it can see.
    fn code_field<'f>(&self, file: Option<File>, fields: &'f mut Fields) -> &'f mut Fields {
        let (db, run) = (self.db, self.node.run(self.db));
        let Some(file) = file else { return fields.text("nothing") };
        fields.text(file.path(db).as_str());
        if let Err(ReadError(message)) = check_readable(db, run, file) {
            return fields.text("refused").text(&message);
        }
        match code_digest(db, file, run.policy(db).settings.strict) {
            Some(digest) => fields.text("code").digest(digest),
            None => fields.text("nothing"),
        }
    }

    /// Adds a file in Ruby: its path and its text. Of programs, only the text can be compared.
    fn ruby_field<'f>(&self, question: &Question, fields: &'f mut Fields) -> &'f mut Fields {
        let (db, run) = (self.db, self.node.run(self.db));
        let file = match ruby::find(db, run.environment(db), question.ruby_file()) {
            Ok(file) => file.filter(|it| it.status(db) == FileStatus::Exists),
            Err(ReadError(message)) => return fields.text("error").text(&message),
        };
        let Some(file) = file else { return fields.text("nothing") };
        fields.text(file.path(db).as_str());
        match check_readable(db, run, file) {
            Ok(()) => self.text_field(file, fields.text("text")),
            Err(ReadError(message)) => fields.text("refused").text(&message),
        }
    }
}
