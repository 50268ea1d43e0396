//! Names in namespaces: `a::b`, and `::a::b` from the top.
//!
//! Every name is asked these things many times. The standard library's searches for a text prepare themselves each time, which
//! takes longer than to look at each byte of a name.

use crate::Str;

/// The name without the `::` in front of it.
///
/// ```
/// assert_eq!(marotte_text::unrooted("::ntp::server"), "ntp::server");
/// assert_eq!(marotte_text::unrooted("ntp::server"), "ntp::server");
/// ```
pub fn unrooted(name: &str) -> &str {
    let mut rest = name;
    while let Some(shorter) = rest.strip_prefix("::") {
        rest = shorter;
    }
    rest
}

/// A name as names of definitions are compared: without the `::` in front of it, in lower case.
///
/// ```
/// assert_eq!(marotte_text::normalized("::Ntp::Server"), "ntp::server");
/// ```
pub fn normalized(name: &str) -> Str {
    let name = unrooted(name);
    // Most are already.
    if name.bytes().all(|it| it.is_ascii() && !it.is_ascii_uppercase()) {
        name.into()
    } else {
        name.to_lowercase().into()
    }
}

/// The namespace of a name, and its last part; none if it is in no namespace.
///
/// ```
/// assert_eq!(marotte_text::split_namespace("ntp::server::port"), Some(("ntp::server", "port")));
/// assert_eq!(marotte_text::split_namespace("port"), None);
/// ```
pub fn split_namespace(name: &str) -> Option<(&str, &str)> {
    let at = name.as_bytes().windows(2).rposition(|it| it == b"::")?;
    Some((&name[..at], &name[at + 2..]))
}

/// Whether a name is in a namespace, or from the top.
pub fn is_qualified(name: &str) -> bool {
    name.as_bytes().windows(2).any(|it| it == b"::")
}
