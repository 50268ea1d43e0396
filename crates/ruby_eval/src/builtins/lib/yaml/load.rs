//! `YAML.load` and its like: the first document of a text as values.

use std::collections::HashMap;
use std::rc::Rc;

use base64::Engine as _;
use marotte_pcore::yaml::{Blanks, Fault, Scalar, ScalarError, alias_name, resolve, tagged_float};
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, StrInput, Tag};

use super::from_puppet;
use crate::stop::{Result, Stop, unsupported};
use crate::value::{Encoding, HashObject, StringObject};
use crate::{Symbol, Value, Vm};

/// The classes and features that a document may use in addition to plain data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Permitted {
    pub(super) symbols: bool,
    pub(super) regexps: bool,
    pub(super) times: bool,
    pub(super) dates: bool,
    pub(super) aliases: bool,
    /// Whether classes that are read from documents are not limited.
    pub(super) everything: bool,
    pub(super) symbolize_names: bool,
    pub(super) freeze: bool,
}

/// The maximal nesting of documents.
const DEPTH_LIMIT: usize = 128;

/// Reads the first document of a text; None if there is none.
pub(super) fn load(vm: &mut Vm<'_>, text: &str, permitted: Permitted) -> Result<Option<Value>> {
    vm.world.spend(text.len() / 16)?;
    vm.world.allocate(text.len())?;
    // Line breaks in version 1.1 of YAML, but not in 1.2.
    if text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return unsupported("YAML with line breaks beyond ASCII");
    }
    // Tabs are not valid indentation, which not all parsers check.
    let is_tabbed = |line: &str| {
        let rest = line.trim_start_matches(' ');
        rest.starts_with('\t') && !rest.trim_start_matches([' ', '\t', '\r']).is_empty()
    };
    if text.contains('\t') && text.lines().any(is_tabbed) {
        return unsupported("YAML with a tab at the start of a line");
    }
    let mut blanks = Blanks::default();
    loop {
        let spaced = blanks.apply(text);
        let source = spaced.text.strip_prefix('\u{feff}').unwrap_or(&spaced.text);
        let mut reader =
            Reader { source, parser: Parser::new_from_str(source), permitted, anchors: HashMap::default() };
        let error = match reader.document(vm) {
            Ok(value) => return Ok(value),
            Err(Failure::Stop(stop)) => return Err(stop),
            Err(Failure::Syntax(error)) => error,
        };
        let offset = spaced.text.len() - source.len();
        let at = byte_of(source, error.marker().index()) + offset;
        let at = spaced.original(at);
        let alias = text.get(at..).and_then(alias_name).filter(|_| error.info().ends_with("unknown anchor"));
        let fault = if alias.is_some() { Fault::UnknownAlias } else { Fault::Syntax(error.info()) };
        if blanks.repair(text, fault, at) {
            vm.world.spend(text.len() / 16)?;
            continue;
        }
        if let Some(name) = alias {
            return match permitted.aliases {
                true => vm.raise_named(
                    "Psych::AnchorNotDefined",
                    format!("An alias referenced an unknown anchor: {name}"),
                ),
                false => aliases_not_enabled(vm),
            };
        }
        // Version 1.2 has other rules for blocks with an indentation indicator.
        if text.as_bytes().windows(2).any(|it| matches!(it, [b'|' | b'>', b'1'..=b'9'])) {
            return unsupported("YAML with an indentation indicator");
        }
        // The words of the message are those of another parser.
        return super::raise_syntax_error(vm);
    }
}

fn byte_of(text: &str, index: usize) -> usize {
    text.char_indices().nth(index).map_or(text.len(), |(at, _)| at)
}

fn aliases_not_enabled<T>(vm: &mut Vm<'_>) -> Result<T> {
    let message = "Alias parsing was not enabled. To enable it, pass `aliases: true` to `Psych::load` or `Psych::safe_load`.";
    vm.raise_named("Psych::AliasesNotEnabled", message)
}

fn disallowed<T>(vm: &mut Vm<'_>, class: &str) -> Result<T> {
    vm.raise_named("Psych::DisallowedClass", format!("Tried to load unspecified class: {class}"))
}

enum Failure {
    Syntax(ScanError),
    Stop(Box<Stop>),
}

impl From<Box<Stop>> for Failure {
    fn from(stop: Box<Stop>) -> Failure {
        Failure::Stop(stop)
    }
}

type Read<T> = std::result::Result<T, Failure>;

/// The form of a node, which decides whether it merges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Scalar,
    Sequence,
    Mapping,
    Alias,
}

struct Reader<'t> {
    source: &'t str,
    parser: Parser<'t, StrInput<'t>>,
    permitted: Permitted,
    anchors: HashMap<usize, Value, foldhash::fast::FixedState>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Read<(Event<'t>, usize)> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, span.end.index())),
            Some(Err(error)) => Err(Failure::Syntax(error)),
            None => Ok((Event::StreamEnd, 0)),
        }
    }

    fn document(&mut self, vm: &mut Vm<'_>) -> Read<Option<Value>> {
        loop {
            let (event, end) = self.next()?;
            match event {
                Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
                Event::StreamEnd | Event::DocumentEnd => return Ok(None),
                event => {
                    let value = self.node(vm, event, end, 0)?.0;
                    // The text after the root up to the end of the document must be right as well.
                    self.next()?;
                    return Ok(Some(value));
                }
            }
        }
    }

    fn node(&mut self, vm: &mut Vm<'_>, event: Event<'t>, end: usize, depth: usize) -> Read<(Value, Form)> {
        vm.world.spend(1)?;
        vm.world.allocate(32)?;
        if depth > DEPTH_LIMIT {
            let message = "the YAML document is nested too deeply".to_owned();
            return Err(Failure::Stop(Box::new(Stop::Exhausted(message))));
        }
        let (value, form, anchor) = match event {
            Event::Alias(anchor) => {
                if !self.permitted.aliases {
                    return Ok(aliases_not_enabled(vm)?);
                }
                let Some(value) = self.anchors.get(&anchor) else {
                    return Ok(unsupported("YAML with an alias of itself")?);
                };
                return Ok((value.clone(), Form::Alias));
            }
            Event::Scalar(text, style, anchor, tag) => {
                let mut text = &*text;
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let is_last = || byte_of(self.source, end) >= self.source.len();
                if is_block && !self.source.ends_with(['\n', '\r']) && is_last() {
                    text = text.strip_suffix('\n').unwrap_or(text);
                }
                vm.world.allocate(text.len())?;
                let value = self.scalar(vm, text, style == ScalarStyle::Plain, tag.as_deref())?;
                (value, Form::Scalar, anchor)
            }
            Event::SequenceStart(anchor, tag) => {
                self.ensure_plain(vm, tag.as_deref(), "seq")?;
                let list = Value::array(Vec::new());
                if anchor != 0 {
                    self.anchors.insert(anchor, list.clone());
                }
                loop {
                    let (event, end) = self.next()?;
                    if event == Event::SequenceEnd {
                        break;
                    }
                    let item = self.node(vm, event, end, depth + 1)?.0;
                    if let Value::Array(list) = &list {
                        list.change(|items| items.push(item));
                    }
                }
                (list, Form::Sequence, anchor)
            }
            Event::MappingStart(anchor, tag) => {
                self.ensure_plain(vm, tag.as_deref(), "map")?;
                let hash = Rc::new(HashObject::default());
                if anchor != 0 {
                    self.anchors.insert(anchor, Value::Hash(Rc::clone(&hash)));
                }
                self.mapping(vm, &hash, depth)?;
                (Value::Hash(hash), Form::Mapping, anchor)
            }
            _ => return Ok(unsupported("YAML without a node")?),
        };
        if self.permitted.freeze {
            match &value {
                Value::String(it) => it.freeze(),
                Value::Array(it) => it.freeze(),
                Value::Hash(it) => it.freeze(),
                _ => {}
            }
        }
        if anchor != 0 {
            self.anchors.insert(anchor, value.clone());
        }
        Ok((value, form))
    }

    fn mapping(&mut self, vm: &mut Vm<'_>, hash: &Rc<HashObject>, depth: usize) -> Read<()> {
        loop {
            let (event, end) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(());
            }
            let has_text_tag =
                matches!(&event, Event::Scalar(_, _, _, Some(tag)) if full(tag) == "tag:yaml.org,2002:str");
            let (key, _) = self.node(vm, event, end, depth + 1)?;
            let (event, end) = self.next()?;
            let (value, form) = self.node(vm, event, end, depth + 1)?;
            let is_merge =
                matches!(&key, Value::String(it) if it.bytes().as_slice() == b"<<") && !has_text_tag;
            if is_merge && merge(hash, form, &value) {
                continue;
            }
            let key = match &key {
                Value::String(text) if self.permitted.symbolize_names => match text.text() {
                    Some(text) => Value::Symbol(Symbol::new(&text)),
                    None => return Ok(unsupported("a symbol with invalid bytes")?),
                },
                Value::Object(_) => return Ok(unsupported("YAML with an object as key")?),
                _ => key,
            };
            hash.insert(key, value);
        }
    }

    fn ensure_plain(&self, vm: &mut Vm<'_>, tag: Option<&Tag>, kind: &str) -> Result<()> {
        let Some(tag) = tag.map(full).filter(|it| it != "!") else { return Ok(()) };
        if tag.strip_prefix("tag:yaml.org,2002:") == Some(kind) {
            return Ok(());
        }
        match tag.strip_prefix("!ruby/object:").filter(|it| !it.is_empty() && *it != "Hash") {
            Some(class) if !self.permitted.everything => disallowed(vm, class),
            _ => unsupported(format!("YAML with the tag {tag}")),
        }
    }

    fn scalar(&self, vm: &mut Vm<'_>, text: &str, is_plain: bool, tag: Option<&Tag>) -> Result {
        let tag = tag.map(full);
        let resolved = match tag.as_deref() {
            None if !is_plain => return Ok(Value::from(text)),
            Some("tag:yaml.org,2002:str" | "!str" | "!ruby/string") => return Ok(Value::from(text)),
            Some("!binary" | "tag:yaml.org,2002:binary") => return binary(text),
            Some("tag:yaml.org,2002:float" | "!float") => {
                tagged_float(text).map(|it| Scalar::Value(marotte_pcore::value::Value::Float(it)))
            }
            Some("!ruby/regexp") if self.permitted.regexps || self.permitted.everything => {
                return regexp(vm, text);
            }
            Some("!ruby/regexp") => return disallowed(vm, "Regexp"),
            Some("!ruby/sym" | "!ruby/symbol") => Ok(Scalar::Symbol(text.to_owned())),
            None | Some("!") => resolve(text),
            Some(tag) => match tag.strip_prefix("tag:yaml.org,2002:") {
                Some("int" | "null" | "bool" | "timestamp" | "merge" | "value") => resolve(text),
                _ => return unsupported(format!("YAML with the tag {tag}")),
            },
        };
        match resolved {
            Ok(Scalar::Value(value)) => from_puppet(&value),
            Ok(Scalar::Symbol(name)) if self.permitted.symbols || self.permitted.everything => {
                Ok(Value::Symbol(Symbol::new(&name)))
            }
            Ok(Scalar::Symbol(_)) => disallowed(vm, "Symbol"),
            Ok(Scalar::Time) if self.permitted.everything || self.permitted.times => {
                unsupported("YAML with a time")
            }
            Ok(Scalar::Date) if self.permitted.everything || self.permitted.dates => {
                unsupported("YAML with a date")
            }
            Ok(Scalar::Time) => disallowed(vm, "Time"),
            Ok(Scalar::Date) => disallowed(vm, "Date"),
            Err(ScalarError::Number(text, class)) => {
                vm.argument_error(format!("invalid value for {class}(): {text:?}"))
            }
            Err(ScalarError::Digits) => unsupported("YAML with such a long number"),
            Err(ScalarError::NotANumber(found)) => vm.type_error(format!("can't convert {found} into Float")),
        }
    }
}

/// Merges the value of `<<`; returns whether it can be merged.
fn merge(hash: &Rc<HashObject>, form: Form, value: &Value) -> bool {
    match (form, value) {
        (Form::Alias | Form::Mapping, Value::Hash(other)) => {
            other.snapshot().into_iter().for_each(|(key, value)| hash.insert(key, value));
            true
        }
        (Form::Sequence, Value::Array(items)) => {
            let items = items.snapshot();
            let merged = Rc::new(HashObject::default());
            for item in items.iter().rev() {
                let Value::Hash(other) = item else { return false };
                other.snapshot().into_iter().for_each(|(key, value)| merged.insert(key, value));
            }
            merged.snapshot().into_iter().for_each(|(key, value)| hash.insert(key, value));
            true
        }
        _ => false,
    }
}

/// `/source/flags`
fn regexp(vm: &mut Vm<'_>, text: &str) -> Result {
    let parts = text.strip_prefix('/').and_then(|it| it.rsplit_once('/'));
    let Some((source, flags)) = parts.filter(|(source, flags)| {
        !source.contains('\n') && flags.bytes().all(|it| matches!(it, b'm' | b'i' | b'x'))
    }) else {
        return unsupported("YAML with such a regular expression");
    };
    let options = [('i', 1), ('x', 2), ('m', 4)].into_iter().filter(|(flag, _)| flags.contains(*flag));
    let options = options.map(|(_, bit)| bit).sum();
    let class = Value::Class(Rc::clone(vm.world.class("Regexp")));
    vm.call(&class, "new", &[Value::from(source), Value::Integer(options)])
}

fn binary(text: &str) -> Result {
    let digits: String = text.chars().filter(|it| !it.is_ascii_whitespace()).collect();
    match base64::engine::general_purpose::STANDARD.decode(digits) {
        Ok(bytes) => Ok(Value::String(Rc::new(StringObject::new(bytes, Encoding::Binary)))),
        Err(_) => unsupported("YAML with irregular base 64"),
    }
}

/// A tag with its handle.
fn full(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}
