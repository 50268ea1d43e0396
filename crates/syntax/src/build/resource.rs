//! Resources, overrides, defaults and collectors.

use super::{Builder, span};
use crate::SyntaxErrorKind;
use crate::ast::{
    Attribute, AttributeName, Collector, Expr, ExprKind, Hash, HashEntry, Query, Resource, ResourceBody,
    ResourceDefaults, ResourceForm, ResourceOverride,
};
use crate::grammar::{Node, Rule};
use crate::token::TokenKind;

impl Builder<'_> {
    /// Builds `left { … }`, whose meaning depends on the expression before the brace.
    pub(super) fn resource(&mut self, left: Expr, node: Node<'_>) -> Expr {
        let (_, end) = span(&node);
        let range = left.range.cover(self.token_range(end - 1));
        if node.as_rule() == Rule::titled_bodies {
            let bodies = node.into_inner().map(|body| self.body(body)).collect();
            let resource = Resource { form: ResourceForm::Regular, type_name: left, bodies };
            return Expr { range, kind: ExprKind::Resource(Box::new(resource)) };
        }
        let form = ResourceForm::Regular;
        let kind = match &left.kind {
            ExprKind::Name(_) => return self.untitled(left, node),
            ExprKind::Reference(_) => ExprKind::ResourceDefaults(Box::new(ResourceDefaults {
                form,
                type_ref: left,
                attributes: self.attributes(node),
            })),
            ExprKind::Access(_) => ExprKind::ResourceOverride(Box::new(ResourceOverride {
                form,
                resources: left,
                attributes: self.attributes(node),
            })),
            ExprKind::Error => ExprKind::Error,
            _ => return self.error_expr(left.range, SyntaxErrorKind::NotAResource),
        };
        Expr { range, kind }
    }

    /// Builds `name { a => 1 }`: a statement call with a hash, or a resource without a title.
    fn untitled(&mut self, name: Expr, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let hash_range = self.tokens_range(start, end - 1);
        let range = name.range.cover(hash_range);
        let attributes = self.attributes(node);
        if let Some(append) = attributes.iter().find(|attribute| attribute.append) {
            let arrow = append.name_range;
            return self.error_expr(arrow, SyntaxErrorKind::AppendWithoutTitle);
        }
        let unfold = attributes.iter().any(|attribute| attribute.name == AttributeName::Unfold);
        let entries = attributes
            .into_iter()
            .map(|attribute| {
                let key = match attribute.name {
                    AttributeName::Name(name) => ExprKind::String(name),
                    AttributeName::Unfold | AttributeName::Error => ExprKind::Error,
                };
                let key = Expr { range: attribute.name_range, kind: key };
                HashEntry { key, value: attribute.value, arrow: attribute.name_range }
            })
            .collect();
        let hash = Expr { range: hash_range, kind: ExprKind::Hash(Box::new(Hash { entries, bare: false })) };
        if super::statement::is_statement_call(&name) && !unfold {
            return super::statement::statement_call(name, Box::new([hash]));
        }
        Expr { range, kind: ExprKind::UntitledResource(Box::new([name, hash])) }
    }

    /// `class { … }`.
    pub(super) fn class_resource(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let type_name = Expr { range: self.token_range(start), kind: ExprKind::Name("class".into()) };
        let bodies = node.into_inner().map(|body| self.body(body)).collect();
        let resource = Resource { form: ResourceForm::Regular, type_name, bodies };
        Expr { range: self.tokens_range(start, end - 1), kind: ExprKind::Resource(Box::new(resource)) }
    }

    /// `@resource` or `@@resource`.
    pub(super) fn virtual_resource(&mut self, at: usize, form: ResourceForm, mut resource: Expr) -> Expr {
        let sign = self.token_range(at);
        match &mut resource.kind {
            ExprKind::Resource(it) => it.form = form,
            ExprKind::ResourceDefaults(it) => it.form = form,
            ExprKind::ResourceOverride(it) => it.form = form,
            ExprKind::Error => {}
            _ => {
                let exported = form == ResourceForm::Exported;
                return self.error_expr(sign, SyntaxErrorKind::NotVirtual { exported });
            }
        }
        resource.range = sign.cover(resource.range);
        resource
    }

    fn body(&mut self, node: Node<'_>) -> ResourceBody {
        let (start, end) = span(&node);
        let range = self.tokens_range(start, end - 1);
        let mut parts = node.into_inner();
        let title = match parts.next() {
            Some(title) => self.expression(title),
            None => Expr { range, kind: ExprKind::Error },
        };
        ResourceBody { range, title, attributes: parts.map(|part| self.attribute(part)).collect() }
    }

    fn attributes(&mut self, node: Node<'_>) -> Box<[Attribute]> {
        node.into_inner().map(|part| self.attribute(part)).collect()
    }

    fn attribute(&mut self, node: Node<'_>) -> Attribute {
        let (start, _) = span(&node);
        let name_range = self.token_range(start);
        let name = match self.kind(start) {
            TokenKind::Times => AttributeName::Unfold,
            TokenKind::Error => AttributeName::Error,
            _ => AttributeName::Name(self.written(start).into()),
        };
        let append = self.kind(start + 1) == TokenKind::PlusArrow;
        let value = match node.into_inner().next() {
            Some(value) => self.expression(value),
            None => Expr { range: name_range, kind: ExprKind::Error },
        };
        Attribute { range: name_range.cover(value.range), name, name_range, append, value }
    }

    /// `type_ref <| query |> { … }`.
    pub(super) fn collector(&mut self, type_ref: Expr, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let exported = self.kind(start) == TokenKind::LeftExport;
        let range = type_ref.range.cover(self.token_range(end - 1));
        let mut query_end = start + 1;
        let mut condition = None;
        let mut attributes: Box<[Attribute]> = Box::new([]);
        for part in node.into_inner() {
            if part.as_rule() == Rule::value {
                query_end = span(&part).1;
                condition = Some(self.expression(part));
            } else {
                attributes = self.attributes(part);
            }
        }
        let query = Query { range: self.tokens_range(start, query_end), exported, condition };
        Expr { range, kind: ExprKind::Collector(Box::new(Collector { type_ref, query, attributes })) }
    }
}
