//! `%{…}` in data and in `hiera.yaml` (G9).

use std::sync::Arc;

use marotte_pcore::format::plain_text;
use marotte_pcore::ops::Strictness;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use crate::explain::{Event, StepKind};
use crate::expression::{Expression, ExpressionKind, Method, expressions};
use crate::key::{Segment, split};
use crate::lookup::{Invocation, LookupResult};
use crate::{ErrorKind, LookupError, LookupHost, Variable};

/// Variables that always exist, even without a value.
const BUILT_IN: [&str; 2] = ["module_name", "caller_module_name"];

/// The number of bytes that a value is assumed to need.
const VALUE: usize = 24;

/// The number of bytes of text that are read or written in one step.
const TEXT: usize = 32;

/// The maximum length of an interpolated text, in bytes.
const TEXT_LIMIT: usize = 256 << 20;

impl<O: LookupHost + ?Sized> Invocation<'_, O> {
    /// Interpolates a value, including the keys of hashes. `methods` determines whether functions are permitted in
    /// expressions.
    pub(crate) fn interpolate(&mut self, value: &Value, methods: bool) -> LookupResult<Value, O> {
        self.outside.spend(1, VALUE)?;
        match value {
            Value::String(text) if text.contains("%{") => self.interpolate_text(text, methods),
            Value::Array(elements) if !elements.is_empty() => {
                let elements: Result<Vec<_>, _> =
                    elements.iter().map(|it| self.interpolate(it, methods)).collect();
                Ok(Value::Array(elements?.into()))
            }
            Value::Hash(hash) if !hash.is_empty() => {
                let mut result = Hash::default();
                for (key, value) in hash.iter() {
                    let key = self.interpolate(key, methods)?;
                    result.insert(key, self.interpolate(value, methods)?);
                }
                Ok(Value::Hash(Arc::new(result)))
            }
            other => Ok(other.clone()),
        }
    }

    /// Interpolates a text of `hiera.yaml`, in which functions aren't permitted.
    pub(crate) fn interpolate_config(&mut self, text: &Str) -> LookupResult<Str, O> {
        match self.interpolate(&Value::String(text.clone()), false)? {
            Value::String(text) => Ok(text),
            other => Ok(plain_text(self.outside.dialect(), &other).unwrap_or_default().into()),
        }
    }

    fn interpolate_text(&mut self, text: &Str, methods: bool) -> LookupResult<Value, O> {
        self.with(|| (StepKind::Interpolate(text.clone()), None), |it| it.interpolate_all(text, methods))
    }

    fn interpolate_all(&mut self, text: &Str, methods: bool) -> LookupResult<Value, O> {
        let (mut out, mut copied) = (String::new(), 0);
        self.outside.spend((text.len() / TEXT) as u64, text.len())?;
        for Expression { range, kind } in expressions(text) {
            self.outside.spend(5, 0)?;
            let before = out.len();
            out.push_str(&text[copied..range.start]);
            copied = range.end;
            let (method, key) = match kind {
                ExpressionKind::Nothing => continue,
                ExpressionKind::Variable(key) => (Method::Scope, key),
                ExpressionKind::Call(method, key) if methods => (method, key),
                ExpressionKind::Call(..) => {
                    return Err(LookupError::issue(
                        "hiera-interpolation-method-syntax-not-allowed",
                        "Interpolation using method syntax is not allowed in this context",
                    )
                    .into());
                }
            };
            let (value, name): (Value, Str) = match method {
                Method::Alias if range != (0..text.len()) => {
                    return Err(LookupError::issue(
                        "hiera-interpolation-alias-not-entire-string",
                        "'alias' interpolation is only permitted if the expression is equal to the entire string",
                    )
                    .into());
                }
                Method::Alias => return self.interpolated_lookup(key),
                Method::Lookup => (self.interpolated_lookup(key)?, key.into()),
                Method::Literal => (key.into(), key.into()),
                Method::Scope => {
                    (self.scope_lookup(key, text)?.unwrap_or(Value::Undef), format!("scope:{key}").into())
                }
                Method::Unknown(name) => {
                    return Err(LookupError::issue(
                        "hiera-interpolation-unknown-interpolation-method",
                        format!("Unknown interpolation method '{name}'"),
                    )
                    .into());
                }
            };
            let value = self.check(&name, |it| it.interpolate(&value, methods))?;
            out.push_str(
                &plain_text(self.outside.dialect(), &value)
                    .map_err(|error| LookupError::other(error.to_string()))?,
            );
            let added = out.len() - before;
            self.outside.spend((added / TEXT) as u64, added)?;
            if out.len() > TEXT_LIMIT {
                return Err(LookupError::other(format!(
                    "an interpolated text is longer than {TEXT_LIMIT} bytes"
                ))
                .into());
            }
        }
        out.push_str(&text[copied..]);
        Ok(Value::String(out.into()))
    }

    /// `lookup('key')`: the result is empty if the key isn't found.
    fn interpolated_lookup(&mut self, key: &str) -> LookupResult<Value, O> {
        let mut inner = self.nested();
        let found = inner.lookup_first(&[key.into()], None, None)?;
        Ok(found.unwrap_or_else(|| "".into()))
    }

    /// Returns the value of a variable and of the keys after its name. `None` if there is none.
    pub(crate) fn scope_lookup(&mut self, key: &str, subject: &str) -> LookupResult<Option<Value>, O> {
        let Ok(mut segments) = split(key) else {
            return Err(LookupError::new(format!("Syntax error in string: {subject}")).into());
        };
        let root = segments.remove(0);
        let root: Str = match root {
            Segment::Name(name) => name,
            Segment::Number(number) => {
                return Err(LookupError::new(format!(
                    "Scope variable name {number} is a Integer, not a string"
                ))
                .into());
            }
        };
        if let Some(value) = self.fact(&root, &segments) {
            let value = self.dig(key, &segments[1..], value)?;
            self.collect(key, &root, &segments, value.as_ref());
            return Ok(value);
        }
        let scope = || (StepKind::Scope("Global Scope".to_owned()), None);
        let value = self.with(scope, |it| it.root_variable(&root))?;
        let value = match value {
            Some(value) if !segments.is_empty() && value != Value::Undef => {
                self.dig(key, &segments, value)?
            }
            other => other,
        };
        self.collect(key, &root, &segments, value.as_ref());
        Ok(value)
    }

    /// Returns a fact if the variable is a part of `facts` and no explanation is wanted, so that only this fact is read.
    pub(crate) fn fact(&mut self, root: &str, segments: &[Segment]) -> Option<Value> {
        let [Segment::Name(name), ..] = segments else { return None };
        if !matches!(root, "facts" | "::facts") || self.hiera.is_explaining() {
            return None;
        }
        let hidden = |hash: &Hash| hash.get_str(root).is_some();
        if hidden(self.overrides) || hidden(self.defaults) || self.locals.iter().any(|(it, _)| it == root) {
            return None;
        }
        self.outside.data().fact(name)
    }

    fn root_variable(&mut self, root: &Str) -> LookupResult<Option<Value>, O> {
        if let Some(value) = self.overrides.get_str(root).cloned() {
            self.note(Event::FoundInOverrides, root, Some(&value));
            return Ok(Some(value));
        }
        let default = self.defaults.get_str(root).cloned();
        let value = match self.variable(root) {
            Variable::Value(value) => Some(value),
            Variable::Missing(reason) => {
                if default.is_none() {
                    self.undefined(root, &reason)?;
                }
                // The variables that always exist count as found.
                is_always_there(root).then_some(Value::Undef)
            }
        };
        match (value, default) {
            (None, None) => Ok(None),
            (None, Some(default)) => {
                self.note(Event::FoundInDefaults, root, Some(&default));
                Ok(Some(default))
            }
            (Some(value), _) => {
                self.note(Event::Found, root, Some(&value));
                Ok(Some(value))
            }
        }
    }

    /// Returns a variable; the local variables of `mapped_paths` come first.
    fn variable(&mut self, name: &str) -> Variable {
        if let Some((_, value)) = self.locals.iter().rev().find(|(local, _)| local == name) {
            return Variable::Value(value.clone());
        }
        if !self.version3 {
            return self.outside.variable(name);
        }
        let found = match name {
            "calling_class" => Variable::Value(self.calling_class("::")),
            "calling_class_path" => Variable::Value(self.calling_class("/")),
            "calling_module" => match self.outside.variable("module_name") {
                // Without a module, the value is missing, but that isn't an error.
                Variable::Missing(_) => Variable::Value(Value::Undef),
                found => found,
            },
            name => self.outside.variable(name),
        };
        match found {
            // Version 3 treats empty texts as missing.
            Variable::Value(Value::String(text)) if text.is_empty() => Variable::Value(Value::Undef),
            other => other,
        }
    }

    /// Returns the class in which the lookup is called, with its segments joined by a separator; `undef` outside of classes.
    fn calling_class(&mut self, separator: &str) -> Value {
        let name = self.outside.calling_class();
        name.map_or(Value::Undef, |it| Value::String(it.replace("::", separator)))
    }

    /// Handles a variable that doesn't exist, depending on the settings.
    fn undefined(&mut self, name: &str, reason: &str) -> LookupResult<(), O> {
        if BUILT_IN.contains(&name) || name.bytes().all(|it| it.is_ascii_digit()) {
            return Ok(());
        }
        let message = format!("Undefined variable '{name}'; {reason}");
        match self.outside.strict() {
            Strictness::Off => {}
            Strictness::Warning => self.outside.warn_once(message),
            Strictness::Error if self.lenient => self.outside.warn_once(format!(
                "Interpolation failed with '{name}', but compilation continuing; {reason}"
            )),
            Strictness::Error => {
                let error = LookupError { kind: ErrorKind::Undefined, ..LookupError::other(message) };
                return Err(LookupError { variable: Some(name.into()), ..error }.into());
            }
        }
        Ok(())
    }
}

fn is_always_there(name: &str) -> bool {
    BUILT_IN.contains(&name.strip_prefix("::").unwrap_or(name))
}
