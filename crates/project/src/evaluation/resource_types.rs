//! The resource types that the language knows without any module.

/// Those of Puppet 8.11, in order. Others that an agent comes with, such as `cron` and `mount`, are modules.
const CORE: [&str; 14] = [
    "component",
    "exec",
    "file",
    "filebucket",
    "group",
    "notify",
    "package",
    "resources",
    "schedule",
    "service",
    "stage",
    "tidy",
    "user",
    "whit",
];

/// Whether the language itself has a resource type of this name.
pub(super) fn is_core(name: &str) -> bool {
    CORE.binary_search(&name).is_ok()
}
