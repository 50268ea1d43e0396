//! The input history, shared with other sessions of the program.

use camino::Utf8PathBuf;
use marotte_db::{DiskSystem, System};

/// The maximum number of inputs in the history.
pub(super) const LENGTH: usize = 5_000;

/// The maximum size in bytes, longer than that many typical inputs.
const MAX_SIZE: u64 = 16 << 20;

/// The first line of the file.
const HEADER: &str = "#V2";

/// The file with the history.
pub(super) struct History {
    system: DiskSystem,
    path: Utf8PathBuf,
}

impl History {
    /// The file `$XDG_STATE_HOME/marotte/history`. None if the folder doesn't exist.
    pub(super) fn new() -> Option<History> {
        let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
        let state = variable("XDG_STATE_HOME")
            .or_else(|| variable("LOCALAPPDATA"))
            .map(Utf8PathBuf::from)
            .or_else(|| Some(Utf8PathBuf::from(variable("HOME")?).join(".local/state")))?;
        let system = DiskSystem::new().ok()?;
        Some(History { path: system.absolute(&state.join("marotte").join("history")), system })
    }

    /// Returns all inputs, oldest first. Empty if there is no history yet, or if it cannot be read.
    pub(super) fn load(&self) -> Vec<String> {
        let bytes = self.system.read(&self.path, MAX_SIZE).unwrap_or_default();
        inputs(&String::from_utf8_lossy(&bytes))
    }

    /// Appends an input, after those that other sessions have appended meanwhile. Returns whether it could be written.
    pub(super) fn add(&self, input: &str) -> bool {
        let mut inputs = self.load();
        if inputs.last().is_some_and(|last| last == input) {
            return true;
        }
        inputs.push(input.to_owned());
        let text = text(&inputs[inputs.len().saturating_sub(LENGTH)..]);
        let folder = self.path.parent().map_or(Ok(()), |it| self.system.create_folder(it));
        folder.and_then(|()| self.system.write_atomically(&self.path, text.as_bytes())).is_ok()
    }
}

/// The file's text: one input in each line, with line ends escaped by a backslash.
fn text(inputs: &[String]) -> String {
    let mut text = format!("{HEADER}\n");
    for input in inputs {
        text.push_str(&input.replace('\\', "\\\\").replace('\n', "\\n"));
        text.push('\n');
    }
    text
}

fn inputs(text: &str) -> Vec<String> {
    text.lines().filter(|line| !line.is_empty() && *line != HEADER).map(unescaped).collect()
}

fn unescaped(line: &str) -> String {
    let mut input = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match character {
            '\\' => match rest.next() {
                Some('n') => input.push('\n'),
                Some(escaped) => input.push(escaped),
                None => input.push('\\'),
            },
            character => input.push(character),
        }
    }
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_many_lines_come_back() {
        let all = ["1 + 1".to_owned(), "if true {\n  '\\n'\n}".to_owned(), "'\\\\'".to_owned()];
        assert_eq!(inputs(&text(&all)), all);
    }
}
