//! `Regexp`, and matching for the methods of strings.

use std::ops::Range;
use std::rc::Rc;

use marotte_pcore::effort;
use marotte_pcore::regexp::{Groups, MatchError, Options, Regexp, RegexpError, Searcher};

use super::regexp_cost::compilation;
use super::regexp_text::{embedded, quoted, source_text};
use super::string::characters::Characters;
use super::string::{from_end, integer, made, symbol_text, text_of};
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, Stop, unsupported};
use crate::value::{ArrayObject, Encoding, MatchData, RegexpObject, StringObject};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

/// `Regexp`
pub(super) static REGEXP: NativeClass = NativeClass {
    name: "Regexp",
    superclass: Some("Object"),
    methods: &[METHODS],
    singleton_methods: &[SINGLETON_METHODS],
    constants: &[
        ("IGNORECASE", |_| Ok(Value::Integer(IGNORE_CASE))),
        ("EXTENDED", |_| Ok(Value::Integer(EXTENDED))),
        ("MULTILINE", |_| Ok(Value::Integer(MULTI_LINE))),
        ("FIXEDENCODING", |_| Ok(Value::Integer(FIXED_ENCODING))),
        ("NOENCODING", |_| Ok(Value::Integer(NO_ENCODING))),
    ],
    ..NativeClass::EMPTY
};

const IGNORE_CASE: i64 = 1;
const EXTENDED: i64 = 2;
const MULTI_LINE: i64 = 4;
const FIXED_ENCODING: i64 = 16;
const NO_ENCODING: i64 = 32;

const SINGLETON_METHODS: &[NativeMethod] = &[
    between("new", 1, 3, new),
    between("compile", 1, 3, new),
    exactly("escape", 1, escape),
    exactly("quote", 1, escape),
    at_least("union", 0, union),
    between("last_match", 0, 1, last_match),
    exactly("try_convert", 1, |_, call| match call.required(0) {
        regexp @ Value::Regexp(_) => Ok(regexp.clone()),
        Value::Object(_) => unsupported("Regexp.try_convert of an object"),
        _ => Ok(Value::Nil),
    }),
];

const METHODS: &[NativeMethod] = &[
    exactly("source", 0, |vm, call| text(vm, this(call)?.source())),
    exactly("to_s", 0, |vm, call| text(vm, &embedded(this(call)?))),
    exactly("inspect", 0, |vm, call| text(vm, &inspected(this(call)?))),
    exactly("options", 0, options),
    exactly("casefold?", 0, |_, call| Ok(Value::Bool(this(call)?.options().ignore_case))),
    exactly("encoding", 0, encoding),
    exactly("fixed_encoding?", 0, |_, call| Ok(Value::Bool(is_fixed(this(call)?)?))),
    exactly("==", 1, equal),
    exactly("eql?", 1, equal),
    exactly("hash", 0, |vm, call| vm.hash_of(call.this)),
    exactly("=~", 1, position),
    exactly("===", 1, case_equal),
    between("match", 1, 2, match_),
    between("match?", 1, 2, is_match),
    exactly("names", 0, names),
    exactly("named_captures", 0, named_captures),
];

fn this<'a>(call: &Call<'a>) -> Result<&'a Rc<RegexpObject>> {
    match call.this {
        Value::Regexp(it) => Ok(it),
        _ => unsupported(format!("Regexp#{} of another object", call.name)),
    }
}

/// A string in the encoding of the texts of regular expressions: ASCII if possible.
fn text(vm: &Vm<'_>, text: &str) -> Result {
    let encoding = if text.is_ascii() { Encoding::Ascii } else { Encoding::Utf8 };
    made(vm, text, encoding)
}

/// The expression between slashes, as `inspect` shows it.
pub(crate) fn inspected(regexp: &RegexpObject) -> String {
    let Options { ignore_case, extended, multi_line } = regexp.options();
    let mut out = format!("/{}/", source_text(regexp.source()));
    let without_encoding = regexp.has_no_encoding();
    for (set, flag) in [(multi_line, 'm'), (ignore_case, 'i'), (extended, 'x'), (without_encoding, 'n')] {
        if set {
            out.push(flag);
        }
    }
    out
}

/// Compiles an expression.
///
/// # Errors
/// `RegexpError` if it is not valid; not supported if it can't be matched here.
pub(crate) fn compile(vm: &mut Vm<'_>, source: &str, options: Options) -> Result<Rc<RegexpObject>> {
    charge_compilation(vm, source)?;
    match Regexp::with_options(source, options) {
        Ok(regexp) => Ok(Rc::new(RegexpObject::new(regexp, source.to_owned(), options))),
        Err(error) => invalid(vm, source, &error),
    }
}

/// Charges the compilation of an expression, unless it was one of the last ones.
///
/// # Errors
/// If the budget is exhausted.
pub(crate) fn charge_compilation(vm: &Vm<'_>, source: &str) -> Result<()> {
    /// The number of expressions that are remembered, which are not compiled again.
    const REMEMBERED: usize = 100;
    vm.world.spend(source.len() + 16)?;
    vm.world.allocate(source.len() * 4 + 256)?;
    let mut compiled = vm.world.compiled.borrow_mut();
    if compiled.contains(source) {
        return Ok(());
    }
    vm.world.spend(compilation(source))?;
    if compiled.len() >= REMEMBERED {
        compiled.clear();
    }
    compiled.insert(source.into());
    Ok(())
}

fn invalid<T>(vm: &mut Vm<'_>, source: &str, error: &RegexpError) -> Result<T> {
    if error.unsupported {
        return unsupported(format!("the regular expression /{source}/: {}", error.message));
    }
    vm.raise(ErrorClass::Regexp, format!("{}: /{source}/", error.message))
}

/// An expression that matches a text literally.
pub(crate) fn literal(vm: &mut Vm<'_>, text: &str) -> Result<Rc<RegexpObject>> {
    compile(vm, &quoted(text), Options::default())
}

/// A pattern that strings are matched against: an expression, or the source of one.
///
/// # Errors
/// `TypeError` if it is neither.
pub(crate) fn expect_regexp(vm: &mut Vm<'_>, value: &Value) -> Result<Rc<RegexpObject>> {
    match value {
        Value::Regexp(it) => Ok(Rc::clone(it)),
        _ => {
            let source = expect_pattern_text(vm, value)?;
            ensure_valid_pattern(vm, &source)?;
            let source = text_of(vm, &source, "a regular expression")?.to_owned();
            compile(vm, &source, Options::default())
        }
    }
}

/// A pattern that is not an expression.
///
/// # Errors
/// `TypeError` if it is not a string either.
pub(crate) fn expect_pattern_text(vm: &mut Vm<'_>, value: &Value) -> Result<Rc<StringObject>> {
    match value {
        Value::String(it) => Ok(Rc::clone(it)),
        Value::Object(_) if vm.responds_to(value, "to_str") => vm.expect_string(value),
        _ => {
            let name = vm.conversion_name(value);
            vm.type_error(format!("wrong argument type {name} (expected Regexp)"))
        }
    }
}

/// Ensures that a string can be the source of an expression.
///
/// # Errors
/// `RegexpError` if it has invalid characters.
pub(crate) fn ensure_valid_pattern(vm: &mut Vm<'_>, source: &StringObject) -> Result<()> {
    if !Characters::of(&source.bytes(), source.encoding()).is_broken() {
        return Ok(());
    }
    if source.encoding() != Encoding::Utf8 {
        return unsupported("a pattern that is not valid in its encoding");
    }
    let shown: String = source.bytes().utf8_chunks().fold(String::new(), |mut shown, chunk| {
        shown.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|it| shown.push_str(&format!("\\x{it:02X}")));
        shown
    });
    vm.raise(ErrorClass::Regexp, format!("invalid multibyte character: /{shown}/"))
}

/// The error that a match was aborted.
pub(crate) fn too_slow<T>(error: &MatchError) -> Result<T> {
    Err(Box::new(Stop::Exhausted(error.to_string())))
}

/// A search for matches in a text. The first one may compile the expression.
///
/// # Errors
/// If the expression is too large for it, or the budget is exhausted.
pub(crate) fn searcher<'r, 't>(
    vm: &Vm<'_>,
    regexp: &'r RegexpObject,
    text: &'t str,
) -> Result<Searching<'r, 't>> {
    let before = effort::taken();
    let searcher = regexp.regexp().searcher(text).or_else(|error| too_slow(&error))?;
    vm.world.spend(usize::try_from(effort::taken() - before).unwrap_or(usize::MAX))?;
    Ok(Searching { regexp, searcher })
}

/// A search for matches of an expression in a text.
pub(crate) struct Searching<'r, 't> {
    regexp: &'r RegexpObject,
    searcher: Searcher<'r, 't>,
}

/// The first match at a byte position or later.
///
/// # Errors
/// If it takes too many steps to find.
pub(crate) fn search(vm: &Vm<'_>, search: &Searching<'_, '_>, start: usize) -> Result<Option<Groups>> {
    let Searching { regexp, searcher } = search;
    match searcher.captures_from(start) {
        Ok(found) => {
            let end = found.as_ref().map_or(searcher.text().len(), |it| it.range().end);
            charge_search(vm, regexp, searcher.text(), start..end)?;
            Ok(found.map(|it| it.into_groups()))
        }
        Err(error) => too_slow(&error),
    }
}

/// Charges a search that has read a part of a text.
fn charge_search(vm: &Vm<'_>, regexp: &RegexpObject, text: &str, read: Range<usize>) -> Result<()> {
    let rest = text.len().saturating_sub(read.start);
    let searched = read.end.saturating_sub(read.start);
    vm.world.spend(regexp.search_cost().steps(searched, rest, regexp.regexp().backtracks()))
}

/// A copy of a string that cannot change; itself if it is frozen.
pub(crate) fn frozen(vm: &Vm<'_>, string: &Rc<StringObject>) -> Result<Rc<StringObject>> {
    if string.is_frozen() {
        return Ok(Rc::clone(string));
    }
    let bytes = string.bytes().clone();
    vm.world.allocate(bytes.len())?;
    let copy = StringObject::new(bytes, string.encoding());
    copy.freeze();
    Ok(Rc::new(copy))
}

/// The first match at a byte position or later, which becomes `$~`.
///
/// # Errors
/// If the text is not valid, or it takes too many steps to find.
pub(crate) fn matched(
    vm: &mut Vm<'_>,
    regexp: &Rc<RegexpObject>,
    string: &Rc<StringObject>,
    start: usize,
) -> Result<Option<Rc<MatchData>>> {
    let groups = {
        let text = text_of(vm, string, "matching")?;
        vm.world.spend(text.len() / 128)?;
        search(vm, &searcher(vm, regexp, &text)?, start)?
    };
    let found = match groups {
        Some(groups) => {
            let text = frozen(vm, string)?;
            Some(Rc::new(MatchData { regexp: Rc::clone(regexp), text, groups: groups.into_vec() }))
        }
        None => None,
    };
    vm.set_last_match(found.clone());
    Ok(found)
}

/// The number of a group by its name.
///
/// # Errors
/// `IndexError` if no group has that name.
pub(crate) fn named_group(vm: &mut Vm<'_>, found: &MatchData, name: &Value) -> Result<usize> {
    let name = match name {
        Value::Symbol(it) => it.name().to_string(),
        other => {
            let name = vm.expect_string(other)?;
            match name.text() {
                Some(name) => name.to_owned(),
                None => return unsupported("the name of a group that is not text"),
            }
        }
    };
    match found.named(&name) {
        Some(index) => Ok(index),
        None => vm.raise(ErrorClass::Index, format!("undefined group name reference: {name}")),
    }
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if !matches!(call.this, Value::Class(class) if Rc::ptr_eq(class, vm.world.class("Regexp"))) {
        return unsupported("a subclass of Regexp");
    }
    if call.arguments.len() > 2 {
        return unsupported("Regexp.new with three arguments");
    }
    if let Value::Regexp(it) = call.required(0) {
        return match call.argument(1) {
            None | Some(Value::Nil) => Ok(Value::Regexp(Rc::clone(it))),
            Some(_) => unsupported("Regexp.new of an expression with options"),
        };
    }
    let options = match call.argument(1) {
        None | Some(Value::Nil | Value::Bool(false)) => 0,
        Some(Value::Bool(true)) => IGNORE_CASE,
        Some(Value::Integer(options)) => *options,
        Some(_) => return unsupported("Regexp.new with options that are not an integer"),
    };
    if options & !(IGNORE_CASE | EXTENDED | MULTI_LINE) != 0 {
        return unsupported("Regexp.new with options of encodings");
    }
    let source = vm.expect_string(call.required(0))?;
    let source = text_of(vm, &source, "a regular expression")?.to_owned();
    let options = Options {
        ignore_case: options & IGNORE_CASE != 0,
        extended: options & EXTENDED != 0,
        multi_line: options & MULTI_LINE != 0,
    };
    Ok(Value::Regexp(compile(vm, &source, options)?))
}

/// A string or symbol that is matched.
fn operand(vm: &mut Vm<'_>, value: &Value) -> Result<Rc<StringObject>> {
    match value {
        Value::Symbol(it) => Ok(Rc::new(symbol_text(*it))),
        other => vm.expect_string(other),
    }
}

fn escape(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let string = operand(vm, call.required(0))?;
    let quoted = quoted(&text_of(vm, &string, "Regexp.escape")?);
    text(vm, &quoted)
}

fn union(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let patterns = match call.arguments {
        [Value::Array(all)] => all.snapshot(),
        all => all.to_vec(),
    };
    let source = match &patterns[..] {
        [] => "(?!)".to_owned(),
        [Value::Regexp(only)] => return Ok(Value::Regexp(Rc::clone(only))),
        all => {
            let mut parts = Vec::with_capacity(all.len());
            for pattern in all {
                parts.push(match pattern {
                    Value::Regexp(it) => embedded(it),
                    other => {
                        let string = operand(vm, other)?;
                        quoted(&text_of(vm, &string, "Regexp.union")?)
                    }
                });
            }
            parts.join("|")
        }
    };
    Ok(Value::Regexp(compile(vm, &source, Options::default())?))
}

fn last_match(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let found = vm.last_match();
    match (found, call.argument(0)) {
        (None, _) => Ok(Value::Nil),
        (Some(found), None) => Ok(Value::Match(found)),
        (Some(found), Some(group @ (Value::String(_) | Value::Symbol(_)))) => {
            let index = named_group(vm, &found, group)?;
            Ok(found.group(index))
        }
        (Some(found), Some(group)) => {
            let index = vm.expect_integer(group)?;
            let index = from_end(index, found.groups.len()).filter(|it| index >= 0 || *it > 0);
            Ok(index.map_or(Value::Nil, |it| found.group(it)))
        }
    }
}

/// Whether the expression is restricted to one encoding: its source has characters beyond ASCII, escaped or not, or
/// properties.
fn is_fixed(regexp: &RegexpObject) -> Result<bool> {
    let source = regexp.source();
    let mut chars = source.chars();
    while let Some(it) = chars.next() {
        if it != '\\' {
            continue;
        }
        match chars.next() {
            Some('p' | 'P') => return Ok(true),
            Some('u' | 'x' | 'M') => {
                return unsupported("the encoding of a regular expression with escaped characters");
            }
            _ => {}
        }
    }
    Ok(!source.is_ascii())
}

fn options(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let Options { ignore_case, extended, multi_line } = this.options();
    let flags = [
        (ignore_case, IGNORE_CASE),
        (extended, EXTENDED),
        (multi_line, MULTI_LINE),
        (this.has_no_encoding(), NO_ENCODING),
    ];
    let fixed = if is_fixed(this)? { FIXED_ENCODING } else { 0 };
    Ok(Value::Integer(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum::<i64>() + fixed))
}

fn encoding(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let encoding = if is_fixed(this(call)?)? { Encoding::Utf8 } else { Encoding::Ascii };
    super::string::encoding_value(vm, encoding)
}

fn equal(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    Ok(Value::Bool(match call.required(0) {
        Value::Regexp(other) => this.source() == other.source() && this.options() == other.options(),
        _ => false,
    }))
}

fn position(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    if call.required(0).is_nil() {
        vm.set_last_match(None);
        return Ok(Value::Nil);
    }
    let string = operand(vm, call.required(0))?;
    match_position(vm, this, &string)
}

/// `string =~ regexp`: the index of the character at which the first match starts.
pub(crate) fn match_position(
    vm: &mut Vm<'_>,
    regexp: &Rc<RegexpObject>,
    string: &Rc<StringObject>,
) -> Result {
    let found = matched(vm, regexp, string, 0)?;
    let start = found.and_then(|it| it.groups.first().cloned().flatten()).map(|it| it.start);
    Ok(start
        .map_or(Value::Nil, |start| integer(Characters::of(&string.bytes(), string.encoding()).index(start))))
}

fn case_equal(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let string = match call.required(0) {
        Value::Symbol(it) => Rc::new(symbol_text(*it)),
        Value::String(it) => Rc::clone(it),
        other @ Value::Object(_) if vm.responds_to(other, "to_str") => vm.expect_string(other)?,
        _ => {
            vm.set_last_match(None);
            return Ok(Value::Bool(false));
        }
    };
    Ok(Value::Bool(matched(vm, this, &string, 0)?.is_some()))
}

/// The byte position from which a match is searched; None if it is outside.
fn start_of(vm: &mut Vm<'_>, string: &StringObject, start: Option<&Value>) -> Result<Option<usize>> {
    let Some(start) = start else { return Ok(Some(0)) };
    let start = vm.expect_integer(start)?;
    let bytes = string.bytes();
    let characters = Characters::of(&bytes, string.encoding());
    let index = if start < 0 { from_end(start, characters.count()) } else { usize::try_from(start).ok() };
    Ok(index.and_then(|it| characters.offset(it)))
}

fn match_(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    if call.required(0).is_nil() {
        vm.set_last_match(None);
        return Ok(Value::Nil);
    }
    let string = operand(vm, call.required(0))?;
    match_from(vm, this, &string, call)
}

/// `match`, with the position as second argument and a block of the call.
pub(crate) fn match_from(
    vm: &mut Vm<'_>,
    regexp: &Rc<RegexpObject>,
    string: &Rc<StringObject>,
    call: &Call<'_>,
) -> Result {
    let found = match start_of(vm, string, call.argument(1))? {
        Some(start) => matched(vm, regexp, string, start)?,
        None => {
            vm.set_last_match(None);
            None
        }
    };
    match (found, call.block) {
        (None, _) => Ok(Value::Nil),
        (Some(found), None) => Ok(Value::Match(found)),
        (Some(found), Some(block)) => vm.yield_to(block, &[Value::Match(found)]),
    }
}

fn is_match(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    if call.required(0).is_nil() {
        return Ok(Value::Bool(false));
    }
    let string = operand(vm, call.required(0))?;
    is_match_from(vm, this, &string, call.argument(1))
}

/// Evaluates `match?`, which leaves `$~` unchanged.
pub(crate) fn is_match_from(
    vm: &mut Vm<'_>,
    regexp: &RegexpObject,
    string: &Rc<StringObject>,
    start: Option<&Value>,
) -> Result {
    let Some(start) = start_of(vm, string, start)? else { return Ok(Value::Bool(false)) };
    let text = text_of(vm, string, "matching")?;
    if start > 0 {
        return Ok(Value::Bool(search(vm, &searcher(vm, regexp, &text)?, start)?.is_some()));
    }
    charge_search(vm, regexp, &text, 0..text.len())?;
    match regexp.regexp().is_match(&text) {
        Ok(is_match) => Ok(Value::Bool(is_match)),
        Err(error) => too_slow(&error),
    }
}

/// The names of groups, each once.
pub(crate) fn group_names(regexp: &RegexpObject) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in regexp.regexp().group_names() {
        if !names.iter().any(|it| it == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn names(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::array(group_names(this(call)?).into_iter().map(Value::string).collect()))
}

fn named_captures(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let numbers = |name: &str| {
        let all = this.regexp().group_names().filter(|(it, _)| *it == name);
        Value::Array(Rc::new(ArrayObject::new(all.map(|(_, index)| integer(index)).collect())))
    };
    Ok(Value::hash(group_names(this).into_iter().map(|name| {
        let indexes = numbers(&name);
        (Value::string(name), indexes)
    })))
}
