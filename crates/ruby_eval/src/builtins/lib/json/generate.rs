//! Writing JSON as version 2.6 of the `json` library does, which Ruby 3.2 brings.

use marotte_pcore::print::float_text;

use super::state::State;
use crate::stop::{Result, Stop};
use crate::value::{Encoding, StringObject};
use crate::{Symbol, Value, Vm};

/// The maximal nesting of values, if the options do not limit it.
const DEPTH_LIMIT: i64 = 10_000;

/// A value as a document.
pub(super) fn generate(vm: &mut Vm<'_>, state: State, value: &Value) -> Result {
    let mut generator = Generator { out: Vec::new(), state };
    generator.value(vm, value)?;
    generator.finish(vm)
}

/// A string as a document.
pub(super) fn generate_string(vm: &mut Vm<'_>, state: State, value: &StringObject) -> Result {
    let mut generator = Generator { out: Vec::new(), state };
    generator.string(vm, value)?;
    generator.finish(vm)
}

struct Generator {
    out: Vec<u8>,
    state: State,
}

impl Generator {
    fn finish(self, vm: &mut Vm<'_>) -> Result {
        vm.world.allocate(self.out.len())?;
        Ok(Value::String(std::rc::Rc::new(StringObject::new(self.out, Encoding::Utf8))))
    }

    fn value(&mut self, vm: &mut Vm<'_>, value: &Value) -> Result<()> {
        vm.world.spend(1)?;
        match value {
            Value::Nil => self.out.extend(b"null"),
            Value::Bool(it) => self.out.extend(it.to_string().bytes()),
            Value::Integer(it) => self.out.extend(it.to_string().bytes()),
            Value::BigInteger(it) => {
                vm.world.spend(it.bits() as usize / 8)?;
                self.out.extend(it.to_string().bytes());
            }
            Value::Float(it) if !it.is_finite() && !self.state.allow_nan => {
                return generator_error(vm, &format!("{} not allowed in JSON", float_text(*it)));
            }
            Value::Float(it) => self.out.extend(float_text(*it).bytes()),
            Value::String(it) => self.string(vm, it)?,
            Value::Array(it) => {
                self.open(vm, b'[')?;
                self.out.extend(&self.state.array_nl);
                let mut index = 0;
                while let Some(item) = it.get(index) {
                    if index > 0 {
                        self.out.push(b',');
                        self.out.extend(&self.state.array_nl);
                    }
                    self.indent(vm)?;
                    self.nested(vm, &item)?;
                    index += 1;
                }
                self.close(vm, b']')?;
            }
            Value::Hash(it) => {
                self.open(vm, b'{')?;
                for (index, (key, value)) in it.snapshot().iter().enumerate() {
                    if index > 0 {
                        self.out.push(b',');
                    }
                    self.out.extend(&self.state.object_nl);
                    self.indent(vm)?;
                    let key = match key {
                        Value::Symbol(name) => Value::string(&*name.name()),
                        other => Value::String(vm.to_s(other)?),
                    };
                    self.value(vm, &key)?;
                    self.out.extend(&self.state.space_before);
                    self.out.push(b':');
                    self.out.extend(&self.state.space);
                    self.nested(vm, value)?;
                }
                self.close(vm, b'}')?;
            }
            other => {
                let state = self.state.clone().into_value(vm);
                match vm.send(other, Symbol::new("to_json"), &[state], None, None)? {
                    Value::String(text) => {
                        vm.world.allocate(text.bytes().len())?;
                        self.out.extend(&*text.bytes());
                    }
                    result => {
                        let name = vm.conversion_name(&result);
                        return vm.type_error(format!("wrong argument type {name} (expected String)"));
                    }
                }
            }
        }
        Ok(())
    }

    fn nested(&mut self, vm: &mut Vm<'_>, value: &Value) -> Result<()> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.value(vm, value))
    }

    fn open(&mut self, vm: &mut Vm<'_>, bracket: u8) -> Result<()> {
        let State { depth, max_nesting, .. } = self.state;
        if max_nesting != 0 && depth + 1 > max_nesting {
            return vm.raise_named("JSON::NestingError", format!("nesting of {depth} is too deep"));
        }
        if depth > DEPTH_LIMIT {
            return Err(Box::new(Stop::Exhausted("the JSON document is nested too deeply".to_owned())));
        }
        self.state.depth += 1;
        self.out.push(bracket);
        Ok(())
    }

    fn close(&mut self, vm: &mut Vm<'_>, bracket: u8) -> Result<()> {
        self.state.depth -= 1;
        let newline = if bracket == b']' { &self.state.array_nl } else { &self.state.object_nl };
        if !newline.is_empty() {
            self.out.extend(newline);
            self.indent(vm)?;
        }
        self.out.push(bracket);
        Ok(())
    }

    fn indent(&mut self, vm: &Vm<'_>) -> Result<()> {
        let depth = usize::try_from(self.state.depth).unwrap_or(0);
        vm.world.spend(depth * self.state.indent.len() / 8)?;
        vm.world.allocate(depth * self.state.indent.len())?;
        for _ in 0..depth {
            self.out.extend(&self.state.indent);
        }
        Ok(())
    }

    fn string(&mut self, vm: &mut Vm<'_>, text: &StringObject) -> Result<()> {
        let bytes = text.bytes();
        vm.world.spend(bytes.len() / 8)?;
        vm.world.allocate(bytes.len())?;
        if let Err(message) = ensure_legal(&bytes) {
            return generator_error(vm, message);
        }
        let text = String::from_utf8_lossy(&bytes);
        self.out.push(b'"');
        for character in text.chars() {
            match character {
                '"' => self.out.extend(b"\\\""),
                '\\' => self.out.extend(b"\\\\"),
                '\n' => self.out.extend(b"\\n"),
                '\r' => self.out.extend(b"\\r"),
                '\t' => self.out.extend(b"\\t"),
                '\u{c}' => self.out.extend(b"\\f"),
                '\u{8}' => self.out.extend(b"\\b"),
                '/' if self.state.escape_slash => self.out.extend(b"\\/"),
                '\0'..='\u{1f}' => self.escape(character),
                '\u{80}'.. if self.state.ascii_only => self.escape(character),
                other => self.out.extend(other.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
        self.out.push(b'"');
        Ok(())
    }

    fn escape(&mut self, character: char) {
        for unit in character.encode_utf16(&mut [0; 2]) {
            self.out.extend(format!("\\u{unit:04x}").bytes());
        }
    }
}

fn generator_error<T>(vm: &mut Vm<'_>, message: &str) -> Result<T> {
    vm.raise_named("JSON::GeneratorError", message)
}

/// Whether bytes are UTF-8, with the message of the generator if they are not.
fn ensure_legal(bytes: &[u8]) -> std::result::Result<(), &'static str> {
    let Err(error) = std::str::from_utf8(bytes) else { return Ok(()) };
    let rest = bytes.get(error.valid_up_to()..).unwrap_or_default();
    let length = match rest.first() {
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf7) => 4,
        Some(0xf8..=0xfb) => 5,
        Some(0xfc..=0xff) => 6,
        _ => 1,
    };
    Err(match length > rest.len() {
        true => "partial character in source, but hit end",
        false => "source sequence is illegal/malformed utf-8",
    })
}
