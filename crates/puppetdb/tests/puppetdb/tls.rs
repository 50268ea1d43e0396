//! Encrypted connections: with whom, and with whom not.

use std::sync::Arc;
use std::time::Duration;

use marotte_puppetdb::{ACTIVE_NODES, Address, Client, Pem, Settings, SettingsError};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::PrivateKeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use serde_json::json;

use crate::server::{Server, rows};

/// A CA, as Puppet's server is one.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: rcgen::Certificate,
}

/// A certificate with its key.
struct Identity {
    certificate: rcgen::Certificate,
    key: KeyPair,
}

impl Authority {
    fn new(name: &str) -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Authority { issuer: Issuer::new(params, key), certificate }
    }

    fn issue(&self, name: &str, until: i32) -> Identity {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(until, 1, 1);
        let key = KeyPair::generate().unwrap();
        Identity { certificate: params.signed_by(&key, &self.issuer).unwrap(), key }
    }
}

fn pem(path: &str, text: String) -> Pem {
    Pem { path: path.to_owned(), bytes: text.into_bytes() }
}

/// A server with this certificate, which wants clients to have one of an authority.
fn server(identity: &Identity, clients: Option<&Authority>) -> Server {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
    let builder = match clients {
        None => builder.unwrap().with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add(authority.certificate.der().clone()).unwrap();
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.unwrap().with_client_cert_verifier(verifier.unwrap())
        }
    };
    let key = PrivateKeyDer::try_from(identity.key.serialize_der()).unwrap();
    let config = builder.with_single_cert(vec![identity.certificate.der().clone()], key).unwrap();
    Server::over(Some(Arc::new(config)), |_, out| rows(out, 1, &[json!({ "certname": "a" })]))
}

/// The settings of a client that trusts an authority.
fn trusting(server: &Server, authority: &Authority, identity: Option<&Identity>) -> Settings {
    Settings {
        address: Address::new(&format!("https://{}", server.host())).unwrap(),
        authority: Some(pem("ca.pem", authority.certificate.pem())),
        identity: identity
            .map(|it| (pem("cert.pem", it.certificate.pem()), pem("key.pem", it.key.serialize_pem()))),
        token: None,
        timeout: Duration::from_secs(60),
    }
}

/// The outcome of a query: nothing, or the problem.
fn outcome(settings: Settings) -> String {
    match Client::new(settings).unwrap().names(ACTIVE_NODES) {
        Ok(_) => String::new(),
        Err(error) => {
            let text = error.to_string();
            text.split_once(" cannot be connected to: ")
                .map_or_else(|| text.clone(), |(_, why)| why.to_owned())
        }
    }
}

#[test]
fn servers_are_known_by_their_authority() {
    let (ours, other) = (Authority::new("ours"), Authority::new("other"));
    for (identity, trusted, wanted) in [
        (ours.issue("127.0.0.1", 4000), &ours, ""),
        (ours.issue("127.0.0.1", 2001), &ours, "its certificate has expired"),
        (ours.issue("puppetdb.example.com", 4000), &ours, "its certificate is that of another name"),
        (
            ours.issue("127.0.0.1", 4000),
            &other,
            "its certificate was not issued by the CA of `--puppetdb-ca`",
        ),
    ] {
        let server = server(&identity, None);
        assert_eq!(outcome(trusting(&server, trusted, None)), wanted);
    }
}

#[test]
fn clients_show_their_certificate() {
    let (ours, other) = (Authority::new("ours"), Authority::new("other"));
    let server = server(&ours.issue("127.0.0.1", 4000), Some(&ours));
    let (known, unknown) = (ours.issue("ci.example.com", 4000), other.issue("ci.example.com", 4000));
    let expired = ours.issue("ci.example.com", 2001);
    assert_eq!(outcome(trusting(&server, &ours, Some(&known))), "");
    for (identity, wanted) in [
        (None, "it asks for a certificate: `--puppetdb-cert` and `--puppetdb-key`"),
        (Some(&unknown), "it does not accept the client's certificate"),
        (Some(&expired), "it takes the client's certificate for expired"),
    ] {
        let found = outcome(trusting(&server, &ours, identity));
        // In TLS 1.3, a client may send its query before the server refuses the certificate, and then only sees the end.
        let is_cut = ["Broken pipe", "reset"].iter().any(|it| found.contains(it));
        assert!(found.starts_with(wanted) || is_cut, "{found}");
    }
}

#[test]
fn a_server_without_tls_is_told() {
    let server = Server::start(|_, out| rows(out, 0, &[]));
    let found = outcome(trusting(&server, &Authority::new("ours"), None));
    assert!(!found.is_empty(), "nothing is sent unencrypted");
}

#[test]
fn unusable_files_are_named() {
    let (ours, other) = (Authority::new("ours"), Authority::new("other"));
    let server = Server::start(|_, out| rows(out, 0, &[]));
    let identity = ours.issue("ci.example.com", 4000);
    let good = || trusting(&server, &ours, Some(&identity));
    let wrong = |settings: Settings| Client::new(settings).unwrap_err().to_string();
    let empty = || pem("empty.pem", "nothing\n".to_owned());
    assert!(Client::new(good()).is_ok());
    assert_eq!(wrong(Settings { authority: Some(empty()), ..good() }), "empty.pem has no certificate in PEM");
    let key = || pem("key.pem", identity.key.serialize_pem());
    let certificate = || pem("cert.pem", identity.certificate.pem());
    assert_eq!(
        wrong(Settings { identity: Some((empty(), key())), ..good() }),
        "empty.pem has no certificate in PEM"
    );
    assert_eq!(
        wrong(Settings { identity: Some((certificate(), empty())), ..good() }),
        "empty.pem has no private key in PEM, or one that is encrypted"
    );
    let foreign = pem("key.pem", other.issue("x", 4000).key.serialize_pem());
    let found = wrong(Settings { identity: Some((certificate(), foreign)), ..good() });
    assert!(found.starts_with("the certificate and the key for PuppetDB cannot be used: "), "{found}");
    assert_eq!(Client::new(Settings { authority: None, ..good() }).unwrap_err(), SettingsError::NoAuthority);
    let open = Settings { address: Address::new("http://127.0.0.1:1").unwrap(), ..good() };
    assert_eq!(Client::new(open).unwrap_err(), SettingsError::NotEncrypted);
}
