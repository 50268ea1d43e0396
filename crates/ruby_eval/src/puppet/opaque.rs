//! Puppet values that are objects of Puppet's own classes in Ruby: types, sensitive values, times, versions, binaries.

use std::cell::Ref;
use std::rc::Rc;

use marotte_pcore::binary::{Binary, BinaryFormat};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::{inspected, plain_text};
use marotte_pcore::print::literal;
use marotte_pcore::relation::instance_of;
use marotte_pcore::types::{LOOKUP_CONTEXT, Type, TypeKind};
use marotte_pcore::value::{Sensitive, Unknown, UnknownSource, Value as PuppetValue};

use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, Stop, unsupported};
use crate::value::{Data, Encoding, Object, StringObject};
use crate::{Value, Vm};

/// The state of such an object.
#[derive(Clone, Debug)]
pub(crate) struct Opaque {
    value: PuppetValue,
    /// Counts the objects of a world with unknown values.
    _unknown: Option<Rc<()>>,
}

impl Opaque {
    /// The Puppet value.
    pub(crate) fn value(&self) -> &PuppetValue {
        &self.value
    }
}

impl Data for Opaque {
    fn eql(&self, other: &Ref<'_, Box<dyn Data>>) -> bool {
        let other: &dyn std::any::Any = &***other;
        other.downcast_ref::<Opaque>().is_some_and(|it| it.value == self.value)
    }

    fn key_hash(&self) -> Option<u64> {
        Some(0)
    }

    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

/// The object of a value that has a class of Puppet's own, or is unknown.
pub(crate) fn wrap(vm: &mut Vm<'_>, value: PuppetValue) -> Value {
    let class = match &value {
        PuppetValue::Type(it) => match it.resolved().kind() {
            TypeKind::Resource(_) => "Puppet::Pops::Types::PResourceType",
            TypeKind::Class(_) => "Puppet::Pops::Types::PClassType",
            _ => "Puppet::Pops::Types::PAnyType",
        },
        PuppetValue::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        PuppetValue::Timespan(_) => "Puppet::Pops::Time::Timespan",
        PuppetValue::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        PuppetValue::SemVer(_) => "SemanticPuppet::Version",
        PuppetValue::SemVerRange(_) => "SemanticPuppet::VersionRange",
        PuppetValue::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        PuppetValue::Object(it) if it.object_type == *LOOKUP_CONTEXT => "Puppet::LookupContext",
        _ => "Puppet::Pops::Types::PuppetObject",
    };
    let class = Rc::clone(vm.world.class(class));
    let unknown = value.has_unknown().then(|| vm.world.new_unknown());
    Value::Object(Object::new(class, Opaque { value, _unknown: unknown }))
}

/// The Puppet value of a receiver.
fn this(call: &Call<'_>) -> Result<PuppetValue> {
    of(call.this)
}

/// The Puppet value of an object.
///
/// # Errors
/// If it has none.
pub(crate) fn value(value: &Value) -> Result<PuppetValue> {
    of(value)
}

fn of(value: &Value) -> Result<PuppetValue> {
    match value {
        Value::Object(it) => match it.data_as::<Opaque>() {
            Some(opaque) => Ok(opaque.value.clone()),
            None => unsupported("an object without a Puppet value"),
        },
        _ => unsupported("a value that is not Puppet's own"),
    }
}

fn to_s(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let value = this(call)?;
    // Unlike in Puppet code, a reference is a type like others.
    if matches!(value, PuppetValue::Type(_)) {
        return Ok(Value::string(literal(&value)));
    }
    match plain_text(Dialect::puppet8(), &value) {
        Ok(text) => Ok(Value::string(text)),
        Err(_) => unsupported("the text of such a value"),
    }
}

/// Ruby shows most objects with an address.
fn inspect(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match this(call)? {
        value @ (PuppetValue::SemVer(_) | PuppetValue::SemVerRange(_)) => match inspected(&value) {
            Ok(text) => Ok(Value::string(text)),
            Err(_) => unsupported("the text of such a value"),
        },
        // Messages show addresses, too: what is only logged need not be known.
        _ => Err(Box::new(Stop::Unknown(Unknown::new(UnknownSource::RubyObject)))),
    }
}

/// The class of a value that only has the common class of several here.
fn class(_: &mut Vm<'_>, _: &Call<'_>) -> Result {
    unsupported("the class of such a value of Puppet")
}

fn equal(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    Ok(Value::Bool(of(call.required(0)).is_ok_and(|it| it == this)))
}

/// The methods that all these objects have.
pub(super) static COMMON: [NativeMethod; 4] = [
    exactly("to_s", 0, to_s),
    exactly("inspect", 0, inspect),
    exactly("==", 1, equal),
    exactly("eql?", 1, equal),
];

macro_rules! opaque_class {
    ($static:ident $name:literal $superclass:literal $($methods:expr)?) => {
        #[doc = concat!("`", $name, "`")]
        pub(crate) static $static: NativeClass = NativeClass {
            name: $name,
            superclass: Some($superclass),
            methods: &[&COMMON, $($methods)?],
            ..NativeClass::EMPTY
        };
    };
}

opaque_class!(ANY_TYPE "Puppet::Pops::Types::PAnyType" "Object" &TYPE_METHODS);
opaque_class!(RESOURCE_TYPE "Puppet::Pops::Types::PResourceType" "Puppet::Pops::Types::PAnyType" &REFERENCE_METHODS);
opaque_class!(CLASS_TYPE "Puppet::Pops::Types::PClassType" "Puppet::Pops::Types::PAnyType" &REFERENCE_METHODS);
opaque_class!(TIMESPAN "Puppet::Pops::Time::Timespan" "Object");
opaque_class!(TIMESTAMP "Puppet::Pops::Time::Timestamp" "Object");
/// `Puppet::Pops::Types::PBinaryType::Binary`
pub(crate) static BINARY: NativeClass = NativeClass {
    name: "Puppet::Pops::Types::PBinaryType::Binary",
    superclass: Some("Object"),
    methods: &[&COMMON, &BINARY_METHODS],
    singleton_methods: &[&[
        exactly("new", 1, from_bytes),
        exactly("from_binary_string", 1, from_bytes),
        exactly("from_string", 1, |vm, call| match vm.expect_string(call.required(0))?.text() {
            Some(text) => Ok(wrap(vm, PuppetValue::Binary(Binary::from(text.as_bytes().to_vec())))),
            None => unsupported("Binary.from_string of such a string"),
        }),
        exactly("from_base64", 1, |vm, call| decoded(vm, call, BinaryFormat::Relaxed)),
        exactly("from_base64_strict", 1, |vm, call| decoded(vm, call, BinaryFormat::Strict)),
        exactly("from_base64_urlsafe", 1, |vm, call| decoded(vm, call, BinaryFormat::UrlSafe)),
    ]],
    ..NativeClass::EMPTY
};

fn from_bytes(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let bytes = vm.expect_string(call.required(0))?.bytes().clone();
    Ok(wrap(vm, PuppetValue::Binary(Binary::from(bytes))))
}

fn decoded(vm: &mut Vm<'_>, call: &Call<'_>, format: BinaryFormat) -> Result {
    let text = vm.expect_string(call.required(0))?.lossy();
    match Binary::decode(&text, format) {
        Ok(binary) => Ok(wrap(vm, PuppetValue::Binary(binary))),
        Err(error) => vm.argument_error(error.to_string()),
    }
}

fn binary(call: &Call<'_>) -> Result<Binary> {
    match this(call)? {
        PuppetValue::Binary(it) => Ok(it),
        _ => unsupported("such a binary"),
    }
}

static BINARY_METHODS: [NativeMethod; 4] = [
    exactly("relaxed_to_s", 0, |_, call| Ok(Value::string(binary(call)?.to_base64_lines()))),
    exactly("urlsafe_to_s", 0, |_, call| Ok(Value::string(binary(call)?.to_base64_urlsafe()))),
    exactly("length", 0, |_, call| {
        Ok(Value::Integer(i64::try_from(binary(call)?.len()).unwrap_or(i64::MAX)))
    }),
    exactly("binary_buffer", 0, |_, call| {
        let bytes = StringObject::new(binary(call)?.bytes().to_vec(), Encoding::Binary);
        bytes.freeze();
        Ok(Value::String(Rc::new(bytes)))
    }),
];
opaque_class!(OBJECT "Puppet::Pops::Types::PuppetObject" "Object" &[exactly("class", 0, class)]);

static TYPE_METHODS: [NativeMethod; 4] = [
    exactly("class", 0, class),
    exactly("instance?", 1, |vm, call| {
        let PuppetValue::Type(wanted) = this(call)? else {
            return unsupported("instance? of such a value");
        };
        let value = vm.export(call.required(0))?;
        Ok(Value::Bool(instance_of(Dialect::puppet8(), &wanted, &value)))
    }),
    exactly("values", 0, |_, call| Ok(Value::array(enum_values(call)?))),
    exactly("each", 0, |vm, call| {
        let values = enum_values(call)?;
        let block = call.needed_block()?;
        for value in &values {
            vm.yield_to(block, std::slice::from_ref(value))?;
        }
        Ok(Value::array(values))
    }),
];

/// Returns the strings of an `Enum` type, in its order.
fn enum_values(call: &Call<'_>) -> Result<Vec<Value>> {
    let PuppetValue::Type(it) = this(call)? else { return unsupported("the values of such a type") };
    match it.resolved().kind() {
        TypeKind::Enum(it) => Ok(it.values().iter().map(|it| Value::from(&**it)).collect()),
        _ => unsupported(format!("{} of this type", call.name)),
    }
}

static REFERENCE_METHODS: [NativeMethod; 4] = [
    exactly("class", 0, |vm, call| Ok(Value::Class(vm.class_of(call.this).without_singletons()))),
    exactly("type_name", 0, |_, call| reference_part(call, |name, _| name)),
    exactly("title", 0, |_, call| reference_part(call, |_, title| title)),
    exactly("class_name", 0, |_, call| reference_part(call, |_, title| title)),
];

fn reference_part(
    call: &Call<'_>,
    part: impl FnOnce(Option<String>, Option<String>) -> Option<String>,
) -> Result {
    let PuppetValue::Type(it) = this(call)? else { return unsupported("such a reference") };
    let (name, title) = match it.resolved().kind() {
        TypeKind::Resource(it) => {
            (it.type_name.as_ref().map(ToString::to_string), it.title.as_ref().map(ToString::to_string))
        }
        TypeKind::Class(name) => (Some("Class".to_owned()), name.as_ref().map(ToString::to_string)),
        _ => return unsupported("such a reference"),
    };
    Ok(part(name, title).into())
}

/// `Puppet::Pops::Types::PSensitiveType::Sensitive`
pub(crate) static SENSITIVE: NativeClass = NativeClass {
    name: "Puppet::Pops::Types::PSensitiveType::Sensitive",
    superclass: Some("Object"),
    methods: &[&[
        exactly("unwrap", 0, |vm, call| match this(call)? {
            PuppetValue::Sensitive(it) => vm.import(it.unwrap()),
            _ => unsupported("unwrap of such a value"),
        }),
        exactly("to_s", 0, |_, _| Ok(Value::from("Sensitive [value redacted]"))),
        exactly("inspect", 0, |_, _| Ok(Value::from("#<Sensitive [value redacted]>"))),
        exactly("==", 1, |vm, call| {
            let other = vm.export(call.required(0))?;
            Ok(Value::Bool(this(call)? == other))
        }),
    ]],
    singleton_methods: &[&[exactly("new", 1, |vm, call| {
        let value = vm.export(call.required(0))?;
        Ok(wrap(vm, PuppetValue::Sensitive(Sensitive::new(value))))
    })]],
    ..NativeClass::EMPTY
};

/// `Puppet::Pops::Types::PSensitiveType`
pub(crate) static SENSITIVE_TYPE: NativeClass = NativeClass {
    name: "Puppet::Pops::Types::PSensitiveType",
    superclass: Some("Puppet::Pops::Types::PAnyType"),
    ..NativeClass::EMPTY
};

/// `Puppet::Pops::Types::PBinaryType`
pub(crate) static BINARY_TYPE: NativeClass = NativeClass {
    name: "Puppet::Pops::Types::PBinaryType",
    superclass: Some("Puppet::Pops::Types::PAnyType"),
    ..NativeClass::EMPTY
};

/// `Puppet::Pops::Types::TypeParser`
pub(crate) static TYPE_PARSER: NativeClass = NativeClass {
    name: "Puppet::Pops::Types::TypeParser",
    superclass: Some("Object"),
    methods: &[&[between("parse", 1, 2, |vm, call| {
        let text = vm.expect_string(call.required(0))?.lossy();
        let parsed = vm.host.parse_type(&text);
        let parsed = vm.answered(parsed)?;
        vm.import(&parsed)
    })]],
    singleton_methods: &[&[exactly("singleton", 0, |vm, call| vm.call(call.this, "new", &[]))]],
    ..NativeClass::EMPTY
};

/// `Puppet::Pops::Types::TypeCalculator`
pub(crate) static TYPE_CALCULATOR: NativeClass = NativeClass {
    name: "Puppet::Pops::Types::TypeCalculator",
    superclass: Some("Object"),
    methods: &[&CALCULATIONS],
    singleton_methods: &[
        &CALCULATIONS,
        &[
            exactly("singleton", 0, |_, call| Ok(call.this.clone())),
            exactly("instance", 0, |_, call| Ok(call.this.clone())),
        ],
    ],
    ..NativeClass::EMPTY
};

static CALCULATIONS: [NativeMethod; 5] = [
    exactly("infer", 1, |vm, call| {
        let value = vm.export(call.required(0))?;
        let found = marotte_pcore::infer::infer(Dialect::puppet8(), &value);
        Ok(wrap(vm, PuppetValue::Type(found)))
    }),
    exactly("infer_set", 1, |vm, call| {
        let value = vm.export(call.required(0))?;
        let found = marotte_pcore::infer::infer_set(Dialect::puppet8(), &value);
        Ok(wrap(vm, PuppetValue::Type(found)))
    }),
    exactly("generalize", 1, |vm, call| {
        let found = marotte_pcore::infer::generalize(&expect_type(call.required(0))?);
        Ok(wrap(vm, PuppetValue::Type(found)))
    }),
    exactly("instance?", 2, |vm, call| {
        let value = vm.export(call.required(1))?;
        Ok(Value::Bool(instance_of(Dialect::puppet8(), &expect_type(call.required(0))?, &value)))
    }),
    exactly("assignable?", 2, |_, call| {
        let (left, right) = (expect_type(call.required(0))?, expect_type(call.required(1))?);
        Ok(Value::Bool(marotte_pcore::relation::assignable(Dialect::puppet8(), &left, &right)))
    }),
];

fn expect_type(value: &Value) -> Result<Type> {
    match of(value)? {
        PuppetValue::Type(it) => Ok(it),
        _ => unsupported("such a value as a type"),
    }
}

/// `Puppet::Pops::Types::StringConverter`
pub(crate) static STRING_CONVERTER: NativeClass = NativeClass {
    name: "Puppet::Pops::Types::StringConverter",
    superclass: Some("Object"),
    methods: &[&CONVERSIONS],
    singleton_methods: &[&CONVERSIONS, &[exactly("singleton", 0, |_, call| Ok(call.this.clone()))]],
    ..NativeClass::EMPTY
};

static CONVERSIONS: [NativeMethod; 1] = [at_least("convert", 1, |vm, call| {
    let value = vm.export(call.required(0))?;
    let formats = match call.argument(1) {
        Some(formats) => Some(vm.export(formats)?),
        None => None,
    };
    match marotte_pcore::format::string_new(Dialect::puppet8(), &value, formats.as_ref()) {
        Ok(text) => Ok(Value::string(text)),
        Err(_) => unsupported("this conversion"),
    }
})];

/// `Puppet::Pops::Types::TypeMismatchDescriber`
pub(crate) static MISMATCH_DESCRIBER: NativeClass = NativeClass {
    name: "Puppet::Pops::Types::TypeMismatchDescriber",
    superclass: Some("Object"),
    methods: &[&DESCRIPTIONS],
    singleton_methods: &[&DESCRIPTIONS, &[exactly("singleton", 0, |_, call| Ok(call.this.clone()))]],
    ..NativeClass::EMPTY
};

static DESCRIPTIONS: [NativeMethod; 1] = [exactly("describe_mismatch", 3, |vm, call| {
    let subject = vm.expect_string(call.required(0))?.lossy();
    let (expected, actual) = (expect_type(call.required(1))?, expect_type(call.required(2))?);
    let message =
        marotte_pcore::mismatch::describe_mismatch(Dialect::puppet8(), &subject, &expected, &actual);
    Ok(Value::string(message))
})];
