//! The conversion of a configuration to the files that it refers to for a node.

use std::sync::Arc;

use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use crate::config::{Config, Entry, Kind, LocationKind, Needle, find_line, folder_of};
use crate::expression::{Expression, expressions};
use crate::lookup::{Invocation, LookupResult};
use crate::{ErrorKind, Fault, Layer, LookupError, LookupHost, Presence};

/// A level of a hierarchy, resolved with the variables of a node.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) name: Str,
    pub(crate) kind: Kind,
    pub(crate) function: Str,
    pub(crate) options: Arc<Hash>,
    /// The folder that relative locations are resolved against.
    pub(crate) datadir: Str,
    /// `None` if the configuration gives no location.
    pub(crate) locations: Option<Vec<Location>>,
    /// The index of the context of the first location.
    pub(crate) context: usize,
}

/// A location of data, existing or not.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    /// The text as configured.
    pub(crate) original: Str,
    pub(crate) target: Target,
    pub(crate) exists: bool,
}

/// The resolved location of data.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Path(Str),
    Uri(Str),
}

impl Target {
    pub(crate) fn text(&self) -> &Str {
        match self {
            Target::Path(it) | Target::Uri(it) => it,
        }
    }
}

impl<O: LookupHost + ?Sized> Invocation<'_, O> {
    /// Resolves the levels of entries.
    pub(crate) fn resolve(
        &mut self,
        layer: &Layer,
        config: &Config,
        entries: &[Entry],
    ) -> LookupResult<Vec<Level>, O> {
        let resolved = self.resolve_entries(layer, config, entries);
        resolved.map_err(|fault| match fault {
            // A missing variable is an error of the configuration, not of an expression.
            Fault::Lookup(error) if error.kind == ErrorKind::Undefined => {
                let name = error.variable.clone().unwrap_or_default();
                let needle = Needle::Variable(&name);
                let line = self.config_line(config, &needle, 0);
                let issue =
                    LookupError::issue("hiera-undefined-variable", format!("Undefined variable '{name}'"));
                LookupError { place: config.path.clone().map(|path| (path, line)), ..issue }.into()
            }
            // So are other errors, but their line is unknown.
            Fault::Lookup(mut error) if matches!(error.kind, ErrorKind::Issue(_)) => {
                error.place = error.place.or(config.path.clone().map(|path| (path, None)));
                Fault::Lookup(error)
            }
            other => other,
        })
    }

    fn config_line(&mut self, config: &Config, needle: &Needle<'_>, after: u32) -> Option<u32> {
        find_line(&self.outside.data().hiera_config_text(config.path.as_ref()?)?, needle, after)
    }

    fn resolve_entries(
        &mut self,
        layer: &Layer,
        config: &Config,
        entries: &[Entry],
    ) -> LookupResult<Vec<Level>, O> {
        let mut levels: Vec<Level> = Vec::with_capacity(entries.len());
        for entry in entries {
            if levels.iter().any(|it| it.name == entry.name) {
                let text = config.path.as_ref().and_then(|path| self.outside.data().hiera_config_text(path));
                return Err(config.named_twice(text.as_deref(), &entry.name).into());
            }
            if let Some(level) = self.resolve_entry(layer, config, entry)? {
                levels.push(level);
            }
        }
        Ok(levels)
    }

    fn resolve_entry(
        &mut self,
        layer: &Layer,
        config: &Config,
        entry: &Entry,
    ) -> LookupResult<Option<Level>, O> {
        let datadir = match config.version {
            // There, relative folders are resolved against the working directory of the process, which doesn't exist here.
            3 => self.interpolate_config(&entry.datadir)?,
            5 => {
                let datadir = folder_of(layer, config, &entry.datadir);
                self.interpolate_config(&datadir)?
            }
            _ => join(&config.root, &entry.datadir),
        };
        if entry.kind == Kind::Hiera3Backend {
            return Err(LookupError::no_hiera3().into());
        }
        // In version 5, paths with missing variables aren't errors.
        self.lenient = config.version == 5;
        let locations = self.resolve_locations(config, entry, &datadir);
        self.lenient = false;
        let locations = locations?;
        if config.path.is_none() && locations.as_ref().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
        let options = match self.interpolate(&Value::Hash(Arc::clone(&entry.options)), false)? {
            Value::Hash(options) => options,
            _ => Arc::default(),
        };
        let count = locations.as_ref().map_or(1, Vec::len);
        let context = self.new_contexts(count);
        let (name, kind, function) = (entry.name.clone(), entry.kind, entry.function.clone());
        Ok(Some(Level { name, kind, function, options, datadir, locations, context }))
    }

    fn resolve_locations(
        &mut self,
        config: &Config,
        entry: &Entry,
        datadir: &str,
    ) -> LookupResult<Option<Vec<Location>>, O> {
        let Some(location) = &entry.location else { return Ok(None) };
        let mut locations = Vec::new();
        match location.kind {
            LocationKind::Paths => {
                for original in &location.texts {
                    let mut path = self.interpolate_config(original)?;
                    if let Some(extension) = &entry.extension
                        && !path.ends_with(&**extension)
                    {
                        path.push_str(extension);
                    }
                    let found = self.path(original, join(datadir, &path))?;
                    if config.path.is_some() || found.exists {
                        locations.push(found);
                    }
                }
            }
            LocationKind::Globs => {
                for original in &location.texts {
                    let pattern = self.interpolate_config(original)?;
                    let pattern = join(datadir, &pattern);
                    let found = self.outside.data().data_glob(&pattern);
                    let found = match found {
                        Err(_) if self.lost_its_beginning(original)? => self.taken_as_missing(&pattern),
                        Err(error) => match self.outside.data().data_exists(first_searched(&pattern)) {
                            Ok(Presence::NoFolder(folder)) => self.has_no_folder(original, &folder),
                            _ => return Err(error.into()),
                        },
                        Ok(found) => found,
                    };
                    locations.extend(found.into_iter().map(|path| Location {
                        original: pattern.clone(),
                        target: Target::Path(path),
                        exists: true,
                    }));
                }
            }
            LocationKind::Uris => {
                for original in &location.texts {
                    let uri = self.interpolate_config(original)?;
                    locations.push(Location {
                        original: original.clone(),
                        target: Target::Uri(uri),
                        exists: true,
                    });
                }
            }
            LocationKind::MappedPaths => locations = self.mapped_paths(&location.texts, datadir)?,
        }
        Ok(Some(locations))
    }

    /// Resolves the locations that calls of the Hiera 3 functions put before those of a level (E18).
    pub(crate) fn overriding_locations(
        &mut self,
        level: &Level,
        texts: &[Str],
    ) -> LookupResult<Vec<Location>, O> {
        let extension = format!(".{}", level.name);
        let mut locations = Vec::with_capacity(texts.len());
        for original in texts {
            let mut path = self.interpolate_config(original)?;
            if !path.ends_with(&extension) {
                path.push_str(&extension);
            }
            locations.push(self.path(original, join(&level.datadir, &path))?);
        }
        Ok(locations)
    }

    fn mapped_paths(&mut self, texts: &[Str], datadir: &str) -> LookupResult<Vec<Location>, O> {
        let [source, name, template] = texts else { return Ok(Vec::new()) };
        let values = match self.scope_lookup(source, "mapped_path[0]")? {
            None | Some(Value::Undef) => return Ok(Vec::new()),
            Some(Value::String(text)) if text.is_empty() => return Ok(Vec::new()),
            Some(Value::Array(values)) => values.to_vec(),
            Some(text @ Value::String(_)) => vec![text],
            // A hash is mapped entry by entry.
            Some(Value::Hash(hash)) => {
                hash.iter().map(|(key, value)| Value::Array([key.clone(), value.clone()].into())).collect()
            }
            Some(other) => {
                return Err(LookupError::other(format!(
                    "mapped_paths needs a string, an array or a hash in '{source}', got {}",
                    other.kind_name()
                ))
                .into());
            }
        };
        let mut locations = Vec::with_capacity(values.len());
        for value in values {
            self.locals.push((name.clone(), value));
            // The path, too, is judged with the variable.
            let path = self.interpolate_config(template);
            let found = path.and_then(|path| self.path(template, join(datadir, &path)));
            self.locals.pop();
            locations.push(found?);
        }
        // Changes of the local variable don't matter.
        if let Some(collected) = &mut self.collected {
            collected.retain(|it| it.root != *name);
        }
        Ok(locations)
    }

    fn path(&mut self, original: &Str, path: Str) -> LookupResult<Location, O> {
        let found = self.outside.data().data_exists(&path);
        let exists = match found {
            Err(_) | Ok(Presence::NoFolder(_)) if self.lost_its_beginning(original)? => {
                let missing: Option<()> = self.taken_as_missing(&path);
                missing.is_some()
            }
            Ok(Presence::NoFolder(folder)) => {
                let missing: Option<()> = self.has_no_folder(original, &folder);
                missing.is_some()
            }
            found => found? == Presence::Exists,
        };
        Ok(Location { original: original.clone(), target: Target::Path(path), exists })
    }

    /// Whether a path leads to the root of the file system only because the expressions at its beginning have no value:
    /// `%{nothing}/x.yaml`.
    fn lost_its_beginning(&mut self, original: &Str) -> LookupResult<bool, O> {
        let mut beginning = 0;
        for Expression { range, .. } in expressions(original) {
            match range.start == beginning {
                true => beginning = range.end,
                false => break,
            }
        }
        let (beginning, rest) = original.split_at(beginning);
        if beginning.is_empty() || !rest.starts_with('/') {
            return Ok(false);
        }
        let was = std::mem::replace(&mut self.lenient, true);
        let text = self.interpolate_config(&beginning.into());
        self.lenient = was;
        Ok(text?.is_empty())
    }

    /// Takes a path that leads out of the tree, to a folder that does not exist, as missing, with a warning.
    fn has_no_folder<T: Default>(&mut self, original: &str, folder: &str) -> T {
        self.outside.warn_once(format!(
            "'{original}' in hiera.yaml is taken as missing: it is outside of the modules, and there is no folder '{folder}'"
        ));
        T::default()
    }

    /// Takes a path outside of the tree that nobody has written as missing, with a warning.
    fn taken_as_missing<T: Default>(&mut self, path: &str) -> T {
        self.outside.warn_once(format!(
            "'{path}' in hiera.yaml is outside of the modules, since the interpolation at its beginning is empty: it is taken as missing"
        ));
        T::default()
    }
}

/// The path of a pattern up to the first component with wildcards, which is in the folder that the pattern is searched in.
fn first_searched(pattern: &str) -> &str {
    let fixed = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let end = pattern[fixed..].find('/').map_or(pattern.len(), |it| fixed + it);
    &pattern[..end]
}

/// Joins a path to a folder like Ruby's `Pathname#+`: resolves leading dots, and returns an absolute path unchanged.
pub(crate) fn join(folder: &str, path: &str) -> Str {
    if path.starts_with('/') {
        return path.into();
    }
    let (mut folder, mut rest) = (folder.trim_end_matches('/'), path);
    loop {
        let (first, after) = rest.split_once('/').unwrap_or((rest, ""));
        match first {
            "." | "" if !rest.is_empty() => {}
            ".." => folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent),
            _ => break,
        }
        rest = after;
    }
    match (folder, rest) {
        ("", "") => "/".into(),
        (folder, "") => folder.into(),
        (folder, rest) => format!("{folder}/{rest}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn paths_are_joined_as_ruby_does() {
        for (folder, path, joined) in [
            ("/a/b", "c.yaml", "/a/b/c.yaml"),
            ("/a/b", "./c", "/a/b/c"),
            ("/a/b", "../c", "/a/c"),
            ("/a/b", "../../../c", "/c"),
            ("/a/b", "x/../c", "/a/b/x/../c"),
            ("/a/b", "/c", "/c"),
            ("/a/b", "", "/a/b"),
            ("/a/b", ".", "/a/b"),
        ] {
            assert_eq!(join(folder, path), joined, "{folder} + {path}");
        }
    }
}
