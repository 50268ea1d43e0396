//! Digests of the inputs of a report, which distinguish partial results of different reports.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::{ReadError, WalkEntry, WalkOptions, WalkProblem};
use marotte_db::{DEFAULT_MAX_FILE_SIZE, System};
use marotte_impact::Ignore;
use marotte_impact::partial::{Inputs, is_part};
use sha2::{Digest as _, Sha256};

use crate::args::{CompilationArgs, EvaluationArgs, ImpactArgs};
use crate::compilation::Compilation;
use crate::terminal::When;

/// Folders that contain neither code nor data, and that differ between clones of a repository.
const ASIDE: [&str; 4] = [".git", ".hg", ".svn", ".marotte"];

/// Returns the digests of the inputs that all parts of a report have in common.
///
/// They cover whole trees rather than what evaluations read, which differs between parts. The location of trees doesn't matter.
pub(super) fn inputs(
    args: &ImpactArgs,
    sides: [&Compilation<'_>; 2],
    names: &[Option<String>],
    ignore: &Ignore,
) -> Inputs {
    let [before, after] = sides.map(|it| {
        let mut digest = Fields::default();
        digest.files(&*it.system(), &it.paths());
        digest.finish()
    });
    let mut facts = Fields::default();
    for side in sides {
        facts.files(side.disk(), &side.described_by());
    }
    let mut nodes = Fields::default();
    for name in names {
        nodes.add(name.as_deref().unwrap_or_default().as_bytes());
    }
    let mut options = Fields::default();
    options.add(format!("{:?} {ignore:?}", relevant(&args.compilation)).as_bytes());
    Inputs { before, after, facts: facts.finish(), nodes: nodes.finish(), options: options.finish() }
}

/// Returns the arguments that a report depends on, without those whose files are hashed separately. Options that aren't handled
/// here are included.
fn relevant(args: &CompilationArgs) -> CompilationArgs {
    let given = |it: &Option<Utf8PathBuf>| it.as_ref().map(|_| Utf8PathBuf::new());
    CompilationArgs {
        environment_dir: None,
        facts_dir: given(&args.facts_dir),
        enc_output: given(&args.enc_output),
        trusted: given(&args.trusted),
        server_facts: given(&args.server_facts),
        threads: None,
        evaluation: EvaluationArgs {
            facts: given(&args.evaluation.facts),
            verbose: false,
            debug: false,
            color: When::Auto,
            ..args.evaluation.clone()
        },
        ..args.clone()
    }
}

/// A digest of fields, each with its length, so that no two lists of fields are the same bytes.
#[derive(Default)]
struct Fields(Sha256);

impl Fields {
    fn add(&mut self, field: &[u8]) {
        self.0.update((field.len() as u64).to_le_bytes());
        self.0.update(field);
    }

    fn finish(self) -> String {
        self.0.finalize().iter().map(|it| format!("{it:02x}")).collect()
    }

    /// Adds all files at or below some paths.
    fn files(&mut self, system: &dyn System, paths: &[Utf8PathBuf]) {
        for root in paths {
            self.add(b"root");
            let below = |path: &Utf8Path| path.strip_prefix(root).unwrap_or(path).to_owned();
            system.walk(root, WalkOptions { ignore: false }, &mut |entry| {
                let path = below(entry.path());
                if path.components().any(|it| ASIDE.contains(&it.as_str())) || is_draft(&path) {
                    return;
                }
                match &entry {
                    WalkEntry::LinkedList(_) => {}
                    WalkEntry::Directory(_) => self.entry("folder", &path, b""),
                    WalkEntry::Problem { problem, .. } => {
                        self.entry("problem", &path, name(problem).as_bytes())
                    }
                    WalkEntry::File { path: file, .. } => match system.read(file, DEFAULT_MAX_FILE_SIZE) {
                        // Other processes may be writing theirs now.
                        Ok(bytes) if is_part(&bytes) => {}
                        Ok(bytes) => self.entry("file", &path, &bytes),
                        // A file that went away since, or that evaluation cannot read either.
                        Err(ReadError::NotFound) => {}
                        Err(error) => self.entry("problem", &path, error.to_string().as_bytes()),
                    },
                }
            });
        }
    }

    fn entry(&mut self, kind: &str, path: &Utf8Path, content: &[u8]) {
        [kind.as_bytes(), path.as_str().as_bytes(), content].into_iter().for_each(|it| self.add(it));
    }
}

/// Whether a file is a draft that is about to be renamed.
fn is_draft(path: &Utf8Path) -> bool {
    path.file_name().is_some_and(|it| it.starts_with('.') && it.ends_with(".new"))
}

/// Returns a word for a problem, without paths.
fn name(problem: &WalkProblem) -> String {
    match problem {
        WalkProblem::Loop(_) => "loop".to_owned(),
        WalkProblem::LeavesTree => "leaves the tree".to_owned(),
        WalkProblem::TooMuch => "too much".to_owned(),
        WalkProblem::NotUtf8 => "not UTF-8".to_owned(),
        WalkProblem::NotAFolder => "not a folder".to_owned(),
        WalkProblem::Unreadable(error) => error.to_string(),
    }
}
