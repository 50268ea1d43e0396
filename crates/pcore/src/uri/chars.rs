//! The characters that are permitted in the parts of URIs.

/// RFC 3986's `pchar` without the percent sign: `unreserved / sub-delims / ":" / "@"`.
fn is_path_char(b: u8) -> bool {
    is_name_char(b) || matches!(b, b':' | b'@')
}

/// RFC 3986's `unreserved / sub-delims`.
fn is_name_char(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"!$&'()*+,-.;=_~".contains(&b)
}

/// Whether a text consists of permitted characters and percent escapes.
pub(super) fn only(text: &str, allowed: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        let escape =
            b == b'%' && bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        if escape {
            at += 3;
        } else if allowed(b) {
            at += 1;
        } else {
            return false;
        }
    }
    true
}

pub(super) fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

pub(super) fn is_userinfo(text: &str) -> bool {
    only(text, |b| is_name_char(b) || b == b':')
}

pub(super) fn is_path(text: &str) -> bool {
    only(text, |b| is_path_char(b) || b == b'/')
}

pub(super) fn is_fragment(text: &str) -> bool {
    only(text, |b| is_path_char(b) || matches!(b, b'/' | b'?'))
}

/// Whether a text is a host: a name, an IPv4 address, or an address in brackets.
pub(super) fn is_host(text: &str) -> bool {
    match text.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        Some(address) => is_future_address(address) || is_ipv6(address),
        None => only(text, is_name_char),
    }
}

fn is_future_address(text: &str) -> bool {
    let Some((version, address)) = text.strip_prefix('v').and_then(|it| it.split_once('.')) else {
        return false;
    };
    !version.is_empty()
        && version.bytes().all(|b| b.is_ascii_hexdigit())
        && !address.is_empty()
        && address.bytes().all(|b| is_name_char(b) || b == b':')
}

fn is_ipv6(text: &str) -> bool {
    // Rust accepts the same texts; neither Rust nor Ruby supports zones.
    text.parse::<std::net::Ipv6Addr>().is_ok()
}

/// RFC 2396's sets, with which Ruby checks the parts that a URI is built from.
pub(super) mod checked {
    use super::only;

    fn is_unreserved(b: u8) -> bool {
        b.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&b)
    }

    pub(in super::super) fn is_userinfo(text: &str) -> bool {
        only(text, |b| is_unreserved(b) || b";:&=+$,".contains(&b))
    }

    pub(in super::super) fn is_host(text: &str) -> bool {
        if let Some(address) = text.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            return super::is_ipv6(address);
        }
        !text.is_empty() && only(text, |b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'))
    }

    fn is_path_text(text: &str) -> bool {
        only(text, |b| is_unreserved(b) || b":@&=+$,;/".contains(&b))
    }

    pub(in super::super) fn is_absolute_path(text: &str) -> bool {
        text.starts_with('/') && is_path_text(text)
    }

    pub(in super::super) fn is_relative_path(text: &str) -> bool {
        let first = text.split('/').next().unwrap_or("");
        !first.is_empty() && !first.contains(':') && is_path_text(text)
    }

    pub(in super::super) fn is_opaque(text: &str) -> bool {
        !text.is_empty()
            && !text.starts_with(['/', '[', ']'])
            && only(text, |b| is_unreserved(b) || b";/?:@&=+$,[]".contains(&b))
    }
}
