//! Where the data of Hiera is: the configuration of each layer, documents, and the files of patterns.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use globset::GlobBuilder;
use marotte_db::{Db as _, FileStatus, System, source_text};
use marotte_eval::ReadError;
use marotte_hiera::config::CONFIG_FILE_NAME;
use marotte_hiera::{DocumentFault, Format, Layer, LayerConfig, Section};
use marotte_text::Str;

use super::Surroundings;
use crate::hiera::{foreign_keys, hiera_config, hiera_section};

/// How deeply `**` looks into folders, and how many folders a pattern may look at.
const GLOB_DEPTH: usize = 64;
const GLOB_LIMIT: usize = 100_000;

impl Surroundings {
    /// The configuration of a layer.
    pub(super) fn layer_config(&self, layer: &Layer) -> Result<LayerConfig, ReadError> {
        let path = match layer {
            Layer::Global => match &self.hiera_config {
                Some(path) => path.clone(),
                None => return Ok(LayerConfig::None),
            },
            Layer::Environment => match &self.tree.environment {
                Some(environment) => environment.join(CONFIG_FILE_NAME),
                None => return Ok(LayerConfig::None),
            },
            Layer::Module(name) => match self.finder().module(name) {
                Some(module) => module.join(CONFIG_FILE_NAME),
                None => return Ok(LayerConfig::NoModule),
            },
        };
        self.finder().check_readable(&path)?;
        let file = self.file(&path);
        match hiera_config(&self.db, file) {
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

    pub(super) fn config_text(&self, path: &str) -> Option<Arc<str>> {
        let source = source_text(&self.db, self.file(path.into()));
        source.error().is_none().then(|| source.text().into())
    }

    pub(super) fn is_data(&self, path: &str) -> Result<bool, ReadError> {
        let path = self.db.system().absolute(path.into());
        self.finder().check_readable(&path)?;
        Ok(self.file(&path).status(&self.db) != FileStatus::Missing)
    }

    pub(super) fn section(&self, path: &str, format: Format, prefix: &str) -> Section {
        let path = self.db.system().absolute(path.into());
        if let Err(error) = self.finder().check_readable(&path) {
            return Err(DocumentFault::Refused(error.0.into()));
        }
        hiera_section(&self.db, self.file(&path), format, prefix.into()).clone()
    }

    pub(super) fn keys_of_others(&self, path: &str, format: Format, module: &str) -> Vec<Str> {
        let path = self.db.system().absolute(path.into());
        if self.finder().check_readable(&path).is_err() {
            return Vec::new();
        }
        foreign_keys(&self.db, self.file(&path), format, module.into()).clone()
    }

    /// The files that match a pattern, as Ruby's `Dir.glob` finds them.
    pub(super) fn glob(&self, pattern: &str) -> Result<Vec<Str>, ReadError> {
        let mut found = Vec::new();
        for pattern in alternatives(pattern) {
            let mut glob = Glob { system: self.db.system(), folders: 0, found: Vec::new() };
            let components: Vec<&str> = pattern.split('/').filter(|it| !it.is_empty()).collect();
            let fixed = components.iter().take_while(|it| !is_pattern(it)).count();
            let base: Utf8PathBuf = [&"/"].into_iter().chain(&components[..fixed]).collect();
            self.finder().check_readable(&base)?;
            glob.search(&base, &components[fixed..], 0)?;
            found.extend(glob.found);
        }
        for path in &found {
            self.finder().check_readable(path)?;
        }
        Ok(found.into_iter().map(|it| it.as_str().into()).collect())
    }

    /// Whether a function of this name is written in Ruby.
    pub(super) fn has_ruby_function(&self, name: &str) -> bool {
        let (module, rest) = name.split_once("::").unwrap_or(("environment", name));
        let folder = match module {
            "environment" => self.tree.environment.clone(),
            module => self.finder().module(module),
        };
        let names = [name.replace("::", "/"), rest.replace("::", "/")];
        folder.is_some_and(|folder| {
            let lib = folder.join("lib/puppet/functions");
            names.iter().any(|it| self.db.system().is_file(&lib.join(format!("{it}.rb"))))
        })
    }
}

fn is_pattern(component: &str) -> bool {
    component.contains(['*', '?', '[', '\\'])
}

/// What braces stand for, in order. Only so many: what is left stays as it is.
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

/// The first pair of braces: what is before it, what it chooses from, what follows.
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
    system: &'a dyn System,
    folders: usize,
    found: Vec<Utf8PathBuf>,
}

impl Glob<'_> {
    fn search(&mut self, folder: &Utf8Path, components: &[&str], depth: usize) -> Result<(), ReadError> {
        let Some((first, rest)) = components.split_first() else {
            if self.system.is_file(folder) {
                self.found.push(folder.to_owned());
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
        let mut entries = self.system.list(folder).unwrap_or_default();
        entries.retain(|it| !it.name.starts_with('.'));
        entries.sort();
        if *first == "**" && !rest.is_empty() {
            self.search(folder, rest, depth)?;
            if depth < GLOB_DEPTH {
                for it in entries.iter().filter(|it| it.is_directory) {
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
