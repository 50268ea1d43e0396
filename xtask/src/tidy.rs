//! `cargo xtask tidy`: the conventions of the repository that no compiler checks.

mod citations;
mod examples;
mod links;

use std::collections::BTreeSet;
use std::path::Path;

use marotte_diagnostics::rules::RULES;

use crate::{Result, console, files, rules};

/// Check the repository: rule pages, file sizes, forbidden words, the order of crates, links in documents, citations.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing; without it the generated documents are brought up to date first.
    #[arg(long)]
    check: bool,
}

/// The crates, lowest first: each imports only from those before it.
const ORDER: &[&str] = &[
    "text",
    "pcore",
    "ruby",
    "ruby_eval",
    "catalog",
    "syntax",
    "format",
    "diagnostics",
    "impact",
    "db",
    "git",
    "hir",
    "hiera",
    "puppetdb",
    "cache",
    "eval",
    "resolve",
    "infer",
    "check",
    "host",
    "project",
    "ide",
    "lsp",
    "cli",
];

/// The maximum number of lines of a file: longer files are hard to review.
const LONGEST: usize = 800;

/// Words that finished code doesn't contain. Concatenated here so that this file passes its own check.
const FORBIDDEN: &[&str] =
    &[concat!("to", "do!"), concat!("unimple", "mented!"), concat!("dbg", "!("), concat!("FIX", "ME")];

/// The files that belong in the top folder, apart from hidden ones: names without an extension, and extensions of others.
const TOP: (&[&str], &[&str]) = (&["Containerfile", "LICENSE"], &["lock", "md", "toml", "yml"]);

/// Runs `cargo xtask tidy`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if !arguments.check {
        rules::run(&rules::Arguments::default())?;
    }
    let repository = files::repository();
    let mut complaints = Vec::new();
    complaints.extend(rules::stale());
    complaints.extend(rule_pages()?);
    complaints.extend(strays(&repository)?);
    complaints.extend(sources(&repository)?);
    complaints.extend(layers(&repository)?);
    complaints.extend(links::broken(&repository)?);
    complaints.extend(citations::unknown(&repository)?);
    complaints.extend(examples::misdeclared(&repository)?);
    for complaint in &complaints {
        console::complain(complaint);
    }
    match complaints.len() {
        0 => Ok(()),
        count => Err(format!("{count} complaints").into()),
    }
}

/// Checks that every rule's page starts with the rule's name, and that every page belongs to a rule.
fn rule_pages() -> Result<Vec<String>> {
    let folder = rules::pages();
    let mut complaints = Vec::new();
    for rule in RULES {
        let heading = format!("# {}", rule.name);
        if rule.page.lines().next() != Some(&heading) {
            complaints.push(format!("docs/rules/{}.md: the first line is not `{heading}`", rule.name));
        }
    }
    let known: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).chain(["README"]).collect();
    for page in files::own_files(&folder, &["md"])? {
        let name = page.with_extension("");
        if !known.contains(&*name.to_string_lossy()) {
            complaints.push(format!("docs/rules/{}: no rule has this name", page.display()));
        }
    }
    Ok(complaints)
}

/// Checks that nobody left a file in the top folder by accident.
fn strays(repository: &Path) -> Result<Vec<String>> {
    let names = files::names(repository)?;
    let files = names.iter().filter(|name| repository.join(name).is_file());
    Ok(files
        .filter(|name| is_stray(name))
        .map(|name| format!("{name}: does not belong in the top folder"))
        .collect())
}

fn is_stray(name: &str) -> bool {
    let (names, extensions) = TOP;
    match name.rsplit_once('.') {
        _ if name.starts_with('.') => false,
        Some((_, extension)) => !extensions.contains(&extension),
        None => !names.contains(&name),
    }
}

/// Checks that no source file is too long or contains a forbidden word.
fn sources(repository: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for path in files::own_files(repository, &["rs", "pest"])? {
        let text = files::read(&repository.join(&path))?;
        complaints.extend(source(&path.display().to_string(), &text));
    }
    Ok(complaints)
}

fn source(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let lines = text.lines().count();
    if lines > LONGEST {
        complaints.push(format!("{path}: {lines} lines, more than {LONGEST}"));
    }
    for (number, line) in text.lines().enumerate() {
        for word in FORBIDDEN.iter().filter(|word| line.contains(**word)) {
            complaints.push(format!("{path}:{}: `{word}` has no place in finished code", number + 1));
        }
    }
    complaints
}

/// Checks that crates import only from lower ones.
fn layers(repository: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let folder = repository.join("crates");
    for path in files::own_files(&folder, &["toml"])? {
        let mut parts = path.iter().map(|part| part.to_string_lossy());
        let (Some(name), Some(file)) = (parts.next(), parts.next()) else { continue };
        if file == "Cargo.toml" {
            let manifest: toml::Table = files::read(&folder.join(&path))?.parse()?;
            complaints.extend(layer(&name, &manifest));
        }
    }
    Ok(complaints)
}

fn layer(name: &str, manifest: &toml::Table) -> Vec<String> {
    let Some(place) = ORDER.iter().position(|it| *it == name) else {
        return vec![format!("crates/{name}: not in the order of crates; add it to xtask/src/tidy.rs")];
    };
    let lower = &ORDER[..place];
    // Development dependencies are unrestricted: tests aren't part of the layers.
    let tables = ["dependencies", "build-dependencies"]
        .into_iter()
        .filter_map(|table| manifest.get(table)?.as_table());
    let imports = tables.flat_map(toml::Table::keys).filter_map(|key| key.strip_prefix("marotte_"));
    imports
        .filter(|import| !lower.contains(import))
        .map(|import| format!("crates/{name} imports from `{import}`, which is not below it"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, is_stray, layer, source};

    fn complaints(name: &str, manifest: &str) -> Vec<String> {
        layer(name, &manifest.parse().expect("a TOML table"))
    }

    #[test]
    fn lower_crates_may_be_imported() {
        assert!(
            complaints("syntax", "[dependencies]\nmarotte_text.workspace = true\npest = '2'\n").is_empty()
        );
        assert!(complaints("syntax", "[dev-dependencies]\nmarotte_db.workspace = true\n").is_empty());
    }

    #[test]
    fn higher_crates_and_strangers_are_reported() {
        assert_eq!(
            complaints("syntax", "[dependencies]\nmarotte_db.workspace = true\n"),
            ["crates/syntax imports from `db`, which is not below it"]
        );
        assert_eq!(complaints("syntax", "[dependencies]\nmarotte_syntax.path = '.'\n").len(), 1);
        assert_eq!(complaints("nowhere", "").len(), 1);
    }

    #[test]
    fn leftovers_in_the_top_folder_are_reported() {
        assert!(
            ["LICENSE", "README.md", "Cargo.lock", ".gitignore", ".pre-commit-hooks.yaml"]
                .iter()
                .all(|name| !is_stray(name))
        );
        assert!(["a.pp", "o1", "perf.data"].iter().all(|name| is_stray(name)));
    }

    #[test]
    fn long_files_and_unfinished_code_are_reported() {
        assert!(source("a.rs", &"\n".repeat(LONGEST)).is_empty());
        assert_eq!(source("a.rs", &"\n".repeat(LONGEST + 1)).len(), 1);
        let unfinished = format!("fn a() {{\n    {}()\n}}\n", concat!("to", "do!"));
        assert_eq!(
            source("a.rs", &unfinished),
            [concat!("a.rs:2: `to", "do!` has no place in finished code")]
        );
    }
}
