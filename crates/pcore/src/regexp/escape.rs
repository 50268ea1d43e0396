//! Escapes that denote one character.

use super::error::Fault;
use super::parse::Parser;

impl Parser<'_> {
    /// Parses the character of an escape, after its backslash. If `\u{…}` has several characters, the others are queued.
    pub(super) fn escaped_char(&mut self, start: usize, in_class: bool) -> Result<char, Fault> {
        let Some(c) = self.next() else {
            return Err(Fault::invalid(start, "too short escape sequence"));
        };
        Ok(match c {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            'b' if in_class => '\u{8}',
            '0'..='7' => {
                self.advance_back();
                return self.octal(start);
            }
            'x' => {
                let byte = self.hex_byte(start)?;
                return self.utf8(byte, start);
            }
            'u' => return self.unicode(start),
            'c' => return self.control(start),
            'C' => {
                if !self.eat('-') {
                    return Err(Fault::invalid(start, "too short control escape"));
                }
                return self.control(start);
            }
            'M' => {
                let follows = self.eat('-') && self.peek().is_some();
                let message =
                    if follows { "too short escaped multibyte character" } else { "too short meta escape" };
                return Err(Fault::invalid(start, message));
            }
            c => c,
        })
    }

    fn octal(&mut self, start: usize) -> Result<char, Fault> {
        let rest = self.rest();
        let len = rest.bytes().take(3).take_while(|b| (b'0'..b'8').contains(b)).count();
        let code = u32::from_str_radix(&rest[..len], 8).unwrap_or(0);
        self.advance(len);
        match u8::try_from(code) {
            Ok(byte) => self.utf8(byte, start),
            Err(_) => Err(Fault::invalid(start, "invalid escape code")),
        }
    }

    fn hex_byte(&mut self, start: usize) -> Result<u8, Fault> {
        let rest = self.rest();
        let len = rest.bytes().take(2).take_while(u8::is_ascii_hexdigit).count();
        let byte = u8::from_str_radix(&rest[..len], 16);
        self.advance(len);
        byte.map_err(|_| Fault::invalid(start, "invalid hex escape"))
    }

    /// Completes a character whose first byte was escaped; patterns are UTF-8.
    fn utf8(&mut self, first: u8, start: usize) -> Result<char, Fault> {
        let len = match first {
            0..=0x7F => return Ok(first as char),
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return Err(Fault::invalid(start, "invalid multibyte escape")),
        };
        let mut bytes = vec![first];
        while bytes.len() < len {
            if !self.rest().starts_with("\\x") {
                return Err(Fault::invalid(start, "too short escaped multibyte character"));
            }
            self.advance(2);
            bytes.push(self.hex_byte(start)?);
        }
        std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| text.chars().next())
            .ok_or_else(|| Fault::invalid(start, "invalid multibyte escape"))
    }

    fn unicode(&mut self, start: usize) -> Result<char, Fault> {
        let code = |digits: &str| match u32::from_str_radix(digits, 16).map(char::from_u32) {
            Ok(Some(c)) => Ok(c),
            _ => Err(Fault::invalid(start, "invalid Unicode range")),
        };
        let rest = self.rest();
        if let Some(list) = rest.strip_prefix('{') {
            let list = list.split_once('}').map_or("", |(list, _)| list);
            let mut chars = Vec::new();
            for digits in list.split_ascii_whitespace() {
                if digits.len() > 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return Err(Fault::invalid(start, "invalid Unicode list"));
                }
                chars.push(code(digits)?);
            }
            if chars.is_empty() {
                return Err(Fault::invalid(start, "invalid Unicode list"));
            }
            self.advance(list.len() + 2);
            let first = chars.remove(0);
            self.queue_chars(chars);
            return Ok(first);
        }
        let len = rest.bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
        if len < 4 {
            return Err(Fault::invalid(start, "invalid Unicode escape"));
        }
        self.advance(4);
        code(&rest[..4])
    }

    fn control(&mut self, start: usize) -> Result<char, Fault> {
        let Some(c) = self.next() else {
            return Err(Fault::invalid(start, "too short control escape"));
        };
        let c = match c {
            '?' => return Ok('\u{7f}'),
            '\\' => self.escaped_char(start, true)?,
            c => c,
        };
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => Ok((byte & 0x9f) as char),
            _ => Err(Fault::unsupported(start, "control escape of a character beyond ASCII")),
        }
    }
}
