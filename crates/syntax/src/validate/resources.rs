//! Resources, defaults, overrides and relationships.

use marotte_text::{Str, TextRange};

use super::{Checker, head};
use crate::ast::{
    Attribute, AttributeName, Expr, ExprKind, Relationship, Resource, ResourceDefaults, ResourceForm,
    ResourceOverride,
};
use crate::{Label, SyntaxErrorKind};

impl Checker<'_> {
    pub(super) fn resource(&mut self, expr: &Expr, resource: &Resource) {
        let is_class = matches!(&resource.type_name.kind, ExprKind::Name(name) if name == "class");
        if self.catalog_code_is_allowed(expr) && is_class {
            self.regular(expr, resource.form, SyntaxErrorKind::ClassNotVirtualizable);
        }
        self.inner(&resource.type_name);
        for body in &resource.bodies {
            self.inner(&body.title);
            self.attributes(&body.attributes, Some("Resource Instance Definition"));
            self.single_unfold(&body.attributes);
        }
    }

    pub(super) fn resource_defaults(&mut self, expr: &Expr, defaults: &ResourceDefaults) {
        if self.catalog_code_is_allowed(expr) {
            self.regular(expr, defaults.form, SyntaxErrorKind::NotVirtualizable);
        }
        self.inner(&defaults.type_ref);
        self.attributes(&defaults.attributes, Some(expr.label()));
    }

    pub(super) fn resource_override(&mut self, expr: &Expr, it: &ResourceOverride) {
        if self.catalog_code_is_allowed(expr) {
            self.regular(expr, it.form, SyntaxErrorKind::NotVirtualizable);
        }
        self.inner(&it.resources);
        self.attributes(&it.attributes, None);
    }

    /// Rejects virtual and exported forms. The report points at the sign.
    fn regular(&mut self, expr: &Expr, form: ResourceForm, kind: SyntaxErrorKind) {
        match form {
            ResourceForm::Regular => {}
            ResourceForm::Virtual => self.report(head(expr.range, 1), kind),
            ResourceForm::Exported => self.report(head(expr.range, 2), kind),
        }
    }

    /// Checks attributes. `+>` is allowed in overrides and collectors, for which `container` is `None`.
    pub(super) fn attributes(&mut self, attributes: &[Attribute], container: Option<Label>) {
        for attribute in attributes {
            if attribute.append
                && let Some(container) = container
            {
                let name = match &attribute.name {
                    AttributeName::Name(name) => name.clone(),
                    AttributeName::Unfold | AttributeName::Error => Str::new(),
                };
                let arrow = head(self.after(attribute.name_range.end(), attribute.range, "+>"), 2);
                self.report(arrow, SyntaxErrorKind::AttributeAppend { name, container });
            }
            self.value(&attribute.value);
        }
    }

    fn single_unfold(&mut self, attributes: &[Attribute]) {
        let mut unfolds = attributes.iter().filter(|attribute| attribute.name == AttributeName::Unfold);
        if let Some(first) = unfolds.next() {
            for unfold in unfolds {
                self.report(unfold.name_range, SyntaxErrorKind::MultipleUnfold { first: first.name_range });
            }
        }
    }

    /// Checks `name { … }`: to the reference a block of a name and a hash. Tasks have no resources, so there the name
    /// is only an expression without effect. With `* =>` in it, the reference fails.
    pub(super) fn untitled_resource(&mut self, range: TextRange, parts: &[Expr; 2]) {
        let [name, hash] = parts;
        let mut unfolds = false;
        if let ExprKind::Hash(hash) = &hash.kind {
            for entry in &hash.entries {
                if matches!(entry.key.kind, ExprKind::Error) && self.written(entry.key.range) == "*" {
                    unfolds = true;
                    self.report(entry.key.range, SyntaxErrorKind::UnfoldInContext("Hash Expression"));
                }
            }
        }
        if let ExprKind::Name(type_name) = &name.kind
            && !unfolds
        {
            if self.mode.tasks {
                self.report(name.range, SyntaxErrorKind::NoEffect(name.label()));
            } else {
                self.report(range, SyntaxErrorKind::ResourceWithoutTitle(type_name.clone()));
            }
        }
        self.inner(name);
        self.inner(hash);
    }

    /// Checks one side of a relationship: a collector or another relationship; otherwise it must have a value.
    pub(super) fn relationship(&mut self, expr: &Expr, relationship: &Relationship) {
        let allowed = self.catalog_code_is_allowed(expr);
        for side in [&relationship.left, &relationship.right] {
            if allowed && !matches!(side.kind, ExprKind::Collector(_)) {
                self.value(side);
            } else {
                self.inner(side);
            }
        }
    }
}
