//! Names in namespaces: `a::b`, and `::a::b` from the top.
//!
//! These functions run many times on every name. The standard library's substring searches do setup work on each call,
//! which takes longer than to look at each byte of a name.

use crate::Str;

/// Removes leading `::` from a name.
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

/// Normalizes a name for the comparison of definitions: without leading `::`, in lower case.
///
/// ```
/// assert_eq!(marotte_text::normalized("::Ntp::Server"), "ntp::server");
/// ```
pub fn normalized(name: &str) -> Str {
    let name = unrooted(name);
    // Most names are already normalized.
    if name.bytes().all(|it| it.is_ascii() && !it.is_ascii_uppercase()) {
        name.into()
    } else {
        name.to_lowercase().into()
    }
}

/// Splits a name into its namespace and its last segment; `None` if it has no namespace.
///
/// ```
/// assert_eq!(marotte_text::split_namespace("ntp::server::port"), Some(("ntp::server", "port")));
/// assert_eq!(marotte_text::split_namespace("port"), None);
/// ```
pub fn split_namespace(name: &str) -> Option<(&str, &str)> {
    let at = name.as_bytes().windows(2).rposition(|it| it == b"::")?;
    Some((&name[..at], &name[at + 2..]))
}

/// Splits a name into its first segment, which names the module, and the rest; `None` if it has no namespace.
///
/// ```
/// assert_eq!(marotte_text::split_module("ntp::server::port"), Some(("ntp", "server::port")));
/// assert_eq!(marotte_text::split_module("port"), None);
/// ```
pub fn split_module(name: &str) -> Option<(&str, &str)> {
    let at = name.as_bytes().windows(2).position(|it| it == b"::")?;
    Some((&name[..at], &name[at + 2..]))
}

/// The first segment of a name, which names the module.
///
/// ```
/// assert_eq!(marotte_text::first_segment("ntp::server::port"), "ntp");
/// assert_eq!(marotte_text::first_segment("port"), "port");
/// ```
pub fn first_segment(name: &str) -> &str {
    split_module(name).map_or(name, |(module, _)| module)
}

/// Whether a name contains `::`.
pub fn is_qualified(name: &str) -> bool {
    name.as_bytes().windows(2).any(|it| it == b"::")
}
