//! The corpus, and checks of formatted texts.

use std::path::{Path, PathBuf};

use marotte_format::{Error, Options, format};
use marotte_syntax::{Mode, parse, pn};

pub(crate) const TEMPLATE: Mode = mode(true, false);

pub(crate) const fn mode(template: bool, tasks: bool) -> Mode {
    Mode { template, tasks, choices: marotte_syntax::Choices::REFERENCE }
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The manifests and templates of a folder, by path.
#[expect(clippy::disallowed_methods, reason = "texts are read from disk")]
fn code_below(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            code_below(&path, found);
        } else if path.extension().is_some_and(|it| it == "pp" || it == "epp")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            found.push((path, text));
        }
    }
}

/// The texts of the corpus, and those of the folders that `MAROTTE_FORMAT_CORPUS` names, with their modes.
#[expect(clippy::print_stderr, reason = "says why nothing is formatted")]
pub(crate) fn corpus() -> Vec<(PathBuf, String, Mode)> {
    let tree = repository().join("corpus/tree");
    let mut found = Vec::new();
    if tree.is_dir() {
        code_below(&tree, &mut found);
    } else {
        assert!(
            std::env::var_os("MAROTTE_REQUIRE_CORPUS").is_none(),
            "there is no corpus: run `cargo xtask corpus`"
        );
        eprintln!("the corpus, which is not here, is not formatted; `cargo xtask corpus` brings it");
    }
    if let Some(more) = std::env::var_os("MAROTTE_FORMAT_CORPUS") {
        std::env::split_paths(&more).for_each(|folder| code_below(&folder, &mut found));
    }
    let with_mode = |(path, text): (PathBuf, String)| {
        let template = path.extension().is_some_and(|it| it == "epp");
        let tasks = path.components().any(|it| it.as_os_str() == "plans");
        (path, text, mode(template, tasks))
    };
    found.into_iter().map(with_mode).collect()
}

/// The comments of a text, in order, without trailing blanks.
pub(crate) fn comments(text: &str, mode: Mode) -> Vec<&str> {
    let comments = parse(text, mode).comments;
    comments.iter().map(|it| text[std::ops::Range::<usize>::from(it.range)].trim_end()).collect()
}

fn tree(text: &str, mode: Mode) -> String {
    pn::to_pn(&parse(text, mode).program).to_string()
}

/// Formats a text, and returns an error if the result has another tree or other comments, or changes when formatted
/// again. A text with syntax errors has no result.
pub(crate) fn formatted(text: &str, mode: Mode, options: &Options) -> Result<Option<String>, String> {
    let formatted = match format(text, mode, options) {
        Ok(formatted) => formatted,
        Err(Error::Syntax(_)) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if tree(text, mode) != tree(&formatted, mode) {
        return Err("it has another tree".to_owned());
    }
    if comments(text, mode) != comments(&formatted, mode) {
        return Err("it has other comments".to_owned());
    }
    match format(&formatted, mode, options) {
        Ok(again) if again == formatted => Ok(Some(formatted)),
        Ok(again) => {
            Err(format!("it is formatted otherwise the second time: {}", difference(&formatted, &again)))
        }
        Err(error) => Err(format!("it cannot be formatted again: {error}")),
    }
}

/// The first lines in which two texts differ.
pub(crate) fn difference(one: &str, other: &str) -> String {
    let pairs = one.lines().zip(other.lines()).enumerate();
    match pairs.into_iter().find(|(_, (one, other))| one != other) {
        Some((line, (one, other))) => format!("line {}: {one:?}, then {other:?}", line + 1),
        None => format!("{} lines, then {}", one.lines().count(), other.lines().count()),
    }
}
