//! Texts with directives, like Ruby's `format`: `%[flags][width][.precision]type`, with arguments in sequence, by
//! number (`%1$s`) or by name (`%<name>s`, `%{name}`).

use std::sync::Arc;

use marotte_text::Str;

use super::inspect::{self, type_name};
use super::number::{float_of, integer_of};
use super::{DirectiveError, FormatError, TEXT_LIMIT, WIDTH_LIMIT, float, integer};
use crate::dialect::Dialect;
use crate::print;
use crate::value::{Hash, Integer, Value};

/// Formats arguments: Puppet's function `sprintf`, which is Ruby's `format` on converted values: `undef` becomes the
/// empty string, and values that are written as strings become strings (E26, D81, D95).
///
/// # Errors
/// If a directive is invalid, if an argument is missing or of the wrong type, or if the text would be too long.
pub fn sprintf(dialect: &Dialect, format: &str, arguments: &[Value]) -> Result<String, FormatError> {
    if arguments.iter().all(is_plain) {
        return sprintf_with(format, &mut PuppetArguments { dialect, all: arguments });
    }
    for argument in arguments {
        argument.extent().check_nesting()?;
    }
    let converted = arguments.iter().map(|it| plain(dialect, it, false)).collect::<Result<Vec<_>, _>>()?;
    sprintf_with(format, &mut PuppetArguments { dialect, all: &converted })
}

/// Formats arguments of any kind.
///
/// # Errors
/// If a directive is invalid, if an argument is missing or of the wrong type, or if the text would be too long.
pub fn sprintf_with<A: Arguments>(format: &str, arguments: &mut A) -> Result<String, A::Error> {
    let mut out = String::with_capacity(format.len() + 16);
    Reader::new(format, arguments).read(&mut out).map(|()| out)
}

/// The arguments of a format: values of some language, with their conversions.
pub trait Arguments {
    /// The type of arguments.
    type Value: Clone;
    /// The reason why a conversion fails.
    type Error: From<FormatError>;

    /// Returns the argument at a zero-based index.
    fn at(&self, index: usize) -> Option<Self::Value>;

    /// Returns the value of a name in the hash that is the only argument.
    ///
    /// # Errors
    /// [`DirectiveError::OneHash`] if the only argument is not a hash.
    fn named(&mut self, name: &str) -> Result<Option<Self::Value>, Self::Error>;

    /// Converts a value to an integer for use as a width, a precision or a character code.
    ///
    /// # Errors
    /// If the value is not an integer.
    fn whole(&mut self, value: &Self::Value) -> Result<i64, Self::Error>;

    /// Returns the text of a string, for `%c`. `None` for other values.
    fn string(&mut self, value: &Self::Value) -> Option<String>;

    /// Appends the text of a value for `%s`.
    ///
    /// # Errors
    /// If it has no text.
    fn text(&mut self, out: &mut String, value: &Self::Value) -> Result<(), Self::Error>;

    /// Appends a value as formatted by `%p`.
    ///
    /// # Errors
    /// If it can't be formatted.
    fn inspect(&mut self, out: &mut String, value: &Self::Value) -> Result<(), Self::Error>;

    /// Returns the integer, if the value is one.
    fn exact(&mut self, value: &Self::Value) -> Option<Integer>;

    /// Converts a value to an integer.
    ///
    /// # Errors
    /// If it can't be converted.
    fn integer(&mut self, value: &Self::Value) -> Result<Integer, Self::Error>;

    /// Converts a value to a float.
    ///
    /// # Errors
    /// If it can't be converted.
    fn float(&mut self, value: &Self::Value) -> Result<f64, Self::Error>;
}

struct PuppetArguments<'v, 'd> {
    dialect: &'d Dialect,
    all: &'v [Value],
}

impl<'v> Arguments for PuppetArguments<'v, '_> {
    type Value = &'v Value;
    type Error = FormatError;

    fn at(&self, index: usize) -> Option<&'v Value> {
        self.all.get(index)
    }

    fn named(&mut self, name: &str) -> Result<Option<&'v Value>, FormatError> {
        let [Value::Hash(hash)] = self.all else { return Err(DirectiveError::OneHash.into()) };
        let default = || hash.get(&Value::Default).filter(|_| name == "default");
        Ok(hash.get_str(name).or_else(default))
    }

    /// Strings aren't converted.
    fn whole(&mut self, value: &&'v Value) -> Result<i64, FormatError> {
        let number = match value {
            Value::Integer(number) => number.to_i64(),
            // Far beyond any permitted width.
            Value::Float(number) if number.is_finite() => Some(*number as i64),
            Value::Float(number) => return Err(FormatError::NotFinite(*number)),
            other => return Err(FormatError::NotAnInteger(type_name(other))),
        };
        number.ok_or(FormatError::TooWide("width"))
    }

    fn string(&mut self, value: &&'v Value) -> Option<String> {
        match value {
            Value::String(text) => Some(text.to_string()),
            _ => None,
        }
    }

    fn text(&mut self, out: &mut String, value: &&'v Value) -> Result<(), FormatError> {
        inspect::text(out, self.dialect, value)
    }

    fn inspect(&mut self, out: &mut String, value: &&'v Value) -> Result<(), FormatError> {
        inspect::inspect(out, self.dialect, value)
    }

    fn exact(&mut self, value: &&'v Value) -> Option<Integer> {
        match value {
            Value::Integer(it) => Some(it.clone()),
            _ => None,
        }
    }

    fn integer(&mut self, value: &&'v Value) -> Result<Integer, FormatError> {
        integer_of(value)
    }

    fn float(&mut self, value: &&'v Value) -> Result<f64, FormatError> {
        float_of(value)
    }
}

fn is_plain(value: &Value) -> bool {
    matches!(
        value,
        Value::Integer(_) | Value::Float(_) | Value::String(_) | Value::Boolean(_) | Value::Default
    )
}

/// Converts a value as for functions of the oldest API.
fn plain(dialect: &Dialect, value: &Value, inner: bool) -> Result<Value, FormatError> {
    let text = |text: String| Value::String(text.into());
    Ok(match value {
        Value::Undef if !inner => Value::String(Str::default()),
        Value::Regexp(_) => text(print::literal(value)),
        Value::SemVer(it) => text(it.to_string()),
        Value::SemVerRange(it) => text(it.to_string()),
        Value::Binary(it) => text(it.to_base64()),
        Value::Timespan(it) => text(it.text(&dialect.texts)),
        Value::Timestamp(it) => {
            text(it.format(crate::time::Timestamp::DEFAULT_FORMAT, None, crate::time::LocalOffset::UTC)?)
        }
        Value::Array(elements) => {
            Value::Array(elements.iter().map(|it| plain(dialect, it, true)).collect::<Result<_, _>>()?)
        }
        Value::Hash(hash) => {
            let entries =
                hash.iter().map(|(key, it)| Ok((plain(dialect, key, true)?, plain(dialect, it, true)?)));
            Value::Hash(Arc::new(entries.collect::<Result<Hash, FormatError>>()?))
        }
        Value::Iterator(_) => return Err(FormatError::Iterator),
        other => other.clone(),
    })
}

/// Appends one number or string, formatted with a single directive. Their texts don't depend on the dialect.
pub(super) fn convert(out: &mut String, format: &str, value: &Value) -> Result<(), FormatError> {
    let mut arguments = PuppetArguments { dialect: Dialect::puppet8(), all: std::slice::from_ref(value) };
    Reader::new(format, &mut arguments).read(out)
}

/// The flags, width and precision of a directive.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spec {
    /// ` `: a blank where `+` would put a sign.
    pub(super) space: bool,
    /// `#`: the alternative form.
    pub(super) alternative: bool,
    /// `+`: a sign for numbers that are not negative.
    pub(super) plus: bool,
    /// `-`: left-aligned.
    pub(super) minus: bool,
    /// `0`: padded with zeros.
    pub(super) zero: bool,
    /// The minimum number of characters.
    pub(super) width: Option<u32>,
    /// The number of digits, or the maximum number of characters.
    pub(super) precision: Option<u32>,
}

impl Spec {
    /// Appends a text, truncated to the precision and padded to the width.
    pub(super) fn pad(&self, out: &mut String, text: &str) {
        let precision = self.precision.and_then(|it| usize::try_from(it).ok());
        let text = match precision.and_then(|it| text.char_indices().nth(it)) {
            Some((end, _)) => &text[..end],
            None => text,
        };
        let Some(width) = self.width else { return out.push_str(text) };
        let missing = i64::from(width) - i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        if !self.minus {
            integer::fill(out, ' ', missing);
        }
        out.push_str(text);
        if self.minus {
            integer::fill(out, ' ', missing);
        }
    }
}

/// The way in which arguments have been referred to so far; ways can't be mixed.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    None,
    InOrder(usize),
    ByNumber,
    ByName,
}

struct Reader<'f, 'a, A: Arguments> {
    format: &'f str,
    at: usize,
    arguments: &'a mut A,
    next: usize,
    way: Way,
}

/// A directive that is being read.
struct Pending<'f, V> {
    spec: Spec,
    flagged: bool,
    has_width: bool,
    has_precision: bool,
    value: Option<V>,
    name: Option<&'f str>,
}

impl<V> Pending<'_, V> {
    fn new() -> Self {
        Pending {
            spec: Spec::default(),
            flagged: false,
            has_width: false,
            has_precision: false,
            value: None,
            name: None,
        }
    }

    fn flag(&mut self) -> Result<&mut Spec, DirectiveError> {
        if self.has_width {
            return Err(DirectiveError::FlagAfterWidth);
        }
        if self.has_precision {
            return Err(DirectiveError::FlagAfterPrecision);
        }
        self.flagged = true;
        Ok(&mut self.spec)
    }

    fn check_width(&self) -> Result<(), DirectiveError> {
        if self.has_width {
            return Err(DirectiveError::WidthTwice);
        }
        if self.has_precision {
            return Err(DirectiveError::WidthAfterPrecision);
        }
        Ok(())
    }
}

/// Wraps the error of a directive for any kind of arguments.
fn wrong<E: From<FormatError>>(error: DirectiveError) -> E {
    FormatError::from(error).into()
}

impl<'f, 'a, A: Arguments> Reader<'f, 'a, A> {
    fn new(format: &'f str, arguments: &'a mut A) -> Reader<'f, 'a, A> {
        Reader { format, at: 0, arguments, next: 1, way: Way::None }
    }

    fn read(mut self, out: &mut String) -> Result<(), A::Error> {
        loop {
            let rest = &self.format[self.at..];
            let Some(percent) = rest.find('%') else {
                out.push_str(rest);
                return Ok(());
            };
            if percent + 1 == rest.len() {
                return Err(wrong(DirectiveError::Incomplete));
            }
            out.push_str(&rest[..percent]);
            self.at += percent + 1;
            self.directive(out)?;
            if out.len() > TEXT_LIMIT {
                return Err(FormatError::TooLong.into());
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.format.as_bytes().get(self.at).copied()
    }

    fn directive(&mut self, out: &mut String) -> Result<(), A::Error> {
        let mut pending = Pending::new();
        loop {
            // The end is read as the NUL character.
            let letter = self.peek().unwrap_or(0);
            match letter {
                b' ' => pending.flag().map_err(wrong::<A::Error>)?.space = true,
                b'#' => pending.flag().map_err(wrong::<A::Error>)?.alternative = true,
                b'+' => pending.flag().map_err(wrong::<A::Error>)?.plus = true,
                b'-' => pending.flag().map_err(wrong::<A::Error>)?.minus = true,
                b'0' => pending.flag().map_err(wrong::<A::Error>)?.zero = true,
                b'1'..=b'9' => {
                    let number = self.number("width")?;
                    if self.peek() != Some(b'$') {
                        pending.check_width().map_err(wrong::<A::Error>)?;
                        pending.has_width = true;
                        pending.spec.width = Some(bounded(number, "width")?);
                        continue;
                    }
                    if pending.value.is_some() {
                        return Err(wrong(DirectiveError::ValueTwice(number)));
                    }
                    pending.value = Some(self.numbered(number)?);
                }
                b'<' | b'{' => {
                    if self.name(&mut pending, letter)? {
                        // A name in braces completes the directive.
                        self.at += 1;
                        return self.convert(out, pending, b's');
                    }
                }
                b'*' => {
                    pending.check_width().map_err(wrong::<A::Error>)?;
                    pending.has_width = true;
                    let width = self.asterisk("width")?;
                    pending.spec.minus |= width < 0;
                    pending.spec.width = Some(bounded(width.unsigned_abs(), "width")?);
                    continue;
                }
                b'.' => {
                    if pending.has_precision {
                        return Err(wrong(DirectiveError::PrecisionTwice));
                    }
                    pending.has_precision = true;
                    self.at += 1;
                    if self.peek() == Some(b'*') {
                        let precision = self.asterisk("precision")?;
                        // A negative precision is ignored.
                        if precision >= 0 {
                            pending.spec.precision = Some(bounded(precision.unsigned_abs(), "precision")?);
                        }
                    } else {
                        let precision = self.number("precision")?;
                        pending.spec.precision = Some(bounded(precision, "precision")?);
                    }
                    continue;
                }
                b'%' | b'\n' | 0 => {
                    if pending.flagged || pending.has_width || pending.has_precision {
                        return Err(wrong(DirectiveError::FlaggedPercent));
                    }
                    out.push('%');
                    // A line end after `%` is kept.
                    self.at += usize::from(letter == b'%');
                    return Ok(());
                }
                _ => {
                    self.at += 1;
                    return self.convert(out, pending, letter);
                }
            }
            self.at += 1;
        }
    }

    /// Reads digits, which must be followed by something.
    fn number(&mut self, what: &'static str) -> Result<u64, FormatError> {
        let rest = &self.format[self.at..];
        let length = rest.bytes().position(|it| !it.is_ascii_digit());
        let digits = &rest[..length.unwrap_or(rest.len())];
        let number = if digits.is_empty() { Ok(0) } else { digits.parse::<u64>() };
        let number = number.ok().filter(|it| *it <= i32::MAX as u64).ok_or(FormatError::TooWide(what))?;
        self.at += length.ok_or(DirectiveError::EndsInNumber)?;
        Ok(number)
    }

    /// Reads `*` or `*n$`.
    fn asterisk(&mut self, what: &'static str) -> Result<i64, A::Error> {
        self.at += 1;
        let after = self.at;
        let number = self.number(what)?;
        let value = if self.peek() == Some(b'$') {
            self.at += 1;
            self.numbered(number)?
        } else {
            self.at = after;
            self.in_order()?
        };
        self.arguments.whole(&value)
    }

    /// Reads `<name>` or `{name}` up to its end; returns whether it was in braces.
    fn name(&mut self, pending: &mut Pending<'f, A::Value>, open: u8) -> Result<bool, A::Error> {
        let close = if open == b'<' { '>' } else { '}' };
        let rest = &self.format[self.at..];
        let end = rest.find(close).ok_or_else(|| wrong(DirectiveError::UnclosedName))?;
        let bracketed = &rest[..=end];
        let name = &rest[1..end];
        if let Some(first) = pending.name {
            return Err(wrong(DirectiveError::NameTwice(bracketed.into(), format!("<{first}>"))));
        }
        match self.way {
            Way::InOrder(at) => return Err(wrong(DirectiveError::NameAfterOrder(bracketed.into(), at))),
            Way::ByNumber => return Err(wrong(DirectiveError::NameAfterNumbers(bracketed.into()))),
            Way::None | Way::ByName => self.way = Way::ByName,
        }
        let value = self.arguments.named(name)?;
        pending.value = Some(value.ok_or_else(|| wrong(DirectiveError::UnknownKey(bracketed.into())))?);
        pending.name = Some(name);
        self.at += end;
        Ok(open == b'{')
    }

    fn in_order(&mut self) -> Result<A::Value, A::Error> {
        match self.way {
            Way::ByNumber => return Err(wrong(DirectiveError::OrderAfterNumbers(self.next))),
            Way::ByName => return Err(wrong(DirectiveError::OrderAfterNames(self.next))),
            Way::None | Way::InOrder(_) => self.way = Way::InOrder(self.next),
        }
        let value = self.arguments.at(self.next - 1).ok_or_else(|| wrong(DirectiveError::TooFewArguments))?;
        self.next += 1;
        Ok(value)
    }

    fn numbered(&mut self, number: u64) -> Result<A::Value, A::Error> {
        match self.way {
            Way::InOrder(at) => return Err(wrong(DirectiveError::NumberAfterOrder(number, at))),
            Way::ByName => return Err(wrong(DirectiveError::NumberAfterNames(number))),
            Way::None | Way::ByNumber => {}
        }
        if number == 0 {
            return Err(wrong(DirectiveError::NumberNought(number)));
        }
        self.way = Way::ByNumber;
        let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
        self.arguments.at(index).ok_or_else(|| wrong(DirectiveError::TooFewArguments))
    }

    fn convert(
        &mut self,
        out: &mut String,
        pending: Pending<'_, A::Value>,
        letter: u8,
    ) -> Result<(), A::Error> {
        let spec = &pending.spec;
        let letter = char::from(letter);
        if !"cspdiuxXobBfeEgGaA".contains(letter) {
            let known = letter.is_ascii() && !letter.is_ascii_control();
            return Err(wrong(DirectiveError::UnknownCharacter(known.then_some(letter))));
        }
        let value = match pending.value {
            Some(value) => value,
            None => self.in_order()?,
        };
        match letter {
            's' | 'p' => {
                let start = out.len();
                match letter {
                    's' => self.arguments.text(out, &value)?,
                    _ => self.arguments.inspect(out, &value)?,
                }
                if spec.width.is_some() || spec.precision.is_some() {
                    let text = out.split_off(start);
                    spec.pad(out, &text);
                }
            }
            'c' => {
                let mut room = [0; 4];
                let text = self.character(&value)?.encode_utf8(&mut room);
                Spec { precision: None, ..*spec }.pad(out, text);
            }
            'f' => match self.arguments.exact(&value) {
                Some(value) => float::write_integer(out, spec, &value),
                None => float::write(out, spec, letter, self.arguments.float(&value)?),
            },
            'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                float::write(out, spec, letter, self.arguments.float(&value)?);
            }
            _ => {
                let number = self.arguments.integer(&value)?;
                integer::write(out, spec, letter, &number)?;
            }
        }
        Ok(())
    }

    fn character(&mut self, value: &A::Value) -> Result<char, A::Error> {
        if let Some(text) = self.arguments.string(value) {
            let mut chars = text.chars();
            return match (chars.next(), chars.next()) {
                (Some(it), None) => Ok(it),
                _ => Err(FormatError::OneCharacter.into()),
            };
        }
        let code = u32::try_from(self.arguments.whole(value)?).ok();
        code.and_then(char::from_u32).ok_or_else(|| FormatError::InvalidCharacter.into())
    }
}

fn bounded(number: u64, what: &'static str) -> Result<u32, FormatError> {
    u32::try_from(number).ok().filter(|it| *it <= WIDTH_LIMIT).ok_or(FormatError::TooWide(what))
}
