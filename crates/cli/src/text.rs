//! Texts that arguments name, read entirely or not at all.

use std::io::{self, Read as _};

use camino::Utf8Path;
use marotte_db::{DEFAULT_MAX_FILE_SIZE, System};
use marotte_text::ByteOrderMark;

use crate::failure::Failure;

/// The name of a text on the command line.
pub(crate) const ARGUMENT: &str = "<argument>";

/// The name of standard input.
pub(crate) const STDIN: &str = "<stdin>";

/// Code, or the byte order mark of another encoding than UTF-8 with which it starts; readers of code report the latter.
pub(crate) type Code = Result<String, ByteOrderMark>;

/// Reads the text of a file.
pub(crate) fn read(system: &dyn System, path: &Utf8Path) -> Result<String, Failure> {
    utf8(path.as_str(), bytes(system, path)?)
}

/// Reads a file of code.
pub(crate) fn read_code(system: &dyn System, path: &Utf8Path) -> Result<Code, Failure> {
    code(path.as_str(), bytes(system, path)?)
}

fn bytes(system: &dyn System, path: &Utf8Path) -> Result<Vec<u8>, Failure> {
    let bytes = system.read(&system.absolute(path), DEFAULT_MAX_FILE_SIZE);
    Ok(bytes.map_err(|error| format!("cannot read {path}: {error}"))?)
}

/// Reads code from standard input.
pub(crate) fn read_stdin() -> Result<Code, Failure> {
    let mut bytes = Vec::new();
    let limit = DEFAULT_MAX_FILE_SIZE;
    io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Failure::Message(format!("standard input has more than {limit} bytes")));
    }
    code(STDIN, bytes)
}

fn code(name: &str, bytes: Vec<u8>) -> Result<Code, Failure> {
    match ByteOrderMark::of(&bytes).filter(|_| std::str::from_utf8(&bytes).is_err()) {
        Some(mark) => Ok(Err(mark)),
        None => utf8(name, bytes).map(Ok),
    }
}

fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        if let Some(mark) = ByteOrderMark::of(error.as_bytes()) {
            let encoding = mark.encoding;
            return Failure::Message(format!(
                "{name} starts with a {encoding} byte order mark ({mark}): UTF-8 is needed"
            ));
        }
        let offset = error.utf8_error().valid_up_to();
        Failure::Message(format!("{name} is not UTF-8: the byte at offset {offset} cannot appear there"))
    })
}
