//! The only module that writes to the terminal.

/// Writes a line to standard output.
#[expect(clippy::print_stdout, reason = "the commands' results go to standard output")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// Writes a line to standard error.
#[expect(clippy::print_stderr, reason = "progress and errors go to standard error")]
pub(crate) fn complain(line: &str) {
    eprintln!("{line}");
}
