//! Safe fixes keep the meaning: with all safe fixes of all rules applied to the modules of the corpus and to the manifests
//! of the scenarios, every scenario compiles to the same catalog as before, and every fixed file still parses.

use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{DiskSystem, OverlaySystem, System};
use marotte_diagnostics::{Choice, Settings};
use marotte_project::fix::{FixSafety, Fixed, fixed};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};
use marotte_syntax::{Mode, parse};
use marotte_tests::scenarios::{Judge, Judgement, folder, manifests, module_path};

/// The fixes that the corpus and the scenarios have at least.
const FEWEST: usize = 4_000;

#[test]
#[expect(clippy::print_stderr, reason = "tells how much was fixed")]
fn safe_fixes_keep_the_catalogs() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let Some(modules) = module_path(scratch).expect("links to the modules") else { return };
    let system: Arc<dyn System> = Arc::new(DiskSystem::new().expect("the current folder"));
    let roots = [modules.clone(), folder().join("manifests")]
        .map(|it| Utf8PathBuf::from_path_buf(it).expect("a path in UTF-8"));
    let files = safely_fixed(&system, &roots);

    let fixes: usize = files.iter().map(|it| it.fixes).sum();
    eprintln!("{fixes} fixes in {} files", files.len());
    assert!(fixes >= FEWEST, "only {fixes} fixes");
    let broken = |it: &&Fixed| parses(&it.path, &it.before) && !parses(&it.path, &it.after);
    let broken: Vec<&Utf8Path> = files.iter().filter(broken).map(|it| it.path.as_path()).collect();
    assert!(broken.is_empty(), "these no longer parse: {broken:?}");

    let overlay = OverlaySystem::new(Arc::clone(&system));
    for file in &files {
        overlay.insert(&file.path, file.after.clone().into_bytes());
    }
    let before = judged(system, &modules);
    let after = judged(Arc::new(overlay), &modules);
    assert!(before.len() >= 150, "only {} scenarios", before.len());
    let changed: Vec<String> = before
        .iter()
        .zip(&after)
        .filter(|(before, after)| before != after)
        .map(|(before, after)| format!("{before:?}\n{after:?}"))
        .collect();
    assert!(changed.is_empty(), "{} scenarios changed:\n{}", changed.len(), changed.join("\n\n"));
}

/// Applies the safe fixes of all rules.
fn safely_fixed(system: &Arc<dyn System>, roots: &[Utf8PathBuf]) -> Vec<Fixed> {
    let settings = Settings::new([(Choice::Warn, "all")]).expect("the rules");
    let options = ProjectOptions {
        rules: settings.wanted(),
        module_path: vec![roots[0].clone()],
        ..ProjectOptions::default()
    };
    let project = Project::new(ProjectDatabase::frozen(Arc::clone(system)), roots, options.clone());
    let mut findings = project.check(&()).findings;
    settings.apply(&mut findings, |it| project.path(it));
    fixed(system, &project, &findings, &settings, FixSafety::Safe, &options)
}

/// Parses manifests and EPP templates; other files have no syntax of Puppet.
fn parses(path: &Utf8Path, text: &str) -> bool {
    let mode = match path.extension() {
        Some("pp") => Mode::default(),
        Some("epp") => Mode { template: true, ..Mode::default() },
        _ => return true,
    };
    parse(text, mode).errors.iter().all(|error| error.kind.is_warning())
}

/// Compiles all scenarios.
fn judged(system: Arc<dyn System>, modules: &Path) -> Vec<Judgement> {
    let mut judge = Judge::over(system, modules.to_owned()).expect("a database");
    manifests()
        .expect("the scenarios")
        .into_iter()
        .flat_map(|(name, manifest)| judge.judge(&name, &manifest).expect("files of the scenario"))
        .collect()
}
