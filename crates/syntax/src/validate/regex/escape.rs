//! The validation of escapes: `\…`.

use super::{Reader, Reference, Stop, wrong};

/// The meaning of an escape in a character class.
pub(super) enum Escaped {
    /// One character; `None` if its value is not computed.
    Character(Option<u32>),
    /// A set of characters.
    Set,
}

impl Reader<'_> {
    /// Reads an escape after its `\`.
    pub(super) fn escape(&mut self, in_class: bool) -> Result<Escaped, Stop> {
        let Some(next) = self.next() else { return wrong("too short escape sequence") };
        self.after_byte &= next == 'x' || next.is_ascii_digit();
        let character = match next {
            'x' => Some(self.hexadecimal()?),
            'u' => self.unicode()?,
            'c' if self.rest().starts_with(|next: char| next.is_ascii_alphanumeric()) => {
                self.at += 1;
                None
            }
            'c' | 'C' | 'M' => return Err(Stop::Unknown),
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'h' | 'H' => return Ok(Escaped::Set),
            'p' | 'P' if self.eat("{") => {
                if self.until('}').is_none_or(str::is_empty) {
                    return wrong("invalid character property name {}");
                }
                return Ok(Escaped::Set);
            }
            '0'..='9' => {
                self.number(next, in_class)?;
                None
            }
            'k' if !in_class => {
                self.named_reference(false)?;
                None
            }
            'g' if !in_class => {
                self.named_reference(true)?;
                None
            }
            // Other meanings of letters make no difference to what is allowed where.
            _ if next.is_ascii_alphanumeric() => None,
            _ => Some(u32::from(next)),
        };
        // Bytes above ASCII are combined into characters.
        Ok(Escaped::Character(character.filter(|value| next != 'x' || *value < 0x80)))
    }

    fn hexadecimal(&mut self) -> Result<u32, Stop> {
        let length = self.rest().bytes().take(2).take_while(u8::is_ascii_hexdigit).count();
        let value = u32::from_str_radix(&self.rest()[..length], 16);
        self.at += length;
        let Ok(value) = value else { return wrong("invalid hex escape") };
        // A byte of a multibyte character needs others, which can only be escaped too.
        if value >= 0x80 && !self.after_byte && !self.rest().starts_with('\\') {
            return wrong("too short escaped multibyte character");
        }
        self.after_byte = value >= 0x80;
        Ok(value)
    }

    /// Reads `\u0041` or `\u{41 42}`, which is one character or several.
    fn unicode(&mut self) -> Result<Option<u32>, Stop> {
        if self.eat("{") {
            let Some(list) = self.until('}') else { return wrong("invalid Unicode list") };
            let mut values = list.split_ascii_whitespace();
            let Some(first) = values.next() else { return wrong("invalid Unicode list") };
            let first = code_point(first)?;
            let mut single = true;
            for value in values {
                code_point(value)?;
                single = false;
            }
            return Ok(Some(first).filter(|_| single));
        }
        let length = self.rest().bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
        if length < 4 {
            let words =
                if self.rest().is_empty() { "too short escape sequence" } else { "invalid Unicode escape" };
            return wrong(words);
        }
        let value = code_point(&self.rest()[..4])?;
        self.at += 4;
        Ok(Some(value))
    }

    /// Reads a number: `\1` to `\9` refer to groups; longer numbers do so only if there are as many groups, otherwise
    /// they are characters.
    fn number(&mut self, first: char, in_class: bool) -> Result<(), Stop> {
        let rest = self.rest();
        let octal =
            |index: usize| rest.as_bytes().get(index).is_some_and(|byte| (b'0'..=b'7').contains(byte));
        if ('4'..='7').contains(&first) && octal(0) && octal(1) {
            return wrong("invalid escape code");
        }
        let more = rest.starts_with(|next: char| next.is_ascii_digit());
        if ('0'..='7').contains(&first) {
            self.at += usize::from(octal(0)) + usize::from(octal(0) && octal(1));
        }
        if let Some(number) = first.to_digit(10)
            && number > 0
            && !more
            && !in_class
        {
            self.references.push(Reference::Digit(number));
        }
        Ok(())
    }

    /// Reads `\k<name>`, `\k'name'`, `\g<name>`, `\g'name'`; otherwise just a letter.
    fn named_reference(&mut self, call: bool) -> Result<(), Stop> {
        let end = match self.peek() {
            Some('<') => '>',
            Some('\'') => '\'',
            _ => return Ok(()),
        };
        self.at += 1;
        let name = self.name(end)?;
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            if let Ok(number) = name.parse::<u32>()
                && number > 0
            {
                self.references.push(Reference::Number { number, call });
            }
        } else if name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            // A group may be called before its definition, but its match cannot be used before.
            if !call && !self.names.contains(&name) {
                return Err(Stop::Wrong(format!("undefined name <{name}> reference").into()));
            }
            self.references.push(Reference::Name(name));
        }
        Ok(())
    }
}

fn code_point(digits: &str) -> Result<u32, Stop> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return wrong("invalid Unicode list");
    }
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() <= 6);
    match value {
        Some(value) if char::from_u32(value).is_some() => Ok(value),
        _ => wrong("invalid Unicode range"),
    }
}
