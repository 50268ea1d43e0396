//! Creation of types from names and evaluated arguments: the meaning of `Name[arguments]`.

mod arguments;
mod callable;
mod catalog;
mod collection;
mod error;
mod loaded;
mod name;
mod object;
mod runtime;
mod scalar;
mod type_set;
mod wrapper;

pub use error::CreateError;
pub use loaded::{Taken, taken};
pub use name::{TYPE_NAMES, named};
pub use object::{named_object_type, object_type};
pub use type_set::{RUNTIME_AUTHORITY, named_type_set, type_set};

use crate::dialect::{Dialect, SensitiveContent};
use crate::types::{Type, TypeKind};
use crate::value::Value;

/// Creates the type that a name denotes, with arguments if there are any. An unknown name becomes a type reference:
/// layers above know more names (D1).
///
/// # Errors
/// If the type takes no parameters, or different ones. Arguments for an unknown name are an error, too.
pub fn create(dialect: &Dialect, name: &str, arguments: &[Value]) -> Result<Value, CreateError> {
    if dialect.type_names.reserved.iter().any(|reserved| reserved.eq_ignore_ascii_case(name)) {
        return Err(CreateError::ReservedName { name: name.into() });
    }
    let it = named(dialect, name).unwrap_or_else(|| TypeKind::Reference(name.into()).into());
    if arguments.is_empty() { Ok(Value::Type(it)) } else { parameterize(dialect, &it, arguments) }
}

/// Evaluates `Type[arguments]`. The result is a type; for resources and classes, an array of types if there are several
/// titles, and `undef` if there is none (the item of each type in D.1). Parameters that the type already has are
/// ignored.
///
/// # Errors
/// If the type takes no parameters, or different ones.
pub fn parameterize(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Value, CreateError> {
    let flat = arguments::flatten(arguments);
    let created = match it.kind() {
        TypeKind::Integer(_) => scalar::integer(dialect, &flat)?,
        TypeKind::Float(_) => scalar::float(dialect, &flat)?,
        TypeKind::String(_) => scalar::string(dialect, &flat)?,
        TypeKind::Enum(_) => scalar::enumeration(it, flat)?,
        TypeKind::Pattern(_) => scalar::pattern(dialect, it, &flat)?,
        TypeKind::Regexp(_) => scalar::regexp(dialect, it, &flat)?,
        TypeKind::Boolean(_) if dialect.boolean_has_parameter => scalar::boolean(it, &flat)?,
        TypeKind::SemVer(_) => scalar::sem_ver(dialect, it, &flat)?,
        TypeKind::Timespan(..) => scalar::timespan(dialect, it, &flat)?,
        TypeKind::Timestamp(..) => scalar::timestamp(dialect, it, &flat)?,
        TypeKind::Uri(_) => scalar::uri(dialect, &flat)?,
        TypeKind::Collection(_) => collection::collection(dialect, &flat)?,
        TypeKind::Array(..) => collection::array(dialect, &flat)?,
        TypeKind::Hash(..) => collection::hash(dialect, &flat)?,
        TypeKind::Tuple(_) => collection::tuple(dialect, it, &flat)?,
        TypeKind::Struct(_) => collection::structure(dialect, it, arguments)?,
        TypeKind::Variant(_) => wrapper::variant(it, &flat)?,
        TypeKind::Optional(_) => wrapper::optional(dialect, &flat)?,
        TypeKind::NotUndef(_) => wrapper::not_undef(&flat)?,
        TypeKind::Type(_) => wrapper::single("Type-Type", &flat, |it| TypeKind::Type(Some(it)).into())?,
        TypeKind::Iterable(_) => {
            wrapper::single("Iterable-Type", &flat, |it| TypeKind::Iterable(Some(it)).into())?
        }
        TypeKind::Iterator(_) => {
            wrapper::single("Iterator-Type", &flat, |it| TypeKind::Iterator(Some(it)).into())?
        }
        TypeKind::Sensitive(_) => {
            wrapper::single("Sensitive-Type", &flat, |it| match dialect.sensitive_content {
                SensitiveContent::General => Type::sensitive(&it),
                SensitiveContent::AsWritten => TypeKind::Sensitive(it).into(),
            })?
        }
        TypeKind::Init { .. } => wrapper::init(arguments)?,
        TypeKind::Callable(_) => callable::callable(dialect, it, arguments)?,
        TypeKind::Runtime { .. } => runtime::runtime(dialect, it, &flat)?,
        TypeKind::Resource(resource) => return catalog::resource(dialect, it, resource, arguments),
        TypeKind::Class(name) => return catalog::class(dialect, it, name.as_ref(), arguments),
        TypeKind::Object(Some(object)) if !object.name.is_empty() => {
            object::extension(dialect, object, &flat)?
        }
        TypeKind::Object(_) => match &flat[..] {
            [Value::Hash(hash)] => object::object_type(dialect, hash)?,
            [_] => return Err(CreateError::Object("Object-Type[] expects a Hash value".into())),
            _ => return Err(CreateError::arity("Object-Type", 1, None, flat.len())),
        },
        TypeKind::TypeSet(_) => match &flat[..] {
            [Value::Hash(hash)] => type_set::type_set(dialect, hash)?,
            [_] => return Err(CreateError::TypeSet("TypeSet-Type[] expects a Hash value".into())),
            _ => return Err(CreateError::arity("TypeSet-Type", 1, None, flat.len())),
        },
        TypeKind::Reference(name) => return Err(CreateError::UnknownType { name: name.clone() }),
        _ => return Err(CreateError::NotParameterized { it: it.clone() }),
    };
    Ok(Value::Type(created))
}
