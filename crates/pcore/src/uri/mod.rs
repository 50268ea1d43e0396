//! URIs, parsed, printed and merged like in the reference's runtime (Ruby's `uri`).
//!
//! The `url` crate isn't used: it follows the WHATWG standard, normalises its input (it escapes, drops default ports
//! and empty parts, resolves dots), and rejects relative references, whereas Ruby follows RFC 3986 and keeps all parts
//! as written.

mod chars;
mod parse;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A URI or a relative reference.
///
/// `Eq` is exact equality, as for hash keys. The language's `==` is [`Uri::same`]. As in the reference, both only
/// compare the parts that the scheme supports: `ftp` has no query, `http` has no opaque part.
#[derive(Clone, Debug, Default)]
pub struct Uri {
    scheme: Option<String>,
    userinfo: Option<String>,
    host: Option<String>,
    port: Option<u64>,
    path: Option<String>,
    query: Option<String>,
    fragment: Option<String>,
    opaque: Option<String>,
}

/// The parts of a URI, all of which are optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UriParts {
    /// `http`.
    pub scheme: Option<String>,
    /// `user:password`.
    pub userinfo: Option<String>,
    /// `example.com`.
    pub host: Option<String>,
    /// `8080`.
    pub port: Option<u64>,
    /// `/index.html`.
    pub path: Option<String>,
    /// The query: the text after `?`.
    pub query: Option<String>,
    /// The fragment: the text after `#`.
    pub fragment: Option<String>,
    /// The text after the scheme, if it doesn't begin with a slash.
    pub opaque: Option<String>,
}

/// The reason why a text or a set of parts isn't a valid URI, or why two can't be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UriError {
    /// The text is not a URI.
    Invalid(String),
    /// A URI has characters outside of ASCII.
    NotAscii(String),
    /// A part is invalid.
    Component {
        /// The expected part, in the reference's words.
        expected: &'static str,
        /// The text of the invalid component.
        found: String,
    },
    /// Parts contradict each other, or the scheme doesn't support one of them; in the reference's words.
    Conflict(String),
    /// A relative reference was merged with another.
    BothRelative,
}

impl fmt::Display for UriError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UriError::Invalid(text) => write!(out, "bad URI(is not URI?): {}", quoted(text, false)),
            UriError::NotAscii(text) => write!(out, "URI must be ascii only {}", quoted(text, true)),
            UriError::Component { expected, found } => {
                write!(out, "bad component(expected {expected} component): {found}")
            }
            UriError::Conflict(message) => write!(out, "{message}"),
            UriError::BothRelative => write!(out, "both URI are relative"),
        }
    }
}

impl std::error::Error for UriError {}

/// Quotes a text like Ruby (`inspect`, or `dump` if `ascii`).
fn quoted(text: &str, ascii: bool) -> String {
    let mut out = String::from("\"");
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let code = c as u32;
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '#' if matches!(chars.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            ' '..='~' => out.push(c),
            '\u{7}'..='\r' => out.extend(['\\', b"abtnvfr"[code as usize - 7] as char]),
            '\u{1b}' => out.push_str("\\e"),
            c if c.is_ascii() => out.push_str(&format!("\\x{code:02X}")),
            c if !ascii => out.push(c),
            _ if code > 0xffff => out.push_str(&format!("\\u{{{code:X}}}")),
            _ => out.push_str(&format!("\\u{code:04X}")),
        }
    }
    out + "\""
}

/// Returns the default port of a scheme.
fn default_port(scheme: Option<&str>) -> Option<u64> {
    Some(match scheme? {
        "http" | "ws" => 80,
        "https" => 443,
        "ftp" => 21,
        "ldap" => 389,
        "ldaps" => 636,
        _ => return None,
    })
}

impl Uri {
    /// Returns the scheme, in lower case.
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// Returns the text before `@`.
    pub fn userinfo(&self) -> Option<&str> {
        self.userinfo.as_deref()
    }

    /// Returns the host as written.
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// Returns the port: the explicit one, or the scheme's default.
    pub fn port(&self) -> Option<u64> {
        self.port
    }

    /// Returns the path, possibly empty; `None` if the URI is opaque.
    ///
    /// The path of `ftp` is relative, unless its first slash is escaped, and excludes `;type=`.
    pub fn path(&self) -> Option<Cow<'_, str>> {
        let path = self.path.as_deref()?;
        Some(if self.scheme() == Some("ftp") { ftp_path(path) } else { path.into() })
    }

    /// Returns the text after `?`.
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// Returns the text after `#`.
    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// Returns the text after a scheme without slashes.
    pub fn opaque(&self) -> Option<&str> {
        self.opaque.as_deref()
    }

    /// Whether it has a scheme.
    pub fn is_absolute(&self) -> bool {
        self.scheme.is_some()
    }

    /// Whether both are equivalent: the case of hosts is ignored, and an empty path equals `/`.
    pub fn same(&self, other: &Uri) -> bool {
        let normal = |uri: &Uri| {
            let mut uri = uri.clone();
            uri.host = uri.host.map(|host| host.to_lowercase());
            if uri.path.as_deref() == Some("") {
                uri.path = Some("/".into());
            }
            uri
        };
        normal(self) == normal(other)
    }

    /// The parts that comparisons use.
    fn compared(&self) -> [Option<&str>; 7] {
        let Uri { scheme, userinfo, host, path, query, fragment, opaque, port: _ } = self;
        let all = [scheme, userinfo, host, path, query, fragment, opaque].map(|it| it.as_deref());
        let [scheme, userinfo, host, path, query, fragment, opaque] = all;
        match scheme {
            Some("http" | "https") => [scheme, userinfo, host, path, query, fragment, None],
            Some("ws") => [scheme, userinfo, host, path, query, None, None],
            Some("ftp" | "file") => [scheme, userinfo, host, path, None, None, None],
            Some("ldap" | "ldaps") => [scheme, None, host, path, query, None, None],
            Some("mailto") => [scheme, None, None, None, None, None, opaque],
            _ => all,
        }
    }

    /// `uri + reference`: resolves a reference relative to this URI.
    ///
    /// # Errors
    /// If both are relative.
    pub fn merge(&self, reference: &Uri) -> Result<Uri, UriError> {
        if reference.is_absolute() {
            return Ok(reference.clone());
        }
        if !self.is_absolute() {
            return Err(UriError::BothRelative);
        }
        let mut merged = self.clone();
        let authority = reference.userinfo.is_some() || reference.host.is_some() || reference.port.is_some();
        let path = reference.path.as_deref().unwrap_or("");
        if path.is_empty() && !authority && reference.query.is_none() {
            merged.fragment = reference.fragment.clone().or(merged.fragment);
            return Ok(merged);
        }
        merged.query = None;
        merged.fragment = None;
        if authority {
            merged.path = Some(path.into());
        } else if let Some(base) = self.path() {
            merged.path = Some(merge_path(&base, path));
        }
        if let Some(userinfo) = &reference.userinfo {
            // A user without a password keeps the base's password.
            let password = self.userinfo().and_then(|it| it.split_once(':')).map(|(_, password)| password);
            merged.userinfo = Some(match password {
                Some(password) if !userinfo.contains(':') => format!("{userinfo}:{password}"),
                _ => userinfo.clone(),
            });
        }
        merged.host = reference.host.clone().or(merged.host);
        merged.port = reference.port.or(merged.port);
        merged.restrict();
        if merged.opaque.is_some() && reference.query.is_some() {
            return Err(UriError::Conflict("query conflicts with opaque".into()));
        }
        merged.query = reference.query.clone();
        merged.fragment = reference.fragment.clone();
        Ok(merged)
    }

    /// Normalizes the parts as the scheme requires.
    fn restrict(&mut self) {
        match self.scheme() {
            Some("file") => {
                self.host = Some(self.host.take().filter(|it| it != "localhost").unwrap_or_default());
                (self.userinfo, self.port) = (None, None);
            }
            Some("ftp") => {
                let path = self.path.take().unwrap_or_default();
                self.path = Some(match path.strip_prefix('/') {
                    Some(absolute) => format!("/%2F{absolute}"),
                    None => format!("/{path}"),
                });
            }
            _ => {}
        }
    }
}

impl PartialEq for Uri {
    fn eq(&self, other: &Uri) -> bool {
        self.port == other.port && self.compared() == other.compared()
    }
}

impl Eq for Uri {}

impl Hash for Uri {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.port.hash(state);
        self.compared().hash(state);
    }
}

/// Returns the path of an FTP URI.
fn ftp_path(path: &str) -> Cow<'_, str> {
    let path = path.split(";type=").next().unwrap_or(path);
    let path = path.strip_prefix('/').unwrap_or(path);
    match path.strip_prefix("%2F") {
        Some(absolute) => format!("/{absolute}").into(),
        None => path.into(),
    }
}

/// Resolves a relative path like the reference.
fn merge_path(base: &str, path: &str) -> String {
    let split = |text: &str| -> Vec<String> {
        if text.is_empty() { Vec::new() } else { text.split('/').map(Into::into).collect() }
    };
    let mut base = split(base);
    let mut path = split(path);
    if base.last().is_some_and(|it| it == "..") {
        base.push(String::new());
    }
    while let Some(at) = base.iter().position(|it| it == "..") {
        // There is nothing above the root; the index before the first segment wraps to the last one, as in Ruby.
        let from = at.checked_sub(1).unwrap_or(base.len() - 1);
        base.drain(from..(from + 2).min(base.len()));
    }
    if path.first().is_some_and(String::is_empty) {
        base.clear();
        path.remove(0);
    }
    if path.last().is_some_and(|it| it == "." || it == "..") {
        path.push(String::new());
    }
    path.retain(|it| it != ".");
    let mut rest: Vec<String> = Vec::new();
    for segment in path {
        if segment == ".." && rest.last().is_some_and(|it| it != "..") {
            rest.pop();
        } else {
            rest.push(segment);
        }
    }
    let mut trailing_slash = !rest.is_empty();
    if base.is_empty() {
        base.push(String::new());
    } else if trailing_slash {
        base.pop();
    }
    let mut rest = rest.into_iter();
    while let Some(segment) = rest.next() {
        if segment == ".." {
            if base.len() > 1 {
                base.pop();
            }
        } else {
            base.push(segment);
            base.extend(rest.by_ref());
            trailing_slash = false;
        }
    }
    if trailing_slash {
        base.push(String::new());
    }
    base.join("/")
}

impl fmt::Display for Uri {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(out, "{scheme}:")?;
        }
        if let Some(opaque) = &self.opaque {
            write!(out, "{opaque}")?;
        } else {
            if self.host.is_some() || matches!(self.scheme(), Some("file" | "postgres")) {
                write!(out, "//")?;
            }
            if let Some(userinfo) = &self.userinfo {
                write!(out, "{userinfo}@")?;
            }
            if let Some(host) = &self.host {
                write!(out, "{host}")?;
            }
            match self.port {
                Some(port) if Some(port) != default_port(self.scheme()) => write!(out, ":{port}")?,
                _ => {}
            }
            if let Some(path) = &self.path {
                write!(out, "{path}")?;
            }
            if let Some(query) = &self.query {
                write!(out, "?{query}")?;
            }
        }
        match &self.fragment {
            Some(fragment) => write!(out, "#{fragment}"),
            None => Ok(()),
        }
    }
}
