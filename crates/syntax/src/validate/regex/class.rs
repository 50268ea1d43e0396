//! The validation of character classes: `[…]`.

use super::escape::Escaped;
use super::{Reader, Stop, wrong};

const POSIX_NAMES: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
];

/// The maximal number of characters after `[:` in which the `:` that ends a name is searched.
const POSIX_SEARCH: usize = 20;

/// The element before the current position in a class.
#[derive(Clone, Copy)]
enum Before {
    /// Nothing that could start a range.
    Nothing,
    /// After a character.
    Character(Option<u32>),
    /// A set, which cannot start a range.
    Set,
    /// After a character and `-`.
    Open(Option<u32>),
    /// A nested class: the engine's choice of a range start after it is left open.
    Class,
}

impl Reader<'_> {
    /// Reads a class after its `[`, up to the closing `]`.
    pub(super) fn class(&mut self) -> Result<(), Stop> {
        let mut depth = 1_u32;
        let mut before = self.class_start()?;
        while depth > 0 {
            let Some(next) = self.next() else { return wrong("premature end of char-class") };
            before = match next {
                ']' => {
                    depth -= 1;
                    Before::Class
                }
                '[' if self.posix_follows()? => {
                    self.posix()?;
                    set(before)?
                }
                '[' => {
                    depth += 1;
                    self.class_start()?
                }
                '&' if self.eat("&") => Before::Nothing,
                '-' => self.dash(before)?,
                '\\' => match self.escape(true)? {
                    Escaped::Set => set(before)?,
                    Escaped::Character(value) => character(before, value)?,
                },
                _ => character(before, Some(next.into()))?,
            };
        }
        Ok(())
    }

    /// Reads `^`, and a `]` that closes nothing because it comes first.
    fn class_start(&mut self) -> Result<Before, Stop> {
        self.eat("^");
        if !self.rest().starts_with(']') {
            return Ok(Before::Nothing);
        }
        self.at += 1;
        if !self.has_bracket() {
            return wrong("empty char-class");
        }
        Ok(Before::Character(Some(u32::from(']'))))
    }

    /// Whether a further `]` follows.
    fn has_bracket(&self) -> bool {
        let mut chars = self.rest().chars();
        while let Some(next) = chars.next() {
            match next {
                ']' => return true,
                '\\' => {
                    let _escaped = chars.next();
                }
                _ => {}
            }
        }
        false
    }

    fn dash(&mut self, before: Before) -> Result<Before, Stop> {
        let last = self.rest().starts_with(']') || self.rest().starts_with("&&");
        let dash = Some(u32::from('-'));
        match before {
            Before::Open(_) => character(before, dash),
            Before::Nothing => Ok(Before::Character(dash)),
            Before::Character(_) | Before::Set if last => Ok(Before::Nothing),
            Before::Character(from) => Ok(Before::Open(from)),
            Before::Class => Ok(Before::Class),
            Before::Set => wrong("unmatched range specifier in char-class"),
        }
    }

    /// Whether `:` follows, and `:]` before any other `]`.
    fn posix_follows(&self) -> Result<bool, Stop> {
        let rest = self.rest();
        if !rest.starts_with(':') {
            return Ok(false);
        }
        match rest.find([']', '\\']) {
            Some(end) if rest[end..].starts_with('\\') && rest.contains(":]") => Err(Stop::Unknown),
            Some(end) => Ok(end > 1 && rest[..end].ends_with(':')),
            None => Ok(false),
        }
    }

    /// Reads `:alpha:]` or `:^alpha:]`.
    fn posix(&mut self) -> Result<(), Stop> {
        self.at += 1;
        self.eat("^");
        let rest = self.rest();
        if let Some(after) = POSIX_NAMES.iter().find_map(|name| rest.strip_prefix(name)?.strip_prefix(":]")) {
            self.at += rest.len() - after.len();
            return Ok(());
        }
        let name = rest.find([':', ']']).unwrap_or_default();
        if name < POSIX_SEARCH && rest[name..].starts_with(":]") {
            return wrong("invalid POSIX bracket type");
        }
        Err(Stop::Unknown)
    }
}

fn set(before: Before) -> Result<Before, Stop> {
    match before {
        Before::Open(_) => wrong("char-class value at end of range"),
        Before::Class => Ok(Before::Class),
        _ => Ok(Before::Set),
    }
}

fn character(before: Before, value: Option<u32>) -> Result<Before, Stop> {
    match (before, value) {
        (Before::Open(Some(from)), Some(to)) if from > to => wrong("empty range in char class"),
        (Before::Open(_), _) => Ok(Before::Nothing),
        (Before::Class, _) => Ok(Before::Class),
        _ => Ok(Before::Character(value)),
    }
}
