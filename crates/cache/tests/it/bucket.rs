//! A bucket of a server that checks signatures, as S3 does.

#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use hmac::{Hmac, Mac as _};
use marotte_cache::{Bucket, Cache, Credentials, Entry, Extent, Record, Store as _};
use marotte_catalog::{Catalog, Tags};
use sha2::{Digest as _, Sha256};

const SECRET: &str = "wJalrXUtnFEMI";

type Objects = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

/// Whether a request has the signature that version 4 of the specification demands of a signed address.
fn is_signed(method: &str, path: &str, query: &str, host: &str) -> bool {
    let mut fields: Vec<&str> = query.split('&').collect();
    let at = fields.iter().position(|it| it.starts_with("X-Amz-Signature="));
    let Some(signature) = at.map(|at| fields.remove(at)) else { return false };
    fields.sort_unstable();
    let field = |name: &str| {
        fields.iter().find_map(|it| it.strip_prefix(name)).unwrap_or_default().replace("%2F", "/")
    };
    let (date, credential) = (field("X-Amz-Date="), field("X-Amz-Credential="));
    let scope = credential.split_once('/').map_or("", |it| it.1);
    let canonical = format!("{method}\n{path}\n{}\nhost:{host}\n\nhost\nUNSIGNED-PAYLOAD", fields.join("&"));
    let to_sign = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{}", hex(&Sha256::digest(canonical)));
    let mut key = format!("AWS4{SECRET}").into_bytes();
    for part in scope.split('/') {
        key = mac(&key, part);
    }
    signature == format!("X-Amz-Signature={}", hex(&mac(&key, &to_sign)))
}

fn answer(mut stream: TcpStream, objects: &Objects) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let mut words = line.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (mut host, mut length) = (String::new(), 0);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        match header.trim().split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned())) {
            Some((name, value)) if name == "host" => host = value,
            Some((name, value)) if name == "content-length" => length = value.parse().unwrap(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let mut objects = objects.lock().unwrap();
    let name = path.strip_prefix("/bucket/").unwrap_or_default().to_owned();
    let (status, body) = match method.as_str() {
        _ if !is_signed(&method, path, query, &host) => (403, Vec::new()),
        "PUT" => {
            objects.insert(name, body);
            (200, Vec::new())
        }
        "DELETE" => {
            objects.remove(&name);
            (204, Vec::new())
        }
        _ if name.is_empty() => {
            let prefix = query.split('&').find_map(|it| it.strip_prefix("prefix=")).unwrap_or_default();
            let prefix = prefix.replace("%2F", "/");
            // Each answer has one object, so that there are always several.
            let token = query.split('&').find_map(|it| it.strip_prefix("continuation-token="));
            let first = token.map_or(0, |it| it.parse::<usize>().unwrap());
            let names: Vec<&String> = objects.keys().filter(|it| it.starts_with(&prefix)).collect();
            let next = match first + 1 < names.len() {
                true => format!("<NextContinuationToken>{}</NextContinuationToken>", first + 1),
                false => String::new(),
            };
            let listed = names.iter().skip(first).take(1).map(|it| {
                format!("<Contents><Key>{it}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>\"x\"</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>")
            });
            let listed: String = listed.collect();
            let text = format!(
                "<?xml version=\"1.0\"?><ListBucketResult><Name>bucket</Name><MaxKeys>1</MaxKeys>{next}{listed}</ListBucketResult>"
            );
            (200, text.into_bytes())
        }
        _ => objects.get(&name).map_or((404, Vec::new()), |it| (200, it.clone())),
    };
    let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(&[head.as_bytes(), &body].concat());
}

/// Starts a server, and returns its address and what is in its bucket.
fn server() -> (String, Objects) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let objects = Objects::default();
    let shared = Arc::clone(&objects);
    std::thread::spawn(move || listener.incoming().flatten().for_each(|it| answer(it, &shared)));
    (address, objects)
}

fn bucket(address: &str, secret: &str) -> Bucket {
    let credentials = Credentials { key: "AKIA".into(), secret: secret.into(), token: None };
    Bucket::new(address, "eu-west-1", "bucket", "team/marotte", credentials).unwrap()
}

fn empty() -> Catalog {
    Catalog {
        name: "".into(),
        environment: "production".into(),
        tags: Tags::default(),
        classes: Vec::new(),
        resources: Vec::new(),
        exports: Vec::new(),
        export_edges: Vec::new(),
        lacks_imports: false,
        edges: Vec::new(),
        gaps: Vec::new(),
        contents: None,
    }
}

fn record(name: &str) -> Record {
    let entry = Entry {
        node: Some(name.into()),
        reads: Vec::new(),
        extent: Extent::Known,
        elsewhere: Vec::new(),
        catalog: None,
    };
    Record { reads: Vec::new(), entries: vec![entry] }
}

#[test]
fn what_one_machine_keeps_another_one_finds() {
    let (address, objects) = server();
    let cache = || Cache::new(Box::new(bucket(&address, SECRET)), None);
    let records = || {
        let names = cache().records(b"scope").unwrap();
        names.iter().map(|it| cache().record(it).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(records(), []);
    cache().add_record(b"scope", &record("web1")).unwrap();
    cache().add_record(b"scope", &record("web2")).unwrap();
    cache().add_record(b"other scope", &record("web3")).unwrap();
    let catalog = Catalog { name: "web1".into(), ..empty() };
    let name = cache().add_catalog(&catalog).unwrap().unwrap();
    assert!(objects.lock().unwrap().keys().all(|it| it.starts_with("team/marotte/v2/")));
    let found = records();
    assert_eq!(found.len(), 2);
    assert!(["web1", "web2"].iter().all(|it| found.contains(&Some(record(it)))));
    assert_eq!(cache().catalog(&name), Ok(Some(catalog)));
    assert_eq!(cache().catalog(&"0".repeat(64)).unwrap(), None);
    assert_eq!(cache().catalog("../../etc/passwd").unwrap(), None);
    objects.lock().unwrap().values_mut().for_each(|it| it.truncate(20));
    // What is damaged is removed.
    assert_eq!(records(), [None, None]);
    assert_eq!(records(), []);
    let damaged = cache();
    assert_eq!((damaged.catalog(&name), damaged.was_damaged()), (Ok(None), true));
}

#[test]
fn a_wrong_key_is_a_clear_error_without_secrets() {
    let (address, objects) = server();
    let wrong = bucket(&address, "another");
    let error = wrong.put("v2/x", b"text").unwrap_err();
    assert_eq!(error, "cannot write to the bucket bucket at 127.0.0.1: access is denied (status 403)");
    assert!(wrong.list("v2").is_err() && wrong.get("v2/x").is_err());
    assert!(objects.lock().unwrap().is_empty());
}

#[test]
fn a_server_that_is_not_there_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = bucket(&address, SECRET).get("v2/x").unwrap_err();
    assert!(error.starts_with("cannot read the bucket bucket at 127.0.0.1: "), "{error}");
    assert!(!error.contains("Signature"), "{error}");
}
