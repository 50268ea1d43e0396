//! Puppet Notation: parsed, compared, and laid out for people.

use std::fmt;

/// A text in Puppet Notation, without its white space. Two texts of the same tree are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notation {
    /// A number, string, keyword or operator, as written.
    Atom(String),
    /// `(…)`, `[…]` or `{…}`.
    Group {
        /// The bracket that opens the group.
        open: char,
        /// The items between the brackets.
        items: Vec<Notation>,
    },
}

/// The reason why a text isn't valid Puppet Notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotationError {
    /// The text ends inside a string or bracket.
    Unfinished,
    /// A closing bracket without a matching opening one.
    Unbalanced,
    /// Text after the end.
    Trailing,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotationError::Unfinished => "the notation ends inside a string or bracket",
            NotationError::Unbalanced => "a bracket of the notation has no partner",
            NotationError::Trailing => "something follows the notation's end",
        })
    }
}

impl std::error::Error for NotationError {}

impl Notation {
    /// Parses a text with one item.
    ///
    /// # Errors
    /// If brackets or quotes aren't balanced, or if there isn't exactly one item.
    pub fn read(text: &str) -> Result<Self, NotationError> {
        let mut open: Vec<(char, Vec<Notation>)> = Vec::new();
        let mut items = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            match first {
                '(' | '[' | '{' => {
                    open.push((first, std::mem::take(&mut items)));
                    rest = &rest[1..];
                }
                ')' | ']' | '}' => {
                    let (bracket, outer) = open.pop().ok_or(NotationError::Unbalanced)?;
                    if closing(bracket) != first {
                        return Err(NotationError::Unbalanced);
                    }
                    let inner = std::mem::replace(&mut items, outer);
                    items.push(Notation::Group { open: bracket, items: inner });
                    rest = &rest[1..];
                }
                _ => {
                    let length = atom_length(rest)?;
                    items.push(Notation::Atom(rest[..length].to_owned()));
                    rest = &rest[length..];
                }
            }
            rest = rest.trim_start();
        }
        match items.pop() {
            _ if !open.is_empty() => Err(NotationError::Unfinished),
            Some(item) if items.is_empty() => Ok(item),
            Some(_) => Err(NotationError::Trailing),
            None => Err(NotationError::Unfinished),
        }
    }

    /// Lays the tree out in lines of at most `width` characters if possible: items that fit are on one line, other
    /// items have their parts below each other.
    pub fn layout(&self, width: usize) -> String {
        let mut text = String::new();
        self.write_layout(&mut text, 0, width, 0);
        text
    }

    /// `reserved` characters of closing brackets must fit after this item.
    fn write_layout(&self, text: &mut String, indent: usize, width: usize, reserved: usize) {
        let flat = self.to_string();
        let column = text.rsplit('\n').next().unwrap_or_default().chars().count();
        let Notation::Group { open, items } = self else { return text.push_str(&flat) };
        if items.len() < 2 || column + flat.chars().count() + reserved <= width {
            match items.as_slice() {
                [only] if column + flat.chars().count() + reserved > width => {
                    text.push(*open);
                    only.write_layout(text, indent + 1, width, reserved + 1);
                    text.push(closing(*open));
                }
                _ => text.push_str(&flat),
            }
            return;
        }
        text.push(*open);
        let inner = indent + if *open == '(' { 2 } else { 1 };
        let last = items.len() - 1;
        for (at, item) in items.iter().enumerate() {
            // A map's value stays next to its key, and a call's first group next to its name.
            let beside = at > 0 && (matches!(&items[at - 1], Notation::Atom(key) if key.starts_with(':')));
            let first_map = at == 1 && *open == '(' && matches!(item, Notation::Group { open: '{', .. });
            if beside || first_map {
                text.push(' ');
            } else if at > 0 {
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', inner));
            }
            let indent = if beside || first_map {
                text.rsplit('\n').next().unwrap_or_default().chars().count().min(inner + 12)
            } else {
                inner
            };
            item.write_layout(text, indent, width, if at == last { reserved + 1 } else { 0 });
        }
        text.push(closing(*open));
    }
}

/// Formats on one line.
impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notation::Atom(text) => f.write_str(text),
            Notation::Group { open, items } => {
                write!(f, "{open}")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at > 0 { " " } else { "" })?;
                }
                write!(f, "{}", closing(*open))
            }
        }
    }
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// Returns the length in bytes of the string or word that `text` starts with.
fn atom_length(text: &str) -> Result<usize, NotationError> {
    if !text.starts_with('"') {
        return Ok(text.find(|c: char| c.is_whitespace() || "()[]{}\"".contains(c)).unwrap_or(text.len()));
    }
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Ok(at + 1),
            _ => {}
        }
    }
    Err(NotationError::Unfinished)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_outside_strings_does_not_matter() {
        assert_eq!(Notation::read("(a  [1\n 2])"), Notation::read(" (a [1 2] )"));
        assert_ne!(Notation::read(r#""a  b""#), Notation::read(r#""a b""#));
    }

    #[test]
    fn brackets_in_strings_are_text() {
        let notation = Notation::read(r#"(str "(\"[")"#).unwrap();
        assert_eq!(notation.to_string(), r#"(str "(\"[")"#);
    }

    #[test]
    fn broken_notation_is_refused() {
        assert_eq!(Notation::read("(a"), Err(NotationError::Unfinished));
        assert_eq!(Notation::read("(a]"), Err(NotationError::Unbalanced));
        assert_eq!(Notation::read("a)"), Err(NotationError::Unbalanced));
        assert_eq!(Notation::read("a b"), Err(NotationError::Trailing));
        assert_eq!(Notation::read("\"a"), Err(NotationError::Unfinished));
        assert_eq!(Notation::read(" "), Err(NotationError::Unfinished));
    }

    #[test]
    fn what_does_not_fit_stands_below_each_other() {
        let notation =
            Notation::read(r#"(if {:test (var "x") :then [(call {:functor (qn "f") :args [1 2]})]})"#)
                .unwrap();
        let layout = notation.layout(40);
        assert!(layout.lines().count() > 1, "{layout}");
        assert!(layout.lines().all(|line| line.chars().count() <= 50), "{layout}");
        assert_eq!(Notation::read(&layout), Ok(notation));
    }
}
