//! Parses URIs, and builds them from parts.

use super::chars::{self, checked};
use super::{Uri, UriError, UriParts, default_port};

impl Uri {
    /// Parses a URI or a relative reference.
    ///
    /// # Errors
    /// If it is neither, has characters outside of ASCII, or violates the rules of its scheme.
    pub fn parse(text: &str) -> Result<Uri, UriError> {
        if !text.is_ascii() {
            return Err(UriError::NotAscii(text.into()));
        }
        let invalid = || UriError::Invalid(text.into());
        let (before_fragment, fragment) = split_off(text, '#');
        let (before_query, query) = split_off(before_fragment, '?');
        let (scheme, rest) = match before_query.split_once(':') {
            Some((scheme, rest)) if chars::is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, before_query),
        };
        if !fragment.is_none_or(chars::is_fragment) {
            return Err(invalid());
        }
        let mut parts = UriParts {
            scheme: scheme.map(Into::into),
            query: query.map(Into::into),
            fragment: fragment.map(Into::into),
            ..UriParts::default()
        };
        let path = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                authority_of(authority, &mut parts).ok_or_else(invalid)?;
                path
            }
            None => rest,
        };
        let first = path.split('/').next().unwrap_or("");
        if !chars::is_path(path) || scheme.is_none() && first.contains(':') {
            return Err(invalid());
        }
        if scheme.is_some() && !path.is_empty() && !path.starts_with('/') {
            parts.opaque = Some(match parts.query.take() {
                Some(query) => format!("{path}?{query}"),
                None => path.into(),
            });
        } else {
            parts.path = Some(path.into());
        }
        Uri::of(parts)
    }

    /// Builds a URI from its parts.
    ///
    /// # Errors
    /// If a part has invalid characters, or if parts contradict each other.
    pub fn build(parts: UriParts) -> Result<Uri, UriError> {
        let mut parts = parts;
        match parts.scheme.as_deref().map(str::to_lowercase).as_deref() {
            // These schemes have their own parts, which a hash of the general ones doesn't contain.
            Some("mailto") => parts.opaque = Some(String::new()),
            Some("ldap" | "ldaps") => parts.query = Some(String::new()),
            Some("ftp") => {
                parts.path = parts.path.map(|path| match path.strip_prefix('/') {
                    Some(absolute) => format!("/%2F{absolute}"),
                    None => format!("/{path}"),
                });
            }
            Some("file") if parts.userinfo.is_some() => {
                return Err(UriError::Conflict("can not set userinfo for file URI".into()));
            }
            _ => {}
        }
        check(&parts)?;
        // An IPv6 address is enclosed in brackets.
        if let Some(host) = &mut parts.host
            && host.contains(':')
            && !host.starts_with('[')
        {
            *host = format!("[{host}]");
        }
        Uri::of(parts)
    }

    /// Completes the parts with the defaults of the scheme.
    fn of(parts: UriParts) -> Result<Uri, UriError> {
        let UriParts { scheme, userinfo, host, port, path, query, fragment, opaque } = parts;
        let scheme = scheme.map(|it| it.to_lowercase());
        let mut uri = Uri {
            userinfo: userinfo.filter(|it| !it.is_empty()),
            host,
            port: port.or(default_port(scheme.as_deref())),
            path: if opaque.is_none() { path.or(Some(String::new())) } else { None },
            query: query.map(|it| escaped(&it, true)).transpose()?,
            fragment: fragment.map(|it| escaped(&it, false)).transpose()?,
            opaque,
            scheme,
        };
        let conflict = |message: String| Err(UriError::Conflict(message));
        match uri.scheme() {
            Some("file") => uri.restrict(),
            Some("ftp") => {
                let Some(path) = uri.path.take() else { return conflict("URI::InvalidURIError".into()) };
                let path = path.strip_prefix('/').unwrap_or(&path);
                uri.path = Some(match path.strip_prefix("%2F") {
                    Some(absolute) => format!("/{absolute}"),
                    None => path.into(),
                });
                uri.restrict();
            }
            Some("ldap" | "ldaps") if uri.fragment.is_some() || uri.path.is_none() => {
                return conflict("bad LDAP URL".into());
            }
            Some("mailto") => {
                let query = uri.query.take();
                let opaque = uri.opaque.take().or_else(|| query.map(|it| format!("?{it}")));
                let Some(opaque) = opaque else {
                    return conflict("missing opaque part for mailto URL".into());
                };
                if !is_address_list(opaque.split('?').next().unwrap_or("")) {
                    return conflict(format!("unrecognised opaque part for mailtoURL: {opaque}"));
                }
                uri.opaque = Some(opaque);
            }
            _ => {}
        }
        Ok(uri)
    }
}

fn split_off(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Parses `userinfo@host:port`; `None` if the text has another form.
fn authority_of(text: &str, parts: &mut UriParts) -> Option<()> {
    let (userinfo, rest) = match text.split_once('@') {
        Some((userinfo, rest)) => (Some(userinfo), rest),
        None => (None, text),
    };
    let host_end = rest.find(']').map_or(0, |at| at + 1);
    let (host, port) = match rest[host_end..].find(':') {
        Some(at) => (&rest[..host_end + at], Some(&rest[host_end + at + 1..])),
        None => (rest, None),
    };
    if !userinfo.is_none_or(chars::is_userinfo) || !chars::is_host(host) {
        return None;
    }
    parts.userinfo = userinfo.map(Into::into);
    parts.host = (!host.is_empty()).then(|| host.into());
    parts.port = match port {
        None | Some("") => None,
        Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => Some(digits.parse().ok()?),
        Some(_) => return None,
    };
    Some(())
}

/// Escapes characters that aren't permitted in a query or fragment.
fn escaped(text: &str, query: bool) -> Result<String, UriError> {
    let mut out = String::with_capacity(text.len());
    let bytes: Vec<u8> = text.bytes().filter(|b| !b"\t\r\n".contains(b)).collect();
    for (at, &b) in bytes.iter().enumerate() {
        let hex: Option<&[u8]> = bytes.get(at + 1..at + 3);
        if query && b == b'%' && hex.is_some_and(|hex| hex.iter().all(|b| !b.is_ascii_hexdigit())) {
            let shown = String::from_utf8_lossy(&bytes[at..at + 3]);
            return Err(UriError::Conflict(format!("invalid percent escape: {shown}")));
        }
        let allowed = match b {
            b'"' | b'#' | b'\'' | b'<' | b'>' | b'`' if query => false,
            b => (b'!'..=b'~').contains(&b),
        };
        if allowed {
            out.push(b as char);
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    Ok(out)
}

/// Whether a text is a list of mail addresses, separated by commas or semicolons.
fn is_address_list(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let text = text.strip_suffix([',', ';']).unwrap_or(text);
    text.split([',', ';']).all(|address| {
        address
            .split_once('@')
            .is_some_and(|(name, domain)| !name.is_empty() && !domain.is_empty() && !domain.contains('@'))
    })
}

fn check(parts: &UriParts) -> Result<(), UriError> {
    let component = |part: &Option<String>, expected: &'static str, valid: &dyn Fn(&str) -> bool| match part {
        Some(text) if !valid(text) => Err(UriError::Component { expected, found: text.clone() }),
        _ => Ok(()),
    };
    component(&parts.scheme, "scheme", &chars::is_scheme)?;
    component(&parts.userinfo, "userinfo component or user", &checked::is_userinfo)?;
    component(&parts.host, "host", &|host| {
        checked::is_host(host) || host.contains(':') && checked::is_host(&format!("[{host}]"))
    })?;
    let absolute = parts.scheme.as_deref().is_some_and(|it| !it.eq_ignore_ascii_case("ftp"));
    component(&parts.path, if absolute { "absolute path" } else { "relative path" }, &|path| {
        path.is_empty() || checked::is_absolute_path(path) || !absolute && checked::is_relative_path(path)
    })?;
    let excluded = parts.opaque.is_some();
    if excluded
        && (parts.host.is_some() || parts.port.is_some() || parts.userinfo.is_some() || parts.path.is_some())
    {
        let message = "can not set opaque with host, port, userinfo or path";
        return Err(UriError::Conflict(message.into()));
    }
    component(&parts.opaque, "opaque", &checked::is_opaque)
}
