//! Resolution of function names (C23, C24).

use marotte_db::{Db, Environment, File};
use marotte_eval::functions::{Builtin, builtin};
use marotte_hir::{Item, NameKind};
use marotte_text::{normalized, unrooted};

use crate::names::{Lookup, lacks_modules, look_up};
use crate::ruby::{RubyFile, RubyKind, is_mentioned, ruby_definition};

/// The result of resolving a function name.
#[derive(Clone, Copy)]
pub enum Function<'db> {
    /// A function of the language itself.
    Builtin(&'static Builtin),
    /// A function written in Puppet.
    Puppet(Item<'db>),
    /// A function written in Ruby.
    Ruby(RubyFile),
    /// No such function exists.
    Missing,
    /// The function may be defined in a place that isn't available.
    Unknown,
}

/// Functions of programs other than Puppet: Bolt runs code that is written for it, and servers may have PuppetDB's.
pub(crate) const ELSEWHERE: [&str; 41] = [
    "add_facts",
    "add_to_group",
    "apply_prep",
    "background",
    "catch_errors",
    "download_file",
    "fail_plan",
    "facts",
    "get_resources",
    "get_target",
    "get_targets",
    "parallelize",
    "prompt",
    "puppetdb_command",
    "puppetdb_fact",
    "puppetdb_lookup_key",
    "puppetdb_query",
    "query_facts",
    "query_nodes",
    "query_resources",
    "remove_from_group",
    "resolve_references",
    "resource",
    "run_command",
    "run_container",
    "run_plan",
    "run_script",
    "run_task",
    "run_task_with",
    "set_config",
    "set_feature",
    "set_resources",
    "set_var",
    "upload_file",
    "vars",
    "wait",
    "wait_until_available",
    "without_default_logging",
    "write_file",
    "yield",
    "log",
];

/// The kinds of Ruby functions, in order of lookup: the newer API first.
pub(crate) const RUBY: [RubyKind; 2] = [RubyKind::Function, RubyKind::LegacyFunction];

/// The namespaces of Bolt's functions.
const NAMESPACES_ELSEWHERE: [&str; 7] = ["ctrl", "dir", "file", "log", "out", "prompt", "system"];

/// The Ruby file that defines a function, by its name in lower case; the newer API is preferred. For checks and for
/// compilation.
pub fn ruby_function(db: &dyn Db, environment: Environment, name: &str) -> Option<RubyFile> {
    RUBY.iter().find_map(|kind| ruby_definition(db, environment, *kind, name.into()))
}

/// Resolves a function name, as seen from a file.
pub fn function<'db>(db: &'db dyn Db, from: File, environment: Environment, name: &str) -> Function<'db> {
    let name = unrooted(name);
    let lower = normalized(name);
    if let Some(builtin) = builtin(&lower) {
        return Function::Builtin(builtin);
    }
    let looked_up = look_up(db, from, NameKind::Function, name);
    if let Lookup::Found(item) = looked_up {
        return Function::Puppet(item);
    }
    if let Some(file) = ruby_function(db, environment, &lower) {
        return Function::Ruby(file);
    }
    let is_elsewhere = match name.split_once("::") {
        Some((namespace, _)) => NAMESPACES_ELSEWHERE.contains(&namespace),
        None => ELSEWHERE.contains(&name) || lacks_modules(db, from, environment),
    };
    let is_unknown = looked_up == Lookup::Unknown
        || is_elsewhere
        || RUBY.iter().any(|kind| is_mentioned(db, environment, *kind, name.into()));
    if is_unknown { Function::Unknown } else { Function::Missing }
}
