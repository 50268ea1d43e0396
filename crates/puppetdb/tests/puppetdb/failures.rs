//! What goes wrong, and what is said about it.

use std::io::{self, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use marotte_puppetdb::{ACTIVE_NODES, Client, Problem, SettingsError};
use serde_json::json;

use crate::server::{Request, Server, respond, rows};
use crate::{client, settings};

/// The problem of a query to a server with this answer, and the number of requests.
fn problem_of(
    answer: impl Fn(&Request, &mut dyn Write) -> io::Result<()> + Send + Sync + 'static,
) -> (String, usize) {
    let server = Server::start(answer);
    let error = client(&server).names(ACTIVE_NODES).unwrap_err().to_string();
    let start = format!("PuppetDB at {} ", server.url());
    (error.strip_prefix(&start).unwrap().to_owned(), server.requests())
}

#[test]
fn statuses_are_explained() {
    let html = "<html><head><title>Error 404\nNot Found</title></head><body>…</body></html>";
    for (status, body, said) in [
        ("400 Bad Request", "PQL parse error at line 1", "refuses the query: PQL parse error at line 1"),
        (
            "401 Unauthorized",
            "",
            "denies access (status 401): it may need a certificate that its allowlist has, or a token",
        ),
        (
            "403 Forbidden",
            "Permission denied",
            "denies access (status 403, Permission denied): it may need a certificate that its allowlist has, or a token",
        ),
        ("404 Not Found", html, "has no queries there (status 404): the address may be another"),
        ("500 Server Error", html, "answered with status 500: a page in HTML: Error 404 Not Found"),
        ("500 Server Error", "<html>", "answered with status 500: a page in HTML"),
        ("204 No Content", "", "answered with status 204"),
    ] {
        assert_eq!(
            problem_of(move |_, out| respond(out, status, &[], body)),
            (said.to_owned(), 1),
            "{status}"
        );
    }
}

#[test]
fn redirections_are_not_followed() {
    let (said, requests) = problem_of(|_, out| {
        respond(out, "302 Found", &["Location: http://u:secret@elsewhere.example/x?token=secret"], "")
    });
    assert_eq!(said, "redirects to http://elsewhere.example/x, which is not followed");
    assert_eq!(requests, 1);
}

#[test]
fn what_is_no_array_is_no_result() {
    let kind = "Content-Type: application/json";
    for (fields, body, said) in [
        (vec!["Content-Type: text/html"], "<html>login</html>", "text/html: `<html>login</html>`"),
        (vec![kind], "{\"a\": 1}", "application/json: `{\"a\": 1}`"),
        (
            vec![kind],
            "[{\"certname\": \"a\"}, {\"cert",
            "application/json: an array that is cut off or not valid",
        ),
        (vec![], "", "no type: nothing"),
    ] {
        let said = format!("did not answer with an array in JSON, but with {said}");
        assert_eq!(problem_of(move |_, out| respond(out, "200 OK", &fields, body)).0, said);
    }
    let (said, _) = problem_of(|_, out| rows(out, 1, &[json!({ "name": "a" })]));
    assert_eq!(said, "answered with something else than names, as `nodes[certname] { … }` gives them");
    let a = json!({ "certname": "a" });
    let (said, _) = problem_of(move |_, out| rows(out, 2, &[a.clone(), a.clone()]));
    assert_eq!(said, "answered with the same node more than once");
    let (said, _) = problem_of(|_, out| respond(out, "200 OK", &[], "[]"));
    assert_eq!(said, "answered with 0 rows, and not with how many there are");
    let (said, _) = problem_of(|_, out| {
        out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n[\xff]")
    });
    assert!(said.ends_with("no type: bytes that are not UTF-8"), "{said}");
}

#[test]
fn garbage_is_no_answer() {
    let (said, _) = problem_of(|_, out| out.write_all(b"\x15\x03\x01\x00\x02\x02\x46 garbage\r\n\r\n"));
    assert!(said.starts_with("did not answer in HTTP: "), "{said}");
    let (said, _) = problem_of(|_, out| write!(out, "HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(1 << 20)));
    assert!(said.starts_with("did not answer in HTTP: "), "{said}");
}

#[test]
fn lost_connections_are_tried_again_a_few_times() {
    // Nothing listens there any more.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let gone = Client::new(settings(&format!("http://127.0.0.1:{port}"), Duration::from_secs(60))).unwrap();
    let error = gone.names(ACTIVE_NODES).unwrap_err();
    assert!(matches!(&error.problem, Problem::Unreachable(4, _)), "{error}");

    let (said, requests) = problem_of(|_, _| Ok(()));
    assert!(said.starts_with("cannot be reached, after 4 attempts: "), "{said}");
    assert_eq!(requests, 4);

    let (said, requests) = problem_of(|_, out| respond(out, "503 Service Unavailable", &[], "starting"));
    assert_eq!(said, "cannot be reached, after 4 attempts: it is not available now (status 503) starting");
    assert_eq!(requests, 4);

    let (said, requests) = problem_of(|_, out| {
        out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n[{\"certname\":")
    });
    assert!(said.starts_with("cannot be reached, after 4 attempts: "), "{said}");
    assert_eq!(requests, 4, "the end of the answer is missing");
}

#[test]
fn a_server_that_is_restarted_meanwhile_is_no_failure() {
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |_, out| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Ok(()),
        1 => respond(out, "503 Service Unavailable", &[], ""),
        _ => rows(out, 1, &[json!({ "certname": "a" })]),
    });
    assert_eq!(client(&server).names(ACTIVE_NODES).unwrap().len(), 1);
    assert_eq!(server.requests(), 3);
}

#[test]
fn slow_answers_end_with_the_time() {
    type Slow = fn(&Request, &mut dyn Write) -> io::Result<()>;

    /// Writes a byte now and then, for longer than anybody waits.
    fn drip(out: &mut dyn Write, text: &str) -> io::Result<()> {
        for byte in text.bytes().cycle().take(600) {
            out.write_all(&[byte])?;
            out.flush()?;
            thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }
    let slow: [Slow; 3] = [
        |_, _| {
            thread::sleep(Duration::from_secs(60));
            Ok(())
        },
        |_, out| drip(out, "HTTP/1.1 200 OK\r\nX: xxxxxxxxxxxxxxxxxxxxxxxx"),
        |_, out| {
            out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\n")?;
            drip(out, "[ ")
        },
    ];
    for (index, answer) in slow.into_iter().enumerate() {
        let server = Server::start(answer);
        let client = Client::new(settings(&server.url(), Duration::from_secs(1))).unwrap();
        let started = Instant::now();
        let error = client.names(ACTIVE_NODES).unwrap_err();
        assert_eq!(error.problem, Problem::Late(Duration::from_secs(1)), "{index}: {error}");
        // The server would take a minute.
        assert!(started.elapsed() < Duration::from_secs(30), "{index}");
    }
}

#[test]
fn secrets_are_sent_in_headers_and_not_printed() {
    let server = Server::start(|request, out| {
        assert_eq!(request.field("Authorization"), Some("Basic bWU6c2VjcmV0"));
        assert_eq!(request.field("X-Authentication"), Some("t0ken"));
        respond(out, "500 Error", &[], "")
    });
    let url = format!("http://me:secret@{}", server.host());
    let with_token = marotte_puppetdb::Settings {
        token: Some("t0ken".to_owned()),
        ..settings(&url, Duration::from_secs(60))
    };
    let client = Client::new(with_token).unwrap();
    let error = client.names(ACTIVE_NODES).unwrap_err();
    assert_eq!(error.to_string(), format!("PuppetDB at {} answered with status 500", server.url()));
    assert!(!format!("{client:?}").contains("secret"));
    let open = settings("http://me:secret@puppetdb.example.com:8080", Duration::from_secs(1));
    assert_eq!(Client::new(open).unwrap_err(), SettingsError::Readable);
}

#[test]
fn hosts_that_do_not_exist_are_named() {
    let client = Client::new(settings("http://puppetdb.invalid:8080", Duration::from_secs(60))).unwrap();
    let error = client.names(ACTIVE_NODES).unwrap_err().to_string();
    assert!(error.starts_with("PuppetDB at http://puppetdb.invalid:8080 cannot be reached"), "{error}");
}
