//! Fills in the expectations of the literate chapters from the reference.
//!
//! `record [CHAPTER…]`: all chapters unless some are named. The chapters hold the answers of Puppet 8: where another one is
//! installed, the variable PUPPET_LIB names the `lib` folder of a Puppet 8.

use std::error::Error;
use std::path::{Path, PathBuf};

use marotte_tests::literate::Chapter;
use marotte_tests::{reference, workspace};

fn main() -> Result<(), Box<dyn Error>> {
    let script = workspace::root().join("tests/language/reference.rb");
    let mut chapters: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
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
