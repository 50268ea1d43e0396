//! `marotte epp`: templates, as in `puppet epp`.

mod dump;
mod validate;

use crate::Status;
use crate::args::{EppArgs, EppCommand};
use crate::failure::Failure;
use crate::render::{self, Language};

/// Runs one of the commands.
pub(crate) fn run(args: &EppArgs) -> Result<Status, Failure> {
    match &args.command {
        EppCommand::Render(args) => render::run(args, Language::Epp),
        EppCommand::Validate(args) => validate::run(args),
        EppCommand::Dump(args) => dump::run(args),
    }
}
