//! The grammar of URIs as Ruby's parser for RFC 3986 has it, and references resolved against a base.

use std::net::Ipv6Addr;

use super::super::escape::percent_encoded;

/// The parts of a URI.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) scheme: Option<String>,
    pub(super) userinfo: Option<String>,
    pub(super) host: Option<String>,
    pub(super) port: Option<String>,
    pub(super) path: Option<String>,
    pub(super) opaque: Option<String>,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

/// Whether a text has only escapes, letters, digits and these characters.
pub(super) fn has_only(text: &str, others: &str) -> bool {
    let bytes = text.as_bytes();
    let is_escape =
        |at: usize| bytes.get(at + 1..at + 3).is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit));
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => is_escape(at),
        it => it.is_ascii_alphanumeric() || others.as_bytes().contains(it),
    })
}

const REGISTERED_NAME: &str = "!$&'()*+,-.;=_~";
pub(super) const USERINFO: &str = "!$&'()*+,-.:;=_~";
const SEGMENT: &str = "!$&'()*+,-.:;=@_~";
const PATH: &str = "!$&'()*+,-.:;=@_~/";
const FRAGMENT: &str = "!$&'()*+,-.:;=@_~/?";

pub(super) fn is_scheme(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic())
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
}

pub(super) fn is_host(text: &str) -> bool {
    match text.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        Some(literal) => {
            let future = literal.strip_prefix('v').and_then(|it| it.split_once('.'));
            literal.parse::<Ipv6Addr>().is_ok()
                || future.is_some_and(|(version, rest)| {
                    let is_plain = !rest.is_empty() && !rest.contains('%') && has_only(rest, USERINFO);
                    !version.is_empty() && version.bytes().all(|it| it.is_ascii_hexdigit()) && is_plain
                })
        }
        None => has_only(text, REGISTERED_NAME),
    }
}

pub(super) fn is_absolute_path(text: &str) -> bool {
    text.starts_with('/') && has_only(text, PATH)
}

/// Takes an authority apart: user, host, port. None if it is not one.
fn authority(text: &str) -> Option<(Option<&str>, &str, Option<&str>)> {
    let (userinfo, rest) = match text.split_once('@') {
        Some((userinfo, rest)) => (Some(userinfo), rest),
        None => (None, text),
    };
    if userinfo.is_some_and(|it| !has_only(it, USERINFO)) {
        return None;
    }
    let end = match rest.starts_with('[') {
        true => rest.find(']')? + 1,
        false => rest.find(':').unwrap_or(rest.len()),
    };
    let (host, port) = rest.split_at(end);
    let port = match port {
        "" => None,
        _ => Some(port.strip_prefix(':').filter(|it| it.bytes().all(|it| it.is_ascii_digit()))?),
    };
    is_host(host).then_some((userinfo, host, port))
}

/// Takes a text of ASCII apart. None if it is neither a URI nor a relative reference.
pub(super) fn split(text: &str) -> Option<Parts> {
    let (rest, fragment) = match text.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (text, None),
    };
    if fragment.is_some_and(|it| !has_only(it, FRAGMENT)) {
        return None;
    }
    let (hierarchy, query) = match rest.split_once('?') {
        Some((hierarchy, query)) => (hierarchy, Some(query)),
        None => (rest, None),
    };
    let owned = |it: &str| it.to_owned();
    let mut parts = Parts { query: query.map(owned), fragment: fragment.map(owned), ..Parts::default() };
    let rest = match hierarchy.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) {
        Some((scheme, rest)) => {
            parts.scheme = Some(owned(scheme));
            rest
        }
        None => hierarchy,
    };
    if let Some(rest) = rest.strip_prefix("//") {
        let (name, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (userinfo, host, port) = authority(name)?;
        // A relative reference may lack the host; then there is none, and not an empty one.
        let is_missing = parts.scheme.is_none() && host.is_empty();
        parts.userinfo = userinfo.map(owned);
        parts.host = (!is_missing).then(|| owned(host));
        parts.port = port.map(owned);
        parts.path = Some(owned(path).to_owned()).filter(|it| has_only(it, PATH));
        return parts.path.is_some().then_some(parts);
    }
    let first = rest.split('/').next().unwrap_or_default();
    if rest.is_empty() || rest.starts_with('/') {
        parts.path = Some(owned(rest)).filter(|it| has_only(it, PATH));
        return parts.path.is_some().then_some(parts);
    }
    if !has_only(rest, PATH) || !has_only(first, SEGMENT) {
        return None;
    }
    if parts.scheme.is_some() {
        let query = parts.query.take().map_or(String::new(), |it| format!("?{it}"));
        parts.opaque = Some(format!("{rest}{query}"));
        return Some(parts);
    }
    if first.contains(':') {
        return None;
    }
    parts.path = Some(owned(rest));
    Some(parts)
}

/// The text of a query with what must be escaped, escaped.
pub(super) fn query_text(text: &str) -> String {
    let text = text.replace(['\t', '\r', '\n'], "");
    escaped(&text, b"!$%&()*+,-./:;=?@[\\]^_{|}~")
}

/// The text of a fragment with what must be escaped, escaped.
pub(super) fn fragment_text(text: &str) -> String {
    let text = text.replace(['\t', '\r', '\n'], "");
    escaped(&text, b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
}

fn escaped(text: &str, plain: &[u8]) -> String {
    String::from_utf8_lossy(&percent_encoded(text.as_bytes(), plain, false)).into_owned()
}

/// The path of a reference resolved against that of a base.
pub(super) fn merge_path(base: &str, reference: &str) -> String {
    let pieces = |it: &str| -> Vec<String> {
        if it.is_empty() { Vec::new() } else { it.split('/').map(str::to_owned).collect() }
    };
    let (mut base, mut reference) = (pieces(base), pieces(reference));
    if base.last().is_some_and(|it| it == "..") {
        base.push(String::new());
    }
    while let Some(at) = base.iter().position(|it| it == "..") {
        match at.checked_sub(1) {
            Some(before) => drop(base.drain(before..(at + 1).min(base.len()))),
            // An index of -1 is the last piece.
            None => drop(base.pop()),
        }
    }
    if reference.first().is_some_and(String::is_empty) {
        base.clear();
        reference.remove(0);
    }
    if reference.last().is_some_and(|it| it == "." || it == "..") {
        reference.push(String::new());
    }
    reference.retain(|it| it != ".");
    let mut pieces: Vec<String> = Vec::new();
    for piece in reference {
        if piece == ".." && pieces.last().is_some_and(|it| it != "..") {
            pieces.pop();
        } else {
            pieces.push(piece);
        }
    }
    let mut slash = !pieces.is_empty();
    if base.is_empty() {
        base.push(String::new());
    } else if slash {
        base.pop();
    }
    let mut pieces = pieces.into_iter();
    while let Some(piece) = pieces.next() {
        if piece == ".." {
            if base.len() > 1 {
                base.pop();
            }
        } else {
            base.push(piece);
            base.extend(pieces);
            slash = false;
            break;
        }
    }
    if slash {
        base.push(String::new());
    }
    base.join("/")
}
