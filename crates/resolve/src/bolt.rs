//! Names that Bolt adds to Puppet, for plans and for the functions and types that they use.

use marotte_hir::ItemKind;
use marotte_text::unrooted;

use crate::spelling::{other_end, short_slip, slip};

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

/// The modules that Bolt's packages contain, in order: those of the `Puppetfile` in its source, and of its list of packaged modules.
const MODULES: [&str; 36] = [
    "aggregate",
    "apt",
    "augeas_core",
    "aws_inventory",
    "azure_inventory",
    "bash_task_helper",
    "canary",
    "cron_core",
    "facts",
    "gcloud_inventory",
    "host_core",
    "http_request",
    "inifile",
    "mount_core",
    "package",
    "pkcs7",
    "powershell_task_helper",
    "puppet_agent",
    "puppet_conf",
    "puppet_connect",
    "puppetdb_fact",
    "python_task_helper",
    "reboot",
    "ruby_plugin_helper",
    "ruby_task_helper",
    "scheduled_task",
    "secure_env_vars",
    "selinux_core",
    "service",
    "sshkeys_core",
    "terraform",
    "vault",
    "yaml",
    "yumrepo_core",
    "zfs_core",
    "zone_core",
];

/// Whether Bolt brings a module itself.
pub fn is_packaged(module: &str) -> bool {
    MODULES.binary_search(&module).is_ok()
}

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

/// Bolt's functions, by the names of their files (`bolt-modules/*/lib/puppet/functions`).
const FUNCTIONS: [&str; 54] = [
    "add_facts",
    "add_to_group",
    "apply_prep",
    "background",
    "catch_errors",
    "ctrl::do_until",
    "ctrl::sleep",
    "dir::children",
    "download_file",
    "facts",
    "fail_plan",
    "file::delete",
    "file::exists",
    "file::join",
    "file::read",
    "file::readable",
    "file::write",
    "get_resources",
    "get_target",
    "get_targets",
    "log::debug",
    "log::error",
    "log::fatal",
    "log::info",
    "log::trace",
    "log::warn",
    "out::message",
    "out::verbose",
    "parallelize",
    "prompt",
    "prompt::menu",
    "puppetdb_command",
    "puppetdb_fact",
    "puppetdb_query",
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
    "system::env",
    "upload_file",
    "vars",
    "wait",
    "wait_until_available",
    "without_default_logging",
    "write_file",
];

/// Whether Bolt has a function of this name.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// The function of Bolt that is certainly meant by a name that none of them has.
pub fn misspelled_function(name: &str) -> Option<&'static str> {
    let known = || FUNCTIONS.iter().copied();
    slip(name, known()).or_else(|| short_slip(name, known())).or_else(|| other_end(name, known())).or_else(
        || known().find(|it| name.strip_suffix('s') == Some(it) || it.strip_suffix('s') == Some(name)),
    )
}

/// Whether plans may use a definition of this kind, so that Bolt runs it.
pub fn may_run(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Plan | ItemKind::Function | ItemKind::TypeAlias)
}

/// Whether Bolt has a type of this name.
pub fn is_type(name: &str) -> bool {
    TYPES.contains(&unrooted(name).to_lowercase().as_str())
}

/// Whether one of Bolt's objects has an attribute or method of this name.
pub fn is_member(name: &str) -> bool {
    MEMBERS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_in_order() {
        assert!(MODULES.is_sorted());
        assert!(is_packaged("facts") && !is_packaged("stdlib"));
    }
}
