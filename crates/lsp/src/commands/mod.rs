//! `workspace/executeCommand`: results of evaluation, as texts that any client can show.
//!
//! Each command takes one object, whose `uri` names a document of the code in question, and returns one with a `text` and its
//! `language`.

mod catalog;
mod evaluate;
mod lookup;
pub(crate) mod nodes;
pub(crate) mod page;
mod subject;
mod template;

use lsp_types::ExecuteCommandParams;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answers::hierarchy::SHOW_REFERENCES;
use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};

/// A command that clients can execute.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    run: fn(&Snapshot, Value) -> Answer<Shown>,
}

/// Asks the client to apply the edit in the argument: for clients whose actions must be commands.
pub(crate) const APPLY: &str = "marotte.applyEdit";

/// All commands that the server announces.
pub(crate) const COMMANDS: &[Command] = &[
    Command { name: "marotte.showCatalog", run: |it, argument| catalog::run(it, parsed(argument)?) },
    Command { name: "marotte.previewTemplate", run: |it, argument| template::run(it, parsed(argument)?) },
    Command { name: "marotte.evaluate", run: |it, argument| evaluate::run(it, parsed(argument)?) },
    Command { name: "marotte.explainLookup", run: |it, argument| lookup::run(it, parsed(argument)?) },
    Command { name: nodes::NAME, run: |it, argument| nodes::run(it, parsed(argument)?) },
];

/// A text to show to the user.
pub(crate) struct Shown {
    /// The text to show.
    text: String,
    /// The language of the text, by editors' names.
    language: &'static str,
    /// The logged messages, and the findings.
    messages: String,
}

/// Runs a command with its arguments.
pub(crate) fn execute(snapshot: &Snapshot, params: ExecuteCommandParams) -> Answer<Option<Value>> {
    if params.command == SHOW_REFERENCES {
        // For clients that don't implement the command of a code lens: returns the places in its arguments.
        return Ok(params.arguments.and_then(|it| it.into_iter().nth(2)));
    }
    let command = COMMANDS.iter().find(|it| it.name == params.command);
    let command = command
        .ok_or_else(|| ResponseError::invalid_params(format!("there is no command `{}`", params.command)))?;
    let argument = params.arguments.unwrap_or_default().into_iter().next().unwrap_or_default();
    let Shown { text, language, messages } = (command.run)(snapshot, argument)?;
    Ok(Some(json!({ "text": text, "language": language, "messages": messages })))
}

fn parsed<T: DeserializeOwned>(argument: Value) -> Answer<T> {
    serde_json::from_value(argument).map_err(|error| ResponseError::invalid_params(error.to_string()))
}
