//! Files that are written in Ruby: functions, libraries of functions, templates. Each is compiled once.

use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::{Db, Environment, File, FileStatus, source_text};
use marotte_eval::{Extension, NoAnswer, ProgramError, ReadError, RubyCall, RubyFile};
use marotte_pcore::value::Value;
use marotte_resolve::ruby::{RubyKind, ruby_definition};
use marotte_ruby_eval::Host;
use marotte_ruby_eval::program::{Program, SyntaxError};
use marotte_text::Str;

use super::Run;
use crate::files::{check_readable, file_at, is_opened};
use crate::pool::{Computation, Files, Kind, Library, Session};

/// The result of compiling a file.
pub(crate) type Compiled = Result<Arc<Program>, ProgramError>;

/// The compiled program of a Ruby file that code refers to. None if there is no such file.
///
/// # Errors
/// If the file may not be read, or its text has errors.
pub(crate) fn program(
    db: &dyn Db,
    run: Run,
    wanted: RubyFile<'_>,
) -> Result<Option<Arc<Program>>, ProgramError> {
    let file = find(db, run.environment(db), wanted)?;
    let Some(file) = file.filter(|it| is_opened(db, *it)) else { return Ok(None) };
    check_readable(db, run, file)?;
    let compiled = match wanted {
        RubyFile::Template(_) => template_program(db, file),
        _ => ruby_program(db, file),
    };
    compiled.clone().map(Some)
}

/// The Ruby file that code refers to, whether or not it exists. None if there is no such file.
///
/// # Errors
/// If several modules have it.
pub(crate) fn find(
    db: &dyn Db,
    environment: Environment,
    wanted: RubyFile<'_>,
) -> Result<Option<File>, ReadError> {
    match wanted {
        RubyFile::Function(name) => function(db, environment, RubyKind::Function, name),
        RubyFile::LegacyFunction(name) => function(db, environment, RubyKind::LegacyFunction, name),
        RubyFile::Library(name) => Ok(library(db, environment, name)),
        RubyFile::Template(path) => Ok(Some(file_at(db, Utf8Path::new(path)))),
    }
}

fn function(
    db: &dyn Db,
    environment: Environment,
    kind: RubyKind,
    name: &str,
) -> Result<Option<File>, ReadError> {
    match ruby_definition(db, environment, kind, name.into()) {
        Some(found) if !found.is_only => {
            Err(ReadError(format!("several modules define the Ruby function {name}()")))
        }
        found => Ok(found.map(|it| it.file)),
    }
}

/// The file that `require` refers to: below the `lib` folder of a module, or at an absolute path.
pub(crate) fn library(db: &dyn Db, environment: Environment, name: &str) -> Option<File> {
    let file_name = match name.ends_with(".rb") {
        true => name.to_owned(),
        false => format!("{name}.rb"),
    };
    if Utf8Path::new(name).is_absolute() {
        return Some(file_at(db, Utf8Path::new(&file_name)));
    }
    library_in_modules(db, environment, file_name.into())
}

/// The first file at a relative path below the `lib` folders of all modules.
#[salsa::tracked(returns(copy))]
fn library_in_modules(db: &dyn Db, environment: Environment, file_name: Str) -> Option<File> {
    // The files of functions are known already.
    let function = file_name.strip_prefix("puppet/parser/functions/").and_then(|it| it.strip_suffix(".rb"));
    if let Some(name) = function.filter(|it| !it.contains('/')) {
        let found = ruby_definition(db, environment, RubyKind::LegacyFunction, name.to_lowercase().into())?;
        let path = found.file.path(db);
        let is_in_module = || environment.modules(db).iter().any(|(_, folder)| path.starts_with(folder));
        if path.ends_with(file_name.as_str()) && is_in_module() {
            return Some(found.file).filter(|it| it.status(db) == FileStatus::Exists);
        }
    }
    let mut folders = environment.modules(db).iter().map(|(_, folder)| folder.join("lib"));
    folders.find_map(|folder| {
        let file = file_at(db, &folder.join(file_name.as_str()));
        (file.path(db).starts_with(&folder) && file.status(db) == FileStatus::Exists).then_some(file)
    })
}

/// Returns the library that `require` refers to. None if no module has it.
///
/// # Errors
/// If reading it isn't permitted.
pub(crate) fn library_text(db: &dyn Db, run: Run, name: &str) -> Result<Option<Library>, String> {
    let found = library(db, run.environment(db), name);
    let Some(file) = found.filter(|it| it.status(db) == FileStatus::Exists) else { return Ok(None) };
    // An absolute path outside of the modules isn't one of their libraries: Ruby itself may load it.
    if Utf8Path::new(name).is_absolute() && check_readable(db, run, file).is_err() {
        return Ok(None);
    }
    check_readable(db, run, file).map_err(|error| error.0)?;
    let source = source_text(db, file);
    match source.error() {
        None => Ok(Some(Library { path: file.path(db).to_string(), text: source.text().to_owned() })),
        Some(error) => Err(format!("'{}', which cannot be read: {error}", file.path(db))),
    }
}

/// Returns the text of a Ruby file. None if it cannot be read.
pub(crate) fn file_text(db: &dyn Db, path: &str) -> Option<String> {
    let source = source_text(db, file_at(db, Utf8Path::new(path)));
    source.error().is_none().then(|| source.text().to_owned())
}

/// Runs a computation in the pool of `--allow ruby`.
///
/// # Errors
/// If there is no pool, or it has no answer.
pub(crate) fn compute(
    db: &dyn Db,
    run: Run,
    session: &Session,
    asked: Extension<'_>,
    host: &mut dyn Host,
) -> Result<Value, NoAnswer> {
    let policy = run.policy(db);
    let (pool, answers) = (policy.pool.as_ref(), policy.answers.as_deref());
    if pool.is_none() && answers.is_none_or(|it| !it.replays()) {
        return Err(NoAnswer::Refused(asked.refusal()));
    }
    let refused = |error: ReadError| NoAnswer::Refused(error.0);
    let environment = run.environment(db);
    let (file, kind, name, has_begun) = match asked {
        Extension::Function { name, arguments, call } => {
            let RubyCall { is_legacy, signature, block, has_begun } = call;
            let kind = if is_legacy { RubyKind::LegacyFunction } else { RubyKind::Function };
            let file = function(db, environment, kind, name).map_err(refused)?;
            (file, Kind::Function { arguments, is_legacy, signature, block }, name, has_begun)
        }
        Extension::Template { name, path, has_begun } => {
            (Some(file_at(db, Utf8Path::new(path))), Kind::Template, name, has_begun)
        }
        Extension::InlineTemplate { name, has_begun, .. } => {
            (None, Kind::Template, name.unwrap_or("inline_template"), has_begun)
        }
        Extension::Block { .. } | Extension::Command { .. } | Extension::Query => {
            return Err(NoAnswer::Refused(asked.refusal()));
        }
    };
    if has_begun {
        let reason = "code that has logged, set or declared something before";
        return Err(NoAnswer::Unsupported(reason.to_owned()));
    }
    let text = match (file, asked) {
        (_, Extension::InlineTemplate { text, .. }) => text,
        (Some(file), _) => {
            check_readable(db, run, file).map_err(refused)?;
            let source = source_text(db, file);
            if source.error().is_some() {
                return Err(NoAnswer::Refused(asked.refusal()));
            }
            source.text()
        }
        (None, _) => return Err(NoAnswer::Refused(asked.refusal())),
    };
    let path = match asked {
        Extension::InlineTemplate { name, .. } => name,
        _ => file.map(|it| it.path(db).as_str()),
    };
    let computation = Computation { kind, name, path, text };
    session.compute(pool, answers, &Files { db, run }, &computation, host)
}

/// Notes that lines of a Ruby file were read, which programs are compared without: it depends on the text from here on.
pub(crate) fn reads_places(db: &dyn Db, path: &str) {
    let _text = source_text(db, file_at(db, Utf8Path::new(path)));
}

/// The program of a Ruby file. It is the same after an edit of places only: of comments, blank lines.
#[salsa::tracked(returns(ref))]
pub(crate) fn ruby_program(db: &dyn Db, file: File) -> Compiled {
    compiled(db, file, |path, text| Program::parse(path, text))
}

/// The compiled program of an ERB template.
#[salsa::tracked(returns(ref))]
fn template_program(db: &dyn Db, file: File) -> Compiled {
    compiled(db, file, |path, text| Program::template(path, text))
}

fn compiled(
    db: &dyn Db,
    file: File,
    parse: impl FnOnce(&str, &[u8]) -> Result<Program, SyntaxError>,
) -> Compiled {
    let (path, source) = (file.path(db), source_text(db, file));
    if let Some(error) = source.error() {
        return Err(ReadError(format!("'{path}' cannot be read: {error}")).into());
    }
    match parse(path.as_str(), source.text().as_bytes()) {
        Ok(program) => Ok(Arc::new(program)),
        Err(error) => {
            let message = format!("'{path}' cannot be parsed: {error}");
            Err(if error.is_refusal { ReadError(message).into() } else { ProgramError::Invalid(message) })
        }
    }
}
