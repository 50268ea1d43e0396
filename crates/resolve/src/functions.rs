//! Resolution of function names (C23, C24).

use marotte_db::{Db, Environment, File};
use marotte_eval::functions::{Builtin, builtin};
use marotte_hir::{Item, NameKind};
use marotte_text::{normalized, split_module, unrooted};

use crate::bolt;
use crate::names::{Lookup, lacks_modules, look_up};
use crate::ruby::{RubyFile, RubyKind, is_in_ruby, is_mentioned, ruby_definition};

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

/// Functions that older versions of Bolt, or servers with PuppetDB, add.
const OTHERS: [&str; 6] =
    ["log", "puppetdb_lookup_key", "query_facts", "query_nodes", "query_resources", "yield"];

/// Whether a function belongs to a program other than Puppet: Bolt runs code that is written for it, and servers may have PuppetDB's.
pub(crate) fn is_elsewhere(name: &str) -> bool {
    OTHERS.contains(&name) || bolt::is_function(name)
}

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
    if let Lookup::Found(item) = looked_up
        && !is_in_ruby(db, environment, RubyKind::Function, &lower)
    {
        return Function::Puppet(item);
    }
    if let Some(file) = ruby_function(db, environment, &lower) {
        return Function::Ruby(file);
    }
    let may_be_elsewhere = match split_module(name) {
        Some((namespace, _)) => NAMESPACES_ELSEWHERE.contains(&namespace),
        None => is_elsewhere(name) || lacks_modules(db, from, environment),
    };
    let is_unknown = looked_up == Lookup::Unknown
        || may_be_elsewhere
        || RUBY.iter().any(|kind| is_mentioned(db, environment, *kind, name.into()));
    if is_unknown { Function::Unknown } else { Function::Missing }
}
