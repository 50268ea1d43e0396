//! `Pathname`: the parts of paths, without the disk.

use std::any::Any;
use std::cell::Ref;

use super::file::{base_name, directory, extension_of, join_two, path_of};
use super::support::new_object;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::Data;
use crate::{Value, Vm};

/// A path.
#[derive(Clone, Debug)]
struct Path(String);

impl Data for Path {
    fn eql(&self, other: &Ref<'_, Box<dyn Data>>) -> bool {
        (&***other as &dyn Any).downcast_ref::<Path>().is_some_and(|it| it.0 == self.0)
    }

    fn key_hash(&self) -> Option<u64> {
        Some(self.0.bytes().fold(11, |hash: u64, it| hash.wrapping_mul(31).wrapping_add(u64::from(it))))
    }

    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

fn path_in(value: &Value) -> Option<String> {
    match value {
        Value::Object(object) => object.data_as::<Path>().map(|it| it.0.clone()),
        _ => None,
    }
}

fn own(call: &Call<'_>) -> Result<String> {
    path_in(call.this).map_or_else(|| unsupported("a Pathname of another kind"), Ok)
}

/// A path of the same class as the receiver.
fn sibling(vm: &Vm<'_>, call: &Call<'_>, path: String) -> Value {
    new_object(vm, call.this, Path(path))
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let path = match path_in(call.required(0)) {
        Some(path) => path,
        None => path_of(vm, call.required(0))?,
    };
    Ok(new_object(vm, call.this, Path(path)))
}

/// `Pathname(…)`
fn convert(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if path_in(call.required(0)).is_some() {
        return Ok(call.required(0).clone());
    }
    let path = path_of(vm, call.required(0))?;
    let class = Value::Class(std::rc::Rc::clone(vm.world.class("Pathname")));
    Ok(new_object(vm, &class, Path(path)))
}

fn basename(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.argument(0).is_some() {
        return unsupported("Pathname#basename with a suffix");
    }
    let path = own(call)?;
    Ok(sibling(vm, call, base_name(&path).to_owned()))
}

/// The path without `.`, `..` and repeated slashes, as far as that can be said without the disk.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let is_absolute = path.starts_with('/');
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|it| *it != "..") => {
                parts.pop();
            }
            ".." if is_absolute => {}
            other => parts.push(other),
        }
    }
    match (is_absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => parts.join("/"),
    }
}

fn has_dots(path: &str) -> bool {
    path.split('/').any(|it| it == "." || it == "..")
}

/// `base + path`. Paths with dots, which are resolved on the way, are not implemented.
fn added(base: &str, path: &str) -> Result<String> {
    if path.starts_with('/') {
        return Ok(path.to_owned());
    }
    if path.is_empty() || base.is_empty() || has_dots(base) || has_dots(path) {
        return unsupported("Pathname#+ with dots");
    }
    let mut joined = match base.trim_end_matches('/') {
        "" => "/".to_owned(),
        trimmed => trimmed.to_owned(),
    };
    join_two(&mut joined, path);
    Ok(joined)
}

fn argument_path(vm: &mut Vm<'_>, value: &Value) -> Result<String> {
    match path_in(value) {
        Some(path) => Ok(path),
        None => path_of(vm, value),
    }
}

fn plus(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let other = argument_path(vm, call.required(0))?;
    let sum = added(&own, &other)?;
    Ok(sibling(vm, call, sum))
}

fn join(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut path = own(call)?;
    for part in call.arguments {
        let part = argument_path(vm, part)?;
        vm.world.allocate(path.len() + part.len())?;
        path = added(&path, &part)?;
    }
    Ok(sibling(vm, call, path))
}

/// Methods of `File` by the same name.
fn by_file(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let path = Value::from(own(call)?);
    let file = Value::Class(std::rc::Rc::clone(vm.world.class("File")));
    let name = call.name.name();
    vm.call(&file, &name, &[path])
}

fn compare(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    // A slash is before all other characters.
    let key = |it: &str| it.replace('/', "\0");
    Ok(path_in(call.required(0)).map(|it| key(&own).cmp(&key(&it)) as i64).into())
}

const METHODS: &[NativeMethod] = &[
    exactly("to_s", 0, |_, call| Ok(Value::from(own(call)?))),
    exactly("to_path", 0, |_, call| Ok(Value::from(own(call)?))),
    exactly("inspect", 0, |_, call| Ok(Value::from(format!("#<Pathname:{}>", own(call)?)))),
    exactly("absolute?", 0, |_, call| Ok(Value::Bool(own(call)?.starts_with('/')))),
    exactly("relative?", 0, |_, call| Ok(Value::Bool(!own(call)?.starts_with('/')))),
    exactly("root?", 0, |_, call| {
        let own = own(call)?;
        Ok(Value::Bool(!own.is_empty() && own.bytes().all(|it| it == b'/')))
    }),
    between("basename", 0, 1, basename),
    exactly("dirname", 0, |vm, call| {
        let path = own(call)?;
        Ok(sibling(vm, call, directory(&path, 1).to_owned()))
    }),
    exactly("extname", 0, |_, call| Ok(extension_of(&own(call)?))),
    exactly("cleanpath", 0, |vm, call| {
        let path = clean(&own(call)?);
        Ok(sibling(vm, call, path))
    }),
    exactly("+", 1, plus),
    exactly("/", 1, plus),
    at_least("join", 0, join),
    exactly("==", 1, |_, call| Ok(Value::Bool(path_in(call.required(0)) == Some(own(call)?)))),
    exactly("===", 1, |_, call| Ok(Value::Bool(path_in(call.required(0)) == Some(own(call)?)))),
    exactly("eql?", 1, |_, call| Ok(Value::Bool(path_in(call.required(0)) == Some(own(call)?)))),
    exactly("<=>", 1, compare),
    exactly("exist?", 0, by_file),
    exactly("file?", 0, by_file),
    exactly("readable?", 0, by_file),
    exactly("directory?", 0, by_file),
    exactly("read", 0, by_file),
    exactly("binread", 0, by_file),
    exactly("readlines", 0, by_file),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Pathname",
        superclass: Some("Object"),
        methods: &[METHODS],
        singleton_methods: &[&[exactly("new", 1, new)]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "Kernel", methods: &[&[exactly("Pathname", 1, convert)]], ..NativeClass::EMPTY },
];
