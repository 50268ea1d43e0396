//! Changes of files whose events come late, twice, together or in another order.

use std::sync::Arc;

use marotte_db::{Db as _, MemorySystem, System as _};
use marotte_diagnostics::{Diagnostic, FileId};
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions};

use super::Choices;

/// Each path, with its possible texts. The first is the initial one.
const FILES: [(&str, [&str; 3]); 9] = [
    ("/environment.conf", ["modulepath = modules\n", "modulepath = modules:other\n", ""]),
    ("/hiera.yaml", ["version: 5\nhierarchy:\n  - { name: c, path: common.yaml }\n", "version: 9\n", ""]),
    ("/data/common.yaml", ["a::p: 1\n", "a::p: x\n", "a: ["]),
    ("/manifests/site.pp", ["include a\n", "include a::b\nnotice($a::v)\n", "node {"]),
    (
        "/modules/a/manifests/init.pp",
        [
            "class a(Integer $p) { $v = 1 include a::b }\n",
            "class a { a::d { 'x': port => 'x' } }\n",
            "class a inherits a::b { notice($w, a::f('x')) }\n",
        ],
    ),
    (
        "/modules/a/manifests/b.pp",
        ["class a::b { $w = 1 }\n", "class a::b($q) { include other }\n", "class a::c { }\n"],
    ),
    (
        "/modules/a/manifests/d.pp",
        ["define a::d(Integer $port) { }\n", "define a::d(A::T $port) { }\n", "class a::d { }\n"],
    ),
    ("/modules/a/functions/f.pp", ["function a::f(Integer $x) { $x }\n", "function a::f($x) { 1 }\n", ""]),
    ("/modules/a/types/t.pp", ["type A::T = Integer\n", "type A::T = String\n", "type A::S = Any\n"]),
];

/// Folders that are moved.
const FOLDERS: [&str; 6] =
    ["/modules/a", "/modules/b", "/other/a", "/data", "/modules/a/manifests", "/other"];

/// Folders that contain the others.
const ROOTS: [&str; 5] = ["/data", "/manifests", "/modules", "/modules/a", "/other"];

/// The maximum number of steps: what a run takes is bounded, too.
const STEPS: usize = 48;

/// Lets bytes choose changes and the delivery of their events. When all events have been delivered, in whatever order, the
/// findings are those of a first run.
///
/// # Panics
/// If they are not.
pub fn follow(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let system = Arc::new(MemorySystem::with_files(FILES.iter().map(|(path, texts)| (*path, texts[0]))));
    let options = ProjectOptions { threads: 1, ..ProjectOptions::default() };
    let mut project = Project::new(ProjectDatabase::new(system.clone()), &["/".into()], options.clone());
    project.update(&ChangeBatch::new());
    let mut waiting: Vec<ChangeBatch> = Vec::new();
    let mut steps: Vec<String> = Vec::new();
    for _ in 0..STEPS {
        if choices.is_over() {
            break;
        }
        let before = roots(&system);
        let (path, texts) = FILES[choices.below(FILES.len())];
        match choices.below(10) {
            0..=3 => {
                let text = choices.choose(&texts);
                system.write_file(path, text);
                steps.push(format!("{path} is {text:?}"));
                waiting.push([path].into_iter().collect());
            }
            4 => {
                system.remove(path);
                steps.push(format!("{path} is removed"));
                waiting.push([path].into_iter().collect());
            }
            5 => {
                let (from, to) = (choices.choose(&FOLDERS), choices.choose(&FOLDERS));
                if !to.starts_with(from) && !from.starts_with(to) {
                    system.remove(to);
                    system.rename(from, to);
                    steps.push(format!("{from} becomes {to}"));
                    // Two events, or one with both names.
                    match choices.below(2) {
                        0 => waiting.extend([from, to].map(|it| [it].into_iter().collect())),
                        _ => waiting.push([from, to].into_iter().collect()),
                    }
                }
            }
            6 => {
                // Only the folder around is told.
                let parent = path.rsplit_once('/').map_or("/", |(parent, _)| parent);
                let text = choices.choose(&texts);
                system.write_file(path, text);
                steps.push(format!("{path} is {text:?}, of which the folder is told"));
                waiting.push([if parent.is_empty() { "/" } else { parent }].into_iter().collect());
            }
            7 => deliver(&mut project, &mut waiting, &mut choices, &mut steps),
            8 => {
                let all = waiting.drain(..).fold(ChangeBatch::new(), |mut all, it| {
                    all.merge(it);
                    all
                });
                steps.push(format!("told: {all:?}"));
                project.update(&all);
            }
            _ => {
                // Events were lost.
                waiting.clear();
                steps.push("told: everything".to_owned());
                project.update(&ChangeBatch::everything());
            }
        }
        // Folders of a `MemorySystem` disappear with their last file; a watcher would announce this, too.
        let after = roots(&system);
        let changed: ChangeBatch =
            ROOTS.into_iter().filter(|it| before.contains(it) != after.contains(it)).collect();
        if let Some(last) = waiting.last_mut() {
            last.merge(changed);
        }
    }
    while !waiting.is_empty() {
        deliver(&mut project, &mut waiting, &mut choices, &mut steps);
    }
    let kept = all_said(&project, &project.findings().all(project.db()));
    let clean = Project::new(ProjectDatabase::frozen(system.clone()), &["/".into()], options);
    let first = all_said(&clean, &clean.check(&()).findings);
    assert_eq!(kept, first, "the findings of a first run, after\n{}", steps.join("\n"));
}

/// The [`ROOTS`] that exist.
fn roots(system: &MemorySystem) -> Vec<&'static str> {
    ROOTS.into_iter().filter(|it| system.is_directory((*it).into())).collect()
}

/// Delivers any of the events, perhaps twice.
fn deliver(
    project: &mut Project,
    waiting: &mut Vec<ChangeBatch>,
    choices: &mut Choices<'_>,
    steps: &mut Vec<String>,
) {
    if waiting.is_empty() {
        return;
    }
    let batch = waiting.remove(choices.below(waiting.len()));
    steps.push(format!("told: {batch:?}"));
    project.update(&batch);
    if choices.one_in(4) {
        steps.push("told again".to_owned());
        project.update(&batch);
    }
}

fn all_said(project: &Project, findings: &[Arc<Diagnostic>]) -> Vec<String> {
    findings.iter().map(|it| said(project, it)).collect()
}

/// A finding as text, with paths in place of file numbers: two databases number files differently.
fn said(project: &Project, finding: &Diagnostic) -> String {
    let path = |id: FileId| {
        let file = project.db().files().by_id(id).expect("a file of a finding");
        file.path(project.db()).to_string()
    };
    let related: Vec<_> =
        finding.related.iter().map(|it| (path(it.file), it.range, it.message.as_str())).collect();
    format!(
        "{} {:?} {} {:?} {} {:?} {related:?} {:?} {:?}",
        path(finding.file),
        finding.range,
        finding.rule,
        finding.level,
        finding.message,
        finding.label,
        finding.notes,
        finding.fix
    )
}
