//! The language server, as an editor uses it: from a key to findings, from a request to its answer.

mod editor;
mod play;
mod tree;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::build;
use super::report::{Bound, Report};
use super::scratch::Scratch;
use crate::Result;
use editor::Editor;

/// Measure the language server on a generated tree: from keys to findings, completion, hover, definition, memory.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The number of manifests.
    #[arg(long, default_value_t = 3000)]
    manifests: usize,
    /// The number of key presses.
    #[arg(long, default_value_t = 600)]
    keys: usize,
    /// The number of key presses per second.
    #[arg(long, default_value_t = 50)]
    rate: u32,
    /// Plays an editor session of this many minutes, and compares the server's answers after each pause with those of a new
    /// process.
    #[arg(long, value_name = "MINUTES", num_args = 0..=1, default_missing_value = "20", conflicts_with = "keys")]
    play: Option<f64>,
    /// The program to measure, rather than one that is built now.
    #[arg(long)]
    program: Option<PathBuf>,
}

/// The typed text, which is repeated.
const TYPED: &str = "\n  $typed = 'some text'\n  file { \"/tmp/${typed}\":\n    ensure  => file,\n    content => upcase($typed),\n  }\n";

/// The number of keys after which requests are sent.
const EVERY: usize = 10;

/// Measures a session of the language server.
pub(super) fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => build::release()?.marotte,
    };
    if let Some(minutes) = arguments.play {
        return play::play(&program, arguments.manifests, arguments.rate, minutes, report);
    }
    let scratch = Scratch::new("server")?;
    tree::make(scratch.folder(), arguments.manifests, 0)?;
    let path = scratch.folder().join(tree::EDITED);
    let text = crate::files::read(&path)?;

    let started = Instant::now();
    let mut editor = Editor::start(&program, scratch.folder())?;
    editor.open(&path, &text)?;
    editor.wait_for_findings(1)?;
    let first = started.elapsed();
    editor.wait_for_findings_of(&scratch.folder().join(tree::FAULTY))?;
    let whole = started.elapsed();
    report.add(
        "start to findings of the open file",
        first.as_secs_f64() * 1e3,
        "ms",
        Bound::AtMost(500.0),
        "",
    );
    report.add(
        "start to findings of the whole tree",
        whole.as_secs_f64() * 1e3,
        "ms",
        Bound::AtMost(2000.0),
        "",
    );

    let mut session = Session {
        editor,
        path,
        text,
        version: 1,
        findings: Vec::new(),
        answers: Default::default(),
        silent: 0,
    };
    // The first keys warm up the server.
    session.press(arguments.keys / 10, arguments.rate)?;
    session.findings.clear();
    session.answers = Default::default();
    let before = session.editor.memory()?;
    session.press(arguments.keys, arguments.rate)?;
    let after = session.editor.memory()?;
    let Session { mut findings, answers, silent, editor, .. } = session;

    let note =
        format!("{} keys, {} in a second, {} manifests", arguments.keys, arguments.rate, arguments.manifests);
    told(report, "from a key to its findings", &mut findings, 20.0, &note);
    for (name, mut times) in ["completion", "hover", "definition"].into_iter().zip(answers) {
        told(report, name, &mut times, 10.0, "");
    }
    report.add(
        "questions to which there was nothing to say",
        silent as f64,
        "",
        Bound::None,
        "while a quote is open",
    );
    report.add("memory", after, "MB", Bound::AtMost(400.0), "resident");
    report.add("growth of that while typing", after - before, "MB", Bound::None, "");
    editor.end()
}

/// Reports the median and the 99th percentile.
fn told(report: &mut Report, what: &str, times: &mut [Duration], most: f64, note: &str) {
    times.sort();
    let at = |part: f64| {
        let index = ((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1));
        times.get(index).map_or(f64::NAN, |it| it.as_secs_f64() * 1e3)
    };
    report.add(&format!("{what}, median"), at(0.5), "ms", Bound::None, note);
    report.add(&format!("{what}, 99 of 100"), at(0.99), "ms", Bound::AtMost(most), "");
}

struct Session {
    editor: Editor,
    path: PathBuf,
    text: String,
    version: i64,
    findings: Vec<Duration>,
    answers: [Vec<Duration>; 3],
    /// The number of requests without an answer: those about a class after a quote that isn't closed yet.
    silent: usize,
}

impl Session {
    /// Presses keys, one after the other, at the end of the class.
    fn press(&mut self, keys: usize, rate: u32) -> Result<()> {
        let original = self.text.clone();
        let mut typed = String::new();
        let mut next = Instant::now();
        for (number, character) in TYPED.chars().cycle().take(keys).enumerate() {
            if number % TYPED.len() == 0 {
                // Starts anew, like a user who undoes their typing.
                self.text.clone_from(&original);
                typed.clear();
                self.version += 1;
                self.editor.replace(&self.path, self.version, &self.text)?;
                self.editor.wait_for_findings(self.version)?;
            }
            let at = self.text.trim_end().trim_end_matches('}').len();
            self.text.insert(at, character);
            typed.push(character);
            self.version += 1;
            let pressed = Instant::now();
            self.editor.replace(&self.path, self.version, &self.text)?;
            self.editor.wait_for_findings(self.version)?;
            self.findings.push(pressed.elapsed());
            if number % EVERY == 0 {
                self.ask(at)?;
            }
            next += Duration::from_secs(1) / rate;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            next = next.max(Instant::now());
        }
        self.text = original;
        self.version += 1;
        self.editor.replace(&self.path, self.version, &self.text)?;
        self.editor.wait_for_findings(self.version)
    }

    fn ask(&mut self, at: usize) -> Result<()> {
        let place = |at: usize| {
            let before = &self.text[..at];
            let line = before.matches('\n').count();
            let start = before.rfind('\n').map_or(0, |it| it + 1);
            json!({ "line": line, "character": at - start })
        };
        let used = self.text.find("include ").map_or(0, |it| it + "include ".len() + 1);
        let places = [place(at), place(used), place(used)];
        let methods = ["completion", "hover", "definition"];
        for ((method, position), times) in methods.into_iter().zip(places).zip(&mut self.answers) {
            let params = json!({ "textDocument": { "uri": editor::uri(&self.path) }, "position": position });
            let asked = Instant::now();
            let answer = self.editor.request(&format!("textDocument/{method}"), params)?;
            times.push(asked.elapsed());
            self.silent += usize::from(answer == Value::Null || answer == json!([]));
        }
        Ok(())
    }
}
