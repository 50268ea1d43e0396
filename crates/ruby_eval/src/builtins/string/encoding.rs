//! `Encoding`, and the methods of strings that concern it.

use std::cell::Ref;
use std::rc::Rc;

use super::characters::Characters;
use super::transcode::{encode, scrubbed};
use super::{changeable, made, this};
use crate::native::{Call, NativeClass, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Data, Encoding, Object, StringObject};
use crate::{Symbol, Value, Vm};

/// `Encoding`
pub(crate) static ENCODING: NativeClass = NativeClass {
    name: "Encoding",
    superclass: Some("Object"),
    methods: &[ENCODING_METHODS],
    singleton_methods: &[ENCODING_SINGLETON_METHODS],
    constants: &[
        ("UTF_8", |vm| encoding_value(vm, Encoding::Utf8)),
        ("BINARY", |vm| encoding_value(vm, Encoding::Binary)),
        ("ASCII_8BIT", |vm| encoding_value(vm, Encoding::Binary)),
        ("US_ASCII", |vm| encoding_value(vm, Encoding::Ascii)),
        ("ASCII", |vm| encoding_value(vm, Encoding::Ascii)),
        ("ISO_8859_1", |_| unsupported("the encoding ISO-8859-1")),
        ("ISO_8859_15", |_| unsupported("the encoding ISO-8859-15")),
        ("WINDOWS_1252", |_| unsupported("the encoding Windows-1252")),
        ("UTF_16", |_| unsupported("the encoding UTF-16")),
        ("UTF_16LE", |_| unsupported("the encoding UTF-16LE")),
        ("UTF_16BE", |_| unsupported("the encoding UTF-16BE")),
        ("UTF_32LE", |_| unsupported("the encoding UTF-32LE")),
    ],
    ..NativeClass::EMPTY
};

/// The errors of conversions between encodings.
pub(crate) static ENCODING_ERRORS: [NativeClass; 4] = [
    NativeClass {
        name: "Encoding::CompatibilityError",
        superclass: Some("EncodingError"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Encoding::UndefinedConversionError",
        superclass: Some("EncodingError"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Encoding::InvalidByteSequenceError",
        superclass: Some("EncodingError"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Encoding::ConverterNotFoundError",
        superclass: Some("EncodingError"),
        ..NativeClass::EMPTY
    },
];

const ENCODING_METHODS: &[NativeMethod] = &[
    exactly("name", 0, name),
    exactly("to_s", 0, name),
    exactly("inspect", 0, |vm, call| {
        let text = format!("#<Encoding:{}>", this_encoding(call)?.name());
        made(vm, text, Encoding::Utf8)
    }),
    exactly("==", 1, equal),
    exactly("===", 1, equal),
    exactly("ascii_compatible?", 0, |_, _| Ok(Value::Bool(true))),
    exactly("dummy?", 0, |_, _| Ok(Value::Bool(false))),
];

const ENCODING_SINGLETON_METHODS: &[NativeMethod] = &[
    exactly("default_external", 0, |vm, _| encoding_value(vm, Encoding::Utf8)),
    exactly("default_internal", 0, |_, _| Ok(Value::Nil)),
    exactly("find", 1, |vm, call| {
        let encoding = expect_encoding(vm, call.required(0))?;
        encoding_value(vm, encoding)
    }),
    exactly("compatible?", 2, are_compatible),
];

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("encoding", 0, |vm, call| encoding_value(vm, this(call)?.encoding())),
    exactly("force_encoding", 1, force_encoding),
    exactly("valid_encoding?", 0, |_, call| Ok(Value::Bool(is_valid(this(call)?)))),
    exactly("ascii_only?", 0, |_, call| Ok(Value::Bool(this(call)?.bytes().is_ascii()))),
    between("encode", 0, 2, |vm, call| {
        let (bytes, encoding) = encode(vm, call, this(call)?)?;
        made(vm, bytes, encoding)
    })
    .with_keywords(),
    between("encode!", 0, 2, |vm, call| {
        let this = changeable(vm, call)?;
        let (bytes, encoding) = encode(vm, call, this)?;
        this.change(|it| *it = bytes);
        this.set_encoding(encoding);
        Ok(call.this.clone())
    })
    .with_keywords(),
    between("scrub", 0, 1, |vm, call| {
        let this = this(call)?;
        let bytes = scrubbed(vm, call, this)?;
        made(vm, bytes, this.encoding())
    }),
    between("scrub!", 0, 1, |vm, call| {
        let this = changeable(vm, call)?;
        let bytes = scrubbed(vm, call, this)?;
        this.change(|it| *it = bytes);
        Ok(call.this.clone())
    }),
    between("unicode_normalize", 0, 1, |vm, call| {
        let this = this(call)?;
        let bytes = normalized(vm, call, this)?;
        made(vm, bytes, this.encoding())
    }),
    between("unicode_normalize!", 0, 1, |vm, call| {
        let this = changeable(vm, call)?;
        let bytes = normalized(vm, call, this)?;
        this.change(|it| *it = bytes);
        Ok(call.this.clone())
    }),
    between("unicode_normalized?", 0, 1, |vm, call| {
        let this = this(call)?;
        Ok(Value::Bool(normalized(vm, call, this)? == *this.bytes()))
    }),
];

/// The state of an `Encoding` object.
#[derive(Debug)]
struct EncodingData(Encoding);

impl Data for EncodingData {
    fn eql(&self, other: &Ref<'_, Box<dyn Data>>) -> bool {
        let other: &dyn std::any::Any = &***other;
        other.downcast_ref::<EncodingData>().is_some_and(|it| it.0 == self.0)
    }

    fn key_hash(&self) -> Option<u64> {
        Some(self.0 as u64)
    }
}

/// The object of an encoding.
pub(crate) fn encoding_value(vm: &mut Vm<'_>, encoding: Encoding) -> Result {
    let class = Rc::clone(vm.world.class("Encoding"));
    // All strings of an encoding have the same object.
    let name = Symbol::new(encoding.name());
    if let Some(known) = class.variables.borrow().get(&name) {
        return Ok(known.clone());
    }
    let object = Value::Object(Object::new(Rc::clone(&class), EncodingData(encoding)));
    class.variables.borrow_mut().insert(name, object.clone());
    Ok(object)
}

fn encoding_of(value: &Value) -> Option<Encoding> {
    match value {
        Value::Object(it) => it.data_as::<EncodingData>().map(|it| it.0),
        _ => None,
    }
}

fn this_encoding(call: &Call<'_>) -> Result<Encoding> {
    match encoding_of(call.this) {
        Some(it) => Ok(it),
        None => unsupported(format!("Encoding#{} of another object", call.name)),
    }
}

/// An argument that is an encoding, or the name of one.
///
/// # Errors
/// `TypeError` if it is neither; not supported if the encoding is not known here.
pub(super) fn expect_encoding(vm: &mut Vm<'_>, value: &Value) -> Result<Encoding> {
    if let Some(encoding) = encoding_of(value) {
        return Ok(encoding);
    }
    let name = vm.expect_string(value)?.lossy();
    match name.to_ascii_uppercase().as_str() {
        "UTF-8" | "CP65001" | "LOCALE" | "EXTERNAL" | "FILESYSTEM" => Ok(Encoding::Utf8),
        "ASCII-8BIT" | "BINARY" => Ok(Encoding::Binary),
        "US-ASCII" | "ASCII" | "ANSI_X3.4-1968" | "646" => Ok(Encoding::Ascii),
        _ => unsupported(format!("the encoding {name}")),
    }
}

fn name(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    made(vm, this_encoding(call)?.name(), Encoding::Ascii)
}

fn equal(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this_encoding(call)?;
    Ok(Value::Bool(encoding_of(call.required(0)) == Some(this)))
}

fn are_compatible(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (Value::String(a), Value::String(b)) = (call.required(0), call.required(1)) else {
        return unsupported("Encoding.compatible? of objects that are not strings");
    };
    let same = a.encoding() == b.encoding() || a.bytes().is_ascii() || b.bytes().is_ascii();
    match same {
        true => {
            let encoding = super::compatible(vm, a, b)?;
            encoding_value(vm, encoding)
        }
        false => Ok(Value::Nil),
    }
}

fn is_valid(string: &StringObject) -> bool {
    match string.encoding() {
        Encoding::Utf8 => !Characters::of(&string.bytes(), Encoding::Utf8).is_broken(),
        Encoding::Ascii => string.bytes().is_ascii(),
        Encoding::Binary => true,
    }
}

fn force_encoding(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = changeable(vm, call)?;
    let encoding = expect_encoding(vm, call.required(0))?;
    if encoding != this.encoding() {
        this.change(|_| ());
        this.set_encoding(encoding);
    }
    Ok(call.this.clone())
}

fn normalized(vm: &mut Vm<'_>, call: &Call<'_>, this: &StringObject) -> Result<Vec<u8>> {
    let form = match call.argument(0) {
        None => "nfc".to_owned(),
        Some(Value::Symbol(form)) => form.name().to_string(),
        Some(_) => return unsupported("a form of normalization that is not a symbol"),
    };
    match this.encoding() {
        Encoding::Ascii => return Ok(this.bytes().clone()),
        Encoding::Utf8 => {}
        Encoding::Binary => {
            let message = "Unicode Normalization not appropriate for ASCII-8BIT";
            return vm.raise_named("Encoding::CompatibilityError", message);
        }
    }
    let text = super::text_of(vm, this, "normalization")?;
    vm.world.spend(text.len())?;
    let text = match &*form {
        "nfc" => icu_normalizer::ComposingNormalizerBorrowed::new_nfc().normalize(&text).into_owned(),
        "nfkc" => icu_normalizer::ComposingNormalizerBorrowed::new_nfkc().normalize(&text).into_owned(),
        "nfd" => icu_normalizer::DecomposingNormalizerBorrowed::new_nfd().normalize(&text).into_owned(),
        "nfkd" => icu_normalizer::DecomposingNormalizerBorrowed::new_nfkd().normalize(&text).into_owned(),
        _ => return vm.argument_error(format!("Invalid normalization form {form}.")),
    };
    Ok(text.into_bytes())
}
