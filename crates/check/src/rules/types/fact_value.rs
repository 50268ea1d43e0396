//! `impossible-match` for facts: a word that is almost one of the values that Facter reports.

use marotte_diagnostics::{Level, rules};
use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Body, Expr, Variable};
use marotte_resolve::globals::is_facts;
use marotte_resolve::spelling::{is_slip, slip};

use crate::context::{At, Context};

/// The values of `os.family`.
const FAMILIES: [&str; 17] = [
    "AIX",
    "Alpine",
    "Archlinux",
    "Darwin",
    "Debian",
    "DragonFly",
    "FreeBSD",
    "Gentoo",
    "HP-UX",
    "Linux",
    "Mandrake",
    "NetBSD",
    "OpenBSD",
    "RedHat",
    "Solaris",
    "Suse",
    "windows",
];

/// The values of `os.name`, beyond those that are also a family.
const SYSTEMS: [&str; 30] = [
    "AlmaLinux",
    "Amazon",
    "AzureLinux",
    "CentOS",
    "CloudLinux",
    "CumulusLinux",
    "Devuan",
    "Fedora",
    "Kali",
    "KDE neon",
    "LinuxMint",
    "Mageia",
    "Mandriva",
    "Manjaro",
    "MeeGo",
    "openEuler",
    "OpenSuSE",
    "openSUSE",
    "OracleLinux",
    "PhotonOS",
    "Raspbian",
    "Rocky",
    "Scientific",
    "Slackware",
    "SLED",
    "SLES",
    "SunOS",
    "Ubuntu",
    "VirtuozzoLinux",
    "XenServer",
];

/// The values of `kernel`.
const KERNELS: [&str; 10] =
    ["AIX", "Darwin", "DragonFly", "FreeBSD", "GNU/kFreeBSD", "HP-UX", "Linux", "NetBSD", "OpenBSD", "SunOS"];

/// Values of `virtual`.
const VIRTUAL: [&str; 14] = [
    "bhyve",
    "docker",
    "hyperv",
    "kubevirt",
    "openvz",
    "openvzhn",
    "openvzve",
    "ovirt",
    "parallels",
    "physical",
    "podman",
    "systemd_nspawn",
    "virtualbox",
    "vmware",
];

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Binary(it) if matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual) => {
                options(context, it.left, &[it.right]);
                options(context, it.right, &[it.left]);
            }
            Expr::Binary(it) if it.op == BinaryOp::In => {
                if let Expr::Array(elements) = body.expr(it.right) {
                    options(context, it.left, elements);
                }
            }
            Expr::Case(it) => it.options.iter().for_each(|option| options(context, it.test, &option.values)),
            Expr::Selector(it) => it.entries.iter().for_each(|(key, _)| options(context, it.test, &[*key])),
            _ => {}
        }
    }
}

fn options(context: &mut Context<'_, '_>, value: ExprId, options: &[ExprId]) {
    let body = context.body;
    let Some((fact, known)) = fact(body, value) else { return };
    for option in options {
        let Expr::String(word) = body.expr(*option) else { continue };
        if known().any(|it| it.eq_ignore_ascii_case(word)) || context.inference().is_unreachable(*option) {
            continue;
        }
        let lower: Vec<String> = known().map(str::to_ascii_lowercase).collect();
        let names = || lower.iter().map(String::as_str);
        let word_in_lower_case = word.to_ascii_lowercase();
        let short = || names().find(|it| is_slip(&word_in_lower_case, it));
        let blank = || names().find(|it| *it == word_in_lower_case.trim());
        let Some(near) = slip(&word_in_lower_case, names()).or_else(short).or_else(blank) else { continue };
        let meant = known().find(|it| it.eq_ignore_ascii_case(near)).unwrap_or_default();
        let message = format!("no system reports `{word}` as its `{fact}`");
        let finding = context.report(rules::IMPOSSIBLE_MATCH, At::Expr(*option), message);
        finding.level = Level::Warning;
        finding.label = Some(format!("did you mean `{meant}`?"));
    }
}

type Known = fn() -> Box<dyn Iterator<Item = &'static str>>;

/// The fact that an expression reads, and its known values.
fn fact(body: &Body, id: ExprId) -> Option<(&'static str, Known)> {
    const FAMILY: (&str, Known) = ("os.family", || Box::new(FAMILIES.into_iter()));
    const NAME: (&str, Known) = ("os.name", || Box::new(FAMILIES.into_iter().chain(SYSTEMS)));
    const KERNEL: (&str, Known) = ("kernel", || Box::new(KERNELS.into_iter().chain(["windows"])));
    const MACHINE: (&str, Known) = ("virtual", || Box::new(VIRTUAL.into_iter()));
    let of_variable = |name: &str| match name {
        "osfamily" => Some(FAMILY),
        "operatingsystem" => Some(NAME),
        "kernel" => Some(KERNEL),
        "virtual" => Some(MACHINE),
        _ => None,
    };
    match body.expr(id) {
        Expr::Variable(variable) => match &**variable {
            Variable::Top(name) => of_variable(name),
            Variable::Local { .. } | Variable::Qualified { .. } | Variable::Group(_) => None,
        },
        Expr::Access { target, keys } => {
            let (target, [key]) = (*target, &keys[..]) else { return None };
            let Expr::String(key) = body.expr(*key) else { return None };
            if is_facts(body, target) {
                return of_variable(key);
            }
            let Expr::Access { target, keys } = body.expr(target) else { return None };
            let (true, [os]) = (is_facts(body, *target), &keys[..]) else { return None };
            match (body.expr(*os), key.as_str()) {
                (Expr::String(os), "family") if os == "os" => Some(FAMILY),
                (Expr::String(os), "name") if os == "os" => Some(NAME),
                _ => None,
            }
        }
        _ => None,
    }
}
