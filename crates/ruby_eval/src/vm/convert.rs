//! Conversions that built-in methods share: texts of values, implicit conversions of arguments.

use std::rc::Rc;

use num_bigint::BigInt;

use super::Vm;
use crate::Value;
use crate::stop::{Result, Stop};
use crate::value::{ArrayObject, HashObject, StringObject};

impl Vm<'_> {
    /// The text of a value (`to_s`), as used by interpolation.
    ///
    /// # Errors
    /// If a method in Ruby raises an exception.
    pub fn to_s(&mut self, value: &Value) -> Result<Rc<StringObject>> {
        match value {
            Value::String(it) => Ok(Rc::clone(it)),
            _ => match self.call(value, "to_s", &[])? {
                Value::String(it) => Ok(it),
                _ => {
                    let text = format!("#<{}>", self.class_of(value).display_name());
                    Ok(Rc::new(StringObject::new(text.into_bytes(), crate::value::Encoding::Utf8)))
                }
            },
        }
    }

    /// The text of a value (`inspect`).
    ///
    /// # Errors
    /// If a method in Ruby raises an exception.
    pub fn inspect(&mut self, value: &Value) -> Result<String> {
        let inspected = self.call(value, "inspect", &[])?;
        Ok(self.to_s(&inspected)?.lossy())
    }

    /// The name of a value in `NoMethodError`: `nil:NilClass`, `"text":String`, `#<Foo>`.
    ///
    /// # Errors
    /// If a method in Ruby raises an exception.
    pub(crate) fn described(&mut self, value: &Value) -> Result<String> {
        match value {
            Value::Nil => Ok("nil:NilClass".to_owned()),
            Value::Bool(true) => Ok("true:TrueClass".to_owned()),
            Value::Bool(false) => Ok("false:FalseClass".to_owned()),
            Value::Class(it) => {
                let kind = if it.kind == crate::value::ClassKind::Module { "Module" } else { "Class" };
                let text = self.inspect(value)?;
                Ok(format!("{text}:{kind}"))
            }
            _ if self.is_main(value) => Ok("main:Object".to_owned()),
            _ => {
                let class = self.class_of(value).without_singletons().display_name();
                let text = match self.inspect(value).map_err(|it| *it) {
                    Ok(text) => text,
                    // The text contains an address, which differs each time in real Ruby.
                    Err(Stop::Unsupported(_)) => return Ok(self.any_to_s(value)),
                    Err(other) => return Err(Box::new(other)),
                };
                // The class is not added if the text already shows it, as that of objects does.
                Ok(match text.starts_with('#') {
                    true => text,
                    false => format!("{text}:{class}"),
                })
            }
        }
    }

    /// The name of a value in `NameError`.
    pub(crate) fn described_for_name(&mut self, value: &Value) -> Result<String> {
        self.described(value)
    }

    /// The text that objects have by default: `#<Foo>`, without the address, which is not known.
    pub(crate) fn any_to_s(&self, value: &Value) -> String {
        let class = self.class_of(value).without_singletons().display_name();
        format!("#<{class}>")
    }

    /// The name of a value in messages of failed conversions: `nil`, `true`, `false`, else the name of its class.
    pub fn conversion_name(&self, value: &Value) -> String {
        match value {
            Value::Nil => "nil".to_owned(),
            Value::Bool(it) => it.to_string(),
            _ => self.class_of(value).display_name(),
        }
    }

    /// An argument that must be a string, or have `to_str`.
    ///
    /// # Errors
    /// `TypeError` if it is not.
    pub fn expect_string(&mut self, value: &Value) -> Result<Rc<StringObject>> {
        match value {
            Value::String(it) => Ok(Rc::clone(it)),
            Value::Object(_) if self.responds_to(value, "to_str") => {
                match self.call(value, "to_str", &[])? {
                    Value::String(it) => Ok(it),
                    _ => self.no_conversion(value, "String"),
                }
            }
            _ => self.no_conversion(value, "String"),
        }
    }

    /// An argument that must be an integer that fits 64 bits, or convert to one (`to_int`): floats are cut off.
    ///
    /// # Errors
    /// `TypeError` if it is not; `RangeError` if it is too large.
    pub fn expect_integer(&mut self, value: &Value) -> Result<i64> {
        match value {
            Value::Integer(it) => Ok(*it),
            Value::BigInteger(_) => {
                self.raise(crate::vm::ErrorClass::Range, "bignum too big to convert into `long'")
            }
            Value::Float(it) => match float_to_big(it.trunc()).map(i64::try_from) {
                Some(Ok(it)) => Ok(it),
                _ => {
                    let number = Value::Float(*it);
                    let text = crate::builtins::string::formatted(self, "%.10g", &[number])?;
                    self.raise(crate::vm::ErrorClass::Range, format!("float {text} out of range of integer"))
                }
            },
            Value::Nil => self.type_error("no implicit conversion from nil to integer"),
            Value::Object(_) if self.responds_to(value, "to_int") => match self.call(value, "to_int", &[])? {
                Value::Integer(it) => Ok(it),
                _ => self.no_conversion(value, "Integer"),
            },
            _ => self.no_conversion(value, "Integer"),
        }
    }

    /// An argument that must be an array, or have `to_ary`.
    ///
    /// # Errors
    /// `TypeError` if it is not.
    pub fn expect_array(&mut self, value: &Value) -> Result<Rc<ArrayObject>> {
        match value {
            Value::Array(it) => Ok(Rc::clone(it)),
            Value::Object(_) if self.responds_to(value, "to_ary") => match self.call(value, "to_ary", &[])? {
                Value::Array(it) => Ok(it),
                _ => self.no_conversion(value, "Array"),
            },
            _ => self.no_conversion(value, "Array"),
        }
    }

    /// An argument that must be a hash, or have `to_hash`.
    ///
    /// # Errors
    /// `TypeError` if it is not.
    pub fn expect_hash(&mut self, value: &Value) -> Result<Rc<HashObject>> {
        match value {
            Value::Hash(it) => Ok(Rc::clone(it)),
            Value::Object(_) if self.responds_to(value, "to_hash") => {
                match self.call(value, "to_hash", &[])? {
                    Value::Hash(it) => Ok(it),
                    _ => self.no_conversion(value, "Hash"),
                }
            }
            _ => self.no_conversion(value, "Hash"),
        }
    }

    /// Raises `TypeError` for an argument that does not convert.
    ///
    /// # Errors
    /// Always.
    pub fn no_conversion<T>(&mut self, value: &Value, into: &str) -> Result<T> {
        let name = self.conversion_name(value);
        self.type_error(format!("no implicit conversion of {name} into {into}"))
    }
}

/// A float without fraction as an integer; None if it is infinite or not a number.
pub fn float_to_big(float: f64) -> Option<BigInt> {
    if !float.is_finite() {
        return None;
    }
    let bits = float.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let mantissa = match exponent == -1075 {
        true => (bits & 0xf_ffff_ffff_ffff) << 1,
        false => (bits & 0xf_ffff_ffff_ffff) | 0x10_0000_0000_0000,
    };
    let magnitude = match u32::try_from(exponent) {
        Ok(shift) => BigInt::from(mantissa) << shift,
        Err(_) => BigInt::from(mantissa.checked_shr(u32::try_from(-exponent).unwrap_or(64)).unwrap_or(0)),
    };
    Some(if float < 0.0 { -magnitude } else { magnitude })
}
