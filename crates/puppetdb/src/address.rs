use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use url::{Host, Url};

/// The address of a PuppetDB. Printing it never shows the password that its URL may have.
#[derive(Clone)]
pub struct Address {
    /// The scheme, host, port and path, without a trailing slash.
    base: String,
    is_tls: bool,
    is_local: bool,
    has_port: bool,
    /// The name and password of the URL, in the form of the header `Authorization`.
    credentials: Option<String>,
}

/// The reason why a text is not the address of a PuppetDB. It does not contain the text, which may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// The text is not a URL, or has another scheme than HTTP.
    NotHttp,
    /// The URL has a query or a fragment.
    HasQuery,
}

impl fmt::Display for AddressError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            AddressError::NotHttp => {
                "the address of PuppetDB is a URL such as `https://puppetdb.example.com:8081`"
            }
            AddressError::HasQuery => "the address of PuppetDB has neither `?` nor `#`",
        })
    }
}

impl std::error::Error for AddressError {}

impl Address {
    /// Parses a URL: `https://puppetdb.example.com:8081`, optionally with a name and password, and with a path.
    ///
    /// # Errors
    /// If it isn't such a URL.
    pub fn new(text: &str) -> Result<Address, AddressError> {
        let mut url = Url::parse(text.trim()).map_err(|_| AddressError::NotHttp)?;
        let is_tls = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(AddressError::NotHttp),
        };
        if url.query().is_some() || url.fragment().is_some() {
            return Err(AddressError::HasQuery);
        }
        let is_local = match url.host().ok_or(AddressError::NotHttp)? {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        let decoded = |it: &str| percent_decode_str(it).decode_utf8_lossy().into_owned();
        let (name, password) = (decoded(url.username()), url.password().map(decoded));
        let credentials = (!name.is_empty() || password.is_some()).then(|| {
            let both = format!("{name}:{}", password.unwrap_or_default());
            format!("Basic {}", STANDARD.encode(both))
        });
        // Neither fails for a URL with a host.
        let _ = (url.set_username(""), url.set_password(None));
        let (base, has_port) = (url.as_str().trim_end_matches('/').to_owned(), url.port().is_some());
        Ok(Address { base, is_tls, is_local, has_port, credentials })
    }

    /// Whether connections to the address are encrypted.
    pub fn is_tls(&self) -> bool {
        self.is_tls
    }

    /// Whether only the server can read what is sent to the address.
    pub(crate) fn is_private(&self) -> bool {
        self.is_tls || self.is_local
    }

    /// Whether the URL names a port.
    pub(crate) fn has_port(&self) -> bool {
        self.has_port
    }

    /// The value of the header `Authorization`, if the URL has a name or password.
    pub(crate) fn credentials(&self) -> Option<&str> {
        self.credentials.as_deref()
    }

    /// Returns the URL of an endpoint.
    pub(crate) fn endpoint(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.base)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Address({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_sent_and_not_printed() {
        let it = Address::new("https://me:p%40ss@pdb.example:8081/").unwrap();
        assert_eq!(it.to_string(), "https://pdb.example:8081");
        assert_eq!(format!("{it:?}"), "Address(https://pdb.example:8081)");
        // The example of RFC 7617 has the same form.
        assert_eq!(it.credentials(), Some(&*format!("Basic {}", STANDARD.encode("me:p@ss"))));
        assert_eq!(it.endpoint("/pdb/query/v4"), "https://pdb.example:8081/pdb/query/v4");
    }

    #[test]
    fn other_texts_are_no_addresses() {
        for text in ["pdb.example:8081", "ftp://pdb.example", "https://", "", "pdb", "htps://me:secret@pdb"] {
            assert_eq!(Address::new(text).unwrap_err(), AddressError::NotHttp, "{text}");
        }
        assert_eq!(Address::new("https://pdb/?a").unwrap_err(), AddressError::HasQuery);
    }

    #[test]
    fn secrets_may_be_sent_within_the_machine() {
        for (text, is_private) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost:8080", true),
            ("http://[::1]:8080", true),
            ("http://pdb.example:8080", false),
            ("https://pdb.example", true),
        ] {
            assert_eq!(Address::new(text).unwrap().is_private(), is_private, "{text}");
        }
    }
}
