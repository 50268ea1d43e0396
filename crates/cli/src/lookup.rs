//! `marotte lookup`.

use std::io::{self, Write as _};
use std::sync::Arc;

use marotte_db::{Db as _, DiskSystem};
use marotte_diagnostics::printable;
use marotte_eval::Interpreter;
use marotte_host::layout::layout;
use marotte_host::{Findings, LookupOptions, run_lookup};

use crate::Status;
use crate::args::{LookupArgs, ValueFormat};
use crate::evaluation::{self, Logs, define_variables, show};
use crate::failure::Failure;
use crate::terminal::{print, print_exactly};

/// Looks up keys in the environment around the current folder.
pub(crate) fn run(args: &LookupArgs) -> Result<Status, Failure> {
    let disk = Arc::new(DiskSystem::new()?);
    let system = Arc::<DiskSystem>::clone(&disk);
    let facts = evaluation::facts_of(&args.evaluation, args.node.as_deref(), &*system)?;
    let (folder, name) = (args.environment_dir.as_deref(), args.evaluation.environment.as_deref());
    let environment = evaluation::environment_for(&*system, folder, name)?;
    let is_alone = environment.is_none() && args.evaluation.hiera_config.is_none();
    let mut context = evaluation::context(&args.evaluation, system, environment.clone(), Vec::new(), facts)?;
    if args.compile {
        let system = context.db().system();
        let layout = environment.map(|it| layout(system, &it, &[]));
        context = context.with_manifests(layout.map(|it| it.manifests).unwrap_or_default());
    }
    let mut logs = Logs::new(&args.evaluation, ValueFormat::Text, &context);
    let settings = evaluation::settings(&args.evaluation);
    let outside = context.host();
    let mut interpreter = Interpreter::new(settings, &outside, &mut logs);
    let color = args.evaluation.color.on_stderr();
    if !define_variables(&args.evaluation, &context, &mut interpreter, color)? {
        return Ok(Status::Findings);
    }
    if args.compile {
        let errors = interpreter.compile_kept().errors;
        let mut findings = Findings::new(&context);
        errors.iter().for_each(|it| findings.error(it));
        findings.loaded();
        show(findings.diagnostics(), &findings, color)?;
        if !errors.is_empty() {
            return Ok(Status::Findings);
        }
    }
    let options = LookupOptions {
        keys: args.keys.iter().map(|it| it.as_str().into()).collect(),
        merge: args.merge.clone(),
        knock_out_prefix: args.knock_out_prefix.clone(),
        sort_merged_arrays: args.sort_merged_arrays,
        merge_hash_arrays: args.merge_hash_arrays,
        value_type: args.value_type.clone(),
        default: args.default.clone(),
        explain: args.explain,
        explain_options: args.explain_options,
        render_as: args.render_as,
    };
    let found = run_lookup(&mut interpreter, &options);
    evaluation::save(context.policy(), context.db().system(), &*disk)?;
    match found {
        Ok(text) => {
            match args.explain || args.explain_options {
                true => print(&text)?,
                false => print_exactly(&text)?,
            }
            Ok(Status::Clean)
        }
        Err(error) => {
            writeln!(io::stderr().lock(), "error: {}", printable::text(&error.message))?;
            if is_alone {
                let note = "note: the current folder is not in an environment, so that there is no data; `--environment-dir` names one";
                writeln!(io::stderr().lock(), "{note}")?;
            }
            Ok(Status::Findings)
        }
    }
}
