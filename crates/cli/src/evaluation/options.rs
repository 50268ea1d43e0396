use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::{ConfinedSystem, Outward, resolve};
use marotte_db::{DiskSystem, System};
use marotte_diagnostics::output::Color;
use marotte_diagnostics::printable;
use marotte_eval::{Interpreter, Limits, Settings};
use marotte_host::{
    Answers, Classification, Clock, CodeTree, EvaluationContext, Facts, Findings, NodeInput, Permission,
    Permissions, Policy, Pool, Source, WorkerLimits, read_program,
};
use marotte_pcore::budget::Allowance;
use marotte_pcore::dialect::{Dialect, Texts};
use marotte_pcore::ops::Strictness;
use marotte_pcore::time::{Formats, LocalOffset, Timestamp};
use marotte_pcore::value::Value;
use marotte_project::ProjectDatabase;
use marotte_text::Str;

use super::outside::{refuse_outside_configuration, tell_what_is_outside};
use super::show;
use crate::args::{EvaluationArgs, Strict};
use crate::bounds::{starts_inside, way};
use crate::failure::Failure;

/// The settings for evaluating programs.
pub(crate) fn settings(args: &EvaluationArgs) -> Settings {
    let usual = Settings::of(Dialect::by_name(args.dialect).unwrap_or(Dialect::puppet8()));
    let limits = Limits {
        call_depth: args.max_call_depth.unwrap_or(usual.limits.call_depth),
        string_size: args
            .max_string_size
            .map_or(usual.limits.string_size, |it| usize::try_from(it.0).unwrap_or(usize::MAX)),
        collection_size: args.max_collection_size.unwrap_or(usual.limits.collection_size),
        iterations: args.max_iterations.unwrap_or(usual.limits.iterations),
        copies: args.max_copies.unwrap_or(usual.limits.copies),
        budget: Allowance {
            steps: args.max_steps.unwrap_or(usual.limits.budget.steps),
            memory: args.max_memory.map_or(usual.limits.budget.memory, |it| it.0),
            time: match args.timeout {
                None => usual.limits.budget.time,
                Some(0) => None,
                Some(seconds) => Some(Duration::from_secs(seconds)),
            },
        },
        ..usual.limits.clone()
    };
    Settings {
        strict: match args.strict {
            Strict::Off => Strictness::Off,
            Strict::Warning => Strictness::Warning,
            Strict::Error => Strictness::Error,
        },
        strict_variables: args.strict_variables.unwrap_or(usual.strict_variables),
        limits,
        ..usual
    }
}

/// The facts in the named file, if there is one.
pub(crate) fn facts(args: &EvaluationArgs, system: &dyn System) -> Result<Facts, Failure> {
    match &args.facts {
        Some(path) => Facts::read(system, path).map_err(|error| Failure::Message(error.to_string())),
        None => Ok(Facts::default()),
    }
}

/// The facts in the named file, of the node with this name.
pub(crate) fn facts_of(
    args: &EvaluationArgs,
    node: Option<&str>,
    system: &dyn System,
) -> Result<Facts, Failure> {
    let facts = facts(args, system)?;
    Ok(match node {
        Some(name) => facts.named(name),
        None => facts,
    })
}

/// Returns the session for programs that are evaluated for the node with these facts, in the environment in a folder. `files` are
/// the absolute paths of the files that arguments name.
pub(crate) fn context(
    args: &EvaluationArgs,
    system: Arc<dyn System>,
    environment: Option<Utf8PathBuf>,
    files: Vec<Utf8PathBuf>,
    facts: Facts,
) -> Result<EvaluationContext, Failure> {
    refuse_missing(args, &[&*system])?;
    let named = named_roots(args, &*system, files);
    let answers = answers(args, &*system)?;
    let system = confined(args, system, environment.clone(), &named, answers.as_deref());
    environment.iter().try_for_each(|it| refuse_outside_configuration(&*system, it))?;
    let tree = code_tree(&*system, args.module_path.as_deref(), environment);
    tell_what_is_outside(&*system, tree.module_path.iter())?;
    let policy = policy(args, &*system, &tree, named, answers)?;
    let db = ProjectDatabase::frozen(system);
    let mut node = NodeInput::new(facts);
    if let Some(name) = &args.environment {
        let environment = Some(name.as_str().into());
        node = node.classified(Classification { environment, ..Classification::default() });
    }
    Ok(EvaluationContext::new(db, tree, node).with_policy(policy))
}

/// The folder of the global `hiera.yaml` that arguments name: its data is next to it.
pub(crate) fn hiera_folder(args: &EvaluationArgs, system: &dyn System) -> Option<Utf8PathBuf> {
    let path = system.absolute(args.hiera_config.as_ref()?);
    path.parent().map(Utf8Path::to_owned)
}

/// The parts of the code tree that arguments name: module folders, and these files.
pub(crate) fn named_roots(
    args: &EvaluationArgs,
    system: &dyn System,
    files: Vec<Utf8PathBuf>,
) -> Vec<Utf8PathBuf> {
    let folders = args.module_path.as_deref().map(split_module_path).unwrap_or_default();
    files.into_iter().chain(folders.iter().map(|it| system.absolute(it))).collect()
}

/// Returns a system that only reads the code tree and the permitted paths.
pub(crate) fn confined(
    args: &EvaluationArgs,
    system: Arc<dyn System>,
    environment: Option<Utf8PathBuf>,
    named: &[Utf8PathBuf],
    answers: Option<&Answers>,
) -> Arc<dyn System> {
    let hiera = hiera_folder(args, &*system);
    let allowed = args.allow.iter().filter_map(|it| match it {
        Permission::Read(path) => Some(system.absolute(path)),
        Permission::Exec | Permission::Ruby(_) => None,
    });
    let allowed: Vec<Utf8PathBuf> =
        allowed.chain(answers.map(Answers::readable).unwrap_or_default()).collect();
    let system = match answers {
        Some(answers) => answers.around(system, &allowed),
        None => system,
    };
    let roots: Vec<Utf8PathBuf> =
        environment.into_iter().chain(named.iter().cloned()).chain(hiera).chain(allowed).collect();
    Arc::new(ConfinedSystem::new(system, roots, Outward::Refused))
}

/// Creates or reads the record that `--record` or `--replay` names. None without these options.
pub(crate) fn answers(args: &EvaluationArgs, system: &dyn System) -> Result<Option<Arc<Answers>>, Failure> {
    let answers = match (&args.record, &args.replay) {
        (Some(path), _) => Answers::recording(&system.absolute(path)),
        (None, Some(path)) => Answers::replaying(system, &system.absolute(path)).map_err(Failure::Message)?,
        (None, None) => return Ok(None),
    };
    Ok(Some(Arc::new(answers)))
}

/// Rejects `--record` and `--replay` for commands that don't support them.
pub(crate) fn refuse_recording(args: &EvaluationArgs, command: &str) -> Result<(), Failure> {
    match args.record.is_some() || args.replay.is_some() {
        true => Err(Failure::Message(format!("`{command}` has no `--record` and `--replay`"))),
        false => Ok(()),
    }
}

/// Writes the record if `--record` is given, and warns of calls that could not be recorded. The user names the file, which may be
/// outside of the `tree`, unless a link of the tree leads there.
pub(crate) fn save(policy: &Policy, tree: &dyn System, disk: &dyn System) -> Result<(), Failure> {
    match policy.answers.as_deref() {
        Some(answers) => {
            let path = answers.path();
            let target = resolve(disk, path).real;
            let is_led = || tree.is_outside(&target) && starts_inside(path, |it| tree.is_outside(it));
            if !answers.replays() && is_led() {
                let message = format!(
                    "{} is outside of the tree, and not written unless `--record {target}` names it",
                    way(path, &target)
                );
                return Err(Failure::Message(message));
            }
            answers.save(disk, &target).map_err(Failure::Message)?;
            for (name, reason) in answers.unrecorded() {
                let text = format!("warning: {path} does not have all results of {name}, because {reason}");
                writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
            }
            Ok(())
        }
        None => Ok(()),
    }
}

/// The policy for programs of a tree: their settings and permissions.
pub(crate) fn policy(
    args: &EvaluationArgs,
    system: &dyn System,
    tree: &CodeTree,
    named: Vec<Utf8PathBuf>,
    answers: Option<Arc<Answers>>,
) -> Result<Policy, Failure> {
    let clock = match &args.now {
        None => Clock::System,
        Some(text) => Clock::Fixed(
            Timestamp::parse(&Texts::PUPPET8, text, Formats::Default, None, LocalOffset::UTC)
                .map_err(|_| format!("`{text}` is not a time such as `2026-01-31T12:00:00`"))?,
        ),
    };
    let settings = settings(args);
    let strict = match settings.strict {
        Strictness::Off => "off",
        Strictness::Warning => "warning",
        Strictness::Error => "error",
    };
    let mut permissions: Permissions = args.allow.iter().cloned().collect();
    permissions.read.extend(answers.as_deref().map(Answers::readable).unwrap_or_default());
    if args.no_ruby && permissions.ruby.is_some() {
        return Err(Failure::Message("`--no-ruby` and `--allow ruby` exclude each other".to_owned()));
    }
    let pool = match &permissions.ruby {
        None => None,
        Some(program) => {
            let usual = WorkerLimits::default();
            let time = args.ruby_timeout.map_or(usual.time, Duration::from_secs);
            let limits = WorkerLimits { time, ..usual };
            Some(Arc::new(Pool::new(Arc::new(DiskSystem::new()?), program, limits)))
        }
    };
    let module_path: Vec<&str> = tree.module_path.iter().map(|it| it.as_str()).collect();
    let own_settings = vec![
        ("strict", strict.into()),
        ("strict_variables", settings.strict_variables.into()),
        ("modulepath", Value::from(module_path.join(":").as_str())),
    ];
    Ok(Policy {
        named,
        leave_out_ruby: args.no_ruby,
        settings,
        permissions,
        pool,
        store: None,
        answers,
        records_reads: false,
        has_contents: false,
        clock,
        hiera_config: args.hiera_config.as_ref().map(|it| system.absolute(it)),
        own_settings,
        variables: Vec::new(),
    })
}

/// The modules that are named, or otherwise those of the environment in a folder.
pub(crate) fn code_tree(
    system: &dyn System,
    module_path: Option<&str>,
    environment: Option<Utf8PathBuf>,
) -> CodeTree {
    let Some(folders) = module_path else { return CodeTree::of_environment(system, environment) };
    let module_path = split_module_path(folders).iter().map(|it| system.absolute(it)).collect();
    CodeTree { module_path, environment }
}

/// Rejects arguments that name a folder, file or program that doesn't exist on any of the systems.
pub(crate) fn refuse_missing(args: &EvaluationArgs, systems: &[&dyn System]) -> Result<(), Failure> {
    let has = |path: &Utf8Path, is_there: fn(&dyn System, &Utf8Path) -> bool| {
        systems.iter().any(|it| is_there(*it, &it.absolute(path)))
    };
    let folders = args.module_path.as_deref().map(split_module_path).unwrap_or_default();
    if let Some(missing) = folders.iter().find(|it| !has(it, |system, path| system.is_directory(path))) {
        return Err(Failure::no_folder(missing));
    }
    let programs = args.allow.iter().filter_map(|it| match it {
        // A name without a path is looked up in `PATH`.
        Permission::Ruby(program) if program.contains('/') => Some(Utf8Path::new(program)),
        _ => None,
    });
    let mut files = programs.chain(args.hiera_config.as_deref());
    match files.find(|it| !has(it, |system, path| system.is_file(path))) {
        Some(missing) => Err(Failure::no_file(missing)),
        None => Ok(()),
    }
}

/// The folders of a module path.
pub(crate) fn split_module_path(folders: &str) -> Vec<Utf8PathBuf> {
    let separator = if cfg!(windows) { ';' } else { ':' };
    folders.split(separator).filter(|it| !it.is_empty()).map(Utf8PathBuf::from).collect()
}

/// Sets the variables of `--set`. Returns whether all could be set; errors are shown.
pub(crate) fn define_variables(
    args: &EvaluationArgs,
    context: &EvaluationContext,
    interpreter: &mut Interpreter<'_>,
    color: Color,
) -> Result<bool, Failure> {
    let Some(variables) = variables(args, context, color)? else { return Ok(false) };
    for (name, value) in variables {
        interpreter.define(&name, value);
    }
    Ok(true)
}

/// The variables of `--set`. None if one could not be set; errors are shown.
pub(crate) fn variables(
    args: &EvaluationArgs,
    context: &EvaluationContext,
    color: Color,
) -> Result<Option<Vec<(Str, Value)>>, Failure> {
    let mut variables = Vec::new();
    for text in &args.set {
        let malformed = || format!("`{text}` is not a NAME=PUPPET-LITERAL");
        let (name, literal) = text.split_once('=').ok_or_else(malformed)?;
        let is_name = name.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
            && name.bytes().all(|it| {
                it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_' || it.is_ascii_uppercase()
            });
        if !is_name {
            return Err(Failure::Message(format!("`{name}` is not a name of a variable")));
        }
        let settings = settings(args);
        let mut findings = Findings::new(context);
        let label = format!("<--set {name}>");
        let source = Source::Text { name: &label, text: literal, template: false };
        let Some(unit) = read_program(context, &settings, &source, &mut findings) else {
            show(findings.diagnostics(), &findings, color)?;
            return Ok(None);
        };
        let mut effects = Vec::new();
        let value = Interpreter::new(settings, &context.host(), &mut effects).run_unit(&unit);
        match value {
            Ok(value) => variables.push((name.into(), value)),
            Err(error) => {
                findings.error(&error);
                show(findings.diagnostics(), &findings, color)?;
                return Ok(None);
            }
        }
    }
    Ok(Some(variables))
}
