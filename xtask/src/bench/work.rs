//! The instructions of a cold check, which valgrind counts. They vary much less than times do, so that a rule that compares every name
//! with every other one is noticed even on a busy machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::build;
use super::measure::REFUSED;
use super::passes::collected;
use super::report::{Bound, Report};
use crate::{Result, corpus};

/// The modules that are checked: large ones with templates, functions and types, and one whose classes are very similar to each other.
const MODULES: [&str; 5] =
    ["neutron", "puppetlabs-apache", "puppetlabs-postgresql", "puppetlabs-stdlib", "voxpupuli-collectd"];

/// The maximum number of instructions of that, in millions: a tenth more than a release build needs.
const RELEASE: f64 = 1380.0;

/// The same for a build with the profile `dev`: tests need that one, so that it is there without another build.
const DEV: f64 = 4140.0;

/// The program to measure.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure this program rather than one built for it.
    #[arg(long)]
    program: Option<PathBuf>,
    /// The program was built with the profile `dev`.
    #[arg(long, requires = "program")]
    dev: bool,
}

/// Counts the instructions of a cold check. Fails if there are more than the bound.
pub(super) fn measure(arguments: &Arguments, corpus: &Path, report: &mut Report) -> Result<()> {
    let program = match &arguments.program {
        Some(path) => path.clone(),
        None => build::release()?.marotte,
    };
    let modules = corpus::tree(corpus).join("usr/share/puppet/modules.available");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    command.args(["check", "--threads", "1"]).args(MODULES.map(|it| modules.join(it)));
    // Valgrind and marotte both write to standard error.
    let output = command.output().map_err(|error| format!("valgrind cannot be started: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.code().is_some_and(|it| REFUSED.contains(&it)) {
        return Err(format!("the modules were not checked ({}): {messages}", output.status).into());
    }
    let millions = collected(&messages)? as f64 / 1e6;
    let most = if arguments.dev { DEV } else { RELEASE };
    let note = format!("a cold check of {} modules in one thread, under callgrind", MODULES.len());
    report.add("instructions of a check", millions, "million", Bound::AtMost(most), &note);
    match millions <= most {
        true => Ok(()),
        false => {
            Err(format!("a cold check needs {millions:.0} million instructions, and may need {most:.0}")
                .into())
        }
    }
}
