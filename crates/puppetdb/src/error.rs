use std::fmt;
use std::time::Duration;

/// The reason why a server cannot be asked at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// The address is encrypted, and there is no certificate of a CA to check it with.
    NoAuthority,
    /// There is a certificate of a client, or of a CA, for an address that is not encrypted.
    NotEncrypted,
    /// A password or token would be sent in the clear.
    Readable,
    /// A file has no certificate, no key, or an unusable one: its path, and what is wrong.
    Pem(String, String),
    /// The certificate and the key of the client don't work: what is wrong.
    Identity(String),
    /// The token is empty, or has characters that no header has.
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

/// The reason why a query has no answer: the address without its password, and the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The address.
    pub address: String,
    /// The problem.
    pub problem: Problem,
}

/// What went wrong with a query. Texts of the server have one line of limited length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There was no connection, or it was lost; after how many attempts, and why.
    Unreachable(u32, String),
    /// There was no whole answer in time.
    Late(Duration),
    /// Nothing encrypted was agreed on: why.
    Tls(String),
    /// The answer is a redirection to here.
    Redirected(String),
    /// The query is refused (400): why.
    Refused(String),
    /// The client is not known or not permitted (401, 403): the status and the answer.
    Denied(u16, String),
    /// There is no PuppetDB at this address (404).
    Nowhere,
    /// Any other status, with the answer.
    Status(u16, String),
    /// It does not speak HTTP: why.
    NotHttp(String),
    /// The answer is no array in JSON: its type, and its beginning.
    NotJson(String, String),
    /// The answer is larger than this number of bytes.
    TooLarge(u64),
    /// The answer has another content than was asked for: what is missing.
    Shape(&'static str),
    /// The rows are not as many as PuppetDB counts: their number, and its own.
    Incomplete(u64, Option<u64>),
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
            Problem::Changed => out.write_str("has other nodes than when the query started; try again"),
        }
    }
}

impl std::error::Error for Error {}

/// Shortens a text of the server to one line.
pub(crate) fn line(text: &str) -> String {
    /// The largest number of characters that are shown.
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
