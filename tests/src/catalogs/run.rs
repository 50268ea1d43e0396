use std::sync::{Arc, LazyLock};

use marotte_catalog::wire::{Envelope, Wire};
use marotte_catalog::{Catalog, Gap, Site};
use marotte_db::MemorySystem;
use marotte_eval::{Effect, EvaluationError, Interpreter, Place, Settings};
use marotte_hiera::data::{Permitted, parse_yaml};
use marotte_host::layout::main_manifests;
use marotte_host::{
    Classification, CodeTree, EvaluationContext, Facts, Findings, NodeInput, Policy, rendered, rendered_gaps,
};
use marotte_pcore::ops::Strictness;
use marotte_pcore::value::{Hash, Value};
use marotte_project::ProjectDatabase;
use regex::Regex;

use super::Scenario;

const NODE: &str = "node.example.com";

/// Resources that are the same in every catalog.
pub(super) const USUAL: [&str; 2] = [
    "Stage[main] compilable_type tags stage {\"name\":\"main\"}",
    "Class[Settings] unknown in Stage[main] tags class,settings",
];

/// Compiles a scenario; returns the answer as chapters write it.
///
/// # Errors
/// If the scenario's own data cannot be read.
pub fn compile(scenario: &Scenario) -> Result<String, Box<dyn std::error::Error>> {
    compile_as(scenario, false)
}

/// Compiles a scenario, with everything that is written in Ruby left unknown.
///
/// # Errors
/// If the scenario's own data cannot be read.
pub fn compile_without_ruby(scenario: &Scenario) -> Result<String, Box<dyn std::error::Error>> {
    compile_as(scenario, true)
}

fn compile_as(scenario: &Scenario, leave_out_ruby: bool) -> Result<String, Box<dyn std::error::Error>> {
    let files: Vec<(String, &str)> =
        scenario.files.iter().map(|(path, text)| (format!("/env/{path}"), text.as_str())).collect();
    let system = MemorySystem::with_files(files.iter().map(|(path, text)| (path.as_str(), *text)));
    let manifests = main_manifests(&system, "/env/manifests".into());
    let db = ProjectDatabase::frozen(Arc::new(system));
    let tree = CodeTree { module_path: vec!["/env/modules".into()], environment: Some("/env".into()) };
    let context =
        EvaluationContext::new(db, tree, node(scenario)?).with_manifests(manifests).with_policy(Policy {
            hiera_config: Some("/env/global/hiera.yaml".into()),
            leave_out_ruby,
            ..Policy::default()
        });
    let mut settings = scenario.dialect.map_or_else(Settings::default, Settings::of);
    for (name, value) in &scenario.settings {
        match (&**name, &**value) {
            ("strict", "off") => settings.strict = Strictness::Off,
            ("strict", "warning") => settings.strict = Strictness::Warning,
            ("strict_variables", value) => settings.strict_variables = value == "true",
            _ => {}
        }
    }
    let mut effects = Vec::new();
    let compiled = Interpreter::new(settings, &context.host(), &mut effects).compile();
    let mut findings = Findings::new(&context);
    let mut lines: Vec<String> = effects
        .iter()
        .map(|Effect::Log(log)| {
            format!("{}: {}", log.level, log.message.replace('\n', "⏎").replace("/env", "‹env›"))
        })
        .collect();
    if scenario.all_faults {
        let told = compiled.errors.iter().map(|it| format!("✗ {}", error(it, &mut findings)));
        return Ok(told.collect::<Vec<_>>().join("\n"));
    }
    match (compiled.errors.first(), compiled.catalog) {
        (None, Some(catalog)) => {
            let mut catalog = rendered(catalog, &mut findings);
            catalog.gaps = rendered_gaps(&compiled.gaps, &mut findings);
            lines.extend(incomplete(&catalog));
            lines.extend(told(&catalog));
        }
        (Some(first), _) => lines.push(format!("✗ {}", error(first, &mut findings))),
        (None, None) => lines.push("✗ no catalog".to_owned()),
    }
    Ok(lines.join("\n"))
}

/// Describes what is missing from an incomplete catalog.
fn incomplete(catalog: &Catalog) -> Vec<String> {
    let completeness = catalog.completeness();
    if completeness.is_complete() {
        return Vec::new();
    }
    let sites = |what: &str, sites: &[Site]| match sites {
        [] => String::new(),
        _ => format!(
            "; {what} {}",
            sites.iter().map(|it| relative(&it.to_string()).to_owned()).collect::<Vec<_>>().join(", ")
        ),
    };
    let gap = |it: &Gap| {
        let reason = it.reason.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
        let (asked, skipped) = (sites("asked for at", &it.asked), sites("skips code at", &it.skipped));
        format!("incomplete: {}{reason}{asked}{skipped}", it.cause).replace("/env", "‹env›")
    };
    let head = format!("INCOMPLETE: {completeness}");
    [head].into_iter().chain(catalog.told_gaps().into_iter().map(gap)).collect()
}

fn yaml(text: &str) -> Result<Arc<Hash>, Box<dyn std::error::Error>> {
    let permitted = Permitted { symbols: false, classes: &[] };
    let document = parse_yaml(text, permitted).map_err(|error| error.to_string())?;
    match document.value {
        Value::Hash(hash) => Ok(hash),
        _ => Err("no hash".into()),
    }
}

fn node(scenario: &Scenario) -> Result<NodeInput, Box<dyn std::error::Error>> {
    let mut facts = Hash::clone(&*yaml("{kernel: Linux, os: {family: Debian, name: Debian}}")?);
    if let Some(text) = &scenario.facts {
        for (name, value) in yaml(text)?.iter() {
            facts.insert(name.clone(), value.clone());
        }
    }
    let server = yaml("{serverversion: 8.11.0, servername: puppet.example.com, serverip: 192.0.2.1}")?;
    let facts = Facts { name: Some(NODE.into()), values: Arc::new(facts) };
    let node = NodeInput::new(facts).remote(&server);
    let Some(text) = &scenario.classification else { return Ok(node) };
    Ok(node.classified(Classification::from_hash(&*yaml(text)?)?))
}

fn told(catalog: &Catalog) -> Vec<String> {
    let join = |words: Vec<&str>| words.join(",");
    let mut lines = vec![
        format!("tags {}", join(catalog.tags.iter().map(|it| it.as_str()).collect())),
        format!("classes {}", join(catalog.classes.iter().map(|it| it.as_str()).collect())),
    ];
    let envelope = &Envelope { version: 0.into(), uuid: "0".into() };
    let json = serde_json::to_value(Wire { catalog, envelope }).expect("catalogs are JSON");
    let written = json["resources"].as_array().cloned().unwrap_or_default();
    for (it, json) in catalog.resources.iter().zip(written) {
        let mut words = vec![it.reference.to_string().replace('\n', "⏎"), it.kind.name().to_owned()];
        if it.exported {
            words.push("exported".to_owned());
        }
        if let Some(place) = &it.place {
            words.push(format!("at {}:{}", relative(&place.file), place.line));
        }
        let containers: Vec<String> = catalog
            .edges
            .iter()
            .filter(|edge| edge.target == it.reference)
            .map(|edge| edge.source.to_string())
            .collect();
        if !containers.is_empty() {
            words.push(format!("in {}", containers.join(" & ")));
        }
        words.push(format!(
            "tags {}",
            join(it.tags.iter().map(|it| it.as_str()).collect()).replace('\n', "⏎")
        ));
        if let Some(parameters) = json.get("parameters") {
            words.push(parameters.to_string());
        }
        if let Some(names) = json.get("sensitive_parameters").and_then(|it| it.as_array()) {
            let names: Vec<&str> = names.iter().filter_map(|it| it.as_str()).collect();
            words.push(format!("sensitive {}", names.join(",")));
        }
        let line = words.join(" ");
        if !USUAL.contains(&&*line) {
            lines.push(line);
        }
    }
    lines
}

/// Removes the places from a message, and returns both.
fn without_places(message: &str) -> (String, Vec<String>) {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\s*\(file: ([^,)]+)(?:, line: (\d+))?(?:, column: \d+)?\)").expect("a valid expression")
    });
    let places = PLACE.captures_iter(message).map(|found| {
        let (file, line) = (relative(&found[1]), found.get(2).map(|it| format!(":{}", it.as_str())));
        format!("{file}{}", line.unwrap_or_default())
    });
    (PLACE.replace_all(message, "").into_owned(), places.collect())
}

fn relative(path: &str) -> &str {
    path.strip_prefix("/env/").unwrap_or(path)
}

/// Returns the message, with all places that belong to it: those that it mentions, its own, those of the resources around it.
fn error(error: &EvaluationError, findings: &mut Findings<'_>) -> String {
    if error.message.starts_with("Could not parse for environment production: ") {
        return "refused when it is read".to_owned();
    }
    let (text, mentioned) = without_places(&error.message);
    let others = error.others();
    let places: Vec<&Place> = others.related.iter().chain(&error.place).chain(&others.within).collect();
    let mut shown = mentioned;
    for place in places {
        if let Some((path, line)) = findings.line(place) {
            let text = format!("{}:{line}", relative(&path));
            if !shown.contains(&text) {
                shown.push(text);
            }
        }
    }
    shown.sort();
    let message = text.replace('\n', "⏎").replace("/env", "‹env›");
    let (message, places) = (message.trim_end().to_owned(), shown.join(", "));
    [message, places].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" — ")
}
