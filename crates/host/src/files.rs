//! Locations of module files, by the names that programs use for them (C23–C30, E33), and the permission to read them.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Db, Environment, File, FileStatus, module_folder, real_path, source_text};
use marotte_eval::{ReadError, RubyFunction, RubySignature};
use marotte_resolve::functions;
use marotte_resolve::ruby::ruby_functions;
use marotte_ruby::function::{Declares, Sets, declares, sets_variables};
use marotte_text::Str;

use super::{Answers, Run};

/// The folder of a module, by its name. Folders with other names aren't modules to the autoloader.
pub(crate) fn module<'db>(db: &'db dyn Db, environment: Environment, name: &str) -> Option<&'db Utf8Path> {
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_');
    if !is_name {
        return None;
    }
    module_folder(db, environment, name.into()).filter(|it| it.file_name() == Some(name))
}

/// The file for `module/path` in a folder of the module, or for an absolute path, if it exists.
///
/// # Errors
/// If the file may not be read.
pub(crate) fn find(db: &dyn Db, run: Run, folder: &str, name: &str) -> Result<Option<File>, ReadError> {
    let path = Utf8Path::new(name);
    if path.is_absolute() {
        let file = file_at(db, path);
        check_readable(db, run, file)?;
        return Ok(Some(file).filter(|it| it.status(db) != FileStatus::Missing));
    }
    let Some((name, rest)) = name.split_once('/') else { return Ok(None) };
    let Some(module) = module(db, run.environment(db), name) else { return Ok(None) };
    let file = file_at(db, &module.join(folder).join(rest.trim_start_matches('/')));
    if file.status(db) == FileStatus::Missing {
        return Ok(None);
    }
    check_readable(db, run, file)?;
    Ok(Some(file))
}

/// The file at a path, after removing dots.
pub(crate) fn file_at(db: &dyn Db, path: &Utf8Path) -> File {
    db.files().file(db, &db.system().absolute(path))
}

/// Whether Puppet opens a path that it searches for code: it does not open folders. Pipes and devices are never opened here, which is an
/// error of the file.
pub(crate) fn is_opened(db: &dyn Db, file: File) -> bool {
    matches!(file.status(db), FileStatus::Exists | FileStatus::Special)
}

/// Rejects files that are neither in the code tree nor permitted, wherever dots and symbolic links lead.
pub(crate) fn check_readable(db: &dyn Db, run: Run, file: File) -> Result<(), ReadError> {
    if is_readable(db, run, file) {
        return Ok(());
    }
    let path = file.path(db);
    if let Some(answers) = replayed(db, run) {
        return Err(ReadError(format!(
            "reading '{path}', which is outside of the modules, was not recorded in {}",
            answers.path()
        )));
    }
    Err(ReadError(format!(
        "reading '{path}' is not allowed, because it is outside of the modules; `--allow read={}` allows it",
        way_out(db, run, file)
    )))
}

/// The answers that a run replays, if it does.
fn replayed(db: &dyn Db, run: Run) -> Option<&Answers> {
    run.policy(db).answers.as_deref().filter(|it| it.replays())
}

/// The folder outside of the code tree that would have to be read for a file that may not be read, if there is no such folder. None
/// in a run that replays answers: it doesn't look at this machine.
pub(crate) fn missing_folder(db: &dyn Db, run: Run, file: File) -> Option<Utf8PathBuf> {
    if replayed(db, run).is_some() {
        return None;
    }
    Some(way_out(db, run, file)).filter(|it| file_at(db, it).status(db) == FileStatus::Missing)
}

/// The path to permit so that a file can be read: the target of the first link on the way that leaves the tree, or else the
/// file's folder.
fn way_out(db: &dyn Db, run: Run, file: File) -> Utf8PathBuf {
    let path = file.path(db);
    let around: Vec<&Utf8Path> = path.ancestors().skip(1).collect();
    let mut inside = around.iter().rev().skip_while(|it| !is_readable(db, run, file_at(db, it)));
    let out = inside.find(|it| !is_readable(db, run, file_at(db, it)));
    let real = |path: &Utf8Path| real_path(db, file_at(db, path)).to_owned();
    match out {
        Some(folder) => real(folder),
        None => real(path).parent().map_or_else(|| real(path), Utf8Path::to_owned),
    }
}

/// Whether a file is in the code tree, or permitted, wherever dots and symbolic links lead.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_readable(db: &dyn Db, run: Run, file: File) -> bool {
    let environment = run.environment(db);
    let policy = run.policy(db);
    // An environment configures its module path, but that doesn't grant access to these folders.
    let mut roots: Vec<Utf8PathBuf> = match environment.root(db) {
        Some(root) => vec![root.to_owned()],
        // Without an environment, the user has named them.
        None => environment.module_path(db).iter().chain(environment.manifests(db)).cloned().collect(),
    };
    roots.extend(policy.named.iter().cloned());
    // The folder of the global data layer.
    roots.extend(policy.hiera_config.as_deref().and_then(Utf8Path::parent).map(Utf8Path::to_owned));
    roots.extend(policy.permissions.read.iter().cloned());
    let target = real_path(db, file);
    roots.iter().any(|root| target.starts_with(real_path(db, file_at(db, root))))
}

/// The Ruby function of a module or the environment; the newer API is preferred. None if there is none.
#[salsa::tracked(returns(ref))]
pub(crate) fn ruby_function(db: &dyn Db, environment: Environment, name: Str) -> Option<RubyFunction> {
    let found = functions::ruby_function(db, environment, &name)?;
    let text = source_text(db, found.file).text();
    let (declares, sets) = (declares(text), sets_variables(text));
    if !found.is_only {
        // The module path decides which one wins.
        let signature = RubySignature::Unknown;
        return Some(RubyFunction { signature, declares: Declares::Anything, sets: Sets::Anything });
    }
    let declared = ruby_functions(db, found.file);
    let new = declared.functions.iter().find(|it| it.name == name);
    let legacy = declared.legacy.iter().find(|it| it.name == name).and_then(|it| it.arity);
    let signature = match (new, legacy) {
        (Some(it), _) if it.complete && it.local_types.is_empty() => {
            RubySignature::Dispatches(Arc::new(it.clone()))
        }
        (None, Some(arity)) => RubySignature::Arity(arity),
        _ => RubySignature::Unknown,
    };
    Some(RubyFunction { signature, declares, sets })
}
