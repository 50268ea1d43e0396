use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::normalize;
use marotte_db::{Modules, SUBMODULES_FILE_NAME, System, submodules};
use marotte_resolve::environment_conf::{ENVIRONMENT_FILE, setting};
use marotte_resolve::puppetfile::{PUPPETFILE, Puppetfile};

use super::{EnvironmentLayout, wildcards};

/// A size limit beyond any real configuration.
const MAX_CONFIGURATION: u64 = 1 << 20;

/// A size limit beyond any real list of modules.
const MAX_PUPPETFILE: u64 = 4 << 20;

/// The limit on the depth of folders of main manifests.
const MAX_DEPTH: usize = 64;

/// The locations of an environment's modules and main manifest.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Environment {
    pub(super) module_path: Vec<Utf8PathBuf>,
    pub(super) main_manifest: Utf8PathBuf,
}

/// Reads an environment's configuration. Missing settings, or a missing file, get the reference's defaults.
pub(super) fn read(system: &dyn System, folder: &Utf8Path) -> Environment {
    let bytes = system.read(&folder.join(ENVIRONMENT_FILE), MAX_CONFIGURATION).unwrap_or_default();
    let mut environment = parse(folder, &String::from_utf8_lossy(&bytes));
    if environment.module_path.iter().any(|it| wildcards::has_wildcards(it.as_str())) {
        let expand = |it: Utf8PathBuf| match wildcards::has_wildcards(it.as_str()) {
            // A path that is not understood stays, so that the environment is not complete.
            true => wildcards::folders(system, it.as_str()).unwrap_or_else(|| vec![it]),
            false => vec![it],
        };
        environment.module_path = environment.module_path.into_iter().flat_map(expand).collect();
    }
    environment
}

/// Determines the layout of an environment. Module folders that the user named replace its own.
pub fn layout(system: &dyn System, folder: &Utf8Path, named: &[Utf8PathBuf]) -> EnvironmentLayout {
    let Environment { module_path, main_manifest } = read(system, folder);
    // A folder that only exists on a server, or that isn't populated yet, may contain any module.
    let is_whole = !named.is_empty()
        || is_told(system, folder)
            && module_path.iter().all(|it| system.is_directory(it))
            && !lacks_submodules(system, folder, &module_path);
    let module_path = if named.is_empty() { module_path } else { named.to_vec() };
    let is_whole = is_whole && !module_path.iter().any(|it| leads_out(system, it));
    let modules = modules(system, &module_path);
    let has_modules = modules.iter().next().is_some();
    EnvironmentLayout {
        root: Some(folder.to_owned()),
        is_complete: is_whole && has_modules && !lacks_modules(system, folder, &modules),
        manifests: manifests(system, &main_manifest),
        main_manifest: Some(main_manifest),
        module_path,
        modules,
    }
}

/// Whether the environment's `Puppetfile` lists modules that are missing: they haven't been fetched, and their definitions are
/// unknown.
fn lacks_modules(system: &dyn System, folder: &Utf8Path, modules: &Modules) -> bool {
    let Ok(bytes) = system.read(&folder.join(PUPPETFILE), MAX_PUPPETFILE) else { return false };
    let listed = Puppetfile::read(&String::from_utf8_lossy(&bytes)).modules;
    listed.iter().any(|it| modules.folder(&it.name).is_none())
}

/// Whether a module folder, or a module in it, is a link to a place where reading isn't allowed.
fn leads_out(system: &dyn System, folder: &Utf8Path) -> bool {
    system.leaves(folder) || linked_modules(system, folder).iter().any(|it| system.leaves(it))
}

/// The links in a folder of modules, in order of their names.
pub fn linked_modules(system: &dyn System, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = system.list(folder).unwrap_or_default();
    let links = entries.into_iter().filter(|it| it.is_link && is_module_name(&it.name));
    links.map(|it| folder.join(it.name)).collect()
}

/// Whether an environment's module path is certain: it has a configuration, or it is in a folder where the defaults apply.
fn is_told(system: &dyn System, folder: &Utf8Path) -> bool {
    system.is_file(&folder.join(ENVIRONMENT_FILE))
        || folder.parent().and_then(Utf8Path::file_name) == Some("environments")
}

/// The layout outside of all environments: modules in folders that the user named.
pub fn loose_layout(system: &dyn System, module_path: &[Utf8PathBuf]) -> EnvironmentLayout {
    EnvironmentLayout {
        module_path: module_path.to_vec(),
        modules: modules(system, module_path),
        is_complete: !module_path.is_empty() && !module_path.iter().any(|it| leads_out(system, it)),
        ..EnvironmentLayout::default()
    }
}

fn modules(system: &dyn System, module_path: &[Utf8PathBuf]) -> Modules {
    let mut modules = Modules::default();
    for folder in module_path {
        for entry in system.list(folder).unwrap_or_default() {
            let path = folder.join(&entry.name);
            // A link to a folder is a module, too; an empty folder is to be filled by git.
            if (entry.is_directory || system.is_directory(&path))
                && !system.leaves(&path)
                && is_module_name(&entry.name)
                && !is_empty(system, &path)
            {
                modules.insert(&path, entry.name.as_str().into());
            }
        }
    }
    modules
}

/// Whether some modules are git submodules that haven't been fetched: their folders are empty or missing.
fn lacks_submodules(system: &dyn System, folder: &Utf8Path, module_path: &[Utf8PathBuf]) -> bool {
    let Ok(bytes) = system.read(&folder.join(SUBMODULES_FILE_NAME), MAX_CONFIGURATION) else { return false };
    submodules(&String::from_utf8_lossy(&bytes)).map(|path| normalize(&folder.join(path))).any(|path| {
        let is_module = path.parent().is_some_and(|it| module_path.iter().any(|folder| folder == it));
        is_module && (!system.is_directory(&path) || is_empty(system, &path))
    })
}

fn is_empty(system: &dyn System, folder: &Utf8Path) -> bool {
    system.list(folder).is_ok_and(|it| it.is_empty())
}

/// The reference ignores folders with other names, too (`Puppet::Module.is_module_directory_name?`).
pub fn is_module_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase())
        && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
}

/// The files of a main manifest, in order of their full paths (C22), and the folders with names of manifests, which cannot
/// be read as such: for the reference, they are errors.
pub(super) fn manifests(system: &dyn System, main: &Utf8Path) -> Vec<Utf8PathBuf> {
    if system.is_file(main) {
        return vec![main.to_owned()];
    }
    let mut files = Vec::new();
    let mut open = vec![(main.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        // As `Dir.glob` finds them: hidden names are skipped, and links to folders aren't followed.
        let entries = system.list(&folder).unwrap_or_default().into_iter();
        for it in entries.filter(|it| !it.name.starts_with('.')) {
            let path = folder.join(&it.name);
            if path.extension() == Some("pp") && (!it.is_link || system.metadata(&path).is_ok()) {
                files.push(path.clone());
            }
            if it.is_directory && !it.is_link && depth < MAX_DEPTH {
                open.push((path, depth + 1));
            }
        }
    }
    // As texts: `nodes.pp` comes before what is in `nodes`.
    files.sort_by(|one, other| one.as_str().cmp(other.as_str()));
    files
}

fn parse(folder: &Utf8Path, text: &str) -> Environment {
    let module_path = setting(text, "modulepath").unwrap_or("modules");
    let manifest = setting(text, "manifest").unwrap_or("manifests");
    let separator = if cfg!(windows) { ';' } else { ':' };
    Environment {
        module_path: module_path
            .split(separator)
            .map(str::trim)
            // `$basemodulepath` and the like are settings of a server that isn't available.
            .filter(|path| !path.is_empty() && !path.contains('$'))
            .map(|path| normalize(&folder.join(path)))
            .collect(),
        main_manifest: normalize(&folder.join(manifest)),
    }
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    #[test]
    fn main_manifests_are_those_that_a_glob_of_ruby_finds() {
        let system = MemorySystem::with_files([
            ("/m/b.pp", ""),
            ("/m/a/x.pp", ""),
            ("/m/a.pp", ""),
            ("/m/.a/x.pp", ""),
            ("/m/.#b.pp", ""),
            ("/m/read.me", ""),
            ("/other/y.pp", ""),
            ("/m/folder.pp/x.pp", ""),
        ]);
        for (link, target) in
            [("/m/up", ".."), ("/m/other", "/other"), ("/m/y.pp", "/other/y.pp"), ("/m/z.pp", "/none")]
        {
            system.link(link, target);
        }
        assert_eq!(
            manifests(&system, "/m".into()),
            ["/m/a.pp", "/m/a/x.pp", "/m/b.pp", "/m/folder.pp", "/m/folder.pp/x.pp", "/m/y.pp"]
        );
    }

    #[test]
    fn an_empty_configuration_has_the_defaults() {
        let environment = parse("/env".into(), "# modulepath = x\n");
        assert_eq!(environment.module_path, ["/env/modules"]);
        assert_eq!(environment.main_manifest, "/env/manifests");
    }

    #[test]
    fn modules_may_be_in_folders_that_are_not_here() {
        let is_complete = |module_path: &str, named: &[Utf8PathBuf]| {
            let system = MemorySystem::with_files([("/env/modules/a/manifests/init.pp", "")]);
            system.write_file("/env/environment.conf", format!("modulepath = {module_path}\n"));
            layout(&system, "/env".into(), named).is_complete
        };
        assert!(is_complete("modules", &[]));
        assert!(is_complete("modules:$basemodulepath", &[]));
        assert!(!is_complete("modules:/srv/private/modules", &[]));
        assert!(!is_complete("site:modules", &[]));
        let system = MemorySystem::with_files([("/env/modules/a/manifests/init.pp", "")]);
        system.write_file("/env/environment.conf", "");
        system.write_file(
            "/env/.gitmodules",
            "[submodule \"b\"]\n\tpath = modules/b\n\turl = https://example.com/b\n",
        );
        assert!(!layout(&system, "/env".into(), &[]).is_complete);
        system.write_file("/env/modules/b/manifests/init.pp", "");
        assert!(layout(&system, "/env".into(), &[]).is_complete);
        assert!(
            is_complete("site:modules", &["/env/modules".into()]),
            "whoever names the folders says which there are"
        );
    }

    /// A folder that the reference does not take for a module hides no module whose name differs in case.
    #[test]
    fn folders_with_other_names_are_no_modules() {
        let files = ["Web", "web", "my-web", "_web", "2web", "web2"];
        let files = files.map(|it| (format!("/env/modules/{it}/manifests/init.pp"), ""));
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let modules = modules(&MemorySystem::with_files(files), &["/env/modules".into()]);
        let found: Vec<(&str, &str)> =
            modules.iter().map(|(name, folder)| (&**name, folder.as_str())).collect();
        assert_eq!(found, [("web", "/env/modules/web"), ("web2", "/env/modules/web2")]);
    }

    #[test]
    fn settings_of_the_server_are_left_out() {
        let text = "modulepath = site:./modules:/opt/m:$basemodulepath\nmanifest=manifests/site.pp\n";
        let environment = parse("/env".into(), text);
        assert_eq!(environment.module_path, ["/env/site", "/env/modules", "/opt/m"]);
        assert_eq!(environment.main_manifest, "/env/manifests/site.pp");
    }
}
