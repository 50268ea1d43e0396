//! Messages in the sense of JSON-RPC: requests, responses and notifications.

use std::fmt;

pub use lsp_types::json_rpc::Id;
use lsp_types::{ErrorCodes, LspErrorCodes};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// A message, in either direction.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A message that expects a response.
    Request(Request),
    /// A message without a response.
    Notification(Notification),
    /// The response to a request.
    Response(Response),
}

/// A message that expects a response.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The ID, repeated in the response.
    pub id: Id,
    /// The method that the request calls.
    pub method: String,
    /// The parameters; null if there are none.
    pub params: Value,
}

/// A message without a response.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// The method of the notification.
    pub method: String,
    /// The parameters; null if there are none.
    pub params: Value,
}

/// The response to a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The request's ID; null if the request's ID could not be read.
    pub id: Id,
    /// The result, or the error response.
    pub result: Result<Value, ResponseError>,
}

/// The error in a response.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResponseError {
    /// The error code of the protocol.
    pub code: i32,
    /// The message, a sentence.
    pub message: String,
}

impl ResponseError {
    /// Creates an error with a code.
    pub fn new(code: impl Into<i32>, message: impl Into<String>) -> ResponseError {
        ResponseError { code: code.into(), message: message.into() }
    }

    /// The parameters are invalid.
    pub fn invalid_params(message: impl Into<String>) -> ResponseError {
        ResponseError::new(ErrorCodes::InvalidParams, message)
    }

    /// The request is valid but cannot be fulfilled. The message is shown to the user.
    pub fn failed(message: impl Into<String>) -> ResponseError {
        ResponseError::new(LspErrorCodes::RequestFailed, message)
    }
}

impl fmt::Display for ResponseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A message that cannot be handled, with the response to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Malformed {
    /// The ID of the request, if it could be read.
    pub id: Id,
    /// The error to respond with.
    pub error: ResponseError,
}

impl Malformed {
    /// Bytes that aren't a message.
    pub(crate) fn unreadable(message: impl Into<String>) -> Malformed {
        Malformed { id: Id::Null, error: ResponseError::new(ErrorCodes::ParseError, message) }
    }
}

impl Message {
    /// Parses the text of one message.
    ///
    /// # Errors
    /// If the text isn't JSON, or not an object that is a request, a notification or a response.
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

    /// Creates a notification of the protocol.
    pub fn notification<N: lsp_types::Notification>(params: &N::Params) -> Message {
        Message::Notification(Notification { method: N::METHOD.to_string(), params: value_of(params) })
    }

    /// Creates a request of the protocol.
    pub fn request<R: lsp_types::Request>(id: Id, params: &R::Params) -> Message {
        Message::Request(Request { id, method: R::METHOD.to_string(), params: value_of(params) })
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("jsonrpc", "2.0")?;
        let called = match self {
            Message::Request(Request { id, method, params }) => {
                map.serialize_entry("id", id)?;
                Some((method, params))
            }
            Message::Notification(Notification { method, params }) => Some((method, params)),
            Message::Response(Response { id, result }) => {
                map.serialize_entry("id", id)?;
                match result {
                    Ok(value) => map.serialize_entry("result", value)?,
                    Err(error) => map.serialize_entry("error", error)?,
                }
                None
            }
        };
        if let Some((method, params)) = called {
            map.serialize_entry("method", method)?;
            if !params.is_null() {
                map.serialize_entry("params", params)?;
            }
        }
        map.end()
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

/// Converts a protocol type to JSON.
pub(crate) fn value_of(it: &impl Serialize) -> Value {
    // The protocol's types have string keys, and serialization cannot fail otherwise.
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
            assert_eq!(serde_json::to_string(&Message::parse(text.as_bytes()).unwrap()).unwrap(), text);
        }
    }
}
