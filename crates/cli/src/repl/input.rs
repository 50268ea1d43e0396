//! The source of inputs: a line editor on a terminal, plain lines otherwise.

use std::cell::RefCell;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::rc::Rc;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::complete::Names;
use super::history::{History, LENGTH};
use super::line::is_complete;
use crate::failure::Failure;

const PROMPT: &str = "marotte> ";

/// The source of inputs.
pub(super) enum Input {
    Terminal(Box<Terminal>),
    Lines,
}

/// The line editor, and the history file.
pub(super) struct Terminal {
    editor: Editor<Assistant, MemHistory>,
    history: Option<History>,
}

impl Input {
    /// Creates a line editor if there is a terminal.
    pub(super) fn new(names: Rc<RefCell<Names>>, remember: bool) -> Result<Input, Failure> {
        if !io::stdin().is_terminal() {
            return Ok(Input::Lines);
        }
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .history_ignore_space(true)
            .max_history_size(LENGTH)
            .map_err(failure)?
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(failure)?;
        editor.set_helper(Some(Assistant { names }));
        let history = if remember { History::new() } else { None };
        for input in history.iter().flat_map(History::load) {
            editor.add_history_entry(input).map_err(failure)?;
        }
        Ok(Input::Terminal(Box::new(Terminal { editor, history })))
    }

    /// Whether a person types the inputs.
    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// The next input; None at the end.
    pub(super) fn read(&mut self) -> Result<Option<String>, Failure> {
        match self {
            Input::Terminal(terminal) => terminal.read(),
            Input::Lines => {
                let mut text = String::new();
                let mut lines = io::stdin().lock();
                loop {
                    if lines.read_line(&mut text)? == 0 {
                        return Ok(Some(text).filter(|it| !it.is_empty()));
                    }
                    if is_complete(&text) {
                        return Ok(Some(text));
                    }
                }
            }
        }
    }
}

impl Terminal {
    fn read(&mut self) -> Result<Option<String>, Failure> {
        loop {
            match self.editor.readline(PROMPT) {
                Ok(text) => {
                    self.remember(&text);
                    return Ok(Some(text));
                }
                // The text typed so far is discarded.
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(failure(error)),
            }
        }
    }

    /// Adds an input to the history. A failure to write is ignored.
    fn remember(&mut self, text: &str) {
        if !self.editor.add_history_entry(text).unwrap_or(false) {
            return;
        }
        if self.history.as_ref().is_some_and(|it| !it.add(text)) {
            self.history = None;
        }
    }
}

fn failure(error: ReadlineError) -> Failure {
    match error {
        ReadlineError::Io(error) => Failure::Io(error),
        other => Failure::Message(other.to_string()),
    }
}

/// The callbacks of the line editor during input.
struct Assistant {
    names: Rc<RefCell<Names>>,
}

impl Helper for Assistant {}
impl Highlighter for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let complete = is_complete(context.input());
        Ok(if complete { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.names.borrow().complete(line.get(..position).unwrap_or(line)))
    }
}
