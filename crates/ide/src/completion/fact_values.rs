//! The values that facts have on the systems that Facter supports.

use marotte_text::Str;

/// `os.family`, as Facter derives it from the identifier of a distribution, and as the other systems have it.
const FAMILIES: [&str; 13] = [
    "AIX",
    "Alpine",
    "Archlinux",
    "Darwin",
    "Debian",
    "FreeBSD",
    "Gentoo",
    "Mandrake",
    "OpenBSD",
    "RedHat",
    "Solaris",
    "Suse",
    "windows",
];

/// `os.name` of common systems.
const NAMES: [&str; 18] = [
    "AIX",
    "AlmaLinux",
    "Alpine",
    "Amazon",
    "Archlinux",
    "CentOS",
    "Darwin",
    "Debian",
    "Fedora",
    "FreeBSD",
    "Gentoo",
    "OracleLinux",
    "RedHat",
    "Rocky",
    "SLES",
    "Solaris",
    "Ubuntu",
    "windows",
];

/// `kernel`.
const KERNELS: [&str; 7] = ["AIX", "Darwin", "FreeBSD", "Linux", "OpenBSD", "SunOS", "windows"];

/// The usual values of the fact at a path; empty if none are known.
pub(crate) fn of(path: &[Str]) -> &'static [&'static str] {
    let path: Vec<&str> = path.iter().map(|it| &**it).collect();
    match path[..] {
        ["os", "family"] | ["osfamily"] => &FAMILIES,
        ["os", "name"] | ["operatingsystem"] => &NAMES,
        ["kernel"] => &KERNELS,
        _ => &[],
    }
}
