//! Chapters of catalogs: control repositories with one node, and the results of compiling them.

mod agree;
mod chapter;
mod run;

pub use agree::disagreeing;
pub use chapter::{Scenario, scenarios};
pub use run::{compile, compile_without_ruby};

/// The prefixes of lines that all catalogs have.
const USUAL: [&str; 3] = ["tags ", "classes ", "Class[main] "];

/// Returns a catalog's messages and resources, without those of all catalogs.
pub fn brief(catalog: &str) -> String {
    let own = catalog.lines().filter(|line| !USUAL.iter().any(|usual| line.starts_with(usual)));
    let untagged = own.map(|line| match line.split_once(" tags ") {
        Some((before, after)) => before.to_owned() + after.find(' ').map_or("", |end| &after[end..]),
        None => line.to_owned(),
    });
    untagged.collect::<Vec<_>>().join(" · ")
}
