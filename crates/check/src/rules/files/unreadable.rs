//! `unreadable-file`, `file-too-large` and `invalid-utf8`: nothing else can be checked in such a file.

use camino::Utf8Path;
use marotte_db::system::ReadError;
use marotte_db::{Source, SourceError};
use marotte_diagnostics::{Diagnostic, FileId, Level, rules, syntax};
use marotte_text::{TextRange, TextSize};

/// The magic number of a compiled SELinux policy: `SEPOL_PACKAGE_MAGIC` of its `module.h`, in little-endian order.
const POLICY_PACKAGE: [u8; 4] = [0x8F, 0xFF, 0x7C, 0xF9];

/// Whether a file isn't code in spite of its extension: modules serve compiled SELinux policies, `name.pp`, as files.
pub(crate) fn is_policy_package(source: &Source) -> bool {
    source.bytes().is_ok_and(|it| it.starts_with(&POLICY_PACKAGE))
}

/// Whether a manifest is a script in another language: a task may have any name. Templates are exempt, because they may produce
/// scripts.
pub(crate) fn is_script(path: &Utf8Path, text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    path.extension() == Some("pp") && first.starts_with("#!") && !first.contains("puppet")
}

pub(crate) fn diagnostic(file: FileId, error: &SourceError) -> Diagnostic {
    let at_start = |rule, message| Diagnostic::new(rule, Level::Error, file, TextRange::default(), message);
    match error {
        SourceError::Read(ReadError::TooLarge { size, limit }) => {
            let message = format!("the file is too large: it has {size} bytes, the limit is {limit}");
            let mut finding = at_start(rules::FILE_TOO_LARGE, message);
            finding.notes.push("raise the limit with `--max-file-size`, or leave the file out".to_owned());
            finding
        }
        SourceError::Read(ReadError::NotFound) => {
            at_start(rules::UNREADABLE_FILE, "the file cannot be read: it does not exist any more".to_owned())
        }
        SourceError::Read(error) => {
            at_start(rules::UNREADABLE_FILE, format!("the file cannot be read: {error}"))
        }
        SourceError::ByteOrderMark(mark) => syntax::byte_order_mark(file, *mark),
        SourceError::InvalidUtf8 { offset, byte } => {
            let range = TextRange::empty(TextSize::new(*offset));
            let message = format!("the file is not UTF-8: the byte 0x{byte:02X} is not allowed here");
            let mut finding = Diagnostic::new(rules::INVALID_UTF8, Level::Error, file, range, message);
            if let Some(character) = windows_1252(*byte) {
                finding.notes.push(format!(
                    "in Windows-1252, which older editors write, this byte is `{character}`; save the file as UTF-8"
                ));
            }
            finding
        }
    }
}

/// The letters and quotes of Windows-1252 that people type.
fn windows_1252(byte: u8) -> Option<char> {
    match byte {
        0x80 => Some('€'),
        0x85 => Some('…'),
        0x91 => Some('‘'),
        0x92 => Some('’'),
        0x93 => Some('“'),
        0x94 => Some('”'),
        0x96 => Some('–'),
        0x97 => Some('—'),
        0xA0..=0xFF => Some(char::from(byte)),
        _ => None,
    }
}
