//! Texts of arrays: `join` and `inspect`.

use std::rc::Rc;

use crate::builtins::support::{this_array, try_array};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{ArrayObject, Encoding, StringObject};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("join", 0, 1, |vm, call| joined(vm, call.this, call.argument(0))),
    exactly("inspect", 0, inspect),
    exactly("to_s", 0, inspect),
    exactly("hash", 0, |vm, call| vm.hash_of(call.this)),
];

/// A growing text, with the encoding of its parts.
struct Text {
    bytes: Vec<u8>,
    encoding: Option<Encoding>,
}

impl Text {
    fn append(&mut self, vm: &mut Vm<'_>, text: &StringObject) -> Result<()> {
        let bytes = text.bytes();
        vm.world.allocate(bytes.len())?;
        match self.encoding {
            None => self.encoding = Some(text.encoding()),
            Some(encoding) if encoding != text.encoding() && !bytes.is_empty() => {
                if self.bytes.is_ascii() && !bytes.is_ascii() {
                    self.encoding = Some(text.encoding());
                } else if !bytes.is_ascii() {
                    return unsupported("joining strings of incompatible encodings");
                }
            }
            Some(_) => {}
        }
        self.bytes.extend_from_slice(&bytes);
        Ok(())
    }
}

/// The texts of all elements, with a separator between them.
pub(super) fn joined(vm: &mut Vm<'_>, this: &Value, separator: Option<&Value>) -> Result {
    if matches!(this, Value::Array(array) if array.is_empty()) {
        return Ok(Value::String(Rc::new(StringObject::new(Vec::new(), Encoding::Ascii))));
    }
    let separator = match separator {
        None | Some(Value::Nil) => None,
        Some(it) => Some(vm.expect_string(it)?),
    };
    let mut text = Text { bytes: Vec::new(), encoding: None };
    join_into(vm, this, separator.as_ref(), &mut text)?;
    let encoding = text.encoding.unwrap_or(Encoding::Ascii);
    Ok(Value::String(Rc::new(StringObject::new(text.bytes, encoding))))
}

fn join_into(
    vm: &mut Vm<'_>,
    this: &Value,
    separator: Option<&Rc<StringObject>>,
    text: &mut Text,
) -> Result<()> {
    let Value::Array(array) = this else { return Ok(()) };
    let joined = vm.guarded("join", this, |vm| join_elements(vm, array, separator, text))?;
    match joined {
        Some(()) => Ok(()),
        None => vm.argument_error("recursive array join"),
    }
}

fn join_elements(
    vm: &mut Vm<'_>,
    array: &Rc<ArrayObject>,
    separator: Option<&Rc<StringObject>>,
    text: &mut Text,
) -> Result<()> {
    let mut index = 0;
    while let Some(item) = array.get(index) {
        vm.world.spend(1)?;
        if index > 0
            && let Some(separator) = separator
        {
            text.append(vm, separator)?;
        }
        index += 1;
        match &item {
            Value::String(it) => text.append(vm, it)?,
            Value::Array(_) => join_into(vm, &item, separator, text)?,
            Value::Object(_) if vm.responds_to(&item, "to_str") => {
                let it = vm.expect_string(&item)?;
                text.append(vm, &it)?;
            }
            _ => match try_array(vm, &item)? {
                Some(inner) => join_into(vm, &Value::Array(inner), separator, text)?,
                None => {
                    let it = vm.to_s(&item)?;
                    text.append(vm, &it)?;
                }
            },
        }
    }
    Ok(())
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let array = this_array(call)?;
    let text = vm.guarded("inspect", call.this, |vm| {
        let mut text = String::from("[");
        let mut index = 0;
        while let Some(item) = array.get(index) {
            if index > 0 {
                text.push_str(", ");
            }
            index += 1;
            let item = vm.inspect(&item)?;
            vm.world.allocate(item.len())?;
            text.push_str(&item);
        }
        text.push(']');
        Ok(text)
    })?;
    Ok(Value::string(text.unwrap_or_else(|| "[...]".to_owned())))
}
