//! `URI` (D75).

use std::sync::Arc;

use super::NewError;
use crate::uri::{Uri, UriParts};
use crate::value::Value;

/// Creates a URI from a text, or from a hash of its parts.
pub(super) fn uri(from: &Value) -> Result<Value, NewError> {
    let Value::Hash(named) = from else {
        return Ok(Value::Uri(Arc::new(Uri::parse(from.as_str().unwrap_or_default())?)));
    };
    let part = |name| named.get_str(name).and_then(Value::as_str).map(str::to_owned);
    let port = match named.get_str("port") {
        Some(Value::Integer(port)) => port.to_i64().and_then(|it| u64::try_from(it).ok()),
        _ => None,
    };
    let parts = UriParts {
        scheme: part("scheme"),
        userinfo: part("userinfo"),
        host: part("host"),
        port,
        path: part("path"),
        query: part("query"),
        fragment: part("fragment"),
        opaque: part("opaque"),
    };
    Ok(Value::Uri(Arc::new(Uri::build(parts)?)))
}
