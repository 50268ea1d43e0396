//! Discovery: classifies paths as control repositories, environments, modules, folders or files, and finds the files in them.
//!
//! Discovery uses the system, not the database: it runs before the first query, and again when names appear or disappear.

mod data;
mod kind;
mod module;

pub use kind::TargetKind;

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::HashMap;
use marotte_db::system::{FileType, ReadError, System, WalkEntry, WalkOptions, WalkProblem, resolve};
use marotte_db::{SUBMODULES_FILE_NAME, by_parts, may_be_hiera};
use marotte_hiera::config::CONFIG_FILE_NAME;
use marotte_host::layout::{self, ENVIRONMENT_FILE, EnvironmentLayout, METADATA_FILE, PUPPETFILE};
use marotte_text::Str;

/// A path that the user named, and its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The absolute path of the target.
    pub path: Utf8PathBuf,
    /// The kind of the path.
    pub kind: TargetKind,
}

/// The result of a discovery.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The paths that the user named.
    pub targets: Vec<Target>,
    /// The files to check, by path. Each real file occurs once, under its real path if the walk found it there.
    pub files: Vec<Utf8PathBuf>,
    /// The files that aren't checked, but on which findings depend, by path: metadata, configuration, code in Ruby.
    pub support: Vec<Utf8PathBuf>,
    /// The paths that could not be visited.
    pub problems: BTreeMap<Utf8PathBuf, WalkProblem>,
    /// The symbolic links that lead to nothing outside of the tree, and those that are lists of ignored files.
    pub links: BTreeSet<Utf8PathBuf>,
    /// Whether some manifest or template is a symbolic link, even one that leads nowhere, or is reached through one.
    pub has_linked_code: bool,
    /// Whether some Ruby file is one, or is reached through one.
    pub has_linked_ruby: bool,
    /// The manifests whose text decides on the name of their module.
    pub deciding: BTreeSet<Utf8PathBuf>,
    /// The environments, inner ones before those that contain them; last, the loose environment.
    pub environments: Vec<EnvironmentLayout>,
}

/// Finds the files at and below these absolute paths. Named files are included whatever their name is. Modules are searched in
/// the folders of the module path, if there are any, or else in those that each environment configures; in the second case,
/// modules outside of all environments are found by their metadata, or in folders named `modules`.
pub fn discover(
    system: &dyn System,
    paths: &[Utf8PathBuf],
    module_path: &[Utf8PathBuf],
    options: WalkOptions,
) -> Discovery {
    let mut finder = Finder {
        system,
        module_path,
        found: Discovery::default(),
        environments: BTreeSet::new(),
        modules: BTreeMap::new(),
        candidates: Vec::new(),
        no_files: Vec::new(),
        real: RealFiles::default(),
        supporting: RealFiles::default(),
    };
    for path in paths {
        finder.target(path, options);
    }
    finder.finish()
}

/// Whether a search of a folder finds a file in it, and not through a link.
pub(crate) fn finds(system: &dyn System, folder: &Utf8Path, path: &Utf8Path, options: WalkOptions) -> bool {
    let mut is_found = false;
    system.walk(folder, options, &mut |entry| {
        is_found |= matches!(&entry, WalkEntry::File { path: it, through_link: false } if it == path);
    });
    is_found
}

/// The files that a search of a folder finds in it, and not through links.
pub(crate) fn found_below(
    system: &dyn System,
    folder: &Utf8Path,
    options: WalkOptions,
) -> BTreeSet<Utf8PathBuf> {
    let mut found = BTreeSet::new();
    system.walk(folder, options, &mut |entry| {
        if let WalkEntry::File { path, through_link: false } = entry {
            found.insert(path);
        }
    });
    found
}

/// The code tree that the user means with absolute paths: these paths, the environments and modules that contain them, and the
/// module folders that the user named.
pub fn roots(system: &dyn System, paths: &[Utf8PathBuf], module_path: &[Utf8PathBuf]) -> Vec<Utf8PathBuf> {
    let around = |path: &Utf8PathBuf| -> Vec<Utf8PathBuf> {
        let is_whole = |it: &&Utf8Path| {
            kind::is_control_repository(system, it) || system.is_file(&it.join(METADATA_FILE))
        };
        path.ancestors().skip(1).filter(is_whole).map(Utf8Path::to_owned).collect()
    };
    let around = paths.iter().flat_map(around);
    crate::outermost(around.chain(paths.iter().cloned()).chain(module_path.iter().cloned()))
}

/// Whether a path has the extension of a manifest or of a template.
pub(crate) fn is_puppet(path: &Utf8Path) -> bool {
    matches!(path.extension(), Some("pp" | "epp"))
}

/// Whether a path may be that of a file to check, judging by its name.
pub(crate) fn is_candidate(path: &Utf8Path) -> bool {
    is_puppet(path) || may_be_hiera(path)
}

/// Whether the meaning of other files depends on this one, judging by its name.
pub(crate) fn is_landmark(path: &Utf8Path) -> bool {
    crate::watch::is_exclusions(path)
        || matches!(
            path.file_name(),
            Some(
                ENVIRONMENT_FILE
                    | METADATA_FILE
                    | PUPPETFILE
                    | CONFIG_FILE_NAME
                    | SUBMODULES_FILE_NAME
                    | ".gitignore"
                    | ".ignore"
            )
        )
}

/// Whether a path is that of Ruby code in which a module declares names for manifests, or of a provider for its resource types.
fn is_ruby(path: &Utf8Path) -> bool {
    path.extension() == Some("rb")
        && [
            "/lib/puppet/functions/",
            "/lib/puppet/parser/functions/",
            "/lib/puppet/provider/",
            "/lib/puppet/type/",
            "/lib/puppet/datatypes/",
            "/lib/facter/",
        ]
        .iter()
        .any(|folder| path.as_str().contains(folder))
}

/// Whether a path is that of a template in ERB.
pub(crate) fn is_erb(path: &Utf8Path) -> bool {
    path.extension() == Some("erb") && path.as_str().contains("/templates/")
}

/// Whether a path may be that of task metadata, judging by its name.
fn is_task_metadata(path: &Utf8Path) -> bool {
    path.extension() == Some("json") && path.parent().and_then(Utf8Path::file_name) == Some("tasks")
}

/// Whether a path may be that of a plan in YAML, judging by its name.
fn is_yaml_plan(path: &Utf8Path) -> bool {
    matches!(path.extension(), Some("yaml" | "yml")) && path.components().any(|it| it.as_str() == "plans")
}

/// Whether findings depend on a file that isn't itself checked.
pub(crate) fn is_support(path: &Utf8Path) -> bool {
    let named = [ENVIRONMENT_FILE, METADATA_FILE, PUPPETFILE, SUBMODULES_FILE_NAME];
    path.file_name().is_some_and(|it| named.contains(&it)) || is_ruby(path) || is_erb(path)
}

struct Finder<'a> {
    system: &'a dyn System,
    module_path: &'a [Utf8PathBuf],
    found: Discovery,
    /// The folders of environments.
    environments: BTreeSet<Utf8PathBuf>,
    /// Folders that are modules because of their `metadata.json`, or of their place.
    modules: BTreeMap<Utf8PathBuf, Str>,
    /// Files that are data if a layer includes them, with their real paths if these are known, and whether they are reached
    /// through links.
    candidates: Vec<(Utf8PathBuf, Option<Utf8PathBuf>, bool)>,
    /// Paths that are not regular files, but that a layer may include by their names, and whether they are folders.
    no_files: Vec<(Utf8PathBuf, bool)>,
    /// The path under which each real file is kept, and whether it leads through a link.
    real: RealFiles,
    /// Likewise for files that aren't checked themselves, but on which findings depend.
    supporting: RealFiles,
}

/// The path under which each real file is kept, and whether it leads through a link.
type RealFiles = HashMap<Utf8PathBuf, (bool, Utf8PathBuf)>;

fn keep(
    system: &dyn System,
    files: &mut RealFiles,
    path: &Utf8Path,
    real: Option<Utf8PathBuf>,
    through_link: bool,
) {
    let real = real.or_else(|| system.canonicalize(path).ok()).unwrap_or_else(|| path.to_owned());
    let candidate = (through_link, path.to_owned());
    files.entry(real).and_modify(|kept| *kept = (*kept).clone().min(candidate.clone())).or_insert(candidate);
}

impl Finder<'_> {
    fn target(&mut self, path: &Utf8Path, options: WalkOptions) {
        let kind = match self.system.metadata(path).map(|metadata| metadata.file_type) {
            Ok(FileType::Directory) => kind::of_directory(self.system, path),
            Ok(FileType::File) => TargetKind::File,
            Ok(FileType::Other) => {
                self.problem(path, WalkProblem::Unreadable(ReadError::NotAFile));
                TargetKind::File
            }
            Err(error) => {
                self.problem(path, WalkProblem::Unreadable(error.into()));
                TargetKind::Missing
            }
        };
        self.surroundings(path);
        match kind {
            // Ruby is read as a part of its module.
            TargetKind::File if matches!(path.extension(), Some("rb" | "erb")) => {}
            TargetKind::File => {
                let real = self.system.canonicalize(path).unwrap_or_else(|_| path.to_owned());
                let through_link = real != path;
                self.file(path, Some(real), through_link);
            }
            TargetKind::Missing => {}
            TargetKind::Environments => {
                for environment in kind::environments(self.system, path) {
                    self.environment(&environment);
                }
                self.walk(path, options);
            }
            TargetKind::ControlRepository => {
                self.environment(path);
                self.walk(path, options);
            }
            TargetKind::Module | TargetKind::Folder => self.walk(path, options),
        }
        self.found.targets.push(Target { path: path.to_owned(), kind });
    }

    /// Records the environment and the module that contain a path.
    fn surroundings(&mut self, path: &Utf8Path) {
        for folder in path.ancestors().skip(1) {
            if self.system.is_file(&folder.join(METADATA_FILE)) {
                self.module(folder);
            }
            if kind::is_control_repository(self.system, folder) {
                self.environment(folder);
            }
        }
    }

    fn walk(&mut self, root: &Utf8Path, options: WalkOptions) {
        let real_root = self.system.canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let mut entries = Vec::new();
        self.system.walk(root, options, &mut |entry| entries.push(entry));
        for entry in entries {
            let is_linked = matches!(
                &entry,
                WalkEntry::File { through_link: true, .. }
                    | WalkEntry::Problem { problem: WalkProblem::Unreadable(ReadError::NotFound), .. }
            );
            self.found.has_linked_code |= is_linked && is_puppet(entry.path());
            self.found.has_linked_ruby |= is_linked && entry.path().extension() == Some("rb");
            match entry {
                WalkEntry::Directory(path) => {
                    let parent = path.parent().filter(|it| path != root && it.starts_with(root));
                    if let Some(folder) = parent
                        && kind::holds_environment(self.system, folder, &path)
                        && !kind::is_of_tests(root, folder)
                    {
                        self.environment(folder);
                    }
                    if is_landmark(&path) {
                        self.problem(&path, WalkProblem::Unreadable(ReadError::NotAFile));
                    } else if may_be_hiera(&path) {
                        self.no_files.push((path, true));
                    }
                }
                WalkEntry::File { path, through_link } if is_support(&path) => {
                    let folder = path.parent().unwrap_or(root);
                    match path.file_name() {
                        Some(ENVIRONMENT_FILE) if !kind::is_of_tests(root, folder) => {
                            self.environment(folder);
                        }
                        Some(METADATA_FILE) => self.module(folder),
                        _ => {}
                    }
                    let below = || path.strip_prefix(root).ok().map(|rest| real_root.join(rest));
                    let real = if through_link { None } else { below() };
                    self.support(&path, real, through_link);
                }
                WalkEntry::File { path, through_link } => match path.file_name() {
                    _ if !is_candidate(&path) => {}
                    _ => {
                        if is_task_metadata(&path) || is_yaml_plan(&path) {
                            self.support(&path, None, through_link);
                        }
                        let below = || path.strip_prefix(root).ok().map(|rest| real_root.join(rest));
                        let real = if through_link { None } else { below() };
                        if is_puppet(&path) {
                            self.file(&path, real, through_link);
                        } else {
                            self.candidates.push((path, real, through_link));
                        }
                    }
                },
                WalkEntry::LinkedList(path) => drop(self.found.links.insert(path)),
                WalkEntry::Problem { path, problem } => {
                    // What is missing in the tree is noticed when it appears.
                    if problem == WalkProblem::Unreadable(ReadError::NotFound)
                        && !resolve(self.system, &path).real.starts_with(&real_root)
                    {
                        self.found.links.insert(path.clone());
                    }
                    // A dangling link or an invalid name only matters where a file to check should be.
                    let always_matters = match &problem {
                        WalkProblem::Loop(_)
                        | WalkProblem::LeavesTree
                        | WalkProblem::TooMuch
                        | WalkProblem::NotAFolder => true,
                        WalkProblem::NotUtf8 => false,
                        WalkProblem::Unreadable(ReadError::NotFound | ReadError::NotAFile) => false,
                        WalkProblem::Unreadable(_) => true,
                    };
                    if always_matters
                        || is_puppet(&path)
                        || is_landmark(&path)
                        || is_ruby(&path)
                        || is_task_metadata(&path)
                        || is_yaml_plan(&path)
                        || is_erb(&path)
                    {
                        self.problem(&path, problem);
                    } else if problem == WalkProblem::Unreadable(ReadError::NotAFile) && may_be_hiera(&path) {
                        self.no_files.push((path, false));
                    }
                }
            }
        }
    }

    /// Keeps a file unless its real file is already kept, under a better or an earlier path. `real` is its real path, if known.
    fn file(&mut self, path: &Utf8Path, real: Option<Utf8PathBuf>, through_link: bool) {
        keep(self.system, &mut self.real, path, real, through_link);
    }

    /// Keeps a file on which findings depend, likewise.
    fn support(&mut self, path: &Utf8Path, real: Option<Utf8PathBuf>, through_link: bool) {
        keep(self.system, &mut self.supporting, path, real, through_link);
    }

    fn problem(&mut self, path: &Utf8Path, problem: WalkProblem) {
        self.found.problems.entry(path.to_owned()).or_insert(problem);
    }

    fn environment(&mut self, folder: &Utf8Path) {
        self.environments.insert(folder.to_owned());
    }

    fn module(&mut self, folder: &Utf8Path) {
        if let Some(name) = module::name(self.system, folder, &mut self.found.deciding) {
            self.modules.insert(folder.to_owned(), name);
        }
    }

    /// Records what the settings of an environment name, but that cannot be read. Nothing is wrong with what does not exist:
    /// deployments create it, or the reference passes over it.
    fn settings(&mut self, layout: &EnvironmentLayout) {
        for folder in &layout.module_path {
            match self.system.metadata(folder).map(|it| it.file_type) {
                Ok(FileType::Directory) => match self.system.list(folder) {
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        self.problem(folder, WalkProblem::Unreadable(error.into()));
                    }
                    _ => {
                        for link in layout::linked_modules(self.system, folder) {
                            if self.system.leaves(&link) {
                                self.problem(&link, WalkProblem::LeavesTree);
                            }
                        }
                    }
                },
                Ok(FileType::File | FileType::Other) => self.problem(folder, WalkProblem::NotAFolder),
                Err(_) => {}
            }
        }
        if let Some(manifest) = &layout.main_manifest
            && self.system.metadata(manifest).is_ok_and(|it| it.file_type == FileType::Other)
        {
            self.problem(manifest, WalkProblem::Unreadable(ReadError::NotAFile));
        }
    }

    /// The names of folders that may be modules, but have no metadata.
    fn unnamed_modules(&self) -> BTreeSet<String> {
        let files = self.real.values().map(|(_, path)| path.as_str());
        let folders: BTreeSet<&str> =
            files.filter_map(|path| Some(path.rsplit_once("/manifests/")?.0)).collect();
        let folders = folders.into_iter().map(Utf8Path::new);
        let folders = folders.filter(|it| !it.ancestors().any(|it| self.modules.contains_key(it)));
        folders.filter_map(|it| it.file_name().map(str::to_lowercase)).collect()
    }

    /// The folders of modules without metadata: those in a folder named `modules`, and those whose code defines something of the
    /// folder's name, as far as only one of a name has manifests. Tests copy modules, or parts of them, into such folders.
    fn modules_without_metadata(&mut self, layouts: &[EnvironmentLayout]) -> BTreeMap<Utf8PathBuf, Str> {
        let mut deciding = std::mem::take(&mut self.found.deciding);
        // Modules of environments are known without their code.
        let is_elsewhere = |folder: &Utf8Path| {
            !layouts.iter().any(|it| it.root.as_ref().is_some_and(|it| folder.starts_with(it)))
                && !self.module_path.iter().any(|it| folder.starts_with(it))
        };
        let found = self.lone_modules(|folder| {
            folder.parent().and_then(Utf8Path::file_name) == Some("modules")
                || is_elsewhere(folder) && module::is_named_by_code(self.system, folder, &mut deciding)
        });
        self.found.deciding = deciding;
        found
    }

    /// The folders with manifests and without metadata that are modules, as far as only one of a name has manifests.
    fn lone_modules(&self, mut is_module: impl FnMut(&Utf8Path) -> bool) -> BTreeMap<Utf8PathBuf, Str> {
        let files = self.real.values().map(|(_, path)| path.as_str());
        let folders: BTreeSet<&Utf8Path> =
            files.filter_map(|path| Some(path.split_once("/manifests/")?.0.into())).collect();
        let mut is_place = |it: &&Utf8Path| {
            !it.components().any(|it| it.as_str() == "spec")
                && !it.ancestors().any(|it| self.modules.contains_key(it))
                && !self.system.is_file(&it.join(METADATA_FILE))
                && is_module(it)
        };
        let mut found: BTreeMap<Str, Vec<&Utf8Path>> = BTreeMap::new();
        for folder in folders.into_iter().filter(|it| is_place(it)) {
            if let Some(name) = folder.file_name().filter(|it| layout::is_module_name(it)) {
                found.entry(name.into()).or_default().push(folder);
            }
        }
        let others: BTreeSet<&Str> = self.modules.values().collect();
        let lone = found.into_iter().filter(|(name, folders)| folders.len() == 1 && !others.contains(name));
        lone.flat_map(|(name, folders)| folders.into_iter().map(move |it| (it.to_owned(), name.clone())))
            .collect()
    }

    fn finish(mut self) -> Discovery {
        // In descending order, a folder precedes those that contain it.
        let environments = self.environments.iter().rev();
        let mut layouts: Vec<_> =
            environments.map(|it| layout::layout(self.system, it, self.module_path)).collect();
        let mut loose = layout::loose_layout(self.system, self.module_path);
        let without_metadata = self.modules_without_metadata(&layouts);
        self.modules.extend(without_metadata);
        let unnamed = self.unnamed_modules();
        for (folder, name) in std::mem::take(&mut self.modules) {
            let home =
                layouts.iter_mut().find(|it| it.root.as_ref().is_some_and(|it| folder.starts_with(it)));
            // No configuration decides which of two modules the name refers to.
            let is_disputed = home.is_none() && unnamed.contains(name.to_lowercase().as_str());
            let is_loose = home.is_none();
            let modules = &mut home.unwrap_or(&mut loose).modules;
            if modules.name(&folder).is_some() || is_disputed {
                continue;
            }
            // The module that is worked on, rather than its copy in the path that was given.
            let is_of_path = |folder: &Utf8Path| self.module_path.iter().any(|it| folder.starts_with(it));
            if is_loose
                && !is_of_path(&folder)
                && modules.folder(&name.to_lowercase()).is_some_and(is_of_path)
            {
                modules.replace(&folder, name);
            } else {
                modules.insert(&folder, name);
            }
        }
        layouts.push(loose);
        layouts.iter().for_each(|it| self.settings(it));
        let mut layers = data::Layers::new(self.system, &layouts);
        for (path, real, through_link) in std::mem::take(&mut self.candidates) {
            if path.file_name() == Some(CONFIG_FILE_NAME) {
                for folder in layers.folders(&path) {
                    if self.system.metadata(&folder).is_ok_and(|it| it.file_type != FileType::Directory) {
                        self.problem(&folder, WalkProblem::NotAFolder);
                    }
                }
            }
            if layers.have(&path) {
                self.file(&path, real, through_link);
            }
        }
        for (path, is_folder) in std::mem::take(&mut self.no_files) {
            // Globs do not match folders.
            if if is_folder { layers.have_fixed(&path) } else { layers.have(&path) } {
                self.problem(&path, WalkProblem::Unreadable(ReadError::NotAFile));
            }
        }
        self.found.support =
            std::mem::take(&mut self.supporting).into_values().map(|(_, path)| path).collect();
        self.found.support.sort_unstable();
        self.found.files = std::mem::take(&mut self.real).into_values().map(|(_, path)| path).collect();
        self.found.files.sort_unstable_by(|one, other| by_parts(one, other));
        self.found.files.dedup();
        self.found.environments = layouts;
        self.found
    }
}

#[cfg(test)]
mod tests;
