//! Common parts of `eval`, `epp` and `repl`: context and settings from arguments, messages, findings.

mod environment;
mod logs;
mod options;
mod outside;

pub(crate) use environment::{environment_dir, environment_for};
pub(crate) use logs::{Logs, Printing, RubyUse, Shown};
pub(crate) use options::{
    answers, code_tree, confined, context, define_variables, facts, facts_of, hiera_folder, named_roots,
    policy, refuse_missing, refuse_recording, save, settings, split_module_path, variables,
};
pub(crate) use outside::{real, refuse_outside_configuration, tell_what_is_outside};

use std::io::{self, Write};
use std::sync::Arc;

use marotte_diagnostics::headline::headlines;
use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::{Diagnostic, Sources};

use crate::args::EvaluationArgs;

/// Writes findings to standard error.
pub(crate) fn show(diagnostics: &[Arc<Diagnostic>], sources: &dyn Sources, color: Color) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stderr().lock());
    output::write(Format::Full, &headlines(diagnostics), sources, color, &mut out)?;
    out.flush()
}

/// Writes the findings of an evaluation to standard error, with a hint if an installed Ruby may help.
pub(crate) fn show_with_hint(
    args: &EvaluationArgs,
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
) -> io::Result<()> {
    show(diagnostics, sources, args.color.on_stderr())?;
    match RubyUse::of(args).hint(diagnostics.iter().map(|it| it.message.as_str())) {
        Some(hint) => writeln!(io::stderr().lock(), "{hint}"),
        None => Ok(()),
    }
}
