//! The rows of the documents (`tests/values/documents`), run by users' means: with `marotte eval`, in the documents'
//! dialects.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::Folder;

/// The folder of each document, its dialect, and the minimal number of its rows that are programs.
const DOCUMENTS: [(&str, &str, usize); 5] = [
    ("latest", "spec", 800),
    ("2014-07", "2014-07", 200),
    ("2014-05", "2014-05", 150),
    ("names", "spec", 20),
    ("lexical", "spec", 200),
];

/// Signs of rows that are not programs.
const OTHERS: [&str; 4] = [" ∪ ", " ⊇ ", " ∈ ", " calls "];

/// A row whose question is a program.
struct Row {
    place: String,
    program: String,
    answer: String,
}

#[expect(clippy::disallowed_methods, reason = "a test reads its rows itself")]
fn rows(folder: &Path) -> Vec<Row> {
    let mut pages: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| !page.ends_with("README.md"));
    pages.sort();
    let mut found = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let mut in_rows = false;
        for (index, line) in text.lines().enumerate() {
            if line.starts_with("```") {
                in_rows = line == "```rows";
            } else if in_rows && !line.is_empty() && !line.starts_with("> ") {
                let row = line.rsplit_once(" ⚑ ").map_or(line, |(row, _)| row);
                let (question, answer) = row.rsplit_once(" → ").unwrap();
                if question.starts_with("compile ") || OTHERS.iter().any(|sign| question.contains(sign)) {
                    continue;
                }
                let place = format!("{}:{}", page.display(), index + 1);
                found.push(Row { place, program: question.replace('⏎', "\n"), answer: answer.to_owned() });
            }
        }
    }
    found
}

/// The value in a row's answer, after its messages.
fn value(answer: &str) -> String {
    let parts = answer.split(" · ");
    let value =
        parts.skip_while(|it| ["notice: ", "warning: ", "err: "].iter().any(|level| it.starts_with(level)));
    value.collect::<Vec<_>>().join(" · ").replace('⏎', "\n")
}

/// The mismatch in the run of a row, if there is one.
fn wrong(folder: &Folder, modules: &str, dialect: &str, row: &Row) -> Option<String> {
    let arguments = ["eval", "--print", "--dialect", dialect, "--module-path", modules, "-e", &row.program];
    let run = folder.marotte(&arguments);
    let expected = value(&row.answer);
    let fits = match expected.starts_with('✗') {
        true => run.status == 1 && run.stdout.is_empty(),
        false => run.status == 0 && run.stdout.strip_suffix('\n') == Some(&expected),
    };
    (!fits).then(|| format!("{} {} in {dialect}: {expected}, but {run:?}", row.place, row.program))
}

#[test]
fn rows_of_the_documents_hold_on_the_command_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let modules = root.join("tests/evaluation/modules");
    let modules = modules.to_str().unwrap();
    let all = Mutex::new(Vec::new());
    for (document, dialect, least) in DOCUMENTS {
        let rows = rows(&root.join("tests/values/documents").join(document));
        assert!(rows.len() >= least, "{document}: only {} programs", rows.len());
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let folder = Folder::new(&[]);
                    while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let found = wrong(&folder, modules, dialect, row);
                        all.lock().unwrap().extend(found);
                    }
                });
            }
        });
    }
    let all = all.into_inner().unwrap();
    assert!(all.is_empty(), "{}\n{} wrong", all.join("\n"), all.len());
}
