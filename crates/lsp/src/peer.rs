//! The client's end of a connection: for tests, measurements, and callers in the same process as the server.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use serde_json::{Value, json};

use crate::message::{Id, Malformed, Message, Notification, Request, Response, ResponseError};

/// A server that is silent for this long is considered dead.
const PATIENCE: Duration = Duration::from_secs(20);

/// A client that sends one request after the other, and answers the server's requests.
#[derive(Debug)]
pub struct Peer {
    to_server: Sender<Result<Message, Malformed>>,
    from_server: Receiver<Message>,
    next: i64,
    /// The settings that the server receives when it requests them.
    pub settings: Value,
    /// The latest diagnostics of each URI, with the version of the text.
    pub diagnostics: BTreeMap<String, (Option<i64>, Value)>,
    /// All other notifications of the server, in order of arrival.
    pub told: Vec<Notification>,
    /// The server's requests.
    pub asked: Vec<Request>,
    /// Responses for which no caller has waited yet.
    answers: Vec<Response>,
}

impl Peer {
    pub(crate) fn new(to_server: Sender<Result<Message, Malformed>>, from_server: Receiver<Message>) -> Peer {
        Peer {
            to_server,
            from_server,
            next: 0,
            settings: Value::Null,
            diagnostics: BTreeMap::new(),
            told: Vec::new(),
            asked: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Sends a message that may be malformed.
    pub fn send(&self, message: Result<Message, Malformed>) {
        // A server that has ended ignores messages.
        let _ = self.to_server.send(message);
    }

    /// Sends a notification to the server.
    pub fn notify(&self, method: &str, params: Value) {
        self.send(Ok(Message::Notification(Notification { method: method.to_owned(), params })));
    }

    /// Sends a request without waiting for the response, and returns its ID.
    pub fn ask(&mut self, method: &str, params: Value) -> Id {
        self.next += 1;
        let id = Id::Number(self.next);
        self.send(Ok(Message::Request(Request { id: id.clone(), method: method.to_owned(), params })));
        id
    }

    /// Sends a request, and waits for the response.
    ///
    /// # Errors
    /// The server's error response, or the lack of a response.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let id = self.ask(method, params);
        self.answer(&id)
    }

    /// Waits for the response to a request.
    ///
    /// # Errors
    /// The server's error response, or the lack of a response.
    pub fn answer(&mut self, id: &Id) -> Result<Value, ResponseError> {
        let found = self.wait(|peer| peer.answers.iter().any(|it| it.id == *id));
        let at = self.answers.iter().position(|it| it.id == *id);
        match at {
            Some(at) => self.answers.remove(at).result,
            None if found => Err(ResponseError::failed("there is no answer")),
            None => Err(ResponseError::failed("the server does not answer")),
        }
    }

    /// Whether a request has been answered.
    pub fn is_answered(&self, id: &Id) -> bool {
        self.answers.iter().any(|it| it.id == *id)
    }

    /// Receives messages until a condition holds. Returns whether it does; false if the server has ended, or is silent for too
    /// long.
    pub fn wait(&mut self, is_so: impl Fn(&Peer) -> bool) -> bool {
        self.wait_for(PATIENCE, is_so)
    }

    /// Like [`wait`](Peer::wait), with a time limit.
    pub fn wait_for(&mut self, patience: Duration, is_so: impl Fn(&Peer) -> bool) -> bool {
        let end = Instant::now() + patience;
        while !is_so(self) {
            match self.from_server.recv_deadline(end) {
                Ok(message) => self.receive(message),
                Err(_) => return is_so(self),
            }
        }
        true
    }

    fn receive(&mut self, message: Message) {
        match message {
            Message::Response(response) => self.answers.push(response),
            Message::Request(request) => {
                let result = match request.method.as_str() {
                    "workspace/configuration" => json!([self.settings]),
                    "workspace/applyEdit" => json!({ "applied": true }),
                    _ => Value::Null,
                };
                self.send(Ok(Message::Response(Response { id: request.id.clone(), result: Ok(result) })));
                self.asked.push(request);
            }
            Message::Notification(told) if told.method == "textDocument/publishDiagnostics" => {
                let uri = told.params["uri"].as_str().unwrap_or_default().to_owned();
                let version = told.params["version"].as_i64();
                self.diagnostics.insert(uri, (version, told.params["diagnostics"].clone()));
            }
            Message::Notification(told) => self.told.push(told),
        }
    }
}
