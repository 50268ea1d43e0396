use std::fmt;
use std::sync::{Arc, OnceLock};

use camino::Utf8Path;
use marotte_text::{ByteOrderMark, LineIndex};

use crate::system::ReadError;
use crate::{Db, File, Settings};

/// A file's text, or as much of it as could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    text: String,
    error: Option<SourceError>,
    /// The bytes, if they aren't valid text.
    bytes: Option<Box<[u8]>>,
    lines: Lines,
}

/// The line index, computed on the first request. It is derived from the text, so it is ignored when texts are compared.
#[derive(Clone, Debug, Default)]
struct Lines(OnceLock<LineIndex>);

impl PartialEq for Lines {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Lines {}

/// The reason why a file has no text, or no reliable one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceError {
    /// The file could not be read; the text is empty.
    Read(ReadError),
    /// The file isn't UTF-8. Every invalid sequence in the text is replaced, so that offsets up to the first one are those of
    /// the file.
    InvalidUtf8 {
        /// The offset of the first invalid byte.
        offset: u32,
        /// The first invalid byte.
        byte: u8,
    },
    /// The file starts with the byte order mark of an encoding other than UTF-8; the text is empty.
    ByteOrderMark(ByteOrderMark),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Read(error) => error.fmt(f),
            SourceError::InvalidUtf8 { offset, byte } => {
                write!(f, "it is not UTF-8: byte 0x{byte:02X} at offset {offset}")
            }
            SourceError::ByteOrderMark(mark) => {
                write!(f, "it starts with a {} byte order mark ({mark})", mark.encoding)
            }
        }
    }
}

impl Source {
    /// Reads a file immediately, bypassing all queries.
    pub(crate) fn read(db: &dyn Db, path: &Utf8Path) -> Source {
        // Ranges are 32-bit.
        let limit = Settings::get(db).max_file_size(db).min(u64::from(u32::MAX) - 1);
        let lines = Lines::default();
        match db.system().read(path, limit) {
            Ok(bytes) => Source::from_bytes(bytes),
            Err(error) => {
                Source { text: String::new(), error: Some(SourceError::Read(error)), bytes: None, lines }
            }
        }
    }

    fn from_bytes(bytes: Vec<u8>) -> Source {
        let lines = Lines::default();
        match String::from_utf8(bytes) {
            Ok(text) => Source { text, error: None, bytes: None, lines },
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let bytes = error.into_bytes();
                if let Some(mark) = ByteOrderMark::of(&bytes) {
                    let error = Some(SourceError::ByteOrderMark(mark));
                    return Source { text: String::new(), error, bytes: Some(bytes.into()), lines };
                }
                let error = SourceError::InvalidUtf8 {
                    offset: u32::try_from(at).unwrap_or(u32::MAX),
                    byte: bytes.get(at).copied().unwrap_or_default(),
                };
                let text = String::from_utf8_lossy(&bytes).into_owned();
                Source { text, error: Some(error), bytes: Some(bytes.into()), lines }
            }
        }
    }

    /// The text; empty if the file could not be read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the file, whether or not they are text.
    ///
    /// # Errors
    /// If the file could not be read.
    pub fn bytes(&self) -> Result<&[u8], &ReadError> {
        match &self.error {
            Some(SourceError::Read(error)) => Err(error),
            _ => Ok(self.bytes.as_deref().unwrap_or(self.text.as_bytes())),
        }
    }

    /// The start offsets of the lines.
    pub fn line_index(&self) -> &LineIndex {
        self.lines.0.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The error, if reading failed.
    pub fn error(&self) -> Option<&SourceError> {
        self.error.as_ref()
    }
}

/// The text of a file. Runs when the file's revision or the size limit changes.
#[salsa::tracked]
pub fn source_text(db: &dyn Db, file: File) -> Arc<Source> {
    // The system isn't a salsa input: the revision represents its answer.
    let _ = file.revision(db);
    if let Some(held) = db.files().held().get(&file) {
        return Arc::clone(held);
    }
    Arc::new(Source::read(db, file.path(db)))
}
