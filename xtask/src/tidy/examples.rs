//! The examples of a crate's documentation run as tests, and crates without examples do not start rustdoc to find none: that takes
//! as long as a crate's tests.

use std::path::Path;

use crate::{Result, files};

/// Complaints about crates whose `doctest` in `Cargo.toml` does not fit their documentation.
pub(super) fn misdeclared(repository: &Path) -> Result<Vec<String>> {
    let mut crates = Vec::new();
    for path in files::own_files(repository, &["toml"])? {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let library = repository.join(&folder).join("src/lib.rs").exists();
        if library && path.ends_with("Cargo.toml") && !folder.starts_with("fuzz") {
            crates.push((folder, files::read(&repository.join(&path))?.parse::<toml::Table>()?));
        }
    }
    let mut complaints = Vec::new();
    for (folder, manifest) in crates {
        let mut examples = false;
        let sources = repository.join(&folder).join("src");
        for path in files::own_files(&sources, &["rs"])? {
            examples |= has_example(&files::read(&sources.join(path))?);
        }
        let name = folder.display();
        match (examples, tests_examples(&manifest)) {
            (true, false) => {
                complaints.push(format!("{name}: its examples do not run; remove `doctest = false`"))
            }
            (false, true) => {
                complaints.push(format!("{name}: it has no examples; set `doctest = false` in `[lib]`"))
            }
            _ => {}
        }
    }
    Ok(complaints)
}

fn tests_examples(manifest: &toml::Table) -> bool {
    let library = manifest.get("lib").and_then(|it| it.as_table());
    library.and_then(|it| it.get("doctest")?.as_bool()).unwrap_or(true)
}

/// Whether the documentation in a source file has a block of Rust code.
fn has_example(text: &str) -> bool {
    // The fence that closes the open block.
    let mut open: Option<&str> = None;
    for line in text.lines() {
        let line = line.trim_start();
        let Some(line) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            open = None;
            continue;
        };
        let line = line.trim();
        let (fence, language) = line.split_at(line.len() - line.trim_start_matches('`').len());
        match open {
            Some(closes) if line == closes => open = None,
            None if fence.len() >= 3 => {
                if language.split(',').all(is_rust) {
                    return true;
                }
                open = Some(fence);
            }
            _ => {}
        }
    }
    false
}

/// Whether rustdoc takes a block with this word for Rust code.
fn is_rust(word: &str) -> bool {
    ["", "rust", "should_panic", "no_run", "compile_fail", "ignore"].contains(&word.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_rust_are_examples() {
        assert!(has_example("/// Adds.\n///\n/// ```\n/// add(1, 2);\n/// ```\nfn add() {}\n"));
        assert!(has_example("    //! ```rust,no_run\n    //! add(1, 2);\n    //! ```\n"));
        assert!(!has_example("//! ```puppet\n//! $a = 1\n//! ```\n\n// ```\nfn a() {}\n"));
        assert!(!has_example("//! ````text\n//! ```\n//! ````\n"));
    }

    #[test]
    fn libraries_test_examples_unless_they_say_otherwise() {
        let tests = |text: &str| tests_examples(&text.parse().expect("a TOML table"));
        assert!(tests("") && tests("[lib]\ndoctest = true\n"));
        assert!(!tests("[lib]\ndoctest = false\n"));
    }
}
