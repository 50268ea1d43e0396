//! Common parts of `eval`, `epp` and `repl`: surroundings and settings from arguments, messages, findings.

mod logs;
mod options;

pub(crate) use logs::{Logs, Printing, Shown};
pub(crate) use options::{
    answers, code_tree, confined, define_variables, facts, named_roots, policy, refuse_recording, save,
    settings, split_module_path, surroundings, tell_what_is_outside, variables,
};

use std::io::{self, Write};
use std::sync::Arc;

use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::{Diagnostic, Sources};

/// Writes findings to standard error.
pub(crate) fn show(diagnostics: &[Arc<Diagnostic>], sources: &dyn Sources, color: Color) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stderr().lock());
    output::write(Format::Full, diagnostics, sources, color, &mut out)?;
    out.flush()
}
