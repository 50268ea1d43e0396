//! Texts that arguments name, whole or not at all.

use std::io::{self, Read as _};

use camino::Utf8Path;
use marotte_db::{DEFAULT_MAX_FILE_SIZE, System};

use crate::failure::Failure;

/// The name of a text on the command line.
pub(crate) const ARGUMENT: &str = "<argument>";

/// The name of standard input.
pub(crate) const STDIN: &str = "<stdin>";

/// Reads a file.
pub(crate) fn read(system: &dyn System, path: &Utf8Path) -> Result<String, Failure> {
    let bytes = system.read(&system.absolute(path), DEFAULT_MAX_FILE_SIZE);
    utf8(path.as_str(), bytes.map_err(|error| format!("cannot read {path}: {error}"))?)
}

/// Reads standard input.
pub(crate) fn read_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let limit = DEFAULT_MAX_FILE_SIZE;
    io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Failure::Message(format!("standard input has more than {limit} bytes")));
    }
    utf8(STDIN, bytes)
}

fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Failure::Message(format!("{name} is not UTF-8: the byte at offset {offset} cannot stand there"))
    })
}
