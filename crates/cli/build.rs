//! Sets `MAROTTE_SOURCES`, a number for the sources that the program is built of: what another program has kept is not used.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

#[expect(clippy::disallowed_methods, reason = "a build script reads what is built")]
fn main() {
    let crates = Path::new("..");
    let mut files = vec![crates.join("../Cargo.lock"), crates.join("../Cargo.toml")];
    collect(crates, &mut files);
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in &files {
        (file, std::fs::read(file).unwrap_or_default()).hash(&mut hasher);
    }
    let mut variables: Vec<_> =
        std::env::vars_os().filter(|(name, _)| is_relevant(&name.to_string_lossy())).collect();
    variables.sort();
    variables.hash(&mut hasher);
    println!("cargo::rustc-env=MAROTTE_SOURCES={:016x}", hasher.finish());
    println!("cargo::rerun-if-changed=..");
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    println!("cargo::rerun-if-changed=../../Cargo.toml");
}

/// Whether a variable of Cargo says how the program is built.
fn is_relevant(name: &str) -> bool {
    matches!(name, "RUSTC" | "TARGET" | "PROFILE" | "OPT_LEVEL" | "DEBUG")
        || name.starts_with("CARGO_FEATURE_")
        || name.starts_with("CARGO_CFG_")
}

/// The files of the crates below a folder, except for those that only tests read.
#[expect(clippy::disallowed_methods, reason = "a build script reads what is built")]
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with("tests") && !path.ends_with("target") {
                collect(&path, files);
            }
        } else {
            files.push(path);
        }
    }
}
