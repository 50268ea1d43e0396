//! Certificates and keys in PEM files.

use std::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{AlertDescription, CertificateError, ClientConfig, InvalidMessage, RootCertStore};
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig};

use crate::client::{Pem, Settings};
use crate::error::SettingsError;

/// Returns the configuration of encrypted connections.
///
/// # Errors
/// If a file has no certificate or key, or if they can't be used.
pub(crate) fn config(settings: &Settings) -> Result<TlsConfig, SettingsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = TlsConfig::builder().unversioned_rustls_crypto_provider(Arc::clone(&provider));
    let Some(authority) = &settings.authority else {
        if settings.address.is_tls() {
            return Err(SettingsError::NoAuthority);
        }
        if settings.identity.is_some() {
            return Err(SettingsError::NotEncrypted);
        }
        return Ok(builder.root_certs(RootCerts::new_with_certs(&[])).build());
    };
    if !settings.address.is_tls() {
        return Err(SettingsError::NotEncrypted);
    }
    let roots = certificates(authority)?;
    let mut store = RootCertStore::empty();
    for root in &roots {
        store
            .add(root.clone())
            .map_err(|error| pem(authority, &format!("is no certificate of a CA: {error}")))?;
    }
    let owned = |it: &CertificateDer<'_>| Certificate::from_der(it).to_owned();
    let roots: Vec<_> = roots.iter().map(owned).collect();
    let identity = match &settings.identity {
        None => None,
        Some((certificate, key)) => {
            let chain = certificates(certificate)?;
            try_identity(provider, store, &chain, key)?;
            let chain: Vec<_> = chain.iter().map(owned).collect();
            let key = PrivateKey::from_pem(&key.bytes).map_err(|_| no_key(key))?;
            Some(ClientCert::new_with_certs(&chain, key))
        }
    };
    Ok(builder.root_certs(RootCerts::new_with_certs(&roots)).client_cert(identity).build())
}

/// Returns an error if a client cannot authenticate with its certificate, which would be a panic later.
fn try_identity(
    provider: Arc<CryptoProvider>,
    roots: RootCertStore,
    chain: &[CertificateDer<'static>],
    key: &Pem,
) -> Result<(), SettingsError> {
    let private = PrivateKeyDer::from_pem_slice(&key.bytes).map_err(|_| no_key(key))?;
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let tried =
        config.and_then(|it| it.with_root_certificates(roots).with_client_auth_cert(chain.to_vec(), private));
    tried.map(|_| ()).map_err(|error| SettingsError::Identity(error.to_string()))
}

fn certificates(file: &Pem) -> Result<Vec<CertificateDer<'static>>, SettingsError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&file.bytes).collect();
    let found = found.map_err(|error| pem(file, &format!("is not valid PEM: {error}")))?;
    match found.is_empty() {
        true => Err(pem(file, "has no certificate in PEM")),
        false => Ok(found),
    }
}

fn pem(file: &Pem, problem: &str) -> SettingsError {
    SettingsError::Pem(file.path.clone(), problem.to_owned())
}

fn no_key(file: &Pem) -> SettingsError {
    pem(file, "has no private key in PEM, or one that is encrypted")
}

/// Describes why the TLS handshake failed.
pub(crate) fn problem(error: &rustls::Error) -> String {
    use rustls::Error;

    match error {
        Error::InvalidCertificate(certificate) => {
            let why = match certificate {
                CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                    "has expired".to_owned()
                }
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                    "is not valid yet".to_owned()
                }
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                    "is that of another name".to_owned()
                }
                CertificateError::UnknownIssuer => "was not issued by the CA of `--puppetdb-ca`".to_owned(),
                CertificateError::BadSignature => {
                    "does not have the signature of the CA of `--puppetdb-ca`".to_owned()
                }
                other => format!("is not valid: {other}"),
            };
            format!("its certificate {why}")
        }
        Error::AlertReceived(alert) => match alert {
            AlertDescription::CertificateRequired => {
                "it asks for a certificate: `--puppetdb-cert` and `--puppetdb-key`".to_owned()
            }
            AlertDescription::CertificateExpired => {
                "it takes the client's certificate for expired".to_owned()
            }
            AlertDescription::UnknownCA
            | AlertDescription::BadCertificate
            | AlertDescription::CertificateUnknown
            | AlertDescription::CertificateRevoked
            | AlertDescription::AccessDenied => {
                format!("it does not accept the client's certificate ({alert:?})")
            }
            other => format!("it ended the connection ({other:?})"),
        },
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "it does not answer with TLS: the address may start with `http`".to_owned()
        }
        other => other.to_string(),
    }
}
