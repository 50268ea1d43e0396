//! `sub`, `gsub`, `scan`.

use std::cell::Ref;
use std::ops::Range;
use std::rc::Rc;

use super::characters::Characters;
use super::{changeable, ensure_valid, find, made, made_array, text_of, this};
use crate::builtins::regexp;
use crate::builtins::support::enumerator;
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, HashObject, MatchData, Proc, RegexpObject, StringObject};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("sub", 1, 2, |vm, call| copy(vm, call, false)),
    between("gsub", 1, 2, |vm, call| copy(vm, call, true)),
    between("sub!", 1, 2, |vm, call| change(vm, call, false)),
    between("gsub!", 1, 2, |vm, call| change(vm, call, true)),
    exactly("scan", 1, scan),
];

type Groups = Vec<Option<Range<usize>>>;

/// A pattern to search for.
enum Pattern {
    Regexp(Rc<RegexpObject>),
    /// A literal text.
    Text(Rc<StringObject>),
}

impl Pattern {
    fn expect(vm: &mut Vm<'_>, value: &Value) -> Result<Pattern> {
        match value {
            Value::Regexp(it) => Ok(Pattern::Regexp(Rc::clone(it))),
            other => {
                // The block may change the pattern.
                let text = regexp::expect_pattern_text(vm, other)?;
                Ok(Pattern::Text(regexp::frozen(vm, &text)?))
            }
        }
    }

    /// Whether a block changed the text that was passed as the pattern.
    fn has_changed(&self, given: &Value) -> bool {
        match (self, given) {
            (Pattern::Text(text), Value::String(given)) => *text.bytes() != *given.bytes(),
            _ => false,
        }
    }

    /// Checks that the pattern can be searched for in a string.
    fn check(&self, vm: &mut Vm<'_>, string: &StringObject) -> Result<()> {
        if let Pattern::Text(text) = self {
            super::compatible(vm, string, text)?;
            regexp::ensure_valid_pattern(vm, text)?;
        }
        Ok(())
    }

    /// The expression of `$~`.
    fn regexp(&self, vm: &mut Vm<'_>) -> Result<Rc<RegexpObject>> {
        match self {
            Pattern::Regexp(it) => Ok(Rc::clone(it)),
            Pattern::Text(text) => {
                let text = text_of(vm, text, "a regular expression")?;
                regexp::literal(vm, &text)
            }
        }
    }
}

/// The search for a pattern in the bytes of a string.
enum Finder<'s> {
    Regexp(regexp::Searching<'s, 's>),
    Text { characters: Characters<'s>, needle: Ref<'s, Vec<u8>> },
}

impl<'s> Finder<'s> {
    fn new(vm: &mut Vm<'_>, pattern: &'s Pattern, bytes: &'s [u8], encoding: Encoding) -> Result<Finder<'s>> {
        match pattern {
            Pattern::Regexp(regexp) => match std::str::from_utf8(bytes) {
                Ok(text) if encoding == Encoding::Utf8 || bytes.is_ascii() => {
                    Ok(Finder::Regexp(regexp::searcher(vm, regexp, text)?))
                }
                _ if encoding == Encoding::Utf8 => super::invalid(vm, encoding),
                _ => unsupported(format!("matching of a string in {} beyond ASCII", encoding.name())),
            },
            Pattern::Text(text) => {
                Ok(Finder::Text { characters: Characters::of(bytes, encoding), needle: text.bytes() })
            }
        }
    }

    /// The first occurrence at a byte position or later.
    fn find(&self, vm: &Vm<'_>, start: usize) -> Result<Option<Groups>> {
        match self {
            Finder::Regexp(searcher) => Ok(regexp::search(vm, searcher, start)?.map(|it| it.into_vec())),
            Finder::Text { characters, needle } => {
                let found = find(*characters, needle, start);
                let end = found.unwrap_or(characters.bytes().len());
                vm.world.spend(1 + end.saturating_sub(start) / 256)?;
                Ok(found.map(|it| vec![Some(it..it + needle.len())]))
            }
        }
    }
}

/// The replacement of matches.
enum Replacement<'a> {
    Text(Rc<StringObject>),
    Hash(Rc<HashObject>),
    Block(&'a Rc<Proc>),
}

fn replacement<'a>(vm: &mut Vm<'_>, call: &Call<'a>) -> Result<Replacement<'a>> {
    match (call.argument(1), call.block) {
        (Some(Value::Hash(hash)), _) => Ok(Replacement::Hash(Rc::clone(hash))),
        (Some(text), _) => Ok(Replacement::Text(vm.expect_string(text)?)),
        (None, Some(block)) => Ok(Replacement::Block(block)),
        (None, None) => vm.argument_error("wrong number of arguments (given 1, expected 2)"),
    }
}

fn copy(vm: &mut Vm<'_>, call: &Call<'_>, all: bool) -> Result {
    let this = this(call)?;
    if all && call.arguments.len() == 1 && call.block.is_none() {
        return enumerator(vm, call);
    }
    let replacement = replacement(vm, call)?;
    match substituted(vm, this, call.required(0), &replacement, all)? {
        Some((bytes, encoding)) => made(vm, bytes, encoding),
        None => made(vm, this.bytes().clone(), this.encoding()),
    }
}

fn change(vm: &mut Vm<'_>, call: &Call<'_>, all: bool) -> Result {
    let this = this(call)?;
    if all && call.arguments.len() == 1 && call.block.is_none() {
        return enumerator(vm, call);
    }
    let replacement = replacement(vm, call)?;
    changeable(vm, call)?;
    let Some((bytes, encoding)) = substituted(vm, this, call.required(0), &replacement, all)? else {
        return Ok(Value::Nil);
    };
    // The block may have frozen the string.
    changeable(vm, call)?;
    this.change(|it| *it = bytes);
    this.set_encoding(encoding);
    Ok(call.this.clone())
}

/// The string with matches replaced; None if there are none. `$~` is set to the last match.
fn substituted(
    vm: &mut Vm<'_>,
    this: &Rc<StringObject>,
    given: &Value,
    replacement: &Replacement<'_>,
    all: bool,
) -> Result<Option<(Vec<u8>, Encoding)>> {
    let pattern = Pattern::expect(vm, given)?;
    pattern.check(vm, this)?;
    let first = Finder::new(vm, &pattern, &this.bytes(), this.encoding())?.find(vm, 0)?;
    let Some(mut groups) = first else {
        vm.set_last_match(None);
        return Ok(None);
    };
    let source = regexp::frozen(vm, this)?;
    let expression = pattern.regexp(vm)?;
    let found = |vm: &mut Vm<'_>, groups: &Groups| -> Result<Rc<MatchData>> {
        vm.world.allocate(groups.len() * size_of::<Option<Range<usize>>>() + 32)?;
        let (regexp, text) = (Rc::clone(&expression), Rc::clone(&source));
        Ok(Rc::new(MatchData { regexp, text, groups: groups.clone() }))
    };
    let bytes = source.bytes();
    let characters = Characters::of(&bytes, source.encoding());
    let finder = Finder::new(vm, &pattern, &bytes, source.encoding())?;
    let mut out = Output { bytes: Vec::with_capacity(bytes.len()), encoding: source.encoding() };
    let mut copied = 0;
    loop {
        let range = groups.first().cloned().flatten().unwrap_or(0..0);
        out.bytes.extend_from_slice(bytes.get(copied..range.start).unwrap_or_default());
        match replacement {
            Replacement::Text(text) => {
                let named = matches!(pattern, Pattern::Regexp(_)).then_some(&*expression);
                out.check(vm, &source, text)?;
                let before = out.bytes.len();
                expand(vm, &mut out.bytes, &text.bytes(), &bytes, &groups, named)?;
                vm.world.allocate(out.bytes.len().saturating_sub(before))?;
            }
            Replacement::Hash(hash) => {
                let key = made(vm, bytes.get(range.clone()).unwrap_or_default(), source.encoding())?;
                let value = vm.call(&Value::Hash(Rc::clone(hash)), "[]", &[key])?;
                let text = vm.to_s(&value)?;
                out.push(vm, &source, &text)?;
            }
            Replacement::Block(block) => {
                let found = found(vm, &groups)?;
                vm.set_last_match(Some(found));
                let argument = made(vm, bytes.get(range.clone()).unwrap_or_default(), source.encoding())?;
                let value = vm.yield_to(block, &[argument])?;
                let text = vm.to_s(&value)?;
                out.push(vm, &source, &text)?;
            }
        }
        copied = range.end;
        if !all {
            break;
        }
        let next = match range.is_empty() {
            true => range.end + characters.length_at(range.end).unwrap_or(1),
            false => range.end,
        };
        if next > bytes.len() {
            break;
        }
        match finder.find(vm, next)? {
            Some(next) => groups = next,
            None => break,
        }
    }
    out.bytes.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    if *this.bytes() != *bytes || pattern.has_changed(given) {
        return unsupported("a block that changes what is matched");
    }
    let last = found(vm, &groups)?;
    vm.set_last_match(Some(last));
    Ok(Some((out.bytes, out.encoding)))
}

/// The result of a substitution.
struct Output {
    bytes: Vec<u8>,
    encoding: Encoding,
}

impl Output {
    /// Ensures that a text can be inserted into the rest of the string.
    fn check(&mut self, vm: &mut Vm<'_>, source: &StringObject, text: &StringObject) -> Result<()> {
        if text.encoding() != self.encoding && !text.bytes().is_ascii() {
            self.encoding = super::compatible(vm, source, text)?;
        }
        Ok(())
    }

    fn push(&mut self, vm: &mut Vm<'_>, source: &StringObject, text: &StringObject) -> Result<()> {
        self.check(vm, source, text)?;
        vm.world.allocate(text.bytes().len())?;
        self.bytes.extend_from_slice(&text.bytes());
        Ok(())
    }
}

/// Appends a replacement with references to groups: `\1`, `\k<name>`, `\0`, `\&`, `` \` ``, `\'`, `\\`.
fn expand(
    vm: &mut Vm<'_>,
    out: &mut Vec<u8>,
    replacement: &[u8],
    text: &[u8],
    groups: &Groups,
    regexp: Option<&RegexpObject>,
) -> Result<()> {
    let numbered = regexp.is_some_and(|it| it.regexp().group_names().next().is_none());
    let whole = groups.first().cloned().flatten().unwrap_or(0..0);
    let mut rest = replacement;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (before, escape) = rest.split_at(at);
        out.extend_from_slice(before);
        let [_, letter, after @ ..] = escape else {
            rest = escape;
            break;
        };
        rest = after;
        let group = match letter {
            b'1'..=b'9' if !numbered => continue,
            b'0'..=b'9' => usize::from(letter - b'0'),
            b'&' => 0,
            b'`' => {
                out.extend_from_slice(text.get(..whole.start).unwrap_or_default());
                continue;
            }
            b'\'' => {
                out.extend_from_slice(text.get(whole.end..).unwrap_or_default());
                continue;
            }
            b'\\' => {
                out.push(b'\\');
                continue;
            }
            b'k' if rest.starts_with(b"<") => {
                let Some(end) = memchr::memchr(b'>', rest) else {
                    return vm.raise(ErrorClass::Runtime, "invalid group name reference format");
                };
                let name = String::from_utf8_lossy(rest.get(1..end).unwrap_or_default()).into_owned();
                rest = rest.get(end + 1..).unwrap_or_default();
                let numbers: Vec<usize> = regexp
                    .iter()
                    .flat_map(|it| it.regexp().group_names())
                    .filter(|(it, _)| *it == name)
                    .map(|(_, number)| number)
                    .collect();
                let matched = |it: &&usize| groups.get(**it).is_some_and(Option::is_some);
                match numbers.iter().rfind(matched).or(numbers.last()) {
                    Some(number) => *number,
                    None => {
                        let message = format!("undefined group name reference: {name}");
                        return vm.raise(ErrorClass::Index, message);
                    }
                }
            }
            other => {
                out.extend_from_slice(&[b'\\', *other]);
                continue;
            }
        };
        if let Some(range) = groups.get(group).cloned().flatten() {
            out.extend_from_slice(text.get(range).unwrap_or_default());
        }
    }
    out.extend_from_slice(rest);
    Ok(())
}

fn scan(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    /// The number of bytes that are compared in one step.
    const COMPARED: usize = 2048;
    let this = this(call)?;
    let pattern = Pattern::expect(vm, call.required(0))?;
    pattern.check(vm, this)?;
    ensure_valid(vm, this)?;
    let first = Finder::new(vm, &pattern, &this.bytes(), this.encoding())?.find(vm, 0)?;
    let Some(mut groups) = first else {
        vm.set_last_match(None);
        return match call.block {
            Some(_) => Ok(call.this.clone()),
            None => made_array(vm, Vec::new()),
        };
    };
    let source = regexp::frozen(vm, this)?;
    let expression = pattern.regexp(vm)?;
    let bytes = source.bytes();
    let characters = Characters::of(&bytes, source.encoding());
    let finder = Finder::new(vm, &pattern, &bytes, source.encoding())?;
    let mut all = Vec::new();
    let found = |groups: &Groups| {
        let (regexp, text) = (Rc::clone(&expression), Rc::clone(&source));
        Rc::new(MatchData { regexp, text, groups: groups.clone() })
    };
    let last = loop {
        let whole = groups.first().cloned().flatten().unwrap_or(0..0);
        let piece = |vm: &Vm<'_>, range: &Option<Range<usize>>| match range {
            Some(range) => made(vm, bytes.get(range.clone()).unwrap_or_default(), source.encoding()),
            None => Ok(Value::Nil),
        };
        let item = match &groups[..] {
            [only] => piece(vm, only)?,
            [_, captures @ ..] => {
                Value::array(captures.iter().map(|it| piece(vm, it)).collect::<Result<Vec<_>>>()?)
            }
            [] => Value::Nil,
        };
        vm.world.allocate(64)?;
        match call.block {
            Some(block) => {
                vm.set_last_match(Some(found(&groups)));
                vm.yield_to(block, &[item])?;
                vm.world.spend(bytes.len() / COMPARED)?;
                if *this.bytes() != *bytes {
                    return vm.raise(ErrorClass::Runtime, "string modified");
                }
                if pattern.has_changed(call.required(0)) {
                    return unsupported("a block that changes what is matched");
                }
            }
            None => all.push(item),
        }
        let next = match whole.is_empty() {
            true => whole.end + characters.length_at(whole.end).unwrap_or(1),
            false => whole.end,
        };
        let following = if next > bytes.len() { None } else { finder.find(vm, next)? };
        match following {
            Some(next) => groups = next,
            None => break found(&groups),
        }
    };
    vm.set_last_match(Some(last));
    match call.block {
        Some(_) => Ok(call.this.clone()),
        None => made_array(vm, all),
    }
}
