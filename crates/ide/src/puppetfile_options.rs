//! The options of modules in a `Puppetfile`.

/// An option of a module.
#[derive(Debug)]
pub(crate) struct ModuleOption {
    pub(crate) name: &'static str,
    /// Whether the value is a text; otherwise it is `true` or `false`.
    pub(crate) is_text: bool,
    /// The purpose, in Markdown.
    pub(crate) doc: &'static str,
}

const fn option(name: &'static str, is_text: bool, doc: &'static str) -> ModuleOption {
    ModuleOption { name, is_text, doc }
}

/// The options of a module that r10k documents; the usual ones first.
pub(crate) const OPTIONS: [ModuleOption; 17] = [
    option("git", true, "The address of the git repository of the module."),
    option("ref", true, "The branch, tag or commit to install."),
    option("tag", true, "The tag to install."),
    option(
        "branch",
        true,
        "The branch to install, or `:control_branch`: the one with the name of the environment's.",
    ),
    option("commit", true, "The commit to install."),
    option(
        "install_path",
        true,
        "The folder of the environment that gets the module, in place of `modules`.",
    ),
    option(
        "local",
        false,
        "The module belongs to the environment's own repository: it is neither installed nor removed.",
    ),
    option("default_branch", true, "The branch to install if the one of `:control_branch` does not exist."),
    option("exclude_spec", false, "Whether the folder `spec` of the module is left out."),
    option("type", true, "The kind of source: `forge`, `git`, `svn`, `local` or `tarball`."),
    option("source", true, "The address of the source, for a module with the option `type`."),
    option("version", true, "The version to install, for a module with the option `type`."),
    option("svn", true, "The address of the Subversion repository of the module."),
    option("rev", true, "The revision of the Subversion repository to install."),
    option("revision", true, "The revision of the Subversion repository to install."),
    option("username", true, "The user name for the Subversion repository."),
    option("password", true, "The password for the Subversion repository."),
];
