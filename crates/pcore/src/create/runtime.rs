use super::CreateError;
use super::arguments::type_name;
use crate::dialect::Dialect;
use crate::types::{Type, TypeKind};
use crate::value::Value;

/// `Runtime[platform, name]` (D37).
///
/// In dialects whose platform types are named after the platform, the only argument is the class: `Ruby['X']` (X3).
pub(super) fn runtime(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    if let Some(platform) = dialect.type_names.platform {
        return match arguments {
            [Value::String(name)] if !name.is_empty() => {
                let (runtime, name) = (Some(platform.to_lowercase().into()), Some(name.clone()));
                Ok(TypeKind::Runtime { runtime, name, pattern: None }.into())
            }
            [Value::String(_)] => Err(CreateError::Runtime),
            [other] => Err(CreateError::Argument {
                it: it.clone(),
                actual: type_name(dialect, other),
                expected: "String",
            }),
            _ => Err(CreateError::arity(super::error::label_with_article(it), 1, None, arguments.len())),
        };
    }
    if let ([Value::String(runtime)], true) = (arguments, dialect.runtime_without_class)
        && !runtime.is_empty()
    {
        return Ok(TypeKind::Runtime { runtime: Some(runtime.clone()), name: None, pattern: None }.into());
    }
    let [runtime, name] = arguments else {
        return Err(CreateError::arity(super::error::label_with_article(it), 1, Some(2), arguments.len()));
    };
    let text = |value: &Value| match value {
        Value::String(text) if text.is_empty() => Err(CreateError::Runtime),
        Value::String(text) => Ok(Some(text.clone())),
        _ => Err(CreateError::Argument {
            it: it.clone(),
            actual: type_name(Dialect::puppet8(), value),
            expected: "String or String",
        }),
    };
    Ok(TypeKind::Runtime { runtime: text(runtime)?, name: text(name)?, pattern: None }.into())
}
