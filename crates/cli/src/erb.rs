//! `marotte erb`: templates in Ruby.

mod dump;
mod validate;

use crate::Status;
use crate::args::{ErbArgs, ErbCommand};
use crate::failure::Failure;
use crate::render::{self, Language};

/// Runs one of the commands.
pub(crate) fn run(args: &ErbArgs) -> Result<Status, Failure> {
    match &args.command {
        ErbCommand::Render(args) => render::run(args, Language::Erb),
        ErbCommand::Validate(args) => validate::run(args),
        ErbCommand::Dump(args) => dump::run(args),
    }
}
