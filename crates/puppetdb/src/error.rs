use std::fmt;
use std::time::Duration;

/// The reason why the settings cannot be used for any query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// The connection is encrypted, but no CA certificate is given to verify the server.
    NoAuthority,
    /// A client or CA certificate is given for a connection that is not encrypted.
    NotEncrypted,
    /// A password or token would be sent in plain text.
    Readable,
    /// A file has no certificate or key, or an unusable one: its path, and the problem.
    Pem(String, String),
    /// The certificate and the key of the client don't work: the problem.
    Identity(String),
    /// The token is empty, or has characters that headers can't contain.
    Token,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::NoAuthority => out.write_str(
                "an `https` address needs the certificate of the CA that issued PuppetDB's: `--puppetdb-ca FILE`, \
                 which Puppet keeps in /etc/puppetlabs/puppet/ssl/certs/ca.pem",
            ),
            SettingsError::NotEncrypted => {
                out.write_str("certificates are used with an `https` address only")
            }
            SettingsError::Readable => out.write_str(
                "a password or token is sent to an `https` address, or within this machine, and not in the clear",
            ),
            SettingsError::Pem(path, problem) => write!(out, "{path} {problem}"),
            SettingsError::Identity(problem) => {
                write!(out, "the certificate and the key for PuppetDB cannot be used: {problem}")
            }
            SettingsError::Token => out.write_str("the token for PuppetDB is empty, or not a line of ASCII"),
        }
    }
}

impl std::error::Error for SettingsError {}

/// The reason why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The address without its password.
    pub address: String,
    /// The problem of the query or the connection.
    pub problem: Problem,
}

/// A problem with a query. Texts of the server are shortened to one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The connection failed or was lost: the number of attempts, and the reason.
    Unreachable(u32, String),
    /// The complete answer didn't arrive within this time.
    Late(Duration),
    /// The TLS handshake failed: the reason.
    Tls(String),
    /// The answer is a redirection to this address.
    Redirected(String),
    /// The server rejects the query (400): the reason.
    Refused(String),
    /// The server doesn't know or permit the client (401, 403): the status and the answer.
    Denied(u16, String),
    /// The address doesn't belong to a PuppetDB (404).
    Nowhere,
    /// The server returned another status: the status and the answer.
    Status(u16, String),
    /// The server doesn't speak HTTP: the reason.
    NotHttp(String),
    /// The answer is not a JSON array: its content type, and its beginning.
    NotJson(String, String),
    /// The answer is larger than this limit in bytes.
    TooLarge(u64),
    /// The answer has another structure than expected: the missing part.
    Shape(&'static str),
    /// The number of rows differs from the one that PuppetDB reports: both numbers.
    Incomplete(u64, Option<u64>),
    /// A row was returned more than once.
    Repeated,
    /// The rows changed while they were read page by page.
    Changed,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { address, problem } = self;
        write!(out, "PuppetDB at {address} ")?;
        match problem {
            Problem::Unreachable(1, why) => write!(out, "cannot be reached: {why}"),
            Problem::Unreachable(attempts, why) => {
                write!(out, "cannot be reached, after {attempts} attempts: {why}")
            }
            Problem::Late(time) => {
                let seconds = time.as_secs_f64();
                write!(
                    out,
                    "has not answered within {seconds} s; `--puppetdb-timeout SECONDS` gives it more time"
                )
            }
            Problem::Tls(why) => write!(out, "cannot be connected to: {why}"),
            Problem::Redirected(place) => write!(out, "redirects to {place}, which is not followed"),
            Problem::Refused(why) => write!(out, "refuses the query: {why}"),
            Problem::Denied(status, why) => {
                write!(out, "denies access (status {status}")?;
                if !why.is_empty() {
                    write!(out, ", {why}")?;
                }
                out.write_str("): it may need a certificate that its allowlist has, or a token")
            }
            Problem::Nowhere => {
                out.write_str("has no queries there (status 404): the address may be another")
            }
            Problem::Status(status, why) if why.is_empty() => write!(out, "answered with status {status}"),
            Problem::Status(status, why) => write!(out, "answered with status {status}: {why}"),
            Problem::NotHttp(why) => write!(out, "did not answer in HTTP: {why}"),
            Problem::NotJson(kind, start) => {
                write!(out, "did not answer with an array in JSON, but with {kind}: {start}")
            }
            Problem::TooLarge(limit) => write!(out, "answered with more than {} MiB", limit >> 20),
            Problem::Shape(wanted) => write!(out, "answered with something else than {wanted}"),
            Problem::Incomplete(rows, Some(all)) => {
                write!(out, "answered with {rows} of {all} rows")
            }
            Problem::Incomplete(rows, None) => {
                write!(out, "answered with {rows} rows, and not with how many there are")
            }
            Problem::Repeated => out.write_str("answered with the same node more than once"),
            Problem::Changed => out.write_str("has other nodes than when the query started; try again"),
        }
    }
}

impl std::error::Error for Error {}

/// Shortens a text of the server to one line.
pub(crate) fn line(text: &str) -> String {
    /// The maximum number of characters that are shown.
    const SHOWN: usize = 300;
    let mut line = String::new();
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            line.push(' ');
        }
        line.push_str(word);
        if line.chars().nth(SHOWN).is_some() {
            return line.chars().take(SHOWN).chain(['…']).collect();
        }
    }
    line
}
