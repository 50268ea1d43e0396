//! Parameters of definitions, lambdas and templates.

use super::Checker;
use super::literals::is_literal;
use crate::ast::{ExprKind, Parameter};
use crate::{Label, SyntaxErrorKind};
use foldhash::HashMap;

/// The maximal number of names that are compared in pairs.
pub(super) const SHORT: usize = 16;

impl Checker<'_> {
    pub(super) fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            self.parameter(parameter);
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        let Parameter { name, name_range, type_expr, value, .. } = parameter;
        // The reference calls a numeric name illegal, and then reports again that it is not a parameter name.
        if is_numeric(name) {
            self.report(*name_range, SyntaxErrorKind::NumericParameter(name.clone()));
        } else if !is_parameter_name(name) && !name.is_empty() {
            self.report(*name_range, SyntaxErrorKind::IllegalParameterName(name.clone()));
        }
        if let Some(type_expr) = type_expr {
            self.inner(type_expr);
        }
        if let Some(value) = value {
            let in_default = std::mem::replace(&mut self.in_default, true);
            self.inner(value);
            self.in_default = in_default;
        }
    }

    pub(super) fn lambda_parameters(&mut self, parameters: &[Parameter]) {
        if let [others @ .., _] = parameters {
            for parameter in others.iter().filter(|parameter| parameter.captures_rest) {
                self.report(
                    parameter.name_range,
                    SyntaxErrorKind::CapturesRestNotLast(parameter.name.clone()),
                );
            }
        }
        if self.mode.choices.refuses_repeated_parameters {
            self.distinct(parameters);
        }
        self.parameters(parameters);
    }

    pub(super) fn template_parameters(&mut self, parameters: &[Parameter]) {
        self.no_captures(parameters, "Epp Template");
        self.distinct(parameters);
        self.parameters(parameters);
    }

    pub(super) fn no_captures(&mut self, parameters: &[Parameter], container: Label) {
        for parameter in parameters.iter().filter(|parameter| parameter.captures_rest) {
            let kind = SyntaxErrorKind::CapturesRestNotSupported { name: parameter.name.clone(), container };
            self.report(parameter.name_range, kind);
        }
    }

    pub(super) fn no_reserved(&mut self, parameters: &[Parameter]) {
        for parameter in
            parameters.iter().filter(|parameter| matches!(parameter.name.as_str(), "name" | "title"))
        {
            self.report(parameter.name_range, SyntaxErrorKind::ReservedParameter(parameter.name.clone()));
        }
    }

    pub(super) fn distinct(&mut self, parameters: &[Parameter]) {
        if parameters.len() <= SHORT {
            for (index, parameter) in parameters.iter().enumerate() {
                let first = parameters.iter().take(index).find(|earlier| earlier.name == parameter.name);
                self.duplicate(first, parameter);
            }
        } else {
            let mut seen: HashMap<&str, &Parameter> =
                HashMap::with_capacity_and_hasher(parameters.len(), Default::default());
            for parameter in parameters {
                let first = *seen.entry(&parameter.name).or_insert(parameter);
                self.duplicate((!std::ptr::eq(first, parameter)).then_some(first), parameter);
            }
        }
    }

    fn duplicate(&mut self, first: Option<&Parameter>, parameter: &Parameter) {
        if let Some(first) = first
            && !parameter.name.is_empty()
        {
            let kind =
                SyntaxErrorKind::DuplicateParameter { name: parameter.name.clone(), first: first.name_range };
            self.report(parameter.name_range, kind);
        }
    }

    /// Checks that a class's parameter types do not depend on evaluation.
    pub(super) fn literal_types(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            if let Some(type_expr) = &parameter.type_expr
                && matches!(type_expr.kind, ExprKind::Access(_))
                && !is_literal(type_expr)
            {
                let kind = SyntaxErrorKind::NonLiteralParameterType(parameter.name.clone());
                self.report(type_expr.range, kind);
            }
        }
    }
}

/// `$1`, `$0x1`.
fn is_numeric(name: &str) -> bool {
    let digits = name.strip_prefix("0x").unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `PARAM_NAME`.
fn is_parameter_name(name: &str) -> bool {
    matches!(name.as_bytes(), [b'a'..=b'z' | b'_', tail @ ..]
        if tail.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
}
