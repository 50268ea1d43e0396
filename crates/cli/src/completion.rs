use std::io::Write as _;

use crate::Status;
use crate::args::{Cli, CompletionArgs};
use crate::failure::Failure;

/// Prints a shell's completion script.
pub(crate) fn run(args: &CompletionArgs) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::with_help(), "marotte", &mut script);
    let mut out = std::io::stdout().lock();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Status::Clean)
}
