//! Fills in the expectations of the literate chapters with the answers of the reference.
//!
//! `record [CHAPTER…]`: all chapters by default. The chapters contain the answers of Puppet 8: if another version is
//! installed, the variable PUPPET_LIB names the `lib` folder of a Puppet 8.
//!
//! `record --differences [CHAPTER…]` runs marotte instead, and writes its answer next to the reference's if the two
//! differ only in what marotte may decide on its own: the position of an issue, additional errors in a long example
//! that is rejected anyway, or an answer where the reference crashes. Review the result: each difference needs its
//! reason in the prose. All other differences are defects, which remain for the tests to report.
//!
//! `record --without-ruby CHAPTER…` writes marotte's answer into chapters of `tests/catalog` where Ruby computes
//! something. The test compares it with the reference's answer.

use std::error::Error;
use std::path::{Path, PathBuf};

use marotte_tests::literate::{Case, Chapter, Expectation, Notation};
use marotte_tests::{catalogs, marotte, reference, workspace};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).peekable();
    let differences = arguments.next_if(|argument| argument == "--differences").is_some();
    let without_ruby = arguments.next_if(|argument| argument == "--without-ruby").is_some();
    let mut chapters: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if chapters.is_empty() {
        chapters = workspace::chapters()?;
    }
    for path in chapters {
        let record = match (differences, without_ruby) {
            (_, true) => record_without_ruby,
            (true, false) => record_differences,
            (false, false) => record_answers,
        };
        record(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Writes marotte's answer after each catalog that it doesn't know completely.
fn record_without_ruby(path: &Path) -> Result<(), Box<dyn Error>> {
    let text = workspace::read(path)?;
    let scenarios = catalogs::scenarios(&text);
    let mut ends = scenarios.iter().skip(1).map(|it| it.line).chain([usize::MAX]);
    let (mut written, mut lines) = (Vec::new(), text.lines().enumerate().peekable());
    for scenario in &scenarios {
        let end = ends.next().unwrap_or(usize::MAX);
        let own = catalogs::compile_without_ruby(scenario)?;
        let is_less = scenario.without_ruby.is_some() || own.lines().any(|it| it.starts_with("INCOMPLETE"));
        while let Some((index, line)) = lines.next_if(|(index, _)| index + 1 < end) {
            if line == "```without-ruby" {
                lines.by_ref().find(|(_, it)| *it == "```");
                lines.next_if(|(_, it)| it.is_empty());
                continue;
            }
            written.push(line.to_owned());
            if line == "```catalog" && is_less && index + 1 >= scenario.line {
                written.extend(lines.by_ref().map(|(_, it)| it.to_owned()).take_while(|it| it != "```"));
                written.extend(["```", "", "```without-ruby", &own, "```"].map(str::to_owned));
            }
        }
    }
    workspace::write(path, &(written.join("\n").trim_end().to_owned() + "\n"))?;
    Ok(())
}

fn record_answers(path: &Path) -> Result<(), Box<dyn Error>> {
    let text = workspace::read(path)?;
    let mut chapter = Chapter::read(&text)?;
    let cases = chapter.cases()?;
    let script = workspace::root().join("tests/language/reference.rb");
    let answers = reference::ask(&script, cases.iter().map(|case| (case.language, case.source.as_str())))?;
    if answers.len() != cases.len() {
        return Err(format!("{} answers to {} questions", answers.len(), cases.len()).into());
    }
    // A difference that no longer exists is removed.
    let own = cases
        .into_iter()
        .zip(&answers)
        .map(|(case, answer)| case.marotte.filter(|own| !answer.is_met_by(own)));
    let own: Vec<_> = own.collect();
    chapter.fill(answers.into_iter().map(Some).zip(own));
    write(path, &text, &chapter)
}

fn record_differences(path: &Path) -> Result<(), Box<dyn Error>> {
    let text = workspace::read(path)?;
    let mut chapter = Chapter::read(&text)?;
    let answers: Vec<_> = chapter.cases()?.into_iter().map(with_difference).collect();
    chapter.fill(answers);
    write(path, &text, &chapter)
}

/// Returns the answers of the reference and, if needed and permitted, of marotte.
fn with_difference(case: Case) -> (Option<Expectation>, Option<Expectation>) {
    let Some(mut reference) = case.expected else { return (None, case.marotte) };
    let answer = marotte::answer(&case.source, case.language);
    let own = if reference.note_places(&answer) {
        None
    } else if may_differ(&reference, &answer, case.row) {
        Some(answer)
    } else {
        case.marotte
    };
    (Some(reference), own)
}

/// Whether marotte may differ here.
fn may_differ(reference: &Expectation, answer: &Expectation, row: bool) -> bool {
    let breaks_down = reference.issues.iter().any(|issue| issue.code == "CRASH");
    if breaks_down {
        return !answer.accepts();
    }
    if reference.tree == Some(Notation::Atom("unprintable".to_owned())) {
        return reference.issues == answer.issues;
    }
    // Additional errors: a row shows one mistake, so a second error is noise there.
    let mut codes: Vec<_> = answer.issues.iter().map(|issue| (&issue.code, issue.warning)).collect();
    let says_as_much = reference.issues.iter().all(|issue| {
        let found = codes.iter().position(|said| *said == (&issue.code, issue.warning));
        found.map(|at| codes.swap_remove(at)).is_some()
    });
    !row && says_as_much && !reference.accepts()
}

fn write(path: &Path, before: &str, chapter: &Chapter) -> Result<(), Box<dyn Error>> {
    let after = chapter.to_string();
    if after != before {
        workspace::write(path, &after)?;
    }
    Ok(())
}
