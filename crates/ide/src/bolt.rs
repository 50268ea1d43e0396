//! The functions that Bolt adds to Puppet, for plans: their signatures, in the order in which they are tried, and their purpose.

use marotte_db::{File, module_file};
use marotte_hir::{ItemKind, items};

use crate::Db;

/// A function of Bolt.
#[derive(Debug)]
pub(crate) struct BoltFunction {
    pub(crate) name: &'static str,
    /// The purpose, in Markdown.
    pub(crate) doc: &'static str,
    pub(crate) signatures: &'static [BoltSignature],
}

/// A signature of a function of Bolt.
#[derive(Debug)]
pub(crate) struct BoltSignature {
    /// The parameters; `?` follows the name of an optional one.
    pub(crate) parameters: &'static str,
    /// The type of the lambda.
    pub(crate) block: Option<&'static str>,
    /// The type of the result.
    pub(crate) returns: Option<&'static str>,
}

/// The function of this name.
pub(crate) fn function(name: &str) -> Option<&'static BoltFunction> {
    FUNCTIONS.iter().find(|it| it.name == name)
}

/// Whether Bolt may run the code of a file: it has a plan, or a function, which a plan may call.
pub(crate) fn may_run(db: &dyn Db, file: File) -> bool {
    items(db, file).iter().any(|it| matches!(it.kind(db), ItemKind::Plan | ItemKind::Function))
        || is_of_plans(db, file)
}

/// Whether Bolt runs the code of a file: it has a plan, or is among the plans of a module.
pub(crate) fn is_of_plans(db: &dyn Db, file: File) -> bool {
    module_file(db, file).is_some_and(|it| it.path.starts_with("plans"))
        || items(db, file).iter().any(|it| it.kind(db) == ItemKind::Plan)
}

const fn signature(
    parameters: &'static str,
    block: Option<&'static str>,
    returns: Option<&'static str>,
) -> BoltSignature {
    BoltSignature { parameters, block, returns }
}

/// All functions, by their names.
pub(crate) const FUNCTIONS: &[BoltFunction] = &[
    BoltFunction {
        name: "add_facts",
        doc: "Adds facts to a target, and returns the target.",
        signatures: &[signature("Target $target, Hash $facts", None, Some("Target"))],
    },
    BoltFunction {
        name: "add_to_group",
        doc: "Adds targets to a group of the inventory.",
        signatures: &[signature("TargetSpec $targets, String[1] $group", None, None)],
    },
    BoltFunction {
        name: "apply_prep",
        doc: "Installs the agent on targets that lack it, and collects their facts, for `apply`.",
        signatures: &[signature("TargetSpec $targets, Hash[String, Data] $options?", None, None)],
    },
    BoltFunction {
        name: "background",
        doc: "Starts a block in parallel to the plan, and returns a `Future` for its result.",
        signatures: &[signature("String[1] $name?", Some("Callable[0, 0]"), Some("Future"))],
    },
    BoltFunction {
        name: "catch_errors",
        doc: "Runs a block. Returns the error, if one of these kinds (of any kind without them) ends the block, or else its result.",
        signatures: &[signature("Array[String[1]] $error_types?", Some("Callable[0, 0]"), Some("Any"))],
    },
    BoltFunction {
        name: "ctrl::do_until",
        doc: "Runs a block again and again until its result is true. Options: `limit`, `interval`.",
        signatures: &[signature("Hash[String[1], Any] $options?", Some("Callable"), None)],
    },
    BoltFunction {
        name: "ctrl::sleep",
        doc: "Waits for some seconds.",
        signatures: &[signature("Numeric $period", None, Some("Undef"))],
    },
    BoltFunction {
        name: "dir::children",
        doc: "Returns the names of the files and folders in a folder.",
        signatures: &[signature("String $dirname", None, Some("Array"))],
    },
    BoltFunction {
        name: "download_file",
        doc: "Downloads a file or a folder from targets to a folder below `downloads` in the project.",
        signatures: &[
            signature(
                "String[1] $source, String[1] $destination, TargetSpec $targets, Hash[String[1], Any] $options?",
                None,
                Some("ResultSet"),
            ),
            signature(
                "String[1] $source, String[1] $destination, TargetSpec $targets, String $description, Hash[String[1], Any] $options?",
                None,
                Some("ResultSet"),
            ),
        ],
    },
    BoltFunction {
        name: "facts",
        doc: "Returns the facts of a target that are known so far.",
        signatures: &[signature("Target $target", None, Some("Hash[String, Data]"))],
    },
    BoltFunction {
        name: "fail_plan",
        doc: "Ends the plan with an error.",
        signatures: &[
            signature(
                "String[1] $msg, String[1] $kind?, Hash[String[1], Any] $details?, String[1] $issue_code?",
                None,
                None,
            ),
            signature("Error $error", None, None),
        ],
    },
    BoltFunction {
        name: "file::delete",
        doc: "Deletes a file on the machine that runs the plan.",
        signatures: &[signature("String[1] $filename", None, Some("Undef"))],
    },
    BoltFunction {
        name: "file::exists",
        doc: "Whether a file exists on the machine that runs the plan.",
        signatures: &[signature("String[1] $filename", None, Some("Boolean"))],
    },
    BoltFunction {
        name: "file::join",
        doc: "Joins the parts of a path.",
        signatures: &[signature("String *$paths", None, Some("String"))],
    },
    BoltFunction {
        name: "file::read",
        doc: "Returns the content of a file on the machine that runs the plan.",
        signatures: &[signature("String[1] $filename", None, Some("String"))],
    },
    BoltFunction {
        name: "file::readable",
        doc: "Whether a file on the machine that runs the plan can be read.",
        signatures: &[signature("String[1] $filename", None, Some("Boolean"))],
    },
    BoltFunction {
        name: "file::write",
        doc: "Writes a text into a file on the machine that runs the plan.",
        signatures: &[signature("String $filename, String $content", None, Some("Undef"))],
    },
    BoltFunction {
        name: "get_resources",
        doc: "Collects the resources of some types on targets.",
        signatures: &[signature(
            "TargetSpec $targets, Variant[String, Type[Resource], Array[Variant[String, Type[Resource]]]] $resources",
            None,
            Some("ResultSet"),
        )],
    },
    BoltFunction {
        name: "get_target",
        doc: "Returns the target of a name.",
        signatures: &[signature("TargetSpec $name", None, Some("Target"))],
    },
    BoltFunction {
        name: "get_targets",
        doc: "Returns the targets that names, groups and patterns of the inventory refer to.",
        signatures: &[signature("TargetSpec $names", None, Some("Array[Target]"))],
    },
    BoltFunction {
        name: "log::debug",
        doc: "Logs a message at the level debug.",
        signatures: &[signature("Any $message", None, Some("Undef"))],
    },
    BoltFunction {
        name: "log::error",
        doc: "Logs a message at the level error.",
        signatures: &[signature("Any $message", None, Some("Undef"))],
    },
    BoltFunction {
        name: "log::fatal",
        doc: "Logs a message at the level fatal.",
        signatures: &[signature("Any $message", None, Some("Undef"))],
    },
    BoltFunction {
        name: "log::info",
        doc: "Logs a message at the level info.",
        signatures: &[signature("Any $message", None, Some("Undef"))],
    },
    BoltFunction {
        name: "log::trace",
        doc: "Logs a message at the level trace.",
        signatures: &[signature("Any $message", None, Some("Undef"))],
    },
    BoltFunction {
        name: "log::warn",
        doc: "Logs a message at the level warn.",
        signatures: &[signature("Any $message", None, Some("Undef"))],
    },
    BoltFunction {
        name: "out::message",
        doc: "Prints a message.",
        signatures: &[signature("Any $message", None, Some("Undef"))],
    },
    BoltFunction {
        name: "out::verbose",
        doc: "Prints a message if Bolt runs with `--verbose`.",
        signatures: &[signature("Any $message", None, Some("Undef"))],
    },
    BoltFunction {
        name: "parallelize",
        doc: "Runs a block for each element of an array, in parallel, and returns the results.",
        signatures: &[signature("Array[Any] $data", Some("Callable[Any]"), Some("Array[PlanResult]"))],
    },
    BoltFunction {
        name: "prompt",
        doc: "Asks the user for a value. Options: `sensitive`, `default`.",
        signatures: &[signature(
            "String $prompt, Hash[String[1], Any] $options?",
            None,
            Some("Variant[String, Sensitive]"),
        )],
    },
    BoltFunction {
        name: "prompt::menu",
        doc: "Lets the user select one of several values. Option: `default`.",
        signatures: &[
            signature(
                "String $prompt, Array[Variant[Target, Data]] $menu, Hash[String[1], Variant[Target, Data]] $options?",
                None,
                Some("Variant[Target, Data]"),
            ),
            signature(
                "String $prompt, Hash[String[1], Variant[Target, Data]] $menu, Hash[String[1], Variant[Target, Data]] $options?",
                None,
                Some("Variant[TargetSpec, Data]"),
            ),
        ],
    },
    BoltFunction {
        name: "puppetdb_command",
        doc: "Sends a command to PuppetDB.",
        signatures: &[
            signature(
                "String[1] $command, Integer $version, Hash[Data, Data] $payload",
                None,
                Some("String"),
            ),
            signature(
                "String[1] $command, Integer $version, Hash[Data, Data] $payload, String $instance",
                None,
                Some("String"),
            ),
        ],
    },
    BoltFunction {
        name: "puppetdb_fact",
        doc: "Returns the facts that PuppetDB has of nodes.",
        signatures: &[
            signature("Array[String] $certnames", None, Some("Hash[String, Data]")),
            signature("Array[String] $certnames, String $instance", None, Some("Hash[String, Data]")),
        ],
    },
    BoltFunction {
        name: "puppetdb_query",
        doc: "Queries PuppetDB.",
        signatures: &[
            signature("Variant[String, Array[Data]] $query", None, Some("Array[Data]")),
            signature("Variant[String, Array[Data]] $query, String $instance", None, Some("Array[Data]")),
        ],
    },
    BoltFunction {
        name: "remove_from_group",
        doc: "Removes a target from a group of the inventory.",
        signatures: &[signature("TargetSpec $target, String[1] $group", None, None)],
    },
    BoltFunction {
        name: "resolve_references",
        doc: "Resolves the references to plugins in data of the inventory.",
        signatures: &[signature("Data $references", None, Some("Data"))],
    },
    BoltFunction {
        name: "resource",
        doc: "Returns a resource of a target that was set or collected before.",
        signatures: &[
            signature(
                "Target $target, Type[Resource] $type, String[1] $title",
                None,
                Some("Optional[ResourceInstance]"),
            ),
            signature(
                "Target $target, String[1] $type, String[1] $title",
                None,
                Some("Optional[ResourceInstance]"),
            ),
        ],
    },
    BoltFunction {
        name: "run_command",
        doc: "Runs a command on targets. Options: `_catch_errors`, `_env_vars`, `_run_as`.",
        signatures: &[
            signature(
                "String[1] $command, TargetSpec $targets, Hash[String[1], Any] $options?",
                None,
                Some("ResultSet"),
            ),
            signature(
                "String[1] $command, TargetSpec $targets, String $description, Hash[String[1], Any] $options?",
                None,
                Some("ResultSet"),
            ),
        ],
    },
    BoltFunction {
        name: "run_container",
        doc: "Runs a container on the machine that runs the plan.",
        signatures: &[signature(
            "String[1] $image, Hash[String[1], Any] $options?",
            None,
            Some("ContainerResult"),
        )],
    },
    BoltFunction {
        name: "run_plan",
        doc: "Runs another plan with these parameters. Options: `_catch_errors`, `_run_as`.",
        signatures: &[
            signature("String $plan_name, Hash $args?", None, Some("PlanResult")),
            signature("String $plan_name, TargetSpec $targets, Hash $args?", None, Some("PlanResult")),
        ],
    },
    BoltFunction {
        name: "run_script",
        doc: "Copies a script to targets and runs it there. Options: `arguments`, `pwsh_params`, `_catch_errors`, `_env_vars`, `_run_as`.",
        signatures: &[
            signature(
                "String[1] $script, TargetSpec $targets, Hash[String[1], Any] $options?",
                None,
                Some("ResultSet"),
            ),
            signature(
                "String[1] $script, TargetSpec $targets, String $description, Hash[String[1], Any] $options?",
                None,
                Some("ResultSet"),
            ),
        ],
    },
    BoltFunction {
        name: "run_task",
        doc: "Runs a task on targets, with these parameters. Options: `_catch_errors`, `_run_as`, `_noop`.",
        signatures: &[
            signature(
                "String[1] $task_name, TargetSpec $targets, Hash[String[1], Any] $args?",
                None,
                Some("ResultSet"),
            ),
            signature(
                "String[1] $task_name, TargetSpec $targets, Optional[String] $description, Hash[String[1], Any] $args?",
                None,
                Some("ResultSet"),
            ),
        ],
    },
    BoltFunction {
        name: "run_task_with",
        doc: "Runs a task on targets, with the parameters that a block returns for each target. Options: `_catch_errors`, `_run_as`, `_noop`.",
        signatures: &[
            signature(
                "String[1] $task_name, TargetSpec $targets, Hash[String[1], Any] $options?",
                Some("Callable[Target]"),
                Some("ResultSet"),
            ),
            signature(
                "String[1] $task_name, TargetSpec $targets, Optional[String] $description, Hash[String[1], Any] $options?",
                Some("Callable[Target]"),
                Some("ResultSet"),
            ),
        ],
    },
    BoltFunction {
        name: "set_config",
        doc: "Sets an option of the configuration of a target.",
        signatures: &[signature(
            "Target $target, Variant[String, Array[String]] $key_or_key_path, Any $value",
            None,
            Some("Target"),
        )],
    },
    BoltFunction {
        name: "set_feature",
        doc: "Sets or removes a feature of a target.",
        signatures: &[signature("Target $target, String $feature, Boolean $value?", None, Some("Target"))],
    },
    BoltFunction {
        name: "set_resources",
        doc: "Sets resources of a target.",
        signatures: &[
            signature("Target $target, Hash $resource", None, Some("Array[ResourceInstance]")),
            signature("Target $target, ResourceInstance $resource", None, Some("Array[ResourceInstance]")),
            signature(
                "Target $target, Array[Variant[Hash, ResourceInstance]] $resources",
                None,
                Some("Array[ResourceInstance]"),
            ),
        ],
    },
    BoltFunction {
        name: "set_var",
        doc: "Sets a variable of a target.",
        signatures: &[signature("Target $target, String $key, Data $value", None, Some("Target"))],
    },
    BoltFunction {
        name: "system::env",
        doc: "Returns the value of an environment variable on the machine that runs the plan.",
        signatures: &[signature("String $name", None, Some("Optional[String]"))],
    },
    BoltFunction {
        name: "upload_file",
        doc: "Uploads a file or a folder to targets. Options: `_catch_errors`, `_run_as`.",
        signatures: &[
            signature(
                "String[1] $source, String[1] $destination, TargetSpec $targets, Hash[String[1], Any] $options?",
                None,
                Some("ResultSet"),
            ),
            signature(
                "String[1] $source, String[1] $destination, TargetSpec $targets, String $description, Hash[String[1], Any] $options?",
                None,
                Some("ResultSet"),
            ),
        ],
    },
    BoltFunction {
        name: "vars",
        doc: "Returns the variables of a target.",
        signatures: &[signature("Target $target", None, Some("Hash[String, Data]"))],
    },
    BoltFunction {
        name: "wait",
        doc: "Waits for the results of blocks that `background` has started. Option: `_catch_errors`.",
        signatures: &[
            signature(
                "Variant[Future, Array[Future]] $futures, Hash[String[1], Any] $options?",
                None,
                Some("Array[PlanResult]"),
            ),
            signature("Hash[String[1], Any] $options?", None, Some("Array[PlanResult]")),
            signature(
                "Variant[Integer[0], Float[0.0]] $timeout, Hash[String[1], Any] $options?",
                None,
                Some("Array[PlanResult]"),
            ),
            signature(
                "Variant[Future, Array[Future]] $futures, Variant[Integer[0], Float[0.0]] $timeout, Hash[String[1], Any] $options?",
                None,
                Some("Array[PlanResult]"),
            ),
        ],
    },
    BoltFunction {
        name: "wait_until_available",
        doc: "Waits until targets accept connections. Options: `description`, `wait_time`, `retry_interval`, `_catch_errors`.",
        signatures: &[signature(
            "TargetSpec $targets, Hash[String[1], Any] $options?",
            None,
            Some("ResultSet"),
        )],
    },
    BoltFunction {
        name: "without_default_logging",
        doc: "Runs a block without the messages that functions print of what they do.",
        signatures: &[signature("", Some("Callable[0, 0]"), None)],
    },
    BoltFunction {
        name: "write_file",
        doc: "Writes a text into a file on targets. Options: `_catch_errors`, `_run_as`.",
        signatures: &[signature(
            "String $content, String[1] $destination, TargetSpec $targets, Hash[String[1], Any] $options?",
            None,
            Some("ResultSet"),
        )],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_is_one_that_names_resolve_to() {
        for it in FUNCTIONS {
            assert!(marotte_resolve::bolt::is_function(it.name), "{}", it.name);
            assert!(it.doc.ends_with('.') && !it.signatures.is_empty(), "{}", it.name);
        }
        assert!(FUNCTIONS.is_sorted_by_key(|it| it.name));
    }
}
