//! Literal regular expressions that Ruby's engine (Onigmo), and so the reference, rejects.
//!
//! Only certain errors are reported, in the engine's words. At constructs that would need closer analysis (extended
//! syntax, conditions, control escapes) reading stops, and the rest is taken for valid.

mod class;
mod escape;
mod group;

use marotte_text::{Str, TextRange};

use super::Checker;
use crate::SyntaxErrorKind;

impl Checker<'_> {
    pub(super) fn regex(&mut self, pattern: &str, range: TextRange) {
        if let Some(reason) = regex_error(pattern) {
            self.report(range, SyntaxErrorKind::InvalidRegex(reason));
        }
    }
}

/// Returns why Ruby rejects a pattern; `None` if it may accept it.
fn regex_error(pattern: &str) -> Option<Str> {
    let mut reader = Reader {
        pattern,
        at: 0,
        open: 0,
        repeatable: false,
        after_byte: false,
        captures: 0,
        names: Vec::new(),
        references: Vec::new(),
    };
    match reader.pattern() {
        Err(Stop::Wrong(reason)) => Some(reason),
        Ok(()) | Err(Stop::Unknown) => None,
    }
}

/// The reason why reading stops early.
enum Stop {
    /// The pattern is invalid.
    Wrong(Str),
    /// A construct that is not analyzed.
    Unknown,
}

fn wrong<T>(reason: &str) -> Result<T, Stop> {
    Err(Stop::Wrong(reason.into()))
}

/// The target of a reference in a pattern.
enum Reference<'p> {
    /// `\1` to `\9`.
    Digit(u32),
    /// `\k<1>` or `\g<1>`.
    Number { number: u32, call: bool },
    /// `\k<name>` or `\g<name>`.
    Name(&'p str),
}

/// The engine's limit for the bounds of `{…}`.
const MAX_REPEAT: u32 = 100_000;

struct Reader<'p> {
    pattern: &'p str,
    at: usize,
    /// The number of groups that are not closed.
    open: u32,
    /// Whether `*` has something to repeat.
    repeatable: bool,
    /// Whether the preceding escape was a byte of a longer character.
    after_byte: bool,
    captures: u32,
    names: Vec<&'p str>,
    references: Vec<Reference<'p>>,
}

impl<'p> Reader<'p> {
    fn rest(&self) -> &'p str {
        &self.pattern[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Reads up to the next `end`, which is consumed too.
    fn until(&mut self, end: char) -> Option<&'p str> {
        let (text, _) = self.rest().split_once(end)?;
        self.at += text.len() + end.len_utf8();
        Some(text)
    }

    fn pattern(&mut self) -> Result<(), Stop> {
        while let Some(next) = self.next() {
            match next {
                '\\' => {
                    self.escape(false)?;
                    self.repeatable = true;
                }
                '[' => {
                    self.class()?;
                    self.repeatable = true;
                }
                '(' => self.group()?,
                ')' if self.open == 0 => return wrong("unmatched close parenthesis"),
                ')' => {
                    self.open -= 1;
                    self.repeatable = true;
                }
                '|' => self.repeatable = false,
                '*' | '+' | '?' if !self.repeatable => {
                    return wrong("target of repeat operator is not specified");
                }
                '{' => self.interval()?,
                _ => self.repeatable = true,
            }
        }
        if self.open > 0 {
            return wrong("end pattern with unmatched parenthesis");
        }
        self.references()
    }

    /// Reads `{2}`, `{2,}`, `{,2}`, `{2,3}`; anything else is text.
    fn interval(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let low = self.bound()?;
        let comma = self.eat(",");
        let high = if comma { self.bound()? } else { None };
        if !self.eat("}") || (low.is_none() && high.is_none()) {
            self.at = start;
            self.repeatable = true;
            return Ok(());
        }
        if !self.repeatable {
            return wrong("target of repeat operator is not specified");
        }
        match (low, high) {
            (Some(low), Some(high)) if low > high => wrong("upper is smaller than lower in repeat range"),
            _ => Ok(()),
        }
    }

    fn bound(&mut self) -> Result<Option<u32>, Stop> {
        let digits = self.digits();
        if digits.is_empty() {
            return Ok(None);
        }
        match digits.parse::<u32>() {
            Ok(number) if number <= MAX_REPEAT => Ok(Some(number)),
            _ => wrong("too big number for repeat range"),
        }
    }

    fn digits(&mut self) -> &'p str {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.at += length;
        &rest[..length]
    }

    /// Checks references at the end of the pattern, when all groups are known.
    fn references(&self) -> Result<(), Stop> {
        let named = !self.names.is_empty();
        for reference in &self.references {
            match *reference {
                Reference::Digit(_) | Reference::Number { .. } if named => {
                    return wrong("numbered backref/call is not allowed. (use name)");
                }
                Reference::Digit(number) | Reference::Number { number, call: false }
                    if number > self.captures =>
                {
                    return wrong("invalid backref number/name");
                }
                Reference::Number { number, call: true } if number > self.captures => {
                    return Err(Stop::Wrong(format!("undefined group <{number}> reference").into()));
                }
                Reference::Name(name) if !self.names.contains(&name) => {
                    return Err(Stop::Wrong(format!("undefined name <{name}> reference").into()));
                }
                Reference::Digit(_) | Reference::Number { .. } | Reference::Name(_) => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::regex_error;

    // Ruby 3.1's verdicts.
    #[test]
    fn refuses_what_ruby_refuses() {
        for (pattern, reason) in [
            ("(", "end pattern with unmatched parenthesis"),
            ("(?i:", "end pattern with unmatched parenthesis"),
            ("a)", "unmatched close parenthesis"),
            ("a|*", "target of repeat operator is not specified"),
            ("(*a)", "target of repeat operator is not specified"),
            ("(?i)*", "target of repeat operator is not specified"),
            ("(?#x)*", "target of repeat operator is not specified"),
            ("{2}", "target of repeat operator is not specified"),
            ("a{2,1}", "upper is smaller than lower in repeat range"),
            ("a{1,100001}", "too big number for repeat range"),
            ("a{99999999999", "too big number for repeat range"),
            ("(?", "end pattern in group"),
            ("(?i-", "end pattern in group"),
            ("(?#\\)", "end pattern in group"),
            ("(?P<a>b)", "undefined group option"),
            ("(?)", "undefined group option"),
            ("(?<a", "invalid group name <a>"),
            ("(?<1a>b)", "invalid group name <1a>"),
            ("(?<>a)", "group name is empty"),
            ("\\", "too short escape sequence"),
            ("\\xg", "invalid hex escape"),
            ("\\u12", "invalid Unicode escape"),
            ("\\u{41,42}", "invalid Unicode list"),
            ("\\ud800", "invalid Unicode range"),
            ("\\u{110000}", "invalid Unicode range"),
            ("\\400", "invalid escape code"),
            ("(a)\\2", "invalid backref number/name"),
            ("\\k<1>", "invalid backref number/name"),
            ("\\k<a>(?<a>b)", "undefined name <a> reference"),
            ("(?<a>b)\\g<c>", "undefined name <c> reference"),
            ("\\g<1>", "undefined group <1> reference"),
            ("\\k<>", "group name is empty"),
            ("(a)(?<n>b)\\1", "numbered backref/call is not allowed. (use name)"),
            ("[]", "empty char-class"),
            ("[^]", "empty char-class"),
            ("[a", "premature end of char-class"),
            ("[[a]", "premature end of char-class"),
            ("[\\", "too short escape sequence"),
            ("[[:foo:]]", "invalid POSIX bracket type"),
            ("[[::]]", "invalid POSIX bracket type"),
            ("[b-a]", "empty range in char class"),
            ("[é-a]", "empty range in char class"),
            ("[b-\\x61]", "empty range in char class"),
            ("[]-Z]", "empty range in char class"),
            ("[a-\\d]", "char-class value at end of range"),
            ("[a-[:alpha:]]", "char-class value at end of range"),
            ("[\\w-.]", "unmatched range specifier in char-class"),
            ("\\xe9a", "too short escaped multibyte character"),
            ("\\p{", "invalid character property name {}"),
        ] {
            assert_eq!(regex_error(pattern).as_deref(), Some(reason), "{pattern}");
        }
    }

    #[test]
    fn accepts_what_ruby_accepts() {
        for pattern in [
            "",
            "|",
            "^*",
            "\\b{2}",
            "a**",
            "a?+",
            "a{",
            "a{,}",
            "{",
            "]",
            "}",
            "(?=a)*",
            "(?~a)",
            "(?<a-b>c)",
            "(?#a)",
            "(a)(?(1)a|b)",
            "(?x:a #)\n)",
            "\\x4",
            "\\u{41 42}",
            "\\10",
            "\\81",
            "(a)\\1",
            "(?<a>b)\\k<a>",
            "\\g<a>(?<a>b)",
            "(?<a>b)\\k<a+1>",
            "\\k",
            "[]a]",
            "[^]a]",
            "[[:^alpha:]]",
            "[:alpha:]",
            "[[:a]:]]",
            "[a-]",
            "[-a]",
            "[a&&]",
            "[a-[b]]",
            "[a-b-c]",
            "[+--]",
            "[---]",
            "[\\w-]",
            "[[a]-z]",
            "[\\k<a>]",
            "[\\u{41 42}-a]",
            "\\é",
            "[\\1]",
            "\\p{Alpha}",
            "\\p",
            "(?-)",
            "\\xc3\\xa9",
            "\\ca",
            "a(?i)b|c",
        ] {
            assert_eq!(regex_error(pattern), None, "{pattern}");
        }
    }
}
