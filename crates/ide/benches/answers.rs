//! Measures the latency of editor features for the modules of the corpus: at random places, and right after an edit. `cargo
//! bench -p marotte_ide`.
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the corpus")]
#![expect(clippy::unwrap_used, reason = "a benchmark")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use marotte_db::{File, MemorySystem, source_text};
use marotte_ide::{
    Db, FilePosition, completions, definition, document_symbols, highlights, hover, inlay_hints,
    prepare_rename, references, semantic_tokens, signature_help, workspace_symbols,
};
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions};
use marotte_text::{TextRange, TextSize};

const ROOT: &str = "/environment";

/// A number from the environment: the amount of measurements.
fn wanted(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

fn main() {
    let modules =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/tree/usr/share/puppet/modules.available");
    if !modules.is_dir() {
        println!("there is no corpus: `cargo xtask corpus` fetches it");
        return;
    }
    let system = Arc::new(MemorySystem::new());
    system.write_file(format!("{ROOT}/environment.conf"), "modulepath = modules\n");
    load(&modules, &system);
    let db = ProjectDatabase::new(Arc::clone(&system) as Arc<dyn marotte_db::System>);
    let mut project = Project::new(db, &[ROOT.into()], ProjectOptions::default());
    let start = Instant::now();
    let _ = project.check(&());
    println!("{} files checked in {:?}", project.files().len(), start.elapsed());

    let files: Vec<File> =
        project.files().filter(|it| it.path(project.db()).extension() == Some("pp")).collect();
    let mut numbers = Numbers(1);
    let mut times = Times::default();
    for _ in 0..wanted("IDE_PLACES", 2000) {
        let file = files[numbers.below(files.len())];
        let text = source_text(project.db(), file).text();
        let offset = TextSize::try_from(numbers.below(text.len() + 1)).unwrap();
        ask(project.db(), FilePosition { file, offset }, "", &mut times);
    }
    // Each round types a letter, and requests a result.
    for round in 0..wanted("IDE_EDITS", 300) {
        let file = files[numbers.below(20)];
        let text = source_text(project.db(), file).text().to_owned();
        let at = text.rfind('}').unwrap_or(text.len());
        let line = format!("\n  $a{round} = $fa");
        let mut new = text.clone();
        new.insert_str(at, &line);
        let path = file.path(project.db()).clone();
        system.write_file(&path, &new);
        let mut batch = ChangeBatch::new();
        batch.touch(path.clone());
        project.apply(&batch);
        let offset = TextSize::try_from(at + line.len()).unwrap();
        ask(project.db(), FilePosition { file, offset }, "edited: ", &mut times);
        system.write_file(&path, &text);
        project.apply(&batch);
    }
    times.print();
}

fn ask(db: &dyn Db, at: FilePosition, prefix: &str, times: &mut Times) {
    times.take(prefix, "completions", || completions(db, at));
    times.take(prefix, "hover", || hover(db, at));
    times.take(prefix, "definition", || definition(db, at));
    times.take(prefix, "highlights", || highlights(db, at));
    times.take(prefix, "signature help", || signature_help(db, at));
    times.take(prefix, "document symbols", || document_symbols(db, at.file));
    times.take(prefix, "semantic tokens", || semantic_tokens(db, at.file, None));
    let whole = TextRange::up_to(TextSize::of(source_text(db, at.file).text()));
    times.take(prefix, "inlay hints", || inlay_hints(db, at.file, whole));
    times.take(prefix, "workspace symbols", || workspace_symbols(db, "config", 100));
    times.take(prefix, "references", || references(db, at));
    times.take(prefix, "prepare rename", || prepare_rename(db, at));
}

/// The processor time of this thread: other load on the machine doesn't count.
fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or_default())
}

#[derive(Default)]
struct Times(BTreeMap<String, Vec<Duration>>);

impl Times {
    fn take<T>(&mut self, prefix: &str, name: &str, answer: impl FnOnce() -> T) {
        let start = processor_time();
        std::hint::black_box(answer());
        self.0.entry(format!("{prefix}{name}")).or_default().push(processor_time() - start);
    }

    fn print(mut self) {
        println!("{:32} {:>10} {:>10} {:>10}", "processor milliseconds", "median", "99 %", "most");
        for (name, times) in &mut self.0 {
            times.sort();
            let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1000.0;
            println!("{name:32} {:10.3} {:10.3} {:10.3}", at(50), at(99), at(100));
        }
    }
}

fn load(modules: &Path, system: &MemorySystem) {
    let mut open = vec![modules.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                let below = path.strip_prefix(modules).unwrap().to_str().unwrap();
                let (module, rest) = below.split_once('/').unwrap_or((below, ""));
                let module = module.rsplit('-').next().unwrap_or_default();
                system.write_file(format!("{ROOT}/modules/{module}/{rest}"), bytes);
            }
        }
    }
}

/// A random number generator that produces the same sequence each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}
