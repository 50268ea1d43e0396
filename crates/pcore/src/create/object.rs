//! `Object[{…}]`, and `Object` types with parameters (D44).

use std::sync::Arc;

use indexmap::IndexMap;
use marotte_text::Str;

use super::CreateError;
use super::arguments::type_name;
use crate::dialect::Dialect;
use crate::infer::{generalize, infer};
use crate::relation::{assignable, instance_of};
use crate::types::{Attribute, AttributeKind, CallableType, ObjectFunction, ObjectType, Type, TypeKind};
use crate::value::{Hash, Value};

/// Keys of an `Object` type's hash.
const KEYS: [&str; 10] = [
    "name",
    "parent",
    "type_parameters",
    "attributes",
    "constants",
    "functions",
    "equality",
    "equality_include_type",
    "checks",
    "annotations",
];

/// An `Object` type from the hash that describes it. The empty hash is `Object` itself.
///
/// # Errors
/// If the hash has other keys or values, or the type contradicts itself or what it inherits from.
pub fn object_type(dialect: &Dialect, hash: &Hash) -> Result<Type, CreateError> {
    if hash.is_empty() {
        return Ok(TypeKind::Object(None).into());
    }
    let object = Builder::new(dialect, hash)?.build(hash)?;
    Ok(TypeKind::Object(Some(Arc::new(object))).into())
}

/// An `Object` type on its way.
struct Builder<'d> {
    dialect: &'d Dialect,
    object: ObjectType,
}

impl<'d> Builder<'d> {
    fn new(dialect: &'d Dialect, hash: &Hash) -> Result<Builder<'d>, CreateError> {
        for key in hash.keys() {
            if !key.as_str().is_some_and(|key| KEYS.contains(&key)) {
                return Err(wrong(format!("unrecognized key {}", crate::print::literal(key))));
            }
        }
        let name = match hash.get_str("name") {
            None => Str::new(),
            Some(Value::String(name)) if is_type_name(name) => name.clone(),
            Some(_) => return Err(wrong("entry 'name' expects the name of a type".into())),
        };
        let parent = match hash.get_str("parent") {
            None => None,
            Some(Value::Type(parent)) => Some(parent.clone()),
            Some(_) => return Err(wrong("entry 'parent' expects a Type value".into())),
        };
        if let Some(parent) = &parent
            && let TypeKind::Reference(name) = parent.resolved().kind()
        {
            return Err(CreateError::Object(format!("reference to unresolved type '{name}'")));
        }
        let equality_include_type = match hash.get_str("equality_include_type") {
            None => true,
            Some(Value::Boolean(flag)) => *flag,
            Some(_) => return Err(wrong("entry 'equality_include_type' expects a Boolean value".into())),
        };
        let object = ObjectType {
            name,
            parent,
            type_parameters: [].into(),
            attributes: [].into(),
            functions: [].into(),
            equality: None,
            equality_include_type,
        };
        Ok(Builder { dialect, object })
    }

    fn build(mut self, hash: &Hash) -> Result<ObjectType, CreateError> {
        self.object.type_parameters = self.type_parameters(&members(hash, "type_parameters")?)?;
        let constants = members(hash, "constants")?;
        let attributes = members(hash, "attributes")?;
        self.object.attributes = self.attributes(&attributes, &constants)?;
        self.object.functions = self.functions(&members(hash, "functions")?)?;
        self.object.equality = self.equality(hash.get_str("equality"))?;
        Ok(self.object)
    }

    /// What messages call a member.
    fn label(&self, feature: &str, name: &str) -> String {
        format!("{feature} {}[{name}]", self.object.label())
    }

    fn type_parameters(&self, members: &[Member<'_>]) -> Result<Box<[(Str, Type)]>, CreateError> {
        let parameter = |(name, spec): &Member<'_>| {
            let it = match spec {
                Value::Hash(spec) => spec.get_str("type").cloned().unwrap_or(Value::Undef),
                _ => (*spec).clone(),
            };
            match it {
                Value::Type(it) if matches!(it.kind(), TypeKind::Optional(_)) => Ok((name.clone(), it)),
                Value::Type(it) => Ok((name.clone(), Type::optional(it))),
                other => Err(self.expects_type("type_parameter", name, &other)),
            }
        };
        members.iter().map(parameter).collect()
    }

    fn expects_type(&self, feature: &str, name: &str, actual: &Value) -> CreateError {
        let label = self.label(feature, name);
        let actual = type_name(self.dialect, actual);
        CreateError::Object(format!("{label} has wrong type, expects a Type value, got {actual}"))
    }

    fn attributes(
        &self,
        attributes: &[Member<'_>],
        constants: &[Member<'_>],
    ) -> Result<Box<[Attribute]>, CreateError> {
        let mut made = Vec::new();
        for (name, spec) in attributes {
            if constants.iter().any(|(other, _)| other == name) {
                let label = self.label("attribute", name);
                return Err(CreateError::Object(format!(
                    "{label} is defined as both a constant and an attribute"
                )));
            }
            let attribute = match spec {
                Value::Hash(spec) => self.attribute(name, spec)?,
                Value::Type(it) => Attribute {
                    name: name.clone(),
                    value_type: it.clone(),
                    kind: AttributeKind::Normal,
                    default: matches!(it.kind(), TypeKind::Optional(_)).then_some(Value::Undef),
                    overrides: false,
                    is_final: false,
                },
                other => return Err(self.expects_type("attribute", name, other)),
            };
            made.push(attribute);
        }
        for (name, value) in constants {
            made.push(Attribute {
                name: name.clone(),
                value_type: generalize(&infer(self.dialect, value)),
                kind: AttributeKind::Constant,
                default: Some((*value).clone()),
                overrides: self.inherits(name),
                is_final: true,
            });
        }
        for attribute in &made {
            self.check_attribute(attribute)?;
        }
        Ok(made.into())
    }

    /// Whether a member of that name is inherited.
    fn inherits(&self, name: &str) -> bool {
        self.object.parent_object().is_some_and(|parent| {
            parent.all_attributes().contains_key(name) || parent.all_functions().contains_key(name)
        })
    }

    fn attribute(&self, name: &Str, spec: &Hash) -> Result<Attribute, CreateError> {
        let label = self.label("attribute", name);
        let known = ["type", "final", "override", "kind", "value", "annotations"];
        self.check_keys(&label, spec, &known)?;
        let Some(Value::Type(value_type)) = spec.get_str("type") else {
            return Err(CreateError::Object(format!(
                "initializer for {label} expects a value for key 'type'"
            )));
        };
        if matches!(&**name, "__ptype" | "__pvalue") {
            return Err(CreateError::Object(format!(
                "The attribute '{name}' is reserved and cannot be used"
            )));
        }
        let kind = match spec.get_str("kind") {
            None => AttributeKind::Normal,
            Some(kind) => match kind.as_str() {
                Some("constant") => AttributeKind::Constant,
                Some("derived") => AttributeKind::Derived,
                Some("given_or_derived") => AttributeKind::GivenOrDerived,
                Some("reference") => AttributeKind::Reference,
                _ => {
                    return Err(CreateError::Object(format!(
                        "initializer for {label} has wrong type, entry 'kind' expects a match for \
                         Enum['constant', 'derived', 'given_or_derived', 'reference']"
                    )));
                }
            },
        };
        let is_final = self.flag(&label, spec, "final")?;
        if kind == AttributeKind::Constant && is_final == Some(false) {
            return Err(CreateError::Object(format!(
                "{label} of kind 'constant' cannot be combined with final => false"
            )));
        }
        let default = spec.get_str("value").cloned();
        match (kind, &default) {
            (AttributeKind::Derived | AttributeKind::GivenOrDerived, Some(_)) => {
                let kind = if kind == AttributeKind::Derived { "derived" } else { "given_or_derived" };
                return Err(CreateError::Object(format!(
                    "{label} of kind '{kind}' cannot be combined with an attribute value"
                )));
            }
            (AttributeKind::Constant, None) => {
                return Err(CreateError::Object(format!("{label} of kind 'constant' requires a value")));
            }
            (_, Some(value)) if *value != Value::Default && !instance_of(self.dialect, value_type, value) => {
                let actual = type_name(self.dialect, value);
                return Err(CreateError::Object(format!(
                    "{label} value has wrong type, expects a {value_type} value, got {actual}"
                )));
            }
            _ => {}
        }
        Ok(Attribute {
            name: name.clone(),
            value_type: value_type.clone(),
            kind,
            default,
            overrides: self.flag(&label, spec, "override")?.unwrap_or(false),
            is_final: kind == AttributeKind::Constant || is_final.unwrap_or(false),
        })
    }

    fn check_keys(&self, label: &str, spec: &Hash, known: &[&str]) -> Result<(), CreateError> {
        match spec.keys().find(|key| !key.as_str().is_some_and(|key| known.contains(&key))) {
            Some(key) => Err(CreateError::Object(format!(
                "initializer for {label} has wrong type, unrecognized key {}",
                crate::print::literal(key)
            ))),
            None => Ok(()),
        }
    }

    fn flag(&self, label: &str, spec: &Hash, key: &str) -> Result<Option<bool>, CreateError> {
        match spec.get_str(key) {
            None => Ok(None),
            Some(Value::Boolean(flag)) => Ok(Some(*flag)),
            Some(other) => Err(CreateError::Object(format!(
                "initializer for {label} has wrong type, entry '{key}' expects a Boolean value, got {}",
                type_name(self.dialect, other)
            ))),
        }
    }

    fn check_attribute(&self, attribute: &Attribute) -> Result<(), CreateError> {
        let is_constant = attribute.kind == AttributeKind::Constant;
        self.check_override(
            "attribute",
            &attribute.name,
            attribute.overrides,
            is_constant,
            &attribute.value_type,
        )
    }

    /// Checks what a member says about the inherited one against it.
    fn check_override(
        &self,
        feature: &str,
        name: &Str,
        overrides: bool,
        is_constant: bool,
        it: &Type,
    ) -> Result<(), CreateError> {
        let label = self.label(feature, name);
        let inherited = self.object.parent_object().and_then(|parent| Inherited::find(parent, name));
        let Some(inherited) = inherited else {
            if overrides {
                return Err(CreateError::Object(format!(
                    "expected {label} to override an inherited {feature}, but no such {feature} was found"
                )));
            }
            return Ok(());
        };
        let other = &inherited.label;
        let message = if inherited.feature != feature {
            format!("{label} attempts to override {other}")
        } else if inherited.is_final && !(inherited.is_constant && is_constant) {
            format!("{label} attempts to override final {other}")
        } else if !overrides {
            format!("{label} attempts to override {other} without having override => true")
        } else if !assignable(self.dialect, &inherited.it, it) {
            format!("{label} attempts to override {other} with a type that does not match")
        } else {
            return Ok(());
        };
        Err(CreateError::Object(message))
    }

    fn functions(&self, members: &[Member<'_>]) -> Result<Box<[ObjectFunction]>, CreateError> {
        let mut functions = Vec::new();
        for (name, spec) in members {
            let label = self.label("function", name);
            let (signature, overrides, is_final) = match spec {
                Value::Hash(spec) => {
                    self.check_keys(&label, spec, &["type", "final", "override", "annotations"])?;
                    let flag = |key| Ok::<_, CreateError>(self.flag(&label, spec, key)?.unwrap_or(false));
                    let signature = spec.get_str("type").cloned().unwrap_or(Value::Undef);
                    (signature, flag("override")?, flag("final")?)
                }
                _ => ((*spec).clone(), false, false),
            };
            let callable: Type = TypeKind::Callable(CallableType::default()).into();
            let signature = match signature {
                Value::Type(it) if assignable(self.dialect, &callable, &it) => it,
                other => {
                    let actual = type_name(self.dialect, &other);
                    return Err(CreateError::Object(format!(
                        "{label} has wrong type, expects a Type[Callable] value, got {actual}"
                    )));
                }
            };
            if self.object.attributes.iter().any(|it| it.name == *name) {
                return Err(CreateError::Object(format!(
                    "{label} conflicts with attribute with the same name"
                )));
            }
            self.check_override("function", name, overrides, false, &signature)?;
            functions.push(ObjectFunction { name: name.clone(), signature, overrides, is_final });
        }
        Ok(functions.into())
    }

    fn equality(&self, equality: Option<&Value>) -> Result<Option<Box<[Str]>>, CreateError> {
        let names = match equality {
            None | Some(Value::Undef) => return Ok(None),
            Some(Value::String(name)) => vec![name.clone()],
            Some(Value::Array(names)) => {
                let name = |it: &Value| match it {
                    Value::String(name) => Ok(name.clone()),
                    _ => Err(wrong("entry 'equality' expects names of attributes".into())),
                };
                names.iter().map(name).collect::<Result<Vec<_>, _>>()?
            }
            Some(_) => return Err(wrong("entry 'equality' expects names of attributes".into())),
        };
        if !names.is_empty() && !self.object.equality_include_type {
            return Err(CreateError::Object(
                "equality_include_type = false cannot be combined with non empty equality specification"
                    .into(),
            ));
        }
        for name in &names {
            self.check_equality(name)?;
        }
        Ok(Some(names.into()))
    }

    fn check_equality(&self, name: &Str) -> Result<(), CreateError> {
        let object_label = self.object.label();
        if let Some(parent) = self.object.parent_object()
            && parent.all_attributes().contains_key(name)
            && parent.equality_attributes().contains(name)
        {
            let definer = definer_of_equality(parent, name);
            let owner = Inherited::find(parent, name).map(|it| it.label).unwrap_or_default();
            return Err(CreateError::Object(format!(
                "{object_label} equality is referencing {owner} which is included in equality of {definer}"
            )));
        }
        let all = self.object.all_attributes();
        match all.get(name) {
            Some(attribute) if attribute.kind == AttributeKind::Constant => {
                let label = self.label("attribute", name);
                Err(CreateError::Object(format!(
                    "{object_label} equality is referencing constant {label}. Reference to constant is not allowed in equality"
                )))
            }
            Some(_) => Ok(()),
            None if self.object.all_functions().contains_key(name) => {
                let label = self.label("function", name);
                Err(CreateError::Object(format!(
                    "{object_label} equality is referencing {label}. Only attribute references are allowed"
                )))
            }
            None => Err(CreateError::Object(format!(
                "{object_label} equality is referencing non existent attribute '{name}'"
            ))),
        }
    }
}

/// The type whose equality first names an attribute.
fn definer_of_equality<'o>(object: &'o ObjectType, name: &Str) -> &'o str {
    let mut it = object;
    while let Some(parent) = it.parent_object()
        && parent.equality_attributes().contains(name)
    {
        it = parent;
    }
    it.label()
}

/// A member that is inherited.
struct Inherited {
    label: String,
    feature: &'static str,
    is_final: bool,
    is_constant: bool,
    it: Type,
}

impl Inherited {
    fn find(object: &ObjectType, name: &Str) -> Option<Inherited> {
        let owner = object.label();
        if let Some(it) = object.attributes.iter().find(|it| it.name == *name) {
            return Some(Inherited {
                label: format!("attribute {owner}[{name}]"),
                feature: "attribute",
                is_final: it.is_final,
                is_constant: it.kind == AttributeKind::Constant,
                it: it.value_type.clone(),
            });
        }
        if let Some(it) = object.functions.iter().find(|it| it.name == *name) {
            return Some(Inherited {
                label: format!("function {owner}[{name}]"),
                feature: "function",
                is_final: it.is_final,
                is_constant: false,
                it: it.signature.clone(),
            });
        }
        Inherited::find(object.parent_object()?, name)
    }
}

/// A name and what is said of it.
type Member<'h> = (Str, &'h Value);

/// The entries of a hash of members.
fn members<'h>(hash: &'h Hash, key: &str) -> Result<Vec<Member<'h>>, CreateError> {
    let Some(value) = hash.get_str(key) else { return Ok(Vec::new()) };
    let Value::Hash(members) = value else {
        return Err(wrong(format!("entry '{key}' expects a Hash value")));
    };
    let member = |(name, spec): (&Value, &'h Value)| match name.as_str() {
        Some(name) if is_member_name(name) || key == "functions" && name == "[]" => {
            Ok((Str::from(name), spec))
        }
        _ => Err(wrong(format!("entry '{key}' expects names of members"))),
    };
    // Entries borrow from the hash, keys are cloned: their names are short.
    members.iter().map(member).collect()
}

fn wrong(what: String) -> CreateError {
    CreateError::ObjectInitializer(format!("object initializer has wrong type, {what}"))
}

fn is_member_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// Whether a name can be that of an `Object` type or a set of types.
pub(super) fn is_type_name(name: &str) -> bool {
    name.split("::").all(is_simple_type_name)
}

/// Whether a name can be that of a type in a set.
pub(super) fn is_simple_type_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_uppercase())
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// An `Object` type restricted by type parameters: by position, or by one hash of names.
pub(super) fn extension(
    dialect: &Dialect,
    base: &Arc<ObjectType>,
    arguments: &[Value],
) -> Result<Type, CreateError> {
    let label = base.label();
    let parameters = base.all_type_parameters();
    let Some((_, first)) = parameters.first() else {
        return Err(CreateError::Object(format!("The {label}-Type cannot be parameterized using []")));
    };
    let given: Vec<(&str, &Value)> = match arguments {
        [named @ Value::Hash(hash)] if !instance_of(dialect, first, named) => {
            hash.iter().map(|(name, value)| (name.as_str().unwrap_or_default(), value)).collect()
        }
        _ => parameters.keys().map(|name| &**name).zip(arguments).collect(),
    };
    let mut by_name: IndexMap<Str, Value> = IndexMap::new();
    for (name, value) in given {
        let Some(wanted) = parameters.get(name) else {
            return Err(CreateError::Object(format!(
                "'{name}' is not a known type parameter for {label}-Type"
            )));
        };
        if *value == Value::Default {
            continue;
        }
        if !instance_of(dialect, wanted, value) {
            let actual = type_name(dialect, value);
            return Err(CreateError::Object(format!(
                "type_parameter {label}[{name}] has wrong type, expects a value of type {wanted}, got {actual}"
            )));
        }
        by_name.insert(name.into(), value.clone());
    }
    if by_name.is_empty() {
        return Err(CreateError::Object(format!(
            "The {label}-Type cannot be parameterized using an empty parameter list"
        )));
    }
    Ok(TypeKind::ObjectExtension(base.clone(), by_name.into_iter().collect()).into())
}
