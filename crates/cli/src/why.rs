//! `marotte why`.

mod json;
mod steps;
mod target;
mod text;

use std::io::{self, Write as _};

use marotte_catalog::{Catalog, Reference};
use marotte_diagnostics::{FileId, printable};
use marotte_eval::catalog::{Provenance, Traced};
use marotte_host::{Evaluation, Findings, ProjectDatabase};
use marotte_impact::Shown;
use marotte_pcore::value::Value;
use marotte_project::has_secret;
use marotte_resolve::spelling::nearest;
use marotte_text::TextRange;

use crate::Status;
use crate::args::{WhyArgs, WhyFormat};
use crate::compilation::{Compilation, NodeReport, Outcome};
use crate::evaluation;
use crate::failure::Failure;
use crate::terminal::{print, print_json};
use steps::{At, Explained, Step};
use target::Target;

/// The text that replaces a value if it is unknown whether the value is secret.
const WITHHELD: &str = "not shown, because not everything that it was computed from is recorded";

/// The explanation of a resource, or of one of its attributes.
struct Answer {
    /// The name of the node.
    node: String,
    resource: Reference,
    /// The steps from the resource to the node.
    declared: Vec<Step>,
    /// The requested attributes.
    attributes: Vec<Explained>,
    /// The relationships that arrows create from other resources. Empty if one attribute was requested.
    incoming: Vec<Step>,
    /// Whether the catalog is partly unknown.
    is_incomplete: bool,
    /// Whether the recorded provenance is limited, and incomplete because of that.
    is_cut: bool,
}

/// The output, and the exit status.
struct Explanation {
    report: NodeReport,
    text: String,
    status: Status,
}

/// Explains where a resource of a catalog, or an attribute of it, comes from.
pub(crate) fn run(args: &WhyArgs) -> Result<Status, Failure> {
    evaluation::refuse_recording(&args.compilation.evaluation, "why")?;
    let target = Target::read(&args.target)?;
    let is_unnamed = target.node.is_none() && args.compilation.evaluation.facts.is_none();
    if is_unnamed && args.compilation.facts_dir.is_some() {
        let message = "`--facts-dir` has the facts of nodes: name a node";
        return Err(Failure::Message(message.to_owned()));
    }
    let Some(compilation) = Compilation::new(&args.compilation)? else { return Ok(Status::Findings) };
    compilation.require_facts(target.node.as_deref())?;
    let explanation = compilation.explained(target.node.as_deref(), |db, evaluation, outcome| {
        explanation(args, &target, db, evaluation, outcome)
    })?;
    let Explanation { report, text, status } = explanation?;
    io::stderr().lock().write_all(&report.whole())?;
    match args.output_format {
        WhyFormat::Text => print(&text)?,
        WhyFormat::Json => print_json(&text)?,
    }
    Ok(match status {
        Status::Incomplete if args.compilation.allow_incomplete => Status::Clean,
        status => status,
    })
}

/// Explains the requested resource or attribute, in the requested format.
fn explanation(
    args: &WhyArgs,
    target: &Target,
    db: &ProjectDatabase,
    evaluation: &Evaluation,
    outcome: Outcome,
) -> Result<Explanation, Failure> {
    let Outcome { catalog, mut report, .. } = outcome;
    let failed = |report| Explanation { report, text: String::new(), status: Status::Findings };
    let (Some(catalog), Some(all)) = (catalog, &evaluation.compiled.provenance) else {
        writeln!(report.own, "error: the catalog does not compile, so that nothing in it can be explained")?;
        return Ok(failed(report));
    };
    let answer = match answer(args, target, all, evaluation, &catalog) {
        Ok(answer) => answer,
        Err(lines) => {
            for line in lines {
                writeln!(report.own, "{}", printable::line(&line))?;
            }
            return Ok(failed(report));
        }
    };
    let mut findings = Findings::over(db);
    let text = match args.output_format {
        WhyFormat::Text => {
            text::written(&answer, db, &mut findings, args.compilation.evaluation.color.on_stdout())?
        }
        WhyFormat::Json => json::written(&answer, db, &mut findings),
    };
    let is_unknown = answer.attributes.iter().any(|it| matches!(it.value, Some(Shown::Unknown(_))));
    let status = if is_unknown { Status::Incomplete } else { Status::Clean };
    Ok(Explanation { report, text, status })
}

/// Explains the requested resource or attribute.
///
/// # Errors
/// If it is not in the catalog: the lines of the answer about it.
fn answer(
    args: &WhyArgs,
    target: &Target,
    all: &Provenance,
    evaluation: &Evaluation,
    catalog: &Catalog,
) -> Result<Answer, Vec<String>> {
    let is_incomplete = !catalog.completeness().is_complete();
    let found = target.meanings.iter().find_map(|(it, name)| Some((find(all, it)?, name.as_deref())));
    let Some((resource, wanted)) = found else {
        return Err(missing(target, all, catalog, is_incomplete));
    };
    let names: Vec<&str> = match wanted {
        // Catalogs do not repeat the title.
        None => {
            let is_shown = |(value, _): &(Value, _)| value.as_str() != Some(&resource.reference.title);
            let shown = resource.attributes.iter().filter(|(name, it)| &***name != "name" || is_shown(it));
            shown.map(|(name, _)| &**name).collect()
        }
        Some(wanted) => {
            let known = resource.attributes.keys().find(|it| it.eq_ignore_ascii_case(wanted));
            match known {
                Some(known) => vec![known],
                None => return Err(not_set(resource, wanted, is_incomplete)),
            }
        }
    };
    let gaps = &evaluation.compiled.gaps;
    let explained = names.iter().filter_map(|it| steps::attribute(all, gaps, resource, it, args.depth));
    Ok(Answer {
        node: catalog.name.to_string(),
        resource: resource.reference.clone(),
        declared: steps::declared(all, resource),
        attributes: explained.collect(),
        incoming: if wanted.is_none() { steps::incoming(all, resource) } else { Vec::new() },
        is_incomplete,
        is_cut: all.is_cut,
    })
}

/// Finds a resource of the catalog by its title, or by another name of it.
fn find<'p>(all: &'p Provenance, wanted: &Reference) -> Option<&'p Traced> {
    let is_present = |it: &&Traced| !it.is_virtual && it.reference.type_name == wanted.type_name;
    let named = |it: &&Traced| it.reference.title.eq_ignore_ascii_case(&wanted.title);
    let is_class = wanted.type_name == "Class";
    let mut present = all.resources.iter().filter(is_present);
    let own = present.clone().find(|it| it.reference.title == wanted.title);
    let own = own.or_else(|| present.clone().find(|it| is_class && named(it)));
    own.or_else(|| {
        present.find(|it| {
            let alias = |name: &str| it.attributes.get(name).and_then(|(value, _)| value.as_str());
            ["name", "path", "alias"].iter().any(|name| alias(name) == Some(&wanted.title))
        })
    })
}

/// Returns the lines of the answer about a resource that is not in the catalog.
fn missing(target: &Target, all: &Provenance, catalog: &Catalog, is_incomplete: bool) -> Vec<String> {
    let Some((wanted, _)) = target.meanings.first() else { return Vec::new() };
    let node = &catalog.name;
    let mut lines = vec![format!("error: {wanted} is not in the catalog of {node}")];
    let of_type = || all.resources.iter().filter(|it| it.reference.type_name == wanted.type_name);
    let is_virtual = |it: &&Traced| it.is_virtual && it.reference.title == wanted.title;
    if let Some(found) = of_type().find(is_virtual) {
        let what = if found.is_exported { "exported" } else { "virtual" };
        lines.push(format!("note: {wanted} is {what}, and no collector and no `realize` makes it real"));
    }
    let titles: Vec<&str> = of_type().filter(|it| !it.is_virtual).map(|it| &*it.reference.title).collect();
    // The last meaning has no attribute in its title.
    let mut wanted_titles = target.meanings.iter().rev().map(|(it, _)| &it.title);
    match wanted_titles.find_map(|it| nearest(it, titles.iter().copied())) {
        Some(near) => lines.push(format!("note: did you mean {}[{near}]?", wanted.type_name)),
        None if titles.is_empty() => {
            let types: Vec<&str> = all.resources.iter().map(|it| &*it.reference.type_name).collect();
            let near = nearest(&wanted.type_name, types);
            let near = near.map(|it| format!("; did you mean {it}?")).unwrap_or_default();
            lines.push(format!("note: the catalog has no resource of the type {}{near}", wanted.type_name));
        }
        None => {
            let some: Vec<&str> = titles.iter().copied().take(5).collect();
            let more = titles.len().saturating_sub(some.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            lines.push(format!("note: of the type {} it has {}{more}", wanted.type_name, some.join(", ")));
        }
    }
    if is_incomplete {
        lines.push("note: the catalog is INCOMPLETE: the resource may exist nevertheless".to_owned());
    }
    lines
}

/// Returns the lines of the answer about an attribute that is not set.
fn not_set(resource: &Traced, wanted: &str, is_incomplete: bool) -> Vec<String> {
    let reference = &resource.reference;
    let mut lines = vec![format!("error: `{wanted}` of {reference} is not set")];
    let names: Vec<&str> = resource.attributes.keys().map(|it| &**it).collect();
    match nearest(wanted, names.iter().copied()) {
        Some(near) => lines.push(format!("note: did you mean `{near}`?")),
        None if names.is_empty() => {}
        None => lines.push(format!("note: these are set: {}", names.join(", "))),
    }
    if is_incomplete {
        lines.push("note: the catalog is INCOMPLETE: the attribute may be set nevertheless".to_owned());
    }
    lines
}

/// The range of source text that shows a step, and whether it must not be shown. None if no code is responsible.
fn place(
    step: &Step,
    db: &ProjectDatabase,
    findings: &mut Findings<'_>,
) -> Option<(FileId, TextRange, bool)> {
    let (file, range) = match step.at.as_ref()? {
        At::Code(place) => findings.mark(place)?,
        At::Data(path, key) => findings.mark_data(path, key)?,
    };
    Some((file, range, step.conceals || has_secret(db, file, range)))
}
