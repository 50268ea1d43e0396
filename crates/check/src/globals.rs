//! Variables that every body can read: facts, what the compiler sets, and those of the main manifest and of nodes.

use std::collections::BTreeSet;

use camino::Utf8Path;
use marotte_db::system::{WalkEntry, WalkOptions};
use marotte_db::{Environment, File, module_file, source_text};
use marotte_hir::body::{Expr, TargetKind};
use marotte_hir::{ItemKind, items};
use marotte_text::Str;

use crate::Db;
use crate::infer::outline_of;

/// What a global variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Global {
    /// Set by the compiler, or a fact.
    Known,
    /// It may be a fact of a module, or of the site.
    Possible,
    /// Nothing that is known sets it.
    Nothing,
}

/// Variables that the compiler sets in the top scope (C14, I8–I10).
const OF_COMPILER: [&str; 14] = [
    "agent_specified_environment",
    "clientcert",
    "clientnoop",
    "clientversion",
    "environment",
    "facts",
    "module_name",
    "caller_module_name",
    "server_facts",
    "serverip",
    "serverip6",
    "servername",
    "serverversion",
    "trusted",
];

/// What a name means that a body does not set.
pub(crate) fn global(db: &dyn Db, from: File, environment: Environment, name: &str) -> Global {
    if OF_COMPILER.contains(&name) || is_metaparameter(name) || interim_fact(name) {
        return Global::Known;
    }
    let own = module_file(db, from).is_none().then(|| variables_of_program(db, from));
    if own.is_some_and(|it| it.contains(name))
        || environment
            .manifests(db)
            .iter()
            .any(|path| variables_of_program(db, db.files().file(db, path)).contains(name))
    {
        return Global::Known;
    }
    if custom_facts(db, environment).contains(name) {
        return Global::Possible;
    }
    Global::Nothing
}

/// Whether this is a metaparameter, which is a variable wherever it was given.
pub(crate) fn is_metaparameter(name: &str) -> bool {
    marotte_ruby::core::metaparameters().iter().any(|it| it.name == name)
}

/// The variables that a file's program and its nodes set.
#[salsa::tracked(returns(ref))]
fn variables_of_program(db: &dyn Db, file: File) -> BTreeSet<Str> {
    let mut names = BTreeSet::new();
    for item in items(db, file) {
        match item.kind(db) {
            ItemKind::Program => names.extend(outline_of(db, *item).names().cloned()),
            // A node's variables are known to all that is evaluated for it.
            ItemKind::Node(_) => {
                for (_, expr) in item.body(db).exprs() {
                    if let Expr::Assign { target, .. } = expr
                        && let TargetKind::Variable(name, _) = &target.kind
                    {
                        names.insert(name.clone());
                    }
                }
            }
            _ => {}
        }
    }
    names
}

/// The names of the facts that modules add.
#[salsa::tracked(returns(ref))]
fn custom_facts(db: &dyn Db, environment: Environment) -> BTreeSet<Str> {
    let mut names = BTreeSet::new();
    for (_, folder) in environment.modules(db).iter() {
        for path in ruby_files(db, &folder.join("lib/facter")) {
            let text = source_text(db, db.files().file(db, &path)).text();
            names.extend(interim_facts(text));
        }
    }
    names
}

fn ruby_files(db: &dyn Db, folder: &Utf8Path) -> Vec<camino::Utf8PathBuf> {
    // Which files there are is nothing that salsa sees.
    salsa::Database::report_untracked_read(db);
    let mut files = Vec::new();
    db.system().walk(folder, WalkOptions { ignore: false }, &mut |entry| match entry {
        WalkEntry::File { path, .. } if path.extension() == Some("rb") => files.push(path),
        _ => {}
    });
    files.sort();
    files
}

fn interim_facts(text: &str) -> Vec<Str> {
    text.split("Facter.add(")
        .skip(1)
        .filter_map(|it| {
            let it = it.trim_start().trim_start_matches([':', '\'', '"']);
            let end = it.find(|c: char| !c.is_alphanumeric() && c != '_')?;
            Some(it[..end].into())
        })
        .collect()
}

fn interim_fact(name: &str) -> bool {
    const N: &str = "aio_agent_version augeas augeasversion dhcp_servers disks dmi domain ec2_metadata ec2_userdata env_windows_installdir facterversion filesystems fips_enabled fqdn gce gid hardwareisa hardwaremodel hostname hypervisors id identity interfaces is_virtual kernel kernelmajversion kernelrelease kernelversion ldom load_averages manufacturer memory mountpoints networking nim_type operatingsystem operatingsystemmajrelease operatingsystemrelease os osfamily package_provider partitions path physicalprocessorcount processorcount processors productname puppetversion ruby rubyplatform rubysitedir rubyversion selinux serialnumber service_provider ssh system32 system_profiler system_uptime timezone uptime uuid virtual xendomains zone zones architecture blockdevices boardmanufacturer boardproductname boardserialnumber chassisassettag chassistype macaddress ipaddress ipaddress6 netmask netmask6 network network6 sshdsakey sshecdsakey sshed25519key sshrsakey swapencrypted swapfree swapsize dhcp_servers";
    N.split(' ').any(|it| it == name)
        || [
            "lsb",
            "mtu_",
            "ipaddress_",
            "ipaddress6_",
            "netmask_",
            "network_",
            "macaddress_",
            "processor",
            "memory",
            "swap",
            "sp_",
            "bios_",
            "selinux_",
            "macosx_",
            "blockdevice_",
            "uptime_",
            "zfs_",
            "zpool_",
            "sshfp_",
            "windows_",
            "scope6",
            "metadata",
        ]
        .iter()
        .any(|it| name.starts_with(it))
}
