//! Templates and functions in Ruby, warm, and sites that use them, cold, compared with the reference in the same run.

use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use camino::Utf8PathBuf;
use marotte_catalog::read;
use marotte_db::DiskSystem;
use marotte_eval::{Interpreter, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_host::{CodeTree, EvaluationContext, NodeInput, Policy, ProjectDatabase};
use marotte_pcore::ops::Strictness;
use marotte_pcore::value::Value;
use marotte_syntax::{Mode, parse};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::build::Programs;
use super::measure::{median, sample};
use super::report::{Bound, Report};
use super::scratch::Scratch;
use super::{catalog, control};
use crate::{Result, console, files};

/// The required speedups over the reference: of templates, of function calls, of whole processes, and of a
/// large node.
const TEMPLATES: f64 = 3.0;
const FUNCTIONS: f64 = 5.0;
const SITES: f64 = 20.0;
const NODE: f64 = 60.0;

/// The number of calls between two looks at the clock.
const REPEAT: u32 = 20;

/// One of this many calls of functions is measured.
const SHARE: usize = 8;

/// Render templates and call functions some times over; reads the work as JSON, and prints what that took.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How often each template is rendered and each function called.
    runs: u32,
    /// The folder of the modules.
    modules: Utf8PathBuf,
}

/// The templates and calls that marotte and Ruby both evaluate.
#[derive(Serialize, Deserialize)]
struct Work {
    templates: Vec<Template>,
    functions: Vec<String>,
    sites: Vec<Site>,
}

#[derive(Serialize, Deserialize)]
struct Template {
    path: String,
    variables: Map<String, Json>,
}

#[derive(Serialize, Deserialize)]
struct Site {
    manifest: PathBuf,
    facts: String,
}

/// The results and seconds of each part of the work; `None` for what fails.
#[derive(Default, Serialize, Deserialize)]
struct Outcome {
    templates: Vec<Option<(Option<String>, f64)>>,
    functions: Vec<Option<(Option<String>, f64)>>,
    sites: Vec<Option<(Option<String>, f64)>>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let work: Work = serde_json::from_str(&text)?;
    let settings = Settings { strict: Strictness::Warning, strict_variables: false, ..Settings::default() };
    let named = vec![Utf8PathBuf::try_from(files::repository().join("corpus"))?];
    let policy = Policy { settings: settings.clone(), named, ..Policy::default() };
    let tree = CodeTree { module_path: vec![arguments.modules.clone()], environment: None };
    let database = ProjectDatabase::new(Arc::new(DiskSystem::new()?));
    let context = EvaluationContext::new(database, tree, NodeInput::default()).with_policy(policy);
    let measured = |program: &str, variables: &Map<String, Json>| {
        let outside = context.host();
        let mut effects = Vec::new();
        let mut interpreter = Interpreter::new(settings.clone(), &outside, &mut effects);
        for (name, value) in variables {
            interpreter.define(name, read::value(value, 0)?);
        }
        let lowered = Arc::new(lower(&parse(program, Mode::default()).program));
        let unit = Unit { lowered, source: UnitSource::Text("program".into(), program.into()) };
        // Once for warming up.
        let value = interpreter.run_unit(&unit).ok().filter(|it| !it.has_unknown())?;
        let mut least = f64::INFINITY;
        for _ in 0..arguments.runs {
            let start = Instant::now();
            for _ in 0..REPEAT {
                black_box(interpreter.run_unit(black_box(&unit))).ok()?;
            }
            least = least.min(start.elapsed().as_secs_f64());
        }
        let text = match &value {
            Value::String(text) => Some(text.to_string()),
            _ => None,
        };
        Some((text, least / f64::from(REPEAT)))
    };
    let rendered = |it: &Template| measured(&format!("template('{}')", it.path), &it.variables);
    let outcome = Outcome {
        templates: work.templates.iter().map(rendered).collect(),
        functions: work.functions.iter().map(|it| measured(it, &Map::new())).collect(),
        sites: Vec::new(),
    };
    console::say(&serde_json::to_string(&outcome)?);
    Ok(())
}

/// Measures both sides, and reports the speedups.
pub(super) fn measure(programs: &Programs, runs: u32, report: &mut Report) -> Result<()> {
    let scratch = Scratch::new("ruby")?;
    let modules = marotte_tests::scenarios::module_path(scratch.folder())?.ok_or("there is no corpus")?;
    let work = work()?;
    let mut ours = Command::new(&programs.xtask);
    ours.arg("ruby-passes").arg(runs.to_string()).arg(&modules);
    let own = answered(&mut ours, &work)?;
    let mut theirs = Command::new("ruby");
    theirs.arg(files::repository().join("xtask/oracle/ruby_speed.rb"));
    theirs.arg(runs.to_string()).arg(REPEAT.to_string());
    let reference = answered(&mut theirs, &work)?;
    let paths: Vec<&str> = work.templates.iter().map(|it| it.path.as_str()).collect();
    compare("templates", &paths, (&own.templates, &reference.templates), TEMPLATES, report)?;
    let names: Vec<&str> = work.functions.iter().map(String::as_str).collect();
    compare("function calls", &names, (&own.functions, &reference.functions), FUNCTIONS, report)?;
    let copies = scratch.folder().join("copies");
    copy_folder(&modules, &copies)?;
    sites(programs, &copies, (&work.sites, &reference.sites), runs, report)?;
    let repository = scratch.folder().join("control");
    control::write(&repository, control::Templates::Erb)?;
    let node = catalog::Sample::new(&repository, scratch.folder())?;
    node.warm(programs, runs, ("a large node with templates", NODE), report)?;
    Ok(())
}

/// Takes the work from the records of the reference.
fn work() -> Result<Work> {
    let root = files::repository();
    let mut templates = Vec::new();
    for line in files::read(&root.join("tests/oracle/erb.jsonl"))?.lines() {
        let row: Json = serde_json::from_str(line)?;
        templates.extend(template(&root, &row));
    }
    let mut functions = Vec::new();
    for name in ["stdlib", "openstacklib", "postgresql", "apache"] {
        let path = root.join("tests/oracle/ruby_functions").join(name).with_extension("tsv");
        let text = files::read(&path)?;
        let rows = text.lines().filter_map(|line| line.split_once('\t'));
        let values = rows.filter(|(_, answer)| answer.starts_with("= ") && !answer.contains('\t'));
        functions.extend(values.step_by(SHARE).map(|(expression, _)| expression.to_owned()));
    }
    let mut sites = Vec::new();
    let folder = root.join("tests/scenarios/manifests");
    for path in files::regular_files(&folder, &["pp"])? {
        let manifest = folder.join(&path);
        let text = files::read(&manifest)?;
        let facts = text.lines().next().and_then(|it| it.trim_start_matches('#').split_whitespace().next());
        let is_sample = path.to_string_lossy().starts_with("sample-");
        if let Some(facts) = facts.filter(|_| is_sample) {
            sites.push(Site { facts: facts.to_owned(), manifest });
        }
    }
    Ok(Work { templates, functions, sites })
}

/// A template with the variables of the first rendering that succeeds. `None` if it reads variables of classes.
fn template(root: &Path, row: &Json) -> Option<Template> {
    let pools = row["variables"].as_object()?;
    if pools.keys().any(|it| it.contains("::")) {
        return None;
    }
    let is_text = |it: &&Json| it[1].as_str().is_some_and(|it| !it.starts_with('!'));
    let choice = row["renderings"].as_array()?.iter().find(is_text)?[0].as_str()?;
    let chosen = pools.iter().zip(choice.chars()).map(|((name, pool), digit)| {
        Some((name.clone(), pool.get(usize::try_from(digit.to_digit(36)?).ok()?)?.clone()))
    });
    let path = root.join("corpus/tree").join(row["path"].as_str()?);
    Some(Template { path: path.to_str()?.to_owned(), variables: chosen.collect::<Option<_>>()? })
}

/// Runs a program that reads the work and prints its outcome.
fn answered(command: &mut Command, work: &Work) -> Result<Outcome> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(serde_json::to_string(work)?.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("a side of the comparison ended with {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

type Side<'a> = &'a [Option<(Option<String>, f64)>];

/// Reports the speedup of all together, and how many are below the bound.
fn compare(
    what: &str,
    names: &[&str],
    (own, reference): (Side<'_>, Side<'_>),
    factor: f64,
    report: &mut Report,
) -> Result<()> {
    let (mut ratios, mut ours, mut theirs, mut unknown) = (Vec::new(), 0.0, 0.0, 0);
    for ((name, own), reference) in names.iter().zip(own).zip(reference) {
        let Some((expected, reference)) = reference else { continue };
        let Some((text, own)) = own else {
            unknown += 1;
            continue;
        };
        if expected.is_some() && text != expected {
            return Err(format!("{name} gives another text in Puppet").into());
        }
        ours += own;
        theirs += reference;
        ratios.push((reference / own, *name));
    }
    ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
    let slow = ratios.iter().filter(|it| it.0 < factor).count();
    let (least, slowest) = ratios.first().copied().unwrap_or_default();
    let middle = median(ratios.iter().map(|it| it.0).collect());
    let note = format!(
        "{}, {unknown} more are not known: {:.1} ms against {:.1} ms of Puppet, median {middle:.1} times",
        ratios.len(),
        ours * 1e3,
        theirs * 1e3
    );
    report.add(&format!("{what}, together"), theirs / ours, "times", Bound::AtLeast(factor), &note);
    let note = format!("{slow} of {} are below {factor} times; the slowest is {slowest}", ratios.len());
    report.add(&format!("{what}, the slowest"), least, "times", Bound::AtLeast(factor), &note);
    Ok(())
}

/// Copies the modules that a folder has links to: servers have folders of modules, and each link costs system calls.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for name in files::names(from)? {
        let (path, copy) = (from.join(&name), to.join(&name));
        match path.is_dir() {
            true => copy_folder(&path, &copy)?,
            // Some links of the packages lead to files of packages that are not there.
            false if path.is_file() => files::copy(&path, &copy)?,
            false => {}
        }
    }
    Ok(())
}

/// Reports the speedup of whole processes over the reference's warm compilation, in processor time.
fn sites(
    programs: &Programs,
    modules: &Path,
    (sites, reference): (&[Site], Side<'_>),
    runs: u32,
    report: &mut Report,
) -> Result<()> {
    let (mut ours, mut theirs) = (0.0, 0.0);
    for (site, reference) in sites.iter().zip(reference) {
        let Some((_, reference)) = reference else {
            return Err(format!("the reference refuses {}", site.manifest.display()).into());
        };
        let facts = files::repository().join("tests/scenarios/facts").join(&site.facts);
        let own = sample(runs, &[0], || {
            let mut command = Command::new(&programs.marotte);
            command.args(["compile", "--module-path"]).arg(modules).arg("--manifest").arg(&site.manifest);
            command.arg("--facts").arg(facts.with_extension("yaml"));
            command.args(["--strict", "warning", "--format", "json"]);
            command
        })?;
        ours += own.cpu;
        theirs += reference;
    }
    let note = format!(
        "{} sites, processor time: {:.0} ms of cold processes against {:.0} ms of Puppet, warm",
        sites.len(),
        ours * 1e3,
        theirs * 1e3
    );
    report.add("sites", theirs / ours, "times", Bound::AtLeast(SITES), &note);
    Ok(())
}
