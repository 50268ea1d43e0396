//! `match`: the captures of a regular expression (E26).

use marotte_pcore::regexp::Regexp;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;

use super::legacy::kind;
use super::{Body, Builtin, Call, Overload};
use crate::interpreter::Evaluated;

/// `match`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "match",
    doc: "The text that a regular expression matches in a string, and the texts of its groups, as an array: `match('abc123', \
          /([a-z]+)(\\d+)/)` is `['abc123', 'abc', '123']`.\n\n\
          The result is `undef` if there is no match; the element of a group that did not participate is, too. The pattern is a \
          string, a `Regexp`, a `Regexp` or `Pattern` type, a `Variant` of such, or an array of such, of which the first that \
          matches is used. For an array of strings, the result is an array with one result for each. `$1` and the other match \
          variables are not set.",
    overloads: &[
        Overload {
            parameters: "String $string, Variant[Any, Type] $pattern",
            block: None,
            returns: None,
            body: Body::Run(|call| {
                let (text, pattern) = (call.take(0), call.take(1));
                call.captured(text.as_str().unwrap_or_default(), &pattern, 0)
            }),
        },
        Overload {
            parameters: "Array[String] $string, Variant[Any, Type] $pattern",
            block: None,
            returns: None,
            body: Body::Run(|call| {
                let (texts, pattern) = (call.elements(0)?, call.take(1));
                let results =
                    texts.iter().map(|it| call.captured(it.as_str().unwrap_or_default(), &pattern, 0));
                Ok(Value::Array(results.collect::<Evaluated<_>>()?))
            }),
        },
    ],
    ..Builtin::base()
};

impl Call<'_, '_, '_> {
    fn captured(&mut self, text: &str, pattern: &Value, depth: usize) -> Evaluated {
        match pattern {
            Value::String(source) => match self.interpreter.compiled(source) {
                Ok(regexp) => self.captured_by(text, &regexp),
                Err(error) => self.fail(error.to_string()),
            },
            Value::Regexp(regexp) => self.captured_by(text, regexp),
            Value::Type(it) => self.captured_by_type(text, it, depth),
            Value::Array(patterns) => self.nested(depth, |it, depth| {
                it.first(patterns.iter(), |it, pattern| it.captured(text, pattern, depth))
            }),
            other => self.no_pattern(other),
        }
    }

    fn captured_by_type(&mut self, text: &str, pattern: &Type, depth: usize) -> Evaluated {
        match pattern.resolved().kind() {
            TypeKind::Regexp(Some(regexp)) => self.captured_by(text, regexp),
            TypeKind::Regexp(None) if self.dialect().regexp_is_empty_pattern => {
                self.captured(text, &Value::from(""), depth)
            }
            TypeKind::Regexp(None) => self.fail("Given Regexp Type has no regular expression"),
            TypeKind::Pattern(it) => {
                self.first(it.patterns.iter(), |it, regexp| it.captured_by(text, regexp))
            }
            TypeKind::Variant(types) => self.nested(depth, |it, depth| {
                it.first(types.iter(), |it, pattern| it.captured_by_type(text, pattern, depth))
            }),
            _ => self.no_pattern(&Value::Type(pattern.clone())),
        }
    }

    /// Returns the first result that is not None.
    fn first<T>(
        &mut self,
        patterns: impl Iterator<Item = T>,
        mut captured: impl FnMut(&mut Self, T) -> Evaluated,
    ) -> Evaluated {
        for it in patterns {
            let found = captured(self, it)?;
            if !matches!(found, Value::Undef) {
                return Ok(found);
            }
        }
        Ok(Value::Undef)
    }

    fn captured_by(&self, text: &str, regexp: &Regexp) -> Evaluated {
        let group = |it: Option<&str>| it.map_or(Value::Undef, Value::from);
        match regexp.captures(text) {
            Ok(Some(captures)) => Ok(Value::Array(captures.texts().into_iter().map(group).collect())),
            Ok(None) => Ok(Value::Undef),
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn no_pattern<T>(&self, found: &Value) -> Evaluated<T> {
        self.fail(format!(
            "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got {}",
            kind(found)
        ))
    }
}
