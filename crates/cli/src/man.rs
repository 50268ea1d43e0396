use std::io::Write as _;

use crate::Status;
use crate::args::{Cli, ManArgs};
use crate::failure::Failure;

/// Prints a manual page in roff, as `man -l -` reads it.
pub(crate) fn run(args: &ManArgs) -> Result<Status, Failure> {
    let mut cli = Cli::with_help();
    cli.build();
    let command = match &args.command {
        None => cli,
        Some(name) => {
            cli.find_subcommand(name).cloned().ok_or_else(|| format!("there is no command `{name}`"))?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    let mut out = std::io::stdout().lock();
    out.write_all(&page)?;
    out.flush()?;
    Ok(Status::Clean)
}
