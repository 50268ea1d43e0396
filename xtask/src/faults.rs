//! `cargo xtask faults`: the state of files when writing fails, and the messages when reading does; with `--cache`, the
//! reports and the cache between runs when its files fail. Needs Linux and `strace`.

mod cache;

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::bench::build;
use crate::console::say;
use crate::{Result, files};

/// The number of runs, and the program that they run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Runs with one fault each while files are written, or of each kind with `--cache`.
    #[arg(long, default_value_t = 200)]
    runs: usize,
    /// Try the cache between runs: failing calls, processes that are killed or run at once, damaged objects.
    #[arg(long)]
    cache: bool,
    /// The first seed of the faults of the cache; each run has the next one.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program to try, instead of a release build.
    #[arg(long)]
    marotte: Option<PathBuf>,
}

/// The calls that fail while a file is written, with their faults in the syntax of strace.
const FAULTS: [(&str, &str); 9] = [
    ("write", "error=ENOSPC"),
    ("write", "error=EIO"),
    ("write", "signal=KILL"),
    ("fsync", "error=EIO"),
    ("fsync", "signal=KILL"),
    ("fchmod", "error=EPERM"),
    ("rename,renameat,renameat2", "error=ENOSPC"),
    ("rename,renameat,renameat2", "signal=KILL"),
    ("openat,openat2", "signal=KILL"),
];

/// The highest number of the failing call, counted from 1.
const CALLS: usize = 24;

const FILES: usize = 3;

/// The file that strace writes.
const TRACE: &str = "trace";

/// Tries all faults.
///
/// # Errors
/// The first broken promise.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let marotte = match &arguments.marotte {
        Some(path) => path.clone(),
        None => build::release()?.marotte,
    };
    let folder = std::env::temp_dir().join(format!("marotte-faults-{}", std::process::id()));
    files::make_folder(&folder)?;
    if arguments.cache {
        let done = cache::run(&marotte, &folder, arguments.runs, arguments.seed);
        // What a broken promise left behind is evidence.
        if done.is_ok() {
            files::remove_folder(&folder)?;
        }
        return done;
    }
    let done = writing(&marotte, &folder, arguments.runs).and_then(|()| reading(&marotte, &folder));
    files::remove_folder(&folder)?;
    done
}

/// Makes one call of `check --fix` fail in each run. Each file must then have its old or its new content.
fn writing(marotte: &Path, folder: &Path, runs: usize) -> Result<()> {
    let (mut failed, mut killed, mut whole) = (0, 0, 0);
    let mut struck = [false; FAULTS.len()];
    for run in 0..runs {
        let (call, fault) = FAULTS[run % FAULTS.len()];
        let when = 1 + (run / FAULTS.len()) % CALLS;
        let tree = folder.join("writing");
        for number in 0..FILES {
            files::write(&path(&tree, number), &text(number, "="))?;
        }
        let inject = format!("inject={call}:{fault}:when={when}");
        let output = traced(marotte, folder, &[&inject], &["check", "--fix", "-q", "writing"])?;
        let ended_by_signal = output.status.signal().is_some();
        struck[run % FAULTS.len()] |=
            ended_by_signal || files::read(&folder.join(TRACE))?.contains("(INJECTED)");
        let mut new = 0;
        for number in 0..FILES {
            let now = files::read(&path(&tree, number))?;
            new += usize::from(now == text(number, "=>"));
            if now != text(number, "=") && now != text(number, "=>") {
                return Err(format!("file {number} is lost after {inject}: {now:?}").into());
            }
        }
        match (new == FILES, ended_by_signal) {
            (true, _) => whole += 1,
            (false, true) => killed += 1,
            (false, false) if output.status.code() == Some(0) => {
                return Err(format!("nothing is said of what was not written after {inject}").into());
            }
            (false, false) => failed += 1,
        }
        files::remove_folder(&tree)?;
    }
    // A fault that never strikes shows nothing: marotte may use another call now.
    if let Some(never) = struck.iter().position(|it| !it).filter(|_| runs >= FAULTS.len() * CALLS) {
        let (call, fault) = FAULTS[never];
        return Err(format!("no run makes the call {call}, which was to end with {fault}").into());
    }
    say(&format!(
        "writing: {runs} runs, {failed} failed, {killed} were killed, {whole} wrote all; each file is old or new"
    ));
    Ok(())
}

/// Makes each file of a tree unreadable once. This must be reported though the rule about it isn't selected: the selected one reads
/// the whole tree.
fn reading(marotte: &Path, folder: &Path) -> Result<()> {
    let tree: [(&str, &str); 8] = [
        ("reading/environment.conf", "modulepath = modules\n"),
        ("reading/Puppetfile", "mod 'x-m'\n"),
        ("reading/.gitignore", "*.bak\n"),
        ("reading/hiera.yaml", "version: 5\n"),
        ("reading/data/common.yaml", "a: 1\n"),
        ("reading/modules/m/metadata.json", "{ \"name\": \"x-m\" }\n"),
        ("reading/modules/m/manifests/init.pp", "class m { }\n"),
        ("reading/modules/m/lib/facter/f.rb", "Facter.add(:f) { }\n"),
    ];
    for (path, text) in tree {
        files::write(&folder.join(path), text)?;
    }
    for (path, _) in tree {
        for error in ["EACCES", "EIO"] {
            let only = folder.join(path);
            let only = only.to_string_lossy();
            let inject = format!("inject=openat,openat2:error={error}");
            let arguments = ["check", "--select=unresolved-function", "--output-format=concise", "reading"];
            let output = traced(marotte, folder, &["-P", &only, "-e", &inject], &arguments)?;
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.status.code() != Some(1) || !told.contains(path) {
                return Err(format!("nothing is said of {path}, which gives {error}: {told}").into());
            }
        }
    }
    say(&format!("reading: each of {} files is told that cannot be read", tree.len()));
    Ok(())
}

fn path(tree: &Path, number: usize) -> PathBuf {
    tree.join(format!("f{number}.pp"))
}

/// Returns a file with a fault if `arrow` is `=`.
fn text(number: usize, arrow: &str) -> String {
    format!("user {{ 'u{number}':\n  ensure {arrow} present,\n}}\n")
}

/// Runs the program with faults.
fn traced(marotte: &Path, folder: &Path, faults: &[&str], arguments: &[&str]) -> Result<Output> {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(folder.join(TRACE));
    match faults {
        [one] => command.args(["-e", one]),
        several => command.args(several),
    };
    command.arg(marotte).args(arguments).current_dir(folder).stdin(Stdio::null());
    command.output().map_err(|error| format!("cannot run strace: {error}").into())
}
