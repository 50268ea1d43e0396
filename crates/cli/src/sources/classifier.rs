use std::sync::Arc;
use std::time::Duration;

use marotte_db::System;
use marotte_db::system::process::Processes;
use marotte_diagnostics::printable;
use marotte_hiera::data::{Permitted, parse_yaml};
use marotte_host::Classification;
use marotte_pcore::value::Value;

use super::answers::Answers;
use crate::failure::Failure;

/// The time that a command may take in seconds, unless the user gives another.
const TIMEOUT: u64 = 30;

/// The maximum size of the output of a command, in bytes.
const ANSWER_LIMIT: usize = 16 << 20;

/// A command that prints the classes of nodes: an external node classifier. It runs once for each node.
#[derive(Debug)]
pub(super) struct Classifier {
    /// The words of the command; the name of the node is added.
    command: Vec<String>,
    time: Duration,
    processes: Arc<dyn Processes>,
    known: Answers<Classification>,
}

impl Classifier {
    /// Parses a command: words without quotes, as in Puppet's setting `external_nodes`; the first is a path.
    pub(super) fn new(
        command: &str,
        seconds: Option<u64>,
        disk: &dyn System,
        processes: Arc<dyn Processes>,
    ) -> Result<Classifier, Failure> {
        let mut command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let program = command.first_mut().filter(|it| it.contains('/'));
        let program =
            program.ok_or("the command of `--enc` starts with a path, such as `./enc.sh`".to_owned())?;
        *program = disk.absolute(program.as_str().into()).into_string();
        let time = Duration::from_secs(seconds.unwrap_or(TIMEOUT));
        Ok(Classifier { command, time, processes, known: Answers::default() })
    }

    /// Returns the classification that the command prints for a node.
    pub(super) fn classes(&self, name: &str) -> Result<Classification, Failure> {
        self.known.get(name.to_owned(), || self.ask(name)).map_err(Failure::Message)
    }

    fn ask(&self, name: &str) -> Result<Classification, String> {
        // Names of nodes may come from elsewhere, and options are not names.
        if name.is_empty() || name.starts_with('-') {
            return Err(format!("`{}` is not a name of a node", printable::line(name)));
        }
        let mut words: Vec<&str> = self.command.iter().map(String::as_str).collect();
        words.push(name);
        let shown = self.command.join(" ");
        let output = self.processes.output(&words, self.time, ANSWER_LIMIT);
        let text = output.map_err(|error| format!("`{shown}` does not classify {name}: {error}"))?;
        if text.trim_ascii().is_empty() {
            return Err(format!("`{shown}` does not know {name}: it printed nothing"));
        }
        let wrong =
            |why: &dyn std::fmt::Display| format!("`{shown}` does not classify {name}: its output {why}");
        let text = String::from_utf8(text).map_err(|_| wrong(&"is not UTF-8"))?;
        let permitted = Permitted { symbols: true, classes: &[] };
        let document =
            parse_yaml(&text, permitted).map_err(|error| wrong(&format!("is not YAML: {error}")))?;
        match document.value {
            Value::Hash(hash) => {
                Classification::from_hash(&hash).map_err(|error| wrong(&format!("is wrong: {error}")))
            }
            other => Err(wrong(&format!("must be a hash, and is {}", other.kind_name()))),
        }
    }
}
