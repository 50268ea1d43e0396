//! Renders the ERB templates of the corpus with recorded variables, and compares with what the reference rendered, byte for byte.
//!
//! No rendering may differ from the reference's. `tests/oracle/erb_baseline.tsv` has the number of known renderings, which
//! must not decrease; `MAROTTE_RECORD_BASELINE=1` rewrites it. `TEMPLATE=haproxy` only renders the templates of that name,
//! and prints details.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use marotte_pcore::value::Value;
use marotte_tests::scenarios::{MessageCompiler, Messages, module_path};
use marotte_tests::workspace;
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};

const BASELINE: &str = "tests/oracle/erb_baseline.tsv";

/// Templates that fail in the records since there is no variable `facts`, or fail by another error of Ruby before; a node has
/// facts always.
const WITHOUT_FACTS: [&str; 5] = [
    "saz-memcached/templates/memcached.conf.erb",
    "saz-memcached/templates/memcached_svcprop.erb",
    "saz-memcached/templates/memcached_sysconfig.erb",
    "pcfens-filebeat/templates/prospector.yml.erb",
    "voxpupuli-collectd/templates/mysql-database.conf.erb",
];

/// A template with the values that its variables take.
struct Template {
    path: String,
    variables: Map<String, Json>,
    renderings: Vec<Rendering>,
}

/// Which values the variables have, one digit of base 36 for each, and what the reference made of it.
#[derive(Clone)]
struct Rendering {
    choice: String,
    answer: String,
}

/// The counts of the renderings of a template, by result.
#[derive(Default)]
struct Outcome {
    equal: usize,
    unknown: usize,
    wrong: Vec<String>,
}

#[test]
#[expect(clippy::print_stderr, reason = "tells how much is known")]
fn templates_render_as_the_reference_renders_them() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("erb");
    let Some(modules) = libraries(&scratch) else { return };
    let only = std::env::var("TEMPLATE").ok();
    let mut renderer = Renderer::new(modules, scratch);
    let mut outcomes = BTreeMap::new();
    for template in templates() {
        if only.as_ref().is_none_or(|only| template.path.contains(only.as_str())) {
            outcomes.insert(template.path.clone(), renderer.outcome(&template));
        }
    }
    let sum = |of: fn(&Outcome) -> usize| outcomes.values().map(of).sum::<usize>();
    let whole = outcomes.values().filter(|it| it.unknown == 0 && it.wrong.is_empty()).count();
    eprintln!(
        "{} templates, {whole} known as a whole; {} renderings equal, {} not known, {} wrong",
        outcomes.len(),
        sum(|it| it.equal),
        sum(|it| it.unknown),
        sum(|it| it.wrong.len())
    );
    if only.is_some() {
        for (path, it) in &outcomes {
            eprintln!("{path}: {} equal, {} not known, {} wrong", it.equal, it.unknown, it.wrong.len());
        }
    } else {
        assert!(outcomes.len() >= 380, "only {} templates", outcomes.len());
        if std::env::var_os("MAROTTE_RECORD_BASELINE").is_some() {
            record(&outcomes);
        }
    }
    let failures = failures(&outcomes);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn templates() -> Vec<Template> {
    let text = workspace::read(&workspace::root().join("tests/oracle/erb.jsonl")).expect("the record");
    text.lines().map(|line| template(line).expect("a row of the record")).collect()
}

fn template(line: &str) -> Option<Template> {
    let row: Json = serde_json::from_str(line).ok()?;
    let rendering = |it: &Json| {
        Some(Rendering { choice: it[0].as_str()?.to_owned(), answer: it[1].as_str()?.to_owned() })
    };
    Some(Template {
        path: row["path"].as_str()?.to_owned(),
        variables: row["variables"].as_object()?.clone(),
        renderings: row["renderings"].as_array()?.iter().map(rendering).collect::<Option<_>>()?,
    })
}

/// A module path with the functions of modules only, so that classes of their names may be written for their variables.
#[expect(clippy::disallowed_methods, reason = "the tests stand outside the compiler and its `System`")]
fn libraries(scratch: &Path) -> Option<PathBuf> {
    let modules = module_path(scratch).expect("links to the modules")?;
    let libraries = scratch.join("libraries");
    for entry in std::fs::read_dir(modules).expect("the modules") {
        let module = entry.expect("a module").path();
        let own = libraries.join(module.file_name()?);
        std::fs::create_dir_all(&own).expect("a folder");
        for part in ["lib", "functions", "types", "templates"] {
            let (folder, link) = (module.join(part), own.join(part));
            if folder.is_dir() && !link.is_symlink() {
                std::os::unix::fs::symlink(std::fs::canonicalize(folder).expect("a folder"), link)
                    .expect("a link");
            }
        }
    }
    Some(libraries)
}

struct Renderer {
    compiler: MessageCompiler,
    corpus: PathBuf,
}

impl Renderer {
    #[expect(clippy::disallowed_methods, reason = "the tests stand outside the compiler and its `System`")]
    fn new(modules: PathBuf, scratch: PathBuf) -> Renderer {
        let corpus = std::fs::canonicalize(workspace::root().join("corpus/tree")).expect("the corpus");
        Renderer { compiler: MessageCompiler::new(modules, scratch).expect("a compiler"), corpus }
    }

    fn outcome(&mut self, template: &Template) -> Outcome {
        let mut outcome = Outcome::default();
        // What refuses is compiled alone; of the others those together whose classes are the same.
        let mut groups: BTreeMap<String, Vec<Rendering>> = BTreeMap::new();
        for it in &template.renderings {
            let names = template.variables.keys().zip(it.choice.chars());
            let outside = names.filter(|(name, _)| name.contains("::"));
            let mut key: String = outside.map(|(_, digit)| digit).collect();
            if it.answer.starts_with('!') {
                key = format!("refused {}", it.choice);
            }
            groups.entry(key).or_default().push(it.clone());
        }
        let path = self.corpus.join(&template.path);
        for group in groups.values() {
            let manifest = manifest_of(template, group, &path);
            let made = self.compiler.compile(&manifest, Arc::default()).expect("a manifest");
            for it in group {
                judge_one(template, it, &made, &mut outcome);
            }
        }
        outcome
    }
}

fn judge_one(template: &Template, it: &Rendering, made: &Messages, outcome: &mut Outcome) {
    let say = |what: String| format!("{} {}: {what}", template.path, it.choice);
    let (sign, expected) = it.answer.split_once(' ').unwrap_or((&it.answer, ""));
    let value = made.values.get(&format!("r{}", it.choice));
    let is_unknown = value.is_some_and(Value::has_unknown);
    let text = value.and_then(Value::as_str);
    match (sign, text, &made.error) {
        ("!", _, _) if WITHOUT_FACTS.iter().any(|it| template.path.ends_with(it)) => outcome.unknown += 1,
        ("!", Some(text), _) => {
            outcome.wrong.push(say(format!("expected the refusal {expected:?}, but got {text:?}")))
        }
        ("!", None, Some(error)) if is_same_refusal(expected, error) => outcome.equal += 1,
        ("!", None, Some(error)) => {
            outcome.wrong.push(say(format!("expected the refusal {expected:?}, but got {error:?}")));
        }
        ("=", Some(text), _) if text == expected => outcome.equal += 1,
        ("#", Some(text), _) if digest(text) == expected => outcome.equal += 1,
        (_, Some(text), _) => outcome.wrong.push(say(format!("expected {expected:?}, but got {text:?}"))),
        (_, None, Some(error)) if !is_unknown => outcome.wrong.push(say(format!("refused: {error}"))),
        (_, None, _) => outcome.unknown += 1,
    }
}

/// Whether an error says what the reference says: the line in the template, and the detail where it does not depend on Ruby's version.
fn is_same_refusal(expected: &str, error: &str) -> bool {
    let (line, detail) = expected.split_once(' ').unwrap_or((expected, ""));
    let field = |name: &str| {
        error
            .lines()
            .find_map(|it| Some(it.trim_start().strip_prefix(name)?.trim_start_matches(": ").to_owned()))
    };
    if line == "-" {
        return true;
    }
    field("Line").is_none_or(|it| it == line || detail.starts_with("undefined")) && error.contains(detail)
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// A manifest that renders a template in a lambda for each rendering, whose variables are the template's.
fn manifest_of(template: &Template, group: &[Rendering], path: &Path) -> String {
    let mut text = String::new();
    let values = |it: &Rendering| -> Vec<(String, Json)> {
        let digits = it.choice.chars().map(|digit| digit.to_digit(36).unwrap_or_default() as usize);
        template
            .variables
            .iter()
            .zip(digits)
            .map(|((name, pool), at)| (name.clone(), pool[at].clone()))
            .collect()
    };
    let mut classes: BTreeMap<String, Vec<(String, Json)>> = BTreeMap::new();
    for (name, value) in group.first().map(values).unwrap_or_default() {
        let Some((class, short)) = name.rsplit_once("::") else { continue };
        classes.entry(class.trim_start_matches("::").to_owned()).or_default().push((short.to_owned(), value));
    }
    for (class, variables) in classes {
        let body: String =
            variables.iter().map(|(name, value)| format!("  ${name} = {}\n", literal(value))).collect();
        if class.is_empty() {
            text += &body;
        } else {
            let _ = write!(text, "class {class} {{\n{body}}}\ninclude {class}\n");
        }
    }
    let path = literal(&Json::String(path.display().to_string()));
    for it in group {
        text += "[1].each |$_rendering| {\n";
        for (name, value) in values(it).iter().filter(|(name, _)| !name.contains("::")) {
            let _ = writeln!(text, "  ${name} = {}", literal(value));
        }
        let _ = write!(text, "  notify {{ 'r{}': message => template({path}) }}\n}}\n", it.choice);
    }
    text
}

/// A value as Puppet writes it.
fn literal(value: &Json) -> String {
    match value {
        Json::Null => "undef".to_owned(),
        Json::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Json::Array(elements) => {
            format!("[{}]", elements.iter().map(literal).collect::<Vec<_>>().join(", "))
        }
        Json::Object(entries) => {
            let entry =
                |(key, it): (&String, &Json)| format!("{} => {}", literal(&key.as_str().into()), literal(it));
            format!("{{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn failures(outcomes: &BTreeMap<String, Outcome>) -> Vec<String> {
    let baseline = workspace::read(&workspace::root().join(BASELINE)).unwrap_or_default();
    let baseline: BTreeMap<&str, usize> = baseline
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(path, equal)| Some((path, equal.parse().ok()?)))
        .collect();
    let mut failures: Vec<String> =
        outcomes.values().flat_map(|it| it.wrong.iter().take(3).cloned()).collect();
    for (path, it) in outcomes {
        let before = baseline.get(path.as_str()).copied().unwrap_or_default();
        if it.equal < before {
            failures.push(format!("{path}: {} renderings are known, it was {before}", it.equal));
        }
    }
    failures
}

fn record(outcomes: &BTreeMap<String, Outcome>) {
    let mut text = String::from(
        "# Renderings that are known, of each template: must not become less. Written by `MAROTTE_RECORD_BASELINE=1 cargo test -p marotte_tests erb::`.\n",
    );
    for (path, it) in outcomes.iter().filter(|(_, it)| it.equal > 0) {
        let _ = writeln!(text, "{path}\t{}", it.equal);
    }
    workspace::write(&workspace::root().join(BASELINE), &text).expect("the baseline");
}
