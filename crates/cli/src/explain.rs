use std::io::Write as _;

use marotte_diagnostics::issues::{self, ISSUES};
use marotte_diagnostics::named_set;
use marotte_diagnostics::rules::{self, RULES};

use crate::Status;
use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::rule;

mod function;

/// The word before the name of a function.
const FUNCTION: &str = "function";

/// Prints a rule's page, the rules of a group, or all rules; or a function's, or all functions.
pub(crate) fn run(args: &ExplainArgs) -> Result<Status, Failure> {
    let color = args.color.on_stdout();
    let text = match (&args.rule, &args.function) {
        (Some(word), name) if word == FUNCTION => {
            function::explain(name.as_deref(), args.output_format, color)?
        }
        (Some(rule), Some(_)) => {
            return Err(Failure::Message(format!(
                "nothing is named after `{rule}`; `{FUNCTION} NAME` is explained"
            )));
        }
        (None, _) => rule::list(RULES.iter().chain(ISSUES).copied(), args.output_format, color),
        (Some(name), None) => match (rules::rule(name).or_else(|| issues::issue(name)), named_set(name)) {
            (Some(rule), _) => rule::page(rule, args.output_format, color),
            (None, Some(set)) => rule::set(&set, args.output_format, color),
            (None, None) => return Err(rules::unknown(name).into()),
        },
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Status::Clean)
}
