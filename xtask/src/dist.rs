//! `cargo xtask dist`: packages for users of marotte, in `target/packages`.

mod check;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;

use crate::{Result, console, files, process};

/// Make packages: an archive with a static binary, packages for Debian and RPM, a wheel for PyPI, checksums and a bill of materials.
///
/// Needs `musl-tools`, and for the packages `cargo install cargo-deb cargo-generate-rpm cargo-cyclonedx` and `pip install maturin`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The platform to build for; the default links everything statically.
    #[arg(long, default_value = "x86_64-unknown-linux-musl")]
    target: String,

    /// Make only these packages.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Package>,

    /// Install each package into a clean folder, and let it check the example.
    #[arg(long)]
    check: bool,
}

/// A kind of package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Package {
    /// `marotte-VERSION-TARGET.tar.gz`.
    Archive,
    /// A package for Debian and Ubuntu.
    Deb,
    /// A package for Red Hat, SUSE and similar distributions.
    Rpm,
    /// A wheel for `pip install`.
    Wheel,
    /// A list of all components of the binary, in the CycloneDX format.
    Sbom,
}

/// The folders, and the target platform.
struct Dist {
    root: PathBuf,
    target: String,
    packages: PathBuf,
    version: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = files::repository();
    let packages = root.join("target/packages");
    let dist = Dist { version: version(&root)?, packages, target: arguments.target.clone(), root };
    let wanted = |package| arguments.only.is_empty() || arguments.only.contains(&package);
    files::remove_folder(&dist.packages)?;
    files::make_folder(&dist.packages)?;

    dist.build()?;
    dist.documents()?;
    for package in Package::value_variants().iter().copied().filter(|package| wanted(*package)) {
        console::say(&format!("making {package:?}"));
        match package {
            Package::Archive => dist.archive()?,
            Package::Deb => dist.deb()?,
            Package::Rpm => dist.rpm()?,
            Package::Wheel => dist.wheel()?,
            Package::Sbom => dist.sbom()?,
        }
    }
    dist.checksums()?;
    if arguments.check { check::run(&dist) } else { Ok(()) }
}

/// Returns the version of the workspace.
fn version(root: &Path) -> Result<String> {
    let manifest: toml::Table = toml::from_str(&files::read(&root.join("Cargo.toml"))?)?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    Ok(version.ok_or("the workspace has no version")?.to_owned())
}

impl Dist {
    fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&self.root);
        cargo
    }

    fn binary(&self) -> PathBuf {
        self.root.join("target").join(&self.target).join("dist/marotte")
    }

    fn build(&self) -> Result<()> {
        let mut cargo = self.cargo();
        cargo.args([
            "build",
            "--locked",
            "--profile",
            "dist",
            "--package",
            "marotte",
            "--target",
            &self.target,
        ]);
        process::output(&mut cargo)?;
        Ok(())
    }

    /// Manual pages and completion scripts, printed by the binary itself.
    fn documents(&self) -> Result<()> {
        let folder = self.root.join("target/documents");
        let print = |arguments: &[&str], name: &str| -> Result<()> {
            let text = process::output(Command::new(self.binary()).args(arguments))?;
            files::write(&folder.join(name), &text)
        };
        print(&["man"], "man/marotte.1")?;
        let help = process::output(Command::new(self.binary()).arg("--help"))?;
        let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in commands.take_while(|line| !line.is_empty()) {
            let name = line.split_whitespace().next().unwrap_or_default();
            if name != "help" {
                print(&["man", name], &format!("man/marotte-{name}.1"))?;
            }
        }
        print(&["completion", "bash"], "completions/marotte")?;
        print(&["completion", "zsh"], "completions/_marotte")?;
        print(&["completion", "fish"], "completions/marotte.fish")
    }

    fn archive(&self) -> Result<()> {
        let name = format!("marotte-{}-{}", self.version, self.target);
        let folder = self.root.join("target/documents").join(&name);
        files::make_folder(&folder)?;
        let mut copy = Command::new("cp");
        copy.arg("-r").arg(self.binary());
        for part in
            ["README.md", "CHANGELOG.md", "LICENSE", "target/documents/man", "target/documents/completions"]
        {
            copy.arg(self.root.join(part));
        }
        process::output(copy.arg(&folder))?;
        // Makes the archive reproducible.
        let mut tar = Command::new("tar");
        tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "-czf"]);
        tar.arg(self.packages.join(format!("{name}.tar.gz")))
            .arg("-C")
            .arg(self.root.join("target/documents"));
        process::output(tar.arg(&name))?;
        files::remove_folder(&folder)
    }

    fn deb(&self) -> Result<()> {
        let mut cargo = self.cargo();
        cargo.args([
            "deb",
            "--no-build",
            "--profile",
            "dist",
            "--package",
            "marotte",
            "--target",
            &self.target,
        ]);
        process::output(cargo.arg("--output").arg(&self.packages))?;
        Ok(())
    }

    fn rpm(&self) -> Result<()> {
        let mut cargo = self.cargo();
        cargo.args([
            "generate-rpm",
            "--profile",
            "dist",
            "--package",
            "crates/cli",
            "--target",
            &self.target,
        ]);
        process::output(cargo.arg("--output").arg(&self.packages))?;
        Ok(())
    }

    fn wheel(&self) -> Result<()> {
        let mut maturin = Command::new("maturin");
        maturin.current_dir(&self.root).args(["build", "--locked", "--target", &self.target, "--out"]);
        process::output(maturin.arg(&self.packages))?;
        Ok(())
    }

    fn sbom(&self) -> Result<()> {
        let mut cargo = self.cargo();
        cargo.args(["cyclonedx", "--format", "json", "--manifest-path", "crates/cli/Cargo.toml", "--target"]);
        process::output(cargo.args([self.target.as_str(), "--override-filename", "marotte.cdx"]))?;
        let mut take = Command::new("mv");
        take.arg(self.root.join("crates/cli/marotte.cdx.json"));
        process::output(take.arg(self.packages.join(format!("marotte-{}.cdx.json", self.version))))?;
        // The tool writes one file for each crate of the workspace.
        let mut rest = Command::new("find");
        rest.current_dir(&self.root).args([
            "crates",
            "tests",
            "xtask",
            "-name",
            "marotte.cdx.json",
            "-delete",
        ]);
        process::output(&mut rest)?;
        Ok(())
    }

    fn checksums(&self) -> Result<()> {
        let mut names = files::names(&self.packages)?;
        names.sort();
        let mut sums = Command::new("sha256sum");
        let text = process::output(sums.current_dir(&self.packages).args(&names))?;
        files::write(&self.packages.join("SHA256SUMS"), &text)
    }
}
