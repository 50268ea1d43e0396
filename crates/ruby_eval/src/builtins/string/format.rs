//! `format`, `sprintf`, `String#%`.

use std::rc::Rc;

use marotte_pcore::format::{
    Arguments, DirectiveError, FormatError, parse_float, parse_integer, sprintf_with,
};
use marotte_pcore::value::Integer;

use super::{made, this};
use crate::native::{Call, NativeClass, NativeMethod, at_least, exactly};
use crate::stop::{Result, Stop, unsupported};
use crate::value::{Encoding, StringObject};
use crate::vm::{ErrorClass, to_big};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[exactly("%", 1, percent)];

/// `Kernel#format` and `Kernel#sprintf`
pub(crate) static FORMAT: NativeClass = NativeClass {
    name: "Kernel",
    methods: &[KERNEL_METHODS],
    singleton_methods: &[KERNEL_METHODS],
    ..NativeClass::EMPTY
};

const KERNEL_METHODS: &[NativeMethod] =
    &[at_least("format", 0, kernel_format), at_least("sprintf", 0, kernel_format)];

fn kernel_format(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.arguments {
        [] => vm.argument_error("too few arguments"),
        [template, arguments @ ..] => {
            let template = vm.expect_string(template)?;
            format(vm, &template, arguments)
        }
    }
}

fn percent(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = Rc::clone(this(call)?);
    match call.required(0) {
        Value::Array(all) => {
            let all = all.snapshot();
            format(vm, &this, &all)
        }
        one @ Value::Object(_) if vm.responds_to(one, "to_ary") => {
            unsupported("String#% with an object that is like an array")
        }
        one => format(vm, &this, std::slice::from_ref(one)),
    }
}

/// The text of a format with arguments in it.
///
/// # Errors
/// If a directive is wrong, or an argument is missing or does not convert.
pub(crate) fn format(vm: &mut Vm<'_>, template: &StringObject, arguments: &[Value]) -> Result {
    let text = match template.text() {
        Some(text) => text.to_owned(),
        None if template.encoding() == Encoding::Utf8 => {
            return unsupported("a format with invalid characters");
        }
        None => return unsupported("a format that is binary"),
    };
    vm.world.spend(text.len() / 16)?;
    let formatted = sprintf_with(&text, &mut RubyArguments { vm, all: arguments });
    match formatted {
        Ok(out) => {
            let encoding = if out.is_ascii() { template.encoding() } else { Encoding::Utf8 };
            made(vm, out, encoding)
        }
        Err(Failure::Stop(stop)) => Err(stop),
        Err(Failure::Format(error)) => failed(vm, error),
    }
}

/// The text of a format that is written in Rust.
pub(crate) fn formatted(vm: &mut Vm<'_>, template: &str, arguments: &[Value]) -> Result<String> {
    let template = StringObject::new(template.as_bytes().to_vec(), Encoding::Utf8);
    let text = format(vm, &template, arguments)?;
    Ok(vm.to_s(&text)?.lossy())
}

fn failed(vm: &mut Vm<'_>, error: FormatError) -> Result {
    let class = match &error {
        FormatError::Directive(DirectiveError::UnknownKey(_)) => ErrorClass::Key,
        FormatError::Directive(_) | FormatError::InvalidNumber { .. } | FormatError::OneCharacter => {
            ErrorClass::Argument
        }
        FormatError::NotANumber { .. } | FormatError::NotAnInteger(_) => ErrorClass::Type,
        FormatError::NotFinite(_) => ErrorClass::FloatDomain,
        FormatError::InvalidCharacter => return unsupported("`%c` of a code that is not a character"),
        _ => return Err(Box::new(Stop::Exhausted(error.to_string()))),
    };
    vm.raise(class, error.to_string())
}

/// The reason why a text cannot be made.
enum Failure {
    Stop(Box<Stop>),
    Format(FormatError),
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Failure {
        Failure::Format(error)
    }
}

impl From<Box<Stop>> for Failure {
    fn from(stop: Box<Stop>) -> Failure {
        Failure::Stop(stop)
    }
}

struct RubyArguments<'a, 'h> {
    vm: &'a mut Vm<'h>,
    all: &'a [Value],
}

impl RubyArguments<'_, '_> {
    /// Appends a string, of which the encoding must be that of text.
    fn push(&mut self, out: &mut String, string: &StringObject) -> std::result::Result<(), Failure> {
        self.vm.world.allocate(string.bytes().len())?;
        match string.text() {
            Some(text) => out.push_str(&text),
            None => return Err(Failure::Stop(refused("a format with binary arguments"))),
        }
        Ok(())
    }

    fn cannot_convert(&self, value: &Value, expected: &'static str) -> Failure {
        Failure::Format(FormatError::NotANumber { actual: self.vm.conversion_name(value), expected })
    }
}

fn refused(construct: &str) -> Box<Stop> {
    Box::new(Stop::Unsupported(crate::Unsupported::new(construct)))
}

impl Arguments for RubyArguments<'_, '_> {
    type Value = Value;
    type Error = Failure;

    fn at(&self, index: usize) -> Option<Value> {
        self.all.get(index).cloned()
    }

    fn named(&mut self, name: &str) -> std::result::Result<Option<Value>, Failure> {
        let [Value::Hash(hash)] = self.all else {
            return Err(FormatError::Directive(DirectiveError::OneHash).into());
        };
        let key = Value::symbol(name);
        if let Some(value) = hash.get(&key) {
            return Ok(Some(value));
        }
        let default = match (hash.default_proc(), hash.default_value()) {
            (Some(_), _) => self.vm.call(&Value::Hash(Rc::clone(hash)), "[]", &[key])?,
            (None, Some(value)) => value,
            (None, None) => Value::Nil,
        };
        Ok(Some(default).filter(|it| !it.is_nil()))
    }

    fn whole(&mut self, value: &Value) -> std::result::Result<i64, Failure> {
        Ok(self.vm.expect_integer(value)?)
    }

    fn string(&mut self, value: &Value) -> Option<String> {
        match value {
            Value::String(it) => it.text().map(|it| it.to_owned()),
            _ => None,
        }
    }

    fn text(&mut self, out: &mut String, value: &Value) -> std::result::Result<(), Failure> {
        let text = self.vm.to_s(value)?;
        self.push(out, &text)
    }

    fn inspect(&mut self, out: &mut String, value: &Value) -> std::result::Result<(), Failure> {
        let text = self.vm.call(value, "inspect", &[])?;
        let text = self.vm.to_s(&text)?;
        self.push(out, &text)
    }

    fn exact(&mut self, value: &Value) -> Option<Integer> {
        to_big(value).map(Integer::from)
    }

    fn integer(&mut self, value: &Value) -> std::result::Result<Integer, Failure> {
        match value {
            Value::Integer(_) | Value::BigInteger(_) => Ok(Integer::from(to_big(value).unwrap_or_default())),
            Value::Float(it) if !it.is_finite() => Err(FormatError::NotFinite(*it).into()),
            Value::Float(it) => Ok(Integer::from(crate::vm::float_to_big(it.trunc()).unwrap_or_default())),
            Value::String(text) => {
                self.vm.world.spend(text.bytes().len().saturating_mul(text.bytes().len()) / 2_000)?;
                let number = text.text().and_then(|it| parse_integer(&it));
                let invalid =
                    || FormatError::InvalidNumber { text: super::inspected(text), expected: "Integer" };
                Ok(number.ok_or_else(invalid)?)
            }
            Value::Object(_) if self.vm.responds_to(value, "to_i") => {
                match self.vm.call(value, "to_i", &[])? {
                    number @ (Value::Integer(_) | Value::BigInteger(_)) => self.integer(&number),
                    _ => Err(Failure::Stop(refused("`%d` of an object"))),
                }
            }
            _ => Err(self.cannot_convert(value, "Integer")),
        }
    }

    fn float(&mut self, value: &Value) -> std::result::Result<f64, Failure> {
        match value {
            Value::Integer(it) => Ok(*it as f64),
            Value::BigInteger(it) => Ok(Integer::from(num_bigint::BigInt::clone(it)).to_f64()),
            Value::Float(it) => Ok(*it),
            Value::String(text) => {
                let number = text.text().and_then(|it| parse_float(&it));
                let shown = || marotte_pcore::format::quoted_bytes(&text.bytes());
                let invalid = || FormatError::InvalidNumber { text: shown(), expected: "Float" };
                Ok(number.ok_or_else(invalid)?)
            }
            Value::Object(_) if self.vm.responds_to(value, "to_f") => {
                match self.vm.call(value, "to_f", &[])? {
                    Value::Float(it) => Ok(it),
                    _ => Err(Failure::Stop(refused("`%f` of an object"))),
                }
            }
            _ => Err(self.cannot_convert(value, "Float")),
        }
    }
}
