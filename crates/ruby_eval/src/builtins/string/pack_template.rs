//! The directives of `pack` and `unpack`: `C*`, `a10`, `l>`.

use crate::Vm;
use crate::stop::{Result, unsupported};

/// One directive.
#[derive(Clone, Copy)]
pub(super) struct Directive {
    /// The letter.
    pub(super) letter: u8,
    /// The repetition count.
    pub(super) count: Count,
    /// `<`, `>`: the order of bytes.
    pub(super) big_endian: Option<bool>,
    /// `_`, `!`: the size of the platform.
    pub(super) native: bool,
}

/// The count after a letter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    /// Nothing: once.
    One,
    /// `*`: everything that is left.
    All,
    /// A number.
    Number(usize),
}

impl Count {
    /// The number, with `all` in place of `*`.
    pub(super) fn or(self, all: usize) -> usize {
        match self {
            Count::One => 1,
            Count::All => all,
            Count::Number(number) => number,
        }
    }
}

/// The layout of an integer or float.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) size: usize,
    pub(super) signed: bool,
    pub(super) float: bool,
    pub(super) big_endian: bool,
}

impl Directive {
    /// The layout, for directives of numbers.
    pub(super) fn number(&self) -> Option<Number> {
        let (size, signed, float, big_endian) = match self.letter {
            b'c' => (1, true, false, false),
            b'C' => (1, false, false, false),
            b's' => (2, true, false, false),
            b'S' => (2, false, false, false),
            b'i' => (4, true, false, false),
            b'I' => (4, false, false, false),
            b'l' => (if self.native { 8 } else { 4 }, true, false, false),
            b'L' => (if self.native { 8 } else { 4 }, false, false, false),
            b'q' | b'j' => (8, true, false, false),
            b'Q' | b'J' => (8, false, false, false),
            b'n' => (2, false, false, true),
            b'N' => (4, false, false, true),
            b'v' => (2, false, false, false),
            b'V' => (4, false, false, false),
            b'e' | b'f' | b'F' => (4, true, true, false),
            b'E' | b'd' | b'D' => (8, true, true, false),
            b'g' => (4, true, true, true),
            b'G' => (8, true, true, true),
            _ => return None,
        };
        Some(Number { size, signed, float, big_endian: self.big_endian.unwrap_or(big_endian) })
    }
}

/// Parses the directives of a template.
///
/// # Errors
/// `ArgumentError` for a modifier that a letter does not have; not supported for letters that Ruby does not know.
pub(super) fn directives(vm: &mut Vm<'_>, template: &[u8]) -> Result<Vec<Directive>> {
    vm.world.spend(template.len())?;
    let mut all = Vec::new();
    let mut rest = template;
    while let [letter, after @ ..] = rest {
        rest = after;
        match letter {
            b' ' | b'\t'..=b'\r' | 0 => continue,
            b'#' => {
                let end = rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len());
                rest = rest.get(end..).unwrap_or_default();
                continue;
            }
            _ => {}
        }
        let mut directive = Directive { letter: *letter, count: Count::One, big_endian: None, native: false };
        while let [modifier @ (b'_' | b'!' | b'<' | b'>'), after @ ..] = rest {
            let sign = char::from(*modifier);
            match modifier {
                b'_' | b'!' if b"sSiIlLqQjJ".contains(letter) => directive.native = true,
                b'<' | b'>' if b"sSiIlLqQjJ".contains(letter) => {
                    let big_endian = *modifier == b'>';
                    if directive.big_endian.is_some_and(|it| it != big_endian) {
                        return vm.raise(crate::vm::ErrorClass::Range, "Can't use both '<' and '>'");
                    }
                    directive.big_endian = Some(big_endian);
                }
                _ => {
                    return vm.argument_error(format!("'{sign}' allowed only after types sSiIlLqQjJ"));
                }
            }
            rest = after;
        }
        match rest {
            [b'*', after @ ..] => {
                directive.count = Count::All;
                rest = after;
            }
            [b'0'..=b'9', ..] => {
                let length = rest.iter().take_while(|it| it.is_ascii_digit()).count();
                let (digits, after) = rest.split_at(length);
                let number = std::str::from_utf8(digits).ok().and_then(|it| it.parse::<i64>().ok());
                let Some(number) = number.and_then(|it| usize::try_from(it).ok()) else {
                    return vm.raise(crate::vm::ErrorClass::Range, "pack length too big");
                };
                directive.count = Count::Number(number);
                rest = after;
            }
            _ => {}
        }
        let is_known = directive.number().is_some() || b"aAZBbHhUmMuxX@w".contains(letter);
        if !is_known || *letter == b'w' {
            return unsupported(format!("the directive `{}` of pack", char::from(*letter)));
        }
        all.push(directive);
    }
    Ok(all)
}
