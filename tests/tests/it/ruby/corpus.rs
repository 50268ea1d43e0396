//! Ruby files and their records.

use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the unpacked corpus, if it exists.
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

/// Returns the text of a file; invalid UTF-8 is replaced, like in readers of files.
#[expect(clippy::disallowed_methods, reason = "records and corpus are read from disk")]
pub(crate) fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Ruby files, with the declarations that the reference has after running them.
pub(crate) struct Record {
    /// The folder that the paths of the record are relative to.
    folder: PathBuf,
    /// The folder of the record.
    records: PathBuf,
}

/// Returns the Ruby files of the corpus, if it exists.
pub(crate) fn of_the_corpus() -> Option<Record> {
    Some(Record { folder: corpus()?, records: repository().join("tests/oracle/ruby") })
}

/// Returns the examples, which show various forms of declarations.
pub(crate) fn of_the_examples() -> Record {
    let folder = repository().join("tests/ruby");
    Record { records: folder.clone(), folder }
}

/// A file, with the declarations that the reference has after running it.
pub(crate) struct Row {
    pub(crate) path: String,
    /// The text of the file.
    pub(crate) text: String,
    /// The declarations; `None` if the reference couldn't load the file.
    pub(crate) answer: Option<String>,
}

impl Row {
    /// Whether the file, an example, declares that it can't be known completely.
    pub(crate) fn says_incomplete(&self) -> bool {
        self.text.starts_with("# incomplete")
    }
}

impl Record {
    /// Returns the rows of a file of the record.
    pub(crate) fn rows(&self, name: &str) -> Vec<Row> {
        let text = read(&self.records.join(name));
        let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        let row = |line: &str| {
            let mut columns = line.split('\t');
            let path = columns.next().expect("a path").to_owned();
            let answer = columns.next().filter(|answer| *answer != "-").map(str::to_owned);
            Row { text: read(&self.folder.join(&path)), path, answer }
        };
        lines.map(row).collect()
    }
}

/// The number of answers, and of complete ones.
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

    /// Whether at least `per_mille` of a thousand are complete.
    pub(crate) fn reaches(&self, per_mille: usize) -> bool {
        self.complete * 1000 >= self.all * per_mille
    }
}
