//! `value.name(…)`: attributes and functions of the value's own type (B23, D44).

use std::fmt;

use crate::dialect::Dialect;
use crate::infer::infer_set;
use crate::mismatch::{Callee, Signature, describe_signatures};
use crate::relation::accepts_arguments;
use crate::types::{
    AttributeKind, CallableType, ERROR, Member, MemberKind, ObjectType, Size, TupleType, Type, TypeKind,
};
use crate::uri::Uri;
use crate::value::{Object, Value};

/// The reason why a member has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberError {
    /// The value has no such member.
    Unknown(String),
    /// The member doesn't accept the arguments; the message.
    Arguments(String),
    /// A function or a derived attribute that its type declares, but that isn't implemented.
    NotImplemented {
        /// The label of the member in messages.
        member: String,
    },
}

impl fmt::Display for MemberError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemberError::Unknown(name) => write!(out, "Unknown function: '{name}'."),
            MemberError::Arguments(message) => out.write_str(message),
            MemberError::NotImplemented { member } => write!(out, "no method is implemented for {member}"),
        }
    }
}

impl std::error::Error for MemberError {}

/// Whether `value.name` is a member of the value itself, rather than a call of a function of that name.
pub fn has_member(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(object) => object_type(object).is_some_and(|it| it.member(name).is_some()),
        Value::Uri(uri) => uri_attribute(uri, name).is_some(),
        _ => false,
    }
}

/// Evaluates `value.name(arguments)`, with the type of the block if there is one (D44, D92).
///
/// # Errors
/// If the value has no such member, if the member doesn't accept the arguments, or if it isn't implemented.
pub fn call_member(
    dialect: &Dialect,
    value: &Value,
    name: &str,
    arguments: &[Value],
    block: Option<Type>,
) -> Result<Value, MemberError> {
    let unknown = || MemberError::Unknown(name.to_owned());
    match value {
        Value::Object(object) => {
            let member = object_type(object).and_then(|it| it.member(name)).ok_or_else(unknown)?;
            check_arguments(dialect, member, arguments, block)?;
            member_value(object, member, name)
        }
        // The attributes of a URI accept any arguments and require none.
        Value::Uri(uri) => uri_attribute(uri, name).ok_or_else(unknown),
        _ => Err(unknown()),
    }
}

fn object_type(object: &Object) -> Option<&ObjectType> {
    match object.object_type.resolved().kind() {
        TypeKind::Object(Some(it)) => Some(it),
        _ => None,
    }
}

fn member_value(object: &Object, member: Member<'_>, name: &str) -> Result<Value, MemberError> {
    let found = match member.kind {
        MemberKind::Attribute(_) => object.attribute(name),
        // The only function that the language implements.
        MemberKind::Function(it) if it.name == "message" && object.object_type == *ERROR => {
            object.attribute("msg")
        }
        MemberKind::Function(_) => None,
    };
    found.cloned().ok_or_else(|| {
        let derived = matches!(member.kind, MemberKind::Attribute(it) if it.kind == AttributeKind::Derived);
        MemberError::NotImplemented { member: format!("{}{member}", if derived { "derived " } else { "" }) }
    })
}

fn check_arguments(
    dialect: &Dialect,
    member: Member<'_>,
    arguments: &[Value],
    block: Option<Type>,
) -> Result<(), MemberError> {
    let signature = match member.kind {
        MemberKind::Attribute(_) => TypeKind::Callable(without_parameters()).into(),
        MemberKind::Function(it) => it.signature.clone(),
    };
    let given: Vec<Type> = arguments.iter().map(|it| infer_set(dialect, it)).chain(block).collect();
    let size = Some(Size::exactly(given.len()));
    let given = TypeKind::Tuple(TupleType { types: given.into(), size }).into();
    let accepted = match signature.resolved().kind() {
        TypeKind::Variant(types) => types.iter().any(|it| accepts_arguments(dialect, it, &given)),
        _ => accepts_arguments(dialect, &signature, &given),
    };
    if accepted {
        return Ok(());
    }
    let callables = match signature.resolved().kind() {
        TypeKind::Callable(callable) => vec![callable.clone()],
        TypeKind::Variant(types) => types.iter().filter_map(callable).collect(),
        _ => Vec::new(),
    };
    let shown =
        |callable| Signature { callable, parameter_names: Vec::new(), block_name: Some("block".into()) };
    let shown: Vec<Signature> = callables.into_iter().map(shown).collect();
    let callee = member.to_string();
    Err(MemberError::Arguments(describe_signatures(dialect, Callee::Named(&callee), &shown, &given)))
}

fn callable(it: &Type) -> Option<CallableType> {
    match it.resolved().kind() {
        TypeKind::Callable(callable) => Some(callable.clone()),
        _ => None,
    }
}

fn without_parameters() -> CallableType {
    let parameters = TupleType { types: [].into(), size: Some(Size::ZERO) };
    CallableType { parameters: Some(parameters), block: None, returns: None }
}

/// Returns an attribute of a URI (D43). `None` if the attribute doesn't exist.
fn uri_attribute(uri: &Uri, name: &str) -> Option<Value> {
    let text = |it: Option<&str>| it.map_or(Value::Undef, Value::from);
    Some(match name {
        "scheme" => text(uri.scheme()),
        "userinfo" => text(uri.userinfo()),
        "host" => text(uri.host()),
        "port" => uri.port().and_then(|it| i64::try_from(it).ok()).map_or(Value::Undef, Value::from),
        "path" => text(uri.path().as_deref()),
        "query" => text(uri.query()),
        "fragment" => text(uri.fragment()),
        "opaque" => text(uri.opaque()),
        _ => return None,
    })
}
