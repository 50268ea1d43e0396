//! Conversions: the results of `T.new(…)`, `T(…)` and `new(T, …)` (D62–D76).

mod array;
mod binary;
mod boolean;
mod error;
mod hash;
mod init;
mod number;
mod object;
mod regexp;
mod string;
mod time;
mod tree;
mod uri;
mod version;

pub use error::NewError;

pub(crate) use time::{timespan_bound, timestamp_bound};

use std::sync::Arc;

use crate::dialect::{Dialect, SensitiveContent};
use crate::infer::{generalize, infer, infer_set};
use crate::mismatch::{Callee, Signature, assert_instance_of, describe_signatures};
use crate::print::named;
use crate::relation::{Constructors, constructors, instance_of, passed_on};
use crate::time::{LocalOffset, Timestamp};
use crate::types::{Type, TypeKind};
use crate::value::{Sensitive, Value};

/// The maximum number of elements that a conversion may create: an array of `Integer[0, 1000000000]` is an error.
pub const MOST_ELEMENTS: usize = 10_000_000;

/// The context of conversions.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The dialect of the program.
    pub dialect: &'a Dialect,
    /// The interface to layers above.
    pub outside: &'a dyn ConversionHost,
    /// The maximum number of elements taken from an iteration; capped at [`MOST_ELEMENTS`].
    pub most_elements: usize,
}

impl Context<'_> {
    /// Returns the maximum number of elements that a conversion takes from an iteration.
    fn most_elements(&self) -> usize {
        self.most_elements.min(MOST_ELEMENTS)
    }
}

/// The interface of conversions to the layers above.
pub trait ConversionHost {
    /// Returns the current time: `Timestamp()`.
    fn now(&self) -> Timestamp;

    /// Returns the offset of the time zone `current`.
    fn local_offset(&self) -> LocalOffset;

    /// Parses the type that a text denotes: `Type('Integer[1]')`.
    ///
    /// # Errors
    /// The message, if it doesn't denote a type.
    fn parse_type(&self, text: &str) -> Result<Type, String>;
}

/// Creates a value of a type. A single argument that is already an instance is returned as it is (D62, X117); otherwise
/// a constructor of the type creates a value, which must be an instance.
///
/// # Errors
/// If the type can't be constructed, if it doesn't accept the arguments, or if the created value isn't an instance.
pub fn new(context: &Context<'_>, it: &Type, arguments: &[Value]) -> Result<Value, NewError> {
    construct(context, it, arguments, 0)
}

/// `depth` is the number of `Init` types that construction has passed through.
fn construct(context: &Context<'_>, it: &Type, arguments: &[Value], depth: usize) -> Result<Value, NewError> {
    let dialect = context.dialect;
    if let (TypeKind::Optional(Some(inner)), [Value::Undef], false) =
        (it.kind(), arguments, dialect.optional_makes_undef)
    {
        return construct(context, inner, arguments, depth + 1);
    }
    if let [only] = arguments
        && !matches!(it.kind(), TypeKind::Init { .. })
        && instance_of(dialect, it, only)
    {
        return Ok(only.clone());
    }
    let Some(constructors) = constructors(dialect, it) else {
        return Err(NewError::Unsupported(passed_on(it).unwrap_or(it).clone()));
    };
    init::check(dialect, &constructors.target)?;
    let accepted = constructors.all.iter().position(|constructor| {
        let parameters = &constructor.parameters;
        parameters.size_range().contains(arguments.len())
            && arguments.iter().enumerate().all(|(index, argument)| {
                parameters.type_at(index).is_some_and(|wanted| instance_of(dialect, wanted, argument))
            })
    });
    let Some(chosen) = accepted else { return Err(refuse(dialect, &constructors, arguments)) };
    let value = convert(context, &constructors.target, chosen, arguments, depth)?;
    // The content of a sensitive value is accessible here, so its size can be checked, too.
    let is_one = match (constructors.target.kind(), &value, dialect.sensitive_content) {
        (TypeKind::Sensitive(content), Value::Sensitive(it), SensitiveContent::AsWritten) => {
            instance_of(dialect, content, it.unwrap())
        }
        _ => instance_of(dialect, it, &value),
    };
    if is_one {
        return Ok(value);
    }
    let subject = format!("Converted value from {}.new()", named(it));
    assert_instance_of(dialect, &subject, it, &value)?;
    Ok(value)
}

/// Calls the selected constructor; the types of the arguments are already validated.
fn convert(
    context: &Context<'_>,
    target: &Type,
    chosen: usize,
    arguments: &[Value],
    depth: usize,
) -> Result<Value, NewError> {
    let first = arguments.first().unwrap_or(&Value::Undef);
    match target.kind() {
        TypeKind::Integer(_) => number::integer(arguments),
        TypeKind::Float(_) => number::float(arguments),
        TypeKind::Numeric => number::numeric(arguments),
        TypeKind::Boolean(_) => Ok(boolean::boolean(first)),
        TypeKind::String(_) => string::string(context.dialect, first, arguments.get(1)),
        TypeKind::Regexp(_) => regexp::regexp(context.dialect, first, arguments.get(1)),
        TypeKind::Array(..) | TypeKind::Tuple(_) => array::array(first, chosen == 1, context.most_elements()),
        TypeKind::Hash(..) | TypeKind::Struct(_) => match (chosen, arguments) {
            (0, [Value::Array(entries), option]) => tree::hash(entries, option.as_str() == Some("hash_tree")),
            (0 | 1, [Value::Array(entries), ..]) => Ok(hash::from_pairs(entries)),
            _ => hash::from_any(context, first),
        },
        TypeKind::SemVer(_) => version::sem_ver(context.dialect, arguments),
        TypeKind::SemVerRange => version::sem_ver_range(context.dialect, arguments),
        TypeKind::Timespan(..) => time::timespan(context.dialect, arguments),
        TypeKind::Timestamp(..) => time::timestamp(context.dialect, context.outside, arguments),
        TypeKind::Binary => binary::binary(arguments),
        TypeKind::Uri(_) => uri::uri(first),
        TypeKind::Sensitive(_) => Ok(Value::Sensitive(Sensitive::new(first.clone()))),
        TypeKind::Type(_) => {
            let it = context.outside.parse_type(first.as_str().unwrap_or_default());
            it.map(Value::Type).map_err(NewError::Type)
        }
        TypeKind::Init { target, arguments: rest } => {
            init::init(context, target.as_ref(), rest, first, depth)
        }
        TypeKind::Object(Some(object)) | TypeKind::ObjectExtension(object, _) => {
            Ok(object::object(object, chosen == 0, arguments))
        }
        _ => Ok(first.clone()),
    }
}

/// Returns the error if no constructor accepts the arguments. Some types have specific messages.
fn refuse(dialect: &Dialect, constructors: &Constructors, arguments: &[Value]) -> NewError {
    let unconvertible = |to: &'static str| match arguments.first() {
        Some(Value::String(text)) => {
            NewError::Text { constructor: constructors.name.clone(), text: text.clone(), to }
        }
        other => {
            let from = generalize(&infer(dialect, other.unwrap_or(&Value::Undef)));
            NewError::Value { constructor: constructors.name.clone(), from, to }
        }
    };
    match (constructors.target.kind(), arguments) {
        (TypeKind::Integer(_), [Value::Hash(named)]) => {
            if let Some(from) = named.get_str("from")
                && !constructors
                    .all
                    .first()
                    .and_then(|it| it.parameters.type_at(0))
                    .is_some_and(|wanted| instance_of(dialect, wanted, from))
            {
                return refuse(dialect, constructors, std::slice::from_ref(from));
            }
            if let Some(radix) = named.get_str("radix")
                && !matches!(radix, Value::Undef | Value::Default)
                && !number::is_radix(radix)
            {
                return NewError::Radix(radix.clone());
            }
            let wanted = constructors.all.get(1).and_then(|it| it.parameters.type_at(0));
            let given = Value::Hash(Arc::clone(named));
            match wanted.map(|wanted| assert_instance_of(dialect, "Integer.new", wanted, &given)) {
                Some(Err(wrong)) => NewError::WrongType(wrong),
                _ => unconvertible("Integer"),
            }
        }
        (TypeKind::Integer(_), [_] | [_, Value::Integer(_)] | [_, Value::Integer(_), Value::Boolean(_)]) => {
            match arguments.get(1) {
                Some(radix) if !number::is_radix(radix) => NewError::Radix(radix.clone()),
                _ => unconvertible("Integer"),
            }
        }
        (TypeKind::Float(_), [_] | [_, Value::Boolean(_)]) => unconvertible("Float"),
        (TypeKind::Numeric, [_] | [_, Value::Boolean(_)]) => unconvertible("Numeric"),
        (TypeKind::Boolean(_), [_]) => unconvertible("Boolean"),
        (TypeKind::Array(..) | TypeKind::Tuple(_), [from] | [from, Value::Boolean(_)]) => NewError::Value {
            constructor: constructors.name.clone(),
            from: generalize(&infer(dialect, from)),
            to: "Array",
        },
        (TypeKind::SemVer(_), [Value::String(text)]) => {
            NewError::Text { constructor: constructors.name.clone(), text: text.clone(), to: "a SemVer" }
        }
        _ => {
            let signatures: Vec<Signature> = constructors.all.iter().map(Signature::from).collect();
            let given = infer_set(dialect, &Value::Array(arguments.into()));
            let callee = Callee::Named(&constructors.name);
            NewError::Arguments(describe_signatures(dialect, callee, &signatures, &given))
        }
    }
}
