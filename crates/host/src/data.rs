//! Hiera's files: the configuration of each layer, and the files that match a pattern.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use globset::GlobBuilder;
use indexmap::IndexSet;
use marotte_db::{Db, File, FileStatus, listing, source_text};
use marotte_eval::ReadError;
use marotte_hiera::config::CONFIG_FILE_NAME;
use marotte_hiera::{DataProvider, DocumentFault, Layer, LayerConfig};
use marotte_resolve::data_files::hiera_config;
use marotte_text::Str;

use super::Run;
use crate::files::{check_readable, file_at, module};
use crate::layout;

/// The limits of `**`: the depth of folders, and the number of folders that a pattern may read.
const GLOB_DEPTH: usize = 64;
const GLOB_LIMIT: usize = 100_000;

/// The configuration of a layer.
pub(crate) fn layer_config(db: &dyn Db, run: Run, layer: &Layer) -> Result<LayerConfig, ReadError> {
    let environment = run.environment(db);
    let path = match layer {
        Layer::Global => match &run.policy(db).hiera_config {
            Some(path) => path.clone(),
            None => return Ok(LayerConfig::None),
        },
        Layer::Environment => match environment.root(db) {
            Some(root) => root.join(CONFIG_FILE_NAME),
            None => return Ok(LayerConfig::None),
        },
        Layer::Module(name) => match module(db, environment, name) {
            Some(module) => module.join(CONFIG_FILE_NAME),
            None => return Ok(LayerConfig::NoModule),
        },
    };
    let file = file_at(db, &path);
    check_readable(db, run, file)?;
    match &**hiera_config(db, file) {
        Some(Ok(config)) => Ok(LayerConfig::File(Arc::clone(config))),
        Some(Err(fault)) => Err(ReadError(match fault {
            DocumentFault::Unreadable(why) => format!("({path}): {why}"),
            other => other.message(path.as_str()),
        })),
        None if *layer == Layer::Global => {
            let root = path.parent().unwrap_or(&path);
            Ok(LayerConfig::Default(root.as_str().into()))
        }
        None => Ok(LayerConfig::None),
    }
}

/// The data provider that a module's metadata or the environment's configuration names.
pub(crate) fn data_provider(db: &dyn Db, run: Run, layer: &Layer) -> Option<DataProvider> {
    let environment = run.environment(db);
    let (name, root) = match layer {
        Layer::Global => return None,
        Layer::Environment => {
            let root = environment.root(db)?;
            (environment_provider(db, file_at(db, &root.join(layout::ENVIRONMENT_FILE)))?, root)
        }
        Layer::Module(name) => {
            let root = module(db, environment, name)?;
            (module_provider(db, file_at(db, &root.join(layout::METADATA_FILE)))?, root)
        }
    };
    Some(DataProvider { name: name.into(), root: root.as_str().into() })
}

/// The data provider that the configuration of an environment names. Catalogs don't depend on the rest of the configuration.
#[salsa::tracked(returns(as_deref))]
fn environment_provider(db: &dyn Db, file: File) -> Option<Str> {
    layout::data_provider(text(db, file)?).map(Into::into)
}

/// The data provider that the metadata of a module names. Catalogs don't depend on the rest of the metadata.
#[salsa::tracked(returns(as_deref))]
fn module_provider(db: &dyn Db, file: File) -> Option<Str> {
    let metadata: serde_json::Value = serde_json::from_str(text(db, file)?).ok()?;
    Some(metadata.get("data_provider")?.as_str()?.into())
}

fn text(db: &dyn Db, file: File) -> Option<&str> {
    let source = source_text(db, file);
    source.error().is_none().then(|| source.text())
}

/// The files that match a pattern, as Ruby's `Dir.glob` finds them.
pub(crate) fn glob(db: &dyn Db, run: Run, pattern: &str) -> Result<Vec<Str>, ReadError> {
    let mut found = Vec::new();
    let mut folders = 0;
    for pattern in alternatives(pattern) {
        let mut glob = Glob { db, folders, found: IndexSet::new() };
        let components: Vec<&str> = pattern.split('/').filter(|it| !it.is_empty()).collect();
        let fixed = components.iter().take_while(|it| !is_pattern(it)).count();
        let base: Utf8PathBuf = [&"/"].into_iter().chain(&components[..fixed]).collect();
        check_readable(db, run, file_at(db, &base))?;
        glob.search(&base, &components[fixed..], 0)?;
        folders = glob.folders;
        found.extend(glob.found);
    }
    for path in &found {
        check_readable(db, run, file_at(db, path))?;
    }
    Ok(found.into_iter().map(|it| it.as_str().into()).collect())
}

fn is_pattern(component: &str) -> bool {
    component.contains(['*', '?', '[', '\\'])
}

/// Expands braces, in order, up to a limit; the rest isn't expanded.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(next) = open.pop() {
        match braces(&next) {
            Some((before, options, after)) if done.len() + open.len() + options.len() <= 1_000 => {
                let expanded = options.iter().rev().map(|it| format!("{before}{it}{after}"));
                let expanded: Vec<String> = expanded.collect();
                open.extend(expanded);
            }
            _ => done.push(next),
        }
    }
    done
}

/// The first pair of braces: the text before it, its alternatives, and the text after it.
fn braces(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    let start = text.find('{')?;
    let (mut depth, mut from, mut options) = (0, start + 1, Vec::new());
    for (at, it) in text.bytes().enumerate().skip(start) {
        match it {
            b'{' => depth += 1,
            b',' if depth == 1 => {
                options.push(&text[from..at]);
                from = at + 1;
            }
            b'}' if depth == 1 => {
                options.push(&text[from..at]);
                return Some((&text[..start], options, &text[at + 1..]));
            }
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

struct Glob<'a> {
    db: &'a dyn Db,
    folders: usize,
    /// Each file once, however many ways `**` leads to it.
    found: IndexSet<Utf8PathBuf>,
}

impl Glob<'_> {
    fn search(&mut self, folder: &Utf8Path, components: &[&str], depth: usize) -> Result<(), ReadError> {
        let Some((first, rest)) = components.split_first() else {
            if file_at(self.db, folder).status(self.db) == FileStatus::Exists {
                self.found.insert(folder.to_owned());
            }
            return Ok(());
        };
        if !is_pattern(first) {
            return self.search(&folder.join(first), rest, depth);
        }
        self.folders += 1;
        if self.folders > GLOB_LIMIT {
            return Err(ReadError(format!("the pattern looks into more than {GLOB_LIMIT} folders")));
        }
        let entries = listing(self.db, file_at(self.db, folder)).iter();
        let entries: Vec<_> = entries.filter(|it| !it.name.starts_with('.')).collect();
        if *first == "**" && !rest.is_empty() {
            self.search(folder, rest, depth)?;
            if depth < GLOB_DEPTH {
                // Links are only followed where a name or a pattern other than `**` matches them.
                for it in entries.iter().filter(|it| it.is_directory && !it.is_link) {
                    self.search(&folder.join(&it.name), components, depth + 1)?;
                }
            }
            return Ok(());
        }
        let glob = GlobBuilder::new(first).literal_separator(true).backslash_escape(true).build();
        let matcher = glob.map_err(|error| ReadError(error.to_string()))?.compile_matcher();
        for it in entries.iter().filter(|it| matcher.is_match(&it.name)) {
            self.search(&folder.join(&it.name), rest, depth)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::alternatives;

    #[test]
    fn braces_stand_for_alternatives() {
        assert_eq!(alternatives("a/{b,c}.yaml"), ["a/b.yaml", "a/c.yaml"]);
        assert_eq!(alternatives("{a,b/{c,d}}"), ["a", "b/c", "b/d"]);
        assert_eq!(alternatives("a"), ["a"]);
        assert!(alternatives(&"{a,b}".repeat(40)).len() <= 1_000);
    }
}
