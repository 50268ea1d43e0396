//! The framing of messages in a stream: a header with a length, an empty line, and that many bytes.

use std::io::{self, BufRead, Read, Write};

use crate::message::{Malformed, Message};

/// The maximum length of a message, in bytes. Longer messages are skipped as invalid.
const LONGEST_MESSAGE: u64 = 512 << 20;

/// The limit on the length of a header line.
const LONGEST_LINE: u64 = 8 << 10;

/// Reads one message. None at the end of the stream.
///
/// A malformed message is skipped as far as it extends, so that the next one can be read.
///
/// # Errors
/// If the stream cannot be read.
pub(crate) fn read(stream: &mut impl BufRead) -> io::Result<Option<Result<Message, Malformed>>> {
    let length = match read_header(stream)? {
        None => return Ok(None),
        Some(Err(malformed)) => return Ok(Some(Err(malformed))),
        Some(Ok(length)) => length,
    };
    if length > LONGEST_MESSAGE {
        let skipped = io::copy(&mut stream.by_ref().take(length), &mut io::sink())?;
        let message = format!("a message of {length} bytes is longer than {LONGEST_MESSAGE}");
        return Ok((skipped == length).then(|| Err(Malformed::unreadable(message))));
    }
    // The buffer grows with the received bytes, not with the promised length.
    let mut text = Vec::new();
    let read = stream.by_ref().take(length).read_to_end(&mut text)?;
    Ok((read as u64 == length).then(|| Message::parse(&text)))
}

/// The length in the header. None at the end of the stream.
fn read_header(stream: &mut impl BufRead) -> io::Result<Option<Result<u64, Malformed>>> {
    let mut length = None;
    let mut wrong = None;
    loop {
        let mut line = Vec::new();
        let read = stream.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            wrong = Some("a line of a header does not end".to_owned());
            continue;
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            break;
        }
        match line.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => {
                match value.trim().parse() {
                    Ok(value) => length = Some(value),
                    Err(_) => wrong = Some(format!("`{}` is not a length", value.trim())),
                }
            }
            Some(_) => {}
            None => wrong = Some(format!("`{line}` is not a header line")),
        }
    }
    // A valid length takes precedence over errors in other lines.
    Ok(Some(match (length, wrong) {
        (Some(length), _) => Ok(length),
        (None, Some(wrong)) => Err(Malformed::unreadable(wrong)),
        (None, None) => Err(Malformed::unreadable("a header has no `Content-Length`")),
    }))
}

/// Writes one message.
///
/// # Errors
/// If the stream cannot be written.
pub(crate) fn write(stream: &mut impl Write, message: &Message) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    write!(stream, "Content-Length: {}\r\n\r\n", text.len())?;
    stream.write_all(&text)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(stream: &str) -> Vec<bool> {
        let mut stream = stream.as_bytes();
        std::iter::from_fn(|| read(&mut stream).unwrap()).map(|it| it.is_ok()).collect()
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn what_is_malformed_does_not_hide_what_follows() {
        let good = framed(r#"{"method":"a"}"#);
        assert_eq!(all(&good), [true]);
        assert_eq!(all(&(framed("{") + &good)), [false, true]);
        assert_eq!(all(&format!("X: 1\r\n\r\n{good}")), [false, true]);
        assert_eq!(all(&format!("Content-Length: x\r\n\r\n{good}")), [false, true]);
        assert_eq!(all(&format!("nonsense\r\n\r\n{good}")), [false, true]);
        assert_eq!(all(&format!("{}\r\n\r\n{good}", "x".repeat(100_000))), [false, true]);
    }

    #[test]
    fn other_headers_and_bare_line_ends_are_accepted() {
        assert_eq!(all("content-length:14\nContent-Type: x\n\n{\"method\":\"a\"}"), [true]);
    }

    #[test]
    fn a_stream_that_ends_early_has_no_message() {
        assert!(all("Content-Length: 100\r\n\r\n{").is_empty());
        assert!(all("Content-Length: 99999999999999\r\n\r\n{").is_empty());
        assert!(all("Content-Le").is_empty());
    }
}
