//! The corpus, and the records of it.

use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The unpacked corpus, if it is here.
#[expect(clippy::print_stderr, reason = "says why nothing is compared")]
pub(crate) fn corpus() -> Option<PathBuf> {
    let tree = repository().join("corpus/tree");
    if tree.is_dir() {
        return Some(tree);
    }
    assert!(
        std::env::var_os("MAROTTE_REQUIRE_CORPUS").is_none(),
        "there is no corpus: run `cargo xtask corpus`"
    );
    eprintln!("not compared with the corpus, which is not here; `cargo xtask corpus` brings it");
    None
}

/// The text of a file; bytes that are no UTF-8 are replaced, as whoever reads files does.
#[expect(clippy::disallowed_methods, reason = "records and corpus are read from disk")]
pub(crate) fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The rows of a record of the folder `tests/oracle/ruby`, cut at tabs.
pub(crate) fn rows(record: &str) -> Vec<Vec<String>> {
    let text = read(&repository().join("tests/oracle/ruby").join(record));
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// How many answers there are, and how many of them are complete.
#[derive(Default)]
pub(crate) struct Share {
    pub(crate) all: usize,
    pub(crate) complete: usize,
}

impl Share {
    pub(crate) fn count(&mut self, complete: bool) {
        self.all += 1;
        self.complete += usize::from(complete);
    }

    /// Whether at least so many of a thousand are complete.
    pub(crate) fn reaches(&self, per_mille: usize) -> bool {
        self.complete * 1000 >= self.all * per_mille
    }
}
