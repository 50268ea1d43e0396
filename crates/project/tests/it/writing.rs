//! Whatever fails while fixes are written, each file has either the old or the new content.

use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::testing::{Fault, FaultySystem};
use marotte_db::{MemorySystem, System};
use marotte_diagnostics::Settings;
use marotte_project::fix::{FixSafety, Fixed, fixed, write};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};

const RUNS: u64 = 2_000;

/// The fixes for a tree of three files.
fn fixed_files(files: &[(String, String)]) -> Vec<Fixed> {
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let system: Arc<dyn System> = Arc::new(MemorySystem::with_files(files));
    let options = ProjectOptions::default();
    let db = ProjectDatabase::frozen(Arc::clone(&system));
    let project = Project::new(db, &["/tree".into()], options.clone());
    let findings = project.check(&()).findings;
    fixed(&system, &project, &findings, &Settings::default(), FixSafety::Safe, &options)
}

#[test]
fn each_file_is_old_or_new_after_2000_runs_with_faults() {
    let text =
        |number: usize| format!("user {{ 'u{number}':\n  ensure = present,\n}}\n{}", "# x\n".repeat(9));
    let files: Vec<(String, String)> =
        (0..3).map(|number| (format!("/tree/f{number}.pp"), text(number))).collect();
    let fixed_files = fixed_files(&files);
    assert_eq!(fixed_files.len(), files.len());
    let roots: Vec<Utf8PathBuf> = vec!["/tree".into()];
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % limit
    };
    let (mut failed, mut killed, mut whole) = (0, 0, 0);
    for run in 0..RUNS {
        let fault = match below(3) {
            0 => Fault::Full(usize::try_from(below(70)).unwrap()),
            1 => Fault::Error,
            _ => Fault::Kill,
        };
        let after = usize::try_from(below(22)).unwrap();
        let memory =
            MemorySystem::with_files(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        let system = FaultySystem::new(memory, fault, after);
        let results: Vec<bool> = fixed_files
            .iter()
            .map(|it| write(&system, &it.path, &it.before, &it.after, &roots).is_ok())
            .collect();
        let is_killed = system.is_killed();
        let memory = system.after_crash();
        for (file, written) in fixed_files.iter().zip(&results) {
            let now = String::from_utf8(memory.read(&file.path, 999).unwrap()).unwrap();
            assert!(now == file.before || now == file.after, "{fault:?} after {after}, run {run}: {now:?}");
            assert!(
                !written || now == file.after,
                "{fault:?} after {after}, run {run}: it was said to be written"
            );
            assert!(*written || is_killed || now == file.before, "{fault:?} after {after}, run {run}");
        }
        if !is_killed {
            let names = memory.list("/tree".into()).unwrap().len();
            assert_eq!(names, files.len(), "{fault:?} after {after}, run {run}: something is left beside");
        }
        killed += usize::from(is_killed);
        failed += usize::from(!is_killed && results.contains(&false));
        whole += usize::from(results.iter().all(|it| *it));
    }
    assert!(failed > 200 && killed > 200 && whole > 200, "{failed} failed, {killed} killed, {whole} whole");
}
