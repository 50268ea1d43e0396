//! `Puppet`: logging, settings, exceptions and utilities that functions use.

use std::cmp::Ordering;
use std::rc::Rc;

use super::support::text_of;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly, refuse, refused};
use crate::stop::{Result, unsupported};
use crate::value::Object;
use crate::vm::Exception;
use crate::{Value, Vm};

/// The version of Puppet that the interpreter follows.
pub(super) const PUPPET_VERSION: &str = "8.11.0";

/// Evaluates `Puppet.warning(...)` and similar methods. Blocks compute texts of levels that are not logged.
fn log(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let level = call.name.name();
    if call.block.is_some() && matches!(&*level, "debug" | "info") {
        return Ok(Value::Nil);
    }
    let texts: Vec<String> = match call.block {
        Some(block) => {
            let value = vm.yield_to(block, &[])?;
            vec![vm.to_s(&value)?.lossy()]
        }
        None => call.arguments.iter().map(|it| vm.text_of_message(it)).collect::<Result<_>>()?,
    };
    let message = texts.join(" ");
    vm.world.allocate(message.len())?;
    vm.host.log(&level, &message);
    Ok(Value::Nil)
}

fn warning(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let message = vm.to_s(call.required(0))?.lossy();
    vm.host.log("warning", &message);
    Ok(Value::Nil)
}

/// `Puppet.warn_once(kind, key, message, file, line, level)`
fn warn_once(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let level = match call.argument(5) {
        Some(Value::Symbol(it)) => it.name().to_string(),
        None => "warning".to_owned(),
        Some(_) => return unsupported("Puppet.warn_once with this level"),
    };
    let message = vm.to_s(call.required(2))?.lossy();
    vm.host.log(&level, &message);
    Ok(Value::Nil)
}

/// The only setting whose values are symbols.
const SYMBOLIC: &str = "strict";

fn setting(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.to_s(call.required(0))?.lossy();
    setting_named(vm, &name)
}

fn setting_named(vm: &mut Vm<'_>, name: &str) -> Result {
    let answer = vm.host.setting(name);
    let value = vm.answered(answer)?;
    match (name, value.as_str()) {
        (SYMBOLIC, Some(text)) => Ok(Value::symbol(text)),
        _ => vm.import(&value),
    }
}

/// An object of a class without state.
fn stateless(vm: &mut Vm<'_>, class: &str) -> Result {
    let class = Rc::clone(vm.world.class(class));
    Ok(Value::Object(Object::new(class, ())))
}

/// The order of two versions of packages.
pub(super) fn compare_versions(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left, right);
    let next = |rest: &mut &'_ str| -> Option<String> {
        let first = rest.chars().next()?;
        let end = match first {
            '-' | '.' => 1,
            '0'..='9' => rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len()),
            _ => rest.find(|it: char| matches!(it, '-' | '.' | '0'..='9')).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        *rest = after;
        Some(token.to_owned())
    };
    while !a.is_empty() && !b.is_empty() {
        let (Some(x), Some(y)) = (next(&mut a), next(&mut b)) else { break };
        if x == y {
            continue;
        }
        match (&*x, &*y) {
            ("-", _) => return Ordering::Less,
            (_, "-") => return Ordering::Greater,
            (".", _) => return Ordering::Less,
            (_, ".") => return Ordering::Greater,
            _ => {}
        }
        let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
        if is_number(&x) && is_number(&y) && !x.starts_with('0') && !y.starts_with('0') {
            return x.len().cmp(&y.len()).then(x.cmp(&y));
        }
        return x.to_uppercase().cmp(&y.to_uppercase());
    }
    left.cmp(right)
}

/// A version without zeroes at the end of its first part.
fn without_zeroes(version: &str) -> Option<String> {
    let (first, rest) = version.split_once('-').map_or((version, None), |(first, rest)| (first, Some(rest)));
    if first.is_empty() {
        return None;
    }
    let first = first.trim_end_matches(['.', '0']);
    let rest = rest.map(|it| it.trim_end_matches('-')).filter(|it| !it.is_empty());
    Some(rest.map_or(first.to_owned(), |rest| format!("{first}-{rest}")))
}

fn versioncmp(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (Value::String(left), Value::String(right)) = (call.required(0), call.required(1)) else {
        return unsupported("versioncmp of a value that is not a String");
    };
    let (Some(left), Some(right)) = (left.text(), right.text()) else {
        return unsupported("versioncmp of bytes");
    };
    vm.world.spend(left.len() + right.len())?;
    let order = match call.argument(2).is_some_and(Value::is_truthy) {
        true => match (without_zeroes(&left), without_zeroes(&right)) {
            (Some(left), Some(right)) => compare_versions(&left, &right),
            _ => return unsupported("versioncmp of an empty version"),
        },
        false => compare_versions(&left, &right),
    };
    Ok(Value::Integer(order as i64))
}

fn is_windows_path(line: &str) -> bool {
    let is_slash = |it: char| it == '/' || it == '\\';
    let mut characters = line.chars();
    let label = |text: &str| text.find(is_slash).unwrap_or(text.len());
    match (characters.next(), characters.next(), characters.next()) {
        (Some('A'..='Z' | 'a'..='z'), Some(':'), Some(third)) if is_slash(third) => true,
        (Some(first), Some(second), _) if is_slash(first) && is_slash(second) => {
            let rest = &line[2..];
            let host = label(rest);
            let share = rest.get(host + 1..).map_or(0, label);
            host > 0 && share > 0
        }
        _ => false,
    }
}

fn absolute_path(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Value::String(path) = call.required(0) else {
        let (shown, class) =
            (vm.to_s(call.required(0))?.lossy(), vm.class_of(call.required(0)).display_name());
        let message = format!(
            "Cannot check if {shown} is an absolute path because it is a '{class}' and not a String'"
        );
        vm.host.log("warning", &message);
        return Ok(Value::Bool(false));
    };
    let path = path.lossy();
    vm.world.spend(path.len() / 8)?;
    let platform = match call.argument(1) {
        None | Some(Value::Nil | Value::Bool(false)) => "posix".to_owned(),
        Some(Value::Symbol(it)) => it.name().to_string(),
        Some(other) => vm.to_s(other)?.lossy(),
    };
    let is_symbol = !matches!(call.argument(1), Some(Value::String(_)));
    match &*platform {
        "posix" if is_symbol => Ok(Value::Bool(path.split('\n').any(|it| it.starts_with('/')))),
        "windows" if is_symbol => Ok(Value::Bool(path.split('\n').any(is_windows_path))),
        _ => vm.raise_named("Puppet::DevError", format!("unknown platform {platform} in absolute_path")),
    }
}

fn yes(_: &mut Vm<'_>, _: &Call<'_>) -> Result {
    Ok(Value::Bool(true))
}

fn no(_: &mut Vm<'_>, _: &Call<'_>) -> Result {
    Ok(Value::Bool(false))
}

/// `Puppet::FileSystem.read_preserve_line_endings(path)`: the text without a byte order mark.
fn without_mark(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = by_file(vm, call)?;
    if let Value::String(it) = &text
        && it.bytes().starts_with(b"\xEF\xBB\xBF")
    {
        it.change(|bytes| drop(bytes.drain(..3)));
    }
    Ok(text)
}

/// `Puppet::FileSystem.exist?` and its like, by `File`.
fn by_file(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = match &*call.name.name() {
        "exist?" => "exist?",
        "file?" => "file?",
        "directory?" => "directory?",
        "binread" => "binread",
        "basename_string" => "basename",
        "read" | "read_preserve_line_endings" => "read",
        _ => return refuse(vm, call),
    };
    let file = Value::Class(Rc::clone(vm.world.class("File")));
    vm.call(&file, name, call.arguments)
}

/// The methods of `Puppet::Util::Logging`.
pub(crate) const LOGGING: &[NativeMethod] = &[
    at_least("debug", 0, log),
    at_least("info", 0, log),
    at_least("notice", 0, log),
    at_least("warning", 0, log),
    at_least("err", 0, log),
    at_least("alert", 0, log),
    at_least("emerg", 0, log),
    at_least("crit", 0, log),
    between("deprecation_warning", 1, 2, warning),
    refused("puppet_deprecation_warning"),
    between("warn_once", 3, 6, warn_once),
];

const PUPPET: &[NativeMethod] = &[
    exactly("[]", 1, setting),
    exactly("version", 0, |_, _| Ok(Value::from(PUPPET_VERSION))),
    exactly("features", 0, |vm, _| stateless(vm, "Puppet::Util::Feature")),
    exactly("settings", 0, |vm, _| stateless(vm, "Puppet::Settings")),
    refused("lookup"),
    refused("override"),
    refused("push_context"),
    refused("run_mode"),
    refused("runtime"),
    refused("log_exception"),
    refused("initialize_settings"),
];

const UTIL: &[NativeMethod] = &[
    between("absolute_path?", 1, 2, absolute_path),
    refused("execute"),
    refused("execpipe"),
    refused("which"),
    refused("get_env"),
    refused("set_env"),
    refused("withenv"),
    refused("exit_on_fail"),
    refused("replace_file"),
    refused("uri_encode"),
    refused("uri_to_path"),
    refused("path_to_uri"),
    refused("symbolizehash"),
    refused("benchmark"),
    refused("safe_posix_fork"),
];

const EXECUTION: &[NativeMethod] = &[refused("execute"), refused("execpipe"), refused("execfail")];

const FACTER: &[NativeMethod] = &[
    refused("value"),
    refused("[]"),
    refused("fact"),
    refused("to_hash"),
    refused("add"),
    refused("version"),
];

/// Sets the message of an error. It must be a text, as Ruby calls `scrub` on it.
fn set_message(vm: &mut Vm<'_>, call: &Call<'_>, location: &str) -> Result {
    let Value::String(message) = call.required(0) else {
        return vm.no_method(call.required(0), crate::Symbol::new("scrub"));
    };
    let message = Value::from(format!("{}{location}", message.lossy()));
    if let Value::Object(object) = call.this
        && let Some(mut it) = object.data_as_mut::<Exception>()
    {
        it.message = Some(message);
    }
    Ok(Value::Nil)
}

/// `Puppet::Error.new(message, original)`
fn new_error(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    set_message(vm, call, "")
}

/// Evaluates `Puppet::ParseError.new(message, file, line, column, original)`: the message includes the place.
fn new_placed_error(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut parts = Vec::new();
    for (index, name) in ["file", "line", "column"].into_iter().enumerate() {
        match call.argument(index + 1) {
            None | Some(Value::Nil) => {}
            Some(Value::String(it)) if it.bytes().is_empty() => {}
            Some(Value::Object(_)) if name == "column" => {}
            Some(it @ (Value::String(_) | Value::Integer(_))) => {
                parts.push((name, vm.to_s(it)?.lossy()));
            }
            Some(_) => return unsupported("Puppet::ParseError.new with this place"),
        }
    }
    // A column is only shown together with a line.
    let has_line = parts.iter().any(|(name, _)| *name == "line");
    parts.retain(|(name, _)| *name != "column" || has_line);
    let texts: Vec<String> = parts.iter().map(|(name, it)| format!("{name}: {it}")).collect();
    let location = if texts.is_empty() { String::new() } else { format!(" ({})", texts.join(", ")) };
    set_message(vm, call, &location)
}

const fn placed_error(name: &'static str) -> NativeClass {
    NativeClass { name, superclass: Some("Puppet::Error"), methods: &[PLACED_ERROR], ..NativeClass::EMPTY }
}

const PLACED_ERROR: &[NativeMethod] = &[between("initialize", 1, 5, new_placed_error)];

const fn error(name: &'static str, superclass: &'static str) -> NativeClass {
    NativeClass { name, superclass: Some(superclass), ..NativeClass::EMPTY }
}

fn text_version(vm: &mut Vm<'_>) -> Result {
    vm.world.spend(1)?;
    Ok(Value::from(PUPPET_VERSION))
}

fn setting_value(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.argument(1).is_some() {
        return refuse(vm, call);
    }
    let name = match call.required(0) {
        Value::Symbol(it) => it.name().to_string(),
        other => text_of(vm, other)?,
    };
    setting_named(vm, &name)
}

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Puppet",
        singleton_methods: &[LOGGING, PUPPET],
        constants: &[("PUPPETVERSION", text_version)],
        ..NativeClass::EMPTY
    },
    NativeClass {
        methods: &[&[between("initialize", 1, 2, new_error), refused("original")]],
        ..error("Puppet::Error", "RuntimeError")
    },
    error("Puppet::DevError", "Puppet::Error"),
    error("Puppet::MissingCommand", "Puppet::Error"),
    placed_error("Puppet::ParseError"),
    NativeClass {
        singleton_methods: &[&[refused("new")]],
        ..error("Puppet::ParseErrorWithIssue", "Puppet::ParseError")
    },
    error("Puppet::PreformattedError", "Puppet::ParseErrorWithIssue"),
    placed_error("Puppet::ResourceError"),
    error("Puppet::AuthorizationError", "Puppet::Error"),
    error("Puppet::ExecutionFailure", "Puppet::Error"),
    error("Puppet::DataBinding", "Object"),
    error("Puppet::DataBinding::LookupError", "Puppet::PreformattedError"),
    error("Puppet::DataBinding::RecursiveLookupError", "Puppet::DataBinding::LookupError"),
    NativeClass { name: "Puppet::Util", methods: &[], singleton_methods: &[UTIL], ..NativeClass::EMPTY },
    NativeClass { name: "Puppet::Util::Logging", methods: &[LOGGING], ..NativeClass::EMPTY },
    NativeClass {
        name: "Puppet::Util::Platform",
        singleton_methods: &[&[
            exactly("windows?", 0, no),
            exactly("actually_windows?", 0, no),
            refused("jruby?"),
            refused("jruby_fips?"),
            refused("fips_enabled?"),
            refused("default_paths"),
        ]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Puppet::Util::Package",
        methods: &[&[between("versioncmp", 2, 3, versioncmp)]],
        singleton_methods: &[&[between("versioncmp", 2, 3, versioncmp)]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Puppet::Util::Execution",
        methods: &[EXECUTION],
        singleton_methods: &[EXECUTION],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Puppet::Util::Feature",
        superclass: Some("Object"),
        methods: &[&[exactly("microsoft_windows?", 0, no), exactly("posix?", 0, yes), refused("root?")]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Puppet::Settings",
        superclass: Some("Object"),
        methods: &[&[exactly("[]", 1, setting_value), between("value", 1, 3, setting_value)]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Puppet::FileSystem",
        singleton_methods: &[&[
            exactly("exist?", 1, by_file),
            exactly("file?", 1, by_file),
            exactly("directory?", 1, by_file),
            at_least("read", 1, by_file),
            exactly("read_preserve_line_endings", 1, without_mark),
            exactly("binread", 1, by_file),
            exactly("basename_string", 1, by_file),
        ]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "PuppetX", ..NativeClass::EMPTY },
    NativeClass { name: "Facter", singleton_methods: &[FACTER], ..NativeClass::EMPTY },
];
