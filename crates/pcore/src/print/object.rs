use std::sync::Arc;

use super::{Printer, quote};
use crate::dialect::Dialect;
use crate::infer::{generalize, infer};
use crate::types::{
    Annotations, Attribute, AttributeKind, ObjectFunction, ObjectType, Type, TypeKind, TypeParameter,
    TypeSet, TypeSetReference,
};
use crate::value::Value;

impl Printer {
    /// Writes an `Object` type: its content if expanded, otherwise its name.
    pub(super) fn object(&mut self, it: &Type, object: Option<&ObjectType>) {
        let own_name = self.type_set.as_ref().and_then(|set| set.types.iter().find(|(_, other)| other == it));
        let own_name = own_name.map(|(name, _)| name.clone());
        if !self.expanded {
            let label = object.map_or("Object", ObjectType::label);
            return self.text.push_str(own_name.as_deref().unwrap_or(label));
        }
        // Nested types are written by name.
        self.expanded = false;
        self.text.push_str("Object[{");
        if let Some(object) = object {
            self.content(object, own_name.is_none());
        }
        self.text.push_str("}]");
        self.expanded = true;
    }

    fn content(&mut self, object: &ObjectType, with_name: bool) {
        let mut entries: Vec<(&str, String)> = self.annotations(&object.annotations).into_iter().collect();
        if with_name && !object.name.is_empty() {
            entries.push(("name", quote(&object.name)));
        }
        if let Some(parent) = &object.parent {
            entries.push(("parent", self.piece(|it| it.it(parent))));
        }
        if !object.type_parameters.is_empty() {
            let parameters = self.piece(|it| {
                it.entries(&object.type_parameters, Printer::type_parameter);
            });
            entries.push(("type_parameters", parameters));
        }
        let (constants, others): (Vec<&Attribute>, Vec<&Attribute>) =
            object.attributes.iter().partition(|it| is_plain_constant(it));
        if !others.is_empty() {
            entries.push(("attributes", self.piece(|it| it.entries(others, Printer::attribute))));
        }
        if !constants.is_empty() {
            let constants = self.piece(|it| {
                it.entries(constants, |it, attribute| {
                    it.key(&attribute.name);
                    it.value(attribute.default.as_ref().unwrap_or(&Value::Undef));
                });
            });
            entries.push(("constants", constants));
        }
        if !object.functions.is_empty() {
            let functions = self.piece(|it| it.entries(&object.functions, Printer::function));
            entries.push(("functions", functions));
        }
        if let Some(equality) = &object.equality {
            let names: Vec<String> = equality.iter().map(|it| quote(it)).collect();
            entries.push(("equality", format!("[{}]", names.join(", "))));
        }
        if let Some(checks) = &object.checks {
            entries.push(("checks", self.piece(|it| it.value(checks))));
        }
        self.text.push_str(&join(&entries));
    }

    /// Returns the text that a function writes.
    fn piece(&mut self, write: impl FnOnce(&mut Printer)) -> String {
        let before = std::mem::take(&mut self.text);
        write(self);
        std::mem::replace(&mut self.text, before)
    }

    fn key(&mut self, name: &str) {
        self.text.push_str(&quote(name));
        self.text.push_str(" => ");
    }

    fn annotations(&mut self, annotations: &Annotations) -> Option<(&'static str, String)> {
        let noted = annotations.as_ref()?;
        Some(("annotations", self.piece(|it| it.value(&Value::Hash(Arc::clone(noted))))))
    }

    fn type_parameter(&mut self, parameter: &TypeParameter) {
        let mut entries = vec![("type", self.piece(|it| it.it(without_optional(&parameter.value_type))))];
        if let Some(default) = parameter.default.as_ref().filter(|it| **it != Value::Undef) {
            entries.push(("value", self.piece(|it| it.value(default))));
        }
        self.member(&parameter.name, &entries);
    }

    fn attribute(&mut self, attribute: &Attribute) {
        let mut entries = vec![("type", self.piece(|it| it.it(&attribute.value_type)))];
        if attribute.is_final && attribute.kind != AttributeKind::Constant {
            entries.push(("final", "true".to_owned()));
        }
        if attribute.overrides {
            entries.push(("override", "true".to_owned()));
        }
        entries.extend(self.annotations(&attribute.annotations));
        let kind = match attribute.kind {
            AttributeKind::Normal => None,
            AttributeKind::Constant => Some("constant"),
            AttributeKind::Derived => Some("derived"),
            AttributeKind::GivenOrDerived => Some("given_or_derived"),
            AttributeKind::Reference => Some("reference"),
        };
        entries.extend(kind.map(|kind| ("kind", kind.to_owned())));
        if let Some(default) = &attribute.default {
            entries.push(("value", self.piece(|it| it.value(default))));
        }
        self.member(&attribute.name, &entries);
    }

    fn function(&mut self, function: &ObjectFunction) {
        let mut entries = vec![("type", self.piece(|it| it.it(&function.signature)))];
        if function.is_final {
            entries.push(("final", "true".to_owned()));
        }
        if function.overrides {
            entries.push(("override", "true".to_owned()));
        }
        entries.extend(self.annotations(&function.annotations));
        self.member(&function.name, &entries);
    }

    /// Writes a member: only its type if there are no other options.
    fn member(&mut self, name: &str, entries: &[(&str, String)]) {
        self.key(name);
        match entries {
            [(_, only)] => self.text.push_str(only),
            _ => {
                self.text.push('{');
                self.text.push_str(&join(entries));
                self.text.push('}');
            }
        }
    }

    /// Writes a type set.
    pub(super) fn set(&mut self, set: Option<&Arc<TypeSet>>) {
        let Some(set) = set else { return self.text.push_str(ALL_SETS) };
        let mut entries: Vec<(&str, String)> = self.annotations(&set.annotations).into_iter().collect();
        entries.extend(set.pcore_uri.as_ref().map(|uri| ("pcore_uri", quote(uri))));
        entries.push(("pcore_version", quote(&set.pcore_version.to_string())));
        entries.extend(set.name_authority.as_ref().map(|it| ("name_authority", quote(it))));
        let name = if set.name.is_empty() { "undef".to_owned() } else { quote(&set.name) };
        entries.push(("name", name));
        entries.extend(set.version.as_ref().map(|it| ("version", quote(&it.to_string()))));
        if !set.types.is_empty() {
            self.type_set = Some(set.clone());
            let types = self.piece(|it| {
                it.entries(&set.types, |it, (name, member)| {
                    it.text.push_str(name);
                    it.text.push_str(" => ");
                    it.it(member);
                });
            });
            entries.push(("types", types));
        }
        if !set.references.is_empty() {
            let references = self.piece(|it| it.entries(&set.references, Printer::reference));
            entries.push(("references", references));
        }
        self.text.push_str("TypeSet[{");
        self.text.push_str(&join(&entries));
        self.text.push_str("}]");
    }

    fn reference(&mut self, (alias, reference): &(marotte_text::Str, TypeSetReference)) {
        let mut entries: Vec<(String, String)> = Vec::new();
        let annotations = self.annotations(&reference.annotations);
        entries.extend(annotations.map(|(key, noted)| (quote(key), noted)));
        entries.extend(reference.name_authority.as_ref().map(|it| (quote("name_authority"), quote(it))));
        entries.push((quote("name"), quote(&reference.name)));
        entries.push((quote("version_range"), quote(&reference.version_range.to_string())));
        self.text.push_str(alias);
        self.text.push_str(" => ");
        self.entries(entries, |it, (key, value)| {
            it.text.push_str(&key);
            it.text.push_str(" => ");
            it.text.push_str(&value);
        });
    }
}

/// The reference's text of `TypeSet` without parameters.
const ALL_SETS: &str = "TypeSet[{pcore_uri => 'http://puppet.com/2016.1/pcore', pcore_version => '1.0.0', \
    name_authority => 'http://puppet.com/2016.1/runtime', name => 'DefaultTypeSet', version => '0.0.0'}]";

fn join(entries: &[(&str, String)]) -> String {
    let entries: Vec<String> = entries.iter().map(|(key, value)| format!("{key} => {value}")).collect();
    entries.join(", ")
}

fn without_optional(it: &Type) -> &Type {
    match it.kind() {
        TypeKind::Optional(Some(inner)) => inner,
        _ => it,
    }
}

/// Whether a constant's type equals the one inferred from its value.
fn is_plain_constant(attribute: &Attribute) -> bool {
    let of_value = |value: &Value| generalize(&infer(Dialect::puppet8(), value));
    attribute.kind == AttributeKind::Constant
        && attribute.default.as_ref().is_some_and(|value| of_value(value) == attribute.value_type)
}
