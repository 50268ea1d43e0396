//! `Enumerator`: the elements that a method yields, without its block.

use std::cell::Cell;
use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{Data, Object, Proc};
use crate::{Symbol, Value, Vm};

/// `Enumerator`
pub(in crate::builtins) static ENUMERATOR: NativeClass = NativeClass {
    name: "Enumerator",
    superclass: Some("Object"),
    includes: &["Enumerable"],
    methods: &[METHODS],
    singleton_methods: &[&[between("new", 0, 1, new)]],
    ..NativeClass::EMPTY
};

/// `Enumerator::Yielder`, which the block of `Enumerator.new` gets.
pub(in crate::builtins) static YIELDER: NativeClass = NativeClass {
    name: "Enumerator::Yielder",
    superclass: Some("Object"),
    methods: &[&[
        exactly("<<", 1, |vm, call| {
            yield_values(vm, call)?;
            Ok(call.this.clone())
        }),
        at_least("yield", 0, yield_values),
        at_least("call", 0, yield_values),
    ]],
    ..NativeClass::EMPTY
};

/// Methods of all objects that create enumerators.
pub(super) static MAKERS: &[NativeMethod] =
    &[at_least("to_enum", 0, to_enum), at_least("enum_for", 0, to_enum)];

/// The call that an enumerator makes with each block that is passed to it.
#[derive(Clone, Debug)]
struct Source {
    receiver: Value,
    method: Symbol,
    arguments: Vec<Value>,
    /// The elements, once `next` has requested them, and the number of elements taken.
    elements: Option<Rc<[Value]>>,
    taken: usize,
}

impl Data for Source {
    fn copy(&self) -> Option<Box<dyn Data>> {
        self.elements.is_none().then(|| Box::new(self.clone()) as Box<dyn Data>)
    }
}

/// The block of `Enumerator.new`.
#[derive(Clone, Debug)]
struct Generator(Rc<Proc>);

impl Data for Generator {}

/// The block that a yielder calls.
#[derive(Clone, Debug)]
struct Yielder(Rc<Proc>);

impl Data for Yielder {}

static METHODS: &[NativeMethod] = &[
    at_least("each", 0, |vm, call| {
        let Some(block) = call.block else {
            return match call.arguments {
                [] => Ok(call.this.clone()),
                _ => unsupported("Enumerator#each with arguments"),
            };
        };
        if !call.arguments.is_empty() {
            return unsupported("Enumerator#each with arguments");
        }
        run(vm, &source(call)?, block)
    }),
    between("with_index", 0, 1, |vm, call| {
        let start = match call.argument(0) {
            None | Some(Value::Nil) => 0,
            Some(start) => vm.expect_integer(start)?,
        };
        with_index(vm, call, start)
    }),
    exactly("each_with_index", 0, |vm, call| with_index(vm, call, 0)),
    exactly("with_object", 1, with_object),
    exactly("each_with_object", 1, with_object),
    exactly("next", 0, |vm, call| next(vm, call, true)),
    exactly("peek", 0, |vm, call| next(vm, call, false)),
    exactly("rewind", 0, |_, call| {
        if let Value::Object(object) = call.this
            && let Some(mut source) = object.data_as_mut::<Source>()
        {
            source.elements = None;
            source.taken = 0;
        }
        Ok(call.this.clone())
    }),
    exactly("size", 0, size),
    exactly("inspect", 0, inspect),
    exactly("to_s", 0, |_, _| unsupported("the address of an object")),
    exactly("+", 1, |_, _| unsupported("Enumerator#+")),
];

impl Vm<'_> {
    /// Creates an enumerator over the values that a method yields.
    pub fn enumerator(&mut self, receiver: &Value, method: Symbol, arguments: &[Value]) -> Value {
        let class = Rc::clone(self.world.class("Enumerator"));
        let (receiver, arguments) = (receiver.clone(), arguments.to_vec());
        Value::Object(Object::new(class, Source { receiver, method, arguments, elements: None, taken: 0 }))
    }
}

/// The receiver, method and arguments of the call that an enumerator makes.
pub(in crate::builtins) fn call_of(enumerator: &Value) -> Option<(Value, Symbol, Vec<Value>)> {
    let Value::Object(object) = enumerator else { return None };
    let source = object.data_as::<Source>()?;
    Some((source.receiver.clone(), source.method, source.arguments.clone()))
}

fn source(call: &Call<'_>) -> Result<Source> {
    let data = match call.this {
        Value::Object(it) => it.data_as::<Source>().map(|it| it.clone()),
        _ => None,
    };
    data.map_or_else(|| unsupported("an enumerator without a source"), Ok)
}

fn run(vm: &mut Vm<'_>, source: &Source, block: &Rc<Proc>) -> Result {
    let generator = match &source.receiver {
        Value::Object(it) => it.data_as::<Generator>().map(|it| Rc::clone(&it.0)),
        _ => None,
    };
    match generator {
        Some(generator) => {
            let class = Rc::clone(vm.world.class("Enumerator::Yielder"));
            let yielder = Value::Object(Object::new(class, Yielder(Rc::clone(block))));
            vm.yield_to(&generator, &[yielder])
        }
        None => vm.send(&source.receiver, source.method, &source.arguments, None, Some(block)),
    }
}

fn yield_values(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = match call.this {
        Value::Object(it) => it.data_as::<Yielder>().map(|it| Rc::clone(&it.0)),
        _ => None,
    };
    match block {
        Some(block) => vm.yield_to(&block, call.arguments),
        None => unsupported("a yielder without a block"),
    }
}

/// Several values that are yielded at once are one array.
fn packed(values: &[Value]) -> Value {
    match values {
        [] => Value::Nil,
        [one] => one.clone(),
        many => Value::array(many.to_vec()),
    }
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some(block) = call.block else { return vm.argument_error("no block given") };
    let object = Rc::clone(&vm.world.object);
    let generator = Value::Object(Object::new(object, Generator(Rc::clone(block))));
    Ok(vm.enumerator(&generator, names::EACH, &[]))
}

fn to_enum(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.block.is_some() {
        return unsupported("to_enum with a block");
    }
    match call.arguments.split_first() {
        None => Ok(vm.enumerator(call.this, names::EACH, &[])),
        Some((name, rest)) => {
            let name = vm.expect_name(name)?;
            Ok(vm.enumerator(call.this, name, rest))
        }
    }
}

fn with_index(vm: &mut Vm<'_>, call: &Call<'_>, start: i64) -> Result {
    let Some(block) = call.block else {
        return Ok(vm.enumerator(call.this, call.name, call.arguments));
    };
    let (block, index) = (Rc::clone(block), Cell::new(start));
    let counted = Proc::native(move |vm, arguments| {
        let index = index.replace(index.get() + 1);
        vm.yield_to(&block, &[packed(arguments), Value::Integer(index)])
    });
    run(vm, &source(call)?, &counted)
}

fn with_object(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some(block) = call.block else {
        return Ok(vm.enumerator(call.this, call.name, call.arguments));
    };
    let (block, memo) = (Rc::clone(block), call.required(0).clone());
    let with_memo =
        Proc::native(move |vm, arguments| vm.yield_to(&block, &[packed(arguments), memo.clone()]));
    run(vm, &source(call)?, &with_memo)?;
    Ok(call.required(0).clone())
}

fn next(vm: &mut Vm<'_>, call: &Call<'_>, takes: bool) -> Result {
    let mut data = source(call)?;
    let elements = match data.elements.take() {
        Some(elements) => elements,
        None => {
            let found = Rc::new(std::cell::RefCell::new(Vec::new()));
            let into = Rc::clone(&found);
            let collect = Proc::native(move |vm, arguments| {
                vm.world.allocate(16)?;
                into.borrow_mut().push(packed(arguments));
                Ok(Value::Nil)
            });
            run(vm, &data, &collect)?;
            found.take().into()
        }
    };
    let element = elements.get(data.taken).cloned();
    if let Value::Object(object) = call.this
        && let Some(mut data) = object.data_as_mut::<Source>()
    {
        data.elements = Some(Rc::clone(&elements));
        if takes && element.is_some() {
            data.taken += 1;
        }
    }
    match element {
        Some(element) => Ok(element),
        None => vm.raise_named("StopIteration", "iteration reached an end"),
    }
}

fn size(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let source = source(call)?;
    let method = source.method.name();
    if source.arguments.is_empty() {
        let is_each = matches!(
            &*method,
            "each"
                | "map"
                | "collect"
                | "flat_map"
                | "collect_concat"
                | "select"
                | "filter"
                | "reject"
                | "each_with_index"
                | "each_index"
                | "reverse_each"
                | "sort_by"
                | "min_by"
                | "max_by"
                | "group_by"
                | "partition"
                | "each_entry"
                | "filter_map"
                | "each_pair"
                | "each_key"
                | "each_value"
                | "map!"
                | "collect!"
                | "select!"
                | "reject!"
                | "delete_if"
                | "keep_if"
                | "times"
                | "sum"
                | "uniq"
                | "to_h"
                | "transform_values"
        );
        match &source.receiver {
            Value::Integer(it) if method == "times" => return Ok(Value::Integer((*it).max(0))),
            Value::Array(_) | Value::Hash(_) if is_each => return vm.call(&source.receiver, "size", &[]),
            Value::Range(_) if is_each => return vm.call(&source.receiver, "size", &[]),
            Value::Object(it) if it.data_as::<Generator>().is_some() => return Ok(Value::Nil),
            _ if method == "loop" => return Ok(Value::Float(f64::INFINITY)),
            _ => {}
        }
    }
    unsupported("Enumerator#size")
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let source = source(call)?;
    if let Value::Object(it) = &source.receiver
        && it.data_as::<Generator>().is_some()
    {
        return unsupported("the address of an object");
    }
    let receiver = vm.inspect(&source.receiver)?;
    let mut arguments = Vec::new();
    for argument in &source.arguments {
        arguments.push(vm.inspect(argument)?);
    }
    let arguments = match arguments.is_empty() {
        true => String::new(),
        false => format!("({})", arguments.join(", ")),
    };
    Ok(Value::string(format!("#<Enumerator: {receiver}:{}{arguments}>", source.method)))
}
