//! The rows of the documents (`tests/values/documents`), run by users' means: programs with `marotte eval`, manifests
//! with `marotte compile`, in the documents' dialects. Questions about types become programs, see [`program`].

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::support::{Folder, Run};

/// The folder of each document, its dialect, and the minimal number of its rows.
const DOCUMENTS: [(&str, &str, usize); 5] = [
    ("latest", "spec", 1900),
    ("2014-07", "2014-07", 650),
    ("2014-05", "2014-05", 490),
    ("names", "spec", 100),
    ("lexical", "spec", 270),
];

/// Levels of messages in rows, and on the command line.
const LEVELS: [(&str, &str); 3] =
    [("notice: ", "Notice: "), ("warning: ", "Warning: "), ("err: ", "Error: ")];

/// The resources that every catalog has.
const USUAL: [&str; 3] = ["Stage[main]", "Class[main]", "Class[Settings]"];

/// A row: its place, its question, and the document's answer.
struct Row {
    place: String,
    question: String,
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
                let place = format!("{}:{}", page.display(), index + 1);
                found.push(Row { place, question: question.replace('⏎', "\n"), answer: answer.to_owned() });
            }
        }
    }
    found
}

/// Returns the program that asks a row's question, and its answer.
///
/// - `A ⊇ B`: `<=` between types says whether the right one accepts the left one.
/// - `v ∈ T`: `=~` says whether a value is an instance of a type.
/// - `A ∪ B`: the type of an array of both has their common type.
/// - `C calls Tuple[…]`: a callable can be called with arguments if it is a `Callable` with them as parameters.
fn program(question: &str, answer: &str) -> (String, String) {
    if let Some((a, b)) = question.split_once(" ∪ ") {
        let shared = format!("Array[Type[{answer}], 2, 2]");
        (format!("type([{a}, {b}], reduced)"), if answer == "✗" { answer.to_owned() } else { shared })
    } else if let Some((a, b)) = question.split_once(" ⊇ ") {
        (format!("({b}) <= ({a})"), answer.to_owned())
    } else if let Some((value, a)) = question.split_once(" ∈ ") {
        (format!("({value}) =~ ({a})"), answer.to_owned())
    } else if let Some((callable, arguments)) = question.split_once(" calls Tuple") {
        (format!("({callable}) <= Callable{arguments}"), answer.to_owned())
    } else {
        (question.to_owned(), answer.to_owned())
    }
}

/// Splits an answer into its messages, as the command line writes them without their scope, and the rest.
fn messages(answer: &str) -> (Vec<String>, String) {
    let (mut messages, mut rest) = (Vec::new(), Vec::new());
    for part in answer.split(" · ") {
        let level = LEVELS.iter().find_map(|(level, shown)| Some((shown, part.strip_prefix(level)?)));
        match level.filter(|_| rest.is_empty()) {
            Some((shown, text)) => messages.push(format!("{shown}{text}")),
            None => rest.push(part),
        }
    }
    (messages, rest.join(" · "))
}

/// Whether a run said these messages, and nothing else unless it failed.
fn said(run: &Run, messages: &[String]) -> bool {
    let told: Vec<&str> = run.stderr.lines().collect();
    let expected: Vec<String> =
        messages.iter().flat_map(|it| it.split('⏎').map(str::to_owned).collect::<Vec<_>>()).collect();
    let told: Vec<String> = told.into_iter().map(without_place).collect();
    if run.status == 0 { told == expected } else { told.starts_with(&expected) }
}

/// Removes the scope and the place from a line of a message.
fn without_place(line: &str) -> String {
    let level = LEVELS.iter().find(|(_, shown)| line.starts_with(shown)).map_or("", |(_, shown)| shown);
    let text = line.strip_prefix(level).unwrap_or(line);
    let text = match text.strip_prefix("Scope(").and_then(|it| it.split_once("]): ")) {
        Some((_, text)) if !level.is_empty() => text,
        _ => text,
    };
    let text = text.rsplit_once(" (file: manifests/site.pp, line: ").map_or(text, |(text, _)| text);
    format!("{level}{text}")
}

/// Whether evaluating a row's program has its answer.
fn evaluates(run: &Run, answer: &str) -> bool {
    let (messages, value) = messages(answer);
    let fits = match value.starts_with('✗') {
        true => run.status == 1 && run.stdout.is_empty(),
        false => run.status == 0 && run.stdout.strip_suffix('\n') == Some(&value.replace('⏎', "\n")),
    };
    fits && said(run, &messages)
}

/// Whether compiling a row's manifest has its answer.
fn compiles(folder: &Folder, run: &Run, answer: &str) -> bool {
    let (messages, expected) = messages(answer);
    let resources = match run.status {
        0 => resources(folder, &serde_json::from_str(&run.stdout).unwrap()),
        1 => "✗".to_owned(),
        _ => return false,
    };
    resources == expected && said(run, &messages)
}

/// Returns the resources of a catalog as rows write them, without those of every catalog.
fn resources(folder: &Folder, catalog: &Value) -> String {
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    let list = |it: &Value| it.as_array().cloned().unwrap_or_default();
    let mut found = Vec::new();
    for resource in list(&catalog["resources"]) {
        let reference = format!("{}[{}]", text(&resource["type"]), text(&resource["title"]));
        if USUAL.contains(&reference.as_str()) {
            continue;
        }
        let mut words = vec![reference.clone(), text(&resource["kind"])];
        if resource["exported"] == true {
            words.push("exported".to_owned());
        }
        if let Some(file) = resource["file"].as_str() {
            let file = file.strip_prefix(&folder.path("")).unwrap();
            words.push(format!("at {file}:{}", resource["line"]));
        }
        let edges = list(&catalog["edges"]);
        let containers: Vec<_> =
            edges.iter().filter(|it| it["target"] == *reference).map(|it| text(&it["source"])).collect();
        if !containers.is_empty() {
            words.push(format!("in {}", containers.join(" & ")));
        }
        words.extend(resource.get("parameters").map(Value::to_string));
        if let Some(names) = resource.get("sensitive_parameters") {
            words.push(format!("sensitive {}", list(names).iter().map(text).collect::<Vec<_>>().join(",")));
        }
        found.push(words.join(" "));
    }
    found.join(" · ")
}

/// The mismatch in the run of a row, if there is one.
fn wrong(modules: &str, dialect: &str, row: &Row) -> Option<String> {
    let folder = Folder::new(&[]);
    let (run, fits) = if let Some(manifest) = row.question.strip_prefix("compile ") {
        folder.write("manifests/site.pp", manifest.as_bytes());
        folder.write("facts.yaml", b"kernel: Linux\nos: { family: Debian, name: Debian }\n");
        let arguments =
            ["compile", "--format=json", "--dialect", dialect, "--facts=facts.yaml", "node.example.com"];
        let run = folder.marotte(&arguments);
        let fits = compiles(&folder, &run, &row.answer);
        (run, fits)
    } else {
        let (program, answer) = program(&row.question, &row.answer);
        let run = folder.marotte(&[
            "eval",
            "--print",
            "--dialect",
            dialect,
            "--module-path",
            modules,
            "-e",
            &program,
        ]);
        let fits = evaluates(&run, &answer);
        (run, fits)
    };
    (!fits).then(|| format!("{} {} in {dialect}: {}, but {run:?}", row.place, row.question, row.answer))
}

/// Returns the mismatches of rows, which several threads run.
fn all_wrong(modules: &str, dialect: impl Fn(&Row) -> &'static str + Sync, rows: &[Row]) -> Vec<String> {
    let all = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = wrong(modules, dialect(row), row);
                    all.lock().unwrap().extend(found);
                }
            });
        }
    });
    all.into_inner().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn modules() -> String {
    root().join("tests/evaluation/modules").to_str().unwrap().to_owned()
}

#[test]
fn rows_of_the_documents_hold_on_the_command_line() {
    let mut all = Vec::new();
    for (document, dialect, least) in DOCUMENTS {
        let rows = rows(&root().join("tests/values/documents").join(document));
        assert!(rows.len() >= least, "{document}: only {} rows", rows.len());
        all.extend(all_wrong(&modules(), |_| dialect, &rows));
    }
    assert!(all.is_empty(), "{}\n{} wrong", all.join("\n"), all.len());
}

/// Programs that were written from the documents alone, for a check of the rows.
#[test]
fn programs_that_another_reader_wrote_hold() {
    let file = root().join("tests/values/documents/held-out.tsv");
    #[expect(clippy::disallowed_methods, reason = "a test reads its rows itself")]
    let text = std::fs::read_to_string(file).unwrap();
    let rows: Vec<Row> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let [document, place, question, answer] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("not a row: {line}");
            };
            let (place, question) = (format!("{document}:{place}"), question.replace('⏎', "\n"));
            Row { place, question, answer: answer.to_owned() }
        })
        .collect();
    assert!(rows.len() >= 590, "only {} rows", rows.len());
    let dialect = |row: &Row| match row.place.get(..3) {
        Some("000") => "2014-05",
        Some("004") => "2014-07",
        _ => "spec",
    };
    let all = all_wrong(&modules(), dialect, &rows);
    assert!(all.is_empty(), "{}\n{} wrong", all.join("\n"), all.len());
}
