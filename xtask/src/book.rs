//! `cargo xtask book`: the site of the documents, in `target/book`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use marotte_diagnostics::rules::RULES;
use marotte_eval::functions::ALL;

use crate::{Result, console, files, process};

/// Make the site of the documents: tutorials, rules, functions, configuration. Needs `cargo install mdbook`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only put the pages together, in `target/book-source`, for which no other program is needed.
    #[arg(long)]
    source_only: bool,
}

/// The handwritten pages, in the order of the contents: the heading of a part, with titles and pages.
const CONTENTS: &[(&str, &[(&str, &str)])] = &[
    (
        "Tutorials",
        &[
            ("Check a control repository in CI", "tutorials/check-in-ci.md"),
            ("Adopt marotte in an old tree", "tutorials/adopt-with-a-baseline.md"),
            ("Look up Hiera data", "tutorials/look-up-data.md"),
            ("Compile catalogs", "tutorials/compile-catalogs.md"),
            ("Where a value comes from", "tutorials/explain-values.md"),
            ("What a change does to your nodes", "impact.md"),
            ("The impact of a change, on several machines", "impact-at-scale.md"),
            ("Results that are kept between runs", "impact-cache.md"),
            ("Evaluate code", "tutorials/evaluate-code.md"),
        ],
    ),
    (
        "Reference",
        &[
            ("Configuration", "configuration.md"),
            ("The layout of `marotte format`", "format.md"),
            ("Editors", "editors.md"),
            ("Security", "security.md"),
            ("Output formats", "output-formats.md"),
            ("Code in Ruby", "ruby.md"),
            ("Divergences", "divergences.md"),
            ("Index of the language", "language-index.md"),
        ],
    ),
    (
        "Development",
        &[
            ("Architecture", "ARCHITECTURE.md"),
            ("Contributing", "CONTRIBUTING.md"),
            ("The oracle", "oracle.md"),
            ("Fuzzing", "fuzzing.md"),
            ("Findings in the corpus", "corpus-findings.md"),
            ("A sample of warnings", "warnings-sample.md"),
            ("A sample of diagnostics", "diagnostics-sample.md"),
            ("A sample of findings about whole trees", "whole-tree-sample.md"),
            ("Changelog", "CHANGELOG.md"),
        ],
    ),
];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = files::repository();
    let source = root.join("target/book-source");
    files::remove_folder(&source)?;
    for page in files::own_files(&root.join("docs"), &["md"])? {
        let text = files::read(&root.join("docs").join(&page))?;
        files::write(&source.join("docs").join(page), &text)?;
    }
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "README.md"] {
        // These are next to `docs` in the repository, and among its pages in the book.
        let text = files::read(&root.join(page))?.replace("](docs/", "](");
        files::write(&source.join("docs").join(page), &text)?;
    }
    functions(&root, &source.join("docs"))?;
    files::write(&source.join("docs/SUMMARY.md"), &summary(&source.join("docs"))?)?;
    files::copy(&root.join("book.toml"), &source.join("book.toml"))?;
    console::say(&format!("the pages are in {}", source.display()));
    if arguments.source_only {
        return Ok(());
    }
    let mut build = Command::new("mdbook");
    process::output(build.arg("build").arg(&source).arg("--dest-dir").arg(root.join("target/book")))?;
    console::say(&format!("the site is in {}", root.join("target/book").display()));
    Ok(())
}

/// Writes a page for each built-in function, as `marotte explain` prints it, and a list of them.
fn functions(root: &Path, pages: &Path) -> Result<()> {
    let explain = |name: Option<&str>| {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(root).args(["run", "--quiet", "--package", "marotte", "--", "explain", "function"]);
        process::output(cargo.args(name).args(["--output-format", "markdown"]))
    };
    for function in ALL {
        files::write(&pages.join(page("functions", function.name)), &explain(Some(function.name))?)?;
    }
    files::write(&pages.join("functions/README.md"), &format!("# Functions\n\n{}", explain(None)?))
}

fn page(folder: &str, name: &str) -> PathBuf {
    Path::new(folder).join(format!("{}.md", name.replace("::", "-")))
}

/// The table of contents, in mdBook's notation.
fn summary(pages: &Path) -> Result<String> {
    let mut text = String::from("# Summary\n\n[marotte](README.md)\n");
    for (part, chapters) in CONTENTS {
        let _ = writeln!(text, "\n# {part}\n");
        for (title, page) in *chapters {
            if !pages.join(page).exists() {
                return Err(format!("the page {page} of the contents does not exist").into());
            }
            let _ = writeln!(text, "- [{title}]({page})");
        }
        if *part == "Reference" {
            let rules = RULES.iter().map(|it| it.name);
            list(&mut text, "Rules", "rules", rules);
            list(&mut text, "Functions", "functions", ALL.iter().map(|it| it.name));
        }
    }
    // A page that isn't in the contents can't be found by readers.
    for page in files::own_files(pages, &["md"])? {
        let page = page.display().to_string();
        let is_listed =
            text.contains(&format!("({page})")) || page.starts_with("issues/") || page == "SUMMARY.md";
        if !is_listed {
            return Err(format!("the page {page} is not in the contents").into());
        }
    }
    Ok(text)
}

fn list<'a>(text: &mut String, title: &str, folder: &str, names: impl Iterator<Item = &'a str>) {
    let _ = writeln!(text, "- [{title}]({folder}/README.md)");
    for name in names {
        let _ = writeln!(text, "  - [`{name}`]({})", page(folder, name).display());
    }
}
