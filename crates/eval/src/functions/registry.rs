//! The list of all functions.

use super::*;

/// All functions of the language, by name.
pub static ALL: &[&Builtin] = &[
    &logging::ALERT,
    &control::BREAK,
    &logging::CRIT,
    &logging::DEBUG,
    &each::FUNCTION,
    &logging::EMERG,
    &logging::ERR,
    &logging::INFO,
    &new::FUNCTION,
    &control::NEXT,
    &logging::NOTICE,
    &control::RETURN,
    &logging::WARNING,
    &with::FUNCTION,
];

/// The function of a name.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    ALL.binary_search_by(|it| it.name.cmp(name)).ok().map(|index| ALL[index])
}
