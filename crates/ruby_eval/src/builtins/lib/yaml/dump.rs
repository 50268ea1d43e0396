//! `to_yaml`: values as the events of a document.

use std::collections::HashMap;
use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use marotte_pcore::print::float_text;
use marotte_pcore::yaml::{Event, Options, ScalarError, Style, emit, text_style};

use crate::stop::{Result, Stop, unsupported};
use crate::value::{Class, Encoding, HashObject, StringObject};
use crate::{Value, Vm};

/// The maximal nesting of values.
const DEPTH_LIMIT: usize = 10_000;

/// A value as a document.
pub(super) fn dump(vm: &mut Vm<'_>, value: &Value, options: Option<&HashObject>) -> Result {
    let (layout, width) = layout(vm, options)?;
    let mut dumper =
        Dumper { events: Vec::new(), seen: HashMap::default(), kept: Vec::new(), anchors: 0, width };
    dumper.value(vm, value, 0)?;
    let size =
        dumper.events.iter().map(|it| if let Event::Scalar { text, .. } = it { text.len() } else { 8 });
    let size: usize = size.sum();
    vm.world.spend(size)?;
    // Indentation is written again on each line.
    vm.world.allocate(size.saturating_mul(4))?;
    let text = emit(&dumper.events, &layout);
    vm.world.allocate(text.len())?;
    Ok(Value::String(Rc::new(StringObject::new(text.into_bytes(), Encoding::Utf8))))
}

/// The layout by the options of `to_yaml`, and the width beyond which texts are folded.
fn layout(vm: &mut Vm<'_>, options: Option<&HashObject>) -> Result<(Options, Option<usize>)> {
    let mut layout = Options::default();
    let Some(options) = options else { return Ok((layout, None)) };
    if options.get_symbol("canonical").is_some_and(|it| it.is_truthy()) {
        return unsupported("to_yaml with canonical");
    }
    if options.get_symbol("header").is_some_and(|it| it.is_truthy()) {
        layout.version = Some("1.1");
    }
    match options.get_symbol("version") {
        None => {}
        Some(Value::String(it)) if it.text().as_deref() == Some("1.1") => layout.version = Some("1.1"),
        Some(Value::String(it)) if it.text().as_deref() == Some("1.2") => layout.version = Some("1.2"),
        Some(_) => return unsupported("to_yaml with this version"),
    }
    if let Some(indentation) = options.get_symbol("indentation") {
        let indentation = vm.expect_integer(&indentation)?;
        layout.indentation = usize::try_from(indentation).ok().filter(|it| (2..=9).contains(it)).unwrap_or(2);
    }
    let mut fold = None;
    if let Some(width) = options.get_symbol("line_width") {
        let width = vm.expect_integer(&width)?;
        match usize::try_from(width) {
            Ok(width) => {
                layout.width = Some(if width <= layout.indentation * 2 { 80 } else { width });
                fold = Some(width);
            }
            Err(_) if width == -1 => layout.width = None,
            Err(_) => {
                return vm.argument_error(format!(
                    "Invalid line_width {width}, must be non-negative or -1 for unlimited."
                ));
            }
        }
    }
    Ok((layout, fold))
}

struct Dumper {
    events: Vec<Event>,
    /// The event at which an object was written, by its address.
    seen: HashMap<usize, usize, foldhash::fast::FixedState>,
    /// The objects of `seen`, which must not be freed.
    kept: Vec<Value>,
    anchors: usize,
    width: Option<usize>,
}

fn plain(text: impl Into<String>) -> Event {
    tagged(text, None, Style::Plain, false)
}

/// A scalar that is plain without a tag. `quoted` says whether it may be quoted without one.
fn tagged(text: impl Into<String>, tag: Option<&'static str>, style: Style, quoted: bool) -> Event {
    Event::Scalar { anchor: None, tag, text: text.into(), plain: tag.is_none(), quoted, style }
}

fn address(value: &Value) -> Option<usize> {
    Some(match value {
        Value::Array(it) => Rc::as_ptr(it).addr(),
        Value::Hash(it) => Rc::as_ptr(it).addr(),
        Value::Range(it) => Rc::as_ptr(it).addr(),
        Value::Regexp(it) => Rc::as_ptr(it).addr(),
        Value::Class(it) => Rc::as_ptr(it).addr(),
        Value::Object(it) => Rc::as_ptr(it).addr(),
        _ => return None,
    })
}

impl Dumper {
    /// Registers an object that is written next. Returns true if it was written before, and becomes an alias.
    fn is_alias(&mut self, value: &Value) -> bool {
        let Some(address) = address(value) else { return false };
        let Some(index) = self.seen.get(&address).copied() else {
            self.seen.insert(address, self.events.len());
            self.kept.push(value.clone());
            return false;
        };
        let anchor = match self.events.get_mut(index) {
            Some(
                Event::Scalar { anchor, .. }
                | Event::SequenceStart { anchor, .. }
                | Event::MappingStart { anchor, .. },
            ) => anchor,
            _ => return false,
        };
        let anchor = *anchor.get_or_insert_with(|| {
            self.anchors += 1;
            self.anchors
        });
        self.events.push(Event::Alias(anchor));
        true
    }

    fn value(&mut self, vm: &mut Vm<'_>, value: &Value, depth: usize) -> Result<()> {
        vm.world.spend(1)?;
        vm.world.allocate(32)?;
        if depth > DEPTH_LIMIT {
            return Err(Box::new(Stop::Exhausted("the value is nested too deeply for YAML".to_owned())));
        }
        if self.is_alias(value) {
            return Ok(());
        }
        match value {
            Value::Nil => {
                let text = String::new();
                let (tag, style) = (Some("tag:yaml.org,2002:null"), Style::Plain);
                self.events.push(Event::Scalar {
                    anchor: None,
                    tag,
                    text,
                    plain: true,
                    quoted: false,
                    style,
                });
            }
            Value::Bool(it) => self.events.push(plain(it.to_string())),
            Value::Integer(it) => self.events.push(plain(it.to_string())),
            Value::BigInteger(it) => {
                vm.world.spend(it.bits() as usize / 8)?;
                self.events.push(plain(it.to_string()));
            }
            Value::Float(it) if it.is_nan() => self.events.push(plain(".nan")),
            Value::Float(it) if it.is_infinite() => {
                self.events.push(plain(if *it > 0.0 { ".inf" } else { "-.inf" }));
            }
            Value::Float(it) => self.events.push(plain(float_text(*it))),
            Value::Symbol(it) if it.name().is_empty() => {
                self.events.push(tagged("", Some("!ruby/symbol"), Style::Plain, false));
            }
            Value::Symbol(it) => self.events.push(plain(format!(":{}", it.name()))),
            Value::String(it) => self.string(vm, it)?,
            Value::Array(it) => {
                self.events.push(Event::SequenceStart { anchor: None, tag: None });
                let mut index = 0;
                while let Some(item) = it.get(index) {
                    self.nested(vm, &item, depth)?;
                    index += 1;
                }
                self.events.push(Event::SequenceEnd);
            }
            Value::Hash(it) => self.mapping(vm, None, it.snapshot(), depth)?,
            Value::Range(it) => {
                let exclusive = Value::Bool(it.exclusive);
                let entries = [("begin", it.begin.clone()), ("end", it.end.clone()), ("excl", exclusive)];
                let entries = entries.into_iter().map(|(name, value)| (Value::from(name), value));
                self.mapping(vm, Some("!ruby/range".to_owned()), entries.collect(), depth)?;
            }
            Value::Regexp(_) => {
                let text = vm.inspect(value)?;
                self.events.push(tagged(text, Some("!ruby/regexp"), Style::Plain, false));
            }
            Value::Class(it) => {
                let is_module = it.kind == crate::value::ClassKind::Module;
                let name = it.name.borrow().clone();
                if name.is_empty() {
                    return unsupported("to_yaml of a class without a name");
                }
                let tag = Some(if is_module { "!ruby/module" } else { "!ruby/class" });
                self.events.push(tagged(name, tag, Style::SingleQuoted, false));
            }
            Value::Object(it) => {
                if let Some(text) = super::super::time::yaml_text(it) {
                    self.events.push(plain(text));
                    return Ok(());
                }
                let class: Rc<Class> = it.class();
                let name = class.display_name();
                if it.data_as::<()>().is_none() || vm.responds_to(value, "encode_with") {
                    return unsupported(format!("to_yaml of a {name}"));
                }
                let tag =
                    if name == "Object" { "!ruby/object".to_owned() } else { format!("!ruby/object:{name}") };
                let variables = it.variables();
                let own = variables
                    .iter()
                    .map(|(name, value)| (Value::from(name.name().trim_start_matches('@')), value.clone()));
                let entries: Vec<(Value, Value)> = own.collect();
                drop(variables);
                self.events.push(Event::MappingStart { anchor: None, tag: Some(tag) });
                for (name, value) in entries {
                    self.events.push(plain(vm.to_s(&name)?.lossy()));
                    self.nested(vm, &value, depth)?;
                }
                self.events.push(Event::MappingEnd);
            }
            Value::Match(_) | Value::Proc(_) => {
                let name = vm.class_of(value).display_name();
                return unsupported(format!("to_yaml of a {name}"));
            }
        }
        Ok(())
    }

    fn nested(&mut self, vm: &mut Vm<'_>, value: &Value, depth: usize) -> Result<()> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.value(vm, value, depth + 1))
    }

    fn mapping(
        &mut self,
        vm: &mut Vm<'_>,
        tag: Option<String>,
        entries: Vec<(Value, Value)>,
        depth: usize,
    ) -> Result<()> {
        self.events.push(Event::MappingStart { anchor: None, tag });
        for (key, value) in entries {
            self.nested(vm, &key, depth)?;
            self.nested(vm, &value, depth)?;
        }
        self.events.push(Event::MappingEnd);
        Ok(())
    }

    fn string(&mut self, vm: &mut Vm<'_>, string: &StringObject) -> Result<()> {
        let length = string.bytes().len();
        vm.world.spend(length / 4)?;
        vm.world.allocate(length)?;
        if string.encoding() == Encoding::Binary && !string.bytes().is_ascii() {
            let text = STANDARD.encode(&*string.bytes());
            self.events.push(tagged(text, Some("!binary"), Style::Literal, false));
            return Ok(());
        }
        let Some(text) = string.text().map(|it| it.to_owned()) else {
            let name = string.encoding().name();
            return vm.argument_error(format!("invalid byte sequence in {name}"));
        };
        match text_style(text, self.width) {
            Ok(event) => self.events.push(event),
            Err(ScalarError::Number(text, class)) => {
                return vm.argument_error(format!("invalid value for {class}(): {text:?}"));
            }
            Err(ScalarError::NotANumber(_) | ScalarError::Digits) => {
                return unsupported("to_yaml of this text");
            }
        }
        Ok(())
    }
}
