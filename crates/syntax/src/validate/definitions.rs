//! Classes, defines, functions, plans and types: their places and names.

use marotte_text::{Str, TextRange};

use super::{Checker, Place};
use crate::ast::{
    Class, Define, Expr, ExprKind, Function, Parameter, Plan, TypeAlias, TypeDefinition, TypeMapping,
};
use crate::{Label, SyntaxErrorKind};

impl Checker<'_> {
    pub(super) fn class(&mut self, expr: &Expr, class: &Class, place: Place) {
        if self.mode.tasks {
            self.report(class.name_range, SyntaxErrorKind::NotInPlan(expr.label()));
        } else {
            self.named(expr, &class.name, class.name_range, place, false);
            self.resource_like(expr.label(), &class.parameters, &class.body);
            self.literal_types(&class.parameters);
        }
        self.parameters(&class.parameters);
        self.block(&class.body, Place::ClassBody);
    }

    pub(super) fn define(&mut self, expr: &Expr, define: &Define, place: Place) {
        if self.mode.tasks {
            self.report(define.name_range, SyntaxErrorKind::NotInPlan(expr.label()));
        } else {
            self.named(expr, &define.name, define.name_range, place, false);
            self.resource_like(expr.label(), &define.parameters, &define.body);
        }
        self.parameters(&define.parameters);
        self.block(&define.body, Place::Block);
    }

    /// Checks what classes and defines have in common, since both are instantiated as resources.
    fn resource_like(&mut self, label: Label, parameters: &[Parameter], body: &[Expr]) {
        self.no_captures(parameters, label);
        self.distinct(parameters);
        self.no_reserved(parameters);
        self.effect_last(body, label);
    }

    pub(super) fn function(&mut self, expr: &Expr, function: &Function, place: Place) {
        self.named(expr, &function.name, function.name_range, place, true);
        if let Some(return_type) = &function.return_type {
            self.type_reference(return_type, expr.label());
            self.inner(return_type);
        }
        self.distinct(&function.parameters);
        self.parameters(&function.parameters);
        self.block(&function.body, Place::Block);
    }

    pub(super) fn plan(&mut self, expr: &Expr, plan: &Plan, place: Place) {
        self.named(expr, &plan.name, plan.name_range, place, true);
        self.distinct(&plan.parameters);
        self.parameters(&plan.parameters);
        self.block(&plan.body, Place::Block);
    }

    fn named(&mut self, expr: &Expr, name: &Str, range: TextRange, place: Place, absolute: bool) {
        self.check_place(expr, range, place, absolute);
        if !is_qualified(name, |first| first.is_ascii_lowercase()) {
            let kind =
                SyntaxErrorKind::IllegalDefinitionName { name: name.clone(), definition: expr.label() };
            self.report(range, kind);
        }
        if is_reserved_type_name(name) {
            let kind = SyntaxErrorKind::ReservedTypeName { name: name.clone(), definition: expr.label() };
            self.report(range, kind);
        }
        if name == "plan" {
            self.report(range, SyntaxErrorKind::FutureReservedWord(name.clone()));
        }
    }

    /// Checks the place of a definition. Classes, defines and nodes may be in classes; `absolute` definitions only in
    /// the program itself.
    pub(super) fn check_place(&mut self, expr: &Expr, range: TextRange, place: Place, absolute: bool) {
        if self.known.misshapen {
            return;
        }
        match place {
            Place::Top => {}
            Place::ClassBody if !absolute => {}
            Place::ClassBody => self.report(range, SyntaxErrorKind::NotAbsoluteTopLevel(expr.label())),
            Place::Block if absolute => {
                self.report(range, SyntaxErrorKind::NotAbsoluteTopLevel(expr.label()))
            }
            Place::Block | Place::Expression => {
                self.report(range, SyntaxErrorKind::NotTopLevel(expr.label()))
            }
        }
    }

    /// Checks a type alias. An alias named like a built-in type is not an error: the reference compares names as
    /// written, and only with lower case.
    pub(super) fn type_alias(&mut self, expr: &Expr, alias: &TypeAlias, place: Place) {
        self.check_place(expr, alias.name_range, place, true);
        if !is_qualified(&alias.name, |first| first.is_ascii_uppercase()) {
            let kind =
                SyntaxErrorKind::IllegalDefinitionName { name: alias.name.clone(), definition: expr.label() };
            self.report(alias.name_range, kind);
        }
        self.type_reference(&alias.type_expr, expr.label());
        self.inner(&alias.type_expr);
    }

    /// Checks a type used as an alias's type or a return type.
    pub(super) fn type_reference(&mut self, expr: &Expr, container: Label) {
        let reference = match &expr.kind {
            ExprKind::Access(access) => &access.target,
            _ => expr,
        };
        match &reference.kind {
            ExprKind::Reference(name) if name.eq_ignore_ascii_case("plan") => {
                self.report(reference.range, SyntaxErrorKind::FutureReservedWord(name.clone()));
            }
            ExprKind::Reference(_) | ExprKind::Error => {}
            _ => self.illegal_expression(expr, "a type reference", container),
        }
    }

    /// `type Runtime[ruby, 'Name'] = Type` or `type Runtime[ruby, [/pattern/, 'text']] = [/pattern/, 'text']`.
    pub(super) fn type_mapping(&mut self, expr: &Expr, mapping: &TypeMapping, place: Place) {
        let TypeMapping { type_expr, mapping: right } = mapping;
        self.check_place(expr, type_expr.range, place, false);
        if let ExprKind::Access(access) = &type_expr.kind
            && !matches!(access.target.kind, ExprKind::Error)
        {
            let is_runtime = matches!(&access.target.kind, ExprKind::Reference(name) if name == "Runtime");
            let pattern = matches!(&*access.keys, [_, key] if is_replacement(key));
            let unknown = matches!(right.kind, ExprKind::Error);
            if !is_runtime {
                self.report(type_expr.range, SyntaxErrorKind::UnsupportedExpression(expr.label()));
            } else if !unknown && !(if pattern { is_replacement(right) } else { self.is_written_type(right) })
            {
                self.report(right.range, SyntaxErrorKind::IllegalTypeMapping { pattern });
            }
        }
        self.inner(type_expr);
        self.inner(right);
    }

    /// Whether an expression is a reference, with or without keys. A hash (`Object[{…}]` in the tree) is not.
    fn is_written_type(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Reference(_) => true,
            ExprKind::Access(access) => {
                matches!(access.target.kind, ExprKind::Reference(_))
                    && !self.written(expr.range).ends_with('}')
            }
            _ => false,
        }
    }

    pub(super) fn type_definition(&mut self, expr: &Expr, definition: &TypeDefinition, place: Place) {
        self.check_place(expr, definition.name_range, place, true);
        self.report(definition.name_range, SyntaxErrorKind::UnsupportedExpression(expr.label()));
        self.block(&definition.body, Place::Block);
    }
}

/// Whether an expression has the form `[/pattern/, 'text']`.
fn is_replacement(expr: &Expr) -> bool {
    let ExprKind::Array(elements) = &expr.kind else { return false };
    matches!(&**elements, [Expr { kind: ExprKind::Regex(_), .. }, Expr { kind: ExprKind::String(_), .. }])
}

/// Whether a name consists of segments of word characters separated by `::`, each with a `first` character that matches; no `::`
/// at the start.
fn is_qualified(name: &str, first: impl Fn(u8) -> bool) -> bool {
    name.split("::").all(|segment| match segment.as_bytes() {
        [head, tail @ ..] => {
            first(*head) && tail.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        }
        [] => false,
    })
}

fn is_reserved_type_name(name: &str) -> bool {
    matches!(
        name,
        "type"
            | "any"
            | "unit"
            | "scalar"
            | "boolean"
            | "numeric"
            | "integer"
            | "float"
            | "collection"
            | "array"
            | "hash"
            | "tuple"
            | "struct"
            | "variant"
            | "optional"
            | "enum"
            | "regexp"
            | "pattern"
            | "runtime"
            | "init"
            | "object"
            | "sensitive"
            | "semver"
            | "semverrange"
            | "string"
            | "timestamp"
            | "timespan"
            | "typeset"
    )
}
