use std::error::Error as _;
use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::address::Address;
use crate::error::{Error, Problem, SettingsError, line};
use crate::tls;

/// The maximum size of an answer, in bytes.
const ANSWER_LIMIT: u64 = 256 << 20;

/// The maximum number of bytes that are read of an error response.
const ERROR_LIMIT: u64 = 16 << 10;

/// The maximum number of attempts for a query, and the delay after the first one, which doubles each time.
const ATTEMPTS: (u32, Duration) = (4, Duration::from_millis(250));

/// The response header with the total number of rows of a paged query.
const TOTAL: &str = "X-Records";

/// A file with certificates or a key, in PEM.
#[derive(Clone)]
pub struct Pem {
    /// The path, for messages.
    pub path: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

/// The address of a PuppetDB, and the settings for queries to it.
#[derive(Clone)]
pub struct Settings {
    /// The address of the PuppetDB.
    pub address: Address,
    /// The certificate of the CA that issued the server's certificate, for encrypted connections.
    pub authority: Option<Pem>,
    /// The certificate chain of the client, and its private key.
    pub identity: Option<(Pem, Pem)>,
    /// A token of Puppet Enterprise's access control.
    pub token: Option<String>,
    /// The time limit for a query, from the first attempt to the last byte.
    pub timeout: Duration,
}

/// A client of one PuppetDB.
pub struct Client {
    agent: Agent,
    settings: Settings,
}

/// The answer of a query.
pub(crate) struct Answer {
    /// The total number of rows of the query, if the server returned it.
    pub(crate) total: Option<u64>,
    /// A JSON array, which may be truncated.
    pub(crate) text: String,
    kind: String,
}

/// The result of a failed attempt.
enum Failed {
    /// Another attempt may succeed: the reason of the failure.
    Again(String),
    /// Another attempt would fail, too.
    For(Problem),
}

impl Client {
    /// Creates a client, without sending anything.
    ///
    /// # Errors
    /// If a certificate, a key or the token can't be used, or would be sent in the clear.
    pub fn new(settings: Settings) -> Result<Client, SettingsError> {
        let tls = tls::config(&settings)?;
        let is_secret = settings.token.is_some() || settings.address.credentials().is_some();
        if is_secret && !settings.address.is_private() {
            return Err(SettingsError::Readable);
        }
        if let Some(token) = &settings.token
            && (token.is_empty() || !token.bytes().all(|it| it.is_ascii_graphic()))
        {
            return Err(SettingsError::Token);
        }
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // Queries go where the user says, whatever the environment does.
            .proxy(None)
            .user_agent(concat!("marotte/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Client { agent: Agent::new_with_config(config), settings })
    }

    /// Returns the address, which is printed without its password.
    pub fn address(&self) -> &Address {
        &self.settings.address
    }

    pub(crate) fn error(&self, problem: Problem) -> Error {
        Error { address: self.settings.address.to_string(), problem }
    }

    /// Sends a query to an endpoint. Attempts without an answer are repeated a few times, because queries have no side effects.
    ///
    /// # Errors
    /// If the server does not answer in time, or answers with a status other than 200.
    pub(crate) fn post(&self, path: &str, query: &Json) -> Result<Answer, Error> {
        let (started, timeout) = (Instant::now(), self.settings.timeout);
        let (most, mut wait) = ATTEMPTS;
        let mut attempt = 1;
        loop {
            let left = timeout.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Err(self.error(Problem::Late(timeout)));
            }
            match self.attempt(path, query, left) {
                Ok(answer) => return Ok(answer),
                Err(Failed::For(problem)) => return Err(self.error(problem)),
                Err(Failed::Again(why)) if attempt == most || started.elapsed() + wait >= timeout => {
                    return Err(self.error(Problem::Unreachable(attempt, why)));
                }
                Err(Failed::Again(_)) => thread::sleep(wait),
            }
            attempt += 1;
            wait *= 2;
        }
    }

    fn attempt(&self, path: &str, query: &Json, left: Duration) -> Result<Answer, Failed> {
        let Settings { address, token, .. } = &self.settings;
        let request = self.agent.post(address.endpoint(path)).config().timeout_global(Some(left)).build();
        let mut request = request.header("Accept", "application/json").content_type("application/json");
        if let Some(credentials) = address.credentials() {
            request = request.header("Authorization", credentials);
        }
        if let Some(token) = token {
            request = request.header("X-Authentication", token);
        }
        let mut response = request.send(query.to_string().as_bytes()).map_err(|it| self.failed(&it))?;
        let status = response.status().as_u16();
        if status == 200 {
            return self.read(&mut response);
        }
        if response.status().is_redirection() {
            let place = response.headers().get("Location").and_then(|it| it.to_str().ok());
            // The place may repeat what was sent.
            let place = place.and_then(|it| Address::new(it.split(['?', '#']).next()?).ok());
            let place = place.map_or_else(|| "another place".to_owned(), |it| line(&it.to_string()));
            return Err(Failed::For(Problem::Redirected(place)));
        }
        let bytes = response.body_mut().with_config().limit(ERROR_LIMIT).lossy_utf8(true).read_to_string();
        let why = bytes.map(|it| said(&it)).unwrap_or_default();
        Err(match status {
            400 => Failed::For(Problem::Refused(why)),
            401 | 403 => Failed::For(Problem::Denied(status, why)),
            404 => Failed::For(Problem::Nowhere),
            503 => Failed::Again(format!("it is not available now (status 503) {why}").trim_end().to_owned()),
            _ => Failed::For(Problem::Status(status, why)),
        })
    }

    /// Reads the answer to the end.
    fn read(&self, response: &mut Response<Body>) -> Result<Answer, Failed> {
        let header =
            |name: &str| response.headers().get(name).and_then(|it| it.to_str().ok()).map(str::to_owned);
        let total = header(TOTAL).and_then(|it| it.parse().ok());
        let kind = header("Content-Type").map_or_else(|| "no type".to_owned(), |it| line(&it));
        let bytes = response.body_mut().with_config().limit(ANSWER_LIMIT).read_to_vec();
        let bytes = bytes.map_err(|error| match error {
            ureq::Error::BodyExceedsLimit(_) => Failed::For(Problem::TooLarge(ANSWER_LIMIT)),
            other => self.failed(&other),
        })?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Answer { total, text, kind }),
            Err(_) => Err(Failed::For(Problem::NotJson(kind, "bytes that are not UTF-8".to_owned()))),
        }
    }

    /// Converts an error of the connection.
    fn failed(&self, error: &ureq::Error) -> Failed {
        match error {
            ureq::Error::Timeout(_) => Failed::For(Problem::Late(self.settings.timeout)),
            ureq::Error::Rustls(error) => Failed::For(Problem::Tls(tls::problem(error))),
            ureq::Error::Tls(why) => Failed::For(Problem::Tls((*why).to_owned())),
            ureq::Error::HostNotFound => {
                Failed::For(Problem::Unreachable(1, "there is no host of this name".to_owned()))
            }
            ureq::Error::Protocol(why) => Failed::For(Problem::NotHttp(line(&why.to_string()))),
            ureq::Error::LargeResponseHeader(..) => {
                Failed::For(Problem::NotHttp("the header of the answer is too long".to_owned()))
            }
            ureq::Error::Io(error) => match error.get_ref().and_then(|it| it.downcast_ref::<rustls::Error>())
            {
                Some(error) => Failed::For(Problem::Tls(tls::problem(error))),
                None if self.settings.address.has_port() => Failed::Again(line(&error.to_string())),
                None => {
                    let hint = "the address names no port, and PuppetDB usually has 8081";
                    Failed::Again(format!("{}; {hint}", line(&error.to_string())))
                }
            },
            other => {
                let source = other.source().map(|it| format!(": {it}")).unwrap_or_default();
                Failed::For(Problem::Unreachable(1, line(&format!("{other}{source}"))))
            }
        }
    }
}

impl Answer {
    /// Returns the problem of an answer that is not a JSON array.
    pub(crate) fn is_not_json(&self) -> Problem {
        let start: String = self.text.trim_start().chars().take(80).collect();
        let is_array = start.starts_with('[');
        let start = match is_array {
            true => "an array that is cut off or not valid".to_owned(),
            false if start.is_empty() => "nothing".to_owned(),
            false => format!("`{}`", line(&start)),
        };
        Problem::NotJson(self.kind.clone(), start)
    }
}

/// Returns the text of an error response; of an HTML page, only the title.
fn said(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    if !lower.contains("<html") {
        return line(text);
    }
    let title = lower.find("<title>").map(|it| it + "<title>".len()).zip(lower.find("</title>"));
    let title = title.and_then(|(start, end)| text.get(start..end));
    title.map_or_else(|| "a page in HTML".to_owned(), |it| format!("a page in HTML: {}", line(it)))
}

impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Client").field("address", &self.settings.address).finish_non_exhaustive()
    }
}
