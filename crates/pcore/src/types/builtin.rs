//! The types that the language defines in terms of others (D40, D41, D45).

use std::sync::{Arc, LazyLock};

use super::{
    Attribute, AttributeKind, CallableType, EnumType, ObjectFunction, ObjectType, PatternType, Size,
    TupleType, Type, TypeAlias, TypeKind, TypeParameter, UriType,
};
use crate::dialect::RichDataKeys;
use crate::regexp::Regexp;
use crate::value::Value;

/// `Data`: the values that JSON can represent.
pub static DATA: LazyLock<Type> = LazyLock::new(|| {
    recursive("Data", |data| {
        [
            TypeKind::ScalarData.into(),
            Type::undef(),
            Type::hash(Type::string(), data.clone(), None),
            Type::array(data.clone(), None),
        ]
        .into()
    })
});

/// `Data` of the dialects of 2014: scalars of all kinds, also as keys (X8).
pub static DATA_OF_SCALARS: LazyLock<Type> = LazyLock::new(|| {
    recursive("Data", |data| {
        [
            TypeKind::Scalar.into(),
            Type::undef(),
            Type::hash(TypeKind::Scalar.into(), data.clone(), None),
            Type::array(data.clone(), None),
        ]
        .into()
    })
});

/// `RichDataKey`: the keys of hashes that rich data permits.
pub static RICH_DATA_KEY: LazyLock<Type> =
    LazyLock::new(|| alias("RichDataKey", Type::variant([Type::string(), TypeKind::Numeric.into()])));

/// `RichData`: the values that catalogs can contain.
pub static RICH_DATA: LazyLock<Type> = LazyLock::new(|| rich_data(|_| RICH_DATA_KEY.clone()));

/// `RichData` of the latest specification: keys of hashes may be any values that are permitted (X12).
static RICH_DATA_BY_ITSELF: LazyLock<Type> = LazyLock::new(|| rich_data(Type::clone));

impl RichDataKeys {
    /// Returns `RichData` with these keys.
    pub fn rich_data(self) -> &'static Type {
        match self {
            RichDataKeys::RichDataKey => &RICH_DATA,
            RichDataKeys::RichData => &RICH_DATA_BY_ITSELF,
        }
    }
}

fn rich_data(key: impl FnOnce(&Type) -> Type) -> Type {
    recursive("RichData", |data| {
        [
            TypeKind::Scalar.into(),
            TypeKind::SemVerRange.into(),
            TypeKind::Binary.into(),
            TypeKind::Sensitive(Type::any()).into(),
            TypeKind::Type(None).into(),
            TypeKind::TypeSet(None).into(),
            TypeKind::Uri(UriType::default()).into(),
            TypeKind::Object(None).into(),
            Type::undef(),
            TypeKind::Default.into(),
            Type::hash(key(data), data.clone(), None),
            Type::array(data.clone(), None),
        ]
        .into()
    })
}

static LOOKUP_KEY: LazyLock<Type> = LazyLock::new(|| alias("Puppet::LookupKey", RICH_DATA_KEY.clone()));
static LOOKUP_VALUE: LazyLock<Type> = LazyLock::new(|| alias("Puppet::LookupValue", RICH_DATA.clone()));

/// `Deferred`: a function call that the agent evaluates.
pub static DEFERRED: LazyLock<Type> = LazyLock::new(|| {
    let name = Regexp::new(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z");
    let name = TypeKind::Pattern(PatternType { patterns: name.into_iter().collect() });
    let arguments = Type::optional(Type::array(Type::any(), None));
    object(
        "Deferred",
        &[],
        [attribute("name", name.into(), None), attribute("arguments", arguments, Some(Value::Undef))],
        [],
    )
});

/// `Error`: the description of an error.
pub static ERROR: LazyLock<Type> = LazyLock::new(|| {
    let text = Type::string_sized(Size { min: 1, max: None });
    let maybe_text = Type::optional(text.clone());
    let details = Type::optional(Type::hash(text.clone(), DATA.clone(), None));
    let parameter = Type::optional(Type::variant([
        Type::string(),
        TypeKind::Regexp(None).into(),
        Type::of(TypeKind::Enum(EnumType::default()).into()),
        Type::of(TypeKind::Pattern(PatternType::default()).into()),
        Type::of(TypeKind::NotUndef(None).into()),
        Type::of(Type::undef()),
    ]));
    let message =
        CallableType { parameters: Some(TupleType::default()), block: None, returns: Some(text.clone()) };
    let message = ObjectFunction {
        name: "message".into(),
        signature: TypeKind::Callable(message).into(),
        overrides: false,
        is_final: false,
        annotations: None,
    };
    object(
        "Error",
        &[("kind", parameter.clone()), ("issue_code", parameter)],
        [
            attribute("msg", text, None),
            attribute("kind", maybe_text.clone(), Some(Value::Undef)),
            attribute("details", details, Some(Value::Undef)),
            attribute("issue_code", maybe_text, Some(Value::Undef)),
        ],
        [message],
    )
});

/// `Puppet::LookupContext`: the context argument of functions that provide data for Hiera (G15).
pub static LOOKUP_CONTEXT: LazyLock<Type> = LazyLock::new(|| {
    let text = Type::string_sized(Size { min: 1, max: None });
    let key = Type::optional(TypeKind::Scalar.into());
    let callable = |types: &[Type], size: Option<Size>, block: Option<Type>, returns: Option<Type>| -> Type {
        let parameters = Some(TupleType { types: types.into(), size });
        TypeKind::Callable(CallableType { parameters, block, returns }).into()
    };
    let block = |count: usize| {
        let types = if count == 0 { vec![] } else { vec![Type::unit()] };
        callable(&types, Some(Size::exactly(count)), None, None)
    };
    let entries = Type::hash(key.clone(), Type::any(), None);
    let function = |name: &str, signature: Type| ObjectFunction {
        name: name.into(),
        signature,
        overrides: false,
        is_final: false,
        annotations: None,
    };
    let nothing = Some(Size::ZERO);
    let pairs = TypeKind::Iterable(Some(Type::tuple([key.clone(), Type::any()]))).into();
    let environment_name =
        Attribute { kind: AttributeKind::Derived, ..attribute("environment_name", text.clone(), None) };
    let module_name = Type::variant([text, Type::undef()]);
    object(
        "Puppet::LookupContext",
        &[],
        [environment_name, attribute("module_name", module_name, None)],
        [
            function("not_found", callable(&[], nothing, None, Some(Type::undef()))),
            function("explain", callable(&[], nothing, Some(block(0)), Some(Type::undef()))),
            function("interpolate", block(1)),
            function("cache", callable(&[key.clone(), Type::any()], None, None, Some(Type::any()))),
            function("cache_all", callable(&[entries], None, None, Some(Type::undef()))),
            function(
                "cache_has_key",
                callable(std::slice::from_ref(&key), None, None, Some(TypeKind::Boolean(None).into())),
            ),
            function("cached_value", callable(&[key], None, None, Some(Type::any()))),
            function(
                "cached_entries",
                Type::variant([
                    callable(&[], nothing, Some(block(1)), Some(Type::undef())),
                    callable(&[], nothing, Some(block(2)), Some(Type::undef())),
                    callable(&[], nothing, None, Some(pairs)),
                ]),
            ),
            function(
                "cached_file_data",
                callable(&[Type::string()], None, Some(Type::optional(block(1))), None),
            ),
        ],
    )
});

/// `Annotation`: the parent of annotations of types.
pub static ANNOTATION: LazyLock<Type> = LazyLock::new(|| object("Annotation", &[], [], []));

/// Returns the type of a lower-case name among those that the language defines in terms of others.
pub fn builtin_alias(name: &str) -> Option<Type> {
    let it = match name {
        "data" => &DATA,
        "richdata" => &RICH_DATA,
        "richdatakey" => &RICH_DATA_KEY,
        "puppet::lookupkey" => &LOOKUP_KEY,
        "puppet::lookupvalue" => &LOOKUP_VALUE,
        "deferred" => &DEFERRED,
        "error" => &ERROR,
        "annotation" => &ANNOTATION,
        "puppet::lookupcontext" => &LOOKUP_CONTEXT,
        _ => return None,
    };
    Some(Type::clone(it))
}

fn alias(name: &str, target: Type) -> Type {
    let alias = TypeAlias::declare(name);
    alias.define(target);
    TypeKind::Alias(alias).into()
}

fn recursive(name: &str, target: impl FnOnce(&Type) -> Box<[Type]>) -> Type {
    let alias = TypeAlias::declare(name);
    let it: Type = TypeKind::Alias(alias.clone()).into();
    alias.define(TypeKind::Variant(target(&it)).into());
    it
}

fn attribute(name: &str, value_type: Type, default: Option<Value>) -> Attribute {
    let kind = AttributeKind::Normal;
    let name = name.into();
    Attribute { name, value_type, kind, default, overrides: false, is_final: false, annotations: None }
}

fn object<const A: usize, const F: usize>(
    name: &str,
    type_parameters: &[(&str, Type)],
    attributes: [Attribute; A],
    functions: [ObjectFunction; F],
) -> Type {
    let type_parameter = |(name, value_type): &(&str, Type)| TypeParameter {
        name: (*name).into(),
        value_type: value_type.clone(),
        default: None,
    };
    TypeKind::Object(Some(Arc::new(ObjectType {
        name: name.into(),
        parent: None,
        type_parameters: type_parameters.iter().map(type_parameter).collect(),
        attributes: attributes.into(),
        functions: functions.into(),
        equality: None,
        equality_include_type: true,
        checks: None,
        annotations: None,
    })))
    .into()
}
