//! `cargo xtask dist --check`: each package does the main job where nothing else of marotte is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Dist;
use crate::{Result, console, files, process};

/// The maximum size of the binary that people have to download, in bytes.
const LARGEST: u64 = 30 << 20;

/// The number of findings in the example.
const FINDINGS: usize = 4;

pub(super) fn run(dist: &Dist) -> Result<()> {
    let size = files::size(&dist.binary())?;
    console::say(&format!("the binary has {:.1} MiB", size as f64 / f64::from(1 << 20)));
    if size > LARGEST {
        return Err(format!("the binary has {size} bytes, more than {LARGEST}").into());
    }
    process::output(Command::new("sha256sum").current_dir(&dist.packages).args([
        "--check",
        "--quiet",
        "SHA256SUMS",
    ]))?;
    for name in files::names(&dist.packages)? {
        let package = dist.packages.join(&name);
        let place = dist.root.join("target/installed").join(&name);
        files::remove_folder(&place)?;
        files::make_folder(&place)?;
        let binary = match Path::new(&name).extension().and_then(|it| it.to_str()) {
            Some("gz") => unpack(&package, &place)?,
            Some("deb") => deb(&package, &place)?,
            Some("rpm") => rpm(&package, &place)?,
            Some("whl") => wheel(&package, &place)?,
            _ => continue,
        };
        main_job(&binary, &dist.root.join("examples/shop"))?;
        console::say(&format!("{name}: installed, and finds what is in the example"));
    }
    Ok(())
}

/// Checks the example, and expects its findings.
fn main_job(binary: &Path, example: &Path) -> Result<()> {
    let mut check = Command::new(binary);
    check.args(["check", "--output-format", "json-lines", "--exit-zero", "--quiet"]).arg(example);
    let found = process::output(&mut check)?.lines().count();
    if found == FINDINGS { Ok(()) } else { Err(format!("{} finds {found}", binary.display()).into()) }
}

fn unpack(package: &Path, place: &Path) -> Result<PathBuf> {
    process::output(
        Command::new("tar").arg("-xzf").arg(package).arg("-C").arg(place).arg("--strip-components=1"),
    )?;
    Ok(place.join("marotte"))
}

/// Installs and removes the package if permitted; otherwise unpacks it.
fn deb(package: &Path, place: &Path) -> Result<PathBuf> {
    if rustix::process::geteuid().is_root() {
        process::output(Command::new("dpkg").arg("--install").arg(package))?;
        let works = process::output(Command::new("/usr/bin/marotte").arg("--version"));
        process::output(Command::new("dpkg").args(["--purge", "marotte"]))?;
        works?;
        if Path::new("/usr/bin/marotte").exists() {
            return Err("the package for Debian leaves its binary behind".into());
        }
    }
    process::output(Command::new("dpkg").arg("--extract").arg(package).arg(place))?;
    Ok(place.join("usr/bin/marotte"))
}

fn rpm(package: &Path, place: &Path) -> Result<PathBuf> {
    let mut unpack = Command::new("sh");
    unpack.arg("-c").arg("rpm2cpio \"$0\" | cpio --extract --make-directories --quiet").arg(package);
    process::output(unpack.current_dir(place))?;
    Ok(place.join("usr/bin/marotte"))
}

fn wheel(package: &Path, place: &Path) -> Result<PathBuf> {
    process::output(Command::new("python3").args(["-m", "venv"]).arg(place))?;
    let mut pip = Command::new(place.join("bin/pip"));
    process::output(pip.args(["install", "--quiet", "--no-index"]).arg(package))?;
    Ok(place.join("bin/marotte"))
}
