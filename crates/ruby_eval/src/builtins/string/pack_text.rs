//! Bytes as text: Base64 (`m`), uuencode (`u`), quoted-printable (`M`).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The four digits of up to three bytes.
fn quartet(group: &[u8]) -> [u8; 4] {
    let byte = |at: usize| group.get(at).copied().unwrap_or(0);
    let (a, b, c) = (byte(0), byte(1), byte(2));
    [a >> 2, (a & 3) << 4 | b >> 4, (b & 15) << 2 | c >> 6, c & 63]
}

/// Appends bytes in Base64, in lines of as many bytes if they are given.
pub(super) fn encode_base64(out: &mut Vec<u8>, bytes: &[u8], line: Option<usize>) {
    let lines = bytes.chunks(line.unwrap_or(bytes.len().max(1)));
    for part in lines {
        for group in part.chunks(3) {
            for (at, digit) in quartet(group).into_iter().enumerate() {
                let letter = ALPHABET.get(usize::from(digit)).copied().unwrap_or(b'=');
                out.push(if at > group.len() { b'=' } else { letter });
            }
        }
        if line.is_some() {
            out.push(b'\n');
        }
    }
}

fn digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// The bytes of a text in Base64 without anything else in it; None if it is not one.
pub(super) fn decode_strict_base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let groups = text.chunks(4).count();
    for (at, group) in text.chunks(4).enumerate() {
        let [a, b, c, d] = group else { return None };
        let is_last = at + 1 == groups;
        let (a, b) = (digit(*a)?, digit(*b)?);
        match (digit(*c), digit(*d)) {
            (Some(c), Some(d)) => out.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]),
            (Some(c), None) if is_last && *d == b'=' && c & 3 == 0 => {
                out.extend([a << 2 | b >> 4, b << 4 | c >> 2]);
            }
            (None, None) if is_last && *c == b'=' && *d == b'=' && b & 15 == 0 => out.push(a << 2 | b >> 4),
            _ => return None,
        }
    }
    Some(out)
}

/// The bytes of a text in Base64, and how much of it was read: other characters in it are passed over, and `=` ends it where
/// it may.
pub(super) fn decode_base64(text: &[u8]) -> (Vec<u8>, usize) {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut group = Vec::with_capacity(4);
    let mut read = text.len();
    for (at, byte) in text.iter().enumerate() {
        match digit(*byte) {
            Some(digit) => group.push(digit),
            None if *byte == b'=' && group.len() >= 2 => {
                read = at;
                break;
            }
            None => {}
        }
        if let [a, b, c, d] = group[..] {
            out.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
            group.clear();
        }
    }
    match group[..] {
        [a, b] => out.push(a << 2 | b >> 4),
        [a, b, c] => out.extend([a << 2 | b >> 4, b << 4 | c >> 2]),
        _ => {}
    }
    (out, read)
}

/// Appends bytes in lines of uuencode.
pub(super) fn encode_uu(out: &mut Vec<u8>, bytes: &[u8], line: usize) {
    let letter = |digit: u8| if digit == 0 { b'`' } else { b' ' + digit };
    for part in bytes.chunks(line) {
        out.push(b' ' + u8::try_from(part.len()).unwrap_or(45));
        for group in part.chunks(3) {
            out.extend(quartet(group).map(letter));
        }
        out.push(b'\n');
    }
}

/// The bytes of lines of uuencode; None if there is anything else in the text.
pub(super) fn decode_uu(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for line in text.split_inclusive(|it| *it == b'\n') {
        let [length @ b'!'..=b'`', digits @ .., b'\n'] = line else { return None };
        let length = usize::from((length - b' ') & 0x3F);
        if digits.len() != length.div_ceil(3) * 4 || !digits.iter().all(|it| matches!(it, b' '..=b'`')) {
            return None;
        }
        let start = out.len();
        for group in digits.chunks(4) {
            let digit = |at: usize| group.get(at).copied().unwrap_or(b' ').wrapping_sub(b' ') & 0x3F;
            let (a, b, c, d) = (digit(0), digit(1), digit(2), digit(3));
            out.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
        }
        out.truncate(start + length);
    }
    Some(out)
}

/// Appends bytes in quoted-printable, with soft ends of lines.
pub(super) fn encode_quoted_printable(out: &mut Vec<u8>, bytes: &[u8], length: usize) {
    let (mut column, mut previous) = (0, None);
    for byte in bytes {
        let quoted = *byte > 126 || *byte < 32 && *byte != b'\n' && *byte != b'\t' || *byte == b'=';
        if quoted {
            out.extend_from_slice(format!("={byte:02X}").as_bytes());
            column += 3;
            previous = None;
        } else if *byte == b'\n' {
            if matches!(previous, Some(b' ' | b'\t')) {
                out.extend_from_slice(b"=\n");
            }
            out.push(b'\n');
            column = 0;
            previous = Some(b'\n');
        } else {
            out.push(*byte);
            column += 1;
            previous = Some(*byte);
        }
        if column > length {
            out.extend_from_slice(b"=\n");
            column = 0;
            previous = Some(b'\n');
        }
    }
    if column > 0 {
        out.extend_from_slice(b"=\n");
    }
}

/// The bytes of a text in quoted-printable; None if something in it is not quoted correctly.
pub(super) fn decode_quoted_printable(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        match rest {
            [] => return Some(out),
            [b'=', b'\n', after @ ..] | [b'=', b'\r', b'\n', after @ ..] => rest = after,
            [b'=', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let digit =
                    |it: u8| char::from(it).to_digit(16).and_then(|it| u8::try_from(it).ok()).unwrap_or(0);
                out.push(digit(*high) << 4 | digit(*low));
                rest = after;
            }
            [b'=', ..] => return None,
            [byte, after @ ..] => {
                out.push(*byte);
                rest = after;
            }
        }
    }
}
