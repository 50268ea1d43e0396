//! `URI`

mod ldap;
mod parse;
mod pattern;

use std::rc::Rc;

use self::parse::{
    Parts, fragment_text, has_only, is_absolute_path, is_host, is_scheme, merge_path, query_text, split,
};
use super::escape::{URI_FORMS, percent_decoded, percent_encoded};
use super::support::{ascii, bytes_of, encoded};
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::value::{Data, HashObject, Object};
use crate::{Value, Vm};

/// A URI: its parts, with the port that its scheme has by default.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Uri {
    parts: Parts,
    user: Option<String>,
    password: Option<String>,
    port: Option<i64>,
}

impl Data for Uri {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

/// The class of a scheme, and its port. None for schemes whose classes have rules of their own that are not implemented.
fn class_of_scheme(scheme: Option<&str>) -> Option<(&'static str, Option<i64>)> {
    Some(match scheme.map(str::to_ascii_lowercase).as_deref() {
        Some("http") => ("URI::HTTP", Some(80)),
        Some("https") => ("URI::HTTPS", Some(443)),
        Some("ws") => ("URI::WS", Some(80)),
        Some("wss") => ("URI::WSS", Some(443)),
        Some("file") => ("URI::File", None),
        Some("ldap") => ("URI::LDAP", Some(389)),
        Some("ldaps") => ("URI::LDAPS", Some(636)),
        Some("ftp" | "mailto") => return None,
        _ => ("URI::Generic", None),
    })
}

fn user_and_password(userinfo: Option<&str>) -> (Option<String>, Option<String>) {
    match userinfo {
        None => (None, None),
        Some(text) => match text.split_once(':') {
            Some((user, password)) => (Some(user.to_owned()), Some(password.to_owned())),
            None => (Some(text.to_owned()), None),
        },
    }
}

impl Uri {
    fn new(mut parts: Parts, default_port: Option<i64>) -> Option<Uri> {
        parts.scheme = parts.scheme.map(|it| it.to_ascii_lowercase());
        parts.query = parts.query.map(|it| query_text(&it));
        parts.fragment = parts.fragment.map(|it| fragment_text(&it));
        if parts.path.is_none() && parts.opaque.is_none() {
            parts.path = Some(String::new());
        }
        let is_file = parts.scheme.as_deref() == Some("file");
        if is_file {
            if parts.host.as_deref().is_none_or(|it| it == "localhost") {
                parts.host = Some(String::new());
            }
            (parts.userinfo, parts.port) = (None, None);
        }
        let port = match parts.port.as_deref().filter(|it| !it.is_empty()) {
            Some(port) => Some(port.parse().ok()?),
            None => default_port,
        };
        let (user, password) = user_and_password(parts.userinfo.as_deref());
        Some(Uri { parts, user, password, port })
    }

    fn default_port(&self) -> Option<i64> {
        class_of_scheme(self.parts.scheme.as_deref()).and_then(|it| it.1)
    }

    fn userinfo(&self) -> Option<String> {
        let user = self.user.clone()?;
        Some(self.password.as_ref().map_or(user.clone(), |password| format!("{user}:{password}")))
    }

    fn text(&self) -> String {
        let Parts { scheme, host, path, opaque, query, fragment, .. } = &self.parts;
        let mut text = scheme.as_ref().map_or(String::new(), |it| format!("{it}:"));
        if let Some(opaque) = opaque {
            text.push_str(opaque);
        } else {
            if host.is_some() || matches!(scheme.as_deref(), Some("file" | "postgres")) {
                text.push_str("//");
            }
            if let Some(userinfo) = self.userinfo() {
                text.push_str(&format!("{userinfo}@"));
            }
            text.push_str(host.as_deref().unwrap_or_default());
            if let Some(port) = self.port.filter(|it| Some(*it) != self.default_port()) {
                text.push_str(&format!(":{port}"));
            }
            text.push_str(path.as_deref().unwrap_or_default());
            if let Some(query) = query {
                text.push_str(&format!("?{query}"));
            }
        }
        if let Some(fragment) = fragment {
            text.push_str(&format!("#{fragment}"));
        }
        text
    }

    fn normalized(mut self) -> Uri {
        if self.parts.path.as_deref() == Some("") {
            self.parts.path = Some("/".to_owned());
        }
        self.parts.host = self.parts.host.map(|it| it.to_ascii_lowercase());
        self
    }

    /// A reference resolved against this URI.
    fn merged(&self, reference: &Uri) -> Uri {
        if reference.parts.scheme.is_some() {
            return reference.clone();
        }
        let mut merged = self.clone();
        let Parts { host, path, query, fragment, .. } = &reference.parts;
        let has_authority = reference.user.is_some() || host.is_some() || reference.port.is_some();
        let is_empty = path.as_deref().is_none_or(str::is_empty);
        if is_empty && !has_authority && query.is_none() {
            if fragment.is_some() {
                merged.parts.fragment.clone_from(fragment);
            }
            return merged;
        }
        merged.parts.query.clone_from(query);
        merged.parts.fragment.clone_from(fragment);
        if has_authority {
            merged.user.clone_from(&reference.user);
            merged.password.clone_from(&reference.password);
            merged.parts.host.clone_from(host);
            merged.port = reference.port.or_else(|| self.default_port());
            merged.parts.path.clone_from(path);
        } else if let (Some(base), Some(path)) = (&self.parts.path, path) {
            merged.parts.path = Some(merge_path(base, path));
        }
        merged
    }
}

fn uri_in(value: &Value) -> Option<Uri> {
    match value {
        Value::Object(object) => object.data_as::<Uri>().map(|it| it.clone()),
        _ => None,
    }
}

fn own(call: &Call<'_>) -> Result<Uri> {
    uri_in(call.this).map_or_else(|| unsupported("a URI of another kind"), Ok)
}

fn value(vm: &Vm<'_>, uri: Uri) -> Value {
    let class = class_of_scheme(uri.parts.scheme.as_deref()).map_or("URI::Generic", |it| it.0);
    Value::Object(Object::new(Rc::clone(vm.world.class(class)), uri))
}

fn bad_uri<T>(vm: &mut Vm<'_>, value: &Value) -> Result<T> {
    let shown = vm.inspect(value)?;
    vm.raise_named("URI::InvalidURIError", format!("bad URI(is not URI?): {shown}"))
}

fn split_value(vm: &mut Vm<'_>, value: &Value) -> Result<Parts> {
    let Value::String(text) = value else {
        return match value {
            Value::Object(_) if vm.responds_to(value, "to_str") => unsupported("a URI of this object"),
            _ => bad_uri(vm, value),
        };
    };
    let text = text.lossy();
    vm.world.spend(text.len())?;
    vm.world.allocate(text.len() * 2)?;
    if !text.is_ascii() {
        let dumped = vm.call(value, "dump", &[])?;
        let dumped = vm.to_s(&dumped)?.lossy();
        return vm.raise_named("URI::InvalidURIError", format!("URI must be ascii only {dumped}"));
    }
    match split(&text) {
        Some(parts) => Ok(parts),
        None => bad_uri(vm, value),
    }
}

fn parsed(vm: &mut Vm<'_>, value: &Value) -> Result<Uri> {
    let parts = split_value(vm, value)?;
    let Some((_, port)) = class_of_scheme(parts.scheme.as_deref()) else {
        return unsupported(format!("a URI of the scheme {}", parts.scheme.unwrap_or_default()));
    };
    // The treatment of such characters differs between versions.
    let is_odd = |it: &str| {
        let bytes = it.as_bytes();
        bytes.iter().enumerate().any(|(at, it)| {
            *it == b'%' && !bytes.get(at + 1..at + 3).is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit))
        })
    };
    if parts.query.as_deref().is_some_and(is_odd) {
        return unsupported("a URI with a lone sign of percent in its query");
    }
    if ldap::is_ldap(&parts) && (parts.fragment.is_some() || parts.opaque.is_some()) {
        return vm.raise_named("URI::InvalidURIError", "bad LDAP URL");
    }
    match Uri::new(parts, port) {
        Some(uri) => Ok(uri),
        None => unsupported("a URI with a port of many digits"),
    }
}

fn parse_uri(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let uri = parsed(vm, call.required(0))?;
    Ok(value(vm, uri))
}

/// `URI(…)`, which also takes URIs.
fn convert(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match (uri_in(call.required(0)), call.required(0)) {
        (Some(_), uri) => Ok(uri.clone()),
        (None, Value::String(_)) => parse_uri(vm, call),
        (None, Value::Object(_)) => unsupported("URI() of this object"),
        _ => vm.argument_error("bad argument (expected URI object or URI string)"),
    }
}

fn optional(text: Option<String>) -> Value {
    text.map_or(Value::Nil, Value::from)
}

fn split_uri(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let parts = split_value(vm, call.required(0))?;
    let Parts { scheme, userinfo, host, port, path, opaque, query, fragment } = parts;
    let values = [scheme, userinfo, host, port, None, path, opaque, query, fragment];
    Ok(Value::array(values.into_iter().map(optional).collect()))
}

fn converted(vm: &mut Vm<'_>, value: &Value) -> Result<Uri> {
    match (uri_in(value), value) {
        (Some(uri), _) => Ok(uri),
        (None, Value::String(_)) => parsed(vm, value),
        (None, Value::Object(_)) => unsupported("a URI of this object"),
        _ => vm.argument_error("bad argument (expected URI object or URI string)"),
    }
}

fn merge_two(vm: &mut Vm<'_>, base: &Uri, reference: &Value) -> Result<Uri> {
    let reference = converted(vm, reference)?;
    if reference.parts.scheme.is_none() && ldap::is_ldap(&base.parts) {
        return unsupported("a reference that is relative to an LDAP URL");
    }
    if reference.parts.scheme.is_none() && base.parts.scheme.is_none() {
        return vm.raise_named("URI::BadURIError", "both URI are relative");
    }
    if base.parts.opaque.is_some() && reference.parts.scheme.is_none() && reference.parts.query.is_some() {
        return vm.raise_named("URI::InvalidURIError", "query conflicts with opaque");
    }
    Ok(base.merged(&reference))
}

fn join(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some((first, rest)) = call.arguments.split_first() else {
        return unsupported("URI.join without arguments");
    };
    let mut joined = converted(vm, first)?;
    for reference in rest {
        joined = merge_two(vm, &joined, reference)?;
    }
    Ok(value(vm, joined))
}

fn merge(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let merged = merge_two(vm, &own, call.required(0))?;
    Ok(value(vm, merged))
}

fn read(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let uri = own(call)?;
    Ok(match &*call.name.name() {
        "scheme" => optional(uri.parts.scheme),
        "userinfo" => optional(uri.userinfo()),
        "user" => optional(uri.user),
        "password" => optional(uri.password),
        "host" => optional(uri.parts.host),
        "hostname" => optional(uri.parts.host.map(|it| {
            it.strip_prefix('[').and_then(|it| it.strip_suffix(']')).map_or(it.clone(), str::to_owned)
        })),
        "port" => uri.port.into(),
        "default_port" => uri.default_port().into(),
        "path" => optional(uri.parts.path),
        "opaque" => optional(uri.parts.opaque),
        "query" => uri.parts.query.map_or(Value::Nil, ascii),
        "fragment" => uri.parts.fragment.map_or(Value::Nil, ascii),
        "absolute?" | "absolute" => Value::Bool(uri.parts.scheme.is_some()),
        "relative?" => Value::Bool(uri.parts.scheme.is_none()),
        "hierarchical?" => Value::Bool(uri.parts.path.is_some()),
        "to_s" => Value::from(uri.text()),
        _ => Value::Nil,
    })
}

fn request_uri(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let parts = own(call)?.parts;
    let Some(path) = parts.path else { return Ok(Value::Nil) };
    let text = parts.query.map_or(path.clone(), |query| format!("{path}?{query}"));
    Ok(Value::from(if text.starts_with('/') { text } else { format!("/{text}") }))
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = own(call)?.text();
    let class = vm.class_of(call.this).display_name();
    Ok(Value::from(format!("#<{class} {text}>")))
}

fn equal(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let Some(other) = uri_in(call.required(0)) else { return Ok(Value::Bool(false)) };
    if ldap::is_ldap(&own.parts) && ldap::is_ldap(&other.parts) {
        return Ok(Value::Bool(ldap::is_equal(&own, &other)));
    }
    let is_same_class = Rc::ptr_eq(&vm.class_of(call.this), &vm.class_of(call.required(0)));
    Ok(Value::Bool(is_same_class && own.normalized().text() == other.normalized().text()))
}

fn normalize(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    if ldap::is_ldap(&own.parts) && own.parts.path.as_deref() == Some("") {
        return unsupported("URI#normalize of an LDAP URL without a path");
    }
    Ok(value(vm, own.normalized()))
}

/// `uri.path = text` and its like. Most values that Ruby rejects are not implemented.
fn assign(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut uri = own(call)?;
    let name = call.name.name();
    let text = match call.required(0) {
        Value::Nil => None,
        Value::String(it) => Some(it.lossy()),
        Value::Integer(it) if &*name == "port=" => Some(it.to_string()),
        _ => return unsupported(format!("URI#{name} with this value")),
    };
    let valid =
        |check: &dyn Fn(&str) -> bool| text.as_deref().is_none_or(check) && uri.parts.opaque.is_none();
    let is_valid = match &*name {
        "scheme=" => text.as_deref().is_some_and(|it| {
            class_of_scheme(Some(it)) == class_of_scheme(uri.parts.scheme.as_deref()) && is_scheme(it)
        }),
        "host=" => valid(&is_host),
        "port=" => valid(&|it| it.parse::<u32>().is_ok()),
        "path=" => text.is_some() && valid(&|it| it.is_empty() || is_absolute_path(it)),
        "query=" => {
            valid(&|it| it.is_ascii() && !it.contains('%'))
                || (uri.parts.opaque.is_none()
                    && text.as_deref().is_some_and(|it| has_only(it, "!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~ ")))
        }
        "fragment=" => text.as_deref().is_none_or(str::is_ascii),
        "user=" => valid(&|it| has_only(it, parse::USERINFO)),
        "password=" => uri.user.is_some() && valid(&|it| has_only(it, parse::USERINFO)),
        _ => false,
    };
    if let Some(message) = text.as_deref().and_then(|it| refusal(&name, it, &uri)) {
        return vm.raise_named("URI::InvalidComponentError", message);
    }
    if !is_valid || uri.parts.scheme.as_deref() == Some("file") || ldap::is_ldap(&uri.parts) {
        return unsupported(format!("URI#{name} with this value"));
    }
    match &*name {
        "scheme=" => uri.parts.scheme = text.map(|it| it.to_ascii_lowercase()),
        "host=" => uri.parts.host = text,
        "port=" => uri.port = text.and_then(|it| it.parse().ok()),
        "path=" => uri.parts.path = text,
        "query=" => uri.parts.query = text.map(|it| query_text(&it)),
        "fragment=" => uri.parts.fragment = text.map(|it| fragment_text(&it)),
        "user=" => uri.user = text,
        _ => uri.password = text,
    }
    vm.ensure_not_frozen(call.this)?;
    if let Value::Object(object) = call.this {
        object.set_data(uri);
    }
    Ok(call.required(0).clone())
}

/// The message of the error for a host, user or password with characters that no parser of Ruby's accepts.
fn refusal(name: &str, text: &str, uri: &Uri) -> Option<String> {
    let is_refused = |also: &str| {
        text.is_ascii()
            && !text.contains(['%', '['])
            && text.contains(|it: char| " \"#/<>?@\\^`{|}".contains(it) || also.contains(it))
    };
    if uri.parts.opaque.is_some() {
        return None;
    }
    match name {
        "host=" if is_refused(":") => Some(format!("bad component(expected host component): {text}")),
        "user=" if is_refused("") => {
            Some(format!("bad component(expected userinfo component or user component): {text}"))
        }
        "password=" if uri.user.is_some() && is_refused("") => Some("bad password component".to_owned()),
        _ => None,
    }
}

/// `URI::HTTP.build(host: …, path: …)`
fn build(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Value::Class(class) = call.this else { return unsupported("URI.build") };
    let class = class.display_name();
    let own = class.strip_prefix("URI::").unwrap_or_default().to_ascii_lowercase();
    let Value::Hash(given) = call.required(0) else { return unsupported("URI.build without a hash") };
    let text = |name: &str, given: &HashObject| match given.get_symbol(name) {
        None | Some(Value::Nil) => Ok(None),
        Some(Value::String(it)) => Ok(Some(it.lossy())),
        Some(Value::Integer(it)) if name == "port" => Ok(Some(it.to_string())),
        Some(_) => unsupported(format!("URI.build with this {name}")),
    };
    if text("opaque", given)?.is_some() || text("registry", given)?.is_some() {
        return unsupported("URI.build with an opaque part");
    }
    let scheme = match own == "generic" {
        true => text("scheme", given)?,
        false => Some(own),
    };
    // `URI::Generic.build` makes no object of the class of the scheme.
    let is_other = class == "URI::Generic"
        && class_of_scheme(scheme.as_deref()).is_none_or(|(class, _)| class != "URI::Generic");
    if is_other || scheme.as_deref().is_some_and(|it| !is_scheme(it)) {
        return unsupported("URI.build with this scheme");
    }
    let mut parts = Parts {
        scheme,
        userinfo: text("userinfo", given)?,
        host: text("host", given)?,
        port: text("port", given)?,
        path: text("path", given)?,
        opaque: None,
        query: text("query", given)?,
        fragment: text("fragment", given)?,
    };
    if let Some(host) = &parts.host
        && host.contains(':')
        && !host.starts_with('[')
    {
        parts.host = Some(format!("[{host}]"));
    }
    let is_valid = parts.userinfo.as_deref().is_none_or(|it| has_only(it, parse::USERINFO))
        && parts.host.as_deref().is_none_or(is_host)
        && parts.path.as_deref().is_none_or(|it| it.is_empty() || is_absolute_path(it))
        && parts
            .query
            .as_deref()
            .is_none_or(|it| it.is_ascii() && has_only(it, "!$&()*+,-./:;=?@[\\]^_{|}~ "))
        && parts.fragment.as_deref().is_none_or(|it| it.is_ascii());
    let port = class_of_scheme(parts.scheme.as_deref()).and_then(|it| it.1);
    match Uri::new(parts, port).filter(|_| is_valid) {
        Some(uri) => Ok(value(vm, uri)),
        None => unsupported("URI.build with invalid parts"),
    }
}

/// Characters that `URI::DEFAULT_PARSER.escape` keeps.
const UNESCAPED: &[u8] = b"-_.!~*'();/?:@&=+$,[]";

fn escape(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.argument(1).is_some() {
        return unsupported("URI escape with a pattern");
    }
    let bytes = bytes_of(vm, call.required(0))?;
    vm.world.allocate(bytes.len() * 3)?;
    let text = percent_encoded(&bytes, UNESCAPED, false);
    Ok(encoded(text, crate::value::Encoding::Ascii))
}

fn unescape(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let bytes = bytes_of(vm, call.required(0))?;
    match String::from_utf8(percent_decoded(&bytes, false)) {
        Ok(text) => Ok(Value::from(text)),
        Err(_) => unsupported("URI unescape into bytes"),
    }
}

fn default_parser(vm: &mut Vm<'_>) -> Result {
    Ok(Value::Object(Object::new(Rc::clone(vm.world.class("URI::RFC2396_Parser")), ())))
}

const GENERIC: &[NativeMethod] = &[
    exactly("scheme", 0, read),
    exactly("userinfo", 0, read),
    exactly("user", 0, read),
    exactly("password", 0, read),
    exactly("host", 0, read),
    exactly("hostname", 0, read),
    exactly("port", 0, read),
    exactly("default_port", 0, read),
    exactly("path", 0, read),
    exactly("opaque", 0, read),
    exactly("query", 0, read),
    exactly("fragment", 0, read),
    exactly("absolute?", 0, read),
    exactly("absolute", 0, read),
    exactly("relative?", 0, read),
    exactly("hierarchical?", 0, read),
    exactly("to_s", 0, read),
    exactly("inspect", 0, inspect),
    exactly("==", 1, equal),
    exactly("normalize", 0, normalize),
    exactly("merge", 1, merge),
    exactly("+", 1, merge),
    exactly("scheme=", 1, assign),
    exactly("host=", 1, assign),
    exactly("port=", 1, assign),
    exactly("path=", 1, assign),
    exactly("query=", 1, assign),
    exactly("fragment=", 1, assign),
    exactly("user=", 1, assign),
    exactly("password=", 1, assign),
];

const FUNCTIONS: &[NativeMethod] = &[
    exactly("parse", 1, parse_uri),
    exactly("split", 1, split_uri),
    at_least("join", 0, join),
    refused("extract"),
    between("regexp", 0, 1, pattern::make_regexp),
    refused("open"),
    refused("for"),
];

const BUILD: &[NativeMethod] = &[exactly("build", 1, build), refused("new")];

const fn class(name: &'static str, superclass: &'static str) -> NativeClass {
    NativeClass { name, superclass: Some(superclass), singleton_methods: &[BUILD], ..NativeClass::EMPTY }
}

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass { name: "URI", singleton_methods: &[FUNCTIONS, URI_FORMS], ..NativeClass::EMPTY },
    NativeClass {
        name: "URI::RFC2396_Parser",
        superclass: Some("Object"),
        methods: &[&[
            between("escape", 1, 2, escape),
            exactly("unescape", 1, unescape),
            exactly("parse", 1, parse_uri),
            exactly("split", 1, split_uri),
            between("make_regexp", 0, 1, pattern::make_regexp),
        ]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "URI", constants: &[("DEFAULT_PARSER", default_parser)], ..NativeClass::EMPTY },
    NativeClass {
        name: "URI::Generic",
        superclass: Some("Object"),
        methods: &[GENERIC],
        singleton_methods: &[BUILD],
        ..NativeClass::EMPTY
    },
    NativeClass {
        // `open-uri` adds these two, which use the network.
        methods: &[&[exactly("request_uri", 0, request_uri), refused("open"), refused("read")]],
        ..class("URI::HTTP", "URI::Generic")
    },
    class("URI::HTTPS", "URI::HTTP"),
    NativeClass { methods: &[&[exactly("request_uri", 0, request_uri)]], ..class("URI::WS", "URI::Generic") },
    class("URI::WSS", "URI::WS"),
    NativeClass {
        singleton_methods: &[&[refused("build"), refused("new")]],
        ..class("URI::File", "URI::Generic")
    },
    class("URI::FTP", "URI::Generic"),
    NativeClass {
        methods: &[ldap::METHODS],
        singleton_methods: &[&[refused("build"), refused("new")]],
        ..class("URI::LDAP", "URI::Generic")
    },
    NativeClass {
        singleton_methods: &[&[refused("build"), refused("new")]],
        ..class("URI::LDAPS", "URI::LDAP")
    },
    class("URI::MailTo", "URI::Generic"),
    NativeClass { name: "URI::Error", superclass: Some("StandardError"), ..NativeClass::EMPTY },
    NativeClass { name: "URI::InvalidURIError", superclass: Some("URI::Error"), ..NativeClass::EMPTY },
    NativeClass { name: "URI::InvalidComponentError", superclass: Some("URI::Error"), ..NativeClass::EMPTY },
    NativeClass { name: "URI::BadURIError", superclass: Some("URI::Error"), ..NativeClass::EMPTY },
    NativeClass { name: "Kernel", methods: &[&[exactly("URI", 1, convert)]], ..NativeClass::EMPTY },
];
