//! Value checks of attributes that Puppet and its agent implement in code, beyond lists of permitted values.

use std::sync::LazyLock;

use marotte_infer::inference::constant;
use marotte_pcore::types::{StringType, Type, TypeKind};
use marotte_pcore::value::Value;
use regex::Regex;

/// The form of an attribute's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Form {
    /// Only the listed values, whatever munging follows.
    Listed,
    /// A file mode: octal digits, or the syntax of `chmod`, as a string.
    Mode,
    /// An absolute path.
    Path,
    /// A number, for example of seconds.
    Number,
    /// A number of repetitions, at least one.
    Count,
    /// `NAME=value`.
    Setting,
    /// A numeric group ID.
    GroupNumber,
    /// The name of a single group.
    GroupName,
    /// A time, such as `2d`.
    Age,
    /// A field of a crontab: the range of its numbers, and their names.
    Time(i64, i64, &'static [&'static str]),
}

/// Puppet's own package providers (`puppet/provider/package`).
pub(in crate::rules) const PACKAGE_PROVIDERS: [&str; 43] = [
    "aix",
    "appdmg",
    "apple",
    "apt",
    "aptitude",
    "aptrpm",
    "blastwave",
    "dnf",
    "dnfmodule",
    "dpkg",
    "fink",
    "freebsd",
    "gem",
    "hpux",
    "macports",
    "nim",
    "openbsd",
    "opkg",
    "pacman",
    "pip",
    "pip2",
    "pip3",
    "pkg",
    "pkgdmg",
    "pkgin",
    "pkgng",
    "pkgutil",
    "portage",
    "ports",
    "portupgrade",
    "puppet_gem",
    "puppetserver_gem",
    "rpm",
    "rug",
    "sun",
    "sunfreeware",
    "tdnf",
    "up2date",
    "urpmi",
    "windows",
    "xbps",
    "yum",
    "zypper",
];
/// Puppet's own service providers (`puppet/provider/service`).
pub(in crate::rules) const SERVICE_PROVIDERS: [&str; 20] = [
    "base",
    "bsd",
    "daemontools",
    "debian",
    "freebsd",
    "gentoo",
    "init",
    "launchd",
    "openbsd",
    "openrc",
    "openwrt",
    "rcng",
    "redhat",
    "runit",
    "service",
    "smf",
    "src",
    "systemd",
    "upstart",
    "windows",
];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

impl Form {
    /// The form of an attribute, if it is known.
    pub(in crate::rules) fn of(resource_type: &str, attribute: &str) -> Option<Form> {
        Some(match (resource_type, attribute) {
            ("file", "recurse") | ("user", "managehome" | "expiry") => Form::Listed,
            ("file", "mode") => Form::Mode,
            ("file", "path") | ("exec", "cwd" | "creates") => Form::Path,
            ("exec", "timeout" | "try_sleep") => Form::Number,
            ("exec", "tries") => Form::Count,
            ("exec", "environment") => Form::Setting,
            ("group", "gid") => Form::GroupNumber,
            ("user", "groups") => Form::GroupName,
            ("tidy", "age") => Form::Age,
            ("cron", "minute") => Form::Time(0, 59, &[]),
            ("cron", "hour") => Form::Time(0, 23, &[]),
            ("cron", "weekday") => Form::Time(0, 7, &WEEKDAYS),
            ("cron", "month") => Form::Time(1, 12, &MONTHS),
            ("cron", "monthday") => Form::Time(1, 31, &[]),
            _ => return None,
        })
    }

    /// Whether the elements of an array are checked one by one.
    pub(in crate::rules) fn is_of_elements(self) -> bool {
        matches!(self, Form::Path | Form::Setting | Form::GroupName | Form::Time(..))
    }

    /// The reason why every value of a type is rejected. None if one may be accepted.
    pub(in crate::rules) fn refuses(self, it: &Type) -> Option<String> {
        /// The same pattern as the reference's (`SymbolicFileMode`).
        static MODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
            let part = "[ugoa]*[-=+][-=+rstwxXugo]*";
            Regex::new(&format!("^(?:0?[0-7]{{1,4}}|{part}(?:,{part})*)$")).ok()
        });
        /// The syntax that Ruby's `Float` accepts.
        static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r"^\s*[-+]?(?:0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]+)?(?:[eE][-+]?[0-9]+)?)\s*$")
                .ok()
        });
        static SETTING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\w+=").ok());
        let matches = |pattern: &LazyLock<Option<Regex>>, text: &str| {
            pattern.as_ref().is_none_or(|it| it.is_match(text))
        };
        let text = match it.resolved().kind() {
            TypeKind::String(StringType::Literal(text)) => Some(text),
            _ => None,
        };
        let number = match (text, constant(it)) {
            (Some(text), _) => text.parse::<i64>().ok(),
            (None, Some(Value::Integer(number))) => number.to_i64(),
            _ => None,
        };
        let why = |is_refused: bool, why: &str| is_refused.then(|| why.to_owned());
        match self {
            Form::Listed => None,
            Form::Mode => match text {
                Some(text) => {
                    why(!matches(&MODE, text), "a mode is written in octal digits, or as `u=rw,g=r`")
                }
                None => {
                    let kind = it.resolved().kind();
                    let is_other =
                        matches!(kind, TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Boolean(_));
                    why(is_other, "a mode is a string: octal digits or letters in quotes")
                }
            },
            Form::Path => why(!is_absolute(text?), "the path must start at the root"),
            Form::Number => why(!matches(&NUMBER, text?), "it must be a number"),
            Form::Count => {
                let is_count = match text {
                    Some(text) => text.bytes().all(|it| it.is_ascii_digit()) && number != Some(0),
                    None => number? > 0,
                };
                why(!is_count, "it must be a whole number, at least 1")
            }
            Form::Setting => why(!matches(&SETTING, text?), "it must be written as `NAME=value`"),
            Form::GroupNumber => {
                let text = text?;
                let is_number = text == "absent" || text.bytes().all(|it| it.is_ascii_digit() || it == b'-');
                why(!is_number, "it must be a number")
            }
            Form::GroupName => {
                let text = text?;
                why(text.contains(','), "several groups are given as an array")
                    .or(why(text.is_empty(), "where there is no group, give an empty array"))
                    .or(why(number.is_some(), "groups are identified by their names, not by their numbers"))
            }
            Form::Age => {
                let text = text?;
                let unit = text.trim_start_matches(|it: char| it.is_ascii_digit());
                let is_unit = matches!(
                    unit.chars().next().map(|it| it.to_ascii_lowercase()),
                    None | Some('s' | 'm' | 'h' | 'd' | 'w')
                );
                let is_age = unit.len() < text.len() && is_unit;
                why(!is_age, "it must be a number with one of the units `s`, `m`, `h`, `d` or `w`")
            }
            Form::Time(first, last, names) => {
                let is_time = match (number, text) {
                    (Some(number), _) => (first..=last).contains(&number),
                    (None, Some(text)) => is_time(text, names),
                    (None, None) => return None,
                };
                let named = if names.is_empty() { "" } else { ", or a name" };
                (!is_time).then(|| {
                    format!("it takes numbers from {first} to {last}{named}, ranges, and `*/…`; several are given as an array")
                })
            }
        }
    }
}

/// Whether a text is valid in a crontab field, beyond numbers: empty, any, steps, ranges (which aren't compared with limits),
/// and names.
fn is_time(text: &str, names: &[&str]) -> bool {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let is_range = |it: &str| it.split_once('-').is_some_and(|(from, to)| is_number(from) && is_number(to));
    let name = text.to_lowercase();
    match text.split_once('/') {
        Some((all, step)) => (all == "*" || is_range(all)) && is_number(step),
        None => {
            matches!(text, "absent" | "*")
                || is_range(text)
                || names.iter().any(|it| *it == name || name.len() == 3 && it.starts_with(&name))
        }
    }
}

/// Whether a path is absolute, on Unix or Windows.
fn is_absolute(path: &str) -> bool {
    let mut bytes = path.bytes();
    match bytes.next() {
        Some(b'/' | b'\\') => true,
        Some(letter) => letter.is_ascii_alphabetic() && bytes.next() == Some(b':'),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(form: Form, text: &str) -> bool {
        form.refuses(&Type::literal(text)).is_some()
    }

    fn are(form: Form, taken: &[&str], refused: &[&str]) {
        for text in taken {
            assert!(!refuses(form, text), "{form:?} takes `{text}`");
        }
        for text in refused {
            assert!(refuses(form, text), "{form:?} refuses `{text}`");
        }
    }

    #[test]
    fn modes_are_those_of_the_reference() {
        are(
            Form::Mode,
            &["0644", "06444", "644", "u=rw,g=r", "u+rwx,o-t", "ug=rwX", "+x", "u=g"],
            &["rw-r-x", "888", "66444", "166444", "", "0x1", "rw"],
        );
        assert!(Form::Mode.refuses(&Type::integer()).is_some());
        assert!(Form::Mode.refuses(&Type::string()).is_none());
    }

    #[test]
    fn paths_of_all_systems_start_at_a_root() {
        are(
            Form::Path,
            &["/etc", "C:/x", "c:\\x", "\\\\server\\share", "//server/share"],
            &["etc/ntp.conf", "~/x", "./x"],
        );
    }

    #[test]
    fn numbers_are_those_of_ruby() {
        are(Form::Number, &["0", "30", "1.5", "1e3", "-1", "0x10", "1_000"], &["long", "30s", "", "."]);
        are(Form::Count, &["1", "10"], &["0", "-1", "1.5", "many"]);
        are(Form::GroupNumber, &["100", "-2", "absent"], &["staff", "1.5"]);
        assert!(Form::Count.refuses(&Type::integer()).is_none());
    }

    #[test]
    fn settings_and_groups_are_written_one_by_one() {
        are(Form::Setting, &["PATH=/bin", "A=", "A B=c"], &["PATH", "=x", ""]);
        are(Form::GroupName, &["staff"], &["staff,users", "100", ""]);
    }

    #[test]
    fn ages_have_units() {
        are(Form::Age, &["0", "2d", "1week", "3H", "5minutes"], &["1x", "old", "", "1 d"]);
    }

    #[test]
    fn times_are_those_of_the_crontab() {
        let weekday = Form::Time(0, 7, &WEEKDAYS);
        are(
            weekday,
            &["0", "7", "mon", "Monday", "1-5", "*", "*/2", "absent"],
            &["8", "Mondy", "1,2", "mon-fri"],
        );
        are(Form::Time(0, 23, &[]), &["23", "0-23/2", "9-30"], &["24", "noon", "*/x", "-1"]);
    }
}
