//! Names that Bolt adds to Puppet, for plans and for the functions and types that they use.

use marotte_hir::ItemKind;
use marotte_text::unrooted;

/// The types of Bolt's objects, and its aliases.
const TYPES: [&str; 9] = [
    "applyresult",
    "containerresult",
    "future",
    "planresult",
    "resourceinstance",
    "result",
    "resultset",
    "target",
    "targetspec",
];

/// The attributes and methods of Bolt's objects, from its types in Ruby (`bolt-modules/boltlib/lib/puppet/datatypes`).
const MEMBERS: [&str; 51] = [
    "action",
    "add_event",
    "catalog",
    "config",
    "count",
    "desired_state",
    "empty",
    "error",
    "error_set",
    "events",
    "facts",
    "features",
    "filter_set",
    "find",
    "first",
    "host",
    "message",
    "name",
    "names",
    "ok",
    "ok_set",
    "overwrite_desired_state",
    "overwrite_state",
    "password",
    "plugin_hooks",
    "port",
    "protocol",
    "reference",
    "report",
    "resources",
    "results",
    "safe_name",
    "sensitive",
    "set_desired_state",
    "set_state",
    "state",
    "status",
    "stderr",
    "stdout",
    "target",
    "target_alias",
    "targets",
    "title",
    "to_data",
    "transport",
    "transport_config",
    "type",
    "uri",
    "user",
    "value",
    "vars",
];

/// Whether plans may use a definition of this kind, so that Bolt runs it.
pub(crate) fn may_run(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Plan | ItemKind::Function | ItemKind::TypeAlias)
}

/// Whether Bolt has a type of this name.
pub(crate) fn is_type(name: &str) -> bool {
    TYPES.contains(&unrooted(name).to_lowercase().as_str())
}

/// Whether one of Bolt's objects has an attribute or method of this name.
pub(crate) fn is_member(name: &str) -> bool {
    MEMBERS.contains(&name)
}
