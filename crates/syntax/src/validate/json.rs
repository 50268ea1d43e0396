//! Checks whether Ruby's parser accepts a text as JSON; it also accepts comments and escapes of any character.

/// Returns why Ruby rejects a text; `None` if it may be accepted.
pub(super) fn json_error(text: &str) -> Option<String> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    if reader.space().is_ok() && reader.peek().is_none() {
        // Whether an empty text is JSON depends on the library that the reference finds.
        return None;
    }
    reader.document().err().map(|Unexpected| {
        let line = text.as_bytes().iter().take(reader.at).filter(|byte| **byte == b'\n').count() + 1;
        match text.get(reader.at..).and_then(|rest| rest.chars().next()) {
            Some(found) => format!("unexpected {found:?} in line {line}"),
            None => "unexpected end".to_owned(),
        }
    })
}

/// Ruby's limit, the same in all versions.
const MAX_NESTING: u32 = 100;

/// The byte at the reader's position is not allowed there.
struct Unexpected;

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, bytes: &[u8]) -> Result<(), Unexpected> {
        bytes.iter().try_for_each(|byte| if self.eat(*byte) { Ok(()) } else { Err(Unexpected) })
    }

    fn document(&mut self) -> Result<(), Unexpected> {
        self.space()?;
        self.value(1)?;
        self.space()?;
        if self.peek().is_none() { Ok(()) } else { Err(Unexpected) }
    }

    fn space(&mut self) -> Result<(), Unexpected> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/') => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Result<(), Unexpected> {
        let rest = &self.text[self.at..];
        let length = match rest.get(1) {
            Some(b'/') => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
            Some(b'*') => match rest[2..].windows(2).position(|end| end == b"*/") {
                Some(end) => end + 4,
                None => return Err(Unexpected),
            },
            _ => return Err(Unexpected),
        };
        self.at += length;
        Ok(())
    }

    fn value(&mut self, depth: u32) -> Result<(), Unexpected> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{' | b'[') if depth > MAX_NESTING => Err(Unexpected),
            Some(b'{') => self.members(b'}', |reader| {
                reader.string()?;
                reader.space()?;
                reader.expect(b":")?;
                reader.space()?;
                reader.value(depth + 1)
            }),
            Some(b'[') => self.members(b']', |reader| reader.value(depth + 1)),
            Some(b't') => self.expect(b"true"),
            Some(b'f') => self.expect(b"false"),
            Some(b'n') => self.expect(b"null"),
            _ => self.number(),
        }
    }

    fn members(
        &mut self,
        close: u8,
        mut member: impl FnMut(&mut Self) -> Result<(), Unexpected>,
    ) -> Result<(), Unexpected> {
        self.at += 1;
        self.space()?;
        if self.eat(close) {
            return Ok(());
        }
        loop {
            member(self)?;
            self.space()?;
            if self.eat(close) {
                return Ok(());
            }
            self.expect(b",")?;
            self.space()?;
        }
    }

    fn string(&mut self) -> Result<(), Unexpected> {
        self.expect(b"\"")?;
        loop {
            match self.peek() {
                None | Some(0..=0x1f) => return Err(Unexpected),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek() {
                        None | Some(0..=0x1f) => return Err(Unexpected),
                        Some(b'u') => {
                            self.at += 1;
                            for _ in 0..4 {
                                self.hex_digit()?;
                            }
                        }
                        Some(_) => self.at += 1,
                    }
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn hex_digit(&mut self) -> Result<(), Unexpected> {
        let digit = self.peek().is_some_and(|byte| byte.is_ascii_hexdigit());
        self.at += usize::from(digit);
        if digit { Ok(()) } else { Err(Unexpected) }
    }

    fn number(&mut self) -> Result<(), Unexpected> {
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _signed = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Unexpected> {
        let count = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count > 0 { Ok(()) } else { Err(Unexpected) }
    }
}

#[cfg(test)]
mod tests {
    use super::json_error;

    // Verdicts of Ruby 3.1 with json 2.6.
    #[test]
    fn accepts_what_ruby_accepts() {
        for text in [
            "1",
            "null",
            " [1, -0.5e+3, {}] ",
            r#"{"a": [true, false]}"#,
            r#""\q\u00e9""#,
            "/* a */ [1] // b\n",
            r#"{"a": 1, "a": 2}"#,
            "\"\u{e9}\"",
            "",
        ] {
            assert_eq!(json_error(text), None, "{text}");
        }
    }

    #[test]
    fn refuses_what_ruby_refuses() {
        for (text, reason) in [
            ("{a: 1}", "unexpected 'a' in line 1"),
            ("[1,\n]", "unexpected ']' in line 2"),
            ("[01]", "unexpected '1' in line 1"),
            ("[1.]", "unexpected ']' in line 1"),
            ("[-]", "unexpected ']' in line 1"),
            ("[NaN]", "unexpected 'N' in line 1"),
            ("nul", "unexpected end"),
            ("\"a\tb\"", "unexpected '\\t' in line 1"),
            (r#""\u12""#, "unexpected '\"' in line 1"),
            ("[", "unexpected end"),
            ("1 2", "unexpected '2' in line 1"),
        ] {
            assert_eq!(json_error(text).as_deref(), Some(reason), "{text}");
        }
        assert_eq!(json_error(&format!("{}{}", "[".repeat(100), "]".repeat(100))), None);
        assert!(json_error(&format!("{}{}", "[".repeat(101), "]".repeat(101))).is_some());
    }
}
