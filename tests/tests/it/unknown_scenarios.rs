//! Compiles recorded scenarios with a random tenth of the functions and templates in Ruby made unknown. All that the
//! catalogs claim then must be what the reference has.
//!
//! `SEEDS=500` judges more, `SEED=17` one, and `SCENARIO=apache` only scenarios of that name.

use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{DiskSystem, OverlaySystem};
use marotte_tests::scenarios::{Judge, manifests, module_path};
use marotte_tests::workspace;
use sha2::{Digest, Sha256};

/// The number of scenarios that are judged if nothing else is requested.
const SEEDS: u64 = 12;

/// One of this many files is made unknown.
const SHARE: u64 = 10;

/// Code that is not implemented, on purpose.
const FUNCTION: &str = "\nNet::HTTP.start\n";
const TEMPLATE: &str = "<%- Net::HTTP.start -%>";

/// Modules whose templates are read as texts, which nodes render.
const READ_AS_TEXTS: [&str; 2] = ["/mcollective/templates/", "/datacat/templates/"];

#[test]
#[expect(clippy::print_stderr, reason = "tells what was judged")]
fn of_recorded_scenarios_what_is_claimed_is_so() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unknown");
    let Some(modules) = module_path(&scratch).expect("links to the modules") else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let seeds = match number("SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("SEEDS").unwrap_or(SEEDS),
    };
    let count = seeds.end - seeds.start;
    let only = std::env::var("SCENARIO").unwrap_or_default();
    let mut scenarios = manifests().expect("the scenarios");
    scenarios.retain(|(name, _)| name.contains(&only));
    assert!(!scenarios.is_empty(), "there is no scenario whose name contains '{only}'");
    let files = ruby_files(&modules);
    assert!(!files.is_empty(), "there are no functions and templates in Ruby");
    let (mut failures, mut judged, mut incomplete) = (Vec::new(), 0, 0);
    for seed in seeds {
        let system = OverlaySystem::new(Arc::new(DiskSystem::new().expect("a disk")));
        for path in files.iter().filter(|path| random(seed, path.as_str()).is_multiple_of(SHARE)) {
            make_unknown(&system, path, random(seed, "at the end").is_multiple_of(2));
        }
        let mut judge = Judge::over(Arc::new(system), modules.clone()).expect("a database");
        let index = usize::try_from(random(seed, "") % scenarios.len() as u64).unwrap_or_default();
        let (name, manifest) = &scenarios[index];
        for it in judge.judge(name, manifest).expect("files of the scenario") {
            judged += 1;
            incomplete += usize::from(it.equal < it.values || it.known < it.resources);
            failures.extend(it.wrong.iter().map(|wrong| format!("SEED={seed} {}: {wrong}", it.scenario)));
        }
    }
    eprintln!("{judged} catalogs, {incomplete} of them incomplete, {} wrong", failures.len());
    assert!(judged > 0, "no catalog was judged");
    assert!(
        incomplete > 0 || count < SEEDS || !only.is_empty(),
        "every catalog was complete: nothing was unknown"
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The files of functions and templates in Ruby.
fn ruby_files(modules: &Path) -> Vec<Utf8PathBuf> {
    let below = |extension| workspace::files_below(modules, extension).expect("the modules");
    let is_evaluated = |path: &Utf8PathBuf| {
        let is_text = READ_AS_TEXTS.iter().any(|it| path.as_str().contains(it));
        path.extension() == Some("erb") && !is_text
            || path.as_str().contains("/lib/puppet/") && path.as_str().contains("/functions/")
    };
    let files = below("rb").into_iter().chain(below("erb"));
    files.filter_map(|it| Utf8PathBuf::from_path_buf(it).ok()).filter(is_evaluated).collect()
}

fn make_unknown(system: &OverlaySystem, path: &Utf8Path, at_the_end: bool) {
    let Ok(text) = workspace::read(path.as_std_path()) else { return };
    let text = match (path.extension(), at_the_end) {
        (Some("rb"), _) => text + FUNCTION,
        (_, true) => text + TEMPLATE,
        (_, false) => TEMPLATE.to_owned() + &text,
    };
    system.insert(path, text.into_bytes());
}

/// A number that follows from a seed and a text.
fn random(seed: u64, text: &str) -> u64 {
    let digest = Sha256::digest(format!("{seed} {text}"));
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}
