//! What `eval`, `epp` and `repl` have in common: surroundings and settings from arguments, messages, findings.

mod logs;
mod options;

pub(crate) use logs::{Logs, Printing, Shown};
pub(crate) use options::{
    code_tree, define_variables, facts, policy, settings, split_module_path, surroundings, variables,
};

use std::io::{self, Read as _, Write};

use marotte_db::DEFAULT_MAX_FILE_SIZE;
use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::{Diagnostic, Sources};

use crate::failure::Failure;

/// The name of a text on the command line.
pub(crate) const ARGUMENT: &str = "<argument>";

/// The name of standard input.
pub(crate) const STDIN: &str = "<stdin>";

/// Reads standard input as text.
pub(crate) fn read_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let limit = DEFAULT_MAX_FILE_SIZE;
    io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Failure::Message(format!("standard input has more than {limit} bytes")));
    }
    let text = String::from_utf8(bytes);
    text.map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Failure::Message(format!("{STDIN} is not UTF-8: the byte at offset {offset} cannot stand there"))
    })
}

/// Draws findings on standard error.
pub(crate) fn show(diagnostics: &[Diagnostic], sources: &dyn Sources, color: Color) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stderr().lock());
    output::write(Format::Full, diagnostics, sources, color, &mut out)?;
    out.flush()
}
