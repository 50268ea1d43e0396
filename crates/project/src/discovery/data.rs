use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::HashMap;
use marotte_db::System;
use marotte_hiera::Layer;
use marotte_hiera::config::{CONFIG_FILE_NAME, ConfigFile, Levels, levels};
use marotte_host::layout::EnvironmentLayout;
use marotte_pcore::dialect::Dialect;
use marotte_resolve::data_files::data_kind;

/// A size limit beyond any real configuration.
const MAX_CONFIGURATION: u64 = 4 << 20;

/// The data layers of environments and modules.
pub(super) struct Layers<'a> {
    system: &'a dyn System,
    environments: &'a [EnvironmentLayout],
    /// The levels of the layer in a folder. None if it has no readable configuration.
    known: HashMap<Utf8PathBuf, Option<Levels>>,
}

impl Layers<'_> {
    pub(super) fn new<'a>(system: &'a dyn System, environments: &'a [EnvironmentLayout]) -> Layers<'a> {
        Layers { system, environments, known: HashMap::default() }
    }

    /// Whether a file is the configuration of a layer, or data that a layer may read.
    pub(super) fn have(&mut self, path: &Utf8Path) -> bool {
        let Some((folder, layer)) = self.layer(path) else { return false };
        path == folder.join(CONFIG_FILE_NAME)
            || self.levels(folder, &layer).is_some_and(|it| data_kind(it, path).is_some())
    }

    /// Whether a layer reads a path for every node.
    pub(super) fn have_fixed(&mut self, path: &Utf8Path) -> bool {
        let Some((folder, layer)) = self.layer(path) else { return false };
        self.levels(folder, &layer).is_some_and(|it| !it.fixed(path).is_empty())
    }

    /// The folders, outermost first, that contain the files of the layer with this configuration.
    pub(super) fn folders(&mut self, configuration: &Utf8Path) -> Vec<Utf8PathBuf> {
        let Some((folder, layer)) = self.layer(configuration) else { return Vec::new() };
        if configuration.parent() != Some(folder) {
            return Vec::new();
        }
        let patterns = self.levels(folder, &layer).into_iter().flat_map(|it| it.iter());
        let patterns = patterns.flat_map(|it| it.files.iter().flatten());
        let files: BTreeSet<&Utf8Path> = patterns.map(|it| Utf8Path::new(&**it.folder())).collect();
        let around = files.into_iter().flat_map(|it| it.ancestors());
        let below: BTreeSet<&Utf8Path> =
            around.filter(|it| *it != folder && it.starts_with(folder)).collect();
        below.into_iter().map(Utf8Path::to_owned).collect()
    }

    fn levels(&mut self, folder: &Utf8Path, layer: &Layer) -> Option<&Levels> {
        let system = self.system;
        self.known.entry(folder.to_owned()).or_insert_with(|| read(system, folder, layer)).as_ref()
    }

    /// The layer that a path belongs to: that of the module that contains it, or else of the environment.
    fn layer<'p>(&self, path: &'p Utf8Path) -> Option<(&'p Utf8Path, Layer)> {
        path.ancestors().skip(1).find_map(|folder| {
            let module = |it: &EnvironmentLayout| it.modules.name(folder).map(|it| it.to_lowercase());
            if let Some(name) = self.environments.iter().find_map(module) {
                return Some((folder, Layer::Module(name)));
            }
            let is_root = self.environments.iter().any(|it| it.root.as_deref() == Some(folder));
            is_root.then_some((folder, Layer::Environment))
        })
    }
}

fn read(system: &dyn System, folder: &Utf8Path, layer: &Layer) -> Option<Levels> {
    let path = folder.join(CONFIG_FILE_NAME);
    let bytes = system.read(&path, MAX_CONFIGURATION).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let config = ConfigFile::parse(path.as_str(), &text).ok()?;
    levels(Dialect::puppet8(), layer, &config, &text).ok()
}
