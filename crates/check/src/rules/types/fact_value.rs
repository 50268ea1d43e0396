//! `impossible-match` for facts: a word that is almost one of the values that Facter reports.

use marotte_diagnostics::{Level, rules};
use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Body, Expr, Variable};
use marotte_resolve::globals::is_facts;
use marotte_resolve::spelling::{is_slip, slip};
use rapidfuzz::distance::osa;

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

/// Systems that are often taken for a family, and the family that Facter reports for them.
const FAMILY_OF: [(&str, &str); 21] = [
    ("AlmaLinux", "RedHat"),
    ("Amazon", "RedHat"),
    ("CentOS", "RedHat"),
    ("CloudLinux", "RedHat"),
    ("Devuan", "Debian"),
    ("Fedora", "RedHat"),
    ("Kali", "Debian"),
    ("LinuxMint", "Debian"),
    ("Manjaro", "Archlinux"),
    ("OpenSuSE", "Suse"),
    ("OracleLinux", "RedHat"),
    ("Raspbian", "Debian"),
    ("RHEL", "RedHat"),
    ("Rocky", "RedHat"),
    ("Scientific", "RedHat"),
    ("SLED", "Suse"),
    ("SLES", "Suse"),
    ("SunOS", "Solaris"),
    ("Ubuntu", "Debian"),
    ("VirtuozzoLinux", "RedHat"),
    ("XenServer", "RedHat"),
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
        // Among several words, some may be defensive: `'RedHat', 'CentOS'`.
        let is_alone = options.len() == 1 && fact == FAMILY;
        let family = || FAMILY_OF.iter().find(|(it, _)| is_alone && it.eq_ignore_ascii_case(word));
        let near = slip(&word_in_lower_case, names()).or_else(short).or_else(blank);
        let near = near.or_else(|| typo(&word_in_lower_case, names()));
        let meant = match family() {
            Some((_, family)) => *family,
            None => {
                let Some(near) = near else { continue };
                known().find(|it| it.eq_ignore_ascii_case(near)).unwrap_or_default()
            }
        };
        let message = format!("no system reports `{word}` as its `{fact}`");
        let finding = context.report(rules::IMPOSSIBLE_MATCH, At::Expr(*option), message);
        finding.level = Level::Warning;
        finding.label = Some(format!("did you mean `{meant}`?"));
    }
}

/// The name from which a word of at least five letters differs by one typo, also at its ends: the list of names is complete.
fn typo<'a>(word: &str, mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 5;
    let is_typo = |it: &&str| it.len() >= SHORTEST && osa::distance(it.chars(), word.chars()) == 1;
    names.find(is_typo).filter(|_| word.len() >= SHORTEST)
}

/// The name of the fact with the family of a system.
const FAMILY: &str = "os.family";

type Known = fn() -> Box<dyn Iterator<Item = &'static str>>;

/// The fact that an expression reads, and its known values.
fn fact(body: &Body, id: ExprId) -> Option<(&'static str, Known)> {
    const OF_FAMILY: (&str, Known) = (FAMILY, || Box::new(FAMILIES.into_iter()));
    const NAME: (&str, Known) = ("os.name", || Box::new(FAMILIES.into_iter().chain(SYSTEMS)));
    const KERNEL: (&str, Known) = ("kernel", || Box::new(KERNELS.into_iter().chain(["windows"])));
    const MACHINE: (&str, Known) = ("virtual", || Box::new(VIRTUAL.into_iter()));
    let of_variable = |name: &str| match name {
        "osfamily" => Some(OF_FAMILY),
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
                (Expr::String(os), "family") if os == "os" => Some(OF_FAMILY),
                (Expr::String(os), "name") if os == "os" => Some(NAME),
                _ => None,
            }
        }
        _ => None,
    }
}
