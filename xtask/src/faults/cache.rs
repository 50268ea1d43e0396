//! The cache between runs: whatever happens to its files, reports are those without a cache, and what other runs have kept
//! stays.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::console::say;
use crate::random::Random;
use crate::{Result, files};

/// Calls with faults in the syntax of strace, and the highest number of the failing call in a thread.
const FAULTS: [(&str, &str, u64); 18] = [
    ("write", "error=ENOSPC", 24),
    ("write", "error=EIO", 24),
    ("write", "signal=KILL", 24),
    ("openat,openat2", "error=EIO", 80),
    ("openat,openat2", "error=ENOSPC", 80),
    ("openat,openat2", "error=EMFILE", 80),
    ("openat,openat2", "signal=KILL", 80),
    ("read", "error=EIO", 40),
    ("read", "signal=KILL", 40),
    ("rename,renameat,renameat2", "error=ENOSPC", 16),
    ("rename,renameat,renameat2", "signal=KILL", 16),
    ("mkdir,mkdirat", "error=ENOSPC", 16),
    ("mkdir,mkdirat", "signal=KILL", 16),
    ("getdents64", "error=EIO", 60),
    ("utimensat", "error=EPERM", 12),
    ("fchmod,chmod,fchmodat", "error=EPERM", 8),
    ("unlink,unlinkat", "error=EIO", 8),
    ("close", "signal=KILL", 120),
];

/// The fault of a seed: as many seeds in sequence as there are faults try each of them.
fn fault(seed: u64) -> (&'static str, &'static str, u64) {
    let index = seed % FAULTS.len() as u64;
    FAULTS[usize::try_from(index).unwrap_or_default()]
}

/// The folder of the cache.
const CACHE: &str = "kept";

/// The trees that are compared with the one before: that of other runs, and those of the run that is tried.
const OTHERS: &str = "others";
const TRIED: [&str; 2] = ["first", "second"];

const NODES: usize = 6;

/// The file that is in each cache, and is not an object.
const TAG: &str = "CACHEDIR.TAG";

/// The files of a cache, by path.
type Objects = BTreeMap<PathBuf, Vec<u8>>;

/// A fleet, and what its reports have to be.
struct Fleet<'a> {
    marotte: &'a Path,
    folder: &'a Path,
    /// The report and the exit status of each tree, without a cache.
    expected: BTreeMap<&'static str, (Vec<u8>, Option<i32>)>,
    /// The entries that runs over another tree have kept: in clear, and encrypted.
    kept: [Objects; 2],
}

/// Tries each kind of fault this many times.
///
/// # Errors
/// The first broken promise.
pub(super) fn run(marotte: &Path, folder: &Path, runs: usize, seed: u64) -> Result<()> {
    let fleet = Fleet::new(marotte, folder)?;
    let (mut hits, mut killed) = (0, 0);
    for number in 0..runs {
        let seed = seed.wrapping_add(number as u64);
        let told = |error| format!("seed {seed}: {error}");
        let outcome = fleet.failing(seed, &mut Random::new(seed)).map_err(told)?;
        hits += usize::from(outcome.hit);
        killed += usize::from(outcome.killed);
        fleet.at_once(&mut Random::new(seed)).map_err(told)?;
        fleet.damaged(&mut Random::new(seed)).map_err(told)?;
    }
    say(&format!(
        "cache: {runs} runs with failing calls, {hits} of which failed on a file of the cache or were killed ({killed}), {runs} pairs of \
         runs at once, {runs} damaged caches; all reports are those without a cache, and nothing of other runs is lost"
    ));
    Ok(())
}

/// The result of a run with a failing call.
struct Outcome {
    /// Whether a call on a file of the cache failed, or a call killed the process.
    hit: bool,
    killed: bool,
}

impl<'a> Fleet<'a> {
    fn new(marotte: &'a Path, folder: &'a Path) -> Result<Fleet<'a>> {
        for number in 0..NODES {
            let facts =
                format!("role: {}\nnumber: {number}\n", ["web", "db"].get(number % 2).unwrap_or(&"web"));
            files::write(&folder.join(format!("facts/node{number}.yaml")), &facts)?;
        }
        files::write(&folder.join("key"), "a secret that is long enough for a key, and no secret")?;
        for (tree, text, value) in
            [("before", "one", 1), (OTHERS, "one", 2), (TRIED[0], "two", 1), (TRIED[1], "three", 3)]
        {
            let files = [
                ("manifests/site.pp", "include base\ninclude \"base::${facts['role']}\"\n".to_owned()),
                (
                    "modules/base/manifests/init.pp",
                    "class base($v) { file { '/etc/v': content => \"${v}\" } }\n".to_owned(),
                ),
                ("modules/base/manifests/web.pp", format!("class base::web {{ notify {{ '{text}': }} }}\n")),
                (
                    "modules/base/manifests/db.pp",
                    "class base::db { notify { epp('base/t.epp'): } }\n".to_owned(),
                ),
                ("modules/base/templates/t.epp", format!("{text} <%= $facts['number'] %>")),
                ("hiera.yaml", "version: 5\nhierarchy: [{ name: all, path: all.yaml }]\n".to_owned()),
                ("data/all.yaml", format!("base::v: {value}\n")),
            ];
            for (path, text) in files {
                files::write(&folder.join(tree).join(path), &text)?;
            }
        }
        let mut fleet = Fleet { marotte, folder, expected: BTreeMap::new(), kept: Default::default() };
        for tree in [OTHERS, TRIED[0], TRIED[1]] {
            let output = fleet.impact(tree, &["--no-cache"]).output()?;
            if !matches!(output.status.code(), Some(0 | 1)) {
                return Err(format!("cannot compare with {tree}: {}", shown(&output)).into());
            }
            fleet.expected.insert(tree, (output.stdout, output.status.code()));
        }
        for encrypted in [false, true] {
            files::remove_folder(&fleet.cache())?;
            fleet.reports(OTHERS, encrypted, Caution::Full)?;
            fleet.kept[usize::from(encrypted)] = files::contents(&fleet.cache())?;
        }
        Ok(fleet)
    }

    fn cache(&self) -> PathBuf {
        self.folder.join(CACHE)
    }

    /// The command that compares a tree with the one before.
    fn impact(&self, tree: &str, options: &[&str]) -> Command {
        let mut command = Command::new(self.marotte);
        self.arguments(&mut command, tree, options);
        command
    }

    fn arguments(&self, command: &mut Command, tree: &str, options: &[&str]) {
        command.args(["impact", "--from", "before", "--to", tree, "--facts-dir", "facts"]);
        command.args(["--output-format", "json"]).args(options);
        command.current_dir(self.folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    /// Fills the cache with what other runs have kept.
    fn prepare(&self, encrypted: bool) -> Result<&Objects> {
        files::remove_folder(&self.cache())?;
        let objects = &self.kept[usize::from(encrypted)];
        for (path, bytes) in objects {
            files::write_bytes(&self.cache().join(path), bytes)?;
        }
        Ok(objects)
    }

    /// Whether a run gave the report of a tree.
    fn is_right(&self, tree: &str, output: &Output) -> bool {
        let expected = self.expected.get(tree);
        expected.is_some_and(|(report, status)| *report == output.stdout && *status == output.status.code())
    }

    /// Compares a tree once more, and returns the number of nodes that are known from other runs.
    fn reports(&self, tree: &str, encrypted: bool, caution: Caution) -> Result<usize> {
        let output = self.impact(tree, &[&options(encrypted)[..], &["--verbose"]].concat()).output()?;
        if !self.is_right(tree, &output) {
            return Err(format!("another report of {tree}: {}", shown(&output)).into());
        }
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        if caution == Caution::Full && told.contains("warning:") {
            return Err(format!("a later run warns: {told}").into());
        }
        let known = told.lines().find(|it| it.ends_with("nodes are known from other runs"));
        let known = known.and_then(|it| it.split(' ').next()?.parse().ok());
        known.ok_or_else(|| format!("nothing is said of known nodes: {told}").into())
    }

    /// Whether everything that other runs have kept is there, and is used.
    fn is_kept(&self, before: &Objects, encrypted: bool) -> Result<()> {
        let now = files::contents(&self.cache())?;
        for (path, bytes) in before.iter().filter(|(path, _)| *path != Path::new(TAG)) {
            match now.get(path) {
                None => return Err(format!("{} of another run is lost", path.display()).into()),
                // Encrypting the same object again gives other bytes.
                Some(other) if other != bytes && !encrypted => {
                    return Err(format!("{} of another run is different", path.display()).into());
                }
                _ => {}
            }
        }
        match self.reports(OTHERS, encrypted, Caution::Full)? {
            NODES => Ok(()),
            known => Err(format!("only {known} of {NODES} nodes of another run are known").into()),
        }
    }

    /// Makes one call of a run fail, or kills the run at it. The seed alone says how.
    fn failing(&self, seed: u64, random: &mut Random) -> Result<Outcome> {
        let (call, fault, most) = fault(seed);
        let encrypted = random.below(3) == 0;
        let empty = Objects::new();
        let before = if random.below(4) == 0 {
            files::remove_folder(&self.cache())?;
            &empty
        } else {
            self.prepare(encrypted)?
        };
        let tree = random.choose(&TRIED);
        let mut when = 1 + random.below(most);
        if random.below(4) > 0 {
            // A call on a file of the cache, as a run without faults makes them.
            let (_, traced) = self.traced(tree, encrypted, &["-e", &format!("trace={call}")])?;
            let numbers = calls_of_cache(&traced);
            when = numbers.get(random.index(numbers.len())).copied().unwrap_or(when);
            match before.is_empty() {
                true => files::remove_folder(&self.cache())?,
                false => drop(self.prepare(encrypted)?),
            }
        }
        let inject = format!("inject={call}:{fault}:when={when}");
        let (output, traced) =
            self.traced(tree, encrypted, &["-e", &format!("trace={call}"), "-e", &inject])?;
        let failed: Vec<&str> = traced.lines().filter(|it| it.contains("(INJECTED)")).collect();
        let killed = output.status.code().is_none();
        let only_cache = failed.iter().all(|it| is_of_cache(it));
        let context = |error: String| format!("{inject}, {tree}, encrypted: {encrypted}: {error}");
        if !killed && only_cache && !self.is_right(tree, &output) {
            return Err(context(format!("another report of {tree}: {}", shown(&output))).into());
        }
        let is_written = |it: &str| is_of_cache(it) && (it.contains("write(") || it.contains("rename"));
        let told = String::from_utf8_lossy(&output.stderr);
        if !killed && only_cache && failed.iter().any(|it| is_written(it)) && !told.contains("warning:") {
            return Err(context(format!("nothing is said of {failed:?}")).into());
        }
        if !before.is_empty() {
            self.is_kept(before, encrypted).map_err(|error| context(error.to_string()))?;
        }
        self.reports(tree, encrypted, Caution::Full).map_err(|error| context(error.to_string()))?;
        match self.reports(tree, encrypted, Caution::Full)? {
            NODES => Ok(Outcome { hit: killed || failed.iter().any(|it| is_of_cache(it)), killed }),
            known => Err(context(format!("only {known} of {NODES} nodes are known at last")).into()),
        }
    }

    /// Compares a tree under strace, and returns what it wrote.
    fn traced(&self, tree: &str, encrypted: bool, faults: &[&str]) -> Result<(Output, String)> {
        let trace = self.folder.join("trace");
        let mut command = Command::new("strace");
        command.args(["-f", "-y", "-qq"]).args(faults).arg("-o").arg(&trace).arg(self.marotte);
        self.arguments(&mut command, tree, &options(encrypted));
        let output = command.output().map_err(|error| format!("cannot run strace: {error}"))?;
        Ok((output, files::read(&trace)?))
    }

    /// Runs two processes at once, one of which may be killed.
    fn at_once(&self, random: &mut Random) -> Result<()> {
        let encrypted = random.below(3) == 0;
        let before = self.prepare(encrypted)?;
        let trees = [random.choose(&TRIED), random.choose(&TRIED)];
        let kill = random.below(2) == 0;
        let mut children = Vec::new();
        for tree in trees {
            children.push(self.impact(tree, &options(encrypted)).spawn()?);
            std::thread::sleep(Duration::from_millis(random.below(30)));
        }
        if kill && let Some(child) = children.first_mut() {
            std::thread::sleep(Duration::from_millis(random.below(200)));
            child.kill()?;
        }
        let outputs: Vec<Output> =
            children.into_iter().map(Child::wait_with_output).collect::<std::io::Result<_>>()?;
        for (tree, output) in trees.iter().zip(&outputs) {
            if output.status.code().is_some() && !self.is_right(tree, output) {
                return Err(format!("two at once, another report of {tree}: {}", shown(output)).into());
            }
        }
        self.is_kept(before, encrypted).map_err(|error| format!("two at once, killed: {kill}: {error}"))?;
        for (tree, output) in trees.iter().zip(&outputs) {
            let known = self.reports(tree, encrypted, Caution::Full)?;
            if known != NODES && output.status.code().is_some() {
                return Err(format!("two at once: only {known} of {NODES} nodes of {tree} are known").into());
            }
        }
        Ok(())
    }

    /// Damages some objects of a cache.
    fn damaged(&self, random: &mut Random) -> Result<()> {
        let encrypted = random.below(3) == 0;
        let mut left = self.prepare(encrypted)?.clone();
        left.remove(Path::new(TAG));
        let names: Vec<PathBuf> = left.keys().cloned().collect();
        let mut told = Vec::new();
        for _ in 0..=random.below(4) {
            let Some(path) = names.get(random.index(names.len())) else { continue };
            let Some(bytes) = left.remove(path) else { continue };
            let other = names.get(random.index(names.len())).and_then(|it| left.get(it)).cloned();
            told.push(format!("{}: {}", path.display(), self.damage(path, bytes, other, random)?));
        }
        let context = |error: String| format!("damaged {told:?}, encrypted: {encrypted}: {error}");
        let tree = random.choose(&[TRIED[0], TRIED[1], OTHERS]);
        self.reports(tree, encrypted, Caution::MayWarn).map_err(|error| context(error.to_string()))?;
        let now = files::contents(&self.cache())?;
        for (path, bytes) in &left {
            if now.get(path).is_none_or(|other| !encrypted && other != bytes) {
                return Err(context(format!("{}, which is not damaged, is lost", path.display())).into());
            }
        }
        // What could not be read is written again, unless something is in its place that is not a file.
        let caution =
            if told.iter().any(|it| it.ends_with("a folder")) { Caution::MayWarn } else { Caution::Full };
        for tree in [OTHERS, tree] {
            self.reports(tree, encrypted, Caution::MayWarn).map_err(|error| context(error.to_string()))?;
            let known = self.reports(tree, encrypted, caution).map_err(|error| context(error.to_string()))?;
            if known != NODES && caution == Caution::Full {
                return Err(
                    context(format!("only {known} of {NODES} nodes of {tree} are known again")).into()
                );
            }
        }
        Ok(())
    }

    /// Damages one object, and returns how.
    fn damage(
        &self,
        path: &Path,
        mut bytes: Vec<u8>,
        other: Option<Vec<u8>>,
        random: &mut Random,
    ) -> Result<&'static str> {
        let target = self.cache().join(path);
        let at = random.index(bytes.len());
        let how = match random.below(7) {
            0 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
                "one bit"
            }
            1 => {
                bytes.truncate(at);
                "cut"
            }
            2 => {
                bytes.extend((0..=random.below(64)).map(|_| random.byte()));
                "longer"
            }
            3 => {
                bytes = (0..random.below(4096)).map(|_| random.byte()).collect();
                "any bytes"
            }
            4 => {
                bytes = other.unwrap_or_default();
                "another object"
            }
            5 => {
                files::remove_file(&target)?;
                return Ok("removed");
            }
            _ => {
                files::remove_file(&target)?;
                files::make_folder(&target)?;
                return Ok("a folder");
            }
        };
        files::write_bytes(&target, &bytes)?;
        Ok(how)
    }
}

/// Whether a run may warn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Caution {
    /// It must not: the cache is whole.
    Full,
    /// The cache is damaged.
    MayWarn,
}

/// Whether a line of a trace is a call on the folder of the cache, or on a file in it.
fn is_of_cache(line: &str) -> bool {
    [format!("/{CACHE}/"), format!("/{CACHE}>"), format!("/{CACHE}\"")].iter().any(|it| line.contains(it))
}

/// Returns the numbers of the calls on the cache, each among those of its thread, as strace counts them.
fn calls_of_cache(traced: &str) -> Vec<u64> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut found = Vec::new();
    for line in traced.lines() {
        let (thread, call) = line.split_once(' ').unwrap_or((line, ""));
        if call.trim_start().starts_with(['<', '+', '-']) {
            continue;
        }
        let count = counts.entry(thread).or_default();
        *count += 1;
        if is_of_cache(call) {
            found.push(*count);
        }
    }
    found
}

/// The options for the cache.
fn options(encrypted: bool) -> Vec<&'static str> {
    let mut options = vec!["--cache", CACHE];
    if encrypted {
        options.extend(["--cache-key-file", "key"]);
    }
    options
}

fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}: {} {}", output.status, text(&output.stdout), text(&output.stderr))
}
