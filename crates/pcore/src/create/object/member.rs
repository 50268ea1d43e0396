//! Attributes, constants and functions.

use std::sync::Arc;

use marotte_text::Str;

use super::{Builder, CreateError, Entry, annotations, fail, initializer};
use crate::infer::{generalize, infer};
use crate::mismatch::assert_instance_of;
use crate::relation::assignable;
use crate::types::{Attribute, AttributeKind, Member, MemberKind, ObjectFunction, Type, TypeKind};
use crate::value::{Hash, Value};

/// The keys under which serialized objects store their type and value.
const RESERVED: [&str; 2] = ["__ptype", "__pvalue"];

impl Builder<'_> {
    pub(super) fn attributes(
        &self,
        attributes: &[Entry<'_>],
        constants: &[Entry<'_>],
    ) -> Result<Box<[Attribute]>, CreateError> {
        for (name, _) in constants {
            if attributes.iter().any(|(other, _)| other == name) {
                let label = self.label("attribute", name);
                return fail(format!("{label} is defined as both a constant and an attribute"));
            }
        }
        let attributes = attributes.iter().map(|(name, spec)| self.attribute(name, spec));
        let constants = constants.iter().map(|(name, value)| self.constant(name, value));
        attributes.chain(constants).collect()
    }

    fn constant(&self, name: &Str, value: &Value) -> Result<Attribute, CreateError> {
        let constant = Attribute {
            name: name.clone(),
            // The general type: an overriding constant can have another value.
            value_type: generalize(&infer(self.dialect, value)),
            kind: AttributeKind::Constant,
            default: Some(value.clone()),
            overrides: self.inherited(name).is_some(),
            is_final: true,
            annotations: None,
        };
        self.check_reserved(name)?;
        self.check_override(&MemberKind::Attribute(&constant))?;
        Ok(constant)
    }

    fn attribute(&self, name: &Str, spec: &Value) -> Result<Attribute, CreateError> {
        let attribute = match spec {
            Value::Hash(spec) => self.described_attribute(name, spec)?,
            _ => {
                let label = self.label("attribute", name);
                let value_type = self.a_type(&label, spec)?;
                Attribute {
                    name: name.clone(),
                    default: matches!(value_type.kind(), TypeKind::Optional(_)).then_some(Value::Undef),
                    value_type,
                    kind: AttributeKind::Normal,
                    overrides: false,
                    is_final: false,
                    annotations: None,
                }
            }
        };
        self.check_reserved(name)?;
        self.check_override(&MemberKind::Attribute(&attribute))?;
        Ok(attribute)
    }

    fn check_reserved(&self, name: &Str) -> Result<(), CreateError> {
        if RESERVED.contains(&&**name) {
            return fail(format!("The attribute '{name}' is reserved and cannot be used"));
        }
        Ok(())
    }

    fn a_type(&self, label: &str, spec: &Value) -> Result<Type, CreateError> {
        assert_instance_of(self.dialect, label, &initializer::ANY_TYPE, spec)?;
        Ok(if let Value::Type(it) = spec { it.clone() } else { Type::any() })
    }

    fn described_attribute(&self, name: &Str, spec: &Arc<Hash>) -> Result<Attribute, CreateError> {
        let label = self.label("attribute", name);
        let subject = format!("initializer for {label}");
        let value = Value::Hash(Arc::clone(spec));
        assert_instance_of(self.dialect, &subject, &initializer::ATTRIBUTE, &value)?;
        self.check_reserved(name)?;
        let value_type = self.a_type(&label, spec.get_str("type").unwrap_or(&Value::Undef))?;
        let kind = match spec.get_str("kind").and_then(Value::as_str) {
            Some("constant") => AttributeKind::Constant,
            Some("derived") => AttributeKind::Derived,
            Some("given_or_derived") => AttributeKind::GivenOrDerived,
            Some("reference") => AttributeKind::Reference,
            _ => AttributeKind::Normal,
        };
        let is_final = flag(spec, "final");
        if kind == AttributeKind::Constant && is_final == Some(false) {
            return fail(format!("{label} of kind 'constant' cannot be combined with final => false"));
        }
        let default = spec.get_str("value").cloned();
        match (kind, &default) {
            (AttributeKind::Derived | AttributeKind::GivenOrDerived, Some(_)) => {
                let kind = if kind == AttributeKind::Derived { "derived" } else { "given_or_derived" };
                return fail(format!("{label} of kind '{kind}' cannot be combined with an attribute value"));
            }
            (AttributeKind::Constant, None) => {
                return fail(format!("{label} of kind 'constant' requires a value"));
            }
            (_, Some(value)) if *value != Value::Default => {
                assert_instance_of(self.dialect, &format!("{label} value"), &value_type, value)?;
            }
            _ => {}
        }
        Ok(Attribute {
            name: name.clone(),
            value_type,
            kind,
            default,
            overrides: flag(spec, "override").unwrap_or(false),
            is_final: kind == AttributeKind::Constant || is_final.unwrap_or(false),
            annotations: annotations(spec),
        })
    }

    pub(super) fn functions(&self, members: &[Entry<'_>]) -> Result<Box<[ObjectFunction]>, CreateError> {
        members.iter().map(|(name, spec)| self.function(name, spec)).collect()
    }

    fn function(&self, name: &Str, spec: &Value) -> Result<ObjectFunction, CreateError> {
        let label = self.label("function", name);
        let (signature, said) = match spec {
            Value::Hash(said) => {
                let subject = format!("initializer for function '{name}'");
                assert_instance_of(self.dialect, &subject, &initializer::FUNCTION, spec)?;
                (said.get_str("type"), Some(said))
            }
            _ => {
                assert_instance_of(self.dialect, &label, &initializer::SIGNATURE, spec)?;
                (Some(spec), None)
            }
        };
        let signature = self.a_type(&label, signature.unwrap_or(&Value::Undef))?;
        if self.object.attributes.iter().any(|it| it.name == *name) {
            return fail(format!("{label} conflicts with attribute with the same name"));
        }
        let says = |key| said.and_then(|it| flag(it, key)).unwrap_or(false);
        let function = ObjectFunction {
            name: name.clone(),
            signature,
            overrides: says("override"),
            is_final: says("final"),
            annotations: said.and_then(|it| annotations(it)),
        };
        self.check_override(&MemberKind::Function(&function))?;
        Ok(function)
    }

    pub(super) fn inherited(&self, name: &str) -> Option<Member<'_>> {
        self.object.parent_object()?.member(name)
    }

    /// Checks the override declarations of a member against the inherited member.
    fn check_override(&self, own: &MemberKind<'_>) -> Result<(), CreateError> {
        let feature = own.feature();
        let (name, overrides) = match own {
            MemberKind::Attribute(it) => (&it.name, it.overrides),
            MemberKind::Function(it) => (&it.name, it.overrides),
        };
        let label = self.label(feature, name);
        let Some(inherited) = self.inherited(name) else {
            if overrides {
                return fail(format!(
                    "expected {label} to override an inherited {feature}, but no such {feature} was found"
                ));
            }
            return Ok(());
        };
        let (is_final, matches) = match (&inherited.kind, own) {
            (MemberKind::Attribute(old), MemberKind::Attribute(new)) => {
                let both = [old, new].iter().all(|it| it.kind == AttributeKind::Constant);
                (old.is_final && !both, assignable(self.dialect, &old.value_type, &new.value_type))
            }
            (MemberKind::Function(old), MemberKind::Function(new)) => {
                (old.is_final, assignable(self.dialect, &old.signature, &new.signature))
            }
            _ => return fail(format!("{label} attempts to override {inherited}")),
        };
        if is_final {
            return fail(format!("{label} attempts to override final {inherited}"));
        }
        if !overrides {
            return fail(format!("{label} attempts to override {inherited} without having override => true"));
        }
        if !matches {
            return fail(format!("{label} attempts to override {inherited} with a type that does not match"));
        }
        Ok(())
    }
}

fn flag(spec: &Hash, key: &str) -> Option<bool> {
    match spec.get_str(key) {
        Some(Value::Boolean(flag)) => Some(*flag),
        _ => None,
    }
}
