//! `URI::LDAP`: a distinguished name as the path, and a query of up to four parts.

use super::parse::Parts;
use super::{Uri, optional, own};
use crate::native::{Call, NativeMethod, exactly, refused};
use crate::stop::Result;
use crate::{Value, Vm};

/// Whether the parts are those of an LDAP URL.
pub(super) fn is_ldap(parts: &Parts) -> bool {
    parts.scheme.as_deref().is_some_and(|it| matches!(&*it.to_ascii_lowercase(), "ldap" | "ldaps"))
}

/// Whether two LDAP URLs have the same components; the user is none of them.
pub(super) fn is_equal(left: &Uri, right: &Uri) -> bool {
    let components = |it: &Uri| {
        let host = it.parts.host.as_deref().map(str::to_ascii_lowercase);
        let query: Vec<Option<String>> = (0..4).map(|index| query_part(&it.parts, index)).collect();
        (it.parts.scheme.clone(), host, it.port, name(&it.parts), query)
    };
    components(left) == components(right)
}

/// The distinguished name. None without a path.
fn name(parts: &Parts) -> Option<String> {
    parts.path.as_deref()?.get(1..).map(str::to_owned)
}

/// A part of the query that is not empty.
fn query_part(parts: &Parts, index: usize) -> Option<String> {
    parts.query.as_deref()?.split('?').nth(index).filter(|it| !it.is_empty()).map(str::to_owned)
}

fn read(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let parts = own(call)?.parts;
    let index = match &*call.name.name() {
        "dn" => return Ok(optional(name(&parts))),
        "attributes" => 0,
        "scope" => 1,
        "filter" => 2,
        _ => 3,
    };
    Ok(query_part(&parts, index).map_or(Value::Nil, super::ascii))
}

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("dn", 0, read),
    exactly("attributes", 0, read),
    exactly("scope", 0, read),
    exactly("filter", 0, read),
    exactly("extensions", 0, read),
    exactly("hierarchical?", 0, |_, _| Ok(Value::Bool(false))),
    refused("dn="),
    refused("attributes="),
    refused("scope="),
    refused("filter="),
    refused("extensions="),
];
