//! A played session: typing, edits of data, a rename, another revision, for minutes. After each pause, the published findings
//! are compared with those of a new process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::editor::{Editor, FileEvent, uri};
use super::{Session, told, tree};
use crate::bench::report::{Bound, Report};
use crate::bench::scratch::Scratch;
use crate::{Result, console, files};

/// The number of manifests that use the renamed class.
const USES: usize = 200;

/// The number of manifests that another revision changes.
const CHANGED: usize = 50;

/// The time without messages after which a server has nothing more to say.
const QUIET: Duration = Duration::from_secs(2);

/// The data file that is edited.
const DATA: &str = "data/common.yaml";

/// Plays a session, and reports its figures.
///
/// # Errors
/// If an answer of the server differs from that of a new process.
pub(super) fn play(
    program: &Path,
    manifests: usize,
    rate: u32,
    minutes: f64,
    report: &mut Report,
) -> Result<()> {
    let scratch = Scratch::new("play")?;
    let root = scratch.folder().canonicalize()?;
    tree::make(&root, manifests, USES)?;
    revisions(&root)?;
    let path = root.join(tree::EDITED);
    let text = files::read(&path)?;
    let mut editor = Editor::start(program, &root)?;
    editor.open(&path, &text)?;
    editor.wait_for_findings(1)?;
    editor.wait_for_findings_of(&root.join(tree::FAULTY))?;
    let session = Session {
        editor,
        path,
        text,
        version: 1,
        findings: Vec::new(),
        answers: Default::default(),
        silent: 0,
    };
    let mut player = Player { program, root, session, is_changed: false, compared: 0 };

    let started = Instant::now();
    let end = Duration::from_secs_f64(minutes * 60.0);
    let mut minute = 0;
    let mut memory = Vec::new();
    let mut rounds = 0;
    while started.elapsed() < end {
        player.round(rate)?;
        rounds += 1;
        let now = started.elapsed().as_secs() / 60;
        if rounds == 1 || now > minute {
            minute = now;
            let megabytes = player.session.editor.memory()?;
            console::say(&format!("minute {minute}: {megabytes:.0} MB"));
            memory.push(megabytes);
        }
    }
    let Player { session, compared, .. } = player;
    let Session { mut findings, answers, editor, .. } = session;
    let note = format!("{rounds} rounds, {} keys", findings.len());
    told(report, "from a key to its findings", &mut findings, 20.0, &note);
    for (name, mut times) in ["completion", "hover", "definition"].into_iter().zip(answers) {
        told(report, name, &mut times, 10.0, "");
    }
    report.add("comparisons with a new process", compared as f64, "", Bound::None, "all equal");
    let most = memory.iter().copied().fold(0.0, f64::max);
    let growth = memory.last().unwrap_or(&0.0) - memory.first().unwrap_or(&0.0);
    report.add("memory", most, "MB", Bound::AtMost(400.0), "resident, the most at any minute");
    report.add("growth of that after the first round", growth, "MB", Bound::None, "");
    editor.end()
}

struct Player<'a> {
    program: &'a Path,
    root: PathBuf,
    session: Session,
    /// The other revision is checked out.
    is_changed: bool,
    compared: usize,
}

impl Player<'_> {
    /// Does everything once. The tree is as before, but for the revision.
    fn round(&mut self, rate: u32) -> Result<()> {
        self.session.press(super::TYPED.len(), rate)?;
        self.compare("typing")?;

        let data = files::read(&self.root.join(DATA))?;
        let key = "m7::c3::port: ";
        let wrong = data.replacen(key, &format!("{key}text # "), 1);
        let before = self.session.editor.findings().len();
        self.write(DATA, &wrong)?;
        self.compare("a wrong value in data")?;
        if self.session.editor.findings().len() == before {
            return Err("the wrong value in data has no finding, so that nothing was compared".into());
        }
        self.write(DATA, &data)?;
        self.compare("the value as before")?;

        self.rename("shared::base", "shared::basis")?;
        self.compare("a rename")?;
        self.rename("shared::basis", "shared::base")?;
        self.compare("a rename back")?;

        self.is_changed = !self.is_changed;
        let changed = git(&self.root, &["diff", "--name-only", "first", "second"])?;
        let revision = if self.is_changed { "second" } else { "first" };
        git(&self.root, &["checkout", "--quiet", revision])?;
        let event = |path: &str| (self.root.join(path), FileEvent::Changed);
        let events: Vec<_> = changed.lines().map(event).collect();
        self.session.editor.touched(&events)?;
        self.compare("another revision")
    }

    fn write(&mut self, path: &str, text: &str) -> Result<()> {
        let path = self.root.join(path);
        files::write(&path, text)?;
        self.session.editor.touched(&[(path, FileEvent::Changed)])
    }

    /// Renames the shared class, and saves all files, as an editor does.
    fn rename(&mut self, old: &str, new: &str) -> Result<()> {
        let file =
            |name: &str| self.root.join(tree::SHARED.replace("base", name.trim_start_matches("shared::")));
        let (from, to) = (file(old), file(new));
        let params = json!({
            "textDocument": { "uri": uri(&from) },
            "position": { "line": 0, "character": "class shared::".len() + 1 },
            "newName": new,
        });
        let edit = self.session.editor.request("textDocument/rename", params)?;
        let mut events = Vec::new();
        for change in edit["documentChanges"].as_array().ok_or("the rename has no changes")? {
            if change["kind"] == "rename" {
                files::copy(&from, &to)?;
                files::remove_file(&from)?;
                events.push((from.clone(), FileEvent::Deleted));
                events.push((to.clone(), FileEvent::Created));
                continue;
            }
            let uri = change["textDocument"]["uri"].as_str().unwrap_or_default();
            let path = PathBuf::from(uri.trim_start_matches("file://"));
            let text = applied(&files::read(&path)?, &change["edits"])?;
            if path == self.session.path {
                return Err("the open document is not concerned by the rename".into());
            }
            files::write(&path, &text)?;
            events.push((path, FileEvent::Changed));
        }
        if events.len() < USES {
            return Err(format!("the rename changed {} files only", events.len()).into());
        }
        self.session.editor.touched(&events)?;
        // An answer about the new name, from the new tree.
        let user = self.root.join("modules/m10/manifests/init.pp");
        let text = files::read(&user)?;
        let line = text.lines().position(|it| it.contains("include shared::")).ok_or("no use")?;
        let position = json!({ "line": line, "character": "  include shared::".len() + 1 });
        let params = json!({ "textDocument": { "uri": uri(&user) }, "position": position });
        let found = self.session.editor.request("textDocument/definition", params)?.to_string();
        match found.contains(&uri(&to)) {
            true => Ok(()),
            false => Err(format!("stale: the definition of `{new}` is in {found}").into()),
        }
    }

    /// Waits until the server has nothing more to say, and compares its findings with those of a new process.
    fn compare(&mut self, after: &str) -> Result<()> {
        self.session.editor.settle(QUIET)?;
        let mut command = Command::new(self.program);
        let output = command.args(["check", "--output-format", "json-lines"]).arg(&self.root).output()?;
        let finding = |line: &str| -> Result<(String, u64, String)> {
            let it: Value = serde_json::from_str(line)?;
            let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
            Ok((text("file"), it["line"].as_u64().unwrap_or_default(), text("rule")))
        };
        let mut cold = String::from_utf8(output.stdout)?.lines().map(finding).collect::<Result<Vec<_>>>()?;
        cold.sort();
        let warm = self.session.editor.findings();
        self.compared += 1;
        if warm == cold {
            return Ok(());
        }
        let stale = warm.iter().find(|it| !cold.contains(it));
        let missing = cold.iter().find(|it| !warm.contains(it));
        Err(format!("stale after {after}: the server alone says {stale:?}, a new process alone {missing:?}")
            .into())
    }
}

/// Applies the edits of a document, whose text is ASCII.
fn applied(text: &str, edits: &Value) -> Result<String> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |place: &Value| -> Result<usize> {
        let number = |name: &str| place[name].as_u64().and_then(|it| usize::try_from(it).ok());
        let line = number("line").and_then(|it| starts.get(it)).ok_or("an edit outside of the text")?;
        Ok(line + number("character").unwrap_or_default())
    };
    let mut text = text.to_owned();
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .into_iter()
        .flatten()
        .map(|it| {
            let new = it["newText"].as_str().unwrap_or_default();
            Ok((offset(&it["range"]["start"])?, offset(&it["range"]["end"])?, new))
        })
        .collect::<Result<_>>()?;
    edits.sort_unstable();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    Ok(text)
}

/// Makes a repository with two revisions, `first` and `second`, and checks the first one out.
fn revisions(root: &Path) -> Result<()> {
    git(root, &["init", "--quiet"])?;
    git(root, &["add", "."])?;
    commit(root, "first")?;
    for number in 0..CHANGED {
        let path = root.join(format!("modules/m{}/manifests/c5.pp", 20 + number));
        let text = files::read(&path)?;
        files::write(&path, &text.replacen(") {\n", ") {\n  notice({ 'b' => 1, 'b' => 2 })\n", 1))?;
    }
    git(root, &["add", "."])?;
    commit(root, "second")?;
    git(root, &["checkout", "--quiet", "first"])?;
    Ok(())
}

fn commit(root: &Path, tag: &str) -> Result<()> {
    let author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"];
    git(root, &[&author[..], &["commit", "--quiet", "--no-verify", "-m", tag]].concat())?;
    git(root, &["tag", tag])?;
    Ok(())
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(format!("git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}
