//! JSON parsing as in version 2.6.3 of the `json` library, which Ruby 3.2 includes, with its extensions of the standard
//! and its positions of errors.

use std::rc::Rc;

use num_bigint::BigInt;

use super::state::limit;
use crate::stop::{Result, Stop, unsupported};
use crate::value::{Encoding, HashObject, StringObject};
use crate::{Value, Vm};

/// The options of a parser.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// The deepest nesting that is allowed; 0 for any.
    pub(super) max_nesting: i64,
    pub(super) allow_nan: bool,
    symbolize_names: bool,
    freeze: bool,
    create_additions: bool,
}

impl Options {
    /// The options by a hash. Names that are not known are ignored, as in Ruby.
    pub(super) fn new(vm: &mut Vm<'_>, given: Option<&HashObject>) -> Result<Options> {
        let truthy = |name: &str| given.and_then(|it| it.get_symbol(name)).is_some_and(|it| it.is_truthy());
        for name in ["object_class", "array_class", "decimal_class", "match_string"] {
            if truthy(name) {
                return unsupported(format!("JSON.parse with {name}"));
            }
        }
        let max_nesting = given.and_then(|it| it.get_symbol("max_nesting"));
        let options = Options {
            max_nesting: match max_nesting {
                None => 100,
                given => limit(vm, given)?,
            },
            allow_nan: truthy("allow_nan"),
            symbolize_names: truthy("symbolize_names"),
            freeze: truthy("freeze"),
            create_additions: truthy("create_additions"),
        };
        if options.symbolize_names && options.create_additions {
            return vm.argument_error(
                "options :symbolize_names and :create_additions cannot be  used in conjunction",
            );
        }
        Ok(options)
    }
}

/// The maximal nesting of documents, if the options do not limit it.
const DEPTH_LIMIT: i64 = 10_000;

/// Parses a document.
pub(super) fn parse(vm: &mut Vm<'_>, source: &StringObject, options: Options) -> Result {
    let bytes = source.bytes().clone();
    vm.world.spend(bytes.len())?;
    vm.world.allocate(bytes.len())?;
    let mut parser = Parser { source: &bytes, options };
    let at = match parser.ignored(0) {
        Ok(at) | Err(at) => at,
    };
    let start_is_value = parser.begins_value(at);
    let Some((value, end)) = (match start_is_value {
        true => parser.value(vm, at, 0)?,
        false => None,
    }) else {
        return parser.unexpected(vm, at);
    };
    match parser.ignored(end) {
        Ok(end) if end == bytes.len() => Ok(value),
        Ok(at) | Err(at) => parser.unexpected(vm, at),
    }
}

struct Parser<'s> {
    source: &'s [u8],
    options: Options,
}

/// The parsed value and the position after it; None if there is no value, which the enclosing array or document
/// reports.
type Parsed<T = Value> = Result<Option<(T, usize)>>;

impl Parser<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.source.get(at).copied()
    }

    fn rest(&self, at: usize) -> &[u8] {
        self.source.get(at..).unwrap_or_default()
    }

    fn unexpected<T>(&self, vm: &mut Vm<'_>, at: usize) -> Result<T> {
        self.error(vm, "unexpected token", at)
    }

    /// Raises an error with the rest of the text, up to a byte 0, which ends it in C.
    fn error<T>(&self, vm: &mut Vm<'_>, message: &str, at: usize) -> Result<T> {
        let rest = self.rest(at).split(|it| *it == 0).next().unwrap_or_default();
        let message = [format!("{message} at '").as_bytes(), rest, b"'"].concat();
        let class = Rc::clone(vm.world.class("JSON::ParserError"));
        let message = Value::String(Rc::new(StringObject::new(message, Encoding::Utf8)));
        let exception = vm.new_exception(class, Some(message));
        Err(Box::new(Stop::Raise(exception)))
    }

    /// The position after blanks and comments; as an error, the position of an invalid comment.
    fn ignored(&self, mut at: usize) -> std::result::Result<usize, usize> {
        loop {
            match (self.byte(at), self.byte(at + 1)) {
                (Some(b' ' | b'\t' | b'\r' | b'\n'), _) => at += 1,
                (Some(b'/'), Some(b'*')) => {
                    let end = self.rest(at + 2).windows(2).position(|it| it == b"*/");
                    at = at + 4 + end.ok_or(self.source.len())?;
                }
                (Some(b'/'), Some(b'/')) => {
                    let end = self.rest(at + 2).iter().position(|it| *it == b'\n');
                    at = at + 3 + end.ok_or(self.source.len())?;
                }
                (Some(b'/'), _) => return Err(at + 1),
                _ => return Ok(at),
            }
        }
    }

    fn begins_value(&self, at: usize) -> bool {
        let first = [b'n', b'f', b't', b'"', b'-', b'[', b'{', b'N', b'I'];
        self.byte(at).is_some_and(|it| first.contains(&it) || it.is_ascii_digit())
    }

    fn value(&mut self, vm: &mut Vm<'_>, at: usize, nesting: i64) -> Parsed {
        vm.world.spend(1)?;
        let word = |word: &str, value: Value| {
            let is_word = self.rest(at).starts_with(word.as_bytes());
            Ok(is_word.then_some((value, at + word.len())))
        };
        let parsed = match self.byte(at) {
            Some(b'n') => word("null", Value::Nil),
            Some(b't') => word("true", Value::Bool(true)),
            Some(b'f') => word("false", Value::Bool(false)),
            Some(b'N') => {
                let found = word("NaN", Value::Float(f64::NAN))?;
                match found.is_some() && !self.options.allow_nan {
                    true => self.unexpected(vm, at),
                    false => Ok(found),
                }
            }
            Some(b'I') => {
                let found = word("Infinity", Value::Float(f64::INFINITY))?;
                match (found.is_some() && !self.options.allow_nan, at.checked_sub(1)) {
                    // The message starts one byte too early; the byte before the text is unknown.
                    (true, Some(before)) => self.unexpected(vm, before),
                    (true, None) => unsupported("JSON.parse of `Infinity`"),
                    (false, _) => Ok(found),
                }
            }
            Some(b'"') => {
                let parsed = self.string(vm, at)?;
                Ok(parsed.map(|(text, end)| (Value::String(text), end)))
            }
            Some(b'[') => stacker::maybe_grow(64 << 10, 1 << 20, || self.array(vm, at, nesting + 1)),
            Some(b'{') => stacker::maybe_grow(64 << 10, 1 << 20, || self.object(vm, at, nesting + 1)),
            _ => self.number(vm, at),
        }?;
        if let (true, Some((value, _))) = (self.options.freeze, &parsed) {
            match value {
                Value::String(it) => it.freeze(),
                Value::Array(it) => it.freeze(),
                Value::Hash(it) => it.freeze(),
                _ => {}
            }
        }
        Ok(parsed)
    }

    fn digits(&self, at: usize) -> usize {
        self.rest(at).iter().take_while(|it| it.is_ascii_digit()).count()
    }

    fn number(&mut self, vm: &mut Vm<'_>, at: usize) -> Parsed {
        if self.rest(at).starts_with(b"-Infinity") {
            return match self.options.allow_nan {
                true => Ok(Some((Value::Float(f64::NEG_INFINITY), at + 9))),
                false => self.unexpected(vm, at),
            };
        }
        let start = at + usize::from(self.byte(at) == Some(b'-'));
        let whole = match self.byte(start) {
            Some(b'0') => start + 1,
            _ => start + self.digits(start),
        };
        if whole == start {
            return Ok(None);
        }
        if let Some(end) = self.float_end(whole) {
            let text = String::from_utf8_lossy(&self.source[at..end]).into_owned();
            return match text.parse::<f64>() {
                Ok(number) => Ok(Some((Value::Float(number), end))),
                Err(_) => Ok(None),
            };
        }
        if self.digits(whole) > 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&self.source[at..whole]);
        if text.len() > 10_000 {
            vm.world.spend(text.len().saturating_mul(text.len() / 64))?;
        }
        match text.parse::<BigInt>() {
            Ok(number) => Ok(Some((Value::big(number), whole))),
            Err(_) => Ok(None),
        }
    }

    /// The end of a number with a fraction or exponent whose integer part ends here.
    fn float_end(&self, whole: usize) -> Option<usize> {
        let mut end = whole;
        if self.byte(end) == Some(b'.') {
            let digits = self.digits(end + 1);
            if digits == 0 {
                return None;
            }
            end += 1 + digits;
        }
        if matches!(self.byte(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(end + 1), Some(b'+' | b'-')));
            let digits = self.digits(end + 1 + sign);
            if digits == 0 {
                return None;
            }
            end += 1 + sign + digits;
        }
        let is_float = end > whole && !matches!(self.byte(end), Some(b'e' | b'E' | b'.' | b'-'));
        is_float.then_some(end)
    }

    fn string(&mut self, vm: &mut Vm<'_>, start: usize) -> Parsed<Rc<StringObject>> {
        let mut at = start + 1;
        loop {
            match (self.byte(at), self.byte(at + 1)) {
                (Some(b'"'), _) => break,
                (Some(b'\\'), Some(b'u')) => {
                    let digits = self.rest(at + 2).iter().take(4);
                    if digits.filter(|it| it.is_ascii_hexdigit()).count() < 4 {
                        return Ok(None);
                    }
                    at += 6;
                }
                (Some(b'\\'), Some(0x20..)) => at += 2,
                (Some(0x20..0x5c | 0x5d..), _) => at += 1,
                _ => return Ok(None),
            }
        }
        let bytes = self.unescaped(vm, start + 1, at)?;
        vm.world.allocate(bytes.len())?;
        Ok(Some((Rc::new(StringObject::new(bytes, Encoding::Utf8)), at + 1)))
    }

    fn hex(&self, at: usize) -> u32 {
        let text = std::str::from_utf8(self.rest(at).get(..4).unwrap_or_default()).unwrap_or_default();
        u32::from_str_radix(text, 16).unwrap_or(0xfffd)
    }

    /// The bytes of a string with its escapes replaced. Surrogates without a partner are kept as they are.
    fn unescaped(&self, vm: &mut Vm<'_>, start: usize, end: usize) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(end - start);
        // The bytes from `pending` on are not yet copied.
        let (mut pending, mut at) = (start, start);
        while at < end {
            if self.source[at] != b'\\' {
                at += 1;
                continue;
            }
            out.extend(&self.source[pending..at]);
            let segment = pending;
            at += 1;
            match self.byte(at) {
                Some(b'n') => out.push(b'\n'),
                Some(b'r') => out.push(b'\r'),
                Some(b't') => out.push(b'\t'),
                Some(b'b') => out.push(8),
                Some(b'f') => out.push(12),
                Some(escaped @ (b'"' | b'\\')) => out.push(escaped),
                Some(b'u') => {
                    let mut code = self.hex(at + 1);
                    at += 4;
                    if code & 0xfc00 == 0xd800 {
                        at += 1;
                        if at + 6 > end {
                            return self.error(vm, "incomplete surrogate pair", segment);
                        }
                        if self.rest(at).starts_with(b"\\u") {
                            let low = self.hex(at + 2);
                            code = ((code & 0x3f) << 10) | ((((code >> 6) & 0xf) + 1) << 16) | (low & 0x3ff);
                            at += 5;
                            push_code(&mut out, code);
                        } else {
                            out.push(b'?');
                        }
                    } else {
                        push_code(&mut out, code);
                    }
                }
                _ => {
                    pending = at;
                    continue;
                }
            }
            at += 1;
            pending = at;
        }
        out.extend(self.source.get(pending..end).unwrap_or_default());
        Ok(out)
    }

    fn array(&mut self, vm: &mut Vm<'_>, start: usize, nesting: i64) -> Parsed {
        self.ensure_depth(vm, nesting)?;
        let mut items = Vec::new();
        let mut at = match self.ignored(start + 1) {
            Ok(at) if self.byte(at) == Some(b']') => return Ok(Some((Value::array(items), at + 1))),
            Ok(at) => at,
            Err(at) => return self.unexpected(vm, at),
        };
        loop {
            if !self.begins_value(at) {
                return self.unexpected(vm, at);
            }
            let Some((value, end)) = self.value(vm, at, nesting)? else { return self.unexpected(vm, at) };
            vm.world.allocate(16)?;
            items.push(value);
            at = match self.ignored(end) {
                Ok(at) => at,
                Err(at) => return self.unexpected(vm, at),
            };
            match self.byte(at) {
                Some(b']') => return Ok(Some((Value::array(items), at + 1))),
                Some(b',') => {}
                _ => return self.unexpected(vm, at),
            }
            at = match self.ignored(at + 1) {
                Ok(at) => at,
                Err(at) => return self.unexpected(vm, at),
            };
        }
    }

    fn object(&mut self, vm: &mut Vm<'_>, start: usize, nesting: i64) -> Parsed {
        self.ensure_depth(vm, nesting)?;
        let hash = Rc::new(HashObject::default());
        let Ok(mut at) = self.ignored(start + 1) else { return Ok(None) };
        if self.byte(at) == Some(b'}') {
            return Ok(Some((Value::Hash(hash), at + 1)));
        }
        loop {
            if self.byte(at) != Some(b'"') {
                return Ok(None);
            }
            let Some((name, end)) = self.string(vm, at)? else { return Ok(None) };
            let Ok(colon) = self.ignored(end) else { return Ok(None) };
            if self.byte(colon) != Some(b':') {
                return Ok(None);
            }
            let Ok(start) = self.ignored(colon + 1) else { return Ok(None) };
            if !self.begins_value(start) {
                return Ok(None);
            }
            let Some((value, end)) = self.value(vm, start, nesting)? else { return Ok(None) };
            vm.world.allocate(48)?;
            let key = match self.options.symbolize_names {
                true => match name.text() {
                    Some(text) => Value::Symbol(vm.world.intern(&text)?),
                    None => return unsupported("a symbol with invalid bytes"),
                },
                false => Value::String(name),
            };
            hash.insert(key, value);
            let Ok(next) = self.ignored(end) else { return Ok(None) };
            match self.byte(next) {
                Some(b'}') => {
                    if self.options.create_additions && hash.get(&Value::from("json_class")).is_some() {
                        return unsupported("JSON with `json_class`");
                    }
                    return Ok(Some((Value::Hash(hash), next + 1)));
                }
                Some(b',') => {}
                _ => return Ok(None),
            }
            let Ok(next) = self.ignored(next + 1) else { return Ok(None) };
            at = next;
        }
    }

    fn ensure_depth(&self, vm: &mut Vm<'_>, nesting: i64) -> Result<()> {
        if self.options.max_nesting != 0 && nesting > self.options.max_nesting {
            return vm.raise_named("JSON::NestingError", format!("nesting of {nesting} is too deep"));
        }
        if nesting > DEPTH_LIMIT {
            return Err(Box::new(Stop::Exhausted("the JSON document is nested too deeply".to_owned())));
        }
        Ok(())
    }
}

/// Adds a code point in UTF-8, surrogates included.
fn push_code(out: &mut Vec<u8>, code: u32) {
    let byte = |shift: u32, mask: u32, lead: u32| (((code >> shift) & mask) | lead) as u8;
    match code {
        0..=0x7f => out.push(code as u8),
        0x80..=0x7ff => out.extend([byte(6, 0x1f, 0xc0), byte(0, 0x3f, 0x80)]),
        0x800..=0xffff => out.extend([byte(12, 0xf, 0xe0), byte(6, 0x3f, 0x80), byte(0, 0x3f, 0x80)]),
        _ => {
            let tail = [byte(12, 0x3f, 0x80), byte(6, 0x3f, 0x80), byte(0, 0x3f, 0x80)];
            out.push(byte(18, 7, 0xf0));
            out.extend(tail);
        }
    }
}
