//! One worker process.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use marotte_db::system::process::{Process, Processes, Program, Received};
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::{Outward, WorkerLimits};

/// The program that workers run.
const SCRIPT: &str = concat!(include_str!("worker.rb"), include_str!("puppet.rb"));

/// The time between two checks for interruption while a worker computes.
const SLICE: Duration = Duration::from_millis(100);

/// The digest of a text.
pub(super) type Text = [u8; 32];

/// A started worker.
#[derive(Debug)]
pub(super) struct Worker {
    process: Box<dyn Process>,
    /// The files that it has loaded, by path.
    loaded: BTreeMap<String, Text>,
    /// The number of computations under way, each nested in the one before.
    depth: usize,
}

impl Worker {
    /// Starts a worker and waits until it is ready.
    ///
    /// # Errors
    /// If it does not start: a sentence without its end.
    pub(super) fn start(
        processes: &dyn Processes,
        program: &str,
        limits: WorkerLimits,
    ) -> Result<Worker, String> {
        let memory = limits.memory.to_string();
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".to_owned());
        let command = Program {
            program,
            arguments: &["-W0", "--disable=did_you_mean", "-e", SCRIPT, "--", &memory],
            environment: &[("PATH", &path), ("LANG", "C.UTF-8")],
        };
        let process = processes
            .start(&command)
            .map_err(|error| format!("the worker `{program}` cannot be started: {error}"))?;
        let mut worker = Worker { process, loaded: BTreeMap::new(), depth: 0 };
        match worker.receive(limits.start, &|| ()) {
            Ok(message) if message.get("ready").is_some() => Ok(worker),
            Ok(_) => Err(format!("the worker `{program}` is not one: {}", worker.process.end())),
            Err(failure) => Err(format!("the worker `{program}` does not start: {failure}")),
        }
    }

    pub(super) fn send(&mut self, message: &Json) {
        self.process.send(message.to_string().into_bytes());
    }

    /// Waits for a message. A worker that sends no message in time, or anything else, is ended.
    ///
    /// # Errors
    /// If there is no message: a sentence without its end.
    pub(super) fn receive(&mut self, wait: Duration, interrupted: &dyn Fn()) -> Result<Json, String> {
        let start = Instant::now();
        let failure = loop {
            let left = wait.saturating_sub(start.elapsed());
            match self.process.receive(left.min(SLICE)) {
                Received::Message(bytes) => match serde_json::from_slice(&bytes) {
                    Ok(message) => return Ok(message),
                    Err(_) => break "it wrote something that is not a message".to_owned(),
                },
                Received::Nothing if left.is_zero() => {
                    break format!("it did not answer within {} s", wait.as_secs_f32());
                }
                Received::Nothing => interrupted(),
                Received::Garbled => break "it wrote something that is not a message".to_owned(),
                Received::End => {
                    let ended = self.process.end();
                    return Err(ended);
                }
            }
        };
        self.process.end();
        Err(failure)
    }

    /// Records that the worker loads a file.
    pub(super) fn load(&mut self, path: &str, text: &str) {
        self.loaded.insert(path.to_owned(), digest(text));
    }

    /// Returns the paths of the files that it has loaded.
    pub(super) fn loaded(&self) -> &BTreeMap<String, Text> {
        &self.loaded
    }

    /// Whether all files that it has loaded are unchanged. Code of another version cannot be unloaded.
    pub(super) fn is_current(&self, outside: &dyn Outward) -> bool {
        self.loaded.iter().all(|(path, known)| outside.text(path).is_some_and(|it| digest(&it) == *known))
    }

    pub(super) fn enter(&mut self) {
        self.depth += 1;
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Whether no computation is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.depth == 0
    }

    /// Starts a computation.
    pub(super) fn call(&mut self, mut call: Json, seconds: u64) {
        if let Some(call) = call.as_object_mut() {
            call.insert("seconds".to_owned(), seconds.into());
        }
        self.send(&json!({ "call": call }));
    }
}

/// Returns the digest of a text.
pub(super) fn digest(text: &str) -> Text {
    Sha256::digest(text.as_bytes()).into()
}
