//! The list of all functions.

use super::*;

/// All functions of the language, by name.
pub static ALL: &[&Builtin] = &[
    &abs::FUNCTION,
    &logging::ALERT,
    &control::BREAK,
    &letter_case::CAMELCASE,
    &letter_case::CAPITALIZE,
    &rounding::CEILING,
    &chop::CHOMP,
    &chop::CHOP,
    &logging::CRIT,
    &logging::DEBUG,
    &digest::DIGEST,
    &letter_case::DOWNCASE,
    &each::FUNCTION,
    &logging::EMERG,
    &logging::ERR,
    &rounding::FLOOR,
    &fqdn_rand::FUNCTION,
    &logging::INFO,
    &strip::LSTRIP,
    &matching::FUNCTION,
    &digest::MD5,
    &new::FUNCTION,
    &control::NEXT,
    &logging::NOTICE,
    &regsubst::FUNCTION,
    &control::RETURN,
    &rounding::ROUND,
    &strip::RSTRIP,
    &digest::SHA1,
    &digest::SHA256,
    &shellquote::FUNCTION,
    &split::FUNCTION,
    &sprintf::FUNCTION,
    &strftime::FUNCTION,
    &strip::STRIP,
    &letter_case::UPCASE,
    &versioncmp::FUNCTION,
    &logging::WARNING,
    &with::FUNCTION,
];

/// The function of a name.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    ALL.binary_search_by(|it| it.name.cmp(name)).ok().map(|index| ALL[index])
}
