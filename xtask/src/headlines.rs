use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use serde_json::Value;

use crate::bench::build;
use crate::{Result, console, corpus, files};

/// The maximum length of a finding's message, in characters.
const LONGEST: usize = 160;

/// Count the findings of the corpus, and of other folders, whose messages are longer than a headline.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The program; without it, one is built.
    #[arg(long)]
    marotte: Option<PathBuf>,
    /// Folders besides the corpus.
    folders: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let marotte = match &arguments.marotte {
        Some(path) => path.clone(),
        None => build::release()?.marotte,
    };
    let modules = corpus::tree(&files::repository().join("corpus"));
    let mut long = 0;
    for folder in std::iter::once(&modules).chain(&arguments.folders) {
        let output = Command::new(&marotte)
            .args(["check", "--output-format", "json", "--module-path"])
            .args([folder, folder])
            .stderr(Stdio::null())
            .output()?;
        let findings: Vec<Value> = serde_json::from_slice(&output.stdout)?;
        let messages = findings.iter().filter_map(|it| it["message"].as_str());
        let lengths: Vec<(usize, &str)> = messages.map(|it| (it.chars().count(), it)).collect();
        let longest = lengths.iter().map(|it| it.0).max().unwrap_or_default();
        console::say(&format!(
            "{}: {} findings, the longest message has {longest} characters",
            folder.display(),
            lengths.len()
        ));
        for (_, message) in lengths.iter().filter(|it| it.0 > LONGEST) {
            console::say(&format!("  {message}"));
            long += 1;
        }
    }
    if long > 0 {
        return Err(format!("{long} messages are longer than {LONGEST} characters").into());
    }
    Ok(())
}
