use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rusty_s3::actions::{ListObjectsV2, ListObjectsV2Response};
use rusty_s3::{Bucket as Address, Credentials as Keys, S3Action as _, UrlStyle};
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};
use url::{Host, Url};

use crate::{LARGEST, Store};

/// How long the signature of a request is valid, and how long a request may take.
const VALID: Duration = Duration::from_secs(300);
const TIMEOUT: Duration = Duration::from_secs(60);

/// The largest list of names in one answer, and the number of answers.
const LIST: u64 = 16 << 20;
const PAGES: usize = 100;

/// The credentials with which requests are signed.
#[derive(Clone)]
pub struct Credentials {
    /// The identifier of the key.
    pub key: String,
    /// The secret part of the key.
    pub secret: String,
    /// The token of a session, if the key is a temporary one.
    pub token: Option<String>,
}

// Secrets are in no output.
impl fmt::Debug for Credentials {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Credentials")
    }
}

/// A store in a bucket of S3, or of a service that speaks its protocol.
pub struct Bucket {
    agent: Agent,
    bucket: Address,
    credentials: Keys,
    /// The start of all names, with a slash at its end, or empty.
    prefix: String,
    /// How the user calls it.
    shown: String,
}

impl fmt::Debug for Bucket {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Bucket({})", self.shown)
    }
}

impl Bucket {
    /// A store in a bucket, under a prefix of names. Nothing is sent.
    ///
    /// # Errors
    /// If the address is none, or what is kept would be sent in the clear: a sentence without its end.
    pub fn new(
        endpoint: &str,
        region: &str,
        name: &str,
        prefix: &str,
        credentials: Credentials,
    ) -> Result<Bucket, String> {
        let address = Url::parse(endpoint).map_err(|error| format!("`{endpoint}` is no address: {error}"))?;
        let is_local = match address.host() {
            Some(Host::Ipv4(it)) => it.is_loopback(),
            Some(Host::Ipv6(it)) => it.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        };
        if address.scheme() != "https" && !(address.scheme() == "http" && is_local) {
            return Err(format!(
                "`{endpoint}` is not an https address, so what is sent there could be read on the way"
            ));
        }
        let shown = format!("the bucket {name} at {}", address.host_str().unwrap_or(endpoint));
        let bucket = Address::new(address, UrlStyle::Path, name.to_owned(), region.to_owned());
        let bucket = bucket.map_err(|error| format!("`{name}` cannot be the name of a bucket: {error}"))?;
        let Credentials { key, secret, token } = credentials;
        let credentials = match token {
            Some(token) => Keys::new_with_token(key, secret, token),
            None => Keys::new(key, secret),
        };
        let certificates = rustls_native_certs::load_native_certs().certs;
        let certificates = certificates.iter().map(|it| Certificate::from_der(it).to_owned());
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .root_certs(RootCerts::Specific(Arc::new(certificates.collect())))
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // Objects go where the user says, whatever the environment does.
            .proxy(None)
            .timeout_global(Some(TIMEOUT))
            .user_agent(concat!("marotte/", env!("CARGO_PKG_VERSION")))
            .build();
        let prefix = match prefix.trim_matches('/') {
            "" => String::new(),
            prefix => format!("{prefix}/"),
        };
        Ok(Bucket { agent: Agent::new_with_config(config), bucket, credentials, prefix, shown })
    }

    fn name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// A part of the list of a folder: the first, or the one with this token.
    fn page(&self, folder: &str, token: Option<String>) -> Result<ListObjectsV2Response, String> {
        let mut action = self.bucket.list_objects_v2(Some(&self.credentials));
        action.with_prefix(self.name(&format!("{folder}/")));
        if let Some(token) = token {
            action.with_continuation_token(token);
        }
        let answer = self.agent.get(action.sign(VALID).as_str()).call();
        let mut answer = answer.map_err(|it| self.failed("read", &it))?;
        let status = answer.status().as_u16();
        if status != 200 {
            return Err(self.refused("read", status));
        }
        let body = answer.body_mut().with_config().limit(LIST).read_to_vec();
        let body = body.map_err(|it| self.failed("read", &it))?;
        let list = ListObjectsV2::parse_response(&body);
        list.map_err(|_| format!("cannot read {}: its answer is not that of S3", self.shown))
    }

    // The address of a request is signed: it is in no message.
    fn failed(&self, what: &str, error: &ureq::Error) -> String {
        let why = match error {
            ureq::Error::Timeout(_) => "it does not answer in time".to_owned(),
            ureq::Error::HostNotFound => "there is no host of this name".to_owned(),
            ureq::Error::Io(error) => error.to_string(),
            ureq::Error::BodyExceedsLimit(_) => "the answer is too long".to_owned(),
            _ => "the connection failed".to_owned(),
        };
        format!("cannot {what} {}: {why}", self.shown)
    }

    fn refused(&self, what: &str, status: u16) -> String {
        let why = match status {
            401 | 403 => "access is denied",
            404 => "there is no such bucket",
            _ => "it refuses",
        };
        format!("cannot {what} {}: {why} (status {status})", self.shown)
    }
}

impl Store for Bucket {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let name = self.name(name);
        let url = self.bucket.get_object(Some(&self.credentials), &name).sign(VALID);
        let answer = self.agent.get(url.as_str()).call();
        let mut answer = answer.map_err(|it| self.failed("read", &it))?;
        match answer.status().as_u16() {
            200 => {
                let body = answer.body_mut().with_config().limit(LARGEST).read_to_vec();
                body.map(Some).map_err(|it| self.failed("read", &it))
            }
            404 => Ok(None),
            status => Err(self.refused("read", status)),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let name = self.name(name);
        let url = self.bucket.put_object(Some(&self.credentials), &name).sign(VALID);
        let answer = self.agent.put(url.as_str()).content_type("application/octet-stream").send(bytes);
        match answer.map_err(|it| self.failed("write to", &it))?.status().as_u16() {
            200 | 201 | 204 => Ok(()),
            status => Err(self.refused("write to", status)),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, String> {
        let (mut dated, mut next): (Vec<(String, String)>, Option<String>) = (Vec::new(), None);
        for _ in 0..PAGES {
            let page = self.page(folder, next.take())?;
            dated.extend(page.contents.into_iter().filter_map(|it| {
                let name = it.key.strip_prefix(&self.prefix)?.to_owned();
                crate::seal::is_name(name.rsplit('/').next()?).then_some((it.last_modified, name))
            }));
            next = page.next_continuation_token;
            if next.is_none() {
                break;
            }
        }
        // Times are in ISO 8601.
        dated.sort();
        Ok(dated.into_iter().rev().map(|(_, name)| name).collect())
    }

    fn remove(&self, name: &str) -> Result<(), String> {
        let name = self.name(name);
        let url = self.bucket.delete_object(Some(&self.credentials), &name).sign(VALID);
        let answer = self.agent.delete(url.as_str()).call();
        match answer.map_err(|it| self.failed("write to", &it))?.status().as_u16() {
            200 | 204 | 404 => Ok(()),
            status => Err(self.refused("write to", status)),
        }
    }

    /// Does nothing: the lifecycle rules of a bucket remove what is old.
    fn tidy(&self) -> Result<(), String> {
        Ok(())
    }
}
