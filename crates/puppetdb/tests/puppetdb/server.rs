//! A server that answers as a test says, on the loopback address.

use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value as Json;

/// A request as the server has read it.
#[derive(Debug)]
pub(crate) struct Request {
    /// The path.
    pub(crate) path: String,
    /// The lines of the header.
    pub(crate) header: Vec<String>,
    /// The body.
    pub(crate) body: Json,
}

impl Request {
    /// The value of a field of the header.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.header.iter().find_map(|it| {
            let (key, value) = it.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

/// A server that ends with the test.
pub(crate) struct Server {
    port: u16,
    is_over: Arc<AtomicBool>,
    requests: Arc<AtomicUsize>,
}

trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

impl Server {
    /// Starts a server that answers each request by writing to the connection, which is closed then.
    pub(crate) fn start(
        answer: impl Fn(&Request, &mut dyn Write) -> io::Result<()> + Send + Sync + 'static,
    ) -> Server {
        Server::over(None, answer)
    }

    /// The same, over TLS.
    pub(crate) fn over(
        tls: Option<Arc<ServerConfig>>,
        answer: impl Fn(&Request, &mut dyn Write) -> io::Result<()> + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (is_over, requests) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (ends, counted, answer) = (Arc::clone(&is_over), Arc::clone(&requests), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                let (counted, answer, tls) = (Arc::clone(&counted), Arc::clone(&answer), tls.clone());
                thread::spawn(move || {
                    let stream: TcpStream = stream?;
                    let mut stream: Box<dyn Stream> = match tls {
                        None => Box::new(stream),
                        Some(config) => {
                            let connection = ServerConnection::new(config).map_err(io::Error::other)?;
                            Box::new(StreamOwned::new(connection, stream))
                        }
                    };
                    let request = read(&mut stream)?;
                    counted.fetch_add(1, Ordering::SeqCst);
                    answer(&request, &mut stream)?;
                    stream.flush()
                });
            }
        });
        Server { port, is_over, requests }
    }

    /// Its address without a scheme.
    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.host())
    }

    /// The number of requests so far.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn read(stream: &mut dyn Stream) -> io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let path = lines.first().and_then(|it| it.split(' ').nth(1)).unwrap_or_default().to_owned();
    let mut request = Request { path, header: lines, body: Json::Null };
    let length = request.field("Content-Length").and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    request.body = serde_json::from_slice(&body).unwrap_or_default();
    Ok(request)
}

/// Writes an answer.
pub(crate) fn respond(out: &mut dyn Write, status: &str, fields: &[&str], body: &str) -> io::Result<()> {
    write!(out, "HTTP/1.1 {status}\r\n")?;
    for field in fields {
        write!(out, "{field}\r\n")?;
    }
    write!(out, "Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

/// Writes rows.
pub(crate) fn rows(out: &mut dyn Write, total: usize, rows: &[Json]) -> io::Result<()> {
    let fields = ["Content-Type: application/json;charset=utf-8", &format!("X-Records: {total}")];
    respond(out, "200 OK", &fields, &Json::from(rows.to_vec()).to_string())
}

/// A server with the answers that a real PuppetDB gave (`cargo xtask puppetdb --record`). It has no other answers.
pub(crate) fn recorded() -> Server {
    let recorded: Json = serde_json::from_str(include_str!("../recorded.json")).unwrap();
    Server::start(move |request, out| {
        let mut known = recorded.as_array().unwrap().iter();
        let known = known.find(|it| it["path"] == *request.path && it["query"] == request.body);
        let Some(it) = known else { return respond(out, "500 Not Recorded", &[], &request.body.to_string()) };
        let total = it["total"].as_u64().map(|it| format!("X-Records: {it}"));
        let fields = ["Content-Type: application/json;charset=utf-8"].into_iter().chain(total.as_deref());
        let fields: Vec<&str> = fields.collect();
        respond(out, &format!("{} Status", it["status"]), &fields, it["body"].as_str().unwrap())
    })
}
