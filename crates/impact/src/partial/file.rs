use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Part;
use crate::NodeSet;

/// The version of the format. It changes when files of other versions can no longer be read.
const VERSION: u32 = 3;

/// The version of the program. Other versions may compare or group changes differently.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The maximum length of the first line, in bytes.
const HEADER: usize = 1000;

/// The start of each file.
const START: &[u8] = b"{\"marotte-impact-part\":";

/// The first line of a file. The second line is the part.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "marotte-impact-part")]
    version: u32,
    program: String,
    /// The number of bytes of the second line.
    bytes: usize,
    /// The digest of the second line.
    sha256: String,
}

/// The fields of the first line that all versions have in common.
#[derive(Deserialize)]
struct AnyHeader {
    #[serde(rename = "marotte-impact-part")]
    version: u32,
}

/// The reason why a file isn't a part of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The file has another format.
    Other,
    /// The file has another version of the format.
    Version(u32),
    /// Another version of the program has written the file.
    Program(String),
    /// The file is truncated: the actual and the expected number of bytes.
    Truncated(usize, usize),
    /// The content differs from what was written.
    Damaged,
    /// The content is as written, but invalid: the reason.
    Invalid(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Other => out.write_str("it is no partial result of `marotte impact --shard`"),
            Unreadable::Version(version) => {
                write!(out, "its form has version {version}, and this program reads version {VERSION}")
            }
            Unreadable::Program(program) => {
                write!(out, "version {program} has written it, and this is version {PROGRAM}")
            }
            Unreadable::Truncated(found, written) => {
                write!(out, "it is truncated: it has {found} of {written} bytes")
            }
            Unreadable::Damaged => out.write_str("it is damaged: it is not what was written"),
            Unreadable::Invalid(why) => write!(out, "it is invalid: {why}"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// Whether a file is a part, whatever its version, and even if it is damaged.
pub fn is_part(bytes: &[u8]) -> bool {
    bytes.starts_with(START)
}

/// Returns the content of the file of a part.
pub fn write(part: &Part) -> String {
    // All keys are strings, so that nothing can fail.
    let body = serde_json::to_string(part).unwrap_or_default();
    let header =
        Header { version: VERSION, program: PROGRAM.to_owned(), bytes: body.len(), sha256: digest(&body) };
    let header = serde_json::to_string(&header).unwrap_or_default();
    format!("{header}\n{body}\n")
}

/// Reads the file of a part. The returned part is consistent in itself, whatever the file contains.
pub fn read(bytes: &[u8]) -> Result<Part, Unreadable> {
    if !is_part(bytes) {
        return Err(Unreadable::Other);
    }
    let line = bytes.iter().take(HEADER).position(|it| *it == b'\n').ok_or(Unreadable::Damaged)?;
    let (header, body) = (&bytes[..line], &bytes[line + 1..]);
    let AnyHeader { version } = serde_json::from_slice(header).map_err(|_| Unreadable::Damaged)?;
    if version != VERSION {
        return Err(Unreadable::Version(version));
    }
    let header: Header = serde_json::from_slice(header).map_err(|_| Unreadable::Damaged)?;
    if header.program != PROGRAM {
        return Err(Unreadable::Program(header.program));
    }
    if body.len() < header.bytes {
        return Err(Unreadable::Truncated(body.len(), header.bytes));
    }
    let body = body.strip_suffix(b"\n").ok_or(Unreadable::Damaged)?;
    let body = std::str::from_utf8(body).map_err(|_| Unreadable::Damaged)?;
    if body.len() != header.bytes || digest(body) != header.sha256 {
        return Err(Unreadable::Damaged);
    }
    let part: Part = serde_json::from_str(body).map_err(|error| Unreadable::Invalid(error.to_string()))?;
    validate(&part).map_err(|why| Unreadable::Invalid(why.to_owned()))?;
    Ok(part)
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|it| format!("{it:02x}")).collect()
}

/// Checks that all node numbers are valid.
fn validate(part: &Part) -> Result<(), &'static str> {
    let Part { shard, nodes, inputs: _, options: _, report, search } = part;
    if !shard.is_valid() {
        return Err("there is no such part");
    }
    if u32::try_from(report.nodes.len()) != Ok(shard.share(*nodes)) {
        return Err("it has another number of nodes than a part of this size");
    }
    if report.omitted > 0 {
        return Err("it does not have all changes");
    }
    let groups = report.groups.iter().map(|it| &it.nodes);
    let failing = report.failing.iter().map(|it| &it.nodes);
    let unknown = report.unknown.iter().map(|(_, it)| it);
    let ignored = report.ignored.iter().map(|it| &it.nodes);
    let is_set = |set: &NodeSet| {
        !set.is_empty() && set.iter().all(|it| *it < shard.share(*nodes)) && set.is_sorted_by(|a, b| a < b)
    };
    if !groups.chain(failing).chain(unknown).chain(ignored).all(is_set) {
        return Err("it names nodes that it does not have");
    }
    if !search.samples.is_sorted_by(|a, b| a.node < b.node) {
        return Err("its samples are not in order");
    }
    Ok(())
}
