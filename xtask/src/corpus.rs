//! `cargo xtask corpus`: real Puppet modules, as Debian packages them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, console, files, process};

/// Fetch Debian's `puppet-module-*` packages and unpack them; needs no root.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder to fill: packages go to `debs`, their files to `tree`.
    #[arg(long, default_value = "corpus")]
    dir: PathBuf,
}

/// The folder of the modules themselves, inside `tree`; the rest is documentation with examples.
const MODULES: &str = "usr/share/puppet";

/// The name of the list of unpacked packages and their versions.
const UNPACKED: &str = "unpacked.tsv";

/// One `puppet-module-*` package of the distribution.
struct Package {
    name: String,
    version: String,
    /// The file that `apt-get download` creates for it.
    file: String,
}

/// Runs `cargo xtask corpus`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let debs = arguments.dir.join("debs");
    files::make_folder(&debs)?;
    let packages = available()?;
    let downloaded = download(&packages, &debs)?;
    let unpacked = unpack(&packages, &debs, &arguments.dir)?;
    console::say(&format!("{} packages ({downloaded} downloaded, {unpacked} unpacked)", packages.len()));
    count(&arguments.dir)
}

/// The versions of the unpacked packages, by name.
pub(crate) fn versions(corpus: &Path) -> Result<BTreeMap<String, String>> {
    let list = files::read(&corpus.join(UNPACKED))
        .map_err(|error| format!("{error} (run `cargo xtask corpus` first)"))?;
    let pairs = list.lines().filter_map(|line| line.split_once('\t'));
    Ok(pairs.map(|(name, version)| (name.to_owned(), version.to_owned())).collect())
}

/// The folder that the packages are unpacked into.
pub(crate) fn tree(corpus: &Path) -> PathBuf {
    corpus.join("tree")
}

/// Returns the packages in apt's package lists.
fn available() -> Result<Vec<Package>> {
    let names =
        process::output(Command::new("apt-cache").args(["--names-only", "search", "^puppet-module-"]))?;
    let names: Vec<&str> = names.lines().filter_map(|line| line.split_whitespace().next()).collect();
    if names.is_empty() {
        return Err(
            "apt knows no `puppet-module-*` package: run `apt-get update` (as root), then try again".into()
        );
    }
    let records = process::output(Command::new("apt-cache").args(["--no-all-versions", "show"]).args(names))?;
    let mut packages: Vec<Package> = records.split("\n\n").filter_map(package).collect();
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    packages.dedup_by(|a, b| a.name == b.name);
    Ok(packages)
}

/// Reads one record of `apt-cache show`.
fn package(record: &str) -> Option<Package> {
    let field = |name: &str| {
        record.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).map(str::to_owned)
    };
    let (name, version, architecture) = (field("Package")?, field("Version")?, field("Architecture")?);
    let file = format!("{name}_{}_{architecture}.deb", version.replace(':', "%3a"));
    Some(Package { name, version, file })
}

/// Downloads the missing packages and returns their number.
fn download(packages: &[Package], debs: &Path) -> Result<usize> {
    let missing: Vec<&Package> = packages.iter().filter(|it| !debs.join(&it.file).exists()).collect();
    if !missing.is_empty() {
        let names = missing.iter().map(|it| format!("{}={}", it.name, it.version));
        let mut command = Command::new("apt-get");
        command.args(["--quiet", "download"]).args(names).current_dir(debs);
        process::output(&mut command).map_err(|error| {
            format!("{error}; if apt's lists are out of date, run `apt-get update` (as root)")
        })?;
    }
    Ok(missing.len())
}

/// Unpacks everything unless exactly these versions are unpacked already; returns the number of packages unpacked.
fn unpack(packages: &[Package], debs: &Path, corpus: &Path) -> Result<usize> {
    let wanted: String = packages.iter().map(|it| format!("{}\t{}\n", it.name, it.version)).collect();
    let record = corpus.join(UNPACKED);
    if record.exists() && files::read(&record)? == wanted {
        return Ok(0);
    }
    let tree = tree(corpus);
    files::remove_folder(&tree)?;
    for package in packages {
        process::output(Command::new("dpkg-deb").arg("-x").arg(debs.join(&package.file)).arg(&tree))?;
    }
    files::write(&record, &wanted)?;
    Ok(packages.len())
}

/// Prints the numbers of files, separately for modules and documentation.
fn count(corpus: &Path) -> Result<()> {
    for (folder, what) in [(MODULES, "modules"), ("usr/share/doc", "documentation")] {
        for (extension, kind) in [("pp", "manifests"), ("epp", "templates")] {
            let folder = tree(corpus).join(folder);
            let found = files::regular_files(&folder, &[extension])?;
            let bytes = found.iter().map(|path| files::size(&folder.join(path))).sum::<Result<u64>>()?;
            console::say(&format!("{what:>13}: {:5} {kind} ({extension}), {bytes:8} bytes", found.len()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::package;

    #[test]
    fn epoch_is_encoded_in_file_name() {
        let record = "Package: puppet-module-x\nArchitecture: all\nVersion: 1:2.0-3\nDescription: y\n";
        let package = package(record).expect("a whole record");
        assert_eq!(package.version, "1:2.0-3");
        assert_eq!(package.file, "puppet-module-x_1%3a2.0-3_all.deb");
    }

    #[test]
    fn record_without_version_is_no_package() {
        assert!(package("Package: puppet-module-x\nArchitecture: all\n").is_none());
    }
}
