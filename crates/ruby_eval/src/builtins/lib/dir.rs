//! `Dir`: whether folders and files exist. What is in a folder is not known.

use super::file::path_of;
use crate::host::PathKind;
use crate::native::{Call, NativeClass, NativeMethod, at_least, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::{Value, Vm};

fn kind(vm: &mut Vm<'_>, path: &str) -> Result<PathKind> {
    if !path.starts_with('/') {
        return unsupported("a folder relative to the working directory");
    }
    let answer = vm.host.path_kind(path);
    vm.answered(answer)
}

/// `Dir.glob(pattern)`, `Dir[pattern, …]`: patterns without wildcards, and those below folders that do not exist.
fn glob(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let is_index = &*call.name.name() == "[]";
    if call.block.is_some() || (!is_index && call.arguments.len() != 1) {
        return unsupported("Dir.glob with these arguments");
    }
    let patterns = match call.arguments {
        [Value::Array(it)] => it.snapshot(),
        all => all.to_vec(),
    };
    let mut found = Vec::new();
    for pattern in patterns {
        let pattern = path_of(vm, &pattern)?;
        if pattern.is_empty() {
            continue;
        }
        match pattern.find(['*', '?', '[', '{', '\\']) {
            None => {
                if kind(vm, &pattern)? != PathKind::Nothing {
                    found.push(Value::from(pattern));
                }
            }
            Some(wildcard) => {
                let folder = pattern[..wildcard].rfind('/').map_or("", |end| &pattern[..end]);
                if folder.is_empty() || kind(vm, folder)? == PathKind::Folder {
                    return unsupported("Dir.glob with wildcards");
                }
            }
        }
    }
    Ok(Value::array(found))
}

fn exists(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let path = path_of(vm, call.required(0))?;
    Ok(Value::Bool(!path.is_empty() && kind(vm, &path)? == PathKind::Folder))
}

const METHODS: &[NativeMethod] = &[
    at_least("glob", 1, glob),
    at_least("[]", 0, glob),
    exactly("exist?", 1, exists),
    // As in Ruby 3.1; Ruby 3.2 no longer has it.
    exactly("exists?", 1, exists),
    refused("chdir"),
    refused("children"),
    refused("chroot"),
    refused("delete"),
    refused("each_child"),
    refused("empty?"),
    refused("entries"),
    refused("foreach"),
    refused("getwd"),
    refused("home"),
    refused("mkdir"),
    refused("mktmpdir"),
    refused("new"),
    refused("open"),
    refused("pwd"),
    refused("rmdir"),
    refused("tmpdir"),
    refused("unlink"),
];

/// The class of this library.
pub(super) static CLASSES: &[NativeClass] = &[NativeClass {
    name: "Dir",
    superclass: Some("Object"),
    includes: &["Enumerable"],
    singleton_methods: &[METHODS],
    ..NativeClass::EMPTY
}];
