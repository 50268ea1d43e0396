use super::{Printer, float_text, quote};
use crate::dialect::Dialect;
use crate::infer::infer;
use crate::types::{ObjectType, TypeKind};
use crate::value::{Object, Value};

impl Printer {
    /// Writes a value as in a type.
    pub(super) fn value(&mut self, value: &Value) {
        match value {
            Value::Undef => self.text.push_str("undef"),
            Value::Default => self.text.push_str("default"),
            Value::Boolean(value) => self.text.push_str(if *value { "true" } else { "false" }),
            Value::Integer(value) => self.text.push_str(&value.to_string()),
            Value::Float(value) => self.text.push_str(&float_text(*value)),
            Value::String(text) => self.text.push_str(&quote(text)),
            Value::Regexp(regexp) => self.regexp(regexp.source()),
            Value::Array(elements) => {
                self.text.push('[');
                for (at, it) in elements.iter().enumerate() {
                    self.separator(at);
                    self.value(it);
                }
                self.text.push(']');
            }
            Value::Hash(hash) => self.entries(hash.iter(), |it, (key, value)| {
                it.value(key);
                it.text.push_str(" => ");
                it.value(value);
            }),
            Value::Type(it) => self.it(it),
            Value::Timespan(it) => self.created("Timespan", it),
            Value::Timestamp(it) => self.created("Timestamp", it),
            Value::SemVer(it) => self.created("SemVer", it),
            Value::SemVerRange(it) => self.created("SemVerRange", it),
            Value::Binary(it) if self.expressions => self.created("Binary", it),
            Value::Uri(uri) => {
                self.text.push_str("URI(");
                self.text.push_str(&quote(&uri.to_string()));
                self.text.push(')');
            }
            Value::Object(object) => self.object_value(object),
            Value::Sensitive(_) => {
                self.text.push_str("Instance of ");
                self.it(&infer(Dialect::puppet8(), value));
            }
            Value::Unknown(it) => match it.bytes().and_then(|it| it.to_text()) {
                Some(text) => self.text.push_str(&quote(text)),
                None => {
                    self.text.push_str("unknown (");
                    self.text.push_str(&it.to_string());
                    self.text.push(')');
                }
            },
            Value::Binary(_) => self.text.push_str("Instance of Binary"),
            Value::Callable(callable) => {
                self.text.push_str("Instance of ");
                self.it(&callable.signature());
            }
            Value::Iterator(iterator) => {
                self.text.push_str("Instance of ");
                self.it(&TypeKind::Iterator(Some(iterator.element_type())).into());
            }
        }
    }

    pub(super) fn separator(&mut self, at: usize) {
        if at > 0 {
            self.text.push_str(", ");
        }
    }

    /// Writes a value that is created from a text, which needs no escapes.
    fn created(&mut self, label: &str, it: &dyn std::fmt::Display) {
        if !self.expressions {
            return self.quoted(it);
        }
        self.text.push_str(label);
        self.text.push('(');
        self.quoted(it);
        self.text.push(')');
    }

    /// Writes text that needs no escapes.
    pub(super) fn quoted(&mut self, it: &dyn std::fmt::Display) {
        self.text.push('\'');
        self.text.push_str(&it.to_string());
        self.text.push('\'');
    }

    /// Writes a pattern between slashes, with inner slashes escaped.
    pub(super) fn regexp(&mut self, source: &str) {
        self.text.push('/');
        let mut escaped = false;
        for it in source.chars() {
            if it == '/' && !escaped {
                self.text.push('\\');
            }
            escaped = it == '\\' && !escaped;
            self.text.push(it);
        }
        self.text.push('/');
    }

    /// Writes an object as the expression that creates it: attributes with their default values are left out.
    fn object_value(&mut self, object: &Object) {
        let TypeKind::Object(Some(object_type)) = object.object_type.resolved().kind() else {
            self.text.push_str("Instance of ");
            return self.it(&object.object_type);
        };
        let object_type: &ObjectType = object_type;
        self.text.push_str(object_type.label());
        self.text.push('(');
        let given = object_type.stored_attributes().zip(&object.attributes);
        let given = given.filter(|(attribute, value)| attribute.default.as_ref() != Some(value));
        self.entries(given, |it, (attribute, value)| {
            it.text.push_str(&quote(&attribute.name));
            it.text.push_str(" => ");
            it.value(value);
        });
        self.text.push(')');
    }
}
