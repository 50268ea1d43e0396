//! `split`, `lines`.

use std::rc::Rc;

use super::characters::Characters;
use super::{compatible, ensure_valid, find, made, made_array, this};
use crate::builtins::regexp;
use crate::builtins::support::enumerator_of;
use crate::native::{Call, NativeMethod, between};
use crate::stop::{Result, unsupported};
use crate::value::{HashObject, StringObject};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("split", 0, 2, split),
    between("lines", 0, 1, lines).with_keywords(),
    between("each_line", 0, 2, each_line).with_keywords(),
];

/// Ranges of bytes.
type Pieces = Vec<std::ops::Range<usize>>;

fn split(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let limit = match call.argument(1) {
        Some(limit) => vm.expect_integer(limit)?,
        None => 0,
    };
    vm.world.spend(this.bytes().len() / 16)?;
    if limit == 1 {
        let pieces = if this.bytes().is_empty() { Pieces::new() } else { whole(this) };
        return collected(vm, call, this, pieces);
    }
    let pieces = match call.argument(0) {
        None | Some(Value::Nil) => blank_separated(vm, this, limit)?,
        Some(Value::Regexp(regexp)) => {
            let pieces = {
                let text = super::text_of(vm, this, "matching")?;
                match regexp.regexp().split(&text, limit) {
                    Ok(pieces) => pieces.iter().map(|it| range_in(&text, it)).collect(),
                    Err(error) => return regexp::too_slow(&error),
                }
            };
            return collected(vm, call, this, pieces);
        }
        Some(other) => {
            let separator = regexp::expect_pattern_text(vm, other)?;
            ensure_valid(vm, &separator)?;
            let bytes = separator.bytes();
            match bytes.as_slice() {
                b"" => {
                    ensure_valid(vm, this)?;
                    single_characters(this, limit)
                }
                b" " => blank_separated(vm, this, limit)?,
                bytes => {
                    ensure_valid(vm, this)?;
                    compatible(vm, this, &separator)?;
                    separated(this, bytes, limit)
                }
            }
        }
    };
    let pieces = match limit {
        0 => without_empty_end(pieces),
        _ => pieces,
    };
    collected(vm, call, this, pieces)
}

/// The range of a part of a text.
fn range_in(text: &str, part: &str) -> std::ops::Range<usize> {
    let start = part.as_ptr().addr().saturating_sub(text.as_ptr().addr()).min(text.len());
    start..start + part.len()
}

fn whole(this: &StringObject) -> Pieces {
    std::iter::once(0..this.bytes().len()).collect()
}

fn without_empty_end(mut pieces: Pieces) -> Pieces {
    while pieces.last().is_some_and(std::ops::Range::is_empty) {
        pieces.pop();
    }
    pieces
}

/// The strings of pieces as an array, or one after the other to the block.
fn collected(vm: &mut Vm<'_>, call: &Call<'_>, this: &Rc<StringObject>, pieces: Pieces) -> Result {
    let mut all = Vec::with_capacity(pieces.len());
    {
        let bytes = this.bytes();
        for piece in pieces {
            all.push(made(vm, bytes.get(piece).unwrap_or_default(), this.encoding())?);
        }
    }
    match call.block {
        None => made_array(vm, all),
        Some(block) => {
            for item in all {
                vm.yield_to(block, &[item])?;
            }
            Ok(call.this.clone())
        }
    }
}

/// The pieces between occurrences of a separator.
fn separated(this: &StringObject, separator: &[u8], limit: i64) -> Pieces {
    let bytes = this.bytes();
    let characters = Characters::of(&bytes, this.encoding());
    let mut pieces = Pieces::new();
    let mut start = 0;
    while is_below(&pieces, limit)
        && let Some(found) = find(characters, separator, start)
    {
        pieces.push(start..found);
        start = found + separator.len();
    }
    if !bytes.is_empty() {
        pieces.push(start..bytes.len());
    }
    pieces
}

/// Whether one more piece may be split off.
fn is_below(pieces: &Pieces, limit: i64) -> bool {
    limit <= 0 || i64::try_from(pieces.len()).is_ok_and(|it| it + 1 < limit)
}

fn single_characters(this: &StringObject, limit: i64) -> Pieces {
    let bytes = this.bytes();
    let characters = Characters::of(&bytes, this.encoding());
    let mut pieces = Pieces::new();
    let mut start = 0;
    while is_below(&pieces, limit)
        && let Some(length) = characters.length_at(start)
    {
        pieces.push(start..start + length);
        start += length;
    }
    if !bytes.is_empty() && (limit != 0 || start < bytes.len()) {
        pieces.push(start..bytes.len());
    }
    pieces
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The words of a string.
fn blank_separated(vm: &mut Vm<'_>, this: &StringObject, limit: i64) -> Result<Pieces> {
    ensure_valid(vm, this)?;
    let bytes = this.bytes();
    let mut pieces = Pieces::new();
    let mut start = 0;
    loop {
        let rest = bytes.get(start..).unwrap_or_default();
        let Some(blanks) = rest.iter().position(|it| !is_blank(*it)) else {
            // Trailing blanks yield an empty piece if there is a limit.
            if limit != 0 && !bytes.is_empty() && (pieces.is_empty() || start > 0) {
                pieces.push(bytes.len()..bytes.len());
            }
            break;
        };
        let begin = start + blanks;
        let word = bytes.get(begin..).unwrap_or_default().iter().position(|it| is_blank(*it));
        match word {
            Some(length) if is_below(&pieces, limit) => {
                pieces.push(begin..begin + length);
                start = begin + length + 1;
            }
            _ => {
                pieces.push(begin..bytes.len());
                break;
            }
        }
    }
    Ok(pieces)
}

/// The lines of a string, by the arguments of `lines`.
fn line_pieces(
    vm: &mut Vm<'_>,
    this: &StringObject,
    separator: Option<&Value>,
    keywords: Option<&Rc<HashObject>>,
) -> Result<Pieces> {
    let mut chomp = false;
    for (key, value) in keywords.map(|it| it.snapshot()).unwrap_or_default() {
        match &key {
            Value::Symbol(name) if &*name.name() == "chomp" => chomp = value.is_truthy(),
            _ => {
                let key = vm.inspect(&key)?;
                return vm.argument_error(format!("unknown keyword: {key}"));
            }
        }
    }
    vm.world.spend(this.bytes().len() / 16)?;
    if let Some(Value::Nil) = separator {
        return Ok(whole(this));
    }
    if this.bytes().is_empty() {
        return Ok(Pieces::new());
    }
    let newline = StringObject::new(b"\n".to_vec(), this.encoding());
    let separator = match separator {
        None => Rc::new(newline),
        Some(other) => vm.expect_string(other)?,
    };
    let bytes = this.bytes();
    compatible(vm, this, &separator)?;
    let separator = separator.bytes();
    if separator.is_empty() {
        return match chomp {
            false => Ok(paragraphs(&bytes)),
            true => unsupported("paragraphs without their newlines"),
        };
    }
    let characters = Characters::of(&bytes, this.encoding());
    let mut pieces = Pieces::new();
    let mut start = 0;
    while let Some(found) = find(characters, &separator, start) {
        let next = found + separator.len();
        let mut end = if chomp { found } else { next };
        if chomp && *separator == b"\n" && end > start && bytes.get(end - 1) == Some(&b'\r') {
            end -= 1;
        }
        pieces.push(start..end);
        start = next;
    }
    if start < bytes.len() {
        pieces.push(start..bytes.len());
    }
    Ok(pieces)
}

/// Pieces that end in two newlines; further newlines belong to none.
fn paragraphs(bytes: &[u8]) -> Pieces {
    let mut pieces = Pieces::new();
    let mut start = 0;
    while start < bytes.len() {
        let rest = bytes.get(start..).unwrap_or_default();
        let Some(found) = memchr::memmem::find(rest, b"\n\n") else {
            pieces.push(start..bytes.len());
            break;
        };
        pieces.push(start..start + found + 2);
        start += found + rest.iter().skip(found).take_while(|it| **it == b'\n').count();
    }
    pieces
}

fn lines(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    if call.block.is_some() {
        return each_line(vm, call);
    }
    let pieces = line_pieces(vm, this, call.argument(0), call.keywords)?;
    collected(vm, call, this, pieces)
}

fn each_line(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    if call.block.is_none() {
        // The enumerator calls again, with the keywords as the last argument.
        let keywords = call.keywords.filter(|it| !it.is_empty()).map(|it| Value::Hash(Rc::clone(it)));
        let arguments: Vec<Value> = call.arguments.iter().cloned().chain(keywords).collect();
        return enumerator_of(vm, call.this, call.name, &arguments);
    }
    let (arguments, keywords) = match (call.arguments, call.keywords) {
        ([arguments @ .., Value::Hash(hash)], None) => (arguments, Some(hash)),
        (arguments, keywords) => (arguments, keywords),
    };
    if arguments.len() > 1 {
        return vm.argument_error("wrong number of arguments (given 2, expected 0..1)");
    }
    let pieces = line_pieces(vm, this, arguments.first(), keywords)?;
    collected(vm, call, this, pieces)
}
