//! Answers of a PuppetDB: any bytes, and rows that are almost right.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use marotte_pcore::print::literal;
use marotte_pcore::value::Value;
use marotte_puppetdb::{Address, Client, Comparable, Error, Settings};
use marotte_tests::arbitrary::Choices;
use serde_json::{Map, Value as Json, json};

/// The names of the nodes that are asked about.
const NODES: [&str; 3] = ["a", "b.example.com", "é"];

/// The answers of the server to each request.
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// A client of a server on the loopback address that gives [`ANSWER`].
fn client() -> &'static Client {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { continue };
                let mut request = Vec::new();
                let mut buffer = [0; 4096];
                // The header, and what it says of the length.
                while let Ok(count @ 1..) = stream.read(&mut buffer) {
                    request.extend_from_slice(&buffer[..count]);
                    if is_whole(&request) {
                        break;
                    }
                }
                let answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner).clone();
                // The client may have seen enough.
                let _ = stream.write_all(&answer).and_then(|()| stream.shutdown(Shutdown::Both));
            }
        });
        let settings = Settings {
            address: Address::new(&format!("http://127.0.0.1:{port}")).expect("an address"),
            authority: None,
            identity: None,
            token: None,
            // Less than the time after which it would ask again.
            timeout: Duration::from_millis(240),
        };
        Client::new(settings).expect("a client")
    })
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((header, _)) = text.split_once("\r\n\r\n") else { return false };
    let lower = header.to_ascii_lowercase();
    let length = lower.lines().find_map(|it| it.strip_prefix("content-length:")?.trim().parse().ok());
    request.len() >= header.len() + 4 + length.unwrap_or(0)
}

/// Asks a server that answers bytes: the first says what is asked, and whether the rest is the answer from its first line on, the
/// answer's text, or chooses the parts of rows.
///
/// # Panics
/// If an answer that is cut off is taken for a smaller one, or if something is wrong with what is read.
pub fn check(bytes: &[u8]) {
    let [first, rest @ ..] = bytes else { return };
    let question = first >> 2;
    match first % 4 {
        0 => {
            ask(rest.to_vec(), question);
        }
        1 => {
            let total = rest.first().map_or(0, |it| it % 4);
            ask(answer(rest.get(1..).unwrap_or_default(), Some(total.into())), question);
        }
        _ => {
            let mut choices = Choices::new(rest);
            let rows: Vec<Json> = (0..choices.below(4)).map(|_| row(&mut choices, question)).collect();
            let total = (!choices.one_in(8)).then_some(rows.len());
            let text = Json::from(rows).to_string();
            let is_read = ask(answer(text.as_bytes(), total), question);
            assert!(!is_read || total.is_some() || question % 5 >= 3, "read without the number of rows");
            let cut = (choices.below(256) * 256 + choices.below(256)) % text.len();
            let is_read = ask(answer(text.get(..cut).unwrap_or_default().as_bytes(), total), question);
            assert!(!is_read, "an answer that is cut off: {text} at {cut}");
        }
    }
}

fn answer(text: &[u8], total: Option<usize>) -> Vec<u8> {
    let total = total.map(|it| format!("X-Records: {it}\r\n")).unwrap_or_default();
    let header = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{total}\r\n", text.len());
    [header.as_bytes(), text].concat()
}

/// Asks a question, and returns whether there was an answer that could be read.
fn ask(answer: Vec<u8>, question: u8) -> bool {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    let client = client();
    let result = match question % 5 {
        0 => client.factsets(&NODES).map(|all| {
            for (name, facts) in &all {
                assert!(NODES.contains(&name.as_str()), "another node");
                let facts = facts.facts();
                assert!(!literal(&Value::Hash(facts.values.into())).is_empty(), "a text");
            }
        }),
        1 => client.catalogs(&NODES).map(|all| {
            for (name, catalog) in all {
                assert!(NODES.contains(&name.as_str()), "another node");
                let same = Comparable::new(catalog.clone(), catalog);
                assert_eq!(same.running.resources.len(), same.compiled.resources.len(), "the same resources");
            }
        }),
        2 => client.exported("File", Some(&json!(["=", "tag", "a"]))).map(|all| {
            assert!(all.is_sorted_by_key(|it| (&it.title, &it.certname)), "in order");
        }),
        3 => client.names("nodes[certname] { limit 7 }").map(drop),
        _ => client.query(&json!("nodes {}")).map(|it| assert!(matches!(it, Value::Array(_)), "rows")),
    };
    match result {
        Ok(()) => true,
        Err(error) => {
            told(&error);
            false
        }
    }
}

/// An error is one line. What prints it replaces the signs that control terminals.
fn told(error: &Error) {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.contains(['\n', '\r']), "{text:?}");
}

fn value(choices: &mut Choices<'_>, depth: usize) -> Json {
    match choices.below(if depth == 0 { 6 } else { 10 }) {
        0 => Json::Null,
        1 => json!(choices.one_in(2)),
        2 => json!(choices.choose(&["a", "", "File", "é", "contains", "\u{1b}[2J", "trusted"])),
        3 => json!(u64::MAX),
        4 => json!(-0.5),
        5 => json!(choices.below(256)),
        6 => Json::from((0..choices.below(4)).map(|_| value(choices, depth - 1)).collect::<Vec<_>>()),
        7 => {
            let name = choices.choose(&["a", "b", "", "é"]);
            json!({ name: value(choices, depth - 1), "c": value(choices, depth - 1) })
        }
        8 => {
            let doubled = value(choices, depth - 1);
            json!([doubled, doubled])
        }
        _ => (0..choices.below(200)).fold(json!(1), |inner, _| json!([inner])),
    }
}

/// An object of these fields, of which some are missing and some have another kind of value.
fn object(choices: &mut Choices<'_>, fields: Vec<(&str, Json)>) -> Json {
    let mut made = Map::new();
    for (name, right) in fields {
        match choices.below(24) {
            0 => {}
            1 => drop(made.insert(name.to_owned(), value(choices, 2))),
            _ => drop(made.insert(name.to_owned(), right)),
        }
    }
    Json::Object(made)
}

fn row(choices: &mut Choices<'_>, question: u8) -> Json {
    let certname = json!(choices.choose(&["a", "b.example.com", "é", "c", ""]));
    let text = |choices: &mut Choices<'_>| json!(choices.choose(&["a", "File", "/etc/a", "é", ""]));
    match question % 5 {
        0 => {
            let facts = (0..choices.below(5)).map(|_| {
                let name = json!(choices.choose(&["os", "trusted", "_timestamp", "a", ""]));
                let value = match choices.below(3) {
                    0 => json!({ "authenticated": "remote", "certname": "a", "extensions": {} }),
                    _ => value(choices, 3),
                };
                object(choices, vec![("name", name), ("value", value)])
            });
            let facts = json!({ "href": "/", "data": facts.collect::<Vec<_>>() });
            object(choices, vec![("certname", certname), ("facts", facts)])
        }
        1 => {
            let resource = |choices: &mut Choices<'_>| {
                let fields = vec![
                    ("type", text(choices)),
                    ("title", text(choices)),
                    ("exported", json!(choices.one_in(2))),
                    ("tags", json!([text(choices)])),
                    ("file", text(choices)),
                    ("line", json!(choices.below(9))),
                    ("parameters", json!({ "before": value(choices, 2), "alias": value(choices, 3) })),
                ];
                object(choices, fields)
            };
            let edge = |choices: &mut Choices<'_>| {
                let fields = vec![
                    ("relationship", json!(choices.choose(&["contains", "before"]))),
                    ("source_type", text(choices)),
                    ("source_title", text(choices)),
                    ("target_type", text(choices)),
                    ("target_title", text(choices)),
                ];
                object(choices, fields)
            };
            let resources: Vec<Json> = (0..choices.below(4)).map(|_| resource(choices)).collect();
            let edges: Vec<Json> = (0..choices.below(4)).map(|_| edge(choices)).collect();
            let fields = vec![
                ("certname", certname),
                ("environment", text(choices)),
                ("resources", json!({ "data": resources })),
                ("edges", json!({ "data": edges })),
            ];
            object(choices, fields)
        }
        2 => {
            let parameters = json!({ "a": value(choices, 3), "b": value(choices, 2) });
            let fields = vec![("certname", certname), ("title", text(choices)), ("parameters", parameters)];
            object(choices, fields)
        }
        _ => object(choices, vec![("certname", certname)]),
    }
}
