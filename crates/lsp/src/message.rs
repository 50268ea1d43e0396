//! Messages: requests, responses and notifications, as JSON-RPC has them.

use std::fmt;

pub use lsp_types::json_rpc::Id;
use lsp_types::{ErrorCodes, LspErrorCodes};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// One message, in either direction.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Somebody wants an answer.
    Request(Request),
    /// Somebody tells something.
    Notification(Notification),
    /// The answer to a request.
    Response(Response),
}

/// Somebody wants an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// By which the answer is known.
    pub id: Id,
    /// What is wanted.
    pub method: String,
    /// About what; null if nothing was said.
    pub params: Value,
}

/// Somebody tells something.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// What is told.
    pub method: String,
    /// About what; null if nothing was said.
    pub params: Value,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// That of the request; null if nobody could read it.
    pub id: Id,
    /// The answer.
    pub result: Result<Value, ResponseError>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseError {
    /// The kind, as the protocol numbers them.
    pub code: i32,
    /// A sentence.
    pub message: String,
}

impl ResponseError {
    /// An error of a kind.
    pub fn new(code: impl Into<i32>, message: impl Into<String>) -> ResponseError {
        ResponseError { code: code.into(), message: message.into() }
    }

    /// The request is about something that cannot be.
    pub fn invalid_params(message: impl Into<String>) -> ResponseError {
        ResponseError::new(ErrorCodes::InvalidParams, message)
    }

    /// The request can be understood and cannot be done. The message is for people.
    pub fn failed(message: impl Into<String>) -> ResponseError {
        ResponseError::new(LspErrorCodes::RequestFailed, message)
    }
}

impl fmt::Display for ResponseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A message that nobody can act on, and what to answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Malformed {
    /// The identity of the request, if that much could be read.
    pub id: Id,
    /// What is wrong.
    pub error: ResponseError,
}

impl Malformed {
    /// Bytes that are no message at all.
    pub(crate) fn unreadable(message: impl Into<String>) -> Malformed {
        Malformed { id: Id::Null, error: ResponseError::new(ErrorCodes::ParseError, message) }
    }
}

impl Message {
    /// Reads the text of one message.
    ///
    /// # Errors
    /// If it is not JSON, or no object that is a request, a notification or a response.
    pub fn parse(text: &[u8]) -> Result<Message, Malformed> {
        let invalid = |id: Id, message: &str| Malformed {
            id,
            error: ResponseError::new(ErrorCodes::InvalidRequest, message),
        };
        let value: Value =
            serde_json::from_slice(text).map_err(|error| Malformed::unreadable(error.to_string()))?;
        let Value::Object(mut object) = value else {
            return Err(invalid(Id::Null, "a message is an object"));
        };
        let id = match object.remove("id") {
            None => None,
            Some(Value::String(id)) => Some(Id::String(id)),
            Some(Value::Number(id)) if id.is_i64() => Some(Id::Number(id.as_i64().unwrap_or_default())),
            Some(Value::Null) if !object.contains_key("method") => Some(Id::Null),
            Some(_) => return Err(invalid(Id::Null, "an `id` is a whole number or a string")),
        };
        let method = match object.remove("method") {
            None => None,
            Some(Value::String(method)) => Some(method),
            Some(_) => return Err(invalid(id.unwrap_or(Id::Null), "a `method` is a string")),
        };
        let params = object.remove("params").unwrap_or_default();
        if !matches!(params, Value::Null | Value::Object(_) | Value::Array(_)) {
            return Err(invalid(id.unwrap_or(Id::Null), "`params` are an object or an array"));
        }
        match (id, method) {
            (Some(id), Some(method)) => Ok(Message::Request(Request { id, method, params })),
            (None, Some(method)) => Ok(Message::Notification(Notification { method, params })),
            (Some(id), None) => Ok(Message::Response(Response { id, result: result(object) })),
            (None, None) => Err(invalid(Id::Null, "a message has an `id`, a `method`, or both")),
        }
    }

    /// The message as JSON.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("jsonrpc".to_owned(), "2.0".into());
        let mut add = |name: &str, value: Value| object.insert(name.to_owned(), value);
        match self {
            Message::Request(Request { id, method, params }) => {
                add("id", json!(id));
                add("method", method.as_str().into());
                if !params.is_null() {
                    add("params", params.clone());
                }
            }
            Message::Notification(Notification { method, params }) => {
                add("method", method.as_str().into());
                if !params.is_null() {
                    add("params", params.clone());
                }
            }
            Message::Response(Response { id, result }) => {
                add("id", json!(id));
                match result {
                    Ok(value) => add("result", value.clone()),
                    Err(error) => add("error", json!({ "code": error.code, "message": error.message })),
                };
            }
        }
        Value::Object(object)
    }

    /// A notification of the protocol.
    pub fn notification<N: lsp_types::Notification>(params: &N::Params) -> Message {
        Message::Notification(Notification { method: N::METHOD.to_string(), params: value_of(params) })
    }

    /// A request of the protocol.
    pub fn request<R: lsp_types::Request>(id: Id, params: &R::Params) -> Message {
        Message::Request(Request { id, method: R::METHOD.to_string(), params: value_of(params) })
    }
}

fn result(mut object: Map<String, Value>) -> Result<Value, ResponseError> {
    match object.remove("error") {
        None | Some(Value::Null) => Ok(object.remove("result").unwrap_or_default()),
        Some(error) => {
            let code = error.get("code").and_then(Value::as_i64).and_then(|it| i32::try_from(it).ok());
            let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
            Err(ResponseError::new(code.unwrap_or(ErrorCodes::InternalError.into()), message))
        }
    }
}

/// A part of the protocol as JSON.
pub(crate) fn value_of(it: &impl Serialize) -> Value {
    // The types of the protocol have names for keys, and neither can fail otherwise.
    serde_json::to_value(it).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (Id, ErrorCodes) {
        let malformed = Message::parse(text.as_bytes()).unwrap_err();
        (malformed.id, malformed.error.code.into())
    }

    #[test]
    fn messages_are_told_apart() {
        let parse = |text: &str| Message::parse(text.as_bytes()).unwrap();
        assert!(matches!(parse(r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#), Message::Request(_)));
        assert!(matches!(parse(r#"{"jsonrpc":"2.0","method":"a","params":[]}"#), Message::Notification(_)));
        assert!(matches!(parse(r#"{"jsonrpc":"2.0","id":"x","result":null}"#), Message::Response(_)));
        let error = parse(r#"{"id":1,"error":{"code":-32601,"message":"no"}}"#);
        let Message::Response(response) = error else { panic!("{error:?}") };
        assert_eq!(response.result, Err(ResponseError::new(ErrorCodes::MethodNotFound, "no")));
    }

    #[test]
    fn what_is_no_message_is_refused_with_as_much_as_could_be_read() {
        assert_eq!(refused("{"), (Id::Null, ErrorCodes::ParseError));
        assert_eq!(refused("[]"), (Id::Null, ErrorCodes::InvalidRequest));
        assert_eq!(refused("{}"), (Id::Null, ErrorCodes::InvalidRequest));
        assert_eq!(refused(r#"{"id":1.5,"method":"a"}"#), (Id::Null, ErrorCodes::InvalidRequest));
        assert_eq!(refused(r#"{"id":7,"method":1}"#), (Id::Number(7), ErrorCodes::InvalidRequest));
        assert_eq!(
            refused(r#"{"id":7,"method":"a","params":1}"#),
            (Id::Number(7), ErrorCodes::InvalidRequest)
        );
        let deep = "[".repeat(100_000);
        assert_eq!(refused(&deep), (Id::Null, ErrorCodes::ParseError));
    }

    #[test]
    fn a_message_is_written_as_it_is_read() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1}}"#,
            r#"{"jsonrpc":"2.0","method":"a"}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#,
        ] {
            assert_eq!(Message::parse(text.as_bytes()).unwrap().to_json().to_string(), text);
        }
    }
}
