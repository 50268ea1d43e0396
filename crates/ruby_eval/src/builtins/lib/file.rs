//! `File`: paths, and reading through the host. Nothing is written, and only the host accesses the disk.

use super::opened;
use super::support::{bytes_of, encoded, text_of};
use crate::host::PathKind;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::value::Encoding;
use crate::{Value, Vm};

/// The maximal nesting of arrays of `File.join`.
const DEPTH_LIMIT: usize = 100;

/// The text of a path.
pub(super) fn path_of(vm: &mut Vm<'_>, value: &Value) -> Result<String> {
    let value = match value {
        Value::Object(_) if vm.responds_to(value, "to_path") => &vm.call(value, "to_path", &[])?,
        _ => value,
    };
    let bytes = bytes_of(vm, value)?;
    if bytes.contains(&0) {
        return unsupported("a path with a byte 0");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(_) => unsupported("a path that is not UTF-8"),
    }
}

/// The bytes of a file.
///
/// # Errors
/// `Errno::ENOENT` if it does not exist.
pub(super) fn read(vm: &mut Vm<'_>, path: &str) -> Result<Vec<u8>> {
    let path = absolute(path)?;
    let answer = vm.host.read_file(&path);
    match vm.answered(answer)? {
        Some(bytes) => {
            vm.world.allocate(bytes.len())?;
            Ok(bytes)
        }
        None => vm.raise_named("Errno::ENOENT", format!("No such file or directory @ rb_sysopen - {path}")),
    }
}

fn absolute(path: &str) -> Result<String> {
    match path.starts_with('/') {
        true => Ok(path.to_owned()),
        false => unsupported("a file relative to the working directory"),
    }
}

/// Appends a part of a path to another.
pub(super) fn join_two(path: &mut String, part: &str) {
    if part.starts_with('/') {
        path.truncate(path.trim_end_matches('/').len());
    } else if !path.ends_with('/') {
        path.push('/');
    }
    path.push_str(part);
}

fn join(vm: &mut Vm<'_>, parts: &[Value], depth: usize) -> Result<String> {
    if depth > DEPTH_LIMIT {
        return unsupported("File.join of arrays that are nested deeply");
    }
    let mut path = String::new();
    for (index, part) in parts.iter().enumerate() {
        let part = match part {
            Value::Array(inner) => join(vm, &inner.snapshot(), depth + 1)?,
            Value::String(it) if it.bytes().contains(&0) => {
                return vm.argument_error("string contains null byte");
            }
            other => path_of(vm, other)?,
        };
        vm.world.allocate(part.len() + 1)?;
        if index == 0 {
            path = part;
        } else {
            join_two(&mut path, &part);
        }
    }
    Ok(path)
}

/// The last part of a path, `/` for a root.
pub(super) fn base_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.is_empty() {
        true => path.get(..1).unwrap_or_default(),
        false => trimmed.rsplit('/').next().unwrap_or_default(),
    }
}

/// The place of the dot before the extension in the last part of a path.
fn extension_at(base: &str) -> Option<usize> {
    let dots = base.len() - base.trim_start_matches('.').len();
    base[dots..].rfind('.').map(|at| at + dots)
}

/// The extension of a path with its dot; empty if it has none.
fn extension(path: &str) -> &str {
    let base = base_name(path);
    extension_at(base).map_or("", |at| &base[at..])
}

/// The extension as a value. Where there is none, Ruby gives an empty string of bytes.
pub(super) fn extension_of(path: &str) -> Value {
    match extension(path) {
        "" => Value::binary(Vec::new()),
        extension => Value::from(extension),
    }
}

/// A path without its last `levels` parts.
pub(super) fn directory(path: &str, levels: usize) -> &str {
    if levels == 0 {
        return path;
    }
    let leading = path.len() - path.trim_start_matches('/').len();
    let path = &path[leading.saturating_sub(1)..];
    let root = leading.min(1);
    let mut rest = path[root..].trim_end_matches('/');
    for _ in 0..levels {
        rest = rest.rfind('/').map_or("", |at| rest[..at].trim_end_matches('/'));
        if rest.is_empty() {
            break;
        }
    }
    match root + rest.len() {
        0 => ".",
        end => &path[..end],
    }
}

fn without_suffix<'b>(base: &'b str, suffix: &str) -> &'b str {
    if suffix == ".*" {
        return extension_at(base).map_or(base, |at| &base[..at]);
    }
    base.strip_suffix(suffix).filter(|it| !it.is_empty()).unwrap_or(base)
}

/// An absolute path without `.`, `..` and repeated slashes.
pub(in crate::builtins) fn expand(path: &str, base: Option<&str>) -> Option<String> {
    let (root, rest) = match path.starts_with('/') {
        true => {
            let rest = path.trim_start_matches('/');
            (path[..path.len() - rest.len()].to_owned(), rest.to_owned())
        }
        false => {
            let base = expand(base.filter(|it| it.starts_with('/'))?, None)?;
            let rest = base.trim_start_matches('/');
            (base[..base.len() - rest.len()].to_owned(), format!("{rest}/{path}"))
        }
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    Some(root + &parts.join("/"))
}

fn expand_path(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let path = path_of(vm, call.required(0))?;
    let base = match call.argument(1) {
        Some(Value::Nil) | None => None,
        Some(it) => Some(path_of(vm, it)?),
    };
    let is_tilde = |it: &str| it.starts_with('~') && &*call.name.name() == "expand_path";
    let needs_base = !path.starts_with('/');
    if is_tilde(&path) || (needs_base && base.as_deref().is_some_and(is_tilde)) {
        return unsupported("the home directory");
    }
    match expand(&path, base.as_deref()) {
        Some(path) => Ok(Value::from(path)),
        None => unsupported("the working directory"),
    }
}

fn basename(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let path = path_of(vm, call.required(0))?;
    let suffix = match call.argument(1) {
        Some(it) => text_of(vm, it)?,
        None => String::new(),
    };
    Ok(Value::from(without_suffix(base_name(&path), &suffix)))
}

fn dirname(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let path = path_of(vm, call.required(0))?;
    let levels = match call.argument(1) {
        Some(it) => vm.expect_integer(it)?,
        None => 1,
    };
    match usize::try_from(levels) {
        Ok(levels) => Ok(Value::from(directory(&path, levels))),
        Err(_) => vm.argument_error(format!("negative level: {levels}")),
    }
}

fn content(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.argument(1).is_some() {
        return unsupported(format!("File.{} with more than a path", call.name));
    }
    let path = path_of(vm, call.required(0))?;
    let bytes = read(vm, &path)?;
    let encoding = if &*call.name.name() == "binread" { Encoding::Binary } else { Encoding::Utf8 };
    Ok(encoded(bytes, encoding))
}

fn lines(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut chomp = false;
    if let Some(keywords) = call.keywords {
        match keywords.get_symbol("chomp") {
            Some(value) if keywords.len() == 1 => chomp = value.is_truthy(),
            _ => return unsupported("File.readlines with these options"),
        }
    }
    let path = path_of(vm, call.required(0))?;
    let bytes = read(vm, &path)?;
    vm.world.spend(bytes.len())?;
    let line = |line: &[u8]| {
        let line = match line.strip_suffix(b"\n") {
            Some(rest) if chomp => rest.strip_suffix(b"\r").unwrap_or(rest),
            _ => line,
        };
        encoded(line.to_vec(), Encoding::Utf8)
    };
    let lines: Vec<Value> = bytes.split_inclusive(|it| *it == b'\n').map(line).collect();
    vm.world.allocate(lines.len() * 16)?;
    match (call.block, &*call.name.name()) {
        (_, "readlines") => Ok(Value::array(lines)),
        (Some(block), _) => {
            for line in lines {
                vm.yield_to(block, &[line])?;
            }
            Ok(Value::Nil)
        }
        (None, _) => unsupported("File.foreach without a block"),
    }
}

/// Evaluates `exist?` and similar methods. Whatever exists is taken to be readable.
fn exists(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let path = path_of(vm, call.required(0))?;
    if path.is_empty() {
        return Ok(Value::Bool(false));
    }
    let path = absolute(&path)?;
    let answer = vm.host.path_kind(&path);
    let kind = vm.answered(answer)?;
    Ok(Value::Bool(match &*call.name.name() {
        "file?" => kind == PathKind::File,
        "directory?" => kind == PathKind::Folder,
        _ => kind != PathKind::Nothing,
    }))
}

const PATHS: &[NativeMethod] = &[
    at_least("join", 0, |vm, call| Ok(Value::from(join(vm, call.arguments, 0)?))),
    between("basename", 1, 2, basename),
    between("dirname", 1, 2, dirname),
    exactly("extname", 1, |vm, call| {
        let path = path_of(vm, call.required(0))?;
        Ok(extension_of(&path))
    }),
    exactly("split", 1, |vm, call| {
        let path = path_of(vm, call.required(0))?;
        Ok(Value::array(vec![Value::from(directory(&path, 1)), Value::from(base_name(&path))]))
    }),
    between("expand_path", 1, 2, expand_path),
    between("absolute_path", 1, 2, expand_path),
    exactly("absolute_path?", 1, |vm, call| {
        let path = path_of(vm, call.required(0))?;
        Ok(Value::Bool(path.starts_with('/')))
    }),
    exactly("path", 1, |vm, call| Ok(Value::from(path_of(vm, call.required(0))?))),
];

const FILES: &[NativeMethod] = &[
    at_least("read", 1, content),
    at_least("binread", 1, content),
    exactly("readlines", 1, lines).with_keywords(),
    exactly("foreach", 1, lines).with_keywords(),
    exactly("exist?", 1, exists),
    // As in Ruby 3.1; Ruby 3.2 no longer has it.
    exactly("exists?", 1, exists),
    exactly("readable?", 1, exists),
    exactly("file?", 1, exists),
    exactly("directory?", 1, exists),
];

/// Methods that are known but rejected.
const REFUSED: &[NativeMethod] = &[
    refused("write"),
    refused("binwrite"),
    refused("delete"),
    refused("unlink"),
    refused("rename"),
    refused("chmod"),
    refused("chown"),
    refused("symlink"),
    refused("link"),
    refused("stat"),
    refused("lstat"),
    refused("mtime"),
    refused("size"),
    refused("size?"),
    refused("zero?"),
    refused("empty?"),
    refused("writable?"),
    refused("executable?"),
    refused("symlink?"),
    refused("readlink"),
    refused("realpath"),
    refused("realdirpath"),
    refused("fnmatch"),
    refused("fnmatch?"),
    refused("ftype"),
    refused("identical?"),
    refused("popen"),
    refused("sysopen"),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "IO",
        superclass: Some("Object"),
        includes: &["Enumerable"],
        singleton_methods: &[FILES, REFUSED],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "File",
        superclass: Some("IO"),
        singleton_methods: &[
            PATHS,
            &[between("open", 1, 3, opened::open), between("new", 1, 3, opened::open)],
        ],
        methods: &[opened::METHODS],
        constants: &[
            ("SEPARATOR", |_| Ok(Value::from("/"))),
            ("Separator", |_| Ok(Value::from("/"))),
            ("ALT_SEPARATOR", |_| Ok(Value::Nil)),
            ("PATH_SEPARATOR", |_| Ok(Value::from(":"))),
        ],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "SystemCallError", superclass: Some("StandardError"), ..NativeClass::EMPTY },
    NativeClass { name: "Errno", ..NativeClass::EMPTY },
    NativeClass { name: "Errno::ENOENT", superclass: Some("SystemCallError"), ..NativeClass::EMPTY },
    NativeClass { name: "Errno::EACCES", superclass: Some("SystemCallError"), ..NativeClass::EMPTY },
    NativeClass { name: "Errno::EISDIR", superclass: Some("SystemCallError"), ..NativeClass::EMPTY },
    NativeClass { name: "Errno::ECONNREFUSED", superclass: Some("SystemCallError"), ..NativeClass::EMPTY },
    NativeClass { name: "IOError", superclass: Some("StandardError"), ..NativeClass::EMPTY },
];
