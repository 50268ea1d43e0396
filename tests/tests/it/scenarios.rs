//! Compiles site manifests with the modules of the corpus, and compares the catalogs with those of the reference.
//!
//! All parts of marotte's catalogs must be correct, except those listed in `tests/scenarios/wrong.tsv`. The extent of
//! its knowledge is in `tests/scenarios/baseline.tsv`, and must not decrease. `MAROTTE_RECORD_BASELINE=1` rewrites both
//! files; `SCENARIO=apache` compiles only some scenarios, and prints more. `MAROTTE_SCENARIOS=FOLDER
//! MAROTTE_MODULES=FOLDER` compares custom scenarios, recorded by the same scripts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use marotte_tests::scenarios::{Judge, Judgement, OTHER_SCENARIOS, folder, manifests, module_path};
use marotte_tests::workspace;

const BASELINE: &str = "baseline.tsv";
const WRONG: &str = "wrong.tsv";

#[test]
#[expect(clippy::print_stderr, reason = "tells how much is known")]
fn catalogs_claim_nothing_that_the_reference_does_not() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let Some(modules) = module_path(scratch).expect("links to the modules") else { return };
    let only = std::env::var("SCENARIO").ok();
    let are_others = std::env::var_os(OTHER_SCENARIOS).is_some();
    let mut judge = Judge::new(modules).expect("a database");
    let mut judgements = Vec::new();
    for (name, manifest) in manifests().expect("the scenarios") {
        if only.as_ref().is_none_or(|only| name.contains(only.as_str())) {
            judgements.extend(judge.judge(&name, &manifest).expect("files of the scenario"));
        }
    }
    eprintln!("{}", summary(&judgements));
    if only.is_some() || are_others {
        for it in &judgements {
            eprintln!("{}", told(it));
        }
    } else {
        assert!(judgements.len() >= 150, "only {} scenarios", judgements.len());
        if std::env::var_os("MAROTTE_RECORD_BASELINE").is_some() {
            record(&judgements);
        }
    }
    let failures = if are_others { Vec::new() } else { failures(&judgements) };
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn summary(judgements: &[Judgement]) -> String {
    let sum = |of: fn(&Judgement) -> usize| judgements.iter().map(of).sum::<usize>();
    let (resources, known, values, equal) =
        (sum(|it| it.resources), sum(|it| it.known), sum(|it| it.values), sum(|it| it.equal));
    let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
    let wrong = sum(|it| it.wrong.len());
    let with_wrong = judgements.iter().filter(|it| !it.wrong.is_empty()).count();
    let complete = judgements.iter().filter(|it| it.equal == it.values && it.known == it.resources).count();
    let mut causes: HashMap<&str, usize> = HashMap::new();
    for (cause, count) in judgements.iter().flat_map(|it| &it.causes) {
        *causes.entry(cause).or_default() += count;
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(cause, count)| (std::cmp::Reverse(*count), *cause));
    let causes: Vec<String> =
        causes.iter().take(25).map(|(cause, count)| format!("  {count:6} {cause}")).collect();
    format!(
        "{} scenarios, {complete} known as a whole; {known} of {resources} resources known ({:.2} %); {equal} of {values} values equal ({:.2} %); {wrong} wrong in {with_wrong} scenarios; not known, by cause:\n{}",
        judgements.len(),
        share(known, resources),
        share(equal, values),
        causes.join("\n")
    )
}

fn told(it: &Judgement) -> String {
    let wrong: Vec<String> =
        it.wrong.iter().map(|wrong| format!("\n  {}", wrong.replace('\n', "⏎"))).collect();
    format!(
        "{}: {}/{} resources, {}/{} values{}",
        it.scenario,
        it.known,
        it.resources,
        it.equal,
        it.values,
        wrong.concat()
    )
}

/// Reads the rows of a table next to the scenarios, by scenario.
fn table(file: &str) -> BTreeMap<String, Vec<String>> {
    let text = workspace::read(&folder().join(file)).unwrap_or_default();
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some((scenario, rest)) = line.split_once('\t') {
            rows.entry(scenario.to_owned()).or_default().push(rest.to_owned());
        }
    }
    rows
}

fn failures(judgements: &[Judgement]) -> Vec<String> {
    let (baseline, admitted) = (table(BASELINE), table(WRONG));
    let mut failures = Vec::new();
    for it in judgements {
        let admitted: BTreeSet<&str> =
            admitted.get(&it.scenario).into_iter().flatten().map(String::as_str).collect();
        let new = it.wrong.iter().map(|wrong| cell(wrong)).filter(|wrong| !admitted.contains(wrong.as_str()));
        failures.extend(new.map(|wrong| format!("{}: {wrong}", it.scenario)));
        let Some(row) = baseline.get(&it.scenario).and_then(|rows| rows.first()) else {
            failures.push(format!("{}: not in {BASELINE}", it.scenario));
            continue;
        };
        let before: Vec<usize> = row.split('\t').filter_map(|it| it.parse().ok()).collect();
        if let [_, known, _, equal] = before[..]
            && (it.known < known || it.equal < equal)
        {
            failures.push(format!(
                "{}: {} resources are known and {} values equal, it was {known} and {equal}",
                it.scenario, it.known, it.equal
            ));
        }
    }
    failures
}

/// Escapes a text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").chars().take(400).collect()
}

fn record(judgements: &[Judgement]) {
    let mut baseline = String::from(
        "# How much is known: must not become less. Written by `MAROTTE_RECORD_BASELINE=1 cargo test -p marotte_tests scenarios::`.\n# scenario\tresources\tknown\tvalues\tequal\n",
    );
    let mut wrong = String::from(
        "# What marotte claims and the reference does not say: to be corrected.\n# scenario\tdifference\n",
    );
    for it in judgements {
        baseline +=
            &format!("{}\t{}\t{}\t{}\t{}\n", it.scenario, it.resources, it.known, it.values, it.equal);
        for difference in &it.wrong {
            wrong += &format!("{}\t{}\n", it.scenario, cell(difference));
        }
    }
    workspace::write(&folder().join(BASELINE), &baseline).expect("the baseline");
    workspace::write(&folder().join(WRONG), &wrong).expect("what is admitted");
}
