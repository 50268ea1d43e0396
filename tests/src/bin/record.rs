//! Fills in the expectations of the literate chapters from the reference.
//!
//! `record [--script FILE] [CHAPTER…]`: all chapters unless some are named. `FILE` speaks the protocol of
//! `xtask/oracle/snippets.rb`, which is the default; its reference should be Puppet 8, whose answers the chapters hold.

use std::error::Error;
use std::path::{Path, PathBuf};

use marotte_tests::literate::Chapter;
use marotte_tests::{reference, workspace};

fn main() -> Result<(), Box<dyn Error>> {
    let mut script = workspace::root().join("xtask/oracle/snippets.rb");
    let mut chapters: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--script" => script = arguments.next().ok_or("--script needs a file")?.into(),
            _ => chapters.push(argument.into()),
        }
    }
    if chapters.is_empty() {
        chapters = workspace::chapters()?;
    }
    for path in chapters {
        record(&script, &path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn record(script: &Path, path: &Path) -> Result<(), Box<dyn Error>> {
    let text = workspace::read(path)?;
    let mut chapter = Chapter::read(&text)?;
    let cases = chapter.cases()?;
    let answers = reference::ask(script, cases.iter().map(|case| (case.language, case.source.as_str())))?;
    if answers.len() != cases.len() {
        return Err(format!("{} answers to {} questions", answers.len(), cases.len()).into());
    }
    // A difference that is none any more goes.
    let marotte = cases.into_iter().zip(&answers).map(|(case, answer)| case.marotte.filter(|own| own != answer));
    let marotte: Vec<_> = marotte.collect();
    chapter.fill(answers.into_iter().map(Some).zip(marotte));
    let recorded = chapter.to_string();
    if recorded != text {
        workspace::write(path, &recorded)?;
    }
    Ok(())
}
