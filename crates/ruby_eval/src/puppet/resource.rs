//! `Puppet::Resource` and `Puppet::Parser::Resource`: references, and resources that have been declared.

use std::cell::{OnceCell, Ref};
use std::rc::Rc;

use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::Value as PuppetValue;

use crate::host::CatalogOperation;
use crate::native::{Call, NativeClass, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Data, HashObject, Object};
use crate::{Value, Vm};

/// The state of a resource: its type with capitals, its title, and its parameters if it has been declared.
#[derive(Clone, Debug)]
pub(crate) struct ResourceData {
    type_name: String,
    title: String,
    parameters: Option<Rc<Attributes>>,
    /// The attributes that its title implies.
    from_title: Option<Rc<Attributes>>,
}

/// Attributes of a declared resource, which become values of Ruby when they are first read.
#[derive(Debug)]
struct Attributes {
    values: PuppetValue,
    imported: OnceCell<Rc<HashObject>>,
}

impl Attributes {
    /// The attributes that the description of a resource has under a key.
    fn described(found: &marotte_pcore::value::Hash, key: &str) -> Option<Rc<Attributes>> {
        let values = found.get_str(key)?.clone();
        Some(Rc::new(Attributes { values, imported: OnceCell::new() }))
    }

    fn imported(&self, vm: &mut Vm<'_>) -> Result<Rc<HashObject>> {
        if let Some(known) = self.imported.get() {
            return Ok(Rc::clone(known));
        }
        match vm.import(&self.values)? {
            Value::Hash(it) => Ok(Rc::clone(self.imported.get_or_init(|| it))),
            _ => unsupported("such attributes of a resource"),
        }
    }
}

impl Data for ResourceData {
    fn eql(&self, other: &Ref<'_, Box<dyn Data>>) -> bool {
        let other: &dyn std::any::Any = &***other;
        other
            .downcast_ref::<ResourceData>()
            .is_some_and(|it| (&it.type_name, &it.title) == (&self.type_name, &self.title))
    }

    fn key_hash(&self) -> Option<u64> {
        Some(1)
    }
}

impl ResourceData {
    /// The resource as a Puppet value.
    pub(crate) fn reference(&self) -> PuppetValue {
        let resource = ResourceType {
            type_name: Some(self.type_name.as_str().into()),
            title: Some(self.title.as_str().into()),
            is_object: true,
        };
        PuppetValue::Type(TypeKind::Resource(resource).into())
    }
}

/// The name of a type with capitals: `apache::vhost` is `Apache::Vhost`.
fn capitalized(name: &str) -> String {
    let name = name.strip_prefix("::").unwrap_or(name);
    let capital = |segment: &str| {
        let mut letters = segment.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect::<String>()
        })
    };
    name.split("::").map(capital).collect::<Vec<_>>().join("::")
}

/// The resources that the compiler creates by itself have symbols as titles.
fn title(resource: &ResourceData) -> Value {
    let is_main = resource.title == "main" && matches!(resource.type_name.as_str(), "Stage" | "Class");
    match is_main && resource.parameters.is_some() {
        true => Value::symbol("main"),
        false => Value::string(resource.title.clone()),
    }
}

/// The parts of a reference as text: `File[/tmp]`.
fn split(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    (!name.is_empty() && !name.contains(']') && !title.is_empty()).then_some((name, title))
}

/// A reference as functions of the 3.x API get it.
pub(crate) fn reference(vm: &mut Vm<'_>, type_name: &str, title: &str) -> Value {
    let type_name = capitalized(type_name);
    let title = if type_name == "Class" { capitalized(title) } else { title.to_owned() };
    let class = Rc::clone(vm.world.class("Puppet::Resource"));
    Value::Object(Object::new(class, ResourceData { type_name, title, parameters: None, from_title: None }))
}

/// The object of a resource type, as `findresource` takes it for its type.
pub(crate) fn type_object(vm: &mut Vm<'_>, name: &str) -> Value {
    let class = Rc::clone(vm.world.class("Puppet::Resource::Type"));
    let data = ResourceData {
        type_name: capitalized(name),
        title: String::new(),
        parameters: None,
        from_title: None,
    };
    Value::Object(Object::new(class, data))
}

/// The resource of the catalog, `nil` if it has not been declared.
pub(crate) fn find(vm: &mut Vm<'_>, type_name: &str, title: &str) -> Result {
    let (type_name, title) = (type_name.to_owned(), title.to_owned());
    let answer = vm.host.catalog(CatalogOperation::FindResource { type_name, title });
    let found = vm.answered(answer)?;
    declared(vm, &found)
}

/// The resource that the host describes by a hash of type, title and parameters. Unknown parameters only matter to code
/// that reads them.
pub(crate) fn declared(vm: &mut Vm<'_>, found: &PuppetValue) -> Result {
    let PuppetValue::Hash(found) = found else { return Ok(Value::Nil) };
    let text = |key: &str| found.get_str(key).and_then(PuppetValue::as_str).unwrap_or_default().to_owned();
    let (parameters, from_title) =
        (Attributes::described(found, "parameters"), Attributes::described(found, "from_title"));
    let class = Rc::clone(vm.world.class("Puppet::Parser::Resource"));
    let data = ResourceData { type_name: text("type"), title: text("title"), parameters, from_title };
    Ok(Value::Object(Object::new(class, data)))
}

/// Whether a value is one of some resources, which are given by their types and titles.
pub(crate) fn is_one_of(value: &Value, resources: &[(&str, &str)]) -> bool {
    match value {
        Value::Object(it) => it
            .data_as::<ResourceData>()
            .is_some_and(|it| resources.contains(&(it.type_name.as_str(), it.title.as_str()))),
        _ => false,
    }
}

/// The type and title in the arguments of `findresource` and similar methods, as one text or as two.
pub(crate) fn type_and_title(vm: &mut Vm<'_>, arguments: &[Value]) -> Result<(String, String)> {
    let named = |vm: &mut Vm<'_>, value: &Value| match value {
        Value::Object(it) => match it.data_as::<ResourceData>() {
            Some(data) => Ok((data.type_name.clone(), data.title.clone())),
            None => unsupported("such a resource reference"),
        },
        _ => {
            let text = vm.to_s(value)?.lossy();
            match split(&text) {
                Some((name, title)) => Ok((name.to_owned(), title.to_owned())),
                None => {
                    let shown = vm.inspect(value)?;
                    vm.argument_error(format!(
                        "No title provided and {shown} is not a valid resource reference"
                    ))
                }
            }
        }
    };
    match arguments {
        [one] | [one, Value::Nil] => named(vm, one),
        [name, title] => {
            let name = match name {
                Value::Object(it) => match it.data_as::<ResourceData>() {
                    Some(data) => data.type_name.clone(),
                    None => return unsupported("such a resource type"),
                },
                _ => vm.to_s(name)?.lossy(),
            };
            Ok((name, vm.to_s(title)?.lossy()))
        }
        _ => unsupported("such a resource reference"),
    }
}

fn this<'a>(call: &'a Call<'_>) -> Result<Ref<'a, ResourceData>> {
    state(call, "such a resource")
}

/// The state of the receiver; not supported for objects of subclasses in Ruby.
fn state<'a, T: Data>(call: &'a Call<'_>, refused: &str) -> Result<Ref<'a, T>> {
    match call.this {
        Value::Object(it) => it.data_as().map_or_else(|| unsupported(refused), Ok),
        _ => unsupported(refused),
    }
}

fn to_s(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    Ok(Value::string(format!("{}[{}]", this.type_name, this.title)))
}

/// The elements of an array and the arrays in it, without `nil`.
fn flattened(value: Value) -> Value {
    fn collect(value: &Value, into: &mut Vec<Value>) {
        match value {
            Value::Array(it) => it.snapshot().iter().for_each(|it| collect(it, into)),
            Value::Nil => {}
            other => into.push(other.clone()),
        }
    }
    match &value {
        Value::Array(_) => {
            let mut all = Vec::new();
            collect(&value, &mut all);
            Value::array(all)
        }
        _ => value,
    }
}

static METHODS: [NativeMethod; 9] = [
    exactly("type", 0, |_, call| Ok(Value::string(this(call)?.type_name.clone()))),
    exactly("title", 0, |_, call| Ok(title(&*this(call)?))),
    exactly("name", 0, |_, call| Ok(title(&*this(call)?))),
    exactly("to_s", 0, to_s),
    exactly("ref", 0, to_s),
    exactly("inspect", 0, to_s),
    exactly("[]", 1, |vm, call| {
        let parameters = this(call)?.parameters.clone();
        let name = vm.to_s(call.required(0))?.lossy();
        match parameters {
            Some(_) if name == "title" => Ok(title(&*this(call)?)),
            Some(parameters) => Ok(parameters.imported(vm)?.get(&Value::string(name)).unwrap_or(Value::Nil)),
            None => Ok(Value::Nil),
        }
    }),
    exactly("to_hash", 0, |vm, call| {
        let parts = {
            let this = this(call)?;
            [this.from_title.clone(), this.parameters.clone()]
        };
        let mut all = Vec::new();
        for part in parts.into_iter().flatten() {
            all.extend(part.imported(vm)?.snapshot());
        }
        let known = all.into_iter().filter(|(_, value)| !value.is_nil());
        Ok(Value::hash(known.map(|(name, value)| match &name {
            Value::String(text) => {
                let name = text.lossy();
                let is_relation = matches!(name.as_str(), "before" | "subscribe" | "notify" | "require");
                (Value::symbol(&name), if is_relation { flattened(value) } else { value })
            }
            _ => (name, value),
        })))
    }),
    exactly("==", 1, |_, call| {
        let this = this(call)?;
        Ok(Value::Bool(match call.required(0) {
            Value::Object(it) => it
                .data_as::<ResourceData>()
                .is_some_and(|it| (&it.type_name, &it.title) == (&this.type_name, &this.title)),
            _ => false,
        }))
    }),
];

/// `Puppet::Resource`
pub(crate) static RESOURCE: NativeClass = NativeClass {
    name: "Puppet::Resource",
    superclass: Some("Object"),
    methods: &[&METHODS],
    singleton_methods: &[&[
        between("new", 1, 2, |vm, call| {
            let (name, title) = type_and_title(vm, call.arguments)?;
            Ok(reference(vm, &name, &title))
        }),
        exactly("type_and_title", 2, |vm, call| {
            let (name, title) = type_and_title(vm, call.arguments)?;
            let name = capitalized(&name);
            let title = if name == "Class" { capitalized(&title) } else { title };
            Ok(Value::array(vec![Value::string(name), Value::string(title)]))
        }),
    ]],
    ..NativeClass::EMPTY
};

/// `Puppet::Parser::Resource`
pub(crate) static PARSER_RESOURCE: NativeClass = NativeClass {
    name: "Puppet::Parser::Resource",
    superclass: Some("Puppet::Resource"),
    methods: &[&[exactly("parameters", 0, |vm, call| {
        let Some(parameters) = this(call)?.parameters.clone() else {
            return unsupported("the parameters of a reference");
        };
        let class = Rc::clone(vm.world.class("Puppet::Parser::Resource::Param"));
        let known = parameters.imported(vm)?.snapshot().into_iter();
        Ok(Value::hash(known.map(|(name, value)| {
            let name = match &name {
                Value::String(text) => Value::symbol(&text.lossy()),
                _ => name,
            };
            let data = ParameterData { name: name.clone(), value };
            (name, Value::Object(Object::new(Rc::clone(&class), data)))
        })))
    })]],
    ..NativeClass::EMPTY
};

/// The state of a parameter of a declared resource.
#[derive(Debug)]
struct ParameterData {
    /// The name, as a symbol.
    name: Value,
    value: Value,
}

impl Data for ParameterData {}

fn this_parameter<'a>(call: &'a Call<'_>) -> Result<Ref<'a, ParameterData>> {
    state(call, "such a parameter")
}

/// `Puppet::Parser::Resource::Param`
pub(crate) static PARAMETER: NativeClass = NativeClass {
    name: "Puppet::Parser::Resource::Param",
    superclass: Some("Object"),
    methods: &[&[
        exactly("name", 0, |_, call| Ok(this_parameter(call)?.name.clone())),
        exactly("value", 0, |_, call| Ok(this_parameter(call)?.value.clone())),
    ]],
    ..NativeClass::EMPTY
};

/// `Puppet::Resource::Type`
pub(crate) static RESOURCE_TYPE: NativeClass = NativeClass {
    name: "Puppet::Resource::Type",
    superclass: Some("Object"),
    methods: &[&[
        exactly("name", 0, |_, call| Ok(Value::string(this(call)?.type_name.to_lowercase()))),
        exactly("to_s", 0, |_, call| Ok(Value::string(this(call)?.type_name.clone()))),
    ]],
    ..NativeClass::EMPTY
};
