//! Instances of `Object` types: the expression that creates them, on one line or indented (D80).

use super::FormatError;
use super::array::strip;
use super::directive::Directive;
use super::write::Indentation;
use crate::extent::{NESTING_LIMIT, TooDeep};
use crate::print::{float_text, literal};
use crate::types::TypeKind;
use crate::value::{Object, Value};

/// Formats an object for `String.new`. `%q` is the platform's own form, which here equals that of `%s`.
pub(super) fn write(
    out: &mut String,
    value: &Value,
    directive: &Directive,
    indentation: Indentation,
) -> Result<(), FormatError> {
    let indentation = indentation.indenting(directive);
    match directive.letter {
        'p' if indentation.is_indenting => {
            Indented { start: out.len(), out, level: indentation.level }.value(value, 0)
        }
        'p' | 's' | 'q' => {
            out.push_str(&literal(value));
            Ok(())
        }
        letter => Err(FormatError::Letter { type_name: "Object", letter, expected: "spq" }),
    }
}

/// Whether the type of an object has type parameters.
pub(super) fn has_type_parameters(object: &Object) -> bool {
    match object.object_type.resolved().kind() {
        TypeKind::Object(Some(object_type)) => !object_type.all_type_parameters().is_empty(),
        _ => false,
    }
}

/// The number of characters that fit on a line with an array.
const LINE: usize = 100;

/// Formats values with each entry on its own line.
struct Indented<'o> {
    out: &'o mut String,
    start: usize,
    level: usize,
}

impl Indented<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Result<(), FormatError> {
        if depth > NESTING_LIMIT {
            return Err(TooDeep.into());
        }
        match value {
            Value::Object(object) => {
                let TypeKind::Object(Some(object_type)) = object.object_type.resolved().kind() else {
                    self.out.push_str(&literal(value));
                    return Ok(());
                };
                self.out.push_str(object_type.label());
                self.out.push('(');
                let given = object_type.stored_attributes().zip(&object.attributes);
                let given = given.filter(|(attribute, value)| attribute.default.as_ref() != Some(value));
                let names: Vec<(Value, &Value)> =
                    given.map(|(it, value)| (Value::String(it.name.clone()), value)).collect();
                self.entries(names.iter().map(|(name, value)| (name, *value)), depth)?;
                self.out.push(')');
            }
            Value::Hash(hash) => self.entries(hash.iter(), depth)?,
            Value::Array(elements) if !self.is_short(elements) => {
                self.out.push('[');
                self.level += 1;
                for (at, element) in elements.iter().enumerate() {
                    self.comma(at);
                    self.line();
                    self.value(element, depth + 1)?;
                }
                self.level -= 1;
                self.line();
                self.out.push(']');
            }
            Value::Array(elements) => {
                self.out.push('[');
                for (at, element) in elements.iter().enumerate() {
                    self.comma(at);
                    self.value(element, depth + 1)?;
                }
                self.out.push(']');
            }
            other => self.out.push_str(&literal(other)),
        }
        Ok(())
    }

    fn entries<'v>(
        &mut self,
        entries: impl Iterator<Item = (&'v Value, &'v Value)>,
        depth: usize,
    ) -> Result<(), FormatError> {
        self.out.push('{');
        self.level += 1;
        for (at, (key, value)) in entries.enumerate() {
            self.comma(at);
            self.line();
            self.value(key, depth + 1)?;
            self.out.push_str(" => ");
            self.value(value, depth + 1)?;
        }
        self.level -= 1;
        self.line();
        self.out.push('}');
        Ok(())
    }

    fn comma(&mut self, at: usize) {
        if at > 0 {
            self.out.push_str(", ");
        }
    }

    fn line(&mut self) {
        strip(self.out, self.start);
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.level));
    }

    /// Whether all elements of an array fit on one line.
    fn is_short(&self, elements: &[Value]) -> bool {
        let length = |it: &Value| match it {
            Value::Undef => 3,
            Value::Default => 8,
            Value::Boolean(_) | Value::Integer(_) => literal(it).len(),
            Value::Float(number) => float_text(*number).len(),
            Value::String(text) => 2 + text.chars().count(),
            Value::Hash(hash) if hash.is_empty() => 2,
            Value::Array(elements) if elements.is_empty() => 2,
            _ => 1000,
        };
        elements.is_empty() || LINE.saturating_sub(2 * self.level) > elements.iter().map(length).sum()
    }
}
