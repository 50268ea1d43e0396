//! Runs other programs.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use crate::Result;

/// Returns the words of a command, for messages.
pub(crate) fn words(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    // A file list would bury the message.
    words.extend(command.get_args().take(4).map(OsStr::to_string_lossy));
    if command.get_args().len() > 4 {
        words.push("…".into());
    }
    words.join(" ")
}

/// Runs a command to its end and returns what it wrote to standard output; its standard error is passed on.
///
/// Fails if the command can't be started or doesn't succeed.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    finish(command, "")
}

/// Like [`output`], with `input` on the command's standard input.
pub(crate) fn filter(command: &mut Command, input: &str) -> Result<String> {
    finish(command, input)
}

fn finish(command: &mut Command, input: &str) -> Result<String> {
    let words = words(command);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run `{words}`: {error}"))?;
    let stdin = child.stdin.take();
    let output = thread::scope(|scope| {
        // Written concurrently with reading, so that neither side blocks on a full pipe.
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // The exit status of a command that stops reading early explains the reason.
                let _ = stdin.write_all(input.as_bytes());
            }
        });
        child.wait_with_output()
    })?;
    if !output.status.success() {
        return Err(format!("`{words}` failed ({})", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
